"""The implicit solver, whole: force-reduced Radau IIA with s stages, adaptive, L-stable in the compliant joints.

Stages in collocation.py, the forces of the joints in forces.py, the error estimate in radau_error.py, dense output in
radau_dense.py, contact events in contact/events.py. All that a run remembers lives in the arrays of Flight and
Collocation.
"""

from __future__ import annotations

from math import isfinite, sqrt

from numba import int64

from gudgeon.kernels.build.compiled import called, entrance
from gudgeon.kernels.contact.clear_way import bound_motion
from gudgeon.kernels.contact.contact_speeds import fastest_within, write_speeds
from gudgeon.kernels.contact.events import HIT
from gudgeon.kernels.contact.gaps import any_watched
from gudgeon.kernels.dynamics.arrays import MODEL, POSITIONS, WORK
from gudgeon.kernels.dynamics.engine import accelerations, look_at, reached, record_crossings, start_modes, track_peaks
from gudgeon.kernels.dynamics.motion import project
from gudgeon.kernels.elements.rubbing_arrays import BALANCED, JAM
from gudgeon.kernels.integrators.collocation import COLLOCATION, FRESH, SWEEPS, SWEPT, THETA, begin_anew, take_step
from gudgeon.kernels.integrators.dense import evaluate_dense
from gudgeon.kernels.integrators.load_stages import FAILED
from gudgeon.kernels.integrators.loop import (
    AGAIN,
    GO,
    accept,
    begin_instants,
    change_contact,
    change_now,
    contact_in_step,
    end_of_step,
    is_tiny,
    keep_look,
    keeps_its_length,
    last_sample,
    next_step,
    reject,
    switch_in_step,
)
from gudgeon.kernels.integrators.radau_dense import add_work, force_at, prepare_dense, write_forces
from gudgeon.kernels.integrators.radau_error import estimate_error, interpolation_error
from gudgeon.kernels.integrators.run import (
    AIM,
    CONTACT_LOOKS,
    CUT,
    FLIGHT_RECORD,
    GREW,
    JUST_REJECTED,
    LARGEST_STEP,
    LAST_ERROR,
    LAST_STEP,
    LONGEST_FIRST_STEP,
    LOOKED,
    MORE,
    NOT_A_NUMBER,
    PROJECTION_TOLERANCE,
    PROJECTIONS,
    SAMPLED,
    STARTED,
    STEP,
    STEPS,
    STOPPED,
    TIME,
    UNDERFLOW,
    copy,
)
from gudgeon.kernels.integrators.sampling import sample_is_due, wants_projection, write_samples
from gudgeon.kernels.integrators.starting import start_crossings, write_first_samples
from gudgeon.kernels.kinematics.poses import normalise, pose_rates

SAFETY = 0.9  # of the step size
BETWEEN_STAGES = 2.0  # bound on accelerations during a step, of the largest at its start and stages


@called
def start(m, w, f, r):
    """Modes, rates, the first step size and the samples at the start."""
    t = f.clock[TIME]
    start_modes(m, w, f, t)
    begin_instants(m, w, f)
    begin_anew(m, w, f, r, t)
    if w.rubbing.jam[JAM] != BALANCED:
        return NOT_A_NUMBER
    fastest = 0.0
    for i in range(f.y.shape[0]):
        if not isfinite(r.rate[0, i]):
            return NOT_A_NUMBER
        fastest = max(fastest, abs(r.rate[0, i]))
    if f.clock[STEP] <= 0.0:
        f.clock[STEP] = min(f.clock[LARGEST_STEP], LONGEST_FIRST_STEP, 1e-4 / max(sqrt(fastest), 1e-3))
    start_crossings(m, w, f)
    before = f.count[SAMPLED]
    write_first_samples(f, t)
    for s in range(before, f.count[SAMPLED]):
        copy(r.F[0, : f.force_samples.shape[1]], f.force_samples[s])
    f.count[STARTED] = 1
    return MORE


@called
def jams(m, w, t, y):
    """Has friction in ideal joints no balance with their reactions at the state y, or several?"""
    accelerations(m, w, t, y)
    return w.rubbing.jam[JAM] != BALANCED


@called
def bound_rates(m, f, r):
    """Bounds on the rates of velocities during the step, from its start and stages, into `hardest`.

    The polynomial through these of three stages exceeds its values there by a factor of 1.9 at most.
    """
    for i in range(m.layout[POSITIONS], f.y.shape[0]):
        most = 0.0
        for j in range(r.rate.shape[0]):
            most = max(most, abs(r.rate[j, i]))
        f.hardest[i] = BETWEEN_STAGES * most


