"""Hertz stiffness K of f = K δ^(3/2) from geometry and material.

    K = 4/(3 (σ₁ + σ₂)) √R,   σ = (1 − ν²)/E,   1/R = 1/R₁ ± 1/R₂ (minus for a ball in a socket)

Hertz (1882), J. reine angew. Math. 92, 156-171; Johnson (1985), Contact Mechanics, ch. 4. (Some papers carry 1/π in σ
and 1/(3π) in K: the same value.) Linear elastic half-spaces, contact area small against the radii, no friction, no
adhesion. A ball that nearly fills its socket soon breaks that: the formula is then an engineering estimate.
Materials: give one number for both bodies, or a pair, in the order in which the bodies are named.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from gudgeon.checks import number, vector
from gudgeon.errors import ModelError
from gudgeon.quantities import Length, Unit

PerBody = float | tuple[float, float]  # one value for both bodies, or one each


def sphere_in_socket(
    *,
    socket_radius: Length,  # [m]
    ball_radius: Length,  # [m]
    youngs_modulus: Annotated[PerBody, Unit("Pa")],  # of both, or of socket and ball [Pa]
    poissons_ratio: PerBody,  # of both, or of socket and ball [-]
) -> float:
    """Stiffness [N/m^1.5] of a ball in a spherical socket.

    >>> import gudgeon as gd
    >>> steel = dict(youngs_modulus=207e9, poissons_ratio=0.3)
    >>> f"{gd.laws.sphere_in_socket(socket_radius=0.010, ball_radius=0.0095, **steel):.3e}"
    '6.610e+10'
    """
    owner = "sphere_in_socket"
    socket = _radius(owner, "socket_radius", socket_radius)
    ball = _radius(owner, "ball_radius", ball_radius)
    if ball >= socket:
        raise ModelError(
            f"{owner}: ball_radius is {ball:g} m and socket_radius is {socket:g} m; "
            "the ball must be smaller than its socket"
        )
    compliance = _compliance(owner, youngs_modulus, poissons_ratio)
    return 4.0 / (3.0 * compliance) * math.sqrt(socket * ball / (socket - ball))


def spheres(
    *,
    radii: tuple[Length, Length],  # [m]
    youngs_modulus: Annotated[PerBody, Unit("Pa")],  # [Pa]
    poissons_ratio: PerBody,  # [-]
) -> float:
    """Stiffness [N/m^1.5] of two balls that touch from outside.

    >>> import gudgeon as gd
    >>> f"{gd.laws.spheres(radii=(0.01, 0.01), youngs_modulus=207e9, poissons_ratio=0.3):.3e}"
    '1.072e+10'
    """
    owner = "spheres"
    first, second = (_radius(owner, "radii", radius) for radius in vector(owner, "radii", radii, length=2))
    compliance = _compliance(owner, youngs_modulus, poissons_ratio)
    return 4.0 / (3.0 * compliance) * math.sqrt(first * second / (first + second))


def sphere_on_plane(
    *,
    radius: Length,  # [m]
    youngs_modulus: Annotated[PerBody, Unit("Pa")],  # of both, or of ball and plane [Pa]
    poissons_ratio: PerBody,  # of both, or of ball and plane [-]
) -> float:
    """Stiffness [N/m^1.5] of a ball on a flat body.

    >>> import gudgeon as gd
    >>> f"{gd.laws.sphere_on_plane(radius=0.01, youngs_modulus=(207e9, 70e9), poissons_ratio=(0.3, 0.33)):.3e}"
    '7.785e+09'
    """
    owner = "sphere_on_plane"
    ball = _radius(owner, "radius", radius)
    return 4.0 / (3.0 * _compliance(owner, youngs_modulus, poissons_ratio)) * math.sqrt(ball)


def _radius(owner: str, field: str, value: Any) -> float:
    radius = number(owner, field, value)
    if radius <= 0.0:
        raise ModelError(f"{owner}: {field} is {radius:g} m; it must be positive")
    return radius


def _compliance(owner: str, youngs_modulus: Any, poissons_ratio: Any) -> float:
    """σ₁ + σ₂ [1/Pa]."""
    moduli = _pair(owner, "youngs_modulus", youngs_modulus)
    ratios = _pair(owner, "poissons_ratio", poissons_ratio)
    for modulus in moduli:
        if modulus <= 0.0:
            raise ModelError(f"{owner}: youngs_modulus is {modulus:g} Pa; it must be positive, steel has about 2.1e11")
    for ratio in ratios:
        if not -1.0 < ratio <= 0.5:
            raise ModelError(
                f"{owner}: poissons_ratio is {ratio:g}; it must be above -1 and at most 0.5, steel has about 0.3"
            )
    return sum((1.0 - ratio * ratio) / modulus for modulus, ratio in zip(moduli, ratios, strict=True))


def _pair(owner: str, field: str, value: Any) -> tuple[float, ...]:
    if isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim > 0):
        return vector(owner, field, value, length=2)
    x = number(owner, field, value)
    return (x, x)
