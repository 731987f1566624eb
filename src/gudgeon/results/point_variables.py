"""What happens in guides, pins and flexible bodies over time, as variables of a result's Dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.joints import Revolute
from gudgeon.mechanics.point_rows import across
from gudgeon.mechanics.state_layout import poses
from gudgeon.models.penalty_pin import PenaltyPin
from gudgeon.rotations import turned, unit

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

PLANE = ["x", "y"]
CONTACT_VARIABLES = (
    ("guide_gap", "m", "gap between surface point and guide; negative: penetration"),
    ("guide_gap_rate", "m/s", "rate of the gap"),
    ("guide_sliding_velocity", "m/s", "velocity of the surface point along the guide"),
    ("guide_normal_force", "N", "normal force of the guide on the surface point"),
    ("guide_friction_force", "N", "friction on the surface point, along the axis"),
)


def point_variables(equations: Equations, states: np.ndarray, out: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Variables and coordinates; dimensions `surface_point`, `pin`, `node` and `plane` (the body's x and y axes)."""
    flexible = equations.flexible
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {}

    def add(name: str, dims: tuple[str, ...], values: np.ndarray, units: str, long_name: str) -> None:
        variables[name] = (dims, np.ascontiguousarray(values), {"units": units, "long_name": long_name})

    names, surfaces, contacts = _surface_points(equations, states, out)
    if names:
        coordinates["surface_point"] = np.array(names, dtype=str)
        coordinates["surface"] = ("surface_point", np.array(surfaces, dtype=str))
        for column, (name, units, text) in enumerate(CONTACT_VARIABLES):
            add(name, ("time", "surface_point"), contacts[:, :, column], units, text)
    pins, gap, force = _pins(equations, out)
    if pins:
        coordinates["pin"] = np.array(pins, dtype=str)
        dims = ("time", "pin", "plane")
        add("pin_gap", dims, gap, "m", "flexible (or child's) side of the pin minus the other, in the plane")
        add("pin_force", dims, force, "N", "force of the pin on its flexible (or child's) side, in the plane")
    if flexible is not None and flexible.node_names:
        coordinates["node"] = np.array(flexible.node_names, dtype=str)
        u, v = states[:, equations.layout.displacements], states[:, equations.layout.rates]
        size = flexible.unknown_count
        dims = ("time", "node", "plane")
        add("node_displacement", dims, u.reshape(len(u), size // 2, 2), "m", "displacement of the nodes, body's axes")
        add("node_velocity", dims, v.reshape(len(v), size // 2, 2), "m/s", "velocity of the nodes, body's axes")
    if variables:
        coordinates["plane"] = PLANE
    return variables, coordinates


def _surface_points(equations: Equations, states: np.ndarray, out: Any) -> tuple[list[str], list[str], np.ndarray]:
    """Names and walls of all surface points of sliders, and (samples, points, variables) as CONTACT_VARIABLES."""
    from gudgeon.kernels.dynamics import arrays

    system, points, table = equations.system, equations.points, equations.model.compliant
    lines = [k for k, wall in enumerate(equations.compliant.walls) if wall]
    names = [equations.compliant.labels[k] for k in lines]
    walls = [equations.compliant.walls[k] for k in lines]
    n = len(system.bodies)
    pose = poses(equations.body_motion(states), n)
    values = np.zeros((len(states), len(lines), len(CONTACT_VARIABLES)))
    for c, k in enumerate(lines):
        guide, told = table[k, arrays.SOCKET], out.joint[:, k]
        along = np.broadcast_to(equations.model.compliant_vector[k, arrays.SOCKET_AXES :][:3], (len(states), 3))
        if guide > 0:
            along = turned(unit(pose[:, guide - 1, 3:]), along)
        values[:, c, 0], values[:, c, 1] = -told[:, arrays.REPORT_PENETRATION], -told[:, arrays.REPORT_RATE]
        for column, at in ((2, arrays.REPORT_SLIDING), (4, arrays.REPORT_FRICTION)):
            values[:, c, column] = np.sum(told[:, at : at + 3] * along, axis=1)
        values[:, c, 3] = told[:, arrays.REPORT_NORMAL]
    if points is not None:
        names, walls = [*names, *points.names], [*walls, *points.walls]
        values = np.concatenate([values, out.wall], axis=1)
    return names, walls, values


def _pins(equations: Equations, out: Any) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Names of all pins that yield, and (samples, pins, 2) their gaps and forces in the plane."""
    from gudgeon.kernels.elements.point_arrays import PIN_FORCE, PIN_GAP
    from gudgeon.kernels.outputs.joint_outputs import OUT_ECCENTRICITY

    system, names = equations.system, []
    gap, force = [out.pin[:, :, PIN_GAP : PIN_GAP + 2]], [out.pin[:, :, PIN_FORCE:]]
    for k, name in enumerate(equations.compliant.names):
        joint = system.joints[name]
        if isinstance(joint, Revolute) and isinstance(joint.model, PenaltyPin):
            plane = np.stack(across(np.array(joint.axis)), axis=1)
            gap.append(out.joint[:, k, None, OUT_ECCENTRICITY : OUT_ECCENTRICITY + 3] @ plane)
            force.append(out.force[:, list(system.joints).index(name), None] @ plane)
            names.append(name)
    of_rows = [] if equations.points is None else equations.points.pin_names
    return [*of_rows, *names], np.concatenate(gap, axis=1), np.concatenate(force, axis=1)
