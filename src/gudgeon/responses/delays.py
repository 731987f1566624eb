"""A series as points of a space of delays, chosen from the series itself: how long, how many, and who is a neighbour.

Takens (1981): the points (x(t), x(t + J), …, x(t + (m − 1) J)) have the geometry of the motion that x is a coordinate
of, if m is large enough. The delay J is the lag at which the autocorrelation has fallen to 1 − 1/e, neighbours are
apart in time by a mean period, the reciprocal of the mean frequency of the power spectrum (Rosenstein, Collins, De
Luca, 1993). The dimension m is the first without false neighbours, which part at once when a coordinate is added
(Kennel, Brown, Abarbanel, *Determining embedding dimension for phase-space reconstruction*, 1992).
"""

from __future__ import annotations

import numpy as np

FALLEN = 1.0 - np.exp(-1.0)  # of the autocorrelation, at the delay [-]
FALSE = 15.0  # times the distance of two neighbours, in the coordinate that is added [-]
FEW = 0.02  # of all neighbours: so many false ones are none [-]
MOST_DIMENSIONS = 8
MOST_FOLLOWED = 3000  # points whose neighbours are looked for, evenly over the series


def delay_of(series: np.ndarray) -> int:
    """The lag at which the autocorrelation of a series (sample, coordinate) has fallen; 1 for a map [samples]."""
    x, n = series - series.mean(axis=0), len(series)
    power = np.abs(np.fft.rfft(x, 2 * n, axis=0)) ** 2
    correlation = np.fft.irfft(power, axis=0)[:n]
    mean = (correlation / np.maximum(correlation[0], 1e-300)).mean(axis=1) * n / np.arange(n, 0, -1)
    below = np.flatnonzero(mean[: max(2, n // 10)] < FALLEN)
    return max(1, int(below[0])) if len(below) else max(1, n // 10)


def mean_period(series: np.ndarray) -> float:
    """The reciprocal of the mean frequency of the power spectrum [samples]."""
    x = series - series.mean(axis=0)
    size = np.maximum((x**2).sum(axis=0), 1e-300)
    power = (np.abs(np.fft.rfft(x, axis=0)) ** 2 / size).sum(axis=1)
    frequency = np.fft.rfftfreq(len(x))
    return float(power.sum() / max(frequency @ power, 1e-300))


def dimension_of(series: np.ndarray, delay: int, apart: int) -> int:
    """The first dimension of the space of delays in which (almost) no neighbours are false."""
    size = float(series.std(axis=0).max())
    for dimension in range(1, MOST_DIMENSIONS):
        count = len(series) - dimension * delay
        if count < 4 * apart:
            return dimension
        points = delayed(series, dimension, delay)[:count]
        own, other = neighbours(points, count, apart)
        if not len(own):
            return dimension
        near = np.linalg.norm(points[own] - points[other], axis=1)
        added = np.abs(series[own + dimension * delay] - series[other + dimension * delay]).max(axis=1)
        if np.mean((added > FALSE * near) | (np.hypot(near, added) > 2.0 * size)) < FEW:
            return dimension
    return MOST_DIMENSIONS


def delayed(series: np.ndarray, dimension: int, delay: int) -> np.ndarray:
    """The points of the space of delays."""
    count = len(series) - (dimension - 1) * delay
    return np.hstack([series[k * delay : k * delay + count] for k in range(dimension)])


def neighbours(points: np.ndarray, follow: int, apart: int) -> tuple[np.ndarray, np.ndarray]:
    """Points among the first `follow`, and the nearest to each that is not itself and `apart` samples away or more."""
    from scipy.spatial import KDTree

    tree, most = KDTree(points[:follow]), min(follow, 2 * apart + 2)
    left = np.unique(np.linspace(0, follow - 1, min(follow, MOST_FOLLOWED)).astype(int))
    own, other, count = [left[:0]], [left[:0]], min(most, max(4, apart // 2))
    while len(left):
        distance, place = (np.asarray(each).reshape(len(left), -1) for each in tree.query(points[left], k=count))
        allowed = (np.abs(place - left[:, None]) >= apart) & (distance > 0.0)
        found = allowed.any(axis=1)
        own.append(left[found])
        other.append(place[found, np.argmax(allowed[found], axis=1)])
        left = left[~found]
        if count == most:
            break
        count = min(2 * count, most)
    return np.concatenate(own), np.concatenate(other)
