"""How Equations were made, for another process to make them: compiled laws are known by addresses of this one only."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.mechanics.node_coordinates import with_node_coordinates
from gudgeon.system import System
from gudgeon.topology.topology import Topology


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Plain data that can be pickled; `.equations()` gives the same Equations anew, without crossings.

    >>> from gudgeon.mechanics.equations import equations_of_motion
    >>> import gudgeon as gd
    >>> equations = equations_of_motion(gd.examples.spatial_four_bar("dry"))
    >>> Recipe.of(equations).equations().state_size == equations.state_size
    True
    """

    system: System  # as the user described it
    alpha: float  # Baumgarte's [1/s]
    beta: float  # [1/s]
    regularization: float  # ε of kernels/dynamics/elimination.py
    rows: bool  # of a nonsmooth step
    topology: Topology | None  # in relative coordinates
    nodes_among: bool  # nodes of flexible bodies are among the coordinates

    @classmethod
    def of(cls, equations: Equations) -> Recipe:
        """The recipe of these equations."""
        settings = equations.model.settings
        return cls(
            system=equations.system,
            alpha=float(settings[arrays.ALPHA]),
            beta=float(settings[arrays.BETA]),
            regularization=float(settings[arrays.REGULARIZATION]),
            rows=equations.points is not None,
            topology=None if equations.tree is None else equations.tree.topology,
            nodes_among=equations.nodes_among,
        )

    def equations(self) -> Equations:
        """The equations, flattened and with their laws compiled (or read from the cache) in this process."""
        made = equations_of_motion(self.system, alpha=self.alpha, beta=self.beta, rows=self.rows)
        if self.topology is not None:
            tree = equations_of_motion(
                made.system, alpha=self.alpha, beta=self.beta, topology=self.topology, rows=self.rows
            )
            made = dataclasses.replace(tree, absolute=made)
        if self.nodes_among:
            made, _ = with_node_coordinates(made, np.zeros(made.state_size))
        return made.with_regularization(self.regularization)
