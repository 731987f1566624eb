"""Loads that depend on the motion in Implicit: closed forms over decades of stiffness, steps that do not feel it."""

import numpy as np
import pytest

import gudgeon as gd

DISC = (1e-3, 1e-3, 2e-3)  # [kg·m²]


def followed(stiffness, damping, mass=1.0, amplitude=0.01, omega=3.0):
    """Complex amplitude of m ẍ = −k (x − a sin ωt) − d ẋ."""
    return stiffness * amplitude / (stiffness - mass * omega**2 + 1j * damping * omega)


def on_a_slide(stiffness, kind):
    """A mass that a stiff, critically damped spring makes follow a sin ωt, started on its steady motion."""
    damping = 2.0 * np.sqrt(stiffness)
    X = followed(stiffness, damping)
    rest, along = "0.01*sin(3*t)", "slide.displacement"
    load = {
        "joint spring": gd.JointSpring("slide", stiffness=stiffness, damping=damping, rest=rest),
        "spring": gd.SpringDamper(
            "ground", "mass", at_first=(-1, 0, 0), stiffness=stiffness, damping=damping, length=f"1 + {rest}"
        ),
        "expression": gd.JointForce("slide", f"-{stiffness}*({along} - {rest}) - {damping}*{along}_rate"),
        "force": gd.Force("mass", vector=(f"-{stiffness}*(mass.x - {rest}) - {damping}*mass.vx", 0, 0)),
    }[kind]
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"mass": gd.Body(mass=1.0, inertia=(1, 1, 1))},
        joints={"slide": gd.Prismatic("ground", "mass", at=(0, 0, 0), axis=(1, 0, 0))},
        loads={"load": load},
        start={"mass": gd.BodyState(position=(X.imag, 0, 0), orientation=(1, 0, 0, 0), velocity=(3.0 * X.real, 0, 0))},
    )


@pytest.mark.parametrize("kind", ["joint spring", "spring", "expression", "force"])
def test_steps_do_not_feel_the_stiffness_of_a_load(kind, coordinates):
    steps = []
    for stiffness in (1e4, 1e6, 1e8, 1e10):
        result = gd.simulate(
            on_a_slide(stiffness, kind), 2.0, sample=0.05, solver=gd.Implicit(rtol=1e-7), coordinates=coordinates
        )
        X = followed(stiffness, 2.0 * np.sqrt(stiffness))
        wanted = (X * np.exp(3j * result.data.time.values)).imag
        assert np.abs(result.data.position.sel(body="mass", axis="x").values - wanted).max() < 1e-7
        steps.append(result.stats["steps"] + result.stats["rejections"])
    assert max(steps) == steps[0] < 120, steps  # the slower it is against its own motions, the smoother it follows


def test_a_motor_with_a_steep_curve_approaches_its_speed_exponentially(coordinates):
    """J ω̇ = s (ω₀ − ω): ω = ω₀ (1 − exp(−s t/J)); a thousandth of a millisecond, then a step of its own."""
    J, idle = 2e-3, 100.0
    steps = []
    for slope in (2.0, 2e3, 2e6):
        motor = gd.Motor("main", torque=f"{slope}*({idle} - speed)")
        shaft = gd.System(
            gravity=(0, 0, 0),
            bodies={"disc": gd.Body(mass=1.0, inertia=DISC)},
            joints={"main": gd.Revolute("ground", "disc", at=(0, 0, 0))},
            loads={"motor": motor},
        )
        times = np.array([0.0, 0.5 * J / slope, J / slope, 5.0 * J / slope, 1.0])
        result = gd.simulate(shaft, 1.0, sample=times, solver=gd.Implicit(), coordinates=coordinates)
        speed = result.data.joint_velocity.sel(rate="main.angle").values
        assert speed == pytest.approx(idle * (1.0 - np.exp(-slope * times / J)), abs=1e-4)
        steps.append(result.stats["steps"] + result.stats["rejections"])
    assert max(steps) < 1.1 * steps[0], steps  # sixteen turns, whatever the slope


