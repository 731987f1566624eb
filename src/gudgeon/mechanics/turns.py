"""Angles that a run counts over full turns: those of torsion springs, stops, elastic couplings and signals; states."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.functions.function import arguments_of, constant_value
from gudgeon.loads import JointSpring, Motor
from gudgeon.mechanics.coordinates import Measures
from gudgeon.signals import source_of, uses
from gudgeon.stops import Stop
from gudgeon.system import System


class Counted(NamedTuple):
    """An angle that is counted."""

    name: str  # of the spring or stop, `coupled_angle`, or "signal joint.coordinate" where signals need it
    joint: str
    coordinate: str
    winds: bool  # a spring that more turns wind up


def counted_angles(system: System) -> list[Counted]:
    """All counted angles, in the order of the state: springs, stops, elastic couplings, signals (each angle once)."""
    found: list[Counted] = []
    for kind in (JointSpring, Stop):
        for name, load in system.loads.items():
            if isinstance(load, kind):
                coordinate = system.coordinate(name, load.joint, load.coordinate)
                if coordinate.startswith("angle"):
                    winds = isinstance(load, JointSpring) and constant_value(load.stiffness) != 0.0
                    found.append(Counted(name, load.joint, coordinate, winds))
    for name, coupling in system.couplings.items():
        if coupling.is_elastic:
            for place, (joint, coordinate) in enumerate(system.coupled(name)):
                if coordinate.startswith("angle"):
                    found.append(Counted(coupled_angle(name, place), joint, coordinate, False))
    for joint, coordinate in _measured_angles(system):
        found.append(Counted(f"signal {joint}.{coordinate}", joint, coordinate, False))
    return found


def coupled_angle(name: str, place: int) -> str:
    """How the first (0) or second angle of an elastic coupling is called among those counted."""
    return f"{name} {('first', 'second')[place]}"


def _measured_angles(system: System) -> list[tuple[str, str]]:
    """The angles that signals tell, in the order in which they are named."""
    names: dict[tuple[str, str], None] = {}
    for load in system.loads.values():
        if isinstance(load, Motor):
            coordinate = system.coordinate("Motor", load.joint, load.coordinate)
            asked = {name for name, _ in arguments_of(load.torque)}
            if coordinate.startswith("angle") and asked & load.local:
                names[load.joint, coordinate] = None
        for _, value in load.given_functions():
            for name, _ in arguments_of(value):
                if name not in load.local:
                    _note(system, name, names)
    for value in system.signals.values():
        for name, _ in arguments_of(value):
            _note(system, name, names)
    for use in uses(system):
        for name, _ in arguments_of(use.value):
            if name not in use.local:
                _note(system, name, names)
    return list(names)


def _note(system: System, name: str, names: dict[tuple[str, str], None]) -> None:
    source = source_of(system, "signal", name)
    if source.kind == "joint" and source.of[1].startswith("angle"):
        names[source.of[0], source.of[1]] = None


class Turns:
    """Where each counted angle stands among the turns of the state."""

    def __init__(self, system: System, measures: Measures):
        self.counted = counted_angles(system)
        self._measures = [measures.index(angle.joint, angle.coordinate) for angle in self.counted]

    def of_load(self, name: str) -> int:
        """The turn of a spring or stop; −1 where it is on a displacement."""
        return next((k for k, angle in enumerate(self.counted) if angle.name == name), -1)

    def of_signal(self, joint: str, coordinate: str) -> int:
        """The turn of an angle that is a signal."""
        return self.of_load(f"signal {joint}.{coordinate}")

    def require_counted(self, system: System, label: str, value: Any) -> None:
        """ModelError where a function is of an angle whose turns nothing counts, so that it would jump."""
        for name, _ in arguments_of(value):
            source = source_of(system, label, name)
            is_angle = source.kind == "joint" and source.of[1].startswith("angle") and not source.component
            if is_angle and self.of_signal(*source.of) < 0:
                raise ModelError(
                    f"{label}: nothing counts the turns of {name!r}; name it in System(signals={{...}}), or give "
                    f"joint={source.of[0]!r}, which compares modulo full turns"
                )

    def arrays(self) -> dict[str, np.ndarray]:
        """The array of the model."""
        return {"turn": np.array(self._measures, dtype=np.int64)}
