"""Articulated bodies: the inertia that every link shows to its inner link, freedom by freedom (Featherstone 1983).

A link with everything it carries resists an acceleration (a, α) of its point C by

    f = A a + B α + f₀,   τ = Bᵀ a + J α + τ₀         (about C, world axes)

A freedom S of its joint (a slide: S = (axis, 0); a turn: S = (0, axis)) gives way, with U = (inertia) S and D = S·U:

    inertia −= U Uᵀ / D,   u = −S·force,   force += U u / D,   q̈ = (u − U·acceleration) / D

Several freedoms are taken one after the other, as if massless bodies were between them. Loops are tied in on the way
inwards (loops.py); where one ends, it stiffens the link to which both its sides have come.
"""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.dynamics.arrays import (
    FIRST_NODE,
    FIRST_PATH,
    FREE_AXIS,
    FREE_INVERSE,
    FREE_PULL,
    FREEDOMS,
    LAST_NODE,
    LAST_PATH,
    LINK_ARM,
    LINK_BIAS,
    LINK_BIAS_FORCE,
    LINK_CENTRE,
    LINK_INERTIA,
    MASS,
    MODEL,
    SLIDES,
    TREE_BODY,
    TREE_PARENT,
    TREE_VELOCITY,
    WORK,
    WORLD_TENSOR,
)
from gudgeon.kernels.dynamics.engine import articulate_link
from gudgeon.kernels.dynamics.loops import close_loops, pull_through
from gudgeon.kernels.dynamics.sweep import all_outwards, forward_loops, inwards


@inlined
def own_inertia(m, w, k):
    """The inertia of link k alone about its point C."""
    b, X, link, body, T = m.tree[k, TREE_BODY], LINK_INERTIA, w.link, w.body, WORLD_TENSOR
    mass = m.body[b, MASS]
    gx, gy, gz = link[k, LINK_CENTRE], link[k, LINK_CENTRE + 1], link[k, LINK_CENTRE + 2]
    hx, hy, hz = mass * gx, mass * gy, mass * gz
    link[k, X], link[k, X + 1], link[k, X + 2] = mass, 0.0, 0.0
    link[k, X + 3], link[k, X + 4], link[k, X + 5] = mass, 0.0, mass
    link[k, X + 6], link[k, X + 7], link[k, X + 8] = 0.0, hz, -hy
    link[k, X + 9], link[k, X + 10], link[k, X + 11] = -hz, 0.0, hx
    link[k, X + 12], link[k, X + 13], link[k, X + 14] = hy, -hx, 0.0
    link[k, X + 15] = body[b, T] + hy * gy + hz * gz
    link[k, X + 16] = body[b, T + 1] - hx * gy
    link[k, X + 17] = body[b, T + 2] - hx * gz
    link[k, X + 18] = body[b, T + 4] + hx * gx + hz * gz
    link[k, X + 19] = body[b, T + 5] - hy * gz
    link[k, X + 20] = body[b, T + 8] + hx * gx + hy * gy


