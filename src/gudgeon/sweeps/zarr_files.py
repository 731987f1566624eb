"""Arrays of a Zarr hierarchy, format 3, as files: metadata, and chunks of plain little-endian numbers or texts.

Written here without the zarr library, because a study writes many small chunks and each has to be on the disk, whole,
before the next step; read by whoever reads Zarr (Zarr core specification, version 3.0; texts: codec vlen-utf8).
"""

from __future__ import annotations

import json
import math
import os
import struct
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

CHUNK_BYTES = 1 << 22  # about how large a chunk gets
TEXT = "string"
TYPES = {"<f8": "float64", "<i8": "int64", "|i1": "int8", "|b1": "bool", TEXT: TEXT}
FILLS: dict[str, Any] = {"<f8": "NaN", "<i8": 0, "|i1": 0, "|b1": False, TEXT: ""}


def write_durably(path: Path, content: bytes) -> None:
    """Replace a file by a new one that is on the disk."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}", suffix=".part")
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def chunk_shape(dtype: str, runs: Sequence[int], inner: Sequence[int]) -> tuple[int, ...]:
    """Whole runs, as many as make about CHUNK_BYTES, along the last dimensions of runs first.

    >>> chunk_shape("<f8", (100, 20), (1001,)), chunk_shape("<f8", (100, 20), ())
    ((26, 20, 1001), (100, 20))
    """
    size = 64 if dtype == TEXT else np.dtype(dtype).itemsize
    room = max(1, CHUNK_BYTES // max(1, size * math.prod(inner)))
    taken: list[int] = []
    for count in reversed(runs):
        here = max(1, min(count, room))
        taken.append(here)
        room = room // here if here == count else 1
    return (*reversed(taken), *(max(1, n) for n in inner))


def array_metadata(
    shape: Sequence[int], chunks: Sequence[int], dtype: str, dims: Sequence[str], attrs: dict[str, Any]
) -> dict[str, Any]:
    """The content of an array's zarr.json."""
    little_endian = {"endian": "little"} if dtype not in ("|i1", "|b1") else {}
    codec = {"name": "bytes", "configuration": little_endian} if dtype != TEXT else {"name": "vlen-utf8"}
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(shape),
        "data_type": TYPES[dtype],
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": FILLS[dtype],
        "codecs": [codec],
        "attributes": attrs,
        "dimension_names": list(dims),
        "storage_transformers": [],
    }


def group_metadata(attrs: dict[str, Any], arrays: dict[str, dict[str, Any]]) -> bytes:
    """The content of a group's zarr.json, with the metadata of its arrays."""
    consolidated = {"kind": "inline", "must_understand": False, "metadata": arrays}
    head = {"zarr_format": 3, "node_type": "group", "attributes": attrs, "consolidated_metadata": consolidated}
    return as_json(head)


def as_json(data: Any) -> bytes:
    """Plain data as JSON in one line."""
    return json.dumps(data, ensure_ascii=False, allow_nan=True).encode()


def chunk_file(folder: Path, chunk: Sequence[int]) -> Path:
    """The file of a chunk."""
    return folder / "/".join(["c", *map(str, chunk)])


def encoded(values: np.ndarray, dtype: str) -> bytes:
    """The bytes of a chunk."""
    if dtype != TEXT:
        return np.ascontiguousarray(values, dtype=dtype).tobytes()
    texts = [str(text).encode() for text in values.reshape(-1)]
    return struct.pack("<I", len(texts)) + b"".join(struct.pack("<I", len(text)) + text for text in texts)


def decoded(content: bytes, dtype: str, shape: Sequence[int]) -> np.ndarray:
    """The values of a chunk, to be changed."""
    if dtype != TEXT:
        return np.frombuffer(content, dtype=dtype).reshape(shape).copy()
    values, place = np.empty(math.prod(shape), dtype=object), 4
    for k in range(len(values)):
        (length,) = struct.unpack_from("<I", content, place)
        values[k] = content[place + 4 : place + 4 + length].decode()
        place += 4 + length
    return values.reshape(shape)


def empty_chunk(dtype: str, shape: Sequence[int]) -> np.ndarray:
    """A chunk of which nothing is known yet."""
    if dtype == TEXT:
        return np.full(shape, "", dtype=object)
    return np.full(shape, np.nan if dtype == "<f8" else 0, dtype=dtype)


def read_chunk(folder: Path, chunk: Sequence[int], dtype: str, shape: Sequence[int]) -> np.ndarray:
    """The values of a chunk, or those of one that is not there yet."""
    file = chunk_file(folder, chunk)
    return decoded(file.read_bytes(), dtype, shape) if file.exists() else empty_chunk(dtype, shape)


def write_chunk(folder: Path, chunk: Sequence[int], dtype: str, values: np.ndarray) -> None:
    """Write a chunk, durably."""
    file = chunk_file(folder, chunk)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_durably(file, encoded(values, dtype))


def whole_chunks(shape: Sequence[int], chunks: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The indices of all chunks of an array."""
    counts = [-(-n // c) for n, c in zip(shape, chunks, strict=True)]
    return iter(tuple(map(int, place)) for place in np.ndindex(*counts))
