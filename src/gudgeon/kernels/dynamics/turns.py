"""Angles whose full turns are counted, and ways along curves whose rounds are: states of their own."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import ANGLE, KIND
from gudgeon.kernels.dynamics.state_places import first_turn
from gudgeon.kernels.kinematics.measures import measure, nearest_turn, rate_of_measure


@inlined
def turn_rates(m, w, y_rate):
    """The rates of the counted angles."""
    for k in range(m.turn.shape[0]):
        y_rate[first_turn(m) + k] = rate_of_measure(m, w, m.turn[k])


@inlined
def start_turns(m, w, y):
    """Set the counted angles to the angles of the pose held in `w`."""
    for k in range(m.turn.shape[0]):
        if m.measure[m.turn[k], KIND] == ANGLE:
            y[first_turn(m) + k] = measure(m, w, m.turn[k])[0]


@called
def start_turns_near(m, w, y):
    """Set the counted angles to those of the pose held in `w`, with as many full turns as they have."""
    for k in range(m.turn.shape[0]):
        if m.measure[m.turn[k], KIND] == ANGLE:
            at = first_turn(m) + k
            y[at] = nearest_turn(measure(m, w, m.turn[k])[0], y[at])
