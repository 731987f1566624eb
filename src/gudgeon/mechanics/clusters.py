"""Clusters of bodies whose rows are solved on their own, outward from the ground.

A cluster is a joint, or joints that close loops with each other (a block of the graph of bodies), with the bodies that
it carries; its root is the body through which it is reached. Rows know relative motion only: where joints are closed, a
cluster that moves with its root as one rigid piece violates none of them, so that what its rows ask for does not depend
on other clusters. (An open joint, Φ ≠ 0, feels a turn θ of both bodies by θ × Φ: Newton's method still converges
quadratically.)
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from gudgeon.mechanics.equations import Equations
from gudgeon.topology.graph import Graph, blocks


class Cluster(NamedTuple):
    """Bodies that rows move together; bodies are numbered from 1, the ground is 0."""

    root: int
    bodies: np.ndarray
    rows: np.ndarray  # among the rows of joints and drives


def is_coupling(sides: np.ndarray) -> np.ndarray:
    """Which rows, of these sides, are couplings."""
    return np.any(sides[:, 2:] > 0, axis=1)


def row_graph(sides: np.ndarray, node_count: int) -> tuple[Graph, list[list[int]]]:
    """The pairs of bodies that rows of joints connect as the edges of a graph, and the rows of each; no couplings."""
    of_joints = np.flatnonzero(~is_coupling(sides))
    pairs, edge_of = np.unique(np.sort(sides[of_joints, :2], axis=1), axis=0, return_inverse=True)
    rows_of: list[list[int]] = [[] for _ in pairs]
    for row, edge in zip(of_joints.tolist(), edge_of.reshape(-1), strict=True):
        rows_of[edge].append(row)
    ends = [(int(one), int(two)) for one, two in pairs]
    return Graph(node_count=node_count, ends=ends, rows=[len(rows) for rows in rows_of]), rows_of


def _with_couplings(graph: Graph, rows_of: list[list[int]], sides: np.ndarray) -> tuple[Graph, list[list[int]]]:
    """The same with edges between all bodies of a coupling, so that one cluster has them; the first has its row."""
    ends, rows = list(graph.ends), [list(each) for each in rows_of]
    place = {pair: k for k, pair in enumerate(ends)}
    for row in np.flatnonzero(is_coupling(sides)).tolist():
        pairs = list(combinations(sorted(set(sides[row].tolist())), 2))
        for pair in pairs:
            if pair not in place:
                place[pair] = len(ends)
                ends.append(pair)
                rows.append([])
        rows[place[pairs[0]]].append(row)
    return Graph(node_count=graph.node_count, ends=ends, rows=[len(each) for each in rows]), rows


def clusters_of(equations: Equations) -> list[Cluster]:
    """All clusters, each after the one that holds its root; a body that no row holds is a cluster on the ground."""
    sides = equations.sides.bodies
    graph, rows_of = _with_couplings(*row_graph(sides, 1 + len(equations.system.bodies)), sides)
    at: list[list[tuple[list[int], set[int]]]] = [[] for _ in range(graph.node_count)]
    for edges in blocks(graph):
        nodes = {node for k in edges for node in graph.ends[k]}
        for node in nodes:
            at[node].append((edges, nodes))
    found: list[Cluster] = []
    reached = [False] * graph.node_count
    for start in range(graph.node_count):
        if reached[start]:
            continue
        reached[start] = True
        if start:
            found.append(Cluster(0, np.array([start]), np.zeros(0, dtype=np.int64)))
        queue = [start]
        for root in queue:
            for edges, nodes in at[root]:
                new = sorted(node for node in nodes if not reached[node])
                if new:
                    rows = sorted(row for k in edges for row in rows_of[k])
                    found.append(Cluster(root, np.array(new), np.array(rows, dtype=np.int64)))
                    for node in new:
                        reached[node] = True
                    queue += new
    return found
