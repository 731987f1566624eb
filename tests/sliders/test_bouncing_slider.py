"""Hard contacts in closed form: a slider that drops onto the lower surface of its guide and bounces to rest.

Drop from height H: first impact after T = √(2H/g), then flights of 2 eⁿ T and heights of e²ⁿ H; at rest after
T (1 + e)/(1 − e), infinitely many impacts later.
"""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd

HEIGHT, GRAVITY = 0.5, 9.81  # of the drop [m], [m/s²]
FALL = np.sqrt(2.0 * HEIGHT / GRAVITY)  # [s]


def dropped(restitution: float, *, friction: float = 0.0, tangential: float = 0.0, **motion) -> gd.System:
    """A slider of 0.4 × 0.2 m, centred in a guide with 0.5 m above and below."""
    model = gd.RigidSlider(
        length=0.4,
        height=0.2,
        clearance=HEIGHT,
        impact=gd.Newton(restitution_normal=restitution, restitution_tangential=tangential),
        friction=gd.laws.DryFriction(static=friction) if friction else None,
    )
    return gd.System(
        name="dropped slider",
        gravity=(0.0, -GRAVITY, 0.0),
        bodies={"slider": gd.Body(mass=2.0, inertia=(0.01, 0.03, 0.04), **motion)},
        joints={"guide": gd.Guide("ground", "slider", at=(0.0, 0.0, 0.0), model=model)},
    )


def height(times, restitution: float) -> np.ndarray:
    """Of the lower surface above the guide, in closed form [m]."""
    out = []
    for t in times:
        if t < FALL:
            out.append(HEIGHT - 0.5 * GRAVITY * t * t)
            continue
        t, flight, speed = t - FALL, 2.0 * restitution * FALL, restitution * GRAVITY * FALL
        while t > flight and flight > 1e-12:
            t, flight, speed = t - flight, restitution * flight, restitution * speed
        out.append(speed * t - 0.5 * GRAVITY * t * t if flight > 1e-12 else 0.0)
    return np.array(out)


def lift(result: gd.Result) -> np.ndarray:
    return HEIGHT + result.data.joint_position.sel(coordinate="guide.lift").values


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.8])
def test_heights(restitution):
    times = np.linspace(0.0, 2.5, 101)
    result = gd.simulate(dropped(restitution), 2.5, solver=gd.TimeStepping(step=1e-3), sample=times)
    assert lift(result) == pytest.approx(height(times, restitution), abs=2e-6)
    assert np.all(result.data.guide_gap.values > -1e-6)


def test_rest_after_infinitely_many_impacts():
    end = FALL * (1.0 + 0.5) / (1.0 - 0.5)  # 0.958 s
    result = gd.simulate(dropped(0.5), 1.5, solver=gd.TimeStepping(step=1e-3), sample=0.01)
    data = result.data.isel(time=result.data.time.values > end + 0.01)
    assert 5 <= result.stats["impacts_located"] <= 20  # then they follow each other within a step
    assert np.abs(data.velocity.values).max() < 1e-10
    assert np.abs(data.guide_gap.sel(surface_point=["guide:lower left", "guide:lower right"])).max() < 1e-6
    assert data.guide_normal_force.sum("surface_point").values == pytest.approx(2.0 * GRAVITY, rel=1e-6)
    assert data.guide_normal_force.sel(surface_point="guide:lower left").values == pytest.approx(GRAVITY, rel=1e-3)


@pytest.mark.parametrize("step", [1e-2, 3e-3, 1e-3])
def test_impacts_are_located(step):
    """Parabolas are integrated exactly, impacts located to 1e-13 m: what is left does not depend on the step."""
    times = np.array([0.2, 0.6, 0.8])  # in flight: before the first, after one, after three impacts
    result = gd.simulate(dropped(0.5), 0.85, solver=gd.TimeStepping(step=step), sample=times)
    assert lift(result) == pytest.approx(height(times, 0.5), abs=1e-9)
    assert result.stats["impacts_located"] == 3


