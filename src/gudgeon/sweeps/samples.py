"""Points in the space of parameters that are no grid: lists, random numbers, Latin hypercubes, Sobol' sequences.

The last three fill the unit cube (scipy.stats.qmc: McKay, Beckman, Conover (1979) for Latin hypercubes; Sobol' (1967)
with the scrambling of Owen (1998)), and every axis is stretched to its range or bent to its distribution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.checks import number, shown
from gudgeon.errors import ModelError
from gudgeon.inputs.distribution import Distribution

MOST_SAMPLES = 10_000_000
Range = tuple[float, float] | Distribution


@dataclass(frozen=True)
class Samples:
    """Runs of a study one by one: for every parameter a list, all of one length.

    `random`, `latin_hypercube` and `sobol` draw them from ranges (low, high) or from `gd.Distribution`s; the same seed
    gives the same samples.

    >>> import gudgeon as gd
    >>> listed = gd.Samples({"bodies.crank.mass": [1.0, 2.0], "gravity[2]": [-9.81, -1.62]})
    >>> drawn = gd.Samples.sobol({"bodies.crank.mass": (1.0, 2.0)}, count=8, seed=1)
    >>> listed.count, drawn.count
    (2, 8)
    """

    values: Mapping[str, Sequence[Any]]  # by path, SI units

    def __post_init__(self):
        if not isinstance(self.values, Mapping) or not self.values:
            raise ModelError(f"Samples: {shown(self.values)} given; give {{'bodies.crank.mass': [1.0, 2.0], ...}}")
        kept = {}
        for path, values in self.values.items():
            if isinstance(values, str | bytes) or not isinstance(values, Sequence | np.ndarray):
                raise ModelError(f"Samples: {path} is {shown(values)}; give a list of values")
            kept[path] = tuple(values.tolist() if isinstance(values, np.ndarray) else values)
        counts = {path: len(values) for path, values in kept.items()}
        if len(set(counts.values())) != 1 or not min(counts.values()):
            said = ", ".join(f"{path} has {count}" for path, count in counts.items())
            raise ModelError(f"Samples: {said}; give lists of one length, a value of each for every run")
        object.__setattr__(self, "values", kept)

    @property
    def count(self) -> int:
        """How many runs they are."""
        return len(next(iter(self.values.values())))

    @classmethod
    def random(cls, ranges: Mapping[str, Range], *, count: int, seed: int = 0) -> Samples:
        """Independent random points.

        >>> import gudgeon as gd
        >>> gd.Samples.random({"gravity[2]": (-10.0, -9.0)}, count=3, seed=1).count
        3
        """
        axes = _checked(ranges)
        return cls._stretched(axes, np.random.default_rng(seed).random((_count(count), len(axes))))

    @classmethod
    def latin_hypercube(cls, ranges: Mapping[str, Range], *, count: int, seed: int = 0) -> Samples:
        """Each of `count` equal layers of every axis holds one point.

        >>> import gudgeon as gd
        >>> points = gd.Samples.latin_hypercube({"gravity[2]": (0.0, 4.0)}, count=4)
        >>> sorted(int(x) for x in points.values["gravity[2]"])
        [0, 1, 2, 3]
        """
        from scipy.stats.qmc import LatinHypercube

        axes = _checked(ranges)
        return cls._stretched(axes, LatinHypercube(len(axes), rng=np.random.default_rng(seed)).random(_count(count)))

    @classmethod
    def sobol(cls, ranges: Mapping[str, Range], *, count: int, seed: int = 0) -> Samples:
        """Points of a scrambled Sobol' sequence; `count` is a power of two, which its balance needs.

        >>> import gudgeon as gd
        >>> gd.Samples.sobol({"gravity[2]": (0.0, 4.0)}, count=16).count
        16
        """
        from scipy.stats.qmc import Sobol

        axes, count = _checked(ranges), _count(count)
        power = count.bit_length() - 1
        if count != 1 << power:
            raise ModelError(f"Samples: count is {count}; Sobol' points come in powers of two, give {2 << power}")
        return cls._stretched(axes, Sobol(len(axes), rng=np.random.default_rng(seed)).random_base2(power))

    @classmethod
    def _stretched(cls, axes: Mapping[str, Range], cube: np.ndarray) -> Samples:
        columns = {}
        for (path, axis), u in zip(axes.items(), cube.T, strict=True):
            try:
                columns[path] = (
                    axis.quantiles(u) if isinstance(axis, Distribution) else axis[0] + (axis[1] - axis[0]) * u
                )
            except ModelError as error:
                raise ModelError(f"Samples: {path}: {error}") from None
        return cls(columns)


def _checked(ranges: Mapping[str, Range]) -> dict[str, Range]:
    if not isinstance(ranges, Mapping) or not ranges:
        raise ModelError(f"Samples: {shown(ranges)} given; give {{'bodies.crank.mass': (1.0, 2.0), ...}}")
    found: dict[str, Range] = {}
    for path, axis in ranges.items():
        if isinstance(axis, Distribution):
            found[path] = axis
            continue
        if isinstance(axis, str) or not isinstance(axis, Sequence) or len(axis) != 2:
            raise ModelError(f"Samples: {path} is {shown(axis)}; give a range (low, high) or a gd.Distribution")
        low, high = (number(f"Samples: {path}", what, x) for what, x in zip(("low", "high"), axis, strict=True))
        if low >= high:
            raise ModelError(f"Samples: {path} runs from {low:g} to {high:g}; give (low, high), the lower one first")
        found[path] = (low, high)
    return found


def _count(count: Any) -> int:
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise ModelError(f"Samples: count is {count!r}; give a whole number of runs, at least 1")
    if count > MOST_SAMPLES:
        raise ModelError(f"Samples: count is {count}; at most {MOST_SAMPLES:,} make a study")
    return int(count)
