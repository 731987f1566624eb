"""Files of other programs, one module per format, each with `read`.

`gudgeon.io.step`   faces of STEP files as NURBS surfaces
`gudgeon.io.iges`   the same for IGES files

>>> import gudgeon as gd
>>> faces = gd.io.step.read("engine.step")  # doctest: +SKIP
>>> bore = faces["bore"].surface  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gudgeon.io import iges, step

__all__ = ["iges", "step"]


def __getattr__(name: str):
    if name not in __all__:
        raise AttributeError(f"module 'gudgeon.io' has no attribute {name!r}")
    return import_module(f"gudgeon.io.{name}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
