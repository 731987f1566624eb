"""Sticking of several joints that one freedom moves, and where a mechanism breaks away."""

import numpy as np
import pytest
from scipy.optimize import brentq

import gudgeon as gd
from friction.rubbing_mechanisms import four_bar, slider_crank
from reference_friction import FrictionReference

RADIUS = 0.03


def breaks_away(mu_of):
    """μ at which the four-bar at rest begins to move: friction of all pins at its limit against the coming motion.

    The reference, at a tiny velocity in that direction, has no acceleration there.
    """

    def acceleration(mu):
        law = gd.laws.Coulomb(coefficient=mu, velocity_tolerance=1e-7)
        system = four_bar(gd.Ideal(friction=law, radius=RADIUS), spin=-1e-3)
        reference = FrictionReference(system, gd.assemble(system).system.start)
        return float(reference.accelerations[5])  # of the crank's angle

    return brentq(acceleration, *mu_of)


def test_four_bar_breaks_away_where_it_must(coordinates):
    limit = breaks_away((0.1, 0.6))
    for mu, moves in ((0.99 * limit, True), (1.01 * limit, False)):
        model = gd.Ideal(friction=gd.laws.DryFriction(static=mu), radius=RADIUS)
        data = gd.simulate(four_bar(model, spin=0.0), 0.2, solver=gd.TimeStepping(step=1e-3), sample=0.05).data
        turned = abs(float(data.joint_position[-1, 0]))
        assert (turned > 1e-5) if moves else (turned < 1e-12)
        limits = mu * RADIUS * data.friction_load.values
        assert np.all(np.abs(data.friction_effort.values) <= limits * (1 + 1e-3))
    assert data.sticking.values[1:].min() == 1.0


def test_slider_crank_comes_to_rest(coordinates):
    """Friction in four different joints stops a crank; it stays where it is, and sticks in all of them."""
    law = gd.laws.DryFriction(static=0.3, kinetic=0.25)
    data = gd.simulate(slider_crank(law, spin=3.0), 1.0, solver=gd.TimeStepping(step=1e-3), sample=0.01).data
    assert data.sticking.values[-20:].min() == 1.0
    assert np.ptp(data.joint_position.sel(coordinate="main.angle").values[-20:]) < 1e-10
    total = data.mechanical_energy.values + np.nansum(data.dissipated_energy.values, axis=1)
    assert np.ptp(total) < 2e-3 * np.ptp(data.mechanical_energy.values)
    lost = np.diff(np.nansum(data.dissipated_energy.values, axis=1))
    assert lost.min() > -1e-9


def test_pins_turn_back_one_by_one(coordinates):
    """A rocking four-bar: pins turn back at different times, at extremes of their angles where friction hardly acts."""
    model = gd.Ideal(friction=gd.laws.DryFriction(static=0.05), radius=RADIUS)
    sharp = gd.Ideal(friction=gd.laws.Coulomb(coefficient=0.05, velocity_tolerance=1e-6), radius=RADIUS)
    dry = gd.simulate(four_bar(model, spin=0.0), 1.0, solver=gd.TimeStepping(step=5e-4), sample=0.1)
    smooth = gd.simulate(four_bar(sharp, spin=0.0), 1.0, solver=gd.Implicit(), sample=0.1)
    assert dry.stats["contact_failures"] == 0
    assert dry.data.joint_position.values[-1] == pytest.approx(smooth.data.joint_position.values[-1], abs=5e-3)
    rates = np.sign(smooth.data.joint_velocity.values[1:])
    assert np.any(rates != rates[:1], axis=0).all()
