"""Bushings of every joint: what it holds is elastic, what it leaves free is free; energy, momentum, frequencies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon.joint_axes import free_rows, joint_axes
from mistakes import refuses

OBLIQUE = np.array((2.0, 3.0, 6.0)) / 7.0
ACROSS = np.array((3.0, -2.0, 0.0)) / math.sqrt(13.0)
AT = (0.13, -0.18, 0.34)
BALL = gd.Sphere(0.01)
JOINTS = {
    "Rigid": (gd.Rigid, {}),
    "Revolute": (gd.Revolute, {"axis": OBLIQUE}),
    "Prismatic": (gd.Prismatic, {"axis": OBLIQUE}),
    "Cylindrical": (gd.Cylindrical, {"axis": OBLIQUE}),
    "Universal": (gd.Universal, {"axis_parent": OBLIQUE, "axis_child": ACROSS}),
    "UniversalPrismatic": (
        gd.UniversalPrismatic,
        {"axis_parent": OBLIQUE, "axis_child": ACROSS, "slide": (0.0, 0.6, 0.8)},
    ),
    "Guide": (gd.Guide, {"axis": OBLIQUE, "normal": ACROSS}),
    "Translational": (gd.Translational, {}),
    "Free": (gd.Free, {}),
}
every_joint = pytest.mark.parametrize("kind", JOINTS)


def joint(kind: str, model, parent="one", child="two", at=AT, **axes) -> gd.Joint:
    make, own = JOINTS[kind]
    return make(parent, child, at=at, model=model, **{**own, **axes})


def matrices(kind: str, size: int = 6) -> gd.Bushing:
    """Coupled stiffness and damping of all that the joint holds."""
    random = np.random.default_rng(7)
    scale = np.diag([300.0] * 3 + [8.0] * 3)
    found = []
    for factor in (1.0, 1e-3):
        root = random.normal(size=(6, 6)) @ scale
        matrix = factor * root.T @ root
        for row in free_rows(joint(kind, gd.Ideal())):
            matrix[row] = matrix[:, row] = 0.0
        found.append(matrix[:size, :size])
    return gd.Bushing(stiffness=found[0], damping=found[1])


def two_bodies(kind: str, model, **changes) -> gd.System:
    """Two odd bodies that fly and spin, connected by the joint alone."""
    parts = {
        "gravity": (0, 0, 0),
        "bodies": {
            "one": gd.Body(mass=0.5, inertia=(4e-4, 5e-4, 6e-4, 1e-4, -5e-5, 8e-5), position=(0.1, -0.2, 0.3)),
            "two": gd.Body(
                mass=0.3,
                inertia=(2e-4, 3e-4, 2.5e-4, 0, 4e-5, 0),
                position=(0.18, -0.17, 0.35),
                orientation=(0.5, 0.5, -0.5, 0.5),
            ),
        },
        "joints": {"J": joint(kind, model)},
    }
    return gd.System(**{**parts, **changes})


def spinning(kind: str, model, spin: float = 20.0, **changes) -> gd.System:
    """The two bodies with a relative motion along all that the joint leaves free, and a little of all else."""
    system = two_bodies(kind, model, **changes)
    (along, turns), free = joint_axes(system.joints["J"]), free_rows(joint(kind, gd.Ideal()))
    relative = sum((turns[row - 3] for row in free if row > 2), np.zeros(3)) * spin + (0.5, -0.3, 0.4)
    slide = sum((along[row] for row in free if row < 3), np.zeros(3)) * 0.5 + (0.02, 0.01, -0.03)
    one, two = (system.bodies[name] for name in ("one", "two"))
    omega = np.array((2.0, -3.0, 1.0))
    ahead = np.array(AT) - one.position
    point = np.cross(omega, ahead) + slide
    velocity = point + np.cross(omega + relative, np.array(two.position) - AT)
    start = {
        "one": gd.BodyState(
            position=one.position, orientation=one.orientation, velocity=(0, 0, 0), angular_velocity=omega
        ),
        "two": gd.BodyState(
            position=two.position,
            orientation=two.orientation,
            velocity=velocity,
            angular_velocity=omega + relative,
        ),
    }
    return system.replace(start=start)


def elastic_energy(system: gd.System, poses) -> float:
    """V of joint J by textbook definitions, from (position, rotation from the reference pose) of both bodies."""
    hinge, bodies = system.joints["J"], system.bodies
    along, turns = joint_axes(hinge)
    (r_i, P_i), (r_j, P_j) = poses
    at = np.array(hinge.at)
    moved = r_j + P_j @ (at - bodies["two"].position) - r_i - P_i @ (at - bodies["one"].position)
    d = along @ P_i.T @ moved
    seen = P_i.T @ P_j
    held = len(hinge.blocks().perpendicular)
    if held == 2:
        axis, now = turns[2], seen @ turns[2]
        cross = np.cross(axis, now)
        angle = math.atan2(float(np.linalg.norm(cross)), float(axis @ now))
        turn = turns @ (angle * cross / max(float(np.linalg.norm(cross)), 1e-300))
    elif held == 1:
        turn = np.array((0.0, 0.0, -math.asin(float(turns[0] @ seen @ turns[1]))))
    else:
        turn = turns @ Rotation.from_matrix(seen).as_rotvec()
    stiffness, _ = hinge.model.matrices(free_rows(hinge))
    x = np.r_[d, turn]
    return float(0.5 * x @ stiffness @ x)


@every_joint
def test_every_joint_pulls_with_the_gradient_of_an_energy(kind):
    """Accelerations of both bodies at random states, far from the reference pose, against differences of V."""
    from gudgeon.kernels.dynamics.motion import right_hand_side
    from gudgeon.mechanics.equations import equations_of_motion

    random, amount = np.random.default_rng(11), 0.3  # [m and rad]
    model = gd.Bushing(stiffness=matrices(kind).stiffness)
    system = two_bodies(kind, model)
    equations = equations_of_motion(system)
    y, rate = equations.stated_state(), np.zeros(equations.state_size)
    names = ("one", "two")
    poses, first = [], Rotation.from_rotvec(random.normal(size=3))
    for b, name in enumerate(names):
        body = system.bodies[name]
        q = np.array(body.orientation)
        reference = Rotation.from_quat([*q[1:], q[0]])
        free = joint_axes(system.joints["J"])[1]
        turned = first
        if b:  # the second body has turned freely as well
            for row in free_rows(system.joints["J"]):
                if row > 2:
                    turned = turned * Rotation.from_rotvec(2.5 * free[row - 3])
            turned = turned * Rotation.from_rotvec(amount * random.normal(size=3))
        place = np.array(body.position) + amount * random.normal(size=3)
        x, *_ = (turned * reference).as_quat()[None]
        y[7 * b : 7 * b + 7] = *place, x[3], *x[:3]
        poses.append((place, turned.as_matrix()))
    right_hand_side(equations.model, equations.work, 0.0, y, rate)
    wrenches = []
    for b, name in enumerate(names):
        body = system.bodies[name]
        q = y[7 * b + 3 : 7 * b + 7]
        R = Rotation.from_quat([*q[1:], q[0]]).as_matrix()
        force = body.mass * rate[14 + 6 * b : 17 + 6 * b]
        torque = R @ np.array(body.inertia) @ R.T @ rate[17 + 6 * b : 20 + 6 * b]
        gradient = np.zeros(6)
        for c in range(6):
            energies = []
            for step in (1e-6, -1e-6):
                changed = list(poses)
                move = step * np.eye(3)[c % 3]
                r, P = changed[b]
                changed[b] = (r + move, P) if c < 3 else (r, Rotation.from_rotvec(move).as_matrix() @ P)
                energies.append(elastic_energy(system, changed))
            gradient[c] = (energies[0] - energies[1]) / 2e-6
        assert np.r_[force, torque] == pytest.approx(-gradient, rel=1e-6, abs=1e-6 * np.abs(gradient).max())
        wrenches.append((poses[b][0], force, torque))
    assert sum(f for _, f, _ in wrenches) == pytest.approx(np.zeros(3), abs=1e-9 * np.abs(wrenches[0][1]).max())
    moment = sum(np.cross(r, f) + t for r, f, t in wrenches)
    assert moment == pytest.approx(np.zeros(3), abs=1e-9 * np.abs(wrenches[0][2]).max())


@every_joint
def test_energy_is_conserved_through_many_turns(kind):
    """20 rad/s for a second are three turns; momentum as well."""
    model = gd.Bushing(stiffness=matrices(kind).stiffness)
    system = spinning(kind, model)
    data = gd.simulate(system, 1.0, sample=0.05, solver=gd.Explicit(rtol=1e-11, atol=1e-13)).data
    energy = data.mechanical_energy.values
    assert energy == pytest.approx(energy[0], rel=1e-8)
    assert data.stored_energy.values.max() > 1e-6 * energy[0]
    masses = np.array([body.mass for body in system.bodies.values()])
    momentum = np.einsum("tbk,b->tk", data.velocity.values, masses)
    assert momentum == pytest.approx(np.tile(momentum[0], (len(momentum), 1)), abs=1e-9)


@every_joint
def test_what_is_lost_is_dissipated(kind):
    data = gd.simulate(
        spinning(kind, matrices(kind)), 0.3, sample=0.02, solver=gd.Explicit(rtol=1e-10, atol=1e-13)
    ).data
    energy, lost = data.mechanical_energy.values, data.dissipated_energy.values[:, 0]
    assert energy + lost == pytest.approx(energy[0], rel=1e-7)
    assert np.all(np.diff(lost) > -1e-12)
    assert lost[-1] > 1e-4 * energy[0]


@pytest.mark.parametrize(
    ("solver", "coordinates", "near"),
    [
        (gd.Implicit(rtol=1e-9, atol=1e-12), "absolute", 1e-7),
        (gd.Implicit(rtol=1e-9, atol=1e-12), "relative", 1e-7),
        (gd.Explicit(rtol=1e-10, atol=1e-13), "relative", 1e-8),
        (gd.Sundials(rtol=1e-10, atol=1e-13), "absolute", 1e-6),
        (gd.TimeStepping(step=5e-5, rtol=1e-6), "absolute", 2e-4),
    ],
    ids=["Implicit", "Implicit relative", "Explicit relative", "Sundials", "TimeStepping"],
)
@every_joint
def test_solvers_agree(kind, solver, coordinates, near):
    system = spinning(kind, matrices(kind))
    times = np.linspace(0.0, 0.1, 6)
    tight = gd.simulate(system, 0.1, sample=times, solver=gd.Explicit(rtol=1e-11, atol=1e-14)).data
    found = gd.simulate(system, 0.1, sample=times, solver=solver, coordinates=coordinates).data
    assert found.position.values == pytest.approx(tight.position.values, abs=near)
    assert found.stored_energy.values[:, 0] == pytest.approx(
        tight.stored_energy.values[:, 0], abs=10 * near * tight.kinetic_energy.values[0]
    )


def test_a_rigid_joint_and_a_spherical_one_have_the_same_six_by_six():
    """Two kernels, one law."""
    model = matrices("Rigid")
    system = spinning("Rigid", model)
    ball = system.replace(joints={"J": gd.Spherical("one", "two", at=AT, model=model)})
    tight = gd.Explicit(rtol=1e-11, atol=1e-14)
    one, two = (gd.simulate(each, 0.2, sample=0.02, solver=tight).data for each in (system, ball))
    assert one.position.values == pytest.approx(two.position.values, abs=1e-10)
    assert one.dissipated_energy.values == pytest.approx(two.dissipated_energy.values, rel=1e-7, abs=1e-12)


MASS, INERTIA = 2.0, (0.01, 0.02, 0.03)
STIFF, TILT = 8e4, 50.0


@every_joint
def test_frequencies(kind):
    """A body on its bushing: √(k/m) along and √(κ/J) about the axes that are held, zero about those that are free."""
    axes = {
        "axis": (0, 0, 1),
        "axis_parent": (1, 0, 0),
        "axis_child": (0, 1, 0),
        "slide": (0, 0, 1),
        "normal": (0, 1, 0),
    }
    own = {name: axes[name] for name in JOINTS[kind][1]}
    model = gd.Bushing(stiffness=0.0 if kind == "Translational" else STIFF, tilt_stiffness=TILT)
    hinge = joint(kind, model, parent="ground", child="body", at=(0, 0, 0), **own)
    system = gd.System(gravity=(0, 0, 0), bodies={"body": gd.Body(mass=MASS, inertia=INERTIA)}, joints={"J": hinge})
    rates = np.sqrt([*[STIFF / MASS] * 3, *(TILT / np.array(INERTIA))])
    rates[free_rows(hinge)] = 0.0
    found = np.sort(np.abs(gd.linearize(system).eigenvalues.imag))[::2]
    assert found == pytest.approx(np.sort(rates), rel=1e-6, abs=1e-3)


def rotor(model, speed: float, **changes) -> gd.System:
    """A disc whose hinge is at its centre of mass, spinning; z is the hinge's axis."""
    start = gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0), angular_velocity=(0.02, 0.0, speed))
    return gd.System(
        **{
            "gravity": (0, 0, 0),
            "bodies": {"disc": gd.Body(mass=MASS, inertia=(0.01, 0.01, 0.015))},
            "joints": {"hinge": gd.Revolute("ground", "disc", at=(0, 0, 0), axis=(0, 0, 1), model=model)},
            "start": {"disc": start},
            **changes,
        }
    )


