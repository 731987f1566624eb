"""An arm on a pivot under controllers, and the same by SciPy: a second, independent formulation."""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp

import gudgeon as gd

MASS, INERTIA, ARM, G = 1.5, 0.02, 0.3, 9.81
WHOLE = INERTIA + MASS * ARM**2  # about the pivot
SOLVERS = {
    "Explicit": gd.Explicit(),
    "Implicit": gd.Implicit(),
    "Sundials": gd.Sundials(rtol=1e-9, atol=1e-11),
    "TimeStepping": gd.TimeStepping(step=1e-3),
}
WITHIN = {"Explicit": 3e-9, "Implicit": 2e-8, "Sundials": 3e-8, "TimeStepping": 1e-4}  # of angles [rad]


def arm(rate: float = 0.0, **parts) -> gd.System:
    """The arm hangs from "main"."""
    inertia = (INERTIA, INERTIA, INERTIA)
    body = gd.Body(mass=MASS, inertia=inertia, position=(0, 0, -ARM), angular_velocity=(0, rate, 0))
    return gd.System(
        bodies={"arm": body},
        joints={"main": gd.Revolute("ground", "arm", at=(0, 0, 0), axis=(0, 1, 0))},
        **parts,
    )


def swung(
    torque, angle: float = 0.0, rate: float = 0.0, *, states=(), derivative=None, until: float, begin: float = 0.0
):
    """θ, θ̇ and further states over time, of (J + m l²) θ̈ = torque(t, θ, θ̇, x) − m g l sin θ, ẋ = derivative(…)."""

    def rates(t, y):
        x = y[2:]
        turning = (torque(t, y[0], y[1], x) - MASS * G * ARM * math.sin(y[0])) / WHOLE
        return [y[1], turning, *(derivative(t, y[0], y[1], x) if derivative else ())]

    start = [angle, rate, *states]
    found = solve_ivp(rates, (begin, until), start, method="DOP853", rtol=1e-12, atol=1e-13, dense_output=True)
    return found.sol


def angle_of(result: gd.Result) -> np.ndarray:
    """θ at the samples."""
    return result.data.joint_position.sel(coordinate="main.angle").values


def cut_runs_agree(system: gd.System, end: float, cuts, **options) -> None:
    """A run that is cut goes on to the bit as if it were not."""
    whole = gd.simulate(system, end, sample=np.array([0.0, end]), **options)
    for cut in cuts:
        first = gd.simulate(system, cut, sample=np.array([0.0, cut]), **options)
        rest = gd.simulate(system, end - cut, start=first.state(), sample=np.array([end]), **options)
        assert np.array_equal(rest.states[-1], whole.states[-1]), cut
