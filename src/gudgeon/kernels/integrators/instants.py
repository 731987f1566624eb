"""What changes at instants: sampled controllers act, switches turn, rows begin or end to hold.

No step goes across an instant that is known beforehand, and one that a signal tells ends the step in which it is found.
At an instant, in this order:

    switches turn, by the clock, or because their signals have reached their values
    rows that they let go hold no more; rows that now begin to hold keep the coordinate where it is, and velocities jump
    onto them: an inelastic impact, Δv = −M⁻¹ Jᵀ λ, J v⁺ = ν, whose energy is told
    controllers that are due compute their outputs from their states, in the order in which they need each other, then
    all of them their next states
    again, while switches turn because of all that
"""

from __future__ import annotations

from math import inf

from numba import float64, int64

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    ASSIGNED_BY,
    ASSIGNED_FROM,
    ASSIGNED_LAST,
    ASSIGNED_TO,
    CROSSING_DIRECTION,
    MODEL,
    RESIDUAL,
    ROW,
    SAMPLED_COUNT,
    SAMPLED_OFFSET,
    SAMPLED_PERIOD,
    SWITCH_AT,
    SWITCH_ENERGY,
    SWITCH_OFF,
    SWITCH_ON,
    SWITCH_STATE,
    SWITCH_TURNED,
    SWITCH_UNTIL,
    SWITCHED_BY,
    SWITCHED_ONCE,
    SWITCHED_REST,
    SWITCHED_SINCE,
    SWITCHED_STATE,
    SWITCHED_UNTIL,
    WORK,
)
from gudgeon.kernels.dynamics.energy import kinetic_energy
from gudgeon.kernels.dynamics.engine import all_rows, crossing_gaps, kinematics, next_instant, signals
from gudgeon.kernels.dynamics.motion import project
from gudgeon.kernels.dynamics.state_places import first_control
from gudgeon.kernels.elements.nodes import node_energies
from gudgeon.kernels.integrators.run import (
    FLIGHT_RECORD,
    INSTANT,
    MOST_ROUNDS,
    PROJECTION_TOLERANCE,
    SWITCHING_LOSS,
    SWITCHING_OF,
    SWITCHING_STATE,
    SWITCHING_TIME,
    SWITCHINGS,
    TRIGGER,
)

EARLY = 1e-9  # of a period: instants so near to each other are one
ROUNDING = 1e-13  # of the time, or of a millisecond: the same

BEGINS = 2.0  # state of rows that begin to hold, for the moment


@inlined
def nearly(t):
    """Instants are one if they are this near to each other."""
    return ROUNDING * max(abs(t), 1e-3)


@inlined
def sample_instant(m, y, k):
    """The next instant of sampled controller k: counted, so that rounding does not add up."""
    count = y[first_control(m) + m.sampled[k, SAMPLED_COUNT]]
    return m.sampled_vector[k, SAMPLED_OFFSET] + count * m.sampled_vector[k, SAMPLED_PERIOD]


@inlined
def is_due(m, y, k, t):
    """Does sampled controller k act at t?"""
    return sample_instant(m, y, k) - t <= max(EARLY * m.sampled_vector[k, SAMPLED_PERIOD], nearly(t))


@inlined
def turning_instant(m, y, s):
    """The next instant at which switch s turns by the clock."""
    turned = y[first_control(m) + m.switch[s, SWITCH_TURNED]]
    return m.switch_vector[s, SWITCH_AT] if turned < 1.0 else m.switch_vector[s, SWITCH_UNTIL] if turned < 2.0 else inf


@addressed(float64(MODEL, WORK, VECTOR))
def next_instant_of(m, w, y):
    """The next instant at which a sampled controller acts or a switch turns by the clock; inf: none."""
    soonest = inf
    for k in range(m.sampled.shape[0]):
        soonest = min(soonest, sample_instant(m, y, k))
    for s in range(m.switch.shape[0]):
        soonest = min(soonest, turning_instant(m, y, s))
    return soonest


@inlined
def has_reached(m, f, k):
    """Has the signal of crossing k reached its value, or is this where that was found?"""
    if k < 0:
        return False
    gap = f.gaps[0, k]
    return k == f.count[TRIGGER] or (gap >= 0.0 if m.crossing[k, CROSSING_DIRECTION] > 0 else gap <= 0.0)


@inlined
def note_switching(m, f, s, t):
    """A line about switch s, which has turned; energies are added when they are known."""
    line = f.switchings[f.count[SWITCHINGS]]
    line[SWITCHING_TIME], line[SWITCHING_OF], line[SWITCHING_LOSS] = t, s, 0.0
    line[SWITCHING_STATE] = f.y[first_control(m) + m.switch[s, SWITCH_STATE]]
    f.count[SWITCHINGS] += 1


