"""An equilibrium of a mechanism with its controllers: forces and rates of their states vanish together.

    F(z, x) = 0,  f(z, 0, x) = 0            z position, x states of controllers; sampled: f = next state − state

Newton's method on both, with steps cut while the residuals grow. An integrator is the reason: its f does not depend on
x, but decides on the position, and x follows from the forces.
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.small_motion.control_slopes import rates_and_forces
from gudgeon.analysis.small_motion.descent import FINE, Search
from gudgeon.errors import ModelError

ITERATIONS = 200
NUDGE = 1e-6  # for differences, of a state or of the longest move
SINGULAR = 1e-10  # singular value that is none, of the largest [-]
LEFT = 1e-9  # residual that counts as none, of its scale [-]


def settle_controllers(search: Search) -> None:
    """Move the search to where the mechanism and its controllers rest; ModelError where they do not."""
    rest = _Rest(search)
    residual = rest.residual(np.zeros(rest.size))
    for _ in range(ITERATIONS):
        jacobian = rest.jacobian()
        scale = rest.scale(jacobian)
        size = np.linalg.norm(residual / scale)
        if size <= FINE:
            break
        step = -_solved(jacobian / scale[:, None], residual / scale)
        share = min(1.0, 1.0 / max(search.length(step[: rest.freedoms]), 1e-300))
        before = size
        while share > 1e-9:
            trial = rest.residual(share * step)
            if np.all(np.isfinite(trial)) and np.linalg.norm(trial / scale) < (1.0 - 1e-4 * share) * before:
                break
            share *= 0.5
        else:
            break
        rest.go(share * step)
        residual = rest.residual(np.zeros(rest.size))
    rest.refuse_unless_settled(residual, rest.scale(rest.jacobian()))
    if rest.freedoms:
        search.look_closely()


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(matrix, right, rcond=SINGULAR)[0]


class _Rest:
    """Residuals of forces and rates about the position of a search."""

    def __init__(self, search: Search):
        self._search, self._equations = search, search.rows.equations
        self.freedoms = len(search.force)
        self._first = self._equations.layout.controls.start
        self._names = self._equations.controls.states
        self.size = self.freedoms + len(self._names)

    @property
    def _states(self) -> np.ndarray:
        return self._search.y[self._first : self._first + len(self._names)]

    def residual(self, step: np.ndarray) -> np.ndarray:
        """F and f after a step of position and states; nan where there is no such position."""
        search, kept = self._search, self._states.copy()
        self._states[:] = kept + step[self.freedoms :]
        y = search.position(step[: self.freedoms])
        out = np.full(self.size, np.nan)
        if y is not None:
            with np.errstate(all="ignore"):
                rates, _ = rates_and_forces(self._equations, search.rows.time, y)
                out[: self.freedoms] = search.weighted.T @ search.rows.accelerations
            updated = self._equations.controls.updated
            out[self.freedoms :] = np.where(updated, rates - self._states, rates)
        self._states[:] = kept
        return out

    def jacobian(self) -> np.ndarray:
        """By central differences."""
        out = np.zeros((self.size, self.size))
        for k in range(self.size):
            unit = np.zeros(self.size)
            unit[k] = 1.0
            if k < self.freedoms:
                h = NUDGE / max(self._search.length(unit[: self.freedoms]), 1e-300)
            else:
                x = self._states[k - self.freedoms]
                h = NUDGE * (max(abs(x), self._equations.controls.scales[k - self.freedoms]) or 1.0)
            out[:, k] = (self.residual(h * unit) - self.residual(-h * unit)) / (2.0 * h)
        return np.nan_to_num(out)

    def scale(self, jacobian: np.ndarray) -> np.ndarray:
        """Sizes of the residuals: forces that act, rates that a long move or a change of a state makes."""
        steps = np.ones(self.size)
        for k in range(self.freedoms):
            unit = np.zeros(self.freedoms)
            unit[k] = 1.0
            steps[k] = 1.0 / max(self._search.length(unit), 1e-300)
        steps[self.freedoms :] = np.maximum(np.abs(self._states), self._equations.controls.scales)
        steps[steps == 0.0] = 1.0
        out = np.abs(jacobian * steps).max(axis=1)
        out[: self.freedoms] = max(self._search.scale, out[: self.freedoms].max(initial=0.0))
        return np.where(out == 0.0, 1.0, out)

    def go(self, step: np.ndarray) -> None:
        """Take a step."""
        self._states[:] += step[self.freedoms :]
        self._search.go(step[: self.freedoms])

    def refuse_unless_settled(self, residual: np.ndarray, scale: np.ndarray) -> None:
        """ModelError that names the state, or the body, that does not come to rest."""
        left = np.abs(residual / scale)
        worst = int(np.argmax(np.where(np.isfinite(left), left, np.inf)))
        if left[worst] <= LEFT:
            return
        system = self._equations.system
        if worst >= self.freedoms:
            name = self._names[worst - self.freedoms]
            raise ModelError(
                f"equilibrium: the state {name!r} of a controller does not come to rest: its rate is "
                f"{residual[worst]:.3g} per second near the start, and no position or state makes it zero; give "
                "controllers='hold' to keep initial values, or look for a rate that never vanishes"
            )
        raise ModelError(
            f"equilibrium: System {system.name!r} and its controllers do not come to rest together: forces stay; start "
            "closer to the equilibrium, or give controllers='hold' to keep initial values of controllers"
        )