def test_two_discs_that_sense_each_other(coordinates):
    """Torques −k (θ₁ − θ₂) − d (ω₁ − ω₂) and their opposites, written by signals: momentum, slow common motion."""
    steps = []
    for k in (1e4, 1e6, 1e8):
        d = np.sqrt(k * DISC[2])  # ζ = 0.7
        spring = f"{k}*(one.angle - two.angle) + {d}*(one.angle_rate - two.angle_rate)"
        system = gd.System(
            gravity=(0, 0, 0),
            bodies={name: gd.Body(mass=1.0, inertia=DISC) for name in ("a", "b")},
            joints={"one": gd.Revolute("ground", "a", at=(0, 0, 0)), "two": gd.Revolute("ground", "b", at=(0, 0, 1))},
            loads={
                "on one": gd.JointTorque("one", f"0.4*sin(2*t) - ({spring})"),
                "on two": gd.JointTorque("two", spring),
            },
        )
        result = gd.simulate(system, 3.0, sample=0.1, solver=gd.Implicit(rtol=1e-7), coordinates=coordinates)
        t, speed = result.data.time.values, result.data.joint_velocity
        both = [speed.sel(rate=f"{joint}.angle").values for joint in ("one", "two")]
        assert sum(both) * DISC[2] == pytest.approx(0.2 * (1.0 - np.cos(2 * t)), abs=1e-6)
        # each gets half of the torque, so that the spring carries 0.2 sin 2t: ω₁ − ω₂ = 0.4 cos 2t/k where it is slow
        assert both[0] - both[1] == pytest.approx(0.4 * np.cos(2 * t) / k, abs=1e-4)
        steps.append(result.stats["steps"] + result.stats["rejections"])
    assert max(steps) < 1.2 * steps[0], steps


def test_a_stiff_gear(coordinates):
    """Under T = 1 − cos 4t the wheels turn as one, and the teeth yield by e = T J/(J₁ k), J = (1/J₁ + 9/J₂)⁻¹."""
    J1, J2, steps = 0.01, 0.09, []
    J = 1.0 / (1.0 / J1 + 9.0 / J2)
    for k in (1e6, 1e8, 1e10):
        train = gd.System(
            gravity=(0, 0, 0),
            bodies={
                "a": gd.Body(mass=1.0, inertia=(J1, J1, J1)),
                "b": gd.Body(mass=1.0, inertia=(J2, J2, J2), position=(0.1, 0, 0)),
            },
            joints={"A": gd.Revolute("ground", "a", at=(0, 0, 0)), "B": gd.Revolute("ground", "b", at=(0.1, 0, 0))},
            couplings={"mesh": gd.Gear("A", "B", teeth=(20, 60), stiffness=k, damping=2.0 * np.sqrt(k * J))},
            loads={"T": gd.JointTorque("A", "1 - cos(4*t)")},
        )
        data = (result := gd.simulate(train, 1.0, sample=0.05, solver=gd.Implicit(), coordinates=coordinates)).data
        t, yields = data.time.values, (1.0 - np.cos(4.0 * data.time.values)) * J / (J1 * k)
        as_one = (0.5 * t**2 + (np.cos(4.0 * t) - 1.0) / 16.0) / (J1 + J2 / 9.0)
        assert data.joint_position.sel(coordinate="A.angle").values == pytest.approx(
            as_one + J / J1 * yields, rel=1e-8, abs=1e-7
        )
        effort = float(data.coupling_effort.sel(coupling="mesh", coupled="first")[-1])
        assert effort == pytest.approx(-k * yields[-1], abs=1e-4 + 1e-11 * k)  # e is known to atol at the end of a step
        steps.append(result.stats["steps"] + result.stats["rejections"])
    assert max(steps) == steps[0] < 600, steps


