"""Motors with rotors and gears, and stops: scalar equations, a rotor that is a body, restitution, located events."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import gudgeon as gd
from machines.energy_balance import unbalanced
from one_joint import one_joint

SOLVERS = {
    "Explicit": (gd.Explicit(rtol=1e-10, atol=1e-12), 1e-9),
    "Implicit": (gd.Implicit(rtol=1e-10, atol=1e-12), 1e-8),
    "TimeStepping": (gd.TimeStepping(step=2e-4), 1e-6),
}


def arm(**more) -> gd.System:
    """A pendulum of 1 kg and 1 m, J = 1.01 kg·m²."""
    return gd.System(
        bodies={"bob": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0, 0, -1))},
        joints={"pivot": gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0))},
        **more,
    )


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_motor_with_gear_and_rotor(coordinates, solver):
    """(J + n² J_r) θ̈ = n T(n θ̇) − m g l sin θ."""
    n, rotor = -12.0, 2e-3
    motor = gd.Motor("pivot", torque="0.4*(1 - speed/300)", gear_ratio=n, rotor_inertia=rotor)
    chosen, tolerance = SOLVERS[solver]
    result = gd.simulate(arm(loads={"m": motor}), 2.0, solver=chosen)
    found = solve_ivp(
        lambda t, y: [y[1], (n * 0.4 * (1 - n * y[1] / 300) - 9.81 * math.sin(y[0])) / (1.01 + n * n * rotor)],
        (0.0, 2.0),
        [0.0, 0.0],
        rtol=1e-11,
        atol=1e-13,
    ).y[:, -1]
    end = [float(result.data.joint_position[-1, 0]), float(result.data.joint_velocity[-1, 0])]
    assert end == pytest.approx(found, abs=tolerance)
    assert unbalanced(result) < 1e-6
    kinetic = 0.5 * (1.01 + n * n * rotor) * result.data.joint_velocity.values[:, 0] ** 2
    assert result.data.kinetic_energy.values == pytest.approx(kinetic, abs=1e-9 * kinetic.max())


def curve(speed):
    return 0.4 * (1.0 - speed / 300.0)


def test_torque_speed_curves_of_all_kinds_are_one():
    """An expression, a function of `speed`, and a table of it."""
    table = gd.Table([-600.0, 0.0, 600.0], [1.2, 0.4, -0.4], of="speed")
    ends = []
    for torque in ("0.4*(1 - speed/300)", curve, table):
        loads = {"m": gd.Motor("pivot", torque=torque, gear_ratio=12.0, rotor_inertia=1e-3)}
        data = gd.simulate(arm(loads=loads), 1.0, solver=gd.Explicit(rtol=1e-10, atol=1e-12)).data
        ends.append(float(data.joint_position[-1, 0]))
    assert ends[1] == pytest.approx(ends[0], abs=1e-10) and ends[2] == pytest.approx(ends[0], abs=1e-10)


def carried(rotor_as_body: bool) -> gd.System:
    """A turntable that spins about z carries a motor with a horizontal axis, which swings an arm; gear ratio −3.

    The rotor as a body is hinged to the table and geared to the arm; as a `Motor` its inertia across its axis, and its
    mass, belong to the table.
    """
    J, across, mass, n = 0.02, 0.015, 0.3, -3
    inertia = np.diag([0.5, 0.6, 0.8]) + (0.0 if rotor_as_body else 1.0) * np.diag([0.0, across, across])
    spinning = {"angular_velocity": (0, 0, 3)}
    bodies = {
        "table": gd.Body(mass=4.0, inertia=inertia, position=(0, 0, 0), velocity=(0, 0, 0), **spinning),
        "arm": gd.Body(
            mass=1.0, inertia=(0.1, 0.12, 0.05), position=(0.1, 0.3, -0.4), velocity=(-0.9, 0.3, 0), **spinning
        ),
    }
    joints = {
        "spin": gd.Revolute("ground", "table", at=(0, 0, 0), axis=(0, 0, 1)),
        "swing": gd.Revolute("table", "arm", at=(0.1, 0.3, 0), axis=(1, 0, 0)),
    }
    if not rotor_as_body:
        motor = gd.Motor("swing", torque="1.5*cos(4*t)", gear_ratio=n, rotor_inertia=J)
        return gd.System(bodies=bodies, joints=joints, loads={"m": motor})
    bodies["rotor"] = gd.Body(
        mass=mass, inertia=(J, across, across), position=(0, 0, 0), velocity=(0, 0, 0), **spinning
    )
    joints["shaft"] = gd.Revolute("table", "rotor", at=(0, 0, 0), axis=(1, 0, 0))
    mesh = {"gear": gd.Gear("swing", "shaft", teeth=(3, 1))}  # 3 θ + φ = 0
    return gd.System(bodies=bodies, joints=joints, couplings=mesh, loads={"m": gd.JointTorque("shaft", "1.5*cos(4*t)")})


def test_a_rotor_on_a_moving_body_is_a_rotor(coordinates):
    """The inertia of a motor's rotor does what a body hinged to the parent and geared to the joint does."""
    runs = [
        gd.simulate(carried(as_body), 1.5, solver=gd.Explicit(rtol=1e-11, atol=1e-13)).data for as_body in (False, True)
    ]
    for name in ("spin.angle", "swing.angle"):
        one, two = (data.joint_position.sel(coordinate=name).values for data in runs)
        assert np.ptp(two) > 0.5
        assert one == pytest.approx(two, abs=1e-8)
    assert runs[0].kinetic_energy.values == pytest.approx(runs[1].kinetic_energy.values, abs=1e-7)


