"""The free coordinates of every joint over time, from the motion of the bodies; zero in the reference pose.

P are the axes fixed in a joint's parent that coincide with those of the world in the reference pose. Seen from there,
the child has turned by Q and turns with ω, its joint point has moved by d:

    Q = Pᵀ P_j                ω = Pᵀ (ω_j − ω_i)               ω̇ = Pᵀ (ω̇_j − ω̇_i − ω_i × (ω_j − ω_i))
    d = Pᵀ ρ + Q s_j − s_i    ḋ = Pᵀ (ρ̇ − ω_i × ρ) + ω × Q s_j
                              d̈ = Pᵀ (ρ̈ − ω̇_i × ρ − 2 ω_i × ρ̇ + ω_i × (ω_i × ρ)) + ω̇ × Q s_j + ω × (ω × Q s_j)

ρ = r_j − r_i the centres of mass, s the joint points in the reference pose, measured from them, world axes. With the
axes and arms of the reference pose the angles and displacements of `kernels/kinematics/measures.py` are

    angle θ about h in the parent     tan θ = (Q u)·(h × u) / (Q u)·u         θ̇ = h·ω         θ̈ = h·ω̇
    angle θ about h in the child      tan θ = −(Qᵀ u)·(h × u) / (Qᵀ u)·u      θ̇ = (Q h)·ω     θ̈ = (Q h)·ω̇
    displacement x along a            x = a·d                                 ẋ = a·ḋ         ẍ = a·d̈
    way s along a curve               see kernels/kinematics/curve_measures.py

In a real joint the axes tilt, and the rates of angles are those of kernels/kinematics/measures.py for that.

A ball joint has the quaternion of Q and the components of ω instead of angles; a joint without rows, free or compliant,
the components of d as well, before the coordinates that it has by name (`Blocks.free`) whatever its model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.curve_joint import CurveJoint
from gudgeon.joints import Along, Angle, Free, Joint, Spherical
from gudgeon.mechanics.coordinates import ReferencePose
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
    times = np.asarray(times, dtype=float)
    bodies = {GROUND: _Body(*np.zeros((5, 1, 3)), turn=np.array([[1.0, 0.0, 0.0, 0.0]]))}
    for b, (name, body) in enumerate(system.bodies.items()):
        linear = (position[:, b], velocity[:, b], acceleration[:, b])
        turn = product(orientation[:, b], conjugate(np.array(body.orientation)))
        bodies[name] = _Body(*linear, angular_velocity[:, b], angular_acceleration[:, b], turn=turn)
    pose = ReferencePose(system)
    names, rates = [], []
    nothing = np.zeros((len(times), 0))
    columns = [nothing], [nothing], [nothing]
    for joint_name, joint in system.joints.items():
        points = _joint_points(system, pose, joint)
        pair = _Pair(bodies[joint.parent], bodies[joint.child], *points, times)
        way = _Way(joint, pose) if isinstance(joint, CurveJoint) and joint.blocks().ways else None
        for own_names, own_rates, motion in _coordinates_of(joint_name, joint, pair, counted or {}, before or {}, way):
            names += [f"{joint_name}.{name}" for name in own_names]
            rates += [f"{joint_name}.{name}" for name in own_rates]
            for column, values in zip(columns, motion, strict=True):
                column.append(values if values.ndim == 2 else values[:, None])
    place, speed, change = (np.concatenate(column, axis=1) for column in columns)
    return JointCoordinates(
        position_names=tuple(names), position=place, rate_names=tuple(rates), velocity=speed, acceleration=change
    )


def _coordinates_of(
    joint_name: str,
    joint: Joint,
    pair: _Pair,
    counted: Mapping[str, np.ndarray],
    before: Mapping[str, float],
    way: _Way | None,
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], Motion]]:
    """The names of coordinates, those of their rates, and the values of both, group by group."""
    unconstrained = (joint.model.compliant and joint.holds) or isinstance(joint, Free)
    if unconstrained:
        yield DISPLACEMENT, DISPLACEMENT, pair.displacement()
    if unconstrained or isinstance(joint, Spherical):
        yield QUATERNION, ROTATION, pair.rotation([before.get(f"{joint_name}.{name}") for name in QUATERNION])
    for free in joint.blocks().free:
        if isinstance(free, Angle):
            name = f"{joint_name}.{free.name}"
            motion = pair.angle(free, counted.get(name), before.get(name, 0.0), tilts=joint.axes_may_tilt)
            yield (free.name,), (free.name,), motion
        elif isinstance(free, Along):
            assert way is not None
            name = f"{joint_name}.{free.name}"
            yield (free.name,), (free.name,), way.of(pair, counted.get(name), before.get(name, 0.0))
        else:
            axis, moved = np.array(free.axis), pair.displacement()
            yield (free.name,), (free.name,), (moved[0] @ axis, moved[1] @ axis, moved[2] @ axis)


def _joint_points(system: System, pose: ReferencePose, joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    """The joint's point from the centres of mass of parent and child, world axes of the reference pose [m]."""
    place, turn = {GROUND: np.zeros(3)}, {GROUND: np.array([1.0, 0.0, 0.0, 0.0])}
    for name in {joint.parent, joint.child} - {GROUND}:
        place[name] = np.array(system.bodies[name].position)
        turn[name] = np.array(system.bodies[name].orientation)
    if joint.at is None and joint.at_parent is None and joint.at_child is None:
        return place[joint.child] - place[joint.parent], np.zeros(3)
    in_parent, in_child = pose.joint_points(joint)
    return turned(turn[joint.parent], in_parent), turned(turn[joint.child], in_child)


