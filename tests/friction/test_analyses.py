"""What analyses say of ideal joints that rub: small motions, equilibria, kinematics, inverse dynamics."""

import math

import numpy as np
import pytest

import gudgeon as gd
from friction.rubbing_mechanisms import GRAVITY, SMOOTH, block, four_bar, jack, rotor, slider_crank
from reference_friction import FrictionReference

LAW = gd.laws.Coulomb(coefficient=0.2, velocity_tolerance=1e-2)
SLOPE = 0.2 / 1e-2  # of the law at rest, per load [s/m]


def hanging(joint):
    body = gd.Body(mass=2.0, inertia=(0.02,) * 3, position=(0, 0, -0.5))
    return gd.System(gravity=(0, 0, -GRAVITY), bodies={"bob": body}, joints={"pivot": joint})


def test_a_bearing_at_rest_is_a_damper():
    """c = (μ/v₁) N r²; with two bearings and a thrust each counts with its own radius."""
    weight = 2.0 * GRAVITY
    plain = gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0), model=gd.Ideal(friction=LAW, radius=0.03))
    assert gd.linearize(hanging(plain)).damping[0, 0] == pytest.approx(SLOPE * weight * 0.03**2, rel=1e-9)
    shaft = gd.Ideal(friction=LAW, radius=0.01, length=0.05, thrust_radius=0.02)
    tilt = 0.4
    axis = (0.0, math.cos(tilt), math.sin(tilt))
    wheel = gd.Body(mass=2.0, inertia=(0.02,) * 3, position=tuple(0.07 * x for x in axis))
    system = gd.System(
        gravity=(0, 0, -GRAVITY),
        bodies={"wheel": wheel},
        joints={"shaft": gd.Revolute("ground", "wheel", at=(0, 0, 0), axis=axis, model=shaft)},
    )
    across, along = weight * math.cos(tilt), weight * math.sin(tilt)
    radial = abs(across / 2 + across * 0.07 / 0.05) + abs(across / 2 - across * 0.07 / 0.05)
    expected = SLOPE * (radial * 0.01**2 + along * 0.02**2)
    assert gd.linearize(system).damping[0, 0] == pytest.approx(expected, rel=1e-9)


def test_balls_rods_and_threads_at_rest():
    weight = 2.0 * GRAVITY
    ball = gd.Spherical("ground", "bob", at=(0, 0, 0), model=gd.Ideal(friction=LAW, radius=0.03))
    small = gd.linearize(hanging(ball))
    c = SLOPE * weight * 0.03**2
    damping = np.diag(small.damping) / np.diag(small.mass)
    assert sorted(damping) == pytest.approx(sorted([c / (2.0 * 0.25 + 0.02), c / (2.0 * 0.25 + 0.02), c / 0.02]))
    rod = gd.System(
        gravity=(0, 0, -GRAVITY),
        bodies={"rod": gd.Body(mass=2.0, inertia=(0.02,) * 3)},
        joints={
            "sleeve": gd.Cylindrical(
                "ground", "rod", at=(0, 0, 0), axis=(1, 0, 0), model=gd.Ideal(friction=LAW, radius=0.03)
            )
        },
    )
    small = gd.linearize(rod, coordinates=["sleeve.displacement", "sleeve.angle"])
    assert small.damping == pytest.approx(np.diag([SLOPE * weight, SLOPE * weight * 0.03**2]), abs=1e-9)
    lam, load, r = 0.15, 100.0, 0.01
    screw = jack(LAW, lam, load=load).replace(loads={"hold": gd.JointTorque("spindle", load * r * math.tan(lam))})
    small = gd.linearize(screw, coordinates=["spindle.angle"])
    # the flanks carry W/cos λ and slide with r θ̇/cos λ
    assert small.damping[0, 0] == pytest.approx(SLOPE * load / math.cos(lam) * (r / math.cos(lam)) ** 2, rel=1e-9)


