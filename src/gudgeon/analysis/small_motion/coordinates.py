"""Coordinates of a mechanism by name: "pin.angle", "guide.displacement", or "bob.x" … "bob.rz" of a body.

A joint coordinate is measured as in kernels/kinematics/measures.py (there are the formulas). A body's coordinate is its
displacement from the state considered: x, y, z of the centre of mass [m], and the world rotation vector rx, ry, rz
[rad].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.joints import Angle
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.rotations import cross
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
    weights: np.ndarray  # (others, 6 bodies) on the twist of all bodies

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

    def gradients(self, body: np.ndarray) -> np.ndarray:
        """(coordinates, 6 bodies): their rates are these times the bodies' velocities."""
        gradients = np.zeros((self.count, 6 * (len(body) - 1)))
        gradients[self.measured] = joint_gradients(self.table, self.vectors, body)
        gradients[self.direct] = self.weights
        return gradients

    def biases(self, body: np.ndarray) -> np.ndarray:
        """What their second derivatives hold besides the gradients times the bodies' accelerations."""
        biases = np.zeros(self.count)
        biases[self.measured] = joint_biases(self.table, self.vectors, body)
        return biases


def all_coordinates(system: System) -> Coordinates:
    """The free coordinates of all joints, in order, then the six of every body."""
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


class _Joints:
    """World vectors of joint coordinates in the poses held in `body` (Work.body)."""

    def __init__(self, table: np.ndarray, vectors: np.ndarray, body: np.ndarray):
        self.i, self.j = table[:, arrays.PARENT], table[:, arrays.CHILD]
        self.on_child = table[:, arrays.ON_CHILD] == 1
        self.carrier = np.where(self.on_child, self.j, self.i)
        self.is_angle = table[:, arrays.KIND] == arrays.ANGLE
        self.omega = body[:, arrays.OMEGA : arrays.OMEGA + 3]
        self._vectors, self._body = vectors, body
        self._rotation = body[:, arrays.ROTATION : arrays.ROTATION + 9].reshape(-1, 3, 3)
        self.axis = self.world(self.carrier, arrays.AXIS)
        self.tilts = (table[:, arrays.TILTS] == 1) & self.is_angle

    def world(self, of: np.ndarray, at: int) -> np.ndarray:
        return (self._rotation[of] @ self._vectors[:, at : at + 3, None])[:, :, 0]

    def angles(self) -> np.ndarray:
        _, sine, cosine, _, _ = self._seen()
        return np.where(self.on_child, -1.0, 1.0) * np.arctan2(sine, cosine)

    def _seen(self) -> tuple[np.ndarray, ...]:
        """The arms u, u·g and u·f, g and f, as in kernels/kinematics/measures.py."""
        arm = self.world(np.where(self.on_child, self.i, self.j), arrays.ARM)
        zero, quarter = self.world(self.carrier, arrays.ARM_ZERO), self.world(self.carrier, arrays.ARM_QUARTER)
        return arm, _dot(arm, quarter), _dot(arm, zero), quarter, zero

    def _square(self, p: np.ndarray, q: np.ndarray) -> np.ndarray:
        return np.where(self.tilts, p**2 + q**2, 1.0)

    def turning_axis(self) -> np.ndarray:
        """The gradients of angles by the relative angular velocity: their axes, unless arms may tilt."""
        arm, p, q, quarter, zero = self._seen()
        across = (q[:, None] * quarter - p[:, None] * zero) / self._square(p, q)[:, None]
        return np.where(self.tilts[:, None], cross(arm, across), self.axis)

    def turning_bias(self) -> np.ndarray:
        """What the second derivatives of angles hold besides accelerations."""
        arm, p, q, quarter, zero = self._seen()
        carried = self.omega[self.carrier]
        spin = self.omega[np.where(self.on_child, self.i, self.j)] - carried
        moving, square = cross(spin, arm), self._square(p, q)
        across = (q[:, None] * quarter - p[:, None] * zero) / square[:, None]
        gradient = cross(arm, across)
        bias = _dot(across, cross(spin, moving)) - _dot(gradient, cross(carried, spin))
        bias -= 2.0 * _dot(gradient, spin) * (q * _dot(moving, zero) + p * _dot(moving, quarter)) / square
        turning = _dot(cross(carried, self.axis), self.omega[self.j] - self.omega[self.i])
        return np.where(self.tilts, np.where(self.on_child, -1.0, 1.0) * bias, turning)

    def arms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """s_i, s_j and d."""
        position = self._body[:, arrays.POSITION : arrays.POSITION + 3]
        s_i, s_j = self.world(self.i, arrays.MEASURE_IN_PARENT), self.world(self.j, arrays.MEASURE_IN_CHILD)
        return s_i, s_j, position[self.j] + s_j - position[self.i] - s_i


def joint_values(table: np.ndarray, vectors: np.ndarray, body: np.ndarray) -> np.ndarray:
    """Values of joint coordinates [rad or m]."""
    if not len(table):
        return np.zeros(0)
    at = _Joints(table, vectors, body)
    return np.where(at.is_angle, at.angles(), _dot(at.axis, at.arms()[2]))


def joint_gradients(table: np.ndarray, vectors: np.ndarray, body: np.ndarray) -> np.ndarray:
    """(coordinates, 6 bodies) gradients of joint coordinates."""
    gradient = np.zeros((len(table), len(body), 6))
    if len(table):
        at, rows = _Joints(table, vectors, body), np.arange(len(table))
        s_i, s_j, d = at.arms()
        is_angle = at.is_angle[:, None]
        along = np.where(is_angle, 0.0, at.axis)
        gradient[rows, at.i, :3] -= along
        gradient[rows, at.j, :3] += along
        about = at.turning_axis()
        gradient[rows, at.i, 3:] += np.where(is_angle, -about, cross(at.axis, d + s_i))
        gradient[rows, at.j, 3:] += np.where(is_angle, about, cross(s_j, at.axis))
    return gradient[:, 1:].reshape(len(table), 6 * len(body) - 6)


def joint_biases(table: np.ndarray, vectors: np.ndarray, body: np.ndarray) -> np.ndarray:
    """Second derivatives of joint coordinates without accelerations [rad/s² or m/s²]."""
    if not len(table):
        return np.zeros(0)
    at = _Joints(table, vectors, body)
    s_i, s_j, d = at.arms()
    w_i, w_j = at.omega[at.i], at.omega[at.j]
    velocity = body[:, arrays.VELOCITY : arrays.VELOCITY + 3]
    u_i, u_j = cross(w_i, s_i), cross(w_j, s_j)
    swing = cross(w_i, at.axis)
    bias = _dot(at.axis, cross(w_j, u_j) - cross(w_i, u_i)) + _dot(cross(w_i, swing), d)
    bias += 2.0 * _dot(swing, velocity[at.j] + u_j - velocity[at.i] - u_i)
    return np.where(at.is_angle, at.turning_bias(), bias)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.sum(a * b, axis=1)
