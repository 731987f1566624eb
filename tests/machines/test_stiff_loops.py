"""Loops through states of controllers in Implicit: matrix exponentials, steps that do not feel how fast a loop is."""

import numpy as np
import pytest
from scipy.linalg import expm, matrix_balance

import gudgeon as gd
from machines.controlled_arms import arm, cut_runs_agree

J = 2e-3  # of the disc [kg·m²]


def disc(torque, rates, **parts):
    """A disc on "main" under a torque of the states of "law", with these rates."""
    law = gd.Controller(states=dict.fromkeys(rates, 0.0), derivative=rates, outputs={"torque": torque})
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"disc": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, J))},
        joints={"main": gd.Revolute("ground", "disc", at=(0, 0, 0))},
        controllers={"law": law},
        loads={"motor": gd.JointTorque("main", "law.torque")},
        **parts,
    )


def written(row, states):
    """Σ a x as an expression, x = θ, ω, the states of the controller, 0.3 sin 2t and 0.3 cos 2t."""
    names = ["main.angle", "main.angle_rate", *states, "0.3*sin(2*t)", "0.3*cos(2*t)"]
    return " + ".join(f"{float(a)!r}*({name})" for a, name in zip(row, names, strict=True) if a)


def lagging(w):
    """A proportional and derivative position servo of the frequency w [rad/s] whose torque lags by 1/(10 w)."""
    return ["x"], [0, 0, 1, 0, 0], [np.array([-J * w * w, -1.4 * J * w, -1.0, J * w * w, 0]) * 10.0 * w]


def integrating(w):
    """A proportional and integral speed loop: both poles at −w."""
    return ["z"], [0, -2.0 * J * w, J * w * w, 0, 4.0 * J * w], [[0, -1, 0, 0, 2]]


def electric(w):
    """A coil (5 mH, 1 Ω, 0.05 N·m/A) whose current a PI loop controls at 10 w, under a speed loop at w, around θ."""
    R, L, k = 1.0, 5e-3, 0.05
    wanted = np.array([-0.5 * w, -1.0, 0, 0, 0.5 * w, 2]) * w * J / k  # current: (w/2 (r − θ) + ṙ − ω) w J/k
    error = wanted - [0, 0, 1, 0, 0, 0]
    voltage = 10.0 * w * L * error + [0, 0, 0, 10.0 * w * R, 0, 0]
    return ["i", "z"], [0, 0, k, 0, 0, 0], [(voltage - [0, k, R, 0, 0, 0]) / L, error]


def observed(w):
    """State feedback of the frequency w from an observer of θ and ω that is five times as fast."""
    torque = np.array([0, 0, -J * w * w, -1.4 * J * w, J * w * w, 0])
    gain = np.array([1, 0, -1, 0, 0, 0])
    return ["a", "b"], torque, [[0, 0, 0, 1, 0, 0] + 7.0 * w * gain, torque / J + 25.0 * w * w * gain]


LOOPS = {"lagging": lagging, "integrating": integrating, "electric": electric, "observed": observed}


def system_of(loop, w):
    states, torque, rates = LOOPS[loop](w)
    return disc(written(torque, states), {name: written(row, states) for name, row in zip(states, rates, strict=True)})


def closed_form(loop, w, times):
    """θ by the exponential of the loop's matrix, the oscillator of its setpoint included."""
    states, torque, rates = LOOPS[loop](w)
    n = 4 + len(states)
    A = np.zeros((n, n))
    A[0, 1], A[1], A[2:-2] = 1.0, np.array(torque) / J, rates
    A[-2, -1], A[-1, -2] = 2.0, -2.0
    start = np.zeros(n)
    start[-1] = 0.3
    balanced, T = matrix_balance(A, permute=False)  # in units in which its numbers are alike
    return np.array([(T @ (expm(balanced * t) @ np.linalg.solve(T, start)))[0] for t in times])


@pytest.mark.parametrize("loop", LOOPS)
def test_steps_do_not_feel_how_fast_a_loop_is(loop, coordinates):
    """From rest onto a setpoint that moves: a transient, then the steps of the setpoint.

    In proportion to the frequency, as the sweeps alone would need them, they would be a thousand times as many.
    """
    steps = []
    fastest = 1e5 if loop == "electric" else 1e6  # whose current loop is ten times as fast
    for w in (1e3, 1e4, 1e5, fastest):
        options = {"solver": gd.Implicit(rtol=1e-7), "coordinates": coordinates}
        result = gd.simulate(system_of(loop, w), 1.0, sample=0.1, **options)
        angle = result.data.joint_position.sel(coordinate="main.angle").values
        error = np.abs(angle - closed_form(loop, w, result.data.time.values))
        assert error[-1] < 3e-8, w  # where a step ends
        assert error.max() < 2e-5, w  # of the polynomials of steps as long as a tenth of a period of the setpoint
        steps.append(result.stats["steps"] + result.stats["rejections"])
    assert max(steps) < 500, steps


