"""Records: compiled code sees the arrays that Python sees, by one address."""

from __future__ import annotations

import pickle

import numba
import numpy as np
import pytest

from gudgeon.kernels.build.records import Record, integers, numbers


class Inner(Record):
    value = numbers(1)


class Outer(Record):
    lines = numbers(2, 3)
    index = integers(1)
    cube = numbers(3)
    inner = Inner()


@numba.njit
def everything(record):
    total = 0.0
    for i in range(record.lines.shape[0]):
        for j in range(record.lines.shape[1]):
            total += record.lines[i, j] * (i + 10 * j)
    for i in range(record.index.shape[0]):
        total += record.index[i]
    return total, record.cube[1, 2, 3], record.inner.value[-1], record.lines.shape[1]


def made() -> Outer:
    return Outer(
        lines=np.arange(6.0).reshape(2, 3),
        index=np.array([3, 4]),
        cube=np.arange(24.0).reshape(2, 3, 4),
        inner=Inner(value=np.array([7.0, 8.0])),
    )


def test_compiled_code_reads_every_array():
    record = made()
    assert everything(record) == everything.py_func(record) == (209.0, 23.0, 8.0, 3)


def test_compiled_code_writes_what_python_reads():
    @numba.njit
    def write(record):
        record.lines[1, 2] = -1.0
        record.index[:] = 5

    record = made()
    write(record)
    assert record.lines[1, 2] == -1.0
    assert list(record.index) == [5, 5]


def test_arrays_that_may_not_be_written_are_read():
    fixed = np.arange(6.0).reshape(2, 3)
    fixed.flags.writeable = False
    assert everything(made().replaced(lines=fixed)) == everything(made())


def test_one_type_however_much_is_given():
    before = len(everything.signatures)
    everything(made())
    everything(made().replaced(lines=np.ones((50, 3))))
    assert len(everything.signatures) <= max(before, 1)
    assert Outer().lines.shape == (0, 3)


def test_replaced_keeps_the_rest_and_the_original():
    record = made()
    other = record.replaced(index=np.array([1]))
    assert other.lines is record.lines
    assert len(record.index) == 2


def test_records_pickle():
    again = pickle.loads(pickle.dumps(made()))
    assert everything(again) == everything(made())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("lines", np.zeros((2, 4))),  # another number of columns
        ("lines", np.zeros((3, 2)).T),  # not contiguous
        ("lines", np.zeros((4, 3))[::2]),
        ("lines", np.zeros(3)),  # another number of axes
        ("index", np.zeros(2)),  # not integers
        ("nothing", np.zeros(2)),
    ],
)
def test_what_does_not_fit_is_refused(field, value):
    with pytest.raises(TypeError, match=field):
        Outer(**{field: value})
