"""What a user may give as a function: a number, an expression, a table, or a Python function, of time and signals.

`check_function` looks at it when the model is described; `Programs` turns it into a program of the stack machine
(`kernels/functions/stack_machine.py`) when the model is compiled. A Python function becomes one instruction, a call; so
does a table. Names of signals stand for places that a `Places` tells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.functions.callables import TIME, argument_names, check_callable, compiled, of_signals
from gudgeon.functions.expressions import (
    Expression,
    constant,
    derivative,
    evaluate,
    parse,
    replaced,
    signals_in,
)
from gudgeon.functions.postfix import postfix
from gudgeon.functions.table import Table
from gudgeon.kernels.functions import opcodes

Function = float | str | Callable[..., float] | Table
Program = list[tuple[int, float]]  # opcode, operand


class Places(Protocol):
    """Where signals are found when a program runs."""

    def place(self, where: str, name: str) -> int:
        """The place of a signal."""
        ...

    def vector(self, program: int, count: int) -> int:
        """The first of so many places for what a program gives."""
        ...

    def program(self, program: int) -> int:
        """A place for what a program gives."""
        ...


def check_function(owner: str, field: str, value: Any, length: int = 1, *, signals: bool = True) -> Function:
    """`value` as a function of time (and `signals`), or a `ModelError`; with `length` 3 one that returns a tuple."""
    where = f"{owner}: {field}"
    what = "t or signals" if signals else "t"
    if isinstance(value, Table) and length == 1:
        if not signals and value.of != "t":
            raise ModelError(f"{where}: the table is of {value.of!r}; only a table of the time, of='t', is taken here")
        return value
    if callable(value):
        check_callable(where, value, length, signals=signals)
        return cast("Function", value)
    if length != 1:
        raise ModelError(f"{where} is {value!r}; give a Python function of {what} that returns {length} numbers")
    if isinstance(value, str):
        expression = _expression(where, value, signals)
        try:
            postfix(replaced(expression, _anywhere))
        except ModelError as error:
            raise ModelError(f"{where}: {error}") from None
        if not any(True for _ in signals_in(expression)):
            first = evaluate(expression, 0.0)
            if not math.isfinite(first):
                raise ModelError(f"{where}: expression {value!r} is {first} at t = 0; it must have a value at every t")
        return value
    try:
        x = float(cast("Any", value))
    except OverflowError:
        x = math.inf
    except (TypeError, ValueError):
        x = None
    if x is None or isinstance(value, bool):
        raise ModelError(f"{where} is {value!r}; give a number, an expression in t or a Python function of t")
    if not math.isfinite(x):
        raise ModelError(f"{where} is {x}; give a finite number")
    return x


def _anywhere(leaf: Expression) -> Expression:
    return ("slot", 0) if leaf[0] == "signal" else leaf


def _expression(where: str, value: str, signals: bool = True) -> Expression:
    try:
        return parse(value, signals=signals)
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from None


def constant_value(value: Function) -> float | None:
    """The value of a number or of an expression without t and signals, otherwise None."""
    if isinstance(value, Table) or callable(value):
        return None
    return constant(parse(value, signals=True)) if isinstance(value, str) else float(value)


def arguments_of(value: Any) -> Iterator[tuple[str, str]]:
    """The signals that a function depends on, each with what says so in a message; not the time."""
    if isinstance(value, Table):
        for name in signals_in(parse(value.of, signals=True)):
            yield name, f"the table is of {value.of!r}"
    elif callable(value):
        for name in argument_names(cast("Any", getattr(value, "py_func", value))) or ():
            if name not in TIME:
                yield signal_named(name), f"function {cast('Any', value).__name__!r} takes {name!r}"
    elif isinstance(value, str):
        for name in signals_in(parse(value, signals=True)):
            yield name, f"expression {value!r}"


def signal_named(argument: str) -> str:
    """The signal that the argument of a function stands for: two underscores are a dot."""
    return argument.replace("__", ".")


def depends_on_motion(value: Any) -> bool:
    """Whether a function has other arguments than the time."""
    return any(True for _ in arguments_of(value))


def values_at(value: Function, times: np.ndarray) -> np.ndarray:
    """The values of a function of time at these times [s], computed in Python."""
    if isinstance(value, Table):
        x = parse(value.of, signals=True)
        return np.array([value.at(evaluate(x, t)) for t in times.tolist()], dtype=float)
    if callable(value):
        return np.array([value(t) for t in times.tolist()], dtype=float)
    if not isinstance(value, str):
        return np.full(len(times), float(value))
    expression = parse(value, signals=True)
    return np.array([evaluate(expression, t) for t in times.tolist()], dtype=float)


class Programs:
    """Collects the programs of a model; `.arrays()` is what the compiled code reads.

    `.keep` holds the compiled Python functions: the addresses in the arrays are valid as long as they live. `.signals`
    tells where signals are; without it there are none.
    """

    def __init__(self):
        self.keep: list[Any] = []
        self.signals: Places | None = None
        self.local: dict[str, Expression] = {}  # names that mean something in the load at hand alone
        self._instructions: list[tuple[int, float, int]] = []  # opcode, operand, address
        self._starts = [0]
        self._constants: dict[float, int] = {}
        self._tables: list[np.ndarray] = []
        self._table_starts: dict[Table, int] = {}

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
        value: Function | Expression,
        rate: Function | None = None,
        acceleration: Function | None = None,
    ) -> int:
        """The index of the first of three programs of the time: value, d/dt, d²/dt².

        The derivatives of a number, an expression or a table are found here, those of a Python function must be given.
        """
        if isinstance(value, Table):
            at = float(self.place_of(value))
            ops = (opcodes.TABLE, opcodes.TABLE_SLOPE, opcodes.TABLE_CURVATURE)
            return self._group([[(opcodes.TIME, 0.0), (op, at)] for op in ops])
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
        if callable(value) and of_signals(value):
            assert self.signals is not None
            place = self.add_several(owner, field, value, 3)
            return self._group([[(opcodes.SIGNAL, float(place + k))] for k in range(3)])
        if callable(value):
            address = self._address(owner, field, value, 3)
            return self._group([[(opcodes.CALL_VECTOR, float(k))] for k in range(3)], address)
        x, y, z = value
        programs = [self._program(f"{owner}: {field}[{k}]", part) for k, part in enumerate((x, y, z))]
        index = len(self._starts) - 1
        for program, address in programs:
            self._group([program], address)
        return index

    def place(self, where: str, value: Function) -> int:
        """A place of a signal for the value of a function."""
        assert self.signals is not None
        program, address = self._program(where, value)
        return self.signals.program(self._group([program], address))

    def add_several(self, owner: str, field: str, value: Callable, count: int) -> int:
        """The first of `count` places of signals for what a Python function of signals returns."""
        assert self.signals is not None
        program = self._call(f"{owner}: {field}", value, opcodes.CALL_VECTOR_OF, count)
        return self.signals.vector(self._group([program], self.keep[-1].address), count)

    def add_scalar(self, owner: str, field: str, value: Function) -> int:
        """The index of the first of three programs: of a function, and two of nothing."""
        program, address = self._program(f"{owner}: {field}", value)
        index = self._group([program], address)
        self._group([[(opcodes.CONSTANT, 0.0)]] * 2)
        return index

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Opcodes, operands, addresses, and where each program starts (with the end of the last one)."""
        return (
            np.array([op for op, _, _ in self._instructions], dtype=np.int64),
            np.array([operand for _, operand, _ in self._instructions], dtype=np.float64),
            np.array([address for _, _, address in self._instructions], dtype=np.int64),
            np.array(self._starts, dtype=np.int64),
        )

    def tables(self) -> np.ndarray:
        """All tables, one after the other."""
        return np.concatenate([np.zeros(0), *self._tables])

    def _append(self, owner: str, field: str, value: Function) -> int:
        program, address = self._program(f"{owner}: {field}", value)
        return self._group([program], address)

    def _program(self, where: str, value: Function) -> tuple[Program, int]:
        """The program of a function, and the address of the one it calls; signals in it are placed before."""
        if isinstance(value, Table):
            program = self._of(where, parse(value.of, signals=True))
            return [*program, (opcodes.TABLE, float(self.place_of(value)))], 0
        if callable(value):
            if of_signals(value):
                return self._call(where, value, opcodes.CALL_OF, 1), self.keep[-1].address
            self.keep.append(compiled(where, value, 1))
            return [(opcodes.CALL, 0.0)], self.keep[-1].address
        if isinstance(value, str):
            return self._of(where, _expression(where, value)), 0
        return _programs(where, value)[0], 0

    @contextmanager
    def knowing(self, names: dict[str, Expression]) -> Iterator[None]:
        """While functions are read that know names of their own."""
        before, self.local = self.local, names
        yield
        self.local = before

    def _call(self, where: str, value: Callable, op: int, length: int) -> Program:
        """A call of a function of signals; what it calls is kept last."""
        names = argument_names(cast("Any", getattr(value, "py_func", value))) or ()
        program: Program = []
        for name in names:
            leaf = ("t",) if name in TIME else ("signal", signal_named(name))
            program += self._of(where, leaf)
        self.keep.append(compiled(where, value, length))
        several = opcodes.SEVERAL * length if op == opcodes.CALL_VECTOR_OF else 0.0
        return [*program, (op, len(names) + several)]

    def _of(self, where: str, expression: Expression) -> Program:
        """The program of an expression in t and signals."""

        def placed(leaf: Expression) -> Expression:
            if leaf[0] != "signal":
                return leaf
            if leaf[1] in self.local:
                return replaced(self.local[leaf[1]], placed)
            assert self.signals is not None
            return ("slot", self.signals.place(where, leaf[1]))

        whole = replaced(expression, placed)  # what is wrong with another function is told by its own name
        try:
            return postfix(whole)
        except ModelError as error:
            raise ModelError(f"{where}: {error}") from None

    def place_of(self, table: Table) -> int:
        """Where a table begins among all."""
        if table not in self._table_starts:
            self._table_starts[table] = sum(map(len, self._tables))
            self._tables.append(table.data)
        return self._table_starts[table]

    def _group(self, programs: list[Program], address: int = 0) -> int:
        index = len(self._starts) - 1
        for program in programs:
            self._instructions += [(op, operand, address) for op, operand in program]
            self._starts.append(len(self._instructions))
        return index

    def _address(self, owner: str, field: str, value: Callable, length: int) -> int:
        self.keep.append(compiled(f"{owner}: {field}", value, length))
        return self.keep[-1].address


def _programs(where: str, value: float | str | Expression, derivatives: int = 0) -> list[Program]:
    """The programs of a number or an expression in t and of its derivatives up to this order."""
    which, programs = "", []
    try:
        if isinstance(value, tuple):
            expression = value
        else:
            expression = parse(value) if isinstance(value, str) else ("number", float(value))
        programs.append(postfix(expression))
        for order in range(derivatives):
            which = ("its first derivative: ", "its second derivative: ")[order]
            expression = derivative(expression)
            programs.append(postfix(expression))
    except ModelError as error:
        raise ModelError(f"{where}: {which}{error}") from None
    return programs
