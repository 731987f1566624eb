"""Controllers with continuous states: against SciPy, in every solver and analysis."""

import math
import pickle
from itertools import product

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd
from machines.controlled_arms import ARM, MASS, SOLVERS, WHOLE, WITHIN, G, angle_of, arm, cut_runs_agree, swung
from machines.energy_balance import unbalanced

DRIVE = {"drive": gd.JointTorque("main", "pid.torque")}
FILTERED = gd.PID(
    measured="main.angle", setpoint="0.5*sin(2*t)", kp=30.0, ki=20.0, kd=2.0, filter_time=0.02, output="torque"
)


def filtered_torque(t, angle, rate, x):
    error = 0.5 * math.sin(2 * t) - angle
    return 30 * error + x[0] + 2.0 * (error - x[1]) / 0.02


def filtered_rates(t, angle, rate, x):
    error = 0.5 * math.sin(2 * t) - angle
    return 20 * error, (error - x[1]) / 0.02


@pytest.fixture(scope="module")
def filtered():
    return swung(filtered_torque, states=(0.0, 0.0), derivative=filtered_rates, until=2.0)


@pytest.mark.parametrize(("solver", "coordinates"), product(SOLVERS, ("absolute", "relative")))
def test_a_pid_moves_the_arm_as_scipy_says(filtered, solver, coordinates):
    system = arm(controllers={"pid": FILTERED}, loads=DRIVE)
    result = gd.simulate(system, 2.0, solver=SOLVERS[solver], coordinates=coordinates, sample=0.02)
    expected = filtered(result.data.time.values)
    assert np.abs(angle_of(result) - expected[0]).max() < WITHIN[solver]
    states = result.data.controller_state.sel(state=["pid.integral", "pid.filtered"]).values
    assert np.abs(states - expected[2:].T).max() < 10 * WITHIN[solver]
    torque = [filtered_torque(t, y[0], y[1], y[2:]) for t, y in zip(result.data.time.values, expected.T, strict=True)]
    assert np.abs(result.data.controller_output.sel(output="pid.torque").values - torque).max() < 300 * WITHIN[solver]
    if solver != "Sundials":
        cut_runs_agree(system, 0.5, (0.123, 0.37), solver=SOLVERS[solver], coordinates=coordinates)


def test_energy_balances_with_a_controller():
    result = gd.simulate(arm(controllers={"pid": FILTERED}, loads=DRIVE), 1.0, sample=1e-3)
    assert unbalanced(result) < 1e-6


def test_limits_lead_the_integral_back():
    pid = gd.PID(
        measured="main.angle",
        setpoint=1.2,
        kp=8.0,
        ki=15.0,
        kd=1.0,
        rate="main.angle_rate",
        limits=(-3.0, 3.0),
        tracking_time=0.2,
        output="torque",
        units="N*m",
    )

    def wanted(angle, rate, x):
        return 8 * (1.2 - angle) + x[0] - rate

    reference = swung(
        lambda t, angle, rate, x: np.clip(wanted(angle, rate, x), -3, 3),
        states=(0.0,),
        derivative=lambda t, angle, rate, x: (
            15 * (1.2 - angle) + (np.clip(wanted(angle, rate, x), -3, 3) - wanted(angle, rate, x)) / 0.2,
        ),
        until=2.0,
    )
    result = gd.simulate(arm(controllers={"pid": pid}, loads=DRIVE), 2.0, sample=0.05)
    expected = reference(result.data.time.values)
    assert np.abs(angle_of(result) - expected[0]).max() < 1e-7
    assert np.abs(result.data.controller_state.values[:, 0] - expected[2]).max() < 1e-5
    output = result.data.controller_output.sel(output="pid.torque")
    assert float(abs(output).max()) == 3.0 and str(output.output_unit.values) == "N*m"
    plain = gd.simulate(
        arm(
            controllers={
                "pid": gd.PID(
                    measured="main.angle",
                    setpoint=1.2,
                    kp=8.0,
                    ki=15.0,
                    kd=1.0,
                    rate="main.angle_rate",
                    output="torque",
                )
            },
            loads=DRIVE,
        ),
        2.0,
        sample=0.05,
    )
    assert float(plain.data.controller_output.max()) > 4.0


def both(main__angle, main__angle_rate, integral, t):
    error = 0.5 * math.sin(2 * t) - main__angle
    return 20.0 * error, 30.0 * error + integral - 2.0 * main__angle_rate


def one(main__angle, t):
    return 20.0 * (0.5 * math.sin(2 * t) - main__angle)


