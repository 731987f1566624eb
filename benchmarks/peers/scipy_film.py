"""SciPy's LSODA on a NumPy right-hand side: the slider-crank whose gudgeon pin runs in a short film.

Twice: as an engineer would write it, in planar absolute coordinates with constraint rows (scipy_journal.py, the film
in place of the contact), and reduced by hand to two coordinates, the rod's angle and the slider's place, for this
mechanism alone. The film is the closed form of Ocvirk's short bearing, its force half-way between the centres, with
shear. Radau and BDF take longer than LSODA for the same error (absolute coordinates: 1.6 and 2 times).
"""

import time

import numpy as np
from scipy.integrate import solve_ivp

from gudgeon.films.short_film import short_film

from . import journal_slider_crank as data
from . import scipy_journal as rows
from .scipy_journal import across, turned

VISCOSITY = 0.4  # [Pa s]
LADDER = (1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 1e-9)  # relative tolerance
TURNS = 4
STRENGTH = VISCOSITY * data.BORE * data.LENGTH**3 / data.CLEARANCE**3
SHEAR = 2.0 * np.pi * VISCOSITY * data.BORE**3 * data.LENGTH / data.CLEARANCE


def wrench(e: np.ndarray, V: np.ndarray, spin: float) -> tuple[np.ndarray, float]:
    """Force on the pin [N] and drag on the bore [N m], the bore turning at `spin`, the pin not; V seen half-way."""
    size = np.linalg.norm(V)
    v = V / size if size else np.array([1.0, 0.0])
    eps = e / data.CLEARANCE
    J_v, J_t = short_film(eps @ v, eps @ across(v))
    return -STRENGTH * size * (J_v * v + J_t * across(v)), -SHEAR * spin / np.sqrt(1.0 - eps @ eps)


def push(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, float]:
    """Generalised forces of the film, and the power it loses."""
    arm = turned(q[5], rows.IN_ROD)
    e = q[6:8] - q[3:5] - arm
    V = v[6:8] - v[3:5] - v[5] * across(arm) - 0.5 * (v[5] + v[8]) * across(e)
    F, drag = wrench(e, V, v[5] - v[8])
    Q = np.zeros(9)
    Q[6:8], Q[8] = F, -0.5 * (across(e) @ F) - drag
    Q[3:5], Q[5] = -F, -(across(arm + 0.5 * e) @ F) + drag
    return Q, -(F @ V) - drag * (v[5] - v[8])


def rate_of_two(t: float, y: np.ndarray) -> list[float]:
    """The rod's angle, the slider's place, their rates, the energy lost: ẏ."""
    angle, place, spin, speed = y[:4]
    turn = data.SPEED * t
    u, n = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    crank_pin = data.CRANK * np.array([np.cos(turn), np.sin(turn)])
    its_speed = data.SPEED * across(crank_pin)
    e = np.array([place, 0.0]) - crank_pin - data.ROD * u
    V = np.array([speed, 0.0]) - its_speed - data.ROD * spin * n - 0.5 * spin * across(e)
    F, drag = wrench(e, V, spin)
    arm, half = data.ROD * u + 0.5 * e, 0.5 * data.ROD  # from the crank pin
    pull = -(data.SPEED**2) * crank_pin  # its acceleration
    moment = -(across(arm) @ F) + drag - data.ROD_MASS * half * (across(u) @ pull)
    inertia = data.ROD_INERTIA + data.ROD_MASS * half**2
    return [spin, speed, moment / inertia, F[0] / data.SLIDER_MASS, -(F @ V) - drag * spin]


def rate_of_all(t: float, y: np.ndarray) -> np.ndarray:
    """ẏ in absolute coordinates."""
    return rows.rate(t, y, push)


PROBLEMS = {
    "absolute coordinates": (rate_of_all, rows.start()),
    "by hand in two coordinates": (
        rate_of_two,
        np.array([0.0, data.CRANK + data.ROD, -data.CRANK * data.SPEED / data.ROD, 0.0, 0.0]),
    ),
}


def run(name: str, rtol: float) -> tuple[float, float]:
    """Energy lost in the last of four revolutions [J], and the CPU time of one [s]."""
    rate, y0 = PROBLEMS[name]
    times = np.arange(TURNS + 1) * data.REVOLUTION
    began = time.process_time()
    with np.errstate(all="ignore"):  # of trial steps into the wall
        out = solve_ivp(rate, (0.0, times[-1]), y0, "LSODA", times, rtol=rtol, atol=1e-3 * rtol)
    return float(np.diff(out.y[-1])[-1]), (time.process_time() - began) / TURNS