def test_a_spinning_disc_whirls_at_the_frequencies_of_its_gyroscope():
    """Small tilts φ_x + i φ_y of a symmetric rotor: A φ̈ − i C n φ̇ + κ φ = 0, so A ω² − C n ω − κ = 0.

    Two circles, one forward and one backward, through 32 turns at n = 200 rad/s.
    """
    n, A, C = 200.0, 0.01, 0.015
    model = gd.Bushing(stiffness=STIFF, tilt_stiffness=TILT)
    data = gd.simulate(rotor(model, n), 1.0, sample=1e-3, solver=gd.Explicit(rtol=1e-12, atol=1e-14)).data
    t = data.time.values
    root = math.sqrt((C * n) ** 2 + 4.0 * A * TILT)
    forward, backward = (C * n + root) / (2.0 * A), (C * n - root) / (2.0 * A)
    size = 0.02 / (forward - backward)  # tilt φ_x + i φ_y from rest at zero with φ̇_x = 0.02
    expected = size * (np.exp(1j * forward * t) - np.exp(1j * backward * t)) / 1j
    q = data.orientation.values[:, 0]
    axis = Rotation.from_quat(np.c_[q[:, 1:], q[:, 0]]).apply((0.0, 0.0, 1.0))
    assert -axis[:, 1] + 1j * axis[:, 0] == pytest.approx(expected, abs=1e-4 * size)
    angle = data.joint_position.sel(coordinate="hinge.angle").values
    assert angle == pytest.approx(n * t, abs=1e-6)  # 32 turns, counted
    assert data.mechanical_energy.values == pytest.approx(data.mechanical_energy.values[0], rel=1e-11)


