"""Follow a fully driven mechanism through time without ever jumping to another branch.

From one instant the next is predicted by velocity and acceleration and corrected by Newton's method. Newton's
method stays on the branch of its guess while

    correction ≤ 0.1 σ,

σ the smallest singular value of the scaled Jacobian: two branches lie about σ apart (Newton–Kantorovich; Lipschitz
constant one, as the rotation of one body gives it). Otherwise the step is reduced. Where two branches cross, σ falls
and rises in proportion to the time from there, the correction with the third power of the step: a small enough step
passes. Where the mechanism locks, σ² falls to zero in proportion to the time left, and no step passes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

import numpy as np

from gudgeon.analysis.driven_motion.hermite import Hermite
from gudgeon.analysis.driven_motion.instant import Instant, Mechanism, Motions
from gudgeon.kernels.dynamics.arrays import ANGLE, DRIVE_OF, KIND, MEASURE_OF, PROGRAM_OF
from gudgeon.mechanics.state_layout import beyond, moving

BRANCH_SHARE = 0.1  # correction of a prediction, of the smallest singular value
MOST_CORRECTION = 0.05  # scaled [-]
MOST_TURN = 0.5  # of a body in one step [rad]
MOST_DRIVEN = 1.0  # change of a driven angle in one step, so that no turn is missed [rad]
LEAST_SIGMA = 1e-6  # of an instant to go on from, of the largest met
SHRINK, GROW = 0.45, 1.9
FIRST_STEP = 1e-3  # of the duration
LEAST_STEP = 1e-13  # of the duration


class Stuck(Exception):
    """The mechanism cannot be followed beyond `last`."""

    def __init__(self, last: Instant, before: Instant, step: float, largest_sigma: float):
        self.last = last
        self.before = before  # the instant before the last
        self.step = step  # last one tried [s]
        self.largest_sigma = largest_sigma


class Path:
    """The instants of a motion, close enough to each other to interpolate between them."""

    def __init__(
        self,
        mechanism: Mechanism,
        start: Instant,
        duration: float,
        obstacle: Callable[[Path, Instant, Instant], float | None],
    ):
        """`obstacle` looks at the last step, and tells the time of a position through which it must not lead."""
        self.mechanism = mechanism
        self.duration = duration
        self.instants = [start]
        self.largest_sigma = start.sigma
        self.rejections = 0
        self.evaluations = 0
        model = mechanism.equations.model
        drives = model.block[model.block[:, DRIVE_OF] >= 0]
        turning = model.measure[drives[:, MEASURE_OF], KIND] == ANGLE
        self._programs = drives[turning, PROGRAM_OF].copy()  # functions of time that drive angles
        self._obstacle = obstacle
        self._between: dict[int, Hermite] = {}  # what `between` gave, by the instant before

    def steps(self) -> Iterator[Instant]:
        """Go through the whole duration, one step after the other."""
        step = FIRST_STEP * self.duration
        while self.instants[-1].t < self.duration:
            last = self.instants[-1]
            step = GROW * self._step(last, step)
            new = self.instants[-1]
            last.forget_factors()
            self.largest_sigma = max(self.largest_sigma, new.sigma)
            yield new

    def _step(self, last: Instant, step: float) -> float:
        """Add the next instant; returns the step that led there."""
        while step >= LEAST_STEP * self.duration:
            left = self.duration - last.t
            for tried in (left, min(step, GROW * left)) if step >= left else (step,):
                t = self.duration if tried == left else last.t + tried
                new = self._try(last, t)
                if new is not None:
                    self.instants.append(new)
                    try:
                        ahead = self._obstacle(self, last, new)
                    except KeyboardInterrupt:  # an instant is known only when the way to it is
                        self._give_up()
                        raise
                    if ahead is None:
                        return tried
                    self._give_up()
                    left = min(left, ahead - last.t)
                self.rejections += 1
            step = SHRINK * min(step, left)
        raise Stuck(last, self.instants[max(0, len(self.instants) - 2)], step / SHRINK, self.largest_sigma)

    def _give_up(self) -> None:
        """Forget the last instant."""
        self.instants.pop()
        self._between.pop(len(self.instants) - 1, None)

    def _try(self, last: Instant, t: float) -> Instant | None:
        """The instant at t, if the step to it is short enough."""
        mechanism, n = self.mechanism, self.mechanism.body_count
        step = t - last.t
        if step <= 0.0:
            return None
        motion = step * last.y[moving(n)] + 0.5 * step * step * last.acceleration
        if np.linalg.norm(motion.reshape(n, 6)[:, 3:], axis=1).max() > MOST_TURN:
            return None
        if not np.all(np.abs(self._driven_angles(t) - self._driven_angles(last.t)) <= MOST_DRIVEN):
            return None
        guess = mechanism.moved(last.y[None], motion[None])[0]
        guess[moving(n)] += step * last.acceleration
        self.evaluations += 1
        new = mechanism.solve(t, guess, last.acceleration, near=last.y[beyond(n)])
        if new is None or new.sigma < LEAST_SIGMA * self.largest_sigma:
            return None
        return new if new.correction <= min(BRANCH_SHARE * new.sigma, MOST_CORRECTION) else None

    def between(self, t: float) -> Hermite:
        """The motion around t, interpolated from the instants before and after."""
        k = min(max(bisect_right(self.instants, t, key=lambda instant: instant.t) - 1, 0), len(self.instants) - 2)
        if k not in self._between:
            self._between[k] = Hermite(self.instants[k], self.instants[k + 1])
        return self._between[k]

    def motions(self, times: np.ndarray) -> Motions:
        """The motion at several times within the path, corrected all at once."""
        if len(self.instants) == 1:
            first, nothing = self.instants[0], np.zeros(len(times))
            states, accelerations = (np.tile(x, (len(times), 1)) for x in (first.y, first.acceleration))
            return Motions(states, accelerations, nothing > 0.0, nothing)
        begins = np.array([instant.t for instant in self.instants[1:-1]])
        step_of = np.searchsorted(begins, times, side="right")
        guesses = [self.between(float(t[0])).at(t) for t in np.split(times, np.flatnonzero(np.diff(step_of)) + 1)]
        states, accelerations = (np.concatenate(part) for part in zip(*guesses, strict=True))
        return self.mechanism.solve_many(times, states, accelerations)

    def at(self, t: float, motion: Hermite | None = None, least: float = 0.0) -> Instant | None:
        """The instant at a time within the path; `motion` and `least`: see `bridge`."""
        y, acceleration = (motion or self.between(t))(t)
        return self.mechanism.solve(t, y, acceleration, near=y[beyond(self.mechanism.body_count)], least=least)

    def sigma(self, t: float) -> float:
        """The smallest singular value at a time within the path."""
        return self.mechanism.factors_at(t, self.between(t)(t)[0]).sigma

    def _driven_angles(self, t: float) -> np.ndarray:
        """What they are driven to at a time [rad]."""
        return self.mechanism.equations.values_of(self._programs, t)