@pytest.mark.parametrize("what", ["lift", "energy"])
def test_samples_just_before_an_impact(what):
    times = np.linspace(FALL - 1e-2, FALL - 1e-6, 50)
    result = gd.simulate(dropped(0.5), 0.6, solver=gd.TimeStepping(step=1e-2), sample=times)
    if what == "lift":
        assert lift(result) == pytest.approx(height(times, 0.5), abs=1e-6)
    else:
        assert result.data.mechanical_energy.values == pytest.approx(0.0, abs=1e-6)


def test_an_elastic_slider_keeps_its_energy():
    times = np.linspace(0.0, 3.0, 61)
    result = gd.simulate(dropped(1.0), 3.0, solver=gd.TimeStepping(step=1e-3), sample=times)
    energy = result.data.mechanical_energy.values
    assert energy == pytest.approx(energy[0], abs=1e-7)
    back = np.abs((times + FALL) % (2.0 * FALL) - FALL)  # time from the nearest highest point
    assert lift(result) == pytest.approx(HEIGHT - 0.5 * GRAVITY * back**2, abs=1e-7)


def test_each_impact_takes_its_share_of_energy():
    """E⁺ = e² E⁻ above rest."""
    times = FALL * np.array([0.5, 1.6, 2.7])
    result = gd.simulate(dropped(0.6), 1.5, solver=gd.TimeStepping(step=1e-3), sample=times)
    above = result.data.mechanical_energy.values / (2.0 * GRAVITY * HEIGHT) + 1.0
    assert above == pytest.approx([1.0, 0.6**2, 0.6**4], abs=1e-9)


@pytest.mark.parametrize(("friction", "sticks"), [(0.02, False), (5.0, True)])
def test_friction_of_an_impact(friction, sticks):
    """A flat impact at 1 m/s along: Δv = −μ (1 + e) v_n, or the corners stop: v_x = ω h/2, J ω = −m v₀ h/2 + …

    Sticking: the impulse stops the lower face. With impulses X along and N up at the lower face's corners, and no
    impulse pulling, both corners stay; then ω = 0 and v_x = 0.
    """
    system = dropped(0.0, friction=friction, velocity=(1.0, 0.0, 0.0))
    result = gd.simulate(system, 1.2 * FALL, solver=gd.TimeStepping(step=1e-3), sample=[0.9 * FALL, 1.001 * FALL])
    v = result.data.velocity.sel(body="slider", axis="x").values
    assert v[0] == 1.0
    slides = friction * 1e-3 * FALL * GRAVITY  # lost while it slides on
    expected = 0.0 if sticks else 1.0 - friction * GRAVITY * FALL - slides
    assert v[1] == pytest.approx(expected, abs=1e-5)


def test_a_tilted_slider_lands_on_a_corner():
    """One corner strikes first: 1/m_eff = 1/m + x²/J, ġ⁺ = −e ġ⁻, ω⁺ = x P/J with P = m_eff (1 + e) v."""
    tilt = 0.05
    turned = gd.BodyState(position=(0.0, 0.0, 0.0), orientation=(np.cos(tilt / 2), 0.0, 0.0, np.sin(tilt / 2)))
    system = dropped(0.3).replace(start={"slider": turned})
    low = 0.2 * np.sin(tilt) + 0.1 * np.cos(tilt) - 0.1  # how much lower the left corner is [m]
    at = np.sqrt(2.0 * (HEIGHT - low) / GRAVITY)
    result = gd.simulate(system, at + 1e-3, solver=gd.TimeStepping(step=1e-3), sample=[at - 2e-3, at + 1e-6])
    x = -0.2 * np.cos(tilt) + 0.1 * np.sin(tilt)  # arm of the lower left corner [m]
    impulse = 1.3 * GRAVITY * at / (1.0 / 2.0 + x * x / 0.04)
    spin = result.data.angular_velocity.sel(body="slider", axis="z").values
    assert spin == pytest.approx([0.0, x * impulse / 0.04], rel=1e-5, abs=1e-9)
    assert result.data.velocity.sel(body="slider", axis="y").values[1] == pytest.approx(
        -GRAVITY * at + impulse / 2.0, rel=1e-4
    )
    assert result.stats["impacts_located"] == 1
