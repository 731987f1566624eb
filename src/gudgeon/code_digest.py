"""Which build of the kernels this is, and a digest of sources and of Numba's version: known without importing Numba."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache

from gudgeon.errors import ModelError

BUILD = {"": "", "0": "", "1": ".strict"}.get(os.environ.get("GUDGEON_STRICT", ""), "?")  # in the names of files
if BUILD == "?":
    raise ModelError(f"GUDGEON_STRICT is {os.environ['GUDGEON_STRICT']!r}; set it to 1 for the strict build, or to 0")


def digest(*parts: bytes) -> bytes:
    """A digest of sources and of Numba's version."""
    made = hashlib.sha256(_numba_version().encode())
    for part in parts:
        made.update(len(part).to_bytes(8, "little") + part)
    return made.digest()


@cache
def _numba_version() -> str:
    """The same whether Numba is imported or not.

    >>> import numba
    >>> _numba_version.__wrapped__() == numba.__version__
    True
    """
    if "numba" in sys.modules:
        return sys.modules["numba"].__version__
    from importlib.metadata import version

    return version("numba")
