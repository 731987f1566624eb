"""How deep a contact may be between two looks at which it is open: bounds that elements share.

Between two looks an interval H apart the pose leaves the straight way from one to the other by at most ½ M s (1 − s) H²
(s from 0 to 1, M the bound on its second derivative). With B = ½ M H² and the gaps a, b at both ends

    convex depth       −δ ≥ (1 − s) a + s b − B s (1 − s) > 0    where √a + √b > √B
    any other          −δ ≥ (a + b − moved − B)/2                where |∇δ| ≤ 1 and `moved` is the straight way

Two convex bodies are apart where a plane is between them. The gap across a plane that stays is a case of the first.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.integrators.run import BEND, BEND_TURN, GAP, POSE

HIDDEN = 1e-4  # depth that may stay hidden, of the clearance
FINE = 0.02  # way between two looks at which slopes tell the rest, of the size of what touches


@inlined
def below_chord(a, b, bend):
    """The most that a convex depth can be above zero between gaps a and b; 0: it cannot."""
    if sqrt(a) + sqrt(b) >= sqrt(bend):
        return 0.0
    short = bend - a - b
    return (short * short - 4.0 * a * b) / (4.0 * bend)


@inlined
def gap_at(look):
    """The gap of a look, not below zero."""
    return max(-look[GAP], 0.0)


@inlined
def bend_of(look, lever, share):
    """B for a share of the step, of points at a lever from the joint's point."""
    return (look[BEND] + lever * look[BEND_TURN]) * share * share


@inlined
def placed(look, at):
    """The vector of a look's pose that begins at `at`."""
    return look[POSE + at], look[POSE + at + 1], look[POSE + at + 2]
