"""The bushing: frequencies, damping and statics against closed forms; what is refused since it would create energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import eigvals, expm

import gudgeon as gd
from mistakes import refuses
from real_joints import BALL, DAMPING, STIFFNESS, ball_in_socket
from reference_joints import rotation

MASS, STEADY = BALL["mass"], 1e5  # [kg], [N/m]
RATE = math.sqrt(STEADY / MASS)  # [rad/s]
TIGHT = [gd.Implicit(rtol=1e-9, atol=1e-12), gd.Explicit(rtol=1e-11, atol=1e-14)]
tight = pytest.mark.parametrize("solver", TIGHT, ids=["Implicit", "Explicit"])
DIRECTION = np.array((2.0, 3.0, 6.0)) / 7.0


def released(t, offset, damping_ratio):
    """x(t) of ẍ + 2 ζ ω ẋ + ω² x = 0 from rest at `offset`."""
    if damping_ratio > 1.0:
        s = math.sqrt(damping_ratio**2 - 1.0)
        fast, slow = -RATE * (damping_ratio + s), -RATE * (damping_ratio - s)
        return offset * (fast * np.exp(slow * t) - slow * np.exp(fast * t)) / (fast - slow)
    damped = RATE * math.sqrt(1.0 - damping_ratio**2)
    turning = np.cos(damped * t) + damping_ratio * RATE / damped * np.sin(damped * t)
    return offset * np.exp(-damping_ratio * RATE * t) * turning


@tight
@pytest.mark.parametrize("damping_ratio", [0.0, 0.05, 0.7, 3.0])
def test_free_vibration(damping_ratio, solver):
    """Through the centre and back: frequency and damping ratio ζ = b ω/2 of a mass on a spring."""
    model = gd.Bushing(stiffness=STEADY, damping_time=2.0 * damping_ratio / RATE)
    result = gd.simulate(ball_in_socket(model, offset=1e-4 * DIRECTION), 0.05, sample=5e-4, solver=solver)
    found = result.data.position.values[:, 0] @ DIRECTION
    assert found == pytest.approx(released(result.data.time.values, 1e-4, damping_ratio), abs=2e-9)
    if damping_ratio == 0.0:
        energy = result.data.mechanical_energy.values
        assert energy == pytest.approx(0.5 * STEADY * 1e-8, rel=1e-5)


def test_frequency_from_crossings():
    """Half a period of the damped vibration between two passages of the centre: π/(ω √(1 − ζ²))."""
    model = gd.Bushing(stiffness=STEADY, damping_time=0.2 / RATE)
    watch = {"centre": gd.Crossing(body="ball", along=tuple(DIRECTION))}
    system = ball_in_socket(model, offset=1e-4 * DIRECTION)
    times = gd.simulate(system, 0.06, crossings=watch, solver=TIGHT[0]).crossings["time"].values
    assert np.diff(times) == pytest.approx(math.pi / (RATE * math.sqrt(1.0 - 0.1**2)), rel=1e-6)
    assert len(times) == 13


def test_static_deflection():
    model = gd.Bushing(stiffness=STEADY, damping_time=1.0 / RATE)
    result = gd.simulate(ball_in_socket(model, gravity=(0, 0, -9.81)), 0.2)
    assert result.data.position.values[-1, 0] == pytest.approx([0.0, 0.0, -MASS * 9.81 / STEADY], abs=1e-10)
    assert result.data.reaction_force.values[-1, 0] == pytest.approx([0.0, 0.0, MASS * 9.81], abs=1e-5)
    assert result.data.stored_energy.values[-1, 0] == pytest.approx(0.5 * (MASS * 9.81) ** 2 / STEADY, rel=1e-5)


@tight
def test_circles_are_not_damped(solver):
    """The radial bushing damps the eccentricity's length alone: a circle with v = ω r goes on for ever."""
    model = gd.Bushing(stiffness=STEADY, damping_time=0.01)
    system = ball_in_socket(model, offset=(1e-4, 0, 0), velocity=(0, 1e-4 * RATE, 0))
    data = gd.simulate(system, 0.1, sample=1e-3, solver=solver).data
    angle = RATE * data.time.values
    circle = 1e-4 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    assert data.position.values[:, 0] == pytest.approx(circle, abs=2e-9)
    assert data.dissipated_energy.values[-1, 0] < 1e-6 * data.mechanical_energy.values[0]


