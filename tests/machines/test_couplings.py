"""Gears, belts, racks and screws: rows between joint coordinates, in both formulations."""

import math

import numpy as np
import pytest

import gudgeon as gd
from machines.energy_balance import unbalanced

SOLVERS = {
    "Explicit": gd.Explicit(rtol=1e-10, atol=1e-12),
    "Implicit": gd.Implicit(rtol=1e-10, atol=1e-12),
    "Sundials": gd.Sundials(rtol=1e-10, atol=1e-12),
    "TimeStepping": gd.TimeStepping(step=1e-3),
}


def wheel(inertia: float, **more) -> gd.Body:
    return gd.Body(mass=1.0, inertia=(inertia, inertia, inertia), **more)


def train(**coupling) -> gd.System:
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"a": wheel(0.02), "b": wheel(0.3, position=(0.2, 0, 0))},
        joints={
            "A": gd.Revolute("ground", "a", at=(0, 0, 0), axis=(0, 0, 1)),
            "B": gd.Revolute("ground", "b", at=(0.2, 0, 0), axis=(0, 0, 1)),
        },
        loads={"motor": gd.JointTorque("A", "0.5 + 0.2*sin(5*t)"), "brake": gd.JointTorque("B", "-0.1*B.angle_rate")},
        couplings=coupling,
    )


@pytest.mark.parametrize("solver", SOLVERS)
def test_two_wheels(coordinates, solver):
    """θ_B = −θ_A/3: J = 0.02 + 0.3/9 is accelerated; it turns many times."""
    result = gd.simulate(train(mesh=gd.Gear("A", "B", teeth=(20, 60))), 3.0, solver=SOLVERS[solver], sample=0.01)
    a, b = result.data.joint_position.values.T
    assert np.abs(3.0 * b + a).max() < 1e-6
    inertia, drag = 0.02 + 0.3 / 9.0, 0.1 / 9.0
    # J ω̇ = 0.5 + 0.2 sin 5t − d ω, in closed form
    t, k = 3.0, drag / inertia
    forced = 0.2 / inertia / (25.0 + k * k)
    wanted = 0.5 / drag * (1 - math.exp(-k * t)) + forced * (
        k * math.sin(5 * t) - 5 * math.cos(5 * t) + 5 * math.exp(-k * t)
    )
    tolerance = 1e-5 if solver == "TimeStepping" else 1e-8
    assert float(result.data.joint_velocity[-1, 0]) == pytest.approx(wanted, rel=tolerance)
    assert a[-1] > 4 * math.pi
    assert unbalanced(result) < 1e-6
    assert result.stats["degrees_of_freedom"] == 1


@pytest.mark.parametrize(
    ("coupling", "ratio"),
    [
        (gd.Gear("A", "B", teeth=(20, 60), internal=True), 1 / 3),
        (gd.Belt("A", "B", radii=(0.04, 0.1)), 0.4),
        (gd.Belt("A", "B", radii=(0.04, 0.1), crossed=True), -0.4),
    ],
)
def test_ratios(coordinates, coupling, ratio):
    data = gd.simulate(train(c=coupling), 1.0).data
    a, b = data.joint_position.values.T
    assert b == pytest.approx(ratio * a, abs=1e-7)
    assert a[-1] > 1.0


def planetary() -> gd.System:
    """Sun of 20 teeth, two planets of 15, ring of 50; the joints of all are measured from the carrier."""
    joints = {
        "carrier": gd.Revolute("ground", "carrier", at=(0, 0, 0), axis=(0, 0, 1)),
        "sun": gd.Revolute("carrier", "sun", at=(0, 0, 0), axis=(0, 0, 1)),
        "ring": gd.Revolute("carrier", "ring", at=(0, 0, 0), axis=(0, 0, 1)),
    }
    bodies = {"carrier": wheel(0.05), "sun": wheel(0.01), "ring": wheel(0.2)}
    couplings = {}
    for k, angle in enumerate((0.0, math.pi)):
        at = (0.035 * math.cos(angle), 0.035 * math.sin(angle), 0)
        bodies[f"planet{k}"] = wheel(0.002, position=at)
        joints[f"planet{k}"] = gd.Revolute("carrier", f"planet{k}", at=at, axis=(0, 0, 1))
        couplings[f"sun-planet{k}"] = gd.Gear("sun", f"planet{k}", teeth=(20, 15))
        couplings[f"planet{k}-ring"] = gd.Gear(f"planet{k}", "ring", teeth=(15, 50), internal=True)
    loads = {"drive": gd.Torque("sun", (0, 0, 0.3)), "load": gd.Torque("ring", (0, 0, -0.1))}
    return gd.System(bodies=bodies, joints=joints, couplings=couplings, loads=loads, gravity=(0, 0, 0))


