"""Mechanisms of the frozen runs that no other test has."""

from __future__ import annotations

import math

import numpy as np

import gudgeon as gd
from gudgeon import laws
from gudgeon.fem import Material, Mesh, Rayleigh
from gudgeon.nurbs import Surface
from random_mechanisms import KINDS, random_body, random_joint
from real_joints import COULOMB, EVERY_MODEL, RADII, two_bodies

R, r = RADII["socket_radius"], RADII["ball_radius"]  # [m]
LOSSY_CORNER = laws.Flores(stiffness=1e7, restitution=0.6)
SOFT_CORNER = laws.KelvinVoigt(stiffness=1e5, damping=1e2)


def swell(t):
    """A load that Python describes."""
    return (0.3 * math.sin(7.0 * t), 0.1 * t * t, 0.2)


def every_joint() -> gd.System:
    """One body after another, joined by every type of joint, with every type of load and a wound spring."""
    rng = np.random.default_rng(3)
    bodies, joints, before = {}, {}, "ground"
    for kind in KINDS:
        name = kind.__name__.lower()
        bodies[name], joints[f"J {name}"] = random_body(rng), random_joint(rng, kind, before, name)
        before = name
    loads = {
        "swell": gd.Force("universal", swell, at=(0.1, 0.0, 0.05)),
        "gust": gd.Torque("spherical", (0.0, "0.1*sin(9*t)", 0.05)),
        "rope": gd.SpringDamper("ground", "cylindrical", stiffness=40.0, damping=0.5, length=0.3),
        "winding": gd.JointSpring("J revolute", stiffness=3.0, damping=0.1, rest=7.0),
    }
    return gd.System(name="every joint", bodies=bodies, joints=joints, loads=loads)


def engine_slider_crank(pin: gd.Ideal | gd.Lubricated, rpm: float) -> gd.System:
    """The driven slider-cranks of examples/slider_crank_5000_rpm.py and examples/journal_from_step.py."""
    crank, rod = 0.04, 0.14  # lengths [m]
    at = (crank + rod, 0, 0)
    wrist = gd.Revolute("rod", "piston", at=at)
    return gd.System(
        name="slider-crank",
        gravity=(0, -9.81, 0),
        bodies={
            "crank": gd.Body(mass=0.8, inertia=(4e-4, 4e-4, 6e-4), position=(crank / 2, 0, 0)),
            "rod": gd.Body(mass=0.5, inertia=(2e-5, 9e-4, 9e-4), position=(crank + rod / 2, 0, 0)),
            "piston": gd.Body(mass=0.4, inertia=(2e-4, 2e-4, 2e-4), position=at),
        },
        joints={
            "main bearing": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "crank pin": gd.Revolute("crank", "rod", at=(crank, 0, 0)),
            "gudgeon pin": wrist if pin == gd.Ideal() else gd.Spherical("rod", "piston", at=at, model=pin),
            "bore": gd.Prismatic("ground", "piston", at=at, axis=(1, 0, 0)),
        },
        drives={"motor": gd.Drive("main bearing", f"{rpm}*2*pi/60*t")},
    )


def engine_mounts() -> gd.System:
    """The engine of examples/natural_frequencies.py, dropped onto its mounts."""
    rubber = gd.Bushing(stiffness=np.diag([8e4, 8e4, 2e5]), damping_time=1.5e-3)
    mounts = {"front left": (0.4, 0.22), "front right": (0.4, -0.22), "left": (-0.3, 0.25), "right": (-0.3, -0.25)}
    return gd.System(
        name="engine",
        bodies={"block": gd.Body(mass=180.0, inertia=(6.0, 14.0, 12.0))},
        joints={
            name: gd.Spherical("ground", "block", at=(x, y, -0.12), model=rubber) for name, (x, y) in mounts.items()
        },
    )


def chain_of_real_joints() -> gd.System:
    """Three links, each hanging in another real joint: forces of one reach the others."""
    models = (EVERY_MODEL["bushing 6×6"], EVERY_MODEL["Coulomb"], EVERY_MODEL["lubricated, contact"])
    bodies, joints, before = {}, {}, "ground"
    for k, model in enumerate(models):
        bodies[f"link {k}"] = gd.Body(mass=0.3, inertia=(3e-4, 3e-4, 2e-5), position=(0.1 * k + 0.05, 0, 0))
        joints[f"joint {k}"] = gd.Spherical(before, f"link {k}", at=(0.1 * k, 0, 0), model=model)
        before = f"link {k}"
    return gd.System(name="chain of real joints", bodies=bodies, joints=joints)


def ball_of_surfaces(*, restitution: bool = False, ball_on: str = "two", grid=(12, 6)) -> gd.System:
    """The two bodies of `two_bodies`, ball and socket given as surfaces."""
    socket, ball = (Surface.sphere(radius).moved(translation=(0.13, -0.18, 0.34)) for radius in (R, r))
    other = "one" if ball_on == "two" else "two"
    touch = gd.Interface(reference=(other, socket), corresponding=(ball_on, ball), reference_side=-1, grid=grid)
    if restitution:
        contact: gd.laws.ContactLaw = laws.LankaraniNikravesh(stiffness=2e12, restitution=0.6, exponent=1.0)
        return two_bodies(gd.SurfaceContact(touch, contact))
    contact = laws.HuntCrossley(stiffness=2e12, damping=1.0, exponent=1.0)
    return two_bodies(gd.SurfaceContact(touch, contact, friction=COULOMB))


