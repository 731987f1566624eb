"""A ball with hard contact or with friction that sticks: a bowl of 10 mm play, in which a ball bounces, slides, rolls.

Closed forms: bounces under gravity, impacts with Coulomb friction, break-away at atan μ, a frictionless ball as a
pendulum, sliding that turns (its components are powers of each other), the way from sliding to rolling.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipk

import gudgeon as gd
from gudgeon import laws

PLAY, BALL = 0.010, 0.010  # [m]; at the wall X is a ball's radius from its centre
RADII = {"socket_radius": BALL + PLAY, "ball_radius": BALL}
MASS, INERTIA, G = 0.2, (1e-5, 1e-5, 1e-5), 9.81
HEAVY = (1e3, 1e3, 1e3)  # it does not turn [kg·m²]
FRICTION = laws.DryFriction(static=0.30, kinetic=0.20)


def thrown(at, velocity=(0, 0, 0), spin=(0, 0, 0), *, gravity=0.0, inertia=INERTIA, **model: Any) -> gd.System:
    return gd.System(
        gravity=(0, -gravity, 0),
        bodies={"ball": gd.Body(mass=MASS, inertia=inertia)},
        joints={"J": gd.Spherical("ground", "ball", at=(0, 0, 0), model=gd.Dry(**RADII, **model))},
        start={
            "ball": gd.BodyState(position=at, orientation=(1, 0, 0, 0), velocity=velocity, angular_velocity=spin),
        },
    )


def run(system: gd.System, duration: float, step: float, **options: Any) -> gd.Result:
    return gd.simulate(system, duration, solver=gd.TimeStepping(step=step), **options)


def of_ball(result: gd.Result, name: str) -> np.ndarray:
    return result.data[name].sel(body="ball").values


def bottom(angle: float = 0.0, play: float = PLAY) -> tuple[float, float, float]:
    """On the wall, at an angle from the lowest point."""
    return (play * math.sin(angle), -play * math.cos(angle), 0.0)


# ------------------------------------------------------------------------------------------------------------- impacts
@pytest.mark.parametrize("restitution", [0.0, 0.6, 1.0])
def test_bounces_to_and_fro(restitution, coordinates):
    """Each crossing of the socket takes 1/ε times as long as the one before."""
    result = run(thrown((0, 0, 0), (0.3, 0.4, 0.0), impact=restitution), 0.15, 1e-3, sample=0.15)
    times = [PLAY / 0.5]
    while restitution and len(times) < len(result.events):
        times.append(times[-1] + 2.0 * PLAY / (0.5 * restitution ** len(times)))
    assert result.events.begin.values == pytest.approx(times, rel=1e-9)
    assert result.events.impact_speed.values == pytest.approx(0.5 * restitution ** np.arange(len(times)), rel=1e-9)
    lost = 0.5 * MASS * 0.25 * (1.0 - restitution ** (2 * len(times)))
    assert result.data.dissipated_energy.values[-1, 0] == pytest.approx(lost, rel=1e-9, abs=1e-11)
    assert np.linalg.norm(of_ball(result, "velocity")[-1]) == pytest.approx(0.5 * restitution ** len(times), abs=1e-9)


def test_bounces_under_gravity_come_to_rest():
    """Falls T = √(2c/g), then bounces of 2 T εᵏ, which add up to T (1 + ε)/(1 − ε); there it rests with m g."""
    fall, restitution = math.sqrt(2.0 * PLAY / G), 0.5
    result = run(thrown((0, 0, 0), gravity=G, impact=restitution), 0.2, 1e-3, sample=0.2)
    times = fall + 2.0 * fall * np.cumsum(restitution ** np.arange(1.0, 5.0))
    events = result.events
    assert events.begin.values[:5] == pytest.approx([fall, *times], rel=1e-8)
    assert events.begin.values[-1] == pytest.approx(fall * (1.0 + restitution) / (1.0 - restitution), abs=1e-3)
    assert np.isnan(events.end.values[-1]) and np.isnan(events.peak_force.values).all()
    assert of_ball(result, "position")[-1] == pytest.approx(bottom(), abs=1e-12)
    assert result.data.normal_force.values[-1, 0] == pytest.approx(MASS * G, rel=1e-9)
    assert result.data.dissipated_energy.values[-1, 0] == pytest.approx(MASS * G * PLAY, rel=1e-3)


@pytest.mark.parametrize("speed", [0.1, 0.5], ids=["it grips", "it slides"])
def test_an_impact_with_friction(speed, coordinates):
    """At 0.4 m/s onto the wall, ε = 0.5, with `speed` along it, aslant.

    Λ_n = m (1 + ε) 0.4, about; friction stops its sliding if |u|/D ≤ μ_k Λ_n, D = 1/m + r²/J, else it slows it down.
    """
    along = np.array((0.6, 0.0, 0.8)) * speed
    system = thrown((0, -0.9 * PLAY, 0), (along[0], -0.4, along[2]), impact=0.5, friction=FRICTION)
    result = run(system, 4e-3, 1e-4, sample=np.array([0.0, 4e-3]))
    hit = 0.1 * PLAY / 0.4  # about: the wall is curved
    (begin,) = result.events.begin.values
    assert begin == pytest.approx(hit, rel=0.1)
    p = np.array((0, -0.9 * PLAY, 0)) + begin * np.array((along[0], -0.4, along[2]))
    n = p / np.linalg.norm(p)
    assert np.linalg.norm(p) == pytest.approx(PLAY, rel=1e-9)
    before = np.array((along[0], -0.4, along[2]))
    normal = MASS * 1.5 * (before @ n)
    slides = before - (before @ n) * n
    gives = 1.0 / MASS + BALL**2 / INERTIA[0]
    needed = np.linalg.norm(slides) / gives
    friction = min(needed, FRICTION.kinetic * normal)
    assert (friction == needed) == (speed < 0.3)
    impulse = -normal * n - friction * slides / np.linalg.norm(slides)
    assert of_ball(result, "velocity")[-1] == pytest.approx(before + impulse / MASS, abs=1e-9)
    spin = np.cross(BALL * n, impulse) / INERTIA[0]
    assert of_ball(result, "angular_velocity")[-1] == pytest.approx(spin, abs=1e-7)


def test_a_state_at_an_impact_goes_on():
    """At that instant the ball has met its wall and not yet left it: no contact lasts, the impact is to come."""
    system = thrown((0, 0, 0), (0.3, 0.4, 0.0), impact=0.6)
    whole = run(system, 0.05, 3e-4, sample=0.05)
    at = run(system, 0.05, 3e-4, sample=np.array([0.0, whole.events.begin[0], 0.05]))
    state = at.state(1)
    assert at.events.begin[0] == at.events.end[0] == state.time
    assert not state.contacts
    rest = run(system, 0.05 - state.time, 1e-3, start=state)
    assert of_ball(rest, "velocity")[-1] == pytest.approx(of_ball(whole, "velocity")[-1], abs=1e-12)


def test_energy_is_never_created():
    """Thrown about with friction and gravity: impacts, sliding, sticking, in all directions."""
    random = np.random.default_rng(3)
    for _ in range(6):
        velocity, spin = random.uniform(-0.5, 0.5, 3), random.uniform(-40.0, 40.0, 3)
        law = gd.Newton(restitution_normal=float(random.uniform(0.0, 0.9)))
        system = thrown(
            (0, 0, 0), velocity, spin, gravity=G, inertia=(1e-5, 1.2e-5, 8e-6), impact=law, friction=FRICTION
        )
        data = run(system, 0.3, 2e-4, sample=2e-3).data
        energy = data.mechanical_energy.values
        assert np.diff(energy).max() < 1e-5 * np.ptp(energy)
        assert energy[0] - energy[-1] == pytest.approx(data.dissipated_energy.values[-1, 0], rel=1e-3)


# ------------------------------------------------------------------------------------------------------------ contact
def test_a_frictionless_ball_is_a_pendulum(coordinates):
    """Order two at least, over a period from 0.5 rad, while it stays on the wall."""
    angle = 0.5
    period = 4.0 * math.sqrt(PLAY / G) * ellipk(math.sin(0.5 * angle) ** 2)
    errors = []
    for steps in (200, 400):
        system = thrown(bottom(angle), gravity=G, impact=0.3)
        result = run(system, period, period / steps, sample=0.5 * period)
        x, y, _ = of_ball(result, "position").T
        errors.append(np.abs(np.arctan2(x, -y) - (angle, -angle, angle)).max())
        assert np.hypot(x, y) == pytest.approx(PLAY, rel=1e-5)
        assert len(result.events) == 1
    assert errors[1] < 1e-3 and np.log2(errors[0] / errors[1]) > 1.9


# ------------------------------------------------------------------------------------------------------------ friction
STEEL = laws.Hertz(stiffness=1e9)
MEETINGS = pytest.mark.parametrize("meets", [{"impact": 0.0}, {"contact": STEEL}], ids=["hard", "compliant"])


def on_wall(meets: dict[str, Any], angle: float) -> tuple[float, float, float]:
    """Where the wall carries the ball's weight."""
    depth = 0.0 if "impact" in meets else (MASS * G * math.cos(angle) / STEEL.stiffness) ** (2.0 / 3.0)
    return bottom(angle, PLAY + depth)


