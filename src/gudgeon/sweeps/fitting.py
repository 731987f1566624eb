"""Outputs of a run among those of the others: the same names and dimensions, in the unit of the first run.

Whole numbers and floats are both numbers. A unit that can be converted is; else the run is recorded as failed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.files.quantity_text import in_si
from gudgeon.sweeps.member import FAILED, NUMBERS, TRUTH, Outcome
from gudgeon.sweeps.study import differences

OFFSET = ("degC", "degF", "°C", "°F", "celsius", "fahrenheit")  # units whose zero is another one


def fitted(outcome: Outcome, layout: dict[str, Any]) -> Outcome:
    """An outcome with its outputs in the units of a study's first run, or a failed one that says what does not fit."""
    here = outcome.layout or {}
    told = differences(_shapes(layout), _shapes(here))
    if told:
        return _failed(outcome, "; ".join(told).replace(" in the store", " there"))
    variables = {}
    for name, values in outcome.variables.items():
        first, own = layout["variables"][name], here["variables"][name]
        try:
            values = _converted(values, own["attrs"].get("units", ""), first["attrs"].get("units", ""))
        except ModelError as error:
            return _failed(outcome, f"{name} {error}")
        if first["dtype"] == "<i8" and not np.array_equal(values, np.trunc(values)):  # stores of before
            return _failed(outcome, f"{name} is a whole number there and {values!r} here")
        variables[name] = values
    return replace(outcome, variables=variables)


def _failed(outcome: Outcome, what: str) -> Outcome:
    said = f"its outputs are not those of the first run: {what}"
    return replace(outcome, status=FAILED, error=said, variables={})


def _shapes(layout: dict[str, Any]) -> dict[str, Any]:
    """What must be the same in all runs."""
    variables = {
        name: {"dims": each["dims"], "shape": each["shape"]}
        | {"numbers": "truths" if each["dtype"] == "|b1" or each["attrs"].get(NUMBERS) == TRUTH else "numbers"}
        for name, each in layout.get("variables", {}).items()
    }
    coordinates = {
        name: {"dims": each["dims"], "values": each["values"], "units": each["attrs"].get("units", "")}
        for name, each in layout.get("coordinates", {}).items()
    }
    return {"variables": variables, "coordinates": coordinates}


def _converted(values: np.ndarray, here: str, there: str) -> np.ndarray:
    """Numbers in the unit of the first run; a ModelError that names both units where that cannot be done."""
    if here.strip() == there.strip():
        return values
    said = f"is in {here or 'no unit'} here and in {there or 'no unit'} there"
    if not here or not there or any(offset in unit for offset in OFFSET for unit in (here, there)):
        raise ModelError(f"{said}; give one unit in all runs")
    try:
        return values * in_si(f"1 {here}", there)
    except ModelError:
        raise ModelError(f"{said}, which are not of one dimension or not known; give one unit in all runs") from None
