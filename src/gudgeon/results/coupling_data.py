"""What gears, belts, racks and screws carry, as a variable of a Dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gudgeon.system import System


def coupling_variables(efforts: np.ndarray) -> dict[str, Any]:
    """The efforts (samples, couplings, 2) as a variable; nothing where there are no couplings."""
    if not efforts.shape[1]:
        return {}
    meaning = "torque or force of the coupling along each of its two coordinates, on the child; see coupling_unit"
    return {"coupling_effort": (("time", "coupling", "coupled"), efforts, {"units": "N*m or N", "long_name": meaning})}


def coupling_coordinates(system: System) -> dict[str, Any]:
    """Names and units."""
    if not system.couplings:
        return {}
    units = [
        ["N*m" if coordinate.startswith("angle") else "N" for _, coordinate in system.coupled(name)]
        for name in system.couplings
    ]
    return {
        "coupling": np.array(list(system.couplings), dtype=str),
        "coupled": np.array(["first", "second"]),
        "coupling_unit": (("coupling", "coupled"), np.array(units)),
    }
