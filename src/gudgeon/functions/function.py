"""What a user may give as a function of time: a number, an expression in t, or a Python function of t.

`check_function` looks at it when the model is described; `Programs` turns it into a program of the stack
machine (`kernels/functions/postfix.py`) when the model is compiled. A Python function becomes one instruction, a call.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.functions.callables import check_callable, compiled
from gudgeon.functions.expressions import constant, derivative, evaluate, parse, postfix
from gudgeon.kernels.functions import opcodes

Function = float | str | Callable[[float], float]
Program = list[tuple[int, float]]  # opcode, operand


def check_function(owner: str, field: str, value: Any, length: int = 1) -> Function:
    """`value` as a function of time, or a `ModelError`; with `length` 3 a function that returns a tuple."""
    where = f"{owner}: {field}"
    if callable(value):
        check_callable(where, value, length)
        return cast("Function", value)
    if length != 1:
        raise ModelError(f"{where} is {value!r}; give a Python function of t that returns {length} numbers")
    if isinstance(value, str):
        _programs(where, value)
        first = evaluate(parse(value), 0.0)
        if not math.isfinite(first):
            raise ModelError(f"{where}: expression {value!r} is {first} at t = 0; it must have a value at every t")
        return value
    try:
        x = float(value)
    except OverflowError:
        x = math.inf
    except (TypeError, ValueError):
        x = None
    if x is None or isinstance(value, bool):
        raise ModelError(f"{where} is {value!r}; give a number, an expression in t or a Python function of t")
    if not math.isfinite(x):
        raise ModelError(f"{where} is {x}; give a finite number")
    return x


def constant_value(value: Function) -> float | None:
    """The value of a number or of an expression without t, otherwise None."""
    if callable(value):
        return None
    return constant(parse(value)) if isinstance(value, str) else float(value)


def values_at(value: Function, times: np.ndarray) -> np.ndarray:
    """The values at these times [s], computed in Python."""
    if callable(value):
        return np.array([value(t) for t in times.tolist()], dtype=float)
    if not isinstance(value, str):
        return np.full(len(times), float(value))
    expression = parse(value)
    return np.array([evaluate(expression, t) for t in times.tolist()], dtype=float)


class Programs:
    """Collects the programs of a model; `.arrays()` is what the compiled code reads.

    `.keep` holds the compiled Python functions: the addresses in the arrays are valid as long as they live.
    """

    def __init__(self):
        self.keep: list[Any] = []
        self._instructions: list[tuple[int, float, int]] = []  # opcode, operand, address
        self._starts = [0]
        self._constants: dict[float, int] = {}

    def add(self, owner: str, field: str, value: Function) -> int:
        """The index of the program of `value`; equal constants share one."""
        x = constant_value(value)
        if x is None:
            return self._append(owner, field, value)
        if x not in self._constants:
            self._constants[x] = self._append(owner, field, x)
        return self._constants[x]

    def add_derivatives(
        self,
        owner: str,
        field: str,
        value: Function,
        rate: Function | None = None,
        acceleration: Function | None = None,
    ) -> int:
        """The index of the first of three programs: value, d/dt, d²/dt².

        The derivatives of a number or an expression are found here, those of a Python function must be given.
        """
        if not callable(value):
            return self._group(_programs(f"{owner}: {field}", value, derivatives=2))
        if rate is None or acceleration is None:
            raise ModelError(
                f"{owner}: {field} is a Python function, which cannot be differentiated exactly; "
                "give its rate and acceleration as well, or write an expression in t"
            )
        index = self._append(owner, field, value)
        self._append(owner, "rate", rate)
        self._append(owner, "acceleration", acceleration)
        return index

    def add_vector(self, owner: str, field: str, value: Any) -> int:
        """The index of the first of three programs: of three functions, or of one returning three numbers."""
        if callable(value):
            address = self._address(owner, field, value, 3)
            return self._group([[(opcodes.CALL_VECTOR, float(k))] for k in range(3)], address)
        x, y, z = value
        index = self._append(owner, f"{field}[0]", x)
        self._append(owner, f"{field}[1]", y)
        self._append(owner, f"{field}[2]", z)
        return index

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Opcodes, operands, addresses, and where each program starts (with the end of the last one)."""
        return (
            np.array([op for op, _, _ in self._instructions], dtype=np.int64),
            np.array([operand for _, operand, _ in self._instructions], dtype=np.float64),
            np.array([address for _, _, address in self._instructions], dtype=np.int64),
            np.array(self._starts, dtype=np.int64),
        )

    def _append(self, owner: str, field: str, value: Function) -> int:
        if callable(value):
            return self._group([[(opcodes.CALL, 0.0)]], self._address(owner, field, value, 1))
        return self._group(_programs(f"{owner}: {field}", value))

    def _group(self, programs: list[Program], address: int = 0) -> int:
        index = len(self._starts) - 1
        for program in programs:
            self._instructions += [(op, operand, address) for op, operand in program]
            self._starts.append(len(self._instructions))
        return index

    def _address(self, owner: str, field: str, value: Callable, length: int) -> int:
        self.keep.append(compiled(f"{owner}: {field}", value, length))
        return self.keep[-1].address


def _programs(where: str, value: float | str, derivatives: int = 0) -> list[Program]:
    """The programs of a number or an expression and of its derivatives up to this order."""
    which, programs = "", []
    try:
        expression = parse(value) if isinstance(value, str) else ("number", float(value))
        programs.append(postfix(expression))
        for order in range(derivatives):
            which = ("its first derivative: ", "its second derivative: ")[order]
            expression = derivative(expression)
            programs.append(postfix(expression))
    except ModelError as error:
        raise ModelError(f"{where}: {which}{error}") from None
    return programs
