"""Which coordinates to use: independent ones, joint coordinates before those of bodies, in the order of the list.

Rows of Z T, Z the gradients of all candidates, T an orthonormal basis of the motions that the joints allow, lengths
measured in sizes of the mechanism: a QR factorisation with threshold pivoting picks the first candidate whose part that
is independent of those picked before is not much smaller than the largest such part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gudgeon.analysis.small_motion.coordinates import Coordinates, all_coordinates
from gudgeon.analysis.small_motion.rows import Rows
from gudgeon.errors import ModelError, did_you_mean

THRESHOLD = 0.1  # of the largest independent part, from which on the order of the list decides [-]
INDEPENDENT = 1e-3  # smallest independent part of a joint coordinate that is chosen unasked [-]
DEPENDENT = 1e-7  # smallest independent part of a coordinate that the user chose [-]


def independent_coordinates(rows: Rows, y: np.ndarray, chosen: Any = None) -> Coordinates:
    """As many coordinates as there are freedoms in the state y: those chosen by name, or the best."""
    system = rows.equations.system
    tangents = rows.allowed(y).basis
    freedoms = tangents.shape[1]
    if freedoms == 0:
        raise ModelError(
            f"System {system.name!r}: joints and drives leave it no freedom; there is no small motion to look at"
        )
    known = all_coordinates(system, rows.nodes.names())
    gradients, _ = known.motion(rows.equations)
    unit = np.concatenate([np.tile([rows.size] * 3 + [1.0] * 3, rows.body_count), np.full(rows.nodes.count, rows.size)])
    parts = (gradients * unit) @ np.linalg.qr(tangents / unit[:, None])[0]
    parts /= np.linalg.norm(gradients * unit, axis=1, keepdims=True)
    if chosen is not None:
        return known.subset(_chosen(rows, known, parts, chosen, freedoms))
    joints, bodies = list(known.measured), list(known.direct)
    picked = _pick(parts, joints, [], freedoms, INDEPENDENT)
    return known.subset(_pick(parts, bodies, picked, freedoms, 0.0))


def _pick(parts: np.ndarray, candidates: list[int], picked: list[int], count: int, smallest: float) -> list[int]:
    """Some of the candidates after those picked before, until there are `count` or what is left is too small."""
    picked, units = list(picked), np.zeros((0, parts.shape[1]))
    for k in picked:
        units = _with_unit(units, parts[k])
    mine = parts[candidates]
    left = np.sum((mine - (mine @ units.T) @ units) ** 2, axis=1)  # of what is independent of those picked
    while len(picked) < count and candidates:
        size = np.sqrt(np.maximum(left, 0.0))
        if size.max() <= smallest:
            break
        place = int(np.argmax(size >= THRESHOLD * size.max()))
        picked.append(int(candidates[place]))
        units = _with_unit(units, parts[candidates[place]])
        left -= (mine @ units[-1]) ** 2
        left[place] = 0.0
    return picked


def _with_unit(units: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Orthonormal rows and one more, the part of a direction that is independent of them; twice, against rounding."""
    for _ in range(2):
        direction = direction - units.T @ (units @ direction)
    return np.vstack([units, direction / np.linalg.norm(direction)])


def _chosen(rows: Rows, known: Coordinates, parts: np.ndarray, chosen: Any, freedoms: int) -> list[int]:
    """The places of the coordinates the user chose, checked to be independent."""
    owner, system = "linearize, coordinates", rows.equations.system
    if isinstance(chosen, str) or not isinstance(chosen, Sequence):
        raise ModelError(f"{owner}: {chosen!r} given; give names such as ('crank.angle', 'bob.x')")
    for name in chosen:
        if name not in known.names:
            raise ModelError(f"{owner}: no coordinate {name!r}; {did_you_mean(name, known.names)}")
    if len(chosen) != freedoms or len(set(chosen)) != freedoms:
        raise ModelError(
            f"{owner}: {len(set(chosen))} different coordinates given; {system.name!r} has {freedoms} freedoms here, "
            "give as many"
        )
    driven = {
        f"{drive.joint}.{system.coordinate('', drive.joint, drive.coordinate)}": name
        for name, drive in system.drives.items()
    }
    places = [known.names.index(name) for name in chosen]
    units = np.zeros((0, parts.shape[1]))
    for k in places:
        if np.linalg.norm(parts[k] - units.T @ (units @ parts[k])) <= DEPENDENT:
            name = known.names[k]
            why = f"Drive {driven[name]!r} prescribes it" if name in driven else "it follows from the other coordinates"
            raise ModelError(
                f"{owner}: {name!r} cannot be chosen, {why} in this position; leave coordinates out, or see"
                " which the library chooses"
            )
        units = _with_unit(units, parts[k])
    return places