@called
def turn_switches(m, w, f, t):
    """Turn all switches that are due; says how many have turned."""
    y, first, turned = f.y, first_control(m), 0
    if f.gaps.shape[1] > 0:
        crossing_gaps(m, w, t, y, f.gaps[0])
    for s in range(m.switch.shape[0]):
        at, passed = first + m.switch[s, SWITCH_STATE], first + m.switch[s, SWITCH_TURNED]
        before = y[at]
        if turning_instant(m, y, s) - t <= nearly(t):
            y[at] = 1.0 if y[passed] < 1.0 else 0.0
            y[passed] += 1.0
        elif before == 0.0 and has_reached(m, f, m.switch[s, SWITCH_ON]):
            y[at] = 1.0
        elif before > 0.0 and has_reached(m, f, m.switch[s, SWITCH_OFF]):
            y[at] = 0.0
        if y[at] != before:
            note_switching(m, f, s, t)
            turned += 1
    f.count[TRIGGER] = -1
    return turned


@inlined
def whole_kinetic_energy(m, w, t, y):
    """Of bodies, rotors and nodes [J]."""
    kinematics(m, w, y)
    all_rows(m, w, t)
    energy = kinetic_energy(m, w)
    if m.flexible.mass.shape[0] > 0:
        energy += node_energies(m, y)[0]
    return energy


@called
def hold_rows(m, w, f, t, turned):
    """Rows begin and end to hold as the switches say, `turned` of which have just turned; velocities follow them."""
    y, first, last = f.y, first_control(m), f.count[SWITCHINGS] - 1
    begin, owner = False, int(f.switchings[last, SWITCHING_OF]) if turned > 0 else -1
    for k in range(m.switched.shape[0]):
        since, until, at = m.switched[k, SWITCHED_SINCE], m.switched[k, SWITCHED_UNTIL], m.switched[k, SWITCHED_STATE]
        holds = since < 0 or y[first + m.switch[since, SWITCH_STATE]] > 0.0
        holds = holds and (until < 0 or y[first + m.switch[until, SWITCH_STATE]] == 0.0)
        if holds and y[first + at] == 0.0 and m.switched[k, SWITCHED_ONCE] == 0:
            y[first + at] = BEGINS
            begin, owner = True, owner if owner >= 0 else until
        elif not holds:
            y[first + at] = y[first + m.switched[k, SWITCHED_REST]] = 0.0
    if not begin:
        return
    energy = whole_kinetic_energy(m, w, t, y)
    for b in range(m.block.shape[0]):
        k = m.block[b, SWITCHED_BY]
        if k >= 0 and y[first + m.switched[k, SWITCHED_STATE]] == BEGINS:
            y[first + m.switched[k, SWITCHED_STATE]] = 1.0
            y[first + m.switched[k, SWITCHED_REST]] = w.row[m.block[b, ROW], RESIDUAL]
    project(m, w, t, y, f.clock[PROJECTION_TOLERANCE])
    energy -= whole_kinetic_energy(m, w, t, y)
    if turned > 0:
        f.switchings[last, SWITCHING_LOSS] = energy
    if owner >= 0:
        y[first + m.switch[owner, SWITCH_ENERGY]] += energy


@called
def sample_controllers(m, w, f, t):
    """All sampled controllers that are due act; says how many."""
    y, first, acted = f.y, first_control(m), 0
    for k in range(m.sampled.shape[0]):
        acted += 1 if is_due(m, y, k, t) else 0
    if acted == 0:
        return 0
    kinematics(m, w, y)
    measured = False  # outputs see those before them, states all of them
    for a in range(m.assigned.shape[0]):
        last = m.assigned[a, ASSIGNED_LAST] == 1
        if is_due(m, y, m.assigned[a, ASSIGNED_BY], t):
            if not (last and measured):
                signals(m, w, t, y, m.signal.shape[0])
                measured = last
            y[first + m.assigned[a, ASSIGNED_TO]] = w.signal[m.assigned[a, ASSIGNED_FROM]]
    for k in range(m.sampled.shape[0]):
        if is_due(m, y, k, t):
            y[first + m.sampled[k, SAMPLED_COUNT]] += 1.0
    return acted


@inlined
def has_instants(m):
    """Can anything change at instants?"""
    return m.sampled.shape[0] > 0 or m.switch.shape[0] > 0 or m.switched.shape[0] > 0


@addressed(int64(MODEL, WORK, FLIGHT_RECORD, float64))
def changes_at(m, w, f, t):
    """Everything that changes at the instant t, at the state `f.y`; returns how much did."""
    changed = 0
    for round in range(MOST_ROUNDS):
        turned = turn_switches(m, w, f, t)
        if turned > 0 or round == 0:
            hold_rows(m, w, f, t, turned)
        acted = sample_controllers(m, w, f, t) if round == 0 else 0
        changed += turned + acted
        if turned + acted == 0:
            break
    if f.gaps.shape[1] > 0:
        crossing_gaps(m, w, t, f.y, f.gaps[0])
    f.clock[INSTANT] = next_instant(m, w, f.y)
    return changed
