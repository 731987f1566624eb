"""Inverse dynamics: forces found again, closed forms, energy, real joints, too few and too many actuators, mistakes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr
from hypothesis import assume, given, settings
from scipy.integrate import cumulative_simpson

import gudgeon as gd
from closed_forms import CRANK_ANGLE, FourBar, slider_crank, slider_crank_motion
from mechanisms import TIGHT, G, path, path_acceleration, path_rate, pendulum, wheel
from mistakes import refuses
from random_mechanisms import FEW, MADE_TO_FIT, mechanisms

ARM = {"m1": 2.0, "m2": 1.0, "l1": 1.0, "c1": 0.5, "c2": 0.4, "j1": 0.1, "j2": 0.05}  # [kg, m, kg·m²]
SHOULDER, ELBOW = "0.7*sin(2*t)", "0.5 - 0.5*cos(3*t)"  # [rad]


def arm(**changes: Any) -> gd.System:
    """Two links in a vertical plane, stretched along x at zero."""
    parts: dict[str, Any] = {
        "name": "arm",
        "gravity": (0, -G, 0),
        "bodies": {
            "upper": gd.Body(mass=ARM["m1"], inertia=(ARM["j1"],) * 3, position=(ARM["c1"], 0, 0)),
            "fore": gd.Body(mass=ARM["m2"], inertia=(ARM["j2"],) * 3, position=(ARM["l1"] + ARM["c2"], 0, 0)),
        },
        "joints": {
            "shoulder": gd.Revolute("ground", "upper", at=(0, 0, 0)),
            "elbow": gd.Revolute("upper", "fore", at=(ARM["l1"], 0, 0)),
        },
    }
    return gd.System(**{**parts, **changes})


def telescope(**changes: Any) -> gd.System:
    """A mast that turns and rises (cylindrical), and an arm that slides out of it."""
    parts: dict[str, Any] = {
        "name": "telescope",
        "bodies": {
            "mast": gd.Body(mass=3.0, inertia=(0.2, 0.2, 0.1)),
            "arm": gd.Body(mass=1.0, inertia=(0.01, 0.05, 0.05), position=(0.5, 0, 0)),
        },
        "joints": {
            "mast": gd.Cylindrical("ground", "mast", at=(0, 0, 0), axis=(0, 0, 1)),
            "slide": gd.Prismatic("mast", "arm", at=(0, 0, 0), axis=(1, 0, 0)),
        },
    }
    return gd.System(**{**parts, **changes})


def relative(found, expected) -> float:
    """Largest difference, of the largest value."""
    return float(np.abs(np.asarray(found) - np.asarray(expected)).max() / np.abs(np.asarray(expected)).max())


# forces found again


def telescope_drives() -> dict[str, gd.Drive]:
    return {
        "turn": gd.Drive("mast", "2*t + 0.3*sin(4*t)", coordinate="angle"),
        "lift": gd.Drive("mast", "0.2*sin(3*t)", coordinate="displacement"),
        "push": gd.Drive("slide", "0.1*t**2"),
    }


@pytest.mark.parametrize("system", [slider_crank(), telescope(drives=telescope_drives())], ids=lambda s: s.name)
def test_drive_efforts_of_a_simulation(system):
    simulated = gd.simulate(system, 1.0, sample=0.05)
    needed = gd.inverse_dynamics(system, simulated)
    assert needed.effort.values == pytest.approx(simulated.data.drive_effort.values, rel=1e-9, abs=1e-9)
    for name in ("reaction_force", "reaction_torque"):
        assert needed[name].values == pytest.approx(simulated.data[name].values, abs=1e-9)
        assert needed[name].dims == simulated.data[name].dims
    assert np.abs(needed.residual).max() < 1e-9
    assert {name: variable.attrs["units"] for name, variable in needed.data_vars.items()} == {
        "effort": "N*m or N",
        "power": "W",
        "reaction_force": "N",
        "reaction_torque": "N*m",
        "residual": "N and N*m",
    }
    assert needed.attrs == {"system": system.name, "analysis": "inverse dynamics"}


@MADE_TO_FIT
@given(system=mechanisms(loads=3))
@settings(FEW, max_examples=20)
def test_random_mechanisms(system):
    """Simulated, then explained: the drives' efforts and all reactions, and nothing at coordinates that move freely."""
    try:
        simulated = gd.simulate(system, 0.01, sample=0.005)
    except gd.ModelError:  # loops that only fit in the reference pose, drives that they do not allow
        assume(False)
        return
    needed = gd.inverse_dynamics(system, simulated)
    size = max(1.0, float(np.abs(simulated.data.reaction_force.values).max()))
    assert np.abs(needed.residual).max() < 1e-7 * size
    drives = {(drive.joint, drive.coordinate): name for name, drive in system.drives.items()}
    for actuator in needed.actuator.values:
        joint, _, coordinate = str(actuator).partition(".")
        name = drives.get((joint, coordinate or system.coordinate("", joint, None)))
        expected = simulated.data.drive_effort.sel(drive=name).values if name else 0.0
        assert needed.effort.sel(actuator=actuator).values == pytest.approx(expected, abs=1e-7 * size)
    for name in ("reaction_force", "reaction_torque"):
        assert needed[name].values == pytest.approx(simulated.data[name].values, abs=1e-6 * size)


