"""The samples of a motion that was followed: on its path, and across singular positions on their bridges."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.driven_motion.instant import Instant
from gudgeon.analysis.driven_motion.path import Path
from gudgeon.analysis.driven_motion.singularities import UNSAFE, Bridge
from gudgeon.errors import SimulationError

MOST_AT_ONCE = 128  # samples
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
) -> Samples:
    """The samples at `times` within the path, as many as are found in `seconds`; `report` takes the fraction done."""
    first = path.instants[0]
    states, accelerations = np.empty((len(times), len(first.y))), np.empty((len(times), len(first.acceleration)))
    sigma = np.full(len(times), np.inf)
    began, done, at_once, interrupted = time.monotonic(), 0, 1, False
    try:
        while done < len(times):
            part = slice(done, done + at_once)
            found = path.motions(times[part])
            regular = found.found & (found.least_sigma > NEAR_SINGULAR * path.largest_sigma)
            for k, is_regular in zip(range(len(times))[part], regular, strict=True):
                if is_regular:
                    states[k], accelerations[k] = found.y[k - part.start], found.acceleration[k - part.start]
                else:
                    instant = _sample(path, float(times[k]), bridges)
                    states[k], accelerations[k], sigma[k] = instant.y, instant.acceleration, _closeness(path, instant)
                done = k + 1
                if report is not None:
                    report(done / len(times))
            if time.monotonic() - began > seconds:
                break
            at_once = min(2 * at_once, MOST_AT_ONCE)
    except KeyboardInterrupt:
        interrupted = True
    return Samples(times[:done], states[:done], accelerations[:done], sigma[:done], interrupted)


def _closeness(path: Path, instant: Instant) -> float:
    """σ of the largest met, where it is small enough to matter."""
    if instant.factors is not None and instant.factors.least_sigma[0] > NEAR_SINGULAR * path.largest_sigma:
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
