"""States of controllers at the stages of a Radau IIA step: Newton's method at a given motion.

The sweeps (collocation.py) iterate on the motion, slowly: rates f at the stage states X give x_n + h A f. States with
short time constants (a motor's current, a pressure) would not settle so. With S = ∂f/∂x at the middle stage,

    (1 − h A ⊗ S) ΔX = x_n + h A f − X,     X + ΔX = x_n + h A (f + S ΔX)

is one step of Newton's method on all stages at once, taken in every sweep. The error of the step is filtered likewise.
"""

from __future__ import annotations

from math import sqrt

from gudgeon.kernels.build.compiled import called, inlined
from gudgeon.kernels.build.records import Record, integers, numbers
from gudgeon.kernels.dynamics.controls import control_slopes, solve_implicitly
from gudgeon.kernels.dynamics.dense_lu import factorise_dense, solve_dense
from gudgeon.kernels.dynamics.state_places import first_control
from gudgeon.kernels.integrators.run import ATOL, CONTROL_SIZE, RTOL, control_tolerance


class ControlStages(Record):
    """What the states of controllers need, c of them, at s stages."""

    slope = numbers(2)  # (c, c) S
    matrix = numbers(2)  # (s c, s c)
    pivot = integers(1)  # (s c)
    x = numbers(1)  # (s c)
    before = numbers(2)  # (s, c) X before the sweep
    size = numbers(1)  # (c)
    error = numbers(1)  # (c) of the step


@called
def linearise_controls(m, w, f, r, t, h):
    """S and the factors of 1 − h A ⊗ S, at the middle stage, whose motion is held in `w`."""
    stages, p = r.A.shape[0], r.controls
    count = p.slope.shape[0]
    for k in range(count):
        p.size[k] = f.control[k, CONTROL_SIZE]
    control_slopes(m, w, t, r.y[stages // 2], p.size, p.slope)
    for i in range(stages):
        for j in range(stages):
            for a in range(count):
                for b in range(count):
                    unit = 1.0 if i == j and a == b else 0.0
                    p.matrix[i * count + a, j * count + b] = unit - h * r.A[i, j] * p.slope[a, b]
    factorise_dense(p.matrix, p.pivot, stages * count)


@inlined
def keep_controls(m, r):
    """The stage states before they are collocated."""
    first = first_control(m)
    for i in range(r.A.shape[0]):
        for k in range(r.controls.slope.shape[0]):
            r.controls.before[i, k] = r.y[i, first + k]


@called
def settle_controls(m, r):
    """Newton's step from the kept states towards the collocated ones; rates follow."""
    stages, p, first = r.A.shape[0], r.controls, first_control(m)
    count = p.slope.shape[0]
    for i in range(stages):
        for k in range(count):
            p.x[i * count + k] = r.y[i, first + k] - p.before[i, k]
    solve_dense(p.matrix, p.pivot, stages * count, p.x)
    for i in range(stages):
        for k in range(count):
            r.y[i, first + k] = p.before[i, k] + p.x[i * count + k]
            for b in range(count):
                r.rate[i + 1, first + k] += p.slope[k, b] * p.x[i * count + b]


@inlined
def moved_controls(m, f, r):
    """Sum of the squares of what the last sweep has changed at the last and the middle stage, against the tolerance."""
    stages, p, first, total = r.A.shape[0], r.controls, first_control(m), 0.0
    count = p.slope.shape[0]
    for k in range(count):
        x = r.y[stages - 1, first + k]
        tolerance = control_tolerance(f, k, f.clock[RTOL], f.clock[ATOL], f.y[first + k], x)
        for i in (stages - 1, stages // 2):
            total += (p.x[i * count + k] / tolerance) ** 2
    return total


@called
def raw_control_error(m, r, h):
    """Estimated error of the states of controllers, not filtered, into `r.controls.error`."""
    first = first_control(m)
    for k in range(r.controls.error.shape[0]):
        r.controls.error[k] = 0.0
        for j in range(r.A.shape[0] + 1):
            r.controls.error[k] += h * r.E[j] * r.rate[j, first + k]


@called
def filter_controls(r, h):
    """The error filtered at a given motion, into `r.controls.x`."""
    p = r.controls
    for k in range(p.slope.shape[0]):
        p.x[k] = p.error[k]
    solve_implicitly(p.slope, h * r.E[0], p.matrix, p.pivot, p.x)


@inlined
def control_error(m, f, r):
    """The filtered error of the states of controllers in `r.controls.x` against the tolerance."""
    stages, p, first, total = r.A.shape[0], r.controls, first_control(m), 0.0
    count = p.slope.shape[0]
    for k in range(count):
        x = r.y[stages - 1, first + k]
        total += (p.x[k] / control_tolerance(f, k, f.clock[RTOL], f.clock[ATOL], f.y[first + k], x)) ** 2
    return sqrt(total / count)