def test_names_and_units_of_actuators():
    system = telescope(drives=telescope_drives())
    needed = gd.inverse_dynamics(system, gd.kinematics(system, 1.0, sample=0.5))
    assert needed.actuator.values.tolist() == ["mast.angle", "mast.displacement", "slide"]
    assert needed.unit.values.tolist() == ["N*m", "N", "N"]
    # m g for the lift at rest: z̈ = −1.8 sin 3t vanishes at t = 0
    assert needed.effort.sel(actuator="mast.displacement").values[0] == pytest.approx(4.0 * 9.81, abs=1e-9)
    # centrifugal and Euler terms: m (s̈ − s ω²), s = 0.5 + 0.1 t², ω = 2 + 1.2 cos 4t
    t = needed.time.values
    push = 1.0 * (0.2 - (0.5 + 0.1 * t**2) * (2 + 1.2 * np.cos(4 * t)) ** 2)
    assert needed.effort.sel(actuator="slide").values == pytest.approx(push, abs=1e-11)


def test_a_torque_is_found_again():
    """Free motion under a known torque; without it, the actuator must give it."""
    linkage = FourBar(a=1.0, b=3.0, c=2.5, d=3.2)
    torque = {"push": gd.Torque("crank", (0, 0, "8*sin(5*t) + 3"))}
    free = linkage.system(0.3, drives={})
    simulated = gd.simulate(free.replace(loads=torque), 1.0, solver=TIGHT, sample=0.02)
    needed = gd.inverse_dynamics(free, simulated, actuators=("A",))
    t = needed.time.values
    assert needed.effort.sel(actuator="A").values == pytest.approx(8 * np.sin(5 * t) + 3, abs=1e-8)
    assert np.abs(needed.residual).max() < 1e-8
    nothing = gd.inverse_dynamics(free.replace(loads=torque), simulated)
    assert np.abs(nothing.effort).max() < 1e-8


def test_result_file_and_dataset_say_the_same(tmp_path):
    system = slider_crank()
    result = gd.simulate(system, 0.5, sample=0.05)
    needed = gd.inverse_dynamics(system, result)
    loaded = gd.load(result.save(tmp_path / "run.nc"))
    measured = result.data[
        ["position", "orientation", "velocity", "angular_velocity", "acceleration", "angular_acceleration"]
    ].isel(body=[2, 0, 1])
    for motion in (loaded, measured, measured.transpose("body", ...)):
        xr.testing.assert_allclose(gd.inverse_dynamics(system, motion), needed, rtol=1e-12, atol=1e-12)


# closed forms


def test_pendulum_in_closed_form():
    """m g l sin + J α: angle φ from the horizontal start, d = 0.5 m, J about the pivot 0.5 kg·m²."""
    needed = gd.inverse_dynamics(pendulum(), {"pivot": "sin(3*t)"}, duration=2.0, sample=0.1)
    t = needed.time.values
    expected = -1.0 * G * 0.5 * np.cos(np.sin(3 * t)) - 0.5 * 9 * np.sin(3 * t)
    assert needed.effort.sel(actuator="pivot").values == pytest.approx(expected, abs=1e-11)
    assert needed.power.sel(actuator="pivot").values == pytest.approx(expected * 3 * np.cos(3 * t), abs=1e-10)