def test_reactions_beside_a_rotor_are_the_same_in_both_formulations():
    """A planar four-bar of hinges, whose rows are redundant, with a rotor that carries much of its inertia."""
    z, points = (0, 0, 1), {"A": (0.1, 0, 0), "B": (0.12, 0.3, 0), "D": (0.36, 0, 0)}

    def bar(one, two):
        middle = tuple((x + y) / 2 for x, y in zip(one, two, strict=True))
        return gd.Body(mass=0.5, inertia=(5e-3, 5e-3, 5e-3), position=middle)

    system = gd.System(
        gravity=(0, -9.81, 0),
        bodies={
            "crank": bar((0, 0, 0), points["A"]),
            "coupler": bar(points["A"], points["B"]),
            "rocker": bar(points["D"], points["B"]),
        },
        joints={
            "main": gd.Revolute("ground", "crank", at=(0, 0, 0), axis=z),
            "A": gd.Revolute("crank", "coupler", at=points["A"], axis=z),
            "B": gd.Revolute("coupler", "rocker", at=points["B"], axis=z),
            "D": gd.Revolute("ground", "rocker", at=points["D"], axis=z),
        },
        loads={"m": gd.Motor("main", torque="0.2*(1 - speed/500)", gear_ratio=25.0, rotor_inertia=6e-6)},
    )
    tight = gd.Explicit(rtol=1e-11, atol=1e-13)
    one, two = (
        gd.simulate(system, 0.3, coordinates=each, solver=tight, sample=0.02) for each in ("absolute", "relative")
    )
    assert one.stats["redundant_rows"] == 3
    for name in ("reaction_force", "reaction_torque", "acceleration"):
        first, second = one.data[name].values, two.data[name].values
        assert np.abs(first - second).max() < 1e-9 * max(1.0, np.abs(first).max())
    assert float(abs(one.data.reaction_force).max()) > 5.0


def test_a_rotor_on_a_slide_is_mass(coordinates):
    """n in rad/m: J n² is added to the mass, not to the weight."""
    sledge = gd.System(
        bodies={"sledge": gd.Body(mass=2.0, inertia=(1, 1, 1), position=(0, 0, 0))},
        joints={"slide": gd.Prismatic("ground", "sledge", at=(0, 0, 0), axis=(0, 0, 1))},
        loads={"m": gd.Motor("slide", torque=0.5, gear_ratio=50.0, rotor_inertia=1e-3)},
    )
    data = gd.simulate(sledge, 1.0).data
    wanted = 0.5 * (50.0 * 0.5 - 2.0 * 9.81) / (2.0 + 2500.0 * 1e-3)
    assert float(data.joint_position[-1, 0]) == pytest.approx(wanted, rel=1e-8)


