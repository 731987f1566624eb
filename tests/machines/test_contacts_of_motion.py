"""Stops, flanks, cams that lift off and shapes that meet, in motions that are given: forces are those of the laws."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from machines.test_cams import SPRING, STEEL, cam_and_follower, run_up
from machines.test_meetings import ball
from mistakes import refuses

LIMIT = 0.05  # [m]
LAWS = {
    "Hertz": gd.laws.Hertz(stiffness=1e6),
    "KelvinVoigt": gd.laws.KelvinVoigt(stiffness=1e5, damping=30.0),
    "Flores": gd.laws.Flores(stiffness=1e6, restitution=0.7),  # remembers its impact speed
}


def slide(law: gd.laws.ContactLaw, **changes) -> gd.System:
    """A mass on its way to a stop."""
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"b": gd.Body(mass=1.0, inertia=(1, 1, 1), velocity=(0, 0, 1.0))},
        joints={"s": gd.Prismatic("ground", "b", at=(0, 0, 0))},
        loads={"end": gd.Stop("s", upper=LIMIT, contact=law)},
        **changes,
    )


@pytest.mark.parametrize("law", LAWS)
def test_a_run_against_a_stop_needs_nobody(law):
    """What the stop has done, no actuator has to do; of a Dataset too, whose impact speeds are those of its motion."""
    system = slide(LAWS[law])
    result = gd.simulate(system, 0.1, sample=1e-3)
    assert np.abs(result.data.stop_effort.values).max() > 200.0
    for motion in (result, result.data):
        assert np.abs(gd.inverse_dynamics(system, motion).effort.values).max() < 1e-9


@pytest.mark.parametrize(
    ("law", "force"),
    [
        ("Hertz", 1e6 * 0.01**1.5),  # k δⁿ at δ = 10 mm
        ("KelvinVoigt", 1e5 * 0.01 + 30.0 * 0.6),  # k δ + d δ̇
        ("Flores", 1e6 * 0.01**1.5 * (1.0 + 1.6 * 0.3 / 0.7)),  # Flores et al. (2011): k δⁿ (1 + 8(1−e)/(5e) δ̇/δ̇⁽⁻⁾)
    ],
)
def test_a_motion_into_a_stop_needs_its_force(law, force):
    """At 0.6 m/s up to 10 mm beyond the limit; drives of `kinematics` need the same."""
    needed = gd.inverse_dynamics(slide(LAWS[law]), {"s": "0.6*t"}, duration=0.1, sample=1e-3)
    assert needed.effort.values[-1, 0] == pytest.approx(force, rel=1e-9)
    assert not needed.effort.values[:83].any()
    driven = gd.kinematics(slide(LAWS[law], drives={"d": gd.Drive("s", "0.6*t")}), 0.1, sample=1e-3).data
    assert driven.drive_effort.values[:, 0] == pytest.approx(needed.effort.values[:, 0], rel=1e-9, abs=1e-9)


def test_the_impact_speed_is_that_at_the_limit():
    """x = 0.6 t + t² meets 0.05 with √(0.6² + 4·0.05) = 0.748 m/s, between two samples."""
    needed = gd.inverse_dynamics(slide(LAWS["Flores"]), {"s": "0.6*t + t**2"}, duration=0.1, sample=1e-3)
    depth, rate, before = 0.07 - LIMIT, 0.8, np.sqrt(0.36 + 0.2)
    force = 1e6 * depth**1.5 * (1.0 + 1.6 * 0.3 / 0.7 * rate / before)
    assert needed.effort.values[-1, 0] == pytest.approx(force + 2.0, rel=1e-9)  # and m a


def gears(**how) -> gd.System:
    """Two wheels, the first of which turns."""
    wheel = {"mass": 1.0, "inertia": (1e-2, 1e-2, 1e-2)}
    return gd.System(
        gravity=(0, 0, 0),
        bodies={
            "a": gd.Body(**wheel, angular_velocity=(0, 0, 3.0)),
            "b": gd.Body(**wheel, position=(0.3, 0, 0)),
        },
        joints={"p": gd.Revolute("ground", "a", at=(0, 0, 0)), "q": gd.Revolute("ground", "b", at=(0.3, 0, 0))},
        couplings={"g": gd.Gear("p", "q", teeth=(20, 40), stiffness=1e4, damping=1.0, **how)},
    )


@pytest.mark.parametrize("how", [{}, {"backlash": 0.02}], ids=["tight", "backlash"])
def test_teeth_that_ran_need_nobody(how):
    """The motion of a run with elastic teeth, and what these carried in it."""
    system = gears(**how)
    result = gd.simulate(system, 0.2, sample=1e-3)
    needed = gd.inverse_dynamics(system, result)
    assert np.abs(needed.effort.values).max() < 1e-9
    carried = result.data.coupling_effort.values
    assert np.abs(carried).max() > 10.0
    assert needed.coupling_effort.values == pytest.approx(carried, abs=1e-9)


@pytest.mark.parametrize(("how", "deflection"), [({}, 0.02), ({"backlash": 0.02}, 0.01)], ids=["tight", "backlash"])
def test_teeth_that_are_pressed_need_their_force(how, deflection):
    """Turned against each other by 0.02 rad of the first wheel at 0.2 rad/s, half the backlash of which is free."""
    motion = {"p": "t", "q": "-0.4*t"}
    needed = gd.inverse_dynamics(gears(**how), motion, duration=0.1, sample=1e-3)
    effort = 1e4 * deflection + 0.2
    assert needed.effort.values[-1] == pytest.approx([effort, 2.0 * effort], rel=1e-9)


def test_bodies_that_touch_and_part_are_taken_from_the_run():
    """The forces of a cam with lift-off, and of a ball that bounces, are those of the run; else they are refused."""
    cam = cam_and_follower("flat", model=STEEL, loads=SPRING, drive=run_up(150.0))
    result = gd.simulate(cam, 0.3, sample=1e-3)
    assert result.data.gap.values.max() > 1e-6  # it lifts off
    needed = gd.inverse_dynamics(cam, result)
    motor = result.data.drive_effort.values[:, 0]
    assert needed.effort.values[:, 0] == pytest.approx(motor, abs=1e-9 * np.abs(motor).max())
    assert np.abs(needed.residual.values).max() < 1e-9 * np.abs(result.data.reaction_force.values).max()
    bouncing = ball(position=(0, 0, 0.2))
    run = gd.simulate(bouncing, 0.5, sample=1e-3)
    assert len(run.events) and not gd.inverse_dynamics(bouncing, run).residual.values.any()
    with refuses("kinematics: Cam 'cam' is a real joint (DryTouch), …"):
        gd.inverse_dynamics(cam, {"shaft": "10*t"}, duration=0.1)
