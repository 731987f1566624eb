"""What is refused of lubricated journals, and how."""

import re

import pytest

import gudgeon as gd
from mistakes import refuses

ROUGH = gd.laws.GreenwoodTripp(radius=0.01, clearance=1e-4, roughness=1e-6, modulus=1e11)


@pytest.fixture(autouse=True)
def both_formulations():
    """Nothing runs here."""


def journal(**changes) -> gd.LubricatedJournal:
    given = {"bore_radius": 0.010, "pin_radius": 0.0099, "length": 0.010, "viscosity": 0.01, **changes}
    return gd.LubricatedJournal(**given)


WRONG = {
    "LubricatedJournal: viscosity is 0 Pa·s; it must be positive": {"viscosity": 0.0},
    "LubricatedJournal: viscosity is 'thick'; give a number": {"viscosity": "thick"},
    "LubricatedJournal: pin_radius is 0.01 m, bore_radius 0.01 m; the pin must be smaller": {"pin_radius": 0.01},
    "LubricatedJournal: length is -1 m; it must be positive": {"length": -1.0},
    "LubricatedJournal: smallest_film is 0 m; it must be positive": {"smallest_film": 0.0},
    "LubricatedJournal: smallest_film is 0.0001 m; it must lie below the radial clearance (0.0001 m)": {
        "pin_radius": 0.0099 - 1e-12,
        "bore_radius": 0.01 - 1e-12,
        "smallest_film": 1e-4 + 1e-12,
    },
    "LubricatedJournal: film is 'half'; give 'short', 'finite' or 'long'": {"film": "half"},
    "LubricatedJournal: length over bore diameter is 0.05; the table of finite films goes from 0.0625 to 8: "
    "give film='short'": {"length": 1e-3},
    "LubricatedJournal: length over bore diameter is 9; the table of finite films goes from 0.0625 to 8: "
    "give film='long'": {"length": 0.18},
    "LubricatedJournal: length over bore diameter is 0.5; film='long' has no ends and needs more than 4: "
    "give film='finite'": {"film": "long"},
    "LubricatedJournal: pin_length is given; a film fills lands of the bore": {"pin_length": 0.02},
    "LubricatedJournal: lands_on is given; a film fills lands of the bore": {"lands_on": "pin"},
    "LubricatedJournal: friction is given without contact; give contact= too": {
        "friction": gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-2)
    },
    "LubricatedJournal: what is the pressure of its collars? give face=": {"axial_play": 1e-4, "collar_radius": 0.014},
    "LubricatedJournal: collar_radius is 0.009 m, bore_radius 0.01 m; a collar must be larger": {
        "axial_play": 1e-4,
        "collar_radius": 0.009,
    },
    "LubricatedJournal: smallest_film is 1e-09 m, but the asperities of its GreenwoodTripp begin to touch at 4 "
    "roughness: give smallest_film=4e-06": {"contact": ROUGH},
}


@pytest.mark.parametrize("wording", WRONG)
def test_refused(wording):
    with refuses(wording):
        journal(**WRONG[wording])


def test_other_joints_do_not_take_it():
    with pytest.raises(gd.ModelError, match=re.escape("LubricatedJournal(...) is not a model of this joint")):
        gd.Spherical("ground", "ball", at=(0, 0, 0), model=journal())


def test_a_start_without_film():
    """The pin is placed nearer to the wall than the smallest film."""
    system = gd.System(
        bodies={"pin": gd.Body(mass=1.0, inertia=(1, 1, 1))},
        joints={"J": gd.Revolute("ground", "pin", at=(0, 0, 0), model=journal(smallest_film=1e-6))},
        start={"pin": gd.BodyState(position=(9.95e-5, 0, 0), orientation=(1, 0, 0, 0))},
    )
    with refuses("Revolute 'J': it starts with its film …"):
        gd.simulate(system, 0.1)


@pytest.mark.parametrize(("length", "instead"), [(0.0201, "finite"), (0.2, "long")])
def test_a_film_that_is_not_short_is_told(length, instead):
    """At L/D = 1 and ε = 0.6 a short film is twice too strong, 1/0.46 by Reynolds' equation; beyond, more."""
    said = f"film='short' holds far below 1, and is much too strong here: give film='{instead}'"
    with pytest.warns(UserWarning, match=re.escape(said)):
        journal(film="short", length=length)
    with pytest.warns(UserWarning, match=re.escape(said)):
        drawn = gd.Lubricated.journal(film="short", length=length, diameter=0.02, clearance=1e-4, viscosity=0.01)
    assert f"short film, much too strong at L/D = {length / 0.02:.3g}" in drawn.note
    journal(film="short", length=0.02)
