"""Is a motion periodic, quasi-periodic or chaotic? The largest Lyapunov exponent, and two witnesses more.

The first witness is the exponent (lyapunov.py), the second the 0–1 test for chaos (Gottwald, Melbourne, *On the
implementation of the 0–1 test for chaos*, 2009): K near 1 for chaos, near 0 for order. The third is how many points a
Poincaré section has, and whether they come again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.checks import as_floats
from gudgeon.errors import ModelError
from gudgeon.quantities import Time
from gudgeon.responses.lyapunov import Exponent, lyapunov_exponent
from gudgeon.responses.series import even_step, series_of
from gudgeon.responses.strobe import Strobe
from gudgeon.results.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAME = 1e-4  # of the range of the points: closer is the same one [-]
MOST_POINTS = 16  # of a section that still is a periodic motion
CHAOTIC, REGULAR = 0.8, 0.2  # K of the 0–1 test
FREQUENCIES = 100  # of the 0–1 test
FAR = 100.0  # deviations by which points of different phases are apart [-]
LEAST_POINTS = 50  # of a section, for any verdict but "periodic" and "not settled"
QUARTERS = 4  # of a section, in which its points draw together
SETTLING = 0.5  # of the first distance: less in the last quarter is a motion that settles [-]
STILL_SETTLING = "its points still draw together: give a longer run and skip= the periods in which they do"


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

    kind: str  # "periodic", "not settled", "quasi-periodic", "chaotic" or "undecided"
    points: np.ndarray  # (point, output) of the section
    count: int  # different points of the section; the period in periods of the drive, if it is periodic
    exponent: Exponent | None  # None for a motion that is periodic or has not settled
    zero_one: float  # K; NaN likewise
    labels: tuple[str, ...]
    advice: str = ""  # what to do, if the motion has not settled

    def __str__(self) -> str:
        count = f"more than {4 * MOST_POINTS}" if self.count > 4 * MOST_POINTS else str(self.count)
        said = f"{self.kind}: {len(self.points)} points of the section are {count} different ones"
        if self.exponent is not None:
            said += f"; largest exponent {self.exponent.value:.3g} ± {self.exponent.error:.1g} 1/s"
        said = said if np.isnan(self.zero_one) else f"{said}; 0–1 test K = {self.zero_one:.2f}"
        return f"{said}; {self.advice}" if self.advice else said

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

    Periodic: the section has at most 16 different points, each met again and again, point k being point k + count
    throughout. Not settled: it becomes so only later, or its points still draw together; skip more periods. Chaotic:
    the exponent is positive by more than three standard errors and K of the 0–1 test above 0.8. Quasi-periodic: K
    below 0.2. Else it is undecided; give more periods.

    >>> print(gd.kind_of_motion(result, ("arm.angle",), period=0.1, skip=50))  # doctest: +SKIP
    """
    strobe = Strobe(period=period, outputs=outputs, skip=skip)
    series = [series_of("kind_of_motion", result, name) for name in strobe.outputs]
    _, values = strobe.points(series[0].time.values, np.stack([each.values for each in series]))
    points = values.T
    labels = tuple(f"{n} [{s.attrs.get('units', '1')}]" for n, s in zip(strobe.outputs, series, strict=True))
    sizes = np.array([np.ptp(each.values) for each in series])
    count, back = different_points(points, sizes), recurrence(points, sizes)
    if back is not None and back[0] == 0:
        return Verdict("periodic", points, back[1], None, float("nan"), labels)
    if back is not None:
        late, every = back
        rhythm = "every period" if every == 1 else f"every {every} periods"
        advice = f"it repeats itself {rhythm}, but only later: give skip={skip + late}"
        return Verdict("not settled", points, count, None, float("nan"), labels, advice)
    settling = draw_together(points, sizes)
    unsettled = Verdict("not settled", points, count, None, float("nan"), labels, STILL_SETTLING)
    if len(points) < LEAST_POINTS:
        if settling:
            return unsettled
        raise ModelError(
            f"kind_of_motion: {len(points)} points of the section, {count} different ones; give at least "
            f"{LEAST_POINTS} periods after those that are skipped"
        )
    k = zero_one_test(points[:, 0])
    exponent = _within_periods(np.stack([each.values for each in series], axis=1), series[0].time.values, strobe)
    if k > CHAOTIC and exponent.value > 3.0 * exponent.error:
        return Verdict("chaotic", points, count, exponent, k, labels)
    if settling:
        return unsettled
    return Verdict("quasi-periodic" if k < REGULAR else "undecided", points, count, exponent, k, labels)


def recurrence(points: np.ndarray, sizes: np.ndarray, tolerance: float = SAME) -> tuple[int, int] | None:
    """From which point on a section repeats itself, and every how many points; None if it does not.

    Every point from there on is the one of the last round that is whole rounds later, in every coordinate to within
    `tolerance` of its size. There are three rounds of them or more, and they are a quarter of the section.

    >>> import numpy as np
    >>> recurrence(np.array([[3.0], [1.0], [2.0], [1.0], [2.0], [1.0], [2.0]]), np.ones(1))
    (1, 2)
    """
    n = len(points)
    for every in range(1, min(MOST_POINTS, n // 3) + 1):
        last_round = points[n - every + (np.arange(n) - n) % every]
        wrong = np.flatnonzero(np.any(np.abs(points - last_round) > tolerance * sizes, axis=1))
        late = int(wrong[-1]) + 1 if len(wrong) else 0
        if n - late >= max(3 * every, n // 4):
            return late, every
    return None


def draw_together(points: np.ndarray, sizes: np.ndarray) -> bool:
    """Whether points of a section that are some rounds apart get nearer and nearer: a motion that settles slowly.

    Their mean distance falls in every quarter of the section, to half of what it was or less.
    """
    for every in range(1, MOST_POINTS + 1):
        if len(points) - every < 3 * QUARTERS:
            return False
        apart = np.sum((np.abs(points[every:] - points[:-every]) / np.maximum(sizes, 1e-300)) ** 2, axis=1)
        mean = [np.sqrt(part.mean()) for part in np.array_split(apart, QUARTERS)]
        if mean[0] > SAME and mean[-1] <= SETTLING * mean[0] and np.all(np.diff(mean) < 0.0):
            return True
    return False


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
