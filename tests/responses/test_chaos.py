"""Exponents of systems where they are known, and verdicts on a driven pendulum whose motions are known."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd
from gudgeon.responses.chaos import recurrence
from responses.pendulum import OMEGA, PERIOD, driven_pendulum, run

MASS = ("mass.position.x", "mass.velocity.x")
STATE = ("pivot.angle.velocity", "bob.position.x", "bob.position.z")


def henon(count):
    """λ = 0.41922 (Sprott, *Chaos and Time-Series Analysis*, 2003)."""
    x = np.zeros((count, 2))
    for k in range(1, count):
        x[k] = 1.0 - 1.4 * x[k - 1, 0] ** 2 + x[k - 1, 1], 0.3 * x[k - 1, 0]
    return x[100:]


def lorenz(count, step):
    """σ = 10, r = 28, b = 8/3: λ = 0.9056 (Sprott 2003)."""

    def rate(_, y):
        return [10.0 * (y[1] - y[0]), y[0] * (28.0 - y[2]) - y[1], y[0] * y[1] - 8.0 / 3.0 * y[2]]

    times = 20.0 + step * np.arange(count)
    return solve_ivp(rate, (0.0, times[-1]), [1.0, 1.0, 20.0], t_eval=times, rtol=1e-9, atol=1e-9, method="DOP853").y.T


def test_exponents_that_are_known():
    """Within 10 %, which is what the authors of the method report for series of this length."""
    x = [0.3]
    for _ in range(5000):
        x.append(4.0 * x[-1] * (1.0 - x[-1]))
    assert gd.lyapunov_exponent(x, dimension=1, fit=(0, 6)).value == pytest.approx(np.log(2.0), rel=0.1)
    assert gd.lyapunov_exponent(henon(5000)[:, 0], dimension=2, fit=(0, 6)).value == pytest.approx(0.419, rel=0.1)
    found = gd.lyapunov_exponent(lorenz(10_000, 0.02), 0.02, dimension=1, apart=50, steps=120, fit=(25, 100))
    assert found.value == pytest.approx(0.9056, rel=0.1)


@pytest.mark.parametrize(("count", "step"), [(5000, 0.01), (10_000, 0.02), (4000, 0.05)])
def test_the_exponent_of_lorenz_without_being_told_how(count, step):
    """From x alone; three delays, as everybody takes, and right within the error it states: 0.9056 (Sprott 2003)."""
    found = gd.lyapunov_exponent(lorenz(count, step)[:, 0], step)
    assert found.dimension == 3 and 0.15 <= found.delay * step <= 0.25 and found.apart * step > 1.0
    assert abs(found.value - 0.9056) < found.error < 0.5 and found.plot().axes


def test_exponents_of_maps_without_being_told_how():
    """ln 2, and 0.41922 of Hénon's map (Sprott 2003): delay 1, one dimension and two."""
    x = [0.3]
    for _ in range(5000):
        x.append(4.0 * x[-1] * (1.0 - x[-1]))
    for series, known, dimension in ((x, np.log(2.0), 1), (x[:1000], np.log(2.0), 1), (henon(5000)[:, 0], 0.41922, 2)):
        found = gd.lyapunov_exponent(series)
        assert (found.dimension, found.delay) == (dimension, 1)
        assert found.value == pytest.approx(known, rel=0.03) and abs(found.value - known) < found.error < 0.1
    quasi = np.cos(0.1 * np.arange(3000)) + np.cos(np.sqrt(0.02) * np.arange(3000))
    found = gd.lyapunov_exponent(quasi, 0.1)
    assert abs(found.value) < found.error < 0.2


