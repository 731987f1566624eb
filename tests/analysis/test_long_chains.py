"""Forty bodies in a row: small motion, rest and driven motion against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import jn_zeros, roots_laguerre

import gudgeon as gd
from mechanisms import G

COUNT = 40
LINK = 0.025  # [m]
BEAD = {"mass": 0.1, "inertia": (1e-13, 1e-13, 1e-13)}  # a point, nearly


def beads(joint: type, *, along=(0, 0, -1), **parts) -> gd.System:
    """Beads at the lower ends of massless links."""
    names = [f"bead{k}" for k in range(COUNT)]
    places = LINK * np.outer(np.arange(COUNT + 1), along)
    bodies = {name: gd.Body(**BEAD, position=tuple(at)) for name, at in zip(names, places[1:], strict=True)}
    axis = {} if joint is gd.Spherical else {"axis": (0, 1, 0)}
    ends = ["ground", *names]
    joints = {f"j{k}": joint(ends[k], ends[k + 1], at=tuple(places[k]), **axis) for k in range(COUNT)}
    return gd.System(name="beads", bodies=bodies, joints=joints, **parts)


def test_hanging_chain_of_hinges():
    """ω² = x g/l, x the roots of the Laguerre polynomial L₄₀; the slow ones near those of a rope, j₀ₖ/2 √(g/L)."""
    small = gd.linearize(beads(gd.Revolute))
    roots = np.sort(roots_laguerre(COUNT)[0])
    assert 2.0 * np.pi * small.natural_frequencies == pytest.approx(np.sqrt(roots * G / LINK), rel=1e-8)
    rope = 0.5 * jn_zeros(0, 2) * math.sqrt(G / (COUNT * LINK))
    assert 2.0 * np.pi * small.natural_frequencies[:2] == pytest.approx(rope, rel=2.0 / COUNT)
    assert small.stable and small.accuracy < 1e-9


def test_hanging_chain_of_ball_joints():
    """The same in two planes; links turn freely about themselves."""
    small = gd.linearize(beads(gd.Spherical))
    roots = np.repeat(np.sort(roots_laguerre(COUNT)[0]), 2)
    moving = small.natural_frequencies[COUNT:]
    assert not small.natural_frequencies[:COUNT].any()
    assert 2.0 * np.pi * moving == pytest.approx(np.sqrt(roots * G / LINK), rel=1e-8)


def test_masses_between_bushings():
    """ω = 2 √(k/m) sin((2j − 1) π/(4n + 2)) in three directions, ζ = b ω/2; no bushing resists rotation."""
    k, m, b = 1e5, 0.3, 1e-5
    names = [f"mass{j}" for j in range(COUNT)]
    ends = ["ground", *names]
    model = gd.Bushing(stiffness=k, damping_time=b)
    small = gd.linearize(
        gd.System(
            gravity=(0, 0, 0),
            bodies={name: gd.Body(mass=m, inertia=(0.01, 0.02, 0.02)) for name in names},
            joints={f"j{j}": gd.Spherical(ends[j], ends[j + 1], at=(0, 0, 0), model=model) for j in range(COUNT)},
        )
    )
    omega = 2.0 * math.sqrt(k / m) * np.sin((2.0 * np.arange(COUNT) + 1.0) * np.pi / (4.0 * COUNT + 2.0))
    assert not small.natural_frequencies[: 3 * COUNT].any()
    assert 2.0 * np.pi * small.natural_frequencies[3 * COUNT :] == pytest.approx(np.repeat(omega, 3), rel=1e-8)
    assert small.damping_ratios[3 * COUNT :] == pytest.approx(0.5 * b * np.repeat(omega, 3), rel=1e-6)


def test_a_horizontal_chain_comes_to_hang():
    found = gd.equilibrium(beads(gd.Revolute, along=(1, 0, 0)))
    places = np.array([state.position for state in found.system.start.values()])
    assert places == pytest.approx(LINK * np.outer(np.arange(1, COUNT + 1), (0, 0, -1)), abs=1e-8)
    assert found.stable
    assert found.softest == pytest.approx(roots_laguerre(COUNT)[0].min() * G / LINK, rel=1e-6)


def test_a_chain_of_dry_joints_hangs_in_its_sockets():
    """Every ball lies c + δ below its centre, K δ^1.5 the weight below it; all of them find that together."""
    stiffness = 1e9
    model = gd.Dry(socket_radius=0.0101, ball_radius=0.01, contact=gd.laws.Hertz(stiffness=stiffness))
    system = beads(gd.Spherical)
    found = gd.equilibrium(system.with_model(**dict.fromkeys(system.joints, model)))
    weight = BEAD["mass"] * G * np.arange(COUNT, 0, -1)
    sinks = np.cumsum(1e-4 + (weight / stiffness) ** (2.0 / 3.0))
    places = np.array([state.position for state in found.system.start.values()])
    assert places[:, 2] == pytest.approx(-LINK * np.arange(1, COUNT + 1) - sinks, abs=1e-12)
    assert found.iterations < COUNT


def test_driven_chain():
    """Hinges with angles of their own: places, velocities and accelerations are sums over the links."""
    speeds = 1.0 + np.arange(COUNT) / COUNT
    drives = {f"d{k}": gd.Drive(f"j{k}", f"0.1*sin({speed}*t)") for k, speed in enumerate(speeds)}
    result = gd.kinematics(beads(gd.Revolute, drives=drives), 1.0, sample=0.05)
    t = result.data.time.values[:, None]
    angle = np.cumsum(0.1 * np.sin(speeds * t), axis=1)
    rate = np.cumsum(0.1 * speeds * np.cos(speeds * t), axis=1)
    curve = np.cumsum(-0.1 * speeds**2 * np.sin(speeds * t), axis=1)
    direction, across = (
        np.stack(pair, axis=2) for pair in ((-np.sin(angle), -np.cos(angle)), (-np.cos(angle), np.sin(angle)))
    )
    place = LINK * np.cumsum(direction, axis=1)
    velocity = LINK * np.cumsum(rate[..., None] * across, axis=1)
    acceleration = LINK * np.cumsum(curve[..., None] * across - rate[..., None] ** 2 * direction, axis=1)
    for name, expected in (("position", place), ("velocity", velocity), ("acceleration", acceleration)):
        found = result.data[name].sel(axis=["x", "z"]).values
        assert found == pytest.approx(expected, abs=1e-13 * (1.0 + np.abs(expected).max())), name
