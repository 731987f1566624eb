"""The loops that the cuts of a spanning tree close, and how they change when a cut and an edge change places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

MOST_PRODUCTS = 300_000_000  # of rows with rows, until the search for better cuts ends
SWEEPS = 20  # over all cuts, looking for exchanges


@dataclass
class Loops:
    """The cuts of a tree, the path each closes, and the rows that pass through each edge."""

    rows: Sequence[int]
    fixed: set[int]  # cuts that stay cuts
    path: dict[int, set[int]] = field(default_factory=dict)  # cut → edges of the tree
    through: dict[int, set[int]] = field(default_factory=dict)  # edge of the tree → cuts
    load: dict[int, int] = field(default_factory=dict)  # edge of the tree → rows
    products: int = 0  # done so far

    @property
    def cost(self) -> int:
        """Σ over the edges of (rows of all loops through the edge)²."""
        return sum(load * load for load in self.load.values())

    def add(self, cut: int, path: Iterable[int]) -> None:
        """A new cut that closes a loop along `path`."""
        self.path[cut] = set(path)
        for k in self.path[cut]:
            self.through.setdefault(k, set()).add(cut)
            self.load[k] = self.load.get(k, 0) + self.rows[cut]

    def costs(self, cut: int, path: list[int]) -> np.ndarray:
        """The change of the cost if `cut`, not yet added, closes `path` as it is, or if the k-th edge of the path is
        cut in its stead: first entry, then k = 0 ….

        Without `cut` the edges of the path carry L. If e is cut, the loops that passed through e take the rest of the
        cycle instead, and W_ef rows that pass through both e and f leave f: f carries L_f + L_e − 2 W_ef + rows_e.
        """
        rows = np.array([self.rows[k] for k in path], dtype=float)
        load = np.array([self.load.get(k, 0) for k in path], dtype=float)
        active = sorted(set().union(*(self.through.get(k, ()) for k in path)))
        line = {d: n for n, d in enumerate(active)}
        passes = np.zeros((len(active), len(path)))
        for n, k in enumerate(path):
            passes[[line[d] for d in self.through.get(k, ())], n] = 1.0
        self.products += (len(active) + 8) * (len(path) + 8) * (len(path) + 40)
        weight = np.array([self.rows[d] for d in active], dtype=float)
        both = passes.T @ (passes * weight[:, None])
        moved = load[None, :] + load[:, None] - 2.0 * both + rows[:, None]
        np.fill_diagonal(moved, load + rows)  # what the edge `cut` carries in place of e
        before = np.sum(load**2)
        return np.append(np.sum((load + self.rows[cut]) ** 2), np.sum(moved**2, axis=1)) - before

    def exchange(self, cut: int, path: list[int], edge: int) -> None:
        """Take `cut`, not yet added, into the tree, and cut `edge` of its path instead."""
        cycle = {cut, *path}
        for d in self.through.pop(edge, set()):
            for k in cycle:
                if k in self.path[d]:
                    self.path[d].remove(k)
                    if k != edge:
                        self.through[k].remove(d)
                        self.load[k] -= self.rows[d]
                else:
                    self.path[d].add(k)
                    self.through.setdefault(k, set()).add(d)
                    self.load[k] = self.load.get(k, 0) + self.rows[d]
        self.load.pop(edge, None)
        self.add(edge, cycle - {edge})

    def remove(self, cut: int) -> list[int]:
        """Forget a cut; returns its path."""
        path = sorted(self.path.pop(cut))
        for k in path:
            self.through[k].remove(cut)
            self.load[k] -= self.rows[cut]
        return path

    def improve(self) -> None:
        """Exchange cuts with edges of their loops, of as many rows, while that lowers the cost."""
        for _ in range(SWEEPS):
            improved = False
            for cut in sorted(set(self.path) - self.fixed):
                if self.products > MOST_PRODUCTS:
                    return
                path = self.remove(cut)
                costs = self.costs(cut, path)
                costs[1:][[self.rows[k] != self.rows[cut] for k in path]] = np.inf
                best = int(np.argmin(costs))
                if best and costs[best] < costs[0]:
                    self.exchange(cut, path, path[best - 1])
                    improved = True
                else:
                    self.add(cut, path)
            if not improved:
                return
