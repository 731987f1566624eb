"""A flexible slider in its guide: a finite-element body whose surface nodes meet the guide (docs/sliders.md)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.fem.damping import Rayleigh
from gudgeon.fem.material import Material
from gudgeon.fem.mesh import Mesh
from gudgeon.models.slider import Slider


@dataclass(frozen=True, kw_only=True)
class FlexibleSlider(Slider):
    """The child of the guide is elastic: the nodes of its upper and lower surface meet the guide, each by itself.

    `mesh` has its x axis along the body's x and the guide's axis, its y axis along the guide's normal; its centre of
    mass is the body's position. Small strains in a frame that translates: the slider tilts by its clearance, no more.
    `contact` is the law of one node, by default none is given: say one. Leave out mesh and material where the child is
    a `gd.FlexibleBody`, which has its own.

    >>> import gudgeon as gd
    >>> from gudgeon.fem import Material, Mesh, Rayleigh
    >>> slider = gd.FlexibleSlider(
    ...     mesh=Mesh.rectangle(0.5, 0.3, 2, 2),
    ...     material=Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=20 / 3),
    ...     damping=Rayleigh(mass=0.010, stiffness=0.544),
    ...     clearance=2.5e-3,
    ...     contact=gd.laws.KelvinVoigt(stiffness=1e4, damping=1e3),
    ...     friction=gd.laws.DryFriction(static=0.04, kinetic=0.03),
    ... )
    >>> slider.mesh.node_count
    9
    """

    mesh: Mesh | None = None
    material: Material | None = None
    damping: Rayleigh = field(default_factory=Rayleigh)

    def __post_init__(self):
        if (self.mesh is None) != (self.material is None):
            raise ModelError("FlexibleSlider: give mesh and material together (or neither, for a gd.FlexibleBody)")
        for name, kind in (("mesh", Mesh), ("material", Material), ("damping", Rayleigh)):
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                raise ModelError(f"FlexibleSlider: {name} is {value!r}; give a gudgeon.fem.{kind.__name__}")
        if self.contact is None:
            raise ModelError(
                "FlexibleSlider: how do its nodes meet the guide? give contact=, such as "
                "gd.laws.KelvinVoigt(stiffness=, damping=)"
            )
        if self.mesh is not None:
            self.settle_clearance("FlexibleSlider")
        elif self.clearance is None or self.guide_height is not None:
            raise ModelError("FlexibleSlider: give clearance= (without a mesh here, guide_height cannot be compared)")
        self.check_laws("FlexibleSlider")

    @property
    def slider_height(self) -> float:
        """From the lower to the upper surface of the slider [m]."""
        assert self.mesh is not None
        return float(np.ptp(self.mesh.nodes[:, 1]))