@dataclass(frozen=True)
class _Body:
    """The motion of a body, world axes; one sample stands for all times in the case of the ground."""

    position: np.ndarray  # of the centre of mass (time, 3) [m]
    velocity: np.ndarray  # (time, 3) [m/s]
    acceleration: np.ndarray  # (time, 3) [m/s²]
    spin: np.ndarray  # angular velocity (time, 3) [rad/s]
    spin_rate: np.ndarray  # angular acceleration (time, 3) [rad/s²]
    turn: np.ndarray  # quaternion from the reference pose (time, 4) [-]


class _Pair:
    """How a joint's child moves against its parent, in the axes P."""

    def __init__(self, parent: _Body, child: _Body, in_parent: np.ndarray, in_child: np.ndarray, times: np.ndarray):
        self._parent = parent
        self._child = child
        self._points = in_parent, in_child
        self.times = times
        self._to_parent = conjugate(parent.turn)
        self._turn = product(self._to_parent, child.turn)  # Q
        spin = child.spin - parent.spin
        self._spin = turned(self._to_parent, spin)
        self._spin_rate = turned(self._to_parent, child.spin_rate - parent.spin_rate - np.cross(parent.spin, spin))

    def displacement(self) -> Motion:
        """Of the child's joint point against the parent's."""
        i, j = self._parent, self._child
        (in_parent, in_child), spin = self._points, self._spin
        apart, speed = j.position - i.position, j.velocity - i.velocity
        change = j.acceleration - i.acceleration - np.cross(i.spin_rate, apart)
        change += np.cross(i.spin, np.cross(i.spin, apart) - 2.0 * speed)
        arm = turned(self._turn, in_child)
        swing = np.cross(spin, arm)
        return (
            turned(self._to_parent, apart) + arm - in_parent,
            turned(self._to_parent, speed - np.cross(i.spin, apart)) + swing,
            turned(self._to_parent, change) + np.cross(self._spin_rate, arm) + np.cross(spin, swing),
        )

    def rotation(self, before: list[float | None]) -> Motion:
        """The quaternion, of the sign that continues the one before, and the angular velocity."""
        step = 0.25 * np.diff(self.times)[:, None] * (self._spin[1:] + self._spin[:-1])  # half the angle turned
        angle = np.linalg.norm(step, axis=1, keepdims=True)
        expected = np.concatenate([np.cos(angle), np.sinc(angle / np.pi) * step], axis=1)
        expected = product(expected, self._turn[:-1])
        signs = np.ones(len(self.times))
        first = self._turn[:1, 0] if None in before else self._turn[:1] @ np.array(before, dtype=float)
        signs[:1] = np.where(first < 0.0, -1.0, 1.0)
        signs[1:] = np.where(np.sum(expected * self._turn[1:], axis=1) < 0.0, -1.0, 1.0)
        return np.cumprod(signs)[:, None] * self._turn, self._spin, self._spin_rate

    def angle(self, angle: Angle, counted: np.ndarray | None, before: float, *, tilts: bool) -> Motion:
        """A free angle with its full turns."""
        axis, arm = np.array(angle.axis), np.array(angle.arm)
        if angle.carrier == "child":
            seen, sign = turned(conjugate(self._turn), arm), -1.0
            axis_now = turned(self._turn, axis)
        else:
            seen, sign, axis_now = turned(self._turn, arm), 1.0, axis
        value = sign * np.arctan2(seen @ np.cross(axis, arm), seen @ arm)
        if tilts:
            spins = self._spin, self._spin_rate
            if angle.carrier == "child":
                spins = tuple(turned(conjugate(self._turn), spin) for spin in spins)
            rate, change = _tilted_rates(seen, arm, np.cross(axis, arm), sign * spins[0], sign * spins[1])
            rate, change = sign * rate, sign * change
        else:
            rate, change = np.sum(axis_now * self._spin, axis=1), np.sum(axis_now * self._spin_rate, axis=1)
        if counted is not None:
            turns = np.rint((np.asarray(counted, dtype=float) - value) / FULL_TURN)
        else:
            first = np.rint((before - value[:1]) / FULL_TURN) + 0.0  # no −0
            turns = np.concatenate([first, first + _turns(self.times, value, rate, change)])
        return value + FULL_TURN * turns, rate, change


