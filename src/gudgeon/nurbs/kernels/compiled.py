"""The decorators of the surface kernels, and a guard against stale compiled code on disk.

Numba compiles a kernel again when the kernel's own file changes, but not when a file it calls changes. So when any
source file here is newer than the compiled files beside it, those are thrown away.
"""

from __future__ import annotations

from pathlib import Path

import numba

from gudgeon.kernels.parts import PART_OPTIONS

_FOLDER = Path(__file__).parent


def drop_stale_code() -> None:
    """Delete compiled files older than the newest kernel source."""
    compiled_files = list((_FOLDER / "__pycache__").glob("*.nb[ic]"))
    if not compiled_files:
        return
    newest_source = max(path.stat().st_mtime for path in _FOLDER.glob("*.py"))
    try:
        if min(path.stat().st_mtime for path in compiled_files) < newest_source:
            for path in compiled_files:
                path.unlink(missing_ok=True)
    except OSError:  # another process is doing the same, or the folder is read-only
        return


drop_stale_code()

_OPTIONS = {"_nrt": False, "nogil": True, "error_model": "numpy", "fastmath": {"contract"}}

compiled = numba.njit(**_OPTIONS, cache=True)  # callable from Python
called = numba.njit(**_OPTIONS, **PART_OPTIONS)  # by other kernels only
inlined = numba.njit(**_OPTIONS, **PART_OPTIONS, forceinline=True)
