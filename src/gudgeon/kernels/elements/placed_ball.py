"""The pose of a ball in the socket's axes as its joint point and its z axis, and bounds on the depth of pins and faces.

Between two looks the joint point goes straight from d to d + Δd and the axis from h to h + Δh, both but for what the
bounds on their second derivatives allow. A depth that is convex in point and axis is below its chord; one that is
bilinear in the two leaves the chord by no more than s (1 − s) |Δd| |Δh|, and by s (1 − s) l |Δh|² at a lever l.
"""

from __future__ import annotations

from math import sqrt

from numba import float64, int64, void

from gudgeon.kernels.build.compiled import addressed, inlined
from gudgeon.kernels.build.records import VECTOR
from gudgeon.kernels.dynamics.arrays import ECCENTRICITY, MODEL, SWING, WORK
from gudgeon.kernels.elements.bushing import ball_axis, in_joint_axes, vector
from gudgeon.kernels.elements.hidden_depth import below_chord, bend_of, gap_at, placed
from gudgeon.kernels.integrators.run import POSE
from gudgeon.kernels.kinematics.vectors import dot, plus_times

SECOND_ORDER = 2.0  # bound on what tilts add, of the terms above


@addressed(void(MODEL, WORK, int64, VECTOR))
def pose_of_ball(m, w, k, look):
    """Joint point and z axis of the ball in the motion of line k of `local`, into a look."""
    x = w.local[k]
    place, axis = in_joint_axes(x, vector(x, ECCENTRICITY)), ball_axis(x, 2)
    for c in range(3):
        look[POSE + c], look[POSE + 3 + c] = place[c], axis[c]


@inlined
def between(first, second):
    """|Δd| and |Δh|."""
    way = plus_times(placed(second, 0), -1.0, placed(first, 0))
    turn = plus_times(placed(second, 3), -1.0, placed(first, 3))
    return sqrt(dot(way, way)), sqrt(dot(turn, turn))


@inlined
def bend_at(first, second, lever, share):
    """B of points at a lever on the ball whose depth is bilinear in point and axis."""
    moved, turn = between(first, second)
    return bend_of(first, lever, share) + SECOND_ORDER * turn * (moved + lever * turn)


@inlined
def lever_of_pin(m, k, first, second):
    """How far from the ball's joint point a pin can touch in its bore, which it slides along."""
    return m.compliant_vector[k, SWING] + max(abs(first[POSE + 2]), abs(second[POSE + 2]))


@addressed(float64(MODEL, WORK, int64, VECTOR, VECTOR, float64))
def hidden_beside_pin(m, w, k, first, second, share):
    """A bound on the depth of a pin in its bore between two looks that are a share of the step apart."""
    bend = bend_at(first, second, lever_of_pin(m, k, first, second), share)
    return below_chord(gap_at(first), gap_at(second), bend)


@addressed(float64(MODEL, WORK, int64, VECTOR, VECTOR, float64))
def hidden_by_face(m, w, k, first, second, share):
    """The same of a rectangle on the ball before a plane of the socket."""
    bend = bend_at(first, second, m.compliant_vector[k, SWING], share)
    return below_chord(gap_at(first), gap_at(second), bend)
