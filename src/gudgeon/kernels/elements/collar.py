"""A collar of a pin against the end face of its bore: pressure on the part of the ring that touches.

Side s = ±1: the bore's face is at z_f, the collar a plane across the pin's axis at z_c from P_j (s (z_c − z_f) is the
play). At a point ρ of the face, a ring about the bore's axis from the bore's radius R_i to the collar's R_c,

    δ = s (z_f − d_z − z_c/h_z + k·(ρ − d_⊥)),    ν = −s (k, 1),    force = −∫ p(δ, δ̇) ν dA and friction

is linear in ρ, deepest at the rim. Integrated over the touching part: rings r from where δ begins to be positive to R_c
(4 Gauss points), on each the arc |θ| < acos(−δ₀/(|k| r)) on both sides of the deepest direction (5 points a side).
"""

from __future__ import annotations

from math import acos, cos, pi, sin, sqrt

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.places import put_at
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    DEPTH,
    DEPTH_RATE,
    ECCENTRICITY,
    FLIGHT,
    FRAME,
    MODE,
    MODEL,
    NUMBERS,
    REPORT_AREA,
    REPORT_CONTACT,
    REPORT_FRICTION,
    REPORT_NORMAL,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_PRESSURE,
    REPORT_RATE,
    REPORT_STORED,
    WORK,
)
from gudgeon.kernels.elements.bushing import vector
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.journal_section import in_bearing, slope_of_axis
from gudgeon.kernels.elements.land import FACE, OPEN, POINTS, WEIGHTS, impact_speed, report_of_push, write_push
from gudgeon.kernels.elements.land_slopes import changed_axis
from gudgeon.kernels.elements.laws import contact_energy, normal_force
from gudgeon.kernels.elements.rubbing_point import (
    add_column,
    add_velocity_slopes,
    change_of_push,
    push_of_point,
    state_of_point,
    velocity_at,
)
from gudgeon.kernels.kinematics.vectors import dot, plus_times, vector_product

INNER_RADIUS = NUMBERS  # R_i [m]
OUTER_RADIUS = NUMBERS + 1  # R_c [m]
FACE_AT = NUMBERS + 2  # z_f, along the bore from P_i [m]
COLLAR_AT = NUMBERS + 3  # z_c, along the pin from P_j [m]
SIDE = NUMBERS + 4  # s

# x² and 2 x w of four Gauss points x on [0, 1]: the arc of a ring begins as the root of its distance from where δ = 0
RINGS = (0.0048207809894260, 0.1089062557068338, 0.4488872992916901, 0.8659570925834785)
RING_WEIGHTS = (0.0241522034128332, 0.2152140822717851, 0.4369310725907613, 0.3237026417246203)
POINTS_OF_RING = 10


@inlined
def tilted_face(p, d, h):
    """δ₀ on the bore's axis, the steepness |k|, and the direction in which δ grows."""
    k, s = slope_of_axis(h), p[SIDE]
    base = s * (p[FACE_AT] - d[2] - p[COLLAR_AT] / h[2] - k[0] * d[0] - k[1] * d[1])
    steep = sqrt(k[0] * k[0] + k[1] * k[1])
    if steep == 0.0:
        return base, 0.0, 1.0, 0.0
    return base, steep, s * k[0] / steep, s * k[1] / steep


@inlined
def ring(p, base, steep, q):
    """Radius and weight of ring q, and the half of its arc that touches."""
    inner = p[INNER_RADIUS]
    if base < 0.0:
        inner = max(inner, min(-base / steep, p[OUTER_RADIUS])) if steep > 0.0 else p[OUTER_RADIUS]
    r = inner + RINGS[q] * (p[OUTER_RADIUS] - inner)
    arc = pi
    if base < steep * r:
        arc = acos(min(max(-base / (steep * r), -1.0), 1.0))
    return r, RING_WEIGHTS[q] * (p[OUTER_RADIUS] - inner) * r * arc, arc