def test_analyses_know_the_rotor():
    """ω² = m g l / (J + n² J_r); the effort of a driven joint is that of both inertias."""
    n, rotor = 10.0, 5e-3
    system = arm(loads={"m": gd.Motor("pivot", torque="-0.002*speed", gear_ratio=n, rotor_inertia=rotor)})
    small = gd.linearize(system)
    assert small.mass[0, 0] == pytest.approx(1.01 + n * n * rotor, rel=1e-10)
    assert small.damping[0, 0] == pytest.approx(n * n * 0.002, rel=1e-7)
    free = system.replace(loads={"m": gd.Motor("pivot", torque=0.0, gear_ratio=n, rotor_inertia=rotor)})
    needed = gd.inverse_dynamics(free, {"pivot": "0.5*t**2"}, duration=1.0, sample=0.5)
    t = needed.time.values
    wanted = (1.01 + n * n * rotor) + 9.81 * np.sin(0.5 * t * t)
    assert needed.effort.sel(actuator="pivot").values == pytest.approx(wanted, abs=1e-9)


def door(law, speed=2.0, **more) -> gd.System:
    """J = 20·0.4² + 1.5 = 4.7 kg·m² about the hinge, no gravity, opens with `speed`."""
    return gd.System(
        gravity=(0, 0, 0),
        bodies={
            "door": gd.Body(mass=20.0, inertia=(1, 1, 1.5), position=(0.4, 0, 0), angular_velocity=(0, 0, speed)),
        },
        joints={"hinge": gd.Revolute("ground", "door", at=(0, 0, 0), axis=(0, 0, 1))},
        loads={"stop": gd.Stop("hinge", lower=-0.5, upper=1.0, contact=law)},
        **more,
    )


