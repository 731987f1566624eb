"""Loads that follow the motion: every kind of signal against a scalar equation of motion or the result's own data."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd
from machines.energy_balance import unbalanced

INERTIA = 1.0 + 0.01  # of the bob about its pivot [kg·m²]
SOLVERS = {
    "Explicit": (gd.Explicit(rtol=1e-10, atol=1e-12), 1e-9),
    "Implicit": (gd.Implicit(rtol=1e-10, atol=1e-12), 1e-8),
    "Sundials": (gd.Sundials(rtol=1e-10, atol=1e-12), 1e-8),
    "TimeStepping": (gd.TimeStepping(step=2e-4), 1e-6),  # second order
}


def pendulum(**more) -> gd.System:
    bob = gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0, 0, -1))
    joints = {"pivot": gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0))}
    return gd.System(bodies={"bob": bob}, joints=joints, **more)


def integrated(torque, duration=2.0, turned=0.0):
    """Angle and rate at the end of the pendulum under torque(t, θ, θ̇), by another program (LSODA)."""
    found = solve_ivp(
        lambda t, y: [y[1], (torque(t, *y) - 9.81 * math.sin(y[0])) / INERTIA],
        (0.0, duration),
        [turned, 0.0],
        method="LSODA",
        rtol=1e-11,
        atol=1e-13,
    )
    return found.y[:, -1]


def end_of(result):
    data = result.data
    return [float(data.joint_position[-1, 0]), float(data.joint_velocity[-1, 0])]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_torque_of_angle_rate_and_a_named_signal(coordinates, solver):
    """12 cos 3θ − 0.2 θ̇ − 0.1 v_x², v_x the velocity of the bob; more than a turn."""
    chosen, tolerance = SOLVERS[solver]
    system = pendulum(
        loads={"motor": gd.JointTorque("pivot", "12*cos(3*pivot.angle) - 0.2*pivot.angle_rate - 0.1*drag")},
        signals={"drag": "bob.vx**2"},
    )
    result = gd.simulate(system, 2.0, solver=chosen)
    wanted = integrated(lambda t, x, v: 12 * math.cos(3 * x) - 0.2 * v - 0.1 * (v * math.cos(x)) ** 2)
    assert end_of(result) == pytest.approx(wanted, abs=tolerance * 5)
    assert result.data.signal_value.sel(signal="drag").values == pytest.approx(
        result.data.velocity.sel(body="bob", axis="x").values ** 2, abs=1e-12
    )
    assert unbalanced(result) < 1e-6


def braking(pivot__angle, pivot__angle_rate, t):
    return 2.0 * math.sin(pivot__angle + t) - 0.3 * pivot__angle_rate


def drag(vx, vz):
    return (-0.4 * vx, 0.0, -0.4 * vz)


@pytest.mark.parametrize("solver", ["Explicit", "Implicit"])
def test_python_functions_of_signals(coordinates, solver):
    """One returns a torque, one three components of a force; their arguments are signals by name."""
    chosen, tolerance = SOLVERS[solver]
    system = pendulum(
        loads={"torque": gd.JointTorque("pivot", braking), "drag": gd.Force("bob", drag)},
        signals={"vx": "bob.vx", "vz": "bob.vz"},
    )
    wanted = integrated(lambda t, x, v: 2.0 * math.sin(x + t) - 0.3 * v - 0.4 * v)
    result = gd.simulate(system, 2.0, solver=chosen)
    assert end_of(result) == pytest.approx(wanted, abs=tolerance)
    assert unbalanced(result) < 1e-7


def test_every_signal_of_the_motion_is_that_of_the_result():
    """Markers in the world, as a body sees them, in their own axes; distances; a cylindrical joint; turns counted."""
    turned = gd.Marker("arm", at=(0.3, 0.1, -0.2), orientation=(math.cos(0.4), 0.0, math.sin(0.4), 0.0))
    parts = [f"tip.{kind}{axis}" for kind in ("", "v", "w") for axis in "xyz"]
    seen = [f"tip.{kind}{axis}.hub" for kind in ("", "v", "w") for axis in "xyz"]
    own = [f"tip.own_{kind}{axis}" for kind in ("v", "w") for axis in "xyz"]
    joints = ["turn.angle", "turn.angle_rate", "slide.angle", "slide.displacement", "slide.displacement_rate"]
    others = ["distance(tip, hub)", "distance_rate(tip, hub)", "distance(tip, 'eye')"]
    names = [*parts, *seen, *own, *joints, *others]
    system = gd.System(
        bodies={
            "hub": gd.Body(
                mass=2.0, inertia=(0.2, 0.3, 0.4), position=(0.1, 0, 0), orientation=(0.8, 0.6, 0, 0), velocity=None
            ),
            "arm": gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.05), position=(0.5, 0.2, 0.1), angular_velocity=(9, 2, 0)),
        },
        joints={
            "turn": gd.Revolute("ground", "hub", at=(0, 0, 0), axis=(1, 0, 0)),
            "slide": gd.Cylindrical("hub", "arm", at=(0.4, 0.2, 0.1), axis=(0, 1, 0)),
        },
        markers={"tip": turned, "eye": gd.Marker("ground", at=(0, 0, 2))},
        signals={f"s{k}": name for k, name in enumerate(names)},
    )
    data = gd.simulate(system, 3.0, sample=0.01, solver=gd.Explicit(rtol=1e-11, atol=1e-13)).data
    value = {name: data.signal_value.sel(signal=f"s{k}").values for k, name in enumerate(names)}
    of = {
        name: [
            data[field].sel(body=name).values for field in ("position", "orientation", "velocity", "angular_velocity")
        ]
        for name in ("hub", "arm")
    }
    from gudgeon.rotations import rotation_matrix

    for s in range(0, len(data.time), 30):
        (r_h, q_h, v_h, w_h), (r_a, q_a, v_a, w_a) = ([part[s] for part in of[name]] for name in ("hub", "arm"))
        R_h, R_a = rotation_matrix(q_h), rotation_matrix(q_a)
        arm = R_a @ np.array(turned.at)
        p, v = r_a + arm, v_a + np.cross(w_a, arm)
        world = [*p, *v, *w_a]
        by_hub = [
            *(R_h.T @ (p - r_h)),
            *(R_h.T @ (v - v_h - np.cross(w_h, p - r_h))),
            *(R_h.T @ (w_a - w_h)),
        ]
        axes = R_a @ rotation_matrix(turned.orientation)
        d = r_h - p
        expected = [*world, *by_hub, *(axes.T @ v), *(axes.T @ w_a)]
        expected += [float(data.joint_position.sel(coordinate="turn.angle")[s])]
        expected += [float(data.joint_velocity.sel(rate="turn.angle")[s])]
        expected += [float(data.joint_position.sel(coordinate="slide.angle")[s])]
        expected += [float(data.joint_position.sel(coordinate="slide.displacement")[s])]
        expected += [float(data.joint_velocity.sel(rate="slide.displacement")[s])]
        expected += [np.linalg.norm(d), d @ (v_h - v) / np.linalg.norm(d), np.linalg.norm(p - (0, 0, 2))]
        assert [value[name][s] for name in names] == pytest.approx(expected, abs=1e-8)
    assert abs(value["turn.angle"]).max() > 2 * math.pi or abs(value["slide.angle"]).max() > 2 * math.pi
    # a rate is the slope of what it is the rate of: cubic differences of the samples
    for name, rate in (("tip.x.hub", "tip.vx.hub"), ("distance(tip, hub)", "distance_rate(tip, hub)")):
        h, x = 0.01, value[name]
        slope = (8 * (x[3:-1] - x[1:-3]) - (x[4:] - x[:-4])) / (12 * h)
        assert np.abs(slope - value[rate][2:-2]).max() < 1e-4 * np.abs(value[rate]).max()


def test_gap_and_normal_force_of_a_real_joint(coordinates):
    """They are the penetration and the normal force that the result tells."""
    dry = gd.Dry(socket_radius=0.05, ball_radius=0.045, contact=gd.laws.KelvinVoigt(stiffness=1e5, damping=50.0))
    system = gd.System(
        bodies={"ball": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0, 0, 0))},
        joints={"socket": gd.Spherical("ground", "ball", at=(0, 0, 0), model=dry)},
        loads={"push": gd.Force("ball", ("1e-3*socket.normal_force", 0, 0))},
        signals={"gap": "socket.gap", "rate": "socket.gap_rate", "force": "socket.normal_force"},
    )
    result = gd.simulate(system, 0.1, sample=1e-3)
    data = result.data
    touching = data.contact.values[:, 0] > 0
    assert touching.any() and not touching.all()
    assert data.signal_value.sel(signal="gap").values == pytest.approx(-data.penetration.values[:, 0], abs=1e-12)
    force = data.signal_value.sel(signal="force").values
    assert force[touching] == pytest.approx(data.normal_force.values[touching, 0], rel=1e-5, abs=1e-4)
    assert not force[~touching].any()
    assert unbalanced(result) < 1e-3


def test_springs_whose_stiffness_follows_a_signal_store_nothing(coordinates):
    """k(θ) = 4 + θ²: the energy of such a spring is no potential energy, and its power is what balances."""
    springs = {"k": gd.JointSpring("pivot", stiffness="4 + pivot.angle**2", damping=0.1, rest=0.5)}
    result = gd.simulate(pendulum(loads=springs), 2.0)
    wanted = integrated(lambda t, x, v: -(4 + x * x) * (x - 0.5) - 0.1 * v)
    assert end_of(result) == pytest.approx(wanted, abs=1e-6)
    assert unbalanced(result) < 1e-7


@pytest.mark.parametrize("rest", ["0.3*sin(4*t)", lambda t: 0.3 * math.sin(4 * t)])
def test_power_of_a_spring_whose_rest_moves(rest):
    """What moves the rest, and changes the stiffness, does work that is not stored."""
    spring = gd.JointSpring("pivot", stiffness="5 + t", damping=0.2, rest=rest)
    strut = gd.SpringDamper(
        "ground", "bob", at_first=(1, 0, 0), stiffness=20.0, damping="0.1*distance(bob, eye)", length=1
    )
    system = pendulum(loads={"spring": spring, "strut": strut}, markers={"eye": gd.Marker("ground", at=(0, 0, 1))})
    assert unbalanced(gd.simulate(system, 2.0, solver=gd.Explicit(rtol=1e-10, atol=1e-12))) < 1e-7


def test_a_run_in_two_halves_is_the_run_to_the_bit():
    """Counted angles of signals go on too: the torque is one of the angle, which turns several times."""
    system = pendulum(loads={"motor": gd.JointTorque("pivot", "30 - 2*pivot.angle")})
    for solver in (gd.Explicit(), gd.Implicit()):
        whole = gd.simulate(system, 3.0, solver=solver, sample=0.5)
        half = gd.simulate(system, 1.5, solver=solver, sample=0.5)
        rest = gd.simulate(system, 1.5, solver=solver, sample=0.5, start=half.state())
        assert whole.data.joint_position.values.max() > 2 * math.pi
        assert rest.data.joint_position.values[-1].tobytes() == whole.data.joint_position.values[-1].tobytes()


def test_model_files_keep_signals_markers_and_tables(tmp_path):
    system = pendulum(
        loads={
            "a": gd.JointTorque("pivot", gd.Table([0, 1, 2], [0, 3, 1], of="abs(pivot.angle)", outside="hold")),
            "b": gd.Force("bob", ("-0.1*tip.vx", gd.Table([0.0, 9.0], [1.0, 2.0]), 0)),
            "c": gd.Motor("pivot", torque="0.1*(1 - speed/30)", gear_ratio=3.0, rotor_inertia=0.01),
            "d": gd.Stop("pivot", lower=-1, upper=2, contact=gd.laws.KelvinVoigt(stiffness=100.0, damping=1.0)),
        },
        markers={"tip": gd.Marker("bob", at=(0, 0, -0.5))},
        signals={"p": "2*tip.x", "q": "p + t"},
    )
    for name in ("a.yaml", "a.json"):
        assert gd.load_system(system.save(tmp_path / name)) == system


def test_tables_from_csv_in_model_files(tmp_path):
    """A file beside the model, read by Table.from_csv."""
    (tmp_path / "curve.csv").write_text("angle,torque\n0,0\n1,3\n2,1\n")
    (tmp_path / "m.yaml").write_text(
        """
