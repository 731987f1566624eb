"""Arrays for the browser: one block of bytes, compressed; a description refers to its arrays by place and shape.

Numbers have four bytes; all first bytes of an array come first, then all second ones and so on, which compresses
better by a third. An array over time is written column by column.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

Reference = dict[str, Any]


class Arrays:
    """Collects arrays.

    >>> arrays = Arrays()
    >>> arrays.add([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    {'at': 0, 'shape': [3, 2]}
    """

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._size = 0
        self.numbers = 0

    def add(self, values: Any, *, whole: bool = False) -> Reference:
        """Keep an array as float32 (or uint32, if `whole`) and tell where it is."""
        array = np.asarray(values)
        flat = np.ascontiguousarray(np.moveaxis(array, 0, -1), dtype="<u4" if whole else "<f4").ravel()
        block = flat.view(np.uint8).reshape(-1, 4).T.tobytes()
        reference: Reference = {"at": self._size, "shape": list(array.shape)}
        if whole:
            reference["whole"] = True
        self._blocks.append(block)
        self._size += len(block)
        self.numbers += len(flat)
        return reference

    def content(self) -> bytes:
        """All arrays, compressed (zlib)."""
        return zlib.compress(b"".join(self._blocks), 9)
