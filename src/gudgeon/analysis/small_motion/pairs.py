"""First and second derivatives of what two bodies do to each other: constraint rows, joint coordinates, springs.

A row has the Jacobian J(q) on the velocities u = (v_i, ω_i, v_j, ω_j) of its two bodies. Twists ξ = (x_i, θ_i, x_j,
θ_j) displace them; the curvature T = ∂J/∂ξ holds all that follows:

    Φ̇ = J u            ∂Φ̇/∂ξ = u·T
    Φ̈ = J u̇ − γ        ∂(J u̇)/∂ξ = u̇·T,   γ = −u·T·u,   ∂γ/∂u = −(T u + u T)
    force Jᵀ λ          ∂(Jᵀ λ)/∂ξ = λ·T

T and ∂γ/∂ξ are exact but for rounding: the formulas of kernels/dynamics/rows.py and kernels/kinematics/measures.py for
bodies displaced by an imaginary twist iε; derivatives are imaginary parts (Squire & Trapp 1998, SIAM Rev. 40, 110-112).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.analysis.small_motion.curve_pairs import Expanded, face_and_cam, point_and_curve
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations
from gudgeon.rotations import cross, skew

CONSTRAINTS = {arrays.POINTS, arrays.PERPENDICULAR, arrays.MEASURE, arrays.COUPLING}  # kinds of block
OTHERS = {arrays.LINK, arrays.ROTOR, arrays.ECHO}  # no constraints between joints, or the second half of one
IMAGINARY = 1e-100  # ε of the imaginary twists; any number whose square is nothing


class Pairs(NamedTuple):
    """Rows of one kind, R to each of K pairs of bodies."""

    first: np.ndarray  # (K) body i
    second: np.ndarray  # (K) body j
    row: np.ndarray  # (K, R) among the rows of joints and drives, or −1
    jacobian: np.ndarray  # J (K, R, 12)
    curvature: np.ndarray  # T (K, R, 12, 12): of J's entry, by ξ
    gamma_slope: np.ndarray  # ∂γ/∂ξ (K, R, 12)

    def scaled(self, by: np.ndarray, row: np.ndarray) -> Pairs:
        """The same times numbers (K), in other rows (K): terms of a coupling."""
        return self._replace(
            row=row[:, None],
            jacobian=by[:, None, None] * self.jacobian,
            curvature=by[:, None, None, None] * self.curvature,
            gamma_slope=by[:, None, None] * self.gamma_slope,
        )

    def velocities(self, x: np.ndarray) -> np.ndarray:
        """(K, 12) of the two bodies, from those of all (bodies with the ground, 6)."""
        return np.hstack([x[self.first], x[self.second]])


class _Displaced:
    """Two bodies of K pairs, displaced by iε times each of 12 unit twists: arrays (12, K, 3)."""

    def __init__(self, body: np.ndarray, i: np.ndarray, j: np.ndarray):
        self.i, self.j = i, j
        self._rotation = body[:, arrays.ROTATION : arrays.ROTATION + 9].reshape(-1, 3, 3)
        position = body[:, arrays.POSITION : arrays.POSITION + 3]
        unit = np.zeros((12, 4, 1, 3))
        unit.reshape(12, 12)[:] = np.eye(12)
        self._turn = unit[:, 1], unit[:, 3]
        self.apart = position[j] - position[i] + 1j * IMAGINARY * (unit[:, 2] - unit[:, 0])  # r_j − r_i
        self.w_i, self.w_j = body[i, arrays.OMEGA : arrays.OMEGA + 3], body[j, arrays.OMEGA : arrays.OMEGA + 3]
        velocity = body[:, arrays.VELOCITY : arrays.VELOCITY + 3]
        self.v = velocity[j] - velocity[i]

    def vector(self, side: int, fixed: np.ndarray, also: np.ndarray | None = None) -> np.ndarray:
        """Vectors fixed in the bodies i (side 0) or j (1), or where `also` says in the other one; world axes."""
        found = []
        for s in (side, 1 - side):
            world = (self._rotation[(self.i, self.j)[s]] @ fixed[:, :, None])[:, :, 0]
            turn = np.broadcast_to(self._turn[s], (12, *world.shape))
            found.append(world + 1j * IMAGINARY * cross(turn, np.broadcast_to(world, turn.shape)))
            if also is None:
                return found[0]
        return np.where(np.asarray(also)[:, None], found[1], found[0])


def _pairs(at: _Displaced, row: np.ndarray, jacobian: np.ndarray, gamma: np.ndarray) -> Pairs:
    """From complex J (12, K, R, 12) and γ (12, K, R)."""
    return Pairs(
        at.i,
        at.j,
        row,
        jacobian[0].real.copy(),
        np.moveaxis(np.imag(jacobian), 0, -1) / IMAGINARY,
        np.moveaxis(np.imag(gamma), 0, -1) / IMAGINARY,
    )


def constraint_pairs(equations: Equations) -> list[Pairs]:
    """The rows of all joints and drives in the motion held in `equations.work`."""
    model = equations.model
    place = np.full(len(equations.work.row), -1)
    rows = np.concatenate([equations.joint_rows, equations.node_rows])
    place[rows] = np.arange(len(rows))
    found = []
    assert set(model.block[:, arrays.KIND].tolist()) <= CONSTRAINTS | OTHERS
    for kind, make in ((arrays.POINTS, _points), (arrays.PERPENDICULAR, _perpendicular)):
        lines = np.flatnonzero(model.block[:, arrays.KIND] == kind)
        if len(lines):
            block, vector = model.block[lines], model.block_vector[lines]
            row = place[block[:, arrays.ROW, None] + np.arange(block[0, arrays.ROWS])]
            at = _Displaced(equations.work.body, block[:, arrays.PARENT], block[:, arrays.CHILD])
            found.append(_pairs(at, row, *make(at, vector)))
    lines = np.flatnonzero(model.block[:, arrays.KIND] == arrays.MEASURE)
    which = model.block[lines, arrays.MEASURE_OF]
    row = place[model.block[lines, arrays.ROW]]
    found += measure_pairs(equations, model.measure[which], model.measure_vector[which], row)
    lines = np.flatnonzero(model.block[:, arrays.KIND] == arrays.COUPLING)
    for measure, ratio in ((arrays.MEASURE_OF, arrays.COUPLED_FIRST), (arrays.SECOND_MEASURE, arrays.COUPLED_SECOND)):
        which, scale = model.block[lines, measure], model.block_vector[lines, ratio]
        table, vectors = model.measure[which], model.measure_vector[which]
        for pairs in measure_pairs(equations, table, vectors, np.arange(len(lines))):
            own = pairs.row[:, 0]
            found.append(pairs.scaled(scale[own], place[model.block[lines[own], arrays.ROW]]))
    return found


def measure_pairs(equations: Equations, table: np.ndarray, vectors: np.ndarray, row: np.ndarray) -> list[Pairs]:
    """Joint coordinates, `table` and `vectors` as Model.measure, in the motion held in `equations.work`."""
    found, body = [], equations.work.body
    for kinds, make in (((arrays.ACROSS, arrays.ALONG), point_and_curve), ((arrays.FLAT,), face_and_cam)):
        lines = np.flatnonzero(np.isin(table[:, arrays.KIND], kinds))
        if len(lines):
            at = _Displaced(body, table[lines, arrays.PARENT], table[lines, arrays.CHILD])
            curves = Expanded(equations.model, body, table[lines], vectors[lines])
            found.append(_pairs(at, row[lines, None], *make(at, vectors[lines], table[lines], curves)))
    for kind, make in ((arrays.ANGLE, _angle), (arrays.DISPLACEMENT, _displacement)):
        lines = np.flatnonzero(table[:, arrays.KIND] == kind)
        if len(lines):
            at = _Displaced(body, table[lines, arrays.PARENT], table[lines, arrays.CHILD])
            parts = make(at, vectors[lines], table[lines])
            found.append(_pairs(at, row[lines, None], *parts))
    return found


def spring_pairs(equations: Equations, lines: np.ndarray) -> tuple[Pairs, np.ndarray]:
    """The distances between the two points of springs, loads `lines`: their derivatives and their values [m].

    Where a distance is zero, J = 0 and T is that of the vector between the points: the force of a spring without free
    length is the stiffness times that.
    """
    load, vector = equations.model.load[lines], equations.model.load_vector[lines]
    at = _Displaced(equations.work.body, load[:, arrays.FIRST], load[:, arrays.SECOND])
    s_i = at.vector(0, vector[:, arrays.IN_FIRST : arrays.IN_FIRST + 3])
    s_j = at.vector(1, vector[:, arrays.IN_SECOND : arrays.IN_SECOND + 3])
    d = at.apart + s_j - s_i
    length = np.sqrt((d * d).sum(axis=2))
    n = d / np.where(np.real(length) == 0.0, 1.0, length)[:, :, None]
    jacobian = np.concatenate([-n, -cross(s_i, n), n, cross(s_j, n)], axis=2)[:, :, None, :]
    nothing = np.zeros((*length.shape, 1), dtype=complex)
    return _pairs(at, np.full((len(lines), 1), -1), jacobian, nothing), length[0].real


def _points(at: _Displaced, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    s_i = at.vector(0, vector[:, arrays.IN_PARENT : arrays.IN_PARENT + 3])
    s_j = at.vector(1, vector[:, arrays.IN_CHILD : arrays.IN_CHILD + 3])
    one = np.broadcast_to(np.eye(3), (*s_i.shape, 3))
    gamma = _centripetal(at.w_i, s_i) - _centripetal(at.w_j, s_j)
    return np.concatenate([-one, skew(s_i), one, -skew(s_j)], axis=3), gamma


def _perpendicular(at: _Displaced, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    a = at.vector(0, vector[:, arrays.IN_PARENT : arrays.IN_PARENT + 3])
    b = at.vector(1, vector[:, arrays.IN_CHILD : arrays.IN_CHILD + 3])
    n = cross(a, b)
    jacobian = np.concatenate([np.zeros_like(n), n, np.zeros_like(n), -n], axis=2)
    turning = cross(_cross(at.w_i, a), b) + cross(a, _cross(at.w_j, b))
    return jacobian[:, :, None, :], -_dot(turning, at.w_i - at.w_j)[:, :, None]


def _angle(at: _Displaced, vector: np.ndarray, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    on_child = table[:, arrays.ON_CHILD] == 1
    h = at.vector(0, vector[:, arrays.AXIS : arrays.AXIS + 3], on_child)
    w_h = np.where(on_child[:, None], at.w_j, at.w_i)
    bias = _dot(_cross(w_h, h), at.w_j - at.w_i)
    tilts = table[:, arrays.TILTS] == 1
    if tilts.any():
        about, turning = _tilted_angle(at, vector, on_child, w_h)
        h, bias = np.where(tilts[:, None], about, h), np.where(tilts, turning, bias)
    jacobian = np.concatenate([np.zeros_like(h), -h, np.zeros_like(h), h], axis=2)
    return jacobian[:, :, None, :], -bias[:, :, None]


def _tilted_angle(
    at: _Displaced, vector: np.ndarray, on_child: np.ndarray, carried: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Gradient and bias of an angle whose arm need not be perpendicular to its axis."""
    u = at.vector(1, vector[:, arrays.ARM : arrays.ARM + 3], on_child)
    f = at.vector(0, vector[:, arrays.ARM_ZERO : arrays.ARM_ZERO + 3], on_child)
    g = at.vector(0, vector[:, arrays.ARM_QUARTER : arrays.ARM_QUARTER + 3], on_child)
    p, q = _dot(u, g), _dot(u, f)
    square = p * p + q * q
    across = (q[:, :, None] * g - p[:, :, None] * f) / square[:, :, None]
    gradient = cross(u, across)
    spin = np.where(on_child[:, None], at.w_i, at.w_j) - carried
    moving = _cross(spin, u)
    bias = _dot(across, _cross(spin, moving)) - _dot(gradient, cross(carried, spin))
    bias -= 2.0 * _dot(gradient, spin) * (q * _dot(moving, f) + p * _dot(moving, g)) / square
    return gradient, np.where(on_child, -1.0, 1.0) * bias


