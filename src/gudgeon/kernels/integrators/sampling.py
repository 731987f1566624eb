"""Samples of a run, interpolated within the steps; sampling never limits the step."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import RATE, RESIDUAL
from gudgeon.kernels.dynamics.motion import project
from gudgeon.kernels.dynamics.rows import is_nearly_singular, largest
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.run import OPEN, PROJECTION, PROJECTION_TOLERANCE, SAMPLED

TORN = 1e-3  # a joint open by more than this has not drifted [m or rad]
TORN_RATE = 1e-2  # nor one that opens faster than this [m/s or rad/s]


@inlined
def sample_is_due(f, t):
    """Is there a sample up to the time t?"""
    return f.count[SAMPLED] < f.times.shape[0] and f.times[f.count[SAMPLED]] <= t


@inlined
def wants_projection(w, f):
    """Is the state to be projected after the step whose rows were last evaluated?

    What has opened by drift is closed; a joint torn open, by a drive that jumps, is not: that would hide the jump.
    """
    if f.count[PROJECTION] or is_nearly_singular(w):
        return True
    opened = largest(w.row, RESIDUAL)
    return opened > f.clock[OPEN] and opened < TORN and largest(w.row, RATE) < TORN_RATE


@inlined
def write_samples(m, w, f, t, h, until):
    """Interpolate all samples up to the fraction `until` of the last step, and project them if steps are projected."""
    while f.count[SAMPLED] < f.times.shape[0]:
        x = (f.times[f.count[SAMPLED]] - t) / h
        if x > until:
            return
        sample = f.samples[f.count[SAMPLED]]
        evaluate_dense(f.y, f.dense, x, sample)
        if f.count[PROJECTION]:
            project(m, w, t + x * h, sample, f.clock[PROJECTION_TOLERANCE])
        f.count[SAMPLED] += 1
