"""Real joints become ideal: stiff bushings as 1/k, dry clearance as c, films as c³; friction is what stays.

A film of clearance c yields at the rate ė = F c³/(4π μ R⁴) while the ball is near the centre: the third power. It must
be thin enough for that: with F ~ 10 N over a second the ball otherwise reaches the wall, and the deviation is c itself.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import gudgeon as gd
from gudgeon import laws

G, MASS, INERTIA, LENGTH, RADIUS = 9.81, 1.0, 0.02, 0.5, 0.01
START = np.array((math.sin(1.0), 0.0, -math.cos(1.0))) * LENGTH  # 1 rad from below
HARD = laws.LankaraniNikravesh(stiffness=1e13, restitution=0.5)
TIMES = np.linspace(0.0, 1.0, 21)
SOLVER = gd.Implicit(rtol=1e-8, atol=1e-13)


def pendulum(model=None, offset=(0.0, 0.0, 0.0), **parts) -> gd.System:
    """A compound pendulum on a spherical joint, at rest 1 rad from below."""
    system = gd.System(
        gravity=(0, 0, -G),
        bodies={"bob": gd.Body(mass=MASS, inertia=(INERTIA,) * 3, position=START)},
        joints={"J": gd.Spherical("ground", "bob", at=(0, 0, 0), model=model or gd.Ideal())},
        **parts,
    )
    if np.any(offset):
        start = gd.BodyState(position=START + offset, orientation=(1, 0, 0, 0))
        system = system.replace(start={"bob": start})
    return system


@pytest.fixture(scope="module")
def ideal() -> gd.Result:
    return gd.simulate(pendulum(), 1.0, sample=TIMES, solver=gd.Explicit(rtol=1e-11, atol=1e-12))


def deviation(result: gd.Result, other: gd.Result) -> float:
    return float(np.abs(result.data.position.values - other.data.position.values).max())


def order(sizes, deviations) -> np.ndarray:
    """Of convergence between neighbours."""
    pairs = zip(itertools.pairwise(sizes), itertools.pairwise(deviations), strict=True)
    return np.array([math.log(d / e) / math.log(s / r) for (s, r), (d, e) in pairs])


@pytest.mark.parametrize("kind", ["radial", "3×3", "6×6"])
def test_stiff_bushings(kind, ideal):
    """Damped alike (b ∝ 1/√k), their deviation is the static one, ∝ F/k."""
    found, compliances = [], [1e-5, 1e-6, 1e-7]
    for compliance in compliances:
        k = 1.0 / compliance
        matrix = {"radial": k, "3×3": k * np.eye(3), "6×6": np.diag((k, k, k, 0, 0, 0))}[kind]
        model = gd.Bushing(stiffness=matrix, damping_time=1.4 / math.sqrt(k))
        found.append(deviation(gd.simulate(pendulum(model), 1.0, sample=TIMES, solver=SOLVER), ideal))
    assert order(compliances, found) == pytest.approx(1.0, abs=0.02)
    load = np.linalg.norm(ideal.data.reaction_force.values, axis=-1).max()
    assert 0.5 * load * compliances[0] < found[0] < 5.0 * load * compliances[0]


def pressed(ideal, clearance: float) -> np.ndarray:
    """Where the ball must start so that the wall carries it from the first instant."""
    reaction = ideal.data.reaction_force.values[0, 0]
    size = np.linalg.norm(reaction)
    return -(clearance + (size / HARD.stiffness) ** (2 / 3)) * reaction / size


def test_vanishing_clearance(ideal):
    """A heavy pendulum, its ball against the wall, without friction: ∝ c. (The wall gives way by some 1e-8 m.)"""
    found, clearances = [], [1e-3, 1e-4, 1e-5, 1e-6]
    for c in clearances:
        model = gd.Dry(socket_radius=RADIUS, ball_radius=RADIUS - c, contact=HARD)
        result = gd.simulate(pendulum(model, pressed(ideal, c)), 1.0, sample=TIMES, solver=SOLVER)
        assert result.data.penetration.values.max() < 5e-8
        found.append(deviation(result, ideal))
    assert order(clearances, found) == pytest.approx(1.0, abs=0.03)
    assert 0.5 < found[0] / clearances[0] < 3.0


def test_vanishing_clearance_with_friction(ideal):
    """The limit is the ideal pendulum with the moment R f of friction: N² + f² = F², f = μ N tanh(|v|/v₁).

    F is the reaction of the ideal pendulum: m (d ω² + g cos φ) along the rod, m (d ω̇ + g sin φ) across.
    """
    coefficient, tolerance = 0.1, 1e-3
    friction = laws.Coulomb(coefficient=coefficient, velocity_tolerance=tolerance)

    def acceleration(angle: float, rate: float) -> float:
        mu = coefficient * math.tanh(abs(rate) * RADIUS / tolerance)

        def missing(alpha):
            along = MASS * (LENGTH * rate**2 + G * math.cos(angle))
            across = MASS * (LENGTH * alpha + G * math.sin(angle))
            moment = -math.copysign(RADIUS * mu / math.hypot(1.0, mu) * math.hypot(along, across), rate)
            return (INERTIA + MASS * LENGTH**2) * alpha + MASS * G * LENGTH * math.sin(angle) - moment

        return brentq(missing, -1e3, 1e3, xtol=1e-12)

    limit = solve_ivp(
        lambda t, y: (y[1], acceleration(*y)), (0.0, 1.0), (1.0, 0.0), t_eval=TIMES, rtol=1e-9, atol=1e-11
    ).y[0]
    ends = LENGTH * np.stack([np.sin(limit), 0 * limit, -np.cos(limit)], axis=1)
    found, clearances = [], [1e-3, 1e-4, 1e-5]
    for c in clearances:
        model = gd.Dry(socket_radius=RADIUS, ball_radius=RADIUS - c, contact=HARD, friction=friction)
        result = gd.simulate(pendulum(model, pressed(ideal, c)), 1.0, sample=TIMES, solver=SOLVER)
        found.append(np.abs(result.data.position.values[:, 0] - ends).max())
    assert order(clearances, found) == pytest.approx(1.0, abs=0.15)
    assert deviation(result, ideal) > 100.0 * found[-1]  # friction is no small thing


def test_thin_films(ideal):
    """∝ c³ at a given viscosity, and ∝ 1/μ at a given clearance."""
    found, clearances = [], [2e-5, 1e-5, 5e-6]
    for c in clearances:
        model = gd.Lubricated(socket_radius=RADIUS, ball_radius=RADIUS - c, viscosity=0.4)
        result = gd.simulate(pendulum(model), 1.0, sample=TIMES, solver=SOLVER)
        assert result.data.eccentricity_length.values.max() < 0.1 * c
        found.append(deviation(result, ideal))
    assert order(clearances, found) == pytest.approx(3.0, abs=0.1)
    yielding = clearances[-1] ** 3 / (4.0 * math.pi * 0.4 * RADIUS**4)  # ė/F
    load = np.linalg.norm(ideal.data.reaction_force.values, axis=-1).mean()
    assert found[-1] < 5.0 * yielding * load
    thicker = gd.Lubricated(socket_radius=RADIUS, ball_radius=RADIUS - 1e-5, viscosity=4.0)
    result = gd.simulate(pendulum(thicker), 1.0, sample=TIMES, solver=SOLVER)
    assert deviation(result, ideal) == pytest.approx(0.1 * found[1], rel=0.1)


def test_the_four_bar_on_a_stiff_bushing():
    """The bushing of the paper (it creeps, e + b ė = F/k) follows the ideal motion; ten times as stiff, as well."""
    ideal = gd.simulate(gd.examples.spatial_four_bar(), 0.3, sample=0.01, solver=gd.Explicit(rtol=1e-11, atol=1e-13))
    found, compliances = [], [1.0 / 2.146e7, 1.0 / 2.146e8]
    for compliance in compliances:
        model = gd.Bushing(stiffness=1.0 / compliance, damping_time=0.01)
        system = gd.examples.spatial_four_bar().with_model(C=model)
        found.append(deviation(gd.simulate(system, 0.3, sample=0.01, solver=gd.Implicit(rtol=1e-9, atol=1e-14)), ideal))
    assert order(compliances, found) == pytest.approx(1.0, abs=0.1)
    assert found[0] < 1e-5
