"""Undirected graphs: what is connected, how far, and the blocks in which loops lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Graph:
    """Nodes 0 … n − 1; edge k connects `ends[k]` and carries `rows[k]`. Parallel edges are allowed."""

    node_count: int
    ends: Sequence[tuple[int, int]]
    rows: Sequence[int]

    def neighbours(self, edges: Iterable[int] | None = None) -> list[list[tuple[int, int]]]:
        """For each node its edges, as (other node, edge)."""
        out: list[list[tuple[int, int]]] = [[] for _ in range(self.node_count)]
        for k in range(len(self.ends)) if edges is None else edges:
            u, v = self.ends[k]
            out[u].append((v, k))
            out[v].append((u, k))
        return out


class Components:
    """Which nodes some edges of a graph connect (union-find)."""

    def __init__(self, graph: Graph, edges: Iterable[int]):
        self._above = list(range(graph.node_count))
        for k in edges:
            self.join(*graph.ends[k])

    def of(self, node: int) -> int:
        """The node that stands for the part to which `node` belongs."""
        above = self._above
        while above[node] != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    def connected(self, u: int, v: int) -> bool:
        """Whether two nodes belong to one part."""
        return self.of(u) == self.of(v)

    def join(self, u: int, v: int) -> bool:
        """Connect two nodes; False if they were."""
        one, two = self.of(u), self.of(v)
        self._above[max(one, two)] = min(one, two)
        return one != two


def distances(graph: Graph, roots: Iterable[int], without: set[int]) -> list[int]:
    """The number of edges from each node to the nearest root, −1 where none is reached; edges in `without` are not
    used."""
    neighbours = graph.neighbours()
    out = [-1] * graph.node_count
    queue = list(roots)
    for node in queue:
        out[node] = 0
    for node in queue:
        for other, k in neighbours[node]:
            if out[other] < 0 and k not in without:
                out[other] = out[node] + 1
                queue.append(other)
    return out


def blocks(graph: Graph) -> list[list[int]]:
    """The edges of each block: of each largest part that stays connected without any one of its nodes.

    Hopcroft and Tarjan (1973), Communications of the ACM 16, algorithm 447, without recursion.
    """
    neighbours = graph.neighbours()
    order = [-1] * graph.node_count  # in which the nodes are met
    low = [0] * graph.node_count  # earliest node reached from below
    out: list[list[int]] = []
    count = 0
    for start in range(graph.node_count):
        if order[start] >= 0:
            continue
        order[start] = low[start] = count
        count += 1
        pending: list[int] = []  # edges not yet in a block
        stack = [(start, -1, 0, iter(neighbours[start]))]
        while stack:
            node, arrived, first, rest = stack[-1]
            for other, k in rest:
                if order[other] < 0:
                    order[other] = low[other] = count
                    count += 1
                    stack.append((other, k, len(pending), iter(neighbours[other])))
                    pending.append(k)
                    break
                if k != arrived and order[other] < order[node]:
                    pending.append(k)
                    low[node] = min(low[node], order[other])
            else:
                stack.pop()
                if not stack:
                    break
                above = stack[-1][0]
                low[above] = min(low[above], low[node])
                if low[node] >= order[above]:
                    out.append(pending[first:])
                    del pending[first:]
    return out
