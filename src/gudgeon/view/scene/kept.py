"""Which samples of a run go into its moving picture, as many as a screen can show, and what is said of the others.

The motion is thinned out evenly. A plot keeps the smallest and the largest value of each of its stretches, in the order
in which they came, so that no peak is lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MOST = 4000  # samples of the motion, and points of a plot
FEWEST = 300
MOST_NUMBERS = 1_200_000  # of the motion, and as many again of the plots


@dataclass(frozen=True)
class Kept:
    """The samples of a motion that are kept."""

    total: int
    samples: np.ndarray  # indices
    points: int  # of a plot

    @classmethod
    def of(cls, total: int, per_sample: int, columns: int, most: int | None = None) -> Kept:
        """Of `total` samples with `per_sample` numbers each, and `columns` variables to plot; or `most` samples.

        >>> Kept.of(20001, 30, 100).samples[:3].tolist(), len(Kept.of(20001, 30, 100).samples)
        ([0, 6, 12], 3335)
        """
        wanted = min(MOST, max(FEWEST, MOST_NUMBERS // max(per_sample, 1))) if most is None else most
        stride = max(1, -(-(total - 1) // max(wanted - 1, 1)))
        samples = np.arange(0, total, stride)
        if total and samples[-1] != total - 1:
            samples = np.append(samples, total - 1)
        points = min(MOST, max(FEWEST, MOST_NUMBERS // max(columns, 1))) if most is None else most
        return cls(total, samples, min(points, total))

    @property
    def stretch(self) -> int:
        """Samples that share two points of a plot; 1: every sample is a point."""
        return 1 if self.total <= self.points else -(-2 * self.total // self.points)

    def times(self, time: np.ndarray) -> np.ndarray:
        """The times of the points of plots [s]."""
        if self.stretch == 1:
            return time
        starts = np.arange(0, len(time), self.stretch)
        ends = np.minimum(starts + self.stretch - 1, len(time) - 1)
        first, last = time[starts], time[ends]
        return np.stack([first + 0.25 * (last - first), first + 0.75 * (last - first)], axis=1).ravel()

    def envelope(self, values: np.ndarray) -> np.ndarray:
        """A column at `times`: of each stretch the smallest and the largest value, in their order.

        >>> Kept(6, np.arange(6), 4).envelope(np.array([0.0, 9.0, 1.0, 5.0, 4.0, 3.0]))
        array([0., 9., 5., 3.])
        """
        n = self.stretch
        if n == 1:
            return values
        missing = -len(values) % n
        rows = np.concatenate([values, np.full(missing, values[-1])]).reshape(-1, n)
        safe = np.where(np.isnan(rows), np.inf, rows)
        low = np.argmin(safe, axis=1)
        high = np.argmax(np.where(np.isnan(rows), -np.inf, rows), axis=1)
        pairs = np.sort(np.stack([low, high], axis=1), axis=1)
        return np.take_along_axis(rows, pairs, axis=1).ravel()

    def notes(self) -> list[str]:
        """What is left out, in words."""
        told = []
        if len(self.samples) < self.total:
            told.append(f"Motion: {len(self.samples)} of {self.total} samples, evenly thinned out.")
        if self.stretch > 1:
            told.append(f"Plots: the smallest and the largest of every {self.stretch} samples.")
        return told
