"""The four-node isoparametric quadrilateral (Q4), all elements of a mesh in one compiled loop.

N_a = (1 + ξ ξ_a)(1 + η η_a)/4 at the corners (−1, −1), (1, −1), (1, 1), (−1, 1); K = ∫ Bᵀ D B t dA and
m_ab = ∫ ρ t N_a N_b dA by 2×2 Gauss points, exact for m and, on parallelograms, for K. Element unknowns are ordered
(u_1, v_1, …, u_4, v_4). Hughes, The Finite Element Method (1987), sections 3.2 and 3.8–3.9.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.fem.material import Material
from gudgeon.fem.mesh import Mesh

CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])  # (ξ_a, η_a), the order of Gauss points too
GAUSS = CORNERS / np.sqrt(3.0)


def shape_functions(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """N (…, 4) and ∂N/∂(ξ, η) (…, 4, 2) at `points` (…, 2) of the reference square.

    >>> import numpy as np
    >>> shape_functions(np.zeros(2))[0].tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    xi, eta = (1.0 + points[..., None, :] * CORNERS).transpose(-1, *range(points.ndim))
    slopes = np.stack((CORNERS[:, 0] * eta, xi * CORNERS[:, 1]), axis=-1)
    return 0.25 * xi * eta, 0.25 * slopes


class Gradients(NamedTuple):
    """∂N/∂x, ∂N/∂y and area at the Gauss points of all elements."""

    slope: np.ndarray  # (element_count, 4 points, 4 nodes, 2) [1/m]
    area: np.ndarray  # (element_count, 4 points), weight times Jacobian determinant [m²]


def gradients(mesh: Mesh) -> Gradients:
    """Gradients of the shape functions at the 2×2 Gauss points.

    >>> from gudgeon.fem import Mesh
    >>> gradients(Mesh.rectangle(2.0, 1.0, 1, 1)).area.tolist()
    [[0.5, 0.5, 0.5, 0.5]]
    """
    from gudgeon.fem import assembly_kernels as kernels

    slope = np.empty((mesh.element_count, 4, 4, 2))
    area = np.empty((mesh.element_count, 4))
    kernels.gradients(mesh.nodes, mesh.quads, shape_functions(GAUSS)[1], slope, area)
    return Gradients(slope, area)


def stiffness(mesh: Mesh, material: Material) -> np.ndarray:
    """Element stiffness matrices (element_count, 8, 8) [N/m].

    >>> from gudgeon.fem import Material, Mesh
    >>> unit = Material(youngs_modulus=1.0, poissons_ratio=0.3, density=1.0)
    >>> float(round(stiffness(Mesh.rectangle(1.0, 1.0, 1, 1), unit)[0, 0, 0], 6))
    0.494505
    """
    from gudgeon.fem import assembly_kernels as kernels

    out = np.empty((mesh.element_count, 8, 8))
    slope, area = gradients(mesh)
    kernels.stiffness(slope, area, material.thickness * material.elasticity, out)
    return out


def mass(mesh: Mesh, material: Material) -> np.ndarray:
    """Consistent element masses per node pair (element_count, 4, 4) [kg]; the same for x and y, none between them.

    >>> from gudgeon.fem import Material, Mesh
    >>> unit = Material(youngs_modulus=1.0, poissons_ratio=0.3, density=36.0)
    >>> mass(Mesh.rectangle(1.0, 1.0, 1, 1), unit)[0].round(9).tolist()[0]
    [4.0, 2.0, 1.0, 2.0]
    """
    shape, _ = shape_functions(GAUSS)
    pairs = shape[:, :, None] * shape[:, None, :]
    return np.tensordot(material.density * material.thickness * gradients(mesh).area, pairs, axes=1)


def lumped_mass(mesh: Mesh, material: Material) -> np.ndarray:
    """The row sums of `mass` (element_count, 4) [kg]: all positive, as the shape functions are inside an element.

    >>> from gudgeon.fem import Material, Mesh
    >>> unit = Material(youngs_modulus=1.0, poissons_ratio=0.3, density=36.0)
    >>> lumped_mass(Mesh.rectangle(1.0, 1.0, 1, 1), unit)[0].round(9).tolist()
    [9.0, 9.0, 9.0, 9.0]
    """
    shape, _ = shape_functions(GAUSS)
    return (material.density * material.thickness * gradients(mesh).area) @ shape
