"""Python functions of a user: which are accepted, and how they become C functions.

A function is compiled once in a process. Numba also keeps it on disk, but only where that is safe: it finds
the compiled code again by file, name, line, bytecode and closure, so it does not notice that a global has
another value now, nor that two lambdas in one line differ in a constant or in the function they call.
"""

from __future__ import annotations

import dis
import inspect
import math
import re
from collections.abc import Callable, Iterator
from numbers import Real
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.kernels.functions.opcodes import MOST_ARGUMENTS

TIME = ("t", "time", "_")  # what the argument of a function of time may be called; _ where it is not used
ARITHMETIC = {*dir(math), "abs", "min", "max", "float", "int", "bool", "round", "range", "len"}
RAISING = {"RAISE_VARARGS", "LOAD_ASSERTION_ERROR", "FORMAT_VALUE", "BUILD_STRING"}  # instructions of Python
_COMPILED: dict[tuple[FunctionType, str, str], Any] = {}  # (function, signature, outside values) → cfunc


def check_callable(where: str, value: Callable, length: int, *, signals: bool = False) -> None:
    """`value`, called in plain Python at t = 0, must return `length` finite numbers, several as a tuple.

    What it gives for other signals than the time is known when it runs.
    """
    function = _plain_function(where, value, signals)
    if signals and of_signals(function):
        return
    name = f"{where}: function {function.__name__!r}"
    try:
        result = function(0.0)
    except Exception as error:
        raise ModelError(
            f"{name} raises {type(error).__name__} at t = 0: {error}; it must have a value at every t"
        ) from error
    wanted = "a finite number" if length == 1 else f"a tuple of {length} finite numbers"
    if length > 1 and (not isinstance(result, tuple) or len(result) != length):
        raise ModelError(f"{name} returns {result!r} at t = 0; it must return {wanted}")
    for x in result if length > 1 else (result,):
        if not isinstance(x, Real) or not math.isfinite(x):
            raise ModelError(f"{name} returns {result!r} at t = 0; it must return {wanted}")


def compiled(where: str, value: Callable, length: int) -> Any:
    """The numba cfunc of `value`: double(double, …), or for `length` 3 a tuple of three doubles of its arguments."""
    from numba import float64, types

    function = _plain_function(where, value, True)
    answer = float64 if length == 1 else types.UniTuple(float64, length)
    signature = answer(*[float64] * len(argument_names(function) or ()))
    try:
        return _compiled(where, function, signature, ", or write an expression in t")
    except ModelError:
        _refuse_wrong_count(where, function, length)
        raise


def _refuse_wrong_count(where: str, function: FunctionType, length: int) -> None:
    """ModelError where a function returns fewer or more numbers than are due."""
    try:
        found = function(*[0.5] * len(argument_names(function) or ()))
    except Exception:
        return
    count = len(found) if isinstance(found, tuple | list) else int(found is not None)
    if count != length or isinstance(found, list):
        wanted = "one number" if length == 1 else f"a tuple of {length} numbers"
        came = {0: "nothing", 1: "1 number"}.get(count, f"{count} numbers") + " in a list" * isinstance(found, list)
        raise ModelError(f"{where}: function {function.__name__!r} returns {came}; it must return {wanted}") from None


def of_signals(value: Callable) -> bool:
    """Whether a function takes more than the time."""
    names = argument_names(getattr(value, "py_func", value))
    return names is None or len(names) != 1 or names[0] not in TIME


def compiled_law(where: str, value: Callable, numbers: int, *, parameters: bool) -> Any:
    """The numba cfunc of a law: double(double, …), with a pointer to its parameters last if it has some."""
    from numba import float64, types

    arguments = [float64] * numbers + ([types.CPointer(float64)] if parameters else [])
    return _compiled(where, plain_function(where, value), float64(*arguments), "")


def compiled_of_motion(where: str, value: Callable, *, answers: int, motions: int, numbers: int) -> Any:
    """The numba cfunc of a joint model: of pointers to motion (and rates), numbers, and a pointer to parameters."""
    from numba import float64, types

    pointer = types.CPointer(float64)
    answer, otherwise = float64, ""
    if answers > 1:
        answer = types.UniTuple(float64, answers)
        otherwise = f"; all {answers} numbers must be of one type, as 0.0"
    signature = answer(*[pointer] * motions, *[float64] * numbers, pointer)
    return _compiled(where, plain_function(where, value), signature, otherwise)


def _compiled(where: str, function: FunctionType, signature: Any, otherwise: str) -> Any:
    key = (function, str(signature), _outside_values(function))
    if key not in _COMPILED:
        try:
            _COMPILED[key] = _compile(function, signature, cache=cacheable(function))
        except Exception as error:
            raise ModelError(
                f"{where}: function {function.__name__!r} cannot be compiled: {_first_line(error)}; "
                f"use numbers, math and numpy only{otherwise}"
            ) from error
    return _COMPILED[key]


def cacheable(function: FunctionType) -> bool:
    """Whether a later run may read the compiled function from disk: nothing beyond its text decides on it."""
    if function.__name__ == "<lambda>":
        return False
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    outside = [function.__globals__[n] for n in names_in(function.__code__) if n in function.__globals__]
    return all(type(x) in (int, float, bool) for x in cells) and all(map(_unchanging, outside))


