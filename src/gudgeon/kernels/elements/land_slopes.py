"""How the push of a land changes with the motion of its pin: derivatives slice by slice, exact but for the quadrature.

For a change of d and a turn of h, with dk = (dh_⊥ − k dh_z)/h_z and de = dd_⊥ + (z − d_z) dk − k dd_z

    dδ = n·de + R_j (n·k)/S n·dk,      dφ = −dg′/g″   (n turns by dφ; g′ = e·t + R_j (n·k)(t·k)/S = 0)

Roots of δ move, but the integrand vanishes there. An end of the pin takes its slice along.
"""

from __future__ import annotations

from numba import int64, void

from gudgeon.kernels.build.compiled import addressed, called, inlined
from gudgeon.kernels.build.places import put_at
from gudgeon.kernels.dynamics.arrays import FLIGHT, FRAME, MODE, MODEL, WORK
from gudgeon.kernels.elements.journal_section import PIN_RADIUS, axis_at, half_way, in_bearing, section, slope_of_axis
from gudgeon.kernels.elements.land import (
    PIN_LOWER,
    PIN_UPPER,
    POINTS,
    WEIGHTS,
    depth_at,
    ends_of_land,
    impact_speed,
    parts_of_land,
    slice_at,
)
from gudgeon.kernels.elements.laws import contact_energy, normal_force
from gudgeon.kernels.elements.rubbing_point import (
    add_column,
    add_velocity_slopes,
    change_of_push,
    push_of_point,
    state_of_point,
)
from gudgeon.kernels.kinematics.vectors import plus_times, vector_product


@inlined
def changed_axis(h, k, dh):
    """dk."""
    return (dh[0] - k[0] * dh[2]) / h[2], (dh[1] - k[1] * dh[2]) / h[2]


@inlined
def change_of_slice(R, d, k, z, e, n, nk, S, depth, onset, dd, dk):
    """dδ, dν and d(X − P_j) of the slice at z."""
    tx, ty = -n[1], n[0]
    tk = tx * k[0] + ty * k[1]
    far = z - d[2]
    de = dd[0] + far * dk[0] - k[0] * dd[2], dd[1] + far * dk[1] - k[1] * dd[2]
    ndk, tdk = n[0] * dk[0] + n[1] * dk[1], tx * dk[0] + ty * dk[1]
    ddepth = n[0] * de[0] + n[1] * de[1] + R * nk / S * ndk
    slope = tx * de[0] + ty * de[1] + R * (ndk * tk + nk * tdk - nk * nk * tk * ndk / (S * S)) / S
    bend = R * (tk * tk - nk * nk - (nk * tk / S) ** 2) / S - (n[0] * e[0] + n[1] * e[1])
    turn = -slope / bend if bend < 0.0 else 0.0
    dx, dy = turn * tx, turn * ty
    dnk = turn * tk + ndk
    dS = nk * dnk / S
    half = 0.5 * (depth - onset)
    da = (
        de[0] + R * (dx + dk[0] * nk + k[0] * dnk - (n[0] + k[0] * nk) * dS / S) / S,
        de[1] + R * (dy + dk[1] * nk + k[1] * dnk - (n[1] + k[1] * nk) * dS / S) / S,
        0.5 * ddepth * nk + half * dnk - dd[2],
    )
    da = (
        da[0] - 0.5 * ddepth * n[0] - half * dx - dd[0],
        da[1] - 0.5 * ddepth * n[1] - half * dy - dd[1],
        da[2],
    )
    return ddepth, (dx, dy, -dnk), da


