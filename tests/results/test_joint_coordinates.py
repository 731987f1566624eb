"""Joint coordinates over time: every joint type on prescribed motion, closed forms, drives, crossings, full turns."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

import gudgeon as gd
from gudgeon.functions.expressions import evaluate, parse
from gudgeon.results.joint_coordinates import joint_coordinates
from mechanisms import CRANK, ROD, TIGHT, G, path, path_acceleration, path_rate, pendulum, slider_crank, swing, wheel
from published_joints import chain
from random_mechanisms import FEW, MADE_TO_FIT, mechanisms
from real_joints import EVERY_MODEL, two_bodies

TURN = 2.0 * math.pi
STENCIL = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0  # first derivative, error of sixth order
STENCIL_2 = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / 180.0


def coordinate(data, name):
    return data.joint_position.sel(coordinate=name).values


def rate(data, name):
    return data.joint_velocity.sel(rate=name).values


def acceleration(data, name):
    return data.joint_acceleration.sel(rate=name).values


# --- quaternions, independent of the library ------------------------------------------------------------------


def product(p, q):
    p, q = np.broadcast_arrays(p, q)
    scalar = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], axis=-1, keepdims=True)
    return np.concatenate(
        [scalar, p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])], -1
    )


def conjugate(q):
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def about(axis, angle):
    angle = np.asarray(angle)[..., None]
    return np.concatenate([np.cos(angle / 2), np.sin(angle / 2) * np.asarray(axis) / np.linalg.norm(axis)], -1)


def turned(q, v):
    pure = np.concatenate([np.zeros((*np.shape(v)[:-1], 1)), v], -1)
    return product(product(q, pure), conjugate(q))[..., 1:]


def derivatives(function, times, step=2e-3):
    """Value, first and second derivative by differences."""
    around = np.array([function(times + k * step) for k in range(-3, 4)])
    return around[3], np.tensordot(STENCIL, around, 1) / step, np.tensordot(STENCIL_2, around, 1) / step**2


def spin_of(quaternion, times):
    """ω = 2 q̇ ∘ q* of a quaternion function, and its derivative."""
    q, dq, ddq = derivatives(quaternion, times)
    return 2.0 * product(dq, conjugate(q))[..., 1:], 2.0 * product(ddq, conjugate(q))[..., 1:]


# --- every joint type on a motion written down ----------------------------------------------------------------

PARENT = gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0.2, -0.3, 0.5), orientation=about((1, 2, -1), 0.7))
CHILD = gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0.6, 0.1, 0.4), orientation=about((-2, 1, 1), 2.1))
POINT = np.array([0.35, 0.05, 0.45])  # of the joint, in the reference pose [m]
H, K = np.array([0.6, 0.0, 0.8]), np.array([0.0, 1.0, 0.0])  # perpendicular axes
SLIDE = np.array([0.48, 0.6, -0.64])
TIMES = np.linspace(0.0, 4.0, 161)


def angle_1(t):
    return 0.3 + 7.0 * t + 0.8 * np.sin(2.0 * t)


def angle_2(t):
    return -0.2 - 5.0 * t + 0.5 * np.cos(3.0 * t) - 0.5


def shift(t):
    return 0.1 * np.sin(3.0 * t) + 0.05 * t


def no_shift(t):
    return np.zeros((*np.shape(t), 3))


def identity(t):
    return about(H, 0.0 * t)


def tumbling(t):
    return product(about((1, 0, 2), 0.4 * np.sin(t) + 2.0 * t), about((0, 1, 1), 0.9 * t))


def wandering(t):
    return np.stack([0.2 * np.sin(t), 0.1 * np.cos(2 * t), 0.05 * t], -1)


TWO_AXES = {"axis_parent": H, "axis_child": K}
CASES = {
    "revolute": (gd.Revolute, {"axis": H}, {"angle": angle_1}),
    "prismatic": (gd.Prismatic, {"axis": SLIDE}, {"displacement": shift}),
    "cylindrical": (gd.Cylindrical, {"axis": H}, {"angle": angle_1, "displacement": shift}),
    "universal": (gd.Universal, TWO_AXES, {"angle_parent": angle_1, "angle_child": angle_2}),
    "universal prismatic": (
        gd.UniversalPrismatic,
        {**TWO_AXES, "slide": SLIDE},
        {"angle_parent": angle_1, "angle_child": angle_2, "displacement": shift},
    ),
}
IN_SPACE = {
    "spherical": (gd.Spherical, {}, no_shift),
    "compliant": (gd.Spherical, {"model": EVERY_MODEL["bushing"]}, wandering),
    "free": (gd.Free, {}, wandering),
}


def two(joint: gd.Joint) -> gd.System:
    return gd.System(bodies={"parent": PARENT, "child": CHILD}, joints={"J": joint})


def arrays(parent_moves: bool, relative_turn, relative_shift):
    """Positions … of parent and child, the child turned and shifted against the parent's reference axes."""

    def parent_turn(t):
        return tumbling(0.7 * t) if parent_moves else identity(t)

    def parent_place(t):
        return PARENT.position + (2.0 * wandering(1.3 * t) if parent_moves else no_shift(t))

    def child_turn(t):
        return product(parent_turn(t), relative_turn(t))

    def child_place(t):
        point = parent_place(t) + turned(parent_turn(t), POINT - PARENT.position + relative_shift(t))
        return point - turned(child_turn(t), np.broadcast_to(POINT - CHILD.position, (*np.shape(t), 3)))

    places = [derivatives(place, TIMES) for place in (parent_place, child_place)]
    spins = [spin_of(turn, TIMES) for turn in (parent_turn, child_turn)]
    poses = [
        product(turn(TIMES), np.array(body.orientation)) for turn, body in ((parent_turn, PARENT), (child_turn, CHILD))
    ]
    position, velocity, change = (np.stack([place[k] for place in places], 1) for k in range(3))
    spin, spin_rate = (np.stack([turn[k] for turn in spins], 1) for k in range(2))
    return position, np.stack(poses, 1), velocity, spin, change, spin_rate, TIMES


