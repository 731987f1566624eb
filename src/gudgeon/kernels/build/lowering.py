"""How the operations of kernels become LLVM's language, where that is simple: shorter and sooner than by Numba itself.

Numba looks up every operation among all it knows for all types, twice, and prepares each for what kernels have not:
negative indices, references that are counted, divisions that raise. Here arithmetic of numbers, elements of arrays and
fields of records are written down at once; all else is left to Numba. The numbers that come out are the same.

So **an index of a kernel must not be negative**, unless it is written as a number.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import float64, int64, types
from numba.core import ir as numba_ir
from numba.core import lowering

from gudgeon.kernels.build.records import RecordType, array_of_field
from gudgeon.kernels.build.remembered import EXTREMES

Lower: Any = lowering.Lower  # has no types

ARITHMETIC: dict[Any, tuple[str, str]] = {  # of numbers, of integers
    operator.add: ("fadd", "add"),
    operator.sub: ("fsub", "sub"),
    operator.mul: ("fmul", "mul"),
    operator.truediv: ("fdiv", ""),
}
COMPARISONS = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}
NUMBERS, INTEGERS = (float64, float64), (int64, int64)
ELEMENTS = (float64, int64)


class KernelLower(Lower):
    """Numba's class of that, for functions without counted references."""

    def lower_block(self, block):
        """One block; what is known of records holds within it."""
        self._fields: dict[tuple[str, str], Any] = {}
        self.pre_block(block)
        for statement in block.body:
            self.loc = statement.loc
            try:
                self.lower_inst(statement)
            except Exception as error:
                error.add_note(f"in a kernel, {statement.loc}: {statement}")
                raise
        self.post_block(block)

    def lower_inst(self, inst):
        """One statement; nothing is to be done where a variable ends."""
        if isinstance(inst, numba_ir.Del):
            return None
        if isinstance(inst, numba_ir.StaticSetItem) and self._is_plain(inst.target):
            return self.lower_setitem(inst.target, inst.index_var, inst.value, self.fndesc.calltypes[inst])
        return super().lower_inst(inst)

    def storevar(self, value, name, argidx=None):
        """A variable has a new value; the old one needs no care."""
        kind = self.typeof(name)
        self._alloca_var(name, kind)
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def lower_expr(self, resty, expr):
        """An expression."""
        if expr.op == "getattr":
            kind = self.typeof(expr.value.name)
            if isinstance(kind, RecordType):
                return self._field(kind, expr.value.name, expr.attr)
            if isinstance(kind, types.Array) and expr.attr == "shape":
                return self._part_of(kind, self.loadvar(expr.value.name), "shape")
        if expr.op == "static_getitem" and expr.index_var is not None and self._is_plain(expr.value):
            return self.lower_getitem(resty, expr, expr.value, expr.index_var, self.fndesc.calltypes[expr])
        return super().lower_expr(resty, expr)

    def lower_binop(self, resty, expr, op):
        """Sums, differences, products, quotients and comparisons of numbers."""
        signature, builder = self.fndesc.calltypes[expr], self.builder
        of_numbers = signature.args == NUMBERS
        if not (of_numbers or signature.args == INTEGERS):
            return super().lower_binop(resty, expr, op)
        name = ARITHMETIC[op][0 if of_numbers else 1] if op in ARITHMETIC else ""
        if not name and op not in COMPARISONS:
            return super().lower_binop(resty, expr, op)
        left, right = (
            self.context.cast(builder, self.loadvar(side.name), self.typeof(side.name), signature.args[0])
            for side in (expr.lhs, expr.rhs)
        )
        if name:
            flags = () if of_numbers else ("nsw",)
            result = getattr(builder, name)(left, right, flags=flags)
        elif of_numbers:
            compare = builder.fcmp_unordered if op is operator.ne else builder.fcmp_ordered
            result = compare(COMPARISONS[op], left, right)
        else:
            result = builder.icmp_signed(COMPARISONS[op], left, right)
        return self.context.cast(builder, result, signature.return_type, resty)

    def _lower_call_normal(self, fnty, expr, signature):
        """Calls; of numbers the smallest or largest as Python finds it, past what is not a number."""
        name = EXTREMES.get(fnty.typing_key) if isinstance(fnty, types.Function) else None
        if name is None or set(signature.args) not in ({float64}, {int64}):
            return super()._lower_call_normal(fnty, expr, signature)
        best, *others = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        compare = self.builder.fcmp_ordered if float64 in signature.args else self.builder.icmp_signed
        for each in others:
            best = self.builder.select(compare(name, each, best), each, best)
        return best

    def lower_getitem(self, resty, expr, value, index, signature):
        """An element of an array."""
        place = self._place(value, index, signature)
        if place is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        return self.context.cast(self.builder, self.builder.load(place), signature.return_type, resty)

    def lower_setitem(self, target_var, index_var, value_var, signature):
        """An element of an array gets a value."""
        place = self._place(target_var, index_var, signature)
        if place is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        kind = self.typeof(target_var.name).dtype
        value = self.context.cast(
            self.builder, self.loadvar(value_var.name), self.typeof(value_var.name), signature.args[2]
        )
        self.builder.store(self.context.cast(self.builder, value, signature.args[2], kind), place)
        return None

    def _is_plain(self, variable):
        """Whether a variable is an array of numbers, one after the other."""
        kind = self.typeof(variable.name)
        return isinstance(kind, types.Array) and kind.layout == "C" and kind.dtype in ELEMENTS and kind.aligned

    def _place(self, array, index, signature):
        """Where the element of an array is whose indices are all given; None where they are anything else."""
        if not self._is_plain(array):
            return None
        kind, given, builder = self.typeof(array.name), self.typeof(index.name), self.builder
        indices = tuple(given) if isinstance(given, types.BaseTuple) else (given,)
        if len(indices) != kind.ndim or not all(isinstance(each, types.Integer) for each in indices):
            return None
        value, places = self.loadvar(array.name), self.loadvar(index.name)
        if isinstance(given, types.BaseTuple):
            places = [builder.extract_value(places, axis) for axis in range(len(indices))]
        else:
            places = [places]
        shape = self._part_of(kind, value, "shape")
        place = None
        for axis, (each, number) in enumerate(zip(indices, places, strict=True)):
            number = self.context.cast(builder, number, each, types.intp)
            extent = builder.extract_value(shape, axis)
            if isinstance(number, ir.Constant) and number.constant < 0:
                number = builder.add(number, extent)
            place = number if place is None else builder.add(builder.mul(place, extent), number)
        return builder.gep(self._part_of(kind, value, "data"), [place], inbounds=True)

    def _part_of(self, kind, array, part):
        """A part of Numba's description of an array."""
        return self.builder.extract_value(array, self.context.data_model_manager[kind].get_field_position(part))

    def _field(self, kind, record, name):
        """A field of a record: read once in a block."""
        if (record, name) not in self._fields:
            self._fields[record, name] = array_of_field(self.context, self.builder, kind, self.loadvar(record), name)
        return self._fields[record, name]
