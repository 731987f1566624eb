"""Two surfaces that face each other, and the poses they move through."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gudgeon.checks import as_floats
from gudgeon.errors import ModelError
from gudgeon.nurbs.surface import Surface
from gudgeon.orientations import rotation_of

Array = NDArray[np.float64]
MOST_POINTS = 10_000_000  # of a grid


class Reason(IntEnum):
    """Why a point of the reference surface has no corresponding point; 0 where it has one.

    >>> from gudgeon.nurbs import Reason
    >>> Reason(1).name
    'MISSED'
    """

    FOUND = 0  # there is a corresponding point
    MISSED = 1  # the normal does not meet the corresponding surface
    TRIMMED = 2  # it does, where the surface is trimmed away
    BEYOND_WINDOW = 3  # it does, at a distance outside the window
    FACES_AWAY = 4  # it does, from behind: the surfaces do not face each other there, or a side is the wrong one
    REFERENCE_TRIMMED = 5  # the reference point itself is trimmed away
    NO_NORMAL = 6  # the reference surface has no normal there
    LIES_IN_SURFACE = 7  # the normal runs within the corresponding surface


@dataclass(frozen=True, kw_only=True, eq=False)
class Pose:
    """Where the frame of a surface is and how it moves; everything in world components.

    >>> from gudgeon.nurbs import Pose
    >>> Pose(position=(0, 0, 1), rotation=(1, 0, 0, 0)).packed[9:12]
    array([0., 0., 1.])
    """

    rotation: Any = None  # R_WB: a matrix (3, 3), a quaternion (e0, e1, e2, e3) or a scipy Rotation [-]
    position: Any = (0.0, 0.0, 0.0)  # p_WB [m]
    velocity: Any = (0.0, 0.0, 0.0)  # of the frame's origin [m/s]
    angular_velocity: Any = (0.0, 0.0, 0.0)  # w_WB [rad/s]
    packed: Array = field(init=False, repr=False)  # all of it in one row, for compiled code

    def __post_init__(self):
        packed = np.empty(18)
        packed[:9] = rotation_of("Pose", self.rotation).ravel()
        for at, name in ((9, "position"), (12, "velocity"), (15, "angular_velocity")):
            value = as_floats("Pose", name, getattr(self, name))
            if value.shape != (3,):
                raise ModelError(f"Pose: {name} has shape {value.shape}; give 3 numbers")
            packed[at : at + 3] = value
        object.__setattr__(self, "packed", packed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pose) and np.array_equal(self.packed, other.packed)

    def __hash__(self) -> int:
        return hash(self.packed.tobytes())


@dataclass(frozen=True, kw_only=True, eq=False)
class SurfacePair:
    """A reference surface with a grid of points, and the corresponding surface their normals look for.

    The gap h at a point p of the reference is the signed distance along its normal n, turned out of the body by
    `reference_side` (κ of eq 14), to the corresponding surface: positive in the gap, negative in penetration. Of
    several intersections the one with least |h| counts among those that face the reference (the corresponding surface's
    normal, turned out of its body by `corresponding_side`, is against n), are inside the window and not trimmed away.

    >>> from gudgeon.nurbs import Surface, SurfacePair
    >>> bore, pin = Surface.cylinder(0.0101, -0.01, 0.01), Surface.cylinder(0.01, -0.02, 0.02)
    >>> pair = SurfacePair(reference=bore, corresponding=pin, reference_side=-1, grid=(64, 16))
    >>> pair.xi1[:3], pair.xi2[-1]
    (array([0.      , 0.015625, 0.03125 ]), np.float64(1.0))
    """

    reference: Surface
    corresponding: Surface
    grid: Any = (64, 16)  # points in ξ1 and ξ2, or two rows of parameters [-]
    reference_side: int = 1  # +1: the normal of the reference points out of its body, -1: into it
    corresponding_side: int = 1  # the same for the other surface; 0: either side may face the reference
    window: tuple[float, float] = (-np.inf, np.inf)  # least and largest h that counts [m]
    xi1: Array = field(init=False, repr=False)  # the grid's parameters on the reference surface [-]
    xi2: Array = field(init=False, repr=False)

    def __post_init__(self):
        for name in ("reference", "corresponding"):
            value = getattr(self, name)
            if not isinstance(value, Surface):
                raise ModelError(f"SurfacePair: {name} is a {type(value).__name__}; give a Surface")
        for name, allowed in (("reference_side", (1, -1)), ("corresponding_side", (1, -1, 0))):
            if getattr(self, name) not in allowed:
                raise ModelError(f"SurfacePair: {name} is {getattr(self, name)!r}; give one of {allowed}")
        try:
            low, high = (float(x) for x in self.window)
        except (TypeError, ValueError):
            raise ModelError(
                f"SurfacePair: window is {self.window!r}; give the least and the largest gap [m]"
            ) from None
        if not low < high:
            raise ModelError(f"SurfacePair: window from {low:g} to {high:g} m is empty; give least and largest gap")
        if isinstance(self.grid, int | float | str) or len(self.grid) != 2:
            raise ModelError(f"SurfacePair: grid is {self.grid!r}; give two, for ξ1 and ξ2")
        object.__setattr__(self, "window", (low, high))
        object.__setattr__(self, "xi1", self._row(0))
        object.__setattr__(self, "xi2", self._row(1))
        if len(self.xi1) * len(self.xi2) > MOST_POINTS:
            raise ModelError(
                f"SurfacePair: grid is {len(self.xi1)} × {len(self.xi2)} points; give at most {MOST_POINTS} in all"
            )

    def _row(self, axis: int) -> Array:
        """Parameters of the grid: evenly spaced, the end of a closed direction left out because it is the begin."""
        asked = self.grid[axis]
        owner = f"SurfacePair: grid in ξ{axis + 1}"
        low, high = self.reference.domain[axis]
        if isinstance(asked, int | np.integer) and not isinstance(asked, bool):
            if asked < 1:
                raise ModelError(f"{owner} is {asked}; give at least one point")
            if asked > MOST_POINTS:
                raise ModelError(f"{owner} is {asked}; give at most {MOST_POINTS} points")
            if self.reference.closed[axis]:
                return low + (high - low) * np.arange(asked) / asked
            return np.linspace(low, high, asked) if asked > 1 else np.array([0.5 * (low + high)])
        row = as_floats(owner, "parameters", asked)
        if row.ndim != 1 or not len(row):
            raise ModelError(f"{owner} has shape {row.shape}; give a number of points or a row of parameters")
        if row.min() < low or row.max() > high:
            raise ModelError(f"{owner} goes from {row.min():g} to {row.max():g}; its domain is {low:g} … {high:g}")
        return row

    @cached_property
    def frames(self) -> tuple[Array, NDArray[np.int64]]:
        """S_r, ê_ξ, κ ê_ζ, ê_η of eqs (10)–(14) at all grid points, (point, 4, 3), and why a point cannot be used.

        >>> from gudgeon.nurbs import Surface, SurfacePair
        >>> SurfacePair(reference=Surface.plane(), corresponding=Surface.plane(), grid=(1, 1)).frames[0][0]
        array([[0.5, 0.5, 0. ],
               [1. , 0. , 0. ],
               [0. , 0. , 1. ],
               [0. , 1. , 0. ]])
        """
        from gudgeon.nurbs import evaluate

        at = evaluate.frames(self.reference, self.xi1[:, None], self.xi2[None, :]).reshape(-1, 4, 3)
        with np.errstate(divide="ignore", invalid="ignore"):
            e_xi = at[:, 1] / np.linalg.norm(at[:, 1], axis=1, keepdims=True)
            e_eta = at[:, 2] - np.sum(at[:, 2] * e_xi, axis=1, keepdims=True) * e_xi
            e_eta /= np.linalg.norm(e_eta, axis=1, keepdims=True)
        out = np.stack([at[:, 0], e_xi, self.reference_side * at[:, 3], e_eta], axis=1)
        reason = np.where(np.isfinite(out).all(axis=(1, 2)), Reason.FOUND, Reason.NO_NORMAL).astype(np.int64)
        kept = evaluate.kept(self.reference, self.xi1[:, None], self.xi2[None, :]).ravel()
        reason[~kept] = Reason.REFERENCE_TRIMMED
        return np.ascontiguousarray(out), reason