@MEETINGS
def test_it_sticks_up_to_the_angle_of_friction(meets):
    """A ball that cannot turn stays on the wall below atan μ_s, and does not creep; above, it slides with μ_k."""
    limit = math.atan(FRICTION.static)
    for angle, moves in ((0.999 * limit, False), (1.001 * limit, True)):
        system = thrown(on_wall(meets, angle), gravity=G, inertia=HEAVY, friction=FRICTION, **meets)
        result = run(system, 0.01, 2e-4, sample=0.01)
        path = np.linalg.norm(np.diff(of_ball(result, "position"), axis=0))
        force = result.data.friction_force.values[-1, 0]
        if moves:
            slide = 0.5 * 0.01**2 * G * (math.sin(angle) - FRICTION.kinetic * math.cos(angle))
            assert path == pytest.approx(slide, rel=0.02)  # the slope changes along the way
        else:
            assert path < 1e-9
            assert np.linalg.norm(force) == pytest.approx(MASS * G * math.sin(angle), rel=1e-4)


@MEETINGS
def test_from_sliding_to_rolling(meets):
    """Spun by ω on the bottom it slides for ω r/(μ_k g (1 + m r²/J)), then rolls with v = ω r/(1 + m r²/J)."""
    speed, share = 0.004, 1.0 + MASS * BALL**2 / INERTIA[0]
    grip = speed / (FRICTION.kinetic * G * share)
    system = thrown(on_wall(meets, 0.0), spin=(0, 0, -speed / BALL), gravity=G, friction=FRICTION, **meets)
    times = grip * np.array((0.0, 0.5, 0.9, 1.1, 1.5))
    result = run(system, times[-1], grip / 50.0, sample=times)
    along = of_ball(result, "velocity")[:, 0]
    assert along[1:3] == pytest.approx(FRICTION.kinetic * G * times[1:3], rel=2e-3)
    assert along[3:] == pytest.approx(speed / share, rel=2e-3)
    sliding = result.data.sliding_velocity.values[:, 0]
    assert np.abs(sliding[3:]).max() < 1e-3 * speed  # rolling: at X, which is where it was at the begin of the step


