"""SciPy's LAPACK without the rest of `scipy.linalg`, whose import takes longer than a mechanism to be put together."""

from __future__ import annotations

import sys
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any


@cache
def lapack() -> Any:
    """The functions of `scipy.linalg.lapack` for numbers of double precision, `dgetrf` and so on.

    >>> import numpy as np
    >>> _, order, *_ = lapack().dgeqp3(np.diag([1.0, 3.0, 2.0]))
    >>> order.tolist()
    [2, 3, 1]
    """
    return _alone() if "scipy.linalg" not in sys.modules else _among_others()


def _alone() -> Any:
    """The library itself, from its file; all of `scipy.linalg` where that is not what it was."""
    import scipy

    name = "_flapack"
    try:
        found = PathFinder.find_spec(name, [str(Path(scipy.__file__).parent / "linalg")])
        assert found is not None and found.origin is not None
        spec = spec_from_file_location(f"scipy.linalg.{name}", found.origin)
        assert spec is not None and spec.loader is not None
        library = module_from_spec(spec)
        spec.loader.exec_module(library)
        assert all(hasattr(library, function) for function in ("dgeqp3", "dgetrf", "dgetrs"))
    except (AssertionError, ImportError):
        return _among_others()
    return library


def _among_others() -> Any:
    from scipy.linalg import lapack

    return lapack
