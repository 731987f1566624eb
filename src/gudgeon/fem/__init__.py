"""Finite elements in the plane: four-node quadrilaterals, small strain, mass, Rayleigh damping, stress. No joints.

describe   `Mesh`, `Material`, `Rayleigh`, `PlaneModel`
load       `gravity`, `body_force`, `edge_load`, `point_load`: nodal forces, which add up
solve      `PlaneModel.static`, `.reactions`, `.modes`; `.step_operator` for implicit time steps
recover    `strain`, `stress`, `nodal`, `von_mises`, `strain_energy`

`gudgeon.fem.kernels` has what compiled time steps call. Nodes and elements count from 0.

>>> from gudgeon import fem
>>> mesh = fem.Mesh.rectangle(0.6, 0.5, 5, 5)  # the slider of docs/sliders.md, m
>>> material = fem.Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
>>> model = fem.PlaneModel(mesh=mesh, material=material, damping=fem.Rayleigh(mass=0.010, stiffness=0.544))
>>> model.modes(1).angular_frequency.round(3).tolist()
[212.565]
"""

from gudgeon.fem.damping import Rayleigh
from gudgeon.fem.factor import Factorized
from gudgeon.fem.loads import body_force, edge_load, gravity, point_load
from gudgeon.fem.material import Material
from gudgeon.fem.mesh import Mesh
from gudgeon.fem.model import PlaneModel
from gudgeon.fem.modes import Modes
from gudgeon.fem.recovery import nodal, strain, strain_energy, stress, von_mises

__all__ = [
    "Factorized",
    "Material",
    "Mesh",
    "Modes",
    "PlaneModel",
    "Rayleigh",
    "body_force",
    "edge_load",
    "gravity",
    "nodal",
    "point_load",
    "strain",
    "strain_energy",
    "stress",
    "von_mises",
]
