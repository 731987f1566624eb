"""The decorators of all kernels, and what the compiled code of a kernel is made from.

A kernel calls others, also of other folders, so its compiled code comes from all their files. It is kept on disk under
a digest of every source of its folder and of the folders that it calls (code_on_disk.py).

With GUDGEON_STRICT=1 in the environment every operation of every kernel rounds as written, so that its bits do not
depend on what the compiler puts into one function: a product and a sum that meet there become one operation otherwise.
Code of both builds is kept side by side.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import numba

import gudgeon.compilation_watch  # noqa: F401 (sees what is compiled from now on)
from gudgeon.c_functions import CFunction
from gudgeon.code_on_disk import CodeCache, digest
from gudgeon.errors import ModelError
from gudgeon.kernels.parts import PART_OPTIONS

PACKAGE = Path(__file__).parent.parent
FOLDERS = {  # folders of kernels, and the other folders whose kernels they call
    "kernels": ("fem",),
    "nurbs/kernels": (),
    "fem": (),
    "surface_contact/kernels": ("kernels", "nurbs/kernels"),
}
SHARED = ("kernels/compiled.py", "kernels/parts.py")  # decide how all are compiled
BUILD = {"": "", "0": "", "1": ".strict"}.get(os.environ.get("GUDGEON_STRICT", ""), "?")  # in the names of files
if BUILD == "?":
    raise ModelError(f"GUDGEON_STRICT is {os.environ['GUDGEON_STRICT']!r}; set it to 1 for the strict build, or to 0")


@cache
def sources_of(folder: str, package: Path = PACKAGE) -> bytes:
    """A digest of everything that the compiled code of a folder of kernels comes from."""
    paths = [package / name for name in SHARED]
    for each in (folder, *FOLDERS[folder]):
        paths += sorted((package / each).glob("*.py"))
    parts = [(path.relative_to(package).as_posix().encode(), path.read_bytes()) for path in paths]
    return digest(BUILD.encode(), *(part for pair in parts for part in pair))


def _cache_of(function: Any) -> CodeCache:
    folder = Path(function.__code__.co_filename).parent.relative_to(PACKAGE).as_posix()
    return CodeCache(function, function.__qualname__ + BUILD, sources_of(folder))


def _kept(**options: Any) -> Any:
    """The decorator `numba.njit`, whose compiled code is kept on disk."""

    def decorate(function):
        kernel: Any = numba.njit(**options)(function)
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


def callable_from_c(signature: Any) -> Any:
    """The decorator of a kernel that is called by its C address; it is compiled or loaded at once."""

    def decorate(function):
        return CFunction(function, signature, OPTIONS | {"_nrt": True}, _cache_of(function))

    return decorate
