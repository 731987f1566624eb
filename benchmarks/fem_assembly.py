"""Finite elements: assembly of K and M against scikit-fem, and the solve of one implicit step against the mesh.

Assembly includes the sparsity. scikit-fem (dependency group bench) is given two Gauss points each way, as here, and its
model of linear elasticity; what it sets up before assembling (mesh topology, basis) is timed apart. A solve is one with
M + h C + h² K in a compiled loop, with the product K u of the same step beside it; SuperLU and LAPACK's banded
Cholesky get the same matrix. Minimum over interleaved repeats, one core, all in this process.
"""

import sys
import time

import numba
import numpy as np
from scipy.linalg import cho_solve_banded, cholesky_banded
from scipy.sparse.linalg import splu

from gudgeon.fem import Material, Mesh, PlaneModel, Rayleigh, assembly, kernels

SLIDER = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
DAMPING = Rayleigh(mass=0.010, stiffness=0.544)
ASSEMBLIES = (10, 40, 100, 200)  # elements along each side
SOLVES = (2, 5, 10, 20, 40, 56)
STEP = 1e-3


def best(call, repeats: int) -> float:
    least = np.inf
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - began)
    return least


def gudgeon_assembly(n: int) -> dict[str, float]:
    mesh = Mesh.rectangle(0.6, 0.5, n, n)

    def assemble():
        where = assembly.pattern(mesh)
        return assembly.stiffness(mesh, SLIDER, where), assembly.mass(mesh, SLIDER, where)

    assemble()
    setup = best(lambda: Mesh.rectangle(0.6, 0.5, n, n), 5)
    return {"gudgeon, mesh with all checks": setup, "gudgeon, K and M": best(assemble, 25)}


def skfem_assembly(n: int) -> dict[str, float]:
    import skfem
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    ratio = SLIDER.poissons_ratio / (1.0 + SLIDER.poissons_ratio)  # plane stress as plane strain of another material
    modulus = SLIDER.youngs_modulus * (1.0 - ratio**2)
    weak_form = linear_elasticity(*lame_parameters(modulus, ratio))

    @skfem.BilinearForm
    def inertia(u, v, w):
        return SLIDER.density * skfem.helpers.dot(u, v)

    def setup():
        mesh = skfem.MeshQuad.init_tensor(np.linspace(0, 0.6, n + 1), np.linspace(0, 0.5, n + 1))
        return skfem.Basis(mesh, skfem.ElementVector(skfem.ElementQuad1()), intorder=3)

    basis = setup()
    stiffness, mass = weak_form.assemble(basis), inertia.assemble(basis)
    model = PlaneModel(mesh=Mesh.rectangle(0.6, 0.5, n, n), material=SLIDER, mass="consistent")
    for ours, theirs in ((model.K, stiffness), (model.M, mass)):  # the same matrices, up to the order of nodes
        assert np.isclose(abs(ours).sum(), abs(theirs).sum(), rtol=1e-9)
        assert np.isclose(ours.diagonal().sum(), theirs.diagonal().sum(), rtol=1e-12)
    repeats = 5
    return {
        "scikit-fem, mesh and basis": best(setup, repeats),
        "scikit-fem, K and M": best(lambda: (weak_form.assemble(basis), inertia.assemble(basis)), repeats),
    }


@numba.njit
def repeat_solve(arrays, b, x, work, count):
    for _ in range(count):
        kernels.solve(arrays, b, x, work)


@numba.njit
def repeat_product(indptr, indices, data, b, x, count):
    for _ in range(count):
        kernels.multiply(indptr, indices, data, b, x)


