"""How the parts of a tolerance zone scatter, and the clearance between two of them that are put together at random.

A process of capability Cp makes parts of a zone of width T with a normal distribution about the middle of the zone,
σ = T/(6 Cp) (ISO 22514-2); those beyond the limits are sorted out. Nothing is known of a process without a capability:
all sizes within the limits are equally likely. Bores X and pins Y are independent, so the clearance Z = X − Y has

    F(z) = ∫ f_X(x) (1 − F_Y(x − z)) dx,      f(z) = ∫ f_X(x) f_Y(x − z) dx,

integrated by Gauss's rule between the kinks of F_Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import exp, inf, pi, sqrt
from typing import Any

import numpy as np

NODES = 64  # of Gauss's rule: 1e-12 of F up to Cp = 4
TABLE, NEWTON, NEAR = 257, 40, 1e-11  # entries; most steps from there, until F is so near


@dataclass(frozen=True)
class Parts:
    """Sizes of parts between two limits; scipy's names, so that `gd.Distribution` takes it."""

    lower: float
    upper: float
    capability: float | None = 1.0  # Cp [-]; None: all sizes are equally likely

    @property
    def middle(self) -> float:
        """The middle of the zone."""
        return 0.5 * (self.lower + self.upper)

    @property
    def sigma(self) -> float:
        """σ of the process, before parts are sorted out."""
        return inf if self.capability is None else (self.upper - self.lower) / (6.0 * self.capability)

    @property
    def kept(self) -> float:
        """The share of parts within the limits."""
        from scipy.special import ndtr

        return 1.0 if self.capability is None else float(1.0 - 2.0 * ndtr(-3.0 * self.capability))

    def pdf(self, x: Any) -> np.ndarray:
        """The density within the limits."""
        x = np.asarray(x, dtype=float)
        if self.capability is None:
            return np.full(x.shape, 1.0 / (self.upper - self.lower))
        return np.exp(-0.5 * ((x - self.middle) / self.sigma) ** 2) / (sqrt(2.0 * pi) * self.sigma * self.kept)

    def cdf(self, x: Any) -> np.ndarray:
        """The share of parts that are smaller."""
        from scipy.special import ndtr

        x = np.clip(np.asarray(x, dtype=float), self.lower, self.upper)
        if self.capability is None:
            return (x - self.lower) / (self.upper - self.lower)
        return (ndtr((x - self.middle) / self.sigma) - 0.5) / self.kept + 0.5

    def ppf(self, u: Any) -> np.ndarray:
        """The size that a share u of the parts is below."""
        from scipy.special import ndtri

        u = np.asarray(u, dtype=float)
        if self.capability is None:
            return self.lower + u * (self.upper - self.lower)
        x = self.middle + self.sigma * ndtri((u - 0.5) * self.kept + 0.5)
        return np.clip(x, self.lower, self.upper)

    def var(self) -> float:
        """The variance: that of a normal distribution that is cut at ±3 Cp σ, or of a uniform one."""
        if self.capability is None:
            return (self.upper - self.lower) ** 2 / 12.0
        a = 3.0 * self.capability
        return self.sigma**2 * (1.0 - 2.0 * a * exp(-0.5 * a * a) / sqrt(2.0 * pi) / self.kept)


@dataclass(frozen=True)
class Clearance:
    """Bore less pin, of parts that meet at random."""

    bore: Parts
    pin: Parts

    @property
    def lower(self) -> float:
        """The smallest bore on the largest pin."""
        return self.bore.lower - self.pin.upper

    @property
    def upper(self) -> float:
        """The largest bore on the smallest pin."""
        return self.bore.upper - self.pin.lower

    def mean(self) -> float:
        """The mean, half-way between the limits."""
        return 0.5 * (self.lower + self.upper)

    def std(self) -> float:
        """The standard deviation."""
        return sqrt(self.bore.var() + self.pin.var())

    def cdf(self, z: Any) -> np.ndarray:
        """The share of pairs with a smaller clearance."""
        z = np.asarray(z, dtype=float)
        x, w = self._nodes(z)
        some = np.sum(w * self.bore.pdf(x) * (1.0 - self.pin.cdf(x - z[..., None])), axis=-1)
        return np.clip(some + self.bore.cdf(z + self.pin.lower), 0.0, 1.0)  # and bores that are so small for every pin

    def pdf(self, z: Any) -> np.ndarray:
        """The density at a clearance within the limits."""
        z = np.asarray(z, dtype=float)
        x, w = self._nodes(z)
        return np.sum(w * self.bore.pdf(x) * self.pin.pdf(x - z[..., None]), axis=-1)

    def ppf(self, u: Any) -> np.ndarray:
        """The clearance that a share u of the pairs is below: Newton's method between two entries of a table of F."""
        u = np.asarray(u, dtype=float)
        table = np.linspace(self.lower, self.upper, TABLE)
        above = np.clip(np.searchsorted(self.cdf(table), u), 1, TABLE - 1)
        low, high = table[above - 1], table[above]
        z = 0.5 * (low + high)
        for _ in range(NEWTON):
            off = self.cdf(z) - u
            if np.all(np.abs(off) < NEAR):
                break
            low, high = np.where(off < 0.0, z, low), np.where(off < 0.0, high, z)
            next_ = z - off / np.maximum(self.pdf(z), np.finfo(float).tiny)
            z = np.where((next_ > low) & (next_ < high), next_, 0.5 * (low + high))
        return np.where(u <= 0.0, self.lower, np.where(u >= 1.0, self.upper, z))

    def _nodes(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points and weights over the bores on which some pins, not all, have a smaller clearance than z."""
        low = np.maximum(self.bore.lower, z + self.pin.lower)[..., None]
        half = 0.5 * np.maximum(np.minimum(self.bore.upper, z + self.pin.upper)[..., None] - low, 0.0)
        points, weights = _gauss()
        return low + half + half * points, half * weights


@cache
def _gauss() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(NODES)
