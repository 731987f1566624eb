"""A lubricated box in a planar Guide: the films of the upper and the lower wall, as in a Prismatic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gudgeon as gd

BOX = gd.LubricatedBox(length=0.05, width=0.02, height=0.03, clearance=5e-5, viscosity=0.05)
SIDE = 0.009  # clearance of the side walls of a Prismatic, whose oil hardly drags [m]
TILT = 4e-4  # [rad]
PARTS = ["J:upper film", "J:lower film"]


def block(joint, **parts) -> gd.System:
    """It slides and sinks, lifted at its front."""
    body = gd.Body(mass=0.5, inertia=(1e-4, 2e-4, 2e-4))
    start = gd.BodyState(
        position=(0.004, -1.5e-5, 0.0),
        orientation=(np.cos(TILT / 2), 0, 0, np.sin(TILT / 2)),
        velocity=(1.5, -0.01, 0.0),
        angular_velocity=(0, 0, 0.3),
    )
    return gd.System(gravity=(0, -9.81, 0), bodies={"box": body}, joints={"J": joint}, start={"box": start}, **parts)


GUIDE = block(gd.Guide("ground", "box", at=(0, 0, 0), axis=(1, 0, 0), normal=(0, 1, 0), model=BOX))
WIDE = block(
    gd.Prismatic("ground", "box", at=(0, 0, 0), axis=(1, 0, 0), model=replace(BOX, up=(0, 1, 0), side_clearance=SIDE))
)


def test_it_has_two_films():
    joint = GUIDE.joints["J"]
    assert [part.name for part in joint.model.elements(joint)] == ["upper film", "lower film"]
    assert joint.blocks().row_count == 3


@pytest.mark.parametrize("pads_on", ["box", "guide"])
def test_films_are_those_of_a_prismatic(pads_on):
    """At one state: load, drag, where they act, the thinnest film and the power of both walls."""
    here, there = (
        gd.simulate(
            system.with_model(J=replace(system.joints["J"].model, pads_on=pads_on)), 1e-6, sample=1e-6
        ).data.isel(time=0)
        for system in (GUIDE, WIDE)
    )
    for name in ("minimum_film", "film_load", "film_friction", "tilt", "pressure_centre_along", "power_lost"):
        mine, other = here[name].sel(part=PARTS).values, there[name].sel(part=PARTS).values
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-15)
    assert here.film_load.sel(part=PARTS).values.max() > 1.0


@pytest.mark.parametrize("solver", [gd.Implicit(rtol=1e-9, atol=1e-12), gd.TimeStepping(step=1e-5)], ids=["I", "T"])
@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_it_moves_as_in_a_prismatic(solver, coordinates):
    """Side walls drag (A/h)_side/(A/h) = 0.03/0.009 : 0.02/5e-5 = 0.83 % more, and nothing else is different."""
    here, there = (
        gd.simulate(system, 0.01, sample=1e-3, solver=solver, coordinates=coordinates).data for system in (GUIDE, WIDE)
    )
    slowed = 1.5 - here.velocity.values[:, 0, 0]
    assert slowed[-1] > 0.05
    ratio = (1.5 - there.velocity.values[:, 0, 0])[1:] / slowed[1:]
    np.testing.assert_allclose(ratio, 1.0083, atol=2e-3)
    np.testing.assert_allclose(here.position.values[:, 0, 1], there.position.values[:, 0, 1], atol=1e-3 * 5e-5)
    assert not here.position.values[:, 0, 2].any() or np.abs(here.position.values[:, 0, 2]).max() < 1e-15
    energy = here.mechanical_energy + here.dissipated_energy.sum("joint")
    assert np.ptp(energy.values[1:]) < 1e-6 * float(energy[0])  # it stops sinking within a step of TimeStepping


def test_what_a_guide_has_not_is_refused():
    for field, value in (("up", (0, 1, 0)), ("side_clearance", 1e-4)):
        with pytest.raises(gd.ModelError, match=rf"Guide 'J': {field} of its LubricatedBox .* two walls"):
            GUIDE.with_model(J=replace(BOX, **{field: value}))
