"""Kinematics in relative coordinates: from the ground outwards, link by link.

A link is a body with the joint that carries it. Its inner body is nearer to the ground; C is the joint's point of the
link, P the joint's point of the inner body. A joint has up to three slides and up to three turns:

    C = P + Σ a x                     a fixed in the inner body
    R = R_inner · turn(θ)             one axis, two axes (the second fixed in the link), or a quaternion
    v_C = v_inner(C) + Σ a ẋ,   ω = ω_inner + Σ h θ̇

and at acceleration level, with ρ = C − C_inner, in terms of what the inner link does:

    a_C = a_inner + α_inner × ρ + Σ a ẍ + ω_inner × (ω_inner × ρ) + 2 ω_inner × Σ a ẋ
    α = α_inner + Σ h θ̈ + Σ ḣ θ̇

Where the slide is fixed in the link (a two-angle joint with translation met from its child), C is the point of the
link that is at P, and 2 ω × Σ a ẋ takes the link's own ω.
Angular velocities of balls have components in the inner body's axes.
"""

from __future__ import annotations

from math import cos, sin

from numba import void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import (
    BALL_TURN,
    CENTRE,
    CHANGE,
    FREE_AXIS,
    FREEDOMS,
    IN_INNER,
    INNER_AXIS,
    LINK_ARM,
    LINK_BIAS,
    LINK_CENTRE,
    LINK_POINT,
    LINK_SPEED,
    MODEL,
    NO_TURN,
    OMEGA,
    ONE_AXIS,
    OUTER_AXIS,
    OUTER_SLIDE,
    PLACE,
    POSITION,
    POSITIONS,
    ROTATION,
    SLIDE_AXES,
    SLIDES,
    TREE_BODY,
    TREE_PARENT,
    TREE_POSITION,
    TREE_VELOCITY,
    TURN_INNER,
    TURN_OUTER,
    TURNS,
    TWO_AXES,
    VELOCITY,
    WORK,
)
from gudgeon.kernels.dynamics.controls import hold_controls
from gudgeon.kernels.elements.nodes import carry_on_nodes, changes_of_carriers, follow_nodes
from gudgeon.kernels.kinematics.rotation import quaternion_rotation, turned_by
from gudgeon.kernels.kinematics.vectors import (
    get,
    get_matrix,
    in_world,
    plus,
    plus_times,
    product,
    put,
    put_matrix,
    vector_product,
)

NOTHING = (0.0, 0.0, 0.0)


@inlined
def turn_about(V, k, at, angle):
    """X + cos θ Y + sin θ Z, row by row."""
    c, s = cos(angle), sin(angle)
    X, Y, Z = get_matrix(V, k, at), get_matrix(V, k, at + 9), get_matrix(V, k, at + 18)
    return (
        plus_times(plus_times(X[0], c, Y[0]), s, Z[0]),
        plus_times(plus_times(X[1], c, Y[1]), s, Z[1]),
        plus_times(plus_times(X[2], c, Y[2]), s, Z[2]),
    )


@inlined
def turn_link(m, w, k, y):
    """The rotation of link k from that of its inner body."""
    V, body, b, i = m.tree_vector, w.body, m.tree[k, TREE_BODY], m.tree[m.tree[k, TREE_PARENT], TREE_BODY]
    kind, at = m.tree[k, TURNS], m.tree[k, TREE_POSITION] + m.tree[k, SLIDES]
    if kind in (ONE_AXIS, TWO_AXES):
        turned = turn_about(V, k, TURN_INNER, y[at])
        if kind == TWO_AXES:
            turned = product(turned, turn_about(V, k, TURN_OUTER, y[at + 1]))
    else:
        turned = get_matrix(V, k, TURN_INNER)
        if kind == BALL_TURN:
            turned = product(quaternion_rotation(y, at), turned)
    put_matrix(body, b, ROTATION, product(get_matrix(body, i, ROTATION), turned))


@inlined
def axes_of_link(m, w, k):
    """The axes of the freedoms of link k, world components."""
    V, body, b, i = m.tree_vector, w.body, m.tree[k, TREE_BODY], m.tree[m.tree[k, TREE_PARENT], TREE_BODY]
    v, slides, kind = m.tree[k, TREE_VELOCITY], m.tree[k, SLIDES], m.tree[k, TURNS]
    carrier = b if m.tree[k, OUTER_SLIDE] else i
    F = w.freedom
    for s in range(slides):
        put(F, v + s, FREE_AXIS, in_world(body, carrier, get(V, k, SLIDE_AXES + 3 * s)))
    v += slides
    if kind == BALL_TURN:
        for c in range(3):
            for d in range(3):
                F[v + c, FREE_AXIS + d] = body[i, ROTATION + 3 * d + c]
    elif kind != NO_TURN:
        put(F, v, FREE_AXIS, in_world(body, i, get(V, k, INNER_AXIS)))
        if kind == TWO_AXES:
            put(F, v + 1, FREE_AXIS, in_world(body, b, get(V, k, OUTER_AXIS)))