def test_small_motion_is_that_of_a_run():
    """The damped swing of a hanging four-bar: eigenvalues against a run of a thousandth of a radian."""
    law = gd.laws.Coulomb(coefficient=0.3, velocity_tolerance=0.05)
    found = gd.equilibrium(four_bar(gd.Ideal(friction=law, radius=0.02), spin=0.0))
    small = gd.linearize(found)
    push = found.system.replace(
        start={**found.system.start}, loads={"kick": gd.Torque("crank", (0, 0, "0.05*exp(-((t-0.05)/0.01)**2)"))}
    )
    data = gd.simulate(push, 1.5, solver=gd.Explicit(rtol=1e-10, atol=1e-13), sample=1e-3).data
    angle = data.joint_position.values[:, 0] - data.joint_position.values[0, 0]
    t = data.time.values
    late = t > 0.15
    root = small.eigenvalues[0]
    basis = np.stack(
        [np.exp(root.real * t) * np.cos(root.imag * t), np.exp(root.real * t) * np.sin(root.imag * t)], axis=1
    )
    fitted = basis[late] @ np.linalg.lstsq(basis[late], angle[late], rcond=None)[0]
    assert np.abs(fitted - angle[late]).max() < 2e-2 * np.abs(angle[late]).max()
    assert root.real < -0.1


def test_what_slides_sticks_or_remembers_is_refused():
    sliding = block(LAW, speed=1.0)
    with pytest.raises(gd.ModelError, match="linearize: Prismatic 'guide' slides with 1 m/s"):
        gd.linearize(sliding)
    with pytest.raises(gd.ModelError, match="linearize: Prismatic 'guide' has set-valued friction"):
        gd.linearize(block(gd.laws.DryFriction(static=0.1)))
    bristles = gd.laws.LuGre(kinetic=0.2, static=0.3, stribeck_speed=0.01, bristle_stiffness=1e4, bristle_damping=1.0)
    with pytest.raises(gd.ModelError, match="linearize: Prismatic 'guide' has LuGre friction"):
        gd.linearize(block(bristles))
    for law in (bristles, gd.laws.DryFriction(static=0.1)):
        for analyse in (
            lambda law=law: gd.kinematics(rotor(law).replace(drives={"d": gd.Drive("shaft", "t")}), 1.0),
            lambda law=law: gd.inverse_dynamics(rotor(law), {"shaft": "t"}, duration=1.0),
        ):
            with pytest.raises(gd.ModelError, match=r"Revolute 'shaft' has .* friction, which a motion alone does not"):
                analyse()
    screw = jack(gd.laws.DryFriction(static=0.1), 0.1)
    with pytest.raises(gd.ModelError, match="linearize: Screw 'thread' has set-valued friction"):
        gd.linearize(screw)


def test_equilibrium_is_that_without_friction():
    """Friction does nothing at rest; the system found keeps it, and a run from there stays."""
    law = gd.laws.DryFriction(static=0.3)
    start = {"block": gd.BodyState(position=(0.3, 0, 0), orientation=(1, 0, 0, 0))}
    system = block(law).replace(loads={"spring": gd.JointSpring("guide", stiffness=50.0, rest=0.1)}, start=start)
    found = gd.equilibrium(system)
    assert found.system.start["block"].position[0] == pytest.approx(0.1, abs=1e-12)
    assert found.system.joints == system.joints
    stays = gd.simulate(found.system, 0.1, solver=gd.TimeStepping(step=1e-2), sample=0.1).data
    assert float(stays.joint_position[-1, 0]) == pytest.approx(0.1, abs=1e-12)


def test_kinematics_tells_what_friction_asks_of_the_drive():
    """Closed form: J θ̈ + μ r m g; what is dissipated needs a history, which kinematics has not."""
    law = gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-6)
    driven = rotor(law, spin=0.0).replace(drives={"motor": gd.Drive("shaft", "0.1*t + 2*t**2")})
    data = gd.kinematics(driven, 1.0, sample=0.25).data
    assert data.drive_effort.values[:, 0] == pytest.approx(0.02 * 4.0 + 0.1 * 0.01 * 2.0 * GRAVITY, rel=1e-9)
    assert "dissipated_energy" not in data and "friction_power" in data


