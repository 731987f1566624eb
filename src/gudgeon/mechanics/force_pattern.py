"""Which compliant joints feel each other's forces, and which velocities these move.

A force moves the pieces of the mechanism that it pushes: bodies that constraint rows hold together. Joints that push no
piece in common do not feel each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics import force_pattern as places
from gudgeon.mechanics.elimination import integers
from gudgeon.mechanics.force_elimination import ForceElimination
from gudgeon.topology.graph import Components, Graph

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations


FEW = 4  # joints of an island up to which their forces are solved for together


def force_pattern(equations: Equations) -> places.Pattern:
    """The tables of kernels/dynamics/force_pattern.py for a mechanism."""
    model, islands = equations.model, equations.compliant.islands
    sizes = model.compliant[:, arrays.UNKNOWNS].tolist()
    sides = model.compliant[:, [arrays.SOCKET, arrays.BALL]].tolist()
    few = [k for island in islands if len(island) <= FEW for k in island]
    piece = _pieces(model, sides, few)
    touched = [sorted({piece[b] for b in ends if b > 0}) for ends in sides]
    velocities = _velocities(model, piece)
    columns = [sorted({d for p in ends for d in velocities[p]}) for ends in touched]
    reach = _reach(model, sides, columns, few)
    pairs = _pairs(touched)

    joint = np.zeros((len(sizes) + 1, places.JOINT_COLUMNS), dtype=np.int64)
    joint[:, places.COLUMN] = _starts(len(each) for each in columns)
    joint[:, places.W_AT] = _starts(size * len(each) for size, each in zip(sizes, columns, strict=True))
    joint[:, places.REACH] = _starts(len(each) for each in reach)
    joint[:, places.G_AT] = _starts(size * len(each) for size, each in zip(sizes, reach, strict=True))
    joint[:, places.PAIR] = _starts(len(others) for others in pairs)
    joint[:, places.OWN] = lines = _starts(size * len(others) for size, others in zip(sizes, pairs, strict=True))
    if equations.tree:
        link = {int(body): g for g, body in enumerate(model.tree[:, arrays.TREE_BODY])}
        for k, (socket, ball) in enumerate(sides):
            joint[k, places.SOCKET_LINK], joint[k, places.BALL_LINK] = link[socket], link[ball]

    elimination = ForceElimination()
    for island in islands:
        groups = [island] if len(island) <= FEW else [[k] for k in island]
        group_of = {k: number for number, group in enumerate(groups) for k in group}
        coupled = [{group_of[o] for k in group for o in pairs[k]} - {number} for number, group in enumerate(groups)]
        nodes = elimination.add_island([sum(sizes[k] for k in group) for group in groups], coupled)
        for group, node in zip(groups, nodes, strict=True):
            joint[group, places.NODE] = node
            joint[group, places.WITHIN] = _starts(sizes[k] for k in group)[:-1]

    table: list[tuple[int, ...]] = []
    for k, others in enumerate(pairs):
        for line, o in zip(range(lines[k], lines[k + 1], sizes[k]), others, strict=True):
            at = (-1, -1) if equations.tree else (_place(columns[o], b) for b in sides[k])
            table.append((k, o, line, *at, elimination.block[joint[k, places.NODE], joint[o, places.NODE]]))
            if k == o:
                joint[k, places.OWN] = line
    colours = _colours(columns, reach)
    return places.Pattern(
        joint=joint,
        column=_flat(columns),
        reach=_flat(reach),
        colour=_starts(len(group) for group in colours),
        colour_joint=_flat(colours),
        pair=integers(table, places.PAIR_COLUMNS),
        island=_starts(len(island) for island in islands),
        island_joint=_flat(islands),
        **elimination.tables(),
    )


def _starts(counts: Iterable[int]) -> np.ndarray:
    """Where each group begins and the last ends."""
    return np.array([0, *accumulate(counts)], dtype=np.int64)


def _flat(groups: Iterable[Iterable[int]]) -> np.ndarray:
    return np.array([x for group in groups for x in group], dtype=np.int64)


def _place(columns: list[int], body: int) -> int:
    """Where the velocities of a body begin among columns in absolute coordinates; −1: they are not there."""
    first = 6 * (body - 1)
    return columns.index(first) if first in columns else -1


def _pieces(model: arrays.Model, sides: list[list[int]], few: list[int]) -> list[int]:
    """For each body the piece to which it belongs, which is named after one of its bodies.

    What the islands of few joints move counts as one piece.
    """
    ends = [*model.block[:, [arrays.PARENT, arrays.CHILD]].tolist(), *(sides[k] for k in few)]
    root, body = [0], model.tree[:, arrays.TREE_BODY].tolist()
    for g, inner in enumerate(model.tree[1:, arrays.TREE_PARENT].tolist(), start=1):
        root.append(root[inner] if inner else g)
    whole = {root[body.index(b)] for k in few for b in sides[k] if b > 0} if len(model.tree) else set()
    for g in range(1, len(model.tree)):
        carried = model.tree[g, arrays.TREE_JOINT] >= 0  # by an ideal joint
        if carried or root[g] in whole:
            ends.append((body[g], body[model.tree[g, arrays.TREE_PARENT]]))
    ends = [(u, v) for u, v in ends if u > 0 and v > 0]
    parts = Components(Graph(node_count=len(model.body), ends=ends, rows=[0] * len(ends)), range(len(ends)))
    return [parts.of(b) for b in range(len(model.body))]


def _velocities(model: arrays.Model, piece: list[int]) -> list[list[int]]:
    """For each piece the velocities that change when it moves: those of its bodies.

    In relative coordinates those of its links, and of links that are measured from one of its bodies.
    """
    out: list[list[int]] = [[] for _ in piece]
    if not len(model.tree):
        for b in range(1, len(piece)):
            out[piece[b]] += range(6 * (b - 1), 6 * b)
    for link in model.tree[1:]:
        inner = model.tree[link[arrays.TREE_PARENT], arrays.TREE_BODY]
        for p in {piece[b] for b in (link[arrays.TREE_BODY], inner) if b > 0}:
            out[p] += _freedoms(link)
    return out


def _reach(model: arrays.Model, sides: list[list[int]], columns: list[list[int]], few: list[int]) -> list[list[int]]:
    """For each joint the velocities between its two bodies in the tree."""
    if not len(model.tree):
        return [[] for _ in sides]
    inner, body = model.tree[:, arrays.TREE_PARENT].tolist(), model.tree[:, arrays.TREE_BODY].tolist()
    out = []
    for k, ends in enumerate(sides):
        links: set[int] = set()
        for b in ends:
            g = body.index(b)
            while g:
                links ^= {g}  # what lies inwards of both is not between them
                g = inner[g]
        between = [d for g in links for d in _freedoms(model.tree[g])]
        out.append(columns[k] if k in few else sorted(between))
    return out


def _freedoms(link: np.ndarray) -> range:
    """The velocities of a link."""
    first = int(link[arrays.TREE_VELOCITY])
    return range(first, first + int(link[arrays.FREEDOMS]))


def _pairs(touched: list[list[int]]) -> list[list[int]]:
    """For each joint those that push one of its pieces, itself included."""
    pushing: dict[int, list[int]] = {}
    for k, ends in enumerate(touched):
        for p in ends:
            pushing.setdefault(p, []).append(k)
    return [sorted({o for p in ends for o in pushing[p]}) for ends in touched]


def _colours(columns: list[list[int]], reach: list[list[int]]) -> list[list[int]]:
    """Groups of joints that move nothing in common."""
    groups: list[list[int]] = []
    taken: list[set[int]] = []  # velocities of each group
    for k in range(len(columns)):
        moved = {*columns[k], *reach[k]}
        for group, others in zip(groups, taken, strict=True):
            if others.isdisjoint(moved):
                group.append(k)
                others |= moved
                break
        else:
            groups.append([k])
            taken.append(moved)
    return groups
