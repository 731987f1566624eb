"""Random mechanisms for hypothesis: trees and loops over all joint types, loads of every kind, drives.

Joints are stated in the reference pose, so every loop is closed there. Structure is drawn by hypothesis (and shrinks),
numbers come from a seeded generator.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import gudgeon as gd
from reference_dynamics import Reference

FEW = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # the fixture `coordinates` stays the same
)
# random velocities of all bodies are stated, which joints do not allow: assembly makes them fit, and says so
MADE_TO_FIT = pytest.mark.filterwarnings("ignore:(Body .* is stated as|System .* more of what was stated)")
KINDS = (
    gd.Rigid,
    gd.Revolute,
    gd.Prismatic,
    gd.Cylindrical,
    gd.Universal,
    gd.Spherical,
    gd.UniversalPrismatic,
    gd.Free,
)
COORDINATES = {
    gd.Revolute: ("angle",),
    gd.Prismatic: ("displacement",),
    gd.Cylindrical: ("angle", "displacement"),
    gd.Universal: ("angle_parent", "angle_child"),
    gd.UniversalPrismatic: ("angle_parent", "angle_child", "displacement"),
}
LOADS = (gd.Force, gd.Torque, gd.SpringDamper, gd.JointSpring)


def unit(rng, size=3):
    v = rng.normal(size=size)
    return v / np.linalg.norm(v)


def random_body(rng):
    """A body made of eight point masses, so that its inertia is that of a real body."""
    points, masses = rng.normal(size=(8, 3)) * rng.uniform(0.1, 0.4, 3), rng.uniform(0.1, 0.5, 8)
    points -= masses @ points / masses.sum()
    second = (points * masses[:, None]).T @ points
    return gd.Body(
        mass=masses.sum(),
        inertia=np.trace(second) * np.eye(3) - second,
        position=rng.uniform(-0.6, 0.6, 3),
        orientation=unit(rng, 4),
        velocity=rng.normal(size=3),
        angular_velocity=2.0 * rng.normal(size=3),
    )


def random_joint(rng, kind, parent, child):
    a, slide = unit(rng), unit(rng)
    b = np.cross(a, unit(rng))
    axes = {}
    if kind in (gd.Revolute, gd.Prismatic, gd.Cylindrical):
        axes = {"axis": a}
    elif kind in (gd.Universal, gd.UniversalPrismatic):
        axes = {"axis_parent": a, "axis_child": b} | ({"slide": slide} if kind is gd.UniversalPrismatic else {})
    return kind(parent, child, at=rng.uniform(-0.6, 0.6, 3), **axes)


def free_coordinates(system):
    return [(name, c) for name, joint in system.joints.items() for c in COORDINATES.get(type(joint), ())]


def random_load(rng, system, kind, *, conservative=False):
    """A load of a kind, or None where there is no joint coordinate for it."""
    body, other = (str(b) for b in rng.choice([*system.bodies, "ground"], 2, replace=False))
    pushed = other if body == "ground" else body
    at, vector = rng.uniform(-0.3, 0.3, 3), ("2*sin(3*t + 1)", rng.normal(), "exp(-t)*cos(t)")
    axes = str(rng.choice(["world", "body"]))
    if kind is gd.Force:
        return gd.Force(pushed, vector, at=at, axes=axes)
    if kind is gd.Torque:
        return gd.Torque(pushed, vector, axes=axes)
    more = {} if conservative else {"damping": "0.5 + t"}
    if kind is gd.SpringDamper:
        more |= (
            {"stiffness": 40.0, "length": 0.3} if conservative else {"stiffness": "40 + sin(t)", "length": "0.3 + t"}
        )
        return gd.SpringDamper(body, other, at_first=at, at_second=-at, **more)
    free = free_coordinates(system)
    if not free:
        return None
    joint, coordinate = free[rng.integers(len(free))]
    return gd.JointSpring(
        joint, coordinate=coordinate, stiffness=7.0, rest=0.4 if conservative else "0.4*cos(t)", **more
    )


def with_drives(rng, system, count):
    """The system with up to `count` drives, each of a coordinate that the joints and other drives leave free."""
    still = {n: gd.BodyState(position=b.position, orientation=b.orientation) for n, b in system.bodies.items()}
    rank = len(Reference(system, still).singular_values)
    free = free_coordinates(system)
    for k in rng.permutation(len(free))[:count]:
        value = f"{rng.uniform(-0.1, 0.1)} + {rng.uniform(-2, 2)}*t + 0.3*sin(2*t)**2"
        drive = gd.Drive(free[k][0], value, coordinate=free[k][1])
        more = system.replace(drives={**system.drives, f"drive {k}": drive})
        if len(Reference(more, still).singular_values) > rank:
            system, rank = more, rank + 1
    return system


@st.composite
def mechanisms(draw, bodies=5, loops=2, loads=4, drives=2, kinds=KINDS, conservative=False):
    """A System of up to so many bodies, loops, loads and drives."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    names = ["ground"]
    parts, joints = {}, {}
    for k in range(draw(st.integers(1, bodies))):
        parent, kind = draw(st.sampled_from(names)), draw(st.sampled_from(kinds))
        parts[f"b{k}"] = random_body(rng)
        joints[f"j{k}"] = random_joint(rng, kind, parent, f"b{k}")
        names.append(f"b{k}")
    for k in range(draw(st.integers(0, loops))):
        one, two = draw(st.permutations(names))[:2]
        joints[f"loop {k}"] = random_joint(rng, draw(st.sampled_from(kinds)), one, two)
    system = gd.System(gravity=3.0 * rng.normal(size=3), bodies=parts, joints=joints)
    wanted = draw(st.lists(st.sampled_from(LOADS[2:] if conservative else LOADS), max_size=loads))
    given = [random_load(rng, system, kind, conservative=conservative) for kind in wanted]
    system = system.replace(loads={f"load {k}": load for k, load in enumerate(given) if load is not None})
    return with_drives(rng, system, draw(st.integers(0, drives)))
