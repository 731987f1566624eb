"""Copies of a record at once: what a record of copied arrays would be, and nothing of one is another's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import gudgeon as gd
from gudgeon.kernels.build.records import Record, address_of, integers, numbers
from gudgeon.mechanics.copied_records import Mould
from gudgeon.mechanics.equations import equations_of_motion


class MouldedPart(Record):
    values = numbers(2, 3)
    owner = integers(1)


class MouldedWhole(Record):
    first = numbers(1)
    inner = MouldedPart()
    nothing = numbers(2, 4)
    last = numbers(3, 2)


def flat(record: Record) -> Iterator[np.ndarray]:
    for value in record.arrays().values():
        yield from flat(value) if isinstance(value, Record) else (value,)


def entries(record: Record) -> list[int]:
    """What stands in the table of a record that was made from these arrays."""
    made = type(record)(**record.arrays())
    return made._table.tolist()


def outer() -> MouldedWhole:
    rng = np.random.default_rng(1)
    inner = MouldedPart(values=rng.random((2, 3)), owner=np.array([3, -1, 2**62]))
    return MouldedWhole(first=np.array([-0.0, np.nan, np.inf]), inner=inner, last=rng.random((2, 1, 2)))


def test_a_copy_has_the_same_bits_in_arrays_of_its_own():
    record = outer()
    mould = Mould(record)
    one, two = mould.copy(), mould.copy()
    for mine, others, origin in zip(flat(one), flat(two), flat(record), strict=True):
        assert mine.tobytes() == origin.tobytes() and mine.shape == origin.shape and mine.dtype == origin.dtype
        assert not np.shares_memory(mine, others) and not np.shares_memory(mine, origin)
        assert mine.flags.c_contiguous and mine.flags.writeable and mine.ctypes.data % 8 == 0
    one.first[:] = 1.0
    one.inner.values[:] = 2.0
    assert two.first.tobytes() == record.first.tobytes() and two.inner.values.tobytes() == record.inner.values.tobytes()
    assert mould.copy().first.tobytes() == outer().first.tobytes()


def test_compiled_code_finds_the_arrays_of_a_copy():
    """Its tables are those of a record made from its arrays, but for where empty arrays are."""
    for record in (outer(), equations_of_motion(gd.examples.spatial_four_bar()).work):
        made = Mould(record).copy()
        parts = [made, *(value for value in made.arrays().values() if isinstance(value, Record))]
        for part in parts:
            assert part._table.tolist() == entries(part) and part.address == address_of(part._table)
            assert type(part) in (type(record), *(type(value) for value in record.arrays().values()))
            assert all(getattr(part, name) is value for name, value in part.arrays().items())


def test_a_copy_may_be_changed_like_any_record():
    copied = Mould(outer()).copy()
    other = copied.replaced(first=np.zeros(2))
    assert other.inner is copied.inner and other.last is copied.last and len(other.first) == 2
    assert copied._table.tolist() == entries(copied)  # its own table is as it was
