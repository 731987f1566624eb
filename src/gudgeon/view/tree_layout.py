"""Where the boxes and labels in the picture of a tree go. One unit is an inch, x points outwards, y down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.view.tree import counted, drives_of, kind_of, others

if TYPE_CHECKING:
    from gudgeon.topology.topology import Link, Topology

FONT = 9.0  # [pt]
LINE = 0.16  # height of a line of text [in]
BOX = 0.32  # height of a box [in]
ROW = 1.0  # from row to row [in]
PAD = 0.12  # around text, and from a box to the corner of a line [in]
LABEL_TOP = -1.15 * LINE  # of a label, against the line of its joint [in]
SPREAD = 0.5  # between curves that connect the same boxes [in]
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


@dataclass(frozen=True, kw_only=True)
class Crossing:
    """A joint that is not in the tree."""

    curve: np.ndarray  # (points, 2) [in]
    area: Area  # of its label
    label: list[tuple[str, str]]  # lines and their colours
    color: str
    style: str


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
        self.page = Area(0.0, 0.0, 0.0, 0.0)  # what has been used
        self._taken: dict[int, list[Area]] = {}
        self._take_tree(topology)
        self.crossings = self._crossings(topology, topology.cuts, CUT, "--")
        self.crossings += self._crossings(topology, others(topology), FORCE, ":")

    def middle(self, body: str) -> tuple[float, float]:
        """The middle of a box."""
        return self.x[body] + 0.5 * self.box[body], self.y[body]

    def _take_tree(self, topology: Topology) -> None:
        for body, x in self.x.items():
            self._take(Area(x, self.y[body] - BOX / 2, x + self.box[body], self.y[body] + BOX / 2))
        for link in topology.links:
            corner, y, from_y = self.corner[link.parent], self.y[link.body], self.y[link.parent]
            label = tree_label(topology, link)
            right, top = corner + PAD + max(text_width(text) for text, _ in label), y + LABEL_TOP
            self._take(Area(corner + PAD, top, right, top + (len(label) + 0.3) * LINE))
            self._take(Area(corner, y - 0.02, self.x[link.body], y + 0.02))
            self._take(Area(corner - 0.02, min(y, from_y), corner + 0.02, max(y, from_y)))

    def _crossings(self, topology: Topology, names: Iterable[str], color: str, style: str) -> list[Crossing]:
        """The curves of joints that are not in the tree, with their labels where there is room."""
        out: list[Crossing] = []
        drawn: dict[frozenset[str], int] = {}  # curves between the same two bodies
        for name in names:
            joint = topology.system.joints[name]
            pair = frozenset((joint.parent, joint.child))
            curve = self._curve(joint.parent, joint.child, SPREAD * drawn.get(pair, 0))
            drawn[pair] = drawn.get(pair, 0) + 1
            self._widen(Area(*curve.min(axis=0).tolist(), *curve.max(axis=0).tolist()))
            rows, kind = topology.rows[name], kind_of(topology.system, name)
            label = [(name, color), (f"{kind}, {counted(rows, 'row')}" if rows else kind, color)]
            label += [(f"driven by {drive}", DRIVE) for drive in drives_of(topology.system, name)]
            width, height = max(text_width(text) for text, _ in label) + 0.5 * PAD, len(label) * LINE
            areas = (Area(x - width / 2, y - height / 2, x + width / 2, y + height / 2) for x, y in _places(curve))
            area = next(area for area in areas if self._is_free(area))
            self._take(area)
            out.append(Crossing(curve=curve, area=area, label=label, color=color, style=style))
        return out

    def _curve(self, one: str, two: str, beside: float) -> np.ndarray:
        """From box to box: below both in one row, right of both in one column, else from the upper one down.

        A curve between the same boxes as others runs `beside` them.
        """
        upper, lower = sorted((one, two), key=lambda body: (self.y[body], self.x[body]))
        (ax, ay), (bx, by) = self.middle(upper), self.middle(lower)
        if by - ay < BOX:
            dip = 0.75 * ROW + beside
            points = [(ax, ay + BOX / 2), (ax, ay + dip), (bx, by + dip), (bx, by + BOX / 2)]
        elif self.x[upper] == self.x[lower]:
            ax, bx = self.x[upper] + self.box[upper], self.x[lower] + self.box[lower]
            bulge = max(ax, bx) + min(0.1 + 0.3 * (by - ay), 3.0) + beside
            points = [(ax, ay + BOX / 4), (bulge, ay), (bulge, by), (bx, by - BOX / 4)]
        else:
            reach = 0.5 * (by - ay)
            points = [(ax, ay + BOX / 2), (ax + beside, ay + reach), (bx + beside, by - reach), (bx, by - BOX / 2)]
        p0, p1, p2, p3 = np.array(points)
        t = np.linspace(0.0, 1.0, 41)[:, None]
        return (1 - t) ** 3 * p0 + 3 * t * (1 - t) ** 2 * p1 + 3 * t**2 * (1 - t) * p2 + t**3 * p3

    def _take(self, area: Area) -> None:
        """Nothing else may be written here."""
        self._widen(area)
        for row in _rows(area):
            self._taken.setdefault(row, []).append(area)

    def _widen(self, area: Area) -> None:
        page = self.page
        self.page = Area(
            min(page.left, area.left),
            min(page.top, area.top),
            max(page.right, area.right),
            max(page.bottom, area.bottom),
        )

    def _is_free(self, area: Area) -> bool:
        return not any(area.meets(other) for row in _rows(area) for other in self._taken.get(row, ()))


def _rows(area: Area) -> range:
    return range(int(area.top // ROW), int(area.bottom // ROW) + 1)


def _places(curve: np.ndarray) -> Iterator[tuple[float, float]]:
    """Where to try a label: along the curve from its middle, then further and further above and below it."""
    along = sorted(range(4, 37), key=lambda k: abs(k - 20))
    for step in count():
        for sign in (1.0, -1.0):
            for k in along:
                yield float(curve[k, 0]), float(curve[k, 1]) + 0.5 * sign * step * LINE
