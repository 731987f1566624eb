"""Sample times of a run, and a look at every function of time before it begins."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.files import memory as machine
from gudgeon.functions.callables import probe
from gudgeon.functions.expressions import evaluate, parse
from gudgeon.functions.function import Function, constant_value, depends_on_motion, values_at
from gudgeon.functions.table import Table, is_left
from gudgeon.signals import Use, uses
from gudgeon.system import System

PROBES = 101  # times at which Python functions are tried before a run
SAMPLES = 1000  # intervals, when no sampling is asked for
MOST_SAMPLES = 100_000_000
NUMBERS_OF_A_BODY, NUMBERS_OF_A_JOINT = 32, 40  # in `.data`, at one sample; some while it is made
DIFFERENCE = 1e-5  # half the interval of a difference quotient, of the duration
WRONG_DERIVATIVE = 1e-2  # of the largest
ROUNDING = 1e-12  # of the largest value: below zero by this is zero [-]


def probe_functions(system: System, duration: float, begin: float = 0.0) -> None:
    """Try every Python function of the description over the whole run before it is compiled, and every sign."""
    drives = (
        Use(f"Drive {name!r}: {each.name}", getattr(drive, each.name), {})
        for name, drive in system.drives.items()
        for each in dataclasses.fields(drive)
    )
    used = (*uses(system), *drives)
    if not used and not system.loads:
        return
    times = np.linspace(begin, begin + duration, PROBES)
    for use in used:
        if callable(use.value) and not depends_on_motion(use.value):
            probe(use.where, use.value, times)
        if isinstance(use.value, Table) and not depends_on_motion(use.value):
            _refuse_left(use.where, use.value, times)
    for name, load in system.loads.items():
        for field in load.not_negative:
            _refuse_negative(f"{type(load).__name__} {name!r}: {field}", getattr(load, field), times)


def _refuse_left(where: str, table: Table, times: np.ndarray) -> None:
    """A table of the time that the run leaves."""
    x = parse(table.of)
    left = [t for t in times.tolist() if is_left(table, evaluate(x, t))]
    if left:
        raise ModelError(
            f"{where}: the table covers {table.range_told()} (of {table.of!r}) and is left at t = {left[0]:.6g} s; "
            "give outside='hold' or 'extrapolate', more points, or a shorter run"
        )


def _refuse_negative(where: str, value: Function, times: np.ndarray) -> None:
    """A spring or damper whose coefficient turns negative during a run feeds it with energy."""
    if constant_value(value) is not None or depends_on_motion(value):
        return
    values = values_at(value, times)
    negative = values < -ROUNDING * np.abs(values).max()
    if np.any(negative):
        k = int(np.argmax(negative))
        raise ModelError(f"{where} is {values[k]:.6g} at t = {times[k]:.6g} s; it must not be negative")


def refuse_wrong_derivatives(system: System, duration: float) -> None:
    """Python functions given as rate and acceleration of a drive must be the derivatives of its value.

    Compared with central differences; single kinks are no mistake, so most of the times must disagree.
    """
    times = np.linspace(0.0, duration, PROBES + 1)[:-1] + 0.5 * duration / PROBES
    near = DIFFERENCE * duration
    for name, drive in system.drives.items():
        if not callable(drive.value):
            continue
        functions = [_plain(function) for function in (drive.value, drive.rate, drive.acceleration)]
        for field, lower, upper in zip(("rate", "acceleration"), functions[:-1], functions[1:], strict=True):
            slopes = np.array([(lower(t + near) - lower(t - near)) / (2.0 * near) for t in times])
            given = np.array([upper(t) for t in times])
            gap = np.abs(given - slopes)
            wrong = gap > WRONG_DERIVATIVE * max(np.abs(slopes).max(), np.abs(given).max())
            if np.count_nonzero(wrong) > PROBES / 2:
                k = int(np.argmax(gap))
                of = "value" if field == "rate" else "rate"
                raise ModelError(
                    f"Drive {name!r}: {field} is not the derivative of {of}: at t = {times[k]:.6g} s it is "
                    f"{given[k]:.6g}, the slope of {of} is {slopes[k]:.6g}"
                )


def _plain(function: Any) -> Callable[[float], Any]:
    """A function of time as Python evaluates it."""
    if isinstance(function, str):
        expression = parse(function)
        return lambda t: evaluate(expression, t)
    return function if callable(function) else lambda _: function


def sample_times(
    owner: str, sample: Any, duration: float, begin: float = 0.0, system: System | None = None
) -> np.ndarray:
    """All sample times of a run, ascending, the end included where an interval was given; of `system`: if they fit."""
    if sample is None:
        return np.linspace(begin, begin + duration, SAMPLES + 1)
    try:
        times = np.array(sample, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ModelError(f"{owner}: sample is {sample!r}; give an interval or an array of times") from None
    if times.ndim == 0:
        interval = number(owner, "sample", sample)
        if not 0.0 < interval <= duration:
            raise ModelError(
                f"{owner}: sample is {interval:g} s; give an interval above 0 and up to the duration ({duration:g} s)"
            )
        if duration / interval > MOST_SAMPLES:
            raise ModelError(
                f"{owner}: sample is {interval:g} s; {duration / interval:.0e} samples do not fit into memory, "
                "give a longer interval"
            )
        if system is not None:
            require_memory(owner, system, duration / interval + 1.0)
        count = round(duration / interval)
        if abs(count * interval - duration) <= 1e-9 * duration:
            return _regular_times(begin, duration, count).copy()
        return np.append(begin + np.arange(int(duration / interval) + 1) * interval, begin + duration)
    if times.ndim != 1 or len(times) == 0 or not np.all(np.isfinite(times)):
        raise ModelError(f"{owner}: sample must be an interval or a one-dimensional array of finite times")
    end = begin + duration
    if np.any(np.diff(times) <= 0.0) or times[0] < begin * (1.0 - 1e-12) or times[-1] > end * (1.0 + 1e-12):
        span = f"0 and the duration ({duration:g} s)" if begin == 0.0 else f"{begin:g} and {end:g} s"
        raise ModelError(
            f"{owner}: sample times run from {times.min():g} to {times.max():g} s; "
            f"they must increase and lie between {span}"
        )
    return np.clip(times, begin, end)


@lru_cache(maxsize=4)
def _regular_times(begin: float, duration: float, count: int) -> np.ndarray:
    return np.linspace(begin, begin + duration, count + 1)


def require_memory(owner: str, system: System, samples: float, state_size: int = 0) -> None:
    """Refuse samples that this machine's memory cannot hold, before the run: states, and the data made from them."""
    numbers = state_size + NUMBERS_OF_A_BODY * len(system.bodies) + NUMBERS_OF_A_JOINT * len(system.joints)
    need, memory = 8.0 * samples * numbers, machine.memory()
    if need > memory:
        raise ModelError(
            f"{owner}: {samples:.0f} samples of {len(system.bodies)} bodies and {len(system.joints)} joints take "
            f"{need / 1e9:.3g} GB, this machine has {memory / 1e9:.3g} GB; give a longer interval sample="
        )
