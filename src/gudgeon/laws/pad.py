"""Stiffness per area k of p = k δ for two flat faces of solid bodies that are pressed together over a rectangle.

A uniform pressure p on a rectangle a × b of two elastic half-spaces moves them together by, on average,

    δ = p I/(π E* a b),   I = ∬∬ dA dA′/|r − r′| = 2ab (a arsinh(b/a) + b arsinh(a/b)) + ⅔ (a³ + b³ − (a² + b²)^1.5)

with 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂ (Love (1929), Phil. Trans. R. Soc. A 228, 377-420; averages in Timoshenko &
Goodier, Theory of Elasticity, art. 139: δ = 0.95 p √A/E* for a square, 0.92 for sides as 1 : 2). As the stiffness of
an elastic foundation it is right for faces pressed evenly, and an estimate for tilted ones: points of solid bodies do
not give way each by itself.
"""

from __future__ import annotations

import math

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.inputs.material import PairOfMaterials, material_pair
from gudgeon.laws.contact import HuntCrossley
from gudgeon.laws.restitution import loss_factor
from gudgeon.quantities import Length

RESTITUTION = 0.9  # of metal faces that meet with 1 m/s [-]


def flat_pad(
    *,
    length: Length,  # a [m]
    width: Length,  # b [m]
    materials: PairOfMaterials,  # of both, or of guide and slider
) -> float:
    """Stiffness per area [N/m³] of two flat faces that touch over a rectangle.

    >>> import gudgeon as gd
    >>> f"{gd.laws.flat_pad(length=0.02, width=0.02, materials='steel'):.4g}"
    '6.009e+12'
    """
    sides = {"length": number("flat_pad", "length", length), "width": number("flat_pad", "width", width)}
    for field, value in sides.items():
        if value <= 0.0:
            raise ModelError(f"flat_pad: {field} is {value:g} m; it must be positive")
    a, b = sides.values()
    influence = 2.0 * a * b * (a * math.asinh(b / a) + b * math.asinh(a / b))
    influence += 2.0 / 3.0 * (a**3 + b**3 - (a * a + b * b) ** 1.5)
    compliance = sum(each.compliance for each in material_pair("flat_pad", materials))
    return math.pi * a * b / (compliance * influence)


def steel_pad(length: float, width: float) -> HuntCrossley:
    """Pressure of steel on steel over a rectangle, p = k δ (1 + χ δ̇/(1 m/s)), where nothing else is said."""
    stiffness = flat_pad(length=length, width=width, materials="steel")
    return HuntCrossley(stiffness=stiffness, damping=loss_factor(RESTITUTION) / 1.5, exponent=1.0)
