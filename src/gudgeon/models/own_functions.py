"""The functions of a user's joint model: what each takes and returns, found in its class and tried in plain Python."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any, NamedTuple

from gudgeon.errors import ModelError
from gudgeon.functions.callables import argument_names, compiled_of_motion, plain_function

TRIALS = (0.0, 1e-6, -1e-3, 0.1)  # displacements [m] and rotations [rad] at which functions are tried
RATES = (0.0, 1.0, -1e-3)  # likewise [m/s, rad/s]


class OwnFunction(NamedTuple):
    """A static method that a model may have."""

    name: str
    arguments: str
    motions: int = 2  # x, or x and v
    numbers: int = 0  # arguments between these and p
    answers: int = 6

    def of(self, owner: type) -> Callable[..., Any] | None:
        """The plain function of a class; None where it is not written."""
        method = inspect.getattr_static(owner, self.name, None)
        if method is None:
            return None
        where = f"{owner.__name__}.{self.name}"
        if not isinstance(method, staticmethod):
            raise ModelError(f"{where} is not a static method; write @staticmethod above {self.name}({self.arguments})")
        function = plain_function(where, method.__func__)
        if len(argument_names(function) or ()) != self.motions + self.numbers + 1:
            raise ModelError(f"{where} takes {inspect.signature(function)}; it must take ({self.arguments})")
        return function

    def compiled(self, where: str, function: Callable[..., Any]) -> Any:
        """As a C function."""
        return compiled_of_motion(
            f"{where}: {self.name}", function, answers=self.answers, motions=self.motions, numbers=self.numbers
        )

    def ask(self, owner: type, *arguments: Any, answers: int | None = None, finite: bool = True) -> tuple[float, ...]:
        """Ask it in plain Python, as many numbers as it has answers for; ModelError where it gives something else."""
        function, wanted = self.of(owner), self.answers if answers is None else answers
        assert function is not None
        at = ", v = ".join(f"({motion[0]:g}, …)" for motion in arguments[: self.motions])
        where = f"{owner.__name__}.{self.name} at x = {at}"
        try:
            answer = function(*arguments)
        except Exception as error:
            raise ModelError(f"{where} raises {type(error).__name__}: {error}; it must have a value there") from error
        given = (answer,) if wanted == 1 else answer
        if not isinstance(given, tuple) or len(given) != wanted:
            what = {1: "a number", 6: "a tuple of six numbers, force and torque"}
            raise ModelError(f"{where} returns {answer!r}; it must return {what.get(wanted, f'a tuple of {wanted}')}")
        if not all(isinstance(value, Real) and (math.isfinite(value) or not finite) for value in given):
            every = "it must be a finite number" if wanted == 1 else f"all {wanted} must be finite numbers"
            raise ModelError(f"{where} returns {answer!r}; {every if finite else 'give numbers'}")
        return given

    def attempts(self) -> Iterable[tuple[Any, ...]]:
        """Arguments to try it with, but p."""
        x, v = ([(value,) * 6 for value in values] for values in (TRIALS, RATES))
        return itertools.product(*(x, v)[: self.motions], *((0.0, 1e-6), RATES, (1e-4, 1.0))[: self.numbers])


WRENCH = OwnFunction("wrench", "x, v, p")
GAP = OwnFunction("gap", "x, p", motions=1, answers=1)
CONTACT = OwnFunction("contact", "x, v, delta, ddelta, impact_speed, p", numbers=3)
STORED = OwnFunction("stored_energy", "x, p", motions=1, answers=1)
REPORT = OwnFunction("report", "x, v, p")
COMPILED = (WRENCH, GAP, CONTACT, STORED)
