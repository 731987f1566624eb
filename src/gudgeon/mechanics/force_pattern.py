"""Tables of the sparse algebra in the forces of compliant joints (kernels/dynamics/force_pattern.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.kernels.dynamics import force_pattern as places
from gudgeon.mechanics.compliant import FEW
from gudgeon.mechanics.elimination import integers
from gudgeon.mechanics.force_elimination import ForceElimination
from gudgeon.mechanics.held_bodies import held_bodies
from gudgeon.mechanics.pushed_pieces import PushedPieces, colours
from gudgeon.topology.graph import Components, Graph

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations


def force_pattern(equations: Equations) -> places.Pattern:
    """The tables for a mechanism, in its coordinates."""
    islands, held = equations.compliant.islands, equations.compliant.held
    together = {k for island in islands if len(island) <= FEW for k in island}
    if not held and len(equations.model.effort) > FEW:
        names = list(equations.system.bodies)
        held = {1 + names.index(name) for name in held_bodies(equations.system)}
    pushes = PushedPieces(equations.model, together, held)
    islands = joined_islands(islands, pushes)
    reach = [pushes.reach(k) for k in range(len(pushes.sides))]
    joint = np.zeros((len(pushes.sides) + 1, places.JOINT_COLUMNS), dtype=np.int64)
    joint[:, places.COLUMN] = _starts(len(each) for each in pushes.columns)
    joint[:, places.W_AT] = _starts(n * len(each) for n, each in zip(pushes.forces, pushes.columns, strict=True))
    joint[:, places.REACH] = _starts(len(each) for each in reach)
    joint[:, places.G_AT] = _starts(n * len(each) for n, each in zip(pushes.forces, reach, strict=True))
    joint[:, places.PAIR] = _starts(len(others) for others in pushes.felt)
    joint[:, places.GRIP] = _starts(len(hubs) for hubs in pushes.hubs_of)
    for k, (socket, ball, *_) in enumerate(pushes.sides):
        joint[k, places.SOCKET_LINK], joint[k, places.BALL_LINK] = pushes.link(socket), pushes.link(ball)
    elimination = ForceElimination()
    hub_node: dict[int, int] = {}
    for island in islands:
        _add_island(island, pushes, joint, elimination, hub_node)
    node = joint[:, places.NODE].tolist()
    pair, slope_line = _pairs(pushes, joint, elimination.block, node)
    grip = [
        (*_grip(pushes, k, p, elimination.block, node[k], hub_node[p]), slope_line.get((k, p), -1))
        for k, p in _each(pushes.hubs_of)
    ]
    moved = zip(pushes.columns, reach, pushes.felt_by, strict=True)
    groups = colours([{*one, *two, *more} for one, two, more in moved])
    for colour, group in enumerate(groups):
        joint[group, places.COLOUR] = colour
    pattern = places.Pattern(
        joint=joint,
        column=_flat(pushes.columns),
        reach=_flat(reach),
        colour=_starts(len(group) for group in groups),
        colour_joint=_flat(groups),
        pair=integers(pair, places.PAIR_COLUMNS),
        grip=integers(grip, places.GRIP_COLUMNS),
        island=_starts(len(island) for island in islands),
        island_joint=_flat(islands),
        **elimination.tables(),
    )
    return pattern


def joined_islands(islands: list[list[int]], pushes: PushedPieces) -> list[list[int]]:
    """The islands of joints, with the loads that their joints feel or that feel them; those of loads alone."""
    of = {k: n for n, island in enumerate(islands) for k in island}
    first = 1 + max(of, default=-1)
    count, ends = len(islands), []
    at_hub: dict[int, int] = {}  # a line on each hub
    for k, others in enumerate(pushes.felt):
        for o in (*others, *(at_hub.setdefault(p, k) for p in pushes.hubs_of[k])):
            if k >= first or o >= first:
                for each in (k, o):
                    if each not in of:
                        of[each], count = count, count + 1
                ends.append((of[k], of[o]))
    if not ends:
        return islands
    parts = Components(Graph(node_count=count, ends=ends, rows=[0] * len(ends)), range(len(ends)))
    merged: dict[int, list[int]] = {}
    for k, n in sorted(of.items()):
        merged.setdefault(parts.of(n), []).append(k)
    return list(merged.values())


def _add_island(
    island: list[int],
    pushes: PushedPieces,
    joint: np.ndarray,
    elimination: ForceElimination,
    hub_node: dict[int, int],
) -> None:
    """The nodes of an island: one for a few joints, one for each of many, one for each hub."""
    groups = [island] if len(island) <= FEW else [[k] for k in island]
    hubs = sorted({p for k in island for p in pushes.hubs_of[k]})
    number = {k: n for n, group in enumerate(groups) for k in group}
    hub_number = {p: n for n, p in enumerate(hubs, start=len(groups))}
    coupled: list[set[int]] = [set() for _ in range(len(groups) + len(hubs))]
    for k in island:
        for n in [*(number[o] for o in pushes.felt[k]), *(hub_number[p] for p in pushes.hubs_of[k])]:
            if n != number[k]:
                coupled[number[k]].add(n)
                coupled[n].add(number[k])
    sizes = [sum(pushes.forces[k] for k in group) for group in groups] + [6 * len(pushes.hubs[p]) for p in hubs]
    nodes = elimination.add_island(sizes, coupled)
    for group, node in zip(groups, nodes, strict=False):
        joint[group, places.NODE] = node
        joint[group, places.WITHIN] = _starts(pushes.forces[k] for k in group)[:-1]
    hub_node.update(zip(hubs, nodes[len(groups) :], strict=True))


def _pairs(
    pushes: PushedPieces, joint: np.ndarray, block: dict[tuple[int, int], int], node: list[int]
) -> tuple[list[tuple[int, ...]], dict[tuple[int, int], int]]:
    """All pairs, then each joint on a hub with itself, the hub included; the lines of D into the table of joints.

    Also the first lines of D that tell what a hub does to a load, by load and hub.
    """
    pairs: list[tuple[int, ...]] = []
    slopes: dict[tuple[int, int], int] = {}
    line = 0
    for k, o in _each(pushes.felt):
        at: Iterable[int] = (-1, -1)
        if not pushes.is_load(k):
            at = (-1 if pushes.piece[b] in pushes.hubs else pushes.place(o, b) for b in pushes.sides[k][:2])
        pairs.append((k, o, line, *at, block[node[k], node[o]]))
        if k == o:
            joint[k, places.OWN] = line
        line += pushes.forces[k] * (2 if pushes.is_load(k) else 1)
    for k, hubs in enumerate(pushes.hubs_of):
        if pushes.is_load(k):
            for p in hubs:
                slopes[k, p] = line
                line += 2 * pushes.forces[k] * len(pushes.hubs[p])
        elif hubs:
            pairs.append((k, k, line, *(pushes.place(k, b) for b in pushes.sides[k][:2]), -1))
            joint[k, places.OWN] = line
            line += pushes.forces[k]
    joint[-1, places.OWN] = line
    return pairs, slopes


def _grip(
    pushes: PushedPieces, k: int, hub: int, block: dict[tuple[int, int], int], node: int, hub_node: int
) -> tuple[int, ...]:
    """The grip of joint k on a hub."""
    bodies = pushes.hubs[hub]
    at = (6 * bodies.index(b) if b in bodies else -1 for b in pushes.sides[k][:2])
    return hub_node, pushes.place(k, bodies[0]), *at, block[node, hub_node], block[hub_node, node]


def _each(groups: list[list[int]]) -> Iterable[tuple[int, int]]:
    """Every member of every group, with the number of its group."""
    return ((k, member) for k, group in enumerate(groups) for member in group)


def _starts(counts: Iterable[int]) -> np.ndarray:
    """Where each group begins and the last ends."""
    return np.cumsum([0, *counts])


def _flat(groups: Iterable[Iterable[int]]) -> np.ndarray:
    return np.array([x for group in groups for x in group], dtype=np.int64)
