"""Linearised random mechanisms against differences of another formulation's accelerations."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon.analysis.assemble import body_states
from gudgeon.analysis.joint_motion import joint_motion
from gudgeon.analysis.small_motion.about import state_of
from gudgeon.analysis.small_motion.chart import Chart, SingularPosition
from gudgeon.analysis.small_motion.selection import independent_coordinates
from gudgeon.kernels.dynamics.arrays import ANGLE, KIND, RATE, RESIDUAL
from gudgeon.mechanics.displacement import displace
from gudgeon.rotations import turn_of, turned
from random_mechanisms import MADE_TO_FIT, mechanisms
from reference_dynamics import Reference

STEP = 1e-4


def twist_between(base, y, body_count):
    """The twist that displaces the bodies of the state `base` to those of y."""
    before, after = (state[: 7 * body_count].reshape(-1, 7) for state in (base, y))
    out = np.zeros((body_count, 6))
    out[:, :3] = after[:, :3] - before[:, :3]
    turned = Rotation.from_quat(after[:, 3:], scalar_first=True)
    out[:, 3:] = (turned * Rotation.from_quat(before[:, 3:], scalar_first=True).inv()).as_rotvec()
    return out.reshape(-1)


class Difference:
    """Second derivatives of the coordinates' disturbances, from the accelerations of `Reference`."""

    def __init__(self, system: gd.System):
        self.rows, self.y, _ = state_of(system, None, None)
        self.system = system
        self.chart = Chart(self.rows, self.y, independent_coordinates(self.rows, self.y))
        self.undisturbed = self.accelerations(self.y)
        self.undisturbed_coordinates = self.second_rates(self.y, self.undisturbed)

    def accelerations(self, y):
        return Reference(self.system, body_states(self.system, y)).accelerations

    def second_rates(self, y, accelerations):
        """z̈ of the state y under these accelerations of the bodies."""
        self.rows.at(y)
        gradients, biases = self.chart.coordinates.motion(self.rows.equations)
        return gradients @ accelerations + biases

    def matrix(self):
        """Φ_q over ζ_q of the rows last evaluated."""
        rows = self.rows.equations.jacobian()
        return np.vstack([rows, self.chart.coordinates.motion(self.rows.equations)[0]])

    def values(self, y):
        """The coordinates in the state y."""
        known, out = self.chart.coordinates, np.zeros(self.chart.coordinates.count)
        self.rows.at(y)
        out[known.measured] = joint_motion(self.rows.equations, known.table, known.vectors).value
        out[known.direct] = known.weights @ twist_between(self.y, y, self.rows.body_count)
        return out

    def state(self, z, rates):
        """The state displaced by z, with rates of z beyond those of the state: Newton's method on rows and z."""
        rows, known, n = self.rows, self.chart.coordinates, self.rows.body_count
        moving, first = slice(7 * n, 13 * n), self.values(self.y)
        angles = known.measured[known.table[:, KIND] == ANGLE]
        y = self.y.copy()
        for _ in range(6):
            misfit = self.values(y) - first - z
            misfit[angles] -= 2.0 * np.pi * np.round(misfit[angles] / (2.0 * np.pi))
            displace(y, -np.linalg.pinv(self.matrix(), rcond=1e-8) @ np.concatenate([rows.column(RESIDUAL), misfit]))
        turns = twist_between(self.y, y, n).reshape(n, 6)[:, 3:]
        following = self.y[moving].reshape(n, 6).copy()
        following[:, 3:] = turned(turn_of(turns), following[:, 3:])
        target = self.chart.coordinate_rates + rates
        target[known.direct] = rates[known.direct] + known.weights @ following.reshape(-1)
        for _ in range(2):
            rows.at(y)
            missing = known.motion(rows.equations)[0] @ y[moving] - target
            y[moving] -= np.linalg.pinv(self.matrix(), rcond=1e-8) @ np.concatenate([rows.column(RATE), missing])
        rows.at(y)
        return y

    def second_derivatives(self, z, rates):
        """δz̈ of a disturbed state, by the definitions of joint and body coordinates."""
        n, coordinates = self.rows.body_count, self.chart.coordinates
        y = self.state(z, rates)
        found = self.accelerations(y)
        out = self.second_rates(y, found) - self.undisturbed_coordinates
        # bodies: ω̇ = δz̈ + ω̇₀ + z × ω̇₀ + ż × ω₀
        turns = twist_between(self.y, y, n).reshape(n, 6)[:, 3:]
        before, now = self.y[7 * n : 13 * n].reshape(n, 6), y[7 * n : 13 * n].reshape(n, 6)
        rest = (found - self.undisturbed).reshape(n, 6)
        spin_rate = self.undisturbed.reshape(n, 6)[:, 3:]
        turning = now[:, 3:] - turned(turn_of(turns), before[:, 3:])
        rest[:, 3:] -= np.cross(turns, spin_rate) + np.cross(turning, before[:, 3:])
        out[coordinates.direct] = coordinates.weights @ rest.reshape(-1)
        return out

    def along(self, z, rates):
        later, sooner = (self.second_derivatives(s * STEP * z, s * STEP * rates) for s in (1.0, -1.0))
        return (later - sooner) / (2.0 * STEP)


@MADE_TO_FIT
@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(mechanisms(bodies=4, loops=1), st.integers(0, 2**32 - 1))
def test_linearized_random_mechanisms(system, seed):
    """−M⁻¹ (K z + C ż) along random directions: all joint types, loops, loads, drives, moving states.

    Differences of fast motions are good for three digits.
    """
    rng = np.random.default_rng(seed)
    try:
        assume(gd.assemble(system).degrees_of_freedom > 0)
        small = gd.linearize(system)
    except (SingularPosition, gd.ModelError) as error:
        assert isinstance(error, SingularPosition) or "no velocities satisfy" in str(error), error
        assume(False)
        return
    reference = Difference(system)
    assert small.coordinates == reference.chart.coordinates.names
    z, rates = rng.normal(size=(2, small.freedoms))
    expected = reference.along(z, rates)
    found = -np.linalg.solve(small.mass, small.stiffness @ z + small.damping @ rates)
    assert np.abs(found - expected).max() <= 1e-3 * (1.0 + np.abs(expected).max())


def test_poses():
    """A twist takes one state to another and is found from the two."""
    rng = np.random.default_rng(0)
    y = np.zeros(14)
    y[[3, 10]] = 1.0
    displace(y, rng.normal(size=12))
    before, twist = y.copy(), rng.uniform(-1, 1, 12)
    displace(y, twist)
    assert np.abs(twist_between(before, y, 2) - twist).max() < 1e-14
