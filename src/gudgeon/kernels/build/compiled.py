"""The decorators of all kernels, and what the compiled code of a kernel is made from.

A kernel calls others, so its compiled code comes from their files too. It is kept on disk under a digest of its file
and of all kernels that this imports (code_on_disk.py); what is called by its address is not imported.

With GUDGEON_STRICT=1 in the environment every operation of every kernel rounds as written, so that its bits do not
depend on what the compiler puts into one function: a product and a sum that meet there become one operation otherwise.
Code of both builds is kept side by side.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.extending import typeof_impl

import gudgeon.compilation_watch  # noqa: F401 (sees what is compiled from now on)
from gudgeon.c_functions import CFunction
from gudgeon.code_digest import BUILD, digest
from gudgeon.code_on_disk import CodeCache
from gudgeon.kernels.build.parts import ENTRY_OPTIONS, PART_OPTIONS, SHORT_OPTIONS

PACKAGE = Path(__file__).parent.parent.parent
SHARED = tuple(  # of all
    f"kernels/build/{name}.py" for name in ("compiled", "lowering", "parts", "passes", "records", "remembered")
)
IMPORT = re.compile(r"^from gudgeon\.([\w.]*) import (.*)$", re.MULTILINE)


@cache
def sources_of(path: Path, package: Path = PACKAGE) -> bytes:
    """A digest of everything that the compiled code of the kernels in a file comes from: it and all that it imports."""
    found = dict.fromkeys([*SHARED, path.relative_to(package).as_posix()])
    waiting = list(found)
    while waiting:
        new = [name for name in _source(waiting.pop(), package)[1] if name not in found]
        found |= dict.fromkeys(new)
        waiting += new
    sources = [part for name in sorted(found) for part in (name.encode(), _source(name, package)[0])]
    return digest(BUILD.encode(), *sources)


@cache
def _source(name: str, package: Path) -> tuple[bytes, list[str]]:
    """A digest of a file of the package, and the files of kernels that it imports."""
    text = (package / name).read_bytes()
    files = []
    for module, names in IMPORT.findall(text.decode()):
        places = [module, *(f"{module}.{each.split(' ')[0]}" for each in names.split(", "))]  # a file, or of a folder
        files += [f"{place.replace('.', '/')}.py" for place in places if "kernels" in place]
    return digest(text), [file for file in files if _is_file(package / file)]


_is_file = cache(Path.is_file)


def _cache_of(function: Any) -> CodeCache:
    path = Path(function.__code__.co_filename)
    return CodeCache(function, function.__qualname__ + BUILD, sources_of(path), plain=True)


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


class Part:
    """A kernel that others contain; Numba hears of it when the first of them is compiled."""

    def __init__(self, function: Any, options: dict[str, Any]):
        self.py_func, self._options = function, options

    @cached_property
    def dispatcher(self) -> Any:
        """What Numba makes of it."""
        return numba.njit(**self._options, **PART_OPTIONS)(self.py_func)


def _part(**options: Any) -> Any:
    """The decorator of kernels that others contain."""
    return lambda function: Part(function, options)


compiled = _kept(**OPTIONS)  # callable from Python
called = _part(**OPTIONS, forceinline=False)  # by other kernels only; if not told, Numba takes what the caller is
inlined = _part(**OPTIONS, forceinline=True)  # copied to each place that names it: short, or in the innermost loops
viewing = _part(**OPTIONS | {"_nrt": True})  # makes arrays from addresses
summed = _kept(**OPTIONS | {"fastmath": _free_to("contract", "reassoc", "nsz")})  # sums in any order
exact = _kept(nogil=True, error_model="numpy", forceinline=True)  # the same, but every operation rounds as written


class Addressed:
    """A kernel that others call by its address (calls.py); compiled or loaded when that is first asked for.

    Where a kernel names it instead, it becomes part of that.
    """

    def __init__(self, function: Any, signature: Any, short: bool):
        self.function, self.signature, self.part = function, signature, inlined(function)
        self._options = SHORT_OPTIONS if short else ENTRY_OPTIONS
        self.kept = _cache_of(function)  # now: the sources may change while this process runs

    @cached_property
    def address(self) -> int:
        """Where it is, while this process runs."""
        self._made = CFunction(self.function, self.signature, OPTIONS, self.kept, **self._options)
        return self._made.address


def entrance(signature: Any) -> Any:
    """The decorator of kernels that Python calls, with arguments of these types alone: they can be compiled before."""

    def decorate(function):
        kernel = _kept(**OPTIONS, forceinline=False)(function)
        kernel.arguments = signature.args
        return kernel

    return decorate


def addressed(signature: Any, *, short: bool = False) -> Any:
    """The decorator of kernels that others call by their address; `short`: each of their loops takes a few turns."""
    return lambda function: Addressed(function, signature, short)


@typeof_impl.register(Part)
def _type_of_part(part, c):
    return types.Dispatcher(part.dispatcher)


@typeof_impl.register(Addressed)
def _type_within_others(kernel, c):
    return types.Dispatcher(kernel.part.dispatcher)


def callable_from_c(signature: Any) -> Any:
    """The decorator of a kernel that is called by its C address; it is compiled or loaded at once."""

    def decorate(function):
        return CFunction(function, signature, OPTIONS | {"_nrt": True}, _cache_of(function), **ENTRY_OPTIONS)

    return decorate
