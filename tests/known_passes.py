"""Things that pass each other: whether and when they first touch is known from their motion, which is known exactly.

Nothing drives them, so that steps are as long as a solver likes; what they meet may be thin and fast. Shapes, joints
with play, cams, curves and stops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import gudgeon as gd

SOFT = gd.laws.HuntCrossley(stiffness=1e5, damping=0.3)
TOUCH = gd.DryTouch(contact=SOFT)
FINE = 40_000  # instants at which an exact motion is looked at
MISS = 2e-3  # a touch that is no deeper may be missed, of the smaller size
DRIFT = 300.0  # error of a run, of its tolerance and the way that it goes


class Pass(NamedTuple):
    """A system, and the exact gap of what may touch."""

    system: gd.System
    duration: float
    gap: Callable[[np.ndarray], np.ndarray]  # of times [m or rad]
    size: float  # of the smaller part [m or rad]
    way: float  # what a part goes in the run [m or rad]


def first_contact(drawn: Pass, rtol: float) -> tuple[float, float]:
    """Between which instants the first contact has to begin in a run of this tolerance; inf: none has to."""
    t = np.linspace(0.0, drawn.duration, FINE)
    gap = drawn.gap(t)
    error = MISS * drawn.size + DRIFT * rtol * drawn.way
    surely = t[np.argmax(gap < -error)] if (gap < -error).any() else np.inf
    perhaps = t[np.argmax(gap < error)] if (gap < error).any() else np.inf
    apart = drawn.duration / FINE
    return perhaps - apart, surely + apart


def begin_of_contact(drawn: Pass, run: Callable[..., gd.Result], **options: Any) -> float:
    """When the first contact of a run begins; inf: never. How the run ends after a contact does not matter."""
    try:
        result = run(drawn.system, drawn.duration, sample=drawn.duration, **options)
    except gd.SimulationError as error:
        if error.result is None or not len(error.result.events):
            raise
        result = error.result
    return float(result.events.begin.min()) if len(result.events) else np.inf


def state(position: Any = (0.0, 0.0, 0.0), **rates: Any) -> gd.BodyState:
    """A body that is not turned."""
    return gd.BodyState(position=position, orientation=(1.0, 0.0, 0.0, 0.0), **rates)


# shapes


def distances(place: np.ndarray, other: Any) -> np.ndarray:
    """Distance of points (n, 3) from a sphere, capsule, box or cylinder at the origin, axes of the world."""
    if isinstance(other, gd.Sphere):
        return np.linalg.norm(place, axis=1) - other.radius
    if isinstance(other, gd.Capsule):
        on_axis = np.clip(place[:, 2], -0.5 * other.length, 0.5 * other.length)
        return np.hypot(np.hypot(place[:, 0], place[:, 1]), place[:, 2] - on_axis) - other.radius
    if isinstance(other, gd.Box):
        out = np.abs(place) - 0.5 * np.array(other.size)
    else:
        out = np.stack([np.hypot(place[:, 0], place[:, 1]) - other.radius, np.abs(place[:, 2]) - 0.5 * other.length], 1)
    outside = np.linalg.norm(np.maximum(out, 0.0), axis=1)
    return np.where((out > 0.0).any(axis=1), outside, out.max(axis=1))


def random_post(rng: np.random.Generator, size: float, at: np.ndarray) -> Any:
    """Something that stands still."""
    position = tuple(at.tolist())
    kind = int(rng.integers(4))
    if kind == 0:
        return gd.Sphere(radius=size, position=position)
    if kind == 1:
        return gd.Capsule(radius=size, length=size * float(10 ** rng.uniform(0, 2)), position=position)
    if kind == 2:
        return gd.Box(size=tuple((size * 10 ** rng.uniform(-0.5, 1, 3)).tolist()), position=position)
    return gd.Cylinder(radius=size, length=size * float(10 ** rng.uniform(-0.5, 2)), position=position)


def arm_and_post(rng: np.random.Generator) -> Pass:
    """An arm that turns for ever past a post."""
    length, omega = float(10 ** rng.uniform(-2, 1)), float(rng.choice([-1, 1]) * 10 ** rng.uniform(-1, 2))
    size, tip = length * float(10 ** rng.uniform(-3, -1)), length * float(10 ** rng.uniform(-3, -1))
    angle, reach = rng.uniform(0.5, 2 * np.pi - 0.3), length + rng.uniform(-1.5, 1.5) * (size + tip)
    at = np.array([reach * np.cos(angle), reach * np.sin(angle), 0.5 * rng.uniform(-1, 1) * (size + tip)])
    post = random_post(rng, size, at)
    turns = 2 * np.pi * float(10 ** rng.uniform(-0.3, 1.0))

    def place(t: np.ndarray) -> np.ndarray:
        return length * np.stack([np.cos(omega * t), np.sin(omega * t), 0 * t], axis=1)

    middle = 0.5 * length
    body = gd.Body(
        mass=1.0,
        inertia=(0.1 * length**2,) * 3,
        position=(middle, 0, 0),
        velocity=(0, omega * middle, 0),
        angular_velocity=(0, 0, omega),
    )
    system = gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={"arm": body},
        joints={
            "hinge": gd.Revolute("ground", "arm", at=(0, 0, 0), axis=(0, 0, 1)),
            "post": gd.Meeting(
                "ground", "arm", shapes=(post, gd.Sphere(radius=tip, position=(middle, 0, 0))), model=TOUCH
            ),
        },
    )
    duration = turns / abs(omega)
    return Pass(system, duration, lambda t: distances(place(t) - at, post) - tip, min(size, tip), length * turns)


def free_body(rng: np.random.Generator) -> Pass:
    """A ball, or a spinning rod, that flies past something that stands still."""
    size = float(10 ** rng.uniform(-3, 0))
    way = size * float(10 ** rng.uniform(1, 3.5))
    speed = float(10 ** rng.uniform(-1, 2))
    duration, towards = way / speed, rng.normal(size=3)
    towards /= np.linalg.norm(towards)
    ball = size * float(10 ** rng.uniform(-2, 0.5))
    lever = ball * float(10 ** rng.uniform(0, 1.5)) if rng.uniform() < 0.5 else 0.0
    spin = rng.normal(size=3) * (float(10 ** rng.uniform(-1, 1.5)) * speed / way if lever else 0.0)
    across = np.cross(towards, rng.normal(size=3))
    at = towards * (0.3 + 0.6 * rng.uniform()) * way
    at += across / np.linalg.norm(across) * rng.uniform(0, 1.2) * (size + ball + lever)
    while np.linalg.norm(at) < 3.0 * (12 * size + ball + lever):
        at = at + towards * (size + ball + lever)
    post = random_post(rng, size, at)
    arm = rng.normal(size=3)
    arm *= lever / np.linalg.norm(arm)
    rate = np.linalg.norm(spin)

    def place(t: np.ndarray) -> np.ndarray:
        centre = t[:, None] * speed * towards
        if not lever:
            return centre
        axis = spin / rate
        c, s = np.cos(rate * t)[:, None], np.sin(rate * t)[:, None]
        return centre + c * arm + s * np.cross(axis, arm) + (1 - c) * (axis @ arm) * axis

    body = gd.Body(
        mass=1.0,
        inertia=(size**2,) * 3,
        velocity=tuple((speed * towards).tolist()),
        angular_velocity=tuple(spin.tolist()),
    )
    tip = gd.Sphere(radius=ball, position=tuple(arm.tolist()))
    system = gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={"flier": body},
        joints={
            "free": gd.Free("ground", "flier"),
            "meet": gd.Meeting("ground", "flier", shapes=(post, tip), model=TOUCH),
        },
    )
    return Pass(
        system,
        duration,
        lambda t: distances(place(t) - at, post) - ball,
        min(size, ball),
        way + rate * duration * lever,
    )


def rod_and_ball(rng: np.random.Generator) -> Pass:
    """A free rod, a capsule that spins about an axis across it, and a ball at rest."""
    length, radius = float(10 ** rng.uniform(-1, 0.5)), float(10 ** rng.uniform(-3, -1.5))
    omega, ball = float(rng.choice([-1, 1]) * 10 ** rng.uniform(0, 1.5)), float(10 ** rng.uniform(-3, -1.2))
    angle = rng.uniform(0.7, np.pi - 0.7) * rng.choice([-1, 1])
    reach = length * rng.uniform(0.1, 0.5)
    height = rng.uniform(-1.3, 1.3) * (radius + ball)
    at = np.array([reach * np.cos(angle), reach * np.sin(angle), height])
    drift = np.array([0.0, 0.0, rng.normal() * 1e-2 * (radius + ball) * abs(omega)])
    duration = float(10 ** rng.uniform(0.3, 1.5)) / abs(omega)

    def gap(t: np.ndarray) -> np.ndarray:
        axis = np.stack([np.cos(omega * t), np.sin(omega * t), 0 * t], axis=1)
        p = at - t[:, None] * drift
        on = np.clip(np.sum(p * axis, axis=1), -0.5 * length, 0.5 * length)
        return np.linalg.norm(p - on[:, None] * axis, axis=1) - radius - ball

    rod = gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.1), velocity=tuple(drift.tolist()), angular_velocity=(0.0, 0.0, omega))
    capsule = gd.Capsule(radius=radius, length=length, orientation=(np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0))
    still = gd.Body(mass=0.5, inertia=(1e-3, 1e-3, 1e-3), position=tuple(at.tolist()))
    system = gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={"rod": rod, "ball": still},
        joints={"meet": gd.Meeting("ball", "rod", shapes=(gd.Sphere(radius=ball), capsule), model=TOUCH)},
    )
    return Pass(system, duration, gap, min(radius, ball), length * duration * abs(omega))


def cam_and_follower(rng: np.random.Generator) -> Pass:
    """A follower that comes down along its guide onto a cam that turns."""
    base = float(10 ** rng.uniform(-2, 0))
    lift, lobes = base * rng.uniform(0.02, 0.1), int(rng.integers(1, 5))
    follower = str(rng.choice(["knife", "flat"]))
    if follower == "flat":
        lift = min(lift, 0.9 * base / max(lobes**2 - 1, 1) / 2)
    omega = float(rng.choice([-1, 1]) * 10 ** rng.uniform(-1, 2))
    way = base * float(10 ** rng.uniform(-1.5, 1))
    speed = base * abs(omega) * float(10 ** rng.uniform(-2.5, 0.5))
    start = base + 2.5 * lift + way

    def gap(t: np.ndarray) -> np.ndarray:
        return start - speed * t - base - lift * (1 - np.cos(lobes * omega * t))

    cam = gd.Body(mass=1.0, inertia=(1.0, 1.0, 1.0), angular_velocity=(0, 0, omega))
    rod = gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.1), position=(base, 0, 0))
    system = gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={"cam": cam, "rod": rod},
        joints={
            "shaft": gd.Revolute("ground", "cam", at=(0, 0, 0), axis=(0, 0, 1)),
            "guide": gd.Prismatic("ground", "rod", at=(base, 0, 0), axis=(1, 0, 0)),
            "cam": gd.Cam(
                "cam",
                "rod",
                at=(0, 0, 0),
                base_radius=base,
                lift=f"{lift!r}*(1 - cos({lobes}*angle))",
                follower=follower,
                model=TOUCH,
            ),
        },
        start={
            "cam": state(angular_velocity=(0, 0, omega)),
            "rod": state(position=(start, 0, 0), velocity=(-speed, 0, 0)),
        },
    )
    return Pass(system, 1.1 * (start - base) / speed, gap, base, start)


def point_and_circle(rng: np.random.Generator) -> Pass:
    """A point, or a roller, that flies to a curve, outside or inside of a circle."""
    radius = float(10 ** rng.uniform(-2, 0.5))
    inside = bool(rng.integers(2))
    roller = radius * float(rng.choice([0.0, 10 ** rng.uniform(-2, -0.5)]))
    speed = float(10 ** rng.uniform(-1, 2))
    angle, turn = rng.uniform(0, 2 * np.pi), rng.uniform(-1.2, 1.2)
    if inside:
        begin = radius * rng.uniform(0, 0.6) * np.array([np.cos(angle), np.sin(angle)])
        way = 2.0 * radius
    else:
        begin = radius * float(10 ** rng.uniform(0.3, 1.5)) * np.array([np.cos(angle), np.sin(angle)])
        way = np.linalg.norm(begin)
        turn = np.arcsin(min(1.0, rng.uniform(-1.3, 1.3) * (radius + roller) / way))
    heading = angle + np.pi + turn
    velocity = speed * np.array([np.cos(heading), np.sin(heading)])

    def gap(t: np.ndarray) -> np.ndarray:
        far = np.linalg.norm(begin + t[:, None] * velocity, axis=1)
        return (radius - far if inside else far - radius) - roller

    body = gd.Body(
        mass=1.0, inertia=(0.1, 0.1, 0.1), position=(*begin.tolist(), 0.0), velocity=(*velocity.tolist(), 0.0)
    )
    system = gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={"p": body},
        joints={
            "free": gd.Free("ground", "p"),
            "curve": gd.PointOnCurve(
                "ground",
                "p",
                at=(*begin.tolist(), 0.0),
                curve=gd.nurbs.Curve.arc(radius=radius),
                extruded=(0, 0, 1),
                radius=roller,
                side="left" if inside else "right",
                model=TOUCH,
            ),
        },
    )
    return Pass(system, 2.0 * way / speed, gap, roller or radius, way)


def ball_in_socket(rng: np.random.Generator) -> Pass:
    """A free ball in its socket, on a straight way across."""
    radius = float(10 ** rng.uniform(-3, -1))
    clearance = radius * float(10 ** rng.uniform(-3, -0.5))
    speed = float(10 ** rng.uniform(-2, 1))
    begin, velocity = rng.normal(size=3), rng.normal(size=3)
    begin *= 0.9 * rng.uniform() * clearance / np.linalg.norm(begin)
    velocity *= speed / np.linalg.norm(velocity)
    model = gd.Dry(
        socket_radius=radius,
        ball_radius=radius - clearance,
        contact=gd.laws.HuntCrossley(stiffness=1e8, damping=0.3),
    )

    def gap(t: np.ndarray) -> np.ndarray:
        return clearance - np.linalg.norm(begin + t[:, None] * velocity, axis=1)

    system = gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={"ball": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))},
        joints={"J": gd.Spherical("ground", "ball", at=(0, 0, 0), model=model)},
        start={"ball": state(position=tuple(begin.tolist()), velocity=tuple(velocity.tolist()))},
    )
    return Pass(system, 3.0 * clearance / speed, gap, clearance, 3.0 * clearance)


def swing_to_stop(rng: np.random.Generator) -> Pass:
    """A rotor or a slide on a spring that just reaches a stop at each end of its swing."""
    omega, amplitude = float(10 ** rng.uniform(-1, 2)), float(10 ** rng.uniform(-3, 0.4))
    over = float(10 ** rng.uniform(-3, -0.3))
    limit = amplitude * (1.0 - over)
    turning = bool(rng.integers(2))
    stop = gd.Stop("J", upper=limit, lower=-10.0 * amplitude, contact=gd.laws.HuntCrossley(stiffness=1e5, damping=0.3))
    spring = (
        gd.JointTorque("J", f"{-(omega**2)!r}*J.angle")
        if turning
        else gd.JointForce("J", f"{-(omega**2)!r}*J.displacement")
    )
    joint = gd.Revolute if turning else gd.Prismatic
    begin = state(angular_velocity=(0, 0, amplitude * omega)) if turning else state(velocity=(0, 0, amplitude * omega))
    body = gd.Body(mass=1.0, inertia=(1.0, 1.0, 1.0))
    system = gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={"b": body},
        joints={"J": joint("ground", "b", at=(0, 0, 0), axis=(0, 0, 1))},
        loads={"spring": spring, "stop": stop},
        start={"b": begin},
    )
    duration = float(10 ** rng.uniform(0.8, 2)) / omega
    return Pass(
        system,
        duration,
        lambda t: limit - amplitude * np.sin(omega * t),
        amplitude * over,
        amplitude * omega * duration,
    )


PASSES: dict[str, Callable[[np.random.Generator], Pass]] = {
    "arm and post": arm_and_post,
    "free body": free_body,
    "rod and ball": rod_and_ball,
    "cam": cam_and_follower,
    "curve": point_and_circle,
    "ball in socket": ball_in_socket,
    "stop": swing_to_stop,
}
