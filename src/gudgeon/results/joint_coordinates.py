"""The free coordinates of every joint over time, from the motion of the bodies; zero in the reference pose.

What an angle, a displacement or a way along a curve is, with its rate and acceleration, is defined by
kernels/kinematics/measures.py; here full turns are counted.

A ball joint has a quaternion and the components of an angular velocity instead of angles; a joint without rows, free or
compliant, the displacements of its point along three axes as well, before the coordinates that it has by name
(`Blocks.free`) whatever its model. Both are seen from P, the axes fixed in the joint's parent that coincide with those
of the world in the reference pose. Seen from there the child has turned by Q and turns with ω:

    Q = Pᵀ P_j                ω = Pᵀ (ω_j − ω_i)               ω̇ = Pᵀ (ω̇_j − ω̇_i − ω_i × (ω_j − ω_i))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.curve_joint import CurveJoint
from gudgeon.joints import Along, Angle, Free, Joint, Spherical
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.measured_motion import measured_motion
from gudgeon.rotations import conjugate, product, turned
from gudgeon.system import System

FULL_TURN = 2.0 * np.pi  # [rad]
LARGEST_CORRECTION = 0.5 * np.pi  # of a predicted increment by accelerations, which mean little in an impact [rad]
DISPLACEMENT, QUATERNION, ROTATION = ("dx", "dy", "dz"), ("e0", "e1", "e2", "e3"), ("x", "y", "z")

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]  # position, velocity, acceleration: (time,) or (time, components)


@dataclass(frozen=True, kw_only=True)
class JointCoordinates:
    """The free coordinates of all joints over time. A rotation in space has four coordinates and three rates."""

    position_names: tuple[str, ...]  # "joint.coordinate"
    position: np.ndarray  # (time, coordinate) [rad, m or -]
    rate_names: tuple[str, ...]  # "joint.coordinate"
    velocity: np.ndarray  # (time, rate) [rad/s or m/s]
    acceleration: np.ndarray  # (time, rate) [rad/s² or m/s²]


def joint_coordinates(
    system: System,
    position: np.ndarray,
    orientation: np.ndarray,
    velocity: np.ndarray,
    angular_velocity: np.ndarray,
    acceleration: np.ndarray,
    angular_acceleration: np.ndarray,
    times: np.ndarray,
    counted: Mapping[str, np.ndarray] | None = None,
    before: Mapping[str, float] | None = None,
) -> JointCoordinates:
    """The free coordinates of all joints, from arrays (time, body, …) as in `Result.data`: world axes, bodies in order.

    Angles are counted over full turns. `counted` holds angles [rad] over time, by name ("joint.coordinate"), whose
    turns are known: they are taken from there. Other angles start within half a turn, or of what they were `before` (by
    name, as signs of quaternions), and follow their rates: the increment between two samples is the one nearest to what
    velocities and accelerations predict.

    The joint points are those of the joint; for a Free joint that states none, the child's centre of mass in the
    reference pose.

    >>> import gudgeon as gd
    >>> from gudgeon.results.joint_coordinates import joint_coordinates
    >>> system = gd.examples.spatial_four_bar()
    >>> data = gd.simulate(system, 0.1).data
    >>> motion = (data.position, data.orientation, data.velocity, data.angular_velocity)
    >>> motion += (data.acceleration, data.angular_acceleration, data.time)
    >>> joint_coordinates(system, *(array.values for array in motion)).rate_names
    ('A.angle', 'B.x', 'B.y', 'B.z', 'C.x', 'C.y', 'C.z', 'D.angle')
    """
    times, pose = np.asarray(times, dtype=float), ReferencePose(system)
    measures = Measures(system, pose)
    places = {name: _places_of(name, joint, pose, measures) for name, joint in system.joints.items()}
    motion = (position, orientation, velocity, angular_velocity, acceleration, angular_acceleration)
    measured = measured_motion(system, pose, measures, motion)
    over_time = _OverTime(times, counted or {}, before or {})
    turning = {GROUND: _Turning(np.array([[1.0, 0.0, 0.0, 0.0]]), *np.zeros((2, 1, 3)))}
    for b, (name, body) in enumerate(system.bodies.items()):
        turn = product(orientation[:, b], conjugate(np.array(body.orientation)))
        turning[name] = _Turning(turn, angular_velocity[:, b], angular_acceleration[:, b])
    names, rates = [], []
    nothing = np.zeros((len(times), 0))
    columns = [nothing], [nothing], [nothing]
    for joint_name, joint in system.joints.items():
        own, pair = measured[:, places[joint_name]], (turning[joint.parent], turning[joint.child])
        for own_names, own_rates, moved in _coordinates_of(joint_name, joint, pose, own, pair, over_time):
            names += [f"{joint_name}.{name}" for name in own_names]
            rates += [f"{joint_name}.{name}" for name in own_rates]
            for column, values in zip(columns, moved, strict=True):
                column.append(values if values.ndim == 2 else values[:, None])
    place, speed, change = (np.concatenate(column, axis=1) for column in columns)
    return JointCoordinates(
        position_names=tuple(names), position=place, rate_names=tuple(rates), velocity=speed, acceleration=change
    )


def _is_unconstrained(joint: Joint) -> bool:
    return (joint.model.compliant and joint.holds) or isinstance(joint, Free)


def _places_of(name: str, joint: Joint, pose: ReferencePose, measures: Measures) -> list[int]:
    """The measures of a joint: three displacements where it has no rows, then its coordinates by name."""
    found, points = [], pose.joint_points(joint)
    if joint.at is None and joint.at_parent is None and joint.at_child is None:
        points = pose.child_in_parent(joint), np.zeros(3)
    if _is_unconstrained(joint):
        found += [measures.add_displacement(joint, axis, points) for axis in np.eye(3)]
    return found + [measures.index(name, free.name) for free in joint.blocks().free]


def _coordinates_of(
    joint_name: str,
    joint: Joint,
    pose: ReferencePose,
    measured: np.ndarray,
    pair: tuple[_Turning, _Turning],
    over_time: _OverTime,
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], Motion]]:
    """The names of coordinates, those of their rates, and the values of both, group by group."""
    if _is_unconstrained(joint):
        yield DISPLACEMENT, DISPLACEMENT, (measured[:, :3, 0], measured[:, :3, 1], measured[:, :3, 2])
        measured = measured[:, 3:]
    if _is_unconstrained(joint) or isinstance(joint, Spherical):
        yield QUATERNION, ROTATION, over_time.rotation(joint_name, pair[1].seen_from(pair[0]))
    for k, free in enumerate(joint.blocks().free):
        motion, name = tuple(measured[:, k].T), f"{joint_name}.{free.name}"
        if isinstance(free, Angle):
            motion = over_time.counted(name, motion, FULL_TURN)
        elif isinstance(free, Along):
            motion = over_time.counted(name, motion, _round(joint, pose))
        yield (free.name,), (free.name,), motion


def _round(joint: Joint, pose: ReferencePose) -> float:
    """The length of the joint's curve if it is closed; otherwise infinity [m]."""
    assert isinstance(joint, CurveJoint)
    pieces = joint.profile(pose.anchor(joint)).pieces
    assert pieces is not None
    return float(pieces.lengths[-1]) if pieces.closed else np.inf


