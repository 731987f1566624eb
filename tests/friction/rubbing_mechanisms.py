"""Mechanisms whose ideal joints rub, for all tests of friction."""

import math

import numpy as np

import gudgeon as gd

SMOOTH = gd.laws.Coulomb(coefficient=0.25, velocity_tolerance=2e-3)
GRAVITY = 9.81  # [m/s²]


def block(law, *, above=0.0, ahead=0.0, speed=0.0, incline=0.0, mass=2.0, **guide) -> gd.System:
    """A block on a straight guide along x, its centre of mass above and ahead of the middle of the guide."""
    gravity = (GRAVITY * math.sin(incline), 0.0, -GRAVITY * math.cos(incline))
    body = gd.Body(mass=mass, inertia=(0.02, 0.02, 0.03), position=(ahead, 0, above), velocity=(speed, 0, 0))
    joint = gd.Prismatic("ground", "block", at=(0, 0, 0), axis=(1, 0, 0), model=gd.Ideal(friction=law, **guide))
    return gd.System(gravity=gravity, bodies={"block": body}, joints={"guide": joint})


def rotor(law, *, spin=50.0, mass=2.0, inertia=0.02, axis=(0, 1, 0), radius=0.01, **bearing) -> gd.System:
    """A wheel on its shaft."""
    model = gd.Ideal(friction=law, radius=radius, **bearing)
    omega = tuple(spin * x for x in axis)
    return gd.System(
        gravity=(0, 0, -GRAVITY),
        bodies={"wheel": gd.Body(mass=mass, inertia=(inertia,) * 3, angular_velocity=omega)},
        joints={"shaft": gd.Revolute("ground", "wheel", at=(0, 0, 0), axis=axis, model=model)},
    )


def bar(start, end, **motion) -> gd.Body:
    """A slender bar in the plane z = 0, 2 kg/m."""
    a, b = np.array(start), np.array(end)
    length = float(np.linalg.norm(b - a))
    turn = math.atan2(b[1] - a[1], b[0] - a[0])
    inertia = 2.0 * length**3 / 12.0
    return gd.Body(
        mass=2.0 * length,
        inertia=(1e-5, inertia, inertia),
        position=tuple((a + b) / 2),
        orientation=(math.cos(turn / 2), 0, 0, math.sin(turn / 2)),
        **motion,
    )


def four_bar(model, *, spin=5.0) -> gd.System:
    """A plane four-bar whose four pins have one model; gravity in its plane."""
    at = {"A": (0, 0, 0), "B": (0, 0.1, 0), "C": (0.35, 0.25, 0), "D": (0.3, 0, 0)}
    ends = {"A": ("ground", "crank"), "B": ("crank", "rod"), "C": ("rod", "rocker"), "D": ("rocker", "ground")}
    return gd.System(
        gravity=(0, -GRAVITY, 0),
        bodies={
            "crank": bar(at["A"], at["B"], angular_velocity=(0, 0, spin)),
            "rod": bar(at["B"], at["C"]),
            "rocker": bar(at["C"], at["D"]),
        },
        joints={name: gd.Revolute(*ends[name], at=at[name], model=model) for name in at},
    )


def slider_crank(law, *, spin=20.0) -> gd.System:
    """Crank, rod and a round piston: bearings, a ball, a bore. No row is redundant; the piston may spin."""
    r, rod = 0.05, 0.12
    at = (r * math.cos(0.7), r * math.sin(0.7), 0.0)
    end = (at[0] + math.sqrt(rod * rod - at[1] ** 2), 0.0, 0.0)
    return gd.System(
        gravity=(0, -GRAVITY, 0),
        bodies={
            "crank": bar((0, 0, 0), at, angular_velocity=(0, 0, spin)),
            "rod": bar(at, end),
            "piston": gd.Body(mass=0.3, inertia=(1e-4,) * 3, position=(end[0] + 0.01, 0.002, 0.0)),
        },
        joints={
            "main": gd.Revolute(
                "ground",
                "crank",
                at=(0, 0, 0),
                model=gd.Ideal(friction=law, radius=0.01, length=0.03, thrust_radius=0.015),
            ),
            "big end": gd.Cylindrical("crank", "rod", at=at, model=gd.Ideal(friction=law, radius=0.008, length=0.02)),
            "pin": gd.Spherical("rod", "piston", at=end, model=gd.Ideal(friction=law, radius=0.006)),
            "bore": gd.Cylindrical(
                "ground", "piston", at=end, axis=(1, 0, 0), model=gd.Ideal(friction=law, radius=0.02, length=0.06)
            ),
        },
    )