def _displacement(at: _Displaced, vector: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    a = at.vector(0, vector[:, arrays.AXIS : arrays.AXIS + 3])
    s_i = at.vector(0, vector[:, arrays.MEASURE_IN_PARENT : arrays.MEASURE_IN_PARENT + 3])
    s_j = at.vector(1, vector[:, arrays.MEASURE_IN_CHILD : arrays.MEASURE_IN_CHILD + 3])
    d = at.apart + s_j - s_i
    jacobian = np.concatenate([-a, cross(a, d + s_i), a, cross(s_j, a)], axis=2)
    swing = _cross(at.w_i, a)
    bias = _dot(a, _centripetal(at.w_j, s_j) - _centripetal(at.w_i, s_i)) + _dot(_cross(at.w_i, swing), d)
    bias += 2.0 * _dot(swing, at.v + _cross(at.w_j, s_j) - _cross(at.w_i, s_i))
    return jacobian[:, :, None, :], -bias[:, :, None]


def _cross(w: np.ndarray, s: np.ndarray) -> np.ndarray:
    """w × s, w without the first axis of s."""
    return cross(np.broadcast_to(w, s.shape), s)


def _centripetal(w: np.ndarray, s: np.ndarray) -> np.ndarray:
    return _cross(w, _cross(w, s))


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a * b).sum(axis=2)
