"""Coordinates of a mechanism by name: "pin.angle", "bob.x" … "bob.rz" of a body, "plate:3.x" of a node.

A joint coordinate is measured as in kernels/kinematics/measures.py (there are the formulas). A body's coordinate is its
displacement from the state considered: x, y, z of the centre of mass [m], and the world rotation vector rx, ry, rz
[rad]; a node's is that along an axis of its flexible body [m].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.joint_motion import joint_motion
from gudgeon.joints import Angle
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.equations import Equations
from gudgeon.system import System

COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")
UNITS = ("m", "m", "m", "rad", "rad", "rad")


@dataclass(frozen=True)
class Coordinates:
    """Some coordinates, joint coordinates and those linear in the bodies' displacement in any order."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    measured: np.ndarray  # (joint coordinates) their places
    table: np.ndarray  # (joint coordinates, MEASURE_COLUMNS) as Model.measure
    vectors: np.ndarray  # (joint coordinates, 18) as Model.measure_vector
    direct: np.ndarray  # (others) their places
    weights: np.ndarray  # (others, 6 bodies and nodes) on the twist of all bodies, and displacements of nodes

    @property
    def count(self) -> int:
        """How many."""
        return len(self.names)

    def subset(self, chosen: list[int]) -> Coordinates:
        """Some of them, in a new order."""
        place = {old: new for new, old in enumerate(chosen)}
        measured = [k for k, old in enumerate(self.measured) if old in place]
        direct = [k for k, old in enumerate(self.direct) if old in place]
        return Coordinates(
            names=tuple(self.names[k] for k in chosen),
            units=tuple(self.units[k] for k in chosen),
            measured=np.array([place[int(self.measured[k])] for k in measured], dtype=np.int64),
            table=self.table[measured],
            vectors=self.vectors[measured],
            direct=np.array([place[int(self.direct[k])] for k in direct], dtype=np.int64),
            weights=self.weights[direct],
        )

    def motion(self, equations: Equations) -> tuple[np.ndarray, np.ndarray]:
        """Gradients (coordinates, bodies and nodes) and biases: second derivatives are gradients · v̇ + biases."""
        gradients, biases = np.zeros((self.count, self.weights.shape[1])), np.zeros(self.count)
        joints = joint_motion(equations, self.table, self.vectors)
        gradients[self.measured, : joints.gradient.shape[1]], biases[self.measured] = joints.gradient, joints.bias
        gradients[self.direct] = self.weights
        return gradients, biases


def all_coordinates(system: System, of_nodes: list[str]) -> Coordinates:
    """The free coordinates of all joints, in order, then the six of every body, then those of nodes."""
    measures = Measures(system, ReferencePose(system))
    names: list[str] = []
    units: list[str] = []
    for name, joint in system.joints.items():
        for free in joint.blocks().free:
            measures.index(name, free.name)
            names.append(f"{name}.{free.name}")
            units.append("rad" if isinstance(free, Angle) else "m")
    count = len(names)
    for name in system.bodies:
        names += [f"{name}.{component}" for component in COMPONENTS]
        units += UNITS
    names, units = names + of_nodes, units + ["m"] * len(of_nodes)
    found = measures.arrays()
    return Coordinates(
        names=tuple(names),
        units=tuple(units),
        measured=np.arange(count),
        table=found["measure"],
        vectors=found["measure_vector"],
        direct=np.arange(count, len(names)),
        weights=np.eye(len(names) - count),
    )