def test_python_functions_are_the_same_as_expressions():
    outputs = {"torque": "30*error + integral - 2*main.angle_rate"}
    inputs = {"error": "0.5*sin(2*t) - main.angle"}
    written = gd.Controller(
        states={"integral": 0.0}, inputs=inputs, derivative={"integral": "20*error"}, outputs=outputs
    )
    single = gd.Controller(states={"integral": 0.0}, inputs=inputs, derivative=one, outputs=outputs)
    several = gd.Controller(states={"integral": 0.0}, outputs=("torque",), derivative=both)
    angles = [
        angle_of(gd.simulate(arm(controllers={"pid": each}, loads=DRIVE), 1.0, sample=0.1))
        for each in (written, single, several)
    ]
    assert np.abs(angles[1] - angles[0]).max() < 1e-12 and np.abs(angles[2] - angles[0]).max() < 1e-12


def motor(inductance: float) -> gd.System:
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"rotor": gd.Body(mass=1.0, inertia=(0.02, 0.02, 0.02))},
        joints={"main": gd.Revolute("ground", "rotor", at=(0, 0, 0), axis=(0, 1, 0))},
        controllers={
            "motor": gd.Controller(
                states={"current": 0.0},
                inputs={"voltage": "24*sin(t)"},
                derivative={"current": f"(voltage - 1.0*current - 0.05*main.angle_rate)/{inductance!r}"},
                units={"current": "A"},
            )
        },
        loads={"torque": gd.JointTorque("main", "0.05*motor.current - 0.01*main.angle_rate")},
    )


@pytest.mark.parametrize("solver", ["Implicit", "TimeStepping"])
def test_a_short_time_constant_costs_no_steps(solver):
    chosen = gd.Implicit(rtol=1e-7) if solver == "Implicit" else gd.TimeStepping()
    runs = {x: gd.simulate(motor(x), 3.0, solver=chosen, sample=0.1) for x in (1e-2, 1e-6)}
    assert runs[1e-6].stats["steps"] < 1.2 * runs[1e-2].stats["steps"]
    reference = solve_ivp(
        lambda t, y: [(0.05 * y[1] - 0.01 * y[0]) / 0.02, (24 * math.sin(t) - y[1] - 0.05 * y[0]) / 1e-6],
        (0, 3),
        [0, 0],
        method="Radau",
        rtol=1e-10,
        atol=1e-11,
        dense_output=True,
    ).sol(runs[1e-6].data.time.values)
    data = runs[1e-6].data
    within = 1e-5 if solver == "Implicit" else 2e-3
    assert np.abs(data.joint_velocity.values[:, 0] - reference[0]).max() < within
    assert np.abs(data.controller_state.values[:, 0] - reference[1]).max() < within
    assert str(data.controller_state.state_unit.values[0]) == "A"


def test_a_scale_tells_which_errors_do_not_matter():
    def pressure(**scale):
        swings = gd.Controller(states={"p": 0.0}, derivative={"p": "1e9*cos(20*t)"}, **scale)
        return arm(controllers={"oil": swings}, loads={"push": gd.JointTorque("main", "1e-8*oil.p")})

    fine = gd.simulate(pressure(), 1.0, sample=0.1)
    coarse = gd.simulate(pressure(scale={"p": 1e7}), 1.0, sample=0.1)
    for result in (fine, coarse):
        expected = 5e7 * np.sin(20 * result.data.time.values)
        assert np.abs(result.data.controller_state.values[:, 0] - expected).max() < 1e-5 * 5e7
    assert coarse.stats["steps"] <= fine.stats["steps"]
    strict = gd.simulate(pressure(), 1.0, sample=0.1, solver=gd.Sundials())
    eased = gd.simulate(pressure(scale={"p": 1e7}), 1.0, sample=0.1, solver=gd.Sundials())
    assert eased.stats["steps"] < strict.stats["steps"]


def test_initial_values_may_be_expressions():
    follower = gd.Controller(states={"x": "main.angle_rate + 1", "y": "2*x"}, derivative={"x": 0.0, "y": 0.0})
    result = gd.simulate(arm(rate=3.0, controllers={"c": follower}), 0.1, sample=0.1)
    assert result.data.controller_state.values.tolist() == [[4.0, 8.0], [4.0, 8.0]]