@pytest.mark.parametrize("solver", [gd.Implicit(max_step=5e-4), gd.Explicit()], ids=["Implicit", "Explicit"])
def test_a_slide_is_not_limited(solver):
    """A rod shot along its cylindrical bushing goes on for ever, spinning."""
    model = gd.Bushing(stiffness=1e6, damping=100.0, tilt_stiffness=100.0, tilt_damping=0.1)
    hinge = gd.Cylindrical("ground", "rod", at=(0, 0, 0), axis=(1, 0, 0), model=model)
    start = gd.BodyState(
        position=(0, 0, 0), orientation=(1, 0, 0, 0), velocity=(3.0, 0, 0), angular_velocity=(50.0, 0, 0)
    )
    rod = gd.Body(mass=1.0, inertia=(1e-3, 2e-3, 2e-3))
    system = gd.System(gravity=(0, 0, 0), bodies={"rod": rod}, joints={"J": hinge}, start={"rod": start})
    data = gd.simulate(system, 1.0, sample=0.1, solver=solver).data
    assert data.joint_position.sel(coordinate="J.displacement").values == pytest.approx(
        3.0 * data.time.values, abs=1e-9
    )
    assert data.joint_position.sel(coordinate="J.angle").values == pytest.approx(50.0 * data.time.values, abs=1e-7)
    assert data.dissipated_energy.values[-1, 0] < 1e-12


