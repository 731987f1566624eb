"""The way of a box between the walls of its guide, as the guide sees it, and how near its corners come to them.

With the child's point at d from the parent's and the child turned by R, both in the joint's axes on the guide, a point
r of the centred box is off by δ(r) = d + (R − 1) r. The picture has sections across the guide at both ends of what can
touch, in which corners are displaced by δ, magnified.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.joint_axes import joint_axes
from gudgeon.models.box_in_guide import BoxInGuide
from gudgeon.models.dry_box import DryBox
from gudgeon.models.lubricated_box import LubricatedBox
from gudgeon.rotations import conjugate, product, rotation_matrix
from gudgeon.view.orbits import Orbit, turn_of_body

if TYPE_CHECKING:
    from gudgeon.joints import Joint
    from gudgeon.results.result import Result

PARALLEL = 0.02  # distance of the two ends' paths below which one is drawn, of the clearance
CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))  # right and up of a box, around


@dataclass(frozen=True)
class BoxPlayed:
    """A box with play in its guide, which can be drawn from inside."""

    size: tuple[float, float]  # width and height of the box [m]
    clearances: tuple[float, float]  # between it and the walls at its sides, above and below [m]
    orbits: tuple[Orbit, ...]  # of the middle of each section
    corners: tuple[np.ndarray, ...]  # (time, 4, 2) how far its corners are off, likewise [m]
    depths: dict[str, np.ndarray]  # wall: (time) of the deepest corner; negative: gap [m]
    oil: bool


def box_played(result: Result, name: str, joint: Joint, model: BoxInGuide) -> BoxPlayed:
    """The paths of the box in the joint `name`, at both of its ends where they differ."""
    system = result.system
    assert system is not None
    rows = joint_axes(joint)[1]
    parent, child = (turn_of_body(result, system, body) for body in (joint.parent, joint.child))
    frame = rotation_matrix(parent) @ rows.T  # columns: the joint's axes on the guide
    apart = result.data.eccentricity.sel(joint=name).values
    sign = 1.0 if model.elements(joint)[0].carried_by == "parent" else -1.0
    d = sign * np.einsum("tji,tj->ti", frame, apart)
    turn = rows @ rotation_matrix(product(conjugate(parent), child)) @ rows.T - np.eye(3)
    faces = {face.name: face for face in model.faces(joint)}
    up = faces["upper"].out
    right = np.cross((0.0, 0.0, 1.0), up)
    across = np.stack([frame @ right, frame @ up], axis=1)
    half, on_guide = _ends(model)
    size = (model.width, model.height)
    orbits, corners = [], []
    for label, end in (("rear end", -half), ("front end", half)):
        along = end - d[:, 2] if on_guide else np.full(len(d), end)
        r = along[:, None] * np.array([0.0, 0.0, 1.0])
        orbits.append(Orbit(label, _flat(_off(d, turn, r), right, up), across, ("right", "up")))
        at = [r + 0.5 * (x * size[0] * right + y * size[1] * up) for x, y in CORNERS]
        corners.append(np.stack([_flat(_off(d, turn, each), right, up) for each in at], axis=1))
    clearances = (model.side_clearance or model.clearance, model.clearance)
    depths = {wall: _depth(corners, wall, clearances) for wall in faces}
    if np.abs(orbits[0].path - orbits[1].path).max(initial=0.0) <= PARALLEL * min(clearances):
        orbits, corners = [Orbit("", orbits[0].path, across, orbits[0].axes)], corners[:1]
    return BoxPlayed(size, clearances, tuple(orbits), tuple(corners), depths, isinstance(model, LubricatedBox))


def _ends(model: BoxInGuide) -> tuple[float, bool]:
    """Half the length of what can touch [m], and whether the guide has its ends."""
    guide = model.guide_length if isinstance(model, DryBox) else None
    if guide is not None and guide < model.length:
        return 0.5 * guide, True
    return 0.5 * model.length, isinstance(model, LubricatedBox) and model.pads_on == "guide"


def _off(d: np.ndarray, turn: np.ndarray, r: np.ndarray) -> np.ndarray:
    """δ of points r (time, 3)."""
    return d + np.einsum("tij,tj->ti", turn, r)


def _flat(a: np.ndarray, right: np.ndarray, up: np.ndarray) -> np.ndarray:
    return np.stack([a @ right, a @ up], axis=1)


def _depth(corners: list[np.ndarray], wall: str, clearances: tuple[float, float]) -> np.ndarray:
    """How deep the deepest of the corners on this side is."""
    column, side = (1, 1.0) if wall == "upper" else (1, -1.0) if wall == "lower" else (0, 1.0)
    if wall == "left":
        side = -1.0
    near = [k for k, corner in enumerate(CORNERS) if corner[column] == side]
    off = np.concatenate([side * each[:, near, column] for each in corners], axis=1)
    return off.max(axis=1) - clearances[column]
