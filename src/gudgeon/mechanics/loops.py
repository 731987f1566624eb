"""Where the loops of a tree pass, in which order their multipliers are eliminated, and where every block of L lives.

A node is a cut joint with its drives, or the drives of a tree joint. The hub of a node is the last link common to both
its sides; its path are the joints between its two bodies and the hub. Nodes are eliminated at their hubs, from the tips
of the tree to the ground, and among those of one hub the node with the fewest coupled rows first. Pins that hold the
same node of a flexible body are coupled by its mass, wherever they pass.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.elimination import Node, integers, minimum_degree_order


class Loops:
    """Tables of kernels/dynamics/loops.py; `parent[k]` is the inner link of link k, nodes act on links (0: ground)."""

    def __init__(self, nodes: list[Node], parent: list[int]):
        self._nodes, self._parent = nodes, parent
        self._line_count = 0
        depth = [0] * len(parent)
        for k in range(1, len(parent)):
            depth[k] = depth[parent[k]] + 1
        self._hub: list[int] = []
        self._passing: list[list[int]] = [[] for _ in parent]  # nodes through the joint of each link
        for n, node in enumerate(nodes):
            hub, *others = node.ends
            for other in others:
                while hub != other:
                    if depth[hub] >= depth[other]:
                        hub = parent[hub]
                    else:
                        other = parent[other]
            for link in node.ends:
                while link != hub:
                    if n not in self._passing[link][-1:]:
                        self._passing[link].append(n)
                    link = parent[link]
            self._hub.append(hub)
        neighbours: list[set[int]] = [set() for _ in nodes]
        for group in self._passing:
            for n in group:
                neighbours[n].update(group)
        pins = [n for n, node in enumerate(nodes) if node.carrier]
        self._shared = [pair for pair in combinations(pins, 2) if nodes[pair[0]].carrier == nodes[pair[1]].carrier]
        for one, two in self._shared:
            neighbours[one].add(two)
            neighbours[two].add(one)
        for n, group in enumerate(neighbours):
            group.discard(n)
        self._order, self._neighbours = minimum_degree_order(nodes, neighbours, [-hub for hub in self._hub])
        self._place = {n: position for position, n in enumerate(self._order)}

    def tables(self, tree: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray, int]:
        """The arrays of the model, first row of each node, lines of L; fills the loops' columns of `tree`."""
        nodes, place, hub = self._nodes, self._place, self._hub
        below = [sorted(place[i] for i in self._neighbours[n]) for n in self._order]
        sizes = [nodes[n].size for n in self._order]
        block: dict[tuple[int, int], int] = {}
        for k, size in enumerate(sizes):
            block[k, k] = self._lines(3 if size <= 3 else 6)
            for row in below[k]:
                block[row, k] = self._lines(sizes[row])
        pull = {(link, n): self._lines(6) for link, group in enumerate(self._passing) for n in group}
        pull |= {(hub[n], n): self._lines(6) for n in range(len(nodes)) if hub[n]}
        stiffened = {link: self._lines(6) for link in sorted(set(hub)) if link}

        entries: list[tuple[int, int, int]] = []
        updates: list[tuple[int, ...]] = []
        node_table = np.full((len(nodes) + 1, 5), -1, dtype=np.int64)
        for k, n in enumerate(self._order):
            own = pull[hub[n], n] if hub[n] else -1
            node_table[k] = sizes[k], block[k, k], len(entries), len(updates), own
            entries += [(6 * row, sizes[row], block[row, k]) for row in below[k]]
            for row in below[k]:
                for column in below[k]:
                    if column <= row:
                        target = block[row, column]
                        updates.append((sizes[row], sizes[column], block[row, k], block[column, k], target))
            if hub[n]:
                entries.append((-1, 6, own))
                for column in below[k]:
                    target = pull[hub[n], self._order[column]]
                    updates.append((6, sizes[column], own, block[column, k], target))
                updates.append((6, 6, own, own, stiffened[hub[n]]))
        node_table[-1, :4] = 0, self._line_count, len(entries), len(updates)

        tree[:, arrays.HUB] = -1
        for k, n in reversed(list(enumerate(self._order))):
            tree[hub[n], arrays.FIRST_NODE] = k
            tree[hub[n], arrays.LAST_NODE] = max(tree[hub[n], arrays.LAST_NODE], k + 1)
            if hub[n]:
                tree[hub[n], arrays.HUB] = stiffened[hub[n]]
        paths, meetings = self._paths_and_meetings(tree, block, pull)
        grips = [
            (link, 6 * place[n], node.size, side, pull[link, n])
            for n, node in enumerate(nodes)
            for side, link in enumerate(node.ends)
            if link
        ]
        shared = []
        for pair in self._shared:
            two, one = sorted(pair, key=lambda n: place[n])
            line = block[place[one], place[two]]
            for i, j in product(range(nodes[one].size), range(nodes[two].size)):
                shared.append((6 * place[one] + i, 6 * place[two] + j, line + i, j, nodes[one].carrier))
        first_row = np.array([6 * place[n] for n in range(len(nodes))], dtype=np.int64)
        tables = {
            "node": node_table,
            "entry": integers(entries, 3),
            "update": integers(updates, 5),
            "path": integers(paths, 4),
            "grip": integers(grips, 5),
            "meeting": integers(meetings, 3),
            "shared": integers(shared, 5),
        }
        return tables, first_row, self._line_count

    def _lines(self, count: int) -> int:
        self._line_count += count
        return self._line_count - count

    def _paths_and_meetings(self, tree: np.ndarray, block, pull) -> tuple[list, list]:
        paths: list[tuple[int, ...]] = []
        meetings: list[tuple[int, ...]] = []
        for link, group in enumerate(self._passing):
            inner = self._parent[link]
            first = len(paths)
            for n in group:
                next_pull = pull[inner, n] if inner else -1
                paths.append((6 * self._place[n], self._nodes[n].size, pull[link, n], next_pull))
            tree[link, arrays.FIRST_PATH], tree[link, arrays.LAST_PATH] = first, len(paths)
            tree[link, arrays.FIRST_MEETING] = len(meetings)
            for one, n in enumerate(group):
                for two, other in enumerate(group):
                    if self._place[other] <= self._place[n]:
                        target = block[self._place[n], self._place[other]]
                        meetings.append((first + one, first + two, target))
            tree[link, arrays.LAST_MEETING] = len(meetings)
        return paths, meetings
