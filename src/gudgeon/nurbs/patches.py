"""From a surface to what the kernels see of it: Bézier patches, seams, poles, balls around patches, trimming loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gudgeon.errors import ModelError
from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.kernels.arrays import GROUP, Patches

if TYPE_CHECKING:
    from gudgeon.nurbs.net import ControlNet

Array = NDArray[np.float64]
SEAM_TOLERANCE = 1e-10  # edges nearer than this fraction of the surface's size are one [-]
REACH_SAMPLES = 3000  # points among which the reach is looked for
MOST_REACH_SAMPLES = 40000


def bezier_nets(surface: ControlNet) -> Array:
    """Homogeneous control points (patch 1, patch 2, i, j, 4) of the Bézier patches."""
    net = np.concatenate([surface.points * surface.weights[..., None], surface.weights[..., None]], axis=2)
    first = kv.bezier_pieces(net, surface.knots[0], surface.degree[0])  # (p1, i, n2, 4)
    both = kv.bezier_pieces(np.moveaxis(first, 2, 0), surface.knots[1], surface.degree[1])  # (p2, j, p1, i, 4)
    return np.ascontiguousarray(both.transpose(2, 0, 3, 1, 4))


def build_patches(surface: ControlNet) -> Patches:
    """The compiled form of a surface, without its reach; refuses patches that are no surface."""
    nets = bezier_nets(surface)
    nets /= nets[..., 3].max()
    points = nets[..., :3] / nets[..., 3:]
    low, high = points.min(axis=(0, 1, 2, 3)), points.max(axis=(0, 1, 2, 3))
    size = 0.5 * float(np.linalg.norm(high - low))
    if size == 0.0:
        raise ModelError(f"{surface.label}: all control points are at {tuple(low.tolist())}; a surface has an extent")
    _refuse_flat_patches(surface, points, size)
    near = SEAM_TOLERANCE * size
    closed = [_same_edge(nets[0, :, 0], nets[-1, :, -1], near), _same_edge(nets[:, 0, :, 0], nets[:, -1, :, -1], near)]
    count = nets.shape[0] * nets.shape[1]
    flat = nets.reshape(count, *nets.shape[2:])
    points = points.reshape(count, *points.shape[2:])
    edges = (points[:, 0], points[:, -1], points[:, :, 0], points[:, :, -1])
    poles = [np.ptp(edge, axis=1).max(axis=1) <= near for edge in edges]
    corners = points.reshape(count, -1, 3)
    center = 0.5 * (corners.min(axis=1) + corners.max(axis=1))
    radius = np.linalg.norm(corners - center[:, None], axis=2).max(axis=1)
    loop, start, outer = (
        (np.empty((0, 2)), np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int64))
        if surface.trim is None
        else surface.trim.flat()
    )
    return Patches(
        net=np.ascontiguousarray(flat),
        break1=kv.breaks(surface.knots[0], surface.degree[0]),
        break2=kv.breaks(surface.knots[1], surface.degree[1]),
        closed=np.array(closed, dtype=np.int64),
        ball=np.concatenate([center, radius[:, None]], axis=1),
        group=_groups(center, radius),
        pole=np.stack(poles, axis=1).astype(np.int64),
        reach=np.zeros((count, 1, 1)),
        length=np.array([size, float(np.abs(corners).max())]),
        loop=np.ascontiguousarray(loop),
        loop_start=start,
        loop_outer=outer,
    )


def _groups(center: Array, radius: Array) -> Array:
    """Balls around the balls of each GROUP patches in a row."""
    out = []
    for first in range(0, len(center), GROUP):
        c, r = center[first : first + GROUP], radius[first : first + GROUP]
        middle = 0.5 * (c.min(axis=0) + c.max(axis=0))
        out.append([*middle, (np.linalg.norm(c - middle, axis=1) + r).max()])
    return np.array(out)


def _same_edge(a: Array, b: Array, near: float) -> bool:
    """Whether two rational edges are the same, parameter by parameter."""
    same_place = np.abs(a[..., :3] / a[..., 3:] - b[..., :3] / b[..., 3:]).max() <= near
    ratio = a[..., 3] / b[..., 3]
    return bool(same_place and np.ptp(ratio) <= 1e-10 * ratio.max())


def _refuse_flat_patches(surface: ControlNet, points: Array, size: float) -> None:
    """A patch must have an area: control points that all lie on one line give no normal."""
    corners = points.reshape(points.shape[0], points.shape[1], -1, 3)
    spread = corners - corners.mean(axis=2, keepdims=True)
    extents = np.linalg.svd(spread, compute_uv=False)
    flat = extents[..., 1] <= 1e-9 * np.maximum(extents[..., 0], 1e-6 * size)
    if flat.any():
        k1, k2 = (int(x) for x in np.argwhere(flat)[0])
        break1 = kv.breaks(surface.knots[0], surface.degree[0])
        break2 = kv.breaks(surface.knots[1], surface.degree[1])
        raise ModelError(
            f"{surface.label}: the patch ξ1 = {break1[k1]:g} … {break1[k1 + 1]:g}, ξ2 = {break2[k2]:g} … "
            f"{break2[k2 + 1]:g} is degenerate, its control points lie on one line; move or remove them"
        )


def with_reach(patches: Patches) -> Patches:
    """The same patches with their reach: half the radius of the balls that touch the surface and hold none of it.

    Two balls of this radius touch the surface at x, one on each side, and no part of the surface is inside either. So
    a line that meets the surface at x under the angle φ with the normal meets it nowhere else within 2·radius·cos φ.
    The radius is inf |y − x|²/(2 |n·(y − x)|) over the other points y of the surface (Federer 1959, Trans. AMS 93,
    theorem 4.18) and no more than the radius of curvature. It is looked for among sample points, in each cell and
    its neighbours, and halved for what lies between samples: an estimate with a margin, not a proof. It is 0 next to an
    edge where patches meet at an angle.
    """
    from gudgeon.nurbs.kernels.reach import sampled_reach

    count = patches.net.shape[0]
    cells = min(8, int((REACH_SAMPLES / count) ** 0.5) - 1)
    if cells < 1:
        cells = 1
    if count * (cells + 1) ** 2 > MOST_REACH_SAMPLES:
        return patches
    samples = count * (cells + 1) ** 2
    reach = np.zeros((count, cells, cells))
    highest = max(patches.net.shape[1:3])
    sampled_reach(patches, np.empty((samples, 8)), np.empty((6, highest)), np.empty((6, 4)), reach)
    return patches._replace(reach=reach)
