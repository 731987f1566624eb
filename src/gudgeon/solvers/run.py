"""How Python runs a compiled integrator: make its arrays, call it for a tenth of a second at a time, collect all."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gudgeon.solvers.base import Task, Trajectory
from gudgeon.solvers.entry_point import entry_point
from gudgeon.solvers.kept_run import restored
from gudgeon.solvers.memory import recall, remembered, samples_before
from gudgeon.solvers.stabilization import Projection

SHORT_RUN = 0.02  # whose first step every run takes: at most a thousandth of it [s]
FIRST_BUDGET = 200  # steps of the first call
SECONDS_PER_CALL = 0.1  # how long compiled code runs before Python may look at the clock and at Ctrl-C


def take_off(
    task: Task,
    *,
    rtol: float,
    atol: float,
    max_step: float,
    first_step: float | None,
    dense_terms: int,
    keeps_forces: bool,
) -> Any:
    """The Flight of a task."""
    from gudgeon.kernels.integrators import run as flight
    from gudgeon.solvers.open_joints import smallest_clearance

    model = task.equations.model
    n, watched = len(task.start), len(model.crossing)
    joints, unknowns = len(task.equations.compliant.names), task.equations.compliant.unknown_count
    sliders = task.equations.sliders
    unknowns += 0 if sliders is None else sliders.row_count
    contacts = joints + (0 if sliders is None else len(sliders.contact_names))
    clock = np.zeros(flight.CLOCK_SIZE)
    clock[flight.STEP] = first_step or 0.0
    clock[flight.TIME] = clock[flight.SEEN_TIME] = task.begin
    clock[flight.END] = task.end
    clock[flight.RTOL], clock[flight.ATOL] = rtol, atol
    clock[flight.LARGEST_STEP] = max_step
    clock[flight.PROJECTION_TOLERANCE] = task.projection_tolerance or Projection.tolerance
    clock[flight.OPEN] = clock[flight.INSTANT] = np.inf
    if task.automatic is not None:
        clock[flight.OPEN] = task.automatic.largest_residual(atol, smallest_clearance(task.equations)[1])
    count = np.zeros(flight.COUNT_SIZE, dtype=np.int64)
    count[flight.PROJECTION] = task.projection_tolerance is not None
    count[flight.ROOM] = 3 * contacts
    count[flight.TRIGGER] = -1
    times = task.times
    if task.memory is not None:
        times = np.concatenate([samples_before(task.memory, task.begin), times])
    samples, given = len(times), {}  # arrays of what the mechanism has; others are empty
    if len(model.control_rate):
        given["control"] = control = np.zeros((len(model.control_rate), flight.CONTROL_COLUMNS))
        control[:, flight.CONTROL_SCALE] = task.equations.controls.scales
    if unknowns:
        given["end_force"] = np.zeros(unknowns)
        if keeps_forces:
            given["force_samples"] = np.empty((samples, unknowns))
    if watched:
        given["gaps"] = np.zeros((flight.LOOKS + 2, watched))
        given["crossing_time"] = np.empty(64 * watched)
        given["crossing_which"] = np.empty(64 * watched, dtype=np.int64)
    if joints:
        given["looks"] = np.zeros((flight.CONTACT_LOOKS + 2, joints, 3))
    if contacts:
        given["contacts"] = np.empty((64 * contacts, flight.CONTACT_TABLE_COLUMNS))
    if len(model.switch):
        given["switchings"] = np.empty((64 * len(model.switch), flight.SWITCHING_COLUMNS))
    return flight.Flight(
        clock=clock,
        count=count,
        y=task.start.copy(),
        y_new=np.zeros(n),
        y_stage=np.zeros(n),
        dense=np.zeros((dense_terms, n)),
        times=times,
        samples=np.empty((samples, n)),
        **given,
    )


def fly(
    task: Task,
    flight: Any,
    advance: Callable[..., int],
    method: Any,
    name: str,
    resized: Callable[[Any], Any] | None = None,
) -> Trajectory:
    """Integrate to the end, or as far as it goes. `resized` gives the method's arrays for another step size."""
    from gudgeon.kernels.contact.contact_speeds import speeds_of_lasting_contacts
    from gudgeon.kernels.integrators import run as places
    from gudgeon.solvers.no_progress import Pace

    model, work = task.equations.model, task.equations.work
    advance = entry_point(advance)
    clock, count = flight.clock, flight.count
    ends = {
        places.DONE: "done",
        places.STOPPED: "stopped",
        places.UNDERFLOW: "step underflow",
        places.NOT_A_NUMBER: "not a number",
        places.FILM_CLOSED: "film closed",
        places.BALL_LOST: "ball lost",
        places.ENERGY_CREATED: "energy created",
        places.UNSOLVED: "joint not solved",
        places.NO_PROGRESS: "no progress",
    }
    taken, keeper = count.copy(), task.keeper
    if keeper is not None and keeper.kept is not None:
        flight, taken = restored(keeper.kept, flight, method, task.equations), keeper.kept.taken
        clock, count, keeper.kept = flight.clock, flight.count, None
        task.progress.first = task.fraction(clock[places.TIME])
    elif task.memory is not None:
        recall(task.memory, flight, method, task.equations)
        taken = count.copy()
        speeds_of_lasting_contacts(model, work, flight, clock[places.TIME])
    else:  # the first step is that of a short run, however long this one is: one that is cut begins like the whole
        clock[places.END] = SHORT_RUN
        advance(model, work, flight, method, 0)
        clock[places.END] = task.end
    tried = int(count[places.STEPS] + count[places.REJECTED])
    pace = Pace(task.equations, task.duration, float(clock[places.TIME]), tried)
    if keeper is not None:
        keeper.keep(flight, method, task.equations, taken)
    memory = None
    budget = FIRST_BUDGET
    end = "interrupted"
    try:
        while True:
            began = time.perf_counter()
            status = advance(model, work, flight, method, budget)
            elapsed = time.perf_counter() - began
            if status == places.PAUSE:
                memory = remembered(flight, method, task.equations)
                continue
            if status == places.FULL:
                flight = with_room(flight)
            elif status == places.RESIZE and resized is not None:
                method = resized(method)
                continue
            elif status != places.MORE:
                end = ends[status]
                break
            budget = int(np.clip(budget * SECONDS_PER_CALL / max(elapsed, 1e-6), 1, 4 * budget))
            task.progress.update(task.fraction(clock[places.TIME]))
            if keeper is not None and memory is None:
                keeper.keep_if_due(flight, method, task.equations, taken)
            if pace.is_hopeless(clock[places.TIME], count[places.STEPS] + count[places.REJECTED]):
                end = "no progress"
                break
    except KeyboardInterrupt:
        end = "interrupted"
        if keeper is not None and memory is None:
            keeper.keep_if_due(flight, method, task.equations, taken, now=True)
    return landed(task, flight, end, name, memory=memory, taken=taken)


