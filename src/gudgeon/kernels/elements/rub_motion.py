"""How the surfaces of an ideal joint slide, and on which bodies an effort along that acts.

A direction of sliding is a sum of joint coordinates, s = Σ w ẋ (a bearing: s = r θ̇; a rod that turns and slides: both;
a thread: along its helix), so that an effort f acts as w f along each of them; or, of a ball of radius r, s = r ω in
the axes of the parent.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.dynamics.arrays import (
    BRISTLE,
    BRISTLES,
    ECCENTRICITY,
    FORCE_ON_BALL,
    OMEGA,
    OMEGA_BALL,
    OMEGA_SOCKET,
    RATE_OF,
    ROTATION,
    RUB,
    RUB_ENDS,
    RUB_MEASURES,
    RUB_RADIUS,
    RUB_SLIDES,
    RUB_WEIGHTS,
)
from gudgeon.kernels.kinematics.measures import measure


@called
def motion_of_rub(m, w, k, y):
    """Speeds of sliding of line k into `w.local[k]`, and what unit efforts push, from the kinematics held in `w`."""
    push, x, slides = w.rubbing.push[m.compliant[k, RUB]], w.local[k], m.compliant[k, RUB_SLIDES]
    for c in range(3):
        x[ECCENTRICITY + c] = x[RATE_OF + c] = x[OMEGA_SOCKET + c] = x[OMEGA_BALL + c] = 0.0
        if m.compliant[k, BRISTLE] >= 0:
            x[BRISTLES + c] = y[m.compliant[k, BRISTLE] + c]
        for e in range(24):
            push[c, e] = 0.0
    if m.compliant[k, RUB_MEASURES] < 0:
        i, j, radius = m.compliant[k, RUB_ENDS], m.compliant[k, RUB_ENDS + 1], m.compliant_vector[k, RUB_RADIUS]
        for c in range(3):
            for e in range(3):
                axis = radius * w.body[i, ROTATION + 3 * e + c]
                push[c, 3 + e], push[c, 9 + e] = -axis, axis
                x[RATE_OF + c] += axis * (w.body[j, OMEGA + e] - w.body[i, OMEGA + e])
        return
    for which in range(2):
        if m.compliant[k, RUB_MEASURES + which] >= 0:
            _, rate, _ = measure(m, w, m.compliant[k, RUB_MEASURES + which])
            for c in range(slides):
                weight = m.compliant_vector[k, RUB_WEIGHTS + 2 * c + which]
                x[RATE_OF + c] += weight * rate
                for e in range(12):
                    push[c, 12 * which + e] = weight * w.gradient[e]


@inlined
def add_rub_push(m, w, k, c, effort, at):
    """Add an effort of line k along its direction c to the forces in the columns from `at` on of its bodies."""
    push = w.rubbing.push[m.compliant[k, RUB], c]
    for end in range(4):
        b = m.compliant[k, RUB_ENDS + end]
        if b > 0:
            for e in range(6):
                w.body[b, at + e] += effort * push[6 * end + e]


@called
def push_by_rub(m, w, k, at):
    """Add the efforts in line k of `force` to the forces in the columns from `at` on of its bodies."""
    for c in range(m.compliant[k, RUB_SLIDES]):
        add_rub_push(m, w, k, c, w.force[k, FORCE_ON_BALL + c], at)


@inlined
def along_rub(m, w, k, c, at):
    """The rate of sliding of line k along its direction c that belongs to what bodies have in the columns from `at`."""
    push, rate = w.rubbing.push[m.compliant[k, RUB], c], 0.0
    for end in range(4):
        b = m.compliant[k, RUB_ENDS + end]
        if b > 0:
            for e in range(6):
                rate += push[6 * end + e] * w.body[b, at + e]
    return rate
