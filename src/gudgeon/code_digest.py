"""A digest of sources and of Numba's version, for which Numba need not be imported: studies ask for it early."""

from __future__ import annotations

import hashlib
import sys
from functools import cache


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