@inlined
def point_of_ring(p, base, steep, ux, uy, d, r, arc, g):
    """Point g of a ring: its weight, δ, and X − P_j half-way between collar and face."""
    angle = arc * POINTS[g % 5] * (1.0 if g < 5 else -1.0)
    c, s = cos(angle), sin(angle)
    depth = base + steep * r * c
    x, y = r * (c * ux - s * uy), r * (c * uy + s * ux)
    return WEIGHTS[g % 5], depth, (x - d[0], y - d[1], p[FACE_AT] - 0.5 * p[SIDE] * depth - d[2])


@called
def push_of_collar(m, k, impact, d, h, v, w, rubs):
    """Force, torque about P_j, normal force, power lost, area, of a collar, bearing axes."""
    p, slope = m.compliant_vector[k], slope_of_axis(h)
    base, steep, ux, uy = tilted_face(p, d, h)
    nu = (-p[SIDE] * slope[0], -p[SIDE] * slope[1], -p[SIDE])
    force = torque = (0.0, 0.0, 0.0)
    normal = power = area = 0.0
    for q in range(4):
        r, share, arc = ring(p, base, steep, q)
        for g in range(POINTS_OF_RING):
            weight, depth, a = point_of_ring(p, base, steep, ux, uy, d, r, arc, g)
            if depth <= 0.0:
                continue
            weight *= share
            f, n, lost = push_of_point(m, k, impact, depth, nu, a, v, w, rubs)
            force, torque = plus_times(force, weight, f), plus_times(torque, weight, vector_product(a, f))
            normal, power, area = normal + weight * n, power + weight * lost, area + weight
    return force, torque, normal, power, area


@inlined
def deepest_of_rim(p, d, h, v, w):
    """δ and δ̇ at the rim's deepest point; without tilt, where the rim goes deeper fastest."""
    slope, s = slope_of_axis(h), p[SIDE]
    base, steep, ux, uy = tilted_face(p, d, h)
    R = p[OUTER_RADIUS]
    if steep == 0.0:  # ∂δ/∂t by tilting is −s (w × ρ)_z
        ux, uy = s * w[1], -s * w[0]
        length = sqrt(ux * ux + uy * uy)
        ux, uy = (ux / length, uy / length) if length > 0.0 else (1.0, 0.0)
    a = (R * ux - d[0], R * uy - d[1], p[FACE_AT] - d[2])
    u = velocity_at(v, w, a)
    return base + steep * R, -s * (slope[0] * u[0] + slope[1] * u[1] + u[2])


@addressed(void(MODEL, WORK, int64, int64, int64))
def depth_of_collar(m, w, k, a, b):
    """How deep the collar's rim is in the face, and its rate, for line a of `local`, into line b of `force`."""
    d, h, v, turning = in_bearing(w.local[a])
    w.force[b, DEPTH], w.force[b, DEPTH_RATE] = deepest_of_rim(m.compliant_vector[k], d, h, v, turning)


@addressed(void(MODEL, WORK, int64, int64, int64))
def force_of_collar(m, w, k, a, b):
    """The push of a collar for the motion in line a of `local`, into line b of `force`."""
    clear_force(w.force, b)
    for c in range(3):
        w.force[b, ARM_OF + c] = w.local[a, ECCENTRICITY + c]
    if w.contact[k, MODE] == FLIGHT:
        return
    d, h, v, turning = in_bearing(w.local[a])
    force, torque, normal, power, _ = push_of_collar(m, k, impact_speed(m, w, k), d, h, v, turning, True)
    write_push(w, a, b, force, torque, normal, power)


