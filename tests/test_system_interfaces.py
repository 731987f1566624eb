"""Interfaces in a System: gaps in the result, several of them, files, runs that fail, mistakes."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.nurbs import Surface

OUTER, INNER = 0.0101, 0.0100
FILM = gd.Interface(
    reference=("sleeve", Surface.cylinder(OUTER, -0.01, 0.01)),
    corresponding=("pin", Surface.cylinder(INNER, -0.02, 0.02)),
    reference_side=-1,
    grid=(24, 5),
)
FLOOR = gd.Interface(
    reference=("ground", Surface.plane(origin=(-0.02, -0.02, -0.1), edge1=(0.04, 0, 0), edge2=(0, 0.04, 0))),
    corresponding=("pin", Surface.sphere(0.005)),
    grid=(7, 9),
)


def system(**parts) -> gd.System:
    """A pin that drifts, spins and tilts in a sleeve at rest."""
    bodies = {name: gd.Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5)) for name in ("pin", "sleeve")}
    moving = gd.BodyState(
        position=(0, 0, 0), orientation=(1, 0, 0, 0), velocity=(1e-3, 2e-3, 0.05), angular_velocity=(0.02, 0, 300)
    )
    interfaces = {"film": FILM, "floor": FLOOR}
    return gd.System(gravity=(0, 0, 0), bodies=bodies, start={"pin": moving}, interfaces=interfaces, **parts)


@pytest.fixture(scope="module")
def result() -> gd.Result:
    return gd.simulate(system(), 0.02, sample=2e-3)


def test_gaps_are_in_the_data(result):
    data = result.data
    assert data["film.gap"].dims == ("time", "film.xi1", "film.xi2")
    assert data["film.gap"].shape == (11, 24, 5) and data["floor.gap"].shape == (11, 7, 9)
    assert data["film.wall_velocity_reference"].dims == ("time", "film.xi1", "film.xi2", "direction")
    assert data["film.gap"].attrs["units"] == "m" and data["film.gap"].attrs["reference"] == "sleeve"
    assert data.attrs["system"] == "mechanism" and set(data.axis.values) == {"x", "y", "z"}


def test_they_are_those_of_gap_history(result):
    for name, interface in (("film", FILM), ("floor", FLOOR)):
        here, there = result.interface(name), gd.gap_history(result, interface)
        assert set(here.data_vars) == set(there.data_vars)
        for key in there.data_vars:
            np.testing.assert_array_equal(here[key].values, there[key].values)
        assert here.attrs == there.attrs and here.gap.dims == ("time", "xi1", "xi2")


def test_minimum_of_a_journal(result):
    """h = R − e cos θ − √(r² − e² sin²θ): at least c − e, and nearly that where the pin leans to."""
    film = result.interface("film").sel(time=0.02)
    e = 0.02 * np.hypot(1e-3, 2e-3)
    assert float(film.minimum_gap) == pytest.approx(OUTER - INNER - e, rel=0.1)
    assert float(film.minimum_gap) >= OUTER - INNER - e - 0.02 * 0.02 * 0.01 - 1e-9
    place = film.minimum_point.values
    assert np.arctan2(place[1], place[0]) == pytest.approx(np.arctan2(2e-3, 1e-3), abs=np.pi / 24 + 1e-9)
    spin = film.wall_velocity_corresponding.sel(direction="xi1")
    assert float(spin.median()) == pytest.approx(300 * INNER, rel=0.01)


def test_files(result, tmp_path):
    again = gd.load(result.save(tmp_path / "run.nc"))
    for key in result.data.data_vars:
        np.testing.assert_array_equal(again.data[key].values, result.data[key].values)
    np.testing.assert_array_equal(again.interface("floor").gap, result.interface("floor").gap)
    assert again.interface("film").attrs == {"reference": "sleeve", "corresponding": "pin"}
    flags = [x.interface("film").reason.attrs["flag_meanings"] for x in (again, result)]
    assert flags[0] == flags[1]


def test_relative_coordinates_give_the_same(result):
    other = gd.simulate(system(), 0.02, sample=2e-3, coordinates="relative")
    assert other.interface("film").gap.values == pytest.approx(result.interface("film").gap.values, abs=1e-12)


def test_kinematics_has_them_too():
    sleeve = gd.Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5))
    turning = gd.System(
        bodies={"pin": sleeve, "sleeve": sleeve},
        joints={
            "hold": gd.Rigid("ground", "sleeve", at=(0, 0, 0)),
            "turn": gd.Revolute("ground", "pin", at=(1e-5, 0, 0), axis=(0, 0, 1)),
        },
        drives={"motor": gd.Drive("turn", "100*t")},
        interfaces={"film": FILM},
    )
    film = gd.kinematics(turning, 0.05, sample=1e-2).interface("film")
    assert float(film.minimum_gap.min()) == pytest.approx(OUTER - INNER - 2e-5, rel=0.01)  # the pin's axis on a circle


def test_a_run_that_fails_keeps_its_gaps():
    breaking = system(loads={"push": gd.Force("pin", ("1e-3/(0.01-t)**2", 0, 0))})
    with pytest.raises(gd.SimulationError) as caught:
        gd.simulate(breaking, 0.02, sample=1e-3)
    film = caught.value.result.interface("film")
    assert 5 <= film.sizes["time"] <= 11
    assert np.isfinite(film.minimum_gap.values[:5]).all()


def test_interfaces_are_data():
    import pickle

    assert pickle.loads(pickle.dumps(system())) == system()
    assert system() != system().replace(interfaces={})
    assert gd.System(bodies=dict(system().bodies)).interfaces == {}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"film": 3}, r"System 'mechanism', interfaces: 'film' is a int; a Interface is needed here"),
        (3, r"System 'mechanism', interfaces: .* give a dictionary \{name: Interface\}"),
        ({"a.b": FILM}, r"Interface 'a.b': a name with '/' or '.' cannot begin"),
    ],
)
def test_mistakes(given, message):
    with pytest.raises(gd.ModelError, match=message):
        system().replace(interfaces=given)


def test_bodies_must_exist():
    wrong = gd.Interface(reference=("sleve", Surface.plane()), corresponding=("pin", Surface.plane()))
    with pytest.raises(gd.ModelError, match=r"Interface 'film': no body 'sleve'; did you mean 'sleeve'\?"):
        system().replace(interfaces={"film": wrong})


def test_unknown_names(result):
    with pytest.raises(gd.ModelError, match=r"Result: no interface 'flim'; did you mean 'film'\?"):
        result.interface("flim")
    plain = gd.simulate(system().replace(interfaces={}), 1e-3)
    with pytest.raises(gd.ModelError, match=r"no interface 'film'; give System\(interfaces=...\)"):
        plain.interface("film")


def test_too_much_for_the_memory_is_refused_before_the_run():
    fine = gd.Interface(reference=FILM.reference, corresponding=FILM.corresponding, grid=(3000, 3000))
    with pytest.raises(gd.ModelError, match=r"Interface 'film': 1001 samples of 3000×3000 points take 586 GB; give a"):
        gd.simulate(system().replace(interfaces={"film": fine}), 1.0, sample=1e-3)
