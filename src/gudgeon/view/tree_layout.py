"""Where the boxes and labels in the picture of a tree go. One unit is an inch, x points outwards, y down."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.system import GROUND
from gudgeon.view.tree import counted, drives_of, kind_of

if TYPE_CHECKING:
    from gudgeon.topology import Link, Topology

FONT = 9.0  # [pt]
LINE = 0.16  # height of a line of text [in]
BOX = 0.32  # height of a box [in]
ROW = 1.0  # from row to row [in]
PAD = 0.12  # around text, and from a box to the corner of a line [in]
MARGIN = 0.4  # around the drawing [in]
INK, CUT, FORCE, DRIVE = "#222222", "#c4161c", "#1f5fa8", "#d97000"


def tree_label(topology: Topology, link: Link) -> list[tuple[str, str]]:
    """What is written at a joint of the tree, with colours; the first line goes above."""
    freedoms = counted(topology.freedoms(link), "freedom")
    if link.joint is None:
        return [("floats", FORCE), (freedoms, INK)]
    color = INK if topology.rows[link.joint] else FORCE
    lines = [(link.joint, color), (f"{kind_of(topology.system, link.joint)}, {freedoms}", color)]
    return lines + [(f"driven by {name}", DRIVE) for name in drives_of(topology.system, link.joint)]


@cache
def text_width(text: str) -> float:
    """How long a text is at the normal size [in]."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=FONT), False)
    return width / 72.0


@dataclass(frozen=True)
class Area:
    """A rectangle that is taken."""

    left: float  # [in]
    top: float  # [in]
    right: float  # [in]
    bottom: float  # [in]

    def meets(self, other: Area) -> bool:
        """Whether two areas overlap."""
        apart = self.right <= other.left or other.right <= self.left
        return not apart and self.top < other.bottom and other.top < self.bottom


class Layout:
    """Where every body is: a column for each distance from the ground, children in rows below each other."""

    def __init__(self, topology: Topology):
        children: dict[str, list[Link]] = {GROUND: [], **{link.body: [] for link in topology.links}}
        for link in topology.links:
            children[link.parent].append(link)
        self.y: dict[str, float] = {}
        leaves = 0
        for link in topology.links:  # each body is followed by all that hangs on it
            if not children[link.body]:
                self.y[link.body] = leaves * ROW
                leaves += 1
        for body in [link.body for link in reversed(topology.links)] + [GROUND]:
            if children[body]:
                self.y[body] = 0.5 * (self.y[children[body][0].body] + self.y[children[body][-1].body])

        depth = topology.depth
        columns = max(depth.values()) + 1
        boxes, labels = [0.0] * columns, [0.0] * columns
        self.box = {body: text_width(body) + 2 * PAD for body in depth}
        for body, column in depth.items():
            boxes[column] = max(boxes[column], self.box[body])
        for link in topology.links:
            widths = [text_width(text) for text, _ in tree_label(topology, link)]
            labels[depth[link.body]] = max(labels[depth[link.body]], *widths)
        gaps = [label + 5 * PAD for label in labels[1:]]
        left = np.concatenate([[0.0], np.cumsum(np.add(boxes[:-1], gaps))])
        self.x = {body: float(left[column]) for body, column in depth.items()}  # left of the box
        self.corner = {body: float(left[column]) + boxes[column] + 2 * PAD for body, column in depth.items()}
        self.width = float(left[-1]) + boxes[-1] + 4 * PAD
        self.height = max(leaves - 1, 0) * ROW + BOX
        self.crossings: dict[frozenset[str], int] = {}  # between two bodies, drawn so far
        self._taken: dict[int, list[Area]] = {}
        for body in depth:
            self.take(Area(self.x[body], self.y[body] - BOX / 2, self.x[body] + self.box[body], self.y[body] + BOX / 2))

    def middle(self, body: str) -> tuple[float, float]:
        """The middle of a box."""
        return self.x[body] + 0.5 * self.box[body], self.y[body]

    def take(self, area: Area) -> None:
        """Nothing else may be written here."""
        for row in _rows(area):
            self._taken.setdefault(row, []).append(area)

    def is_free(self, area: Area) -> bool:
        """Whether one may write here."""
        inside = area.left > -MARGIN / 2 and area.right < self.width + MARGIN / 2
        return inside and not any(area.meets(other) for row in _rows(area) for other in self._taken.get(row, ()))


def _rows(area: Area) -> range:
    return range(int(area.top // ROW), int(area.bottom // ROW) + 1)