def one_joint(kind: str, law) -> gd.System:
    """A body on one joint of a kind, moving so that it slides in all its directions."""
    axis, at = (0.8, 0, -0.6), (0, 0, 0)
    joints = {
        "Revolute": lambda: gd.Revolute(
            "ground",
            "body",
            at=at,
            axis=(0, 1, 0),
            model=gd.Ideal(friction=law, radius=0.03, length=0.06, thrust_radius=0.04),
        ),
        "Prismatic": lambda: gd.Prismatic(
            "ground", "body", at=at, axis=axis, model=gd.Ideal(friction=law, length=0.4, width=0.2)
        ),
        "Guide": lambda: gd.Guide(
            "ground", "body", at=at, axis=axis, normal=(0, 1, 0), model=gd.Ideal(friction=law, length=0.4)
        ),
        "Cylindrical": lambda: gd.Cylindrical(
            "ground",
            "body",
            at=at,
            axis=axis,
            model=gd.Ideal(friction=law, radius=0.03, length=0.4, bearing_on="parent"),
        ),
        "Spherical": lambda: gd.Spherical("ground", "body", at=at, model=gd.Ideal(friction=law, radius=0.02)),
        "Universal": lambda: gd.Universal(
            "ground",
            "body",
            at=at,
            axis_parent=(1, 0, 0),
            axis_child=(0, 1, 0),
            model=gd.Ideal(friction=law, radius=0.02, length=0.06, thrust_radius=0.03),
        ),
    }
    moving = {
        "Revolute": {"angular_velocity": (0, 2.0, 0)},
        "Spherical": {"angular_velocity": (1.0, 2.0, 0.5)},
        "Universal": {"angular_velocity": (1.0, 2.0, 0.0)},
        "Cylindrical": {"angular_velocity": (0.8, 0.0, -0.6)},
    }.get(kind, {"velocity": (-0.8, 0, 0.6)})
    body = gd.Body(mass=1.5, inertia=(0.02, 0.03, 0.04), position=(0.12, 0.05, -0.2), **moving)
    return gd.System(bodies={"body": body}, joints={"joint": joints[kind]()})


KINDS = ("Revolute", "Prismatic", "Guide", "Cylindrical", "Spherical", "Universal")


def jack(law, lead_angle, *, load=100.0, torque=None, radius=0.01, base="ground", **screw) -> gd.System:
    """A spindle that turns in its base and lifts a nut with a load [N]; one freedom."""
    wheel = gd.Body(mass=1.0, inertia=(2e-4,) * 3)
    bodies = {"spindle": wheel, "nut": gd.Body(mass=load / GRAVITY, inertia=(0.1,) * 3)}
    joints = {
        "spindle": gd.Revolute(base, "spindle", at=(0, 0, 0), axis=(0, 0, 1)),
        "nut": gd.Prismatic(base, "nut", at=(0, 0, 0), axis=(0, 0, 1)),
    }
    if base != "ground":
        bodies[base] = gd.Body(mass=3.0, inertia=(0.1,) * 3)
        joints["base"] = gd.Rigid("ground", base, at=(0, 0, 0))
    lead = 2.0 * math.pi * radius * math.tan(lead_angle)
    thread = gd.Screw("spindle", nut="nut", lead=lead, friction=law, radius=radius, **screw)
    return gd.System(
        gravity=(0, 0, -GRAVITY),
        bodies=bodies,
        joints=joints,
        couplings={"thread": thread},
        loads={} if torque is None else {"motor": gd.JointTorque("spindle", torque)},
    )