def test_chains_of_controllers_and_crossings_of_their_signals():
    controllers = {
        "second": gd.Controller(states={"x": 0.0}, derivative={"x": "(first.y - x)/0.1"}),
        "first": gd.Controller(
            states={"x": 0.0}, inputs={"u": "unit"}, derivative={"x": "(u - x)/0.2"}, outputs={"y": "x"}
        ),
    }
    system = arm(controllers=controllers, signals={"unit": 1.0})
    half = {"half": gd.Crossing(signal="second.x", value=0.5, stop=True)}
    result = gd.simulate(system, 1.0, crossings=half)
    t = float(result.crossings.time[0])
    assert result.stats["end"] == "stopped"
    assert 1.0 - 2.0 * math.exp(-t / 0.2) + math.exp(-t / 0.1) == pytest.approx(0.5, abs=1e-8)


def test_small_motions_have_the_states_of_controllers():
    pid = gd.PID(measured="main.angle", kp=30.0, ki=20.0, kd=2.0, filter_time=0.02, output="torque")
    system = arm(controllers={"pid": pid}, loads=DRIVE)
    small = gd.linearize(system)
    assert small.controller_states == ("pid.integral", "pid.filtered")
    stiffness = 30.0 + 2.0 / 0.02 + MASS * G * ARM
    expected = np.array(
        [
            [0.0, 1.0, 0.0, 0.0],
            [-stiffness / WHOLE, 0.0, 1.0 / WHOLE, -2.0 / 0.02 / WHOLE],
            [-20.0, 0.0, 0.0, 0.0],
            [-50.0, 0.0, 0.0, -50.0],
        ]
    )
    assert np.abs(small.state_matrix - expected).max() < 1e-8
    found, wanted = np.sort_complex(small.eigenvalues), np.sort_complex(np.linalg.eigvals(expected))
    assert np.abs(found - wanted).max() < 1e-7 and small.stable
    assert "pid.integral" in str(small) and len(small.mode_eigenvalues) == 3
    moving = gd.linearize(gd.simulate(system.replace(gravity=(2.0, 0, -9.0)), 3.0), at=0.0)
    assert np.abs(moving.state_matrix[2:] - expected[2:]).max() < 1e-8


def test_controllers_rest_with_the_mechanism():
    pid = gd.PID(measured="main.angle", setpoint=0.8, kp=30.0, ki=20.0, kd=2.0, rate="main.angle_rate", output="torque")
    system = arm(controllers={"pid": pid}, loads=DRIVE)
    found = gd.equilibrium(system)
    assert found.state.controls["pid.integral"] == pytest.approx(MASS * G * ARM * math.sin(0.8), rel=1e-10)
    assert found.stable and gd.linearize(found).stable
    stays = gd.simulate(system, 0.5, start=found.state, sample=0.1)
    assert np.abs(angle_of(stays) - 0.8).max() < 1e-9
    held = gd.equilibrium(system, controllers="hold")
    angle = 2.0 * math.atan2(held.system.start["arm"].orientation[2], held.system.start["arm"].orientation[0])
    assert 30.0 * (0.8 - angle) == pytest.approx(MASS * G * ARM * math.sin(angle), rel=1e-9)
    upright = gd.PID(
        measured="main.angle", setpoint="pi", kp=1.0, ki=20.0, kd=2.0, rate="main.angle_rate", output="torque"
    )
    assert not gd.equilibrium(arm(controllers={"pid": upright}, loads=DRIVE)).stable
    runs_on = system.replace(
        controllers={**system.controllers, "clock": gd.Controller(states={"n": 0.0}, derivative={"n": 1.0})}
    )
    with pytest.raises(gd.ModelError, match=r"state 'clock.n' of a controller does not come to rest"):
        gd.equilibrium(runs_on)


def test_files_and_pickles_keep_controllers(tmp_path):
    controllers = {
        "pid": FILTERED,
        "filter": gd.Controller(
            states={"x": 0.0}, derivative={"x": "(pid.torque - x)/0.05"}, scale={"x": 1.0}, units={"x": "N*m"}
        ),
    }
    system = arm(controllers=controllers, loads={"drive": gd.JointTorque("main", "filter.x")})
    again = gd.load_system(system.save(tmp_path / "arm.yaml"))
    assert again == system and hash(again) == hash(system)
    result = gd.simulate(system, 0.3, sample=0.1)
    kept = gd.load(result.save(tmp_path / "arm.nc"))
    assert kept.system == system and kept.state() == result.state()
    ends = [
        gd.simulate(system, 0.2, start=each.state()).states[-1]
        for each in (result, kept, pickle.loads(pickle.dumps(result)))
    ]
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])
    assert "filter.x.controller_state [N*m]" in result.table().columns


