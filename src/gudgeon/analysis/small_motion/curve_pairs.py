"""Derivatives of what a point, or a flat face, of one body is from a curve of another (kinematics/curve_measures.py).

As in pairs.py, of bodies displaced by an imaginary twist. What is nearest moves along the curve by δu = c′·δp/G, so
that the curve is expanded there: c′ + c″ δu, c″ + c‴ δu; of a profile h′ + h″ δφ, h″ + h‴ δφ.
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.dynamics import arrays
from gudgeon.rotations import cross


class Expanded:
    """Curves and profiles at the state held in `body`, a line for each measure."""

    def __init__(self, model: arrays.Model, body: np.ndarray, table: np.ndarray, vectors: np.ndarray):
        from gudgeon.kernels.outputs.expanded_curves import expand_curves

        work = arrays.Work(body=body, stack=np.zeros(40))
        own = model.replaced(measure=np.ascontiguousarray(table), measure_vector=np.ascontiguousarray(vectors))
        found = np.zeros((len(table), 18))
        expand_curves(own, work, found)
        self.away, self.slope, self.bend, self.third, self.normal, self.support = found.reshape(-1, 6, 3).transpose(
            1, 0, 2
        )


def point_and_curve(at, vector: np.ndarray, table: np.ndarray, curves: Expanded) -> tuple[np.ndarray, np.ndarray]:
    """J and γ of ACROSS and ALONG, complex (12, K, 1, 12) and (12, K, 1)."""
    frame = [at.vector(0, vector[:, c : c + 3]) for c in (arrays.ARM_ZERO, arrays.ARM_QUARTER, arrays.AXIS)]
    s_i = at.vector(0, vector[:, arrays.MEASURE_IN_PARENT : arrays.MEASURE_IN_PARENT + 3])
    s_j = at.vector(1, vector[:, arrays.MEASURE_IN_CHILD : arrays.MEASURE_IN_CHILD + 3])
    d = at.apart + s_j - s_i
    rate = at.v + _cross(at.w_j, s_j) - _cross(at.w_i, s_i)
    seen = rate - _cross(at.w_i, d)
    swing = _cross(at.w_j, _cross(at.w_j, s_j)) - _cross(at.w_i, _cross(at.w_i, s_i))
    change = swing - 2.0 * _cross(at.w_i, rate) + _cross(at.w_i, _cross(at.w_i, d))
    flat = (curves.support[:, 2] > 0.0)[:, None]

    def inside(a: np.ndarray, keep_z: bool = False) -> np.ndarray:
        parts = np.stack([_dot(axis, a) for axis in frame], axis=2)
        return parts if keep_z else np.where(flat, parts * np.array([1.0, 1.0, 0.0]), parts)

    p, v, b = inside(d), inside(seen), inside(change, keep_z=True)
    moved = p - np.real(p[:1])  # of the point, imaginary: the real part is where it is
    G = _dot(curves.slope, curves.slope) - _dot(curves.bend, curves.away)
    du = _dot(curves.slope, moved) / G
    slope, bend = curves.slope + curves.bend * du[:, :, None], curves.bend + curves.third * du[:, :, None]
    away = curves.away + moved - curves.slope * du[:, :, None]
    speed = np.sqrt(_dot(slope, slope))
    t = slope / speed[:, :, None]
    K = (bend - t * _dot(t, bend)[:, :, None]) / (speed**2)[:, :, None]
    # the normal turns with the tangent, without twist
    n0, t0, K0 = curves.normal, np.real(t[:1]), np.real(K[:1])
    n = n0 - t0 * (_dot(K0, n0) * np.real(speed[:1]) * du)[:, :, None]
    going = _dot(t, v)
    across = _dot(n, b) - going / (1.0 - _dot(K, away)) * _dot(K, n) * going
    G = speed**2 - _dot(bend, away)
    turn = _dot(slope, v) / G
    more = 2.0 * turn * _dot(bend, v) + turn**2 * (
        _dot(np.broadcast_to(curves.third, away.shape), away) - 3.0 * _dot(slope, bend)
    )
    along = speed * (_dot(slope, b) + more) / G + _dot(slope, bend) / speed * turn**2
    is_way = (table[:, arrays.KIND] == arrays.ALONG)[:, None]
    direction = np.where(is_way, (speed / G)[:, :, None] * slope, n)
    a = direction[:, :, :1] * frame[0] + direction[:, :, 1:2] * frame[1] + direction[:, :, 2:] * frame[2]
    jacobian = np.concatenate([-a, cross(a, d + s_i), a, cross(s_j, a)], axis=2)
    return jacobian[:, :, None, :], -np.where(is_way[:, 0], along, across)[:, :, None]


def face_and_cam(at, vector: np.ndarray, _: np.ndarray, curves: Expanded) -> tuple[np.ndarray, np.ndarray]:
    """J and γ of FLAT."""
    x, y = (at.vector(0, vector[:, c : c + 3]) for c in (arrays.ARM_ZERO, arrays.ARM_QUARTER))
    s_i = at.vector(0, vector[:, arrays.MEASURE_IN_PARENT : arrays.MEASURE_IN_PARENT + 3])
    s_j = at.vector(1, vector[:, arrays.MEASURE_IN_CHILD : arrays.MEASURE_IN_CHILD + 3])
    N = at.vector(1, vector[:, arrays.FACE_NORMAL : arrays.FACE_NORMAL + 3])
    d = at.apart + s_j - s_i
    rate = at.v + _cross(at.w_j, s_j) - _cross(at.w_i, s_i)
    swing = _cross(at.w_j, _cross(at.w_j, s_j)) - _cross(at.w_i, _cross(at.w_i, s_i))
    spinning = at.w_j - at.w_i
    p, q = _dot(N, y), _dot(N, x)
    square = (p * p + q * q)[:, :, None]
    n = (q[:, :, None] * y - p[:, :, None] * x) / square
    about, moving = cross(N, n), _cross(spinning, N)
    spin = _dot(about, np.broadcast_to(spinning, about.shape))
    spin_bias = _dot(n, _cross(spinning, moving)) - _dot(about, np.broadcast_to(cross(at.w_i, spinning), about.shape))
    spin_bias -= 2.0 * spin * (q * _dot(moving, x) + p * _dot(moving, y)) / square[:, :, 0]
    angle = np.arctan2(np.real(p), np.real(q)) + 1j * (np.imag(p) * np.real(q) - np.imag(q) * np.real(p)) / np.real(
        square[:, :, 0]
    )
    turned = angle - np.real(angle)
    slope = curves.support[:, 0] + curves.support[:, 1] * turned
    bend = curves.support[:, 1] + curves.support[:, 2] * turned
    swept, lever = _cross(at.w_j, N), cross(N, d)
    bias = _dot(N, swing) + 2.0 * _dot(swept, rate) + _dot(_cross(at.w_j, swept), d)
    bias = bias - slope * spin_bias - bend * spin**2
    parent = cross(N, s_i) + slope[:, :, None] * about
    child = cross(s_j, N) + lever - slope[:, :, None] * about
    return np.concatenate([-N, parent, N, child], axis=2)[:, :, None, :], -bias[:, :, None]


def _cross(w: np.ndarray, s: np.ndarray) -> np.ndarray:
    return cross(np.broadcast_to(w, s.shape), s)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.sum(a * b, axis=-1)