def journal_of_surfaces(*, driven: bool) -> gd.System:
    """A pin that sinks in its bore, held by its surfaces alone; free to slide, or turned by a drive."""
    length = 0.02
    touch = gd.Interface(
        reference=("ground", Surface.cylinder(R, -0.5 * length, 0.5 * length)),
        corresponding=("pin", Surface.cylinder(R - 1e-5, -length, length)),
        reference_side=-1,
        grid=(60, 4),
    )
    model = gd.SurfaceContact(touch, laws.KelvinVoigt(stiffness=4e11, damping=3e9), friction=COULOMB)
    kind = gd.Revolute if driven else gd.Cylindrical
    return gd.System(
        gravity=(0, -9.81, 0),
        bodies={"pin": gd.Body(mass=0.05, inertia=(2e-6, 2e-6, 1e-6))},
        joints={"J": kind("ground", "pin", at=(0, 0, 0), axis=(0, 0, 1), model=model)},
        drives={"motor": gd.Drive("J", "20*t")} if driven else {},
        start={"pin": gd.BodyState(position=(0, -0.9e-5, 0), orientation=(1, 0, 0, 0))},
    )


def ball_on_plane() -> gd.System:
    """A ball thrown onto a plate of surfaces; nothing else joins them."""
    touch = gd.Interface(
        reference=("ball", Surface.sphere(0.01)),
        corresponding=("ground", Surface.plane(origin=(-0.5, -0.5, -0.01005))),
        grid=(12, 6),
    )
    model = gd.SurfaceContact(touch, laws.KelvinVoigt(stiffness=1e11, damping=1e7), friction=COULOMB)
    return gd.System(
        bodies={"ball": gd.Body(mass=0.02, inertia=(8e-7,) * 3, velocity=(0.2, 0.1, -0.3), angular_velocity=(9, 0, 3))},
        joints={"J": gd.Free("ground", "ball", at=(0, 0, 0), model=model)},
    )


def sliding_plate(kind: str, **law) -> gd.System:
    """A slider thrown across its guide, so that it strikes one corner after the other."""
    size = {"length": 0.5, "height": 0.3}
    if kind == "flexible":
        model: gd.RigidSlider | gd.FlexibleSlider = gd.FlexibleSlider(
            mesh=Mesh.rectangle(0.5, 0.3, 2, 2),
            material=Material(youngs_modulus=1e6, poissons_ratio=0.3, density=1.0 / 0.15),
            damping=Rayleigh(mass=0.1, stiffness=1e-4),
            clearance=1e-3,
            **law,
        )
    else:
        model = gd.RigidSlider(**size, clearance=1e-3, **law)
    spin = 0.0 if kind == "flexible" else 0.05  # a flexible slider does not turn as a whole
    slider = gd.Body(
        mass=1.0, inertia=(0.0075, 0.0208, 0.0283), velocity=(0.4, -0.05, 0.0), angular_velocity=(0, 0, spin)
    )
    return gd.System(
        name="thrown slider",
        gravity=(0, -9.81, 0),
        bodies={"slider": slider},
        joints={"guide": gd.Guide("ground", "slider", at=(0, 0, 0), model=model)},
    )


def slider_on_moving_guide() -> gd.System:
    """A soft slider without friction in a guide that swings."""
    model = gd.RigidSlider(length=0.3, height=0.1, clearance=1e-3, contact=LOSSY_CORNER)
    return gd.System(
        name="slider on a swing",
        gravity=(0, -9.81, 0),
        bodies={
            "swing": gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.2), position=(0.2, -0.5, 0)),
            "slider": gd.Body(mass=0.5, inertia=(0.002, 0.002, 0.004), position=(0.2, -0.5, 0)),
        },
        joints={
            "pivot": gd.Revolute("ground", "swing", at=(0, 0, 0)),
            "guide": gd.Guide("swing", "slider", at=(0.2, -0.5, 0), model=model),
        },
    )


def flexible_plate() -> gd.System:
    """A plate of rubber that hangs on two springs, pushed to and fro."""
    plate = gd.FlexibleBody(
        mesh=Mesh.rectangle(0.5, 0.3, 3, 2),
        material=Material(youngs_modulus=1e5, poissons_ratio=0.3, density=10.0),
        damping=Rayleigh(mass=0.5, stiffness=2e-4),
        position=(0.25, -0.15, 0),
    )
    corners = {"left": (-0.25, 0.15, 0.0), "right": (0.25, 0.15, 0.0)}
    ropes = {
        name: gd.SpringDamper(
            "ground", "plate", at_first=(0.25 + x, 1.0, z), at_second=(x, y, z), stiffness=2e2 + 100.0 * x, length=1.0
        )
        for name, (x, y, z) in corners.items()
    }
    push = gd.Force("plate", ("0.5*sin(20*t)", 0.0, 0.0), at=corners["right"])
    return gd.System(
        name="flexible plate", gravity=(0, -9.81, 0), bodies={"plate": plate}, loads={**ropes, "push": push}
    )