def test_what_has_no_exponent_is_refused():
    with pytest.raises(gd.ModelError, match="about as far apart as any two; give a longer series, one with less noise"):
        gd.lyapunov_exponent(np.random.default_rng(0).normal(size=3000))
    with pytest.raises(gd.ModelError, match="all samples are the same; give a series that moves"):
        gd.lyapunov_exponent(np.ones(500))
    with pytest.raises(gd.ModelError, match="dimension is 0; give a whole number, at least 1"):
        gd.lyapunov_exponent(henon(500)[:, 0], dimension=0)
    with pytest.raises(gd.ModelError, match="too few for dimension"):
        gd.lyapunov_exponent([0.1, 0.2, 0.4, 0.3])


def test_an_exponent_of_order_is_zero():
    t = np.arange(3000) * 0.1
    found = gd.lyapunov_exponent(
        np.column_stack([np.cos(t), np.sin(t), np.cos(np.sqrt(2.0) * t)]), 0.1, dimension=2, steps=60, fit=(10, 60)
    )
    assert abs(found.value) < 0.02


def test_zero_one_test():
    """Gottwald & Melbourne (2009): the logistic map at 3.55 is periodic, at 3.97 chaotic."""
    for r, chaotic in ((3.55, False), (3.97, True)):
        x = [0.3]
        for _ in range(1500):
            x.append(r * x[-1] * (1.0 - x[-1]))
        assert (gd.zero_one_test(x[500:]) > 0.95) is chaotic
        assert (gd.zero_one_test(x[500:]) < 0.1) is not chaotic


def exponent_of_the_equation(drive):
    """By the linearised equation along the motion (Benettin, Galgani, Giorgilli, Strelcyn, 1980)."""

    def rate(t, y):
        return [y[1], -y[1] / 2 - np.sin(y[0]) + drive * np.cos(OMEGA * t), y[3], -y[3] / 2 - np.cos(y[0]) * y[2]]

    y, grown, count = np.array([0.0, 0.0, 1.0, 0.0]), 0.0, 700
    for k in range(count):
        y = solve_ivp(rate, (k * PERIOD / 2, (k + 1) * PERIOD / 2), y, method="DOP853", rtol=1e-8, atol=1e-8).y[:, -1]
        size = np.hypot(y[2], y[3])
        y[2:] /= size
        grown += np.log(size) if k >= 100 else 0.0
    return grown / ((count - 100) * PERIOD / 2)


def test_a_chaotic_pendulum():
    found = gd.kind_of_motion(run(1.5, 300), STATE, period=PERIOD, skip=50)
    assert found.kind == "chaotic" and found.zero_one > 0.9
    assert found.exponent.value == pytest.approx(exponent_of_the_equation(1.5), rel=0.15)
    assert "chaotic: 251 points of the section are more than 64 different ones; largest exponent 0." in str(found)
    assert len(found.plot().axes) == 2


@pytest.mark.parametrize(("drive", "count"), [(0.9, 1), (1.07, 2)])
def test_periodic_pendulums(drive, count):
    """Baker & Gollub: g = 0.9 has the period of the drive, 1.07 twice that. Points are those of another integrator."""
    found = gd.kind_of_motion(run(drive, 160), STATE, period=PERIOD, skip=100)
    assert found.kind == "periodic" and found.count == count and found.exponent is None

    def rate(t, y):
        return [y[1], -y[1] / 2 - np.sin(y[0]) + drive * np.cos(OMEGA * t)]

    times = PERIOD * np.arange(100, 161)
    other = solve_ivp(rate, (0.0, times[-1]), [0.0, 0.0], t_eval=times, method="DOP853", rtol=1e-11, atol=1e-12).y
    assert found.points[:, 0] == pytest.approx(other[1], abs=1e-6)
    assert found.points[:, 2] == pytest.approx(-0.8 * np.cos(other[0]), abs=1e-6)


@cache
def oscillator(damping):
    """x'' + c x' + 100 x = 3 sin 6t + 2, from rest: what is free of it decays with e^(−ct/2)."""
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"mass": gd.Body(mass=1.0, inertia=(1, 1, 1))},
        joints={"guide": gd.Prismatic("ground", "mass", at=(0, 0, 0), axis=(1, 0, 0))},
        loads={
            "spring": gd.JointSpring("guide", stiffness=100.0, damping=damping),
            "push": gd.JointForce("guide", "3*sin(6*t) + 2"),
        },
    )
    return gd.simulate(system, 120 * SIXTH, sample=SIXTH / 8)


