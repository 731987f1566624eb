"""Which joints to cut: a spanning tree of a graph whose edges carry constraint rows.

An edge that is not in the tree is cut; it closes a loop along the tree path between its two nodes. A cut costs its
rows, so the tree has as many rows as it can (a maximum spanning tree). Among these trees the solver prefers short
loops that share few edges, because its work is about

    Σ over the edges of the tree of (rows of all loops that pass through the edge)²

Loops never leave a block of the graph (a part that no single node separates), so every block is solved on its own:
several trees are grown, improved by exchanging a cut with an edge of its loop while that lowers the cost, and the
cheapest is taken. Everything is iterative; nothing here knows what a joint is.
"""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.topology.graph import Components, Graph, blocks
from gudgeon.topology.loops import MOST_PRODUCTS, Loops

MOST_STEPS = 400_000  # along paths, for one tree of one block


def spanning_tree(graph: Graph, distance: Sequence[int], cut: set[int]) -> set[int]:
    """The edges of a good tree (one for each connected part), without the edges of `cut`.

    `distance` counts the edges from each node to the root of its part, not using `cut`.
    """
    tree: set[int] = set()
    for edges in map(sorted, blocks(graph)):
        if len(edges) == 1:
            tree.add(edges[0])
            continue
        nodes = sorted({node for k in edges for node in graph.ends[k]}, key=lambda node: (distance[node], node))
        number = {node: place for place, node in enumerate(nodes)}
        block = Graph(
            node_count=len(nodes),
            ends=[(number[graph.ends[k][0]], number[graph.ends[k][1]]) for k in edges],
            rows=[graph.rows[k] for k in edges],
        )
        fixed = {place for place, k in enumerate(edges) if k in cut}
        tree |= {edges[place] for place in _best_tree(block, [distance[node] for node in nodes], fixed)}
    return tree


def _best_tree(graph: Graph, distance: Sequence[int], fixed: set[int]) -> set[int]:
    """The cheapest of several trees of one block whose root is node 0; the edges in `fixed` are cut."""
    edges = range(len(graph.ends))
    near = [min(distance[node] for node in ends) for ends in graph.ends]
    far = [max(distance[node] for node in ends) for ends in graph.ends]
    outwards = sorted(set(edges) - fixed, key=lambda k: (near[k], far[k], -graph.rows[k], k))
    trees = [
        _kruskal(graph, sorted(outwards, key=lambda k: (-graph.rows[k], near[k], far[k], k))),
        _kruskal(graph, sorted(outwards, key=lambda k: (-graph.rows[k], -near[k], -far[k], k))),
        _kruskal(graph, _depth_first(graph, outwards)),
    ]
    candidates = [
        *(_loops_of(graph, tree, fixed) for tree in trees),
        _grown(graph, outwards, near, fixed),
        _grown(graph, outwards, [-d for d in far], fixed),
    ]
    best = None
    for loops in candidates:
        if loops is not None:
            loops.improve()
            best = loops if best is None or loops.cost < best.cost else best
    return trees[0] if best is None else set(edges) - best.path.keys()


def _kruskal(graph: Graph, order: list[int]) -> set[int]:
    """The tree that takes the edges in this order."""
    connected = Components(graph, ())
    return {k for k in order if connected.join(*graph.ends[k])}


def _depth_first(graph: Graph, order: list[int]) -> list[int]:
    """The edges by rows, those of a depth-first search first that follows the edges in `order`."""
    neighbours = graph.neighbours(order)
    met, taken = {0}, set()
    stack = [iter(neighbours[0])]
    while stack:
        for other, k in stack[-1]:
            if other not in met:
                met.add(other)
                taken.add(k)
                stack.append(iter(neighbours[other]))
                break
        else:
            stack.pop()
    return sorted(order, key=lambda k: (-graph.rows[k], k not in taken))


class _Climber:
    """A rooted tree that grows and whose branches move: each node but the root knows its parent and the edge to it."""

    def __init__(self):
        self.up: dict[int, tuple[int, int]] = {}
        self.steps = 0

    def climb(self, u: int, v: int) -> tuple[list[int], list[int]]:
        """The nodes from u and from v up to below the node where they meet."""
        sides: tuple[list[int], list[int]] = ([u], [v])
        place = ({u: 0}, {v: 0})
        while True:
            for mine, other in ((0, 1), (1, 0)):
                node = sides[mine][-1]
                if node in place[other]:
                    return sides[0][: place[0][node]], sides[1][: place[1][node]]
                if node in self.up:
                    node = self.up[node][0]
                    place[mine][node] = len(sides[mine])
                    sides[mine].append(node)
                    self.steps += 1

    def path(self, u: int, v: int) -> list[int]:
        """The edges between two nodes."""
        return [self.up[node][1] for side in self.climb(u, v) for node in side]

    def hang(self, node: int, parent: int, edge: int, until: int) -> None:
        """Hang the branch below and with `until`, to which `node` belongs, by `node` at `parent`."""
        while True:
            above, old = self.up[node]
            self.up[node] = (parent, edge)
            if node == until:
                return
            node, parent, edge = above, node, old


def _grown(graph: Graph, order: list[int], rank: Sequence[int], fixed: set[int]) -> Loops | None:
    """The tree that grows outwards and, whenever an edge closes a loop, cuts the cheapest edge of fewest rows there.

    Among equally cheap edges it cuts the one of lowest rank. None if that takes too long.
    """
    loops, climber, known = Loops(graph.rows, fixed), _Climber(), {0}
    for cut in order:
        u, v = graph.ends[cut]
        if u not in known:
            u, v = v, u
        if v not in known:
            known.add(v)
            climber.up[v] = (u, cut)
            continue
        from_u, from_v = climber.climb(u, v)
        nodes = [*from_u, *from_v]
        path = [climber.up[node][1] for node in nodes]
        costs = loops.costs(cut, path)
        rows = graph.rows
        choices = [(rows[k], cost, rank[k], place) for place, (k, cost) in enumerate(zip(path, costs[1:], strict=True))]
        *_, best = min([(rows[cut], costs[0], rank[cut], -1), *choices])
        if best < 0:
            loops.add(cut, path)
        else:
            loops.exchange(cut, path, path[best])
            inner, outer = (u, v) if best < len(from_u) else (v, u)
            climber.hang(inner, outer, cut, until=nodes[best])
        if climber.steps > MOST_STEPS or loops.products > MOST_PRODUCTS:
            return None
    return _with_cuts(graph, climber, loops, sorted(fixed))


def _loops_of(graph: Graph, tree: set[int], fixed: set[int]) -> Loops | None:
    """The loops of a given tree; None if they are too long."""
    climber = _Climber()
    neighbours = graph.neighbours(tree)
    queue, met = [0], {0}
    for node in queue:
        for other, k in neighbours[node]:
            if other not in met:
                met.add(other)
                climber.up[other] = (node, k)
                queue.append(other)
    return _with_cuts(graph, climber, Loops(graph.rows, fixed), sorted(set(range(len(graph.ends))) - tree))


def _with_cuts(graph: Graph, climber: _Climber, loops: Loops, cuts: list[int]) -> Loops | None:
    """Add the loops of these cuts; None if they are too long."""
    for cut in cuts:
        loops.add(cut, climber.path(*graph.ends[cut]))
        if climber.steps > MOST_STEPS:
            return None
    return loops
