"""Draw the pictures of nurbs.md into docs/images: python docs/make_nurbs_pictures.py

The kernels run as plain Python here, so that the cuts of the search can be watched.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from gudgeon.nurbs import Pose, Surface, SurfacePair, gap_field
from gudgeon.nurbs.implicit import golden_section, implicit_matrix, null_space, product_matrix
from gudgeon.nurbs.kernels import search

IMAGES = Path(__file__).parent / "images"
BLUE, RED, GREY, GREEN = "#1f5fa8", "#c8372d", "#8a8f98", "#2f8f4e"
KNOTS = [0, 0, 0, 0, 1, 1, 1, 1]


def folded_patch() -> Surface:
    """One bicubic rational patch that a line meets three times."""
    rng = np.random.default_rng(12)
    x, y = np.meshgrid(np.linspace(0, 1, 4), np.linspace(0, 1, 4), indexing="ij")
    bent = np.array([0.0, 1.45, -0.45, 1.0])[:, None] + 0 * x
    points = np.stack([bent + 0.1 * y, y + 0.25 * (x - 0.5) ** 2, 0.9 * x + 0.25 * y * (1 - y)], axis=2)
    return Surface(degree=(3, 3), knots=(KNOTS, KNOTS), points=points, weights=rng.uniform(0.7, 1.5, (4, 4)))


def method() -> None:
    """A line, the surface it meets, and the cuts of its parameter square."""
    surface = folded_patch()
    origin, direction = np.array([0.45, 0.42, -0.4]), np.array([0.12, 0.1, 1.0])
    direction /= np.linalg.norm(direction)
    cuts: list[tuple[float, float, float, float]] = []
    halve = search.halve

    def watched(stack, box, top, along_s):
        s0, s1, t0, t1 = box[top]
        middle = 0.5 * (s0 + s1) if along_s else 0.5 * (t0 + t1)
        cuts.append((middle, middle, t0, t1) if along_s else (s0, s1, middle, middle))
        halve(stack, box, top, along_s)

    search.halve = watched
    hits = surface.hits(origin, direction)
    search.halve = halve

    figure = plt.figure(figsize=(10, 4.2))
    left = figure.add_subplot(1, 2, 1, projection="3d")
    u = np.linspace(0, 1, 30)
    p = surface.point(u[:, None], u[None, :])
    left.plot_surface(*np.moveaxis(p, 2, 0), color=BLUE, alpha=0.35, linewidth=0)
    for at in np.linspace(0, 1, 7):
        left.plot(*surface.point(at, u).T, color=BLUE, lw=0.6)
        left.plot(*surface.point(u, at).T, color=BLUE, lw=0.6)
    ends = origin + np.outer([0.0, 1.9], direction)
    left.plot(*ends.T, color=RED, lw=1.5)
    x = origin + hits[:, :1] * direction
    left.scatter(*x.T, color=RED, s=30, depthshade=False)
    left.scatter(*origin, color="k", s=20)
    left.text(*origin, "  p", fontsize=11)
    left.set_title(f"The line p + h n meets the patch at h = {', '.join(f'{h:.3f}' for h in hits[:, 0])}", fontsize=10)
    left.view_init(14, -66)
    left.set_box_aspect((1.3, 1.0, 1.3), zoom=1.5)
    left.set_axis_off()

    right = figure.add_subplot(1, 2, 2)
    a = np.cross(direction, (1, 0, 0))
    a /= np.linalg.norm(a)
    b = np.cross(direction, a)
    fine = np.linspace(0, 1, 200)
    off = surface.point(fine[:, None], fine[None, :]) - origin
    right.contour(fine, fine, (off @ a).T, levels=[0], colors=[GREEN])
    right.contour(fine, fine, (off @ b).T, levels=[0], colors=[BLUE])
    for s0, s1, t0, t1 in cuts:
        right.plot([s0, s1], [t0, t1], color=GREY, lw=0.7)
    right.plot(hits[:, 1], hits[:, 2], "o", color=RED, ms=7)
    right.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="ξ1", ylabel="ξ2")
    right.set_title(f"f = 0 (green), g = 0 (blue), and the {len(cuts)} cuts of the search", fontsize=10)
    figure.tight_layout()
    figure.savefig(IMAGES / "nurbs_method.png", dpi=130)
    plt.close(figure)


def gap_map() -> None:
    """The unrolled gap of a tilted pin in its bore, with the part that penetrates."""
    bore, pin = Surface.cylinder(0.0101, -0.01, 0.01), Surface.cylinder(0.01, -0.02, 0.02)
    grid = (np.linspace(0, 1, 97), np.linspace(0, 1, 25))
    pair = SurfacePair(reference=bore, corresponding=pin, reference_side=-1, grid=grid)
    tilt = 0.006
    pose = Pose(
        position=(5e-5, 0, 0),
        rotation=(np.cos(tilt / 2), 0, np.sin(tilt / 2), 0),
        velocity=(0, 0.02, 0),
        angular_velocity=(0, 0, 100.0),
    )
    field = gap_field(pair, Pose(), pose)
    theta = np.degrees(np.unwrap(np.arctan2(field.point[:, 0, 1], field.point[:, 0, 0])))
    theta[-1] = 360.0
    z = 1e3 * field.point[0, :, 2]
    figure, axes = plt.subplots(2, 1, figsize=(10, 5.4), sharex=True)
    shown = (
        (1e6 * field.gap, "gap h [µm]", "viridis", None),
        (1e3 * field.gap_rate, "gap rate ḣ [mm/s]", "RdBu_r", 1e3 * float(np.abs(field.gap_rate).max())),
    )
    for axis, (values, title, colors, limit) in zip(axes, shown, strict=True):
        span = {} if limit is None else {"vmin": -limit, "vmax": limit}
        mesh = axis.pcolormesh(theta, z, values.T, cmap=colors, shading="gouraud", **span)
        figure.colorbar(mesh, ax=axis, label=title, pad=0.01)
        axis.set_ylabel("z [mm]")
    axes[0].contour(theta, z, field.gap.T, levels=[0], colors=[RED], linewidths=2)
    axes[0].text(28, 8.2, "h = 0", color=RED, fontsize=10)
    axes[0].set_title(
        f"Bore of radius 10.1 mm, pin of 10 mm, 50 µm off and tilted by 6 mrad: h from {1e6 * field.gap.min():.0f} µm "
        f"(penetration) to {1e6 * field.gap.max():.0f} µm",
        fontsize=10,
    )
    axes[1].set_xlabel("angle round the bore [°]")
    figure.tight_layout()
    figure.savefig(IMAGES / "nurbs_gap.png", dpi=130)
    plt.close(figure)


def draw_phantom(axis) -> None:
    """D along a line that meets the cylinder twice and the quarter once."""
    quarter = Surface.cylinder(1.0, -1.0, 1.0, angle=0.5 * np.pi)
    m = implicit_matrix(quarter)
    n = np.array([np.cos(0.5), np.sin(0.5), 0])
    h = np.linspace(-2.3, 0.6, 400)
    axis.plot(h, [m.evaluation((0.8 + x) * n) for x in h], color=BLUE)
    axis.plot([0.2], [0], "o", color=GREEN, ms=9, label="on the quarter cylinder")
    axis.plot([-1.8], [0], "X", color=RED, ms=9, label="only on its continuation: ξ not in [0, 1]²")
    axis.axvspan(-2.3, 0, color=GREY, alpha=0.15)
    axis.text(-1.6, 0.35 * axis.get_ylim()[1], "h < 0: (36) does not look here", fontsize=9, color="#444")
    axis.set(xlabel="h [m]", ylabel="D(p + h n)", title="D vanishes on the whole algebraic surface")
    axis.legend(fontsize=8, loc="upper center")


def draw_skipped(axis) -> None:
    """The points where (37) looks at D, and the roots between them."""
    patch = folded_patch()
    m = implicit_matrix(patch, scaled=True)
    origin, direction = np.array([0.45, 0.42, -0.4]), np.array([0.12, 0.1, 1.0])
    direction /= np.linalg.norm(direction)
    roots = patch.hits(origin, direction)[:, 0]
    h = np.linspace(0, 1.6, 1500)
    axis.semilogy(h, [m.evaluation(origin + x * direction) for x in h], color=BLUE, lw=1)
    steps = 0.02 * np.cumsum(((np.sqrt(5) + 1) / 2) ** np.arange(10))
    steps = steps[steps < 1.6]
    axis.semilogy(
        steps, [m.evaluation(origin + x * direction) for x in steps], "s", color=GREY, ms=5, label="h_q of (37)"
    )
    found, _ = golden_section(m, origin, direction, delta=0.02, farthest=3.0)
    for k, root in enumerate(roots):
        axis.axvline(root, color=GREEN, lw=1, label="intersections" if k == 0 else None)
    axis.axvline(found, color=RED, ls="--", label=f"golden section: h = {found:.3f}")
    axis.set(xlabel="h [m]", ylabel="D(p + h n)", title="Growing brackets step over roots")
    axis.legend(fontsize=8, loc="lower right")


def draw_rates(axis) -> None:
    """(41) along the normal against the true gap rate."""
    bore, pin = Surface.cylinder(0.0101, -0.01, 0.01), Surface.cylinder(0.01, -0.02, 0.02)
    pair = SurfacePair(reference=bore, corresponding=pin, reference_side=-1, grid=(64, [0.5]))
    e, omega, dt = 5e-5, 100.0, 1e-6
    field = gap_field(pair, Pose(), Pose(position=(e, 0, 0), angular_velocity=(0, 0, omega)))
    later = gap_field(pair, Pose(), Pose(position=(e, 0, 0), rotation=(1, 0, 0, 0.5 * omega * dt)))
    theta = np.degrees(np.arctan2(field.point[:, 0, 1], field.point[:, 0, 0])) % 360
    published = np.sum(field.published_rate * field.basis[..., 1], axis=-1)[:, 0]
    axis.plot(theta, 1e3 * published, color=RED, label="(41)·n")
    axis.plot(theta, 1e3 * field.gap_rate[:, 0], color=GREEN, lw=3, label=r"$\dot{h}$")
    axis.plot(theta, 1e3 * (later.gap - field.gap)[:, 0] / dt, "k.", ms=3, label="difference of h over 1 µs")
    axis.set(xlabel="angle [°]", ylabel="rate [mm/s]", title="A pin that only spins at 100 rad/s, 50 µm off centre")
    axis.legend(fontsize=8)


def draw_conditions(axis) -> None:
    """Conditions of null spaces by both methods."""
    rng = np.random.default_rng(0)
    conditions = []
    for _ in range(60):
        x, y = np.meshgrid(np.linspace(0, 1, 4), np.linspace(0, 1, 4), indexing="ij")
        points = np.stack([x, y, 0 * x], axis=2) + 0.15 * rng.normal(size=(4, 4, 3))
        patch = Surface(degree=(3, 3), knots=(KNOTS, KNOTS), points=points, weights=rng.uniform(0.5, 2, (4, 4)))
        s = product_matrix(patch, (5, 2))
        conditions.append([np.linalg.cond(null_space(s, method=how)) for how in ("rref", "svd")])
    printed, good = np.array(conditions).T
    axis.hist(np.log10(printed), bins=20, color=RED, alpha=0.7, label="rref, as printed")
    axis.axvline(np.log10(good.max()), color=GREEN, lw=3, label="singular values: 1")
    axis.set(xlabel="log10 of the condition of the null space", ylabel="patches", title="60 bicubic rational patches")
    axis.legend(fontsize=8)


def corrections() -> None:
    """What goes wrong if the paper is followed to the letter."""
    figure, axes = plt.subplots(2, 2, figsize=(10, 7))
    for draw, axis in zip((draw_phantom, draw_skipped, draw_rates, draw_conditions), axes.flat, strict=True):
        draw(axis)
        axis.title.set_fontsize(10)
    figure.tight_layout()
    figure.savefig(IMAGES / "nurbs_corrections.png", dpi=130)
    plt.close(figure)


if __name__ == "__main__":
    method()
    gap_map()
    corrections()