@pytest.mark.parametrize("actuator", ["main", "big end.angle"])
def test_inverse_dynamics_wherever_the_actuator_is(actuator):
    """Friction depends on the reactions that this actuator leaves: against the reference, at given accelerations."""
    law = gd.laws.Coulomb(coefficient=0.15, velocity_tolerance=0.05)
    system = slider_crank(law)
    run = gd.simulate(system, 0.1, sample=[0.0, 0.05, 0.1], solver=gd.Explicit(rtol=1e-11, atol=1e-13))
    idle = system.replace(gravity=(0, 0, 0))  # so that something is left for the actuators
    needed = gd.inverse_dynamics(idle, run, actuators=[actuator, "bore.angle"])
    joint, _, coordinate = actuator.partition(".")
    for s in range(3):
        efforts = dict(zip((actuator, "bore.angle"), needed.effort.values[s], strict=True))
        loads = {
            "one": gd.JointTorque(joint, float(efforts[actuator]), coordinate=coordinate or None),
            "two": gd.JointTorque("bore", float(efforts["bore.angle"]), coordinate="angle"),
        }
        pushed = gd.simulate(
            idle.replace(loads=loads, start=run.state(s).bodies), 1e-6, sample=[0.0], solver=gd.Explicit()
        ).data.isel(time=0)
        wanted = run.data.isel(time=s)
        for name in ("acceleration", "angular_acceleration"):
            scale = np.abs(wanted[name].values).max()
            assert pushed[name].values == pytest.approx(wanted[name].values, abs=1e-6 * scale)
        assert pushed.friction_effort.values == pytest.approx(needed.friction_effort.values[s], abs=1e-8)
        for name in ("reaction_force", "reaction_torque"):
            assert pushed[name].values == pytest.approx(needed[name].values[s], abs=1e-6)


def test_inverse_dynamics_of_a_run_needs_nothing():
    for system in (
        slider_crank(SMOOTH),
        four_bar(gd.Ideal(friction=SMOOTH, radius=0.01)),
        jack(SMOOTH, 0.15, torque=0.4),
    ):
        run = gd.simulate(system, 0.05, sample=0.01, solver=gd.Explicit(rtol=1e-11, atol=1e-13))
        needed = gd.inverse_dynamics(system, run)
        assert np.abs(needed.effort.values).max() < 1e-5
        assert needed.friction_effort.values == pytest.approx(run.data.friction_effort.values, abs=1e-6)
        assert needed.reaction_torque.values == pytest.approx(run.data.reaction_torque.values, abs=1e-5)


def test_redundant_rows_that_matter_are_refused():
    law = gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)
    for lengths, what in (
        ({"length": 0.02}, "the moment across its axis"),
        ({"thrust_radius": 0.02}, "the thrust along its axis"),
    ):
        system = four_bar(gd.Ideal(friction=law, radius=0.01, **lengths))
        for analyse in (
            lambda system=system: gd.simulate(system, 0.1),
            lambda system=system: gd.inverse_dynamics(system, {"A": "t"}, duration=0.1),
            lambda system=system: gd.kinematics(system.replace(drives={"d": gd.Drive("A", "t")}), 0.1),
            lambda system=system: gd.linearize(system.replace(start={}, bodies=_at_rest(system))),
        ):
            with pytest.raises(
                gd.ModelError, match=f"Revolute 'A' has friction that depends on {what}.*not determined"
            ):
                analyse()


def _at_rest(system):
    import dataclasses

    return {name: dataclasses.replace(body, angular_velocity=None) for name, body in system.bodies.items()}


def test_reference_and_inverse_dynamics_mean_the_same_loads():
    """At the start of a run, friction of the reference from reactions is that of inverse dynamics."""
    system = slider_crank(gd.laws.Coulomb(coefficient=0.15, velocity_tolerance=0.05))
    run = gd.simulate(system, 1e-5, sample=[0.0], solver=gd.Explicit())
    reference = FrictionReference(system, run.state(0))
    needed = gd.inverse_dynamics(system, run)
    along = {"main": "main.angle"}
    for label, coordinate in along.items():
        radius = system.joints[label].model.radius
        torque = float(needed.friction_effort.sel(rubbing_coordinate=coordinate)[0])
        assert torque == pytest.approx(radius * float(reference.efforts[label][0]), rel=1e-6)
