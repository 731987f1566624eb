"""Strain and stress from displacements: ε = B u at the Gauss points, σ = D ε, von Mises, energy.

Components are (xx, yy, xy), the strain's third being γ_xy = 2 ε_xy. The 2×2 Gauss points of a Q4 element are where its
stress is most accurate (Barlow, Int. J. Num. Meth. Eng. 10, 1976); nodal values extrapolate them bilinearly to
the corners and average over the elements that meet in a node, weighted by their area.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.fem.element import CORNERS, gradients, shape_functions
from gudgeon.fem.model import PlaneModel

_TO_CORNERS = shape_functions(np.sqrt(3.0) * CORNERS)[0]  # Gauss points are corners of a square √3 times smaller


def strain(model: PlaneModel, displacement: Any) -> np.ndarray:
    """(ε_xx, ε_yy, γ_xy) at the Gauss points (element_count, 4, 3) [-], in the order of the element's nodes.

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, strain
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
    >>> model = PlaneModel(mesh=Mesh.rectangle(2.0, 1.0, 1, 1), material=material)
    >>> stretched = model.mesh.nodes * (0.01, 0.0)
    >>> strain(model, stretched)[0, 0].round(9).tolist()
    [0.01, 0.0, 0.0]
    """
    u = model.flat("strain", "displacement", displacement).reshape(-1, 2)[model.mesh.quads]
    slope = np.einsum("egaj,eai->egij", gradients(model.mesh).slope, u)  # ∂u_i/∂x_j
    return np.stack((slope[..., 0, 0], slope[..., 1, 1], slope[..., 0, 1] + slope[..., 1, 0]), axis=-1)


def stress(model: PlaneModel, displacement: Any) -> np.ndarray:
    """(σ_xx, σ_yy, σ_xy) at the Gauss points (element_count, 4, 3) [Pa].

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, stress
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.0, density=1 / 3)
    >>> model = PlaneModel(mesh=Mesh.rectangle(2.0, 1.0, 1, 1), material=material)
    >>> stress(model, model.mesh.nodes * (0.01, 0.0))[0, 0].round(9).tolist()
    [10.0, 0.0, 0.0]
    """
    return strain(model, displacement) @ model.material.elasticity


def nodal(model: PlaneModel, values: np.ndarray) -> np.ndarray:
    """Values at Gauss points (element_count, 4, …) brought to the nodes (node_count, …).

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, nodal, stress
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.0, density=1 / 3)
    >>> model = PlaneModel(mesh=Mesh.rectangle(2.0, 1.0, 2, 2), material=material)
    >>> nodal(model, stress(model, model.mesh.nodes * (0.01, 0.0)))[:, 0].round(9).tolist()[:3]
    [10.0, 10.0, 10.0]
    """
    mesh = model.mesh
    given = np.asarray(values, dtype=float)
    if given.shape[:2] != (mesh.element_count, 4):
        raise ModelError(
            f"nodal: values have shape {given.shape}; give values at Gauss points, ({mesh.element_count}, 4, …)"
        )
    flat = given.reshape(mesh.element_count, 4, -1)
    corners = np.einsum("ag,egk->eak", _TO_CORNERS, flat) * mesh.areas[:, None, None]
    at = mesh.quads.ravel()
    weight = np.bincount(at, np.repeat(mesh.areas, 4), mesh.node_count)
    sums = [np.bincount(at, corners[..., k].ravel(), mesh.node_count) / weight for k in range(flat.shape[2])]
    return np.stack(sums, axis=-1).reshape(mesh.node_count, *given.shape[2:])


def von_mises(model: PlaneModel, stress: Any) -> np.ndarray:
    """The equivalent stress √(3/2 s:s) [Pa] of stresses (…, 3), with σ_zz = ν (σ_xx + σ_yy) in plane strain.

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, von_mises
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
    >>> model = PlaneModel(mesh=Mesh.rectangle(1.0, 1.0, 1, 1), material=material)
    >>> von_mises(model, [(100.0, 0.0, 0.0), (0.0, 0.0, 100.0)]).round(3).tolist()
    [100.0, 173.205]
    """
    values = np.asarray(stress, dtype=float)
    if values.shape[-1:] != (3,):
        raise ModelError(f"von_mises: stress has shape {values.shape}; give (σ_xx, σ_yy, σ_xy) on the last axis")
    xx, yy, xy = np.moveaxis(values, -1, 0)
    zz = model.material.poissons_ratio * (xx + yy) if model.material.plane == "strain" else 0.0 * xx
    return np.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3.0 * xy**2)


def strain_energy(model: PlaneModel, displacement: Any) -> np.ndarray:
    """½ ∫ σ:ε t dA of each element (element_count,) [J]; their sum is ½ uᵀ K u.

    >>> from gudgeon.fem import Material, Mesh, PlaneModel, strain_energy
    >>> material = Material(youngs_modulus=1000.0, poissons_ratio=0.0, density=1 / 3)
    >>> model = PlaneModel(mesh=Mesh.rectangle(2.0, 1.0, 2, 1), material=material)
    >>> strain_energy(model, model.mesh.nodes * (0.01, 0.0)).round(9).tolist()
    [0.05, 0.05]
    """
    strains = strain(model, displacement)
    density = np.einsum("egi,ij,egj->eg", strains, model.material.elasticity, strains)
    return 0.5 * model.material.thickness * np.einsum("eg,eg->e", density, gradients(model.mesh).area)
