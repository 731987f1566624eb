"""Stiffness per area k of p = k δ, for contact over surfaces, from an elastic layer between or on them.

A thin layer of thickness t, bonded to a rigid body and pressed over an area wide against t, cannot expand sideways:

    k = E (1 − ν)/((1 + ν)(1 − 2ν) t)

the modulus of uniaxial strain over the thickness; Johnson (1985), Contact Mechanics, ch. 4 (elastic foundation). It
leaves out shear between neighbouring columns, and has no meaning for incompressible layers (ν = ½).
"""

from __future__ import annotations

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.quantities import Length, Pressure


def elastic_layer(
    *,
    thickness: Length,  # t [m]
    youngs_modulus: Pressure,  # E [Pa]
    poissons_ratio: float,  # ν [-]
) -> float:
    """Stiffness per area [N/m³] of a thin elastic layer, such as the lining of a bearing.

    >>> import gudgeon as gd
    >>> f"{gd.laws.elastic_layer(thickness=5e-4, youngs_modulus=3e9, poissons_ratio=0.4):.4g}"
    '1.286e+13'
    """
    t, E, nu = (
        number("elastic_layer", name, value)
        for name, value in (
            ("thickness", thickness),
            ("youngs_modulus", youngs_modulus),
            ("poissons_ratio", poissons_ratio),
        )
    )
    if t <= 0.0:
        raise ModelError(f"elastic_layer: thickness is {t:g} m; it must be positive")
    if E <= 0.0:
        raise ModelError(f"elastic_layer: youngs_modulus is {E:g} Pa; it must be positive, steel has about 2.1e11")
    if not -1.0 < nu < 0.5:
        raise ModelError(
            f"elastic_layer: poissons_ratio is {nu:g}; it must be above -1 and below 0.5: a layer that cannot be "
            "compressed does not give way"
        )
    return E * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu) * t)