@entrance(int64(MODEL, WORK, FLIGHT_RECORD, COLLOCATION, int64))
def advance(m, w, f, r, step_budget):
    """Go on for at most `step_budget` steps; says how it ended."""
    clock, count = f.clock, f.count
    if count[STARTED] == 0:
        status = start(m, w, f, r)
        if status != MORE:
            return status
    crossings, joints, touching = f.gaps.shape[1], m.compliant.shape[0], any_watched(m)
    switches = m.switch.shape[0] > 0 and crossings > 0
    stages = r.A.shape[0]
    power = -1.0 / (stages + 1)
    spent = 0
    while True:
        status, h, last = next_step(m, w, f, spent, step_budget)
        if status != GO:
            return status
        t, aims = clock[TIME], clock[AIM] > 0.0
        spent += 1
        if count[CUT] == 1 and is_tiny(f, h):
            change_now(m, w, f)
            count[LOOKED] = 0
            begin_anew(m, w, f, r, t)
            continue
        found = take_step(m, w, f, r, t, h)
        if found != 1:
            reject(f, h * (0.5 if found == 0 else 0.1))
            clock[AIM] = 0.0
            r.memory[THETA], r.memory[SWEPT] = 0.3, SWEEPS
            r.loads.wrenches[FAILED] = 1.0
            if is_tiny(f, clock[STEP]):
                return UNDERFLOW if found == 0 else NOT_A_NUMBER
            continue
        if joints > 0:
            add_work(m, w, f, r, h)
        error = estimate_error(m, w, f, r, t, h)
        if not isfinite(error):
            error = 1e10
        swept = SAFETY * (2.0 * SWEEPS + 1.0) / (2.0 * SWEEPS + r.memory[SWEPT])
        factor = 8.0 if error == 0.0 else min(8.0, max(0.2, swept * error**power))
        if error > 1.0 and not aims:
            reject(f, h * min(0.9, factor))
            continue
        copy(r.y[stages - 1], f.y_new)
        if touching and not aims:
            prepare_dense(m, f, r, h)
            if count[LOOKED] == 0:
                look_at(m, w, f, f.y, 0)
                count[LOOKED] = 1
            look_at(m, w, f, f.y_new, CONTACT_LOOKS)
            bound_rates(m, f, r)
            bound_motion(m, w, f, h)
            status = contact_in_step(m, w, f, h)
            if status == AGAIN:
                continue
            if status != GO:
                return status
            if interpolation_error(m, w, f, r) > 1.0:
                reject(f, 0.5 * h)
                continue
            slower = fastest_within(m, w, f)
            if slower < 1.0:
                reject(f, slower * h)
                continue
        if aims and reached(m, w, f, h) != HIT:
            continue
        dense = touching and not aims
        if switches:
            if not dense:
                prepare_dense(m, f, r, h)
                dense = True
            if switch_in_step(m, w, f, t, h):
                continue
        if not aims:
            if clock[LAST_ERROR] > 0.0 and error > 0.0:  # as the error has grown or shrunk since the last step
                trend = h / clock[LAST_STEP] * (error / clock[LAST_ERROR]) ** power
                factor = min(factor, max(0.2, swept * error**power * trend))
            clock[LAST_ERROR] = max(error, 1e-2)
        if count[JUST_REJECTED]:
            factor = min(1.0, factor)
            count[JUST_REJECTED] = 0
        count[STEPS] += 1
        t_new = end_of_step(f, t, h, last)
        projects = wants_projection(w, f)  # of the rows last evaluated, all but at the new state
        stop = 2.0
        due = sample_is_due(f, last_sample(f, t_new))
        if due or crossings > 0 or touching:
            if not dense:
                prepare_dense(m, f, r, h)
            if touching:
                track_peaks(m, w, f, aims)
            if crossings > 0:
                stop = record_crossings(m, w, f, t, h)
            if due:
                until = min(stop, 1.0) * (1.0 + 1e-9)
                before = count[SAMPLED]
                write_samples(m, w, f, t, h, until)
                write_forces(m, w, f, r, t, h, before)
        if stop <= 1.0:
            evaluate_dense(f.y, f.dense, stop, f.y_new)
            force_at(m, w, r, h, stop, f.y_new, f.end_force)
            copy(f.y_new, f.y)
            clock[TIME] = t + stop * h
            return STOPPED
        if not keeps_its_length(f, last, factor):
            clock[STEP] = h if 1.0 <= factor <= 1.1 else h * factor
        accept(m, w, f, t_new)
        if m.rubbing.shape[0] > 0 and jams(m, w, t_new, f.y):
            return NOT_A_NUMBER
        normalise(m, f.y)
        clock[LAST_STEP] = h
        if projects:
            project(m, w, t_new, f.y, clock[PROJECTION_TOLERANCE])
            count[PROJECTIONS] += 1
        if count[GREW]:
            write_speeds(m, w, f, t_new)
        if aims:
            status = change_contact(m, w, f)
            if status != GO:
                return status
        changed = count[CUT] == 1 and change_now(m, w, f)
        if aims or changed or count[GREW]:
            begin_anew(m, w, f, r, t_new)
        else:
            for j in range(stages + 1):
                copy(r.rate[j], r.last_rate[j])
                copy(r.F[j], r.last_F[j])
            for k in range(joints):
                copy(r.last_motion[stages, k], r.last_motion[0, k])
                for j in range(stages):
                    copy(r.local[j, k], r.last_motion[j + 1, k])
            r.memory[FRESH] = 1.0
            copy(r.rate[stages], r.rate[0])
            copy(r.F[stages], r.F[0])
            pose_rates(m, f.y, r.rate[0])
        count[LOOKED] = 1 if touching and not aims and not projects and not changed else 0
        count[GREW] = 0
        if count[LOOKED]:
            keep_look(f)
