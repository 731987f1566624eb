"""Independent coordinates of a mechanism about one state, and the undisturbed motion in them.

Near a state (q₀, v₀) at time t the motions that all joints and drives allow are given by f coordinates z, measured
from that state:

    Φ_q v = ν, ζ_q v = ż        Φ_q v̇ = γ, ζ_q v̇ + bias = z̈        v̇ = B z̈ + a,  Φ_q B = 0, ζ_q B = 1
    Bᵀ M B z̈ = Bᵀ (Q − M a),    Q − M v̇ = Φ_qᵀ λ

Bodies' own coordinates are displacements from the *moving* state: R = exp(z̃) R₀(t), so that ω = ż + exp(z̃) ω₀ and
ω̇ = z̈ + ω̇₀ + z × ω̇₀ + ż × ω₀ to first order.
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.small_motion.coordinates import Coordinates
from gudgeon.analysis.small_motion.rows import Rows
from gudgeon.analysis.small_motion.tangents import RowTangents
from gudgeon.errors import ModelError
from gudgeon.kernels.dynamics.arrays import GAMMA

SINGULAR = 1e-6  # curvature of redundant rows along allowed motions, per size of the mechanism [-]


class Chart:
    """Independent coordinates about the state y of a mechanism."""

    def __init__(self, rows: Rows, y: np.ndarray, coordinates: Coordinates):
        self.rows, self.coordinates, self.base = rows, coordinates, y.copy()
        velocity = rows.nodes.velocity(y)
        applied = rows.forces(y)
        self.typical_rate = rows.typical_rate(velocity, applied)
        self._allowed = rows.allowed(y)
        self.tangents = self._allowed.basis  # T, with Tᵀ M T = 1
        self._gradients, biases = coordinates.motion(rows.equations)
        self.of_tangents = self._gradients @ self.tangents  # ζ_q T
        self.basis = np.linalg.solve(self.of_tangents.T, self.tangents.T).T  # B
        self.mass = self.basis.T @ rows.times_mass(self.basis)
        self.mass = 0.5 * (self.mass + self.mass.T)
        particular = self._allowed.motion(rows.column(GAMMA)[:, None])[:, 0]
        push = self.tangents.T @ (applied - rows.times_mass(particular))
        self.acceleration = particular + self.tangents @ push  # of the bodies in the state
        self.coordinate_rates = self._gradients @ velocity
        other = particular - self.basis @ (self._gradients @ particular + biases)
        self.force = self.basis.T @ (applied - rows.times_mass(other))  # that accelerates the state, BᵀMB z̈
        self.multipliers = self._allowed.multipliers(applied - rows.times_mass(self.acceleration))

    def solved(self, rows: np.ndarray, coordinates: np.ndarray) -> np.ndarray:
        """Motions x with Φ_q x and ζ_q x given, column by column."""
        x = self._allowed.motion(rows)
        return x + self.basis @ (coordinates - self._gradients @ x)

    def refuse_singular(self, constraints: RowTangents) -> None:
        """Redundant rows stay so along an allowed motion; where they do not, the motion ends after a first step.

        With μᵀ Φ_q = 0 the motion T c violates the rows by ½ cᵀ Tᵀ ∂(Φ_qᵀ μ)/∂ξ T c, whatever else moves.
        """
        rows = self.rows
        for dependence in self._allowed.dependences():
            violation = self.tangents.T @ (constraints.forces(dependence) @ self.tangents)
            worst = np.abs(violation).max(initial=0.0) * rows.size * np.sqrt(rows.weight[::6].sum())
            if worst > SINGULAR:
                raise SingularPosition(
                    f"System {rows.equations.system.name!r}: this is a singular position: the motions that its joints "
                    "seem to allow here do not exist beyond a first step (redundant rows of its joints bend apart by "
                    f"{worst:.1e} per size of the mechanism); take a position beside it"
                )


class SingularPosition(ModelError):
    """Positions near a state do not follow its tangents."""
