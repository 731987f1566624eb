"""When a rigid slider breaks away: at μ_s ΣN, however the load comes; one that swings in soft contacts, earlier.

The load acts at half height, so the corners are pressed unequally and share the friction unequally. With μ_k < μ_s a
corner that is let go too early takes the others along.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd

LENGTH, HEIGHT, PLAY, STATIC, KINETIC = 0.2, 0.1, 1e-4, 0.30, 0.25
MASS, INERTIA = 1.0 / 9.81, 1e-3  # a weight of 1 N
FRICTION = gd.laws.DryFriction(static=STATIC, kinetic=KINETIC)
LATER = 0.02  # when a load is stepped on, or is fully there [s]


def pushed(model: gd.RigidSlider, force: float, how: str, depth: float) -> gd.System:
    """Lies in its guide and is pushed at once, or is dropped by 20 µm and pushed later, or more and more."""

    load = {
        "at once": force,
        "later": f"{force!r}*step(t - {LATER})",
        "slowly": f"{force!r}*min(t/{LATER}, 1)",
    }[how]
    lift = 2e-5 if how == "later" else 0.0
    return gd.System(
        gravity=(0.0, -9.81, 0.0),
        bodies={"block": gd.Body(mass=MASS, inertia=(INERTIA,) * 3)},
        joints={"guide": gd.Guide("ground", "block", at=(0.0, 0.0, 0.0), model=model)},
        loads={"push": gd.Force("block", (load, 0.0, 0.0))},
        start={"block": gd.BodyState(position=(0.0, -PLAY - depth + lift, 0.0), orientation=(1, 0, 0, 0))},
    )


def moves(model: gd.RigidSlider, force: float, how: str, solver, depth: float = 0.0) -> bool:
    """Does it slide away? A soft one that sticks pitches by less than a micrometre."""
    result = gd.simulate(pushed(model, force, how, depth), 3.0 * LATER, solver=solver, sample=3.0 * LATER)
    return float(result.data.position.sel(body="block", axis="x")[-1]) > 2e-6


HARD = gd.RigidSlider(length=LENGTH, height=HEIGHT, clearance=PLAY, impact=0.0, friction=FRICTION)


@pytest.mark.parametrize("how", ["at once", "later", "slowly"])
@pytest.mark.parametrize(
    "solver", [gd.TimeStepping(step=1e-3), gd.TimeStepping(step=1e-4), "auto"], ids=["1 ms", "0.1 ms", "auto"]
)
def test_a_hard_slider_breaks_away_at_the_static_limit(how, solver):
    assert not moves(HARD, STATIC * (1.0 - 1e-5), how, solver)
    assert moves(HARD, STATIC * (1.0 + 1e-5), how, solver)


def soft(stiffness: float, damping: float) -> gd.RigidSlider:
    law = gd.laws.KelvinVoigt(stiffness=stiffness, damping=damping)
    return gd.RigidSlider(length=LENGTH, height=HEIGHT, clearance=PLAY, contact=law, friction=FRICTION)


@pytest.mark.parametrize("how", ["at once", "slowly"])
@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_a_soft_slider_that_does_not_swing(how, step):
    """Overdamped in its contacts: it pitches slowly, and inertia plays no part."""
    model, solver = soft(1e4, 1e3), gd.TimeStepping(step=step)
    assert not moves(model, STATIC * (1.0 - 1e-3), how, solver, depth=0.5 / 1e4)
    assert moves(model, STATIC * (1.0 + 1e-3), how, solver, depth=0.5 / 1e4)


def swings(stiffness: float, damping: float) -> float:
    """Largest friction per load while it sticks: it pitches about the guide, (J + m h²) θ'' = −h F − 2 b² (k θ + d θ').

    h is half the height, b half the length; friction is F + m h θ''. Returns the force at which it breaks away [N].
    """
    h, b, inertia = 0.5 * HEIGHT, 0.5 * LENGTH, INERTIA + MASS * 0.25 * HEIGHT**2

    def rates(t, state):
        angle, rate = state
        return [rate, (-h - 2.0 * b * b * (stiffness * angle + damping * rate)) / inertia]

    run = solve_ivp(rates, (0.0, 0.05), [0.0, 0.0], rtol=1e-9, atol=1e-13, max_step=1e-5)
    friction = 1.0 + MASS * h * np.array([rates(0.0, state)[1] for state in run.y.T])
    return STATIC / float(np.abs(friction).max())


def test_a_soft_slider_that_swings_breaks_away_earlier():
    """A load that jumps makes it pitch; friction overshoots by 4.8 %: it breaks away at 0.2863 N, not at 0.3 N."""
    away = swings(1e5, 1e2)
    assert away == pytest.approx(0.28629, abs=1e-5)
    model, solver = soft(1e5, 1e2), gd.TimeStepping(step=2e-5)
    assert not moves(model, away * (1.0 - 1e-3), "at once", solver, depth=0.5 / 1e5)
    assert moves(model, away * (1.0 + 1e-3), "at once", solver, depth=0.5 / 1e5)
