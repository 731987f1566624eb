"""SciPy on a NumPy right-hand side: the standard slider-crank with a dry gudgeon pin, as an engineer would write it.

Planar absolute coordinates (x, y, φ) of crank, rod and slider, seven constraint rows (two pins, the guide, the drive)
with Baumgarte's α = β = 100 1/s, accelerations and multipliers from one system of 16 unknowns. The pin is a force at
the point half-way between the surfaces: gudgeon's line law and friction. DOP853 runs through the contacts, whose law
begins continuously; ending it at every contact (events) costs more and gains nothing here.
"""

import time

import numpy as np
from scipy.integrate import solve_ivp

from . import journal_slider_crank as data

NAME = "SciPy (DOP853, NumPy)"
LADDER = (1e-6, 1e-7, 1e-8, 1e-9)  # relative tolerance
ALPHA = BETA = 100.0
MASS = np.array([1.0, 1.0, 1e-3, *[data.ROD_MASS] * 2, data.ROD_INERTIA, *[data.SLIDER_MASS] * 2, 1e-4])
CENTRES = np.array([[data.CRANK / 2, 0.0], [data.CRANK + data.ROD / 2, 0.0], [data.CRANK + data.ROD, 0.0]])
# pins: body or −1 (ground), point in its axes
PINS = (
    ((-1, np.zeros(2)), (0, np.array((-data.CRANK / 2, 0.0)))),
    ((0, np.array((data.CRANK / 2, 0.0))), (1, np.array((-data.ROD / 2, 0.0)))),
)
IN_ROD = np.array((data.ROD / 2, 0.0))


def turned(angle: float, s: np.ndarray) -> np.ndarray:
    c, n = np.cos(angle), np.sin(angle)
    return np.array((c * s[0] - n * s[1], n * s[0] + c * s[1]))


def across(s: np.ndarray) -> np.ndarray:
    return np.array((-s[1], s[0]))


def push(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, float]:
    """Generalised forces of the journal, and the power it loses."""
    Q = np.zeros(9)
    arm = turned(q[5], IN_ROD)
    bore = q[3:5] + arm
    e = q[6:8] - bore
    away = np.linalg.norm(e)
    depth = away - data.CLEARANCE
    if depth <= 0.0:
        return Q, 0.0
    n = e / away
    X = bore + 0.5 * (data.BORE + data.PIN + away) * n
    u = v[6:8] + v[8] * across(X - q[6:8]) - v[3:5] - v[5] * across(X - q[3:5])
    rate = n @ u
    elastic = (
        data.LENGTH * np.pi * data.MODULUS * depth / (data.A + data.B * np.log(1.0 + data.C * data.CLEARANCE / depth))
    )
    normal = max(elastic * (1.0 + data.DAMPING * rate), 0.0)
    t = across(n)
    slip = t @ u
    friction = data.MU * normal * np.tanh(slip / data.SLIDING_SPEED)
    F = -normal * n - friction * t
    Q[6:8], Q[8] = F, across(X - q[6:8]) @ F
    Q[3:5], Q[5] = -F, -across(X - q[3:5]) @ F
    return Q, (normal - elastic) * rate + friction * slip


def rate(t: float, y: np.ndarray, push=push) -> np.ndarray:
    """ẏ of positions, velocities and the energy lost in the pin, which pushes so."""
    q, v = y[:9], y[9:18]
    J, gap, gamma = np.zeros((7, 9)), np.zeros(7), np.zeros(7)
    for row, pin in enumerate(PINS):
        for sign, (body, point) in zip((-1.0, 1.0), pin, strict=True):
            if body < 0:
                continue
            s = turned(q[3 * body + 2], point)
            rows = slice(2 * row, 2 * row + 2)
            J[rows, 3 * body : 3 * body + 2] = sign * np.eye(2)
            J[rows, 3 * body + 2] = sign * across(s)
            gap[rows] += sign * (q[3 * body : 3 * body + 2] + s)
            gamma[rows] += sign * v[3 * body + 2] ** 2 * s
    J[4, 7], J[5, 8], J[6, 2] = 1.0, 1.0, 1.0
    gap[4], gap[5], gap[6] = q[7], q[8], q[2] - data.SPEED * t
    speeds = J @ v
    speeds[6] -= data.SPEED
    Q, power = push(q, v)
    A = np.zeros((16, 16))
    A[:9, :9], A[:9, 9:], A[9:, :9] = np.diag(MASS), J.T, J
    a = np.linalg.solve(A, np.concatenate([Q, gamma - 2.0 * ALPHA * speeds - BETA**2 * gap]))[:9]
    return np.concatenate([v, a, [power]])


def start() -> np.ndarray:
    """In line, the pin centred; nothing is lost so far."""
    q = np.column_stack([CENTRES, np.zeros(3)]).reshape(-1)
    v = np.zeros(9)
    v[1], v[2] = 0.5 * data.CRANK * data.SPEED, data.SPEED
    v[4], v[5] = 0.5 * data.CRANK * data.SPEED, -data.CRANK * data.SPEED / data.ROD
    return np.concatenate([q, v, [0.0]])


def run(accuracy: float) -> tuple[float, float]:
    """Energy lost in the first revolution [J], and the CPU time [s]."""
    atol = np.array([*[1e-3 * accuracy] * 9, *[accuracy] * 9, accuracy])
    began = time.process_time()
    with np.errstate(all="ignore"):  # of trial steps far beyond a contact
        out = solve_ivp(rate, (0.0, data.REVOLUTION), start(), method="DOP853", rtol=accuracy, atol=atol)
    return float(out.y[-1, -1]), time.process_time() - began