@inlined
def give_way(m, w, k):
    """Take the freedoms of link k out of its articulated inertia and hand the rest to its inner link."""
    link, F, X = w.link, w.freedom, LINK_INERTIA
    v, slides, p = m.tree[k, TREE_VELOCITY], m.tree[k, SLIDES], m.tree[k, TREE_PARENT]
    axx, axy, axz = link[k, X], link[k, X + 1], link[k, X + 2]
    ayy, ayz, azz = link[k, X + 3], link[k, X + 4], link[k, X + 5]
    bxx, bxy, bxz = link[k, X + 6], link[k, X + 7], link[k, X + 8]
    byx, byy, byz = link[k, X + 9], link[k, X + 10], link[k, X + 11]
    bzx, bzy, bzz = link[k, X + 12], link[k, X + 13], link[k, X + 14]
    jxx, jxy, jxz = link[k, X + 15], link[k, X + 16], link[k, X + 17]
    jyy, jyz, jzz = link[k, X + 18], link[k, X + 19], link[k, X + 20]
    for s in range(m.tree[k, FREEDOMS]):
        x, y, z = F[v + s, FREE_AXIS], F[v + s, FREE_AXIS + 1], F[v + s, FREE_AXIS + 2]
        if s < slides:
            fx, fy, fz = axx * x + axy * y + axz * z, axy * x + ayy * y + ayz * z, axz * x + ayz * y + azz * z
            tx, ty, tz = bxx * x + byx * y + bzx * z, bxy * x + byy * y + bzy * z, bxz * x + byz * y + bzz * z
            d = 1.0 / (x * fx + y * fy + z * fz)
        else:
            fx, fy, fz = bxx * x + bxy * y + bxz * z, byx * x + byy * y + byz * z, bzx * x + bzy * y + bzz * z
            tx, ty, tz = jxx * x + jxy * y + jxz * z, jxy * x + jyy * y + jyz * z, jxz * x + jyz * y + jzz * z
            d = 1.0 / (x * tx + y * ty + z * tz)
        F[v + s, FREE_PULL], F[v + s, FREE_PULL + 1], F[v + s, FREE_PULL + 2] = fx, fy, fz
        F[v + s, FREE_PULL + 3], F[v + s, FREE_PULL + 4], F[v + s, FREE_PULL + 5] = tx, ty, tz
        F[v + s, FREE_INVERSE] = d
        x, y, z = d * fx, d * fy, d * fz
        axx, axy, axz = axx - x * fx, axy - x * fy, axz - x * fz
        ayy, ayz, azz = ayy - y * fy, ayz - y * fz, azz - z * fz
        bxx, bxy, bxz = bxx - x * tx, bxy - x * ty, bxz - x * tz
        byx, byy, byz = byx - y * tx, byy - y * ty, byz - y * tz
        bzx, bzy, bzz = bzx - z * tx, bzy - z * ty, bzz - z * tz
        x, y, z = d * tx, d * ty, d * tz
        jxx, jxy, jxz = jxx - x * tx, jxy - x * ty, jxz - x * tz
        jyy, jyz, jzz = jyy - y * ty, jyz - y * tz, jzz - z * tz
    x, y, z = link[k, LINK_BIAS], link[k, LINK_BIAS + 1], link[k, LINK_BIAS + 2]
    p_, q, r = link[k, LINK_BIAS + 3], link[k, LINK_BIAS + 4], link[k, LINK_BIAS + 5]
    o = LINK_BIAS_FORCE
    link[k, o] = axx * x + axy * y + axz * z + bxx * p_ + bxy * q + bxz * r
    link[k, o + 1] = axy * x + ayy * y + ayz * z + byx * p_ + byy * q + byz * r
    link[k, o + 2] = axz * x + ayz * y + azz * z + bzx * p_ + bzy * q + bzz * r
    link[k, o + 3] = bxx * x + byx * y + bzx * z + jxx * p_ + jxy * q + jxz * r
    link[k, o + 4] = bxy * x + byy * y + bzy * z + jxy * p_ + jyy * q + jyz * r
    link[k, o + 5] = bxz * x + byz * y + bzz * z + jxz * p_ + jyz * q + jzz * r
    if p == 0:
        return
    # about the inner link's point: B' = B − A ρ̃, J' = J + ρ̃ B' − Bᵀ ρ̃
    x, y, z = link[k, LINK_ARM], link[k, LINK_ARM + 1], link[k, LINK_ARM + 2]
    cxx, cxy, cxz = bxx - axy * z + axz * y, bxy + axx * z - axz * x, bxz - axx * y + axy * x
    cyx, cyy, cyz = byx - ayy * z + ayz * y, byy + axy * z - ayz * x, byz - axy * y + ayy * x
    czx, czy, czz = bzx - ayz * z + azz * y, bzy + axz * z - azz * x, bzz - axz * y + ayz * x
    link[p, X] += axx
    link[p, X + 1] += axy
    link[p, X + 2] += axz
    link[p, X + 3] += ayy
    link[p, X + 4] += ayz
    link[p, X + 5] += azz
    link[p, X + 6] += cxx
    link[p, X + 7] += cxy
    link[p, X + 8] += cxz
    link[p, X + 9] += cyx
    link[p, X + 10] += cyy
    link[p, X + 11] += cyz
    link[p, X + 12] += czx
    link[p, X + 13] += czy
    link[p, X + 14] += czz
    link[p, X + 15] += jxx + (y * czx - z * cyx) - (byx * z - bzx * y)
    link[p, X + 16] += jxy + (y * czy - z * cyy) - (bzx * x - bxx * z)
    link[p, X + 17] += jxz + (y * czz - z * cyz) - (bxx * y - byx * x)
    link[p, X + 18] += jyy + (z * cxy - x * czy) - (bzy * x - bxy * z)
    link[p, X + 19] += jyz + (z * cxz - x * czz) - (bxy * y - byy * x)
    link[p, X + 20] += jzz + (x * cyz - y * cxz) - (bxz * y - byz * x)


@addressed(void(MODEL, WORK, int64))
def hand_inwards(m, w, k):
    """Close the loops that end at link k, take its freedoms out, and hand inertia and passing loops on."""
    if m.tree[k, LAST_NODE] > m.tree[k, FIRST_NODE]:
        close_loops(m, w, k)
    give_way(m, w, k)
    if m.tree[k, LAST_PATH] > m.tree[k, FIRST_PATH]:
        pull_through(m, w, k)


@called
def articulate(m, w):
    """The articulated inertia of every link, from the tips to the ground, loops included."""
    for k in range(1, m.tree.shape[0]):
        own_inertia(m, w, k)
    for k in range(m.tree.shape[0] - 1, 0, -1):
        articulate_link(m, w, k)
    if m.tree[0, LAST_NODE] > m.tree[0, FIRST_NODE]:
        close_loops(m, w, 0)


@called
def articulated_motion(m, w, x):
    """`articulate` and `sweep` in one go, for the motion under the forces held in `w.link`."""
    for k in range(m.tree.shape[0] - 1, 0, -1):
        articulate_link(m, w, k)
        if m.tree[k, LAST_NODE] > m.tree[k, FIRST_NODE]:
            forward_loops(m, w, k, x)
        inwards(m, w, k, x, 1.0)
    if m.tree[0, LAST_NODE] > m.tree[0, FIRST_NODE]:
        close_loops(m, w, 0)
    all_outwards(m, w, x, 1.0)
