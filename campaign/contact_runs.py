"""Random contact: every real joint with random numbers, laws, solver, tolerance and coordinates, nothing driving it.

Checked is what needs no reference: the run ends, or says why not; no ball leaves its socket; the energy of kinetic,
potential and stored parts never rises by more than BOUND of the energy exchanged (see gudgeon/results/guard.py).
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon import laws
from gudgeon.fem import Material, Mesh, Rayleigh
from gudgeon.nurbs import Surface
from gudgeon.results.guard import UNRESOLVED, WITHIN_CONTACT
from outcome import RIGHT, STOPPED, WRONG, Outcome, failed
from patience import simulate

BOUND = 1e-2  # energy created, of the energy exchanged
FINE = 1e-6  # at tolerances up to this one the guard must have nothing to say
SURFACE_GRID = (24, 12)
LENGTH, HEIGHT = 0.2, 0.1  # of sliders [m]


def case(seed: int) -> Outcome:
    """One run."""
    rng = np.random.default_rng(seed)
    name = ORDER[seed % len(ORDER)]
    options, fine = random_solver(rng, name)
    group = f"{name} | {type(options['solver']).__name__}"
    try:
        system, duration = GROUPS[name](rng)
        result = simulate(system, duration, sample=duration / 400, **options)
    except BaseException as error:
        outcome = failed(group, error)
        known = "film closed" in outcome.note or "joint not solved" in outcome.note
        if outcome.end == STOPPED and fine and not known:
            return Outcome(group, WRONG, note=outcome.note)
        return outcome
    return checked(group, system, result)


def checked(group: str, system: gd.System, result: gd.Result) -> Outcome:
    """No ball outside, no energy created."""
    data = result.data
    energy, kinetic = data.mechanical_energy.values, data.kinetic_energy.values
    exchanged = kinetic.max() + np.ptp(data.potential_energy.values)
    touching = np.zeros(len(energy), dtype=bool)
    if "contact" in data:
        touching |= np.nan_to_num(data.contact.values).max(axis=1) > 0.0
    if "guide_normal_force" in data:
        touching |= data.guide_normal_force.values.max(axis=1) > 0.0
    created = rise(energy[~touching]) / exchanged
    model = system.joints["J"].model
    if isinstance(model, gd.Dry) and isinstance(model.friction, laws.LuGre):
        return Outcome(group, RIGHT, note="its bristles store energy that is not counted")
    within = UNRESOLVED if result.stats["solver"] == "TimeStepping" else WITHIN_CONTACT
    if created > BOUND or rise(energy) / exchanged > within:
        return Outcome(
            group, WRONG, created, f"energy created: {created:.3g}, in contact {rise(energy) / exchanged:.3g}"
        )
    radius = getattr(model, "socket_radius", np.inf)
    if "eccentricity_length" in data and float(data.eccentricity_length.max()) > radius:
        return Outcome(group, WRONG, created, "ball outside its socket")
    return Outcome(group, RIGHT, created)


def rise(energy: np.ndarray) -> float:
    """By how much the energy rises above what it was before [J]."""
    return float((energy - np.minimum.accumulate(energy)).max(initial=0.0)) if len(energy) else 0.0


def random_solver(rng: np.random.Generator, name: str) -> tuple[dict[str, Any], bool]:
    """A solver that runs this joint, with a tolerance from the coarsest to the finest; whether it is a fine one."""
    rtol = float(10.0 ** rng.uniform(-10.0, -3.0))
    tolerances = {"rtol": rtol, "atol": 1e-2 * rtol}
    smooth = [
        gd.Explicit(**tolerances),
        gd.Implicit(**tolerances, stages=int(rng.choice([3, 5, 7]))),
        gd.Sundials(**tolerances, method=str(rng.choice(["Adams", "BDF"]))),
    ]
    step = float(10.0 ** rng.uniform(-5.5, -4.0))
    stepping = [gd.TimeStepping(rtol=max(rtol, 1e-8)), gd.TimeStepping(step=step)]
    if name == "guide, frictionless":
        solver = (smooth[0], smooth[2], *stepping)[int(rng.integers(4))]
    elif name.startswith("guide"):
        solver = stepping[int(rng.integers(2))]
    elif name in ("surfaces", "LuGre"):
        solver = smooth[int(rng.integers(3))]
    else:
        solver = (smooth + stepping)[int(rng.integers(5))]
    relative = not isinstance(solver, gd.TimeStepping) and not name.startswith("guide") and rng.uniform() < 0.4
    fine = rtol <= FINE and not (isinstance(solver, gd.TimeStepping) and solver.rtol is None)
    return {"solver": solver, "coordinates": "relative" if relative else "absolute"}, fine


# laws


def random_contact(rng: np.random.Generator, stiffness: float) -> Any:
    """A contact law."""
    e = float(rng.uniform(0.1, 0.95))
    rate = float(10.0 ** rng.uniform(-1.0, 1.0))
    kinds = [
        laws.Hertz(stiffness=stiffness),
        laws.HuntCrossley(stiffness=stiffness, damping=rate),
        laws.LankaraniNikravesh(stiffness=stiffness, restitution=e),
        laws.Flores(stiffness=stiffness, restitution=e),
        laws.Gonthier(stiffness=stiffness, restitution=e),
        laws.KelvinVoigt(stiffness=stiffness * 1e-2, damping=float(10.0 ** rng.uniform(1.0, 4.0))),
    ]
    return kinds[int(rng.integers(len(kinds)))]


def random_friction(rng: np.random.Generator) -> Any:
    """A friction law, or none."""
    mu, v = float(rng.uniform(0.01, 0.5)), float(10.0 ** rng.uniform(-4.0, -2.0))
    kinds = [
        None,
        laws.Coulomb(coefficient=mu, velocity_tolerance=v),
        laws.Threlfall(coefficient=mu, velocity_tolerance=v),
        laws.Stribeck(kinetic=mu, static=1.5 * mu, stribeck_speed=10 * v, velocity_tolerance=v),
        laws.BengisuAkay(kinetic=mu, static=1.5 * mu, peak_speed=v, decay=50.0),
    ]
    return kinds[int(rng.integers(len(kinds)))]


# mechanisms: one joint J, nothing drives it


def radii(rng: np.random.Generator) -> tuple[dict[str, float], float]:
    """Radii of socket and ball, and the clearance [m]."""
    radius, clearance = float(rng.uniform(5e-3, 3e-2)), float(10.0 ** rng.uniform(-5.0, -3.0))
    return {"socket_radius": radius, "ball_radius": radius - clearance}, clearance


def around_a_ball(
    rng: np.random.Generator, model: Any, clearance: float, *, alone: bool = False
) -> tuple[gd.System, float]:
    """A body that flies or hangs in a socket of the ground or of a second body, and spins; and for how long."""
    speed = float(10.0 ** rng.uniform(-2.0, -0.3))
    direction = rng.normal(size=3)
    mass = float(10.0 ** rng.uniform(-2.0, 0.0))
    arm = rng.uniform(0.0, 0.1, 3) * (rng.uniform() < 0.7)
    size = 0.02 + np.linalg.norm(arm)
    moving = gd.BodyState(
        position=tuple(arm),
        orientation=(1, 0, 0, 0),
        velocity=tuple(speed * direction / np.linalg.norm(direction)),
        angular_velocity=tuple(rng.normal(size=3) * speed / size * 0.3),
    )
    inertia = mass * size**2 * rng.uniform(0.4, 0.6, 3)
    bodies = {"ball": gd.Body(mass=mass, inertia=tuple(inertia), position=tuple(arm))}
    start, parent = {"ball": moving}, "ground"
    if not alone and rng.uniform() < 0.4:
        bodies["socket"] = gd.Body(mass=2.0 * mass, inertia=tuple(2.0 * inertia), position=(-0.05, 0.02, 0.0))
        start["socket"] = gd.BodyState(position=(-0.05, 0.02, 0.0), orientation=(1, 0, 0, 0))
        parent = "socket"
    system = gd.System(
        name="random contact",
        gravity=tuple(rng.normal(size=3) * rng.choice([0.0, 5.0])),
        bodies=bodies,
        joints={"J": gd.Spherical(parent, "ball", at=(0, 0, 0), model=model)},
        start=start,
    )
    return system, float(min(8.0 * clearance / speed, 0.05))


def dry(rng: np.random.Generator) -> tuple[gd.System, float]:
    """Clearance, contact, friction."""
    sizes, clearance = radii(rng)
    contact = random_contact(rng, float(10.0 ** rng.uniform(8.5, 10.5)))
    return around_a_ball(rng, gd.Dry(**sizes, contact=contact, friction=random_friction(rng)), clearance)


def lugre(rng: np.random.Generator) -> tuple[gd.System, float]:
    """Friction with bristles."""
    sizes, clearance = radii(rng)
    contact = laws.Flores(stiffness=float(10.0 ** rng.uniform(8.5, 10.0)), restitution=float(rng.uniform(0.3, 0.9)))
    mu = float(rng.uniform(0.05, 0.3))
    friction = laws.LuGre(
        kinetic=mu, static=1.4 * mu, stribeck_speed=1e-2, bristle_stiffness=2e4, bristle_damping=10.0, viscous=0.05
    )
    return around_a_ball(rng, gd.Dry(**sizes, contact=contact, friction=friction), clearance)


def film(rng: np.random.Generator) -> tuple[gd.System, float]:
    """A film alone."""
    sizes, clearance = radii(rng)
    return around_a_ball(rng, gd.Lubricated(**sizes, viscosity=float(10.0 ** rng.uniform(-3.0, 0.0))), clearance)


def film_and_contact(rng: np.random.Generator) -> tuple[gd.System, float]:
    """A film that hands over to contact."""
    sizes, clearance = radii(rng)
    model = gd.Lubricated(
        **sizes,
        viscosity=float(10.0 ** rng.uniform(-5.0, -2.0)),
        smallest_film=0.02 * clearance,
        contact=random_contact(rng, float(10.0 ** rng.uniform(8.5, 10.0))),
        friction=random_friction(rng),
    )
    return around_a_ball(rng, model, clearance)


def bushing(rng: np.random.Generator) -> tuple[gd.System, float]:
    """Rubber: radial, or a matrix of three or six freedoms."""
    stiffness, size = float(10.0 ** rng.uniform(4.0, 7.0)), int(rng.choice([1, 3, 6]))
    if size == 1:
        return around_a_ball(rng, gd.Bushing(stiffness=stiffness, damping_time=1e-3), 1e-3)
    root = rng.normal(size=(size, size)) + 2.0 * np.eye(size)
    scales = np.array([1.0] * 3 + [1e-2] * 3)[:size]
    matrix = stiffness * (root.T @ root) * np.outer(scales, scales)
    return around_a_ball(rng, gd.Bushing(stiffness=matrix, damping=1e-3 * matrix), 1e-3)


def surfaces(rng: np.random.Generator) -> tuple[gd.System, float]:
    """Pressure between the surfaces of a ball and a socket."""
    sizes, clearance = radii(rng)
    clearance = min(clearance, 1e-4)
    touch = gd.Interface(
        reference=("ground", Surface.sphere(sizes["socket_radius"], name="socket")),
        corresponding=("ball", Surface.sphere(sizes["socket_radius"] - clearance, name="ball")),
        reference_side=-1,
        corresponding_side=1,
        grid=SURFACE_GRID,
    )
    law = laws.HuntCrossley(stiffness=float(10.0 ** rng.uniform(11.0, 12.5)), damping=3.0, exponent=1.0)
    system, duration = around_a_ball(rng, gd.SurfaceContact(touch, law), clearance, alone=True)
    return system, 0.5 * duration


def in_a_guide(
    rng: np.random.Generator, model: Any, clearance: float, mass: float | None = None
) -> tuple[gd.System, float]:
    """A slider that is thrown into its guide, turning."""
    speed = float(rng.uniform(0.05, 0.5))
    mass = mass or float(10.0 ** rng.uniform(-1.0, 0.5))
    length, height = LENGTH, HEIGHT
    body = gd.Body(
        mass=mass,
        inertia=(mass * height**2 / 12, mass * length**2 / 12, mass * (length**2 + height**2) / 12),
        velocity=(float(rng.uniform(-1, 1)), speed * float(rng.choice([-1.0, 1.0])), 0.0),
        angular_velocity=(0.0, 0.0, float(rng.uniform(-1.0, 1.0))),
    )
    if isinstance(model, gd.FlexibleSlider):  # its frame does not turn
        body = dataclasses.replace(body, angular_velocity=None)
    system = gd.System(
        name="random slider",
        gravity=(0.0, -9.81 * float(rng.choice([0.0, 1.0])), 0.0),
        bodies={"block": body},
        joints={"J": gd.Guide("ground", "block", at=(0, 0, 0), model=model)},
    )
    return system, float(min(12.0 * clearance / speed, 0.2))


def dry_friction(rng: np.random.Generator) -> Any:
    """Set-valued friction, or none."""
    mu = float(rng.uniform(0.02, 0.6))
    return laws.DryFriction(static=mu * float(rng.uniform(1.0, 1.5)), kinetic=mu) if rng.uniform() < 0.7 else None


def guide_soft(rng: np.random.Generator, *, rough: bool = True) -> tuple[gd.System, float]:
    """Compliant corners."""
    clearance = float(10.0 ** rng.uniform(-4.0, -2.5))
    law = random_contact(rng, float(10.0 ** rng.uniform(7.0, 9.0)))
    friction = dry_friction(rng) if rough else None
    model = gd.RigidSlider(length=LENGTH, height=HEIGHT, clearance=clearance, contact=law, friction=friction)
    return in_a_guide(rng, model, clearance)


def guide_hard(rng: np.random.Generator) -> tuple[gd.System, float]:
    """Hard corners with the default impact law."""
    clearance = float(10.0 ** rng.uniform(-4.0, -2.5))
    impact = float(rng.uniform(0.0, 1.0))
    model = gd.RigidSlider(length=LENGTH, height=HEIGHT, clearance=clearance, impact=impact, friction=dry_friction(rng))
    return in_a_guide(rng, model, clearance)


def guide_flexible(rng: np.random.Generator) -> tuple[gd.System, float]:
    """Finite elements."""
    clearance, mass = float(10.0 ** rng.uniform(-4.0, -2.5)), float(10.0 ** rng.uniform(-1.0, 0.5))
    model = gd.FlexibleSlider(
        mesh=Mesh.rectangle(LENGTH, HEIGHT, int(rng.integers(1, 5)), int(rng.integers(1, 3))),
        material=Material(
            youngs_modulus=float(10.0 ** rng.uniform(6.0, 9.0)), poissons_ratio=0.3, density=mass / (LENGTH * HEIGHT)
        ),
        damping=Rayleigh(mass=0.0, stiffness=1e-5),
        clearance=clearance,
        contact=laws.KelvinVoigt(stiffness=float(10.0 ** rng.uniform(4.0, 6.5)), damping=10.0),
        friction=dry_friction(rng),
    )
    return in_a_guide(rng, model, clearance, mass)


GROUPS = {
    "dry": dry,
    "LuGre": lugre,
    "film": film,
    "film and contact": film_and_contact,
    "bushing": bushing,
    "surfaces": surfaces,
    "guide, frictionless": partial(guide_soft, rough=False),
    "guide, soft": guide_soft,
    "guide, hard": guide_hard,
    "guide, flexible": guide_flexible,
}
ORDER = (*GROUPS, "dry", "dry")  # most trouble was there
