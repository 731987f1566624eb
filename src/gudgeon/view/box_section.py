"""A section across a guide: its walls, the box where the force is largest, and the path of the box's middle."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.view.box_orbits import CORNERS, BoxPlayed
from gudgeon.view.colours import BEARING, INK, MODES, OIL, PIN
from gudgeon.view.pushes import mark_push

SHOWN = 0.3  # the clearance in the picture, of half the thinner side of the box
WALL = 0.22  # thickness of the walls, of half the longer side


def box_section(
    axes: Any, inside: BoxPlayed, which: int, kept: np.ndarray, modes: np.ndarray, most: int, force: np.ndarray
) -> None:
    """Draw end number `which`, its play SHOWN of half the box; units are half the longer side of the box."""
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Polygon, Rectangle

    orbit, size = inside.orbits[which], np.array(inside.size)
    unit, scale = 0.5 * size.max(), magnified(inside) / (0.5 * size.max())
    box, play = 0.5 * size / unit, scale * np.array(inside.clearances)
    hole, sides = box + play, "left" in inside.depths
    outer = hole + np.array([WALL if sides else 0.0, WALL])
    frame = {"facecolor": BEARING, "edgecolor": "none"}
    axes.add_patch(Rectangle(tuple(-outer), *(2.0 * outer), **frame))
    axes.add_patch(Rectangle(tuple(-hole), *(2.0 * hole), facecolor=OIL if inside.oil else "white", edgecolor="none"))
    if sides:
        axes.add_patch(Rectangle(tuple(-hole), *(2.0 * hole), facecolor="none", edgecolor=INK, linewidth=0.8))
    else:
        for y in (-hole[1], hole[1]):
            axes.plot((-hole[0], hole[0]), (y, y), color=INK, linewidth=0.8)
    off = scale * inside.corners[which][kept][most]
    corners = np.array(CORNERS) * box + off
    axes.add_patch(Polygon(corners, facecolor=PIN, edgecolor=INK, linewidth=0.8, alpha=0.45))
    free = play if sides else np.array([0.0, play[1]])
    axes.add_patch(
        Rectangle(tuple(-free), *(2.0 * free), facecolor="none", edgecolor=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    )
    axes.plot(0, 0, "+", color=INK, markersize=8, markeredgewidth=0.8)
    path = scale * orbit.path[kept]
    segments = np.stack((path[:-1], path[1:]), axis=1)
    colours = [MODES[str(mode)] for mode in modes[1:]]
    axes.add_collection(LineCollection(list(segments), colors=colours, linewidths=1.3, zorder=3))
    mark_push(axes, path[most], orbit.across[kept][most] @ force[most])
    starts, ends = outer + 0.02, outer + 0.25
    for word, start, end in zip(
        orbit.axes, ((starts[0], 0.0), (0.0, starts[1])), ((ends[0], 0.0), (0.0, ends[1])), strict=True
    ):
        axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": INK, "lw": 0.7})
        axes.text(end[0] + 0.04, end[1], word, fontsize="small", va="center")
    axes.set_xlim(-outer[0] - 0.05, outer[0] + 0.55)
    axes.set_ylim(-outer[1] - 0.05, outer[1] + 0.35)
    axes.set_aspect("equal")
    axes.axis("off")
    if orbit.label:
        axes.set_title(f"{orbit.label} of what can touch", fontsize="medium", loc="left")


def magnified(inside: BoxPlayed) -> float:
    """How many times too large displacements are drawn."""
    return SHOWN * 0.5 * min(inside.size) / max(inside.clearances)
