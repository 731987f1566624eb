"""The signed distance of a coordinate from the value it is watched for."""

from __future__ import annotations

from math import pi

from gudgeon.kernels.arrays import (
    ANGLE,
    CROSSING_ALONG,
    CROSSING_BODY,
    CROSSING_DIRECTION,
    CROSSING_MEASURE,
    CROSSING_POINT,
    CROSSING_VALUE,
    KIND,
    POSITION,
)
from gudgeon.kernels.compiled import compiled, inlined
from gudgeon.kernels.measures import measure, wrapped
from gudgeon.kernels.rotation import kinematics, rotated


@compiled
def crossing_gaps(m, w, y, gaps):
    """Coordinate − value for every crossing at the state y."""
    kinematics(m, w, y)
    for k in range(gaps.shape[0]):
        c = m.crossing[k, CROSSING_MEASURE]
        if c >= 0:
            gap = measure(m, w, c)[0] - m.crossing_vector[k, CROSSING_VALUE]
            gaps[k] = wrapped(gap) if m.measure[c, KIND] == ANGLE else gap
        else:
            b = m.crossing[k, CROSSING_BODY]
            s = rotated(w.body, b, m.crossing_vector, k, CROSSING_POINT)
            x = -m.crossing_vector[k, CROSSING_VALUE]
            for e in range(3):
                x += m.crossing_vector[k, CROSSING_ALONG + e] * (w.body[b, POSITION + e] + s[e])
            gaps[k] = x


@inlined
def is_crossing(m, k, before, after):
    """Does crossing k happen between two gaps? The jump of an angle by a full turn is none."""
    c, direction = m.crossing[k, CROSSING_MEASURE], m.crossing[k, CROSSING_DIRECTION]
    if c >= 0 and m.measure[c, KIND] == ANGLE and (abs(before) > 0.5 * pi or abs(after) > 0.5 * pi):
        return False
    return (direction >= 0 and before < 0.0 <= after) or (direction <= 0 and before > 0.0 >= after)