def test_planetary_gear_after_willis(coordinates):
    """z_s (ω_s − ω_c) = −z_r (ω_r − ω_c), and Lagrange's equations of the two freedoms."""
    result = gd.simulate(planetary(), 0.5, solver=gd.Explicit(rtol=1e-10, atol=1e-12))
    assert result.stats["degrees_of_freedom"] == 2 and result.stats["redundant_rows"] == 1
    speed = {name: result.data.angular_velocity.sel(body=name, axis="z").values for name in ("carrier", "sun", "ring")}
    willis = 20.0 * (speed["sun"] - speed["carrier"]) + 50.0 * (speed["ring"] - speed["carrier"])
    assert np.abs(willis).max() < 1e-7 * np.abs(speed["sun"]).max() * 50
    # freedoms: x = carrier, y = sun against it; ring −0.4 y, planets −4/3 y against it
    planets, masses = 2 * 0.002, 2 * 1.0 * 0.035**2
    xx = 0.05 + 0.01 + 0.2 + planets + masses
    xy = 0.01 - 0.4 * 0.2 - 4.0 / 3.0 * planets
    yy = 0.01 + 0.16 * 0.2 + 16.0 / 9.0 * planets
    x, y = np.linalg.solve([[xx, xy], [xy, yy]], [0.3 - 0.1, 0.3 + 0.4 * 0.1])
    assert float(speed["carrier"][-1]) == pytest.approx(0.5 * x, rel=1e-8)
    assert float(speed["sun"][-1]) == pytest.approx(0.5 * (x + y), rel=1e-8)
    assert unbalanced(result) < 1e-8


def test_rack_and_pinion(coordinates):
    """A mass hangs on the rack: (J/r² + m) ẍ = m g; the pinion turns x/r, several times."""
    r = 0.02
    system = gd.System(
        bodies={"pinion": wheel(2e-3), "rack": wheel(1.0)},
        joints={
            "P": gd.Revolute("ground", "pinion", at=(0, 0, 0), axis=(0, 1, 0)),
            "R": gd.Prismatic("ground", "rack", at=(0, 0, 0), axis=(0, 0, -1)),
        },
        couplings={"mesh": gd.Rack("P", "R", radius=r)},
    )
    data = gd.simulate(system, 1.0).data
    x = float(data.joint_position.sel(coordinate="R.displacement")[-1])
    assert x == pytest.approx(0.5 * 9.81 / (1.0 + 2e-3 / r**2), rel=1e-8)
    assert float(data.joint_position.sel(coordinate="P.angle")[-1]) == pytest.approx(x / r, rel=1e-8)
    assert x / r > 2 * math.pi


@pytest.mark.parametrize("apart", [False, True])
def test_screw(coordinates, apart):
    """One cylindrical joint, or a spindle and a nut: (m + J (2π/p)²) ẍ = m g."""
    lead, inertia = 0.02, 1e-3
    if apart:
        bodies = {"spindle": wheel(inertia), "nut": wheel(1.0)}
        joints = {
            "turn": gd.Revolute("ground", "spindle", at=(0, 0, 0), axis=(0, 0, -1)),
            "slide": gd.Prismatic("ground", "nut", at=(0, 0, 0), axis=(0, 0, -1)),
        }
        screw, coordinate = gd.Screw("turn", lead=lead, nut="slide"), "slide.displacement"
    else:
        bodies = {"nut": wheel(inertia)}
        joints = {"spindle": gd.Cylindrical("ground", "nut", at=(0, 0, 0), axis=(0, 0, -1))}
        screw, coordinate = gd.Screw("spindle", lead=lead), "spindle.displacement"
    data = gd.simulate(gd.System(bodies=bodies, joints=joints, couplings={"screw": screw}), 2.0).data
    wanted = 0.5 * 4.0 * 9.81 / (1.0 + inertia * (2 * math.pi / lead) ** 2)
    assert float(data.joint_position.sel(coordinate=coordinate)[-1]) == pytest.approx(wanted, rel=1e-8)