def test_slider_crank_in_closed_form():
    needed = gd.inverse_dynamics(slider_crank(drives={}), {"pivot": CRANK_ANGLE}, duration=2.0, sample=0.05)
    exact = slider_crank_motion(needed.time.values)
    assert needed.effort.sel(actuator="pivot").values == pytest.approx(exact.torque, abs=1e-11)
    assert needed.reaction_force.sel(joint="guide", axis="y").values == pytest.approx(exact.guide, abs=1e-11)


def test_arm_by_the_textbook():
    """Planar elbow manipulator (M. W. Spong, S. Hutchinson, M. Vidyasagar, Robot Modeling and Control)."""
    needed = gd.inverse_dynamics(arm(), {"shoulder": SHOULDER, "elbow": ELBOW}, duration=2.0, sample=0.1)
    t = needed.time.values
    m1, m2, l1, c1, c2, j1, j2 = ARM.values()
    q1, v1, a1 = 0.7 * np.sin(2 * t), 1.4 * np.cos(2 * t), -2.8 * np.sin(2 * t)
    q2, v2, a2 = 0.5 - 0.5 * np.cos(3 * t), 1.5 * np.sin(3 * t), 4.5 * np.cos(3 * t)
    d11 = m1 * c1**2 + m2 * (l1**2 + c2**2 + 2 * l1 * c2 * np.cos(q2)) + j1 + j2
    d12, d22 = m2 * (c2**2 + l1 * c2 * np.cos(q2)) + j2, m2 * c2**2 + j2
    h = -m2 * l1 * c2 * np.sin(q2)
    fore = m2 * c2 * G * np.cos(q1 + q2)
    shoulder = d11 * a1 + d12 * a2 + 2 * h * v1 * v2 + h * v2**2 + (m1 * c1 + m2 * l1) * G * np.cos(q1) + fore
    elbow = d12 * a1 + d22 * a2 - h * v1**2 + fore
    assert needed.effort.sel(actuator="shoulder").values == pytest.approx(shoulder, abs=1e-11)
    assert needed.effort.sel(actuator="elbow").values == pytest.approx(elbow, abs=1e-11)


def test_power_is_the_gain_of_energy():
    loads = {"spring": gd.SpringDamper("ground", "fore", at_first=(0, 1, 0), stiffness=30.0, length=0.5)}
    drives = {"shoulder": gd.Drive("shoulder", SHOULDER), "elbow": gd.Drive("elbow", ELBOW)}
    system = arm(loads=loads, drives=drives)
    motion = gd.kinematics(system, 2.0, sample=0.005)
    needed = gd.inverse_dynamics(system, motion)
    work = cumulative_simpson(needed.power.sum("actuator").values, x=needed.time.values, initial=0)
    gain = motion.data.mechanical_energy.values - motion.data.mechanical_energy.values[0]
    assert np.ptp(gain) > 10.0
    assert work == pytest.approx(gain, abs=1e-6)


def test_springs_count_turns():
    system = wheel(loads={"spring": gd.JointSpring("axle", stiffness=2.0)})
    needed = gd.inverse_dynamics(system, {"axle": "10*t"}, duration=3.0, sample=0.5)
    assert needed.effort.values[:, 0] == pytest.approx(20 * needed.time.values, abs=1e-9)


# how a motion is given, and where forces act


def test_motion_by_drives_of_python_functions():
    by_name = gd.inverse_dynamics(arm(), {"shoulder": "3*t + 0.5*sin(5*t)", "elbow": 0.3}, duration=1.0, sample=0.1)
    drive = gd.Drive("shoulder", path, rate=path_rate, acceleration=path_acceleration)
    hold = arm(drives={"hold": gd.Drive("elbow", 0.3), "other": gd.Drive("shoulder", "t")})
    by_drive = gd.inverse_dynamics(hold, {"swing": drive}, duration=1.0, sample=0.1)  # instead of `other`
    assert by_drive.actuator.values.tolist() == ["shoulder", "elbow"]
    xr.testing.assert_allclose(by_drive, by_name, atol=1e-9)


