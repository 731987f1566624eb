"""Sampled controllers: instants are exact in every solver, outputs are held, memory goes on to the bit."""

import math
from itertools import product

import numpy as np
import pytest

import gudgeon as gd
from machines.controlled_arms import SOLVERS, angle_of, arm, cut_runs_agree, swung
from machines.energy_balance import unbalanced

PERIOD, END = 0.01, 0.6
WITHIN = {"Explicit": 1e-12, "Implicit": 1e-8, "Sundials": 1e-7, "TimeStepping": 1e-5}  # of angles [rad]


def firmware(main__angle, main__angle_rate, integral, t):
    error = 0.5 * math.sin(2 * t) - main__angle
    return integral + 0.2 * error, 30.0 * error + integral - 2.0 * main__angle_rate


SAMPLED = {"pid": gd.Controller(period=PERIOD, states={"integral": 0.0}, outputs=("torque",), update=firmware)}
DRIVE = {"drive": gd.JointTorque("main", "pid.torque")}


@pytest.fixture(scope="module")
def held():
    """Angles just before every instant, and the torques that led there, one smooth piece after the other."""
    angle, rate, integral, found = 0.0, 0.0, 0.0, []
    for k in range(round(END / PERIOD)):
        begin = k * PERIOD
        integral, torque = firmware(angle, rate, integral, begin)
        piece = swung(lambda t, a, r, x, u=torque: u, angle, rate, begin=begin, until=begin + PERIOD)
        angle, rate = piece(begin + PERIOD)
        found.append((angle, torque, integral))
    return np.array(found)


@pytest.mark.parametrize(("solver", "coordinates"), product(SOLVERS, ("absolute", "relative")))
def test_the_arm_moves_as_piece_by_piece(held, solver, coordinates):
    system = arm(controllers=SAMPLED, loads=DRIVE)
    options = {"solver": SOLVERS[solver], "coordinates": coordinates}
    result = gd.simulate(system, END, sample=PERIOD, **options)
    assert np.abs(angle_of(result)[1:] - held[:, 0]).max() < WITHIN[solver]
    torque = result.data.controller_output.sel(output="pid.torque").values[1:]
    assert np.abs(torque - held[:, 1]).max() < 100 * WITHIN[solver]
    assert np.abs(result.data.controller_state.values[1:, 0] - held[:, 2]).max() < 100 * WITHIN[solver]
    if solver != "Sundials":
        cut_runs_agree(system, 0.2, (0.0333, 0.1, 0.1001), **options)


def test_a_state_goes_on_in_another_solver_as_if_nothing_had_been_cut(held):
    system = arm(controllers=SAMPLED, loads=DRIVE)
    for cut in (0.2, 0.2037):
        first = gd.simulate(system, cut)
        rest = gd.simulate(system, END - cut, start=first.state(), solver=gd.Implicit())
        assert angle_of(rest)[-1] == pytest.approx(held[-1, 0], abs=1e-7)


def test_energy_balances_between_instants():
    fine = np.linspace(PERIOD, 2 * PERIOD, 41)[1:-1]
    result = gd.simulate(arm(controllers=SAMPLED, loads=DRIVE), 2 * PERIOD, sample=fine)
    assert unbalanced(result) < 1e-8


def test_periods_offsets_and_order():
    """Who is due at once sees the new outputs of others, whatever the order of the description."""
    controllers = {
        "last": gd.Controller(period=0.02, outputs={"seen": "first.n + 100*middle.twice"}),
        "middle": gd.Controller(period=0.01, outputs={"twice": "2*first.n"}),
        "first": gd.Controller(
            period=0.01, offset=0.01, states={"k": 0.0}, update={"k": "k + 1"}, outputs={"n": "k + 1"}
        ),
    }
    times = np.array([0.005, 0.015, 0.025, 0.035, 0.045])
    for solver in SOLVERS.values():
        result = gd.simulate(arm(controllers=controllers), 0.05, sample=times, solver=solver)
        told = {
            str(name): result.data.controller_output.sel(output=name).values.tolist()
            for name in result.data.output.values
        }
        assert told["first.n"] == [0, 1, 2, 3, 4]
        assert told["middle.twice"] == [0, 2, 4, 6, 8]
        assert told["last.seen"] == [0, 0, 402, 402, 804]
        assert result.data.controller_state.values[:, 0].tolist() == [0, 1, 2, 3, 4]


def test_a_sampled_pid_is_that_of_the_book():
    """Åström and Murray, Feedback Systems: I by forward, D by backward differences, back-calculation."""
    kp, ki, kd, filter_time, limit, period = 4.0, 3.0, 0.5, 0.05, 2.0, 0.02
    pid = gd.PID(
        measured="u", setpoint=1.0, kp=kp, ki=ki, kd=kd, filter_time=filter_time, limits=(-limit, limit), period=period
    )
    result = gd.simulate(
        arm(controllers={"pid": pid}, signals={"u": "1.2*t**2"}), 1.0, sample=np.arange(50) * period + 0.01
    )
    integral, derivative, before, expected = 0.0, 0.0, 1.0, []
    for k in range(50):
        error = 1.0 - 1.2 * (k * period) ** 2
        derivative = filter_time / (filter_time + period) * derivative + kd / (filter_time + period) * (error - before)
        whole = kp * error + integral + derivative
        output = min(max(whole, -limit), limit)
        integral += period * (ki * error + (output - whole) / (kp / ki))
        before = error
        expected.append(output)
    assert result.data.controller_output.sel(output="pid.output").values == pytest.approx(expected, abs=1e-10)


def test_sampled_controllers_rest_with_the_mechanism():
    pid = gd.PID(
        measured="main.angle",
        setpoint=0.8,
        kp=30.0,
        ki=20.0,
        kd=2.0,
        rate="main.angle_rate",
        output="torque",
        period=PERIOD,
    )
    system = arm(controllers={"pid": pid}, loads=DRIVE)
    found = gd.equilibrium(system)
    result = gd.simulate(system, 0.2, start=found.state)
    assert np.abs(angle_of(result) - 0.8).max() < 1e-9


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_steps_of_flexible_bodies_end_at_instants(coordinates):
    """The matrices of a step belong to its length."""
    slider = gd.examples.slider_crank_flexible_slider(elements=4)
    torque = gd.Controller(period=0.0137, outputs={"u": "0.02*sin(30*t)"})
    system = slider.replace(controllers={"c": torque}, loads={**slider.loads, "more": gd.JointTorque("O", "c.u")})
    options = {"solver": gd.TimeStepping(step=2e-3), "coordinates": coordinates}
    result = gd.simulate(system, 0.1, sample=np.arange(7) * 0.0137 + 0.01, **options)
    expected = [0.02 * math.sin(30 * 0.0137 * k) for k in range(7)]
    assert result.data.controller_output.values[:, 0] == pytest.approx(expected, abs=1e-12)
    cut_runs_agree(system, 0.05, (0.02, 0.0301), **options)