HERTZ = gd.laws.Hertz(stiffness=4000.0)
DAMPED = gd.laws.KelvinVoigt(stiffness=4000.0, damping=8.0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_elastic_stop_gives_back_what_it_takes(coordinates, solver):
    """Hertz: v is reversed; ½ J v² = 2/5 K δ^2.5 at the deepest; contacts at the times of free flight."""
    chosen, _ = SOLVERS[solver]
    if solver == "TimeStepping":
        chosen = gd.TimeStepping(step=5e-5)
    result = gd.simulate(door(HERTZ), 2.0, solver=chosen, sample=2e-4)
    events, data = result.events, result.data
    assert events.contact.tolist() == ["stop upper", "stop lower"] and set(events.joint) == {"hinge"}
    close = 1e-4 if solver == "TimeStepping" else 1e-9
    assert events.begin[0] == pytest.approx(0.5, abs=close)
    assert events.begin[1] - events.end[0] == pytest.approx(1.5 / 2.0, abs=max(2 * close, 1e-8))
    deepest = (0.5 * 4.7 * 4.0 * 2.5 / 4000.0) ** 0.4
    assert events.peak_force[0] == pytest.approx(4000.0 * deepest**1.5, rel=1e-4)
    assert events.impact_speed.tolist() == pytest.approx([2.0, 2.0], rel=1e-6)
    assert float(data.joint_velocity[-1, 0]) == pytest.approx(2.0, rel=1e-6)
    assert events.energy_lost.abs().max() < 1e-6
    assert float(data.stop_effort.sel(stop="stop upper").max()) == pytest.approx(events.peak_force[0], rel=1e-3)


def test_a_damped_stop(coordinates):
    """Kelvin–Voigt: ends when the force would pull; e from the closed form of the damped oscillator."""
    result = gd.simulate(door(DAMPED), 1.0, sample=2e-4)
    rate, frequency = 8.0 / (2 * 4.7), math.sqrt(4000.0 / 4.7 - (8.0 / (2 * 4.7)) ** 2)

    def speed_at_end() -> float:
        # δ = v/ω e^(−at) sin ωt; k δ + c δ̇ = 0 first after the deepest point
        phase = math.atan2(frequency * 8.0, -(4000.0 - 8.0 * rate))
        t = phase / frequency
        return 2.0 * math.exp(-rate * t) * (math.cos(phase) - rate / frequency * math.sin(phase))

    assert float(result.data.joint_velocity[-1, 0]) == pytest.approx(speed_at_end(), rel=1e-5)
    lost = 0.5 * 4.7 * (4.0 - speed_at_end() ** 2)
    assert result.events.energy_lost[0] == pytest.approx(lost, rel=1e-5)
    assert float(result.data.dissipated_energy.sel(joint="hinge")[-1]) == pytest.approx(lost, rel=1e-5)
    assert unbalanced(result) < 1e-5


def test_a_stop_counts_turns(coordinates):
    """The limit is two and a half turns away."""
    limit = 5.0 * math.pi
    system = door(HERTZ, speed=20.0)
    system = system.replace(loads={"stop": gd.Stop("hinge", upper=limit, contact=HERTZ)})
    events = gd.simulate(system, 1.2).events
    assert events.begin.tolist() == pytest.approx([limit / 20.0], abs=1e-9)


def test_a_stop_of_a_displacement_and_of_both_angles_of_a_universal_joint(coordinates):
    """A slide of 2 kg with a spring law, and a shaft whose two angles are stopped one after the other."""
    law = gd.laws.Hertz(stiffness=1e5)
    slide = gd.System(
        gravity=(0, 0, 0),
        bodies={"sledge": gd.Body(mass=2.0, inertia=(1, 1, 1), position=(0, 0, 0), velocity=(0, 0, -3.0))},
        joints={"slide": gd.Prismatic("ground", "sledge", at=(0, 0, 0), axis=(0, 0, 1))},
        loads={"end": gd.Stop("slide", lower=-0.3, contact=law)},
    )
    result = gd.simulate(slide, 0.3)
    assert result.events.begin.tolist() == pytest.approx([0.1], abs=1e-9)
    assert float(result.data.joint_velocity[-1, 0]) == pytest.approx(3.0, rel=1e-6)
    for coordinate, spin in (("angle_parent", (1.5, 0, 0)), ("angle_child", (0, 1.5, 0))):
        shaft = gd.System(
            gravity=(0, 0, 0),
            bodies={"shaft": gd.Body(mass=2.0, inertia=(0.3, 0.3, 0.3), position=(0, 0, 0), angular_velocity=spin)},
            joints={
                "cross": gd.Universal("ground", "shaft", at=(0, 0, 0), axis_parent=(1, 0, 0), axis_child=(0, 1, 0))
            },
            loads={"end": gd.Stop("cross", lower=-0.6, upper=0.6, contact=law, coordinate=coordinate)},
        )
        result = gd.simulate(shaft, 1.0)
        assert result.events.contact.tolist() == ["end upper"]
        assert result.events.begin.tolist() == pytest.approx([0.4], abs=1e-9)
        assert float(result.data.joint_velocity.sel(rate=f"cross.{coordinate}")[-1]) == pytest.approx(-1.5, rel=1e-5)


def test_rest_on_a_stop():
    """Under gravity the pendulum leans on a stop at 0.3: equilibrium, its stiffness, and the run that settles there."""
    k = 2000.0
    law = gd.laws.KelvinVoigt(stiffness=k, damping=60.0)
    system = arm(
        loads={"stop": gd.Stop("pivot", lower=0.3, contact=law)},
        start={
            "bob": gd.BodyState(
                position=(-math.sin(0.4), 0, -math.cos(0.4)), orientation=(math.cos(0.2), 0, math.sin(0.2), 0)
            )
        },
    )
    settled = gd.simulate(system, 6.0).data
    angle = float(settled.joint_position[-1, 0])
    assert k * (0.3 - angle) == pytest.approx(9.81 * math.sin(angle), rel=1e-6)
    at = gd.equilibrium(system)
    assert gd.linearize(at).stiffness[0, 0] == pytest.approx(k + 9.81 * math.cos(angle), rel=1e-4)


@pytest.mark.parametrize(
    ("make", "wording"),
    [
        (lambda: gd.Stop("hinge", contact=HERTZ), "Stop on 'hinge': it stops nothing; give lower=, upper= or both"),
        (lambda: gd.Stop("hinge", lower=1.0, upper=0.0, contact=HERTZ), "lower is 1, upper 0; lower must be less"),
        (lambda: gd.Stop("hinge", lower=1.0, contact=3.0), "Stop on 'hinge': contact"),
        (
            lambda: door(HERTZ).replace(loads={"s": gd.Stop("hing", upper=1, contact=HERTZ)}),
            "Stop 's': no joint 'hing'",
        ),
        (lambda: gd.Motor("a", torque=1.0, gear_ratio=0.0), "Motor on 'a': gear_ratio is 0"),
        (lambda: gd.Motor("a", torque=1.0, rotor_inertia=-1.0), "rotor_inertia is -1 kg·m²; it must not be negative"),
        (
            lambda: gd.simulate(door(HERTZ).replace(loads={"s": gd.Stop("hinge", upper=-0.2, contact=HERTZ)}), 1.0),
            r"Stop 's': the joint 'hinge' starts 0.2 \(rad or m\) beyond its upper limit of -0.2; start it within",
        ),
        (
            lambda: gd.linearize(gd.simulate(carried(False), 0.1)),
            "linearize: Motor 'm' has a rotor on the moving body 'table'",
        ),
    ],
)
def test_mistakes(make, wording):
    with pytest.raises(gd.ModelError, match=wording):
        make()


def test_a_stop_goes_on_where_a_run_was_cut():
    """In the middle of a contact, to the bit."""
    system = door(HERTZ)
    whole, half = gd.simulate(system, 1.0, sample=0.51), gd.simulate(system, 0.51, sample=0.51)
    assert len(half.events) == 1 and math.isnan(half.events.end[0])
    rest = gd.simulate(system, 0.49, start=half.state(), sample=0.49)
    assert rest.data.joint_velocity.values[-1].tobytes() == whole.data.joint_velocity.values[-1].tobytes()


def test_small_motions_about_a_rest_on_a_stop():
    """K δ^1.5 = m g l cos θ at rest, θ = limit + δ; ω² = (1.5 K √δ + m g l sin θ)/J, and what the law damps, /(2 J)."""
    K, c, limit, ml = 3e3, 0.5, 0.4, 0.3
    law = gd.laws.HuntCrossley(stiffness=K, damping=c, exponent=1.5)
    leaning = gd.System(
        bodies={"bob": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0.3, 0, 0))},
        joints={"p": gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0))},
        loads={"stop": gd.Stop("p", lower=-0.5, upper=limit, contact=law)},
    )
    depth = brentq(lambda d: K * d**1.5 - ml * 9.81 * np.cos(limit + d), 0.0, 0.1)
    assert depth > 0.01 * (limit + 0.5)  # deep: the stop is soft
    found = gd.linearize(gd.equilibrium(leaning))
    inertia = 0.01 + ml * 0.3
    stiffness = 1.5 * K * depth**0.5 + ml * 9.81 * np.sin(limit + depth)
    assert float(found.natural_frequencies[0]) == pytest.approx(np.sqrt(stiffness / inertia) / (2 * np.pi), rel=1e-5)
    damping = 1.5 * c * K * depth**1.5
    ratio = damping / (2.0 * np.sqrt(stiffness * inertia))
    assert float(found.damping_ratios[0]) == pytest.approx(ratio, rel=1e-4)


