"""Nodes of flexible bodies among the coordinates, for methods that treat all positions and velocities alike.

y = (poses, displacements of nodes, velocities, velocities of nodes, turns, controls, states of joints)
"""

from __future__ import annotations

import dataclasses

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.state_layout import StateLayout


def with_node_coordinates(equations: Equations, y: np.ndarray) -> tuple[Equations, np.ndarray]:
    """The same equations with the nodes among the coordinates, and the state y in them."""
    model, old = equations.model, equations.layout
    bodies, twists = old.positions.stop, old.velocities.stop - old.velocities.start
    nodes = old.displacements.stop - old.displacements.start
    new = StateLayout.with_nodes(old)
    shift = 2 * nodes  # of all that follows
    velocity = np.vstack([model.velocity, [(bodies + d, -1) for d in range(nodes)]])
    compliant = model.compliant.copy()
    compliant[:, arrays.WORK_STATE] += shift
    compliant[compliant[:, arrays.BRISTLE] >= 0, arrays.BRISTLE] += shift
    model = model.replaced(
        layout=np.array([bodies + nodes, twists + nodes, model.layout[arrays.CONTROLS]]),
        velocity=velocity,
        compliant=compliant,
        flexible=model.flexible.replaced(place=np.array([new.displacements.start, new.rates.start])),
    )
    out = np.zeros_like(y)
    for part in ("displacements", "rates", "turns", "controls", "joints"):
        out[getattr(new, part)] = y[getattr(old, part)]
    out[:bodies] = y[:bodies]
    out[new.velocities.start : new.velocities.start + twists] = y[old.velocities]
    absolute = equations if equations.tree is None else equations.absolute
    return dataclasses.replace(equations, model=model, absolute=absolute, nodes_among=True), out
