"""Hooke's joint: two shafts at an angle, the first at constant speed; in closed form (tests/closed_forms.py)."""

import numpy as np
import pytest

import gudgeon as gd
from closed_forms import BETA, OUT, SPEED, SPIN, hooke
from closed_forms import hooke_motion as closed_form

TIMES = np.linspace(0.0, 4.0, 161)  # [s]; 8 rad, more than one turn
# θ₁, θ₂ in degrees and ω₂/ω₁, made with the formulas above and printed for the record.
TABLE = (
    (0, 0.0, 1.1547005383792517),
    (15, 17.192123734020974, 1.1294802613871204),
    (30, 33.690067525979785, 1.0658774200423862),
    (45, 49.10660535086909, 0.9897433186107871),
    (60, 63.43494882292201, 0.9237604307034013),
    (75, 76.93568657049171, 0.8807755981746853),
)


@pytest.fixture(scope="module")
def run():
    solver = gd.Explicit(rtol=1e-10, atol=1e-12)
    return gd.simulate(hooke(), TIMES[-1], solver=solver, sample=TIMES).data


def test_closed_form_gives_the_table():
    first, second, ratio = np.array(TABLE).T
    turn, speed, _ = closed_form(np.radians(first))
    assert np.degrees(turn) == pytest.approx(second, abs=1e-12)
    assert speed / SPEED == pytest.approx(ratio, abs=1e-14)


def test_the_cross_takes_one_freedom_the_drive_the_other():
    assembly = gd.assemble(hooke())
    assert (assembly.degrees_of_freedom, assembly.redundant_rows) == (0, 3)
    assert gd.assemble(hooke().replace(drives={})).degrees_of_freedom == 1


def test_driven_shaft(run):
    turn, speed, acceleration = closed_form(SPEED * TIMES)
    q = run["orientation"].sel(body="out").values  # β about z, then the turn about the body's x axis
    c, s = np.cos(BETA / 2), np.sin(BETA / 2)
    found = 2 * np.arctan2(q[:, 1] * c + q[:, 2] * s, q[:, 0] * c + q[:, 3] * s)
    assert np.unwrap(found) == pytest.approx(turn, abs=1e-8)
    assert run["angular_velocity"].sel(body="out").values == pytest.approx(np.outer(speed, OUT), abs=1e-8)
    found = run["angular_acceleration"].sel(body="out").values
    assert found == pytest.approx(np.outer(acceleration, OUT), abs=1e-7)


def test_energy_is_that_of_two_shafts(run):
    _, speed, _ = closed_form(SPEED * TIMES)
    expected = (SPIN[0] * SPEED**2 + SPIN[1] * speed**2) / 2
    assert run["kinetic_energy"].values == pytest.approx(expected, abs=1e-9)
