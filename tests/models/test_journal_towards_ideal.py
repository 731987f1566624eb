"""Journals become ideal joints as their clearance vanishes, reactions in motion included; all deviations ∝ c.

A film whose viscosity goes with c² runs at the same eccentricity ratio whatever c: the pin is off by ε(t) c, its
acceleration and so the reaction by as much, and the couple of its shear goes with μ/c ∝ c. A dry pin that stays in
contact becomes the ideal pin that rubs at the radius of its bore; where sliding reverses, its force swings about that
of the ideal joint at √(F/(m c)), so that its mean over a while is compared.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws
from journal_cranks import CRANK, REVOLUTION, ROD, SPEED, lost, slider_crank

DURATION = 0.6 * REVOLUTION
SAMPLE = DURATION / 300
EXACT = gd.Explicit(rtol=1e-11, atol=1e-13)
CLEARANCES = (1e-4, 5e-5, 2.5e-5)
SETTLED = slice(60, None)  # samples after the pin has left the centre
STIFFNESS = 2e12  # of a hard wall [N/m²]


def film(c: float) -> gd.LubricatedJournal:
    return gd.LubricatedJournal(bore_radius=0.010, pin_radius=0.010 - c, length=0.020, viscosity=0.4 * (c / 2e-4) ** 2)


def long_film(c: float) -> gd.LubricatedJournal:
    lands = ((-0.04, -0.01), (0.01, 0.04))
    return gd.LubricatedJournal(bore_radius=0.010, pin_radius=0.010 - c, lands=lands, viscosity=6.0 * (c / 2e-4) ** 2)


def spatial_crank(model) -> gd.System:
    """The guide lies 60 mm beside the crank's plane: the slider rolls by ±40° about it, the gudgeon feels moments."""
    beside = -0.06
    far = CRANK + math.sqrt(ROD**2 - beside**2)
    at = (far, 0, beside)
    return gd.System(
        gravity=(0, 0, 0),
        bodies={
            "crank": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(CRANK / 2, 0, 0)),
            "rod": gd.Body(mass=0.21, inertia=(2e-4, 2.5e-4, 2.5e-4), position=((CRANK + far) / 2, 0, beside / 2)),
            "slider": gd.Body(mass=0.14, inertia=(1e-4, 1e-4, 1e-4), position=at),
        },
        joints={
            "bearing": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "crank pin": gd.Spherical("crank", "rod", at=(CRANK, 0, 0)),
            "gudgeon": gd.Revolute("rod", "slider", at=at, axis=(0, 1, 0), model=model),
            "guide": gd.Cylindrical("ground", "slider", at=at, axis=(1, 0, 0)),
        },
        drives={"motor": gd.Drive("bearing", f"{SPEED / 2!r}*t")},
    )


def told(result: gd.Result) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Way of the slider, force and torque of the gudgeon at the samples."""
    data = result.data
    return (
        data.position.sel(body="slider").values[:, 0],
        data.reaction_force.sel(joint="gudgeon").values,
        data.reaction_torque.sel(joint="gudgeon").values,
    )


def deviations(result: gd.Result, ideal: gd.Result) -> list[float]:
    return [float(np.abs(mine - other)[SETTLED].max()) for mine, other in zip(told(result), told(ideal), strict=True)]


@pytest.mark.parametrize(
    ("mechanism", "model", "within"),
    [(slider_crank, film, (0.01, 0.07, 0.01)), (spatial_crank, long_film, (0.01, 0.01, 0.01))],
    ids=["in the plane", "in space"],
)
def test_films(mechanism, model, within):
    """Orders of way, reaction force and torque are 1: in the plane the force's is 1 + O(c), 0.94 between the first."""
    ideal = gd.simulate(mechanism(gd.Ideal()), DURATION, sample=SAMPLE, solver=EXACT)
    solver = gd.Implicit(rtol=1e-9, atol=1e-12)
    found = np.array(
        [
            deviations(gd.simulate(mechanism(model(c)), DURATION, sample=SAMPLE, solver=solver), ideal)
            for c in CLEARANCES
        ]
    )
    orders = np.log2(found[:-1] / found[1:])
    for column, most in enumerate(within):
        np.testing.assert_allclose(orders[:, column], 1.0, atol=most)
    largest = [np.abs(each).max() for each in told(ideal)]
    assert found[-1, 0] < CLEARANCES[-1]
    assert (found[-1, 1:] < np.array((0.01, 0.01)) * largest[1:] + (0.0, 0.02)).all()


def hard(c: float, friction) -> gd.DryJournal:
    return gd.DryJournal(
        bore_radius=0.010,
        pin_radius=0.010 - c,
        length=0.020,
        contact=lambda delta, ddelta: max(0.0, 2e12 * delta * (1.0 + 30.0 * ddelta)),
        friction=friction,
        planar=True,
    )


def test_dry_pins():
    friction = laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-2)
    rubbing = gd.Ideal(friction=friction, radius=0.010)
    duration = 0.75 * REVOLUTION  # long after sliding has reversed
    ideal = gd.simulate(slider_crank(rubbing), duration, sample=SAMPLE, solver=EXACT)
    way, force, _ = told(ideal)
    pressed = -force[0] / np.linalg.norm(force[0])
    found = []
    for c in (2e-4, 1e-4, 5e-5):
        depth = np.linalg.norm(force[0]) / (STIFFNESS * 0.020)
        start = {
            "slider": gd.BodyState(position=(CRANK + ROD, 0, 0) + (c + depth) * pressed, orientation=(1, 0, 0, 0)),
            "rod": gd.BodyState(
                position=(CRANK + ROD / 2, 0, 0),
                orientation=(1, 0, 0, 0),
                velocity=(0, SPEED * CRANK / 2, 0),
                angular_velocity=(0, 0, -SPEED * CRANK / ROD),
            ),
        }
        system = slider_crank(hard(c, friction)).replace(start=start)
        result = gd.simulate(system, duration, sample=SAMPLE, solver=gd.Explicit(rtol=1e-9, atol=1e-12))
        assert len(result.events) == 1  # it never leaves the wall
        its_way, its_force, _ = told(result)
        mean = (its_force - force)[60:360].reshape(5, 60, 3).mean(axis=1)
        energy = abs(lost(result)[-1] - lost(ideal)[-1])
        found.append((np.abs(its_way - way)[SETTLED].max(), energy, np.abs(mean).max()))
    orders = np.log2(np.array(found[:-1]) / found[1:])
    np.testing.assert_allclose(orders[:, :2], 1.0, atol=0.1)
    assert found[-1][2] < 0.01 * np.abs(force).max()