@pytest.mark.parametrize("solver", [gd.Implicit(), gd.TimeStepping(step=1e-4)], ids=["Implicit", "TimeStepping"])
def test_a_long_slide_in_a_turning_parent(solver):
    """A slider at 0.5 m on a prismatic bushing of a driven arm: r̈ = Ω² r, r = r0 cosh Ωt; stiff across."""
    arm = gd.Body(mass=1.0, inertia=(1, 1, 1))
    bead = gd.Body(mass=0.1, inertia=(1e-4, 1e-4, 1e-4), position=(0.5, 0, 0))
    model = gd.Bushing(stiffness=1e7, damping_time=1e-4, tilt_stiffness=1e3)
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"arm": arm, "bead": bead},
        joints={
            "pivot": gd.Revolute("ground", "arm", at=(0, 0, 0)),
            "slide": gd.Prismatic("arm", "bead", at_parent=(0, 0, 0), at_child=(0, 0, 0), axis=(1, 0, 0), model=model),
        },
        drives={"motor": gd.Drive("pivot", "5*t")},
        start={
            "bead": gd.BodyState(
                position=(0.5, 0, 0), orientation=(1, 0, 0, 0), velocity=(0, 2.5, 0), angular_velocity=(0, 0, 5.0)
            )
        },
    )
    data = gd.simulate(system, 0.2, sample=0.02, solver=solver, coordinates="absolute").data
    slid = data.joint_position.sel(coordinate="slide.displacement").values
    assert slid == pytest.approx(0.5 * np.cosh(5.0 * data.time.values), rel=2e-5)
    assert np.abs(data.joint_position.sel(coordinate="slide.dy").values).max() < 1e-5


