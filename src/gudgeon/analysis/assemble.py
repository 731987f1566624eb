"""Put a mechanism together: positions onto the constraints, then velocities; count freedoms and redundant rows.

Positions, and velocities left out of the description: see mechanics/closing.py. What then still contradicts the joints
is removed by the mass-weighted projection v − M⁻¹ Jᵀ S⁻¹ (J v − ν).
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gudgeon.analysis.assembly_notes import centred_ball_notes, velocity_notes
from gudgeon.analysis.planar_journals import refuse_unless_planar
from gudgeon.analysis.start_refusals import (
    refuse_contradicting_velocities,
    refuse_reversed_joints,
    refuse_start_inside,
)
from gudgeon.bodies import GROUND, BodyState
from gudgeon.errors import ModelError
from gudgeon.kernels.dynamics.arrays import (
    RATE,
    RESIDUAL,
)
from gudgeon.mechanics.blas import one_blas_thread
from gudgeon.mechanics.closed_within import FINEST, closed_within
from gudgeon.mechanics.closing import close_positions, closest_position, follow_stated_velocities, row_label
from gudgeon.mechanics.equations import REGULARIZATION, Equations, equations_of_motion
from gudgeon.mechanics.guide_walls import refuse_start_in_wall
from gudgeon.mechanics.redundant_rows import redundant_rows_of
from gudgeon.mechanics.row_ranks import redundant_after_switches, released_rows
from gudgeon.mechanics.state_layout import moving, poses, twists
from gudgeon.models.ideal import Ideal
from gudgeon.orientations import ScalarFirst
from gudgeon.rotations import unit
from gudgeon.signals import uses_gaps
from gudgeon.switches import Switch
from gudgeon.system import System

NOTES_TOLD = 3  # warnings of the changes of an assembly; the others are counted


@dataclass(frozen=True, kw_only=True)
class Assembly:
    """What `assemble` found. `system` starts in the assembled state; `print` shows the report.

    >>> import gudgeon as gd
    >>> gd.assemble(gd.examples.spatial_four_bar()).degrees_of_freedom
    2
    """

    described: System = field(repr=False)  # as it was given
    degrees_of_freedom: int  # in the assembled position
    row_count: int  # constraint rows of all joints and drives
    redundant_rows: int  # rows that other rows imply
    redundant_owners: tuple[str, ...]  # joints and drives that own a redundant row
    redundant_later: int = field(default=0, repr=False)  # the most there are when switches have turned
    residual: float  # largest constraint residual left [m or rad]
    velocity_residual: float  # largest residual rate left [m/s or rad/s]
    velocity_change: float  # largest change of a velocity that was stated [m/s or rad/s]
    notes: tuple[str, ...] = ()  # what was stated and could not be kept; `assemble` and `simulate` warn of it
    stated: np.ndarray = field(repr=False, compare=False)  # the state before
    state: np.ndarray = field(repr=False, compare=False)

    @cached_property
    def moved(self) -> dict[str, tuple[float, float]]:
        """By how much the bodies had to move, by name: distance [m], angle [rad]."""
        return body_moves(self.described, self.stated, self.state)

    @cached_property
    def system(self) -> System:
        """The same mechanism, starting assembled."""
        return self.described.replace(start=body_states(self.described, self.state))

    def __str__(self) -> str:
        bodies, rows = len(self.described.bodies), self.row_count
        lines = [
            f"{self.described.name}: {bodies} {'body' if bodies == 1 else 'bodies'}, {rows} constraint rows",
            f"  degrees of freedom  {self.degrees_of_freedom}",
            f"  redundant rows      {self.redundant_rows}"
            + (f" (owned by {', '.join(self.redundant_owners)})" if self.redundant_rows else ""),
            f"  largest residual    {self.residual:.1e} (positions), {self.velocity_residual:.1e} (velocities)",
        ]
        if self.moved:
            body, (distance, angle) = max(self.moved.items(), key=lambda item: sum(item[1]))
            lines.append(f"  largest move        {distance:.3g} m, {angle:.3g} rad (body {body!r})")
        if self.velocity_change > 1e-9:
            lines.append(
                f"  stated velocities   changed by up to {self.velocity_change:.3g} m/s or rad/s to fit the joints"
            )
        lines += [f"  note                {note}" for note in self.notes]
        return "\n".join(lines)


def assemble(system: System) -> Assembly:
    """Move a roughly placed mechanism onto its constraints, positions first, then velocities.

    Raises ModelError, naming the joint with the worst residual, if no position satisfies all joints. Warns of stated
    velocities that the joints forbid, and of balls that were described off centre (`Assembly.notes`).

    >>> import gudgeon as gd
    >>> print(gd.assemble(gd.examples.spatial_four_bar()))  # doctest: +SKIP
    """
    if not isinstance(system, System):
        raise ModelError(f"assemble: {type(system).__name__} given; give a gd.System")
    assembly = assemble_equations(equations_of_motion(system))
    warn_of_notes(assembly)
    return assembly


def warn_of_notes(assembly: Assembly) -> None:
    """Say what was stated and could not be kept, to whoever called the function that calls this one."""
    for note in assembly.notes[:NOTES_TOLD]:
        warnings.warn(note, UserWarning, stacklevel=3)
    more = len(assembly.notes) - NOTES_TOLD
    if more > 0:
        warnings.warn(
            f"System {assembly.described.name!r}: {more} more of what was stated is changed; gd.assemble(system).notes "
            "lists all of it",
            UserWarning,
            stacklevel=3,
        )


@one_blas_thread()
def assemble_equations(
    equations: Equations, time: float = 0.0, *, goes_on: bool = False, nodes: Sequence[float] = ()
) -> Assembly:
    """`assemble` for equations that exist already, with drives where they are at `time` [s].

    A run that `goes_on` may begin amid a contact, with a ball pressed deep into its socket. `nodes` are displacements
    and velocities of the nodes of flexible bodies (`State.nodes`); left out, these start as if they were rigid.
    """
    from gudgeon.kernels.dynamics.motion import begin, project
    from gudgeon.kernels.dynamics.rows import rows_at
    from gudgeon.kernels.outputs.point_outputs import wall_gaps

    system, work = equations.system, equations.work
    stated = equations.stated_state()
    equations.controls.start(equations, stated, time)
    y = stated.copy()
    twin = _ideal_twin(equations, y, time)
    close_positions(equations, y, time)
    refuse_reversed_joints(equations, y)
    redundant_rows, redundant_owners = redundant_rows_of(equations, y, time)
    redundant_later = redundant_after_switches(equations, y, time)
    if redundant_rows:
        equations = equations.with_regularization(REGULARIZATION)
    follow_stated_velocities(twin, y, time)
    if equations.flexible is not None:
        equations.flexible.start(y, equations.layout)
        equations.layout.set_nodes(y, nodes)
        _close_pins(equations, y, time)
    rows_at(equations.model, work, time, y)
    broken = work.row.copy()
    project(equations.model, work, time, y, np.inf)
    notes = velocity_notes(equations, stated, broken, y, equations.joint_length)
    notes += centred_ball_notes(equations, stated, y)
    if not goes_on:
        refuse_start_inside(equations, y)
        refuse_unless_planar(equations, y, time)
    begin(equations.model, work, time, y)
    refuse_contradicting_velocities(equations, y)

    equations.controls.evaluate_initial(equations, y, time)
    released = released_rows(equations, y)
    n, rows = len(system.bodies), len(equations.joint_rows) + len(equations.node_rows) - len(released)
    freedoms = 6 * n - rows + redundant_rows
    if (points := equations.points) is not None:
        gaps = np.zeros(len(points.names))
        wall_gaps(equations.model, work, y, gaps)
        for part, name, gap in zip(points.names, points.joints, gaps.tolist(), strict=True):
            refuse_start_in_wall(system.joints[name], name, part, gap)
    if equations.flexible is not None:
        freedoms += equations.flexible.unknown_count - 6 * len(equations.flexible.follower_bodies)
    return Assembly(
        described=system,
        degrees_of_freedom=freedoms,
        row_count=rows,
        redundant_rows=redundant_rows,
        redundant_owners=tuple(dict.fromkeys(redundant_owners)),
        redundant_later=redundant_later,
        residual=float(np.abs(work.row[:, RESIDUAL]).max(initial=0.0)),
        velocity_residual=float(np.abs(work.row[:, RATE]).max(initial=0.0)),
        stated=stated,
        velocity_change=float(np.abs((y - stated)[moving(n)][equations.stated_velocities()]).max(initial=0.0)),
        notes=tuple(notes),
        state=y,
    )


def body_states(system: System, y: np.ndarray) -> dict[str, BodyState]:
    """The state vector as a description, body by body."""
    n = len(system.bodies)
    q, v = poses(y, n), twists(y, n)
    return {
        name: BodyState(
            position=tuple(q[b, :3]),
            orientation=ScalarFirst(unit(q[b, 3:])),
            velocity=tuple(v[b, :3]),
            angular_velocity=tuple(v[b, 3:]),
        )
        for b, name in enumerate(system.bodies)
    }


def _close_pins(equations: Equations, y: np.ndarray, time: float) -> None:
    """Close the ideal pins at nodes, which flexible bodies that start as if rigid may leave open, by masses."""
    from gudgeon.kernels.dynamics.motion import project
    from gudgeon.kernels.dynamics.rows import rows_at

    if not len(equations.node_rows):
        return
    layout, before, size = equations.layout, y.copy(), max(1.0, equations.joint_length)
    project(equations.model, equations.work, time, y, FINEST * size)
    for part in (layout.velocities, layout.rates):
        y[part] = before[part]
    rows_at(equations.model, equations.work, time, y)
    gaps = np.abs(equations.work.row[equations.node_rows, RESIDUAL])
    if not gaps.max() <= closed_within(equations, before)[1]:
        worst = equations.node_rows[int(np.argmax(gaps))]
        raise ModelError(
            f"{row_label(equations, worst)}: it cannot be closed at the start, its node stays {gaps.max():.3g} m away; "
            "place the bodies so that the pin fits"
        )


def _ideal_twin(equations: Equations, y: np.ndarray, time: float) -> Equations:
    """Make clearance joints concentric and bushings unloaded, changing y in place, as if they were ideal.

    Only joints whose bodies are not both placed by `start`: a state that was found by a run, or is stated there, is
    taken as it is. Where that is impossible (bushings that must be forced together) y stays as it was. Returns the
    equations with those joints ideal: velocities left out of the description follow them.
    """
    system = equations.system
    placed = {GROUND, *system.start}
    to_close = {
        name: dataclasses.replace(joint, model=Ideal())
        for name, joint in system.joints.items()
        if joint.yields and not {joint.parent, joint.child} <= placed
    }
    if not to_close:
        return equations
    silent = _without_gaps(system) if uses_gaps(system) else {}
    twin = equations_of_motion(system.replace(joints={**system.joints, **to_close}, **silent))
    closed = twin.stated_state()
    if closest_position(twin, closed, time)[0] >= 0:
        return equations
    try:
        refuse_reversed_joints(twin, closed)
    except ModelError:
        return equations
    n = len(system.bodies)
    poses(y, n)[:] = poses(closed, n)
    return twin


def _without_gaps(system: System) -> dict[str, Any]:
    """Fields of a System without all that may depend on gaps, which an ideal joint does not have."""
    never = {name: Switch(at=1e300) if switch.when is not None else switch for name, switch in system.switches.items()}
    return {"loads": {}, "signals": {}, "controllers": {}, "switches": never}


def body_moves(system: System, before: np.ndarray, after: np.ndarray) -> dict[str, tuple[float, float]]:
    """Distance [m] and angle [rad] by which each body that moved has moved between two states."""
    n = len(system.bodies)
    old, new = poses(before, n), poses(after, n)
    moves = {}
    for b, name in enumerate(system.bodies):
        distance = float(np.linalg.norm(new[b, :3] - old[b, :3]))
        chord = min(np.linalg.norm(new[b, 3:] - old[b, 3:]), np.linalg.norm(new[b, 3:] + old[b, 3:]))
        angle = 4.0 * float(np.arcsin(min(1.0, 0.5 * chord)))
        if distance > 0.0 or angle > 0.0:
            moves[name] = (distance, angle)
    return moves
