"""SciPy on a NumPy right-hand side: the four-bar with a dry spherical joint at C, as an engineer would write it.

Absolute coordinates of three bodies (position, quaternion, velocity, angular velocity: 39 states), 13 constraint rows
with Baumgarte's α = β = 5 (two revolutes on the ground, one ideal ball at B), multipliers from the Schur complement
J M⁻¹ Jᵀ. Joint C is a force: Lankarani–Nikravesh with Hertz stiffness, Coulomb friction regularised by tanh, gudgeon's
law. `solve_ivp` ends at every touch and leave (terminal events) and starts again with the new normal speed.

The ball rings on its contact with some 1e4 rad/s, which every method follows: about 1e5 evaluations for a simulated
second at any tolerance, about 170 µs each, nearly all of it NumPy's cost per call.

`run`: LSODA, 43 s of CPU for 2 s at an error of 1e-6. `run_dop853`: DOP853, 23 s. Below 1e-8 neither gets any better.
Tried: Radau and BDF, whose Jacobians by differences cost 39 evaluations: no faster than LSODA at the same error. Too
loose a tolerance (DOP853: 1e-4) loses the contact without notice: the ball leaves the socket.
"""

import math
import time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from . import four_bar_data as four_bar

NAME = "SciPy (LSODA, NumPy)"
LADDER = (1e-6, 1e-7, 1e-8, 1e-9, 1e-10)  # relative tolerance; absolute: 1e-2 of it on positions, 1 on velocities
DOP853_NAME = "SciPy (DOP853, NumPy)"
DOP853_LADDER = (1e-5, 1e-6, 1e-7, 1e-8)  # relative tolerance; absolute: 1e-3 of it on positions, 0.1 on velocities

SOCKET, BALL = 0.010, 0.0099  # radii [m]
STIFFNESS = 1.5088820474803735e11  # Hertz [N/m^1.5]
RESTITUTION, SLOWEST_IMPACT = 0.9, 1e-4  # [-], [m/s]
FRICTION, SLIDING_SPEED = 0.1, 1e-3  # [-], [m/s]
FIRST_STEP = 1e-6  # [s]: an event needs a change of sign, so the ball must be off the wall after the first step
ALPHA = BETA = 5.0  # Baumgarte [1/s]

CRANK, COUPLER, ROCKER = 0, 1, 2
MASS = np.array([four_bar.CRANK_MASS, four_bar.COUPLER_MASS, four_bar.ROCKER_MASS])
INERTIA = np.array([four_bar.CRANK_INERTIA, four_bar.COUPLER_INERTIA, four_bar.ROCKER_INERTIA])
WEIGHT = MASS[:, None] * four_bar.GRAVITY
# points and axes in their bodies: A and axis of the crank, B on the crank, B and C on the coupler, D, axis, C (rocker)
OWNERS = np.array([CRANK, CRANK, CRANK, COUPLER, COUPLER, ROCKER, ROCKER, ROCKER])
START_FRAMES = np.array([np.eye(3), four_bar.COUPLER_FRAME, four_bar.ROCKER_FRAME])
HALF_COUPLER, HALF_ROCKER = four_bar.COUPLER_LENGTH / 2, four_bar.ROCKER_LENGTH / 2
LOCAL = np.array(
    [
        np.zeros(3),
        [1.0, 0.0, 0.0],
        four_bar.B0,
        [0.0, HALF_COUPLER, 0.0],
        [0.0, -HALF_COUPLER, 0.0],
        [0.0, HALF_ROCKER, 0.0],
        four_bar.ROCKER_FRAME.T @ [0.0, 1.0, 0.0],
        [0.0, -HALF_ROCKER, 0.0],
    ]
)
A_, AXIS_A, B_CRANK, B_COUPLER, C_COUPLER, D_, AXIS_D, C_ROCKER = range(8)
SKEW = np.zeros((3, 3, 3))  # a @ SKEW is the skew matrix of a
SKEW[0, 1, 2], SKEW[1, 2, 0], SKEW[2, 0, 1] = -1.0, -1.0, -1.0
SKEW[0, 2, 1], SKEW[1, 0, 2], SKEW[2, 1, 0] = 1.0, 1.0, 1.0
SKEW = SKEW.reshape(3, 9)


def skew(a: np.ndarray) -> np.ndarray:
    """Return the skew matrices of a stack of vectors."""
    return (a @ SKEW).reshape(*a.shape, 3)


