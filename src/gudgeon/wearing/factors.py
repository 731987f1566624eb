"""Numbers that a user gives for wear, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gudgeon.checks import number, shown
from gudgeon.errors import ModelError

LARGEST = 1e-6  # coefficient that may be one [1/Pa]


def factors_of(owner: str, name: str, given: Any, surfaces: tuple[str, ...]) -> tuple[float, ...]:
    """The wear coefficients of the surfaces of a joint [1/Pa]."""
    is_number = isinstance(given, int | float | np.number)
    if not is_number and (isinstance(given, str | bytes) or not isinstance(given, Sequence | np.ndarray)):
        raise ModelError(
            f"{owner}: the coefficient of {name!r} is {shown(given)}; give a number in 1/Pa such as 1e-15, or one for "
            f"each of {', '.join(surfaces)}"
        )
    values = [given] * len(surfaces) if is_number else list(given)
    if len(values) != len(surfaces):
        raise ModelError(
            f"{owner}: {name!r} has {len(values)} coefficients; give one for each of {', '.join(surfaces)}"
        )
    found = tuple(number(owner, f"coefficient of {name!r}", value) for value in values)
    if min(found) < 0.0 or max(found) == 0.0:
        raise ModelError(f"{owner}: the coefficients of {name!r} are {found}; give what is not negative, one above 0")
    if max(found) > LARGEST:
        raise ModelError(
            f"{owner}: a coefficient of {name!r} is {max(found):g} 1/Pa; they are wear coefficients over the hardness, "
            "1e-18 to 1e-9: divide by the hardness in Pa"
        )
    return found


def positive(owner: str, field: str, value: Any, unit: str) -> float:
    """A number above zero."""
    x = number(owner, field, value)
    if x <= 0.0:
        raise ModelError(f"{owner}: {field} is {x:g} {unit}; it must be positive".replace(" ;", ";"))
    return x


def whole(owner: str, field: str, value: Any, least: int) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ModelError(f"{owner}: {field} is {value!r}; give a whole number, at least {least}")
    return int(value)
