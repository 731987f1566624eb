"""What a joint looks like: hubs and a pin at revolutes, ball and socket, a cross between forks; `sliding` has others.

Each joint gives parts to its two bodies. Radii of balls and sockets, pins and bores, sizes and play of sliders are the
true ones; what the description has no dimensions for is drawn by the radius of bars.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.guide import Guide
from gudgeon.joints import Cylindrical, Joint, Prismatic, Revolute, Rigid, Spherical, Universal, UniversalPrismatic
from gudgeon.models.dry import Dry
from gudgeon.models.dry_cross import DryCross
from gudgeon.models.journal import Journal
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.view.scene.drawn import Drawn, Pair, backwards
from gudgeon.view.scene.parts import Array, Part, part, rod
from gudgeon.view.scene.sliding import sliding_parts

BESIDE = 1.9  # from a wheel to the middle of its bearing, in radii of bars
CUP = 1.35  # how far a socket reaches round its ball, from its pole [rad]
FORK = 2.0  # from the middle of an ideal universal joint to its bearings, in radii of bars
YOKE = 1.7  # how far from its middle the arms of a fork meet, of that


def joint_parts(drawn: Drawn, name: str, joint: Joint) -> Pair:
    """The parts of a joint."""
    points = drawn.frames.joint_points(joint)
    if points is None or isinstance(joint.model, SurfaceContact):
        return [], []
    p, c = points
    if isinstance(joint, Prismatic | UniversalPrismatic | Guide):
        return sliding_parts(drawn, name, joint, p, c)
    if isinstance(joint.model, Journal):
        pair = _journal(drawn, joint, joint.model, p, c)
    elif isinstance(joint, Cylindrical):
        return sliding_parts(drawn, name, joint, p, c)
    elif isinstance(joint, Revolute):
        return _revolute(drawn, name, joint, p, c)
    elif isinstance(joint, Spherical):
        pair = _spherical(drawn, joint, p, c)
    elif isinstance(joint, Universal):
        pair = _universal(drawn, joint, p, c)
    elif isinstance(joint, Rigid):
        pair = [part("box", (2.4 * drawn.r,) * 3, p, tone="dark")], []
    else:
        return [], []
    if joint.parent == GROUND:
        pair[0].extend(drawn.stand(p, np.asarray(getattr(joint, "axis", drawn.up))))
    return pair


def _revolute(drawn: Drawn, name: str, joint: Revolute, p: Array, c: Array) -> Pair:
    """A hub on a pin in a fork; where wheels or cams are on it, the bearing stands behind them."""
    r = drawn.r
    in_child = drawn.frames.direction(joint.child, joint.axis)
    aside = float(np.linalg.norm(drawn.beside(name)))
    back = drawn.frames.direction(joint.parent, backwards(joint.axis, drawn.up))
    at = p + aside * back
    front = max(1.65 * r, aside - BESIDE * r + 0.6 * r)  # the pin is seen in front of a wheel
    pin = part(
        "cylinder", (0.62 * r, front + aside + 1.65 * r), p + 0.5 * (aside + 1.65 * r - front) * back, back, "pin"
    )
    fork = part("cylinder", (1.30 * r, 2.7 * r), at, back, drawn.tone(joint.parent))
    stand = drawn.stand(at, np.asarray(joint.axis)) if joint.parent == GROUND else []
    return [fork, pin, *stand], [part("cylinder", (1.62 * r, 1.9 * r), c, in_child)]


def _journal(drawn: Drawn, joint: Any, model: Journal, p: Array, c: Array) -> Pair:
    """A pin in its bore, in their true radii; every land has a bore of its own."""
    in_parent, in_child = drawn.directions(joint, joint.axis)
    lower, upper = model.all_lands[0][0], model.all_lands[-1][1]
    on_child = model.pin_on == "child"
    with_bore = joint.parent if on_child else joint.child
    (at_pin, along_pin), (at_bore, along_bore) = ((c, in_child), (p, in_parent))[:: 1 if on_child else -1]
    beyond = 0.35 * (model.all_lands[0][1] - lower)
    size = (model.pin_radius, upper - lower + beyond)
    pin = [part("cylinder", size, at_pin + 0.5 * (lower + upper) * along_pin, along_pin, "pin")]
    bores = [
        part(
            "tube",
            (1.3 * model.bore_radius, high - low, model.bore_radius),
            at_bore + 0.5 * (low + high) * along_bore,
            along_bore,
            drawn.tone(with_bore),
        )
        for low, high in model.all_lands
    ]
    return (bores, pin) if on_child else (pin, bores)


def _spherical(drawn: Drawn, joint: Spherical, p: Array, c: Array) -> Pair:
    model, r = joint.model, drawn.r
    ball, socket = 1.55 * r, 1.68 * r
    ball_on = "child"
    if isinstance(model, Dry | Lubricated):
        ball, socket, ball_on = model.ball_radius, model.socket_radius, model.ball_on
    with_ball, with_cup = (joint.child, joint.parent) if ball_on == "child" else (joint.parent, joint.child)
    at_ball, at_cup = (c, p) if ball_on == "child" else (p, c)
    towards = -at_ball if with_ball != GROUND else -drawn.up  # where the ball's own body is, from the joint
    if np.linalg.norm(towards) < 1e-9:
        towards = np.array([0.0, 0.0, 1.0])
    world = drawn.frames.world(with_ball, towards) - drawn.frames.world(with_ball, np.zeros(3))
    back = -drawn.frames.direction(with_cup, world)
    cup = part("cup", (socket, 1.16 * socket, CUP), at_cup, back, drawn.tone(with_cup))
    held = part("ball", (ball,), at_ball, None, "pin")
    return ([cup], [held]) if ball_on == "child" else ([held], [cup])


def yoke_reach(drawn_r: float, joint: Joint) -> float:
    """How far from the middle of a universal joint the arms of its forks meet [m]."""
    return YOKE * (0.5 * joint.model.span if isinstance(joint.model, DryCross) else FORK * drawn_r)


def _universal(drawn: Drawn, joint: Universal, p: Array, c: Array) -> Pair:
    """Two forks with the cross between them; one with play draws its pins and bores by joints of its own."""
    r, dry = drawn.r, isinstance(joint.model, DryCross)
    out: list[list[Part]] = []
    for body, at, axis in ((joint.parent, p, joint.axis_parent), (joint.child, c, joint.axis_child)):
        along = drawn.frames.direction(body, axis)
        half = 0.5 * joint.model.span if isinstance(joint.model, DryCross) else FORK * r
        tone = drawn.tone(body)
        parts: list[Part] = []
        if not dry:
            parts.append(part("cylinder", (0.62 * r, 2.3 * half), at, along, "pin"))
            parts += [part("cylinder", (1.15 * r, 0.7 * r), at + side * half * along, along, tone) for side in (-1, 1)]
        towards = -at if body != GROUND else drawn.frames.direction(body, -drawn.up)
        towards = towards - (towards @ along) * along
        if np.linalg.norm(towards) > 1e-9:
            meet = at + yoke_reach(r, joint) * towards / np.linalg.norm(towards)
            for side in (-1.0, 1.0):
                thick = joint.model.bore_radius if isinstance(joint.model, DryCross) else 0.6 * r
                parts += rod(at + side * half * along, meet, 0.7 * thick if dry else thick, tone)
            parts.append(part("ball", (0.85 * r,), meet, None, tone))
        out.append(parts)
    if not dry:
        out[0].append(part("ball", (1.05 * r,), p, None, "pin"))
    return out[0], out[1]