def test_gears_with_a_real_joint_between():
    """The wheels of a dry joint's mechanism are one island of forces: both formulations agree."""
    dry = gd.Dry(socket_radius=0.0102, ball_radius=0.01, contact=gd.laws.KelvinVoigt(stiffness=1e5, damping=80.0))
    base = train(mesh=gd.Gear("A", "B", teeth=(1, 2)))
    system = base.replace(
        bodies={**base.bodies, "bob": gd.Body(mass=0.5, inertia=(1e-3,) * 3, position=(0.25, 0, -0.1))},
        joints={**base.joints, "eye": gd.Spherical("b", "bob", at=(0.25, 0, 0), model=dry)},
        gravity=(0, 0, -9.81),
    )
    one, two = (gd.simulate(system, 0.2, coordinates=each).data for each in ("absolute", "relative"))
    assert one.joint_position.sel(coordinate="A.angle").values[-1] == pytest.approx(
        two.joint_position.sel(coordinate="A.angle").values[-1], abs=1e-7
    )
    assert np.nanmax(one.normal_force.values) > 1.0


def test_reactions_are_the_same_in_both_formulations():
    """With redundant rows, which the planets make, too."""
    tight = gd.Explicit(rtol=1e-11, atol=1e-13)
    one, two = (
        gd.simulate(planetary(), 0.3, coordinates=each, solver=tight, sample=0.05).data
        for each in ("absolute", "relative")
    )
    for name in ("reaction_force", "reaction_torque", "acceleration"):
        assert np.abs(one[name].values - two[name].values).max() < 1e-9
    assert float(abs(one.reaction_force).max()) > 0.1


@pytest.mark.parametrize(
    ("make", "wording"),
    [
        (lambda: gd.Gear("A", "B", teeth=(20, 0)), "Gear A–B: teeth is (20, 0); give two whole numbers of teeth"),
        (lambda: gd.Gear("A", "B", teeth=(20.5, 3)), "give two whole numbers of teeth"),
        (lambda: gd.Rack("A", "B", radius=0.0), "Rack A–B: radius is 0"),
        (lambda: gd.Screw("A", lead=0.0), "Screw 'A': lead is 0"),
        (lambda: train(g=gd.Gear("A", "C", teeth=(1, 2))), "Gear 'g': no joint 'C'"),
        (lambda: train(g=gd.Gear("A", "A", teeth=(1, 2))), "Gear 'g': it couples the angle of joint 'A' with itself"),
        (
            lambda: train(g=gd.Rack("A", "B", radius=1.0)),
            "Rack 'g': Revolute 'B' has no free displacement; it must have",
        ),
        (lambda: train(A=gd.Gear("A", "B", teeth=(1, 2))), "Gear 'A': a joint or drive has this name"),
        (
            lambda: gd.kinematics(train(g=gd.Belt("A", "B", radii=(0.1, 0.1 * math.pi))), 1.0),
            "kinematics: the radii of Belt 'g' have no ratio of whole numbers, so that it ties velocities",
        ),
        (lambda: gd.equilibrium(train(g=gd.Belt("A", "B", radii=(1, math.pi)))), "equilibrium: the radii of Belt 'g'"),
        (
            lambda: gd.Screw("A", lead=0.01, radius=0.01),
            "Screw 'A': radius is given without friction=; friction in a thread needs both",
        ),
        (
            lambda: gd.Screw("A", lead=0.01, friction=gd.laws.DryFriction(static=0.1)),
            "Screw 'A': friction is given without radius=",
        ),
        (lambda: gd.Screw("A", lead=0.01, thread_angle=3.0), "Screw 'A': thread_angle is 3 rad"),
        (lambda: gd.Screw("A", lead=0.01).lead_angle, "Screw 'A': it has no lead angle without radius="),
    ],
)
def test_mistakes(make, wording):
    with pytest.raises(gd.ModelError) as caught:
        make()
    assert wording in str(caught.value)


