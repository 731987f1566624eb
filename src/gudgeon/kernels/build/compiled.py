"""The decorators of all kernels, and what the compiled code of a kernel is made from.

A kernel calls others, so its compiled code comes from their files too. It is kept on disk under a digest of its file
and of all kernels that this imports (code_on_disk.py); what is called by its address is not imported.

With GUDGEON_STRICT=1 in the environment every operation of every kernel rounds as written, so that its bits do not
depend on what the compiler puts into one function: a product and a sum that meet there become one operation otherwise.
Code of both builds is kept side by side.
"""

from __future__ import annotations

import os
import re
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.extending import typeof_impl

import gudgeon.compilation_watch  # noqa: F401 (sees what is compiled from now on)
from gudgeon.c_functions import CFunction
from gudgeon.code_on_disk import CodeCache, digest
from gudgeon.errors import ModelError
from gudgeon.kernels.build.parts import ENTRY_OPTIONS, PART_OPTIONS

PACKAGE = Path(__file__).parent.parent.parent
SHARED = tuple(  # of all
    f"kernels/build/{name}.py" for name in ("compiled", "lowering", "parts", "passes", "records", "remembered")
)
IMPORT = re.compile(r"^from gudgeon\.([\w.]*) import (.*)$", re.MULTILINE)
BUILD = {"": "", "0": "", "1": ".strict"}.get(os.environ.get("GUDGEON_STRICT", ""), "?")  # in the names of files
if BUILD == "?":
    raise ModelError(f"GUDGEON_STRICT is {os.environ['GUDGEON_STRICT']!r}; set it to 1 for the strict build, or to 0")


@cache
def sources_of(path: Path, package: Path = PACKAGE) -> bytes:
    """A digest of everything that the compiled code of the kernels in a file comes from: it and all that it imports."""
    found = [package / name for name in SHARED] + [path]
    for each in found:
        found += [file for file in _imported_by(each, package) if file not in found]
    parts = [(file.relative_to(package).as_posix().encode(), file.read_bytes()) for file in sorted(set(found))]
    return digest(BUILD.encode(), *(part for pair in parts for part in pair))


def _imported_by(path: Path, package: Path) -> list[Path]:
    """The files of kernels that a file imports."""
    files = []
    for module, names in IMPORT.findall(path.read_text(encoding="utf-8")):
        places = [
            module,
            *(f"{module}.{name.split(' ')[0]}" for name in names.split(", ")),
        ]  # a file, or files of a folder
        files += [package / f"{place.replace('.', '/')}.py" for place in places if "kernels" in place]
    return [file for file in files if file.is_file()]


def _cache_of(function: Any) -> CodeCache:
    path = Path(function.__code__.co_filename)
    return CodeCache(function, function.__qualname__ + BUILD, sources_of(path))


def _kept(**options: Any) -> Any:
    """The decorator `numba.njit`, whose compiled code is kept on disk."""

    def decorate(function):
        kernel: Any = numba.njit(**options, **ENTRY_OPTIONS)(function)
        kernel._cache = _cache_of(function)
        return kernel

    return decorate


def _free_to(*liberties: str) -> Any:
    """How the compiler may change the rounding: not at all in the strict build."""
    return False if BUILD else set(liberties)


OPTIONS: dict[str, Any] = {"_nrt": False, "nogil": True, "error_model": "numpy", "fastmath": _free_to("contract")}

compiled = _kept(**OPTIONS)  # callable from Python
called = numba.njit(**OPTIONS, **PART_OPTIONS)  # by other kernels only
inlined = numba.njit(**OPTIONS, **PART_OPTIONS, forceinline=True)
viewing = numba.njit(**OPTIONS | {"_nrt": True}, **PART_OPTIONS)  # makes arrays from addresses
summed = _kept(**OPTIONS | {"fastmath": _free_to("contract", "reassoc", "nsz")})  # sums in any order
exact = _kept(nogil=True, error_model="numpy")  # every operation rounds as written


class Addressed:
    """A kernel that others call by its address (calls.py); compiled or loaded when that is first asked for.

    Where a kernel names it instead, it becomes part of that.
    """

    def __init__(self, function: Any, signature: Any):
        self.function, self.signature, self.part = function, signature, inlined(function)
        self.kept = _cache_of(function)  # now: the sources may change while this process runs

    @cached_property
    def address(self) -> int:
        """Where it is, while this process runs."""
        self._made = CFunction(self.function, self.signature, OPTIONS, self.kept, **ENTRY_OPTIONS)
        return self._made.address


def entrance(signature: Any) -> Any:
    """The decorator of kernels that Python calls, with arguments of these types alone: they can be compiled before."""

    def decorate(function):
        kernel = compiled(function)
        kernel.arguments = signature.args
        return kernel

    return decorate


def addressed(signature: Any) -> Any:
    """The decorator of kernels that others call by their address."""
    return lambda function: Addressed(function, signature)


@typeof_impl.register(Addressed)
def _part_of(kernel, c):
    return types.Dispatcher(kernel.part)


def callable_from_c(signature: Any) -> Any:
    """The decorator of a kernel that is called by its C address; it is compiled or loaded at once."""

    def decorate(function):
        return CFunction(function, signature, OPTIONS | {"_nrt": True}, _cache_of(function), **ENTRY_OPTIONS)

    return decorate
