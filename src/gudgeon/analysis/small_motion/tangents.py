"""Exact derivatives of rows and forces of a mechanism by displacement and velocity of its bodies, sparse.

Bodies are displaced by twists ξ (6 bodies: translation, world rotation vector) and have velocities v; every element
knows its two bodies only, so that all matrices are sums of 12 × 12 blocks. Where bodies are flexible, ξ and v have
displacements and velocities of nodes after those of the bodies (node_motion.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from gudgeon.analysis.joint_motion import joint_motion
from gudgeon.analysis.small_motion.coupled_slopes import coupled_tangents
from gudgeon.analysis.small_motion.joint_slopes import JointSlopes
from gudgeon.analysis.small_motion.load_slopes import measured_lines, slopes_of_loads
from gudgeon.analysis.small_motion.pairs import Pairs, constraint_pairs, measure_pairs, spring_pairs
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.node_motion import NodeMotion
from gudgeon.rotations import skew


class ForceTangents(NamedTuple):
    """Of the applied forces Q (with the gyroscopic torques) of all bodies."""

    by_displacement: csr_array  # ∂Q/∂ξ (6 bodies, 6 bodies)
    by_velocity: csr_array  # ∂Q/∂v


class RowTangents:
    """Derivatives of constraint rows, or of joint coordinates, in the motion last evaluated."""

    def __init__(self, pairs: list[Pairs], row_count: int, nodes: NodeMotion):
        self._pairs, self._rows, self._nodes = pairs, row_count, nodes

    @classmethod
    def of_constraints(cls, equations: Equations) -> RowTangents:
        """The rows of all joints and drives, then those of ideal pins at nodes."""
        count = len(equations.joint_rows) + len(equations.node_rows)
        return cls(constraint_pairs(equations), count, equations.nodes)

    def rates(self, velocity: np.ndarray) -> csr_array:
        """∂(J v)/∂ξ."""
        return self._gathered(np.einsum("krcd,kc->krd", p.curvature, p.velocities(velocity)) for p in self._pairs)

    def accelerations(self, acceleration: np.ndarray) -> csr_array:
        """∂(J v̇ − γ)/∂ξ."""
        return self._gathered(
            np.einsum("krcd,kc->krd", p.curvature, p.velocities(acceleration)) - p.gamma_slope for p in self._pairs
        )

    def accelerations_by_velocity(self, velocity: np.ndarray) -> csr_array:
        """−∂γ/∂v."""
        return self._gathered(
            np.einsum("krcd,kd->krc", p.curvature, p.velocities(velocity))
            + np.einsum("krcd,kc->krd", p.curvature, p.velocities(velocity))
            for p in self._pairs
        )

    def forces(self, multipliers: np.ndarray) -> csr_array:
        """∂(Jᵀ λ)/∂ξ: the stiffness of the reactions."""
        blocks = [np.einsum("krcd,kr->kcd", p.curvature, multipliers[p.row]) for p in self._pairs]
        parts = [(p.first, p.second, block) for p, block in zip(self._pairs, blocks, strict=True)]
        return self._nodes.both(scattered(parts, self._nodes.line_count))

    def _gathered(self, values) -> csr_array:
        """Rows of 12 numbers to their places: (rows, 6 bodies and nodes)."""
        parts = (
            (pairs.row[:, :, None], _columns(pairs.first, pairs.second)[:, None, :], value)
            for pairs, value in zip(self._pairs, values, strict=True)
        )
        return self._nodes.rows(_summed(parts, (self._rows, 6 * self._nodes.line_count)))


def _columns(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """(pairs, 12) places of the twists of two bodies; those of the ground are negative."""
    return np.concatenate([6 * (b[:, None] - 1) + np.arange(6) for b in (first, second)], axis=1)


def scattered(parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]], body_count: int) -> csr_array:
    """The sum of 12 × 12 blocks of pairs of bodies (first, second, blocks): (6 bodies, 6 bodies)."""
    placed = []
    for first, second, blocks in parts:
        columns = _columns(first, second)
        placed.append((columns[:, :, None], columns[:, None, :], blocks))
    return _summed(placed, (6 * body_count, 6 * body_count))


def _summed(parts: Iterable[tuple[np.ndarray, np.ndarray, np.ndarray]], shape: tuple[int, int]) -> csr_array:
    """The sum of numbers at rows and columns; negative places, of the ground, are left out."""
    entries, places = [np.zeros(0)], [np.zeros((2, 0), dtype=np.int64)]
    for row, column, values in parts:
        row, column = np.broadcast_to(row, values.shape), np.broadcast_to(column, values.shape)
        taken = (row >= 0) & (column >= 0)
        entries.append(values[taken])
        places.append(np.array([row[taken], column[taken]]))
    return csr_array((np.concatenate(entries), tuple(np.hstack(places))), shape=shape)


def force_tangents(equations: Equations, time: float, y: np.ndarray, slopes: JointSlopes) -> ForceTangents:
    """The derivatives of gyroscopic torques, loads and compliant joints in the motion last evaluated."""
    measured = measured_lines(equations)
    parts = [_gyroscopic(equations), *_loads(equations, time, y, measured), slopes.on_bodies()]
    if slopes.friction is not None:
        parts += slopes.friction.parts(equations, velocities(equations.work.body))
    nodes = equations.nodes
    found = [scattered([(i, j, both[c]) for i, j, *both in parts], nodes.line_count) for c in (0, 1)]
    of_sums = coupled_tangents(equations, velocities(equations.work.body), nodes.line_count)
    if of_sums is not None:
        found = [matrix + part for matrix, part in zip(found, of_sums, strict=True)]
    if len(measured):
        body = equations.work.body.copy()
        more = [csr_array(part) for part in slopes_of_loads(equations, time, y, measured, slopes.size)]
        equations.work.body[:] = body
        for part, matrix in zip(more, found, strict=True):
            part.resize(matrix.shape)
        found = [matrix + part for matrix, part in zip(found, more, strict=True)]
    return ForceTangents(*(nodes.elastic(of, part) for of, part in zip(found, ("stiffness", "damping"), strict=True)))


def inertia_tangent(equations: Equations, acceleration: np.ndarray) -> csr_array:
    """∂(M v̇)/∂ξ at fixed accelerations (bodies with the ground, 6)."""
    tensor, bodies = _world_inertia(equations), np.arange(1, len(equations.model.body))
    alpha = acceleration[1 : 1 + len(bodies), 3:]
    block = np.zeros((len(bodies), 12, 12))
    block[:, 9:, 9:] = tensor @ skew(alpha) - skew((tensor @ alpha[:, :, None])[:, :, 0])
    nodes = equations.nodes
    return nodes.both(scattered([(np.zeros_like(bodies), bodies, block)], nodes.line_count))


def _world_inertia(equations: Equations) -> np.ndarray:
    last = len(equations.model.body)
    rotation = equations.work.body[1:last, arrays.ROTATION : arrays.ROTATION + 9].reshape(-1, 3, 3)
    inertia = equations.model.body[1:, arrays.INERTIA : arrays.INERTIA + 9].reshape(-1, 3, 3)
    return rotation @ inertia @ rotation.transpose(0, 2, 1)


Part = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # bodies i and j, (K, 12, 12) by ξ and by velocity


def _gyroscopic(equations: Equations) -> Part:
    """−ω×Jω of every body; it is the second of its pair, the ground the first."""
    tensor, bodies = _world_inertia(equations), np.arange(1, len(equations.model.body))
    omega = equations.work.body[1 : 1 + len(bodies), arrays.OMEGA : arrays.OMEGA + 3]
    momentum = (tensor @ omega[:, :, None])[:, :, 0]
    turning = tensor @ skew(omega) - skew(momentum)  # of the momentum, by θ
    by_twist, by_velocity = np.zeros((2, len(bodies), 12, 12))
    by_twist[:, 9:, 9:] = -skew(omega) @ turning
    by_velocity[:, 9:, 9:] = skew(momentum) - skew(omega) @ tensor
    return np.zeros_like(bodies), bodies, by_twist, by_velocity


def _loads(equations: Equations, time: float, y: np.ndarray, measured: np.ndarray) -> list[Part]:
    """Of all loads but those `measured`, whose coefficients change with the motion."""
    model, work = equations.model, equations.work
    kinds = model.load[:, arrays.KIND].copy()
    kinds[measured] = arrays.NO_LOAD
    first = model.load[:, arrays.LOAD_PROGRAM]
    values = equations.values_of((first[:, None] + np.arange(3)).reshape(-1), time).reshape(-1, 3)
    velocity = velocities(work.body)
    parts = []
    lines = np.flatnonzero(kinds == arrays.SPRING)
    if len(lines):
        pairs, length = spring_pairs(equations, lines)
        parts.append(spring_tangents(pairs, length, values[lines], velocity, collapsed=length == 0.0))
    lines = np.flatnonzero(kinds == arrays.JOINT_SPRING)
    which = model.load[lines, arrays.LOAD_MEASURE]
    for pairs in measure_pairs(equations, model.measure[which], model.measure_vector[which], lines):
        own = pairs.row[:, 0]
        parts.append(spring_tangents(pairs, _joint_spring_values(equations, own, y), values[own], velocity))
    lines = np.flatnonzero((kinds == arrays.FORCE) | (kinds == arrays.TORQUE))
    if len(lines):
        parts.append(_pushes(equations, lines, values[lines]))
    return parts


def _joint_spring_values(equations: Equations, lines: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The coordinates of joint springs, loads `lines`, turns counted."""
    model = equations.model
    which, turn = model.load[lines, arrays.LOAD_MEASURE], model.load[lines, arrays.LOAD_TURN]
    values = joint_motion(equations, model.measure[which], model.measure_vector[which]).value
    counted = np.where(
        turn >= 0, y[equations.layout.turns.start + np.maximum(turn, 0)] if len(model.turn) else values, values
    )
    return values + 2.0 * np.pi * np.round((counted - values) / (2.0 * np.pi))


