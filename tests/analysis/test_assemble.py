"""Assembly: positions onto the joints, velocities that follow, and a word when there is no way."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gudgeon as gd
from mistakes import refuses
from random_mechanisms import FEW, MADE_TO_FIT, mechanisms, unit
from real_joints import LOSSY, RADII
from redundant_mechanisms import CRANK, ROD, Y, bricard, four_bar, rod, slider_crank
from reference_dynamics import SMALLEST, Reference
from reference_joints import joint_coordinate, rotation


def slider_motion(angle, speed):
    """x and ẋ of the slider, and the angular velocity of the rod about −y."""
    height = CRANK * np.sin(angle)
    reach = np.sqrt(ROD**2 - height**2)
    x = CRANK * np.cos(angle) + reach
    return x, -speed * height * (1.0 + CRANK * np.cos(angle) / reach), -speed * CRANK * np.cos(angle) / reach


def displaced(rng, system, distance=0.03, angle=0.2):
    """The system starting from randomly moved and turned bodies."""
    start = {}
    for name, body in system.bodies.items():
        turn, e = 0.5 * angle * rng.random(), np.array(body.orientation)
        q = np.r_[np.cos(turn), np.sin(turn) * unit(rng)]
        turned = np.r_[q[0] * e[0] - q[1:] @ e[1:], q[0] * e[1:] + e[0] * q[1:] + np.cross(q[1:], e[1:])]
        position = np.array(body.position) + distance * rng.random() * unit(rng)
        start[name] = gd.BodyState(position=position, orientation=turned)
    return system.replace(start=start)


def of_start(system):
    """The state a system starts from, against the NumPy formulation."""
    return Reference(system, system.start)


@FEW
@given(mechanisms(loads=0, drives=0), st.integers(0, 2**32 - 1))
def test_displaced_mechanisms_close(system, seed):
    assembly = gd.assemble(displaced(np.random.default_rng(seed), system))
    assert assembly.residual < 1e-12
    assert assembly.velocity_residual < 1e-9
    assert np.abs(of_start(assembly.system).residual).max(initial=0.0) < 1e-12


@pytest.mark.parametrize("system", [four_bar(), bricard(), slider_crank(), gd.examples.spatial_four_bar()])
@pytest.mark.parametrize("seed", range(4))
def test_displaced_redundant_mechanisms_close(system, seed):
    size = np.abs([body.position for body in system.bodies.values()]).max()
    start = displaced(np.random.default_rng(seed), system, distance=min(0.03, 0.1 * size))
    assembly, expected = gd.assemble(start), gd.assemble(system)
    assert assembly.residual < 1e-12
    assert np.abs(of_start(assembly.system).residual).max() < 1e-12
    assert assembly.degrees_of_freedom == expected.degrees_of_freedom
    assert assembly.redundant_rows == expected.redundant_rows


@FEW
@given(mechanisms(loads=0), st.integers(0, 2**32 - 1))
def test_assembling_again_moves_nothing(system, seed):
    first = gd.assemble(displaced(np.random.default_rng(seed), system, 0.01, 0.05)).system
    again = gd.assemble(first)
    assert all(distance < 1e-12 and angle < 1e-12 for distance, angle in again.moved.values())
    assert np.allclose(of_start(again.system).velocity, of_start(first).velocity, rtol=0, atol=1e-9)


@MADE_TO_FIT
@FEW
@given(mechanisms(loads=0, drives=3))
def test_driven_joints_start_at_their_value(system):
    assembly = gd.assemble(system)
    reference = of_start(assembly.system)
    assert np.abs(reference.residual).max(initial=0.0) < 1e-12
    assert np.abs(reference.rate).max(initial=0.0) < 1e-9 * max(1.0, np.abs(reference.velocity).max())
    for drive in system.drives.values():
        joint = system.joints[drive.joint]
        poses = [reference.poses[reference.index[b]] for b in (joint.parent, joint.child)]
        value = joint_coordinate(system, joint, drive.coordinate)(*poses)
        assert value == pytest.approx(float(drive.value.split(" + ")[0]), abs=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.4, np.pi / 2, 2.5, -1.9])
def test_velocities_left_out_follow_the_crank(angle):
    speed = 12.0
    assembly = gd.assemble(slider_crank(angle, speed=speed))
    start = assembly.system.start
    x, x_rate, rod_speed = slider_motion(angle, speed)
    assert start["crank"].angular_velocity == pytest.approx((0.0, -speed, 0.0), abs=1e-12)
    assert start["slider"].position == pytest.approx((x, 0.0, 0.0), abs=1e-12)
    assert start["slider"].velocity == pytest.approx((x_rate, 0.0, 0.0), abs=1e-11)
    assert start["rod"].angular_velocity == pytest.approx((0.0, -rod_speed, 0.0), abs=1e-10)
    assert (assembly.degrees_of_freedom, assembly.redundant_rows) == (1, 3)


@pytest.mark.parametrize("to", [0.5, -0.9, 1.4])
def test_driven_slider_crank_starts_and_moves_as_its_closed_form(to):
    result = gd.simulate(slider_crank(0.7, drive=f"{to} + 30*t"), 0.4, sample=0.05)
    for t, x in zip(result.data.time.values, result.data.position.sel(body="slider", axis="x").values, strict=True):
        assert x == pytest.approx(slider_motion(0.7 + to + 30.0 * t, 30.0)[0], abs=1e-7)
    rate = result.data.velocity.sel(body="slider", axis="x").values[0]
    assert rate == pytest.approx(slider_motion(0.7 + to, 30.0)[1], abs=1e-10)


@MADE_TO_FIT
@FEW
@given(mechanisms(loads=0))
def test_contradicting_velocities_change_by_the_least_kinetic_energy(system):
    """All velocities are stated: v = v₀ − M⁻¹Jᵀ (J M⁻¹ Jᵀ)⁺ (J v₀ − ν)."""
    reference = of_start(gd.assemble(system).system)
    stated = np.array([np.r_[body.velocity, body.angular_velocity] for body in system.bodies.values()]).reshape(-1)
    L = np.linalg.cholesky(np.linalg.inv(reference.mass_matrix))
    wrong = reference.jacobian @ stated - reference.prescribed
    expected = stated - L @ np.linalg.lstsq(reference.jacobian @ L, wrong, rcond=SMALLEST)[0]
    assert np.allclose(reference.velocity, expected, rtol=0, atol=1e-8 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("length", [0.3, 0.49, 1.6])
def test_a_link_too_short_or_too_long_is_named(length):
    """Crank 0.2 m and rocker 0.3 m on pins 1 m apart: the coupler must be 0.5 to 1.5 m long."""
    bodies = {"crank": rod((0, 0, 0), (0, 0, 0.2)), "coupler": rod((0, 0, 0.2), (1, 0, 0.3))}
    bodies["rocker"] = rod((1, 0, 0), (1, 0, 0.3))
    joints = {
        "A": gd.Revolute("ground", "crank", at=(0, 0, 0), axis=Y),
        "B": gd.Revolute("crank", "coupler", at_parent=(0, 0, 0.1), at_child=(-length / 2, 0, 0), axis=Y),
        "C": gd.Revolute("coupler", "rocker", at_parent=(length / 2, 0, 0), at_child=(0, 0, 0.15), axis=Y),
        "D": gd.Revolute("ground", "rocker", at=(1, 0, 0), axis=Y),
    }
    system = gd.System(bodies=bodies, joints=joints)
    with pytest.raises(gd.ModelError, match=r"^Revolute '[A-D]': the mechanism cannot be assembled"):
        gd.assemble(system)
    with pytest.raises(gd.ModelError, match="cannot be assembled"):
        gd.simulate(system, 1.0)


def test_a_drive_out_of_reach_is_refused():
    system = slider_crank(0.7).replace(drives={"push": gd.Drive("guide", 0.2)})
    with refuses("Drive 'push': the joints do not reach its value at t = 0 s; in the closest position found …"):
        gd.assemble(system)


def test_drives_that_contradict_each_other_are_refused():
    """They agree at t = 0, but no velocity satisfies both."""
    system = slider_crank(0.7, drive="t").replace(
        drives={"motor": gd.Drive("main", "t"), "push": gd.Drive("guide", "0.5*t")}
    )
    with pytest.raises(gd.ModelError, match=r"Drive '(motor|push)'"):
        gd.assemble(system)


@pytest.mark.parametrize("kind", [gd.Rigid, gd.Revolute, gd.Prismatic, gd.Cylindrical])
def test_a_body_started_upside_down_is_turned_back_or_refused(kind):
    body = gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.1))
    system = gd.System(bodies={"b": body}, joints={"j": kind("ground", "b", at=(0, 0, 0))})
    start = {"b": gd.BodyState(position=(0, 0, 0), orientation=(np.cos(1.2), np.sin(1.2), 0, 0))}
    try:
        assembled = gd.assemble(system.replace(start=start)).system.start["b"].orientation
    except gd.ModelError:
        return
    assert np.abs(rotation(assembled)[2, 2] - 1.0) < 1e-9


def test_a_run_continues_from_its_last_state():
    system = gd.examples.spatial_four_bar()
    solver = gd.Explicit(rtol=1e-12, atol=1e-13)
    whole = gd.simulate(system, 0.4, sample=0.1, solver=solver)
    half = gd.simulate(system, 0.2, sample=0.1, solver=solver)
    rest = gd.simulate(system.replace(start=half.state()), 0.2, sample=0.1, solver=solver)
    assert np.allclose(rest.states, whole.states[2:], rtol=0, atol=1e-8)
    from_middle = system.replace(start=whole.state(2))
    assert np.allclose(gd.simulate(from_middle, 0.2, sample=0.1, solver=solver).states, whole.states[2:], atol=1e-8)


def test_the_report():
    assembly = gd.assemble(four_bar())
    text = str(assembly)
    assert "3 bodies, 20 constraint rows" in text
    assert "degrees of freedom  1" in text
    assert "redundant rows      3 (owned by" in text
    assert gd.assemble(four_bar(gd.Spherical, gd.Cylindrical)).redundant_owners == ()


def test_a_stated_velocity_that_the_joints_forbid_is_reported():
    body = gd.Body(1.0, (0.1, 0.1, 0.1), position=(1, 0, 0), angular_velocity=(7, 0, 0))
    system = gd.System(bodies={"a": body}, joints={"j": gd.Revolute("ground", "a", at=(0, 0, 0))})
    told = (
        "Body 'a': angular_velocity is stated as (7, 0, 0) rad/s, but starts as (0, 0, 0) rad/s: Revolute 'j' does not"
    )
    with pytest.warns(UserWarning, match=re.escape(told)):
        assembly = gd.assemble(system)
    assert [note.startswith(told) for note in assembly.notes] == [True]
    assert assembly.velocity_change == pytest.approx(7.0)
    assert "stated velocities   changed by up to 7" in str(assembly)


def swinging(**motion) -> gd.System:
    """A rod that hangs out along x from a hinge about y: it starts to move along z only."""
    rod = gd.Body(1.0, (0.1, 0.1, 0.1), position=(1, 0, 0), **motion)
    return gd.System(bodies={"rod": rod}, joints={"hinge": gd.Revolute("ground", "rod", at=(0, 0, 0), axis=(0, 1, 0))})


def test_a_run_says_that_a_stated_velocity_cannot_be():
    told = (
        "Body 'rod': velocity is stated as (10, 0, 0) m/s, but starts as (0, 0, 0) m/s: Revolute 'hinge' does not allow"
    )
    for run in (gd.assemble, lambda system: gd.simulate(system, 0.01)):
        with pytest.warns(UserWarning, match=re.escape(told)) as caught:
            run(swinging(velocity=(10, 0, 0)))
        assert len(caught) == 1 and caught[0].filename == __file__
    with pytest.warns(UserWarning):
        assembly = gd.assemble(swinging(velocity=(10, 0, 0)))
    assert told in str(assembly)
    assert gd.simulate(assembly.system, 0.01).assembly.notes == ()  # pytest makes errors of warnings


def test_a_drive_that_does_not_allow_a_stated_velocity_is_named():
    system = swinging(angular_velocity=(0, 3, 0)).replace(drives={"motor": gd.Drive("hinge", "2*t")})
    told = (
        "angular_velocity is stated as (0, 3, 0) rad/s, but starts as (0, 2, 0) rad/s: Drive 'motor' does not allow it"
    )
    with pytest.warns(UserWarning, match=re.escape(told)):
        gd.assemble(system)


def test_velocities_that_are_rounded_or_left_out_are_not_spoken_of():
    assert gd.assemble(swinging(velocity=(0, 0, -2.0), angular_velocity=(0, 2.04, 0))).notes == ()
    assert gd.assemble(swinging(velocity=(1e-9, 0, -2.0))).notes == ()
    assert gd.assemble(swinging(angular_velocity=(0, 2, 0))).notes == ()
    still = swinging(velocity=(0, 0, 0)).replace(drives={"motor": gd.Drive("hinge", "2*t")})
    assert gd.assemble(still).notes == ()  # it starts to move, nothing vanishes


def test_only_the_first_changes_are_told_and_all_are_kept():
    bodies = {f"b{k}": gd.Body(1.0, (0.1, 0.1, 0.1), velocity=(1, 0, 0)) for k in range(7)}
    welds = {f"weld {k}": gd.Rigid("ground", f"b{k}", at=(0, 0, 0)) for k in range(7)}
    with pytest.warns(UserWarning) as caught:
        assembly = gd.assemble(gd.System(bodies=bodies, joints=welds))
    assert len(caught) == 4 and len(assembly.notes) == 7
    assert str(caught[-1].message).startswith("System 'mechanism': 4 more of what was stated is changed; gd.assemble(")


@pytest.mark.parametrize("model", ["dry", "lubricated"])
def test_a_ball_described_off_centre_is_spoken_of(model):
    real = gd.Dry(**RADII, contact=LOSSY) if model == "dry" else gd.Lubricated(**RADII, viscosity=0.4)

    def bob(off: float, **changes) -> gd.System:
        joint = gd.Spherical("ground", "bob", at_parent=(0, 0, 0), at_child=(0, 0, 1 + off), model=real)
        body = gd.Body(1.0, (0.1, 0.1, 0.1), position=(0, 0, -1))
        return gd.System(bodies={"bob": body}, joints={"J": joint}, **changes)

    told = (
        "Spherical 'J': its ball is described 0.001 m off the centre of its socket (clearance 0.0001 m) and starts 0 m "
        "off: assembly centres it. To start off centre, state 'bob' in System.start"
    )
    with pytest.warns(UserWarning, match=re.escape(told)):
        assembly = gd.assemble(bob(1e-3))
    assert assembly.moved["bob"][0] == pytest.approx(1e-3)
    assert gd.assemble(bob(1e-5)).notes == ()  # rounded
    there = {"bob": gd.BodyState(position=(0, 0, -1), orientation=(1, 0, 0, 0))}
    stated = gd.assemble(bob(5e-5, start=there))  # as the docstrings of Dry and Lubricated say
    assert stated.notes == () and stated.moved == {}


def test_a_ball_of_which_only_one_body_is_stated_is_centred_and_spoken_of():
    """Stated half a clearance off, a bob is moved back; stated elsewhere, it takes the bob it hangs on along."""
    joints = {
        "hook": gd.Spherical("ground", "upper", at=(0, 0, 0)),
        "J": gd.Spherical("upper", "lower", at=(0, 0, -2), model=gd.Dry(**RADII, contact=LOSSY)),
    }
    bodies = {name: gd.Body(1.0, (0.1, 0.1, 0.1), position=(0, 0, z)) for name, z in (("upper", -1), ("lower", -3))}
    system = gd.System(bodies=bodies, joints=joints)
    near, far = (
        system.replace(start={"lower": gd.BodyState(position=(0, 0, z), orientation=(1, 0, 0, 0))})
        for z in (-3 - 5e-5, -2.9)
    )
    with pytest.warns(UserWarning, match="Spherical 'J': its ball is described 5e-05 m off .* 'upper' and 'lower' in"):
        gd.assemble(near)
    assert gd.assemble(far).notes == ()


def test_drives_that_contradict_each_other_are_named():
    lengths = gd.examples.spatial_four_bar()
    for run in (gd.assemble, lambda system: gd.kinematics(system, 1.0)):
        with refuses(
            "Drives 'crank' and 'rocker' contradict each other: the joints do not reach their values at t = 0 s, …"
        ):
            run(lengths.replace(drives={"crank": gd.Drive("A", "t"), "rocker": gd.Drive("D", "0.3 + t")}))
        with refuses("Drive 'far': the joints do not reach its value at t = 0 s; in the closest position found …"):
            run(lengths.replace(drives={"far": gd.Drive("D", "t - 0.5")}))