def test_model_files_keep_couplings(tmp_path):
    for system in (planetary(), train(c=gd.Belt("A", "B", radii=(0.04, 0.1)))):
        assert gd.load_system(system.save(tmp_path / "train.yaml")) == system


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_belt_of_any_ratio(coordinates, solver):
    """r₁ ω₁ = r₂ ω₂ over many turns, though no ratio of whole numbers tells the angles; J = J₁ + J₂ (r₁/r₂)²."""
    radii = (0.04, 0.04 * math.sqrt(7.0))
    system = train(belt=gd.Belt("A", "B", radii=radii)).replace(loads={"motor": gd.JointTorque("A", 0.5)})
    data = gd.simulate(system, 4.0, solver=SOLVERS[solver], sample=0.5).data
    a, b = data.joint_position.values.T
    assert b == pytest.approx(a * radii[0] / radii[1], abs=1e-5)
    assert a[-1] == pytest.approx(0.5 * 0.5 / (0.02 + 0.3 / 7.0) * 4.0**2, rel=1e-7)
    assert a[-1] > 8 * math.pi


# ------------------------------------------------------------------------------------------------ efforts and analyses
def geared_rack(**more) -> gd.System:
    """Pinion A, wheel B, rack R on a spring: one freedom."""
    base = train()
    return base.replace(
        couplings={"mesh": gd.Gear("A", "B", teeth=(20, 60)), "steering": gd.Rack("B", "R", radius=0.05)},
        bodies={**base.bodies, "rack": gd.Body(mass=2.0, inertia=(1, 1, 1))},
        joints={**base.joints, "R": gd.Prismatic("ground", "rack", at=(0, 0, 0), axis=(1, 0, 0))},
        loads={"spring": gd.JointSpring("R", stiffness=50.0, damping=1.0, rest=0.01)},
        **more,
    )


REDUCED = 0.02 + 0.3 / 9.0 + 2.0 * (0.05 / 3.0) ** 2  # inertia of all, seen from A [kg·m²]
LEVER = -0.05 / 3.0  # of the rack, seen from A [m/rad]


def test_small_motions_of_coupled_joints():
    small = gd.linearize(geared_rack(), coordinates=["A.angle"])
    assert small.mass[0, 0] == pytest.approx(REDUCED, rel=1e-12)
    assert small.stiffness[0, 0] == pytest.approx(50.0 * LEVER**2, rel=1e-12)
    assert small.damping[0, 0] == pytest.approx(LEVER**2, rel=1e-12)


def test_equilibrium_of_coupled_joints():
    found = gd.equilibrium(geared_rack())
    assert found.stable
    assert found.system.start["rack"].position[0] == pytest.approx(0.01, abs=1e-12)
    turned = gd.simulate(found.system, 1e-3, sample=[0.0]).data.joint_position.values[0]
    assert turned == pytest.approx([0.01 / LEVER, -0.01 / LEVER / 3.0, 0.01], abs=1e-10)


def test_a_pendulum_on_a_gear_swings_as_it_must():
    """Constraint curvature: none, but gravity of a mass on the one wheel is felt by the other."""
    base = train(mesh=gd.Gear("A", "B", teeth=(20, 60)))
    hanging = base.replace(
        gravity=(0, -9.81, 0),
        loads={},
        bodies={**base.bodies, "b": wheel(0.3, position=(0.2, -0.1, 0))},
    )
    small = gd.linearize(hanging, coordinates=["A.angle"])
    assert small.mass[0, 0] == pytest.approx(0.02 + (0.3 + 0.01) / 9.0, rel=1e-12)
    assert small.stiffness[0, 0] == pytest.approx(9.81 * 0.1 / 9.0, rel=1e-10)


@pytest.mark.parametrize("way", ["simulate", "kinematics", "inverse_dynamics"])
def test_efforts_of_couplings(way):
    """Driven as θ_A = 20 sin t: each wheel needs J θ̈, the rack what its spring, damper and mass ask for."""
    t = np.array([0.0, 0.7, 1.9])
    driven = geared_rack(drives={"d": gd.Drive("A", "20*sin(t)")})
    if way == "simulate":
        data = gd.simulate(driven, 1.9, sample=t, solver=gd.Explicit(rtol=1e-11, atol=1e-13)).data
    elif way == "kinematics":
        data = gd.kinematics(driven, 1.9, sample=t).data
    else:
        data = gd.inverse_dynamics(geared_rack(), {"A": "20*sin(t)"}, duration=1.9, sample=t)
    theta, rate, acceleration = 20 * np.sin(t), 20 * np.cos(t), -20 * np.sin(t)
    force = 2.0 * LEVER * acceleration + 50.0 * (LEVER * theta - 0.01) + LEVER * rate  # on the rack
    wheel_torque = -0.3 * acceleration / 3.0 + 0.05 * force  # on B: its own inertia, and what the rack takes
    effort = data.coupling_effort
    assert effort.sel(coupling="steering", coupled="second").values == pytest.approx(force, abs=1e-6)
    assert effort.sel(coupling="steering", coupled="first").values == pytest.approx(-0.05 * force, abs=1e-6)
    assert effort.sel(coupling="mesh", coupled="second").values == pytest.approx(wheel_torque, abs=1e-6)
    assert effort.sel(coupling="mesh", coupled="first").values == pytest.approx(wheel_torque / 3.0, abs=1e-6)
    assert data.coupling_unit.values.tolist() == [["N*m", "N*m"], ["N*m", "N"]]
    motor = (data.effort if way == "inverse_dynamics" else data.drive_effort).values[:, 0]
    assert motor == pytest.approx(0.02 * acceleration - wheel_torque / 3.0, abs=1e-6)