@pytest.mark.parametrize("how", ["spring", "signals", "rotor"])
def test_small_motions_beside_a_flexible_body(how):
    """A wheel on a torsion spring swings with √(k/(J + n² J_r)), whatever plate is in the System."""
    k, c, inertia = 7.0, 0.1, 0.01 + 1.0 * 0.5**2
    torque = gd.JointTorque("axle", f"-{k}*axle.angle - {c}*axle.angle_rate")
    loads = {"spring": torque if how == "signals" else gd.JointSpring("axle", stiffness=k, damping=c)}
    if how == "rotor":
        loads["motor"] = gd.Motor("axle", torque="0", gear_ratio=3.0, rotor_inertia=0.01)
        inertia += 3.0**2 * 0.01
    plate = one_joint("Revolute", "Ideal, flexible body")
    both = plate.replace(
        gravity=(0, 0, 0),
        bodies={**plate.bodies, "wheel": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0.5, 3, 0))},
        joints={**plate.joints, "axle": gd.Revolute("ground", "wheel", at=(0, 3, 0), axis=(0, 0, 1))},
        loads={**plate.loads, **loads},
    )
    found = gd.linearize(both)
    mode = int(np.argmin(np.abs(found.natural_frequencies - np.sqrt(k / inertia) / (2 * np.pi))))
    assert found.natural_frequencies[mode] == pytest.approx(np.sqrt(k / inertia) / (2 * np.pi), rel=1e-7)
    assert found.damping_ratios[mode] == pytest.approx(c / (2 * np.sqrt(k * inertia)), rel=1e-6)


