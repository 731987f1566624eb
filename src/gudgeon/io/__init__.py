"""Files of other programs, one module per format, each with `read`.

`gudgeon.io.step`   faces of STEP files as NURBS surfaces
`gudgeon.io.iges`   the same for IGES files

>>> import gudgeon as gd
>>> faces = gd.io.step.read("engine.step")  # doctest: +SKIP
>>> bore = faces["bore"].surface  # doctest: +SKIP
"""

from gudgeon.public_names import public_names as _public_names

__all__, __getattr__, __dir__ = _public_names(__name__, __file__)  # listed in __init__.pyi
