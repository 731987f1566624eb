"""Is a contact in flight proved open between two looks at it?

The proof is a bound on the depth (elements/hidden_depth.py). It needs bounds on the motion of both bodies during the
step (dynamics/bends.py). Seen from the socket i, the point P_j of the ball j and a direction on the ball have second
derivatives of at most

    |e″| ≤ a_i + a_j + (α_i + ω_i²) e + 2 ω_i u,   a_i, a_j of the points P_i, P_j,   u = |ė|
    |h″| ≤ α_i + α_j + |ω_i × ω_j| + |ω| |ω × h|,   ω = ω_j − ω_i
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.calls import ask
from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.contact.gaps import look_at_contact, watched
from gudgeon.kernels.dynamics.arrays import (
    ANGLE,
    BALL,
    BALL_AXES,
    BEND_ACCELERATION,
    BEND_SPIN,
    BEND_SPIN_RATE,
    CHILD,
    COUPLED_MEASURE,
    CURVE_OF,
    DRY,
    ECCENTRICITY,
    FLIGHT,
    HIDDEN_FUNCTION,
    IN_BALL,
    IN_SOCKET,
    KIND,
    LUBRICATED,
    MEASURE_IN_CHILD,
    MEASURE_IN_PARENT,
    MODE,
    OMEGA,
    PARENT,
    POSITION,
    RATE_OF,
    SOCKET,
    STOP,
    STOP_IS_ANGLE,
    SUM_RATIO,
    SWING,
    TURNS_FREELY,
    VELOCITY,
)
from gudgeon.kernels.dynamics.engine import bends, kinematics
from gudgeon.kernels.elements.coupled import is_coupled
from gudgeon.kernels.elements.hidden_depth import below_chord, bend_of, gap_at
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.run import (
    AT,
    BEND,
    BEND_TURN,
    CONTACT_LOOKS,
    GAP,
    LOOK_COLUMNS,
)
from gudgeon.kernels.kinematics.rotation import rotated
from gudgeon.kernels.kinematics.vectors import dot, get, plus_times, vector_product


@inlined
def length(a):
    """|a|."""
    return sqrt(dot(a, a))


@inlined
def acceleration_at(w, b, lever):
    """The bound on the acceleration of a point of body b, at a lever from its centre of mass."""
    bend = w.bend
    return bend[b, BEND_ACCELERATION] + (bend[b, BEND_SPIN_RATE] + bend[b, BEND_SPIN] ** 2) * lever


@inlined
def bend_of_directions(w, i, j, across, h):
    """The bound on |h″| of a direction on body j as body i sees it; |ω × h| is `across` at the end of the step."""
    bend = w.bend
    rates = bend[i, BEND_SPIN_RATE] + bend[j, BEND_SPIN_RATE]
    first, second = get(w.body, i, OMEGA), get(w.body, j, OMEGA)
    spin = length(plus_times(second, -1.0, first)) + h * rates
    carried = length(vector_product(first, second))
    carried += h * (bend[i, BEND_SPIN_RATE] * spin + bend[i, BEND_SPIN] * rates)
    across = min(across + h * (rates + bend[i, BEND_SPIN] * spin), spin)
    return rates + carried + spin * across


@inlined
def bend_of_points(w, i, j, first, second, far, fast, h):
    """The bound on |e″| for points of bodies i and j at levers `first` and `second` from their centres of mass."""
    moved = acceleration_at(w, i, first) + acceleration_at(w, j, second)
    spin = w.bend[i, BEND_SPIN]
    fast += h * moved
    far += h * fast
    return moved + (w.bend[i, BEND_SPIN_RATE] + spin * spin) * far + 2.0 * spin * (fast + spin * far)


@called
def bend_of_coupling(m, w, k, h):
    """The bound on the second derivative of the sum of joint coordinates of line k."""
    total = 0.0
    for c in range(2):
        which = m.compliant[k, COUPLED_MEASURE + c]
        if which < 0:
            continue
        i, j = m.measure[which, PARENT], m.measure[which, CHILD]
        first, second = get(w.body, i, OMEGA), get(w.body, j, OMEGA)
        if m.measure[which, KIND] == ANGLE:
            bend = bend_of_directions(w, i, j, 0.0, h)
        else:
            s, r = get(m.measure_vector, which, MEASURE_IN_PARENT), get(m.measure_vector, which, MEASURE_IN_CHILD)
            p = rotated(w.body, i, m.measure_vector, which, MEASURE_IN_PARENT)
            q = rotated(w.body, j, m.measure_vector, which, MEASURE_IN_CHILD)
            e = plus_times(get(w.body, j, POSITION), -1.0, get(w.body, i, POSITION))
            e = plus_times(plus_times(e, 1.0, q), -1.0, p)
            u = plus_times(get(w.body, j, VELOCITY), 1.0, vector_product(second, q))
            u = plus_times(plus_times(u, -1.0, get(w.body, i, VELOCITY)), -1.0, vector_product(first, p))
            bend = bend_of_points(w, i, j, length(s), length(r), length(e), length(u), h)
            if m.measure[which, CURVE_OF] >= 0:  # a way along a curve, of a point beside it
                bend *= m.compliant_vector[k, SWING]
        total += abs(m.compliant_vector[k, SUM_RATIO + c]) * bend
    return total


@called
def write_bends(m, w, k, h, look):
    """The bounds of line k in flight for a step of length h, at whose end `w` holds the motion, into a look."""
    half, V = 0.5 * h * h, m.compliant_vector[k]
    look[BEND] = look[BEND_TURN] = 0.0
    if is_coupled(m, k):
        look[BEND] = half * bend_of_coupling(m, w, k, h)
        return
    i, j = m.compliant[k, SOCKET], m.compliant[k, BALL]
    first, second = length(get(m.compliant_vector, k, IN_SOCKET)), length(get(m.compliant_vector, k, IN_BALL))
    if m.compliant[k, KIND] in (DRY, LUBRICATED):  # its gap is the distance of two points
        look[BEND] = half * (acceleration_at(w, i, first) + acceleration_at(w, j, second))
        return
    if not (m.compliant[k, KIND] == STOP and V[STOP_IS_ANGLE] > 0.0):
        far, fast = length(get(w.local, k, ECCENTRICITY)), length(get(w.local, k, RATE_OF))
        fast += length(get(w.body, i, OMEGA)) * far
        look[BEND] = half * bend_of_points(w, i, j, first, second, far, fast, h)
    if V[SWING] > 0.0 or m.compliant[k, HIDDEN_FUNCTION] != 0:
        turning = plus_times(get(w.body, j, OMEGA), -1.0, get(w.body, i, OMEGA))
        across = length(turning)
        if m.compliant[k, TURNS_FREELY] == 1:
            across = length(vector_product(turning, rotated(w.body, j, m.compliant_vector, k, BALL_AXES + 6)))
        look[BEND_TURN] = half * bend_of_directions(w, i, j, across, h)


@inlined
def hidden_depth(m, w, k, first, second, share):
    """A bound on the depth of line k between two looks that are a share of the step apart; 0: it stays open."""
    address = m.compliant[k, HIDDEN_FUNCTION]
    if address == 0:
        return below_chord(gap_at(first), gap_at(second), bend_of(first, m.compliant_vector[k, SWING], share))
    return ask(address, (m, w, k, first, second, share))


@called
def bound_motion(m, w, f, h):
    """Bounds for all contacts in flight, after the look at the end of a step of length h; `hardest` is known."""
    bends(m, w, f.y_new, f.hardest, h)
    for k in range(m.compliant.shape[0]):
        if watched(m, k) and w.contact[k, MODE] == FLIGHT:
            write_bends(m, w, k, h, f.looks[CONTACT_LOOKS, k])


@inlined
def stays_open(m, w, f, k):
    """Is contact k, in flight, proved open from the first to the last look at the step?"""
    first, second = f.looks[0, k], f.looks[CONTACT_LOOKS, k]
    first[BEND], first[BEND_TURN] = second[BEND], second[BEND_TURN]
    return second[GAP] <= 0.0 and hidden_depth(m, w, k, first, second, 1.0) <= 0.0


@inlined
def look_at_one(m, w, f, k, x, look):
    """A look at contact k alone at the fraction x of the last step."""
    evaluate_dense(f.y, f.dense, x, f.y_stage)
    kinematics(m, w, f.y_stage)
    look_at_contact(m, w, k, f.y_stage, look)
    look[AT] = x


@inlined
def copy_look(source, target):
    """target = source."""
    for c in range(LOOK_COLUMNS):
        target[c] = source[c]
