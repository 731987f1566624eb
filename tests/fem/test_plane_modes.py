"""Natural modes: the reference slider, closed forms of the discrete and the continuous rod, beams, damping ratios."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plane_bodies import distorted, order, slider, turned

import references
from gudgeon.fem import Material, Mesh, PlaneModel, Rayleigh, modes

REFERENCE = references.load("q4_elements")["reference"]["slider_free_omega"]
ROD = Material(youngs_modulus=4.0, poissons_ratio=0.0, density=1.0)  # waves of 2 m/s


@pytest.mark.parametrize("plane", ["stress", "strain"])
@pytest.mark.parametrize("mass", ["consistent", "lumped"])
def test_reference_slider(plane, mass):
    material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3, plane=plane)
    model = slider(material=material, mass=mass)
    assert model.modes(6).angular_frequency == pytest.approx(REFERENCE[f"slider_free_modes_{plane}"][mass], rel=1e-10)


@pytest.mark.parametrize("mass", ["consistent", "lumped"])
def test_lanczos_equals_dense(mass, monkeypatch):
    model = PlaneModel(mesh=distorted(0.6, 0.5, 12, 11), material=slider().material, mass=mass)
    sparse = model.modes(8)
    monkeypatch.setattr(modes, "LARGEST_DENSE", 10_000)
    dense = model.modes(8)
    assert sparse.angular_frequency == pytest.approx(dense.angular_frequency, rel=1e-9)
    overlap = sparse.shape.reshape(8, -1) @ (model.M @ dense.shape.reshape(8, -1).T)
    assert np.abs(overlap) == pytest.approx(np.eye(8), abs=1e-6)
    assert np.array_equal(model.modes(3).shape, model.modes(3).shape)


@pytest.mark.parametrize("nx", [5, 60])  # dense and Lanczos
@pytest.mark.parametrize("mass", ["consistent", "lumped"])
def test_shapes_are_orthonormal_and_satisfy_the_equation(nx, mass):
    model = slider(nx, 5, mass=mass, fixed={0: "x"})
    omega, _, shape = model.modes(5, rigid=True)
    assert (omega[:2] == 0.0).all() and (omega[2:] > 0.0).all()  # one support leaves two rigid motions
    flat = shape.reshape(5, -1)
    assert (flat[:, 0] == 0.0).all()
    assert flat @ (model.M @ flat.T) == pytest.approx(np.eye(5), abs=1e-8)
    rest = (model.K @ flat.T - (model.M @ flat.T) * omega**2)[model.free]
    assert np.abs(rest).max() < 1e-7 * np.abs(model.K @ flat.T).max()


def rod(count, mass, ends="xy"):
    """A bar of 3 m that moves lengthwise only: its elements are linear rod elements."""
    mesh = Mesh.rectangle(3.0, 0.1, count, 1)
    fixed = dict.fromkeys(range(mesh.node_count), "y") | {int(k): ends for k in mesh.surface("left")}
    return PlaneModel(mesh=mesh, material=ROD, mass=mass, fixed=fixed)


@pytest.mark.parametrize("mass", ["consistent", "lumped"])
def test_discrete_rod(mass):
    """Clamped–free rod elements: ω² = 6 c²/h² (1 − cos κ)/(2 + cos κ), lumped ω = 2 c/h sin(κ/2), κ = (n − ½) π h/L.

    Hughes (1987), section 7.3.2.
    """
    kappa = (np.arange(1, 6) - 0.5) * np.pi / 12
    c_over_h = 2.0 / (3.0 / 12)
    exact = {
        "consistent": c_over_h * np.sqrt(6 * (1 - np.cos(kappa)) / (2 + np.cos(kappa))),
        "lumped": 2 * c_over_h * np.sin(kappa / 2),
    }[mass]
    found = rod(12, mass).modes(24 // 2).angular_frequency
    for omega in exact:  # modes that vary over the height lie among them
        assert np.abs(found / omega - 1).min() < 1e-10


@pytest.mark.parametrize(("mass", "side"), [("consistent", 1.0), ("lumped", -1.0)])
def test_rod_converges_with_order_two_from_its_side(mass, side):
    """ω = π c/2L: consistent mass from above, lumped from below."""
    exact, sizes = np.pi * 2.0 / 6.0, (8, 16, 32)
    errors = [side * (rod(n, mass).modes(1).angular_frequency[0] / exact - 1) for n in sizes]
    assert min(errors) > 0.0
    assert order([1 / n for n in sizes], errors) == pytest.approx(2.0, abs=0.02)


def test_free_beam():
    """Euler–Bernoulli, β L = 4.7300 and 7.8532 (Blevins 1979, table 8-1), L/h = 50: to 1 %."""
    mesh = Mesh.rectangle(50.0, 1.0, 400, 8)
    omega = PlaneModel(mesh=mesh, material=ROD).modes(2).angular_frequency
    exact = np.array([4.7300, 7.8532]) ** 2 / 50.0**2 * np.sqrt(4.0 / 12)
    assert omega == pytest.approx(exact, rel=0.01)


def test_lumped_and_consistent_frequencies_meet():
    gaps, sizes = [], (5, 10, 20)
    for n in sizes:
        first = [slider(n, n, mass=mass).modes(1).angular_frequency[0] for mass in ("lumped", "consistent")]
        gaps.append(first[1] - first[0])
    assert order([1 / n for n in sizes], gaps) == pytest.approx(2.0, abs=0.1)


def test_frequencies_do_not_depend_on_place_attitude_and_numbers():
    mesh = distorted(0.6, 0.5, 6, 5)
    new = np.random.default_rng(2).permutation(mesh.node_count)
    nodes = np.empty_like(mesh.nodes)
    nodes[new] = turned(mesh.nodes, 1.1, (100.0, 50.0))
    other = Mesh(nodes=nodes, quads=new[mesh.quads])
    one, two = (PlaneModel(mesh=m, material=ROD).modes(4).angular_frequency for m in (mesh, other))
    assert two == pytest.approx(one, rel=1e-9)


@given(st.floats(0.0, 10.0), st.floats(0.0, 0.01))
def test_damping_ratios(a, b):
    """ζ = (a/ω + b ω)/2 against the eigenvalues −ζω ± iω√(1 − ζ²) of the damped body."""
    model = slider(1, 1, damping=Rayleigh(mass=a, stiffness=b))
    omega, ratio, shape = model.modes(5)
    flat = shape.reshape(5, -1)
    damping = flat @ (model.C @ flat.T)
    assert damping == pytest.approx(np.diag(2 * ratio * omega), abs=1e-9 * (1 + np.abs(damping).max()))
    for k in range(5):
        assert ratio[k] == pytest.approx(model.damping.ratio(omega[k]), rel=1e-12, abs=1e-15)
        roots = np.roots([1.0, damping[k, k], omega[k] ** 2])
        assert np.prod(roots).real == pytest.approx(omega[k] ** 2, rel=1e-9)
        if ratio[k] < 0.99:
            assert -roots.real / np.abs(roots) == pytest.approx([ratio[k]] * 2, abs=1e-6)


@given(st.floats(1.0, 100.0), st.floats(1.05, 10.0), st.floats(0.001, 0.5), st.floats(-0.9, 0.9))
def test_damping_through_two_points(omega, factor, ratio, bend):
    """Any second ratio within the factor of the frequencies can be met, and both are."""
    other = ratio * factor**bend
    damping = Rayleigh.through((omega, ratio), (factor * omega, other))
    assert damping.ratio(omega) == pytest.approx(ratio, rel=1e-9)
    assert damping.ratio(factor * omega) == pytest.approx(other, rel=1e-9)


def test_published_damping():
    """docs/sliders.md, tables 1 and 2: α = 0.010 1/s with mass, β = 0.544 s with stiffness; C/M makes it stiff."""
    model = slider(damping=Rayleigh(mass=0.010, stiffness=0.544))
    assert (model.C - 0.010 * model.M - 0.544 * model.K).count_nonzero() == 0
    assert fastest_decay(model) == pytest.approx(7.2e5, rel=0.01)
    material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=20 / 3)
    four = PlaneModel(mesh=Mesh.rectangle(0.5, 0.3, 2, 2), material=material, damping=model.damping)
    assert fastest_decay(four) == pytest.approx(1.6e4, rel=0.01)


def fastest_decay(model):
    """The largest eigenvalue of M⁻¹ C [1/s]: theory, section 3, states ~1e6 in example 1 and 1.6e4 in example 2."""
    omega = model.modes(model.unknown_count - 3).angular_frequency
    return model.damping.mass + model.damping.stiffness * omega[-1] ** 2
