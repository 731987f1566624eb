"""The factorised operator of implicit steps: against SciPy, in compiled loops, growth with the mesh, motion in time."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plane_bodies import SLIDER, annulus, distorted, order, refuses, slider
from scipy.sparse.linalg import spsolve

from gudgeon import fem
from gudgeon.fem import Mesh, PlaneModel, Rayleigh, factor, kernels

PUBLISHED_DAMPING = Rayleigh(mass=0.010, stiffness=0.544)  # of the paper of docs/sliders.md
SIZES = [(1, 1), (2, 2), (4, 2), (5, 5), (6, 6), (7, 8), (30, 3), (3, 30), (20, 20)]


@pytest.mark.parametrize("form", ["inverse", "banded", "sparse"])
@pytest.mark.parametrize(("nx", "ny"), SIZES)
@pytest.mark.parametrize("mass", ["lumped", "consistent"])
def test_solves_like_scipy(form, nx, ny, mass):
    model = slider(nx, ny, mass=mass, damping=PUBLISHED_DAMPING)
    operator = model.step_operator(1e-3, gamma=0.5, beta=0.25)
    expected = model.M + 0.5e-3 * model.C + 0.25e-6 * model.K
    assert abs(operator.matrix - expected).max() < 1e-15
    operator = factor.factorize(operator.matrix, model.free, model.mesh.nodes, form)
    b = np.random.default_rng(0).normal(size=model.unknown_count)
    x = spsolve(expected.tocsc(), b)
    assert operator.form == form
    assert operator.solve(b) == pytest.approx(x, abs=1e-10 * np.abs(x).max())
    assert operator.solve(b.reshape(-1, 2)).shape == (model.mesh.node_count, 2)


@settings(max_examples=25)
@given(
    st.integers(1, 9),
    st.integers(1, 9),
    st.floats(1e-5, 1e-1),
    st.sets(st.tuples(st.integers(0, 3), st.sampled_from(["x", "y", "xy"])), max_size=3),
    st.sampled_from(["inverse", "banded"]),
)
def test_random_operators(nx, ny, step, held, form):
    """Any mesh, step and supports: A x = b on the free unknowns, x = 0 on the held ones."""
    model = slider(nx, ny, damping=PUBLISHED_DAMPING, fixed=held)
    plain = model.step_operator(step)
    operator = factor.factorize(plain.matrix, model.free, model.mesh.nodes, form)
    b = np.random.default_rng(nx).normal(size=model.unknown_count)
    x = operator.solve(b)
    assert (x[model.held] == 0.0).all()
    scale = abs(operator.matrix).max() * np.abs(x).max()
    assert np.abs((operator.matrix @ x - b)[model.free]).max() < 1e-11 * max(scale, 1.0)


@pytest.mark.parametrize("mesh", [distorted(0.6, 0.5, 9, 8), annulus(40)], ids=["distorted", "ring"])
def test_any_mesh_in_any_numbering(mesh):
    """The bandwidth does not depend on how the nodes are numbered."""
    new = np.random.default_rng(1).permutation(mesh.node_count)
    nodes = np.empty_like(mesh.nodes)
    nodes[new] = mesh.nodes
    shuffled = Mesh(nodes=nodes, quads=new[mesh.quads])
    model = PlaneModel(mesh=shuffled, material=SLIDER, damping=PUBLISHED_DAMPING)
    operator = model.step_operator(1e-3)
    assert operator.form == "banded"
    assert operator.bandwidth < 2 * len(model.free) // 3
    b = np.random.default_rng(0).normal(size=model.unknown_count)
    x = operator.solve(b)
    assert operator.matrix @ x == pytest.approx(b, abs=1e-10)


@pytest.mark.parametrize(("nx", "ny"), [(40, 3), (3, 40), (20, 20), (40, 40)])
def test_bandwidth_across_the_short_side(nx, ny):
    assert slider(nx, ny).step_operator(1e-3).bandwidth == 2 * min(nx, ny) + 5


@numba.njit
def fall(arrays, indptr, indices, data, mass, u, v, pull, step, count, rhs, work):
    """Implicit Euler in a compiled loop, as a solver would write it."""
    for _ in range(count):
        kernels.multiply(indptr, indices, data, u, rhs)
        for i in range(rhs.shape[0]):
            rhs[i] = mass[i] * v[i] + step * (pull[i] - rhs[i])
        kernels.solve(arrays, rhs, v, work)
        for i in range(u.shape[0]):
            u[i] += step * v[i]


@pytest.mark.parametrize(("nx", "ny"), [(2, 2), (12, 4)])
def test_free_fall_in_a_compiled_loop(nx, ny):
    """M v' + h C v' + h K u' = M v + h f: without strain v = g t and u = g t (t + h)/2, exactly."""
    model = slider(nx, ny, damping=Rayleigh(stiffness=0.544))
    step, count = 1e-3, 200
    arrays = model.step_operator(step).arrays
    u, v, rhs = np.zeros((3, model.unknown_count))
    mass = np.repeat(model.node_masses, 2)
    pull = fem.gravity(model, (1.0, -9.81)).ravel()
    stiffness = (model.K.indptr, model.K.indices, model.K.data)
    fall(arrays, *stiffness, mass, u, v, pull, step, count, rhs, np.empty(arrays.work_size))
    time = step * count
    assert v.reshape(-1, 2) == pytest.approx(np.tile((time, -9.81 * time), (model.mesh.node_count, 1)), rel=1e-10)
    way = time * (time + step) / 2
    assert u.reshape(-1, 2) == pytest.approx(np.tile((way, -9.81 * way), (model.mesh.node_count, 1)), rel=1e-10)