@MEETINGS
def test_sliding_turns(meets):
    """With J_x ≠ J_z friction stops one direction sooner: |u_z| ∝ |u_x|^(D_z/D_x), D = 1/m + r²/J."""
    inertia = (3e-5, 2.5e-5, 1e-5)
    dx, dz = 1.0 / MASS + BALL**2 / inertia[2], 1.0 / MASS + BALL**2 / inertia[0]
    system = thrown(on_wall(meets, 0.0), spin=(1.0, 0, -2.0), gravity=G, inertia=inertia, friction=FRICTION, **meets)
    errors = []
    for step in (4e-5, 2e-5):
        data = run(system, 8e-4, step, sample=np.array([0.0, 4e-4, 8e-4])).data
        v, w = data.velocity.values[:, 0], data.angular_velocity.values[:, 0]
        ux, uz = v[:, 0] - w[:, 2] * -BALL, v[:, 2] + w[:, 0] * -BALL
        ratio = np.abs(uz / uz[0]) / np.abs(ux / ux[0]) ** (dz / dx)
        errors.append(np.abs(ratio[1:] - 1.0).max())
        assert np.abs(ux[-1]) < 0.8 * np.abs(ux[0])
    assert errors[-1] < 3e-3


# ------------------------------------------------------------------------------------------------------------ refusals
@pytest.mark.parametrize(
    ("model", "wording"),
    [
        ({}, "Dry: how does the ball meet its socket"),
        ({"contact": STEEL, "impact": 0.5}, "Dry: how does the ball meet its socket"),
        (
            {"impact": gd.Stronge(restitution_normal=0.5)},
            "which Stronge's law would have to follow: give a restitution",
        ),
        ({"impact": 0.5, "friction": laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)}, "friction=Coulomb"),
        ({"impact": "hard"}, "Dry: impact is 'hard'; give a"),
    ],
)
def test_models_that_make_no_sense(model, wording):
    with pytest.raises(gd.ModelError, match=wording):
        gd.Dry(**RADII, **model)


def test_a_hard_ball_does_not_start_within_its_wall():
    with pytest.raises(gd.ModelError, match=r"Spherical 'J': it starts with the ball 0\.0005 m within its wall"):
        run(thrown((0, 1.05 * PLAY, 0), impact=0.5), 1e-3, 1e-4)
