"""Many loads between the same two bodies: what all of them do is one force and one torque.

A platform on a dozen springs has six unknowns, not thirty-six. The force and the torque act on the first body that
moves, at its centre of mass; the opposite ones, at the same place, on the other body.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import called
from gudgeon.kernels.dynamics.arrays import (
    BUNDLE,
    EFFORT_AT,
    EFFORT_LOAD,
    FIRST,
    FORCE,
    IN_FIRST,
    KIND,
    LOAD_EFFORT,
    SPRING,
    TORQUE,
)
from gudgeon.kernels.dynamics.loads import efforts_of_load, ends_of_bundle
from gudgeon.kernels.kinematics.rotation import cross, rotated


@called
def wrench_of_bundle(m, w, e, t, y, out):
    """Force and torque of the loads of line e of the efforts, into its six places."""
    at = m.effort[e, EFFORT_AT]
    i, _ = ends_of_bundle(m, m.effort[e, EFFORT_LOAD])
    for c in range(BUNDLE):
        out[at + c] = 0.0
    for k in range(m.load.shape[0]):
        if m.load[k, LOAD_EFFORT] != e:
            continue
        x, y_, z = efforts_of_load(m, w, k, t, y)
        kind, side = m.load[k, KIND], 0
        sx = sy = sz = 0.0
        if kind == SPRING:
            if m.load[k, FIRST] != i:  # it pulls at its second end with the opposite
                x, y_, z, side = -x, -y_, -z, 3
            sx, sy, sz = w.gradient[side], w.gradient[side + 1], w.gradient[side + 2]
        elif kind == FORCE:
            sx, sy, sz = rotated(w.body, i, m.load_vector, k, IN_FIRST)
        if kind != TORQUE:
            out[at] += x
            out[at + 1] += y_
            out[at + 2] += z
            x, y_, z = cross(sx, sy, sz, x, y_, z)
        out[at + 3] += x
        out[at + 4] += y_
        out[at + 5] += z