def chain(count):
    """Balls in a row, each tied to the next by a stiff, damped spring without length; the first is shaken."""
    names = [f"ball {k}" for k in range(count)]
    loads = {
        f"spring {k}": gd.SpringDamper(
            names[k - 1] if k else "ground", names[k], stiffness=1e7, damping=2e3, length=0.0, at_first=(0.1, 0, 0)
        )
        for k in range(count)
    }
    bodies = {
        name: gd.Body(mass=0.1, inertia=(1e-4, 1e-4, 1e-4), position=(0.1 * (k + 1), 0, 0))
        for k, name in enumerate(names)
    }
    return gd.System(bodies=bodies, joints={}, loads=loads, gravity=(0, 0, -9.81))


def test_the_algebra_of_a_chain_of_springs_is_linear_in_its_length():
    from gudgeon.mechanics.equations import equations_of_motion
    from gudgeon.solvers.collocation import collocation

    sizes = []
    for count in (20, 40, 80):
        made = collocation(equations_of_motion(chain(count)), 3)
        sizes.append((len(made.matrix), len(made.response.pattern.update), len(made.response.pattern.colour)))
    first, second, third = np.array(sizes, dtype=float)
    assert (third - second)[:2] == pytest.approx(2.0 * (second - first)[:2], rel=0.05)  # no term of higher order
    assert third[2] == second[2] <= 8  # as many answers of the mechanism, however long the chain


def pendulum_on_springs():
    """A double pendulum that damped springs, one along a joint and one between points, hold stiffly."""
    return gd.System(
        bodies={
            "upper": gd.Body(mass=1.0, inertia=(0.02, 0.02, 0.001), position=(0.2, 0, 0), angular_velocity=(0, 2, 0)),
            "lower": gd.Body(mass=0.7, inertia=(0.01, 0.01, 0.001), position=(0.6, 0, 0), angular_velocity=(0, -1, 0)),
        },
        joints={
            "shoulder": gd.Revolute("ground", "upper", at=(0, 0, 0), axis=(0, 1, 0)),
            "elbow": gd.Revolute("upper", "lower", at=(0.4, 0, 0), axis=(0, 1, 0)),
        },
        loads={
            "torsion": gd.JointSpring("elbow", stiffness=5e3, damping=30.0),
            "strut": gd.SpringDamper(
                "ground",
                "upper",
                at_first=(0, 0, 0.5),
                at_second=(0.1, 0, 0),
                stiffness=2e4,
                damping=200.0,
                length=0.55,
            ),
            "brake": gd.JointTorque("shoulder", "-50*tanh(shoulder.angle_rate/0.05)"),
        },
    )


def test_it_agrees_with_the_explicit_solver(coordinates):
    options = {"sample": 0.01, "coordinates": coordinates}
    one = gd.simulate(pendulum_on_springs(), 0.5, solver=gd.Explicit(rtol=1e-11, atol=1e-13), **options).data
    two = gd.simulate(pendulum_on_springs(), 0.5, solver=gd.Implicit(rtol=1e-10, atol=1e-13), **options).data
    assert np.abs(one.joint_position.values - two.joint_position.values).max() < 2e-8


def test_energy_is_balanced_by_the_power_of_loads(coordinates):
    from machines.energy_balance import unbalanced

    result = gd.simulate(
        pendulum_on_springs(), 0.5, sample=1e-4, solver=gd.Implicit(rtol=1e-9), coordinates=coordinates
    )
    assert unbalanced(result) < 2e-4


def test_auto_follows_touches_explicitly():
    """Measured on the machines of examples/: door with a stop 5 ms against 57, cam 56 against 116."""
    door = gd.System(
        bodies={"door": gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0.5, 0, 0))},
        joints={"hinge": gd.Revolute("ground", "door", at=(0, 0, 0))},
        loads={"stop": gd.Stop("hinge", lower=-0.1, contact=gd.laws.HuntCrossley(stiffness=1e4, damping=0.5))},
    )
    assert gd.simulate(door, 1e-3).stats["solver"] == "Explicit"
    soft = gd.Bushing(stiffness=1e6, damping_time=1e-3, tilt_stiffness=1e4)
    assert gd.simulate(door.with_model(hinge=soft), 1e-3).stats["solver"] == "Implicit"