def pendulum(model) -> gd.System:
    bob = gd.Body(mass=1.0, inertia=(0.02, 0.02, 0.01), position=(0.3, 0.02, 0.0))
    return gd.System(
        bodies={"bob": bob}, joints={"hinge": gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0), model=model)}
    )


def test_equilibrium_tilts_as_the_load_asks():
    """Weight m g at the arms (a, b) about a hinge along y with a torsion spring: sag m g/k, tilt m g b/κ about x."""
    model = gd.Bushing(stiffness=1e6, tilt_stiffness=2e4)
    spring = gd.JointSpring("hinge", stiffness=2e4, coordinate="angle")
    at_rest = gd.equilibrium(pendulum(model).replace(loads={"spring": spring}))
    assert at_rest.stable
    weight = 9.81
    bob = at_rest.system.start["bob"]
    sag, turn, tilt = weight / 1e6, weight * 0.3 / 2e4, weight * 0.02 / 2e4
    assert bob.position[2] == pytest.approx(-sag - 0.3 * turn - 0.02 * tilt, rel=1e-3)
    turned = Rotation.from_quat([*bob.orientation[1:], bob.orientation[0]]).as_rotvec()
    assert turned == pytest.approx([-tilt, turn, 0.0], rel=1e-3, abs=1e-8)


