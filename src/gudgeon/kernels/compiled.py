"""The decorators of all kernels, and a guard against stale compiled code on disk.

Numba compiles a kernel again when the kernel's own file changes, but not when a file it calls changes. So when any
source file of a folder of kernels, or of a folder that it calls, is newer than the compiled files beside it, those are
thrown away.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba

from gudgeon.kernels.parts import PART_OPTIONS

PACKAGE = Path(__file__).parent.parent
FOLDERS = {  # folders of kernels, and the other folders whose kernels they call
    "kernels": ("fem",),
    "nurbs/kernels": (),
    "fem": (),
    "surface_contact/kernels": ("kernels", "nurbs/kernels"),
}
SHARED = ("kernels/compiled.py", "kernels/parts.py")  # decide how all are compiled


def drop_stale_code(package: Path = PACKAGE) -> None:
    """Delete compiled files older than the newest source that they come from."""
    for folder, called_folders in FOLDERS.items():
        compiled_files = list((package / folder / "__pycache__").glob("*.nb[ic]"))
        if not compiled_files:
            continue
        sources = [package / name for name in SHARED]
        for each in (folder, *called_folders):
            sources += (package / each).glob("*.py")
        try:
            newest_source = max(path.stat().st_mtime for path in sources)
            if min(path.stat().st_mtime for path in compiled_files) < newest_source:
                for path in compiled_files:
                    path.unlink(missing_ok=True)
        except OSError:  # another process is doing the same, or the folder is read-only
            continue


drop_stale_code()

OPTIONS: dict[str, Any] = {"_nrt": False, "nogil": True, "error_model": "numpy", "fastmath": {"contract"}}

compiled = numba.njit(**OPTIONS, cache=True)  # callable from Python
called = numba.njit(**OPTIONS, **PART_OPTIONS)  # by other kernels only
inlined = numba.njit(**OPTIONS, **PART_OPTIONS, forceinline=True)
viewing = numba.njit(**OPTIONS | {"_nrt": True}, **PART_OPTIONS)  # makes arrays from addresses
summed = numba.njit(**OPTIONS | {"fastmath": {"contract", "reassoc", "nsz"}}, cache=True)  # sums in any order