def spring_tangents(
    pairs: Pairs,
    value: np.ndarray,
    coefficients: np.ndarray,
    velocity: np.ndarray,
    collapsed: np.ndarray | bool = False,
) -> Part:
    """−Jᵀ (k (x − x₀) + c J v) of scalar coordinates x; k, c and x₀ in the columns of `coefficients`."""
    J, T, u = pairs.jacobian[:, 0], pairs.curvature[:, 0], pairs.velocities(velocity)
    stiffness, damping, free = coefficients.T
    effort = stiffness * (value - free) + damping * np.einsum("kc,kc->k", J, u)
    outer = np.einsum("kc,kd->kcd", J, J)
    rate = np.einsum("kcd,kc->kd", T, u)
    by_twist = stiffness[:, None, None] * outer + damping[:, None, None] * np.einsum("kc,kd->kcd", J, rate)
    by_twist += np.where(collapsed, stiffness, effort)[:, None, None] * T
    return pairs.first, pairs.second, -by_twist, -damping[:, None, None] * outer


def _pushes(equations: Equations, lines: np.ndarray, values: np.ndarray) -> Part:
    """Forces at points of bodies and torques, in world axes or in those of the body."""
    model, body = equations.model, equations.work.body
    load, bodies = model.load[lines], model.load[lines, arrays.FIRST]
    rotation = body[bodies, arrays.ROTATION : arrays.ROTATION + 9].reshape(-1, 3, 3)
    arm = (rotation @ model.load_vector[lines, arrays.IN_FIRST : arrays.IN_FIRST + 3, None])[:, :, 0]
    follows = (load[:, arrays.BODY_AXES] == 1)[:, None, None]
    value = np.where(follows[:, 0], (rotation @ values[:, :, None])[:, :, 0], values)
    turned = np.where(follows, -skew(value), 0.0)  # of the force or torque, by θ
    is_force = (load[:, arrays.KIND] == arrays.FORCE)[:, None, None]
    by_twist = np.zeros((len(lines), 12, 12))
    by_twist[:, 6:9, 9:] = np.where(is_force, turned, 0.0)
    by_twist[:, 9:, 9:] = np.where(is_force, skew(value) @ skew(arm) + skew(arm) @ turned, turned)
    return np.zeros_like(bodies), bodies, by_twist, np.zeros_like(by_twist)


def velocities(body: np.ndarray) -> np.ndarray:
    """(bodies with the ground, 6) velocities held in `body` (Work.body)."""
    return np.hstack([body[:, arrays.VELOCITY : arrays.VELOCITY + 3], body[:, arrays.OMEGA : arrays.OMEGA + 3]])
