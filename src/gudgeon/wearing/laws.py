"""Pressures and forces of a joint's contact law, for many points of a run at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.laws.forms import law_form, type_of_law

if TYPE_CHECKING:
    from gudgeon.results.result import Result


def evaluated(
    owner: str, law: Any, depth: np.ndarray, rate: np.ndarray, impact: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The law and its slope by the depth, at depths > 0 [m], rates and impact speeds [m/s]."""
    from gudgeon.wearing.kernels.pressures import pressures

    form = law_form(owner, law, type_of_law(law))
    function, parameters = form.compiled(owner), np.array(form.parameters or (0.0,))
    value, slope = np.empty(len(depth)), np.empty(len(depth))
    inputs = (np.ascontiguousarray(x, dtype=float) for x in (depth, rate, impact))
    pressures(form.call, function.address, parameters.ctypes.data, *inputs, value, slope)
    return value, slope


def impact_speeds(result: Result, joint: str, times: np.ndarray, smallest: float) -> np.ndarray:
    """The speed with which the contact of a joint that lasts at each time began, at least `smallest` [m/s]."""
    events = result.events
    own = events[events.joint == joint]
    begin, speed = own.begin.to_numpy(float), own.impact_speed.to_numpy(float)
    out = np.full(len(times), smallest)
    if len(begin):
        order = np.argsort(begin, kind="stable")
        at = np.searchsorted(begin[order], times, side="right") - 1
        out[at >= 0] = np.maximum(np.nan_to_num(speed[order][at[at >= 0]]), smallest)
    return out
