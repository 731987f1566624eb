"""Put a mechanism together: positions onto the constraints, then velocities; count freedoms and redundant rows.

Positions: see mechanics/closing.py. Velocities: those left out of the description follow the stated ones; what then
still contradicts the joints is removed by the mass-weighted projection v − M⁻¹ Jᵀ S⁻¹ (J v − ν).
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
from gudgeon.bodies import GROUND, BodyState
from gudgeon.errors import ModelError
from gudgeon.joints import Joint
from gudgeon.kernels.dynamics.arrays import (
    CLEARANCE,
    COUPLED,
    COUPLED_MEASURE,
    FREE_PATH,
    KIND,
    PIVOT,
    RATE,
    RESIDUAL,
    SMALLEST_FILM,
    STOP,
    STOP_AT,
)
from gudgeon.mechanics.blas import one_blas_thread
from gudgeon.mechanics.closing import close_positions, closest_position, joint_rows_at, row_label
from gudgeon.mechanics.coordinates import ReferencePose
from gudgeon.mechanics.equations import REGULARIZATION, Equations, equations_of_motion
from gudgeon.mechanics.guide_walls import refuse_start_in_wall
from gudgeon.mechanics.known_positions import known_or
from gudgeon.mechanics.least_squares import damped_least_squares, scaled_columns
from gudgeon.mechanics.row_ranks import dependent_rows, redundant_after_switches, released_rows, scaled_rows
from gudgeon.mechanics.state_layout import moving, poses, quaternions, twists
from gudgeon.mechanics.typical_length import length_of_joints
from gudgeon.models.dry import Dry
from gudgeon.models.dry_touch import DryTouch
from gudgeon.models.ideal import Ideal
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.slider import Slider
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.orientations import ScalarFirst
from gudgeon.rotations import rotation_matrix
from gudgeon.signals import uses_gaps
from gudgeon.switches import Switch
from gudgeon.system import System

LARGEST_RANK_CHECK = 400  # rows up to which the rank is found by a dense factorisation
SMALL_EIGENVALUE = 1e-8  # of S against its diagonal, in very large systems
VELOCITY_TOLERANCE = 1e-6  # residual rate against the largest velocity that counts as a contradiction [-]
DEEPEST_START = 0.1  # penetration a run may start with, of the clearance
PIN_TOLERANCE = 1e-10  # gap of an ideal pin at a node that counts as closed, of the mechanism's size [-]
DEEPEST_STOP = 0.1  # the same of a stop, of its way
HARD_START = 1e-6  # the same of hard walls: rounding and the errors of a run that is continued [-]
NOTES_TOLD = 3  # warnings of the changes of an assembly; the others are counted
NEAR = 0.1  # change of a quaternion by which two bodies turn by less than a right angle against each other [-]
RANK_TOLERANCE = 1e-8  # rows shorter than this against what other rows span are redundant [-]


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
    from gudgeon.kernels.outputs.slider_outputs import guide_gaps

    system, work = equations.system, equations.work
    stated = equations.stated_state()
    equations.controls.start(equations, stated, time)
    y = stated.copy()
    twin = _ideal_twin(equations, y, time)
    close_positions(equations, y, time)
    _refuse_reversed_joints(equations, y)
    redundant_rows, redundant_owners = _redundant_rows(equations, y, time)
    redundant_later = redundant_after_switches(equations, y, time)
    if redundant_rows:
        equations = equations.with_regularization(REGULARIZATION)
    _follow_stated_velocities(twin, y, time)
    if equations.sliders is not None:
        equations.sliders.start(y)
        equations.layout.set_nodes(y, nodes)
        _close_pins(equations, y, time)
    rows_at(equations.model, work, time, y)
    broken = work.row.copy()
    project(equations.model, work, time, y, np.inf)
    notes = velocity_notes(equations, stated, broken, y, length_of_joints(equations))
    notes += centred_ball_notes(equations, stated, y)
    if not goes_on:
        _refuse_start_inside(equations, y)
        refuse_unless_planar(equations, y, time)
    begin(equations.model, work, time, y)
    _refuse_contradicting_velocities(equations, y)

    equations.controls.evaluate_initial(equations, y, time)
    released = released_rows(equations, y)
    n, rows = len(system.bodies), len(equations.joint_rows) + len(equations.node_rows) - len(released)
    freedoms = 6 * n - rows + redundant_rows
    if equations.sliders is not None:
        gaps = np.zeros(len(equations.sliders.contact_names))
        guide_gaps(equations.model, work, y, gaps)
        for part, name, gap in zip(
            equations.sliders.contact_names, equations.sliders.contact_joint, gaps.tolist(), strict=True
        ):
            refuse_start_in_wall(system.joints[name], name, part, gap)
        freedoms += equations.sliders.unknown_count - 6 * len(equations.sliders.follower_bodies)
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
            orientation=ScalarFirst(q[b, 3:] / np.linalg.norm(q[b, 3:])),
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
    size, layout, before = max(1.0, length_of_joints(equations)), equations.layout, y.copy()
    project(equations.model, equations.work, time, y, 1e-15 * size)
    for part in (layout.velocities, layout.rates):
        y[part] = before[part]
    rows_at(equations.model, equations.work, time, y)
    gaps = np.abs(equations.work.row[equations.node_rows, RESIDUAL])
    if not gaps.max() <= PIN_TOLERANCE * size:
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
        _refuse_reversed_joints(twin, closed)
    except ModelError:
        return equations
    n = len(system.bodies)
    poses(y, n)[:] = poses(closed, n)
    return twin


def _without_gaps(system: System) -> dict[str, Any]:
    """Fields of a System without all that may depend on gaps, which an ideal joint does not have."""
    never = {name: Switch(at=1e300) if switch.when is not None else switch for name, switch in system.switches.items()}
    return {"loads": {}, "signals": {}, "controllers": {}, "switches": never}


def _refuse_start_inside(equations: Equations, y: np.ndarray) -> None:
    """What has clearance may touch at the start, but not be pressed in deeply, let alone be outside.

    Bodies placed by `start` are where a run or an equilibrium has left them: stops and shapes may be pressed by them.
    """
    from gudgeon.kernels.contact.events import depths_at
    from gudgeon.kernels.outputs.joint_outputs import eccentricities

    model, names = equations.model, equations.compliant.names
    if not names:
        return
    found, depths = np.zeros((len(names), 3)), np.zeros((len(names), 2))
    eccentricities(model, equations.work, y, found)
    depths_at(model, equations.work, y, depths)
    placed = {GROUND, *equations.system.start}
    for k, name in enumerate(names):
        joint, physics = equations.system.joints[name], equations.system.joints[name].model
        depth, clearance = float(depths[k, 0]), float(model.compliant_vector[k, CLEARANCE])
        taken = {joint.parent, joint.child} <= placed
        if isinstance(physics, SurfaceContact) and depth > clearance:
            raise ModelError(
                f"{joint.label(name)}: it starts with its surfaces {depth:.6g} m inside each other, their gap is of "
                f"{clearance:.3g} m; place {joint.parent!r} and {joint.child!r} apart, or see whether reference_side "
                "and corresponding_side of the interface say where the material is"
            )
        if model.compliant[k, KIND] == COUPLED and model.compliant[k, COUPLED_MEASURE + 1] >= 0:
            continue  # the teeth of a coupling may be pressed
        if model.compliant[k, KIND] in (STOP, COUPLED):
            if depth > DEEPEST_STOP * clearance and not taken:
                part = equations.compliant.parts[k]
                raise ModelError(
                    f"Stop {part.rpartition(' ')[0]!r}: the joint {name!r} starts {depth:.6g} (rad or m) beyond its "
                    f"{part.rpartition(' ')[2]} limit of {float(model.compliant_vector[k, STOP_AT]):g}; start it "
                    "within, or move the limit"
                )
            continue
        part = equations.compliant.part(k)
        if part is not None and isinstance(physics, DryTouch) and taken:
            continue
        if part is not None and isinstance(physics, DryTouch) and depth > part.deepest_start * clearance:
            raise ModelError(
                f"{joint.label(name)}: {joint.parent!r} and {joint.child!r} start {depth:.6g} m inside each other "
                f"({part.name}); place them apart, or so that they just touch{joint.out_there}"
            )
        if part is not None and depth > part.deepest_start * clearance:
            raise ModelError(
                f"{joint.label(name)}: it starts with its {part.name} {depth:.6g} m within the "
                f"other surface, the clearance is {clearance:g} m; place {joint.parent!r} and {joint.child!r} so that "
                "they are within the play"
            )
        if isinstance(physics, Slider):
            refuse_start_in_wall(joint, name, equations.compliant.labels[k], -depth)
        elif isinstance(physics, Dry | Lubricated):
            _refuse_ball_outside(joint, name, float(np.linalg.norm(found[k])), model.compliant_vector[k])


def _refuse_ball_outside(joint: Joint, name: str, e: float, vector: np.ndarray) -> None:
    """ModelError where a ball starts e off the centre, which leaves no film, or is outside its socket."""
    clearance, film = float(vector[CLEARANCE]), float(vector[SMALLEST_FILM])
    if film > 0.0 and not np.isfinite(vector[FREE_PATH]) and e >= clearance - film:
        raise ModelError(
            f"{joint.label(name)}: it starts with the ball {e:.6g} m off centre, which leaves no film in the "
            f"clearance of {clearance:g} m; start it closer to the centre, or give contact="
        )
    if isinstance(joint.model, Dry) and joint.model.impact is not None and e > (1.0 + HARD_START) * clearance:
        raise ModelError(
            f"{joint.label(name)}: it starts with the ball {e - clearance:.6g} m within its wall, which is hard; place "
            f"{joint.parent!r} and {joint.child!r} so that it is at most {clearance:g} m off centre"
        )
    if e > (1.0 + DEEPEST_START) * clearance:
        raise ModelError(
            f"{joint.label(name)}: it starts with the ball outside its socket: {e:.6g} m off centre, the clearance "
            f"is {clearance:g} m; place {joint.parent!r} and {joint.child!r} so that the ball is within it"
        )


def _redundant_rows(equations: Equations, y: np.ndarray, time: float) -> tuple[int, list[str]]:
    """How many rows others imply in the position y, and who owns those."""
    from gudgeon.kernels.dynamics.rows import rows_at

    if not len(equations.joint_rows):
        return 0, []
    rows_at(equations.model, equations.work, time, y)
    scaled = scaled_rows(equations)
    if not isinstance(scaled, np.ndarray):
        if scaled.shape[0] > LARGEST_RANK_CHECK:
            return _redundant_rows_by_elimination(equations, y, time)
        scaled = scaled.toarray()
    rows, released = equations.joint_rows, released_rows(equations, y)
    if len(released):
        holding = ~np.isin(rows, released)
        rows, scaled = rows[holding], scaled[holding]
    redundant = rows[dependent_rows(scaled, RANK_TOLERANCE)]
    return len(redundant), [equations.row_owner[r] for r in redundant]


def _redundant_rows_by_elimination(equations: Equations, y: np.ndarray, time: float) -> tuple[int, list[str]]:
    """The same for very large systems: S − τ diag(S) has as many negative pivots as S has eigenvalues below τ."""
    from gudgeon.kernels.dynamics.motion import prepare_rows

    prepare_rows(equations.with_regularization(-SMALL_EIGENVALUE).model, equations.work, time, y)
    negative = np.flatnonzero(equations.work.row[:, PIVOT] < 0.0)
    return len(negative), [equations.row_owner[r] for r in negative if equations.row_owner[r]]


def _refuse_reversed_joints(equations: Equations, y: np.ndarray) -> None:
    """a·b = 0 holds for reversed axes too: a start more than a right angle off may end there."""
    system = equations.system
    described = [body.orientation for body in system.bodies.values()]
    if np.abs(quaternions(y, len(described)) - described).max(initial=0.0) < NEAR:
        return
    pose = ReferencePose(system)
    rotation = {GROUND: np.eye(3)}
    for name, q in zip(system.bodies, quaternions(y, len(system.bodies)), strict=True):
        rotation[name] = rotation_matrix(q / np.linalg.norm(q))
    for name, joint in system.joints.items():
        for direction in joint.blocks().aligned:
            in_parent = rotation[joint.parent] @ pose.to_body(joint.parent, direction)
            in_child = rotation[joint.child] @ pose.to_body(joint.child, direction)
            if in_parent @ in_child < 0.0:
                raise ModelError(
                    f"{joint.label(name)}: assembled with {joint.child!r} turned by half a turn against "
                    f"{joint.parent!r}; start its bodies less than a right angle from where they belong"
                )


def _refuse_contradicting_velocities(equations: Equations, y: np.ndarray) -> None:
    """Drives (or singular positions) may ask for velocities that do not exist."""
    rate = np.abs(equations.work.row[:, RATE])
    if not len(rate):
        return
    n = len(equations.system.bodies)
    worst = int(np.argmax(rate))
    fastest = float(np.abs(y[moving(n)]).max())
    if rate[worst] > VELOCITY_TOLERANCE * max(1.0, fastest):
        raise ModelError(
            f"{row_label(equations, worst)}: no velocities satisfy all joints and drives; this one misses its own by "
            f"{rate[worst]:.3g} (m/s or rad/s); look for drives that contradict each other, or another position"
        )


def _follow_stated_velocities(equations: Equations, y: np.ndarray, time: float) -> None:
    """Choose the velocities left out of the description so that the joints hold; smallest such change."""
    stated = equations.stated_velocities()
    if not stated.all() and len(equations.joint_rows):
        known_or(_follow, equations, y, time, also=stated.tobytes())


def _follow(equations: Equations, y: np.ndarray, time: float) -> bool:
    free = np.flatnonzero(~equations.stated_velocities())
    n, described = len(equations.system.bodies), y
    y = equations.stated_state()  # these may be the equations of a twin, with other states than bodies
    y[: moving(n).stop] = described[: moving(n).stop]
    length = length_of_joints(equations)
    weight = np.tile([length, length, length, 1.0, 1.0, 1.0], n)[free]
    for _ in range(3):
        _, rate, jacobian = joint_rows_at(equations, y, time)
        if np.abs(rate).max() == 0.0:
            break
        y[moving(n)][free] += weight * damped_least_squares(scaled_columns(jacobian[:, free], weight), -rate, 1e-14)
    described[moving(n)] = y[moving(n)]
    return True


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
