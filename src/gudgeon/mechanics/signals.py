"""The signals of a System as flat arrays: what is measured, where it stands, and what it is computed from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.functions.function import Programs
from gudgeon.kernels.dynamics import arrays
from gudgeon.markers import Marker
from gudgeon.mechanics.controls import Controls
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.turns import Turns
from gudgeon.rotations import rotation_matrix
from gudgeon.signals import Source, source_of
from gudgeon.system import System


class SignalLines:
    """Collects the signals that are asked for, each after those it depends on."""

    def __init__(
        self,
        system: System,
        pose: ReferencePose,
        measures: Measures,
        programs: Programs,
        turns: Turns,
        controls: Controls,
    ):
        self._system, self._pose, self._measures, self._programs, self._turns = system, pose, measures, programs, turns
        self._controls = controls
        self._lines: list[list[int]] = []
        self._vectors: list[np.ndarray] = []
        self._places: dict[tuple[str, tuple[str, ...]], int] = {}
        self._gaps: dict[int, str] = {}  # line of a gap, and its joint
        self._size = 0
        self._used = 0
        programs.signals = self

    def place(self, where: str, name: str) -> int:
        """The place of a signal in `Work.signal`."""
        source = source_of(self._system, where, name)
        key = source.kind, source.of
        if key not in self._places:
            self._places[key] = self._measured(source)
        return self._places[key] + source.component

    def vector(self, program: int, count: int) -> int:
        """The first of so many places for what a program leaves."""
        return self._add(arrays.VECTOR_SIGNAL, program, count)

    def program(self, program: int) -> int:
        """A place for what a program gives."""
        return self._add(arrays.PROGRAM_SIGNAL, program)

    def loads_are_complete(self) -> None:
        """What is placed from now on is for results alone."""
        self._used = len(self._lines)

    def named(self) -> dict[str, int]:
        """The places of the signals that the System names."""
        return {name: self.place(f"signal {name!r}", name) for name in self._system.signals}

    @property
    def used(self) -> int:
        """Lines that loads need."""
        return self._used

    def arrays(self, joints: Sequence[str]) -> dict[str, np.ndarray]:
        """The arrays of the model; `joints` are those of the lines of `Model.compliant`."""
        for line, joint in self._gaps.items():
            self._lines[line][arrays.SIGNAL_OF] = list(joints).index(joint)
        return {
            "signal": np.array(self._lines, dtype=np.int64).reshape(-1, arrays.SIGNAL_COLUMNS),
            "signal_vector": np.array(self._vectors, dtype=float).reshape(-1, arrays.SIGNAL_VECTOR_COLUMNS),
        }

    def _measured(self, source: Source) -> int:
        """A new line for a source."""
        kind, names = source.kind, source.of
        if kind == "named":
            label = f"System {self._system.name!r}, signal {names[0]!r}"
            with self._programs.knowing({}):
                program = self._programs.add(label, "value", self._system.signals[names[0]])
            return self._add(arrays.PROGRAM_SIGNAL, program)
        if kind == "switch":
            return self._add(arrays.CONTROL_SIGNAL, self._controls.place(names[0]))
        if kind == "controller":
            controller, part = names
            if self._controls.is_held(controller, part):
                return self._add(arrays.CONTROL_SIGNAL, self._controls.place(f"{controller}.{part}"))
            return self._controls.output(controller, part, self._programs)
        if kind == "joint":
            joint, coordinate = names
            turn = self._turns.of_signal(joint, coordinate) if coordinate.startswith("angle") else -1
            return self._add(arrays.JOINT_SIGNAL, self._measures.index(joint, coordinate), turn)
        if kind == "gap":
            self._gaps[len(self._lines)] = names[0]
            return self._add(arrays.GAP_SIGNAL, 0)
        marker = self._marker(names[0])
        vector = np.zeros(arrays.SIGNAL_VECTOR_COLUMNS)
        vector[arrays.SIGNAL_POINT : arrays.SIGNAL_POINT + 3] = marker.at
        body, index = self._pose.body_index[marker.body], self._pose.body_index
        if kind == "point":
            return self._add(arrays.POINT_SIGNAL, body, index[names[1]], vector)
        if kind == "own":
            vector[arrays.SIGNAL_AXES : arrays.SIGNAL_AXES + 9] = rotation_matrix(marker.orientation).T.reshape(-1)
            return self._add(arrays.OWN_SIGNAL, body, 0, vector)
        other = self._marker(names[1])
        vector[arrays.SIGNAL_SECOND : arrays.SIGNAL_SECOND + 3] = other.at
        return self._add(arrays.DISTANCE_SIGNAL, body, index[other.body], vector)

    def _marker(self, name: str) -> Marker:
        """A marker; a body is one at its centre of mass."""
        return self._system.markers[name] if name in self._system.markers else Marker(name if name else GROUND)

    def _add(self, kind: int, of: int, against: int = -1, vector: np.ndarray | None = None) -> int:
        at = self._size
        self._lines.append([kind, at, of, against])
        self._vectors.append(np.zeros(arrays.SIGNAL_VECTOR_COLUMNS) if vector is None else vector)
        self._size += against if kind == arrays.VECTOR_SIGNAL else arrays.SIGNAL_WIDTH[kind]
        return at