class _Way:
    """The way of a joint's point along its curve, rounds of a closed one counted."""

    def __init__(self, joint: CurveJoint, pose: ReferencePose):
        from gudgeon.kernels.dynamics.arrays import Model, Work
        from gudgeon.mechanics.curve_tables import pieces_table

        profile = joint.profile(pose.anchor(joint))
        assert profile.pieces is not None
        line, table = pieces_table(profile)
        self._model, self._work = Model(curve=line, curve_table=table), Work(stack=np.zeros(1))
        self._axes = np.array(joint.own_axes)
        self._begin = profile.pieces.length_to(pose.seen(joint), extruded=profile.extruded)
        self._round = float(profile.pieces.lengths[-1]) if profile.pieces.closed else np.inf

    def of(self, pair: _Pair, counted: np.ndarray | None, before: float) -> Motion:
        """Position, velocity and acceleration along the curve."""
        from gudgeon.kernels.outputs.ways import ways

        out = np.empty((len(pair.times), 3))
        seen = [np.ascontiguousarray(np.broadcast_to(part @ self._axes.T, out.shape)) for part in pair.displacement()]
        ways(self._model, self._work, *seen, out)
        value, rate, change = out.T
        value = value - self._begin
        if not np.isfinite(self._round):
            return value, rate, change
        if counted is not None:
            rounds = np.rint((np.asarray(counted, dtype=float) - value) / self._round)
        else:
            first = np.rint((before - value[:1]) / self._round) + 0.0
            rounds = np.concatenate([first, first + _turns(pair.times, value, rate, change, self._round)])
        return value + self._round * rounds, rate, change


def _tilted_rates(
    arm: np.ndarray, zero: np.ndarray, quarter: np.ndarray, spin: np.ndarray, spin_rate: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rate and its derivative of the angle at which an arm that spins is seen from `zero` towards `quarter`."""
    p, q = (arm @ quarter)[:, None], (arm @ zero)[:, None]
    square = p**2 + q**2
    across, outward = (q * quarter - p * zero) / square, (q * zero + p * quarter) / square
    moving, gradient = np.cross(spin, arm), np.cross(arm, across)
    rate = np.sum(gradient * spin, axis=1)
    change = np.sum(gradient * spin_rate + across * np.cross(spin, moving), axis=1)
    return rate, change - 2.0 * rate * np.sum(moving * outward, axis=1)


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
