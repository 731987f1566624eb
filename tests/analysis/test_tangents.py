"""Exact tangents of rows and forces against difference quotients, to their order; the motions that joints allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon.analysis.joint_motion import joint_motion
from gudgeon.analysis.small_motion.about import state_of
from gudgeon.analysis.small_motion.contacts import Steps
from gudgeon.analysis.small_motion.coordinates import all_coordinates
from gudgeon.analysis.small_motion.joint_slopes import JointSlopes
from gudgeon.analysis.small_motion.pairs import measure_pairs
from gudgeon.analysis.small_motion.tangents import RowTangents, force_tangents, inertia_tangent, velocities
from gudgeon.kernels.dynamics.arrays import GAMMA, JOINT_SPRING, KIND, RATE, TILTS
from gudgeon.mechanics.displacement import displace
from random_mechanisms import MADE_TO_FIT, mechanisms
from real_joints import COULOMB, DAMPING, RADII, STIFFNESS

STEP = 1e-3


def agrees(tangent, function, *, step: float = STEP, small: float = 1e-9):
    """The error of a central difference falls with the square of its step, which only the true derivative gives."""

    def error(h: float) -> float:
        return float(np.abs((function(h) - function(-h)) / (2.0 * h) - tangent).max(initial=0.0))

    size = 1.0 + float(np.abs(tangent).max(initial=0.0))
    first, second = error(step), error(0.5 * step)
    assert first <= 0.1 * size
    assert second <= 0.3 * first + small * size


class Mechanism:
    """A mechanism in a state, its rows and forces displaced along a random direction."""

    def __init__(self, system: gd.System, seed: int = 0):
        self.rows, self.y, _ = state_of(system, None, None)
        self.count = self.rows.body_count
        rng = np.random.default_rng(seed)
        self.twist, self.change, self.acceleration = rng.normal(size=(3, 6 * self.count))
        self.multipliers = rng.normal(size=len(self.rows.equations.joint_rows))

    def state(self, displaced: float = 0.0, faster: float = 0.0) -> np.ndarray:
        y = self.y.copy()
        displace(y, displaced * self.twist)
        y[7 * self.count : 13 * self.count] += faster * self.change
        equations, model = self.rows.equations, self.rows.equations.model
        if np.any(model.load[:, KIND] == JOINT_SPRING):  # turns are counted along
            self.rows.at(y)
            angle = joint_motion(equations, model.measure[model.turn], model.measure_vector[model.turn]).value
            y[equations.layout.turns] = angle
        return y

    def row(self, column: int, **change: float) -> np.ndarray:
        self.rows.at(self.state(**change))
        return self.rows.column(column).copy()

    def jacobian(self, displaced: float) -> np.ndarray:
        self.rows.at(self.state(displaced))
        return self.rows.equations.jacobian()

    def forces(self, **change: float) -> np.ndarray:
        return self.rows.forces(self.state(**change))


@MADE_TO_FIT
@settings(max_examples=10, deadline=None, derandomize=True, database=None)
@given(mechanisms(bodies=4, loops=2))
def test_rows_of_random_mechanisms(system):
    at = Mechanism(system)
    at.rows.at(at.y)
    tangents, velocity = RowTangents.of_constraints(at.rows.equations), velocities(at.rows.body)
    rates, by_velocity = tangents.rates(velocity), tangents.accelerations_by_velocity(velocity)
    accelerations = tangents.accelerations(np.vstack([np.zeros(6), at.acceleration.reshape(-1, 6)]))
    reactions = tangents.forces(at.multipliers)
    agrees(rates @ at.twist, lambda h: at.row(RATE, displaced=h))
    agrees(
        accelerations @ at.twist, lambda h: at.jacobian(h) @ at.acceleration - at.row(GAMMA, displaced=h), small=1e-8
    )
    agrees(by_velocity @ at.change, lambda h: -at.row(GAMMA, faster=h))
    agrees(reactions @ at.twist, lambda h: at.jacobian(h).T @ at.multipliers)


@MADE_TO_FIT
@settings(max_examples=10, deadline=None, derandomize=True, database=None)
@given(mechanisms(bodies=4, loops=0))
def test_forces_and_inertia_of_random_mechanisms(system):
    at = Mechanism(system)
    rows = at.rows
    slopes = JointSlopes(rows, at.y, Steps(rows, at.y))
    found = force_tangents(rows.equations, rows.time, at.y, slopes)
    inertia = inertia_tangent(rows.equations, np.vstack([np.zeros(6), at.acceleration.reshape(-1, 6)]))

    def pushed(h: float) -> np.ndarray:
        rows.at(at.state(h))
        return rows.times_mass(at.acceleration)

    agrees(inertia @ at.twist, pushed)
    agrees(found.by_velocity @ at.change, lambda h: at.forces(faster=h))
    agrees(found.by_displacement @ at.twist, lambda h: at.forces(displaced=h), small=1e-8)


MODELS = {
    "bushing": gd.Bushing(stiffness=2e3, damping_time=1e-2),
    "bushing 6×6": gd.Bushing(stiffness=1e-3 * STIFFNESS, damping=DAMPING),
    "dry": gd.Dry(**RADII, contact=gd.laws.HuntCrossley(stiffness=1e8, damping=0.2), friction=COULOMB),
    "dry, ball on parent": gd.Dry(
        **RADII, contact=gd.laws.HuntCrossley(stiffness=1e8, damping=0.2), friction=COULOMB, ball_on="parent"
    ),
    "lubricated": gd.Lubricated(**RADII, viscosity=0.5),
}


def shifted_joint(name: str, parent: str) -> gd.System:
    """A part that turns, spins and slides in the joint J: on the ground, or on a body that spins itself."""
    offset = 0.5e-4 if name == "lubricated" else 1.05e-4 if "dry" in name else 3e-3  # of the joint's points [m]
    rotation = Rotation.from_rotvec((0.2, -0.4, 0.3))
    arm, spin = rotation.apply((-0.1, -0.05, -0.2)), np.array([0.7, -0.5, 0.9])
    carried = np.cross((0.5, 0.2, -0.4), (0.2, -0.1, 0)) if parent == "other" else np.zeros(3)
    start = {
        "part": gd.BodyState(
            position=tuple(offset * np.array([0.6, -0.48, 0.64]) - arm),
            orientation=tuple(rotation.as_quat(scalar_first=True)),
            velocity=tuple(carried - np.cross(spin, arm) + (2e-3, 1e-3, -1e-3)),
            angular_velocity=tuple(spin),
        )
    }
    bodies = {"part": gd.Body(mass=1.0, inertia=(0.1, 0.2, 0.25), position=(0.1, 0.05, 0.2))}
    if parent == "other":
        place = (-0.2, 0.1, 0.0)
        bodies["other"] = gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.1), position=place)
        start["other"] = gd.BodyState(position=place, orientation=(1, 0, 0, 0), angular_velocity=(0.5, 0.2, -0.4))
    joint = gd.Spherical(parent, "part", at=(0, 0, 0), model=MODELS[name])
    return gd.System(bodies=bodies, joints={"J": joint}, start=start)


@pytest.mark.parametrize("parent", ["ground", "other"])
@pytest.mark.parametrize("name", MODELS)
def test_forces_of_moving_real_joints(name, parent):
    """All of the derivative, of joints that turn and shift at the same time; in units over which their laws change."""
    at = Mechanism(shifted_joint(name, parent))
    at.forces()
    assert np.abs(at.rows.equations.work.force[0, :3]).max() > 0.0  # it touches
    at.twist *= 1e-5 if "bushing" not in name else 1e-2  # [m, rad]
    at.change *= 1e-3  # [m/s, rad/s]
    found = force_tangents(at.rows.equations, 0.0, at.y, JointSlopes(at.rows, at.y, Steps(at.rows, at.y)))
    for tangent, which in ((found.by_displacement @ at.twist, "displaced"), (found.by_velocity @ at.change, "faster")):
        size = np.abs(tangent).max()
        assert size > 0.0
        agrees(tangent / size, lambda h, which=which, size=size: at.forces(**{which: h}) / size, step=0.05, small=1e-7)


@pytest.mark.parametrize("joint", [gd.Revolute, gd.Universal])
def test_angles_of_real_joints_that_tilt(joint):
    """The arm of an angle leaves its plane: gradient, its derivative, and that of the bias, with both bodies moving."""
    axes = {"axis": (0, 0, 1)} if joint is gd.Revolute else {"axis_parent": (1, 0, 0), "axis_child": (0, 1, 0)}
    link = joint("other", "part", at=(0, 0, 0), model=gd.Bushing(stiffness=1e3, tilt_stiffness=10.0), **axes)
    at = Mechanism(shifted_joint("bushing", "other").replace(joints={"J": link}))
    known = all_coordinates(at.rows.equations.system, [])
    assert np.all(known.table[:, TILTS] == 1)
    at.rows.at(at.y)
    pairs = measure_pairs(at.rows.equations, known.table, known.vectors, np.arange(len(known.table)))
    tangents = RowTangents(pairs, len(known.table), at.rows.nodes)
    acceleration = np.vstack([np.zeros(6), at.acceleration.reshape(-1, 6)])

    def second(h: float) -> np.ndarray:
        at.rows.at(at.state(h))
        joints = joint_motion(at.rows.equations, known.table, known.vectors)
        return joints.gradient @ at.acceleration + joints.bias

    def value(h: float) -> np.ndarray:
        at.rows.at(at.state(h))
        return joint_motion(at.rows.equations, known.table, known.vectors).value

    at.rows.at(at.y)
    slope = joint_motion(at.rows.equations, known.table, known.vectors).gradient @ at.twist
    agrees(tangents.accelerations(acceleration) @ at.twist, second, small=1e-8)
    agrees(slope, value)


@MADE_TO_FIT
@settings(max_examples=10, deadline=None, derandomize=True, database=None)
@given(mechanisms(bodies=5, loops=2))
def test_allowed_motions(system):
    """J T = 0 and Tᵀ M T = 1, as many as singular values say; J x = J v has a solution; Jᵀ λ = w as well."""
    at = Mechanism(system)
    rows = at.rows
    allowed = rows.allowed(at.y)
    jacobian = rows.equations.jacobian()
    scaled = jacobian / np.sqrt(rows.weight)
    scaled /= np.linalg.norm(scaled, axis=1, keepdims=True)
    values = np.linalg.svd(scaled, compute_uv=False) if len(scaled) else np.zeros(0)
    rank = int(np.count_nonzero(values > 1e-8))
    T = allowed.basis
    assert T.shape[1] == 6 * at.count - rank
    assert np.abs(jacobian @ T).max(initial=0.0) < 1e-10 * (1.0 + np.abs(T).max(initial=0.0))
    assert np.abs(T.T @ rows.times_mass(T) - np.eye(T.shape[1])).max(initial=0.0) < 1e-10
    right = jacobian @ at.change
    assert jacobian @ allowed.motion(right[:, None])[:, 0] == pytest.approx(right, abs=1e-9)
    wrench = jacobian.T @ at.multipliers
    assert jacobian.T @ allowed.multipliers(wrench) == pytest.approx(wrench, abs=1e-9)
    dependences = allowed.dependences()
    assert len(dependences) == len(jacobian) - rank
    for one in dependences:
        assert np.abs(jacobian.T @ one).max() < 1e-8 * np.abs(one).max()
