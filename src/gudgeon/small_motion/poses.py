"""Poses of all bodies in a state vector, displaced by twists: translation and world rotation vector of every body.

r = r₀ + x,   R = exp(θ̃) R₀        (x, θ) the body's part of the twist
"""

from __future__ import annotations

import numpy as np


def move(y: np.ndarray, twist: np.ndarray) -> None:
    """Displace all bodies of the state y, in place."""
    n = len(twist) // 6
    poses, steps = y[: 7 * n].reshape(n, 7), twist.reshape(n, 6)
    poses[:, :3] += steps[:, :3]
    angle = np.linalg.norm(steps[:, 3:], axis=1, keepdims=True)
    scalar, vector = np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * steps[:, 3:]
    poses[:, 3:] = _product(np.hstack([scalar, vector]), poses[:, 3:])
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)


def carried(vectors: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Vectors (n, 3) turned by rotation vectors (n, 3)."""
    angle = np.linalg.norm(turns, axis=1, keepdims=True)
    once = cross(turns, vectors)
    twice = cross(turns, once)
    return vectors + np.sinc(angle / np.pi) * once + 0.5 * np.sinc(0.5 * angle / np.pi) ** 2 * twice


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b, row by row; several times as fast as numpy's."""
    x, y, z, u, v, w = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    out = np.empty(a.shape, dtype=np.result_type(a, b))
    out[..., 0], out[..., 1], out[..., 2] = y * w - z * v, z * u - x * w, x * v - y * u
    return out


def skew(s: np.ndarray) -> np.ndarray:
    """s̃ of vectors, s̃ x = s × x."""
    out = np.zeros((*s.shape, 3), dtype=s.dtype)
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -s[..., 2], s[..., 1], -s[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = s[..., 2], -s[..., 1], s[..., 0]
    return out


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternion products, row by row."""
    (s, x, y, z), (t, u, v, w) = a.T, b.T
    out = np.empty(a.shape)
    out[:, 0] = s * t - (x * u + y * v + z * w)
    out[:, 1] = s * u + t * x + (y * w - z * v)
    out[:, 2] = s * v + t * y + (z * u - x * w)
    out[:, 3] = s * w + t * z + (x * v - y * u)
    return out