@called
def slopes_of_part(m, k, impact, x, d, h, v, w, start, end, by_position, by_velocity):
    """Add the derivatives of the slices from `start` to `end`."""
    p, slope = m.compliant_vector[k], slope_of_axis(h)
    R, onset = p[PIN_RADIUS], p[PIN_RADIUS + 1]
    for g in range(5):
        weight, z = WEIGHTS[g] * (end - start), start + POINTS[g] * (end - start)
        e = axis_at(d, slope, z)
        nx, ny, nk, S, depth = section(p, slope, e)
        if depth <= 0.0:
            continue
        n = (nx, ny)
        a = half_way(p, d, slope, e, z, n, nk, S, depth)
        state = state_of_point(m, k, impact, depth, (nx, ny, -nk), a, v, w)
        add_velocity_slopes(x, state, weight, by_velocity)
        for c in range(6):
            at = FRAME + 3 * (c % 3)
            direction = (x[at], x[at + 1], x[at + 2])
            dd, dk = (0.0, 0.0, 0.0), (0.0, 0.0)
            if c < 3:
                dd = direction
            else:
                dk = changed_axis(h, slope, vector_product(direction, h))
            ddepth, dnu, da = change_of_slice(R, d, slope, z, e, n, nk, S, depth, onset, dd, dk)
            force, torque = change_of_push(state, vector_product(w, da), da, dnu, ddepth)
            add_column(x, by_position, c, weight, force, torque)


@called
def slopes_of_pin_end(m, k, impact, x, d, h, v, w, upper, z, depth, by_position):
    """Add the derivatives by positions that an end of the pin inside the bore brings."""
    p, slope = m.compliant_vector[k], slope_of_axis(h)
    sign, end = (1.0, p[PIN_UPPER]) if upper else (-1.0, p[PIN_LOWER])
    R, onset = p[PIN_RADIUS], p[PIN_RADIUS + 1]
    e = axis_at(d, slope, z)
    nx, ny, nk, S, _ = section(p, slope, e)
    _, nu, a = slice_at(p, d, slope, z)
    pushed, _, _ = push_of_point(m, k, impact, depth, nu, a, v, w, True)
    turned, f = vector_product(a, pushed), normal_force(m, k, depth, 0.0, impact)
    stored = contact_energy(m, k, depth, impact)
    for c in range(6):
        at = FRAME + 3 * (c % 3)
        direction = (x[at], x[at + 1], x[at + 2])
        dd = dh = (0.0, 0.0, 0.0)
        if c < 3:
            dd = direction
        else:
            dh = vector_product(direction, h)
        dk = changed_axis(h, slope, dh)
        ddepth, _, _ = change_of_slice(R, d, slope, z, e, (nx, ny), nk, S, depth, onset, dd, dk)
        dz = dd[2] + end * dh[2]
        axial = (0.0, 0.0, -sign * f * (ddepth + nk * dz))
        torque = vector_product((end * h[0], end * h[1], end * h[2]), axial)
        torque = plus_times(torque, -sign * stored * end, vector_product(dh, (0.0, 0.0, 1.0)))
        add_column(x, by_position, c, 1.0, axial, torque)
        add_column(x, by_position, c, sign * dz, pushed, turned)


@addressed(void(MODEL, WORK, int64, int64, int64, int64))
def slopes_of_land(m, w, k, a, by_position, by_velocity):
    """Derivatives of the push of a land by the motion in line a of `local`, into 6 × 6 matrices by address."""
    for c in range(36):
        put_at(by_position, c, 0.0)
        put_at(by_velocity, c, 0.0)
    if w.contact[k, MODE] == FLIGHT:
        return
    p, x = m.compliant_vector[k], w.local[a]
    d, h, v, turning = in_bearing(x)
    slope, impact = slope_of_axis(h), impact_speed(m, w, k)
    low, high, low_on_pin, high_on_pin = ends_of_land(p, d, h)
    if low >= high:
        return
    deep_low, deep_high = depth_at(p, d, slope, low)[0], depth_at(p, d, slope, high)[0]
    first, second = parts_of_land(p, d, slope, low, high, deep_low, deep_high)
    if first > low:
        slopes_of_part(m, k, impact, x, d, h, v, turning, low, first, by_position, by_velocity)
    if second < high:
        slopes_of_part(m, k, impact, x, d, h, v, turning, second, high, by_position, by_velocity)
    if low_on_pin and deep_low > 0.0:
        slopes_of_pin_end(m, k, impact, x, d, h, v, turning, False, low, deep_low, by_position)
    if high_on_pin and deep_high > 0.0:
        slopes_of_pin_end(m, k, impact, x, d, h, v, turning, True, high, deep_high, by_position)