@pytest.mark.parametrize("depth", [0.001, 0.006, 0.02], ids=lambda depth: f"{depth:g} m")
def test_what_rests_on_a_soft_stop_goes_on_from_there(depth):
    """m g/k deep; small motions about it are those of m, k and d; only a description that deep is refused."""
    mass, damping = 2.0, 20.0
    stiffness = mass * 10.0 / depth
    rubber = gd.laws.KelvinVoigt(stiffness=stiffness, damping=damping)
    system = gd.System(
        gravity=(0, 0, -10),
        bodies={"b": gd.Body(mass=mass, inertia=(1, 1, 1))},
        joints={"s": gd.Prismatic("ground", "b", at_parent=(0, 0, 0), at_child=(0, 0, 0))},
        loads={"st": gd.Stop("s", lower=-0.05, contact=rubber)},
    )
    decay = damping / (2.0 * mass)
    pole = complex(-decay, math.sqrt(stiffness / mass - decay**2))
    found = gd.linearize(gd.equilibrium(system)).eigenvalues
    assert sorted(found, key=np.imag) == pytest.approx([pole.conjugate(), pole], rel=1e-6)
    rested = gd.simulate(system, 4.0).state()
    after = gd.simulate(system.replace(start=rested), 0.2).data.position.values[:, 0, 2]
    assert after == pytest.approx(-0.05 - depth, abs=1e-6)
    described = system.replace(bodies={"b": gd.Body(mass=mass, inertia=(1, 1, 1), position=(0, 0, -0.05 - depth))})
    if depth > 0.005:
        with pytest.raises(
            gd.ModelError, match=f"Stop 'st': the joint 's' starts {depth:g} .rad or m. beyond its lower"
        ):
            gd.simulate(described, 0.1)
    else:
        gd.simulate(described, 0.1)


def test_what_rests_on_a_soft_floor_goes_on_from_there():
    """A ball as deep as its weight presses it, 20 mm."""
    floor = gd.DryTouch(contact=gd.laws.KelvinVoigt(stiffness=1000.0, damping=20.0))
    system = gd.System(
        gravity=(0, 0, -10),
        bodies={"b": gd.Body(mass=2.0, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0, 0.05))},
        joints={"m": gd.Meeting("ground", "b", shapes=(gd.Plane(), gd.Sphere(radius=0.05)), model=floor)},
    )
    rested = gd.simulate(system, 4.0).state()
    after = gd.simulate(system.replace(start=rested), 0.2).data.position.values[:, 0, 2]
    assert after == pytest.approx(0.03, abs=1e-6)
