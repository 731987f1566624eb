"""Numbers with units: "9.9 mm" is 0.0099 where metres are wanted, and refused where newtons are.

Units are those of pint. Angles count: 5000 rpm is an angular velocity, 50 Hz is none; what holds a turn is in N·m/rad,
not N·m. Only a number and a unit are read, no arithmetic.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache
from typing import Any

from gudgeon.errors import ModelError, did_you_mean

NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
POWER = r"(?:(?:\^|\*\*)\(?-?\d(?:\.\d{1,3})?\)?|[²³])?"
NAME = rf"[^\W\d_]+{POWER}|°|1(?=\s*/)"
_QUANTITY = re.compile(rf"\s*({NUMBER})\s*((?:{NAME})(?:\s*[*/·.]\s*(?:{NAME})|\s+(?:{NAME}))*)\s*")
LONGEST = 80  # letters of a quantity
COMMON = ("m", "mm", "µm", "um", "kg", "g", "s", "ms", "N", "kN", "Pa", "MPa", "GPa", "cP", "rad", "deg", "rpm", "Hz")
COMMON += ("meter", "millimeter", "newton", "pascal", "second", "degree")


def is_quantity(text: str) -> bool:
    """Whether a text is a number and a unit.

    >>> is_quantity("9.9 mm"), is_quantity("9.9*t")
    (True, False)
    """
    return len(text) <= LONGEST and _QUANTITY.fullmatch(text) is not None


def in_si(text: str, unit: str) -> float:
    """The number of a text in this SI unit, or a ModelError that does not name its place.

    >>> in_si("9.9 mm", "m"), round(in_si("5000 rpm", "rad/s"), 3)
    (0.0099, 523.599)
    """
    match = _QUANTITY.fullmatch(text) if len(text) <= LONGEST else None
    if match is None:
        raise ModelError(f"{text[:LONGEST]!r} is no number; {wanted_in(unit)}")
    if not unit:
        raise ModelError(f"{text!r} has a unit, but this is a pure number; leave the unit out")
    factor, dimension = _root(match[2])
    wanted, dimension_wanted = _root(unit)
    if dimension != dimension_wanted:
        raise ModelError(f"{text!r} is of another dimension; {wanted_in(unit)}")
    number, ratio = float(match[1]), factor / wanted
    exact = Fraction(ratio).limit_denominator(10**15)
    if math.isfinite(number) and abs(float(exact) - ratio) <= 4e-16 * ratio:
        return float(Fraction(repr(number)) * exact)  # 19.6 g is 0.0196 kg, the float nearest to it
    return number * ratio


def wanted_in(unit: str) -> str:
    """The end of a message: what to give."""
    return f"give a number in {unit}, or a text such as '5 {unit}'" if unit else "give a number"


@cache
def _root(unit: str) -> tuple[float, tuple[tuple[str, float], ...]]:
    """The factor to SI, and of which powers of base units it is; radians are one of them."""
    registry = _registry()
    text = (
        re.sub(r"[·.](?=\D)", "*", re.sub(r"\bN(?=(m|mm|s)\b)", "N*", unit))
        .replace("^", "**")
        .replace("²", "**2")
        .replace("³", "**3")
    )
    try:
        factor, root = registry.get_root_units(re.sub(r"(?<=[\w)])\s+(?=\w)", "*", text))
    except Exception as error:  # pint raises many kinds
        names = [name for name in re.findall(r"[^\W\d_]+", unit) if name not in registry]
        if names:
            raise ModelError(f"the unit {names[0]!r} is not known; {did_you_mean(names[0], COMMON)}") from None
        raise ModelError(f"the unit {unit!r} cannot be read ({error}); write it like N*s/m") from None
    factor = float(factor)  # to metre, gram, second
    powers = sorted((str(name), round(float(power), 6)) for name, power in root._units.items())
    return factor, tuple(powers)


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(cache_folder=None)
