"""Blocks in guides with play for which the motion is known in closed form."""

from __future__ import annotations

from typing import Any

import gudgeon as gd
from gudgeon.fem import Material, Mesh, Rayleigh

LENGTH, HEIGHT, CLEARANCE, GRAVITY = 0.5, 0.1, 1e-3, 9.81  # of the block [m], [m], [m], [m/s²]
STIFF = gd.laws.KelvinVoigt(stiffness=1e6, damping=1e3)  # 5 µm under half the weight of 1 kg
DEPTH = 0.5 * GRAVITY / 1e6  # of a corner of 1 kg at rest on STIFF [m]
SLIDERS = ("hard", "compliant", "flexible")


def model(kind: str, friction: gd.laws.DryFriction | None, restitution: float = 0.0) -> Any:
    """A slider of 1 kg: hard corners, stiff corners, or a stiff plate of one element."""
    if kind == "hard":
        impact = gd.Newton(restitution_normal=restitution)
        return gd.RigidSlider(length=LENGTH, height=HEIGHT, clearance=CLEARANCE, impact=impact, friction=friction)
    if kind == "compliant":
        return gd.RigidSlider(length=LENGTH, height=HEIGHT, clearance=CLEARANCE, contact=STIFF, friction=friction)
    return gd.FlexibleSlider(
        mesh=Mesh.rectangle(LENGTH, HEIGHT, 1, 1),
        material=Material(youngs_modulus=1e8, poissons_ratio=0.3, density=1.0 / (LENGTH * HEIGHT)),
        damping=Rayleigh(mass=0.0, stiffness=1e-4),
        clearance=CLEARANCE,
        contact=STIFF,
        friction=friction,
    )


def block(x: float = 0.0, v: float = 0.0, *, depth: float = 0.0, **changes: Any) -> gd.Body:
    """1 kg that lies on the lower surface of its guide, `depth` deep in it."""
    plate = (HEIGHT**2 / 12.0, LENGTH**2 / 12.0, (LENGTH**2 + HEIGHT**2) / 12.0)
    parts = {"position": (x, -CLEARANCE - depth, 0.0), "velocity": (v, 0.0, 0.0)}
    return gd.Body(mass=1.0, inertia=plate, **{**parts, **changes})


def guide(parent: str, slider: Any, **changes: Any) -> gd.Guide:
    """Its centre line goes through the origin."""
    return gd.Guide(parent, "block", at_parent=(0.0, 0.0, 0.0), at_child=(0.0, 0.0, 0.0), model=slider, **changes)


def spring(stiffness: float, height: float) -> gd.SpringDamper:
    """From the far left to the block's lower face, where friction acts (no moment while it sticks); slack at x = 0."""
    far, low = 100.0, -0.5 * HEIGHT
    points = {"at_first": (-far, height + low, 0.0), "at_second": (0.0, low, 0.0)}
    return gd.SpringDamper("ground", "block", **points, stiffness=stiffness, length=far)


def block_on_spring(kind: str, *, x: float, v: float, stiffness: float, friction: gd.laws.DryFriction) -> gd.System:
    depth = 0.0 if kind == "hard" else DEPTH
    return gd.System(
        name="block on a spring",
        gravity=(0.0, -GRAVITY, 0.0),
        bodies={"block": block(x, v, depth=depth)},
        joints={"guide": guide("ground", model(kind, friction))},
        loads={"spring": spring(stiffness, -CLEARANCE - depth)},
    )


def block_on_belt(kind: str, *, speed: float, stiffness: float, friction: gd.laws.DryFriction) -> gd.System:
    """The guide itself moves with constant speed; the block sticks to it at first."""
    depth = 0.0 if kind == "hard" else DEPTH
    return gd.System(
        name="block on a belt",
        gravity=(0.0, -GRAVITY, 0.0),
        bodies={
            "belt": gd.Body(mass=1.0, inertia=(1.0, 1.0, 1.0), velocity=(speed, 0.0, 0.0)),
            "block": block(0.0, speed, depth=depth),
        },
        joints={
            "rail": gd.Prismatic("ground", "belt", at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)),
            "guide": guide("belt", model(kind, friction)),
        },
        drives={"motor": gd.Drive("rail", f"{speed!r}*t")},
        loads={"spring": spring(stiffness, -CLEARANCE - depth)},
    )
