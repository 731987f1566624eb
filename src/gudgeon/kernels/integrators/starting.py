"""What every run begins with: the samples at its start, and the sides from which crossings will be seen."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import CROSSING_SWITCH
from gudgeon.kernels.dynamics.engine import crossing_gaps
from gudgeon.kernels.integrators.run import SAMPLED, TIME, copy
from gudgeon.kernels.integrators.sampling import sample_is_due

ON_VALUE = 1e-10  # a start this near to the value of a crossing is on it [m or rad]


@inlined
def write_first_samples(f, t):
    """Samples at the start."""
    while sample_is_due(f, t):
        copy(f.y, f.samples[f.count[SAMPLED]])
        f.count[SAMPLED] += 1


@inlined
def start_crossings(m, w, f):
    """The gaps of crossings at the start. A run that goes on from where another one stopped crosses nothing there."""
    gaps = f.gaps[0]
    if gaps.shape[0] > 0:
        crossing_gaps(m, w, f.clock[TIME], f.y, gaps)
        for k in range(gaps.shape[0]):
            if abs(gaps[k]) < ON_VALUE and m.crossing[k, CROSSING_SWITCH] < 0:
                gaps[k] = 0.0
