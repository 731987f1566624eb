"""The compiled code of a kernel, called without Numba's look at the types of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def entry_point(kernel: Any) -> Callable[..., Any]:
    """The code of a kernel that takes one tuple of types (`entrance`); the kernel itself while that is not loaded.

    A call takes a fourth of the time. Nothing looks at the arguments: they must be of the kernel's types.
    """
    if not hasattr(kernel, "code"):
        loaded = kernel.overloads.get(kernel.arguments)
        if loaded is None:
            return kernel
        kernel.code = loaded.entry_point
    return kernel.code
