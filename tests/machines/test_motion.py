"""Profiles for drives: limits kept, ends reached, derivatives continuous as promised; a drive that follows them."""

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.functions.expressions import derivative, evaluate, parse


def profile(text: str, times: np.ndarray) -> list[np.ndarray]:
    """Value and its first three derivatives."""
    out, expression = [], parse(text)
    for _ in range(4):
        out.append(np.array([evaluate(expression, t) for t in times]))
        expression = derivative(expression)
    return out


CASES = {
    "trapezoid": (gd.motion.trapezoid(-2.0, velocity=1.5, acceleration=4.0, begin=0.3), -2.0, 1.5, 4.0, math.inf),
    "short trapezoid": (gd.motion.trapezoid(0.1, velocity=1.5, acceleration=4.0), 0.1, 1.5, 4.0, math.inf),
    "s_curve": (gd.motion.s_curve(2.0, velocity=1.5, acceleration=4.0, jerk=30.0, begin=0.2), 2.0, 1.5, 4.0, 30.0),
    "s_curve without cruise": (gd.motion.s_curve(0.6, velocity=1.5, acceleration=4.0, jerk=30.0), 0.6, 1.5, 4.0, 30.0),
    "s_curve of jerks": (gd.motion.s_curve(-0.05, velocity=1.5, acceleration=4.0, jerk=30.0), -0.05, 1.5, 4.0, 30.0),
    "slow s_curve": (gd.motion.s_curve(2.0, velocity=0.3, acceleration=9.0, jerk=30.0), 2.0, 0.3, 9.0, 30.0),
    "cycloid": (gd.motion.cycloid(3.0, duration=2.0, begin=0.5), 3.0, 3.0, 2 * math.pi * 3 / 4, 4 * math.pi**2 * 3 / 8),
}


@pytest.mark.parametrize("name", CASES)
def test_moves_reach_their_end_within_their_limits(name):
    text, to, velocity, acceleration, jerk = CASES[name]
    times = np.linspace(0.0, 9.0, 18001)
    x, v, a, j = profile(text, times)
    assert x[0] == 0.0 and x[-1] == pytest.approx(to, rel=1e-14) and not v[-1] and not a[-1]
    assert np.abs(v).max() <= velocity * (1 + 1e-9) and np.abs(a).max() <= acceleration * (1 + 1e-9)
    assert np.abs(j).max() <= jerk * (1 + 1e-9)
    step = times[1]
    assert np.abs(np.diff(x)).max() <= 1.01 * velocity * step  # no jump
    assert np.abs(np.diff(v)).max() <= 1.01 * acceleration * step
    if jerk < math.inf:
        assert np.abs(np.diff(a)).max() <= 1.01 * jerk * step
    moved = np.sum(0.5 * (v[1:] + v[:-1])) * step
    assert moved == pytest.approx(to, rel=1e-4)


def test_fastest():
    """Trapezoid: T = L/v + v/a; the seven pieces: T = L/v + v/a + a/j (Biagiotti and Melchiorri)."""
    for text, wanted in (
        (gd.motion.trapezoid(2.0, velocity=1.5, acceleration=4.0), 2 / 1.5 + 1.5 / 4),
        (gd.motion.s_curve(2.0, velocity=1.5, acceleration=4.0, jerk=30.0), 2 / 1.5 + 1.5 / 4 + 4 / 30),
    ):
        expression = parse(text)
        assert evaluate(expression, wanted * (1 + 1e-9)) == 2.0 > evaluate(expression, wanted * (1 - 1e-3))


def test_a_start_up_to_a_speed(coordinates):
    """The work of the drive is the kinetic energy of the wheel: ½ 0.2 · 60²."""
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"wheel": gd.Body(mass=1.0, inertia=(0.2, 0.2, 0.2))},
        joints={"main": gd.Revolute("ground", "wheel", at=(0, 0, 0), axis=(0, 0, 1))},
        drives={"motor": gd.Drive("main", gd.motion.ramp(60.0, duration=0.5, begin=0.1))},
    )
    data = gd.simulate(system, 1.0, sample=1e-3).data
    assert float(data.joint_velocity[-1, 0]) == pytest.approx(60.0, rel=1e-8)
    assert float(data.joint_position[-1, 0]) == pytest.approx(60.0 * (1.0 - 0.1 - 0.25), rel=1e-8)
    work = np.trapezoid(data.drive_power.values[:, 0], data.time.values)
    assert work == pytest.approx(0.5 * 0.2 * 3600.0, rel=1e-5)


@pytest.mark.parametrize(
    ("make", "wording"),
    [
        (
            lambda: gd.motion.trapezoid(1.0, velocity=0.0, acceleration=1.0),
            "motion.trapezoid: velocity is 0; it must be",
        ),
        (lambda: gd.motion.s_curve(0.0, velocity=1.0, acceleration=1.0, jerk=1.0), "motion.s_curve: to is 0"),
        (lambda: gd.motion.cycloid(1.0, duration=-1.0), "motion.cycloid: duration is -1; it must be positive"),
        (lambda: gd.motion.ramp(0.0, duration=1.0), "motion.ramp: speed is 0"),
    ],
)
def test_mistakes(make, wording):
    with pytest.raises(gd.ModelError, match=wording):
        make()