def rotations(p: np.ndarray) -> np.ndarray:
    """Return the rotation matrices of a stack of quaternions of any length; floats are faster here than arrays."""
    rows = []
    for a, b, c, d in p.tolist():
        k = 2.0 / (a * a + b * b + c * c + d * d)
        rows.append([1.0 - k * (c * c + d * d), k * (b * c - a * d), k * (b * d + a * c)])
        rows.append([k * (b * c + a * d), 1.0 - k * (b * b + d * d), k * (c * d - a * b)])
        rows.append([k * (b * d - a * c), k * (c * d + a * b), 1.0 - k * (b * b + c * c)])
    return np.array(rows).reshape(-1, 3, 3)


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a × b of two vectors; numpy.cross is slow for one pair."""
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def split(y: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return positions, quaternions, velocities and angular velocities of the three bodies."""
    return y[:9].reshape(3, 3), y[9:21].reshape(3, 4), y[21:30].reshape(3, 3), y[30:].reshape(3, 3)


def constant_rows() -> np.ndarray:
    """Return the constraint Jacobian (13, 18) with its constant part."""
    J = np.zeros((13, 18))
    J[0:3, 0:3] = J[5:8, 6:9] = J[8:11, 12:15] = np.eye(3)
    J[5:8, 0:3] = -np.eye(3)
    return J


J = constant_rows()
INVERSE_MASS = np.diag(np.hstack([1.0 / MASS[:, None] * np.ones(3), np.zeros((3, 3))]).ravel())


def contact(e, relative, impact_speed, w_socket, w_ball):
    """Return the force on the ball and the arms of its point of action from the socket's and the ball's centre."""
    distance = math.sqrt(e @ e)
    delta = distance - (SOCKET - BALL)
    if delta <= 0.0:
        return None
    n = e / distance
    rate = float(n @ relative)
    normal = STIFFNESS * delta**1.5 * (1.0 + 0.75 * (1.0 - RESTITUTION**2) * rate / impact_speed)
    arm_socket = 0.5 * (SOCKET + BALL + distance) * n
    arm_ball = 0.5 * (SOCKET + BALL - distance) * n
    slide = relative - rate * n + cross(w_ball, arm_ball) - cross(w_socket, arm_socket)
    speed = math.sqrt(slide @ slide)
    grip = FRICTION * math.tanh(speed / SLIDING_SPEED) / max(speed, 1e-300)
    return -max(normal, 0.0) * (n + grip * slide), arm_socket, arm_ball


