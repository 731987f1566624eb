"""What Python asks of a state: its rate, its rows, the way back onto the constraints. In every formulation."""

from __future__ import annotations

from numba import float64, void

from gudgeon.kernels.build.compiled import entrance, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import ACCELERATION, FREE_ACCELERATION, MODEL, OWN_AXES, POSITIONS, WORK
from gudgeon.kernels.dynamics.engine import (
    move_onto_constraints,
    prepare,
    state_rate,
)
from gudgeon.kernels.dynamics.state_places import twist_at
from gudgeon.kernels.dynamics.turns import start_turns
from gudgeon.kernels.elements.coupled import settle_coupled
from gudgeon.kernels.kinematics.rotation import in_own_axes


@inlined
def velocity_rates(m, w, rate):
    """The rates of the velocities, from the accelerations held in `w`."""
    first, count = m.layout[POSITIONS], 6 * (m.body.shape[0] - 1)
    if m.tree.shape[0] > 0:
        count = w.freedom.shape[0]
        for d in range(count):
            rate[first + d] = w.freedom[d, FREE_ACCELERATION]
    for b in range(1, m.body.shape[0] if m.tree.shape[0] == 0 else 1):
        v = twist_at(m, b)
        for c in range(6):
            rate[v + c] = w.body[b, ACCELERATION + c]
        if m.settings[OWN_AXES]:  # d(Rᵀω)/dt = Rᵀω̇
            rate[v + 3], rate[v + 4], rate[v + 5] = in_own_axes(w.body, b, rate[v + 3], rate[v + 4], rate[v + 5])
    for d in range(m.velocity.shape[0] - count):  # nodes, where they are coordinates like others
        rate[first + count + d] = w.flexible.acceleration[d]


@entrance(void(MODEL, WORK, float64, VECTOR, VECTOR))
def right_hand_side(m, w, t, y, y_rate):
    """ẏ of the state y, for Python."""
    state_rate(m, w, t, y, y_rate)


@entrance(float64(MODEL, WORK, float64, VECTOR))
def prepare_rows(m, w, t, y):
    """Rows of a state and what is needed to solve for their multipliers; returns the largest residual."""
    return prepare(m, w, t, y)


@entrance(void(MODEL, WORK, float64, VECTOR, float64))
def project(m, w, t, y, tolerance):
    """Move the state onto the constraints: positions by Newton's method, then velocities; mass-weighted."""
    if w.row.shape[0] > 0:
        move_onto_constraints(m, w, t, y, tolerance)


@entrance(void(MODEL, WORK, float64, VECTOR))
def begin(m, w, t, y):
    """Rows of the state a run starts from, and its counted angles."""
    prepare(m, w, t, y)
    start_turns(m, w, y)
    settle_coupled(m, w, y)
