"""How Python runs a compiled integrator: make its arrays, call it for a tenth of a second at a time, collect all."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gudgeon.kernels.contact.contact_speeds import speeds_of_lasting_contacts
from gudgeon.kernels.contact.modes import write_open_contacts
from gudgeon.kernels.integrators import run as places
from gudgeon.solvers.base import Task, Trajectory
from gudgeon.solvers.entry_point import entry_point
from gudgeon.solvers.kept_run import restored
from gudgeon.solvers.memory import recall, samples_before
from gudgeon.solvers.no_progress import Pace
from gudgeon.solvers.open_joints import smallest_clearance
from gudgeon.solvers.snapshot import Snapshot, snapshot
from gudgeon.solvers.stabilization import Projection

FIRST_BUDGET = 200  # steps of the first call
SECONDS_PER_CALL = 0.1  # how long compiled code runs before Python may look at the clock and at Ctrl-C
ENDS = {
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
    model = task.equations.model
    n, watched = len(task.start), len(model.crossing)
    joints, unknowns = len(task.equations.compliant.names), task.equations.compliant.unknown_count
    points, contacts = task.equations.points, len(task.equations.work.contact)
    unknowns += 0 if points is None else points.row_count
    clock = np.zeros(places.CLOCK_SIZE)
    clock[places.STEP] = first_step or 0.0
    clock[places.TIME] = clock[places.SEEN_TIME] = task.begin
    clock[places.END] = task.end
    clock[places.RTOL], clock[places.ATOL] = rtol, atol
    clock[places.LARGEST_STEP] = max_step
    clock[places.PROJECTION_TOLERANCE] = task.projection_tolerance or Projection.tolerance
    clock[places.OPEN] = clock[places.INSTANT] = np.inf
    if task.automatic is not None:
        clock[places.OPEN] = task.automatic.largest_residual(atol, smallest_clearance(task.equations)[1])
    count = np.zeros(places.COUNT_SIZE, dtype=np.int64)
    count[places.PROJECTION] = task.projection_tolerance is not None
    count[places.ROOM] = 3 * contacts
    count[places.TRIGGER] = -1
    times = task.times
    if task.memory is not None:
        times = np.concatenate([samples_before(task.memory, task.begin), times])
    samples, given = len(times), {}  # arrays of what the mechanism has; others are empty
    if len(model.control_rate):
        given["control"] = control = np.zeros((len(model.control_rate), places.CONTROL_COLUMNS))
        control[:, places.CONTROL_SCALE] = task.equations.controls.scales
    if unknowns:
        given["end_force"] = np.zeros(unknowns)
        if keeps_forces:
            given["force_samples"] = np.empty((samples, unknowns))
    if watched:
        given["gaps"] = np.zeros((places.LOOKS + 3, watched))
        room = 4 * places.MOST_WINDOWS * places.LOOKS * watched
        given["crossing_time"] = np.empty(room)
        given["crossing_which"] = np.empty(room, dtype=np.int64)
        given["hardest"] = np.zeros(n)
    if joints:
        given["looks"] = np.zeros((places.CONTACT_LOOKS + 2, joints, places.LOOK_COLUMNS))
        given["way"] = np.zeros((places.HALVINGS + 2, places.LOOK_COLUMNS))
        given["hardest"] = np.zeros(n)
    if contacts:
        given["contacts"] = np.empty((64 * contacts, places.CONTACT_TABLE_COLUMNS))
    if len(model.switch):
        given["switchings"] = np.empty((64 * len(model.switch), places.SWITCHING_COLUMNS))
    return places.Flight(
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
    model, work = task.equations.model, task.equations.work
    advance = entry_point(advance)
    clock, count = flight.clock, flight.count
    taken, keeper = count.copy(), task.keeper
    if keeper is not None and keeper.kept is not None:
        flight, taken = restored(keeper.kept, flight, method, task.equations), keeper.kept.taken
        clock, count, keeper.kept = flight.clock, flight.count, None
        task.progress.first = task.fraction(clock[places.TIME])
    elif task.memory is not None:
        recall(task.memory, flight, method, task.equations)
        taken = count.copy()
        speeds_of_lasting_contacts(model, work, flight, clock[places.TIME])
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
                memory = snapshot(flight, method, task.equations)
                continue
            if status == places.FULL:
                flight = with_room(flight)
            elif status == places.RESIZE and resized is not None:
                method = resized(method)
                continue
            elif status != places.MORE:
                end = ENDS[status]
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
    memory: Snapshot | None = None,
    taken: np.ndarray | None = None,
    message: str = "",
) -> Trajectory:
    """What a flight has brought; `taken`: its counts when it took off, if it went on from another one."""
    clock, count = flight.clock, flight.count
    counts, here = count.tolist(), (count if taken is None else count - taken).tolist()
    sampled, crossed = counts[places.SAMPLED], counts[places.CROSSED]
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
    table = flight.contacts[: count[places.CONTACTS]]  # the open ones included
    if task.begin:
        table = table[~(table[:, places.CONTACT_END] <= task.begin)]
    culprit = ""
    if end in ("film closed", "ball lost", "joint not solved"):
        culprit = task.equations.compliant.names[counts[places.CULPRIT]]
    elif end == "energy created":
        culprit = task.equations.contact_joints[counts[places.CULPRIT]]
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
            "steps": here[places.STEPS],
            "rejections": here[places.REJECTED],
            "evaluations": here[places.EVALUATIONS],
            "projections": here[places.PROJECTIONS],
        },
    )


def _own_switchings(task: Task, flight: Any) -> np.ndarray:
    """The lines of switches that turned in this run, not before its begin."""
    lines = flight.switchings[: flight.count[places.SWITCHINGS]]
    if not len(lines):
        return lines
    return lines[lines[:, places.SWITCHING_TIME] >= task.begin].copy()


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
    return flight if 2 * flight.count[places.CONTACTS] < len(flight.contacts) else with_room(flight)
