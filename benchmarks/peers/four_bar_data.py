"""The spatial four-bar of Silva et al. with ideal joints: geometry, masses, exactly closed initial pose.

The published tables are rounded to 1e-5 m, so the loop they describe does not quite close. The reference
file `spatial_four_bar_ideal.json` gives a closed reading by three points: B0 (crank–coupler ball), P0
(coupler–rocker ball, C0 here) and D (rocker pin). Those points are the truth here and the rod lengths
follow from them: each ball sits at half the rod length from the rod's centre of mass, on its local y axis.
The closure residual is rounding.

`reference` is independent of every peer and of gudgeon. The coupler (inertia I about any axis across it)
never spins, because the balls sit on its axis and it starts from rest. With B(θ), C(φ) and L = |B − C| its
kinetic energy is ½ a (Ḃ·Ḃ + Ċ·Ċ) + b Ḃ·Ċ, a = m/4 + I/L², b = m/4 − I/L², which leaves two angles and one
multiplier. It meets all 41 samples of the reference file to 7e-12 m.
"""

import numpy as np
from scipy.integrate import solve_ivp

A = np.zeros(3)  # p_WA: ground–crank pin, axis x; also the crank's centre of mass [m]
B0 = np.array([0.0, 0.0, 0.020])  # p_WB at t = 0: crank–coupler ball [m]
C0 = np.array([-0.07491115437829746, -0.085, 0.06524730875656622])  # p_WC at t = 0: coupler–rocker ball [m]
D = np.array([-0.040, -0.085, 0.0])  # p_WD: ground–rocker pin, axis y [m]
GRAVITY = np.array([0.0, 0.0, -9.81])  # [m/s²]

CRANK_MASS, COUPLER_MASS, ROCKER_MASS = 0.0196, 0.1416, 0.0316  # [kg]
CRANK_INERTIA = np.array([3.92e-5, 1.97e-5, 1.97e-5])  # body axes, at the centre of mass [kg·m²]
COUPLER_INERTIA = np.array([1.7743e-3, 3.51e-5, 1.7743e-3])  # [kg·m²]
ROCKER_INERTIA = np.array([1.456e-4, 2.9e-6, 1.456e-4])  # [kg·m²]

COUPLER_LENGTH = float(np.linalg.norm(B0 - C0))  # 0.122 [m]
ROCKER_LENGTH = float(np.linalg.norm(D - C0))  # 0.074 [m]
COUPLER_CENTRE = 0.5 * (B0 + C0)  # [m]
ROCKER_CENTRE = 0.5 * (C0 + D)  # [m]

DURATION = 2.0  # from rest [s]
STROKE = 0.0504208761  # largest distance between two positions of the rocker's centre within DURATION [m]


def frame_along(direction: np.ndarray, across: np.ndarray) -> np.ndarray:
    """Return the rotation R_WB with y along `direction` and x normal to `direction` and `across`."""
    y = direction / np.linalg.norm(direction)
    x = np.cross(y, across)
    x /= np.linalg.norm(x)
    return np.column_stack([x, y, np.cross(x, y)])


COUPLER_FRAME = frame_along(B0 - C0, np.array([0.0, 0.0, 1.0]))  # local (0, +L/2, 0) is B, (0, −L/2, 0) is C
ROCKER_FRAME = frame_along(D - C0, np.array([0.0, 1.0, 0.0]))  # local (0, +L/2, 0) is D, (0, −L/2, 0) is C


def rocker_centre(angle: np.ndarray) -> np.ndarray:
    """Return the rocker's centre of mass, (n, 3) [m], turned by `angle` about +y since t = 0 [rad]."""
    x, _, z = ROCKER_CENTRE - D
    c, s = np.cos(angle), np.sin(angle)
    return D + np.stack([c * x + s * z, np.zeros_like(c), c * z - s * x], axis=-1)


def relative_error(positions: np.ndarray, reference: np.ndarray) -> float:
    """Return the largest distance between two sampled rocker paths, (n, 3) each [m], over the stroke [-]."""
    return float(np.linalg.norm(positions - reference, axis=1).max()) / STROKE


def reference(times: np.ndarray) -> np.ndarray:
    """Return the rocker's centre of mass at `times`, (n, 3) [m], to about 1e-11 m; takes about a second."""
    mass, gravity, length2 = COUPLER_MASS, GRAVITY, COUPLER_LENGTH**2
    a, b = mass / 4 + COUPLER_INERTIA[0] / length2, mass / 4 - COUPLER_INERTIA[0] / length2
    crank = CRANK_INERTIA[0]  # about the pin
    rocker = ROCKER_INERTIA[0] + ROCKER_MASS * (ROCKER_LENGTH / 2) ** 2  # about the pin
    r_C0 = C0 - D

    def rates(_, state):
        (theta, phi), (w, u) = state[:2], state[2:]
        B = np.array([0.0, -np.sin(theta), np.cos(theta)]) * B0[2]
        dB = np.array([0.0, -B[2], B[1]])  # dB/dθ; d²B/dθ² = −B
        c, s = np.cos(phi), np.sin(phi)
        r = np.array([c * r_C0[0] + s * r_C0[2], 0.0, c * r_C0[2] - s * r_C0[0]])
        dr = np.array([r[2], 0.0, -r[0]])  # dC/dφ; d²C/dφ² = −r
        bias_B, bias_C, h = -B * w * w, -r * u * u, B - D - r
        matrix = np.zeros((3, 3))
        matrix[0, 0], matrix[1, 1] = crank + a * dB @ dB, rocker + a * dr @ dr
        matrix[0, 1] = matrix[1, 0] = b * dB @ dr
        matrix[0, 2] = matrix[2, 0] = h @ dB
        matrix[1, 2] = matrix[2, 1] = -(h @ dr)
        rate = dB * w - dr * u
        right = [
            dB @ (mass / 2 * gravity - a * bias_B - b * bias_C),
            dr @ ((mass + ROCKER_MASS) / 2 * gravity - a * bias_C - b * bias_B),
            -(rate @ rate) - h @ (bias_B - bias_C),
        ]
        return [w, u, *np.linalg.solve(matrix, right)[:2]]

    solution = solve_ivp(rates, (0.0, times[-1]), np.zeros(4), "DOP853", times, rtol=1e-12, atol=1e-14)
    return rocker_centre(solution.y[1])
