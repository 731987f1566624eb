"""What controllers and switches did, as variables of `Result.data`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations


def control_variables(equations: Equations, states: np.ndarray, out: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Variables and coordinates: states and outputs of controllers, switches."""
    controls, made = equations.controls, {n: c.made() for n, c in equations.system.controllers.items()}
    own = states[:, equations.layout.controls]
    names = [f"{name}.{state}" for name, controller in made.items() for state in controller.states]
    places = [controls.place(name) for name in names]
    outputs = list(equations.output_places.values())
    switches = controls.switch_names
    variables = {
        "controller_state": (
            ("time", "state"),
            own[:, places],
            {"units": "SI", "long_name": "states of controllers"},
        ),
        "controller_output": (
            ("time", "output"),
            out.signal[:, outputs],
            {"units": "SI", "long_name": "outputs of controllers"},
        ),
        "switch_state": (
            ("time", "switch"),
            own[:, [controls.place(name) for name in switches]],
            {"units": "1", "long_name": "1 while the switch is on"},
        ),
        "switch_energy": (
            ("time", "switch"),
            own[:, [controls.place(f"{name} energy") for name in switches]],
            {"units": "J", "long_name": "energy lost so far when the switch turned"},
        ),
    }

    def units(parts: list[str]) -> np.ndarray:
        split = [part.rpartition(".") for part in parts]
        return np.array([made[name].units.get(own, "SI") for name, _, own in split], dtype=str)

    told = list(equations.output_places)
    return variables, {
        "state": np.array(names, dtype=str),
        "state_unit": ("state", units(names)),
        "output": np.array(told, dtype=str),
        "output_unit": ("output", units(told)),
        "switch": np.array(switches, dtype=str),
    }