@addressed(void(MODEL, WORK, int64, int64, int64, int64))
def slopes_of_collar(m, w, k, a, by_position, by_velocity):
    """Derivatives of the push of a collar by the motion in line a of `local`, into 6 × 6 matrices by address."""
    for c in range(36):
        put_at(by_position, c, 0.0)
        put_at(by_velocity, c, 0.0)
    if w.contact[k, MODE] == FLIGHT:
        return
    p, x = m.compliant_vector[k], w.local[a]
    d, h, v, turning = in_bearing(x)
    slope, impact, s = slope_of_axis(h), impact_speed(m, w, k), p[SIDE]
    base, steep, ux, uy = tilted_face(p, d, h)
    nu = (-s * slope[0], -s * slope[1], -s)
    for q in range(4):
        r, share, arc = ring(p, base, steep, q)
        for g in range(POINTS_OF_RING):
            weight, depth, arm = point_of_ring(p, base, steep, ux, uy, d, r, arc, g)
            if depth <= 0.0:
                continue
            weight *= share
            state = state_of_point(m, k, impact, depth, nu, arm, v, turning)
            add_velocity_slopes(x, state, weight, by_velocity)
            for c in range(6):
                at = FRAME + 3 * (c % 3)
                direction = (x[at], x[at + 1], x[at + 2])
                dd = dh = (0.0, 0.0, 0.0)
                if c < 3:
                    dd = direction
                else:
                    dh = vector_product(direction, h)
                dk = changed_axis(h, slope, dh)
                ddepth = -dd[2] + p[COLLAR_AT] * dh[2] / (h[2] * h[2]) + dk[0] * arm[0] + dk[1] * arm[1]
                ddepth = s * (ddepth - slope[0] * dd[0] - slope[1] * dd[1])
                da = (-dd[0], -dd[1], -0.5 * s * ddepth - dd[2])
                dnu = (-s * dk[0], -s * dk[1], 0.0)
                force, torque = change_of_push(state, vector_product(turning, da), da, dnu, ddepth)
                add_column(x, by_position, c, weight, force, torque)


@called
def energy_of_collar(m, k, impact, d, h):
    """∫∫ p dδ dA."""
    p = m.compliant_vector[k]
    base, steep, ux, uy = tilted_face(p, d, h)
    energy = 0.0
    for q in range(4):
        r, share, arc = ring(p, base, steep, q)
        for g in range(POINTS_OF_RING):
            weight, depth, _ = point_of_ring(p, base, steep, ux, uy, d, r, arc, g)
            if depth > 0.0:
                energy += weight * share * contact_energy(m, k, depth, impact)
    return energy


@addressed(void(MODEL, WORK, int64))
def report_of_collar(m, w, k):
    """What a collar does in the motion of line k of `local`, under the forces there."""
    p, out = m.compliant_vector[k], w.report
    d, h, v, turning = in_bearing(w.local[k])
    slope, touching = slope_of_axis(h), w.contact[k, MODE] != FLIGHT
    out[REPORT_PENETRATION], out[REPORT_RATE] = deepest_of_rim(p, d, h, v, turning)
    normal = power = 0.0
    if touching:
        impact = impact_speed(m, w, k)
        force, _, normal, power, out[REPORT_AREA] = push_of_collar(m, k, impact, d, h, v, turning, True)
        smooth, _, _, _, _ = push_of_collar(m, k, impact, d, h, v, turning, False)
        out[REPORT_STORED] = energy_of_collar(m, k, impact, d, h)
        if out[REPORT_PENETRATION] > 0.0:
            out[REPORT_PRESSURE] = normal_force(m, k, out[REPORT_PENETRATION], 0.0, impact)
        for r in range(3):
            out[REPORT_FRICTION + r] = dot(vector(w.local[k], FRAME + 3 * r), plus_times(force, -1.0, smooth))
    out[REPORT_CONTACT], out[REPORT_NORMAL] = 1.0 if touching else 0.0, normal
    at = REPORT_OWN
    out[at], out[at + 1] = out[REPORT_PENETRATION], sqrt(slope[0] * slope[0] + slope[1] * slope[1])
    out[at + 2] = FACE if normal > 0.0 else OPEN
    report_of_push(w, k, at + 3, normal, h)
    out[at + 7], out[at + 8] = power, out[REPORT_PRESSURE]
