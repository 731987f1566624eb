"""Materials of pins and bearings: elasticity, density, expansion; values as handbooks round them, at 20 °C.

They tell a stiffness to a few per cent, of polymers to a factor of two (temperature, rate, moisture): for a part that
matters, make a `gd.Material` with what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gudgeon.checks import number, shown
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.quantities import Density, Expansion, Pressure


@dataclass(frozen=True, kw_only=True)
class Material:
    """An isotropic elastic material. Density and expansion may be left out where nothing asks for them.

    >>> import gudgeon as gd
    >>> bronze = gd.Material(name="CuSn12", youngs_modulus=95e9, poissons_ratio=0.34)
    >>> round(bronze.shear_modulus / 1e9, 2)
    35.45
    """

    name: str
    youngs_modulus: Pressure  # E [Pa]
    poissons_ratio: float  # ν [-]
    density: Density | None = None  # ρ [kg/m³]
    expansion: Expansion | None = None  # α, linear [1/K]

    def __post_init__(self):
        owner = f"Material {self.name!r}"
        for field in ("youngs_modulus", "poissons_ratio"):
            object.__setattr__(self, field, number(owner, field, getattr(self, field)))
        if self.youngs_modulus <= 0.0:
            raise ModelError(f"{owner}: youngs_modulus is {self.youngs_modulus:g} Pa; it must be positive")
        if not -1.0 < self.poissons_ratio <= 0.5:
            raise ModelError(
                f"{owner}: poissons_ratio is {self.poissons_ratio:g}; it must be above -1 and at most 0.5, "
                "steel has 0.3"
            )
        for field in ("density", "expansion"):
            value = getattr(self, field)
            if value is not None:
                object.__setattr__(self, field, number(owner, field, value))
        if self.density is not None and self.density <= 0.0:
            raise ModelError(f"{owner}: density is {self.density:g} kg/m³; it must be positive")

    @property
    def shear_modulus(self) -> float:
        """G = E/(2 (1 + ν)) [Pa]."""
        return self.youngs_modulus / (2.0 * (1.0 + self.poissons_ratio))

    @property
    def compliance(self) -> float:
        """(1 − ν²)/E [1/Pa]: its part of 1/E* of a contact."""
        return (1.0 - self.poissons_ratio**2) / self.youngs_modulus


class Materials(Mapping[str, Material]):
    """The materials that gudgeon knows by name.

    >>> import gudgeon as gd
    >>> gd.materials["bronze"].youngs_modulus
    115000000000.0
    >>> list(gd.materials)
    ['steel', 'bronze', 'grey iron', 'aluminium', 'POM', 'PTFE liner']
    """

    def __init__(self, known: tuple[Material, ...], other_names: Mapping[str, str]):
        self._known = {material.name: material for material in known}
        self._places = {name.lower(): name for name in self._known} | {k.lower(): v for k, v in other_names.items()}

    def __getitem__(self, name: str) -> Material:
        place = self._places.get(name.strip().lower()) if isinstance(name, str) else None
        if place is None:
            raise UnknownMaterial(
                f"materials: there is no {shown(name)}; {did_you_mean(name, self._known)} For another one make a "
                "gd.Material(name=, youngs_modulus=, poissons_ratio=)"
            )
        return self._known[place]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.strip().lower() in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __repr__(self) -> str:
        return f"materials: {', '.join(self._known)}"


class UnknownMaterial(ModelError, KeyError):
    """A name that is not in the table; also a KeyError."""

    def __str__(self) -> str:
        return str(self.args[0])


def _material(name: str, E: float, nu: float, rho: float, alpha: float) -> Material:
    return Material(name=name, youngs_modulus=E, poissons_ratio=nu, density=rho, expansion=alpha)


materials = Materials(
    (
        _material("steel", 207e9, 0.30, 7850.0, 12e-6),
        _material("bronze", 115e9, 0.34, 8800.0, 18e-6),  # CuSn8
        _material("grey iron", 110e9, 0.26, 7200.0, 10e-6),
        _material("aluminium", 70e9, 0.33, 2700.0, 23e-6),
        _material("POM", 2.8e9, 0.37, 1410.0, 110e-6),
        _material("PTFE liner", 0.5e9, 0.46, 2200.0, 120e-6),
    ),
    {
        "CuSn8": "bronze",
        "cast iron": "grey iron",
        "gray iron": "grey iron",
        "aluminum": "aluminium",
        "PTFE": "PTFE liner",
    },
)

OneMaterial = str | Material  # a name of gd.materials, or what was measured
PairOfMaterials = OneMaterial | tuple[OneMaterial, OneMaterial]  # of both bodies, or of bearing and journal


def material_pair(owner: str, given: Any) -> tuple[Material, Material]:
    """The materials of bearing and journal: one for both, or a pair of names or Materials.

    >>> from gudgeon.inputs.material import material_pair
    >>> [each.name for each in material_pair("pin", ("bronze", "steel"))]
    ['bronze', 'steel']
    """
    pair = tuple(given) if isinstance(given, tuple | list) else (given, given)
    if len(pair) != 2 or not all(isinstance(each, str | Material) for each in pair):
        raise ModelError(
            f"{owner}: materials is {shown(given)}; give a name of gd.materials or a gd.Material, or a pair of them "
            "for bearing and journal, as ('bronze', 'steel')"
        )
    first, second = (each if isinstance(each, Material) else _named(owner, each) for each in pair)
    return first, second


def _named(owner: str, name: str) -> Material:
    try:
        return materials[name]
    except UnknownMaterial as error:
        raise ModelError(f"{owner}: {error}") from None
