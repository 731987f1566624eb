"""The force per length of a pin in its bore, for all clearances down to zero.

Elasticity in the plane has no depth of its own: how far a pin comes depends on where its load is taken up. Of a pin
in a ring of outer radius R_o that is held there, exact elasticity (Fourier series with complementarity) is

    f′ = E* ΔR Φ(δ/ΔR, R_o/R),    1/E* = (1 − ν_i²)/E_i + (1 − ν_j²)/E_j,    ΔR = c

and is met within 4 % over δ/ΔR = 10⁻³ … 10², contact angles of 1° to 92° on either side, by

    f′ = π E* δ/(A + B ln(1 + C ΔR/δ))

with A, B and C of R_o/R. Infinite wall at ΔR → 0: Persson (1964), On the stress distribution of cylindrical elastic
bodies in contact. Loss: f′ (1 + (c_d + χ/δ̇⁽⁻⁾) δ̇); see `gd.laws.loss_factor`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.inputs.material import PairOfMaterials, material_pair
from gudgeon.laws.base import LineLaw
from gudgeon.laws.restitution import loss_factor
from gudgeon.quantities import Length, Pressure, Slowness, Speed

WALLS = (1.25, 1.5, 2.0, 3.0, 5.0, 10.0)  # R_o/R
TABLE = (
    (0.6526, 0.8256, 1.1016, 1.4580, 1.8221, 2.2096),  # A
    (1.1661, 1.2638, 1.2938, 1.2816, 1.2589, 1.2347),  # B
    (0.2899, 0.3363, 0.4433, 0.5979, 0.7612, 0.9249),  # C
)
LOOSEST = 0.1  # clearance over radius for which a pin nearly fills its bore [-]


@dataclass(frozen=True, kw_only=True)
class ConformalLine(LineLaw):
    """A pin and a bore of nearly the same radius; abstract. p = E*, ΔR, c_d, χ, and what a law adds."""

    modulus: Pressure  # E*, of both bodies [Pa]: gd.laws.contact_modulus
    clearance: Length  # ΔR = c, radial [m]
    damping: Slowness = 0.0  # c_d, without memory [s/m]
    loss: float = 0.0  # χ, of the speed at which contact began [-]
    positive: ClassVar = ("modulus", "clearance")
    not_negative: ClassVar = ("damping", "loss")

    def __post_init__(self):
        super().__post_init__()
        refuse_two_losses(type(self).__name__, self.damping, self.loss)


@dataclass(frozen=True, kw_only=True)
class PinInBore(ConformalLine):
    """f′ = π E* δ/(A + B ln(1 + C ΔR/δ)), the default: a fit of exact elasticity, within 4 %.

    For every clearance, also none. `wall` is R_o/R, outer radius of the bearing over that of its bore, between 1.25 and
    10; A, B and C are interpolated in ln R_o/R. The bearing is held at R_o, the pin by its own inertia.

    >>> import gudgeon as gd
    >>> law = gd.laws.PinInBore(modulus=gd.laws.contact_modulus("steel"), clearance=50e-6)
    >>> round(0.020 * law.line_force(5e-6, 0.0, 1.0, law.parameters))  # a pin of 20 mm, 5 µm deep [N]
    10856
    """

    wall: float = 2.0  # R_o/R [-]
    positive: ClassVar = ("modulus",)
    not_negative: ClassVar = ("clearance", "damping", "loss")

    def __post_init__(self):
        super().__post_init__()
        if not WALLS[0] <= self.wall <= WALLS[-1]:
            raise ModelError(
                f"PinInBore: wall is {self.wall:g}; outer radius over bore radius of the bearing must lie between "
                f"{WALLS[0]:g} and {WALLS[-1]:g}: take the nearer end for a thick body, gd.laws.Liner for a thin shell"
            )

    @property
    def parameters(self) -> tuple[float, ...]:
        """E*, ΔR, c_d, χ, A, B, C."""
        A, B, C = (float(np.interp(math.log(self.wall), np.log(WALLS), row)) for row in TABLE)
        return (self.modulus, self.clearance, self.damping, self.loss, A, B, C)

    @staticmethod
    def line_force(delta, ddelta, impact_speed, p):
        """Normal force per length [N/m]."""
        if delta <= 0.0:
            return 0.0
        factor = 1.0 + p[2] * ddelta
        if p[3] > 0.0:
            factor += p[3] * ddelta / impact_speed
        force = math.pi * p[0] * delta / (p[4] + p[5] * math.log1p(p[6] * p[1] / delta)) * factor
        return 0.0 if force < 0.0 else force


def pin_in_bore(
    *,
    radius: Length,  # R, of the bore [m]
    clearance: Length,  # c, radial [m]
    materials: PairOfMaterials,  # of both, or of bearing and journal
    wall: float = 2.0,  # R_o/R [-]
    restitution: float = 0.9,  # e [-]
    reference_speed: Speed | None = 1.0,  # at which it is e [m/s]; None: at all speeds
) -> PinInBore:
    """The default law of a pin in its bore, from what a drawing says.

    `restitution` is that of a contact which begins with `reference_speed`; faster ones lose more (damping without
    memory). `reference_speed=None` gives it at every speed: the law then needs the speed with which each contact began.

    >>> import gudgeon as gd
    >>> gd.laws.pin_in_bore(radius=0.010, clearance=12e-6, materials=("bronze", "steel"), restitution=1.0)
    PinInBore(modulus=82736458399.9488..., clearance=1.2e-05, damping=0.0, loss=0.0, wall=2.0)
    """
    owner = "pin_in_bore"
    R, c = number(owner, "radius", radius), number(owner, "clearance", clearance)
    if R <= 0.0:
        raise ModelError(f"{owner}: radius is {R:g} m; it must be positive")
    if not 0.0 <= c <= LOOSEST * R:
        raise ModelError(
            f"{owner}: clearance is {c:g} m in a bore of radius {R:g} m; the law is that of a pin that nearly fills "
            f"its bore: give bore radius minus pin radius, 0 to {LOOSEST:g} of the radius"
        )
    modulus = 1.0 / sum(each.compliance for each in material_pair(owner, materials))
    chi = loss_factor(restitution)
    if reference_speed is None:
        return PinInBore(modulus=modulus, clearance=c, wall=wall, loss=chi)
    speed = number(owner, "reference_speed", reference_speed)
    if speed <= 0.0:
        raise ModelError(f"{owner}: reference_speed is {speed:g} m/s; it must be positive, or None for all speeds")
    return PinInBore(modulus=modulus, clearance=c, wall=wall, damping=chi / speed)


def contact_modulus(materials: PairOfMaterials) -> float:
    """E* [Pa] of two bodies in contact: 1/E* = (1 − ν_i²)/E_i + (1 − ν_j²)/E_j.

    >>> import gudgeon as gd
    >>> round(gd.laws.contact_modulus("steel") / 1e9, 4)
    113.7363
    """
    return 1.0 / sum(each.compliance for each in material_pair("contact_modulus", materials))


def thrust_face(
    *,
    inner_radius: Length,  # R_i, of the bore [m]
    collar_radius: Length,  # R_c [m]
    materials: PairOfMaterials,  # of both, or of bearing and journal
) -> float:
    """Stiffness per area [N/m³] of a collar against the face of its bearing: k = 2 E* R_c/(π (R_c² − R_i²)).

    That of a rigid punch of radius R_c on a half-space (Johnson (1985), Contact Mechanics, section 3.8), spread over
    the annulus. A soft washer is `gd.laws.elastic_layer` instead.

    >>> import gudgeon as gd
    >>> f"{gd.laws.thrust_face(inner_radius=0.010, collar_radius=0.014, materials='steel'):.4g}"
    '1.056e+13'
    """
    owner = "thrust_face"
    R_i, R_c = number(owner, "inner_radius", inner_radius), number(owner, "collar_radius", collar_radius)
    if not 0.0 <= R_i < R_c:
        raise ModelError(
            f"{owner}: collar_radius is {R_c:g} m, inner_radius {R_i:g} m; the collar must be larger than the bore"
        )
    modulus = 1.0 / sum(each.compliance for each in material_pair(owner, materials))
    return 2.0 * modulus * R_c / (math.pi * (R_c * R_c - R_i * R_i))


def refuse_two_losses(owner: str, damping: float, loss: float) -> None:
    """A loss is stated once."""
    if damping > 0.0 and loss > 0.0:
        raise ModelError(
            f"{owner}: damping is {damping:g} s/m and loss is {loss:g}; both state the loss of a contact: give damping "
            "(without memory) or loss (χ, with the speed at which contact began)"
        )
