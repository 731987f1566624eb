"""Reynolds' equation under a flat pad against closed forms and finite elements."""

import numpy as np
import pytest

from gudgeon.films.make_pad_table import PART_CELLS, WHOLE_CELLS, directions, fields, part, poses, tilts
from gudgeon.films.pad_reynolds import Pad, full_film, pad_film
from gudgeon.films.pad_table import stored
from reference_pad import pad_wrench


def squeezed(kappa: float) -> float:
    """∫∫ P of a flat pad squeezed by σ = 1: the series of Saint-Venant's torsion of a rectangle."""
    odd = np.arange(1, 400, 2)
    series = np.sum(np.tanh(0.5 * np.pi * odd * kappa) / odd**5)
    return 4.0 / (3.0 * kappa) * (1.0 - 192.0 / (np.pi**5 * kappa) * series)


@pytest.mark.parametrize("kappa", [1.0, 2.0, 5.0, 16.0])
def test_a_flat_pad_that_is_squeezed(kappa):
    """F = μ V L B³/h³ (1 − 192 B/(π⁵ L) Σ tanh(nπL/2B)/n⁵) over odd n, κ = L/B."""
    assert full_film(0.0, 0.0, kappa)[0, 0] == pytest.approx(squeezed(kappa), rel=2e-4)


def test_infinitely_long_plates():
    """F = μ V L B³/h³ for L ≫ B; what is missing at the two ends goes as 0.63 B/L."""
    long = full_film(0.0, 0.0, 40.0)[0, 0] * 3.0 * 40.0 / 4.0
    assert long == pytest.approx(1.0 - 0.6302 / 40.0, rel=1e-3)


@pytest.mark.parametrize("ratio", [1.5, 2.189, 4.0])
def test_an_infinitely_wide_wedge(ratio):
    """Reynolds (1886): W = 6 μ U L² B/(h₁²) (ln r − 2 (r − 1)/(r + 1))/(r − 1)², r = h₀/h₁; largest 0.1602 at 2.189."""
    wedge = (np.log(ratio) - 2.0 * (ratio - 1.0) / (ratio + 1.0)) / (ratio - 1.0) ** 2
    gamma = (ratio - 1.0) / (ratio + 1.0)
    thin = 2.0 / (ratio + 1.0)  # h₁ over the middle
    loads = []
    for kappa in (20.0, 40.0):  # ends cost a share that goes as 1/κ
        K = full_film(0.0, gamma, kappa, cells=48)
        # σ = ½ U |∇h| = ½ U γ h₀/Y; W = 12 μ (X Y)² σ K₀₀/h₀³, L = 2 Y, B = 2 X
        loads.append(12.0 * kappa**2 * 0.5 * gamma * K[0, 0] / (6.0 * 4.0 * 2.0 * kappa) * thin**2)
    wide = 2.0 * loads[1] - loads[0]
    assert wide == pytest.approx(wedge, rel=2e-3)
    if ratio == 2.189:
        assert 6.0 * wide == pytest.approx(0.1602, rel=2e-3)


def test_a_long_pad_that_tilts_and_breaks():
    """Endless and flat, tilting by σ = η: P = ½ + 3/2 η − 2 η³ from η = −½ on, over 12; ∫ η P = 0.3375 of it.

    P″ = −12 η with P = P′ = 0 where the film breaks.
    """
    kappa = 60.0
    Q = pad_film(0.0, 0.0, kappa, np.array([0.0, 0.0, 1.0]), cells=40) * kappa / 2.0 * 12.0
    assert Q[2] == pytest.approx(0.3375, rel=0.02)
    assert Q[0] == pytest.approx(0.84375, rel=0.02)


@pytest.mark.parametrize(
    ("kappa", "alpha", "gamma", "s"),
    [
        (1.0, 0.0, 0.0, (0.2, 1.0, -0.4)),
        (2.5, 0.5, -0.3, (1.0, 0.5, 0.2)),
        (2.5, 0.5, -0.3, (-0.3, -1.0, 0.6)),
        (4.0, -0.2, 0.75, (0.1, 0.3, -1.0)),
        (8.0, 0.95, 0.0, (0.0, -1.0, 0.3)),
    ],
)
def test_finite_elements(kappa, alpha, gamma, s):
    """Another discretisation, in metres and seconds, extrapolated too: 2e-3 of the film's size."""
    X, Y, h, mu, speed = 0.02 * kappa, 0.02, 1e-4, 0.1, 1e-3
    turn = (gamma * h / Y, 0.0, -alpha * h / X)
    w = speed * np.array([-s[2] / Y, 0.0, s[1] / X])
    grids = []
    for cells in (32, 64):
        force, torque = pad_wrench((X, Y), h, turn, np.array([0.0, speed * s[0], 0.0]), w, mu, cells=cells)
        grids.append(np.array([-force[1], -torque[2] / X, torque[0] / Y]) / (12.0 * mu * (X * Y) ** 2 * speed / h**3))
    found = grids[1] + (grids[1] - grids[0]) / 3.0
    Q, L = pad_film(alpha, gamma, kappa, np.array(s)), np.linalg.cholesky(full_film(alpha, gamma, kappa))
    assert np.linalg.norm(np.linalg.solve(L, found - Q)) < 2e-3 * np.linalg.norm(L.T @ s)


def test_order_of_convergence():
    """Second order: extrapolated grids are much nearer than single ones."""
    exact = full_film(0.6, 0.3, 3.0, cells=64)
    errors = [np.abs(Pad(0.6, 0.3, 3.0, cells=n).full - exact).max() for n in (16, 32)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.25)
    assert np.abs(full_film(0.6, 0.3, 3.0, cells=16) - exact).max() < 0.1 * errors[1]


def test_a_film_only_pushes_along_its_approach():
    """K is symmetric and positive; with p ≥ 0 a pad that leaves is not held, and one that approaches is as if whole."""
    pad = Pad(0.4, -0.5, 2.0, cells=24)
    assert pad.full == pytest.approx(pad.full.T, rel=1e-10)
    assert np.linalg.eigvalsh(pad.full).min() > 0.0
    assert not pad.cavitated(np.array([-1.0, 0.5, -0.5]))[0].any()
    s = np.array([1.0, -0.4, 0.5])
    assert pad.cavitated(s)[0] == pytest.approx(pad.full @ s, rel=1e-10)


def test_the_table_is_made_so():
    """A few of its nodes are what make_pad_table.py computes."""
    data = stored()
    A, B = poses(0.25)[30]
    for k in (0, 5):
        kappa = float(np.exp(data["whole_log_kappa"][k]))
        assert data["whole"][k, 30] == pytest.approx(
            fields(full_film(*tilts(A, B), kappa, cells=WHOLE_CELLS)), abs=1e-9
        )
    assert data["part"].shape[2:] == tuple(len(angles) for angles in directions())
    found = part((float(data["part_log_kappa"][1]), poses(1.0)[5]))
    assert data["part"][1, 5] == pytest.approx(found, abs=1e-9) and PART_CELLS == 20
