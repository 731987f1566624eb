"""What gears, belts, racks and screws carry and how far they yield, as variables of a Dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations
    from gudgeon.system import System


def coupling_variables(
    system: System, rigid: np.ndarray, elastic: dict[str, tuple[np.ndarray, np.ndarray]]
) -> dict[str, Any]:
    """Efforts and deflections; nothing where there are no couplings.

    `rigid` has the efforts (samples, couplings, 2) of the rigid ones, these first; `elastic` effort and deflection by
    name. Where an elastic one is missing, its effort is not known.
    """
    if not system.couplings:
        return {}
    efforts, deflection = np.full(rigid.shape, np.nan), np.zeros(rigid.shape[:2])
    place = 0
    for k, (name, coupling) in enumerate(system.couplings.items()):
        if not coupling.is_elastic:
            efforts[:, k] = rigid[:, place]
            place += 1
        elif name in elastic:
            effort, deflection[:, k] = elastic[name]
            efforts[:, k] = np.outer(effort, coupling.unit * np.array(coupling.ratio[:2]))
    meaning = "torque or force of the coupling along each of its two coordinates, on the child; see coupling_unit"
    found: dict[str, Any] = {
        "coupling_effort": (("time", "coupling", "coupled"), efforts, {"units": "N*m or N", "long_name": meaning})
    }
    if elastic:
        found["coupling_deflection"] = (
            ("time", "coupling"),
            deflection,
            {"units": "rad or m", "long_name": "deflection of elastic couplings, zero in the middle of their backlash"},
        )
    return found


def elastic_parts(equations: Equations, out: Any) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Effort along its deflection, and deflection, of every elastic coupling by name."""
    from gudgeon.kernels.dynamics.arrays import REPORT_OWN
    from gudgeon.kernels.outputs.joint_outputs import OUT_ECCENTRICITY

    return {
        name: (out.joint[:, lines, REPORT_OWN].sum(axis=1), out.joint[:, lines[0], OUT_ECCENTRICITY])
        for name, lines in lines_of_couplings(equations).items()
    }


def lines_of_couplings(equations: Equations) -> dict[str, list[int]]:
    """The lines of `Model.compliant` of every elastic coupling by name: its flanks, or its spring."""
    found = {}
    for name, coupling in equations.system.couplings.items():
        if coupling.is_elastic:
            parts = [f"{name} {flank.name}" for flank in coupling.flanks()]
            found[name] = [k for k, part in enumerate(equations.compliant.parts) if part in parts]
    return found


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
