"""Bounds on the motion of bodies during a step, from bounds on the accelerations of its state.

`Flight.hardest` bounds the rates of all velocities in y. From it follow, for every body and every carrier on nodes, in
world axes and for the whole step,

    a ≥ |v̇| of the centre of mass,   α ≥ |ω̇|,   ω ≥ |ω|, at most |ω| at the end of the step plus h α

In relative coordinates they are summed from the ground outwards, with ρ the arm from joint to joint and c that from the
joint to the centre of mass:

    α = α_inner + |θ̈| + ω_inner |θ̇|,   a_C = a_inner + (α_inner + ω_inner²) ρ + |ẍ| + 2 ω |ẋ|,   a = a_C + (α + ω²) c
"""

from __future__ import annotations

from math import sqrt

from numba import float64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    BALL_TURN,
    BEND_ACCELERATION,
    BEND_POINT,
    BEND_SPIN,
    BEND_SPIN_RATE,
    FREEDOMS,
    LINK_ARM,
    LINK_CENTRE,
    MODEL,
    OMEGA,
    OUTER_SLIDE,
    POSITIONS,
    SLIDES,
    TREE_BODY,
    TREE_PARENT,
    TREE_VELOCITY,
    TURNS,
    WORK,
)
from gudgeon.kernels.dynamics.state_places import twist_at
from gudgeon.kernels.elements.flexible_arrays import FIRST_CARRY, FOLLOWER_BODY, LAST_CARRY
from gudgeon.kernels.kinematics.vectors import dot, get


@inlined
def length(a):
    """|a|."""
    return sqrt(dot(a, a))


@inlined
def spin_of(w, b, h):
    """The bound on |ω| of body b, whose |ω̇| is bounded, from its motion at the end of a step of length h."""
    return length(get(w.body, b, OMEGA)) + h * w.bend[b, BEND_SPIN_RATE]


@inlined
def bends_of_carriers(m, w, hardest):
    """The bounds of carriers, and of the bodies that follow nodes."""
    s, first = m.flexible, m.body.shape[0]
    most = 0.0
    for c in range(s.carrier.shape[0]):
        total = 0.0
        for i in range(s.carrier[c, FIRST_CARRY], s.carrier[c, LAST_CARRY]):
            at = s.place[1] + 2 * s.carry[i]
            total += abs(s.carry_weight[i]) * sqrt(hardest[at] ** 2 + hardest[at + 1] ** 2)
        w.bend[first + c, BEND_ACCELERATION] = total
        w.bend[first + c, BEND_SPIN] = w.bend[first + c, BEND_SPIN_RATE] = 0.0
        most = max(most, total)
    for f in range(s.follower.shape[0] if m.tree.shape[0] > 0 else 0):
        w.bend[s.follower[f, FOLLOWER_BODY], BEND_ACCELERATION] = most


@addressed(void(MODEL, WORK, VECTOR, VECTOR, float64))
def bends_of_bodies(m, w, y, hardest, h):
    """The bounds of all bodies where bodies are the state, for a step of length h that ends with the motion in `w`."""
    for b in range(1, m.body.shape[0]):
        v = twist_at(m, b)
        w.bend[b, BEND_ACCELERATION] = length((hardest[v], hardest[v + 1], hardest[v + 2]))
        w.bend[b, BEND_SPIN_RATE] = length((hardest[v + 3], hardest[v + 4], hardest[v + 5]))
        w.bend[b, BEND_SPIN] = spin_of(w, b, h)
    if w.body.shape[0] > m.body.shape[0]:
        bends_of_carriers(m, w, hardest)


@addressed(void(MODEL, WORK, VECTOR, VECTOR, float64))
def bends_of_tree(m, w, y, hardest, h):
    """The same in relative coordinates, link by link from the ground outwards; y is the state at the end."""
    bend, first = w.bend, m.layout[POSITIONS]
    for k in range(1, m.tree.shape[0]):
        b, p, v = m.tree[k, TREE_BODY], m.tree[k, TREE_PARENT], first + m.tree[k, TREE_VELOCITY]
        i, slides = m.tree[p, TREE_BODY], m.tree[k, SLIDES]
        slid = sliding = turned = turning = 0.0  # bounds on |ẍ|, |ẋ|, |θ̈|, |θ̇|
        for s in range(slides):
            slid, sliding = slid + hardest[v + s], sliding + abs(y[v + s]) + h * hardest[v + s]
        for s in range(slides, m.tree[k, FREEDOMS]):
            speed = abs(y[v + s]) + h * hardest[v + s]
            turned += hardest[v + s]
            if m.tree[k, TURNS] != BALL_TURN:
                turned += turning * speed  # the second axis turns about the first
            turning += speed
        bend[b, BEND_SPIN_RATE] = bend[i, BEND_SPIN_RATE] + turned + bend[i, BEND_SPIN] * turning
        bend[b, BEND_SPIN] = spin_of(w, b, h)
        outer = m.tree[k, OUTER_SLIDE] == 1
        swing = bend[i, BEND_SPIN_RATE] + bend[i, BEND_SPIN] ** 2
        arm = length(get(w.link, k, LINK_ARM)) + (0.0 if outer else h * sliding)
        spin = bend[b, BEND_SPIN] if outer else bend[i, BEND_SPIN]
        point = bend[i, BEND_POINT] + swing * arm + slid + 2.0 * spin * sliding
        bend[b, BEND_POINT] = point
        centre = length(get(w.link, k, LINK_CENTRE)) + (h * sliding if outer else 0.0)
        own = bend[b, BEND_SPIN_RATE] + bend[b, BEND_SPIN] ** 2
        bend[b, BEND_ACCELERATION] = point + own * centre
    if w.body.shape[0] > m.body.shape[0]:
        bends_of_carriers(m, w, hardest)
