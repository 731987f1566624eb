"""Forces, torques and springs against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson

import gudgeon as gd
from mechanisms import TIGHT, trolley, waves, wheel

pytestmark = pytest.mark.usefixtures("coordinates")


def free_body(**changes: Any) -> gd.System:
    parts = {"mass": 2.0, "inertia": (0.4, 0.4, 0.4), **changes.pop("body", {})}
    return gd.System(name="free", **{"gravity": (0, 0, 0), "bodies": {"body": gd.Body(**parts)}, **changes})


def test_force_in_body_axes_turns_with_the_body():
    """Thrust F along x of a body that spins at ω: v = F/(mω) (sin ωt, 1 − cos ωt)."""
    thrust = gd.Force("body", (3, 0, 0), axes="body")
    system = free_body(body={"angular_velocity": (0, 0, 5)}, loads={"thrust": thrust})
    data = gd.simulate(system, 2.0, solver=TIGHT).data
    t, v = data.time.values, data.velocity.values[:, 0]
    assert v == pytest.approx(0.3 * np.stack([np.sin(5 * t), 1 - np.cos(5 * t), 0 * t], axis=1), abs=1e-10)


def test_force_off_centre_turns_the_body():
    push = gd.Force("body", (0, "t", 0), at=(0.1, 0, 0), axes="body")
    data = gd.simulate(free_body(loads={"push": push}), 1.0, solver=TIGHT).data
    t = data.time.values
    assert data.angular_velocity.values[:, 0, 2] == pytest.approx(0.1 * t**2 / 2 / 0.4, abs=1e-11)


@pytest.mark.parametrize(("axes", "expected"), [("world", (1, 2, 3)), ("body", (-2, 1, 3))])
def test_axes_of_torques_and_forces(axes, expected):
    """The body is turned by a quarter about z: its x is y of the world."""
    turned = {"orientation": (math.sqrt(0.5), 0, 0, math.sqrt(0.5))}
    loads = {"turn": gd.Torque("body", (1, 2, 3), axes=axes), "push": gd.Force("body", (1, 2, 3), axes=axes)}
    data = gd.simulate(free_body(body=turned, loads=loads), 0.1, sample=[0.0]).data
    assert data.angular_acceleration.values[0, 0] == pytest.approx(np.array(expected) / 0.4, rel=1e-12)
    assert data.acceleration.values[0, 0] == pytest.approx(np.array(expected) / 2.0, rel=1e-12)


def test_a_python_function_equals_its_expression():
    runs = [
        gd.simulate(free_body(loads={"push": gd.Force("body", force)}), 1.0)
        for force in (waves, ("sin(3*t)", "t*t", 1), (lambda t: math.sin(3 * t), "t**2", 1.0))
    ]
    for run in runs[1:]:
        assert run.states == pytest.approx(runs[0].states, abs=1e-14)


def test_spring_between_two_bodies():
    """Two balls on a spring, off the line of centres: energy, momentum and moment of momentum stay."""
    ball = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={
            "left": gd.Body(**ball, position=(-0.5, 0, 0)),
            "right": gd.Body(**ball, position=(0.7, 0.2, 0), velocity=(0, 1, 2), angular_velocity=(1, 0, 0)),
        },
        loads={
            "spring": gd.SpringDamper(
                "left", "right", at_first=(0, 0.1, 0), at_second=(-0.1, 0, 0.2), stiffness=40.0, length=0.8
            )
        },
    )
    data = gd.simulate(system, 5.0, solver=TIGHT, sample=0.01).data
    energy, v = data.mechanical_energy.values, data.velocity.values
    spin = np.cross(data.position.values, v) + 0.1 * data.angular_velocity.values
    assert np.ptp(data.potential_energy.values) > 0.5
    assert energy == pytest.approx(energy[0], rel=1e-10)
    assert v.sum(axis=1) == pytest.approx(np.tile([0, 1, 2], (len(v), 1)), abs=1e-10)
    assert spin.sum(axis=1) == pytest.approx(np.tile(spin[0].sum(axis=0), (len(v), 1)), abs=1e-10)
    stretch = np.sqrt(2 * data.potential_energy.values[0] / 40.0)
    assert 0.8 + stretch == pytest.approx(np.linalg.norm([1.1, 0.1, 0.2]), rel=1e-12)


@pytest.mark.parametrize("spring", ["point to point", "joint"])
def test_damped_oscillator(spring):
    """2 kg, 200 N/m, 4 N·s/m: x = v₀/ω exp(−t) sin ωt, ω² = 99; what is lost went through the damper."""
    load = (
        gd.JointSpring("guide", stiffness=200.0, damping=4.0)
        if spring == "joint"
        else gd.SpringDamper("ground", "trolley", at_first=(-1, 0, 0), stiffness=200.0, damping=4.0, length=1.0)
    )
    data = gd.simulate(trolley(0.5, loads={"spring": load}), 3.0, solver=TIGHT).data
    t, omega = data.time.values, math.sqrt(99.0)
    assert data.position.values[:, 0, 0] == pytest.approx(0.5 / omega * np.exp(-t) * np.sin(omega * t), abs=1e-11)
    lost = cumulative_simpson(4.0 * data.velocity.values[:, 0, 0] ** 2, x=t, initial=0)
    energy = data.mechanical_energy.values
    assert energy[0] - energy == pytest.approx(lost, abs=1e-7)
    assert np.all(np.diff(energy) <= 1e-12)


@pytest.mark.parametrize("solver", [TIGHT, gd.Sundials(rtol=1e-11, atol=1e-12)])
@pytest.mark.parametrize("stabilization", [gd.Baumgarte(), gd.Projection()])
def test_torsion_spring_over_several_turns(solver, stabilization):
    """J φ̈ = −k φ with an amplitude of three turns: φ̇ = A ω cos ωt."""
    if isinstance(solver, gd.Sundials) and isinstance(stabilization, gd.Projection):
        pytest.skip("not available")
    amplitude, omega = 6 * math.pi, 5.0
    system = wheel(amplitude * omega, loads={"spring": gd.JointSpring("axle", stiffness=0.5)})
    data = gd.simulate(system, 3.0, solver=solver, stabilization=stabilization).data
    t, speed = data.time.values, data.angular_velocity.values[:, 0, 2]
    assert speed == pytest.approx(amplitude * omega * np.cos(omega * t), abs=1e-8 * amplitude * omega)
    assert data.potential_energy.max() == pytest.approx(0.25 * amplitude**2, rel=1e-3)
    assert data.mechanical_energy.values == pytest.approx(0.25 * amplitude**2, rel=1e-8)


def test_torsion_spring_with_a_rest_angle_turns_away():
    amplitude, omega = 6 * math.pi, 5.0
    system = wheel(loads={"spring": gd.JointSpring("axle", stiffness=0.5, rest="6*pi")})
    data = gd.simulate(system, 3.0, solver=TIGHT).data
    speed = data.angular_velocity.values[:, 0, 2]
    assert speed == pytest.approx(amplitude * omega * np.sin(omega * data.time.values), abs=1e-8)


LEVEL = 1.0


def level(t):
    return LEVEL * 1.0


def test_a_function_sees_the_present_value_of_its_globals(monkeypatch):
    """A sweep over a global must not reuse what was compiled for another value."""
    speeds = []
    for value in (1.0, 2.0, 5.0):
        monkeypatch.setitem(globals(), "LEVEL", value)
        result = gd.simulate(trolley(loads={"push": gd.Force("trolley", (level, 0, 0))}), 1.0)
        speeds.append(float(result.data.velocity.sel(body="trolley", axis="x").values[-1]))
    assert speeds == pytest.approx([0.5, 1.0, 2.5])


@pytest.mark.parametrize(
    "function", [lambda t: [1.0, 2.0][int(4 * t)], lambda t: 1.0 if t < 0.5 else None], ids=["index", "None"]
)
def test_a_function_that_fails_later_is_refused(function):
    with pytest.raises(gd.ModelError, match=r"Force 'push': vector(\[0\])?: function '<lambda>' (raises|returns)"):
        gd.simulate(trolley(loads={"push": gd.Force("trolley", (function, 0, 0))}), 1.0)
