"""What happens in guides, pins and flexible bodies over time, as variables of a result's Dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

PLANE = ["x", "y"]


def slider_variables(equations: Equations, states: np.ndarray, out: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Variables and coordinates; dimensions `surface_point`, `pin`, `node` and `plane` (the body's x and y axes)."""
    from gudgeon.kernels.elements import slider_arrays as places

    sliders = equations.sliders
    if sliders is None:
        return {}, {}
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {}

    def add(name: str, dims: tuple[str, ...], values: np.ndarray, units: str, long_name: str) -> None:
        variables[name] = (dims, np.ascontiguousarray(values), {"units": units, "long_name": long_name})

    if sliders.contact_names:
        coordinates["surface_point"] = np.array(sliders.contact_names, dtype=str)
        coordinates["surface"] = ("surface_point", np.array(sliders.contact_surface, dtype=str))
        for name, column, units, text in (
            ("guide_gap", places.GAP, "m", "gap between surface point and guide; negative: penetration"),
            ("guide_gap_rate", places.GAP_RATE, "m/s", "rate of the gap"),
            ("guide_sliding_velocity", places.SLIDING, "m/s", "velocity of the surface point along the guide"),
            ("guide_normal_force", places.NORMAL_FORCE, "N", "normal force of the guide on the surface point"),
            ("guide_friction_force", places.FRICTION_FORCE, "N", "friction on the surface point, along the axis"),
        ):
            add(name, ("time", "surface_point"), out.contact[:, :, column], units, text)
    if sliders.pin_names:
        coordinates["pin"] = np.array(sliders.pin_names, dtype=str)
        dims = ("time", "pin", "plane")
        gap, force = out.pin[:, :, places.PIN_GAP : places.PIN_GAP + 2], out.pin[:, :, places.PIN_FORCE :]
        add("pin_gap", dims, gap, "m", "flexible (or child's) side of the pin minus the other, in the plane")
        add("pin_force", dims, force, "N", "force of the pin on its flexible (or child's) side, in the plane")
    if sliders.node_names:
        coordinates["node"] = np.array(sliders.node_names, dtype=str)
        u, v = states[:, equations.layout.displacements], states[:, equations.layout.rates]
        size = sliders.unknown_count
        dims = ("time", "node", "plane")
        add("node_displacement", dims, u.reshape(len(u), size // 2, 2), "m", "displacement of the nodes, body's axes")
        add("node_velocity", dims, v.reshape(len(v), size // 2, 2), "m/s", "velocity of the nodes, body's axes")
    if variables:
        coordinates["plane"] = PLANE
    return variables, coordinates
