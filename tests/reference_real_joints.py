"""Real spherical joints in plain NumPy, from the formulas of the theory: what the compiled core is compared with.

Socket centre P_i on body i, ball centre P_j on body j, e = P_j − P_i, n = e/|e|, δ = |e| − free path. A contact acts at
X = P_i + ρ n, ρ = (R_i + R_j + |e|)/2, film and bushing at P_j; friction is against the relative velocity of the
bodies' points at X, across n. Laws are called as Python; nothing of gudgeon's kernels is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon import laws
from reference_joints import joint_points, reference_pose, rotation, skew

STILL = gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0))


def called(law: Any, *numbers: float) -> float:
    """A law as Python, whichever of its arguments it takes."""
    if isinstance(law, laws.ContactLaw):
        count = law.normal_force.__code__.co_argcount - 1
        return law.normal_force(*numbers[:count], law.parameters)
    if isinstance(law, laws.FrictionLaw):
        return law.friction_force(*numbers, law.parameters)
    if isinstance(law, laws.FilmLaw):
        return law.film_force(*numbers, law.parameters)
    return law(*numbers[: law.__code__.co_argcount])


@dataclass
class Force:
    """What the joint does in one state. `force` acts on the ball at `point`, with the pure torque `torque`."""

    point: np.ndarray
    force: np.ndarray
    torque: np.ndarray = field(default_factory=lambda: np.zeros(3))
    penetration: float = np.nan  # [m]
    normal_force: float = 0.0  # [N]
    friction_force: np.ndarray = field(default_factory=lambda: np.zeros(3))
    sliding_velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    film_force: float = 0.0  # [N]
    power_dissipated: float = 0.0  # [W]
    stored_energy: float = 0.0  # [J]
    bristle_rate: np.ndarray = field(default_factory=lambda: np.zeros(3))  # socket's axes [m/s]


class Sides:
    """The two bodies of a joint at a state (name: BodyState), ball and socket told apart."""

    def __init__(self, system: gd.System, name: str, state: dict[str, gd.BodyState]):
        joint = system.joints[name]
        ball_on_child = getattr(joint.model, "ball_on", "child") == "child"
        in_parent, in_child = joint_points(system, joint)
        self.names = (joint.parent, joint.child) if ball_on_child else (joint.child, joint.parent)
        points = (in_parent, in_child) if ball_on_child else (in_child, in_parent)
        socket, ball = (state.get(body, STILL) for body in self.names)
        self.R_i, self.R_j = rotation(socket.orientation), rotation(ball.orientation)
        self.w_i, self.w_j = np.array(socket.angular_velocity), np.array(ball.angular_velocity)
        s_i, s_j = self.R_i @ points[0], self.R_j @ points[1]
        self.P_i, self.P_j = np.array(socket.position) + s_i, np.array(ball.position) + s_j
        self.v_i = np.array(socket.velocity) + np.cross(self.w_i, s_i)
        self.v_j = np.array(ball.velocity) + np.cross(self.w_j, s_j)
        self.e, self.u = self.P_j - self.P_i, self.v_j - self.v_i
        self.length = float(np.linalg.norm(self.e))
        along = self.e if self.length > 0.0 else self.u  # n is the direction of ė in the centre
        self.n = along / max(float(np.linalg.norm(along)), 1e-300)
        self.rate = float(self.n @ self.u)
        # the joint's axes are the world's in the reference pose, fixed in socket and ball from there on
        self.axes_i = self.R_i @ reference_pose(system, self.names[0])[1].T
        self.axes_j = self.R_j @ reference_pose(system, self.names[1])[1].T

    def relative_velocity(self, point: np.ndarray) -> np.ndarray:
        """Of the ball's material point at X against that of the socket."""
        ball = self.v_j + np.cross(self.w_j, point - self.P_j)
        return ball - self.v_i - np.cross(self.w_i, point - self.P_i)


def joint_force(
    system: gd.System,
    name: str,
    state: dict[str, gd.BodyState],
    *,
    touching: bool = False,
    impact_speed: float = 0.0,
    bristles: Any = (0.0, 0.0, 0.0),  # socket's axes [m]
) -> Force:
    """The force of a real joint in a state; `touching` and `impact_speed` are its discrete state."""
    model, s = system.joints[name].model, Sides(system, name, state)
    if isinstance(model, gd.Bushing):
        return radial_bushing(model, s) if model.is_radial else matrix_bushing(model, s)
    out = Force(point=s.P_j, force=np.zeros(3), penetration=s.length - model.clearance)
    if isinstance(model, gd.Lubricated):
        free_path = model.clearance - (model.smallest_film if model.contact else 0.0)
        out.penetration = s.length - free_path
        law = model.film or laws.SqueezeFilm(
            viscosity=model.viscosity, socket_radius=model.socket_radius, clearance=model.clearance
        )
        out.film_force = called(law, min(s.length, free_path) / model.clearance, s.rate)
        out.force = -out.film_force * s.n
        out.power_dissipated = out.film_force * s.rate
    if touching:
        add_contact(out, model, s, max(impact_speed, model.smallest_impact_speed), np.asarray(bristles))
    return out