@pytest.mark.parametrize("parent_moves", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_angles_and_displacements(case, parent_moves):
    kind, axes, expected = CASES[case]

    def turn(t):
        if "angle_child" in expected:
            return product(about(H, angle_1(t)), about(K, angle_2(t)))
        return about(H, angle_1(t)) if "angle" in expected else identity(t)

    def along(t):
        axis = axes.get("slide", axes.get("axis"))
        return shift(t)[..., None] * axis if "displacement" in expected else no_shift(t)

    joint = kind("parent", "child", at=POINT, **axes)
    got = joint_coordinates(two(joint), *arrays(parent_moves, turn, along))
    assert got.position_names == got.rate_names == tuple(f"J.{name}" for name in expected)
    for c, function in enumerate(expected.values()):
        value, first, second = derivatives(function, TIMES)
        assert got.position[:, c] == pytest.approx(value, abs=1e-12)  # several turns, none lost
        assert got.velocity[:, c] == pytest.approx(first, abs=1e-9)
        assert got.acceleration[:, c] == pytest.approx(second, abs=1e-7)


@pytest.mark.parametrize("parent_moves", [False, True])
@pytest.mark.parametrize("case", IN_SPACE)
def test_rotations_in_space(case, parent_moves):
    kind, more, moved = IN_SPACE[case]
    got = joint_coordinates(two(kind("parent", "child", at=POINT, **more)), *arrays(parent_moves, tumbling, moved))
    q = ("J.e0", "J.e1", "J.e2", "J.e3")
    if moved is wandering:
        assert got.position_names == ("J.dx", "J.dy", "J.dz", *q)
        assert got.rate_names == ("J.dx", "J.dy", "J.dz", "J.x", "J.y", "J.z")
        value, first, second = derivatives(wandering, TIMES)
        assert got.position[:, :3] == pytest.approx(value, abs=1e-12)
        assert got.velocity[:, :3] == pytest.approx(first, abs=1e-9)
        assert got.acceleration[:, :3] == pytest.approx(second, abs=1e-7)
    else:
        assert (got.position_names, got.rate_names) == (q, ("J.x", "J.y", "J.z"))
    turn = tumbling(TIMES)
    assert got.position[:, -4:] == pytest.approx(turn * np.sign(turn[0, 0]), abs=1e-12)  # through more than a full turn
    spin, spin_rate = spin_of(tumbling, TIMES)
    assert got.velocity[:, -3:] == pytest.approx(spin, abs=1e-9)
    assert got.acceleration[:, -3:] == pytest.approx(spin_rate, abs=1e-7)


def test_sign_of_a_quaternion_continues_whatever_sign_the_bodies_have():
    motion = list(arrays(True, tumbling, no_shift))
    signs = np.random.default_rng(3).choice([-1.0, 1.0], (len(TIMES), 2, 1))
    motion[1] = motion[1] * signs
    got = joint_coordinates(two(gd.Spherical("parent", "child", at=POINT)), *motion)
    assert got.position == pytest.approx(tumbling(TIMES) * np.sign(tumbling(TIMES)[0, 0]), abs=1e-12)
    coarse = [array[::40] for array in motion]  # a second, nearly half a turn
    again = joint_coordinates(two(gd.Spherical("parent", "child", at=POINT)), *coarse)
    assert again.position == pytest.approx(got.position[::40], abs=1e-12)


@pytest.mark.parametrize("joint", [gd.Free("parent", "child"), gd.Free("child", "parent"), gd.Free("ground", "child")])
def test_a_free_joint_without_a_point_is_zero_in_the_reference_pose(joint):
    got = joint_coordinates(two(joint), *(a[:1] for a in arrays(False, identity, no_shift)))
    assert got.position == pytest.approx(np.array([[0, 0, 0, 1, 0, 0, 0]]), abs=1e-12)
    if joint.parent == "ground":
        motion = arrays(True, tumbling, wandering)
        moved = joint_coordinates(two(joint), *motion)
        assert moved.position[:, :3] == pytest.approx(motion[0][:, 1] - CHILD.position, abs=1e-12)
        assert moved.velocity[:, :3] == pytest.approx(motion[2][:, 1], abs=1e-12)
        assert moved.acceleration[:, 3:] == pytest.approx(motion[5][:, 1], abs=1e-12)


def test_nothing_and_no_samples():
    weld = joint_coordinates(two(gd.Rigid("parent", "child", at=POINT)), *arrays(True, identity, no_shift))
    assert (weld.position.shape, weld.velocity.shape, weld.acceleration.shape) == ((161, 0),) * 3
    assert weld.position_names == weld.rate_names == ()
    for joint in (gd.Revolute("parent", "child", at=POINT), gd.Free("parent", "child")):
        none = joint_coordinates(two(joint), *(array[:0] for array in arrays(False, identity, no_shift)))
        assert none.position.shape == (0, len(none.position_names))
        assert none.acceleration.shape == (0, len(none.rate_names))


# --- simulated mechanisms -------------------------------------------------------------------------------------


def test_wheel_that_turns_many_times():
    """Four turns between samples, which only the rates can tell."""
    data = gd.simulate(wheel(speed=-50.0), 20.0, sample=0.5, solver=TIGHT).data
    assert coordinate(data, "axle.angle") == pytest.approx(-50.0 * data.time.values, abs=1e-6)
    assert rate(data, "axle.angle") == pytest.approx(-50.0)
    assert acceleration(data, "axle.angle") == pytest.approx(0.0, abs=1e-9)


def test_slider_crank_in_closed_form():
    """x = r cos θ + √(l² − r² sin²θ) − (r + l), rod angle φ = −asin(r sin θ / l) − θ."""
    speed = 40.0
    data = gd.simulate(slider_crank(gd.Drive("pivot", f"{speed}*t")), 1.0, sample=0.01, solver=TIGHT).data

    def slider(t):
        return CRANK * np.cos(speed * t) + np.sqrt(ROD**2 - (CRANK * np.sin(speed * t)) ** 2) - CRANK - ROD

    def rod(t):
        return -np.arcsin(CRANK / ROD * np.sin(speed * t)) - speed * t

    def wrist(t):
        return np.arcsin(CRANK / ROD * np.sin(speed * t))

    for name, function in (("guide.displacement", slider), ("crank pin.angle", rod), ("wrist pin.angle", wrist)):
        value, first, second = derivatives(function, data.time.values, step=2e-4)
        assert coordinate(data, name) == pytest.approx(value, abs=1e-8), name
        assert rate(data, name) == pytest.approx(first, abs=1e-6), name
        assert acceleration(data, name) == pytest.approx(second, abs=1e-3), name
    assert coordinate(data, "pivot.angle") == pytest.approx(speed * data.time.values, abs=1e-9)


def test_pendulum_in_closed_form():
    """Reduced length 1 m, released from the horizontal: θ̈ = −g sin θ, θ̇² = 2 g cos θ with θ from below."""
    data = gd.simulate(pendulum(), 3.0, solver=TIGHT).data
    x, y = swing(data.time.values).T
    below = coordinate(data, "pivot.angle") - math.pi / 2  # the reference pose is at x = −d: a quarter turn before
    assert below == pytest.approx(np.arctan2(x, -y), abs=1e-8)
    assert rate(data, "pivot.angle") ** 2 == pytest.approx(2 * G * np.cos(below), abs=1e-6)
    assert acceleration(data, "pivot.angle") == pytest.approx(-G * np.sin(below), abs=1e-6)


def test_pendulum_over_the_top_sampled_coarser_than_half_a_turn():
    """Between 15 and 17.5 rad/s: more than half a turn from sample to sample, at a speed that varies."""
    fast = pendulum(
        bodies={"bob": gd.Body(mass=1, inertia=(0.25,) * 3, position=(-0.5, 0, 0), angular_velocity=(0, 0, 16))}
    )
    fine = gd.simulate(fast, 10.0, sample=0.01).data
    coarse = gd.simulate(fast, 10.0, sample=0.25).data
    assert np.abs(np.diff(coordinate(coarse, "pivot.angle"))).min() > math.pi
    assert coordinate(coarse, "pivot.angle") == pytest.approx(coordinate(fine, "pivot.angle")[::25], abs=1e-6)
    assert coordinate(fine, "pivot.angle") == pytest.approx(np.unwrap(coordinate(fine, "pivot.angle")), abs=1e-9)


@pytest.mark.parametrize(
    "drive",
    [
        gd.Drive("axle", "3*t + 0.5*sin(5*t)"),
        gd.Drive("axle", "6*pi + 0.4 - 20*t"),
        gd.Drive("axle", "10*sin(50*t)"),
        gd.Drive("axle", -9.5),
        gd.Drive("axle", path, rate=path_rate, acceleration=path_acceleration),
    ],
    ids=["expression", "from many turns", "too fast for the samples", "number", "function"],
)
def test_a_driven_coordinate_is_its_drive(drive):
    data = gd.simulate(wheel(drives={"motor": drive}), 2.0, sample=0.1, solver=TIGHT).data
    t = data.time.values
    expected = {
        "3*t + 0.5*sin(5*t)": 3 * t + 0.5 * np.sin(5 * t),
        "6*pi + 0.4 - 20*t": 6 * math.pi + 0.4 - 20 * t,
        "10*sin(50*t)": 10 * np.sin(50 * t),
        -9.5: np.full_like(t, -9.5),
    }.get(drive.value, 3 * t + 0.5 * np.sin(5 * t))
    assert coordinate(data, "axle.angle") == pytest.approx(expected, abs=1e-7)


@MADE_TO_FIT
@FEW
@given(mechanisms(loops=0, loads=0, drives=4))
def test_driven_coordinates_of_every_joint_type(system):
    """The constraint rows of the drives, with their rates and accelerations, say what these coordinates are."""
    data = gd.simulate(system, 0.2, sample=0.05, solver=TIGHT).data
    for drive in system.drives.values():
        name = f"{drive.joint}.{drive.coordinate}"

        def value(t, drive=drive):
            return np.array([evaluate(parse(drive.value), x) for x in t])

        expected, first, second = derivatives(value, data.time.values)
        assert coordinate(data, name) == pytest.approx(expected, abs=1e-7)
        assert rate(data, name) == pytest.approx(first, abs=1e-6)
        assert acceleration(data, name) == pytest.approx(second, abs=1e-4)


def test_angle_at_crossings():
    """Where the integrator sees the angle pass a value, joint_position has that value and some full turns."""
    watch = {"pass": gd.Crossing(joint="axle", value=0.4, direction="rising")}
    system = wheel(speed=3.0, loads={"brake": gd.Torque("wheel", (0, 0, "0.02*sin(t)"))})
    times = gd.simulate(system, 20.0, crossings=watch, solver=TIGHT).crossings["time"].to_numpy()
    assert len(times) > 5
    data = gd.simulate(system, 20.0, sample=times, solver=TIGHT).data
    assert coordinate(data, "axle.angle") == pytest.approx(0.4 + TURN * np.arange(len(times)), abs=1e-8)


def test_turns_of_a_wound_spring_are_those_it_counts():
    """A torsion pendulum of three turns' amplitude, 1.6 s a period, sampled so that rates mispredict."""
    spring = gd.JointSpring("axle", stiffness=0.3, rest=6 * math.pi)
    system = wheel(loads={"spring": spring})
    omega = math.sqrt(0.3 / 0.02)
    data = gd.simulate(system, 20.0, sample=0.7, solver=TIGHT).data
    expected = 6 * math.pi * (1.0 - np.cos(omega * data.time.values))
    assert coordinate(data, "axle.angle") == pytest.approx(expected, abs=1e-6)


def test_counted_angles_of_the_caller():
    joint = gd.Revolute("parent", "child", at=POINT, axis=H)
    motion = arrays(True, lambda t: about(H, angle_1(t)), no_shift)
    rough = angle_1(TIMES) + 2.0 * np.sin(37.0 * TIMES) + 10 * TURN
    got = joint_coordinates(two(joint), *motion, counted={"J.angle": rough})
    assert got.position[:, 0] == pytest.approx(angle_1(TIMES) + 10 * TURN, abs=1e-12)


@MADE_TO_FIT
@pytest.mark.parametrize("system", [gd.examples.spatial_four_bar(), chain()], ids=["four-bar", "every joint in a row"])
def test_rates_are_derivatives(system):
    """Sixth-order differences of what is sampled every half millisecond."""
    step = 5e-4
    data = gd.simulate(system, 0.5, sample=step, solver=TIGHT).data
    inside = slice(3, -3)

    def derivative(values):
        windows = np.lib.stride_tricks.sliding_window_view(values, 7, axis=0)
        return windows @ STENCIL / step

    for name in data.rate.values:
        speed, change = rate(data, name)[inside], acceleration(data, name)[inside]
        if name in data.coordinate.values:
            assert derivative(coordinate(data, name)) == pytest.approx(speed, abs=1e-6 * (1 + np.abs(speed).max())), (
                name
            )
        assert derivative(rate(data, name)) == pytest.approx(change, abs=1e-6 * (1 + np.abs(change).max())), name
    for name in system.joints:
        if f"{name}.e0" in data.coordinate.values:
            q = np.stack([coordinate(data, f"{name}.e{k}") for k in range(4)], -1)
            spin = np.stack([rate(data, f"{name}.{axis}") for axis in "xyz"], -1)
            assert np.linalg.norm(q, axis=1) == pytest.approx(1.0, abs=1e-12)
            half = 0.5 * product(np.concatenate([np.zeros((len(q), 1)), spin], -1), q)
            assert derivative(q) == pytest.approx(half[inside], abs=1e-6 * (1 + np.abs(half).max()))


@pytest.mark.parametrize("model", ["Coulomb", "lubricated", "bushing 6×6"])
def test_displacement_of_a_real_joint_is_its_eccentricity(model):
    data = gd.simulate(two_bodies(EVERY_MODEL[model]), 0.02).data
    moved = np.stack([coordinate(data, f"J.{c}") for c in ("dx", "dy", "dz")], -1)
    assert np.linalg.norm(moved, axis=1) == pytest.approx(data.eccentricity_length.values[:, 0], abs=1e-12)
    back = turned(conjugate(data.orientation.sel(body="one").values), data.eccentricity.values[:, 0])
    assert moved == pytest.approx(back, abs=1e-12)  # body 'one' is described along the world's axes


def test_saved_and_loaded_with_and_without_coordinates(tmp_path):
    welded = gd.System(bodies={"a": CHILD}, joints={"weld": gd.Rigid("ground", "a", at=(0, 0, 0))})
    for system, names in (
        (wheel(speed=1.0), ["coordinate", "rate"]),
        (welded, []),
        (gd.System(bodies={"a": CHILD}), []),
    ):
        result = gd.simulate(system, 0.1, sample=0.05)
        assert [name for name in ("coordinate", "rate") if name in result.data.sizes] == names
        again = gd.load(result.save(tmp_path / "run.nc"))
        assert again.data.identical(result.data)
        for name in names:
            assert again.data[name].dtype == result.data[name].dtype and again.data[name].dtype.kind == "U"
