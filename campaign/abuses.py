"""Seeded mistakes and abuses: a valid description in which one value, somewhere, is replaced by something odd.

Whatever comes of it is fine but an exception from the inside, a hang, or a crash; so is a file with flipped bits, or
with its end cut off.
"""

from __future__ import annotations

import copy
import decimal
import math
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon import laws
from outcome import RIGHT, WRONG, Outcome, failed
from patience import simulate


@dataclass
class Call:
    """A call that can still be changed before it is made."""

    function: Callable[..., Any]
    keywords: dict[str, Any]

    def made(self) -> Any:
        """What it returns."""
        return self.function(**{name: made(value) for name, value in self.keywords.items()})


def made(value: Any) -> Any:
    """A value with all calls made."""
    if isinstance(value, Call):
        return value.made()
    return {name: made(part) for name, part in value.items()} if isinstance(value, dict) else value


def call(function: Callable[..., Any], **keywords: Any) -> Call:
    """A Call."""
    return Call(function, keywords)


def places(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Everything in a description that can be replaced: the dictionary it is in, and its name there."""
    inside = value.keywords if isinstance(value, Call) else value if isinstance(value, dict) else {}
    for name, part in inside.items():
        yield inside, name
        yield from places(part)


def raising(t):
    """A function that fails."""
    raise RuntimeError("no")


def endless(t):
    """A function that grows without bound."""
    return math.exp(1e3 * t)


ODD: list[Callable[[], Any]] = [
    lambda: None,
    lambda: math.nan,
    lambda: math.inf,
    lambda: -1.0,
    lambda: 0.0,
    lambda: 1e300,
    lambda: 1e-300,
    lambda: -(10**400),
    lambda: True,
    lambda: 1j,
    lambda: "",
    lambda: "t",
    lambda: "sin(",
    lambda: "1/t",
    lambda: "__import__('os').getcwd()",
    lambda: "ground",
    lambda: "nobody",
    lambda: "9" * 100_000,
    lambda: "(" * 5_000,
    lambda: b"bytes",
    list,
    dict,
    lambda: (1.0, 2.0),
    lambda: (0.0, 0.0, 0.0),
    lambda: (math.nan, 0.0, 0.0),
    lambda: ("x", "y", "z"),
    lambda: np.zeros((3, 3)),
    lambda: np.arange(4),
    lambda: np.float32(0.1),
    lambda: decimal.Decimal("0.1"),
    object,
    lambda: raising,
    lambda: endless,
    lambda: lambda: 0.0,
    lambda: lambda x, y: 0.0,
    lambda: lambda t: "text",
    lambda: lambda t: np.nan,
    lambda: gd.Ideal(),
    lambda: gd.Body(mass=1.0, inertia=(1, 1, 1)),
    lambda: gd.Body,
    lambda: {"bob": 3},
    lambda: range(3),
]


def pendulum() -> Call:
    """A driven, loaded tree of rigid bodies."""
    return call(
        simulate,
        system=call(
            gd.System,
            name="pendulum",
            gravity=(0.0, 0.0, -9.81),
            bodies={
                "bob": call(gd.Body, mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1), orientation=(1, 0, 0, 0)),
                "arm": call(gd.Body, mass=1.0, inertia=(0.1, 0.1, 0.1), velocity=(0, 0, 0)),
                "load": call(gd.Body, mass=1.0, inertia=(0.1, 0.1, 0.1), angular_velocity=(1, 0, 0)),
            },
            joints={
                "pin": call(gd.Revolute, parent="ground", child="bob", at=(0, 0, 0), axis=(0, 1, 0)),
                "slide": call(gd.Prismatic, parent="ground", child="arm", at=(0, 0, 0), axis=(0, 0, 1)),
                "hook": call(gd.Universal, parent="arm", child="load", at=(0, 0, 0)),
            },
            loads={
                "push": call(gd.Force, body="bob", vector=(0, "sin(t)", 1.0), at=(0, 0, 0.1), axes="world"),
                "turn": call(gd.Torque, body="bob", vector=(0, "t", 1.0)),
                "strut": call(gd.SpringDamper, first="ground", second="bob", stiffness=10.0, damping=1.0, length=0.5),
                "wind": call(gd.JointSpring, joint="pin", stiffness=1.0, damping=0.1, rest="0.1*t"),
            },
            drives={"lift": call(gd.Drive, joint="slide", value="0.1*sin(t)")},
        ),
        duration=0.01,
        sample=1e-3,
        coordinates="absolute",
        solver=call(gd.Explicit, rtol=1e-8, atol=1e-10, max_step=1e-2),
        stabilization=call(gd.Baumgarte, alpha=5.0, beta=5.0),
        crossings={"down": call(gd.Crossing, joint="pin", value=0.0)},
    )


def clearance() -> Call:
    """A ball in a socket, a bushing, a film."""
    return call(
        simulate,
        system=call(
            gd.System,
            gravity=(0.0, 0.0, -9.81),
            bodies={
                "ball": call(gd.Body, mass=0.1, inertia=(1e-4, 1e-4, 1e-4)),
                "rod": call(gd.Body, mass=0.1, inertia=(1e-4, 1e-4, 1e-4)),
                "oil": call(gd.Body, mass=0.1, inertia=(1e-4, 1e-4, 1e-4)),
            },
            joints={
                "dry": call(
                    gd.Spherical,
                    parent="ground",
                    child="ball",
                    at=(0, 0, 0),
                    model=call(
                        gd.Dry,
                        socket_radius=0.01,
                        ball_radius=0.0099,
                        contact=call(laws.Flores, stiffness=1e9, restitution=0.5),
                        friction=call(laws.Coulomb, coefficient=0.1, velocity_tolerance=1e-3),
                        ball_on="child",
                    ),
                ),
                "rubber": call(
                    gd.Spherical,
                    parent="ball",
                    child="rod",
                    at=(0, 0, 0),
                    model=call(gd.Bushing, stiffness=1e5, damping_time=1e-3),
                ),
                "film": call(
                    gd.Spherical,
                    parent="ground",
                    child="oil",
                    at=(0, 0, 0),
                    model=call(
                        gd.Lubricated, socket_radius=0.01, ball_radius=0.0099, viscosity=0.1, smallest_film=1e-6
                    ),
                ),
            },
            start={"ball": call(gd.BodyState, position=(0, 0, 0), orientation=(1, 0, 0, 0), velocity=(0.1, 0, 0))},
        ),
        duration=0.01,
        sample=1e-4,
        solver=call(gd.Implicit, rtol=1e-7, atol=1e-9, stages=5),
    )


def guide() -> Call:
    """A block in a guide with play."""
    return call(
        simulate,
        system=call(
            gd.System,
            gravity=(0.0, -9.81, 0.0),
            bodies={"block": call(gd.Body, mass=1.0, inertia=(1e-2, 1e-2, 1e-2))},
            joints={
                "rail": call(
                    gd.Guide,
                    parent="ground",
                    child="block",
                    at=(0, 0, 0),
                    model=call(
                        gd.RigidSlider,
                        length=0.2,
                        height=0.1,
                        clearance=1e-3,
                        contact=call(laws.KelvinVoigt, stiffness=1e6, damping=1e3),
                        friction=call(laws.DryFriction, static=0.3, kinetic=0.2),
                    ),
                )
            },
            loads={"push": call(gd.Force, body="block", vector=(1.0, 0, 0))},
        ),
        duration=0.02,
        solver=call(gd.TimeStepping, step=1e-3, rtol=1e-4),
    )


def analyses() -> Call:
    """Statics and small motions."""
    system = call(
        gd.System,
        bodies={"bob": call(gd.Body, mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))},
        joints={"pin": call(gd.Revolute, parent="ground", child="bob", at=(0, 0, 0), axis=(0, 1, 0))},
        loads={"spring": call(gd.JointSpring, joint="pin", stiffness=1.0, damping=0.1)},
    )
    return call(lambda system: gd.linearize(gd.equilibrium(system)), system=system)


def driven() -> Call:
    """Kinematics of a driven crank."""
    system = call(
        gd.System,
        bodies={"crank": call(gd.Body, mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.1, 0, 0))},
        joints={"pin": call(gd.Revolute, parent="ground", child="crank", at=(0, 0, 0), axis=(0, 0, 1))},
        drives={"motor": call(gd.Drive, joint="pin", value="3*t")},
    )
    return call(gd.kinematics, system=system, duration=0.1, sample=0.01)


DESCRIPTIONS = {"tree": pendulum, "real joints": clearance, "guide": guide, "analyses": analyses, "kinematics": driven}


def case(seed: int) -> Outcome:
    """One abuse."""
    rng = np.random.default_rng(seed)
    names = [*DESCRIPTIONS, "files"]
    name = names[seed % len(names)]
    group = f"abuses, {name}"
    try:
        if name == "files":
            return damaged_file(rng, group)
        whole = DESCRIPTIONS[name]()
        note = changed(rng, whole) if seed >= len(names) else "nothing changed"
    except BaseException as error:
        return failed(group, error)
    try:
        whole.made()
    except BaseException as error:
        outcome = failed(group, error)
        end = outcome.end if seed >= len(names) else WRONG  # what is right must run
        return Outcome(group, end, note=f"{note}: {outcome.note}")
    return Outcome(group, RIGHT, note=note)


def changed(rng: np.random.Generator, whole: Call) -> str:
    """Replace one value of a description by something odd; says what."""
    everything = list(places(whole))
    inside, key = everything[int(rng.integers(len(everything)))]
    odd = ODD[int(rng.integers(len(ODD)))]() if rng.uniform() < 0.5 else near(rng, inside[key], everything)
    if key == "duration" and isinstance(odd, float) and odd > 1.0:
        odd = -math.inf  # a long run is no mistake
    inside[key] = odd
    return f"{key} = {odd!r}"[:80]


def near(rng: np.random.Generator, value: Any, everything: list[tuple[dict[str, Any], str]]) -> Any:
    """Something of the same kind: a number of another size or sign, a vector turned round, another name or part."""
    if isinstance(value, float | int):
        return float(value * rng.choice([-1.0, 1.0]) * 10.0 ** rng.integers(-12, 13))
    if isinstance(value, tuple):
        return tuple(value[k] for k in rng.permutation(len(value))) if rng.uniform() < 0.5 else (0.0,) * len(value)
    if isinstance(value, str):
        return str(rng.choice([name for _, name in everything]))
    same = [inside[name] for inside, name in everything if type(inside[name]) is type(value)]
    return copy.deepcopy(same[int(rng.integers(len(same)))])


def damaged_file(rng: np.random.Generator, group: str) -> Outcome:
    """A saved result with some bits flipped, or without its end."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.nc"
        gd.simulate(gd.examples.spatial_four_bar(), 0.01).save(path)
        content = bytearray(path.read_bytes())
        if rng.uniform() < 0.3:
            content = content[: int(rng.integers(len(content)))]
        else:
            for place in rng.integers(len(content), size=int(rng.integers(1, 20))):
                content[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(content)
        try:
            result = gd.load(path)
            repr(result), result.events, result.data.position.mean()
        except BaseException as error:
            return failed(group, error)
    return Outcome(group, RIGHT)
