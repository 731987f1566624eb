"""Friction in ideal joints of a motion that is given, from the reactions that this motion needs, friction among them.

With the efforts E of friction, the multipliers of the joints' rows are λ = λ₀ + Σ E_c λ_c, linear in E whatever the
actuators, and E = φ(λ): a fixed point, found at each sample by repetition and, where that is slow, by Powell's method.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gudgeon.analysis.coordinates import without_yielding_joints
from gudgeon.analysis.undetermined_friction import refuse_undetermined_friction
from gudgeon.errors import ModelError
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.system import System

ROUNDS = 200
SETTLED = 1e-13  # relative change of the efforts that ends the repetition [-]
GOOD = 1e-9  # the same that is accepted from Powell's method [-]


class FrictionOfMotion:
    """The friction of a system without its real joints and drives."""

    def __init__(self, system: System):
        self._equations: Equations = equations_of_motion(without_yielding_joints(system).replace(drives={}))
        self.rubs = self._equations.compliant.rubs
        self._lines = self._equations.model.compliant[self._equations.model.rubbing]
        self.count = sum(rub.directions for rub in self.rubs)

    def refuse_undetermined(self, t: float, y: np.ndarray) -> None:
        """ModelError where redundant rows leave the reactions undetermined on which friction depends."""
        refuse_undetermined_friction("inverse_dynamics", self._equations, self._own(y), t)

    def _own(self, y: np.ndarray) -> np.ndarray:
        """The state y of the same bodies without friction; bodies are rigid."""
        own = np.zeros(self._equations.state_size)
        own[: self._equations.layout.turns.stop] = y[: self._equations.layout.turns.stop]
        return own

    def _at(self, t: float, y: np.ndarray) -> np.ndarray:
        """Evaluate the state y of bodies; what unit efforts do to the bodies (efforts, 6 bodies)."""
        from gudgeon.kernels.dynamics.joint_loads import sliding_of_rubs
        from gudgeon.kernels.dynamics.rows import rows_at

        equations, own = self._equations, self._own(y)
        rows_at(equations.model, equations.work, t, own)
        sliding_of_rubs(equations.model, equations.work, own, np.zeros((len(self.rubs), 3)))
        pushes = np.zeros((self.count, len(equations.system.bodies) + 1, 6))
        row = 0
        for a, rub in enumerate(self.rubs):
            for c in range(rub.directions):
                for end in range(4):
                    body = self._lines[a, arrays.RUB_ENDS + end]
                    pushes[row, body] += equations.work.rubbing.push[a, c, 6 * end : 6 * end + 6]
                row += 1
        return pushes[:, 1:].reshape(self.count, -1)

    def _efforts(self, multipliers: np.ndarray) -> np.ndarray:
        """Of all directions, for given multipliers of the joints' rows."""
        from gudgeon.kernels.dynamics.joint_loads import friction_of_rows

        equations, told = self._equations, np.zeros((len(self.rubs), 11))
        equations.work.multiplier[:] = 0.0
        equations.work.multiplier[equations.joint_rows] = multipliers
        friction_of_rows(equations.model, equations.work, told)
        return np.concatenate([told[a, 8 : 8 + rub.directions] for a, rub in enumerate(self.rubs)])

    def solve(self, t: float, y: np.ndarray, multipliers: Callable[[np.ndarray], np.ndarray], missing: np.ndarray):
        """Efforts, and the forces on the bodies (6 bodies), so that reactions to all that is missing press the joints.

        `multipliers` of a wrench on all bodies that joints and actuators must give; linear.
        """
        pushes = self._at(t, y)
        base = multipliers(missing)
        columns = np.array([multipliers(-push) for push in pushes]).reshape(self.count, -1)

        def change(efforts: np.ndarray) -> np.ndarray:
            return self._efforts(base + efforts @ columns) - efforts

        efforts = np.zeros(self.count)
        for _ in range(ROUNDS):
            step = change(efforts)
            efforts = efforts + step
            if not np.all(np.isfinite(efforts)) or np.abs(step).max() <= SETTLED * np.abs(efforts).max():
                break
        size = max(np.abs(self._efforts(base)).max(initial=0.0), 1e-300)
        if not np.all(np.isfinite(efforts)) or np.abs(change(efforts)).max() > GOOD * size:
            from scipy.optimize import root

            efforts = root(lambda x: change(size * x) / size, np.zeros(self.count), method="hybr", tol=1e-13).x * size
            if not np.abs(change(efforts)).max() <= GOOD * size:
                raise ModelError(
                    f"inverse_dynamics: friction in {', '.join(rub.label for rub in self.rubs)} and the reactions that "
                    f"it depends on have no balance at t = {t:.6g} s: it raises them by more than itself (jamming); "
                    "give a longer bearing or guide, or less friction"
                )
        return efforts, efforts @ pushes

    def on_children(self, efforts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force and torque of friction on each joint's child, about its joint point (joints, 3), as last evaluated."""
        equations = self._equations
        names, body = list(equations.system.joints), equations.work.body
        force, torque = np.zeros((2, len(names), 3))
        row = 0
        for a, rub in enumerate(self.rubs):
            j = names.index(rub.joint)
            child = self._lines[a, arrays.CHILD_BODY]
            arm = body[child, arrays.ROTATION : arrays.ROTATION + 9].reshape(3, 3) @ equations.joint_point[j]
            for c in range(rub.directions):
                for end in (1, 3):
                    wrench = efforts[row] * equations.work.rubbing.push[a, c, 6 * end : 6 * end + 6]
                    if not rub.coupling:
                        force[j] += wrench[:3]
                        torque[j] += wrench[3:] - np.cross(arm, wrench[:3])
                row += 1
        return force, torque

    def along_coordinates(self, efforts: np.ndarray) -> np.ndarray:
        """Torques and forces along joint coordinates, as `friction_effort` of a result names them."""
        found, row = [], 0
        for rub in self.rubs:
            own = efforts[..., row : row + rub.directions]
            found += [own @ np.array(levers) for _, _, levers in rub.efforts]
            row += rub.directions
        return np.stack(found, axis=-1) if found else np.zeros((*efforts.shape[:-1], 0))
