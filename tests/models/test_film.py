"""The lubricated joint: a ball squeezed through its film, the end of the film, and contact that takes over there."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import gudgeon as gd
from gudgeon import laws
from real_joints import BALL, CLEARANCE, RADII, STEEL, ball_in_socket

LOAD, MASS = 10.0, BALL["mass"]
OIL = laws.SqueezeFilm(viscosity=0.4, socket_radius=RADII["socket_radius"], clearance=CLEARANCE)
DIRECTION = np.array((2.0, -1.0, 2.0)) / 3.0
CONTACT = laws.LankaraniNikravesh(stiffness=STEEL, restitution=0.7)


def lubricated(**changes) -> gd.Lubricated:
    return gd.Lubricated(**{**RADII, "viscosity": 0.4, **changes})


def loaded(model, *, load=LOAD, ratio=0.0, rate=0.0) -> gd.System:
    """The ball at the eccentricity ratio in the direction of a constant load, moving with a rate."""
    return ball_in_socket(
        model,
        offset=ratio * CLEARANCE * DIRECTION,
        velocity=rate * DIRECTION,
        loads={"load": gd.Force("ball", tuple(load * DIRECTION))},
    )


def thrown(model, speed: float) -> gd.System:
    return ball_in_socket(model, velocity=speed * DIRECTION)


def damping(ratio: float, law: laws.SqueezeFilm = OIL) -> float:
    """f/ė [N·s/m]."""
    return law.film_force(ratio, 1.0, law.parameters)


def squeeze_time(first: float, last: float, load: float = LOAD) -> float:
    """How long a load takes to push the ball from one ratio to another, without inertia: F dt = f(ε)/ė c dε."""
    value, _ = quad(lambda x: damping(1.0 - np.exp(-x)) * np.exp(-x), -np.log1p(-first), -np.log1p(-last), limit=200)
    return CLEARANCE * value / load


@pytest.mark.parametrize(
    ("solver", "accuracy"),
    [(gd.Implicit(), 1e-2), (gd.Implicit(stages=7), 1e-4), (gd.Implicit(rtol=1e-9, atol=1e-12), 1e-6)],
    ids=["default", "seven stages", "tight"],
)
def test_central_squeeze(solver, accuracy):
    """Inertia delays this by some m/D = 4 µs. The default tolerance, 1e-4 of c, is a tenth of the last film."""
    ratios = [0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 0.999]
    watch = {str(x): gd.Crossing(body="ball", along=tuple(DIRECTION), value=x * CLEARANCE) for x in ratios}
    system = loaded(lubricated(), ratio=0.1, rate=LOAD / damping(0.1))
    result = gd.simulate(system, 1.01 * squeeze_time(0.1, 0.999), crossings=watch, solver=solver)
    assert list(result.crossings["crossing"]) == list(watch)
    expected = [squeeze_time(0.1, x) for x in ratios]
    assert result.crossings["time"].values == pytest.approx(expected, rel=accuracy, abs=5e-6)
    assert result.data.film_force.sel(joint="J").values[1:] == pytest.approx(LOAD, rel=1e-4)
    aside = np.linalg.norm(np.cross(result.data.position.values[:, 0], DIRECTION), axis=1)
    assert aside.max() < 1e3 * solver.rtol * CLEARANCE


def test_squeezed_and_pulled_back_alike():
    """From ε = 0.9 through the centre to ε = 0.9 on the other side: no cavitation, the law is even in ε."""
    system = loaded(lubricated(), ratio=-0.9, rate=LOAD / damping(0.9))
    watch = {"centre": gd.Crossing(body="ball", along=tuple(DIRECTION), value=0.0, direction="rising")}
    watch["there"] = gd.Crossing(body="ball", along=tuple(DIRECTION), value=0.9 * CLEARANCE, stop=True)
    result = gd.simulate(system, 10.0, crossings=watch, solver=gd.Implicit(rtol=1e-8, atol=1e-12))
    centre, there = result.crossings["time"]
    assert centre == pytest.approx(squeeze_time(0.0, 0.9), rel=3e-5)
    assert there == pytest.approx(2.0 * centre, rel=3e-5)
    assert result.stats["end"] == "stopped"


def test_inertia_of_the_ball():
    """A throw into a thin oil against SciPy: m ë = −f(e/c, ė)."""
    thin = lubricated(viscosity=1e-3)
    law, times = thin.film_law, np.linspace(0.0, 2e-3, 41)
    solver = gd.Implicit(rtol=1e-9, atol=1e-13)
    data = gd.simulate(thrown(thin, 0.2), 2e-3, sample=times, solver=solver).data.sel(joint="J")
    scipy = solve_ivp(
        lambda t, y: (y[1], -law.film_force(y[0] / CLEARANCE, y[1], law.parameters) / MASS),
        (0.0, 2e-3),
        (0.0, 0.2),
        t_eval=times,
        method="Radau",
        rtol=1e-10,
        atol=1e-14,
    )
    assert data.eccentricity_length.values == pytest.approx(scipy.y[0], abs=1e-7 * CLEARANCE)
    assert data.velocity.values[:, 0] @ DIRECTION == pytest.approx(scipy.y[1], abs=1e-6)
    lost = 0.5 * MASS * (0.2**2 - scipy.y[1] ** 2)
    assert data.dissipated_energy.values == pytest.approx(lost, abs=1e-6 * lost[-1])


def test_a_film_of_ones_own():
    """f = D ė: the ball slows down as exp(−D t/m) and stops after m v/D."""
    model = lubricated(viscosity=None, film=lambda ratio, rate: 800.0 * rate)
    times = np.linspace(0.0, 2e-3, 21)
    data = gd.simulate(thrown(model, 0.2), 2e-3, sample=times, solver=gd.Implicit(rtol=1e-8)).data
    expected = 0.2 * np.exp(-800.0 / MASS * times)
    assert data.velocity.values[:, 0] @ DIRECTION == pytest.approx(expected, abs=1e-6)
    assert data.film_force.sel(joint="J").values == pytest.approx(800.0 * expected, abs=1e-3)
    assert data.position.values[:, 0] @ DIRECTION == pytest.approx(MASS * (0.2 - expected) / 800.0, abs=1e-9)


@pytest.mark.parametrize("smallest", [1e-9, 1e-7])
def test_a_film_that_ends(smallest):
    """The run stops where the law ends, at the time it takes to squeeze the film so thin, and keeps all before."""
    system = loaded(lubricated(smallest_film=smallest), ratio=0.1, rate=LOAD / damping(0.1))
    closed = squeeze_time(0.1, 1.0 - smallest / CLEARANCE)
    wording = (
        rf"^System 'ball in socket': film closed at t = .* s, step .* s; the film of Spherical 'J' is thinner than "
        rf"smallest_film = {smallest:g} m, where its law ends; give contact= \(a law of gd.laws\) to hand the load "
        r"over, or a more viscous oil; error.result holds everything up to then$"
    )
    with pytest.raises(gd.SimulationError, match=wording) as caught:
        gd.simulate(system, 2.0 * closed, sample=0.1, solver=gd.Implicit(rtol=1e-9, atol=1e-12))
    error = caught.value
    assert error.owner == "J"
    assert error.time == pytest.approx(closed, rel=3e-6)
    data = error.result.data.sel(joint="J")
    assert error.result.stats["end"] == "film closed"
    assert data.time.values == pytest.approx(np.arange(0.0, error.time, 0.1))
    assert np.all(data.eccentricity_length.values < CLEARANCE - smallest)
    assert data.penetration.values == pytest.approx(data.eccentricity_length.values - CLEARANCE)
    assert data.contact.values == pytest.approx(0.0)
    assert np.all(np.isfinite(data.film_force.values)) and np.all(np.isnan(data.normal_force.values))


def test_a_film_that_ends_under_the_explicit_solver():
    thin = lubricated(viscosity=1e-6, smallest_film=1e-6)
    with pytest.raises(gd.SimulationError, match=r"film closed at t = .*Spherical 'J'") as caught:
        gd.simulate(thrown(thin, 0.2), 0.1, solver=gd.Explicit())
    assert 0.0 < caught.value.time < 1e-3


@pytest.mark.parametrize("solver", [gd.Implicit(), gd.Explicit()], ids=["Implicit", "Explicit"])
def test_contact_takes_over(solver):
    """Pressed through the film the ball comes to rest on the contact: f_n = F, K δ^1.5 = F, film at rest."""
    model = lubricated(viscosity=4e-3, smallest_film=1e-7, contact=CONTACT)
    result = gd.simulate(loaded(model), 0.2, sample=1e-3, solver=solver)
    data, event = result.data.sel(joint="J"), result.events.iloc[0]
    assert len(result.events) == 1 and np.isnan(event.end)
    assert data.penetration.values[-1] == pytest.approx((LOAD / STEEL) ** (2 / 3), rel=1e-4)
    assert data.normal_force.values[-1] == pytest.approx(LOAD, rel=1e-4)
    assert abs(data.film_force.values[-1]) < 1e-3 * LOAD
    law = model.film_law
    assert event.impact_speed == pytest.approx(LOAD / damping(1.0 - 1e-7 / CLEARANCE, law), rel=1e-3)
    assert data.eccentricity_length.values[-1] == pytest.approx(CLEARANCE - 1e-7 + data.penetration.values[-1])


def test_hand_over_is_continuous():
    """Film and contact where one ends and the other begins: the film force goes on, the normal force starts at zero."""
    model = lubricated(viscosity=1e-4, smallest_film=2e-6, contact=CONTACT)
    solver = gd.Implicit(rtol=1e-9, atol=1e-13)
    begin = gd.simulate(thrown(model, 0.3), 2e-3, solver=solver).events.begin[0]
    times = begin + np.array([-1e-9, -1e-11, 1e-11, 1e-9])
    data = gd.simulate(thrown(model, 0.3), 2e-3, sample=times, solver=solver).data.sel(joint="J")
    film, normal = data.film_force.values, data.normal_force.values
    assert film[0] > 1.0
    assert film == pytest.approx(film[0], rel=3e-4)  # within 2 ns
    assert np.diff(film)[1] == pytest.approx(0.0, abs=1e-5 * film[0])  # across the instant
    assert normal == pytest.approx([0.0, 0.0, 0.0, 0.0], abs=1e-3 * film[0])
    assert data.contact.values == pytest.approx([0.0, 0.0, 1.0, 1.0])


def test_beyond_the_film_it_damps_as_at_its_end():
    """m ë = −D ė − f_n with D of the thinnest film, against SciPy."""
    model = lubricated(viscosity=1e-4, smallest_film=2e-6, contact=CONTACT)
    free = CLEARANCE - 2e-6
    solver = gd.Implicit(rtol=1e-10, atol=1e-14)
    event = gd.simulate(thrown(model, 0.3), 1e-3, solver=solver).events.iloc[0]
    times = event.begin + np.linspace(0.0, 0.99, 31) * (event.end - event.begin)
    data = gd.simulate(thrown(model, 0.3), 1e-3, sample=times, solver=solver).data.sel(joint="J")
    viscous = damping(free / CLEARANCE, model.film_law)

    def rate(t, y):
        contact = CONTACT.normal_force(y[0], y[1], event.impact_speed, CONTACT.parameters)
        return y[1], -(viscous * y[1] + contact) / MASS

    span = (0.0, times[-1] - times[0])
    first = (0.0, event.impact_speed)
    scipy = solve_ivp(rate, span, first, t_eval=times - times[0], method="Radau", rtol=1e-9, atol=1e-15)
    assert data.penetration.values == pytest.approx(scipy.y[0], abs=1e-6 * scipy.y[0].max())
    assert data.film_force.values == pytest.approx(viscous * scipy.y[1], abs=1e-4 * viscous * event.impact_speed)


def test_starts_without_a_film():
    wording = (
        r"^Spherical 'J': it starts with the ball 9\.99995e-05 m off centre, which leaves no film in the clearance of "
        r"0\.0001 m; start it closer to the centre, or give contact=$"
    )
    with pytest.raises(gd.ModelError, match=wording):
        gd.simulate(loaded(lubricated(), ratio=0.999995), 0.1)
