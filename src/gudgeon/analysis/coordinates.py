"""Joint coordinates by name: any angle or displacement that a joint leaves free.

A coordinate is called by its joint, "pivot", or, where the joint has several, by joint and coordinate,
"sleeve.displacement".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np

from gudgeon.analysis.joint_motion import JointMotion, joint_motion
from gudgeon.bodies import Body
from gudgeon.crosses import as_described
from gudgeon.errors import ModelError
from gudgeon.flexible_bodies import flexible_bodies, joints_on_nodes
from gudgeon.joints import Blocks, Joint
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.turns import counted_angles
from gudgeon.system import System


class Coordinate(NamedTuple):
    """One free coordinate of a joint."""

    joint: str
    name: str  # "angle", "displacement", "angle_parent", "angle_child"

    @property
    def is_angle(self) -> bool:
        """Whether it is an angle [rad], not a displacement [m]."""
        return self.name.startswith("angle")

    def label(self, system: System) -> str:
        """How users call it: by the joint alone where that says it all."""
        several = len(system.joints[self.joint].blocks().free) > 1
        return f"{self.joint}.{self.name}" if several else self.joint


def coordinate_named(owner: str, system: System, text: Any) -> Coordinate:
    """The coordinate that a user calls `text`."""
    if not isinstance(text, str):
        raise ModelError(f"{owner}: {text!r} names no joint coordinate; give 'joint' or 'joint.coordinate'")
    if text in system.joints or "." not in text:
        return Coordinate(text, system.coordinate(f"{owner}, {text!r}", text, None))
    joint, _, name = text.rpartition(".")
    return Coordinate(joint, system.coordinate(f"{owner}, {text!r}", joint, name))


def all_coordinates(system: System) -> list[Coordinate]:
    """Every angle and displacement that the joints leave free, in the order of the joints."""
    return [Coordinate(name, free.name) for name, joint in system.joints.items() for free in joint.blocks().free]


@dataclass(frozen=True)
class Released(Joint):
    """A joint without rows and forces that still has the named coordinates of another one."""

    _: KW_ONLY
    named: Blocks  # whose free coordinates it has

    def blocks(self) -> Blocks:
        """The free coordinates alone."""
        return Blocks(angles=self.named.angles, displacements=self.named.displacements)

    @property
    def axes_may_tilt(self) -> bool:
        """It has no rows."""
        return True


def yielding_joints(system: System) -> set[str]:
    """The joints whose forces the motion of the bodies does not tell: real ones, and those at flexible bodies."""
    return {name for name, joint in system.joints.items() if joint.is_real} | joints_on_nodes(system)


def without_yielding_joints(system: System, *, deformed: bool = False) -> System:
    """The same system with these joints released: no rows, no forces, same name, place and coordinates.

    Ideal joints keep their friction. Flexible bodies are rigid ones there, unless they are wanted `deformed`.
    """
    pose, yielding = ReferencePose(system), yielding_joints(system)
    points = {name: pose.joint_points(system.joints[name]) for name in yielding}
    joints = {
        name: Released(
            joint.parent,
            joint.child,
            at_parent=tuple(points[name][0].tolist()),
            at_child=tuple(points[name][1].tolist()),
            named=joint.blocks(),
        )
        if name in yielding
        else joint
        for name, joint in system.joints.items()
    }
    bodies = {name: as_described(body) for name, body in system.bodies.items()}
    for name, body in flexible_bodies(system).items():
        pose = (body.position, body.orientation, body.velocity, body.angular_velocity)
        bodies[name] = body if deformed else Body(body.mass, body.inertia, *pose)
    return system.replace(bodies=bodies, joints=joints)


class NamedCoordinates:
    """Some joint coordinates of a mechanism, in any of its motions."""

    def __init__(self, equations: Equations, coordinates: Sequence[Coordinate]):
        self._equations = equations
        measures = Measures(equations.system, ReferencePose(equations.system))
        for joint, name in dict.fromkeys(coordinates):
            measures.index(joint, name)
        self._tables = measures.arrays()

    def now(self) -> JointMotion:
        """In the motion last evaluated."""
        return joint_motion(self._equations, self._tables["measure"], self._tables["measure_vector"])

    def at(self, y: np.ndarray) -> JointMotion:
        """In the state y."""
        from gudgeon.kernels.dynamics.rows import rows_at

        rows_at(self._equations.model, self._equations.work, 0.0, y)
        return self.now()


class CountedAngles:
    """The angles that a run counts over full turns (mechanics/turns.py): states of their own."""

    def __init__(self, equations: Equations):
        system = equations.system
        self._first = equations.layout.turns.start
        wound = [Coordinate(angle.joint, angle.coordinate) for angle in counted_angles(system)]
        distinct = list(dict.fromkeys(wound))
        self._place = [distinct.index(coordinate) for coordinate in wound]
        self._angles = NamedCoordinates(equations, distinct) if distinct else None

    def count(self, y: np.ndarray, near: np.ndarray | None) -> None:
        """Write the counted angles into y: those within half a turn of `near`, or of zero."""
        if self._angles is None:
            return
        angle = self._angles.at(y).value[self._place]
        before = np.zeros(len(angle)) if near is None else near[: len(angle)]
        y[self._first : self._first + len(angle)] = angle + 2.0 * np.pi * np.round((before - angle) / (2.0 * np.pi))

    def expected(self, y: np.ndarray, other: np.ndarray, interval: float) -> np.ndarray | None:
        """The counted angles at the state `other`, `interval` seconds after y, from the rates of both."""
        if self._angles is None:
            return None
        rates = 0.5 * (self._angles.at(y).rate + self._angles.at(other).rate)[self._place]
        return y[self._first : self._first + len(rates)] + interval * rates


def driven_coordinates(system: System) -> dict[Coordinate, str]:
    """The coordinates that drives move, and the drives' names."""
    return {
        Coordinate(drive.joint, system.coordinate(f"Drive {name!r}", drive.joint, drive.coordinate)): name
        for name, drive in system.drives.items()
    }