def landed(
    task: Task,
    flight: Any,
    end: str,
    name: str,
    *,
    memory: dict[str, np.ndarray] | None = None,
    taken: np.ndarray | None = None,
    message: str = "",
) -> Trajectory:
    """What a flight has brought; `taken`: its counts when it took off, if it went on from another one."""
    from gudgeon.kernels.contact.modes import write_open_contacts
    from gudgeon.kernels.integrators import run as places

    clock, count = flight.clock, flight.count
    before = np.zeros_like(count) if taken is None else taken
    sampled, crossed = count[places.SAMPLED], count[places.CROSSED]
    crossing_times, crossing_which = flight.crossing_time[:crossed], flight.crossing_which[:crossed]
    if crossed:
        order = np.argsort(crossing_times, kind="stable")
        order = order[crossing_times[order] > task.begin] if task.begin else order
        crossing_times, crossing_which = crossing_times[order], crossing_which[order]
    own = slice(len(flight.times) - len(task.times), sampled)
    times, states, forces = flight.times[own], flight.samples[own], flight.force_samples[own]
    if end == "stopped" and (len(times) == 0 or times[-1] < clock[places.TIME]):  # the stop is a sample too
        times, states = np.append(times, clock[places.TIME]), np.vstack([states, flight.y])
        if forces.shape[1]:
            forces = np.vstack([forces, flight.end_force])
    touching = task.equations.work.contact.copy()
    if len(flight.contacts):
        flight = with_room_for_contacts(flight)
        write_open_contacts(task.equations.model, task.equations.work, flight)
    table = flight.contacts[: count[places.CONTACTS]]
    if task.begin:
        table = table[~(table[:, places.CONTACT_END] <= task.begin)]
    culprit = ""
    if end in ("film closed", "ball lost", "joint not solved"):
        culprit = task.equations.compliant.names[count[places.CULPRIT]]
    elif end == "energy created":
        struck = int(count[places.CULPRIT])  # a contact of a guide, or −1 − a compliant joint
        sliders = task.equations.sliders
        assert sliders is not None
        culprit = task.equations.compliant.names[-1 - struck] if struck < 0 else sliders.contact_joint[struck]
    return Trajectory(
        times=times,
        states=states,
        forces=forces if forces.shape[1] else None,
        contacts=table.copy(),
        memory=memory,
        touching=touching,
        end=end,
        end_time=float(clock[places.TIME]),
        end_state=flight.y.copy(),
        step=float(clock[places.STEP]),
        message=message,
        culprit=culprit,
        crossing_times=crossing_times,
        crossing_which=crossing_which,
        switchings=_own_switchings(task, flight),
        stats={
            "solver": name,
            "steps": int(count[places.STEPS] - before[places.STEPS]),
            "rejections": int(count[places.REJECTED] - before[places.REJECTED]),
            "evaluations": int(count[places.EVALUATIONS] - before[places.EVALUATIONS]),
            "projections": int(count[places.PROJECTIONS] - before[places.PROJECTIONS]),
        },
    )


def _own_switchings(task: Task, flight: Any) -> np.ndarray:
    """The lines of switches that turned in this run, not before its begin."""
    from gudgeon.kernels.integrators.run import SWITCHING_TIME, SWITCHINGS

    lines = flight.switchings[: flight.count[SWITCHINGS]]
    if not len(lines):
        return lines
    return lines[lines[:, SWITCHING_TIME] >= task.begin].copy()


def with_room(flight: Any) -> Any:
    """The same flight with twice the room for crossings and contacts."""

    def doubled(array: np.ndarray) -> np.ndarray:
        return np.concatenate([array, np.empty_like(array)])

    return flight.replaced(
        crossing_time=doubled(flight.crossing_time),
        crossing_which=doubled(flight.crossing_which),
        contacts=doubled(flight.contacts),
        switchings=doubled(flight.switchings),
    )


def with_room_for_contacts(flight: Any) -> Any:
    """The flight itself while its table of contacts is less than half full, otherwise one with more room."""
    from gudgeon.kernels.integrators.run import CONTACTS

    return flight if 2 * flight.count[CONTACTS] < len(flight.contacts) else with_room(flight)