class Step:
    """One mesh and the best times of its solves so far."""

    def __init__(self, n: int):
        self.model = PlaneModel(mesh=Mesh.rectangle(0.6, 0.5, n, n), material=SLIDER, damping=DAMPING)
        operator = self.model.step_operator(STEP)
        self.form, self.unknowns = operator.form, self.model.unknown_count
        b = np.random.default_rng(0).normal(size=self.unknowns)
        x, work = np.empty_like(b), np.empty(operator.arrays.work_size)
        stiffness = (self.model.K.indptr, self.model.K.indices, self.model.K.data)
        superlu = splu(operator.matrix, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
        band = self._band(operator)
        self.count = max(50, 20_000 // self.unknowns)  # as in a run: the factor stays in the cache if it fits
        few = self.count // 10
        self.calls = {
            "solve": (self.count, lambda: repeat_solve(operator.arrays, b, x, work, self.count)),
            "product K u": (self.count, lambda: repeat_product(*stiffness, b, x, self.count)),
            "SuperLU": (few, lambda: [superlu.solve(b) for _ in range(few)]),
            "LAPACK banded": (few, lambda: [cho_solve_banded((band, True), b) for _ in range(few)]),
        }
        self.best = dict.fromkeys(self.calls, np.inf)
        assert np.allclose(operator.solve(b), superlu.solve(b), atol=1e-9 * np.abs(superlu.solve(b)).max())

    @staticmethod
    def _band(operator) -> np.ndarray:
        order = operator.unknowns
        entries = operator.matrix[order][:, order].tocoo()
        below = entries.row >= entries.col
        band = np.zeros((operator.bandwidth + 1, len(order)))
        band[(entries.row - entries.col)[below], entries.col[below]] = entries.data[below]
        return cholesky_banded(band, lower=True)

    def measure(self) -> None:
        for name, (count, call) in self.calls.items():
            began = time.perf_counter()
            call()
            self.best[name] = min(self.best[name], (time.perf_counter() - began) / count)


def assembly_table() -> None:
    rows: dict[str, list[float]] = {}
    for n in ASSEMBLIES:
        found = gudgeon_assembly(n)
        try:
            found |= skfem_assembly(n)
        except ImportError:
            print("scikit-fem is not installed (dependency group bench): left out", file=sys.stderr)
        for name, seconds in found.items():
            rows.setdefault(name, []).append(seconds)
    print("| assembly [ms] | " + " | ".join(f"{n * n} elements" for n in ASSEMBLIES) + " |")
    print("|---|" + "---|" * len(ASSEMBLIES))
    for name, seconds in rows.items():
        print(f"| {name} | " + " | ".join(f"{1e3 * s:.3g}" for s in seconds) + " |")
    if "scikit-fem, K and M" in rows:
        ratios = np.divide(rows["scikit-fem, K and M"], rows["gudgeon, K and M"])
        print("| ratio, K and M | " + " | ".join(f"{r:.1f}" for r in ratios) + " |")


def solve_table() -> None:
    steps = [Step(n) for n in SOLVES]
    for _ in range(100):  # interleaved, so that a busy neighbour hits all sizes alike
        for step in steps:
            step.measure()
    print("\n| per step [µs] | " + " | ".join(f"{n * n} elements" for n in SOLVES) + " | exponent 100 to 1600 |")
    print("|---|" + "---|" * (len(SOLVES) + 1))
    print("| unknowns | " + " | ".join(str(step.unknowns) for step in steps) + " | |")
    print("| form | " + " | ".join(step.form for step in steps) + " | |")
    few, many = SOLVES.index(10), SOLVES.index(40)
    growth = np.log(steps[many].unknowns / steps[few].unknowns)

    def row(name: str, seconds: list[float]) -> None:
        exponent = np.log(seconds[many] / seconds[few]) / growth
        print(f"| {name} | " + " | ".join(f"{1e6 * s:.3g}" for s in seconds) + f" | {exponent:.2f} |")

    for name in steps[0].best:
        row(name, [step.best[name] for step in steps])
    row("solve and product", [step.best["solve"] + step.best["product K u"] for step in steps])


if __name__ == "__main__":
    assembly_table()
    solve_table()
