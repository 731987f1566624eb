"""A ball that a drive moves through its film: the force does nothing to the motion, and must be right all the same."""

import numpy as np
import pytest

import gudgeon as gd

CLEARANCE, RADIUS, VISCOSITY = 1e-4, 0.0101, 0.4  # [m], of the socket [m], [Pa·s]
FILM = gd.laws.SqueezeFilm(viscosity=VISCOSITY, socket_radius=RADIUS, clearance=CLEARANCE)


def force(x, rate):
    """On the ball along the rail [N], by the film's own law."""
    law = np.vectorize(lambda ratio, speed: FILM.film_force(ratio, speed, FILM.parameters))
    side = np.where(x < 0.0, -1.0, 1.0)
    return -side * law(np.abs(x) / CLEARANCE, side * rate)


def driven(value: str) -> gd.System:
    model = gd.Lubricated(socket_radius=RADIUS, ball_radius=RADIUS - CLEARANCE, viscosity=VISCOSITY)
    return gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={"slide": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))},
        joints={
            "rail": gd.Prismatic("ground", "slide", at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)),
            "ball": gd.Spherical("ground", "slide", at=(0.0, 0.0, 0.0), model=model),
        },
        drives={"move": gd.Drive("rail", value)},
    )


CROSSING = ("-9e-5 + 1.8e-3*t", lambda t: -9e-5 + 1.8e-3 * t, lambda t: np.full_like(t, 1.8e-3))
SWINGING = ("9e-5*sin(60*t)", lambda t: 9e-5 * np.sin(60.0 * t), lambda t: 5.4e-3 * np.cos(60.0 * t))


@pytest.mark.parametrize(("value", "position", "rate"), [CROSSING, SWINGING], ids=["crossing", "swinging"])
@pytest.mark.parametrize("rtol", [1e-10, 1e-8, 1e-6])
def test_force_and_loss(value, position, rate, rtol):
    """The force is that of the law at the prescribed motion, the energy dissipated its work."""
    result = gd.simulate(driven(value), 0.099, sample=1e-3, solver=gd.Implicit(rtol=rtol))
    times = result.data.time.values
    expected = force(position(times), rate(times))
    found = result.data.film_force.sel(joint="ball").values
    largest = np.abs(expected).max()
    assert np.abs(found) == pytest.approx(np.abs(expected), abs=1e3 * rtol * largest)
    t = np.linspace(0.0, 0.099, 40_001)
    power = -force(position(t), rate(t)) * rate(t)
    loss = np.sum(0.5 * (power[1:] + power[:-1])) * (t[1] - t[0])
    assert float(result.data.dissipated_energy.sel(joint="ball")[-1]) == pytest.approx(loss, rel=max(1e3 * rtol, 1e-6))