def rates(_, y: np.ndarray, impact_speed: float | None) -> np.ndarray:
    """Return dy/dt; `impact_speed` is the normal speed at which the contact began, None while the ball is free."""
    r, p, v, w = split(y)
    R = rotations(p)
    s = (R[OWNERS] @ LOCAL[:, :, None])[:, :, 0]
    S = skew(s)
    spin = -(S @ w[OWNERS, :, None])[:, :, 0]  # ω × s
    W = skew(w)
    inward = (W[OWNERS] @ spin[:, :, None])[:, :, 0]  # ω × (ω × s)

    J[0:3, 3:6], J[3:5, 3:6] = -S[A_], -S[AXIS_A, 1:]
    J[5:8, 3:6], J[5:8, 9:12] = S[B_CRANK], -S[B_COUPLER]
    J[8:11, 15:18], J[11:13, 15:18] = -S[D_], -S[AXIS_D, ::2]
    error = np.concatenate(
        [
            r[CRANK] + s[A_] - four_bar.A,
            s[AXIS_A, 1:],
            r[COUPLER] + s[B_COUPLER] - r[CRANK] - s[B_CRANK],
            r[ROCKER] + s[D_] - four_bar.D,
            s[AXIS_D, ::2],
        ]
    )
    bias = np.concatenate(
        [inward[A_], inward[AXIS_A, 1:], inward[B_COUPLER] - inward[B_CRANK], inward[D_], inward[AXIS_D, ::2]]
    )
    velocity = np.concatenate([v, w], axis=1).ravel()

    Rt = R.transpose(0, 2, 1)
    load = np.zeros((3, 6))
    load[:, :3] = WEIGHT
    momentum = R @ (INERTIA[:, :, None] * (Rt @ w[:, :, None]))
    load[:, 3:] = -(W @ momentum)[:, :, 0]
    if impact_speed is not None:
        e = r[ROCKER] + s[C_ROCKER] - r[COUPLER] - s[C_COUPLER]
        relative = v[ROCKER] + spin[C_ROCKER] - v[COUPLER] - spin[C_COUPLER]
        pushed = contact(e, relative, impact_speed, w[COUPLER], w[ROCKER])
        if pushed is not None:
            force, arm_socket, arm_ball = pushed
            load[ROCKER, :3] += force
            load[ROCKER, 3:] += cross(s[C_ROCKER] + arm_ball, force)
            load[COUPLER, :3] -= force
            load[COUPLER, 3:] -= cross(s[C_COUPLER] + arm_socket, force)

    inverse = INVERSE_MASS.copy()
    turning = R @ (Rt / INERTIA[:, :, None])
    for k in range(3):
        inverse[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = turning[k]
    free = inverse @ load.ravel()
    JM = J @ inverse
    aim = -bias - 2.0 * ALPHA * (J @ velocity) - BETA**2 * error
    multipliers = np.linalg.solve(JM @ J.T, J @ free - aim)
    acceleration = (free - JM.T @ multipliers).reshape(3, 6)

    out = np.empty(39)
    out[:9], out[21:30], out[30:] = y[21:30], acceleration[:, :3].ravel(), acceleration[:, 3:].ravel()
    turn = out[9:21].reshape(3, 4)
    turn[:, 0] = -0.5 * (w * p[:, 1:]).sum(axis=1)
    turn[:, 1:] = 0.5 * (p[:, :1] * w + (W @ p[:, 1:, None])[:, :, 0])
    return out


def at_C(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the eccentricity vector and its rate."""
    r, p, v, w = split(y)
    R = rotations(p[COUPLER:])
    socket, ball = R[0] @ LOCAL[C_COUPLER], R[1] @ LOCAL[C_ROCKER]
    e = r[ROCKER] + ball - r[COUPLER] - socket
    return e, v[ROCKER] + cross(w[ROCKER], ball) - v[COUPLER] - cross(w[COUPLER], socket)


def touch(_, y: np.ndarray, *unused) -> float:
    """Return the penetration; an event where it grows through 0."""
    e, _ = at_C(y)
    return math.sqrt(e @ e) - (SOCKET - BALL)


def leave(t, y: np.ndarray, *unused) -> float:
    """Return the penetration; an event where it falls through 0."""
    return touch(t, y)


touch.terminal = leave.terminal = True
touch.direction, leave.direction = 1.0, -1.0


def start() -> np.ndarray:
    centres = np.concatenate([four_bar.A, four_bar.COUPLER_CENTRE, four_bar.ROCKER_CENTRE])
    quaternions = np.roll(Rotation.from_matrix(START_FRAMES).as_quat(), 1, axis=1)
    return np.concatenate([centres, quaternions.ravel(), np.zeros(18)])


def integrate(method: str, rtol: float, atol: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the rocker's centre at `times` and the CPU time."""
    t, y, impact_speed, positions = 0.0, start(), None, [four_bar.ROCKER_CENTRE]
    began = time.process_time()
    while True:
        solution = solve_ivp(
            rates,
            (t, times[-1]),
            y,
            method,
            times[len(positions) :],
            events=touch if impact_speed is None else leave,
            args=(impact_speed,),
            rtol=rtol,
            atol=atol,
            first_step=min(FIRST_STEP, times[-1] - t),
        )
        if solution.status < 0:
            raise RuntimeError(f"{method} at t = {t:g}: {solution.message}")
        if len(solution.t):
            positions.extend(solution.y[6:9].T)
        if solution.status == 0:
            return np.array(positions), time.process_time() - began
        t, y = solution.t_events[0][0], solution.y_events[0][0]
        e, rate = at_C(y)
        impact_speed = max(e @ rate / math.sqrt(e @ e), SLOWEST_IMPACT) if impact_speed is None else None


def run(accuracy: float, times: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the rocker's centre at `times`, from 0, (n, 3) [m], and the CPU time of the integration [s]."""
    return integrate("LSODA", accuracy, accuracy * np.repeat([1e-2, 1.0], [21, 18]), times)


def run_dop853(accuracy: float, times: np.ndarray) -> tuple[np.ndarray, float]:
    """Do the same by DOP853."""
    return integrate("DOP853", accuracy, accuracy * np.repeat([1e-3, 0.1], [21, 18]), times)
