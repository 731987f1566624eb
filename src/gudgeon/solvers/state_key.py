"""What a state belongs to: a digest of a system, a solver and all that decides how it steps."""

from __future__ import annotations

import dataclasses
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from gudgeon.code_digest import BUILD, digest
from gudgeon.solvers.content import content
from gudgeon.system import System


def state_key(system: System, *settings: Any) -> str:
    """A digest of the description but for its start and its looks, and of settings.

    >>> import gudgeon as gd
    >>> from gudgeon.solvers.state_key import state_key
    >>> system = gd.examples.spatial_four_bar()
    >>> state_key(system, gd.Explicit()) == state_key(system, gd.Explicit(rtol=1e-9))
    False
    """
    return key_of(kernels_key(), dataclasses.replace(system, start={}), *settings)


def key_of(*parts: Any) -> str:
    """A digest of descriptions, functions and numbers: the same in every process."""
    sha = hashlib.sha256()
    for part in parts:
        for piece in content(part):
            sha.update(piece)
            sha.update(b";")
    return sha.hexdigest()


@cache
def kernels_key() -> bytes:
    """A digest of the code that steps: other code, other bits."""
    return digest(BUILD.encode(), *(file.read_bytes() for file in kernel_files()))


def kernel_files() -> list[Path]:
    """The sources of all kernels."""
    from gudgeon import kernels

    return sorted(Path(kernels.__path__[0]).rglob("*.py"))