def test_a_description_with_units(tmp_path):
    text = """
bodies: {arm: {mass: 1.5 kg, inertia: [0.02, 0.02, 0.02], position: [0, 0, -30 cm]}}
joints: {main: {type: Revolute, parent: ground, child: arm, at: [0, 0, 0], axis: [0, 1, 0]}}
controllers:
  pid: {type: PID, measured: main.angle, setpoint: 0.5, kp: 30, kd: 2, filter_time: 20 ms, period: 5 ms, output: u}
  lag: {type: Controller, states: {x: 0}, derivative: {x: (pid.u - x)/0.05}}
loads: {drive: {type: JointTorque, joint: main, value: lag.x}}
"""
    (tmp_path / "arm.yaml").write_text(text)
    system = gd.load_system(tmp_path / "arm.yaml")
    assert system.controllers["pid"].filter_time == pytest.approx(0.02)
    assert system.controllers["pid"].made().period == pytest.approx(5e-3)
    assert gd.simulate(system, 0.05).stats["end"] == "done"


@pytest.mark.parametrize(
    ("controller", "says"),
    [
        (
            gd.Controller(states={"x": 0.0}, derivative={"x": "sqrt(0.05 - main.angle)"}),
            "derivative of 'x' is nan with main.angle = 0.05",
        ),
        (
            gd.Controller(states={"x": 0.0}, inputs={"v": "log(0.05 - main.angle)"}, derivative={"x": "v"}),
            "input 'v' is",
        ),
        (
            gd.Controller(states={"x": 0.0}, period=0.02, update={"x": "sqrt(0.05 - main.angle)"}),
            "update of 'x' is nan with main.angle = 0.06",
        ),
    ],
)
def test_no_number_names_controller_time_and_arguments(controller, says):
    system = arm(rate=1.0, controllers={"pid": controller}, loads={"drive": gd.JointTorque("main", "pid.x")})
    with pytest.raises(gd.SimulationError, match=r"t = 0.05|t = 0.06") as failure:
        gd.simulate(system, 1.0)
    assert f"Controller 'pid': {says}" in str(failure.value) and failure.value.owner == "pid"
    assert 0.04 < failure.value.time < 0.07


def test_the_guard_knows_that_controllers_drive():
    from gudgeon.results.guard import sources

    pushes = gd.Controller(outputs={"c": "-0.5"})
    spring = gd.JointSpring("main", stiffness=1.0, damping="boost.c")
    system = arm(rate=1.0, controllers={"boost": pushes}, loads={"spring": spring})
    assert sources(system) == ["spring"]
    gd.simulate(system, 1.0)


def _one_of_two(x):
    return x


@pytest.mark.parametrize("period", [None, 0.01], ids=["continuous", "sampled"])
@pytest.mark.parametrize("name", ["integral", "error", "measured", "setpoint", "rate", "unlimited", "torque"])
@pytest.mark.parametrize("setpoint", ["signal", "table"])
def test_a_signal_may_be_called_as_what_a_pid_has_inside(name, period, setpoint):
    """What a PID is given are signals of the system, whatever they are called: the motion is that of another name."""
    runs = []
    for given in (name, "wanted"):
        pid = gd.PID(
            measured=f"main.angle + 0*{given}",
            setpoint=given if setpoint == "signal" else gd.Table([-9.0, 9.0], [-9.0, 9.0], of=given),
            rate=f"main.angle_rate + 0*{given}",
            kp=30.0,
            ki=20.0,
            kd=2.0,
            limits=(-50.0, 50.0),
            period=period,
            output="torque",
        )
        system = arm(
            signals={given: "0.5 - 0.05*main.angle_rate"},
            controllers={"pid": pid},
            loads={"motor": gd.JointTorque("main", "pid.torque")},
        )
        runs.append(gd.simulate(system, 0.1).data.position.values)
    assert runs[0] == pytest.approx(runs[1], abs=1e-12)
    assert np.ptp(runs[0], axis=0).max() > 1e-3


