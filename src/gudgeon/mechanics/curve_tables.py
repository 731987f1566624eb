"""The curves of joints as flat arrays: pieces of polynomials, and profiles of cams by their lift."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.curve_joint import Profile, curve_joints
from gudgeon.functions.function import Programs
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.coordinates import ReferencePose
from gudgeon.nurbs.pieces import MARGIN
from gudgeon.system import System

PIECES_OF_PROFILE = 120  # of a cam, in a full turn
LOOKS = 9  # points of such a piece


def curve_tables(system: System, pose: ReferencePose, programs: Programs) -> dict[str, np.ndarray]:
    """The curve arrays of the model, a line for each joint that has one."""
    lines: list[np.ndarray] = [np.zeros((0, arrays.CURVE_COLUMNS), dtype=np.int64)]
    tables: list[np.ndarray] = [np.zeros(0)]
    for name in curve_joints(system):
        joint: Any = system.joints[name]
        profile: Profile = joint.profile(pose.anchor(joint))
        at = sum(map(len, tables))
        if profile.pieces is not None:
            line, table = pieces_table(profile)
            line[0, arrays.CURVE_AT] = at
        else:
            assert profile.lift is not None
            program, table = (
                programs.add_derivatives(joint.label(name), "lift", profile.lift),
                _of_profile(joint, profile.base),
            )
            line = np.array([(arrays.POLAR, at, PIECES_OF_PROFILE, 0, 1, 1, program)])
        lines.append(line)
        tables.append(table)
    return {"curve": np.concatenate(lines), "curve_table": np.concatenate(tables)}


def pieces_table(profile: Profile) -> tuple[np.ndarray, np.ndarray]:
    """The line of a curve of pieces, and its numbers."""
    p = profile.pieces
    assert p is not None
    table = [p.breaks, p.lengths, p.sags, p.points.reshape(-1), p.coefficients.reshape(-1)]
    line = (arrays.PIECES, 0, len(p.sags), p.coefficients.shape[2] - 1, p.closed, profile.extruded, -1)
    return np.array([line], dtype=np.int64), np.concatenate(table)


def _of_profile(joint: Any, base: float) -> np.ndarray:
    """Chords of a profile ρ(φ) = base + lift(−φ), in equal turns."""
    n = PIECES_OF_PROFILE
    angles = 2.0 * np.pi * np.arange(n * (LOOKS - 1) + 1) / (n * (LOOKS - 1))
    radius = np.array([base + joint.lift_at(-x) for x in angles.tolist()])
    fine = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.zeros(len(angles))], axis=1)
    points = fine[:: LOOKS - 1]
    sags = []
    for k in range(n):
        own = fine[k * (LOOKS - 1) : (k + 1) * (LOOKS - 1) + 1]
        chord, away = own[-1] - own[0], own - own[0]
        share = np.clip(away @ chord / (chord @ chord), 0.0, 1.0)
        sags.append(MARGIN * float(np.linalg.norm(away - share[:, None] * chord, axis=1).max()))
    return np.concatenate([angles[:: LOOKS - 1], np.zeros(n + 1), sags, points.reshape(-1), [base]])
