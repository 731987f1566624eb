"""CVODE alone on the compiled equations of the spatial four-bar with a real joint: its own rootfinding, no more.

`gd.Sundials` looks into every step for contacts, their peaks and crossings, which takes several calls from Python. Here
CVODE runs from sample to sample, finds contacts that begin or end itself, and starts anew there: the least that a user
who wants the motion alone has to do.
"""

import time
import warnings

import numba
import numpy as np

from gudgeon.kernels.dynamics.arrays import CLEARANCE
from gudgeon.kernels.dynamics.engine import look_at, start_modes, switch_modes
from gudgeon.kernels.dynamics.motion import right_hand_side
from gudgeon.kernels.integrators.run import GAP
from gudgeon.solvers.base import Task
from gudgeon.solvers.entry_point import entry_point
from gudgeon.solvers.run import take_off, with_room_for_contacts

NAME = "CVODE (BDF)"
CLOSED = 1e-15  # the rounding of the last event [m]
MOST_STEPS = 1_000_000  # between two samples


@numba.njit(_nrt=False)
def begin(m, w, f, t):
    start_modes(m, w, f, t)


@numba.njit(_nrt=False)
def gaps_at(m, w, f, y, out):
    look_at(m, w, f, y, 0)
    for k in range(out.shape[0]):
        out[k] = f.looks[0, k, GAP]


@numba.njit(_nrt=False)
def change(m, w, f, t, which):
    return switch_modes(m, w, f, t, which)


def run(task: Task, rtol: float, atol: float) -> tuple[np.ndarray, float]:
    """States at the samples of a task, and CPU seconds of the time loop."""
    from sksundae.cvode import CVODE

    model, work = task.equations.model, task.equations.work
    state, rate = task.start.copy(), np.zeros_like(task.start)
    right_hand_side(model, work, 0.0, state, rate)
    evaluate = entry_point(right_hand_side)
    flight = take_off(task, rtol=0.0, atol=0.0, max_step=0.0, first_step=None, dense_terms=1, keeps_forces=False)
    gaps = np.zeros(len(task.equations.compliant.names))
    begin(model, work, flight, 0.0)
    gaps_at(model, work, flight, state, gaps)
    measure = gaps_at.overloads[gaps_at.signatures[0]].entry_point

    def rhs(t, y, y_rate):
        state[:] = y
        evaluate(model, work, t, state, rate)
        y_rate[:] = rate

    def events(t, y, out):
        state[:] = y
        measure(model, work, flight, state, gaps)
        out[:] = np.where(np.abs(gaps) > CLOSED, gaps, -CLOSED)

    watched = np.isfinite(model.compliant_vector[:, CLEARANCE]).any()
    watch = {"eventsfn": events, "num_events": len(gaps)} if watched else {}
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solver = CVODE(rhs, method="BDF", rtol=rtol, atol=atol, max_num_steps=MOST_STEPS, **watch)
        now, y = 0.0, task.start.copy()
        solver.init_step(now, y)
        states = np.empty((len(task.times), len(y)))
        for k, goal in enumerate(task.times):
            while now < goal:
                answer = solver.step(goal)
                if not answer.success:
                    raise RuntimeError(f"CVODE: {answer.message}")
                now, y = float(np.atleast_1d(answer.t)[-1]), np.atleast_2d(answer.y)[-1].copy()
                if now < goal:
                    flight = with_room_for_contacts(flight)
                    flight.y[:] = y
                    measure(model, work, flight, y, gaps)
                    change(model, work, flight, now, int(np.argmax(gaps)))
                    y = flight.y.copy()
                    solver.init_step(now, y)
            states[k] = y
    return states, time.process_time() - began
