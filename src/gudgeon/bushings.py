"""Bushings from geometry: a rubber sleeve bonded between two stiff tubes of radii a < b and length L.

    torsion    4π G L/(a⁻² − b⁻²)
    axial      2π G L/ln(b/a)
    radial     4π G L/(ln(b/a) − q) long,    3.2π G L/(ln(b/a) − 0.36 q) short,    q = (b² − a²)/(b² + a²)

Adkins & Gent (1954), Load-deflexion relations of rubber bush mountings, Brit. J. Appl. Phys. 5, 354-358. Long and short
are plane strain and plane stress of an incompressible material (Kolosov's κ = 1 and 5/3). In between, rubber gives way
towards the free ends as from a squeezed film, ∇²p = 12 G u/(b − a)³, which with s = L/(a + b) gives

    radial     short + (long − short) (1 − tanh s/s)
    conical    L²/12 [short + (long − short) (1 − 3 coth s/s + 3/s²)] + ½ a b · axial

Against finite elements of an incompressible sleeve (b/a from 1.1 to 3) radial is within 4.5 %, conical within 6 % where
L is 4 (b − a) or more, 13 % from 2 (b − a) on and 31 % from b − a on. (Conical = radial L²/12, often used, is up to 3.7
times too stiff.) Small strains; rubber stiffens with frequency and softens with amplitude, and its bulk modulus limits
very thin sleeves.

>>> import gudgeon as gd
>>> rubber = dict(inner_radius=0.010, outer_radius=0.020, length=0.040, shear_modulus=1e6)
>>> k = gd.bushings.sleeve_stiffness(**rubber)
>>> round(k.torsion, 1), round(k.axial / 1e3, 1)
(67.0, 362.6)
>>> arm = gd.Revolute("ground", "arm", at=(0, 0, 0), model=gd.bushings.sleeve(**rubber))
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np

from gudgeon.checks import Vec3, choice, direction, number
from gudgeon.errors import ModelError
from gudgeon.models.bushing import Bushing
from gudgeon.quantities import Length, Pressure, Time

FREE = {
    "revolute": "the torsion is left free",
    "cylindrical": "torsion and axial are left free",
    "prismatic": "the axial is left free",
    "rigid": "bonded to both: all six are held",
}  # what the joint leaves free


class SleeveStiffness(NamedTuple):
    """What a sleeve does against small motions of its inner tube."""

    radial: float  # across its axis [N/m]
    axial: float  # along it [N/m]
    torsion: float  # about it [N·m/rad]
    conical: float  # tilting its axis [N·m/rad]


def sleeve_stiffness(
    *,
    inner_radius: Length,  # a [m]
    outer_radius: Length,  # b [m]
    length: Length,  # L [m]
    shear_modulus: Pressure,  # G [Pa]
) -> SleeveStiffness:
    """Stiffness of a rubber sleeve bonded between two tubes, its ends free; `gd.bushings` tells formulas and limits.

    >>> import gudgeon as gd
    >>> k = gd.bushings.sleeve_stiffness(inner_radius=0.010, outer_radius=0.020, length=0.040, shear_modulus=1e6)
    >>> [f"{x:.4g}" for x in k]
    ['2.425e+06', '3.626e+05', '67.02', '210.2']
    """
    owner = "bushings.sleeve"
    a, b, L, G = (
        _positive(owner, field, value, unit)
        for field, value, unit in (
            ("inner_radius", inner_radius, "m"),
            ("outer_radius", outer_radius, "m"),
            ("length", length, "m"),
            ("shear_modulus", shear_modulus, "Pa"),
        )
    )
    if a >= b:
        raise ModelError(f"{owner}: inner_radius is {a:g} m, outer_radius {b:g} m; the inner tube must be the smaller")
    if b - a > L:
        raise ModelError(
            f"{owner}: length is {L:g} m, the wall {b - a:g} m; the formulas are those of a sleeve at least as long as "
            "its wall is thick: give gd.Bushing matrices of your own"
        )
    q, s = (b - a) * (b + a) / (b * b + a * a), L / (a + b)
    log = math.atanh(q)  # ln(b/a)
    long_sleeve = 4.0 * math.pi * G * L / _atanh_minus(q)
    short_sleeve = 3.2 * math.pi * G * L / (log - 0.36 * q)
    radial, tilting = (
        short_sleeve + (long_sleeve - short_sleeve) * share for share in (1.0 - math.tanh(s) / s, _share_in_tilt(s))
    )
    axial = 2.0 * math.pi * G * L / log
    torsion = 4.0 * math.pi * G * L * (a * b) ** 2 / ((b - a) * (b + a))
    return SleeveStiffness(radial, axial, torsion, L * L / 12.0 * tilting + 0.5 * a * b * axial)


def sleeve(
    *,
    inner_radius: Length,  # a [m]
    outer_radius: Length,  # b [m]
    length: Length,  # L [m]
    shear_modulus: Pressure,  # G [Pa]
    damping_time: Time = 0.0,  # b of C = b K [s]
    joint: Literal["revolute", "cylindrical", "prismatic", "rigid"] = "revolute",
    axis: Vec3 = (0.0, 0.0, 1.0),
) -> Bushing:
    """A `gd.Bushing` with the stiffness of a rubber sleeve, for a joint of the type `joint`, along its axis.

    What that joint leaves free stays free: the inner tube of a "revolute" turns on its pin. A sleeve bonded to both
    bodies, whose torsion counts, is the model of a gd.Rigid: `joint="rigid"`, with the sleeve's `axis` in the world.

    >>> import gudgeon as gd
    >>> rubber = dict(inner_radius=0.010, outer_radius=0.020, length=0.040, shear_modulus=1e6)
    >>> [f"{row[k]:.4g}" for k, row in enumerate(gd.bushings.sleeve(**rubber).stiffness)]
    ['2.425e+06', '2.425e+06', '3.626e+05', '210.2', '210.2', '0']
    """
    owner = "bushings.sleeve"
    k = sleeve_stiffness(
        inner_radius=inner_radius, outer_radius=outer_radius, length=length, shear_modulus=shear_modulus
    )
    choice(owner, "joint", joint, FREE)
    h = np.array(direction(owner, "axis", axis))
    if joint != "rigid" and tuple(h) != (0.0, 0.0, 1.0):
        raise ModelError(
            f"{owner}: axis is {axis} for a {joint} joint, whose own axis the sleeve has; leave it out, or give "
            "joint='rigid'"
        )
    along = np.outer(h, h)
    across = np.eye(3) - along
    stiffness = np.zeros((6, 6))
    stiffness[:3, :3] = k.radial * across + (0.0 if joint in ("cylindrical", "prismatic") else k.axial) * along
    stiffness[3:, 3:] = k.conical * across + (k.torsion if joint in ("rigid", "prismatic") else 0.0) * along
    return Bushing(stiffness=tuple(tuple(row) for row in stiffness.tolist()), damping_time=damping_time)


def _atanh_minus(q: float) -> float:
    """atanh(q) − q: ln(b/a) − q, which cancels in thin sleeves; there as a series."""
    if q > 0.1:
        return math.atanh(q) - q
    return q**3 * sum(q ** (2 * k) / (2 * k + 3) for k in range(8))


def _share_in_tilt(s: float) -> float:
    """1 − 3 coth s/s + 3/s², from 0 to 1; it cancels for small s."""
    if s > 0.3:
        return 1.0 - 3.0 / (math.tanh(s) * s) + 3.0 / (s * s)
    x = s * s
    return x / 15.0 - 2.0 * x**2 / 315.0 + x**3 / 1575.0 - 2.0 * x**4 / 31185.0


def _positive(owner: str, field: str, value: Any, unit: str) -> float:
    checked = number(owner, field, value)
    if checked <= 0.0:
        raise ModelError(f"{owner}: {field} is {checked:g} {unit}; it must be positive")
    return checked
