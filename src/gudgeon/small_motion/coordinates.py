"""Coordinates of a mechanism by name: "pin.angle", "guide.displacement", or "bob.x" … "bob.rz" of a body.

A joint coordinate is measured as in kernels/measures.py (there are the formulas). A body's coordinate is its
displacement from the state considered: x, y, z of the centre of mass [m], and the world rotation vector rx, ry, rz
[rad].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.kernels import arrays
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.system import System

COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")
UNITS = ("m", "m", "m", "rad", "rad", "rad")


@dataclass(frozen=True)
class Coordinates:
    """Some coordinates, joint coordinates and those linear in the bodies' displacement in any order."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    measured: np.ndarray  # (joint coordinates) their places
    table: np.ndarray  # (joint coordinates, 4) as Model.measure
    vectors: np.ndarray  # (joint coordinates, 18) as Model.measure_vector
    direct: np.ndarray  # (others) their places
    weights: np.ndarray  # (others, 6 bodies) on the twist of all bodies

    @classmethod
    def of_twists(cls, weights: np.ndarray) -> Coordinates:
        """Nameless coordinates: weighted sums of the bodies' displacements."""
        nothing = np.zeros(0, dtype=np.int64)
        names = ("",) * len(weights)
        return cls(names, names, nothing, np.zeros((0, 4), int), np.zeros((0, 18)), np.arange(len(weights)), weights)

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

    def values(self, body: np.ndarray, twist: np.ndarray) -> np.ndarray:
        """Values at the poses in `body` (Work.body), which `twist` displaces from the state considered."""
        values = np.zeros(self.count)
        values[self.measured] = joint_motion(self.table, self.vectors, body)[0]
        values[self.direct] = self.weights @ twist
        return values

    def gradients(self, body: np.ndarray) -> np.ndarray:
        """(coordinates, 6 bodies): their rates are these times the bodies' velocities."""
        gradients = np.zeros((self.count, 6 * (len(body) - 1)))
        gradients[self.measured] = joint_motion(self.table, self.vectors, body)[1]
        gradients[self.direct] = self.weights
        return gradients

    def biases(self, body: np.ndarray) -> np.ndarray:
        """What their second derivatives hold besides the gradients times the bodies' accelerations."""
        biases = np.zeros(self.count)
        biases[self.measured] = joint_motion(self.table, self.vectors, body)[2]
        return biases

    def wrapped(self, differences: np.ndarray) -> np.ndarray:
        """Differences of values, those of angles within half a turn."""
        angles = self.measured[self.table[:, arrays.KIND] == arrays.ANGLE]
        differences[angles] -= 2.0 * np.pi * np.round(differences[angles] / (2.0 * np.pi))
        return differences


def all_coordinates(system: System) -> Coordinates:
    """The free coordinates of all joints, in order, then the six of every body."""
    measures = Measures(system, ReferencePose(system))
    names: list[str] = []
    units: list[str] = []
    for name, joint in system.joints.items():
        blocks = joint.blocks()
        for free in (*blocks.angles, *blocks.displacements):
            measures.index(name, free.name)
            names.append(f"{name}.{free.name}")
            units.append("rad" if free in blocks.angles else "m")
    count = len(names)
    for name in system.bodies:
        names += [f"{name}.{component}" for component in COMPONENTS]
        units += UNITS
    found = measures.arrays()
    return Coordinates(
        names=tuple(names),
        units=tuple(units),
        measured=np.arange(count),
        table=found["measure"],
        vectors=found["measure_vector"],
        direct=np.arange(count, len(names)),
        weights=np.eye(6 * len(system.bodies)),
    )


def joint_motion(table: np.ndarray, vectors: np.ndarray, body: np.ndarray):
    """Values, gradients (·, 6 bodies) and biases of joint coordinates for the motion in `body` (Work.body)."""
    rows = np.arange(len(table))
    i, j = table[:, arrays.PARENT], table[:, arrays.CHILD]
    on_child = table[:, arrays.ON_CHILD] == 1
    carrier, other = np.where(on_child, j, i), np.where(on_child, i, j)
    rotation = body[:, arrays.ROTATION : arrays.ROTATION + 9].reshape(-1, 3, 3)
    position = body[:, arrays.POSITION : arrays.POSITION + 3]
    velocity = body[:, arrays.VELOCITY : arrays.VELOCITY + 3]
    omega = body[:, arrays.OMEGA : arrays.OMEGA + 3]

    def world(of: np.ndarray, at: int) -> np.ndarray:
        return np.einsum("kab,kb->ka", rotation[of], vectors[:, at : at + 3])

    def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.sum(a * b, axis=1)

    axis = world(carrier, arrays.AXIS)
    arm = world(other, arrays.ARM)
    sine, cosine = dot(arm, world(carrier, arrays.ARM_QUARTER)), dot(arm, world(carrier, arrays.ARM_ZERO))
    angle = np.where(on_child, -1.0, 1.0) * np.arctan2(sine, cosine)
    turning = omega[j] - omega[i]
    angle_bias = dot(np.cross(omega[carrier], axis), turning)

    s_i, s_j = world(i, arrays.MEASURE_IN_PARENT), world(j, arrays.MEASURE_IN_CHILD)
    d = position[j] + s_j - position[i] - s_i
    u_i, u_j = np.cross(omega[i], s_i), np.cross(omega[j], s_j)
    rate = velocity[j] + u_j - velocity[i] - u_i
    swing = np.cross(omega[i], axis)
    bias = dot(axis, np.cross(omega[j], u_j) - np.cross(omega[i], u_i)) + 2.0 * dot(swing, rate)
    bias += dot(np.cross(omega[i], swing), d)

    is_angle = table[:, arrays.KIND] == arrays.ANGLE
    gradient = np.zeros((len(table), len(body), 6))
    along = np.where(is_angle[:, None], 0.0, axis)
    gradient[rows, i, :3] -= along
    gradient[rows, j, :3] += along
    gradient[rows, i, 3:] += np.where(is_angle[:, None], -axis, np.cross(axis, d + s_i))
    gradient[rows, j, 3:] += np.where(is_angle[:, None], axis, np.cross(s_j, axis))
    values = np.where(is_angle, angle, dot(axis, d))
    return values, gradient[:, 1:].reshape(len(table), 6 * len(body) - 6), np.where(is_angle, angle_bias, bias)
