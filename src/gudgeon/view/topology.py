"""The tree of a mechanism as a picture: bodies as boxes by their distance from the ground, one row for each branch.

Joints of the tree are solid, cut joints dashed and red, joints that act by forces dotted; a dot marks a driven joint.
One unit of the axes is an inch, so that what is written can be measured and kept apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.system import GROUND
from gudgeon.view.tree import counted, drives_of, kind_of, others
from gudgeon.view.tree_layout import (
    BOX,
    CUT,
    DRIVE,
    FONT,
    FORCE,
    INK,
    LINE,
    MARGIN,
    PAD,
    ROW,
    Area,
    Layout,
    text_width,
    tree_label,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from gudgeon.topology import Topology

SPREAD = 0.5  # between curves that connect the same boxes [in]
LARGEST = 120.0  # side of a figure; beyond, everything is drawn smaller [in]


def picture(topology: Topology) -> Figure:
    """The tree drawn from the ground, on the left, outwards; y points down."""
    from matplotlib.figure import Figure

    layout = Layout(topology)
    head, foot = MARGIN + 2.5 * LINE, MARGIN + 2.5 * LINE
    width, height = layout.width + 2 * MARGIN, layout.height + head + foot
    scale = min(1.0, LARGEST / max(width, height))
    figure = Figure(figsize=(scale * width, scale * height))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(-MARGIN, width - MARGIN), ylim=(layout.height + foot, -head))
    axes.set_axis_off()
    pen = Pen(axes, scale)
    pen.text(0.0, -head + 0.5 * MARGIN + 0.5 * LINE, topology.system.name, title=True)
    _draw_tree(pen, topology, layout)
    styles = {"cut joint": (CUT, "--", topology.cuts), "joint without rows": (FORCE, ":", others(topology))}
    for color, style, names in styles.values():
        for name in names:
            _draw_crossing(pen, topology, layout, name, color, style)
    shown = {title: (color, style) for title, (color, style, names) in styles.items() if names}
    _draw_legend(pen, layout.height + foot - 0.5 * MARGIN, shown)
    return figure


class Pen:
    """Draws on axes whose unit is an inch."""

    def __init__(self, axes: Axes, scale: float):
        self._axes = axes
        self._scale = scale

    def line(self, points: Iterable[tuple[float, float]], color: str, style: str = "-") -> None:
        """A line through points."""
        x, y = zip(*points, strict=True)
        self._axes.plot(x, y, style, color=color, linewidth=1.3 * self._scale, zorder=1)

    def dot(self, x: float, y: float) -> None:
        """The mark of a drive."""
        self._axes.plot([x], [y], "o", color=DRIVE, markersize=5.0 * self._scale, zorder=3)

    def text(self, x: float, y: float, text: str, color: str = INK, *, ha: str = "left", title: bool = False) -> None:
        """A line of text, its middle at y."""
        self._axes.text(
            x,
            y,
            text,
            color=color,
            ha=ha,
            va="center",
            fontsize=(1.2 if title else 1.0) * FONT * self._scale,
            fontweight="bold" if title else "normal",
            parse_math=False,
            zorder=4,
        )

    def box(self, x: float, y: float, width: float, color: str) -> None:
        """The box of a body."""
        from matplotlib.patches import FancyBboxPatch

        box = FancyBboxPatch(
            (x, y - BOX / 2),
            width,
            BOX,
            boxstyle="round,pad=0,rounding_size=0.06",
            facecolor=color,
            edgecolor=INK,
            linewidth=1.1 * self._scale,
            zorder=2,
        )
        self._axes.add_patch(box)

    def label(self, area: Area, lines: list[tuple[str, str]]) -> None:
        """Several lines of text, each with its colour, on a white area."""
        from matplotlib.patches import Rectangle

        size = (area.right - area.left, area.bottom - area.top)
        self._axes.add_patch(Rectangle((area.left, area.top), *size, facecolor="white", edgecolor="none", zorder=1.5))
        for place, (text, color) in enumerate(lines):
            middle = 0.5 * (area.left + area.right)
            self.text(middle, area.top + (place + 0.5) * LINE, text, color=color, ha="center")


def _draw_tree(pen: Pen, topology: Topology, layout: Layout) -> None:
    pen.box(layout.x[GROUND], layout.y[GROUND], layout.box[GROUND], "#d8d8d8")
    pen.text(layout.middle(GROUND)[0], layout.y[GROUND], GROUND, ha="center")
    for link in topology.links:
        x, y = layout.x[link.body], layout.y[link.body]
        from_x, from_y = layout.x[link.parent] + layout.box[link.parent], layout.y[link.parent]
        corner = layout.corner[link.parent]
        stiff = link.joint is not None and topology.rows[link.joint] > 0
        color, style = (INK, "-") if stiff else (FORCE, ":")
        pen.line([(from_x, from_y), (corner, from_y), (corner, y), (x, y)], color, style)
        pen.box(x, y, layout.box[link.body], "#f2f5f9")
        pen.text(x + 0.5 * layout.box[link.body], y, link.body, ha="center")
        label = tree_label(topology, link)
        top = y - 1.15 * LINE
        for place, (text, ink) in enumerate(label):
            pen.text(corner + PAD, top + (place + 0.5 + (place > 0) * 0.3) * LINE, text, color=ink)
        right = corner + PAD + max(text_width(text) for text, _ in label)
        layout.take(Area(corner + PAD, top, right, top + (len(label) + 0.3) * LINE))
        layout.take(Area(corner, y - 0.02, x, y + 0.02))
        layout.take(Area(corner - 0.02, min(y, from_y), corner + 0.02, max(y, from_y)))
        if link.joint is not None and drives_of(topology.system, link.joint):
            pen.dot(corner + 0.5 * (x - corner), y)


def _draw_crossing(pen: Pen, topology: Topology, layout: Layout, name: str, color: str, style: str) -> None:
    """A joint that is not in the tree, with a label where there is room."""
    joint = topology.system.joints[name]
    pair = frozenset((joint.parent, joint.child))
    beside = SPREAD * layout.crossings.get(pair, 0)
    layout.crossings[pair] = layout.crossings.get(pair, 0) + 1
    curve = _curve(layout, joint.parent, joint.child, beside)
    pen.line([(float(x), float(y)) for x, y in curve], color, style)
    rows = topology.rows[name]
    kind = kind_of(topology.system, name)
    label = [(name, color), (f"{kind}, {counted(rows, 'row')}" if rows else kind, color)]
    drives = drives_of(topology.system, name)
    label += [(f"driven by {drive}", DRIVE) for drive in drives]
    width, height = max(text_width(text) for text, _ in label) + 0.5 * PAD, len(label) * LINE
    for x, y in _places(curve):
        area = Area(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        if layout.is_free(area):
            break
    else:
        return
    layout.take(area)
    pen.label(area, label)
    if drives:
        pen.dot(x, area.top - 0.05)


def _draw_legend(pen: Pen, y: float, styles: dict[str, tuple[str, str]]) -> None:
    x = 0.0
    for title, (color, style) in styles.items():
        pen.line([(x, y), (x + 0.4, y)], color, style)
        pen.text(x + 0.5, y, title, color=color)
        x += 0.8 + text_width(title)


def _curve(layout: Layout, one: str, two: str, beside: float) -> np.ndarray:
    """From box to box: below both in one row, right of both in one column, else from the upper one down.

    A curve between the same boxes as others runs `beside` them.
    """
    upper, lower = sorted((one, two), key=lambda body: (layout.y[body], layout.x[body]))
    (ax, ay), (bx, by) = layout.middle(upper), layout.middle(lower)
    if by - ay < BOX:
        dip = 0.75 * ROW + beside
        points = [(ax, ay + BOX / 2), (ax, ay + dip), (bx, by + dip), (bx, by + BOX / 2)]
    elif layout.x[upper] == layout.x[lower]:
        ax, bx = layout.x[upper] + layout.box[upper], layout.x[lower] + layout.box[lower]
        bulge = max(ax, bx) + min(0.35 + 0.1 * (by - ay), 1.2) + beside
        points = [(ax, ay + BOX / 4), (bulge, ay), (bulge, by), (bx, by - BOX / 4)]
    else:
        reach = 0.5 * (by - ay)
        points = [(ax, ay + BOX / 2), (ax + beside, ay + reach), (bx + beside, by - reach), (bx, by - BOX / 2)]
    p0, p1, p2, p3 = np.array(points)
    t = np.linspace(0.0, 1.0, 41)[:, None]
    return (1 - t) ** 3 * p0 + 3 * t * (1 - t) ** 2 * p1 + 3 * t**2 * (1 - t) * p2 + t**3 * p3


def _places(curve: np.ndarray) -> Iterator[tuple[float, float]]:
    """Where to try a label: along the curve from its middle, then further and further beside it."""
    along = sorted(range(4, 37), key=lambda k: abs(k - 20))
    for aside in (0.0, *(step * sign for step in np.arange(0.5, 20.0, 0.5) * LINE for sign in (1.0, -1.0))):
        for k in along:
            yield float(curve[k, 0]), float(curve[k, 1] + aside)