def test_a_spring_on_the_angle_of_a_tilting_hinge_conserves_energy():
    """The angle's torque is the gradient of the angle, whatever the tilt (here 0.2 rad)."""
    spring = gd.JointSpring("hinge", stiffness=3.0, coordinate="angle")
    start = gd.BodyState(position=(0.3, 0.02, 0), orientation=(1, 0, 0, 0), angular_velocity=(2.0, 9.0, 1.0))
    model = gd.Bushing(stiffness=1e4, tilt_stiffness=5.0)
    system = pendulum(model).replace(loads={"spring": spring}, start={"bob": start})
    data = gd.simulate(system, 0.5, sample=5e-4, solver=gd.Explicit(rtol=1e-11, atol=1e-13)).data
    energy = data.mechanical_energy.values
    assert energy == pytest.approx(energy[0], abs=1e-7)
    q = data.orientation.values[:, 0]
    assert Rotation.from_quat(np.c_[q[:, 1:], q[:, 0]]).apply((0, 1.0, 0))[:, 1].min() < math.cos(0.1)
    angle, rate = (
        data[name].sel({dim: "hinge.angle"}).values
        for name, dim in (("joint_position", "coordinate"), ("joint_velocity", "rate"))
    )
    slope = np.gradient(angle, data.time.values, edge_order=2)
    assert rate[2:-2] == pytest.approx(slope[2:-2], abs=2e-3 * np.abs(rate).max())


def test_a_drive_turns_a_hinge_on_bushings():
    """A motor holds the angle of a tilting hinge; what it gives and what is lost is what the energy gains."""
    model = gd.Bushing(stiffness=1e4, damping=5.0, tilt_stiffness=5.0, tilt_damping=0.02)
    system = pendulum(model).replace(drives={"motor": gd.Drive("hinge", "6*t")})
    result = gd.simulate(system, 1.0, sample=1e-3, solver=gd.Implicit(rtol=1e-9, atol=1e-12))
    data = result.data
    angle = data.joint_position.sel(coordinate="hinge.angle").values
    assert angle == pytest.approx(6.0 * data.time.values, abs=1e-7)
    work = np.cumsum(0.5 * 6.0e-3 * (data.drive_effort.values[1:, 0] + data.drive_effort.values[:-1, 0]))
    gained = data.mechanical_energy.values + data.dissipated_energy.values[:, 0]
    assert gained[1:] - gained[0] == pytest.approx(work, abs=2e-4)


def test_numbers_are_matrices():
    """A number acts on all held directions; damping_time on stiffness and tilt."""
    model = gd.Bushing(stiffness=2.0, damping_time=0.5, tilt_stiffness=3.0)
    stiffness, damping = model.matrices(free_rows(joint("Cylindrical", gd.Ideal())))
    assert np.diag(stiffness) == pytest.approx([2, 2, 0, 3, 3, 0])
    assert damping == pytest.approx(0.5 * stiffness)
    model = gd.Bushing(stiffness=2.0, damping=0.1, tilt_stiffness=3.0, tilt_damping=0.2)
    assert np.diag(model.matrices()[1]) == pytest.approx([0.1] * 3 + [0.2] * 3)
    model = gd.Bushing(stiffness=np.diag((1.0, 2.0, 4.0)), tilt_stiffness=3.0)
    assert np.diag(model.matrices()[0]) == pytest.approx([1, 2, 4, 3, 3, 3])


def test_damping_of_a_ball_may_be_a_number():
    """c instead of b = c/k."""
    start = {"two": gd.BodyState(position=(1e-3, 0, 0), orientation=(1, 0, 0, 0))}
    found = []
    for given in ({"damping": 20.0}, {"damping_time": 2e-4}):
        ball = gd.Spherical("ground", "two", at=(0, 0, 0), model=gd.Bushing(stiffness=1e5, **given))
        body = gd.Body(mass=0.2, inertia=(1e-5, 1e-5, 1e-5))
        system = gd.System(gravity=(0, 0, 0), bodies={"two": body}, joints={"J": ball}, start=start)
        found.append(gd.simulate(system, 0.01, sample=0.002).data.position.values)
    assert np.array_equal(*found)


FULL = np.eye(6)


