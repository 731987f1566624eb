"""Everything at one instant of a run, to go on from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gudgeon.bodies import BodyState
from gudgeon.checks import Vec3
from gudgeon.errors import ModelError


@dataclass(frozen=True, kw_only=True)
class TouchingContact:
    """A contact that lasts: what its law remembers."""

    impact_speed: float  # δ̇⁽⁻⁾ at its begin [m/s]
    begin: float  # [s]
    largest_speed: float = 0.0  # δ̇ so far, where its law follows that [m/s]
    peak_force: float = 0.0  # so far [N]
    energy_before: float = (
        0.0  # dissipated in the joint before it began; of points that step by step count none −what it lost so far [J]
    )
    grazing: bool = False  # held closed after many micro-impacts


@dataclass(frozen=True, kw_only=True, eq=False)
class State(Mapping[str, BodyState]):
    """The state of a run at an instant: what `gd.simulate(system, duration, start=state)` goes on from.

    As a mapping it holds the state of every body by name, ready for `system.replace(start=state)`, which starts a run
    of its own at t = 0. Besides, there are the time, what springs have counted, bristles, contacts that last, states of
    controllers and switches, the nodes of flexible bodies, the energy dissipated; and how the solver goes on, which the
    state of the end of a run has: with the same system, solver and coordinates the run goes on to the last bit as if it
    had not been cut.

    >>> import gudgeon as gd
    >>> system = gd.examples.spatial_four_bar("dry")
    >>> state = gd.simulate(system, 0.1).state()
    >>> state.time, list(state)
    (0.1, ['crank', 'coupler', 'rocker'])
    >>> gd.simulate(system, 0.1, start=state).stats["end_time"]
    0.2
    """

    time: float  # [s]
    bodies: Mapping[str, BodyState]
    joints: Mapping[str, float] = field(default_factory=dict)  # "joint.coordinate", turns counted [rad, m or -]
    turns: Mapping[str, float] = field(default_factory=dict)  # counted by joint springs, by load [rad]
    bristles: Mapping[str, Vec3] = field(default_factory=dict)  # by joint, parent's axes [m]
    dissipated: Mapping[str, float] = field(default_factory=dict)  # by joint [J]
    contacts: Mapping[str, TouchingContact] = field(default_factory=dict)  # by joint, or "joint:part"
    controls: Mapping[str, float] = field(default_factory=dict)  # of controllers and switches, by name
    nodes: tuple[float, ...] = ()  # displacements, then velocities of the nodes of flexible bodies [m, m/s]
    wound: tuple[str, ...] = ()  # springs wound by more than half a turn, which bodies alone cannot tell
    memory: Any = field(default=None, repr=False)  # how the solver goes on: solvers/memory.py

    def __getitem__(self, name: str) -> BodyState:
        return self.bodies[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self.bodies)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, State):
            return self._physics() == other._physics()
        return dict(self.bodies) == dict(other) if isinstance(other, Mapping) else NotImplemented

    def _physics(self) -> tuple:
        others = (self.joints, self.turns, self.bristles, self.dissipated, self.contacts, self.controls)
        return (self.time, dict(self.bodies), *map(dict, others), self.nodes)

    def refuse_wound_springs(self) -> None:
        """A start of bodies alone does not tell how often a torsion spring is wound: refuse to lose that."""
        for name in self.wound:
            turns = self.turns[name] / (2.0 * np.pi)
            raise ModelError(
                f"state: JointSpring {name!r} is wound by {turns:.3g} turns at this sample, which the state of the "
                "bodies cannot tell; go on with gd.simulate(system, duration, start=state)"
            )