def add_contact(out: Force, model: Any, s: Sides, impact_speed: float, bristles: np.ndarray) -> None:
    """Normal force and friction at X."""
    out.point = s.P_i + 0.5 * (model.socket_radius + model.ball_radius + s.length) * s.n
    delta = out.penetration
    out.normal_force = max(called(model.contact, delta, s.rate, impact_speed), 0.0)
    elastic = max(called(model.contact, delta, 0.0, impact_speed), 0.0)
    velocity = s.relative_velocity(out.point)
    v = out.sliding_velocity = velocity - s.n * (s.n @ velocity)
    speed = float(np.linalg.norm(v))
    if isinstance(model.friction, laws.LuGre):
        law = model.friction
        z = s.R_i @ bristles
        z = z - s.n * (s.n @ z)
        g = called(law, speed, 1.0)
        rate = v - law.bristle_stiffness * speed / g * z
        force = law.bristle_stiffness * z + law.bristle_damping * rate + law.viscous * v
        out.friction_force = -out.normal_force * force
        turning = (s.u - np.cross(s.w_i, s.e)) / s.length  # ṅ seen from the socket, and a part along n
        out.bristle_rate = s.R_i.T @ (rate - (z @ turning) * s.n)
    elif model.friction is not None and speed > 0.0:
        out.friction_force = -called(model.friction, speed, out.normal_force) * v / speed
    out.force = out.force - out.normal_force * s.n + out.friction_force
    out.power_dissipated += (out.normal_force - elastic) * s.rate - out.friction_force @ v
    nodes, weights = np.polynomial.legendre.leggauss(40)  # ∫ f dδ with δ = δ_max x², x from 0 to 1
    for x, weight in zip(0.5 * (nodes + 1.0), 0.5 * weights, strict=True):
        out.stored_energy += 2.0 * delta * x * weight * called(model.contact, delta * x * x, 0.0, impact_speed)


def radial_bushing(model: gd.Bushing, s: Sides) -> Force:
    k, b = float(model.stiffness), model.damping_time  # type: ignore[arg-type]
    return Force(
        point=s.P_j,
        force=-k * (s.length + b * s.rate) * s.n,
        power_dissipated=k * b * s.rate**2,
        stored_energy=0.5 * k * s.length**2,
    )


def matrix_bushing(model: gd.Bushing, s: Sides) -> Force:
    """The elastic wrench is the gradient of V = ½ xᵀKx, x = (displacement, rotation vector) in the socket's axes.

    A small turn φ of the ball changes the rotation vector θ by J⁻¹ φ, J = ∫₀¹ exp(s θ̃) ds = Σ θ̃ᵏ/(k + 1)!.
    """
    K, C = np.array(model.stiffness), np.array(model.stiffness) * model.damping_time
    if model.damping is not None:
        C = np.array(model.damping)
    K, C = (np.pad(x, (0, 6 - len(x))) for x in (K, C))
    F = s.axes_i
    theta = Rotation.from_matrix(F.T @ s.axes_j).as_rotvec()
    x = np.r_[F.T @ s.e, theta]
    xdot = np.r_[F.T @ (s.u - np.cross(s.w_i, s.e)), F.T @ (s.w_j - s.w_i)]
    slope, viscous = K @ x, C @ xdot
    J = term = np.eye(3)
    for k in range(1, 40):
        term = term @ skew(theta) / (k + 1)
        J = J + term
    turning = np.linalg.solve(J.T, slope[3:])
    return Force(
        point=s.P_j,
        force=-F @ (slope[:3] + viscous[:3]),
        torque=-F @ (turning + viscous[3:]),
        power_dissipated=float(xdot @ viscous),
        stored_energy=float(0.5 * x @ K @ x),
    )


def on_child(system: gd.System, name: str, state: dict[str, gd.BodyState], out: Force) -> np.ndarray:
    """Force and torque of the joint on the child, about the child's joint point."""
    s = Sides(system, name, state)
    is_ball = s.names[1] == system.joints[name].child
    sign, point = (1.0, s.P_j) if is_ball else (-1.0, s.P_i)
    return sign * np.r_[out.force, np.cross(out.point - point, out.force) + out.torque]


def accelerations(system: gd.System, name: str, state: dict[str, gd.BodyState], out: Force) -> dict[str, np.ndarray]:
    """Newton and Euler for the two bodies of the joint, if nothing else acts on them: (v̇, ω̇) of each."""
    s, found = Sides(system, name, state), {}
    for body, sign in zip(s.names, (-1.0, 1.0), strict=True):
        if body == "ground":
            continue
        at, properties = state[body], system.bodies[body]
        R, w = rotation(at.orientation), np.array(at.angular_velocity)
        inertia = R @ np.array(properties.inertia) @ R.T
        torque = sign * (np.cross(out.point - np.array(at.position), out.force) + out.torque)
        linear = sign * out.force / properties.mass + np.array(system.gravity)
        found[body] = np.r_[linear, np.linalg.solve(inertia, torque - np.cross(w, inertia @ w))]
    return found
