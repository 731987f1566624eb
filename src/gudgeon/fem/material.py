"""Linear elastic isotropic material in the plane.

σ = D ε with σ = (σ_xx, σ_yy, σ_xy), ε = (ε_xx, ε_yy, γ_xy), γ_xy = 2 ε_xy. Plane stress (σ_zz = 0):
D = E/(1 − ν²) [[1, ν, 0], [ν, 1, 0], [0, 0, (1 − ν)/2]]. Plane strain (ε_zz = 0): the same with E/(1 − ν²) and
ν/(1 − ν) in place of E and ν. Timoshenko and Goodier, Theory of Elasticity (1970), sections 10–11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError
from gudgeon.quantities import Density, Length, Pressure


@dataclass(frozen=True, kw_only=True)
class Material:
    """An elastic plate of uniform thickness.

    Data per unit area, such as the 1/3 kg/m² and 1000 Pa of docs/sliders.md, go with the default thickness of 1 m.

    >>> from gudgeon.fem import Material
    >>> Material(youngs_modulus=210e9, poissons_ratio=0.3, density=7850.0, thickness=0.02).plane
    'stress'
    """

    youngs_modulus: Pressure  # E [Pa]
    poissons_ratio: float  # ν [-]
    density: Density  # ρ [kg/m³]
    thickness: Length = 1.0  # t [m]
    plane: Literal["stress", "strain"] = "stress"  # σ_zz = 0 or ε_zz = 0

    def __post_init__(self) -> None:
        for field, unit, what in (
            ("youngs_modulus", "Pa", "an elastic material needs a positive modulus"),
            ("density", "kg/m³", "a body needs a positive density"),
            ("thickness", "m", "a plate needs a positive thickness (1 m for data per unit area)"),
        ):
            value = number("Material", field, getattr(self, field))
            if value <= 0.0:
                raise ModelError(f"Material: {field} is {value} {unit}; {what}")
            object.__setattr__(self, field, value)
        ratio = number("Material", "poissons_ratio", self.poissons_ratio)
        object.__setattr__(self, "poissons_ratio", ratio)
        choice("Material", "plane", self.plane, {"stress": "thin plate", "strain": "long body"})
        if not -1.0 < ratio <= 0.5:
            raise ModelError(f"Material: poissons_ratio is {ratio}; it lies between -1 and 0.5, for metals near 0.3")
        if self.plane == "strain" and ratio > 0.499:
            raise ModelError(
                f"Material: poissons_ratio is {ratio} in plane strain; these elements lock in a nearly "
                "incompressible material, so give at most 0.499 or use plane='stress'"
            )

    @property
    def elasticity(self) -> np.ndarray:
        """D, 3×3 [Pa].

        >>> from gudgeon.fem import Material
        >>> Material(youngs_modulus=1.0, poissons_ratio=0.0, density=1.0).elasticity.tolist()
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]]
        """
        modulus, ratio = self.youngs_modulus, self.poissons_ratio
        if self.plane == "strain":
            modulus, ratio = modulus / (1.0 - ratio**2), ratio / (1.0 - ratio)
        stiff = modulus / (1.0 - ratio**2)
        return np.array(
            [[stiff, stiff * ratio, 0.0], [stiff * ratio, stiff, 0.0], [0.0, 0.0, 0.5 * stiff * (1.0 - ratio)]]
        )
