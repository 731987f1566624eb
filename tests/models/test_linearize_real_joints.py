"""Small motions with springs, bushings, dry contacts and films, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import eigvals

import gudgeon as gd
from mechanisms import G
from mistakes import refuses
from real_joints import BALL, COULOMB, DAMPING, LUGRE, RADII, STIFFNESS, ball_in_socket

HERTZ = gd.laws.Hertz(stiffness=1e10)
TURN = 2.0 * math.pi


@pytest.mark.parametrize("ratio", [0.0, 0.05, 1.5])
def test_mass_on_a_spring_damper(ratio):
    """Lengthwise ω² = k/m and ζ = c/(2 m ω); across, the taut spring of tension T and length l holds with T/l."""
    m, k, length, stretched = 2.0, 800.0, 0.3, 0.5
    strut = gd.SpringDamper(
        "ground", "mass", at_first=(0, 0, 0.5), stiffness=k, length=length, damping=2.0 * ratio * math.sqrt(k * m)
    )
    system = gd.System(
        gravity=(0, 0, -k * (stretched - length) / m),
        bodies={"mass": gd.Body(mass=m, inertia=(0.1, 0.1, 0.1))},
        loads={"strut": strut},
    )
    small = gd.linearize(system)
    assert small.coordinates == tuple(f"mass.{c}" for c in ("x", "y", "z", "rx", "ry", "rz"))
    across = k * (stretched - length) / stretched
    assert small.stiffness == pytest.approx(np.diag([across, across, k, 0, 0, 0]), rel=1e-9, abs=1e-9)
    lengthwise = small.mode_eigenvalues[np.argmax(np.abs(small.mode_shapes.sel(component="z").values[:, 0]))]
    omega = math.sqrt(k / m)
    if ratio < 1.0:
        assert lengthwise == pytest.approx(omega * complex(-ratio, math.sqrt(1.0 - ratio**2)), rel=1e-9)
    else:
        slow, fast = sorted(x.real for x in small.eigenvalues if x.real < -1e-3)[::-1]
        assert slow * fast == pytest.approx(omega**2, rel=1e-9)
        assert slow + fast == pytest.approx(-2.0 * ratio * omega, rel=1e-9)


def spring_of_no_length(free: float) -> gd.System:
    spring = gd.SpringDamper("ground", "mass", stiffness=50.0, length=free)
    return gd.System(
        gravity=(0, 0, 0), bodies={"mass": gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.1))}, loads={"coil": spring}
    )


def test_spring_whose_points_meet():
    """Without a free length it pulls with k times the distance, whatever its direction; otherwise it has no slope."""
    assert gd.linearize(spring_of_no_length(0.0)).stiffness[:3, :3] == pytest.approx(50.0 * np.eye(3), rel=1e-12)
    with refuses("linearize: SpringDamper 'coil' has length zero in this state, so that its force has no direction"):
        gd.linearize(spring_of_no_length(0.1))


def test_body_on_a_bushing():
    """√(k/m) and √(k_θ/J) with ζ = b ω/2 for each, damping b K."""
    m, inertia, k, turning, b = 3.0, (0.02, 0.03, 0.04), (1e5, 2e5, 4e5), (100.0, 300.0, 900.0), 1e-3
    model = gd.Bushing(stiffness=np.diag([*k, *turning]), damping_time=b)
    small = gd.linearize(
        ball_in_socket(model, bodies={"ball": gd.Body(mass=m, inertia=inertia)}),
    )
    omega = np.sort(np.sqrt([*(x / m for x in k), *(x / j for x, j in zip(turning, inertia, strict=True))]))
    assert small.natural_frequencies == pytest.approx(omega / TURN, rel=1e-9)
    assert small.damping_ratios == pytest.approx(0.5 * b * omega, rel=1e-8)
    assert small.damped_frequencies == pytest.approx(omega * np.sqrt(1 - (0.5 * b * omega) ** 2) / TURN, rel=1e-9)


def test_coupled_bushing_beside_the_centre():
    """K' = Hᵀ K H, C' = Hᵀ C H with H the motion of the joint point, and the eigenvalues of (M, C', K')."""
    at = np.array((0.03, -0.02, 0.05))
    body = gd.Body(mass=2.0, inertia=(2e-3, 3e-3, 4e-3))
    joint = gd.Spherical("ground", "ball", at=at, model=gd.Bushing(stiffness=STIFFNESS, damping=DAMPING))
    small = gd.linearize(gd.System(gravity=(0, 0, 0), bodies={"ball": body}, joints={"J": joint}))
    x, y, z = at
    motion = np.eye(6)
    motion[:3, 3:] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
    mass = np.diag([2.0, 2.0, 2.0, 2e-3, 3e-3, 4e-3])
    stiffness, damping = motion.T @ STIFFNESS @ motion, motion.T @ DAMPING @ motion
    assert small.mass == pytest.approx(mass, rel=1e-12)
    assert small.stiffness == pytest.approx(stiffness, rel=1e-8, abs=1e-8 * np.abs(stiffness).max())
    assert small.damping == pytest.approx(damping, rel=1e-8, abs=1e-8 * np.abs(damping).max())
    rest = np.linalg.solve(mass, np.hstack([-stiffness, -damping]))
    expected = eigvals(np.vstack([np.hstack([np.zeros((6, 6)), np.eye(6)]), rest]))
    expected = expected[np.lexsort((expected.imag, np.abs(expected).round(6)))]
    assert small.eigenvalues == pytest.approx(expected, rel=1e-7)


def test_soft_pendulum_on_a_stiff_bushing():
    """A mode at 0.5 Hz beside one at 50 kHz keeps its digits; the support gives by m g/k, 1e-10 of the arm."""
    body = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0, -1))
    joint = gd.Spherical("ground", "bob", at=(0, 0, 0), model=gd.Bushing(stiffness=1e11))
    small = gd.linearize(gd.equilibrium(gd.System(gravity=(0, 0, -G), bodies={"bob": body}, joints={"J": joint})))
    frequencies = small.natural_frequencies
    assert frequencies[1:3] == pytest.approx(math.sqrt(G / 1.001) / TURN, rel=1e-7)
    assert frequencies[0] == 0.0 and frequencies[3] == pytest.approx(math.sqrt(1e11) / TURN, rel=1e-7)


def test_ball_at_rest_in_a_dry_socket():
    """Pressed in by δ = (m g/K)^(2/3): across the socket a pendulum of length c + δ, upwards the slope 3/2 K √δ."""
    found = gd.equilibrium(ball_in_socket(gd.Dry(**RADII, contact=HERTZ), gravity=(0, 0, -G)))
    small = gd.linearize(found)
    m = BALL["mass"]
    delta = (m * G / HERTZ.stiffness) ** (2 / 3)
    across, up = m * G / (1e-4 + delta), 1.5 * HERTZ.stiffness * math.sqrt(delta)
    assert small.stiffness[:3, :3] == pytest.approx(np.diag([across, across, up]), rel=1e-6, abs=1e-6 * across)
    assert small.natural_frequencies[:3] == pytest.approx(0.0)
    assert small.natural_frequencies[3:] == pytest.approx(np.sqrt(np.array([across, across, up]) / m) / TURN, rel=1e-6)


def test_friction_and_restitution_damp_the_ball_at_rest():
    """Friction μ f_n tanh(v/v₁) resists with the slope μ f_n/v₁, the contact with χ K δⁿ/δ̇⁽⁻⁾ (χ of the law)."""
    law = gd.laws.LankaraniNikravesh(stiffness=1e10, restitution=0.7)
    model = gd.Dry(**RADII, contact=law, friction=COULOMB)
    small = gd.linearize(gd.equilibrium(ball_in_socket(model, gravity=(0, 0, -G))))
    weight = BALL["mass"] * G
    along = COULOMB.coefficient * weight / COULOMB.velocity_tolerance
    through = 0.75 * (1.0 - 0.7**2) * weight / model.smallest_impact_speed
    assert np.diag(small.damping)[:3] == pytest.approx([along, along, through], rel=1e-6)


def test_contact_of_a_run_keeps_its_impact_speed():
    law = gd.laws.LankaraniNikravesh(stiffness=1e8, restitution=0.7)
    system = ball_in_socket(gd.Dry(**RADII, contact=law), velocity=(0, 0, -0.1))
    result = gd.simulate(system, 0.004, sample=2e-5, solver=gd.Implicit(rtol=1e-9, atol=1e-12))
    begin, speed = result.events.begin[0], result.events.impact_speed[0]
    sample = int(np.searchsorted(result.data.time.values, begin)) + 4
    state = result.data.isel(time=sample)
    depth, rate = -float(state.position[0, 2]) - 1e-4, -float(state.velocity[0, 2])
    factor = 0.75 * (1.0 - 0.7**2) / speed
    small = gd.linearize(result, at=sample)
    assert depth > 1e-6
    assert small.stiffness[2, 2] == pytest.approx(1.5e8 * math.sqrt(depth) * (1.0 + factor * rate), rel=1e-6)
    assert small.damping[2, 2] == pytest.approx(1e8 * depth**1.5 * factor, rel=1e-6)
    flying = gd.linearize(result, at=0)
    assert not flying.stiffness.any() and not flying.damping.any()


def test_film_damps_without_stiffness():
    """At rest at ε = 1/2: the radial damping f/ė of the film law, none across, λ = 0 and −c/m."""
    model = gd.Lubricated(**RADII, viscosity=0.05)
    law = model.film_law
    small = gd.linearize(ball_in_socket(model, offset=(0.5e-4, 0, 0)))
    radial = law.film_force(0.5, 1.0, law.parameters)
    assert small.damping[:3, :3] == pytest.approx(np.diag([radial, 0, 0]), rel=1e-9)
    assert not small.stiffness.any() and small.stable
    assert small.eigenvalues[-1] == pytest.approx(-radial / BALL["mass"], rel=1e-9)
    assert small.eigenvalues[:-1] == pytest.approx(0.0, abs=1e-9)


def test_bristles_are_refused_while_touching():
    model = gd.Dry(**RADII, contact=HERTZ, friction=LUGRE)
    flying = gd.linearize(ball_in_socket(model))
    assert not flying.stiffness.any()
    with refuses("linearize: Spherical 'J' touches with LuGre friction, whose bristles are a state of their own"):
        gd.linearize(ball_in_socket(model, offset=(0, 0, 1.001e-4)))


def steep(speed, normal_force):
    return 0.1 * normal_force * math.sqrt(speed)


def test_law_without_a_derivative_is_refused():
    model = gd.Dry(**RADII, contact=HERTZ, friction=steep)
    with refuses(
        "linearize: 'ball in socket' has no derivative about this state (differences in 'ball.…' do not settle"
    ):
        gd.linearize(ball_in_socket(model, offset=(0, 0, -1.001e-4)))