SIXTH = 2.0 * np.pi / 6.0  # s


@pytest.mark.parametrize("skip", [0, 5, 10])
def test_a_linear_oscillator_that_has_not_settled_is_not_periodic(skip):
    """In a period the rest shrinks to e^(−0.4·1.047) = 0.66: it takes 22 of them to a ten-thousandth."""
    found = gd.kind_of_motion(oscillator(0.8), MASS, period=SIXTH, skip=skip)
    assert found.kind == "not settled" and found.advice.endswith(
        "it repeats itself every period, but only later: give skip=19"
    )
    settled = gd.kind_of_motion(oscillator(0.8), MASS, period=SIXTH, skip=19)
    assert settled.kind == "periodic" and settled.count == 1
    gain = 3.0 / np.hypot(100.0 - 36.0, 0.8 * 6.0)
    late = np.arctan2(0.8 * 6.0, 100.0 - 36.0)
    assert settled.points[-1] == pytest.approx([0.02 - gain * np.sin(late), 6.0 * gain * np.cos(late)], abs=1e-6)


def test_weaker_damping():
    """c = 0.05 halves the rest in 26 periods; without damping 10/6 of the drive is met after three periods."""
    slow = gd.kind_of_motion(oscillator(0.05), MASS, period=SIXTH, skip=5)
    assert slow.kind == "not settled" and "still draw together: give a longer run" in str(slow)
    free = gd.kind_of_motion(oscillator(0.0), MASS, period=SIXTH)
    assert free.kind == "periodic" and free.count == 3


def test_the_period_is_that_of_the_order_of_points():
    """a, b, a, c has four points in a period, and three different ones."""
    turns = np.tile([0.0, 1.0, 0.0, 2.0], 10)[:, None]
    assert recurrence(turns, np.full(1, 2.0)) == (0, 4)
    assert recurrence(np.sort(turns, axis=0), np.full(1, 2.0)) == (30, 1)
    assert recurrence(np.arange(40.0)[:, None], np.full(1, 40.0)) is None


def test_a_quasi_periodic_pendulum():
    """Neither driven nor damped: seen with a period that is not its own, it is a closed curve."""
    system = driven_pendulum(0.0, 0.0)
    pushed = system.replace(
        start={
            "bob": gd.BodyState(
                position=(0, 0, -0.8), orientation=(1, 0, 0, 0), velocity=(0.4, 0, 0), angular_velocity=(0, -0.5, 0)
            )
        }
    )
    result = gd.simulate(pushed, 200 * PERIOD, sample=PERIOD / 4, solver=gd.Explicit(rtol=1e-10, atol=1e-12))
    found = gd.kind_of_motion(result, STATE, period=PERIOD)
    assert found.kind == "quasi-periodic" and found.zero_one < 0.2 and abs(found.exponent.value) < 0.02


def test_mistakes():
    with pytest.raises(gd.ModelError, match=r"no output 'pivot\.angel'; did you mean 'pivot\.angle'"):
        gd.kind_of_motion(run(0.9, 160), ("pivot.angel",), period=PERIOD)
    with pytest.raises(gd.ModelError, match="give at least 50 periods"):
        gd.kind_of_motion(run(1.5, 300), STATE, period=PERIOD, skip=280)
    with pytest.raises(gd.ModelError, match="period is -1; give a positive number"):
        gd.poincare(run(0.9, 160), *STATE[:2], period=-1.0)
    with pytest.raises(gd.ModelError, match="too few"):
        gd.zero_one_test([1.0, 2.0])
    with pytest.raises(gd.ModelError, match="do not divide the period"):
        gd.kind_of_motion(run(1.5, 300), STATE, period=1.01 * PERIOD)
