"""Rotations in NumPy: unit quaternions with the scalar first, matrices, rotation vectors; any number of them at once.

    turned by p = (s, e)        R v = v + 2 s e×v + 2 e×(e×v)
    first p, then q             q p (the product of quaternions)
    turned by θ about |θ|⁻¹ θ   p = (cos |θ|/2, sin(|θ|/2)/|θ| θ)

Arrays hold vectors along their last axis, matrices along the last two; the others broadcast. What a user may give as an
orientation is checked in orientations.py; compiled code has its own rotations (kernels/kinematics/rotation.py).
"""

from __future__ import annotations

import numpy as np

CONJUGATE = np.array([1.0, -1.0, -1.0, -1.0])


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b; several times as fast as NumPy's for few vectors.

    >>> cross(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])).tolist()
    [0.0, 0.0, 1.0]
    """
    x, y, z, u, v, w = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)


def skew(s: np.ndarray) -> np.ndarray:
    """s̃ of vectors, s̃ x = s × x.

    >>> (skew(np.array([1.0, 0.0, 0.0])) @ [0.0, 1.0, 0.0]).tolist()
    [0.0, 0.0, 1.0]
    """
    out = np.zeros((*s.shape, 3), dtype=s.dtype)
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -s[..., 2], s[..., 1], -s[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = s[..., 2], -s[..., 1], s[..., 0]
    return out


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product a b of quaternions: the turn b followed by the turn a.

    >>> i, j = np.eye(4)[1:3]
    >>> product(i, j).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    (s, x, y, z), (t, u, v, w) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack(
        [
            s * t - x * u - y * v - z * w,
            s * u + x * t + y * w - z * v,
            s * v - x * w + y * t + z * u,
            s * w + x * v - y * u + z * t,
        ],
        axis=-1,
    )


def conjugate(quaternion: np.ndarray) -> np.ndarray:
    """The turns back.

    >>> conjugate(np.array([0.6, 0.0, 0.0, 0.8])).tolist()
    [0.6, -0.0, -0.0, -0.8]
    """
    return quaternion * CONJUGATE


def unit(quaternion: np.ndarray) -> np.ndarray:
    """Quaternions scaled to length one.

    >>> unit(np.array([3.0, 0.0, 0.0, 4.0])).tolist()
    [0.6, 0.0, 0.0, 0.8]
    """
    return quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)


def turned(quaternion: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Vectors turned by unit quaternions.

    >>> turned(np.array([0.0, 0.0, 0.0, 1.0]), np.array([1.0, 2.0, 3.0])).tolist()  # half a turn about z
    [-1.0, -2.0, 3.0]
    """
    scalar, axis = quaternion[..., :1], quaternion[..., 1:]
    across = 2.0 * cross(axis, vector)
    return vector + scalar * across + cross(axis, across)


def turn_of(rotation_vector: np.ndarray) -> np.ndarray:
    """The unit quaternions of rotation vectors [rad].

    >>> turn_of(np.array([0.0, 0.0, np.pi])).round(15).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    angle = np.linalg.norm(rotation_vector, axis=-1, keepdims=True)
    return np.concatenate([np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * rotation_vector], axis=-1)


def turned_by(quaternion: np.ndarray, rotation_vector: np.ndarray) -> np.ndarray:
    """Orientations turned further by rotation vectors in world axes [rad], of length one.

    >>> turned_by(np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 0.0, np.pi])).round(15).tolist()
    [-1.0, 0.0, 0.0, 0.0]
    """
    turn = turn_of(rotation_vector)  # the product is summed in another order here: assembled states keep their bits
    s, e, t, d = turn[..., :1], turn[..., 1:], quaternion[..., :1], quaternion[..., 1:]
    scalar = s * t - np.sum(e * d, axis=-1, keepdims=True)
    return unit(np.concatenate([scalar, s * d + t * e + cross(e, d)], axis=-1))


def rotation_matrix(quaternion) -> np.ndarray:
    """R_WB of unit quaternions (…, 4), as (…, 3, 3).

    >>> rotation_matrix((0.0, 0.0, 0.0, 1.0)).tolist()
    [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    p = np.asarray(quaternion, dtype=float)
    skew = np.zeros((*p.shape[:-1], 3, 3))
    skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0] = p[..., 1], p[..., 2], p[..., 3]
    skew[..., 1, 2], skew[..., 2, 0], skew[..., 0, 1] = -p[..., 1], -p[..., 2], -p[..., 3]
    return np.eye(3) + 2.0 * p[..., :1, None] * skew + 2.0 * skew @ skew


def quaternion_of(rotation: np.ndarray) -> np.ndarray:
    """Quaternions (scalar first) of rotation matrices (…, 3, 3), by the largest of their four components (Shepperd)."""
    R = np.asarray(rotation, dtype=float)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    a, b, c = R[..., 2, 1], R[..., 0, 2], R[..., 1, 0]
    d, e, f = R[..., 1, 2], R[..., 2, 0], R[..., 0, 1]
    # 4 p pᵀ, row by row
    outer = np.stack(
        [
            np.stack([1.0 + xx + yy + zz, a - d, b - e, c - f], axis=-1),
            np.stack([a - d, 1.0 + xx - yy - zz, c + f, b + e], axis=-1),
            np.stack([b - e, c + f, 1.0 - xx + yy - zz, a + d], axis=-1),
            np.stack([c - f, b + e, a + d, 1.0 - xx - yy + zz], axis=-1),
        ],
        axis=-2,
    )
    largest = np.argmax(np.diagonal(outer, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(outer, largest[..., None, None], axis=-2)[..., 0, :]
    return row / np.linalg.norm(row, axis=-1, keepdims=True)


def continuous(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations over time (first axis) without jumps of sign."""
    flips = np.sum(quaternions[1:] * quaternions[:-1], axis=-1) < 0.0
    sign = np.where(np.cumsum(flips, axis=0) % 2, -1.0, 1.0)
    out = quaternions.copy()
    out[1:] *= sign[..., None]
    return out
