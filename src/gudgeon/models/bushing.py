"""The bushing: an elastomer that holds what a joint holds, spring and damper in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.functions.table import Table
from gudgeon.models.ideal import JointModel
from gudgeon.quantities import Damping, Stiffness, TiltDamping, TiltStiffness, Time

if TYPE_CHECKING:
    from gudgeon.joints import Joint

Matrix = tuple[tuple[float, ...], ...]
AT_ZERO = 1e-6  # of its largest value that a curve may have at zero [-]


@dataclass(frozen=True, kw_only=True)
class Bushing(JointModel):
    """An elastic joint: what it holds is held by springs and dampers, what it leaves free stays free.

    numbers  `Bushing(stiffness=k, damping=c, tilt_stiffness=κ, tilt_damping=γ)`: k and c on all displacements that the
             joint holds, κ and γ on all rotations. `damping_time=b` instead of c and γ stands for c = b k, γ = b κ. In
             a Spherical the bushing is radial, f = k (e + b ė) along the eccentricity, against it (Ambrósio &
             Veríssimo; Silva, Marques, Silva, Flores, eq 17): there is no tilt, and circling is not damped.
    3×3      `Bushing(stiffness=K, damping=C)`: matrices on the displacement; tilt_stiffness and tilt_damping as above
    6×6      likewise on displacement and rotation

    Matrices are in the joint's axes, fixed in the parent. Their z is the joint's axis, their x the world's x across it
    in the reference pose (the world's y where the axis is the world's x). A Spherical, Rigid, Translational or Free has
    the world's axes of the reference pose; a Universal x = axis_parent, y = axis_child; a Guide y = normal. What a
    joint leaves free has a row and a column of zeros: the sixth of a Revolute, the third and sixth of a Cylindrical.
    Spherical and Free joints are held in whatever direction their matrices say. A stiffness of 0 is taken beside a
    tilt_stiffness: a Translational, which holds rotations alone, has no other. K must be symmetric, and neither K nor
    C + Cᵀ may have a negative eigenvalue, so that no energy is created.

    curves   six tables, or None where there is none: forces [N] against displacements [m] along x, y, z, then torques
             [N·m] against rotations [rad], besides what the stiffness gives. Each is zero at zero, and each is the
             derivative of an energy, whatever its shape: hardening rubber, a free way, a clip that snaps.
             With curves a stiffness of 0 is taken, and a number is isotropic in a Spherical too.

    Rotations are the rotation vector of the child (within half a turn); the tilt of its axis where the child turns
    freely about it, any number of turns; the angle that the two axes of a Universal lack to a right one.

    A run starts with the bushing unloaded, where the other joints allow; state both bodies in `System.start` to start
    with a preload.

    >>> import gudgeon as gd
    >>> gd.Bushing(stiffness=2.146e7, damping_time=0.01).damping_time
    0.01
    >>> soft = gd.Bushing(stiffness=2e7, damping=5e3, tilt_stiffness=4e3, tilt_damping=1.0)
    >>> gd.Revolute("ground", "crank", at=(0, 0, 0), model=soft).blocks().free[0].name
    'angle'
    >>> rubber = gd.Table([-2e-3, -1e-3, 0, 1e-3, 2e-3], [-900, -200, 0, 200, 900], kind="akima", outside="extrapolate")
    >>> mount = gd.Bushing(stiffness=1e5, tilt_stiffness=50.0, curves=(rubber, rubber, None, None, None, None))
    """

    stiffness: Stiffness | Matrix  # k [N/m], or K [N/m, N/rad, N·m/rad]
    damping_time: Time = 0.0  # b [s]
    damping: Damping | Matrix | None = None  # c [N·s/m], or C [N·s/m, N·s, N·m·s]
    tilt_stiffness: TiltStiffness | None = None  # κ [N·m/rad]
    tilt_damping: TiltDamping | None = None  # γ [N·m·s/rad]
    curves: tuple[Table | None, ...] | None = None  # six, of what is besides the stiffness

    def __post_init__(self):
        keep = object.__setattr__
        if self.curves is not None:
            keep(self, "curves", _checked_curves(self.curves))
        if number("Bushing", "damping_time", self.damping_time) < 0.0:
            raise ModelError(f"Bushing: damping_time is {self.damping_time:g} s; it must not be negative")
        keep(self, "damping_time", float(self.damping_time))
        if self.damping_time and (self.damping is not None or self.tilt_damping is not None):
            given = "damping" if self.damping is not None else "tilt_damping"
            raise ModelError(f"Bushing: both {given} and damping_time are given; give one of the two")
        for field, unit in (("tilt_stiffness", "N·m/rad"), ("tilt_damping", "N·m·s/rad")):
            value = getattr(self, field)
            if value is not None:
                keep(self, field, _not_negative(field, value, unit))
        if self.tilt_damping is not None and self.tilt_stiffness is None:
            raise ModelError("Bushing: tilt_damping is given without tilt_stiffness; give both")
        if _is_number(self.stiffness):
            stiffness = number("Bushing", "stiffness", self.stiffness)
            if stiffness < 0.0 or (stiffness == 0.0 and self.curves is None and not self.tilt_stiffness):
                raise ModelError(f"Bushing: stiffness is {stiffness:g} N/m; it must be positive")
            keep(self, "stiffness", stiffness)
            if self.damping is not None:
                if not _is_number(self.damping):
                    raise ModelError(
                        "Bushing: damping is a matrix but stiffness is not; give damping_time=, or two matrices"
                    )
                keep(self, "damping", _not_negative("damping", self.damping, "N·s/m"))
            return
        stiffness = _matrix("stiffness", self.stiffness)
        if not np.allclose(stiffness, stiffness.T, rtol=1e-9, atol=1e-9 * np.abs(stiffness).max()):
            raise ModelError("Bushing: stiffness is not symmetric; such a matrix creates energy")
        _require_passive("stiffness", stiffness)
        keep(self, "stiffness", _frozen(stiffness))
        if self.tilt_stiffness is not None and len(stiffness) == 6:
            raise ModelError("Bushing: tilt_stiffness and a 6×6 stiffness are given; the matrix has the rotations")
        if self.damping is not None:
            damping = _matrix("damping", self.damping)
            if damping.shape != stiffness.shape:
                raise ModelError(
                    f"Bushing: damping has shape {damping.shape}, stiffness {stiffness.shape}; make them equal"
                )
            _require_passive("damping", damping)
            keep(self, "damping", _frozen(damping))

    @property
    def is_radial(self) -> bool:
        """Whether it acts along the eccentricity of a ball joint, whatever its direction."""
        return isinstance(self.stiffness, float) and self.curves is None

    def check_joint(self, joint: Joint) -> None:
        """Refuse matrices that hold what the joint leaves free, and a joint whose rotations nothing is said about."""
        from gudgeon.joint_axes import ROWS, free_rows

        blocks = joint.blocks()
        if joint.at is None and joint.at_parent is None and joint.at_child is None:
            raise ModelError(f"{joint.label()}: where is its bushing? give at=(x, y, z), or at_parent= and at_child=")
        has_turns = np.size(self.stiffness) == 36
        self._check_curves(joint)
        if not blocks.perpendicular:
            if self.tilt_stiffness is not None and blocks.row_count:
                raise ModelError(
                    f"{joint.label()}: its bushing has tilt_stiffness, but it holds no rotation; leave that out, "
                    "give 6×6 matrices, or use gd.Rigid"
                )
            return
        if not has_turns and self.tilt_stiffness is None:
            raise ModelError(
                f"{joint.label()}: what holds its rotations? give the bushing tilt_stiffness= [N·m/rad] (0 for none), "
                "or 6×6 matrices"
            )
        free = free_rows(joint)
        for field, unit in (("stiffness", "N/m"), ("damping", "N·s/m")):
            value = getattr(self, field) or 0.0
            if isinstance(value, float) and value > 0.0 and {0, 1, 2} <= set(free):
                raise ModelError(
                    f"{joint.label()}: its bushing has a {field} of {value:g} {unit}, but it holds no displacement; "
                    "give stiffness=0 and tilt_stiffness=, or 6×6 matrices"
                )
            given = np.atleast_2d(np.array(value))
            for r in free:
                if 1 < len(given) > r and (given[r].any() or given[:, r].any()):
                    raise ModelError(
                        f"{joint.label()}: {field} of its bushing has a row or column {r + 1} for {ROWS[r]}, which the "
                        f"joint leaves free{_told_axis(free)}; set row and column {r + 1} to zero, or use a joint that "
                        "holds it"
                    )

    def _check_curves(self, joint: Joint) -> None:
        """Curves along axes that the joint holds, and has."""
        from gudgeon.joint_axes import ROWS, free_rows, joint_axes

        given = [r for r, curve in enumerate(self.curves or ()) if curve is not None]
        if not given:
            return
        displacements, turns = joint_axes(joint)
        if min(given) < 3 and not np.allclose(displacements, turns):
            raise ModelError(
                f"{joint.label()}: curves[{min(given)}] of its bushing is for {ROWS[min(given)]}; this joint has no "
                "axes that displacements and rotations share: leave it out"
            )
        free = free_rows(joint)
        for r in free:
            if r in given:
                raise ModelError(
                    f"{joint.label()}: curves[{r}] of its bushing is for {ROWS[r]}, which the joint leaves free"
                    f"{_told_axis(free)}; leave it out, or use a joint that holds it"
                )

    def holds_more_than(self, joint: Joint) -> bool:
        """Whether an ideal joint of this type would leave free what the bushing holds."""
        blocks = joint.blocks()
        return not blocks.row_count or (np.size(self.stiffness) == 36 and not blocks.perpendicular)

    def matrices(self, free: tuple[int, ...] | list[int] = ()) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness and damping as 6×6 matrices, rows of free axes zero where numbers are given."""
        held = [row for row in range(6) if row not in free]
        stiffness, damping = np.zeros((6, 6)), np.zeros((6, 6))
        for matrix, given, tilt in (
            (stiffness, self.stiffness, self.tilt_stiffness),
            (damping, self.damping, self.tilt_damping),
        ):
            if isinstance(given, tuple):
                matrix[: len(given), : len(given)] = given
            elif given is not None:
                matrix[:3, :3] = np.diag([given * (row in held) for row in range(3)])
            if tilt is not None:
                matrix[3:, 3:] = np.diag([tilt * (row in held) for row in range(3, 6)])
        return stiffness, damping + self.damping_time * stiffness


