"""What couplings look like: gear wheels, pulleys with their belt, a toothed rack, a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.couplings import Belt, Coupling, Rack, Screw
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.drawn import Drawn, backwards
from gudgeon.view.scene.frames import Frames
from gudgeon.view.scene.gears import Wheel, wheels
from gudgeon.view.scene.parts import Array, Part, part, rod
from gudgeon.view.scene.ribbons import band, helix, wire

if TYPE_CHECKING:
    from gudgeon.system import System

WIDTH = 1.5  # of a wheel, in radii of bars
LEVEL = 1.8  # from one wheel to the next on the same body, in radii of bars
ARC = 40  # points of a belt around a pulley
MOST_TURNS = 80  # of a thread that is drawn

Parts = dict[str, list[Part]]


def coupled(system: System, frames: Frames) -> dict[str, list[Wheel]]:
    """The wheels of every coupling."""
    return {name: wheels(system, frames, coupling) for name, coupling in system.couplings.items()}


def coupling_parts(drawn: Drawn, found: dict[str, list[Wheel]], arrays: Arrays) -> Parts:
    """Parts of all bodies; wheels of different size on one body are drawn one in front of the other."""
    out: Parts = {}
    taken: dict[tuple[str, int], float] = {}  # radius by body and level
    for name, pair in found.items():
        coupling = drawn.system.couplings[name]
        level = _level(taken, pair)
        forwards = np.zeros(3) if not pair else -backwards(pair[0].axis, drawn.up)
        for wheel in pair:
            new = taken.setdefault((wheel.body, level), wheel.radius) == wheel.radius
            moved = wheel.moved(level * LEVEL * drawn.r * forwards) if wheel.kind != "cone" else wheel
            if new and not _same(out.get(wheel.body, []), parts := moved.parts(drawn.frames, WIDTH * drawn.r)):
                out.setdefault(wheel.body, []).extend(parts)
        shift = level * LEVEL * drawn.r * forwards
        for body, parts in _others(drawn, coupling, pair, shift, arrays):
            out.setdefault(body, []).extend(parts)
    return out


def _level(taken: dict[tuple[str, int], float], pair: list[Wheel]) -> int:
    """Where no other wheel is in the way."""
    level = 0
    while any(
        wheel.kind == "pulley" or abs(taken[wheel.body, level] / wheel.radius - 1.0) > 1e-6
        for wheel in pair
        if (wheel.body, level) in taken
    ):
        level += 1
    return level


def _same(known: list[Part], parts: list[Part]) -> bool:
    """Whether a body has a wheel of this size already, as a sun has that meets several planets."""
    first = parts[0]
    return any(
        each["kind"] == first["kind"]
        and np.allclose(each["size"][:3], first["size"][:3])
        and np.allclose(each["at"], first["at"])
        for each in known
    )


def _others(
    drawn: Drawn, coupling: Coupling, pair: list[Wheel], shift: Array, arrays: Arrays
) -> list[tuple[str, list[Part]]]:
    if isinstance(coupling, Belt) and len(pair) == 2:
        return _belt(drawn, coupling, pair, shift, arrays)
    if isinstance(coupling, Rack) and pair:
        return _rack(drawn, coupling, pair[0], shift)
    if isinstance(coupling, Screw):
        return _thread(drawn, coupling, arrays)
    return []


def _belt(drawn: Drawn, belt: Belt, pair: list[Wheel], shift: Array, arrays: Arrays) -> list[tuple[str, list[Part]]]:
    """A loop round two pulleys, on the body that carries both."""
    carriers = {drawn.system.joints[wheel.joint].parent for wheel in pair}
    thick = min(0.35 * drawn.r, 0.15 * min(belt.radii))
    loop = belt_loop([wheel.radius + 0.5 * thick for wheel in pair], pair[0].at, pair[1].at, pair[0].axis, belt.crossed)
    if len(carriers) != 1 or loop is None:
        return []
    (carrier,) = carriers
    points = np.array([drawn.frames.point(carrier, p + shift) for p in loop])
    axis = drawn.frames.direction(carrier, pair[0].axis)
    return [(carrier, [band(arrays, points, axis, 0.75 * WIDTH * drawn.r, thick, "dark")])]


def belt_loop(radii: Any, one: Array, two: Array, axis: Array, crossed: bool) -> Array | None:
    """Points of the way of a belt, the first one last again; None where the pulleys are too near for it.

    Its straight parts touch both circles: with sin φ = (r₁ ∓ r₂)/d (+: crossed) at the angles ±(π/2 − φ) of the first.
    """
    apart = two - one
    d = float(np.linalg.norm(apart))
    ratio = (radii[0] + radii[1] if crossed else radii[0] - radii[1]) / d
    if abs(ratio) >= 1.0:
        return None
    u = apart / d
    v, lift = np.cross(axis, u), 0.5 * np.pi - float(np.arcsin(ratio))
    second = np.linspace(lift - np.pi, np.pi - lift, ARC) if crossed else np.linspace(lift, -lift, ARC)
    first = np.linspace(-lift, lift - 2.0 * np.pi, ARC)
    arcs = [
        centre + radius * (np.cos(turn)[:, None] * u + np.sin(turn)[:, None] * v)
        for centre, radius, turn in ((two, radii[1], second), (one, radii[0], first))
    ]
    return np.concatenate([*arcs, arcs[0][:1]])


def _rack(drawn: Drawn, rack: Rack, pinion: Wheel, shift: Array) -> list[tuple[str, list[Part]]]:
    """A toothed bar as long as it travels, tangent to its pinion, and what holds it."""
    joint: Any = drawn.system.joints[rack.rack]
    low, high = drawn.travel(f"{rack.rack}.displacement")
    slide, r = np.array(joint.axis), drawn.r
    turning: Any = drawn.system.joints[rack.pinion]
    out = np.cross(slide, np.array(turning.axis)) * np.sign(rack.radius)
    pitch = 2.0 * np.pi * pinion.radius / pinion.teeth
    length = high - low + 6.0 * max(pitch, r)
    meets = pinion.at + shift + pinion.radius * out
    middle = pitch * np.round(-0.5 * (low + high) / pitch)  # a gap stays where the pinion's tooth is
    if pinion.gap:
        middle += 0.5 * pitch
    deep = max(1.2 * r, 2.5 * pitch / np.pi)
    axes = np.stack([drawn.frames.direction(joint.child, x) for x in (slide, -out, np.cross(slide, -out))], axis=1)
    at = drawn.frames.point(joint.child, meets + middle * slide)
    bar = part("rack", (length, deep, WIDTH * r, pitch), at, axes)
    points = drawn.frames.joint_points(joint)
    if points is None:
        return [(joint.child, [bar])]
    block = points[1] + drawn.frames.direction(joint.child, drawn.beside(rack.rack))
    held = rod(block, at - 0.5 * deep * axes[:, 1], 0.6 * r)
    return [(joint.child, [bar, *held])]


def _thread(drawn: Drawn, screw: Screw, arrays: Arrays) -> list[tuple[str, list[Part]]]:
    """A helix with the screw's lead: on the spindle that moves a nut, or on the rail of a joint that turns along it."""
    joint: Any = drawn.system.joints[screw.joint]
    sliding: Any = drawn.system.joints[screw.nut or screw.joint]
    points, of_nut = drawn.frames.joint_points(joint), drawn.frames.joint_points(sliding)
    axis = getattr(joint, "axis", None)
    if points is None or of_nut is None or axis is None:
        return []
    low, high = drawn.travel(f"{screw.nut or screw.joint}.displacement")
    r = drawn.r
    beyond = 4.0 * r
    body = joint.child if screw.nut else joint.parent
    along = drawn.frames.direction(body, axis)
    origin = points[1] if screw.nut else points[0]
    start = float((drawn.frames.point(body, drawn.frames.world(sliding.child, of_nut[1])) - origin) @ along)
    low, high = start + low - beyond, start + high + beyond
    radius = screw.radius or 0.85 * r
    parts = rod(origin, origin + high * along, 0.9 * radius, "pin") if screw.nut else []
    if (high - low) / abs(screw.lead) <= MOST_TURNS:
        size = min(0.22 * abs(screw.lead), 0.25 * r)
        parts.append(wire(arrays, helix(origin, along, radius, screw.lead, low, high), size, "pin"))
    return [(body, parts)]
