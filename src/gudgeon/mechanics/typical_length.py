"""Typical lengths of a mechanism, by which displacements are compared with turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.kernels.dynamics import arrays

if TYPE_CHECKING:
    from gudgeon.kernels.dynamics.arrays import Model
    from gudgeon.mechanics.equations import Equations


def typical_length(equations: Equations) -> float:
    """The longest arm of a body, from its centre of mass to a joint or load, or its radius of gyration [m].

    >>> import gudgeon as gd
    >>> from gudgeon.mechanics.equations import equations_of_motion
    >>> round(typical_length(equations_of_motion(gd.examples.spatial_four_bar())), 6)
    0.112491
    """
    model = equations.model
    arms = [np.sqrt(np.trace(body.inertia) / (2.0 * body.mass)) for body in equations.system.bodies.values()]
    points = model.block[:, arrays.KIND] == arrays.POINTS
    for bodies, vectors in (
        (model.block[points][:, [arrays.PARENT, arrays.CHILD]], model.block_vector[points]),
        (model.load[:, [arrays.FIRST, arrays.SECOND]], model.load_vector),
        (model.compliant[:, [arrays.SOCKET, arrays.BALL]], model.compliant_vector[:, :6]),
    ):
        for side in (0, 1):
            lengths = np.linalg.norm(vectors[:, 3 * side : 3 * side + 3], axis=1)
            arms += list(lengths[bodies[:, side] > 0])
    return float(max(arms))


def length_of_joints(model: Model) -> float:
    """The longest distance of a joint's point from the origin of its body, the ground's too; 1 without points [m].

    What closes joints weighs turns with it (`Equations.joint_length`). Not `typical_length`, which forces have a part
    in: where a mechanism is assembled must not depend on its loads.
    """
    points = model.block_vector[model.block[:, arrays.KIND] == arrays.POINTS].reshape(-1, 3)
    longest = np.linalg.norm(points, axis=1).max(initial=0.0)
    return float(longest) if longest > 0.0 else 1.0


def twist_units(equations: Equations) -> np.ndarray:
    """(6 bodies) by which displacements and turns of all bodies are compared: that length, and a radian."""
    return np.tile([equations.joint_length] * 3 + [1.0] * 3, len(equations.system.bodies))
