"""A soft liner between pin and bore: an elastic foundation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.errors import ModelError
from gudgeon.laws.base import LineLaw
from gudgeon.laws.layer import elastic_layer
from gudgeon.laws.line import refuse_two_losses
from gudgeon.quantities import Length, Pressure, Slowness

THICKEST = 0.25  # liner over radius that still is a thin layer [-]


@dataclass(frozen=True, kw_only=True)
class Liner(LineLaw):
    """f′ = (E_c R/t) e (θ₀ − ½ sin 2θ₀), e = c + δ, θ₀ = acos(c/e): p = (E_c/t)(e cos θ − c) over the arc |θ| < θ₀.

    A plastic or rubber liner of thickness t ≪ R, bonded to a stiff bearing: E_c = E (1 − ν)/((1 + ν)(1 − 2ν)), see
    `gd.laws.elastic_layer`; Johnson (1985), Contact Mechanics, ch. 4. Pin and bearing do not give way. Void beyond
    δ = t, and long before that a solid liner is stiffer; t above a quarter of R is refused.

    >>> import gudgeon as gd
    >>> ptfe = dict(thickness=0.5e-3, youngs_modulus=0.5e9, poissons_ratio=0.46)
    >>> law = gd.laws.Liner(radius=0.010, clearance=20e-6, **ptfe)
    >>> round(0.020 * law.line_force(5e-6, 0.0, 1.0, law.parameters), 1)  # a pin of 20 mm [N]
    3779.6
    """

    radius: Length  # R, of the bore [m]
    clearance: Length  # c, radial [m]
    thickness: Length  # t [m]
    youngs_modulus: Pressure  # E, of the liner [Pa]
    poissons_ratio: float  # ν [-]
    damping: Slowness = 0.0  # c_d, without memory [s/m]
    loss: float = 0.0  # χ, of the speed at which contact began [-]
    positive: ClassVar = ("radius", "thickness")
    not_negative: ClassVar = ("clearance", "damping", "loss")

    def __post_init__(self):
        super().__post_init__()
        refuse_two_losses("Liner", self.damping, self.loss)
        if self.thickness > THICKEST * self.radius:
            raise ModelError(
                f"Liner: thickness is {self.thickness:g} m in a bore of radius {self.radius:g} m; a layer is thin, at "
                f"most {THICKEST:g} of the radius: use gd.laws.PinInBore with the material of the bush"
            )
        _ = self.parameters  # what is wrong with the material

    @property
    def deepest(self) -> float:
        """The thickness [m]."""
        return self.thickness

    @property
    def parameters(self) -> tuple[float, ...]:
        """R E_c/t [N/m²], c, c_d, χ, t."""
        stiffness = elastic_layer(
            thickness=self.thickness, youngs_modulus=self.youngs_modulus, poissons_ratio=self.poissons_ratio
        )
        return (self.radius * stiffness, self.clearance, self.damping, self.loss, self.thickness)

    @staticmethod
    def line_force(delta, ddelta, impact_speed, p):
        """Normal force per length [N/m]."""
        if delta <= 0.0:
            return 0.0
        if delta >= p[4]:
            return math.nan
        e = p[1] + delta
        x = 4.0 * math.asin(math.sqrt(delta / (2.0 * e)))  # 2 θ₀
        if x < 0.5:  # x − sin x cancels; as a series
            rest = (
                x**3 / 6.0 * (1.0 - x * x / 20.0 * (1.0 - x * x / 42.0 * (1.0 - x * x / 72.0 * (1.0 - x * x / 110.0))))
            )
        else:
            rest = x - math.sin(x)
        factor = 1.0 + p[2] * ddelta
        if p[3] > 0.0:
            factor += p[3] * ddelta / impact_speed
        force = 0.5 * p[0] * e * rest * factor
        return 0.0 if force < 0.0 else force