@pytest.mark.parametrize(
    ("make", "wording"),
    [
        (
            lambda: joint("Revolute", gd.Bushing(stiffness=1e5)),
            "Revolute one–two: what holds its rotations? give the bushing tilt_stiffness= [N·m/rad] (0 for none), "
            "or 6×6 matrices",
        ),
        (
            lambda: joint("Prismatic", gd.Bushing(stiffness=np.diag((1.0, 1.0, 0.0)))),
            "Prismatic one–two: what holds its rotations? …",
        ),
        (
            lambda: joint("Revolute", gd.Bushing(stiffness=FULL)),
            "Revolute one–two: stiffness of its bushing has a row or column 6 for the turn about z, which the joint "
            "leaves free (z is its axis); set row and column 6 to zero, or use a joint that holds it",
        ),
        (
            lambda: joint("Cylindrical", gd.Bushing(stiffness=np.eye(3), tilt_stiffness=1.0)),
            "Cylindrical one–two: stiffness of its bushing has a row or column 3 for z, …",
        ),
        (
            lambda: joint("Universal", gd.Bushing(stiffness=np.diag((1, 1, 1, 0, 0, 1)), damping=FULL)),
            "Universal one–two: damping of its bushing has a row or column 4 for the turn about x, …",
        ),
        (
            lambda: gd.Spherical("one", "two", at=AT, model=gd.Bushing(stiffness=1e5, tilt_stiffness=1.0)),
            "Spherical one–two: its bushing has tilt_stiffness, but it holds no rotation; leave that out, give 6×6 "
            "matrices, or use gd.Rigid",
        ),
        (
            lambda: gd.Free("one", "two", model=gd.Bushing(stiffness=1e5)),
            "Free one–two: where is its bushing? give at=(x, y, z), or at_parent= and at_child=",
        ),
        (
            lambda: gd.Meeting("one", "two", shapes=(BALL, BALL), model=gd.Bushing(stiffness=1e5)),
            "Meeting one–two: Bushing(...) is not a model of this joint; Meeting takes DryTouch. A joint that holds "
            "its bodies takes a Bushing, such as a Spherical or a Rigid",
        ),
        (
            lambda: joint("Translational", gd.Bushing(stiffness=1e5, tilt_stiffness=50.0)),
            "Translational one–two: its bushing has a stiffness of 100000 N/m, but it holds no displacement; give "
            "stiffness=0 and tilt_stiffness=, or 6×6 matrices",
        ),
        (
            lambda: joint("Translational", gd.Bushing(stiffness=0.0, tilt_stiffness=50.0, damping=3.0)),
            "Translational one–two: its bushing has a damping of 3 N·s/m, but it holds no displacement; …",
        ),
        (
            lambda: joint("Translational", gd.Bushing(stiffness=FULL)),
            "Translational one–two: stiffness of its bushing has a row or column 1 for x, which the joint leaves free; "
            "set row and column 1 to zero, or use a joint that holds it",
        ),
        (
            lambda: gd.Bushing(stiffness=1e5, tilt_damping=1.0),
            "Bushing: tilt_damping is given without tilt_stiffness; give both",
        ),
        (
            lambda: gd.Bushing(stiffness=1e5, tilt_stiffness=-1.0),
            "Bushing: tilt_stiffness is -1 N·m/rad; it must not be negative",
        ),
        (
            lambda: gd.Bushing(stiffness=1e5, damping=-1.0),
            "Bushing: damping is -1 N·s/m; it must not be negative",
        ),
        (
            lambda: gd.Bushing(stiffness=FULL, tilt_stiffness=1.0),
            "Bushing: tilt_stiffness and a 6×6 stiffness are given; the matrix has the rotations",
        ),
        (
            lambda: gd.Bushing(stiffness=FULL, damping=1.0),
            "Bushing: damping has shape (); give a number or a 3×3 or 6×6 matrix",
        ),
        (
            lambda: gd.Bushing(stiffness=1.0, tilt_stiffness=1.0, tilt_damping=1.0, damping_time=1.0),
            "Bushing: both tilt_damping and damping_time are given; give one of the two",
        ),
    ],
)
def test_what_is_refused(make, wording):
    with refuses(wording):
        make()
