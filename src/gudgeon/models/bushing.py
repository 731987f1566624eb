"""The bushing: an elastomer between ball and socket, spring and damper in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.models.ideal import JointModel

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Bushing(JointModel):
    """An elastic joint. Two forms:

    radial   `Bushing(stiffness=k, damping_time=b)`: f = k (e + b ė) along the eccentricity, against it
             (Ambrósio & Veríssimo; Silva, Marques, Silva, Flores, eq 17); the damping is k·b.
    matrix   `Bushing(stiffness=K, damping=C)` with 3×3 matrices on the displacement, or 6×6 ones on displacement and
             rotation vector, in the joint's axes: the world's in the reference pose, fixed in the parent from there on.
             `damping_time=b` instead of C stands for C = b K. K must be symmetric, and neither K nor C + Cᵀ may have
             a negative eigenvalue, so that no energy is created. Rotations are within half a turn.

    A run starts with the bushing unloaded, where the other joints allow; state both bodies in `System.start` to start
    with a preload.

    >>> import gudgeon as gd
    >>> gd.Bushing(stiffness=2.146e7, damping_time=0.01).damping_time
    0.01
    """

    stiffness: float | Matrix  # k [N/m], or K [N/m, N/rad, N·m/rad]
    damping_time: float = 0.0  # b [s]
    damping: Matrix | None = None  # C [N·s/m, N·s, N·m·s]

    def __post_init__(self):
        keep = object.__setattr__
        if number("Bushing", "damping_time", self.damping_time) < 0.0:
            raise ModelError(f"Bushing: damping_time is {self.damping_time:g} s; it must not be negative")
        keep(self, "damping_time", float(self.damping_time))
        if not isinstance(self.stiffness, list | tuple | np.ndarray) or getattr(self.stiffness, "ndim", 2) == 0:
            stiffness = number("Bushing", "stiffness", self.stiffness)
            if stiffness <= 0.0:
                raise ModelError(f"Bushing: stiffness is {stiffness:g} N/m; it must be positive")
            keep(self, "stiffness", stiffness)
            if self.damping is not None:
                raise ModelError(
                    "Bushing: damping is a matrix but stiffness is not; give damping_time=, or two matrices"
                )
            return
        stiffness = _matrix("stiffness", self.stiffness)
        if not np.allclose(stiffness, stiffness.T, rtol=1e-9, atol=1e-9 * np.abs(stiffness).max()):
            raise ModelError("Bushing: stiffness is not symmetric; such a matrix creates energy")
        _require_passive("stiffness", stiffness)
        keep(self, "stiffness", _frozen(stiffness))
        if self.damping is not None:
            if self.damping_time:
                raise ModelError("Bushing: both damping and damping_time are given; give one of the two")
            damping = _matrix("damping", self.damping)
            if damping.shape != stiffness.shape:
                raise ModelError(
                    f"Bushing: damping has shape {damping.shape}, stiffness {stiffness.shape}; make them equal"
                )
            _require_passive("damping", damping)
            keep(self, "damping", _frozen(damping))

    @property
    def is_radial(self) -> bool:
        """Whether this is the radial form."""
        return isinstance(self.stiffness, float)

    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness and damping as 6×6 matrices."""
        stiffness, damping = np.zeros((6, 6)), np.zeros((6, 6))
        if not self.is_radial:
            given = np.array(self.stiffness)
            n = len(given)
            stiffness[:n, :n] = given
            damping[:n, :n] = self.damping_time * given if self.damping is None else np.array(self.damping)
        return stiffness, damping


def _matrix(field: str, value: Any) -> np.ndarray:
    try:
        matrix = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"Bushing: {field} is {value!r}; give a number or a 3×3 or 6×6 matrix") from None
    if matrix.shape not in ((3, 3), (6, 6)):
        raise ModelError(f"Bushing: {field} has shape {matrix.shape}; give a number or a 3×3 or 6×6 matrix")
    if not np.all(np.isfinite(matrix)):
        raise ModelError(f"Bushing: {field} has an entry that is not finite")
    return matrix


def _require_passive(field: str, matrix: np.ndarray) -> None:
    lowest = float(np.linalg.eigvalsh(0.5 * (matrix + matrix.T)).min())
    if lowest < -1e-9 * np.abs(matrix).max():
        raise ModelError(f"Bushing: {field} has the negative eigenvalue {lowest:.3g}; such a matrix creates energy")


def _frozen(matrix: np.ndarray) -> Matrix:
    return tuple(tuple(float(x) for x in row) for row in matrix)
