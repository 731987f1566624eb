"""Which load or controller gives no number where a run failed, and of which signals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.functions.function import arguments_of, depends_on_motion
from gudgeon.functions.table import Table
from gudgeon.loads import Load, Motor

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

SHARES = (0.0, 1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0)  # of the last step, ahead of the last state
FURTHER = np.logspace(-14, -6, 33)  # ahead of it, where the last step was shorter than what it could not reach [s]


def control_culprit(equations: Equations, t: float, y: np.ndarray, step: float) -> tuple[str, str] | None:
    """The controller whose input, output or rate is nan or infinite at the last state or a little further on."""
    system, own = equations.system, y[equations.layout.controls]
    if not system.controllers:
        return None
    started = np.where(np.isfinite(y), y, 0.0)  # what is no number was one before
    for ahead, at in _ahead(equations, t, started, step):
        for name, control in system.controllers.items():
            made = control.made()
            for what, value in made.given_functions():
                local = {part: f"{name}.{part}" for part in made.known_in(what)}
                place = _place_of(equations, name, what)
                if place is None or np.isfinite(equations.work.signal[place]):
                    continue
                if any(not np.isfinite(_signal(equations, local.get(n, n))) for n, _ in arguments_of(value)):
                    continue  # it is not the first
                told = [f"{n} = {_signal(equations, local.get(n, n)):.6g}" for n, _ in arguments_of(value)]
                told += [f"t = {at:.9g} s"]
                if isinstance(value, Table) and value.outside == "refuse":
                    told.append(f"a table that covers {value.range_told()} (outside='hold' or 'extrapolate' goes on)")
                return name, (
                    f"{type(control).__name__} {name!r}: {what} is {equations.work.signal[place]} with "
                    f"{', '.join(told)}; it must stay finite"
                )
        if ahead == 0.0 and not np.all(np.isfinite(own)):
            lost = equations.controls.names[int(np.argmin(np.isfinite(own)))]
            return lost.partition(".")[0], f"the state or output {lost!r} of a controller is no finite number"
    return None


def _place_of(equations: Equations, name: str, what: str) -> int | None:
    """Where in `Work.signal` a function of a controller is evaluated; None for initial values."""
    kind, _, part = what.partition(" ")
    part = part.removeprefix("of ").strip("'")
    derived = equations.controls.derived
    if kind in ("derivative", "update"):
        own = equations.system.controllers[name].made()
        first = part or next(iter((*own.states, *own.outputs)), "")
        return derived.get(f"{name}.{first}")
    if kind in ("input", "output"):
        places = equations.programs.signals
        assert places is not None
        return derived[f"{name}.{part}"] if f"{name}.{part}" in derived else places.place("", f"{name}.{part}")
    return None


def _ahead(equations: Equations, t: float, y: np.ndarray, step: float) -> Iterator[tuple[float, float]]:
    """The last state and some a little further on, with all signals measured: how far [s], and the time."""
    from gudgeon.kernels.dynamics.motion import right_hand_side
    from gudgeon.kernels.outputs.load_outputs import signals_at

    rate = np.zeros_like(y)
    right_hand_side(equations.model, equations.work, t, y, rate)
    rate = np.where(np.isfinite(rate), rate, 0.0)
    for ahead in (*(share * step for share in SHARES), *FURTHER[SHARES[-1] * step < FURTHER]):
        signals_at(equations.model, equations.work, t + ahead, y + ahead * rate)
        yield ahead, t + ahead


def _signal(equations: Equations, name: str) -> float:
    """A signal as last measured; nan for what is none."""
    places = equations.programs.signals
    assert places is not None
    if name == "period":
        return 0.0
    return float(equations.work.signal[places.place("signal", name)])


def motion_culprit(equations: Equations, t: float, y: np.ndarray, step: float) -> tuple[str, str] | None:
    """The load that depends on signals and gives nan or infinity at the last state or a little further on."""
    from gudgeon.kernels.dynamics.arrays import LOAD_PROGRAM

    model = equations.model
    loads = [
        (k, name, load)
        for k, (name, load) in enumerate(equations.system.loads.items())
        if any(depends_on_motion(value) for _, value in load.given_functions())
    ]
    if not loads:
        return None
    for _, at in _ahead(equations, t, y, step):
        for k, name, load in loads:
            values = equations.values_of(model.load[k, LOAD_PROGRAM] + np.arange(3), at).tolist()
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


def table_left(load: Load | None) -> str:
    """The range of a table of the time among the functions of a load, for a message; empty where there is none."""
    for _, value in [] if load is None else load.given_functions():
        if isinstance(value, Table) and value.outside == "refuse":
            return f" with a table that covers {value.range_told()} (outside='hold' or 'extrapolate' would go on)"
    return ""


def _number(equations: Equations, load: Load, name: str) -> float:
    """A signal as last measured."""
    factor = 1.0
    if isinstance(load, Motor) and name in load.local:
        coordinate = equations.system.coordinate("Motor", load.joint, load.coordinate)
        factor, name = load.gear_ratio, f"{load.joint}.{coordinate}" + ("_rate" if name == "speed" else "")
    return factor * _signal(equations, name)