def test_damped_mode_in_time():
    """The trapezoidal rule follows q = exp(−ζωt)(cos ω_d t + ζω/ω_d sin ω_d t) of one mode with order 2."""
    model = slider(4, 4, damping=Rayleigh(mass=5.0, stiffness=1e-3))
    (omega,), (ratio,), (shape,) = model.modes(1)
    end, errors, counts = 0.05, [], (50, 100, 200)
    decay, swing = ratio * omega, omega * np.sqrt(1 - ratio**2)
    exact = np.exp(-decay * end) * (np.cos(swing * end) + decay / swing * np.sin(swing * end))
    for count in counts:
        h = end / count
        operator = model.step_operator(h, gamma=0.5, beta=0.25)
        u, v = shape.ravel().copy(), np.zeros(model.unknown_count)
        for _ in range(count):  # velocities v' = v + h (a + a')/2, ways u' = u + h (v + v')/2
            force = model.M @ v - 0.5 * h * (model.C @ v) - h * (model.K @ (u + 0.25 * h * v))
            faster = operator.solve(force)
            u += 0.5 * h * (v + faster)
            v = faster
        errors.append(abs(shape.ravel() @ (model.M @ u) - exact))
    assert order([1 / n for n in counts], errors) == pytest.approx(2.0, abs=0.05)
    assert errors[-1] < 1e-3


def test_energy_never_grows():
    """Implicit Euler: ½ v M v + ½ u K u falls at every step, the faster the more damping."""
    rng = np.random.default_rng(4)
    for damping in (Rayleigh(), PUBLISHED_DAMPING):
        model = slider(6, 4, damping=damping)
        operator = model.step_operator(1e-3)
        u, v = rng.normal(size=(2, model.unknown_count))
        energies = []
        for _ in range(50):
            v = operator.solve(model.M @ v - 1e-3 * (model.K @ u))
            u = u + 1e-3 * v
            energies.append(0.5 * v @ (model.M @ v) + 0.5 * u @ (model.K @ u))
        assert (np.diff(energies) <= 1e-12 * energies[0]).all()


def test_cost_of_a_solve():
    """Multiplications per solve from 100 to 1600 elements; the benchmark measures seconds (issue 5).

    The band of an n × n mesh has unknowns^1.5 entries in the limit, fewer on the way there, and long rows run faster;
    a slender body refined along its length costs unknowns^1.
    """

    def entries(nx, ny):
        arrays = slider(nx, ny).step_operator(1e-3).arrays
        return arrays.panels.size + arrays.corners.size, len(arrays.order)

    (few, small), (many, large) = entries(10, 10), entries(40, 40)
    assert np.log(many / few) / np.log(large / small) < 1.48
    (few, small), (many, large) = entries(20, 5), entries(320, 5)
    assert np.log(many / few) / np.log(large / small) < 1.02


def test_forms():
    """Small: an explicit inverse. Larger: banded. Too wide for memory: sparse, and refused in compiled loops."""
    assert slider(5, 5).step_operator(1e-3).form == "inverse"
    assert slider(10, 10).step_operator(1e-3).form == "banded"


def test_too_large_for_compiled_steps(monkeypatch):
    monkeypatch.setattr(factor, "LARGEST_BAND", 1000)
    model = slider(10, 10)
    operator = model.step_operator(1e-3)
    assert operator.form == "sparse"
    b = np.ones(model.unknown_count)
    assert operator.matrix @ operator.solve(b) == pytest.approx(b, abs=1e-10)
    with refuses(
        "Factorized: 242 unknowns with bandwidth 25 make a band of 6292 entries; compiled time steps take at most "
        "1000, so use a coarser mesh"
    ):
        _ = operator.arrays


def test_solving_in_place():
    """x may be b."""
    for nx in (2, 12):
        model = slider(nx, nx, fixed={0: "xy"})
        arrays = model.step_operator(1e-3).arrays
        b = np.random.default_rng(0).normal(size=model.unknown_count)
        expected = model.step_operator(1e-3).solve(b)
        kernels.solve(arrays, b, b, np.empty(arrays.work_size))
        assert np.array_equal(b, expected)


def test_nothing_free():
    model = slider(1, 1, fixed=dict.fromkeys(range(4), "xy"))
    assert model.step_operator(1e-3).solve(np.ones(8)).tolist() == [0.0] * 8
    assert model.static(np.ones((4, 2))).tolist() == [[0.0, 0.0]] * 4


def test_multiply():
    model = slider(7, 3)
    x = np.random.default_rng(0).normal(size=model.unknown_count)
    out = np.empty_like(x)
    kernels.multiply(model.K.indptr, model.K.indices, model.K.data, x, out)
    assert out == pytest.approx(model.K @ x, abs=1e-11)