def test_kinematics_of_a_planetary_gear():
    """Driven sun, held ring: Willis; two rows are redundant. The carrier's torque is what power asks for."""
    system = planetary().replace(loads={})
    driven = system.replace(
        drives={"sun": gd.Drive("carrier", "t**2"), "ring": gd.Drive("ring", "-t**2")}  # the ring stands still
    )
    result = gd.kinematics(driven, 2.0, sample=0.5)
    speed = result.data.angular_velocity.sel(axis="z")
    assert np.abs(speed.sel(body="ring").values).max() < 1e-12
    carrier, sun = speed.sel(body="carrier").values, speed.sel(body="sun").values
    assert sun == pytest.approx(carrier * (1 + 50 / 20), abs=1e-10)
    efforts, rates = result.data.coupling_effort.values, result.data.joint_velocity
    for k, name in enumerate(driven.couplings):
        one, two = (rates.sel(rate=f"{joint}.{coordinate}").values for joint, coordinate in driven.coupled(name))
        power = efforts[:, k, 0] * one + efforts[:, k, 1] * two
        assert np.abs(power).max() <= 1e-9 * (1 + np.abs(efforts[:, k, 0] * one).max())


def test_inverse_dynamics_of_a_coupled_motion():
    """What simulate found under the loads needs nothing more; elsewhere actuated, power is the same."""
    system = train(mesh=gd.Gear("A", "B", teeth=(20, 60)))
    run = gd.simulate(system, 1.0, sample=0.25, solver=gd.Explicit(rtol=1e-11, atol=1e-13))
    needed = gd.inverse_dynamics(system, run)
    assert np.abs(needed.effort.values).max() < 1e-8 and np.abs(needed.residual.values).max() < 1e-8
    idle = system.replace(loads={})
    one, two = (gd.inverse_dynamics(idle, run, actuators=[joint]) for joint in ("A", "B"))
    assert one.power.values[:, 0] == pytest.approx(two.power.values[:, 0], abs=1e-8)
    assert two.effort.values[:, 0] == pytest.approx(-3.0 * one.effort.values[:, 0], abs=1e-8)


def test_a_screw_in_a_loop_of_clusters():
    """Couplings between bodies that are not neighbours: kinematics solves them together."""
    arm = gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.3, 0, 0))
    system = gd.System(
        bodies={"a": wheel(0.1), "b": arm, "c": gd.Body(mass=1.0, inertia=(0.1,) * 3, position=(0.6, 0, 0))},
        joints={
            "A": gd.Revolute("ground", "a", at=(0, 0, 0)),
            "B": gd.Revolute("a", "b", at=(0.2, 0, 0)),
            "C": gd.Revolute("b", "c", at=(0.5, 0, 0)),
        },
        couplings={"first": gd.Gear("A", "C", teeth=(1, 2)), "second": gd.Gear("A", "B", teeth=(3, 2), internal=True)},
        drives={"turn": gd.Drive("A", "2*t")},
    )
    data = gd.kinematics(system, 3.0, sample=1.0).data
    angles = data.joint_position.values
    assert angles == pytest.approx(np.outer(data.time.values, [2.0, 3.0, -1.0]), abs=1e-9)
    small = gd.linearize(system.replace(drives={}), coordinates=["A.angle"])
    run = gd.simulate(system, 3.0, sample=1.0, solver=gd.Explicit(rtol=1e-10)).data
    assert run.drive_effort.values == pytest.approx(data.drive_effort.values, abs=1e-5)
    assert small.mass.shape == (1, 1)
