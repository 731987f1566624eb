"""Controllers: states of the user's own that are integrated with the mechanism, or sampled at instants.

    continuous   ẋ = f(t, u, x),                  y = g(t, u, x)               at every time
    sampled      x_{k+1} = f(t_k, u_k, x_k, y_k),  y_k = g(t_k, u_k, x_k)       at t_k = offset + k period; held between

u inputs, x states, y outputs. All are signals of the name "controller.name".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gudgeon.checks import Named, number
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.functions.callables import TIME, check_callable
from gudgeon.functions.function import Function, check_function
from gudgeon.functions.grammar import ARGUMENT_COUNTS, CONSTANTS, DISTANCES, OTHER_NAMES
from gudgeon.kernels.functions.opcodes import MOST_ANSWERS
from gudgeon.quantities import Time

RESERVED = {*TIME, "period", *CONSTANTS, *ARGUMENT_COUNTS, *DISTANCES, *OTHER_NAMES}


class Control:
    """What can stand in `System(controllers=...)`; abstract."""

    def made(self) -> Controller:
        """The same as states, inputs, outputs and functions of these."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Controller(Control):
    """States of your own, integrated with the mechanism, or updated every `period` seconds and held between.

    states      {name: initial value}; an expression is evaluated at the start of the run
    inputs      {name: expression, table or function of signals}: names for what comes in
    outputs     {name: expression, table or function}; "pid.torque" is then a signal that loads, motors, crossings,
                switches and other controllers take
    derivative  of a continuous controller: {state: its rate per second}, or one Python function that returns the rates
                of all states in their order
    update      of a sampled one (`period`): {state: its next value}, or one Python function that returns all of them

    In their functions states, inputs and outputs go by their own names, everything else by that of its signal; `period`
    is one of the names where there is one. A name that is also one of the system's signals or switches is refused where
    it is used. A Python function of all states may also compute the outputs: these are then
    a tuple of names, and the function returns the states' numbers, then the outputs'.

    A sampled controller computes at every instant its outputs from its states and inputs, then its next states. The
    first instant is `offset`. Controllers that are due at once see each other's new outputs. An output that depends on
    itself without a state between is an algebraic loop, and refused.

    A step of a solver may err by rtol times the size that a state has had so far (and atol). `scale` says below which
    size errors do not matter; without it that is atol. `units` are for results.

    >>> import gudgeon as gd
    >>> integrator = gd.Controller(
    ...     states={"integral": 0.0},
    ...     inputs={"error": "0.5 - main.angle"},
    ...     derivative={"integral": "error"},
    ...     outputs={"torque": "20*error + 5*integral - 2*main.angle_rate"},
    ... )
    """

    states: Mapping[str, Function] = field(default_factory=dict)  # initial values by name
    inputs: Mapping[str, Function] = field(default_factory=dict)  # functions of signals by name
    outputs: Mapping[str, Function] | tuple[str, ...] = field(default_factory=dict)  # functions by name, or names alone
    derivative: Mapping[str, Function] | Callable[..., Any] | None = None  # rate of every state, per second
    update: Mapping[str, Function] | Callable[..., Any] | None = None  # next value of every state
    period: Time | None = None  # between two instants; None: continuous [s]
    offset: Time = 0.0  # first instant [s]
    scale: Mapping[str, float] = field(default_factory=dict)  # size of states below which errors do not matter
    units: Mapping[str, str] = field(default_factory=dict)  # of states and outputs, for results

    def __post_init__(self):
        keep = object.__setattr__
        owner = self._label()
        for given in ("states", "inputs", "outputs"):
            value = getattr(self, given)
            if given == "outputs" and isinstance(value, tuple | list):
                keep(self, given, tuple(value))
            else:
                keep(self, given, self._functions(owner, given, value))
        self._refuse_names(owner)
        rule, other = ("derivative", "update") if self.period is None else ("update", "derivative")
        if getattr(self, other) is not None:
            why = (
                "without period= it is continuous: give derivative="
                if self.period is None
                else ("with period= it is sampled: give update=")
            )
            raise ModelError(f"{owner}: {other} is given, but {why}")
        keep(self, rule, self._checked_rule(owner, rule, getattr(self, rule)))
        self._check_numbers(owner)

    def _label(self) -> str:
        parts = [part for part in (self.outputs, self.states) if isinstance(part, Mapping | tuple)]
        names = dict.fromkeys(str(name) for part in parts for name in part)
        return f"{type(self).__name__} of {', '.join(names)}" if names else type(self).__name__

    @staticmethod
    def _functions(owner: str, what: str, given: Any) -> Named[Any]:
        """Functions by name, checked."""
        named = Named(f"{owner}: {what}", given, object)
        return Named(owner, {name: check_function(owner, f"{what} {name!r}", x) for name, x in named.items()}, object)

    def _refuse_names(self, owner: str) -> None:
        """Names that are no names, or used twice."""
        seen: dict[str, str] = {}
        for what in ("states", "inputs", "outputs"):
            for name in getattr(self, what):
                if not isinstance(name, str) or not name.isidentifier() or name in RESERVED or "__" in name:
                    raise ModelError(
                        f"{owner}: {name!r} cannot name one of its {what}; use letters, digits and single _, and none "
                        f"of {', '.join(sorted(RESERVED))}"
                    )
                if name in seen:
                    raise ModelError(
                        f"{owner}: {name!r} is one of its {what} and of its {seen[name]}; give them different names (a "
                        "state is a signal by its own name)"
                    )
                seen[name] = what
        if not self.states and not self.outputs:
            raise ModelError(f"{owner}: it does nothing; give outputs={{name: expression}}, or states")

    def _checked_rule(self, owner: str, rule: str, given: Any) -> Any:
        """The derivatives or updates of all states."""
        missing = ", ".join(map(repr, self.states))
        if callable(given):
            count = len(self.states) + (len(self.outputs) if isinstance(self.outputs, tuple) else 0)
            if not 1 <= count <= MOST_ANSWERS:
                raise ModelError(
                    f"{owner}: {rule} would return {count} numbers; a Python function returns 1 to {MOST_ANSWERS}: "
                    "give {state: function}"
                )
            check_callable(f"{owner}: {rule}", given, count, signals=True)
            return given
        if isinstance(self.outputs, tuple):
            raise ModelError(
                f"{owner}: outputs are names alone, {self.outputs}, which a Python function {rule}= computes with the "
                "states; give one, or outputs={name: expression}"
            )
        if given is None:
            if self.states:
                raise ModelError(f"{owner}: nothing tells how its states change; give {rule}={{{missing}: expression}}")
            return None
        named = self._functions(owner, rule, given)
        for name in named:
            if name not in self.states:
                raise ModelError(f"{owner}: {rule} of {name!r}: no such state; {did_you_mean(name, self.states)}")
        for name in self.states:
            if name not in named:
                raise ModelError(f"{owner}: {rule} has no {name!r}; give one for every state ({missing})")
        return named

    def _check_numbers(self, owner: str) -> None:
        keep = object.__setattr__
        if self.period is not None:
            keep(self, "period", number(owner, "period", self.period))
            if not self.period > 0.0:
                raise ModelError(f"{owner}: period is {self.period:g} s; give a positive number of seconds")
        keep(self, "offset", number(owner, "offset", self.offset))
        if self.offset < 0.0 or (self.period is None and self.offset):
            raise ModelError(
                f"{owner}: offset is {self.offset:g} s; it is the first instant of a sampled controller (period=), "
                "zero or later"
            )
        scale = Named(f"{owner}: scale", self.scale, object)
        keep(self, "scale", Named(owner, {n: number(owner, f"scale of {n!r}", x) for n, x in scale.items()}, float))
        keep(self, "units", Named(f"{owner}: units", self.units, str))
        for name, size in self.scale.items():
            if name not in self.states:
                raise ModelError(f"{owner}: scale of {name!r}: no such state; {did_you_mean(name, self.states)}")
            if not size > 0.0:
                raise ModelError(f"{owner}: scale of {name!r} is {size:g}; it must be positive")
        known = [*self.states, *self.outputs]
        for name in self.units:
            if name not in known:
                raise ModelError(f"{owner}: unit of {name!r}: no such state or output; {did_you_mean(name, known)}")

    def made(self) -> Controller:
        """Itself."""
        return self

    @property
    def rule(self) -> Any:
        """How its states change: functions by state, a Python function of all, or None."""
        return self.derivative if self.period is None else self.update

    @property
    def names(self) -> list[str]:
        """Its states, inputs and outputs."""
        return [*self.states, *self.inputs, *self.outputs]

    def known_in(self, what: str) -> list[str]:
        """The names of its own that one of its functions knows, by what it is in `given_functions`."""
        return self.names

    def given_functions(self) -> Iterator[tuple[str, Any]]:
        """All its functions, each with what it is."""
        for what in ("states", "inputs", "outputs"):
            if isinstance(getattr(self, what), Mapping):
                yield from ((f"{what[:-1]} {name!r}", x) for name, x in getattr(self, what).items())
        rule = "derivative" if self.period is None else "update"
        if isinstance(self.rule, Mapping):
            yield from ((f"{rule} of {name!r}", value) for name, value in self.rule.items())
        elif self.rule is not None:
            yield rule, self.rule

    def through(self, name: str) -> list[Any]:
        """The functions that give the value of an input or output at once, without a state between."""
        if name in self.inputs:
            return [self.inputs[name]]
        if name in self.outputs:
            return [self.outputs[name]] if isinstance(self.outputs, Mapping) else [self.rule]
        return []
