"""The kernels of gudgeon.kernels that can be compiled beforehand: those with known arguments, module by module."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from typing import Any

import gudgeon.kernels

PACKAGE = "gudgeon.kernels."
MODULES = tuple(
    module.name.removeprefix(PACKAGE)
    for module in pkgutil.walk_packages(gudgeon.kernels.__path__, PACKAGE)
    if not module.ispkg
)


def kernels_of(module: str) -> list[Any]:
    """What Python calls, or kernels call by their address."""
    from gudgeon.kernels.build.compiled import Addressed

    own = module if module.startswith("gudgeon.") else PACKAGE + module
    found = vars(import_module(own)).values()
    return [
        kernel
        for kernel in found
        if (isinstance(kernel, Addressed) and kernel.function.__module__ == own)
        or (not isinstance(kernel, Addressed) and hasattr(kernel, "arguments") and kernel.py_func.__module__ == own)
    ]


def compile_module(module: str) -> None:
    """Compile or load the kernels of a module."""
    for kernel in kernels_of(module):
        if hasattr(kernel, "arguments"):
            kernel.compile(kernel.arguments)
        else:
            _ = kernel.address


def is_on_disk(module: str) -> bool:
    """Whether all kernels of a module have been compiled before."""
    return all((kernel.kept if hasattr(kernel, "kept") else kernel._cache).index() for kernel in kernels_of(module))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        compile_module(name)
