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
from typing import Annotated

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.stiffness import PerBody, compliance_of
from gudgeon.quantities import Length, Unit


def flat_pad(
    *,
    length: Length,  # a [m]
    width: Length,  # b [m]
    youngs_modulus: Annotated[PerBody, Unit("Pa")],  # of both bodies, or a pair [Pa]
    poissons_ratio: PerBody,  # of both bodies, or a pair [-]
) -> float:
    """Stiffness per area [N/m³] of two flat faces that touch over a rectangle.

    >>> import gudgeon as gd
    >>> f"{gd.laws.flat_pad(length=0.02, width=0.02, youngs_modulus=207e9, poissons_ratio=0.3):.4g}"
    '6.009e+12'
    """
    sides = {"length": number("flat_pad", "length", length), "width": number("flat_pad", "width", width)}
    for field, value in sides.items():
        if value <= 0.0:
            raise ModelError(f"flat_pad: {field} is {value:g} m; it must be positive")
    a, b = sides.values()
    influence = 2.0 * a * b * (a * math.asinh(b / a) + b * math.asinh(a / b))
    influence += 2.0 / 3.0 * (a**3 + b**3 - (a * a + b * b) ** 1.5)
    return math.pi * a * b / (compliance_of("flat_pad", youngs_modulus, poissons_ratio) * influence)
