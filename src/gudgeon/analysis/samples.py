"""The samples of a motion that was followed: on its path, and across singular positions on their bridges."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.hermite import Hermite
from gudgeon.analysis.instant import Instant
from gudgeon.analysis.path import Path
from gudgeon.analysis.singularities import UNSAFE, Bridge
from gudgeon.analysis.twin import Twin
from gudgeon.errors import SimulationError

NEAR_SINGULAR = 1e-3  # σ below which forces are computed without squaring the condition, of the largest met


@dataclass(frozen=True)
class Samples:
    """The motion at the times asked for."""

    times: np.ndarray  # [s]
    states: np.ndarray  # (samples, state)
    accelerations: np.ndarray  # (samples, 6 bodies) [m/s², rad/s²]
    sigma: np.ndarray  # σ of the largest met [-]; inf where it is far from zero
    interrupted: bool = False  # by Ctrl-C: the samples before


def samples_of(
    path: Path,
    bridges: list[Bridge],
    times: np.ndarray,
    report: Callable[[float], None] | None,
    seconds: float = np.inf,
    *,
    twin: Twin,
    is_regular: Callable[[Hermite], bool],
) -> Samples:
    """The samples at `times` within the path, as many as are found in `seconds`; `report` takes the fraction done.

    `is_regular` tells in which steps of the path the twin may be used.
    """
    first = path.instants[0]
    states, accelerations = np.empty((len(times), len(first.y))), np.empty((len(times), len(first.acceleration)))
    sigma = np.full(len(times), np.inf)
    began, done, interrupted = time.monotonic(), 0, False
    try:
        for k, guess in _guesses(path, times, is_regular):
            found = None if guess is None else twin.corrected(float(times[k]), guess)
            if found is None:
                instant = _sample(path, float(times[k]), bridges)
                found, sigma[k] = (instant.y, instant.acceleration), _closeness(path, instant)
            states[k], accelerations[k] = found
            done = k + 1
            if report is not None:
                report(done / len(times))
            if time.monotonic() - began > seconds:
                break
    except KeyboardInterrupt:
        interrupted = True
    return Samples(times[:done], states[:done], accelerations[:done], sigma[:done], interrupted)


def _guesses(
    path: Path, times: np.ndarray, is_regular: Callable[[Hermite], bool]
) -> Iterator[tuple[int, np.ndarray | None]]:
    """The number of every sample with the interpolated state there, None where a step is not regular."""
    k = 0
    while k < len(times):
        step, count = path.step_from(times, k)
        guesses = step.at(times[k : k + count])[0] if step is not None and is_regular(step) else [None] * count
        for guess in guesses:
            yield k, guess
            k += 1


def _closeness(path: Path, instant: Instant) -> float:
    """σ of the largest met, where it is small enough to matter."""
    if instant.factors is not None and instant.factors.least_sigma > NEAR_SINGULAR * path.largest_sigma:
        return np.inf
    return instant.sigma / path.largest_sigma


def _sample(path: Path, t: float, bridges: list[Bridge]) -> Instant:
    """The instant of a sample; across a singular position from its bridge."""
    if len(path.instants) == 1:
        return path.instants[0]
    unsafe = UNSAFE * path.largest_sigma
    found = None
    for bridge in bridges:
        if t in bridge and bridge.sigma(t) < unsafe:
            found = bridge.at(t)
    if found is None:
        found = path.at(t)
    if found is None:
        raise SimulationError(f"kinematics: the position at t = {t:.9g} s cannot be refined", time=t)
    return found
