"""Controls: the numbers of controllers and switches in the state, and the arrays that tell how they change.

states of continuous controllers │ states, outputs and counts of sampled ones │ switches │ rows that these switch
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.controllers import Controller
from gudgeon.drives import Lock
from gudgeon.functions.expressions import Expression
from gudgeon.functions.function import Programs, constant_value
from gudgeon.kernels.dynamics import arrays
from gudgeon.signals import sampled_outputs
from gudgeon.switches import all_switches, switched_parts
from gudgeon.system import System

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations
    from gudgeon.mechanics.state_layout import StateLayout

COUNT = "updates"  # of a sampled controller
EARLY = 1e-9  # of a period: an instant so near is at the time itself


class Controls:
    """Where each number of controllers and switches stands among the controls, by name.

    With `at_rest` sampled controllers are taken as if they were continuous, and what they make of a state in its place
    as its rate: an equilibrium needs no instants.
    """

    def __init__(self, system: System, *, at_rest: bool = False):
        self._system = system
        self._made = {name: control.made() for name, control in system.controllers.items()}
        self.names: list[str] = []  # "pid.integral", "clutch", …
        continuous = [(name, c) for name, c in self._made.items() if c.period is None or at_rest]
        self._sampled = [(name, c) for name, c in self._made.items() if c.period is not None and not at_rest]
        self._continuous = dict(continuous)
        self.states = [f"{name}.{state}" for name, c in continuous for state in c.states]
        self.scales = np.array([c.scale.get(state, 0.0) for _, c in continuous for state in c.states])
        self.names += self.states
        for name, c in self._sampled:
            self.names += [f"{name}.{part}" for part in (*c.states, *c.outputs, COUNT)]
        self._switches, self._parts = all_switches(system), switched_parts(system)
        for name in self._switches:
            self.names += [name, f"{name} energy", f"{name} turned"]
        for name in self._parts:
            self.names += [f"{name} holds", f"{name} rest"]
        self.outputs = [f"{name}.{part}" for name, c in self._made.items() for part in c.outputs]
        self._place = {name: place for place, name in enumerate(self.names)}
        self.derived: dict[str, int] = {}  # places in Work.signal of rates and updates of states, by name

    @property
    def updated(self) -> np.ndarray:
        """Which states have their next value in the place of a rate."""
        found = [made.period is not None for made in self._continuous.values() for _ in made.states]
        return np.array(found, dtype=bool)

    @property
    def parts(self) -> list[str]:
        """Drives, locks and couplings that switches let hold, in the order of `Model.switched`."""
        return list(self._parts)

    @property
    def switch_names(self) -> list[str]:
        """Of all switches."""
        return list(self._switches)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.names)

    def place(self, name: str) -> int:
        """Of a number by its name."""
        return self._place[name]

    def is_held(self, controller: str, part: str) -> bool:
        """Whether a state or output is a number of the state."""
        return f"{controller}.{part}" in self._place

    def local(self, name: str, what: str = "") -> dict[str, Expression]:
        """The names that the functions of a controller know, or one of them by what it is (`given_functions`)."""
        made = self._made[name]
        own: dict[str, Expression] = {part: ("signal", f"{name}.{part}") for part in made.known_in(what)}
        return own if made.period is None else {**own, "period": ("number", made.period)}

    def rates(self, programs: Programs) -> None:
        """Places for the rates of all continuous states: loads and they are needed at every time."""
        for name, made in self._continuous.items():
            self._derive(name, made, programs)

    def updates(self, programs: Programs) -> None:
        """Places for outputs and next states of all sampled controllers, which instants need."""
        for name, made in self._sampled:
            self._derive(name, made, programs)
            if isinstance(made.outputs, tuple):
                continue
            for part, value in made.outputs.items():
                with programs.knowing(self.local(name)):
                    place = programs.place(f"{self._label(name)}: output {part!r}", value)
                self.derived[f"{name}.{part}"] = place

    def _label(self, name: str) -> str:
        return f"{type(self._system.controllers[name]).__name__} {name!r}"

    def _derive(self, name: str, made: Controller, programs: Programs) -> None:
        """Places for what the rule of a controller gives."""
        rule, field = made.rule, "derivative" if made.period is None else "update"
        parts = [*made.states, *(made.outputs if isinstance(made.outputs, tuple) else ())]
        if rule is None or (parts and f"{name}.{parts[0]}" in self.derived):
            return
        with programs.knowing(self.local(name)):
            if callable(rule) and len(parts) > 1:
                first = programs.add_several(self._label(name), field, rule, len(parts))
                self.derived |= {f"{name}.{part}": first + k for k, part in enumerate(parts)}
                return
            for part in parts:
                value: Any = rule if callable(rule) else rule[part]
                self.derived[f"{name}.{part}"] = programs.place(f"{self._label(name)}: {field} of {part!r}", value)

    def output(self, name: str, part: str, programs: Programs) -> int:
        """The place in `Work.signal` of an input, or of an output of a continuous controller."""
        made = self._made[name]
        if isinstance(made.outputs, tuple) and part in made.outputs:
            self._derive(name, made, programs)
            return self.derived[f"{name}.{part}"]
        value = made.inputs[part] if part in made.inputs else made.outputs[part]  # type: ignore[index]
        what = "input" if part in made.inputs else "output"
        with programs.knowing(self.local(name, f"{what} {part!r}")):
            return programs.place(f"{self._label(name)}: {what} {part!r}", value)

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of the model; the crossings of switches come after those of the run."""
        which = {name: k for k, (name, _) in enumerate(self._sampled)}
        outputs = [(name, part, 0) for name, part in sampled_outputs(self._system) if name in which]
        states = [(name, part, 1) for name, made in self._sampled for part in made.states]
        assigned = [
            (self.place(f"{name}.{part}"), self.derived[f"{name}.{part}"], which[name], last)
            for name, part, last in outputs + states
        ]
        return {
            "control_rate": np.array([self.derived[name] for name in self.states], dtype=np.int64),
            "sampled": _table([(self.place(f"{name}.{COUNT}"),) for name, _ in self._sampled], arrays.SAMPLED_COLUMNS),
            "sampled_vector": np.array([(c.period, c.offset) for _, c in self._sampled], dtype=float).reshape(-1, 2),
            "assigned": _table(assigned, arrays.ASSIGNED_COLUMNS),
            "switched": _table(list(self._switched()), arrays.SWITCHED_COLUMNS),
        }

    def _switched(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Rows that switches let hold."""
        switches = list(self._switches)
        for name, part in self._parts.items():
            by = [-1 if switch is None else switches.index(switch) for switch in part]
            once = int(name in self._system.joints)
            yield self.place(f"{name} holds"), self.place(f"{name} rest"), by[0], by[1], once

    def switches(self, triggers: dict[tuple[str, int], int]) -> dict[str, np.ndarray]:
        """The arrays of switches; `triggers` are crossings by switch and by whether it turns on (1) or off (0)."""
        lines, instants = [], []
        for name, switch in self._switches.items():
            own = [self.place(part) for part in (name, f"{name} energy", f"{name} turned")]
            lines.append((*own, triggers.get((name, 1), -1), triggers.get((name, 0), -1)))
            instants.append([math.inf if t is None else t for t in (switch.at, switch.until)])
        return {
            "switch": _table(lines, arrays.SWITCH_COLUMNS),
            "switch_vector": np.array(instants, dtype=float).reshape(-1, 2),
        }

    def absolute_tolerances(self, layout: StateLayout, rtol: float, atol: float) -> float | np.ndarray:
        """For a solver that knows nothing of controllers, one for each number of the state."""
        if not self.scales.any():
            return atol
        out = np.full(layout.size, atol)
        own = out[layout.controls][: len(self.scales)]
        own[self.scales > 0.0] = rtol * self.scales[self.scales > 0.0]
        return out

    def start(self, equations: Equations, y: np.ndarray, time: float) -> None:
        """The controls of a run that begins at a time, into the state y: initial values, and what a clock tells.

        An initial value that is an expression is evaluated one after the other, at the motion of the state.
        """
        own = y[equations.layout.controls]
        own[:] = 0.0
        for name, made in self._made.items():
            for state, value in made.states.items():
                own[self.place(f"{name}.{state}")] = constant_value(value) or 0.0
        for name, made in self._sampled:
            assert made.period is not None
            missed = math.ceil((time - made.offset) / made.period - EARLY)
            own[self.place(f"{name}.{COUNT}")] = max(0, missed)
        for name, switch in self._switches.items():
            passed = [at is not None and at < time for at in (switch.at, switch.until)]
            own[self.place(f"{name} turned")] = sum(passed)
            own[self.place(name)] = float(passed == [True, False])
        for name, (since, until) in self._parts.items():
            if not isinstance(self._system.drives.get(name), Lock):  # locks begin to hold with the run
                on = since is None or own[self.place(since)] > 0.0
                own[self.place(f"{name} holds")] = float(on and (until is None or own[self.place(until)] == 0.0))

    def evaluate_initial(self, equations: Equations, y: np.ndarray, time: float) -> None:
        """Initial values that are expressions, one after the other, at the motion of the state y."""
        from gudgeon.kernels.outputs.load_outputs import signals_at

        for name, place in equations.initial_places.items():
            signals_at(equations.model, equations.work, time, y)
            y[equations.layout.controls][self.place(name)] = equations.work.signal[place]

    def put(self, equations: Equations, y: np.ndarray, controls: Mapping[str, float]) -> None:
        """The numbers of a state by name (`State.controls`) into y; those that it does not have stay."""
        own = y[equations.layout.controls]
        for place, name in enumerate(self.names):
            own[place] = controls.get(name, own[place])

    def told(self, equations: Equations, y: np.ndarray, time: float) -> dict[str, float]:
        """All numbers of the state y by name, and outputs that follow from it."""
        from gudgeon.kernels.outputs.load_outputs import signals_at

        found = dict(zip(self.names, y[equations.layout.controls].tolist(), strict=True))
        if equations.output_places:
            signals_at(equations.model, equations.work, time, y)
        signal = equations.work.signal
        return {**{name: float(signal[place]) for name, place in equations.output_places.items()}, **found}

    def initial(self, programs: Programs) -> dict[str, int]:
        """Places in `Work.signal` for initial values that are expressions, by state."""
        found = {}
        for name, made in self._made.items():
            for state, value in made.states.items():
                if constant_value(value) is None:
                    with programs.knowing(self.local(name)):
                        found[f"{name}.{state}"] = programs.place(f"{self._label(name)}: state {state!r}", value)
        return found


def _table(lines: list[Any], columns: int) -> np.ndarray:
    return np.array(lines, dtype=np.int64).reshape(-1, columns)
