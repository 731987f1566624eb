"""The layout of the state vector, the only place outside compiled code that knows it.

    y = (positions, velocities, turns, controls, states of joints, displacements of nodes, velocities of nodes)

Positions and velocities are the bodies' in absolute coordinates, those of the tree's joints in relative ones. Turns are
angles counted over full turns (turns.py), controls are numbers of controllers and switches (controls.py), joints keep
bristles and the energy that they have dissipated.

In absolute coordinates a body has 7 positions, r and its quaternion, and 6 velocities, v and ω, world axes:

    y = (r₁ p₁ … rₙ pₙ, v₁ ω₁ … vₙ ωₙ, …)

The functions below give views of one state or of many, whose last axis is y's, for all n bodies at once; writing into a
view writes into the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

POSITIONS = 7  # of a body
VELOCITIES = 6
MOTION = POSITIONS + VELOCITIES


@dataclass(frozen=True)
class StateLayout:
    """Where the parts of the state are: slices of y.

    >>> StateLayout.of(positions=7, velocities=6, turns=1).turns
    slice(13, 14, None)
    """

    positions: slice
    velocities: slice
    turns: slice  # [rad]
    controls: slice  # of controllers and switches, in their own units
    joints: slice  # bristles, then dissipated energies [J]
    displacements: slice  # of nodes [m]
    rates: slice  # their velocities [m/s]

    @classmethod
    def of(
        cls, *, positions: int, velocities: int, turns: int = 0, controls: int = 0, joints: int = 0, unknowns: int = 0
    ) -> StateLayout:
        """The layout with so many of each; `unknowns` are the displacements of nodes."""
        counts = (positions, velocities, turns, controls, joints, unknowns, unknowns)
        return cls(*(slice(*ends) for ends in pairwise(accumulate(counts, initial=0))))

    @classmethod
    def with_nodes(cls, layout: StateLayout) -> StateLayout:
        """The same parts with displacements and velocities of nodes at the end of positions and velocities."""
        nodes = layout.rates.stop - layout.rates.start
        bodies, twists = layout.positions.stop, layout.velocities.stop - layout.velocities.start
        first, end = bodies + nodes, bodies + twists + 2 * nodes
        return cls(
            positions=slice(0, first),
            velocities=slice(first, end),
            turns=_shifted(layout.turns, 2 * nodes),
            controls=_shifted(layout.controls, 2 * nodes),
            joints=_shifted(layout.joints, 2 * nodes),
            displacements=slice(bodies, first),
            rates=slice(end - nodes, end),
        )

    def set_nodes(self, y: np.ndarray, nodes: Sequence[float]) -> None:
        """Displacements, then velocities of all nodes, into y; nothing where their number is another."""
        if len(nodes) == 2 * len(y[self.rates]):
            y[self.displacements], y[self.rates] = np.split(np.array(nodes), 2)

    @property
    def size(self) -> int:
        """Length of y; at least one, for integrators: bodies welded to the ground have no state."""
        return max(1, self.joints.stop, self.rates.stop)


def _shifted(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)


def poses(y: np.ndarray, n: int) -> np.ndarray:
    """Positions and quaternions of n bodies, a view (…, n, 7) [m, -].

    >>> y = np.arange(26.0)
    >>> poses(y, 2)[1].tolist()
    [7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0]
    """
    return y[..., : POSITIONS * n].reshape(*y.shape[:-1], n, POSITIONS)


def positions(y: np.ndarray, n: int) -> np.ndarray:
    """Positions of the centres of mass of n bodies, a view (…, n, 3) [m].

    >>> positions(np.arange(26.0), 2)[1].tolist()
    [7.0, 8.0, 9.0]
    """
    return poses(y, n)[..., :3]


def quaternions(y: np.ndarray, n: int) -> np.ndarray:
    """Orientations of n bodies, scalar first, a view (…, n, 4) [-].

    >>> quaternions(np.arange(26.0), 2)[1].tolist()
    [10.0, 11.0, 12.0, 13.0]
    """
    return poses(y, n)[..., 3:]


def twists(y: np.ndarray, n: int) -> np.ndarray:
    """Velocities and angular velocities of n bodies, a view (…, n, 6) [m/s, rad/s].

    >>> twists(np.arange(26.0), 2)[1].tolist()
    [20.0, 21.0, 22.0, 23.0, 24.0, 25.0]
    """
    return y[..., moving(n)].reshape(*y.shape[:-1], n, VELOCITIES)


def moving(n: int) -> slice:
    """Where the velocities of n bodies are.

    >>> moving(2)
    slice(14, 26, None)
    """
    return slice(POSITIONS * n, MOTION * n)


def beyond(n: int) -> slice:
    """Where all that comes after the motion of n bodies is.

    >>> beyond(2)
    slice(26, None, None)
    """
    return slice(MOTION * n, None)
