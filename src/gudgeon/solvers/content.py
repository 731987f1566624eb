"""A description in bytes, part by part: equal ones give equal bytes in every process, others give other bytes.

A function is what it does: its code with the names it uses, its defaults, and the values of all it takes from outside:
closure, global numbers, other functions of the user's. What libraries bring is known by its name. An object of which
nothing can be told, such as an open file, gives other bytes every time: it equals nothing.
"""

from __future__ import annotations

import dataclasses
import os
import pickle
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from types import BuiltinFunctionType, CodeType, EllipsisType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from gudgeon.functions.callables import names_in

Plain = (bool, int, float, complex, str, bytes, np.generic, EllipsisType)
GENERATED = "<string>"  # the file of methods that a dataclass makes


def content(value: Any, within: tuple[int, ...] = ()) -> Iterator[bytes]:
    """The bytes of a value; `within`: the functions and objects around it, by identity.

    >>> def twice(x):
    ...     return 2 * x
    >>> b"".join(content(twice)) == b"".join(content(lambda x: 2 * x))
    False
    """
    if value is None or isinstance(value, Plain):
        yield repr(value).encode()
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype}{value.shape}".encode()
        if value.dtype.hasobject:
            yield from content(value.tolist(), within)
        else:
            yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, Mapping):
        yield f"{len(value)} entries".encode()
        for key, item in value.items():
            yield from content(key, within)
            yield from content(item, within)
    elif isinstance(value, tuple | list):
        yield f"{len(value)}".encode()
        for item in value:
            yield from content(item, within)
    elif isinstance(value, set | frozenset):
        yield f"{len(value)} in any order".encode()
        yield from sorted(b",".join(content(item, within)) for item in value)
    elif isinstance(value, CodeType):
        yield value.co_code
        yield from content((value.co_names, value.co_varnames, value.co_freevars, value.co_consts), within)
    elif isinstance(value, ModuleType):
        yield value.__name__.encode()
    elif id(value) in within:
        yield f"again {len(within) - within.index(id(value))}".encode()
    else:
        yield from _object(value, (*within, id(value)))


def _object(value: Any, within: tuple[int, ...]) -> Iterator[bytes]:
    """A function, a class, or an object with parts."""
    if isinstance(value, FunctionType):
        yield from _function(value, within)
    elif isinstance(value, partial):
        yield from content(("partial", value.func, value.args, value.keywords), within)
    elif isinstance(value, MethodType):
        yield from content(("method", value.__func__, value.__self__), within)
    elif isinstance(value, type):
        yield from _class(value, within)
    elif isinstance(value, BuiltinFunctionType | np.ufunc):
        yield f"{getattr(value, '__module__', '')}.{value.__name__}".encode()
    else:
        yield from _class(type(value), within)
        yield from _parts(value, within)


def _parts(value: Any, within: tuple[int, ...]) -> Iterator[bytes]:
    """What an object holds."""
    if dataclasses.is_dataclass(value):
        names = [each.name for each in dataclasses.fields(value) if "looks" not in each.metadata]
        yield from content([(name, getattr(value, name)) for name in names], within)
    elif hasattr(value, "__code__"):  # a compiled function, such as one of Numba's, with its Python function
        yield from content(getattr(value, "py_func", value.__code__), within)
    elif hasattr(value, "__dict__") and not _is_of_a_library(type(value).__module__):
        yield from content(vars(value), within)
    else:
        try:
            yield pickle.dumps(value, protocol=4)
        except Exception:
            yield os.urandom(16)


def _function(value: FunctionType, within: tuple[int, ...]) -> Iterator[bytes]:
    yield f"{value.__module__}.{value.__qualname__}".encode()
    if _is_of_a_library(value.__module__) and value.__closure__ is None:
        return
    yield from content((value.__code__, value.__defaults__, value.__kwdefaults__), within)
    for cell in value.__closure__ or ():
        try:
            inside = cell.cell_contents
        except ValueError:  # not yet set
            inside = None
        yield from content(inside, within)
    if not _is_of_a_library(value.__module__):
        names = dict.fromkeys(names_in(value.__code__))
        yield from content({name: value.__globals__[name] for name in names if name in value.__globals__}, within)


def _class(value: type, within: tuple[int, ...]) -> Iterator[bytes]:
    """Its name; with what it does, if it is the user's own."""
    yield f"{value.__module__}.{value.__qualname__}".encode()
    if _is_of_a_library(value.__module__):
        return
    for base in value.__bases__:
        yield from content(base, within)
    for name, item in vars(value).items():
        function = getattr(item, "__func__", getattr(item, "fget", item))
        if isinstance(function, FunctionType) and function.__code__.co_filename != GENERATED:
            yield from content((name, function), within)
        elif isinstance(item, Plain) and not name.startswith("__"):
            yield from content((name, item), within)


@cache
def _is_of_a_library(module: str | None) -> bool:
    """Whether a module is installed, and so known by its name: Python's own, gudgeon, site-packages."""
    root = (module or "").partition(".")[0]
    if root in ("gudgeon", "builtins") or (root in sys.stdlib_module_names and root != "__main__"):
        return True
    file = getattr(sys.modules.get(root), "__file__", None)
    if root == "__main__" or file is None:
        return False
    installed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    return any(Path(file).resolve().is_relative_to(Path(folder).resolve()) for folder in installed)
