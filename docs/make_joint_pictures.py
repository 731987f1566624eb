"""Draw the picture of joints.md into docs/images: python docs/make_joint_pictures.py

Sections through every joint with every model of it; play is drawn ten to a hundred times too large.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Annulus, Circle, PathPatch, Polygon, Rectangle, Wedge
from matplotlib.path import Path as Outline

IMAGES = Path(__file__).parent / "images"
PARENT, CHILD, OIL, RUBBER, TOUCH, INK = "#9aa7b8", "#d9a441", "#f3e2a0", "#5b5f66", "#c8372d", "#22262c"
JOINTS = ("Spherical", "Revolute", "Cylindrical", "Prismatic", "Universal", "Guide")
MODELS = ("Ideal", "Dry", "Lubricated", "Bushing", "SurfaceContact")


def shape(ax: Axes, points, color: str, **kw) -> None:
    """A filled outline."""
    ax.add_patch(Polygon(points, closed=True, facecolor=color, edgecolor=INK, linewidth=0.8, **kw))


def disc(ax: Axes, x: float, y: float, r: float, color: str, **kw) -> None:
    """A filled circle."""
    ax.add_patch(Circle((x, y), r, facecolor=color, edgecolor=INK, linewidth=0.8, **kw))


def spot(ax: Axes, x: float, y: float) -> None:
    """Where they touch."""
    ax.add_patch(Circle((x, y), 0.045, facecolor=TOUCH, edgecolor="none", zorder=5))


def box_with_hole(ax: Axes, r: float, filled: str | None = None) -> None:
    """A block of the parent with a round hole, perhaps filled."""
    square = [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9), (-0.9, -0.9)]
    angle = np.linspace(0, 2 * np.pi, 73)
    hole = list(zip(r * np.cos(angle), r * np.sin(angle), strict=True))
    codes = [Outline.MOVETO, *[Outline.LINETO] * 3, Outline.CLOSEPOLY, Outline.MOVETO, *[Outline.LINETO] * 72]
    ax.add_patch(PathPatch(Outline(square + hole, codes), facecolor=PARENT, edgecolor=INK, linewidth=0.8))
    if filled:
        disc(ax, 0, 0, r, filled, zorder=0.5)


def arrows(ax: Axes, x: float, y: float, radius: float, toward: float) -> None:
    """Pressure of a film on the pin around the direction `toward` [rad]."""
    for angle in np.linspace(-1.1, 1.1, 9):
        size = 0.24 * np.cos(1.25 * angle)
        if size > 0.02:
            c, s = np.cos(toward + angle), np.sin(toward + angle)
            tip, tail = radius, radius - size
            ax.annotate(
                "",
                (x + tail * c, y + tail * s),
                (x + tip * c, y + tip * s),
                arrowprops={"arrowstyle": "-|>,head_width=0.1,head_length=0.2", "color": TOUCH, "lw": 0.8},
            )


def spherical(ax: Axes, model: str) -> None:
    """A ball on its rod, in a socket."""
    play = 0.0 if model in ("Ideal", "Bushing") else 0.1
    gap = 0.16 if model == "Bushing" else play
    shift = (0.07, -0.07) if model in ("Dry", "SurfaceContact") else (0.04, -0.05) if model == "Lubricated" else (0, 0)
    filled = {"Lubricated": OIL, "Bushing": RUBBER}.get(model, "white")
    ax.add_patch(Annulus((0, 0), 0.62 + gap + 0.2, 0.2, facecolor=PARENT, edgecolor=INK, linewidth=0.8))
    disc(ax, 0, 0, 0.62 + gap, filled, zorder=0.6)
    ax.add_patch(Wedge((0, 0), 0.9 + gap, 62, 118, facecolor="white", edgecolor="none", zorder=0.8))
    shape(
        ax, [(shift[0] + x, shift[1] + y) for x, y in ((-0.16, 0.4), (0.16, 0.4), (0.16, 1.15), (-0.16, 1.15))], CHILD
    )
    disc(ax, *shift, 0.62, CHILD, zorder=1.2)
    if model in ("Dry", "SurfaceContact"):
        spot(ax, 0.51, -0.51)
    if model == "Lubricated":
        arrows(ax, *shift, 0.62, -0.9)
    if model == "SurfaceContact":
        net(ax, shift, 0.62)


def net(ax: Axes, centre, radius: float) -> None:
    """The lines of a free-form surface."""
    for t in (-0.6, -0.2, 0.2, 0.6):
        u = np.linspace(-1, 1, 40)
        half = radius * np.sqrt(1 - t * t)
        bow = 0.25 * radius * t * (1 - u**2)
        ax.plot(centre[0] + half * u, centre[1] + radius * t + bow, color=INK, lw=0.5, zorder=1.5)
        ax.plot(centre[0] + radius * t + bow, centre[1] + half * u, color=INK, lw=0.5, zorder=1.5)


def journal(ax: Axes, model: str, collars: bool) -> None:
    """A pin in its bearing, cut along the axis; with play it tilts until it touches."""
    play = 0.13 if model in ("Dry", "Lubricated", "SurfaceContact") else 0.0
    wall = 0.2 if model == "Bushing" else play
    tilt = {"Dry": 0.16, "SurfaceContact": 0.16, "Lubricated": 0.07}.get(model, 0.0)
    pin, bore, length = 0.3, 0.3 + wall, 0.72
    for side in (1, -1):
        shape(ax, [(-length, side * bore), (length, side * bore), (length, side * 0.9), (-length, side * 0.9)], PARENT)
        if model in ("Lubricated", "Bushing"):
            color = OIL if model == "Lubricated" else RUBBER
            ax.add_patch(
                Rectangle(
                    (-length, min(0, side * bore)), 2 * length, bore, facecolor=color, edgecolor="none", zorder=0.6
                )
            )
    c, s = np.cos(tilt), np.sin(tilt)

    def turned(points):
        return [(c * x - s * y, s * x + c * y) for x, y in points]

    shape(ax, turned([(-1.2, -pin), (1.2, -pin), (1.2, pin), (-1.2, pin)]), CHILD)
    if collars:
        for x in (-length - 0.2, length + 0.08):
            shape(ax, turned([(x, -0.66), (x + 0.12, -0.66), (x + 0.12, 0.66), (x, 0.66)]), CHILD)
    if model in ("Dry", "SurfaceContact"):
        spot(ax, length, bore)
        spot(ax, -length, -bore)
    if model == "Lubricated":
        for x in np.linspace(-0.5, 0.5, 7):
            size = 0.3 * (1 - (x / 0.72) ** 2) + 0.02
            ax.annotate(
                "",
                (x, -pin + size + s * x),
                (x, -pin + s * x),
                arrowprops={"arrowstyle": "-|>,head_width=0.1,head_length=0.2", "color": TOUCH, "lw": 0.8},
            )
    if model == "SurfaceContact":
        for t in np.linspace(-0.8, 0.8, 9):
            ax.plot(*zip(*turned([(t, -pin), (t + 0.06, 0), (t, pin)]), strict=True), color=INK, lw=0.5)
        for y in (-0.15, 0.0, 0.15):
            ax.plot(*zip(*turned([(-1.2, y), (1.2, y)]), strict=True), color=INK, lw=0.5)
    ax.plot([-1.3, 1.3], [0, 0], color=INK, lw=0.5, dashes=(8, 2, 1, 2))


def box_in_oil(ax: Axes) -> None:
    """A box in a square guide full of oil, cut along the axis: tilted, it slides to the left on its wedge."""
    gap, half, high, tilt = 0.16, 0.85, 0.4, 0.1
    for side in (1, -1):
        y = side * (high + gap)
        shape(ax, [(-1.2, y), (1.2, y), (1.2, side * 0.9), (-1.2, side * 0.9)], PARENT)
    ax.add_patch(Rectangle((-1.2, -high - gap), 2.4, 2 * (high + gap), facecolor=OIL, edgecolor="none", zorder=0.6))
    c, s, drop = np.cos(tilt), np.sin(tilt), 0.05
    corners = [
        (c * x + s * y, -s * x + c * y - drop) for x, y in ((-half, -high), (half, -high), (half, high), (-half, high))
    ]
    shape(ax, corners, CHILD)
    for x in np.linspace(-0.65, 0.75, 8):
        film = gap + high - (high + drop + s * x)  # below the box
        size = 0.5 * (half**2 - x * x) * (0.5 + 0.5 * x / half) + 0.03
        ax.annotate(
            "",
            (x, -high - gap + film + size),
            (x, -high - gap + film),
            arrowprops={"arrowstyle": "-|>,head_width=0.1,head_length=0.2", "color": TOUCH, "lw": 0.8},
        )
    ax.annotate("", (-0.45, 0.12), (0.3, 0.12), arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.0})
    ax.plot([-1.3, 1.3], [0, 0], color=INK, lw=0.5, dashes=(8, 2, 1, 2))


def prismatic(ax: Axes, model: str) -> None:
    """A box in a square guide, cut across the axis; in oil, along it."""
    if model == "Lubricated":
        box_in_oil(ax)
        return
    play = 0.1 if model in ("Dry", "SurfaceContact") else 0.18 if model == "Bushing" else 0.0
    inner, outer, half = 0.5 + play, 0.9, 0.5
    frame = [(-outer, -outer), (outer, -outer), (outer, outer), (-outer, outer), (-outer, -outer)]
    hole = [(-inner, -inner), (-inner, inner), (inner, inner), (inner, -inner), (-inner, -inner)]
    codes = [Outline.MOVETO, *[Outline.LINETO] * 3, Outline.CLOSEPOLY] * 2
    ax.add_patch(PathPatch(Outline(frame + hole, codes), facecolor=PARENT, edgecolor=INK, linewidth=0.8))
    if model == "Bushing":
        ax.add_patch(Rectangle((-inner, -inner), 2 * inner, 2 * inner, facecolor=RUBBER, edgecolor="none", zorder=0.6))
    tilt = 0.12 if play and model != "Bushing" else 0.0
    c, s = np.cos(tilt), np.sin(tilt)
    corners = [(c * x - s * y, s * x + c * y) for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))]
    drop = inner + min(y for _, y in corners) if tilt else 0.0
    push = inner - max(x for x, _ in corners) if tilt else 0.0
    corners = [(x + push, y - drop) for x, y in corners]
    shape(ax, corners, CHILD)
    if tilt:
        spot(ax, *min(corners, key=lambda p: p[1]))
        spot(ax, *max(corners, key=lambda p: p[0]))
    if model == "SurfaceContact":
        net(ax, (push, -drop), 0.42)


def universal(ax: Axes, model: str) -> None:
    """A cross with four trunnions in the forks of two shafts."""
    play = 0.05 if model == "Dry" else 0.09 if model == "Bushing" else 0.0
    r = 0.13
    for angle in range(4):
        c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][angle]
        color = PARENT if angle % 2 == 0 else "#b9c4d2"

        def placed(points, c=c, s=s):
            return [(c * x - s * y, s * x + c * y) for x, y in points]

        shape(ax, placed([(0.5, -0.34), (1.0, -0.34), (1.0, 0.34), (0.5, 0.34)]), color)
        filling = RUBBER if model == "Bushing" else "white"
        shape(ax, placed([(0.5, -r - play), (0.92, -r - play), (0.92, r + play), (0.5, r + play)]), filling)
    lift = play if model == "Dry" else 0.0
    shape(ax, [(-0.86, -r + lift), (0.86, -r + lift), (0.86, r + lift), (-0.86, r + lift)], CHILD)
    shape(ax, [(-r + lift, -0.86), (r + lift, -0.86), (r + lift, 0.86), (-r + lift, 0.86)], CHILD)
    disc(ax, lift, lift, 0.22, CHILD)
    if model == "Dry":
        for x, y in ((0.7, r + lift), (-0.7, r + lift), (r + lift, 0.7), (r + lift, -0.7)):
            spot(ax, x, y)


def guide(ax: Axes, model: str) -> None:
    """A slider between two walls, seen from the side."""
    if model == "Lubricated":
        box_in_oil(ax)
        return
    play, pad = 0.12 if model == "Dry" else 0.0, 0.14 if model == "Bushing" else 0.0
    for side in (1, -1):
        y = side * (0.42 + play + pad)
        shape(ax, [(-1.2, y), (1.2, y), (1.2, side * 0.85), (-1.2, side * 0.85)], PARENT)
        if pad:
            shape(ax, [(-0.7, y), (0.7, y), (0.7, y - side * pad), (-0.7, y - side * pad)], RUBBER)
    tilt = 0.15 if play else 0.0
    c, s = np.cos(tilt), np.sin(tilt)
    corners = [(c * x - s * y, s * x + c * y) for x, y in ((-0.7, -0.42), (0.7, -0.42), (0.7, 0.42), (-0.7, 0.42))]
    shape(ax, corners, CHILD)
    if play:
        spot(ax, *corners[0])
        spot(ax, *corners[2])


EMPTY = {
    ("Universal", "Lubricated"): "the cross as a body in\ntwo lubricated Revolutes:\nsee joints.md",
    ("Universal", "SurfaceContact"): "the cross as a body,\nas for a film",
    ("Guide", "SurfaceContact"): "has its own walls",
}


def draw(ax: Axes, joint: str, model: str) -> None:
    """One cell."""
    ax.set_xlim(-1.35, 1.35)
    ax.set_ylim(-1.2, 1.2)
    ax.set_aspect("equal")
    ax.axis("off")
    if (joint, model) in EMPTY:
        ax.text(0, 0, EMPTY[joint, model], ha="center", va="center", fontsize=6.5, color="#6a7079")
    elif joint in ("Revolute", "Cylindrical"):
        journal(ax, model, collars=joint == "Revolute")
    else:
        {"Spherical": spherical, "Prismatic": prismatic, "Universal": universal, "Guide": guide}[joint](ax, model)


def main() -> None:
    """All cells in one picture."""
    figure, axes = plt.subplots(len(JOINTS), len(MODELS), figsize=(10.5, 11))
    for row, joint in zip(axes, JOINTS, strict=True):
        for ax, model in zip(row, MODELS, strict=True):
            draw(ax, joint, model)
        row[0].text(-1.5, 0, joint, rotation=90, ha="right", va="center", fontsize=11)
    for ax, model in zip(axes[0], MODELS, strict=True):
        ax.set_title(model, fontsize=11)
    figure.subplots_adjust(left=0.05, right=0.99, top=0.96, bottom=0.01, wspace=0.02, hspace=0.02)
    figure.savefig(IMAGES / "joints.png", dpi=110)


if __name__ == "__main__":
    main()
