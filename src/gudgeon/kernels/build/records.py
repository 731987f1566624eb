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

from array import array
from ctypes import addressof, c_char
from typing import Any, Self

import numpy as np
from llvmlite import ir
from numba import float64, int64, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, register_model, typeof_impl, unbox

WORD = 8  # bytes of an entry of the table, of a number and of an integer
NOTHING = c_char * 0
NUMBERS, INTEGERS = np.dtype(np.float64), np.dtype(np.int64)
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
    _defaults: dict[str, Any]
    _empty: array  # the table of a record of the defaults
    _table: array | np.ndarray  # its own
    _given: dict[str, Any]  # its fields, without those that are as the class has them
    _wanted: dict[str, tuple[int, Any, int, int]]  # of fields: place in the table, kind of number, axes, last extent

    def __init_subclass__(cls) -> None:
        defaults = {name: value for name, value in vars(cls).items() if isinstance(value, (np.ndarray, Record))}
        columns = {name: value.shape[-1] for name, value in defaults.items() if isinstance(value, np.ndarray)}
        cls.record_type = RecordType(cls.__name__, {name: _type_of(value) for name, value in defaults.items()}, columns)
        cls._defaults = defaults
        cls._empty = array("q", [entry for value in defaults.values() for entry in _entries(value)])
        cls._wanted = {name: _wanted(cls.record_type, name) for name in defaults}

    def __init__(self, **arrays: Any):
        self._fill(arrays, self._empty, arrays)

    def _fill(self, given: dict[str, Any], table: array | np.ndarray, arrays: dict[str, Any]) -> None:
        """The fields `given`, of which those in `arrays` are not in the table yet."""
        self._table = entries = table[:] if isinstance(table, array) else array("q", table.tobytes())
        wanted, beginning = self._wanted, NOTHING.from_buffer
        for name, value in arrays.items():
            if name not in wanted:
                raise TypeError(f"{type(self).__name__} has no field {name!r}")
            place, number, axes, columns = wanted[name]
            if isinstance(value, Record):
                if value.record_type is not number:
                    raise self._misfit(name, value)
                entries[place] = value.address
                continue
            shape = value.shape
            if value.dtype != number or len(shape) != axes or (columns and shape[-1] != columns):
                raise self._misfit(name, value)
            try:
                entries[place] = addressof(beginning(value))
            except (TypeError, ValueError, BufferError):  # it may not be written, or does not lie in one piece
                if not value.flags.c_contiguous:
                    raise self._misfit(name, value) from None
                entries[place] = value.ctypes.data
            for extent in shape:
                place += 1
                entries[place] = extent
        self._given = given
        self.__dict__.update(given)
        self.address = entries.buffer_info()[0]

    def _misfit(self, name: str, value: Any) -> TypeError:
        shape = getattr(value, "shape", "")
        return TypeError(
            f"{type(self).__name__}.{name} is {_type_of(value)} {shape}, not {self.record_type.fields[name]}"
        )

    def arrays(self) -> dict[str, Any]:
        """The fields by name."""
        return self._defaults | self._given

    def replaced(self, **arrays: Any) -> Self:
        """The same with other arrays."""
        new = object.__new__(type(self))
        new._fill(self._given | arrays, self._table, arrays)
        return new

    def __reduce__(self):
        return _again, (type(self), self.arrays())


def _again(kind: type[Record], arrays: dict[str, Any]) -> Record:
    return kind(**arrays)


def _entries(value: Any) -> tuple[int, ...]:
    """What stands in the table for the value of a field."""
    return (value.address,) if isinstance(value, Record) else (address_of(value), *value.shape)


def address_of(values: np.ndarray) -> int:
    """Where the numbers of an array are: `values.ctypes.data`, in a fifth of its time."""
    try:
        return addressof(NOTHING.from_buffer(values))
    except (TypeError, ValueError, BufferError):  # it may not be written
        return values.ctypes.data


def _wanted(kind: RecordType, name: str) -> tuple[int, Any, int, int]:
    """What the value of a field must be: its place in the table; its dtype, or its type if it is a record; its axes;
    its last extent (0: any)."""
    field, place = kind.fields[name], kind.places[name] // WORD
    if isinstance(field, RecordType):
        return place, field, 0, 0
    return place, NUMBERS if field.dtype is float64 else INTEGERS, field.ndim, kind.columns[name]


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
    made = ir.Constant(context.get_value_type(kind), None)  # zeros: nothing counts its references
    for part, value in parts.items():
        made = builder.insert_value(made, value, model.get_field_position(part))
    return made
