"""Records of arrays that compiled code is given by one address.

Numba passes a tuple of arrays by value: every call of a kernel copies seven numbers for each array, and LLVM optimises
functions of several hundred arguments. A `Record` is one address instead, of a table with the place and extents of each
of its arrays:

    table = [place of array 1, its extents …, place of array 2, its extents …]

Compiled code writes `record.body[b, MASS]` as for a tuple. The table never changes while a record exists, which the
compiler is told: it reads a place once, not after every number that is written.

    class Points(Record):
        position = numbers(2)  # (points, 3) [m]
        owner = integers(1)  # (points)

A field that is not given is empty, so all records of a class have one type, and what takes one is compiled once.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from llvmlite import ir
from numba import float64, int64, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, register_model, typeof_impl, unbox

WORD = 8  # bytes of an entry of the table, of a number and of an integer
VECTOR = types.Array(float64, 1, "C")
MATRIX = types.Array(float64, 2, "C")
CUBE = types.Array(float64, 3, "C")


def numbers(axes: int, columns: int = 0) -> Any:
    """An empty array of numbers, the default of a field; `columns`: the last extent, where it is always the same."""
    return np.zeros((0,) * (axes - 1) + (columns,))


def integers(axes: int, columns: int = 0) -> Any:
    """The same for integers."""
    return np.zeros((0,) * (axes - 1) + (columns,), dtype=np.int64)


class RecordType(types.Type):
    """The type of a record: of its fields types, last extents (0: not constant) and places in the table [bytes]."""

    def __init__(self, name: str, fields: dict[str, Any], columns: dict[str, int]):
        self.fields, self.columns = fields, columns
        self.places: dict[str, int] = {}
        place = 0
        for field, kind in fields.items():
            self.places[field] = place
            place += WORD * (1 + kind.ndim if isinstance(kind, types.Array) else 1)
        super().__init__(name)


class Record:
    """Arrays, or records of arrays, by name. Subclasses declare them with `numbers` and `integers`."""

    record_type: RecordType

    def __init_subclass__(cls) -> None:
        defaults = {name: value for name, value in vars(cls).items() if isinstance(value, (np.ndarray, Record))}
        columns = {name: value.shape[-1] for name, value in defaults.items() if isinstance(value, np.ndarray)}
        cls.record_type = RecordType(cls.__name__, {name: _type_of(value) for name, value in defaults.items()}, columns)

    def __init__(self, **arrays: Any):
        table: list[int] = []
        for name, kind in self.record_type.fields.items():
            value = arrays.pop(name, getattr(type(self), name))
            if not _fits(value, kind, self.record_type.columns.get(name)):
                raise TypeError(f"{type(self).__name__}.{name} is {_type_of(value)} {value.shape}, not {kind}")
            setattr(self, name, value)
            table += [value.address] if isinstance(value, Record) else [value.ctypes.data, *value.shape]
        if arrays:
            raise TypeError(f"{type(self).__name__} has no field {min(arrays)!r}")
        self._table = np.array(table, dtype=np.int64)
        self.address = self._table.ctypes.data

    def arrays(self) -> dict[str, Any]:
        """The fields by name."""
        return {name: getattr(self, name) for name in self.record_type.fields}

    def replaced(self, **arrays: Any) -> Self:
        """The same with other arrays."""
        return type(self)(**{**self.arrays(), **arrays})

    def __reduce__(self):
        return _again, (type(self), self.arrays())


def _again(kind: type[Record], arrays: dict[str, Any]) -> Record:
    return kind(**arrays)


def _fits(value: Any, kind: Any, columns: int | None) -> bool:
    """Whether the value of a field has its type and its last extent."""
    if isinstance(value, Record):
        return value.record_type is kind
    number = np.float64 if kind.dtype is float64 else np.int64
    shaped = value.ndim == kind.ndim and (not columns or value.shape[-1] == columns)
    return shaped and value.dtype == number and value.flags.c_contiguous


def _type_of(value: Any) -> Any:
    if isinstance(value, Record):
        return value.record_type
    layout = "C" if value.flags.c_contiguous else "A"
    return types.Array(int64 if value.dtype == np.int64 else float64, value.ndim, layout)


register_model(RecordType)(models.OpaqueModel)


@typeof_impl.register(Record)
def _typeof_record(record, c):
    return record.record_type


@unbox(RecordType)
def _unbox_record(kind, record, c):
    number = c.pyapi.object_getattr_string(record, "address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class _Fields(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, record, name):
        return record.fields.get(name)


@lower_getattr_generic(RecordType)
def _field(context, builder, record_type, record, name):
    return array_of_field(context, builder, record_type, record, name)


def array_of_field(context, builder, record_type: RecordType, record, name: str):
    """A field of a record as Numba's description of an array, or as the address of a record."""
    kind = record_type.fields[name]
    word = context.get_value_type(types.intp)
    words = builder.bitcast(record, word.as_pointer())

    def entry(place):
        loaded = builder.load(builder.gep(words, [ir.Constant(word, record_type.places[name] // WORD + place)]))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if isinstance(kind, RecordType):
        return builder.inttoptr(entry(0), context.get_value_type(kind))
    size = ir.Constant(word, WORD)
    shape = [entry(1 + axis) for axis in range(kind.ndim)]
    if record_type.columns[name]:
        shape[-1] = ir.Constant(word, record_type.columns[name])
    count, strides = ir.Constant(word, 1), []
    for extent in reversed(shape):
        strides.insert(0, builder.mul(count, size, flags=["nsw"]))
        count = builder.mul(count, extent, flags=["nsw"])
    parts = {
        "nitems": count,
        "itemsize": size,
        "data": builder.inttoptr(entry(0), context.get_data_type(kind.dtype).as_pointer()),
        "shape": cgutils.pack_array(builder, shape),
        "strides": cgutils.pack_array(builder, strides),
    }
    model = context.data_model_manager[kind]
    array = ir.Constant(context.get_value_type(kind), None)  # zeros: nothing counts its references
    for part, value in parts.items():
        array = builder.insert_value(array, value, model.get_field_position(part))
    return array