bodies:
  bob: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, -1]}
joints:
  pivot: {type: Revolute, parent: ground, child: bob, at: [0, 0, 0], axis: [0, 1, 0]}
loads:
  a: {type: JointTorque, joint: pivot, value: {type: Table.from_csv, path: curve.csv, of: pivot.angle, outside: hold}}
"""
    )
    load = gd.load_system(tmp_path / "m.yaml").loads["a"]
    assert load.value == gd.Table([0, 1, 2], [0, 3, 1], of="pivot.angle", outside="hold")


def test_linearize_and_equilibrium_know_the_tangents():
    """A torque −k θ − c θ̇ by signals has the frequency and damping of a spring; balance where k θ = m g sin θ."""
    by_signals = pendulum(loads={"k": gd.JointTorque("pivot", "3 - 4*pivot.angle - 0.3*pivot.angle_rate")})
    by_spring = pendulum(loads={"k": gd.JointSpring("pivot", stiffness=4.0, damping=0.3, rest=0.75)})
    found = [gd.equilibrium(system) for system in (by_signals, by_spring)]
    angles = [float(gd.assemble(each.system).system.start["bob"].position[0]) for each in found]
    assert angles[0] == pytest.approx(angles[1], abs=1e-10)
    one, two = (gd.linearize(each) for each in found)
    assert one.stiffness == pytest.approx(two.stiffness, rel=1e-7)
    assert one.damping == pytest.approx(two.damping, rel=1e-7)
    x = math.asin(-angles[0])
    assert one.stiffness[0, 0] == pytest.approx(4.0 + 9.81 * math.cos(x), rel=1e-7)


def by(value, **more) -> dict:
    return {"loads": {"f": gd.JointTorque("pivot", value)}, **more}


@pytest.mark.parametrize(
    ("parts", "wording"),
    [
        (by("2*pivot.angel"), "no signal 'pivot.angel'; did you mean 'pivot.angle'?"),
        (by("2*w"), "JointTorque 'f': value: expression '2*w': no signal 'w'; "),
        (by(lambda pivot__rate: 1.0), "takes 'pivot__rate': no signal 'pivot.rate'; did you mean 'pivot.angle_rate'?"),
        (by("pivot.angle_acceleration"), "accelerations and forces of joints follow from the loads"),
        (by("pivot.reaction_force"), "accelerations and forces of joints follow from the loads"),
        (by("pivot.gap"), "Revolute 'pivot' has no gap that a law closes"),
        (by("distance(bob, tipp)", markers={"tip": gd.Marker("bob")}), "no marker or body 'tipp'; did you mean 'tip'?"),
        ({"signals": {"a": "b + 1", "b": "2*c", "c": "a"}}, "the signals a → b → c → a depend on each other"),
        ({"signals": {"sin": "t"}}, "signals: 'sin' cannot name a signal"),
        ({"signals": {"a b": "t"}}, "signals: 'a b' cannot name a signal"),
        ({"markers": {"tip": gd.Marker("bobb")}}, "Marker 'tip': no body 'bobb'; did you mean 'bob'?"),
        ({"markers": {"bob": gd.Marker("bob")}}, "Marker 'bob': a body has this name"),
        ({"loads": {"f": gd.JointForce("pivot", 1.0)}}, "the angle of joint 'pivot' is an angle; use gd.JointTorque"),
    ],
)
def test_mistakes(parts, wording):
    with pytest.raises(gd.ModelError) as caught:
        pendulum(**parts)
    assert wording in str(caught.value)


@pytest.mark.parametrize(
    ("value", "wording"),
    [
        (lambda v: v, "loads may depend on the motion, drives may not"),
        (gd.Table([0, 1], [0, 1], of="pivot.angle"), "only a table of the time, of='t', is taken here"),
    ],
)
def test_drives_are_functions_of_time(value, wording):
    with pytest.raises(gd.ModelError, match=wording):
        gd.Drive("pivot", value, rate=0.0, acceleration=0.0)


def rooted(speed):
    return math.sqrt(1.0 - speed)


def test_nan_from_a_function_names_load_and_arguments(coordinates):
    """√(1 − θ̇) has no value once θ̇ > 1."""
    system = pendulum(loads={"odd": gd.JointTorque("pivot", rooted)}, signals={"speed": "pivot.angle_rate"})
    system = system.replace(
        bodies={"bob": gd.Body(mass=1.0, inertia=(0.01,) * 3, position=(0, 0, -1))}, gravity=(3, 0, 0)
    )
    with pytest.raises(
        gd.SimulationError, match=r"JointTorque 'odd' gives nan at t = 0\.\d+ s with speed = 1"
    ) as caught:
        gd.simulate(system.replace(gravity=(-9, 0, 0)), 2.0)
    assert caught.value.owner == "odd" and 0.0 < caught.value.time < 1.0
    assert float(caught.value.result.data.joint_velocity[-1, 0]) == pytest.approx(1.0, abs=1e-2)


def test_a_table_that_is_left_ends_the_run_where_it_is_left():
    """Time and argument are told; hold and extrapolate go on."""
    curve = {"x": [0.0, 0.5, 1.0], "y": [8.0, 8.0, 8.0]}
    table = gd.Table(**curve, of="pivot.angle")
    system = pendulum(loads={"t": gd.JointTorque("pivot", table)}, gravity=(0, 0, 0))
    with pytest.raises(
        gd.SimulationError, match=r"'t' gives nan at .* pivot.angle = 1, a table that covers 0 … 1"
    ) as caught:
        gd.simulate(system, 2.0)
    assert caught.value.time == pytest.approx(math.sqrt(2 * INERTIA / 8.0), rel=1e-4)  # ½ (8/J) t² = 1
    for outside in ("hold", "extrapolate"):
        going = gd.JointTorque("pivot", gd.Table(**curve, of="pivot.angle", outside=outside))
        assert end_of(gd.simulate(system.replace(loads={"t": going}), 1.0))[0] == pytest.approx(4.0 / INERTIA, rel=1e-7)


def test_a_table_of_time_that_the_run_leaves_is_refused_before_it():
    table = gd.Table.from_pandas(pd.Series([0.0, 1.0], index=[0.0, 0.5]))
    system = pendulum(loads={"t": gd.JointTorque("pivot", table)})
    with pytest.raises(gd.ModelError, match=r"the table covers 0 … 0.5 \(of 't'\) and is left at t = 0.5"):
        gd.simulate(system, 1.0)
