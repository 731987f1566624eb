"""One thread for small dense algebra.

The matrices of a mechanism have tens to hundreds of rows. More threads do not make their algebra faster, and on a
machine with other work they wait for each other: some ten times slower.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from gudgeon.mechanics.lapack import lapack

_held = threading.Lock()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within it BLAS and LAPACK of this process use one thread; also a decorator of functions.

    The setting belongs to the process: only the first to ask for it sets and restores it, others leave it alone.

    >>> import numpy as np
    >>> with one_blas_thread():
    ...     values = np.linalg.svd(np.eye(60), compute_uv=False)
    """
    if not _held.acquire(blocking=False):  # by a caller of this function, or in another thread
        yield
        return
    try:
        if all(each.num_threads == 1 for each in _libraries().lib_controllers):  # as in workers of studies
            yield
            return
        with _libraries().limit(limits=1, user_api="blas"):
            yield
    finally:
        _held.release()


@cache
def _libraries() -> Any:
    """The BLAS libraries of this process: that of NumPy, and that of SciPy, which must be loaded to be found."""
    from threadpoolctl import ThreadpoolController

    lapack()
    return ThreadpoolController()