@dataclass(frozen=True)
class _Turning:
    """How a body turns; one sample stands for all times in the case of the ground."""

    turn: np.ndarray  # quaternion from the reference pose (time, 4) [-]
    spin: np.ndarray  # angular velocity (time, 3) [rad/s]
    spin_rate: np.ndarray  # angular acceleration (time, 3) [rad/s²]

    def seen_from(self, parent: _Turning) -> _Turning:
        """The same as another body sees it: Q, ω, ω̇."""
        back, spin = conjugate(parent.turn), self.spin - parent.spin
        change = self.spin_rate - parent.spin_rate - np.cross(parent.spin, spin)
        return _Turning(product(back, self.turn), turned(back, spin), turned(back, change))


@dataclass(frozen=True)
class _OverTime:
    """What tells how often an angle has turned."""

    times: np.ndarray  # [s]
    known: Mapping[str, np.ndarray]  # angles over time that are counted, by name [rad]
    before: Mapping[str, float]  # what coordinates were before the first sample, by name

    def rotation(self, joint_name: str, seen: _Turning) -> Motion:
        """The quaternion, of the sign that continues the one before, and the angular velocity."""
        turn, before = seen.turn, [self.before.get(f"{joint_name}.{name}") for name in QUATERNION]
        step = 0.25 * np.diff(self.times)[:, None] * (seen.spin[1:] + seen.spin[:-1])  # half the angle turned
        angle = np.linalg.norm(step, axis=1, keepdims=True)
        expected = np.concatenate([np.cos(angle), np.sinc(angle / np.pi) * step], axis=1)
        expected = product(expected, turn[:-1])
        signs = np.ones(len(self.times))
        first = turn[:1, 0] if None in before else turn[:1] @ np.array(before, dtype=float)
        signs[:1] = np.where(first < 0.0, -1.0, 1.0)
        signs[1:] = np.where(np.sum(expected * turn[1:], axis=1) < 0.0, -1.0, 1.0)
        return np.cumprod(signs)[:, None] * turn, seen.spin, seen.spin_rate

    def counted(self, name: str, motion: Motion, whole: float) -> Motion:
        """An angle with its full turns, or a way with the rounds of its curve, which are `whole`."""
        value, rate, change = motion
        if not np.isfinite(whole):
            return motion
        if name in self.known:
            turns = np.rint((np.asarray(self.known[name], dtype=float) - value) / whole)
        else:
            first = np.rint((self.before.get(name, 0.0) - value[:1]) / whole) + 0.0  # no −0
            turns = np.concatenate([first, first + _turns(self.times, value, rate, change, whole)])
        return value + whole * turns, rate, change


def _turns(
    times: np.ndarray, angle: np.ndarray, rate: np.ndarray, change: np.ndarray, whole: float = FULL_TURN
) -> np.ndarray:
    """The full turns to add to an angle, or a way, after its first sample.

    Between two samples it grows by ∫θ̇ dt ≈ h (θ̇₀ + θ̇₁)/2 + h² (θ̈₀ − θ̈₁)/12 (Hermite), but for full turns.
    """
    step = np.diff(times)
    correction = step**2 * (change[:-1] - change[1:]) / 12.0
    most = LARGEST_CORRECTION if whole == FULL_TURN else 0.25 * whole
    expected = 0.5 * step * (rate[:-1] + rate[1:]) + np.clip(correction, -most, most)
    return np.cumsum(np.rint((expected - np.diff(angle)) / whole))
