"""In which order the multipliers are eliminated, and where every block of S = J M⁻¹ Jᵀ lives.

A node is a joint with its drives. Two nodes are coupled in S where they touch the same moving body. Eliminating the
node with the fewest coupled rows first (minimum degree) makes the work linear in chains and trees.

A body that carries many joints would couple all of them with each other. Such a body is split into equal shares, each
carrying a few of its joints and a part of its mass, welded to each other in a row by links of six rows. The motion is
the same, and the work stays linear in the number of joints.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

JOINTS_PER_BODY = 6  # a body with more joints is split
JOINTS_PER_SHARE = 4


@dataclass(frozen=True)
class Node:
    """Rows that are eliminated together, and the shares of bodies they act on (−1: the ground).

    A single row may act on two bodies more: their sides of the Jacobian stand in the lines of the next row.
    """

    size: int
    parent: int
    child: int
    changes: bool = True  # the linear part of some row changes during the motion
    more: tuple[int, ...] = ()
    carrier: int = 0  # of the node of a flexible body that they hold, in relative coordinates

    @property
    def ends(self) -> tuple[int, ...]:
        """All that it acts on, by side."""
        return (self.parent, self.child, *self.more)


@dataclass(frozen=True)
class Shares:
    """Bodies split into shares, and the links that weld them."""

    nodes: list[Node]  # the given nodes, then the links
    link_body: list[int]  # body of each link
    scale: list[float]  # per share: number of shares of its body


def split_bodies(nodes: list[Node], body_count: int) -> Shares:
    """Replace bodies (numbered from 1, 0 the ground) by shares; bodies with few joints have one."""
    touching: list[list[tuple[int, int]]] = [[] for _ in range(body_count + 1)]
    for k, node in enumerate(nodes):
        for side, body in enumerate(node.ends):
            touching[body].append((k, side))
    sides = [[-1] * len(node.ends) for node in nodes]
    scale: list[float] = []
    links: list[Node] = []
    link_body: list[int] = []
    for body in range(1, body_count + 1):
        ends = touching[body]
        per_share = len(ends) if len(ends) <= JOINTS_PER_BODY else JOINTS_PER_SHARE
        share_count = max(1, -(-len(ends) // max(1, per_share)))
        first = len(scale)
        scale += [float(share_count)] * share_count
        for place, (k, side) in enumerate(ends):
            sides[k][side] = first + place // max(1, per_share)
        for share in range(first, first + share_count - 1):
            links.append(Node(6, share, share + 1))
            link_body.append(body)
    split = [
        Node(node.size, ends[0], ends[1], node.changes, tuple(ends[2:]))
        for node, ends in zip(nodes, sides, strict=True)
    ]
    return Shares(split + links, link_body, scale)


def coupled_nodes(nodes: Sequence[Node]) -> list[set[int]]:
    """For each node those that touch one of its shares."""
    by_share: dict[int, list[int]] = {}
    for k, node in enumerate(nodes):
        for share in set(node.ends) - {-1}:
            by_share.setdefault(share, []).append(k)
    neighbours: list[set[int]] = [set() for _ in nodes]
    for group in by_share.values():
        for k in group:
            neighbours[k].update(group)
    for k, group in enumerate(neighbours):
        group.discard(k)
    return neighbours


def minimum_degree_order(
    nodes: Sequence[Node], neighbours: list[set[int]], stage: list[int]
) -> tuple[list[int], list[set[int]]]:
    """The order of elimination, and for each node the nodes it is coupled with when its turn comes.

    Lower stages come first, and within a stage the node with the fewest coupled rows. `neighbours` is used up.
    """

    def coupled_rows(k: int) -> int:
        return sum(nodes[i].size for i in neighbours[k])

    waiting = [(stage[k], coupled_rows(k), k) for k in range(len(nodes))]
    heapq.heapify(waiting)
    order: list[int] = []
    done = [False] * len(nodes)
    while waiting:
        _, rows, k = heapq.heappop(waiting)
        if done[k]:
            continue
        if rows != coupled_rows(k):
            heapq.heappush(waiting, (stage[k], coupled_rows(k), k))
            continue
        done[k] = True
        order.append(k)
        for i in neighbours[k]:
            neighbours[i].update(neighbours[k])
            neighbours[i] -= {i, k}
            heapq.heappush(waiting, (stage[i], coupled_rows(i), i))
    return order, neighbours


def schedule(shares: Shares) -> tuple[dict[str, np.ndarray], np.ndarray, int]:
    """The tables of these shares; mechanisms that differ in numbers only have the same ones, which are found once."""
    tables, first_row, line_count = _tables_of(tuple(shares.nodes), tuple(shares.scale))
    return {name: table.copy() for name, table in tables.items()}, first_row.copy(), line_count


@lru_cache(maxsize=16)
def _tables_of(nodes: tuple[Node, ...], scale: tuple[float, ...]) -> tuple[dict[str, np.ndarray], np.ndarray, int]:
    """The tables of the elimination (names of kernels.arrays.Model), first row of each node, lines of S.

    A node in place k of the order owns the rows 6 k … 6 k + 5; a diagonal block takes three or six lines of S, a block
    below it as many as its node has rows.
    """
    order, neighbours = minimum_degree_order(nodes, coupled_nodes(nodes), [0] * len(nodes))
    place = {k: position for position, k in enumerate(order)}
    sizes = [nodes[k].size for k in order]
    line_count = 0
    entries: list[tuple[int, int, int]] = []  # (first row, rows, first line)
    updates: list[tuple[int, ...]] = []
    block: dict[tuple[int, int], int] = {}
    below: list[list[int]] = []
    node_table = np.full((len(order) + 1, 5), -1, dtype=np.int64)
    for position, k in enumerate(order):
        node_table[position, :3] = sizes[position], line_count, len(entries)
        block[position, position] = line_count
        line_count += 3 if sizes[position] <= 3 else 6
        below.append(sorted(place[i] for i in neighbours[k]))
        for row in below[position]:
            entries.append((6 * row, sizes[row], line_count))
            block[row, position] = line_count
            line_count += sizes[row]
    for position in range(len(order)):
        node_table[position, 3] = len(updates)
        for row in below[position]:
            for column in below[position]:
                if column <= row:
                    one, two = block[row, position], block[column, position]
                    updates.append((sizes[row], sizes[column], one, two, block[row, column]))
    node_table[-1, :4] = 0, line_count, len(entries), len(updates)

    ends: list[list[tuple[int, int]]] = [[] for _ in scale]
    for position, k in enumerate(order):
        for side, share in enumerate(nodes[k].ends):
            if share >= 0:
                ends[share].append((position, side))
    pairs: list[tuple[int, ...]] = []
    pair_scale: list[float] = []
    for share, group in enumerate(ends):
        for later, side in group:
            for earlier, other in group:
                if earlier <= later:
                    one, two = 12 * later + side, 12 * earlier + other
                    changes = nodes[order[later]].changes or nodes[order[earlier]].changes
                    pairs.append((one, two, sizes[later], sizes[earlier], block[later, earlier], changes))
                    pair_scale.append(scale[share])
    tables = {
        "node": node_table,
        "entry": integers(entries, 3),
        "update": integers(updates, 5),
        "pair": integers(pairs, 6),
        "pair_scale": np.array(pair_scale, dtype=float),
    }
    first_row = np.empty(len(nodes), dtype=np.int64)
    first_row[order] = 6 * np.arange(len(order))
    return tables, first_row, line_count


def integers(lines: list, columns: int) -> np.ndarray:
    """A table of integers that may be empty."""
    return np.array(lines, dtype=np.int64).reshape(-1, columns)