def turned_body(**changes) -> gd.System:
    """An odd body whose axes are not the world's, its joint at its centre of mass."""
    inertia = rotation((0.8, 0.6, 0.0, 0.0)) @ np.diag((1e-3, 2e-3, 2.5e-3)) @ rotation((0.8, 0.6, 0.0, 0.0)).T
    body = gd.Body(mass=MASS, inertia=inertia, orientation=(0.5, 0.5, -0.5, 0.5))
    return ball_in_socket(gd.Ideal(), **{"bodies": {"ball": body}, "start": {}, **changes})


def linear_motion(system: gd.System, K, C, x0, v0, times):
    """x = (displacement, small turn, world axes) of M ẍ + C ẋ + K x = 0, by the exponential of a matrix."""
    body = system.bodies["ball"]
    R, n = rotation(body.orientation), len(K)
    M = np.zeros((6, 6))
    M[:3, :3], M[3:, 3:] = body.mass * np.eye(3), R @ np.array(body.inertia) @ R.T
    M = M[:n, :n]
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    return np.array([expm(A * t) @ np.r_[x0, v0] for t in times]), A


@tight
def test_three_axes(solver):
    """3×3 matrices, coupled and unevenly damped: exact for any displacement, the socket being the ground."""
    K, C = STIFFNESS[:3, :3], DAMPING[:3, :3]
    x0, v0 = 1e-3 * np.array((1.0, -0.5, 0.3)), np.array((0.1, 0.2, -0.3))
    system = ball_in_socket(gd.Bushing(stiffness=K, damping=C), offset=x0, velocity=v0)
    data = gd.simulate(system, 0.02, sample=2e-4, solver=solver).data
    expected, _ = linear_motion(system, K, C, x0, v0, data.time.values)
    assert data.position.values[:, 0] == pytest.approx(expected[:, :3], abs=1e-8)
    assert data.velocity.values[:, 0] == pytest.approx(expected[:, 3:], abs=2e-5)
    energy = 0.5 * np.einsum("ti,ij,tj->t", expected[:, :3], K, expected[:, :3])
    assert data.stored_energy.values[:, 0] == pytest.approx(energy, abs=1e-6 * energy[0])


@pytest.mark.parametrize("axis", range(3))
def test_natural_frequencies_in_three_axes(axis):
    """A diagonal stiffness with damping_time: ω = √(k/m), ζ = b ω/2 in each axis of the world."""
    k = np.array((1e5, 4e5, 2.5e4))[axis]
    model = gd.Bushing(stiffness=np.diag((1e5, 4e5, 2.5e4)), damping_time=1e-5)
    system = turned_body(
        start={"ball": gd.BodyState(position=1e-4 * np.eye(3)[axis], orientation=(0.5, 0.5, -0.5, 0.5))}
    )
    watch = {"centre": gd.Crossing(body="ball", along=tuple(np.eye(3)[axis]))}
    times = gd.simulate(system.with_model(J=model), 0.05, crossings=watch, solver=TIGHT[0]).crossings["time"].values
    rate = math.sqrt(k / MASS)
    damped = rate * math.sqrt(1.0 - (0.5e-5 * rate) ** 2)
    assert len(times) == int(0.05 * damped / math.pi + 0.5)
    assert np.diff(times) == pytest.approx(math.pi / damped, rel=1e-6)


