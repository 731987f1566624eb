"""Is a motion periodic, quasi-periodic or chaotic? The largest Lyapunov exponent, and two witnesses more.

The largest exponent λ is how fast neighbours part, |δ(t)| ~ e^(λt). It is found from a series by following the nearest
neighbour of every point in a space of delays (Rosenstein, Collins, De Luca, *A practical method for calculating largest
Lyapunov exponents from small data sets*, 1993): λ is the slope of the mean logarithm of their distance while it grows.
The second witness is the 0–1 test for chaos (Gottwald, Melbourne, *On the implementation of the 0–1 test for chaos*,
2009): K near 1 for chaos, near 0 for order. The third is how many points a Poincaré section has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.checks import as_floats
from gudgeon.errors import ModelError
from gudgeon.quantities import Time
from gudgeon.responses.series import even_step, positive, series_of
from gudgeon.responses.strobe import Strobe
from gudgeon.results.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAME = 1e-4  # of the range of the points: closer is the same one [-]
MOST_POINTS = 16  # of a section that still is a periodic motion
CHAOTIC, REGULAR = 0.8, 0.2  # K of the 0–1 test
FREQUENCIES = 100  # of the 0–1 test
FAR = 100.0  # deviations by which points of different phases are apart [-]
LEAST_POINTS = 50  # of a section, for any verdict but "periodic"


@dataclass(frozen=True, eq=False)
class Exponent:
    """A largest Lyapunov exponent, and the curve it is the slope of."""

    value: float  # λ [1/s], or per step of a map
    error: float  # standard error of the slope
    time: np.ndarray  # since two neighbours were next to each other [s]
    log_distance: np.ndarray  # mean logarithm of their distance
    fitted: tuple[int, int]  # places between which the slope is taken

    def plot(self) -> Figure:
        """The mean logarithm of the distance of neighbours over time, and the line that is fitted."""
        from gudgeon.view.responses import divergence

        return divergence(self.time, self.log_distance, self.fitted, self.value, self.error)


def lyapunov_exponent(
    values,
    step: float = 1.0,
    *,
    dimension: int = 2,
    delay: int = 1,
    apart: int = 10,
    steps: int = 12,
    fit: tuple[int, int] | None = None,
) -> Exponent:
    """The largest Lyapunov exponent of a series [1/s] after Rosenstein, Collins and De Luca.

    values     evenly spaced samples, of one coordinate (sample) or of several (sample, coordinate)
    step       interval between samples [s]; 1 for a map
    dimension  of the space of delays, `delay` samples apart
    apart      samples that neighbours must be apart in time
    steps      how many samples neighbours are followed
    fit        first and last of these steps, between which the slope is taken; by default all. Look at `.plot()`: the
               line has to lie where the curve is straight, after neighbours have turned to where they part and before
               they are as far apart as points get

    >>> import numpy as np
    >>> x = [0.3]
    >>> for _ in range(3000):
    ...     x.append(4.0 * x[-1] * (1.0 - x[-1]))  # the logistic map, λ = ln 2
    >>> round(lyapunov_exponent(x, dimension=1, fit=(0, 6)).value, 1)
    0.7
    """
    from scipy.spatial import KDTree

    series = as_floats("lyapunov_exponent", "values", values)
    series = series[:, None] if series.ndim == 1 else series
    positive("lyapunov_exponent", "step", step)
    count = len(series) - (dimension - 1) * delay
    follow = count - steps
    if follow < 10 * dimension:
        raise ModelError(f"lyapunov_exponent: {len(series)} samples are too few for this; give a longer series")
    points = np.hstack([series[k * delay : k * delay + count] for k in range(dimension)])
    tree = KDTree(points[:follow])
    near = min(follow, 2 * apart + 2)
    distance, place = map(np.asarray, tree.query(points[:follow], k=near))
    allowed = (np.abs(place - np.arange(follow)[:, None]) >= apart) & (distance > 0.0)
    own = np.flatnonzero(allowed.any(axis=1))
    if not len(own):
        raise ModelError(
            "lyapunov_exponent: no point has a neighbour at another time; the series repeats itself exactly"
        )
    other = place[own, np.argmax(allowed[own], axis=1)]
    curve = np.empty(steps + 1)
    for k in range(steps + 1):
        gap = np.linalg.norm(points[own + k] - points[other + k], axis=1)
        curve[k] = np.log(gap[gap > 0.0]).mean()
    first, last = (0, steps) if fit is None else fit
    if not 0 <= first <= last - 2 or last > steps:
        raise ModelError(f"lyapunov_exponent: fit is {fit}; give two of the {steps} steps, at least two apart")
    time = step * np.arange(steps + 1)
    x, y = time[first : last + 1] - time[first : last + 1].mean(), curve[first : last + 1]
    slope = float(x @ y / (x @ x))
    error = float(np.sqrt(np.sum((y - y.mean() - slope * x) ** 2) / (len(x) - 2) / (x @ x)))
    return Exponent(slope, error, time, curve, (first, last))


def zero_one_test(values, *, seed: int = 0) -> float:
    """K of the 0–1 test for chaos of a series, 0 regular, 1 chaotic; not oversampled, such as points of a section.

    The median over random c of the correlation of n with the mean square displacement of the walk
    p(n) = Σ x_j cos(c j), q(n) = Σ x_j sin(c j), whose oscillating part is taken off.

    >>> import numpy as np
    >>> K = zero_one_test(np.cos(1.3 * np.arange(500)))
    >>> K < 0.1
    True
    """
    x = as_floats("zero_one_test", "values", values)
    n = len(x)
    if n < LEAST_POINTS:
        raise ModelError(f"zero_one_test: {n} points are too few; give {LEAST_POINTS} or more")
    cut = n // 10
    lags = np.arange(1, cut + 1)
    found = []
    for c in np.random.default_rng(seed).uniform(np.pi / 5.0, 4.0 * np.pi / 5.0, FREQUENCIES):
        turn = np.exp(1j * c * np.arange(1, n + 1))
        walk = np.cumsum(x * turn)
        mean_square = np.array([np.mean(np.abs(walk[k : n - cut + k] - walk[: n - cut]) ** 2) for k in lags])
        mean_square -= x.mean() ** 2 * (1.0 - np.cos(c * lags)) / (1.0 - np.cos(c))
        found.append(np.corrcoef(lags, mean_square)[0, 1])
    return float(np.median(found))


@dataclass(frozen=True, eq=False)
class Verdict:
    """What kind of motion it is, and the evidence."""

    kind: str  # "periodic", "quasi-periodic", "chaotic" or "undecided"
    points: np.ndarray  # (point, output) of the section
    count: int  # different points of the section; the period in periods of the drive, if it is periodic
    exponent: Exponent | None  # None for a periodic motion
    zero_one: float  # K; NaN for a periodic motion
    labels: tuple[str, ...]

    def __str__(self) -> str:
        count = f"more than {4 * MOST_POINTS}" if self.count > 4 * MOST_POINTS else str(self.count)
        said = f"{self.kind}: {len(self.points)} points of the section are {count} different ones"
        if self.exponent is not None:
            said += f"; largest exponent {self.exponent.value:.3g} ± {self.exponent.error:.1g} 1/s"
        return said if np.isnan(self.zero_one) else f"{said}; 0–1 test K = {self.zero_one:.2f}"

    def plot(self) -> Figure:
        """The section, and how neighbours part."""
        from gudgeon.view.responses import verdict

        parting = None
        if self.exponent is not None:
            e = self.exponent
            parting = (e.time, e.log_distance, e.fitted, e.value, e.error)
        return verdict(self.points, self.labels, str(self), parting)


def kind_of_motion(result: Result, outputs: tuple[str, ...], *, period: Time, skip: int = 0) -> Verdict:
    """Whether a driven motion is periodic, quasi-periodic or chaotic, from its Poincaré section at the drive's period.

    outputs   one or two numbers over time, such as ("rocker.position.x", "rocker.velocity.x")
    period    of the drive [s];  skip   periods left out at the begin, for the motion to settle

    Periodic: the section has at most 16 different points, each met again and again. Chaotic: the exponent is positive
    by more than three standard errors and K of the 0–1 test above 0.8. Quasi-periodic: K below 0.2. Else it is
    undecided; give more periods.

    >>> print(gd.kind_of_motion(result, ("arm.angle",), period=0.1, skip=50))  # doctest: +SKIP
    """
    strobe = Strobe(period=period, outputs=outputs, skip=skip)
    series = [series_of("kind_of_motion", result, name) for name in strobe.outputs]
    _, values = strobe.points(series[0].time.values, np.stack([each.values for each in series]))
    points = values.T
    labels = tuple(f"{n} [{s.attrs.get('units', '1')}]" for n, s in zip(strobe.outputs, series, strict=True))
    count = different_points(points, np.array([np.ptp(each.values) for each in series]))
    if count <= MOST_POINTS and len(points) >= 3 * count:
        return Verdict("periodic", points, count, None, float("nan"), labels)
    if len(points) < LEAST_POINTS:
        raise ModelError(
            f"kind_of_motion: {len(points)} points of the section, {count} different ones; give at least "
            f"{LEAST_POINTS} periods after those that are skipped"
        )
    k = zero_one_test(points[:, 0])
    exponent = _within_periods(np.stack([each.values for each in series], axis=1), series[0].time.values, strobe)
    kind = "undecided"
    if k > CHAOTIC and exponent.value > 3.0 * exponent.error:
        kind = "chaotic"
    elif k < REGULAR:
        kind = "quasi-periodic"
    return Verdict(kind, points, count, exponent, k, labels)


def _within_periods(values: np.ndarray, times: np.ndarray, strobe: Strobe) -> Exponent:
    """The exponent from all samples, neighbours being of the same phase of the drive; over one period."""
    step = even_step("kind_of_motion", times)
    each = round(strobe.period / step)
    if each < 1 or abs(each * step - strobe.period) > 1e-6 * strobe.period:
        raise ModelError(
            f"kind_of_motion: samples every {step:g} s do not divide the period of {strobe.period:g} s; give "
            "gd.simulate sample=period/8"
        )
    kept = values[strobe.skip * each :]
    scaled = (kept - kept.mean(axis=0)) / np.maximum(kept.std(axis=0), 1e-300)
    phase = 2.0 * np.pi * (np.arange(len(kept)) % each) / each
    apart = np.column_stack([scaled, FAR * np.cos(phase), FAR * np.sin(phase)])
    dimension = 1 if values.shape[1] > 1 else 2
    return lyapunov_exponent(
        apart, step, dimension=dimension, apart=each, steps=3 * max(each, 2), fit=(0, max(each, 3))
    )


def different_points(points: np.ndarray, sizes: np.ndarray, tolerance: float = SAME) -> int:
    """How many different points there are, counted up to a few more than periodic motions have.

    Points are the same where every coordinate is closer than `tolerance` of its size.
    """
    kept: list[np.ndarray] = []
    for point in points:
        if not any(np.all(np.abs(point - other) <= tolerance * sizes) for other in kept):
            kept.append(point)
        if len(kept) > 4 * MOST_POINTS:
            break
    return len(kept)
