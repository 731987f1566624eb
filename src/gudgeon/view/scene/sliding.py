"""What slides: a block on its rail, a sleeve, a box between its walls, a keyed shaft, a slider in its guide."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.guide import Guide
from gudgeon.joint_axes import joint_axes
from gudgeon.joints import Prismatic, UniversalPrismatic
from gudgeon.models.box_in_guide import BoxInGuide
from gudgeon.models.dry_keyed_shaft import DryKeyedShaft
from gudgeon.models.flexible_slider import FlexibleSlider
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.stops import Stop
from gudgeon.view.scene.drawn import Drawn, Pair
from gudgeon.view.scene.parts import Array, Part, axes_along, part, rod

WALL = 0.13  # thickness of the walls of a guide, of the box's thickness
RAIL_END = 4.5  # how far a rail goes beyond its travel, in radii of bars


def sliding_parts(drawn: Drawn, name: str, joint: Any, p: Array, c: Array) -> Pair:
    """The parts of a joint with a displacement."""
    if isinstance(joint, Guide):
        return _guide(drawn, name, joint, p, c)
    if isinstance(joint.model, BoxInGuide):
        return _box(drawn, name, joint, p, c)
    if isinstance(joint.model, DryKeyedShaft):
        return _keyed(drawn, name, joint, p, c)
    return _on_rail(drawn, name, joint, p, c)


def block_length(drawn: Drawn, joint: Any) -> float:
    """Of what slides, along its axis [m]."""
    model = joint.model
    return model.length if isinstance(model, BoxInGuide | RigidSlider) else 4.6 * drawn.r


def _way(drawn: Drawn, name: str) -> tuple[float, float]:
    """From where to where it slides [m], the stops included unless they are far away."""
    low, high = drawn.travel(f"{name}.displacement")
    near = 2.0 * (high - low) + 20.0 * drawn.r
    for stop in drawn.system.loads.values():
        if isinstance(stop, Stop) and stop.joint == name:
            if stop.lower is not None and stop.lower > low - near:
                low = min(low, stop.lower)
            if stop.upper is not None and stop.upper < high + near:
                high = max(high, stop.upper)
    return low, high


def _on_rail(drawn: Drawn, name: str, joint: Any, p: Array, c: Array) -> Pair:
    r = drawn.r
    world = joint.slide if isinstance(joint, UniversalPrismatic) else joint.axis
    in_parent, in_child = drawn.directions(joint, world)
    p, c = (at + way for at, way in zip((p, c), drawn.directions(joint, drawn.beside(name)), strict=True))
    low, high = _way(drawn, name)
    ends = [low - RAIL_END * r, high + RAIL_END * r]
    rail = rod(p + ends[0] * in_parent, p + ends[1] * in_parent, 0.72 * r, "pin")
    for end in ends:
        rail.append(part("cylinder", (1.25 * r, 0.8 * r), p + end * in_parent, in_parent, drawn.tone(joint.parent)))
        if joint.parent == GROUND:
            rail += drawn.stand(p + end * in_parent, np.asarray(world))
    if isinstance(joint, Prismatic):
        up = drawn.frames.direction(joint.child, drawn.up)
        return rail, [part("box", (3.0 * r, 3.0 * r, 4.6 * r), c, axes_along(in_child, up))]
    sleeve = [part("tube", (1.7 * r, 4.6 * r, 0.9 * r), c, in_child)]
    if isinstance(joint, UniversalPrismatic):
        sleeve.append(part("ball", (1.9 * r,), c))
    return rail, sleeve


def _box(drawn: Drawn, name: str, joint: Any, p: Array, c: Array) -> Pair:
    """A box in its true size between four walls in their true places, which are seen through."""
    model: BoxInGuide = joint.model
    rows = joint_axes(joint)[0]
    low, high = drawn.travel(f"{name}.displacement")
    long = getattr(model, "guide_length", None)
    ends = (-0.5 * long, 0.5 * long) if long else (low - 0.7 * model.length, high + 0.7 * model.length)
    thick = WALL * min(model.width, model.height)
    walls, own_up = [], rows[1]
    for face in model.faces(joint):
        out = drawn.frames.direction(joint.parent, face.out @ rows)
        along = drawn.frames.direction(joint.parent, joint.axis)
        level = face.name in ("upper", "lower")
        wide = face.width + 2.0 * ((model.side_clearance or model.clearance) + thick if level else model.clearance)
        at = p + 0.5 * (ends[0] + ends[1]) * along + (face.half + face.clearance + 0.5 * thick) * out
        axes = np.stack([along, np.cross(out, along), out], axis=1)
        clear = {"clear": True} if face.name != "lower" else {}
        walls.append(part("box", (ends[1] - ends[0], wide, thick), at, axes, drawn.tone(joint.parent), **clear))
        if face.name == "upper":
            own_up = face.out @ rows
    up, along = (drawn.frames.direction(joint.child, v) for v in (own_up, joint.axis))
    axes = np.stack([along, np.cross(up, along), up], axis=1)
    return walls, [part("box", (model.length, model.width, model.height), c, axes)]


def _keyed(drawn: Drawn, name: str, joint: Any, p: Array, c: Array) -> Pair:
    """A shaft in its bore with a key between them, in their true size; the bore is seen through."""
    model: DryKeyedShaft = joint.model
    shaft = model.shaft
    low, high = drawn.travel(f"{name}.displacement")
    lower, upper = shaft.all_lands[0][0], shaft.all_lands[-1][1]
    length = upper - lower
    rows = joint_axes(joint)[0]
    towards = rows[1] if model.key_towards is None else np.array(model.key_towards)
    on_child = shaft.pin_on == "child"
    of_pin, of_bore = (joint.child, joint.parent) if on_child else (joint.parent, joint.child)
    at_pin, at_bore = (c, p) if on_child else (p, c)
    along, key = (drawn.frames.direction(of_pin, v) for v in (joint.axis, towards))
    reach = high - low + length
    middle = 0.5 * (lower + upper) - (0.5 * (low + high) if on_child else -0.5 * (low + high))
    axes = np.stack([along, np.cross(key, along), key], axis=1)
    pin = [
        part("cylinder", (shaft.pin_radius, 1.3 * reach), at_pin + middle * along, along, "pin"),
        part(
            "box",
            (model.key_length, model.key_width, model.key_height),
            at_pin + model.key_lever * key,
            axes,
            "dark",
        ),
    ]
    along = drawn.frames.direction(of_bore, joint.axis)
    outer = max(1.45 * shaft.bore_radius, model.key_lever + 0.9 * model.key_height)
    bore = part(
        "tube",
        (outer, length, shaft.bore_radius),
        at_bore + 0.5 * (lower + upper) * along,
        along,
        drawn.tone(of_bore),
        clear=True,
    )
    return ([bore], pin) if on_child else (pin, [bore])


def _guide(drawn: Drawn, name: str, joint: Guide, p: Array, c: Array) -> Pair:
    r, model = drawn.r, joint.model
    along, up = (drawn.frames.direction(joint.parent, v) for v in (joint.axis, joint.normal))
    length, height, play = 4.6 * r, 3.0 * r, 0.0
    if isinstance(model, RigidSlider):
        length, height, play = model.length, model.height, model.play
    elif isinstance(model, BoxInGuide):
        length, height, play = model.length, model.height, model.clearance
    elif isinstance(model, FlexibleSlider):
        body: Any = drawn.system.bodies[joint.child]
        mesh = model.mesh or body.mesh
        (length, height), play = np.ptp(mesh.nodes, axis=0), model.play
    low, high = drawn.travel(f"{name}.displacement")
    ends = low - 0.75 * length, high + 0.75 * length
    depth, thick = 0.62 * height, max(0.09 * height, 0.3 * r)
    out = np.cross(along, up)
    axes = np.stack([along, up, out], axis=1)
    behind = drawn.behind(joint.child)
    back = p if behind is None else p - (0.5 * depth + behind) * out
    walls: list[Part] = [
        part(
            "box",
            (ends[1] - ends[0], thick, depth),
            back + 0.5 * (ends[0] + ends[1]) * along + side * (0.5 * height + play + 0.5 * thick) * up,
            axes,
            drawn.tone(joint.parent),
        )
        for side in (-1.0, 1.0)
    ]
    if isinstance(model, FlexibleSlider):
        return walls, []
    own = np.stack([drawn.frames.direction(joint.child, v) for v in (joint.axis, joint.normal)], axis=1)
    own = np.column_stack([own, np.cross(own[:, 0], own[:, 1])])
    middle = c if behind is None else c - (0.4 * depth + behind) * own[:, 2]
    return walls, [part("box", (length, height, 0.8 * depth), middle, own)]
