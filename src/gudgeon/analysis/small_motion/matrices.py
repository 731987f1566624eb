"""Mass, damping and stiffness of the small motion about a state, from exact derivatives.

A disturbance δz, δż of the coordinates moves the bodies by ξ and changes their velocities and accelerations by

    Φ_q ξ = 0,    Φ_q δv + ∂(Φ_q v)/∂ξ ξ = 0,    Φ_q δv̇ + ∂(Φ_q v̇ − γ)/∂ξ ξ − ∂γ/∂v δv = 0      (and ζ likewise)

with δz̈ = 0, and the force that is then missing, Tᵀ δ(Q − M v̇ − Φ_qᵀ λ) at fixed λ, is −K δz − C δż. K holds the
stiffness of springs and joints, that of the reactions (constraint curvature), and the inertia forces of a moving state;
C holds damping and gyroscopic terms. Only the laws of joints that act by forces are differences (joint_slopes.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.analysis.small_motion.chart import Chart
from gudgeon.analysis.small_motion.control_slopes import Controlled, along_tangents
from gudgeon.analysis.small_motion.joint_slopes import JointSlopes
from gudgeon.analysis.small_motion.pairs import measure_pairs
from gudgeon.analysis.small_motion.rows import Rows
from gudgeon.analysis.small_motion.tangents import RowTangents, force_tangents, inertia_tangent, velocities
from gudgeon.rotations import cross

SYMMETRIC_WITHIN = 1e-6  # asymmetry of a stiffness that is error only, of the modes' own stiffness [-]
SOFTEST = 1e-14  # stiffness that is rounding, of the stiffest mode's [-]
NEGLIGIBLE = 1e-10  # stiffness whose relative error does not matter, of the stiffest mode's [-]
TIMES_ERROR = 4.0  # an entry is nothing if it is smaller than so many times its error
ROUNDING = 4.0 * np.finfo(float).eps  # of a sum, of its terms [-]


class Stiffness(NamedTuple):
    """K in mass-orthonormal coordinates x along its modes, tangents T V x."""

    matrix: np.ndarray  # [1/s²]
    error: np.ndarray  # estimated, of its entries
    directions: np.ndarray  # V, orthonormal
    size: np.ndarray  # √|K_kk| of each direction, not quite zero where that is [1/s]


class Matrices(NamedTuple):
    """K and C in mass-orthonormal coordinates x, δz = V x."""

    stiffness: np.ndarray  # [1/s²]
    damping: np.ndarray  # [1/s]
    directions: np.ndarray  # V
    tangents: np.ndarray  # (6 bodies, freedoms) motions of the bodies along x
    accuracy: float  # estimated relative error of the worst entry
    worst: int  # coordinate it belongs to, roughly
    control: Controlled | None  # controllers, along x


def static_stiffness(rows: Rows, y: np.ndarray, tangents: np.ndarray, multipliers: np.ndarray, slopes: JointSlopes):
    """K = −Tᵀ ∂(Q − Φ_qᵀ λ)/∂ξ T of a state at rest, last evaluated, and a bound of its error."""
    equations = rows.equations
    whole = force_tangents(equations, rows.time, y, slopes).by_displacement
    whole = whole - RowTangents.of_constraints(equations).forces(multipliers)
    size = np.abs(tangents)
    error = slopes.errors_along(tangents)[0] + ROUNDING * (size.T @ (abs(whole) @ size))
    return -tangents.T @ (whole @ tangents), error


def along_modes(matrix: np.ndarray, error: np.ndarray, typical_rate: float) -> Stiffness:
    """A stiffness turned into its modes, entries that are error only left out."""
    matrix, error = np.nan_to_num(matrix), np.where(np.isfinite(matrix), error, np.inf)
    _, directions = np.linalg.eigh(0.5 * (matrix + matrix.T))
    matrix = directions.T @ matrix @ directions
    error = np.abs(directions.T) @ error @ np.abs(directions)
    largest = max(np.sqrt(np.abs(np.diag(matrix)).max(initial=0.0)), typical_rate)
    matrix[np.abs(matrix) <= TIMES_ERROR * error + SOFTEST * largest**2] = 0.0
    size = _at_least(np.sqrt(np.abs(np.diag(matrix))), typical_rate)
    if np.all(np.abs(matrix - matrix.T) <= SYMMETRIC_WITHIN * np.outer(size, size)):
        matrix = 0.5 * (matrix + matrix.T)
    return Stiffness(matrix, error, directions, size)


def _at_least(size: np.ndarray, typical: float) -> np.ndarray:
    """Rates, none smaller than a small part of the largest."""
    return np.maximum(size, 1e-6 * max(size.max(), typical, 1e-6))


def small_motion(chart: Chart, slopes: JointSlopes) -> Matrices:
    """The matrices of the small motion about the state of a chart."""
    stiffness, damping, errors, change = _along_tangents(chart, slopes)
    found = along_modes(stiffness, errors[0], chart.typical_rate)
    turn, size = found.directions, found.size
    stiffness, error = found.matrix, found.error
    damping, damping_error = turn.T @ damping @ turn, np.abs(turn.T) @ errors[1] @ np.abs(turn)
    stiffest = max(size.max(), chart.typical_rate)
    largest = max(np.abs(damping).max(), stiffest)
    damping[np.abs(damping) <= TIMES_ERROR * damping_error + SOFTEST * largest] = 0.0
    pairs = np.maximum(np.outer(size, size), NEGLIGIBLE * stiffest**2)
    relative = np.maximum(
        error / np.where(stiffness != 0.0, np.maximum(pairs, np.abs(stiffness)), stiffest**2),
        damping_error / np.where(damping != 0.0, np.maximum(np.sqrt(pairs), np.abs(damping)), largest),
    )
    worst = int(np.argmax(relative.max(axis=0)))
    directions = chart.of_tangents @ turn
    coordinate = int(np.argmax(np.abs(directions[:, worst]) * np.sqrt(np.diag(chart.mass))))
    tangents, equations, control = chart.tangents @ turn, chart.rows.equations, None
    if equations.controls.states:
        moving = None if change is None else change @ turn
        control = along_tangents(equations, chart.rows.time, chart.base, tangents, moving, slopes.size)
    return Matrices(stiffness, damping, directions, tangents, float(relative.max()), coordinate, control)


def _along_tangents(
    chart: Chart, slopes: JointSlopes
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray], np.ndarray | None]:
    """K and C in the coordinates x of the tangents, δz = ζ_q T x, bounds of their errors; δv by x where it moves."""
    rows, equations, T = chart.rows, chart.rows.equations, chart.tangents
    rows.forces(chart.base)
    constraints = RowTangents.of_constraints(equations)
    chart.refuse_singular(constraints)
    forces = force_tangents(equations, rows.time, chart.base, slopes)
    acceleration = np.vstack([np.zeros(6), rows.nodes.lines(chart.acceleration).reshape(-1, 6)])
    reactions = constraints.forces(chart.multipliers)
    held = forces.by_displacement - reactions - inertia_tangent(equations, acceleration)
    stiffness, damping = -(held @ T), -(forces.by_velocity @ T)
    velocity, change = velocities(rows.body), None
    if velocity.any() or acceleration.any():
        change, by_place, by_rate = _changes_of_motion(chart, constraints, velocity, acceleration)
        stiffness += rows.times_mass(by_place) - forces.by_velocity @ change
        damping += rows.times_mass(by_rate)
    size = np.abs(T)
    rounding = [size.T @ (abs(part) @ size) for part in (held, forces.by_velocity)]
    return (
        T.T @ stiffness,
        T.T @ damping,
        [error + ROUNDING * part for error, part in zip(slopes.errors_along(T), rounding, strict=True)],
        change,
    )


def _changes_of_motion(
    chart: Chart, constraints: RowTangents, velocity: np.ndarray, acceleration: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """δv by displacements along T with the coordinates' rates as they are, and δv̇ by displacements and by rates."""
    rows, known, T = chart.rows, chart.coordinates, chart.tangents
    joints = measure_pairs(rows.equations, known.table, known.vectors, np.arange(len(known.table)))
    measured = RowTangents(joints, len(known.table), rows.nodes)
    n = rows.body_count
    spins, spin_rates = velocity[1 : 1 + n, 3:], acceleration[1 : 1 + n, 3:]

    def turned(x: np.ndarray, by: np.ndarray) -> np.ndarray:
        """θ × by of the rotations in motions x."""
        out = np.zeros((n, 6, x.shape[1]))
        turn = x[: 6 * n].reshape(n, 6, -1)[:, 3:].transpose(0, 2, 1)
        out[:, 3:] = cross(turn, np.broadcast_to(by[:, None, :], turn.shape)).transpose(0, 2, 1)
        return rows.nodes.padded(out.reshape(6 * n, -1))

    def solved(rows_part: np.ndarray, measured_part: np.ndarray, bodies_part: np.ndarray) -> np.ndarray:
        right = np.zeros((known.count, T.shape[1]))
        right[known.measured] = -measured_part
        right[known.direct] = known.weights @ bodies_part
        return chart.solved(-rows_part, right)

    carried_along = turned(T, spins)
    change = solved(constraints.rates(velocity) @ T, measured.rates(velocity) @ T, carried_along)
    bends = [part.accelerations_by_velocity(velocity) for part in (constraints, measured)]
    by_place = solved(
        constraints.accelerations(acceleration) @ T + bends[0] @ change,
        measured.accelerations(acceleration) @ T + bends[1] @ change,
        turned(T, spin_rates) + turned(change - carried_along, spins),
    )
    return change, by_place, solved(bends[0] @ T, bends[1] @ T, carried_along)
