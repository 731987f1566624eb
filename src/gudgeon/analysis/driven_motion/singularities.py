"""Singular positions along a path: where the smallest singular value σ of a scaled Jacobian K vanishes.

From one instant to the next K goes nearly straight, K(s) = K + s Δ with 0 < s < 1, and K(s) x = 0 means K⁺Δ x = −x/s:
a singular position on the way needs a real eigenvalue of K⁺Δ below −1. Only where there is one, with a margin for
K's not going straight, σ is searched for its minima.

At a singular position velocities and accelerations do not follow from the rows, but the motion through it is smooth: it
is interpolated between regular instants on both sides (a bridge), and the rows correct what they determine.
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.driven_motion.factors import ClusterFactors
from gudgeon.analysis.driven_motion.hermite import Hermite
from gudgeon.analysis.driven_motion.instant import Instant
from gudgeon.analysis.driven_motion.path import BRANCH_SHARE, Path
from gudgeon.mechanics.equations import Equations
from gudgeon.results.result import Singularity

COARSE, FINE = 4, 8  # parts into which half a step, and a suspect part of it, is divided
FAR = 0.3  # change of K, of K itself, from which a singular position on the way is looked for
SINGULAR = 1e-6  # σ of a singular position, of the largest met
PILLAR = 2e-3  # σ at the ends of a bridge, of the largest met
UNSAFE = 1e-4  # σ below which a sample is taken from a bridge, of the largest met
NEAR = 0.05  # σ at the lowest that is worth a closer look, of the largest met
SAME = 1e-3  # distance of two singular positions that are one, of the bridge across
AT_THE_END = 1e-9  # how far beyond the end a singular position still counts, of the duration
INVOLVED = 1e-3  # share of an owner's rows in the dependence that is reported
LOCKING = 1e-2  # σ below which a motion that ends is said to lock, of the largest met


class Bridge:
    """The motion through a singular position."""

    def __init__(self, path: Path, t: float):
        self._path = path
        begin, end = self._pillar(t, -1.0), self._pillar(t, 1.0)
        self.motion = Hermite(begin, end) if begin and end and begin.t < end.t else path.between(t)

    def _pillar(self, t: float, side: float) -> Instant | None:
        """The closest regular instant before or after t, or the first or last of the path."""
        path = self._path
        limit = path.instants[0].t if side < 0.0 else path.instants[-1].t
        width = 1e-3 * path.between(t).span
        while True:
            at_the_limit = side * (t + side * width - limit) >= 0.0
            found = path.at(limit if at_the_limit else t + side * width)
            if at_the_limit or (found is not None and found.sigma >= PILLAR * path.largest_sigma):
                return found
            width *= 2.0

    def __contains__(self, t: float) -> bool:
        return self.motion.begin <= t <= self.motion.end

    def at(self, t: float) -> Instant | None:
        """The instant at t, what the rows do not determine there being interpolated."""
        return self._path.at(t, self.motion, PILLAR * self._path.largest_sigma)

    def sigma(self, t: float) -> float:
        """The smallest singular value at t."""
        return self._path.mechanism.factors_at(t, self.motion(t)[0]).sigma

    def lowest(self) -> float:
        """The time of the smallest singular value."""
        return _lowest(self.sigma, self.motion.begin, self.motion.end)


class Crossings:
    """Singular positions that a path passes, found step by step."""

    def __init__(self):
        self._times: list[float] = []

    def obstacle(self, path: Path, first: Instant, second: Instant) -> float | None:
        """Where a step leads through positions that do not exist, from one branch to another; None: nowhere.

        Two branches that nearly meet, or a gap between them, are jumped over by a step that is too long. At
        a true crossing the smooth motion satisfies the rows.
        """
        for begin, end in _suspect_parts(path, first, second):
            rough = _lowest(path.sigma, begin, end)
            if path.sigma(rough) > NEAR * path.largest_sigma:
                continue
            found = path.at(rough)
            least = SINGULAR * path.largest_sigma
            if found is not None and found.sigma > least and found.correction <= BRANCH_SHARE * found.sigma:
                continue
            bridge = Bridge(path, rough)
            t = bridge.lowest()
            if bridge.at(t) is None:
                return t
            if bridge.sigma(t) <= least:
                self._times.append(t)
        return None

    def found(self, path: Path) -> tuple[list[Singularity], list[Bridge]]:
        """The singular positions, and the bridges across them, on the finished path."""
        found: list[Singularity] = []
        bridges: list[Bridge] = []
        for time in sorted(self._times):
            bridge = Bridge(path, time)
            t = bridge.lowest()
            factors = path.mechanism.factors_at(t, bridge.motion(t)[0])
            known = any(abs(t - other) <= SAME * bridge.motion.span for other, *_ in found)
            if not known and t <= path.duration * (1.0 + AT_THE_END):
                owners = owners_of(path.mechanism.equations, factors)
                found.append((min(t, path.duration), "branching", factors.sigma, owners))
                bridges.append(bridge)
        return found, bridges


def _suspect_parts(path: Path, first: Instant, second: Instant) -> list[tuple[float, float]]:
    """Parts of a step, around minima of the smallest singular value, within which it may vanish."""
    if first.factors is None or second.factors is None:
        return []
    half = 0.5 * (first.t + second.t)
    motion, mechanism = path.between(half), path.mechanism
    middle = mechanism.factors_at(half, motion(half)[0])
    parts: list[tuple[float, float]] = []
    for begin, end, factors in ((first.t, half, first.factors), (half, second.t, second.factors)):
        if _may_vanish(factors, middle):
            times = np.linspace(begin, end, COARSE + 1)
            sigma = [mechanism.factors_at(t, motion(t)[0]).sigma for t in times]
            for k in range(COARSE + 1):
                before, after = max(k - 1, 0), min(k + 1, COARSE)
                if sigma[k] <= min(sigma[before], sigma[after]):
                    parts.append((float(times[before]), float(times[after])))
    return parts


def owners_of(equations: Equations, factors: ClusterFactors) -> tuple[str, ...]:
    """The joints and drives whose rows depend on each other where σ vanishes, the most involved first."""
    shares: dict[str, float] = {}
    for row, part in zip(equations.joint_rows, factors.dependence, strict=True):
        owner = equations.row_owner[row]
        shares[owner] = shares.get(owner, 0.0) + float(part) ** 2
    return tuple(sorted((name for name in shares if shares[name] > INVOLVED), key=lambda name: -shares[name]))


def _may_vanish(at: ClusterFactors, other: ClusterFactors) -> bool:
    """Whether the K of a cluster may become singular on the way to another K."""
    for changes in at.changes(other):
        large = changes[np.linalg.norm(changes, axis=(1, 2)) >= FAR]
        far = np.linalg.norm(large @ large, axis=(1, 2)) >= FAR**2  # no eigenvalue of C² is larger than its norm
        found = np.linalg.eigvals(large[far])
        if np.any((found.real < -FAR) & (np.abs(found.imag) < np.abs(found.real))):
            return True
    return False


def _lowest(sigma, begin: float, end: float) -> float:
    """The time of the smallest value between two times."""
    from scipy.optimize import minimize_scalar

    times = np.linspace(begin, end, FINE + 1)
    at = int(np.argmin([sigma(t) for t in times]))
    low, high = times[max(0, at - 1)], times[min(FINE, at + 1)]
    middle = times[at]
    found = minimize_scalar(
        lambda x: sigma(middle + x),
        bounds=(low - middle, high - middle),
        method="bounded",
        options={"xatol": 1e-14 * (end - begin)},
    )
    return float(middle + found.x) if found.fun < sigma(middle) else float(middle)