@tight
def test_torsion_through_large_angles(solver):
    """A balanced body on a torsion spring about one axis: θ̈ = −k/J θ, however far it turns (here 2.5 rad)."""
    K = np.diag((1e4, 1e4, 1e4, 2.0, 2.0, 2.0))
    spin = 2.5 * math.sqrt(2.0 / 1e-3)
    start = gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0), angular_velocity=spin * DIRECTION)
    system = ball_in_socket(
        gd.Bushing(stiffness=K), bodies={"ball": gd.Body(mass=MASS, inertia=(1e-3, 1e-3, 1e-3))}, start={"ball": start}
    )
    data = gd.simulate(system, 0.5, sample=2e-3, solver=solver).data
    t, rate = data.time.values, math.sqrt(2.0 / 1e-3)
    assert data.angular_velocity.values[:, 0] @ DIRECTION == pytest.approx(spin * np.cos(rate * t), abs=1e-4 * spin)
    angle = 2.0 * np.arctan2(data.orientation.values[:, 0, 1:] @ DIRECTION, data.orientation.values[:, 0, 0])
    assert angle == pytest.approx(2.5 * np.sin(rate * t), abs=1e-4)
    assert data.reaction_torque.values[:, 0] == pytest.approx(np.outer(-2.0 * angle, DIRECTION), abs=1e-3)


@tight
def test_coupled_six_by_six(solver):
    """Small vibrations of displacement and turn, all coupled, against the linear equations; 1e-4 is nonlinear."""
    amplitude = 1e-4
    x0, v0 = np.zeros(6), np.array((1e-3, -2e-3, 1.5e-3, 0.3, 0.1, -0.2)) * amplitude * 100
    system = turned_body()
    moving = gd.BodyState(
        position=(0, 0, 0), orientation=(0.5, 0.5, -0.5, 0.5), velocity=v0[:3], angular_velocity=v0[3:]
    )
    system = system.with_model(J=gd.Bushing(stiffness=STIFFNESS, damping=DAMPING)).replace(start={"ball": moving})
    data = gd.simulate(system, 0.1, sample=1e-3, solver=solver).data
    expected, _ = linear_motion(system, STIFFNESS, DAMPING, x0, v0, data.time.values)
    scale = np.abs(expected).max(axis=0)
    assert data.position.values[:, 0] == pytest.approx(expected[:, :3], abs=1e-3 * scale[:3].max())
    turned = np.array([rotation(q) @ rotation((0.5, 0.5, -0.5, 0.5)).T for q in data.orientation.values[:, 0]])
    turn = 0.5 * np.stack(
        [turned[:, 2, 1] - turned[:, 1, 2], turned[:, 0, 2] - turned[:, 2, 0], turned[:, 1, 0] - turned[:, 0, 1]], 1
    )
    assert turn == pytest.approx(expected[:, 3:6], abs=1e-3 * scale[3:6].max())


def test_natural_frequencies_of_six_by_six():
    """The spectrum of a long undamped run has its peaks at the eigenvalues of M⁻¹K."""
    system = turned_body()
    _, A = linear_motion(system, STIFFNESS, 0.0 * DAMPING, np.zeros(6), np.zeros(6), [])
    rates = np.sort(np.unique(np.abs(eigvals(A).imag).round(6)))
    start = gd.BodyState(
        position=(0, 0, 0),
        orientation=(0.5, 0.5, -0.5, 0.5),
        velocity=(1e-3, -2e-3, 1.5e-3),
        angular_velocity=(0.03, 0.02, -0.02),
    )
    system = system.with_model(J=gd.Bushing(stiffness=STIFFNESS)).replace(start={"ball": start})
    data = gd.simulate(system, 2.048, sample=np.arange(8192) * 2.5e-4, solver=TIGHT[0]).data
    signal = np.hstack([data.velocity.values[:, 0], data.angular_velocity.values[:, 0]])
    signal = signal / np.abs(signal).max(axis=0)
    spectrum = np.abs(np.fft.rfft(signal * np.hanning(len(signal))[:, None], axis=0)).max(axis=1)
    bins = 2.0 * math.pi * np.fft.rfftfreq(len(signal), 2.5e-4)
    tops = np.flatnonzero((spectrum[1:-1] > spectrum[:-2]) & (spectrum[1:-1] > spectrum[2:])) + 1
    found = bins[tops[spectrum[tops] > 1e-2 * spectrum.max()]]
    assert len(rates) == 6
    for rate in rates:
        assert np.abs(found - rate).min() < 1.01 * bins[1], rate