def _told_axis(free: list[int]) -> str:
    """What its axes are, for a message on what a joint leaves free."""
    return " (z is its axis)" if 0 not in free else ""


def _checked_curves(given: Any) -> tuple[Table | None, ...]:
    """Six tables or None."""
    if not isinstance(given, tuple | list) or len(given) != 6:
        raise ModelError(
            f"Bushing: curves is {given!r}; give six, for displacements along and rotations about x, y, z, each a "
            "gd.Table or None"
        )
    for r, curve in enumerate(given):
        if curve is None:
            continue
        if not isinstance(curve, Table):
            raise ModelError(
                f"Bushing: curves[{r}] is {curve!r}; give a gd.Table of forces over displacements, or None"
            )
        if curve.of != "t" or curve.kind == "periodic":
            said = f"is of {curve.of!r}" if curve.of != "t" else "repeats"
            raise ModelError(f"Bushing: curves[{r}] {said}; it is a table of its own displacement: leave that out")
        if curve.outside == "refuse":
            raise ModelError(
                f"Bushing: curves[{r}] ends at {curve.range_told()}; what is beyond? outside='extrapolate', or 'hold'"
            )
        if not abs(curve.at(0.0)) <= AT_ZERO * max(map(abs, curve.y)):
            raise ModelError(f"Bushing: curves[{r}] is {curve.at(0.0):g} at zero; a bushing is unloaded there")
    return tuple(given)


def _is_number(value: Any) -> bool:
    return not isinstance(value, list | tuple | np.ndarray) or getattr(value, "ndim", 2) == 0


def _not_negative(field: str, value: Any, unit: str) -> float:
    checked = float(number("Bushing", field, value))
    if checked < 0.0:
        raise ModelError(f"Bushing: {field} is {checked:g} {unit}; it must not be negative")
    return checked


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