MISTAKES = [
    (
        lambda: gd.Controller(states={"x": 0.0}),
        "nothing tells how its states change; give derivative={'x': expression}",
    ),
    (
        lambda: gd.Controller(states={"x": 0.0}, derivative={"y": 1.0}),
        "derivative of 'y': no such state; known are 'x'",
    ),
    (
        lambda: gd.Controller(states={"x": 0.0}, derivative={"x": 1.0}, period=0.1),
        "with period= it is sampled: give update=",
    ),
    (lambda: gd.Controller(states={"x": 0.0}, update={"x": 1.0}), "without period= it is continuous"),
    (lambda: gd.Controller(states={"e": 0.0}, derivative={"e": 1.0}), "'e' cannot name one of its states"),
    (
        lambda: gd.Controller(states={"x": 0.0}, outputs={"x": 1.0}, derivative={"x": 1.0}),
        "'x' is one of its outputs and of its states",
    ),
    (lambda: gd.Controller(), "it does nothing"),
    (lambda: gd.Controller(states={"x": 0.0}, outputs=("u",), derivative={"x": 1.0}), "outputs are names alone"),
    (lambda: gd.Controller(outputs={"u": 1.0}, period=-1.0), "period is -1 s"),
    (lambda: gd.Controller(outputs={"u": 1.0}, offset=0.1), "first instant of a sampled controller"),
    (lambda: gd.Controller(outputs={"u": 1.0}, scale={"u": 1.0}), "scale of 'u': no such state"),
    (lambda: gd.PID(measured="main.angle", kd=1.0), "give rate="),
    (lambda: gd.PID(measured="main.angle", kp=1.0, limits=(1, 0)), "the smallest and the largest output"),
    (
        lambda: arm(controllers={"pid": gd.Controller(outputs={"u": "main.angel"})}),
        "Controller 'pid': output 'u': expression 'main.angel': no signal 'main.angel'; did you mean 'main.angle'",
    ),
    (lambda: arm(controllers={"main": gd.Controller(outputs={"u": 1.0})}), "Controller 'main': a joint has this name"),
    (
        lambda: arm(controllers={"a": gd.Controller(outputs={"u": "b.u"}), "b": gd.Controller(outputs={"u": "2*a.u"})}),
        "a.u → b.u → a.u depend on each other (an algebraic loop)",
    ),
    (
        lambda: arm(controllers={"a": gd.Controller(outputs={"u": "2*v"})}, signals={"v": "a.u"}),
        "v → a.u → v depend on each other",
    ),
    (
        lambda: arm(controllers={"a": gd.Controller(inputs={"v": "u"}, outputs={"u": "v"})}),
        "a.v → a.u → a.v depend on each other",
    ),
    (
        lambda: gd.kinematics(
            arm(
                drives={"d": gd.Drive("main", "t")},
                controllers={"c": gd.Controller(states={"x": 0.0}, derivative={"x": 1.0})},
            ),
            1.0,
        ),
        "kinematics: Controller 'c' has states",
    ),
    (
        lambda: gd.inverse_dynamics(
            arm(controllers={"c": gd.Controller(states={"x": 0.0}, derivative={"x": 1.0})}), {"main": "t"}, duration=1.0
        ),
        "inverse_dynamics: Controller 'c' has states",
    ),
    (
        lambda: gd.linearize(arm(controllers={"c": gd.Controller(period=0.1, outputs={"u": 1.0})})),
        "linearize: Controller 'c' is sampled",
    ),
    (
        lambda: gd.simulate(arm(), 0.1, crossings={"c": gd.Crossing(signal="main.angle", value=1.0)}),
        "nothing counts the turns of 'main.angle'",
    ),
    (lambda: gd.Crossing(signal="main.angle_rate", body="arm"), "give joint=, body= or signal=, one of them"),
    (
        lambda: gd.PID(measured="main.angle", kp=1.0, limits=5.0),
        "PID: limits is 5.0; give the smallest and the largest",
    ),
    (
        lambda: arm(
            signals={"q": 0.5},
            controllers={"c": gd.Controller(states={"q": 0.0}, derivative={"q": "q - main.angle"})},
        ),
        "Controller 'c': derivative of 'q': expression 'q - main.angle': 'q' is a name of its own and one of the "
        "signals of System 'mechanism'; give one of them another name",
    ),
    (
        lambda: arm(signals={"q": 0.5}, controllers={"c": gd.Controller(inputs={"q": "q"}, outputs={"u": "2*q"})}),
        "Controller 'c': input 'q': expression 'q': 'q' is a name of its own and one of the signals",
    ),
    (
        lambda: arm(controllers={"c": gd.Controller(outputs={"u": "arm.x.nobody"})}),
        "no signal 'arm.x.nobody': no body 'nobody' that sees 'arm'; known are 'arm', 'ground'",
    ),
    (
        lambda: gd.simulate(
            arm(
                controllers={"c": gd.Controller(states={"x": 0.0}, derivative=_one_of_two, outputs=("u",))},
                loads={"l": gd.JointTorque("main", "c.u")},
            ),
            0.1,
        ),
        "Controller 'c': derivative: function '_one_of_two' returns 1 number; it must return a tuple of 2 numbers",
    ),
]


@pytest.mark.parametrize(("wrong", "says"), MISTAKES)
def test_mistakes_name_object_rule_value_and_fix(wrong, says):
    with pytest.raises(gd.ModelError) as refusal:
        wrong()
    assert says in str(refusal.value)