NOT_SYMMETRIC = np.array([[1e5, 2e4, 0], [0, 1e5, 0], [0, 0, 1e5]])


@pytest.mark.parametrize(
    ("given", "wording"),
    [
        ({"stiffness": 0.0}, "Bushing: stiffness is 0 N/m; it must be positive"),
        ({"stiffness": -1e5}, "Bushing: stiffness is -100000 N/m; it must be positive"),
        ({"stiffness": math.nan}, "Bushing: stiffness …"),
        ({"stiffness": "stiff"}, "Bushing: stiffness …"),
        ({"stiffness": 1e5, "damping_time": -1e-3}, "Bushing: damping_time is -0.001 s; it must not be negative"),
        (
            {"stiffness": 1e5, "damping": np.eye(3)},
            "Bushing: damping is a matrix but stiffness is not; give damping_time=, or two matrices",
        ),
        ({"stiffness": NOT_SYMMETRIC}, "Bushing: stiffness is not symmetric; such a matrix creates energy"),
        (
            {"stiffness": np.diag((1e5, -1.0, 1e5))},
            "Bushing: stiffness has the negative eigenvalue -1; such a matrix creates energy",
        ),
        (
            {"stiffness": np.eye(3), "damping": np.diag((1.0, 1.0, -2.0))},
            "Bushing: damping has the negative eigenvalue -2; such a matrix creates energy",
        ),
        (
            {"stiffness": np.eye(3), "damping": np.array([[1.0, 4.0, 0], [0, 1.0, 0], [0, 0, 1.0]])},
            "Bushing: damping has the negative eigenvalue -1; such a matrix creates energy",
        ),
        (
            {"stiffness": np.eye(3), "damping": np.eye(6)},
            "Bushing: damping has shape (6, 6), stiffness (3, 3); make them equal",
        ),
        (
            {"stiffness": np.eye(3), "damping": np.eye(3), "damping_time": 0.1},
            "Bushing: both damping and damping_time are given; give one of the two",
        ),
        (
            {"stiffness": np.eye(4)},
            "Bushing: stiffness has shape (4, 4); give a number or a 3×3 or 6×6 matrix",
        ),
        ({"stiffness": np.diag((1.0, math.inf, 1.0))}, "Bushing: stiffness has an entry that is not finite"),
        ({"stiffness": [[1, 2], [3]]}, "Bushing: stiffness …"),
        ({"stiffness": [["a"] * 3] * 3}, "Bushing: stiffness is [['a', …; give a number or a 3×3 or 6×6 matrix"),
    ],
)
def test_what_is_refused(given, wording):
    with refuses(wording):
        gd.Bushing(**given)


def test_singular_matrices_are_passive():
    """A bushing that is free in some directions, and a gyroscopic damping, create no energy."""
    swirl = np.array([[0.0, 5.0, 0.0], [-5.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    model = gd.Bushing(stiffness=np.diag((1e5, 1e5, 0.0)), damping=swirl)
    assert model.damping[0][1] == 5.0
    system = ball_in_socket(model, offset=(1e-4, 0, 0), velocity=(0.0, 0.0, 0.05))
    data = gd.simulate(system, 0.05, solver=TIGHT[0]).data
    assert data.position.values[:, 0, 2] == pytest.approx(0.05 * data.time.values, abs=1e-12)
    assert data.mechanical_energy.values == pytest.approx(data.mechanical_energy.values[0], rel=1e-6)
    assert np.abs(data.position.values[:, 0, 1]).max() > 1e-5  # it turns the plane of vibration
