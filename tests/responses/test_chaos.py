"""Exponents of systems where they are known, and verdicts on a driven pendulum whose motions are known."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd
from responses.pendulum import OMEGA, PERIOD, driven_pendulum, run

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
