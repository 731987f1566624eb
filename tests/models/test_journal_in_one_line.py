"""Journals from a drawing: what is taken is what the standards say, and the note tells it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gudgeon as gd
from gudgeon.files.model_file import read_model

REFERENCE = Path(__file__).parent.parent / "references" / "fits_and_oils.json"
FITS = json.loads(REFERENCE.read_text())["reference"]["radial_clearance_um"]
PIN = {"diameter": 0.020, "length": 0.020}


@pytest.mark.parametrize("case", FITS, ids=lambda case: f"{case['d_mm']} {case['fit']}")
def test_clearance_of_the_fit(case):
    """ISO 286: least, mean and greatest, radial; the mean by default."""
    words = dict(zip(("smallest", "mean", "largest"), case["least_mean_greatest"], strict=True))
    diameter, fit = 1e-3 * case["d_mm"], case["fit"]
    for word, expected in words.items():
        if expected > 0.0:
            model = gd.Dry.journal(diameter=diameter, length=0.02, fit=fit, clearance=word)
            assert model.clearance == pytest.approx(1e-6 * expected, rel=1e-9)
            assert model.contact.clearance == pytest.approx(model.clearance, rel=1e-9)
            assert model.bore_radius == 0.5 * diameter
    usual = gd.Dry.journal(diameter=diameter, length=0.02, fit=fit)
    assert usual.clearance == pytest.approx(1e-6 * words["mean"], rel=1e-9)


def test_what_a_dry_journal_takes():
    """The default law of the materials, the restitution at 1 m/s, a coefficient as Coulomb's law."""
    model = gd.Dry.journal(fit="H7/g6", materials=("bronze", "steel"), friction=0.1, **PIN)
    law = gd.laws.pin_in_bore(radius=0.010, clearance=12e-6, materials=("bronze", "steel"))
    assert model.contact == law and gd.laws.recovered_restitution(law, impact_speed=1.0) == pytest.approx(0.9, abs=1e-9)
    assert model.friction == gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=0.01)
    for told in ("radial clearance 12 µm", "3.5 to 20.5 µm", "wall R_o/R 2", "restitution 0.9 at 1 m/s", "0.01 m/s"):
        assert told in model.note and told in repr(model)


def test_a_note_is_no_physics():
    model = gd.Dry.journal(fit="H7/g6", **PIN)
    same = gd.DryJournal(bore_radius=0.010, pin_radius=model.pin_radius, length=0.020, contact=model.contact)
    assert model == same and same.note == ""


def test_what_a_film_takes():
    """Viscosity of DIN 31652, 9.5273 mPa·s of VG 46 at 80 °C; 3.5 σ of 0.4 and 0.2 µm is 1.957 µm."""
    model = gd.Lubricated.journal(fit="H8/e8", oil="ISO VG 46", temperature=80, **PIN)
    assert model.viscosity == pytest.approx(9.5273e-3, rel=1e-4)
    assert model.clearance == pytest.approx(36.5e-6, rel=1e-9) and model.contact is None
    rough = gd.Lubricated.journal(fit="H8/e8", viscosity=0.02, roughness=(0.4e-6, 0.2e-6), friction=0.08, **PIN)
    assert rough.smallest_film == pytest.approx(3.5 * 0.559017e-6, rel=1e-6)
    assert rough.contact.modulus == gd.laws.contact_modulus("steel") and rough.friction.coefficient == 0.08
    assert "touches below 1.96 µm" in rough.note


def test_hot_only_on_request():
    """A bronze bush on steel, 60 K warmer: 3.6 µm wider (α 18 and 12e-6, R 10 mm)."""
    warm = {"fit": "H7/f7", "oil": "VG 46", "temperature": 80, "materials": ("bronze", "steel"), **PIN}
    cold, hot = gd.Lubricated.journal(**warm), gd.Lubricated.journal(**warm, hot=True)
    assert hot.clearance - cold.clearance == pytest.approx(3.6e-6, rel=1e-6)
    assert "24.1 µm at 80 °C" in hot.note


@pytest.mark.parametrize("model", ["Dry.journal, friction: 0.1", "Lubricated.journal, oil: ISO VG 46, temperature: 60"])
def test_in_a_model_file(model, tmp_path):
    """The same line in a file."""
    (tmp_path / "pin.yaml").write_text(
        f"""
        bodies: {{arm: {{mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}}}
        models: {{real: {{type: {model}, fit: H7/f7, diameter: 20 mm, length: 20 mm}}}}
        joints: {{pin: {{type: Revolute, parent: ground, child: arm, at: [0, 0, 0], model: real}}}}
        """
    )
    found = read_model(tmp_path / "pin.yaml").models["real"]
    assert found.clearance == pytest.approx(20.5e-6, rel=1e-9) and "20 mm H7/f7" in found.note


