"""Copies of a record, one after the other: all its arrays at once, as one piece of memory.

A new record of some fifty arrays takes longer to make than to fill: every array is allocated, checked and entered into
the table of addresses. Here all numbers lie in one array, and the table is known but for where that begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from gudgeon.kernels.build.records import WORD, Record, address_of

LINE = 8  # words: every array begins a line of the cache


class Mould:
    """A record as it is now, to be copied. Empty arrays, in which nothing can be written, are shared by all copies."""

    def __init__(self, record: Record):
        self._parts = list(_parts(record))  # what another contains stands before it
        place = {id(part): k for k, part in enumerate(self._parts)}
        tables = [part._table for part in self._parts]
        begins = np.cumsum([0, *map(len, tables)]).tolist()
        self._spans = list(pairwise(begins))
        self._tables = np.concatenate(tables)
        self._views: list[list[tuple[str, Any, Any, int]]] = []  # of each part: name, shape, type, place [bytes]
        self._within: list[list[tuple[str, int]]] = []  # of each part: name, which part that is
        of_arrays, of_tables, pieces, size = [], [], [], 0
        for part, begin in zip(self._parts, begins, strict=False):
            views, within = [], []
            for name, value in part.arrays().items():
                entry = begin + part.record_type.places[name] // WORD
                if isinstance(value, Record):
                    within.append((name, place[id(value)]))
                    of_tables.append((entry, WORD * begins[place[id(value)]]))
                elif value.size:
                    views.append((name, value.shape, value.dtype, WORD * size))
                    of_arrays.append((entry, WORD * size))
                    room = -(-value.size // LINE) * LINE
                    pieces.append((size, value))
                    size += room
            self._views.append(views)
            self._within.append(within)
        self._content = np.zeros(size, dtype=np.int64)
        for first, value in pieces:
            self._content[first : first + value.size] = value.reshape(-1).view(np.int64)
        self._array_entries, self._array_places = np.array(of_arrays, dtype=np.int64).reshape(-1, 2).T.copy()
        self._table_entries, self._table_places = np.array(of_tables, dtype=np.int64).reshape(-1, 2).T.copy()

    def copy(self) -> Any:
        """A record of the same content with arrays of its own."""
        content, tables = self._content.copy(), self._tables.copy()
        tables[self._array_entries] = self._array_places + address_of(content)
        first = address_of(tables)
        tables[self._table_entries] = self._table_places + first
        made: list[Record] = []
        for part, views, within, (begin, end) in zip(self._parts, self._views, self._within, self._spans, strict=True):
            new = object.__new__(type(part))
            new._given = own = dict(part._given)
            for name, shape, kind, at in views:
                own[name] = np.ndarray(shape, kind, content, at)
            for name, k in within:
                own[name] = made[k]
            new.__dict__.update(own)
            new._table, new.address = tables[begin:end], first + WORD * begin
            made.append(new)
        return made[-1]


def _parts(record: Record) -> Iterator[Record]:
    for value in record.arrays().values():
        if isinstance(value, Record):
            yield from _parts(value)
    yield record
