"""The film under a flat pad by finite elements, in metres and seconds: bilinear elements, weak form, p ≥ 0.

A second way to what gudgeon.films does by finite volumes: nothing is scaled, the velocity is a vector at every point of
the pad, the wall is at rest. From ∂h/∂t + ∇·(½ h U − h³/(12 μ) ∇p) = 0, ∂h/∂t = −g·v − U·∇h, with N = 0 at the edges,

    ∫ h³/(12 μ) ∇N·∇p dA = ∫ N g·v dA − ½ ∫ h U·∇N dA

The force on the pad is pressure along its own normal, and the shear −½ h ∇p − μ U/h along the wall.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve
from scipy.spatial.transform import Rotation

GAUSS = np.array([-1.0, 1.0]) / np.sqrt(3.0)


def graded(count: int, thin: float, thick: float) -> np.ndarray:
    """Nodes from −1 to 1 in geometric steps of a gap from `thin` to `thick`, half of them, mixed with even ones."""
    t = np.linspace(0.0, 1.0, count + 1)
    ratio = thick / thin
    by_gap = t if abs(ratio - 1.0) < 1e-6 else (ratio**t - 1.0) / (ratio - 1.0)
    even = 0.5 - 0.5 * np.cos(np.pi * t)
    return 2.0 * (0.5 * by_gap + 0.5 * even) - 1.0


def pad_wrench(
    half: tuple[float, float],  # of the pad along x and z [m]
    gap: float,  # at its middle [m]
    turn: Any,  # of the pad against the wall, rotation vector [rad]
    v: np.ndarray,  # velocity of the pad's middle; the wall is above, its normal y [m/s]
    w: np.ndarray,  # angular velocity [rad/s]
    viscosity: float,
    *,
    cells: int = 40,
    pulls: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Force on the pad and torque about its middle, of pressure and of the shear by its flow and by sliding."""
    R, g = Rotation.from_rotvec(turn).as_matrix(), np.array([0.0, 1.0, 0.0])
    a, b, normal = R[:, 0], R[:, 2], R[:, 1]

    def height(u, s):
        return gap - g @ a * u - g @ b * s

    def nodes(half, slope, least):
        ends = least, least + 2.0 * abs(slope) * half  # along the thinnest edge
        x = half * graded(cells, *ends)
        return x if slope > 0.0 else -x[::-1]

    slopes = -g @ a, -g @ b
    least = gap - abs(slopes[0]) * half[0] - abs(slopes[1]) * half[1]
    us, ss = nodes(half[0], slopes[0], least), nodes(half[1], slopes[1], least)
    count = cells + 1
    number = np.arange(count * count).reshape(count, count)
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[:-1, 1:], number[1:, 1:]], axis=-1).reshape(-1, 4)
    du, ds = (x.reshape(-1) for x in np.meshgrid(np.diff(us), np.diff(ss), indexing="ij"))
    u0, s0 = (x.reshape(-1) for x in np.meshgrid(us[:-1], ss[:-1], indexing="ij"))
    A, load, points = np.zeros((len(quads), 4, 4)), np.zeros((len(quads), 4)), []
    for p in GAUSS:
        for q in GAUSS:
            x, y = 0.5 * (1.0 + p), 0.5 * (1.0 + q)
            N = np.array([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y])
            Nu = np.array([-(1 - y), 1 - y, -y, y])[None] / du[:, None]
            Ns = np.array([-(1 - x), -x, 1 - x, x])[None] / ds[:, None]
            u, s, weight = u0 + x * du, s0 + y * ds, 0.25 * du * ds
            h, place = height(u, s), u[:, None] * a + s[:, None] * b
            velocity = v + np.cross(w, place)
            U, approach = velocity - np.outer(velocity @ g, g), velocity @ g
            Uu, Us = U @ a, U @ b
            flow = weight * h**3 / (12.0 * viscosity)
            A += flow[:, None, None] * (Nu[:, :, None] * Nu[:, None, :] + Ns[:, :, None] * Ns[:, None, :])
            load += weight[:, None] * (approach[:, None] * N - 0.5 * h[:, None] * (Uu[:, None] * Nu + Us[:, None] * Ns))
            points.append((N, Nu, Ns, weight, h, place, U))
    inside = np.zeros((count, count), dtype=bool)
    inside[1:-1, 1:-1] = True
    i, j = np.repeat(quads, 4, axis=1).ravel(), np.tile(quads, (1, 4)).ravel()
    matrix = coo_array((A.ravel(), (i, j)), shape=(number.size,) * 2).tocsr()
    right = np.bincount(quads.ravel(), load.ravel(), minlength=number.size)
    active = inside.ravel().copy()
    for _ in range(200):  # smaller and larger until it is the set where p > 0
        p, at = np.zeros(number.size), np.flatnonzero(active)
        if len(at):
            found: Any = spsolve(matrix[at][:, at].tocsc(), right[at])
            p[at] = found
        if pulls:
            break
        after = inside.ravel() & np.where(active, p > 0.0, right - matrix @ p > 0.0)
        if np.array_equal(after, active):
            break
        active = after
    else:
        raise RuntimeError("no end")
    force, torque = np.zeros(3), np.zeros(3)
    for N, Nu, Ns, weight, h, place, U in points:
        of = p[quads]
        shear = -0.5 * h[:, None] * ((of * Nu).sum(axis=1)[:, None] * a + (of * Ns).sum(axis=1)[:, None] * b)
        push = weight[:, None] * (-(of @ N)[:, None] * normal + shear - viscosity / h[:, None] * U)
        force += push.sum(axis=0)
        torque += np.cross(place, push).sum(axis=0)
    return force, torque
