"""What Numba finds out about types again and again while it compiles kernels, found out once.

For every operation of a kernel Numba tries all that it knows for all types of operands: some thirty ways to add. What
it finds for an operator, numbers, arrays of numbers and the indices of their elements is always the same.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import float64, int64, types
from numba.core.typing import signature

from gudgeon.kernels.build.records import RecordType

EXTREMES = {min: "<", max: ">"}
OPERATORS = {bool, *(each for each in vars(operator).values() if callable(each))}
PLAIN = (types.Number, types.Boolean, types.Array, types.BaseTuple, types.SliceType)
_signatures: dict[Any, Any] = {}  # of operators, for types of operands
_attributes: dict[Any, Any] = {}  # types of attributes of arrays


class SettledContext:
    """A context of Numba that has read all that Numba knows."""

    def __init__(self, context: Any):
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def refresh(self) -> None:
        """Nothing is new: Numba looks again itself where it misses something."""


class RememberingContext(SettledContext):
    """Numba's typing context, asked for nothing that is known."""

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call: a kernel is compiled once for all integers that it is called with."""
        if isinstance(func, types.Dispatcher):
            return self._context.resolve_function_type(func, tuple(types.unliteral(each) for each in args), kws)
        key = getattr(func, "typing_key", func)
        if key in EXTREMES and len(args) > 1 and not kws:
            given = {types.unliteral(each) for each in args}
            if given <= {float64, int64}:
                number = float64 if float64 in given else int64
                return signature(number, *[number] * len(args))  # see lowering.py
        known = key in OPERATORS and not kws
        if not known or not all(isinstance(each, PLAIN) for each in args):
            return self._context.resolve_function_type(func, args, kws)
        if (func, args) not in _signatures:
            _signatures[func, args] = self._context.resolve_function_type(func, args, kws)
        return _signatures[func, args]

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """The signature of an assignment to an element."""
        key = operator.setitem, (target, index, value)
        if not all(isinstance(each, PLAIN) for each in key[1]):
            return self._context.resolve_setitem(target, index, value)
        if key not in _signatures:
            _signatures[key] = self._context.resolve_setitem(target, index, value)
        return _signatures[key]

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        """The type of an attribute."""
        if isinstance(typ, RecordType):
            return typ.fields.get(attr)
        if not isinstance(typ, types.Array):
            return self._context.resolve_getattr(typ, attr)
        if (typ, attr) not in _attributes:
            _attributes[typ, attr] = self._context.resolve_getattr(typ, attr)
        return _attributes[typ, attr]
