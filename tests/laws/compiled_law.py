"""A law as the solvers call it: a C function of doubles and a pointer to its parameters."""

import ctypes
from collections.abc import Callable

import pytest
from numba import cfunc, float64, types

from gudgeon.functions.callables import cacheable


def check_compiled_equals_python(function: Callable, arguments: list[tuple[float, ...]], law) -> None:
    """Compiled and Python agree to rounding at all arguments, nan included; and a later run may read it from disk."""
    count = len(arguments[0])
    compiled = cfunc(float64(*[float64] * count, types.CPointer(float64)), error_model="numpy")(function)
    pointer = ctypes.POINTER(ctypes.c_double)
    call = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * count, pointer)(compiled.address)
    p = (ctypes.c_double * len(law.parameters))(*law.parameters)
    for values in arguments:
        expected = function(*values, law.parameters)
        assert call(*values, p) == pytest.approx(expected, rel=1e-14, abs=0.0, nan_ok=True), values
    assert cacheable(function)
