"""Friction in ideal joints about a state in which they do not slide: dampers along their coordinates.

A smooth law is linear there, f = −c s with c = ∂law/∂s(0, N) and N from the reactions of the state; a change of N does
nothing, since f = 0. So a bearing of radius r is a damper c r² on its angle, a thread one on its angle, s = r θ̇/cos λ.
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.coordinates import Coordinate
from gudgeon.analysis.small_motion.rows import Rows
from gudgeon.errors import ModelError
from gudgeon.kernels.dynamics import arrays
from gudgeon.laws.base import FrictionLaw
from gudgeon.laws.forms import law_form
from gudgeon.laws.friction import LuGre
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.mechanics.rubbing import Rub
from gudgeon.system import System

SLOWEST = 1e-12  # speed at which the slope of a law is taken [m/s]
BENT = 1e-2  # change of a law from its slope at rest above which a joint slides, of that [-]


class FrictionDampers:
    """The dampers of a system about the state y of the same without friction, whose rows and contacts are given."""

    def __init__(self, system: System, rows: Rows, y: np.ndarray):
        from gudgeon.kernels.dynamics.joint_loads import sliding_of_rubs
        from gudgeon.kernels.dynamics.motion import right_hand_side
        from gudgeon.kernels.elements.rubbing import pressed_by

        equations = equations_of_motion(system)
        own, modes = equations.same_motion(rows.equations, y), rows.equations.work.contact
        equations.work.contact[: len(modes)] = modes
        right_hand_side(equations.model, equations.work, rows.time, own, np.zeros_like(own))
        rubs = equations.compliant.rubs
        sliding, loads = np.zeros((len(rubs), 3)), np.zeros((len(rubs), 2))
        sliding_of_rubs(equations.model, equations.work, own, sliding)
        pressed_by(equations.model, equations.work, loads)
        self._measures = Measures(system, ReferencePose(system))
        self._on_measures: list[float] = []  # damping of each measure
        self._balls: list[tuple[int, int, float]] = []  # bodies, damping [N·m·s/rad]
        for rub, line, (normal, thrust), slides in zip(
            rubs, equations.model.compliant[equations.model.rubbing], loads, sliding, strict=True
        ):
            self._add(rub, line, _damping(rub, float(normal), float(thrust), float(np.linalg.norm(slides))))

    def _add(self, rub: Rub, line: np.ndarray, damping: float) -> None:
        if not rub.coordinates:
            ends = line[arrays.RUB_ENDS : arrays.RUB_ENDS + 2].tolist()
            self._balls.append((ends[0], ends[1], damping * rub.radius**2))
            return
        weights = {Coordinate(*one): [row[k] for row in rub.weights] for k, one in enumerate(rub.coordinates)}
        if rub.coupling:  # the displacement follows from the angle: s = r θ̇/cos λ, with w₁ = r cos λ, w₂ = sin λ
            first, second = rub.weights[0]
            weights = {Coordinate(*rub.coordinates[0]): [first / (1.0 - second**2)]}
        for coordinate, levers in weights.items():
            place = self._measures.index(coordinate.joint, coordinate.name)
            self._on_measures += [0.0] * (place + 1 - len(self._on_measures))
            self._on_measures[place] += damping * float(np.sum(np.square(levers)))

    def parts(self, equations: Equations, velocity: np.ndarray) -> list:
        """Bodies i and j, and derivatives of the forces on both by twists and by velocities (K, 12, 12)."""
        from gudgeon.analysis.small_motion.pairs import measure_pairs
        from gudgeon.analysis.small_motion.tangents import spring_tangents

        found, tables = [], self._measures.arrays()
        count = len(self._on_measures)
        damping = np.array(self._on_measures)
        for pairs in measure_pairs(equations, tables["measure"], tables["measure_vector"], np.arange(count)):
            own = pairs.row[:, 0]
            coefficients = np.stack([np.zeros(len(own)), damping[own], np.zeros(len(own))], axis=1)
            found.append(spring_tangents(pairs, np.zeros(len(own)), coefficients, velocity))
        for i, j, c in self._balls:
            block = np.zeros((1, 12, 12))
            for one, sign_one in ((3, -1.0), (9, 1.0)):
                for two, sign_two in ((3, -1.0), (9, 1.0)):
                    block[0, one : one + 3, two : two + 3] = -c * sign_one * sign_two * np.eye(3)
            found.append((np.array([i]), np.array([j]), np.zeros((1, 12, 12)), block))
        return found


def _damping(rub: Rub, normal: float, thrust: float, speed: float) -> float:
    """c of a law at rest, and of its thrust bearing [N·s/m]; ModelError where it slides, or has bristles."""
    if isinstance(rub.friction, LuGre):
        raise ModelError(
            f"linearize: {rub.label} has LuGre friction, whose bristles are a state of their own that mass, damping "
            "and stiffness cannot show; give another friction law, or friction=None"
        )
    law = law_form(f"{rub.label}: friction", rub.friction, FrictionLaw)
    total = 0.0
    for load, ratio in ((normal, 1.0), (thrust, rub.thrust)):
        slope = law(SLOWEST, load) / SLOWEST
        if speed > 0.0 and ratio > 0.0:
            now = law(ratio * speed, load) / (ratio * speed)
            if abs(now - slope) > BENT * max(slope, now):
                raise ModelError(
                    f"linearize: {rub.label} slides with {speed:.3g} m/s, and its friction depends on its reaction and "
                    "so on accelerations, which mass, damping and stiffness cannot show; take a state at rest, or "
                    "leave friction out"
                )
        total += ratio**2 * slope
    return total
