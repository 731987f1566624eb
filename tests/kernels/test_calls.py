"""Calls by address: any arguments, three kinds of answer, and nothing at the address 0."""

from __future__ import annotations

import numba
import numpy as np
from numba import float64, int64, void

from gudgeon.kernels.build.calls import ask, call, count
from gudgeon.kernels.build.records import VECTOR


@numba.cfunc(void(VECTOR, float64))
def scale(x, factor):
    for i in range(x.shape[0]):
        x[i] *= factor


@numba.cfunc(float64(VECTOR))
def total(x):
    return x.sum()


@numba.cfunc(int64(VECTOR, int64))
def longer_than(x, size):
    return 1 if x.shape[0] > size else 0


@numba.njit
def through(addresses, x):
    call(addresses[0], (x, 3.0))
    return ask(addresses[1], (x,)), count(addresses[2], (x, 1))


def test_every_kind_of_answer():
    x = np.array([1.0, 2.0])
    assert through(np.array([scale.address, total.address, longer_than.address]), x) == (9.0, 1)
    assert list(x) == [3.0, 6.0]


def test_nothing_at_the_address_zero():
    x = np.array([1.0, 2.0])
    assert through(np.zeros(3, dtype=np.int64), x) == (0.0, 0)
    assert list(x) == [1.0, 2.0]