def test_forces_elsewhere_do_the_same_work():
    """Prescribed at the crank, pushed at the slider: F ẋ = τ α̇ (principle of virtual work)."""
    motion = {"pivot": "0.5 + 0.4*sin(3*t)"}
    crank = gd.inverse_dynamics(slider_crank(drives={}), motion, duration=1.0, sample=0.05)
    slider = gd.inverse_dynamics(slider_crank(drives={}), motion, duration=1.0, sample=0.05, actuators=("guide",))
    assert slider.actuator.values.tolist() == ["guide"]
    assert slider.power.values == pytest.approx(crank.power.values, abs=1e-9)
    both = gd.inverse_dynamics(slider_crank(drives={}), motion, duration=1.0, sample=0.05, actuators=["guide", "pivot"])
    assert both.power.sum("actuator").values == pytest.approx(crank.power.values[:, 0], abs=1e-9)
    assert np.all(np.abs(both.effort.sel(actuator="pivot")) <= np.abs(crank.effort.sel(actuator="pivot")) + 1e-9)


def test_actuators_are_chosen():
    """As many as freedoms; here the crank's pivot, which has leverage in the dead centres too, unlike the slider."""
    motion = gd.kinematics(slider_crank(), 2.0, sample=0.05)
    assert gd.inverse_dynamics(slider_crank(drives={}), motion).actuator.values.tolist() == ["pivot"]
    swing = gd.simulate(arm(), 0.5, sample=0.05)
    free = gd.inverse_dynamics(arm(), swing)
    assert free.actuator.values.tolist() == ["shoulder", "elbow"]
    assert np.abs(free.effort).max() < 1e-9


def test_a_real_joint_keeps_its_force():
    """The dry joint's impacts are in the motion; nothing else is needed, and its reaction is the simulated one."""
    system = gd.examples.spatial_four_bar("dry")
    simulated = gd.simulate(system, 0.05, sample=0.001)
    needed = gd.inverse_dynamics(system, simulated)
    largest = float(np.abs(simulated.data.reaction_force).max())
    assert largest > 10.0
    assert np.abs(needed.effort).max() < 1e-12 * largest
    assert np.abs(needed.residual).max() < 1e-9 * largest
    assert needed.reaction_force.values == pytest.approx(simulated.data.reaction_force.values, abs=1e-9 * largest)


def test_singular_positions_have_no_forces():
    needed = gd.inverse_dynamics(
        FourBar().system(math.pi / 2, drives={}), {"A": "t"}, duration=math.pi, sample=math.pi / 10
    )
    assert np.flatnonzero(np.isnan(needed.effort.values[:, 0])).tolist() == [5]  # flat
    assert np.isnan(needed.reaction_force.values[5]).all()
    assert needed.effort.values[[4, 6], 0] == pytest.approx(
        9.81 * 3.25 * np.cos(math.pi / 2 + needed.time.values[[4, 6]]), abs=1e-9
    )


def test_a_small_residual_is_reported():
    """A torque of 0.1 N·m at the elbow that the shoulder cannot give."""
    loads = {"small": gd.Torque("fore", (0, 0, 0.1)), "counter": gd.Torque("upper", (0, 0, -0.1))}
    simulated = gd.simulate(arm(loads=loads), 0.5, sample=0.05)
    needed = gd.inverse_dynamics(arm(), simulated, actuators=("shoulder",))
    residual = np.abs(needed.residual).max()
    assert 0.01 < float(residual) < 0.2
    whole = gd.inverse_dynamics(arm(), simulated)
    assert whole.effort.sel(actuator="elbow").values == pytest.approx(0.1, abs=1e-9)
    assert whole.effort.sel(actuator="shoulder").values == pytest.approx(0.0, abs=1e-9)
    assert np.abs(whole.residual).max() < 1e-9


# mistakes


def needs(motion: Any = None, system: Any = None, **options: Any) -> xr.Dataset:
    if motion is None:
        motion, options = {"shoulder": SHOULDER, "elbow": ELBOW}, {"duration": 1.0, "sample": 0.25, **options}
    return gd.inverse_dynamics(arm() if system is None else system, motion, **options)


@pytest.fixture(scope="module")
def swing() -> gd.Result:
    return gd.simulate(arm(), 0.5, sample=0.1)


def skewed(result: gd.Result) -> xr.Dataset:
    data = result.data.copy(deep=True)
    data["acceleration"].values[:] *= 2.0
    return data


