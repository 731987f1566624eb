"""The largest Lyapunov exponent λ of a series: how fast neighbours part, |δ(t)| ~ e^(λt).

The nearest neighbour of every point in a space of delays is followed (Rosenstein, Collins, De Luca, *A practical method
for calculating largest Lyapunov exponents from small data sets*, 1993): λ is the slope of the mean logarithm of their
distance, after they have turned to where they part and before they are as far apart as points get.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import as_floats, shown
from gudgeon.errors import ModelError
from gudgeon.responses.delays import delay_of, delayed, dimension_of, mean_period, neighbours
from gudgeon.responses.series import positive

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PERIODS, LEAST_STEPS = 8.0, 12  # for which neighbours are followed
BELOW = (2.5, 2.0, 1.5)  # the mean logarithm of the distance of any two points: there the line may end
LATER = (0.0, 1.0 / 3.0)  # of what is left after the delays: there it may begin
LEAST_ERROR = 0.1  # of the exponent, as Rosenstein and others report for their method [-]
THIRDS = 3  # of a line, which tell whether it is straight
PAIRS = 4000  # of any two points


@dataclass(frozen=True, eq=False)
class Exponent:
    """A largest Lyapunov exponent, and the curve it is the slope of."""

    value: float  # λ [1/s], or per step of a map
    error: float  # how far it is to be trusted: standard error of the slope in a given `fit`, else from other choices
    time: np.ndarray  # since two neighbours were next to each other [s]
    log_distance: np.ndarray  # mean logarithm of their distance
    fitted: tuple[int, int]  # places between which the slope is taken
    dimension: int = 1  # of the space of delays
    delay: int = 1  # [samples]
    apart: int = 1  # of neighbours in time [samples]

    def plot(self) -> Figure:
        """The mean logarithm of the distance of neighbours over time, and the line that is fitted."""
        from gudgeon.view.responses import divergence

        return divergence(self.time, self.log_distance, self.fitted, self.value, self.error)


def lyapunov_exponent(
    values,
    step: float = 1.0,
    *,
    dimension: int | None = None,
    delay: int | None = None,
    apart: int | None = None,
    steps: int | None = None,
    fit: tuple[int, int] | None = None,
) -> Exponent:
    """The largest Lyapunov exponent of a series [1/s] after Rosenstein, Collins and De Luca.

    values     evenly spaced samples, of one coordinate (sample) or of several (sample, coordinate)
    step       interval between samples [s]; 1 for a map
    dimension  of the space of delays; by default the first without false neighbours
    delay      between its coordinates, in samples; by default where the autocorrelation has fallen to 1 − 1/e
    apart      samples that neighbours must be apart in time; by default a mean period
    steps      how many samples neighbours are followed; by default 8 mean periods
    fit        first and last of these steps, between which the slope is taken. By default it begins after the delays
               and ends where neighbours are e² times nearer than any two points; then `.error` is how far
               the slopes of its thirds, of other such choices and of one dimension more are from it, at least a tenth

    Look at `.plot()`: the line has to lie where the curve is straight. Where it bends all along, as for the weak chaos
    of Rössler's equations, the exponent is rather too small.

    >>> x = [0.3]
    >>> for _ in range(3000):
    ...     x.append(4.0 * x[-1] * (1.0 - x[-1]))  # the logistic map, λ = ln 2
    >>> found = lyapunov_exponent(x)
    >>> found.dimension, round(found.value, 2)
    (1, 0.69)
    """
    series = as_floats("lyapunov_exponent", "values", values)
    series = series[:, None] if series.ndim == 1 else series
    positive("lyapunov_exponent", "step", step)
    for name, given in (("dimension", dimension), ("delay", delay), ("apart", apart), ("steps", steps)):
        if given is not None and (isinstance(given, bool) or not isinstance(given, int | np.integer) or given < 1):
            raise ModelError(f"lyapunov_exponent: {name} is {shown(given)}; give a whole number, at least 1")
    if np.ptp(series, axis=0).max(initial=0.0) == 0.0:
        raise ModelError("lyapunov_exponent: all samples are the same; give a series that moves")
    period = mean_period(series)
    apart = max(1, int(np.ceil(min(period, len(series) / 8)))) if apart is None else int(apart)
    delay = delay_of(series) if delay is None else int(delay)
    chosen = dimension_of(series, delay, apart) if dimension is None else int(dimension)
    longest = len(series) - (chosen - 1) * delay
    steps = int(min(longest // 4, max(LEAST_STEPS, PERIODS * period))) if steps is None else int(steps)
    if longest - steps < 10 * chosen or steps < 2:
        raise ModelError(
            f"lyapunov_exponent: {len(series)} samples are too few for dimension {chosen}, delay {delay} and "
            f"{steps} steps; give a longer series"
        )
    curve, farthest = _parting(series, chosen, delay, apart, steps)
    time = step * np.arange(steps + 1)
    if fit is not None:
        first, last = _given(fit, steps)
        slope, error = _line(time[first : last + 1], curve[first : last + 1])
        return Exponent(slope, error, time, curve, (first, last), chosen, delay, apart)
    lines = _lines(curve, farthest, (chosen - 1) * delay)
    if not lines:
        raise ModelError(
            f"lyapunov_exponent: nearest neighbours among {len(series)} samples are about as far apart as any two; "
            "give a longer series, one with less noise, or fit="
        )
    slopes = [_line(time[a : b + 1], curve[a : b + 1])[0] for a, b in lines]
    value, best = _median(slopes)
    slopes += _bend(time, curve, *lines[best])
    if longest - delay - steps >= 10 * (chosen + 1):
        more, far = _parting(series, chosen + 1, delay, apart, steps)
        slopes += [_line(time[a : b + 1], more[a : b + 1])[0] for a, b in _lines(more, far, chosen * delay)]
    error = max(float(np.abs(np.array(slopes) - value).max()), LEAST_ERROR * abs(value))
    return Exponent(value, error, time, curve, lines[best], chosen, delay, apart)


def _parting(series: np.ndarray, dimension: int, delay: int, apart: int, steps: int) -> tuple[np.ndarray, float]:
    """The mean logarithm of the distance of neighbours, step by step, and that of any two points."""
    points = delayed(series, dimension, delay)
    own, other = neighbours(points, len(points) - steps, apart)
    if not len(own):
        raise ModelError(
            "lyapunov_exponent: no point has a neighbour at another time; the series repeats itself exactly"
        )
    curve = np.array([_mean_logarithm(points[own + k] - points[other + k]) for k in range(steps + 1)])
    one, two = np.random.default_rng(0).integers(0, len(points), (2, PAIRS))
    return curve, _mean_logarithm(points[one] - points[two])


def _mean_logarithm(gaps: np.ndarray) -> float:
    sizes = np.linalg.norm(gaps, axis=1)
    sizes = sizes[sizes > 0.0]
    return float(np.log(sizes).mean()) if len(sizes) else -np.inf


def _lines(curve: np.ndarray, farthest: float, window: int) -> list[tuple[int, int]]:
    """Where lines may be fitted: after the delays, and while neighbours are much nearer than any two points."""
    found = []
    for below in BELOW:
        beyond = np.flatnonzero(curve >= farthest - below)
        last = int(beyond[0]) if len(beyond) else len(curve) - 1
        begin = min(window, last // 3)
        found += [
            (first, last) for first in (begin + int(share * (last - begin)) for share in LATER) if last > first + 1
        ]
    return found


def _median(slopes: list[float]) -> tuple[float, int]:
    """The slope in the middle, and which one it is."""
    best = int(np.argsort(slopes)[len(slopes) // 2])
    return slopes[best], best


def _bend(time: np.ndarray, curve: np.ndarray, first: int, last: int) -> list[float]:
    """The slopes of the thirds of a line: how far it is from straight."""
    at = [first + (last - first) * k // THIRDS for k in range(THIRDS + 1)]
    return [float((curve[b] - curve[a]) / (time[b] - time[a])) for a, b in pairwise(at) if b > a]


def _given(fit: Any, steps: int) -> tuple[int, int]:
    try:
        first, last = fit
        if 0 <= first <= last - 2 and last <= steps:
            return int(first), int(last)
    except (TypeError, ValueError):
        pass
    raise ModelError(f"lyapunov_exponent: fit is {fit}; give two of the {steps} steps, at least two apart")


def _line(time: np.ndarray, curve: np.ndarray) -> tuple[float, float]:
    """The slope of a line through points, and its standard error."""
    x, y = time - time.mean(), curve
    slope = float(x @ y / (x @ x))
    return slope, float(np.sqrt(np.sum((y - y.mean() - slope * x) ** 2) / (len(x) - 2) / (x @ x)))
