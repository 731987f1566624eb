"""What was pressed and rubbed in a joint during a run, and Archard's law of what that wears away.

    ẇ = k p |v_t|    Archard (1953), Contact and rubbing of flat surfaces, J. Appl. Phys. 24, 981-988

Worn depths of a surface are Σ w_i N_i with Σ N_i = 1, N_i ≥ 0, which belong to areas A_i = ∫ N_i dA. In a run

    Δw_i = (1/A_i) ∫∫ k p |v_t| N_i dA dt     so that     Σ A_i Δw_i = k ∫∫ p |v_t| dA dt

whatever the N_i are: what is worn away is what was rubbed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class Pressed:
    """Points of a joint's surfaces that touched, at all samples of a run."""

    sample: np.ndarray  # (point) number of the sample
    share: np.ndarray  # area × time that a point stands for [m²·s]
    area: np.ndarray  # [m²]
    pressure: np.ndarray  # [Pa]
    stiffness: np.ndarray  # ∂p/∂δ [Pa/m]
    speed: np.ndarray  # of sliding [m/s]
    push: np.ndarray  # (point, directions): what displacements, then tilts, of the other body add to the depth
    forces: int  # how many of the directions are displacements
    shapes: tuple[csr_array, ...]  # (point, coefficient) N_i at the points, surface by surface
    duration: float  # of the run [s]

    @property
    def rubbed(self) -> np.ndarray:
        """p |v_t| dA dt of every point [J]; of all: the sliding distance times the force [N·m]."""
        return self.pressure * self.speed * self.share

    @property
    def peak_force(self) -> float:
        """|∫ p n dA|, the largest of all samples [N]."""
        if len(self.sample) == 0:
            return 0.0
        load = self.pressure * self.area
        force = [np.bincount(self.sample, load * self.push[:, d]) for d in range(self.forces)]
        return float(np.sqrt(sum(f * f for f in force)).max())

    @property
    def mean_depth(self) -> float:
        """How deep it is pressed in where it rubs, p over ∂p/∂δ [m]."""
        rubbed, stiff = self.rubbed, self.stiffness > 0.0
        depth = np.divide(self.pressure, self.stiffness, out=np.zeros(len(rubbed)), where=stiff)
        return float(rubbed @ depth / rubbed.sum()) if rubbed.sum() > 0.0 else 0.0


def trapezium(times: np.ndarray) -> np.ndarray:
    """The time that every sample stands for [s]."""
    steps = np.diff(times)
    weights = np.zeros(len(times))
    weights[:-1] += 0.5 * steps
    weights[1:] += 0.5 * steps
    return weights


def worn_volumes(pressed: Pressed, coefficients: tuple[float, ...]) -> list[np.ndarray]:
    """k ∫∫ p |v_t| N_i dA dt of every surface [m³]."""
    return [k * (shape.T @ pressed.rubbed) for k, shape in zip(coefficients, pressed.shapes, strict=True)]
