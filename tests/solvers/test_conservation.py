"""What must not change during a motion: energy, momentum, the way back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import gudgeon as gd
from conserved import drift, momenta
from random_mechanisms import FEW, KINDS, MADE_TO_FIT, mechanisms, random_body, random_joint
from redundant_mechanisms import bricard, four_bar, slider_crank
from reference_joints import rotation

pytestmark = [pytest.mark.usefixtures("coordinates"), MADE_TO_FIT]

TIGHT = gd.Explicit(rtol=1e-11, atol=1e-12)
WAYS = ("baumgarte", "projection")


def energy_drift(result):
    """Against the energy that moves: the largest kinetic energy, or the largest change of the potential one."""
    data = result.data
    scale = max(data.kinetic_energy.values.max(), np.ptp(data.potential_energy.values))
    return drift(data.mechanical_energy.values) / max(scale, 0.1)


def flying(seed, kinds, count=6, loop=False):
    """A tree of bodies on nothing; the first joint is free."""
    rng = np.random.default_rng(seed)
    bodies = {f"b{k}": random_body(rng) for k in range(count)}
    pairs = [(f"b{rng.integers(k)}", f"b{k}") for k in range(1, count)] + [("b0", f"b{count - 1}")] * loop
    joints = {f"j{k}": random_joint(rng, kinds[k % len(kinds)], *pair) for k, pair in enumerate(pairs)}
    return gd.System(gravity=(0, 0, 0), bodies=bodies, joints={"off": gd.Free("ground", "b0"), **joints})


def wound_wheel():
    """A wheel (0.2 kg·m²) on a torsion spring (5 N·m/rad) that is relaxed after 20 rad."""
    return gd.System(
        bodies={"wheel": gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.2))},
        joints={"axle": gd.Revolute("ground", "wheel", at=(0, 0, 0))},
        loads={"spring": gd.JointSpring("axle", stiffness=5.0, rest=20.0)},
    )


def reversed_state(result):
    """Where a run ended, moving back."""
    return {
        name: gd.BodyState(
            position=s.position,
            orientation=s.orientation,
            velocity=-np.array(s.velocity),
            angular_velocity=-np.array(s.angular_velocity),
        )
        for name, s in result.state().items()
    }


def test_free_body_tumbles_about_its_middle_axis():
    body = gd.Body(mass=2.0, inertia=(1.0, 2.0, 2.9), velocity=(0.3, -0.1, 0.2), angular_velocity=(1e-3, 5.0, 1e-3))
    result = gd.simulate(gd.System(gravity=(0, 0, 0), bodies={"t": body}), 20.0, sample=0.1, solver=TIGHT)
    linear, angular = momenta(result)
    assert drift(linear) < 1e-12
    assert drift(angular) < 1e-8 * np.linalg.norm(angular[0])
    assert energy_drift(result) < 1e-9
    R = np.array([rotation(q) for q in result.data.orientation.values[:, 0]])
    along = np.einsum("tji,tj->ti", R, result.data.angular_velocity.values[:, 0])[:, 1]
    assert along.min() < -4.9  # it flips
    assert along.max() > 4.9


@pytest.mark.parametrize("kinds", [(kind,) for kind in KINDS[:7]] + [KINDS[:7]])
def test_momentum_of_what_flies_freely(kinds):
    system = flying(len(kinds), kinds)
    result = gd.simulate(system, 0.5, sample=0.05, solver=TIGHT)
    linear, angular = momenta(result)
    assert drift(linear) < 1e-9 * np.abs(linear).max()
    assert drift(angular) < 1e-8 * np.abs(angular).max()
    assert energy_drift(result) < 1e-8


def test_momentum_with_springs_loops_and_gravity():
    system = flying(3, (gd.Spherical, gd.Universal), loop=True)
    inner = {
        "strut": gd.SpringDamper("b1", "b4", at_first=(0.1, 0, 0), stiffness=50.0, damping=3.0, length=0.2),
        "hinge": gd.JointSpring("j1", coordinate="angle_child", stiffness=8.0, damping=0.5, rest=0.3),
        "other": gd.JointSpring("j3", coordinate="angle_parent", stiffness=8.0, damping=0.5, rest=0.3),
    }
    result = gd.simulate(system.replace(loads=inner), 0.5, sample=0.05, solver=TIGHT)
    linear, angular = momenta(result)
    assert drift(linear) < 1e-9 * np.abs(linear).max()
    assert drift(angular) < 1e-8 * np.abs(angular).max()
    assert np.all(np.diff(result.data.mechanical_energy.values) < 0.0)  # the dampers take energy
    falling = gd.simulate(system.replace(loads=inner, gravity=(0, 1, -9)), 0.5, sample=0.05, solver=TIGHT)
    mass = sum(body.mass for body in system.bodies.values())
    gained = mass * np.outer(falling.data.time.values, (0.0, 1.0, -9.0))
    assert np.abs(momenta(falling)[0] - linear[0] - gained).max() < 1e-9 * np.abs(gained).max()


@FEW
@given(mechanisms(drives=0, conservative=True))
def test_energy_of_random_conservative_mechanisms(system):
    result = gd.simulate(system, 0.5, sample=0.05, solver=gd.Explicit(rtol=1e-10, atol=1e-11))
    assert energy_drift(result) < 1e-7
    assert result.data.constraint_residual.values.max() < 1e-8


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("system", [four_bar(), bricard(), slider_crank(0.7, speed=20.0)])
def test_energy_of_redundant_mechanisms(system, way):
    result = gd.simulate(system, 2.0, sample=0.02, solver=gd.Explicit(rtol=1e-10, atol=1e-11), stabilization=way)
    assert energy_drift(result) < 1e-7
    assert result.data.constraint_residual.values.max() < 1e-9


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(3))
def test_the_way_back(seed, way):
    system = flying(10 + seed, (gd.Revolute, gd.Spherical, gd.Cylindrical, gd.Universal), loop=True)
    system = system.replace(
        gravity=(0, 0, -9.81),
        loads={"strut": gd.SpringDamper("ground", "b2", at_second=(0.1, 0, 0), stiffness=30.0, length=0.5)},
    )
    there = gd.simulate(system, 0.5, solver=TIGHT, stabilization=way)
    back = gd.simulate(system.replace(start=reversed_state(there)), 0.5, solver=TIGHT, stabilization=way)
    assert np.allclose(back.data.position.values[-1], there.data.position.values[0], rtol=0, atol=1e-7)
    assert np.allclose(back.data.velocity.values[-1], -there.data.velocity.values[0], rtol=0, atol=1e-6)


def test_a_spring_winds_up_over_several_turns():
    """θ̈ = −k/J (θ − θ₀) from rest: θ̇ = θ₀ ω sin ωt, more than six turns."""
    result = gd.simulate(wound_wheel(), 1.0, sample=0.05, solver=TIGHT)
    expected = 20.0 * 5.0 * np.sin(5.0 * result.data.time.values)
    assert np.allclose(result.data.angular_velocity.sel(body="wheel", axis="z").values, expected, rtol=0, atol=1e-7)
    assert energy_drift(result) < 1e-9


def test_a_start_of_bodies_does_not_pretend_to_know_how_far_a_spring_is_wound():
    half = gd.simulate(wound_wheel(), 0.3, sample=0.1, solver=TIGHT)
    with pytest.raises(gd.ModelError, match=r"state: JointSpring 'spring' is wound by .* turns"):
        wound_wheel().replace(start=half.state())


def test_a_wound_spring_goes_on():
    """The same motion in two parts, with another solver from the middle on: the state knows the turns."""
    half = gd.simulate(wound_wheel(), 0.3, sample=0.1, solver=TIGHT)
    rest = gd.simulate(wound_wheel(), 0.7, sample=0.1, solver=gd.Sundials(rtol=1e-11, atol=1e-13), start=half.state())
    expected = 20.0 * 5.0 * np.sin(5.0 * rest.data.time.values)
    assert rest.data.time.values[[0, -1]] == pytest.approx([0.3, 1.0])
    assert rest.data.angular_velocity.sel(body="wheel", axis="z").values == pytest.approx(expected, abs=1e-5)


def test_a_damper_that_has_turned_often_can_go_on():
    """J ω̇ = −c ω: ω = ω₀ exp(−c t/J), over 10 turns, and on from there."""
    system = gd.System(
        bodies={"wheel": gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.2), angular_velocity=(0, 0, 50))},
        joints={"axle": gd.Revolute("ground", "wheel", at=(0, 0, 0))},
        loads={"brake": gd.JointSpring("axle", damping=0.1)},
    )
    first = gd.simulate(system, 2.0, sample=0.1, solver=TIGHT)
    turned = first.data.joint_position.sel(coordinate="axle.angle").values[-1]
    assert turned == pytest.approx(100.0 * (1.0 - np.exp(-1.0)), abs=1e-7)
    second = gd.simulate(system.replace(start=first.state()), 1.0, sample=0.1, solver=TIGHT)
    expected = 50.0 * np.exp(-0.5 * (2.0 + second.data.time.values))
    assert second.data.angular_velocity.sel(body="wheel", axis="z").values == pytest.approx(expected, abs=1e-8)


@FEW
@given(mechanisms(bodies=4, loops=0))
def test_power_of_loads_and_drives_equals_the_change_of_energy(system):
    """E changes by the work of forces, dampers and drives; here only by that of the drives and constant torques."""
    loads = {f"torque {name}": gd.Torque(name, (0.3, -0.2, 0.1)) for name in system.bodies}
    system = system.replace(loads=loads)
    result = gd.simulate(system, 0.2, sample=0.2 / 400, solver=TIGHT)
    data = result.data
    power = data.angular_velocity.values.sum(axis=1) @ np.array((0.3, -0.2, 0.1))
    t = data.time.values
    for name, drive in system.drives.items():
        _, slope, _ = drive.value.replace("*t + ", " + ").split(" + ")
        power = power + data.drive_effort.sel(drive=name).values * (float(slope) + 0.6 * np.sin(4.0 * t))
    simpson = np.r_[1.0, np.tile([4.0, 2.0], 199), 4.0, 1.0] * (t[1] - t[0]) / 3.0
    energy = data.mechanical_energy.values
    assert energy[-1] - energy[0] == pytest.approx(simpson @ power, abs=1e-7 * max(1.0, np.abs(energy).max()))
