"""The tree of a mechanism as a picture: bodies as boxes by their distance from the ground, one row for each branch.

Joints of the tree are solid, cut joints dashed and red, joints that act by forces dotted; a dot marks a driven joint.
One unit of the axes is an inch, so that what is written can be measured and kept apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.view.tree import drives_of, others
from gudgeon.view.tree_layout import (
    BOX,
    CUT,
    DRIVE,
    FONT,
    FORCE,
    INK,
    LABEL_TOP,
    LINE,
    PAD,
    Area,
    Layout,
    text_width,
    tree_label,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from gudgeon.topology.topology import Topology

MARGIN = 0.4  # around the drawing [in]
LARGEST = 120.0  # side of a figure; beyond, everything is drawn smaller [in]


def picture(topology: Topology) -> Figure:
    """The tree drawn from the ground, on the left, outwards; y points down."""
    from matplotlib.figure import Figure

    layout = Layout(topology)
    page, strip = layout.page, 2.5 * LINE  # for the title above and the legend below
    left, top = page.left - MARGIN, page.top - MARGIN - strip
    right, bottom = page.right + MARGIN, page.bottom + MARGIN + strip
    right = max(right, left + 2 * MARGIN + 1.4 * text_width(topology.system.name))
    scale = min(1.0, LARGEST / max(right - left, bottom - top))
    figure = Figure(figsize=(scale * (right - left), scale * (bottom - top)))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(left, right), ylim=(bottom, top))
    axes.set_axis_off()
    pen = Pen(axes, scale)
    pen.text(0.0, top + 0.5 * (MARGIN + LINE), topology.system.name, title=True)
    _draw_tree(pen, topology, layout)
    for crossing in layout.crossings:
        pen.line(crossing.curve, crossing.color, crossing.style)
        pen.label(crossing.area, crossing.label)
    _draw_legend(pen, bottom - 0.5 * MARGIN, topology)
    return figure


class Pen:
    """Draws on axes whose unit is an inch."""

    def __init__(self, axes: Axes, scale: float):
        self._axes = axes
        self._scale = scale

    def line(self, points: np.ndarray | list[tuple[float, float]], color: str, style: str = "-") -> None:
        """A line through points."""
        self._axes.plot(*np.transpose(points), style, color=color, linewidth=1.3 * self._scale, zorder=1)

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
            if color == DRIVE:
                self.dot(area.left, area.top + (place + 0.5) * LINE)


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
        top = y + LABEL_TOP
        for place, (text, ink) in enumerate(label):
            pen.text(corner + PAD, top + (place + 0.5 + (place > 0) * 0.3) * LINE, text, color=ink)
        if link.joint is not None and drives_of(topology.system, link.joint):
            pen.dot(corner + 0.5 * (x - corner), y)


def _draw_legend(pen: Pen, y: float, topology: Topology) -> None:
    x = 0.0
    for title, color, style, names in (
        ("cut joint", CUT, "--", topology.cuts),
        ("joint without rows", FORCE, ":", others(topology)),
    ):
        if names:
            pen.line([(x, y), (x + 0.4, y)], color, style)
            pen.text(x + 0.5, y, title, color=color)
            x += 0.8 + text_width(title)
