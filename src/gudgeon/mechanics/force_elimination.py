"""In which order unknown forces are eliminated, and where every block of their matrix lives.

A node is unknowns that are eliminated together. The one with the fewest coupled unknowns left goes first (minimum
degree), which makes the work linear in chains and trees.
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics import force_pattern as places
from gudgeon.mechanics.elimination import Node, integers, minimum_degree_order


class ForceElimination:
    """Nodes in their order, island by island, and the places of all blocks, fill-in included."""

    def __init__(self):
        self.block: dict[tuple[int, int], int] = {}  # (row, column) → first line
        self._nodes: list[tuple[int, ...]] = []
        self._entries: list[tuple[int, int, int]] = []
        self._updates: list[tuple[int, int, int]] = []  # (row, column, node that is eliminated)
        self._island_node = [0]
        self._lines = self._unknowns = 0

    def add_island(self, sizes: list[int], coupled: list[set[int]]) -> list[int]:
        """Add the nodes of an island, of these sizes, each coupled with these others; returns their places.

        `coupled` is used up.
        """
        order, coupled = minimum_degree_order([Node(size, -1, -1) for size in sizes], coupled, [0] * len(sizes))
        place = [0] * len(sizes)
        for position, number in enumerate(order, start=len(self._nodes)):
            place[number] = position
        size = dict(zip(place, sizes, strict=True))
        for number in order:
            n, later = place[number], sorted(place[other] for other in coupled[number])
            self._nodes.append((size[n], self._unknowns, self._lines, len(self._entries), len(self._updates)))
            self.block[n, n] = self._lines
            self._lines += size[n]
            self._unknowns += size[n]
            for other in later:
                below, beside = self._lines, self._lines + size[other]
                self.block[other, n], self.block[n, other] = below, beside
                self._entries.append((other, below, beside))
                self._lines = beside + size[n]
            self._updates += [(i, j, n) for i in later for j in later]
        self._island_node.append(len(self._nodes))
        return place

    def tables(self) -> dict[str, np.ndarray]:
        """The tables of nodes, and of what each does to those after it."""
        end = (0, self._unknowns, self._lines, len(self._entries), len(self._updates))
        block, size = self.block, [node[places.SIZE] for node in self._nodes]
        updates = [(block[i, j], block[i, n], block[n, j], size[i], size[j]) for i, j, n in self._updates]
        return {
            "node": integers([*self._nodes, end], places.NODE_COLUMNS),
            "entry": integers(self._entries, places.ENTRY_COLUMNS),
            "update": integers(updates, places.UPDATE_COLUMNS),
            "island_node": np.array(self._island_node),
        }
