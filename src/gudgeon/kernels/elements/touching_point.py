"""Two bodies that touch at one point: what presses and rubs there, given their gap, its normal and the point.

    δ = −gap,   f = law(δ, δ̇, δ̇⁽⁻⁾) n − friction(|u_t|, f_n) u_t/|u_t| on the ball,   δ̇ = −n·u

n is the unit normal from the socket to the ball, u the velocity of the ball against the socket at X, half-way between
the two surfaces, where both forces act. All in the joint's axes of the socket; X from the ball's joint point P_j.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import (
    ARM_OF,
    BALL,
    ECCENTRICITY,
    FORCE_ON_BALL,
    FRAME,
    IMPACT_SPEED,
    IN_BALL,
    NORMAL,
    OMEGA_BALL,
    POSITION,
    POWER,
    RATE_OF,
    REPORT_CONTACT,
    REPORT_FRICTION,
    REPORT_NORMAL,
    REPORT_OWN,
    REPORT_PENETRATION,
    REPORT_RATE,
    REPORT_SLIDING,
    REPORT_STORED,
    SMALLEST_IMPACT,
    TORQUE_ON_BALL,
)
from gudgeon.kernels.elements.bushing import in_joint_axes, vector
from gudgeon.kernels.elements.joints import clear_force
from gudgeon.kernels.elements.laws import contact_energy
from gudgeon.kernels.elements.pushes import pushes
from gudgeon.kernels.elements.rubbing_point import push_of_point, velocity_at
from gudgeon.kernels.kinematics.rotation import rotated
from gudgeon.kernels.kinematics.vectors import dot, plus_times, vector_product

# outputs of the element, from REPORT_OWN on
POINT_X, POINT_Y, POINT_Z, GAP_LEFT = 0, 1, 2, 3


@inlined
def relative_motion(x):
    """Velocity of P_j and angular velocity of the ball, as the socket sees them, in its axes."""
    return in_joint_axes(x, vector(x, RATE_OF)), in_joint_axes(x, vector(x, OMEGA_BALL))


@inlined
def closing_rate(x, n, arm):
    """δ̇."""
    v, o = relative_motion(x)
    return -dot(n, velocity_at(v, o, arm))


@inlined
def impact_of(m, w, k):
    """δ̇⁽⁻⁾."""
    return max(w.contact[k, IMPACT_SPEED], m.compliant_vector[k, SMALLEST_IMPACT])


@inlined
def push_at(m, w, k, a, b, gap, n, arm):
    """Force and torque about P_j for line a of `local`, into line b of `force`."""
    x, out = w.local[a], w.force[b]
    clear_force(w.force, b)
    for c in range(3):
        out[ARM_OF + c] = x[ECCENTRICITY + c]
    if not pushes(w, k, -gap):
        return
    v, o = relative_motion(x)
    inwards = (-n[0], -n[1], -n[2])
    f, normal, power = push_of_point(m, k, impact_of(m, w, k), max(-gap, 0.0), inwards, arm, v, o, True)
    torque = vector_product(arm, f)
    for r in range(3):
        axes = vector(x, FRAME + 3 * r)
        out[FORCE_ON_BALL + r], out[TORQUE_ON_BALL + r] = dot(axes, f), dot(axes, torque)
    out[NORMAL], out[POWER] = normal, power


@inlined
def report_at(m, w, k, gap, n, arm):
    """What happens at the point in the motion of line k of `local`."""
    x, out = w.local[k], w.report
    v, o = relative_motion(x)
    u = velocity_at(v, o, arm)
    touching = pushes(w, k, -gap)
    out[REPORT_PENETRATION], out[REPORT_RATE] = -gap, -dot(n, u)
    out[REPORT_CONTACT] = 1.0 if touching else 0.0
    at = rotated(w.body, m.compliant[k, BALL], m.compliant_vector, k, IN_BALL)
    for r in range(3):
        out[REPORT_OWN + POINT_X + r] = w.body[m.compliant[k, BALL], POSITION + r] + at[r]
        out[REPORT_OWN + POINT_X + r] += dot(vector(x, FRAME + 3 * r), arm)
    out[REPORT_OWN + GAP_LEFT] = gap
    if touching:
        impact, depth = impact_of(m, w, k), max(-gap, 0.0)
        f, normal, _ = push_of_point(m, k, impact, depth, (-n[0], -n[1], -n[2]), arm, v, o, True)
        along, rub = plus_times(u, -dot(n, u), n), plus_times(f, -dot(n, f), n)
        out[REPORT_NORMAL], out[REPORT_STORED] = normal, contact_energy(m, k, depth, impact)
        for r in range(3):
            axes = vector(x, FRAME + 3 * r)
            out[REPORT_FRICTION + r], out[REPORT_SLIDING + r] = dot(axes, rub), dot(axes, along)
