"""Which bodies, joints and drives an overview shows where not all fit, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.errors import ModelError, did_you_mean
from gudgeon.models.ideal import Ideal

if TYPE_CHECKING:
    import xarray as xr

    from gudgeon.results.result import Result

MOST = 6  # lines of one kind in a panel
COORDINATES = ("angle", "displacement")  # how the names of coordinates begin that are drawn


@dataclass(frozen=True)
class Choice:
    """What is shown; `note` says what is not."""

    bodies: list[str]
    moved: list[str]  # joints whose coordinates are shown
    joints: list[str]  # joints whose forces are shown
    real: list[str]  # those of them that have an eccentricity
    drives: list[str]
    points: list[str]  # surface points of sliders
    note: str


def chosen(result: Result, bodies: Iterable[str] | None, joints: Iterable[str] | None) -> Choice:
    """What was asked for; otherwise real joints and their bodies, driven joints, and what moves or carries the most."""
    data = result.data
    every_body, every_joint = _names(data, "body"), _names(data, "joint")
    every_drive, every_point = _names(data, "drive"), _names(data, "surface_point")
    by_motion = _joint_ranges(data)
    every_moved = list(by_motion)
    eccentric = _eccentric_joints(data)
    real, driven, beside = _of_system(result)
    real |= eccentric
    asked_bodies = _asked("body", bodies, every_body)
    asked_joints = _asked("joint", joints, every_joint)
    shown = {
        "bodies": (asked_bodies or _most(every_body, _ranges(data, "position", "body"), beside), every_body),
        "joints' coordinates": (
            [name for name in asked_joints if name in every_moved]
            if asked_joints
            else _most(every_moved, by_motion, driven, real),
            every_moved,
        ),
        "joints' forces": (
            asked_joints or _most(every_joint, _ranges(data, "reaction_force", "joint"), real),
            every_joint,
        ),
        "drives": (_most(every_drive, _ranges(data, "drive_effort", "drive")), every_drive),
        "sliders' points": (_most(every_point, _ranges(data, "guide_normal_force", "surface_point")), every_point),
    }
    of_bodies, of_coordinates, of_forces, of_drives, of_points = (names for names, _ in shown.values())
    return Choice(
        bodies=of_bodies,
        moved=of_coordinates,
        joints=of_forces,
        real=[name for name in of_forces if name in eccentric],
        drives=of_drives,
        points=of_points,
        note=_note(shown),
    )


def own_coordinates(data: xr.Dataset, joints: list[str], kind: str) -> list[str]:
    """The coordinates of these joints that are angles, or displacements: no quaternions, no eccentricities."""
    found = []
    for name in _names(data, "coordinate"):
        joint, _, coordinate = name.rpartition(".")
        found += [name] * (joint in joints and coordinate.startswith(kind))
    return found


def _of_system(result: Result) -> tuple[set[str], set[str], set[str]]:
    """Real joints, driven joints, and the bodies at real joints; nothing is known of a result without its System."""
    if result.system is None:
        return set(), set(), set()
    joints = result.system.joints
    real = {name for name, joint in joints.items() if not isinstance(joint.model, Ideal)}
    driven = {drive.joint for drive in result.system.drives.values()}
    return real, driven, {body for name in real for body in (joints[name].parent, joints[name].child)}


def _names(data: xr.Dataset, kind: str) -> list[str]:
    return [str(name) for name in data[kind].values] if kind in data.coords else []


def _eccentric_joints(data: xr.Dataset) -> set[str]:
    """The joints that have an eccentricity."""
    if "eccentricity_length" not in data or not data.sizes["time"]:
        return set()
    has = np.isfinite(data.eccentricity_length.values).any(axis=0)
    return {name for name, one in zip(_names(data, "joint"), has, strict=True) if one}


def _asked(kind: str, names: Iterable[str] | None, known: list[str]) -> list[str]:
    """The names that a user gave, checked."""
    asked = [names] if isinstance(names, str) else list(names or [])
    for name in asked:
        if name not in known:
            raise ModelError(f"plot: no {kind} {name!r}; {did_you_mean(name, known)}")
    return asked


def _ranges(data: xr.Dataset, variable: str, kind: str) -> dict[str, float]:
    """How far a variable goes to and fro, for every body, joint, …"""
    if variable not in data or not data.sizes["time"]:
        return {}
    values = np.nan_to_num(data[variable].transpose("time", kind, ...).values)
    spans = np.ptp(values, axis=0).reshape(values.shape[1], -1)
    return dict(zip(_names(data, kind), np.linalg.norm(spans, axis=1).tolist(), strict=True))


def _joint_ranges(data: xr.Dataset) -> dict[str, float]:
    """How far the angles and displacements of joints go [rad or m], of those that have any."""
    spans, found = _ranges(data, "joint_position", "coordinate"), {}
    for name in _names(data, "coordinate"):
        joint, _, coordinate = name.rpartition(".")
        if coordinate.startswith(COORDINATES):
            found[joint] = found.get(joint, 0.0) + spans.get(name, 0.0)
    return found


def _most(names: list[str], size: dict[str, float], *first: set[str]) -> list[str]:
    """At most so many, in their own order: those in the first set, then in the second, …, then the largest."""
    rank = {name: (*(name not in group for group in first), -size.get(name, 0.0)) for name in names}
    kept = set(sorted(names, key=lambda name: rank[name])[:MOST])
    return [name for name in names if name in kept]


def _note(shown: dict[str, tuple[list[str], list[str]]]) -> str:
    """What is left out, and how to see it."""
    parts = [
        f"{len(names)} of {len(every)} {kind} shown: {', '.join(names)}."
        for kind, (names, every) in shown.items()
        if len(names) < len(every)
    ]
    return "  ".join([*parts, "Choose with plot(bodies=[…], joints=[…]); all are in result.data."]) if parts else ""
