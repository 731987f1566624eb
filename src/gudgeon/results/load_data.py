"""What loads and signals did, as variables of `Result.data`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.functions.expressions import derivative, parse
from gudgeon.functions.expressions import evaluate as value_of
from gudgeon.functions.function import constant_value, depends_on_motion, values_at
from gudgeon.functions.table import Table
from gudgeon.loads import JointSpring, SpringDamper, stores

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

DIFFERENCE = 1e-6  # half the interval of a difference quotient of a Python function of time, of the time [-]


def load_variables(equations: Equations, times: np.ndarray, out: Any) -> dict[str, Any]:
    """Powers of loads, values of signals, efforts of stops."""
    system = equations.system
    power = out.load[:, :, 0].copy()
    for k, load in enumerate(system.loads.values()):
        if isinstance(load, SpringDamper | JointSpring) and stores(load):
            power[:, k] = _beyond_stored(load, times, *out.load[:, k].T)
    places = list(equations.signal_places.values())
    found: dict[str, Any] = {
        "load_power": (
            ("time", "load"),
            power,
            {"units": "W", "long_name": "power of the load on the bodies, of springs what they do not store"},
        ),
        "signal_value": (("time", "signal"), out.signal[:, places], {"units": "SI", "long_name": "named signals"}),
    }
    lines = stop_lines(equations)
    if len(lines):
        from gudgeon.kernels.dynamics.arrays import REPORT_NORMAL

        found["stop_effort"] = (
            ("time", "stop"),
            out.joint[:, lines, REPORT_NORMAL],
            {"units": "N*m or N", "long_name": "torque or force with which the stop pushes back"},
        )
    return found


def stop_lines(equations: Equations) -> np.ndarray:
    """The lines of stops among all that acts by forces."""
    from gudgeon.kernels.dynamics.arrays import COUPLED, COUPLED_MEASURE, KIND, STOP

    table = equations.model.compliant
    alone = (table[:, KIND] == COUPLED) & (table[:, COUPLED_MEASURE + 1] < 0)
    return np.flatnonzero((table[:, KIND] == STOP) | alone)


def _rest(load: SpringDamper | JointSpring) -> Any:
    return load.length if isinstance(load, SpringDamper) else load.rest


def _beyond_stored(
    load: SpringDamper | JointSpring, times: np.ndarray, power: np.ndarray, x: np.ndarray, rate: np.ndarray
) -> np.ndarray:
    """−c ẋ² + ½ k̇ (x − x₀)² − k (x − x₀) ẋ₀: what a spring and damper supply beyond V = ½ k (x − x₀)² [W].

    The part of a damper that depends on signals is what the power is beyond that of the spring, −k (x − x₀) ẋ.
    """
    stiffness, rest = values_at(load.stiffness, times), values_at(_rest(load), times)
    stretch = x - rest
    varying = 0.5 * _rates(load.stiffness, times) * stretch**2 - stiffness * stretch * _rates(_rest(load), times)
    if depends_on_motion(load.damping):
        return varying + power + stiffness * stretch * rate
    return varying - values_at(load.damping, times) * rate**2


def _rates(value: Any, times: np.ndarray) -> np.ndarray:
    """d/dt of a function of time."""
    if constant_value(value) is not None:
        return np.zeros(len(times))
    if isinstance(value, Table):
        return np.array([value.at(t, 1) for t in times.tolist()])
    if isinstance(value, str):
        slope = derivative(parse(value))
        return np.array([value_of(slope, t) for t in times.tolist()])
    near = DIFFERENCE * np.maximum(times, 1e-3)
    return (values_at(value, times + near) - values_at(value, times - near)) / (2.0 * near)