def _outside_values(function: FunctionType) -> str:
    """What a function takes from outside, which compiling freezes: globals and closure, arrays in full."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    names = dict.fromkeys(names_in(function.__code__))
    outside = [function.__globals__[name] for name in names if name in function.__globals__]
    return repr([x.tolist() if isinstance(x, np.ndarray) else x for x in (*cells, *outside)])


def probe(where: str, value: Callable, times: np.ndarray) -> None:
    """Call `value` in plain Python at many times: compiled code would go on with 0 after an error there."""
    function = _plain_function(where, value, False)
    for t in times:
        try:
            result = function(float(t))
        except Exception as error:
            raise ModelError(
                f"{where}: function {function.__name__!r} raises {type(error).__name__} at t = {t:.6g}: {error}; "
                "it must have a value at every t of the run"
            ) from error
        for x in result if isinstance(result, tuple) else (result,):
            if not isinstance(x, Real):
                raise ModelError(
                    f"{where}: function {function.__name__!r} returns {result!r} at t = {t:.6g}; it must return numbers"
                )


def _unchanging(value: Any) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__ in ("math", "numpy")
    return isinstance(value, (BuiltinFunctionType, np.ufunc))


def names_in(code: CodeType) -> Iterator[str]:
    """The names that code and the functions within it use."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_in(inner)


def _compile(function: FunctionType, signature: Any, *, cache: bool) -> Any:
    from numba.core.caching import NullCache

    from gudgeon.c_functions import CFunction

    kept = _on_disk(function) if cache else NullCache()
    return CFunction(function, signature, {"error_model": "numpy", "forceinline": True}, kept)


def _on_disk(function: FunctionType) -> Any:
    """Where the compiled function is kept: known by the text of its file, and by its line there."""
    from numba.core.caching import FunctionCache, NullCache

    from gudgeon.code_digest import digest
    from gudgeon.code_on_disk import CodeCache

    code = function.__code__
    try:
        text = Path(code.co_filename).read_bytes()
    except OSError:  # no file: a notebook, which Numba knows, or a console
        try:
            return FunctionCache(function)
        except (RuntimeError, OSError):
            return NullCache()
    name = f"{function.__qualname__}.{code.co_firstlineno}"
    plain = function.__module__.startswith("gudgeon.") or is_plain(function)
    return CodeCache(function, name, digest(text), plain=plain)


def is_plain(function: FunctionType) -> bool:
    """Whether a function does arithmetic alone, so that its compiled code needs nothing of Numba's libraries.

    Every name in it is an argument, a number from outside, a function of `math` (or NumPy's of the same name), or one
    of Python's for numbers; nothing is raised, asserted or printed.
    """
    scope = function.__globals__
    for name in names_in(function.__code__):
        outside = scope.get(name)
        known = name in ARITHMETIC or type(outside) in (int, float, bool)
        if not known and not (isinstance(outside, ModuleType) and outside.__name__ in ("math", "numpy")):
            return False
    codes = [function.__code__, *(each for each in function.__code__.co_consts if isinstance(each, CodeType))]
    return not any(each.opname in RAISING for code in codes for each in dis.get_instructions(code))


def _first_line(error: Exception) -> str:
    """What numba says, without the name of the compiler pass before and the listing after."""
    lines = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines()
    told = [line.strip() for line in lines if line.strip() and not line.startswith("Failed in nopython mode")]
    return told[0] if told else type(error).__name__


def plain_function(where: str, value: Callable) -> FunctionType:
    """The Python function behind `value`: made by def or lambda, without raise."""
    function = getattr(value, "py_func", value)  # of a function already compiled by numba
    if not isinstance(function, FunctionType):
        raise ModelError(f"{where} is {value!r}; give a function made by def or lambda")
    if any(instruction.opname == "RAISE_VARARGS" for instruction in dis.get_instructions(function.__code__)):
        raise ModelError(
            f"{where}: function {function.__name__!r} contains raise or assert, after which compiled code would go on "
            "with 0; return math.nan where there is no value"
        )
    return function


def argument_names(function: FunctionType) -> tuple[str, ...] | None:
    """The names of a function's arguments; None if it takes others than plain positional ones."""
    code = function.__code__
    several = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    return None if several or code.co_kwonlyargcount else code.co_varnames[: code.co_argcount]


def _plain_function(where: str, value: Callable, signals: bool) -> FunctionType:
    """A plain function of t alone, or of signals."""
    if not isinstance(getattr(value, "py_func", value), FunctionType):
        raise ModelError(
            f"{where} is {value!r}; give a function made by def or lambda, such as lambda t: 2*t, "
            "or an expression such as 'sin(t)'"
        )
    function = plain_function(where, value)
    names = argument_names(function)
    name = f"{where}: function {function.__name__!r}"
    if signals and (names is None or not 1 <= len(names) <= MOST_ARGUMENTS or function.__defaults__):
        raise ModelError(
            f"{name} takes {inspect.signature(function)}; it must take the time t or signals by name, one to "
            f"{MOST_ARGUMENTS} of them and no defaults"
        )
    if not signals and of_signals(function):
        raise ModelError(
            f"{name} takes {inspect.signature(function)}; it must take the time alone, (t): loads may depend on the "
            "motion, drives may not"
        )
    return function