def shifted(result: gd.Result) -> xr.Dataset:
    data = result.data.copy(deep=True)
    data["position"].values[3, 1, 0] += 0.05
    return data


def with_nan(result: gd.Result) -> xr.Dataset:
    data = result.data.copy(deep=True)
    data["velocity"].values[2] = math.nan
    return data


REAL = gd.examples.spatial_four_bar("dry")
MISTAKES: dict[str, Any] = {
    "too few": (
        lambda swing: needs(actuators="shoulder"),
        "inverse_dynamics: actuators at 'shoulder' cannot produce this motion: … N·m on body 'fore' stay unexplained "
        "at t = … s; add an actuator at 'elbow'",
    ),
    "no joint": (
        lambda swing: needs(actuators=("sholder",)),
        "inverse_dynamics, actuators, 'sholder': no joint 'sholder'; did you mean 'shoulder'?",
    ),
    "no coordinate": (
        lambda swing: needs({"mast.angel": "t"}, telescope(), duration=1.0),
        "inverse_dynamics, motion, 'mast.angel': Cylindrical 'mast' has no coordinate 'angel'; did you mean 'angle'?",
    ),
    "which coordinate": (
        lambda swing: needs({"mast": "t"}, telescope(), duration=1.0),
        "inverse_dynamics, motion, 'mast': Cylindrical 'mast' has the coordinates angle, displacement; say which",
    ),
    "twice": (
        lambda swing: needs(actuators=("shoulder", "shoulder")),
        "inverse_dynamics, actuators: 'shoulder' is named twice",
    ),
    "no duration": (
        lambda swing: needs({"shoulder": "t", "elbow": "t"}),
        "inverse_dynamics: a motion given by functions needs duration= [s]",
    ),
    "own times": (
        lambda swing: needs(swing, duration=1.0),
        "inverse_dynamics: duration and sample belong to a motion given by functions; this one has its own times",
    ),
    "not all": (
        lambda swing: needs({"shoulder": "t"}, duration=1.0),
        "kinematics: 'arm' has 1 degree of freedom left that no drive moves; drive 'elbow' as well, or use gd.simulate",
    ),
    "empty": (lambda swing: needs({}, duration=1.0), "inverse_dynamics: the motion is empty; give {joint: function"),
    "no motion": (
        lambda swing: needs(3.0),
        "inverse_dynamics: motion is a float; give {joint: function of t}, a gd.Result or an xarray Dataset",
    ),
    "no system": (lambda swing: needs(swing, "arm"), "inverse_dynamics: str given; give a gd.System"),
    "other bodies": (
        lambda swing: needs(swing, slider_crank()),
        "inverse_dynamics: the motion has no body 'crank'; known are 'upper', 'fore'",
    ),
    "no accelerations": (
        lambda swing: needs(swing.data.drop_vars("acceleration")),
        "inverse_dynamics: the Dataset has no 'acceleration'; it needs position, orientation, velocity, …",
    ),
    "not finite": (
        lambda swing: needs(with_nan(swing)),
        "inverse_dynamics: 'velocity' is not finite at t = 0.2 s; leave that out",
    ),
    "open joint": (
        lambda swing: needs(shifted(swing)),
        "inverse_dynamics: Revolute 'elbow': the motion opens it by 0.05 (m or rad) at t = 0.3 s; it is not a",
    ),
    "wrong accelerations": (
        lambda swing: needs(skewed(swing)),
        "inverse_dynamics: Revolute 'shoulder': the motion has accelerations that open it by 7.2… (m/s² or rad/s²)",
    ),
    "force of a real joint": (
        lambda swing: needs(gd.simulate(REAL, 0.01, sample=0.01).data.drop_vars("reaction_force"), REAL),
        "inverse_dynamics: Spherical 'C' is a real joint (Dry), whose force the motion alone does not tell, and the "
        "Dataset has no reaction_force of it; give the Result of a simulation, or make the joint ideal",
    ),
    "real joint, prescribed": (
        lambda swing: needs({"A": "t"}, REAL, duration=1.0),
        "kinematics: Spherical 'C' is a real joint (Dry), …",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake, swing):
    run, wording = MISTAKES[mistake]
    with refuses(wording):
        run(swing)
