"""Clusters of bodies whose rows are solved on their own, outward from the ground.

A cluster is a joint, or joints that close loops with each other (a block of the graph of bodies), with the bodies that
it carries; its root is the body through which it is reached. Rows know relative motion only: where joints are closed, a
cluster that moves with its root as one rigid piece violates none of them, so that what its rows ask for does not depend
on other clusters. (An open joint, Φ ≠ 0, feels a turn θ of both bodies by θ × Φ: Newton's method still converges
quadratically.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import Equations
from gudgeon.topology.graph import Graph, blocks


class Cluster(NamedTuple):
    """Bodies that rows move together; bodies are numbered from 1, the ground is 0."""

    root: int
    bodies: np.ndarray
    rows: np.ndarray  # among the rows of joints and drives


def row_sides(equations: Equations) -> np.ndarray:
    """(rows, 2) the parent and the child of every row of joints and drives."""
    sides = np.zeros((len(equations.work.row), 2), dtype=np.int64)
    for line in equations.model.block:
        sides[line[arrays.ROW] : line[arrays.ROW] + line[arrays.ROWS]] = line[arrays.PARENT], line[arrays.CHILD]
    return sides[equations.joint_rows]


def row_graph(sides: np.ndarray, node_count: int) -> tuple[Graph, list[list[int]]]:
    """The pairs of bodies that rows connect as the edges of a graph, and the rows of each."""
    pairs, edge_of = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True)
    rows_of: list[list[int]] = [[] for _ in pairs]
    for row, edge in enumerate(edge_of.reshape(-1)):
        rows_of[edge].append(row)
    ends = [(int(one), int(two)) for one, two in pairs]
    return Graph(node_count=node_count, ends=ends, rows=[len(rows) for rows in rows_of]), rows_of


def clusters_of(equations: Equations) -> list[Cluster]:
    """All clusters, each after the one that holds its root; a body that no row holds is a cluster on the ground."""
    graph, rows_of = row_graph(row_sides(equations), 1 + len(equations.system.bodies))
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