DRY = [
    ({"fit": "H7/p6"}, r"H7/p6 at 20 mm is an interference fit.*use H7/h6"),
    ({"fit": "H7/k6"}, r"transition fit.*give the clearance that was measured"),
    ({}, r"Dry.journal: how much play has it\? give fit=, as 'H7/g6', or clearance="),
    ({"fit": "H7/h6", "clearance": "smallest"}, r"the smallest clearance of H7/h6 is 0; give clearance='mean'"),
    ({"fit": "H7/g6", "clearance": 5e-5}, r"H7/g6 at 0.02 m has 3.5 to 20.5 µm \(radial.*leave out fit= for worn"),
    ({"fit": "H7/g6", "clearance": "big"}, r"clearance is 'big'; give 'smallest', 'mean' or 'largest'"),
    ({"clearance": -1e-5}, r"clearance is -1e-05 m at a diameter of 0.02 m; it must be positive"),
    ({"fit": "H7/g6", "temperature": 60}, r"temperature is 60 °C.*give hot=True too"),
    (
        {"fit": "H7/g6", "hot": True, "temperature": 2000},
        r"temperature is 2000 °C; materials expand as told from -60 to 300 °C: give one in this range",
    ),
    ({"fit": "H7/g6", "hot": True}, r"hot=True, but how hot\? give temperature="),
    (
        {
            "fit": "H7/g6",
            "hot": True,
            "temperature": 60,
            "materials": gd.Material(name="CuSn12", youngs_modulus=95e9, poissons_ratio=0.34),
        },
        r"hot=True, but CuSn12 has no expansion",
    ),
    ({"fit": "H7/g6", "friction": -0.1}, r"friction is -0.1; a coefficient is not negative"),
    ({"fit": "H7/g6", "materials": "butter"}, r"Dry.journal: .*butter"),
    ({"fit": "H7/g6", "hot": True, "temperature": 200, "materials": ("steel", "POM")}, r"seizes; choose a wider fit"),
]
FILM = [
    ({}, r"Lubricated.journal: which oil\? give oil=, as 'ISO VG 46', and temperature="),
    ({"oil": "ISO VG 46"}, r"ISO VG 46 at which temperature\? give temperature="),
    ({"oil": "ISO VG 46", "temperature": 333.0}, r"temperature is 333 °C.*0 to 120 °C.*333 K is 59.85"),
    ({"oil": "ISO VG 47", "temperature": 60}, r"47"),
    ({"viscosity": 0.02, "friction": 0.1}, r"friction is given, but nothing touches.*give roughness="),
    ({"viscosity": 0.02, "restitution": 0.5}, r"restitution is given, but nothing touches"),
    ({"viscosity": 0.02, "roughness": 0.4e-6}, r"roughness is 4e-07; give R_a of bore and pin"),
    ({"viscosity": 0.02, "roughness": (0.4, 0.2)}, r"Ra_i is 0.4 m; a machined surface"),
]


@pytest.mark.parametrize(("given", "message"), DRY, ids=lambda value: str(value)[:40])
def test_mistakes_in_dry_journals(given, message):
    with pytest.raises(gd.ModelError, match=message):
        gd.Dry.journal(**PIN, **given)


@pytest.mark.parametrize(("given", "message"), FILM, ids=lambda value: str(value)[:40])
def test_mistakes_in_films(given, message):
    with pytest.raises(gd.ModelError, match=message):
        gd.Lubricated.journal(**PIN, fit="H7/f7", **given)


def test_a_law_of_another_clearance():
    """Diametral for radial is the commonest mistake; the film of a ball is asked too."""
    law = gd.laws.PinInBore(modulus=1e11, clearance=1e-4)
    radii = {"bore_radius": 0.010, "length": 0.02}
    assert gd.DryJournal(pin_radius=0.0099, contact=law, **radii).contact == law
    with pytest.raises(gd.ModelError, match=r"DryJournal: contact is a PinInBore of clearance 0.0001 m.*5e-05.*radial"):
        gd.DryJournal(pin_radius=0.00995, contact=law, **radii)
    with pytest.raises(gd.ModelError, match=r"LubricatedJournal: contact is a PinInBore.*give both the same"):
        gd.LubricatedJournal(pin_radius=0.00996, contact=law, viscosity=0.1, **radii)
    film = gd.laws.SqueezeFilm(viscosity=0.4, socket_radius=0.01, clearance=2e-4)
    with pytest.raises(gd.ModelError, match=r"Lubricated: film is a SqueezeFilm of clearance 0.0002 m"):
        gd.Lubricated(socket_radius=0.010, ball_radius=0.0099, film=film)
