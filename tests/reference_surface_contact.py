"""Contact over surfaces in plain NumPy: gaps from `gap_field`, laws as Python, sums over the points.

What the compiled function is compared with. It shares the search for corresponding points with it, nothing else: no
points left out, no relative coordinates, velocities from the two bodies one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from scipy.integrate import quad

import gudgeon as gd
from gudgeon.nurbs import Pose, gap_field
from gudgeon.surface_contact.tables import with_gauss_points
from reference_joints import joint_points, rotation
from reference_real_joints import STILL, called


@dataclass
class Contact:
    """What two surfaces do in one state; forces and torques on the child at its joint point."""

    force: np.ndarray
    torque: np.ndarray
    friction: np.ndarray
    normal_force: float
    penetration: float
    power: float
    stored: float
    area: float
    pressure: float


def surface_contact(system: gd.System, name: str, state: dict[str, gd.BodyState], impact_speed: float) -> Contact:
    """The contact of a joint with a SurfaceContact in a state of the bodies."""
    joint = system.joints[name]
    model = joint.model
    bodies = [state.get(body, STILL) for body in model.interface.bodies]
    pair, weight = with_gauss_points(model.interface.pair_for(system))
    poses = [
        Pose(rotation=b.orientation, position=b.position, velocity=b.velocity, angular_velocity=b.angular_velocity)
        for b in bodies
    ]
    field = gap_field(pair, *poses)
    gap = field.gap.ravel()
    x = field.corresponding.reshape(-1, 3)
    xi = np.where(np.isfinite(field.xi), field.xi, [low for low, _ in pair.corresponding.domain])
    normal = pair.corresponding.normal(xi[..., 0], xi[..., 1]).reshape(-1, 3)
    n_c = normal @ rotation(bodies[1].orientation).T
    n = field.basis[..., 1].reshape(-1, 3)
    child = state.get(joint.child, STILL)
    point = np.array(child.position) + rotation(child.orientation) @ joint_points(system, joint)[1]
    deepest = -float(np.nanmin(gap, initial=np.inf))
    out = Contact(np.zeros(3), np.zeros(3), np.zeros(3), 0.0, deepest, 0.0, 0.0, 0.0, 0.0)
    sign = 1.0 if model.interface.bodies[1] == joint.child else -1.0
    pressed = np.zeros(3)

    def at_rest(depth: float) -> float:
        return max(called(model.contact, depth, 0.0, impact_speed), 0.0)

    for q in np.flatnonzero((gap < 0.0) & (weight > 0.0)):
        u = np.zeros(3)
        for side, body in zip((-1.0, 1.0), bodies, strict=True):
            u += side * (np.array(body.velocity) + np.cross(body.angular_velocity, x[q] - np.array(body.position)))
        g = n_c[q] / (n_c[q] @ n[q])
        closing = -float(g @ u)
        p = max(called(model.contact, -gap[q], closing, impact_speed), 0.0)
        elastic = max(called(model.contact, -gap[q], 0.0, impact_speed), 0.0)
        f = weight[q] * p * g
        pressed += f
        t = np.zeros(3)
        slide = u - n_c[q] * (n_c[q] @ u)
        speed = float(np.linalg.norm(slide))
        if model.friction is not None and speed > 0.0:
            t = -weight[q] * np.linalg.norm(g) * called(model.friction, speed, p) * slide / speed
        out.force += sign * (f + t)
        out.torque += sign * np.cross(x[q] - point, f + t)
        out.friction += sign * t
        out.power += weight[q] * (p - elastic) * closing - float(t @ u)
        out.stored += weight[q] * quad(at_rest, 0.0, -gap[q])[0]
        out.area += weight[q] * float(np.linalg.norm(g))
        out.pressure = max(out.pressure, p)
    out.normal_force = float(np.linalg.norm(pressed))
    return out


# A ball (radius r) in a socket (radius R = r + c), p = k δ, μ = cos θ from the eccentricity:
# along the normals of the socket δ = e μ + √(r² − e²(1 − μ²)) − R,
# along those of the ball        δ = e μ − √(R² − e²(1 − μ²)) + r.


def exact_force(k: float, R: float, r: float, e: float, reference: str = "socket") -> float:
    """∂/∂e ∫ ½ k δ² dA over the socket or the ball, by quadrature [N]."""
    if e <= R - r:
        return 0.0
    own, other, sign = (R, r, 1.0) if reference == "socket" else (r, R, -1.0)

    def depth(mu: float) -> float:
        return e * mu + sign * (np.sqrt(other * other - e * e * (1 - mu * mu)) - own)

    def slope(mu: float) -> float:
        return mu - sign * e * (1 - mu * mu) / np.sqrt(other * other - e * e * (1 - mu * mu))

    low, high = 0.0, 1.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if depth(middle) < 0.0 else (low, middle)
    return 2 * pi * k * own * own * quad(lambda mu: depth(mu) * slope(mu), high, 1.0, epsrel=1e-12)[0]


def limit_force(k: float, R: float, c: float, e: float) -> float:
    """The same in closed form for e ≪ R, δ = e μ − c: V = π k R² (e − c)³/(3 e), F = dV/de [N]."""
    return pi * k * R * R * (e - c) ** 2 * (2 * e + c) / (3 * e * e) if e > c else 0.0
