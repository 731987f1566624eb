"""What messages about model files say of fields: what they take, what was given, which name is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from gudgeon.checks import shown
from gudgeon.errors import did_you_mean
from gudgeon.files.kinds import Shape
from gudgeon.files.quantity_text import wanted_in


def wanted(shape: Shape) -> str:
    """The end of a message: what a field takes."""
    unit = shape.unit.name + (f" or {shape.unit.displacement}" if shape.unit.displacement else "") if shape.unit else ""
    takes = [f"{word!r}" for word in shape.words]
    named = shape.classes and not shape.expression  # functions may be tables, but seldom are
    takes += [name for name in (*shape.types, *shape.makers) if name[0].isupper()] if named else []
    if takes:
        return f"give {listed(takes)}"
    if shape.items and not shape.any_count:
        numbers = all(item.number for item in shape.items)
        return f"give a list of {len(shape.items)}" + (" numbers" if numbers else "") + (f" in {unit}" if unit else "")
    if shape.rows:
        return "give numbers" + (f" in {unit}, or texts such as '5 {unit}'" if unit else "")
    if shape.number:
        one = shape.unit is None or not shape.unit.displacement
        return (wanted_in(unit) if one else f"give a number in {unit}") + (
            ", or an expression in t" if shape.expression else ""
        )
    if shape.whole:
        return "give a whole number"
    if shape.yes_no:
        return "give true or false"
    return "give names, each with its description below it" if shape.named else "give a text"


def what(data: Any) -> str:
    """What was given, in a word."""
    kinds = ((dict, "a mapping"), (list, "a list"), (type(None), "nothing"))
    return next((word for kind, word in kinds if isinstance(data, kind)), shown(data))


def family(shape: Shape) -> str:
    """What the types of a field are called together: a joint model, a contact law."""
    return " or ".join(_spoken(kind.__name__) for kind in shape.classes) or "function"


def _spoken(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def listed(names: Iterable[str]) -> str:
    """Names, the last with an or.

    >>> listed(["Dry", "Ideal"])
    'Dry or Ideal'
    """
    names = list(names)
    return ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else "".join(names)


def nearest(name: Any, known: Iterable[str]) -> str:
    """The known name that is meant."""
    return did_you_mean(name if isinstance(name, str) else shown(name), known)
