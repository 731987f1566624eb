"""Static equilibrium: a position in which a mechanism stays at rest."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from gudgeon.checks import choice, number
from gudgeon.drives import Drive
from gudgeon.errors import ModelError, SimulationInterrupted, interruptible
from gudgeon.functions.function import values_at
from gudgeon.joints import Joint
from gudgeon.mechanics.blas import one_blas_thread
from gudgeon.models.bushing import Bushing
from gudgeon.models.force_model import ForceModel
from gudgeon.models.ideal import Ideal
from gudgeon.models.lubricated_box import LubricatedBox
from gudgeon.state import State
from gudgeon.system import System

if TYPE_CHECKING:
    from gudgeon.analysis.small_motion.descent import Search
    from gudgeon.bodies import BodyState

NEARLY_CLOSED = 0.8  # eccentricity ratio at which a film that carries nothing is given up [-]


@dataclass(frozen=True, kw_only=True)
class Equilibrium:
    """What `gd.equilibrium` found. `system` starts there, at rest; `print` shows the report.

    >>> import gudgeon as gd
    >>> mass = gd.Body(mass=2.0, inertia=(1, 1, 1))
    >>> mount = gd.Spherical("ground", "mass", at=(0, 0, 0), model=gd.Bushing(stiffness=1e5))
    >>> found = gd.equilibrium(gd.System(bodies={"mass": mass}, joints={"mount": mount}))
    >>> round(1e6 * found.system.start["mass"].position[2], 3)
    -196.2
    """

    system: System  # the same mechanism, starting in the equilibrium, at rest
    state: State  # the same as a state to go on from, with nodes of flexible bodies: gd.simulate(start=state)
    time: float  # at which loads and drives were taken [s]
    residual: float  # largest acceleration that the forces left would cause [m/s² or rad/s²]
    iterations: int
    stable: bool  # no small displacement is driven further away
    neutral_freedoms: int  # freedoms without stiffness: the equilibrium is one of many
    softest: float  # smallest λ = ω² of the mass-weighted stiffness; negative if unstable [1/s²]
    moved: dict[str, tuple[float, float]] = field(hash=False)  # per body: distance [m], angle [rad]

    def __str__(self) -> str:
        kind = "stable" if self.stable else "unstable"
        if self.stable and self.neutral_freedoms:
            kind = f"neutral in {self.neutral_freedoms} freedom{'s' * (self.neutral_freedoms > 1)}, otherwise stable"
        lines = [
            f"{self.system.name}: equilibrium at t = {self.time:g} s, {kind}",
            f"  iterations          {self.iterations}",
            f"  left over           {self.residual:.1e} m/s² or rad/s²",
        ]
        if self.moved:
            body, (distance, angle) = max(self.moved.items(), key=lambda item: sum(item[1]))
            lines.append(f"  largest move        {distance:.3g} m, {angle:.3g} rad (body {body!r})")
        return "\n".join(lines)


@interruptible("equilibrium")
@one_blas_thread()
def equilibrium(
    system: System,
    *,
    at: float = 0.0,
    find: Literal["stable", "nearest"] = "stable",
    controllers: Literal["settle", "hold"] = "settle",
) -> Equilibrium:
    """A position near the start in which the mechanism stays at rest.

    at           the time whose loads act and whose drive values hold [s]; drives are held there
    find         "stable": go downhill from the start, as an overdamped motion would, to an equilibrium that small
                 displacements do not leave; "nearest": the closest equilibrium by Newton's method, stable or not
    controllers  "settle": states of controllers are at rest too, found together with the position by Newton's method;
                 `stable` then means that the closed loop is (with sampled controllers: its stiffness alone);
                 "hold": they stay at their initial values

    Velocities of the start do not matter. Springs, joint springs, constant and follower forces, gravity and bushings
    act; dampers and friction do not (they do nothing at rest, so that a joint with friction is found where it would
    rest without). A dry joint touches where its ball is pressed into the socket. A film carries nothing at rest.

    Raises ModelError, naming the body and the direction, where nothing ends an acceleration, and naming the joint
    where a film leaves the position undetermined; SimulationInterrupted on Ctrl-C, whose `.result` is a System that
    starts where the search was.

    >>> import gudgeon as gd
    >>> pendulum = gd.System(
    ...     bodies={"bob": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(1, 0, 0))},
    ...     joints={"pivot": gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0))},
    ... )
    >>> found = gd.equilibrium(pendulum)
    >>> [round(x, 9) + 0.0 for x in found.system.start["bob"].position], found.stable
    ([0.0, 0.0, -1.0], True)
    """
    from gudgeon.analysis.assemble import assemble_equations, body_moves, body_states
    from gudgeon.analysis.frozen import frozen
    from gudgeon.analysis.refusals import refuse_belts_without_positions, refuse_hard_contacts
    from gudgeon.analysis.small_motion.descent import Search, find_nearest, find_stable
    from gudgeon.analysis.small_motion.pressed import press_balls
    from gudgeon.analysis.small_motion.rows import Rows
    from gudgeon.analysis.small_motion.settling import settle_controllers
    from gudgeon.kernels.dynamics.arrays import MODE, STICKS, TOUCHING
    from gudgeon.mechanics.equations import equations_of_motion
    from gudgeon.mechanics.rubbing import without_friction

    if not isinstance(system, System):
        raise ModelError(f"equilibrium: {type(system).__name__} given; give a gd.System")
    choice("equilibrium", "find", find, ("stable", "nearest"))
    choice("equilibrium", "controllers", controllers, ("settle", "hold"))
    time = number("equilibrium", "at", at)
    described, system = system, frozen("equilibrium", system, time)
    refuse_belts_without_positions("equilibrium", system)
    refuse_hard_contacts("equilibrium", system, "a hard contact has no stiffness")
    equations = equations_of_motion(_with_held_drives(without_friction(system), time), at_rest=True)
    settles = controllers == "settle" and len(equations.controls.states) > 0
    assembly = assemble_equations(equations, time)
    first = assembly.state
    before = _with_ideal_joints(system, time, controllers) if find == "stable" else None
    if before is not None:
        joints = without_friction(system).joints
        nearer = equations_of_motion(_with_held_drives(before.system.replace(joints=joints), time), at_rest=True)
        try:
            assembly = assemble_equations(nearer, time, nodes=before.state.nodes)
            equations = nearer
            equations.controls.put(equations, assembly.state, before.state.controls)
        except ModelError:  # surfaces hold what an ideal joint leaves free: they would be inside each other there
            before = None
    if assembly.redundant_rows:
        equations = equations.regularized()
    rows = Rows(equations, time)
    equations.work.contact[:] = 0.0
    equations.work.contact[:, MODE] = TOUCHING  # the contact itself tells whether it pushes
    equations.model.compliant[:, STICKS] = 0  # nodes rest where they would without friction
    search = Search(rows, assembly.state)
    if len(search.force) or settles:
        try:
            if before is not None:
                press_balls(search)
            done = not settles and (find_stable if find == "stable" else find_nearest)(search, _watch_films)
            if settles:
                settle_controllers(search)
        except KeyboardInterrupt:
            raise _interruption(described, search.iterations, body_states(system, search.y)) from None
        if not (done or settles):
            raise ModelError(_why_not(search, find))
        _refuse_loose_films(search)
        _refuse_wound_springs(search)
    values, small, layout = search.values, search.smallest_stiffness, equations.layout
    bodies, nodes = body_states(system, search.y), (*search.y[layout.displacements], *search.y[layout.rates])
    found = Equilibrium(
        system=described.replace(start=bodies),
        state=State(
            time=time,
            bodies=bodies,
            nodes=tuple(map(float, nodes)),
            controls=equations.controls.told(equations, search.y, time),
        ),
        time=time,
        residual=float(np.abs(search.tangents @ search.force).max(initial=0.0)),
        iterations=search.iterations + (before.iterations if before else 0),
        stable=bool(np.all(values >= -small)),
        neutral_freedoms=int(np.count_nonzero(np.abs(values) <= small)),
        softest=float(values.min(initial=np.inf)),
        moved=body_moves(system, first, search.y),
    )
    if settles and not equations.controls.updated.any():
        found = dataclasses.replace(found, stable=_closed_loop_is_stable(found))
    return found


def _closed_loop_is_stable(found: Equilibrium) -> bool:
    """Whether no small motion of mechanism and controllers grows."""
    from gudgeon.analysis.linearize import linearize

    return linearize(found).stable


def _holds_more(joint: Joint) -> bool:
    """Whether an ideal joint would leave free what this one holds."""
    return isinstance(joint.model, Bushing | ForceModel) and joint.model.holds_more_than(joint)


def _with_held_drives(system: System, time: float) -> System:
    """The mechanism with its drives held where they are at a time [s]."""
    held = {
        name: Drive(drive.joint, float(values_at(drive.value, np.array([time]))[0]), coordinate=drive.coordinate)
        for name, drive in system.drives.items()
    }
    return system.replace(drives=held)


def _with_ideal_joints(system: System, time: float, controllers: Literal["settle", "hold"]) -> Equilibrium | None:
    """Where the mechanism rests with ideal joints, if it does: from there real joints have a short way to go.

    A bushing that holds more than an ideal joint stays as it is, since an ideal one would change too much.
    """
    ideal = {name: Ideal() for name, joint in system.joints.items() if joint.yields and not _holds_more(joint)}
    if not ideal:
        return None
    try:
        return equilibrium(system.with_model(**ideal), at=time, controllers=controllers)
    except ModelError:
        return None
    except SimulationInterrupted as stop:
        if stop.result is not None:
            stop.result = stop.result.replace(joints=system.joints)
        raise


def _interruption(system: System, iterations: int, start: dict[str, BodyState]) -> SimulationInterrupted:
    """Ctrl-C in the search."""
    return SimulationInterrupted(
        f"System {system.name!r}: the search for an equilibrium was interrupted after {iterations} steps; error.result "
        "is the System where it was, to go on from",
        result=system.replace(start=start),
    )


def _why_not(search: Search, find: str) -> str:
    """No equilibrium: what keeps accelerating, or where the search got stuck."""
    names, accelerations = list(search.rows.equations.system.bodies), search.accelerations
    turning = search.turns > search.distance
    part = accelerations[:, 3:] if turning else accelerations[:, :3]
    size = np.linalg.norm(part, axis=1)
    if not size.any():
        turning, part = not turning, accelerations[:, :3] if turning else accelerations[:, 3:]
        size = np.linalg.norm(part, axis=1)
    worst = int(np.argmax(size))
    direction = ", ".join(f"{x:.3g}" for x in part[worst] / size[worst] + 0.0)
    how = (
        f"about ({direction}) with {size[worst]:.3g} rad/s²"
        if turning
        else (f"along ({direction}) with {size[worst]:.3g} m/s²")
    )
    name = search.rows.equations.system.name
    if search.has_gone_too_far:
        return (
            f"System {name!r}: no equilibrium found: body {names[worst]!r} keeps accelerating {how}, however far it "
            "moves; hold it by a joint, a spring or a drive"
        )
    advice = "start closer to the equilibrium" + (", or try find='stable'" if find == "nearest" else "")
    return (
        f"System {name!r}: no equilibrium found within {search.iterations} steps: body {names[worst]!r} still "
        f"accelerates {how}; {advice}"
    )


def _films(search: Search) -> list[int]:
    """The compliant joints in which a film alone holds the ball or pin."""
    from gudgeon.kernels.dynamics.arrays import CONTACT_CALL, FILM_CALL

    table = search.rows.equations.model.compliant
    return np.flatnonzero((table[:, FILM_CALL] != 0) & (table[:, CONTACT_CALL] == 0)).tolist()


def _label(search: Search, k: int) -> str:
    name = search.rows.equations.compliant.names[k]
    return search.rows.equations.system.joints[name].label(name)


def _watch_films(search: Search) -> None:
    """A ball, pin or box in a film sinks under any load."""
    from gudgeon.kernels.dynamics import arrays

    films = _films(search)
    if not films:
        return
    search.rows.forces(search.y)
    model, local = search.rows.equations.model, search.rows.equations.work.local
    system = search.rows.equations.system
    for k in films:
        e = np.linalg.norm(local[k, arrays.ECCENTRICITY : arrays.ECCENTRICITY + 3])
        what = "ball" if model.compliant[k, arrays.KIND] == arrays.LUBRICATED else "pin"
        if isinstance(system.joints[search.rows.equations.compliant.names[k]].model, LubricatedBox):
            what = "box"
        if e > NEARLY_CLOSED * model.compliant_vector[k, arrays.CLEARANCE] and search.left > search.tolerance:
            raise ModelError(
                f"{_label(search, k)}: a film carries no load at rest, so that the {what} sinks until it closes; "
                "there is no equilibrium; give contact= (a law of gd.laws) to carry the load, or another model"
            )


def _refuse_loose_films(search: Search) -> None:
    """Without load a ball may rest anywhere in its film."""
    for k in range(len(search.values)):
        if abs(search.values[k]) > search.smallest_stiffness:
            continue
        twist = search.tangents @ search.modes[:, k]
        moves = np.abs(twist[: 6 * search.rows.body_count].reshape(-1, 6))
        shifts, size = search.steps.shifts(twist), max(moves[:, :3].max(), moves[:, 3:].max() * search.rows.size)
        for film in _films(search):
            if shifts[film] > 1e-6 * size:
                raise ModelError(
                    f"{_label(search, film)}: a film has no stiffness at rest, so that the equilibrium is not unique; "
                    "give contact= and a load, or another model"
                )


def _refuse_wound_springs(search: Search) -> None:
    """A position of the bodies does not tell how often a torsion spring is wound."""
    from gudgeon.mechanics.loads import wound_springs

    equations = search.rows.equations
    for name, turns in wound_springs(equations.system, search.y[equations.layout.turns.start :]):
        raise ModelError(
            f"equilibrium: JointSpring {name!r} is wound by {turns:.3g} turns there, which the position of the bodies "
            "cannot tell; change its rest angle by whole turns so that it stays within half a turn"
        )
