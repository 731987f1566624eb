"""Which load depends on the motion in a way that gives no number where a run failed, and of which signals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.functions.function import arguments_of, depends_on_motion
from gudgeon.functions.table import Table
from gudgeon.loads import Load, Motor

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

SHARES = (0.0, 1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0)  # of the last step, ahead of the last state


def motion_culprit(equations: Equations, t: float, y: np.ndarray, step: float) -> tuple[str, str] | None:
    """The load that depends on signals and gives nan or infinity at the last state or a little further on."""
    from gudgeon.kernels.dynamics.arrays import LOAD_PROGRAM
    from gudgeon.kernels.dynamics.motion import right_hand_side
    from gudgeon.kernels.functions.programs import function
    from gudgeon.kernels.outputs.load_outputs import signals_at

    model, work = equations.model, equations.work
    loads = [
        (k, name, load)
        for k, (name, load) in enumerate(equations.system.loads.items())
        if any(depends_on_motion(value) for _, value in load.given_functions())
    ]
    if not loads:
        return None
    rate = np.zeros_like(y)
    right_hand_side(model, work, t, y, rate)
    rate = np.where(np.isfinite(rate), rate, 0.0)
    for share in SHARES:
        at = t + share * step
        signals_at(model, work, at, y + share * step * rate)
        for k, name, load in loads:
            values = [function(model, work, model.load[k, LOAD_PROGRAM] + c, at) for c in range(3)]
            if not np.all(np.isfinite(values)):
                functions = [value for _, value in load.given_functions()]
                told = dict.fromkeys(text for value in functions for text in _told(equations, load, value))
                shown = values[0] if isinstance(functions[0], Table) or len(functions) == 1 else values
                return name, (
                    f"{type(load).__name__} {name!r} gives {shown} at t = {at:.9g} s with {', '.join(told)}; it must "
                    "stay finite"
                )
    return None


def _told(equations: Equations, load: Load, value: Any) -> list[str]:
    """The signals of a function with their values, and the range of a table that is left."""
    parts = [f"{name} = {_number(equations, load, name):.6g}" for name, _ in arguments_of(value)]
    if parts and isinstance(value, Table) and value.outside == "refuse":
        parts.append(f"a table that covers {value.range_told()} (outside='hold' or 'extrapolate' would go on)")
    return parts


def _number(equations: Equations, load: Load, name: str) -> float:
    """A signal as last measured."""
    factor, places = 1.0, equations.programs.signals
    assert places is not None
    if isinstance(load, Motor) and name in load.local:
        coordinate = equations.system.coordinate("Motor", load.joint, load.coordinate)
        factor, name = load.gear_ratio, f"{load.joint}.{coordinate}" + ("_rate" if name == "speed" else "")
    return factor * float(equations.work.signal[places.place("signal", name)])
