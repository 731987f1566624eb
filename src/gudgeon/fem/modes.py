"""Natural modes K φ = ω² M φ by shift-invert Lanczos (ARPACK), dense for small bodies.

The shift lies below zero, so that K − σ M is positive definite even for a free body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from gudgeon.fem.model import PlaneModel

LARGEST_DENSE = 200  # unknowns


class Modes(NamedTuple):
    """Natural modes in ascending order.

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, Rayleigh
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
    >>> mesh = Mesh.rectangle(0.6, 0.5, 5, 5)
    >>> model = PlaneModel(mesh=mesh, material=material, damping=Rayleigh(stiffness=1e-4))
    >>> model.modes(1).damping_ratio.round(4).tolist()
    [0.0106]
    """

    angular_frequency: np.ndarray  # ω (count,) [rad/s]
    damping_ratio: np.ndarray  # ζ (count,) [-], of Rayleigh damping; nan for rigid motions
    shape: np.ndarray  # (count, node_count, 2), φᵀ M φ = 1 kg·m², the largest component positive


def modes(model: PlaneModel, count: int, rigid: bool) -> Modes:
    """The lowest `count` modes."""
    free, skip = model.free, model.rigid_freedom
    available = len(free) - (0 if rigid else skip)
    if not isinstance(count, int | np.integer) or isinstance(count, bool) or not 1 <= count <= available:
        raise ModelError(f"PlaneModel.modes: count is {count!r}; this body has 1 to {available} modes")
    wanted = int(count) if rigid else int(count) + skip
    stiffness, mass = (matrix[free][:, free].tocsc() for matrix in (model.K, model.M))
    if len(free) <= LARGEST_DENSE or wanted >= len(free) // 2:
        from scipy.linalg import eigh

        squares, vectors = eigh(stiffness.toarray(), mass.toarray(), subset_by_index=(0, wanted - 1))
    else:
        from scipy.sparse.linalg import eigsh

        material, length = model.material, float(np.ptp(model.mesh.nodes, axis=0).max())
        shift = -1e-2 * material.youngs_modulus / (material.density * length**2)
        start = np.random.default_rng(0).normal(size=len(free))
        squares, vectors = eigsh(stiffness, k=wanted, M=mass, sigma=shift, which="LM", v0=start)
        order = np.argsort(squares)
        squares, vectors = squares[order], vectors[:, order]
    squares = np.where(np.arange(wanted) < skip, 0.0, np.maximum(squares, 0.0))
    first = wanted - int(count)
    omega = np.sqrt(squares[first:])
    return Modes(omega, _ratios(model, omega), _shapes(model, vectors[:, first:]))


def _ratios(model: PlaneModel, omega: np.ndarray) -> np.ndarray:
    damping = model.damping
    finite = np.where(omega > 0.0, omega, np.nan)
    return 0.5 * (damping.mass / finite + damping.stiffness * finite)


def _shapes(model: PlaneModel, vectors: np.ndarray) -> np.ndarray:
    shapes = np.zeros((vectors.shape[1], model.unknown_count))
    shapes[:, model.free] = vectors.T
    largest = np.take_along_axis(shapes, np.abs(shapes).argmax(axis=1)[:, None], axis=1)
    shapes *= np.sign(largest) / np.sqrt(np.einsum("ij,ij->i", shapes, (model.M @ shapes.T).T))[:, None]
    return shapes.reshape(len(shapes), -1, 2)
