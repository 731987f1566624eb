"""Reynolds' equation with p ≥ 0 against closed forms, published tables and another grid solver."""

import numpy as np
import pytest

import references
from gudgeon.films.make_table import NODES, ratios
from gudgeon.films.reynolds import film_force
from gudgeon.films.short_film import short_film

CASES = {case["name"]: case for case in references.load("journal_films")["cases"]}


def turned(eps: float, degrees: float) -> tuple[float, float]:
    """ε at an angle from V = (1, 0)."""
    return eps * np.cos(np.radians(degrees)), eps * np.sin(np.radians(degrees))


@pytest.mark.parametrize(
    "case", CASES["finite_film_reynolds"]["reference"], ids=lambda c: f"{c['L_over_D']}-{c['eps']}"
)
def test_films_of_finite_length(case):
    """A grid solver of other make (uniform grid, overrelaxation), extrapolated: 0.3 %; met to 2e-4."""
    force = film_force(turned(case["eps"], case["angle_from_V_to_e_deg"]), (1.0, 0.0), case["L_over_D"])
    expected = np.array(case["force_on_journal_over_muRL3V_over_c3"])
    assert np.linalg.norm(force - expected) < 3e-4 * np.linalg.norm(expected)


def test_short_films_are_the_limit():
    """L/D → 0: Ocvirk's closed form, to (L/D)²."""
    differences = []
    for slenderness in (0.04, 0.02):
        force = film_force((0.3, 0.4), (1.0, 0.0), slenderness)
        differences.append(np.linalg.norm(force + short_film(0.3, 0.4)) / np.linalg.norm(force))
    assert differences[1] < 2e-3
    assert differences[0] / differences[1] == pytest.approx(4.0, rel=0.1)


def test_order_of_convergence():
    """Second order before extrapolation: a film without extrapolated grids would be 4 times nearer each time."""
    exact = film_force((0.5, 0.2), (1.0, 0.0), 0.5, nodes=(192, 24))
    errors = [np.linalg.norm(film_force((0.5, 0.2), (1.0, 0.0), 0.5, nodes=n) - exact) for n in ((24, 3), (48, 6))]
    assert errors[1] < errors[0] / 4.0
    assert errors[1] < 2e-4 * np.linalg.norm(exact)


@pytest.mark.parametrize("name", CASES["raimondi_boyd_full_bearing"]["reference"])
def test_raimondi_and_boyd(name):
    """Raimondi & Boyd (1958): load to 1.5 % (4 % at ε 0.97), attitude 1°, friction 2 %.

    Their film begins at the widest gap.
    """
    slenderness = float(name.split("=")[1])
    for eps, S, attitude, friction in CASES["raimondi_boyd_full_bearing"]["reference"][name]:
        force = 0.5 * eps * film_force((eps, 0.0), (0.0, -1.0), slenderness, groove=True)  # ω = 1: V = −½ ω ẑ × e
        So, beta = 2.0 * slenderness**2 * np.hypot(*force), np.arctan2(abs(force[1]), abs(force[0]))
        drag = np.pi / (So * np.sqrt(1.0 - eps**2)) + 0.5 * eps * np.sin(beta)
        assert So == pytest.approx(1.0 / (2.0 * np.pi * S), rel=0.04 if eps > 0.96 else 0.015)
        assert np.degrees(beta) == pytest.approx(attitude, abs=1.0)
        assert drag == pytest.approx(friction, rel=0.02)


def test_the_table_is_made_so():
    """A few nodes of finite_film.npz are what make_table.py computes."""
    from gudgeon.films.finite_table import stored

    data = stored()
    for length, i, cosine in ((4, 5, 1.0), (8, 3, -1.0)):
        eps = 1.0 - float(np.exp(-data["thick"][i]))
        q, rho = ratios(eps, cosine, float(np.exp(data["log_slenderness"][length])), NODES)
        j = 20 if cosine > 0.0 else 0
        assert data["y"][length, i, j] == pytest.approx(np.log(1.0 / q - 1.0), abs=1e-9)
        assert data["rho"][length, i, j] == pytest.approx(rho, abs=1e-9)