def observed_arm(w=300.0):
    """An arm in gravity, held by state feedback from an observer that knows nothing of gravity, limited torque."""
    observer = gd.Controller(
        states={"a": 0.0, "b": 0.0},
        derivative={"a": f"b + {6 * w}*(main.angle - a)", "b": f"{9 * w * w}*(main.angle - a)"},
        outputs={"torque": f"20*tanh(({0.15 * w * w}*(0.5*sin(4*t) - a) - {0.2 * w}*b)/20)"},
    )
    return arm(rate=1.0, controllers={"observer": observer}, loads={"motor": gd.JointTorque("main", "observer.torque")})


def test_it_agrees_with_the_explicit_solver(coordinates):
    options = {"sample": 0.02, "coordinates": coordinates}
    one = gd.simulate(observed_arm(), 0.6, solver=gd.Explicit(rtol=1e-11, atol=1e-13), **options).data
    two = gd.simulate(observed_arm(), 0.6, solver=gd.Implicit(rtol=1e-9, atol=1e-12), **options).data
    assert np.abs(one.joint_position.values - two.joint_position.values).max() < 2e-8
    assert np.abs(one.controller_state.values - two.controller_state.values).max() < 2e-6


def test_a_fast_pid_with_limits_agrees_with_the_explicit_solver(coordinates):
    """Filter of 10 µs, gains that settle within a millisecond: at its limits first, then on its setpoint."""
    pid = gd.PID(
        measured="main.angle", setpoint="0.4*sin(3*t)", kp=4e5, ki=6e6, kd=4e2, filter_time=1e-5,
        limits=(-15, 15), output="torque", units="N*m",
    )  # fmt: skip
    held = arm(controllers={"pid": pid}, loads={"motor": gd.JointTorque("main", "pid.torque")})
    options = {"sample": np.array([0.0, 0.25]), "coordinates": coordinates}
    one = gd.simulate(held, 0.25, solver=gd.Explicit(rtol=1e-10, atol=1e-13), **options)
    two = gd.simulate(held, 0.25, solver=gd.Implicit(rtol=1e-7), **options)
    assert two.data.joint_position.values == pytest.approx(one.data.joint_position.values, abs=1e-7)
    assert two.stats["steps"] + two.stats["rejections"] < one.stats["steps"] / 20


def test_together_with_a_real_joint(coordinates):
    """The servo's torque acts on an arm in a bushing: forces of the joint and the loop are solved for at once."""
    w, inertia = 300.0, 0.155
    lag = f"({inertia * w * w}*(0.3*sin(2*t) - main.angle) - {1.4 * inertia * w}*main.angle_rate - x)*{10 * w}"
    law = gd.Controller(states={"x": 0.0}, derivative={"x": lag}, outputs={"torque": "x"})
    soft = gd.Bushing(stiffness=1e6, damping=2e3, tilt_stiffness=1e4, tilt_damping=20.0)
    held = arm(controllers={"law": law}, loads={"motor": gd.JointTorque("main", "law.torque")}).with_model(main=soft)
    options = {"sample": 0.02, "coordinates": coordinates}
    one = gd.simulate(held, 0.2, solver=gd.Explicit(rtol=1e-11, atol=1e-13), **options).data
    two = gd.simulate(held, 0.2, solver=gd.Implicit(rtol=1e-9, atol=1e-12), **options).data
    assert np.abs(one.position.values - two.position.values).max() < 1e-10
    assert np.abs(one.controller_state.values - two.controller_state.values).max() < 2e-6


def test_runs_cut_anywhere_go_on_to_the_bit(coordinates):
    cut_runs_agree(observed_arm(), 0.5, (0.037, 0.2, 0.41), solver=gd.Implicit(rtol=1e-7))


def test_which_states_are_solved_for():
    """Those through which the motion reaches a load: no filter of the time, no state that nothing acts by."""
    from gudgeon.mechanics.equations import equations_of_motion
    from gudgeon.mechanics.solved_loads import solved_loads

    rates = {
        "of time": "sin(t) - of_time",
        "between": "main.angle_rate - between + of_time",
        "behind": "between - behind",
        "seen": "main.angle + behind - seen",
    }
    rates = {name.replace(" ", "_"): rate for name, rate in rates.items()}
    equations = equations_of_motion(disc("behind + of_time", rates))
    motor, *states = solved_loads(equations.model)
    names = equations.controls.states
    assert [names[each.state] for each in states] == ["law.between", "law.behind"]
    assert {names[state] for state in motor.states} == {"law.behind"}
    assert not motor.sensed - {0}  # it feels the motion by states alone
    assert [bool(each.sensed - {0}) for each in states] == [True, False]


def test_soft_loops_are_left_to_the_sweeps():
    """An integral part with a time constant of a second: not among the unknowns after the first steps."""
    from gudgeon.kernels.dynamics.arrays import IDLE
    from gudgeon.mechanics.equations import equations_of_motion

    slow = disc(f"{0.2 * J}*z - {0.4 * J}*main.angle_rate", {"z": "1 - main.angle"})
    solved = gd.simulate(slow, 2.0, solver=gd.Implicit(rtol=1e-7)).state().memory.arrays["work.solved"]
    assert len(equations_of_motion(slow).model.effort) == len(solved) == 2
    assert np.all(solved == IDLE)