@inlined
def move_link(m, w, k, y):
    """Position, velocity and bias of link k, from its axes and its inner link."""
    V, body, link, F = m.tree_vector, w.body, w.link, w.freedom
    p, b, v, slides = m.tree[k, TREE_PARENT], m.tree[k, TREE_BODY], m.tree[k, TREE_VELOCITY], m.tree[k, SLIDES]
    i, position, rate = m.tree[p, TREE_BODY], m.tree[k, TREE_POSITION], m.layout[POSITIONS] + v
    slid = sliding = NOTHING  # displacement of the slides, and its rate
    for s in range(slides):
        axis = get(F, v + s, FREE_AXIS)
        slid, sliding = plus_times(slid, y[position + s], axis), plus_times(sliding, y[rate + s], axis)
    inner_omega = get(body, i, OMEGA)
    omega, bias = inner_omega, NOTHING
    for s in range(slides, m.tree[k, FREEDOMS]):
        axis, u = get(F, v + s, FREE_AXIS), y[rate + s]
        # the second of two axes is fixed in the link, which turns with the first as well
        carried_by = inner_omega if m.tree[k, TURNS] == BALL_TURN else omega
        bias = plus_times(bias, u, vector_product(carried_by, axis))
        omega = plus_times(omega, u, axis)
    centre = in_world(body, b, get(V, k, CENTRE))
    arm = plus(in_world(body, i, get(V, k, IN_INNER)), get(link, p, LINK_CENTRE))
    if m.tree[k, OUTER_SLIDE]:
        centre = plus(centre, slid)
        coriolis = vector_product(omega, sliding)
    else:
        arm = plus(arm, slid)
        coriolis = vector_product(inner_omega, sliding)
    swing = vector_product(inner_omega, arm)
    put(link, k, LINK_ARM, arm)
    put(link, k, LINK_CENTRE, centre)
    put(link, k, LINK_BIAS, plus_times(vector_product(inner_omega, swing), 2.0, coriolis))
    put(link, k, LINK_BIAS + 3, bias)
    point = plus(get(link, p, LINK_POINT), arm)
    put(link, k, LINK_POINT, point)
    put(body, b, POSITION, plus(point, centre))
    speed = plus(get(link, p, LINK_SPEED), plus(swing, sliding))
    put(link, k, LINK_SPEED, speed)
    put(body, b, VELOCITY, plus(speed, vector_product(omega, centre)))
    put(body, b, OMEGA, omega)


@addressed(void(MODEL, WORK, VECTOR))
def tree_kinematics(m, w, y):
    """Poses and velocities of all bodies from the coordinates of the tree."""
    for k in range(1, m.tree.shape[0]):
        turn_link(m, w, k, y)
        axes_of_link(m, w, k)
        move_link(m, w, k, y)
    if m.flexible.follower.shape[0] > 0:
        follow_nodes(m, w, y)
        carry_on_nodes(m, w, y)
    hold_controls(m, w, y)


@addressed(void(MODEL, WORK, VECTOR, VECTOR))
def tree_changes(m, w, y, dy):
    """Displacement and turn of every body that belong to a small change dy of the state, at the pose held in `w`."""
    body, link, F = w.body, w.link, w.freedom
    for k in range(1, m.tree.shape[0]):
        p, b, v, slides = m.tree[k, TREE_PARENT], m.tree[k, TREE_BODY], m.tree[k, TREE_VELOCITY], m.tree[k, SLIDES]
        i = m.tree[p, TREE_BODY]
        turned = get(body, i, CHANGE + 3)
        arm = plus_times(get(link, k, LINK_ARM), -1.0, get(link, p, LINK_CENTRE))
        moved = plus(get(body, i, CHANGE), vector_product(turned, arm))  # the point C
        for s in range(slides):
            moved = plus_times(moved, dy[m.velocity[v + s, PLACE]], get(F, v + s, FREE_AXIS))
        if m.tree[k, TURNS] == BALL_TURN:
            turned = plus(turned, in_world(body, i, turned_by(y, dy, m.velocity[v + slides, PLACE])))
        else:
            for s in range(slides, m.tree[k, FREEDOMS]):
                turned = plus_times(turned, dy[m.velocity[v + s, PLACE]], get(F, v + s, FREE_AXIS))
        put(body, b, CHANGE, plus(moved, vector_product(turned, get(link, k, LINK_CENTRE))))
        put(body, b, CHANGE + 3, turned)
    if w.body.shape[0] > m.body.shape[0]:
        changes_of_carriers(m, w, dy)
