"""Why a run broke off: when, with which step, and which load, drive or joint owns the worst term."""

from __future__ import annotations

import warnings

import numpy as np

from gudgeon.curve_joint import CurveJoint, curve_joints
from gudgeon.errors import SimulationError, SimulationInterrupted
from gudgeon.kernels.dynamics.arrays import DRIVE_OF, LOAD_PROGRAM, PROGRAM_OF, RATE, RESIDUAL, ROW
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.forms import law_form, type_of_law
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.state_layout import quaternions, twists
from gudgeon.models.dry import Dry
from gudgeon.models.dry_keyed_shaft import DryKeyedShaft
from gudgeon.models.flexible_slider import FlexibleSlider
from gudgeon.models.journal import LARGEST_TILT, Journal
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.lubricated_box import LubricatedBox
from gudgeon.models.lubricated_journal import LubricatedJournal
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.results.jam import jammed_joint
from gudgeon.results.load_failure import control_culprit, motion_culprit, table_left
from gudgeon.results.result import Result
from gudgeon.solvers.base import Trajectory
from gudgeon.solvers.no_progress import joint_that_stands_still, joint_with_jump

LOST_DRIVE = 1e-3  # distance of a driven coordinate from its value that is no rounding [m or rad]
LARGEST_TURN = 0.1  # of a flexible body [rad]
MOST_LOOKS = 1000  # samples at which that is checked


def raise_unless_complete(equations: Equations, trajectory: Trajectory, duration: float, result: Result) -> None:
    """Raise SimulationError or SimulationInterrupted if the run broke off."""
    if trajectory.end in ("done", "stopped"):
        _raise_if_a_drive_is_lost(equations, trajectory, result)
        return
    name, t = equations.system.name, trajectory.end_time
    if trajectory.end == "interrupted":
        raise SimulationInterrupted(
            f"System {name!r}: interrupted at t = {t:.6g} of {duration:g} s; error.result holds what was computed",
            result=result,
        )
    jammed = None if trajectory.culprit else jammed_joint(equations, t, trajectory.end_state)
    if jammed is not None:
        trajectory.end = "joint jammed"
        trajectory.stats["end"] = trajectory.end
    standstill = joint_with_jump(equations) if trajectory.end == "step underflow" else None
    if trajectory.end == "no progress":
        standstill = joint_that_stands_still(equations)
    if jammed is not None:
        owner, why = jammed
    elif standstill is not None:
        owner, why = standstill
    else:
        owner, why = _real_joint(equations, trajectory) if trajectory.culprit else _culprit(equations, trajectory)
    raise SimulationError(
        f"System {name!r}: {trajectory.end} at t = {t:.9g} s, step {trajectory.step:.3g} s; {why}"
        + (f" [{trajectory.message}]" if trajectory.message else "")
        + "; error.result holds everything up to then",
        time=t,
        step=trajectory.step,
        owner=owner,
        result=result,
    )


def warn_of_large_turns(equations: Equations, trajectory: Trajectory) -> None:
    """Flexible bodies have small strains in a frame that does not turn: they and their guides must not turn far."""
    system, flexible = equations.system, equations.flexible
    if flexible is None or not flexible.bodies:
        return
    names = list(system.bodies)
    motion = equations.body_motion(trajectory.states)
    watched = {name: f"the flexible body {name!r}" for name in flexible.bodies}
    for joint in system.joints.values():
        if isinstance(joint.model, FlexibleSlider) and joint.parent in system.bodies:
            watched[joint.parent] = f"the guide {joint.parent!r} of a flexible slider"
    for name, what in watched.items():
        b = names.index(name)
        turned = quaternions(motion, len(names))[:, b] @ np.array(system.bodies[name].orientation)
        angle = 2.0 * float(np.arccos(np.clip(np.abs(turned), 0.0, 1.0)).max(initial=0.0))
        if angle > LARGEST_TURN:
            warnings.warn(
                f"System {system.name!r}: {what} turns by {angle:.3g} rad; its strains are small in a frame that does "
                "not turn, which is wrong by now: use a rigid slider, or keep it from turning",
                stacklevel=3,
            )


def _raise_if_a_drive_is_lost(equations: Equations, trajectory: Trajectory, result: Result) -> None:
    """No finite force follows a drive whose value or rate jumps; feedback then lags behind for a while."""
    from gudgeon.kernels.dynamics.rows import rows_at

    drives = [line for line in equations.model.block if line[DRIVE_OF] >= 0]
    if not drives:
        return
    rows = np.array([line[ROW] for line in drives])
    for s in range(0, len(trajectory.times), 1 + len(trajectory.times) // MOST_LOOKS):
        rows_at(equations.model, equations.work, trajectory.times[s], trajectory.states[s])
        gap = np.abs(equations.work.row[rows, RESIDUAL])
        if gap.max() > LOST_DRIVE:
            name = equations.row_owner[rows[int(np.argmax(gap))]]
            raise SimulationError(
                f"Drive {name!r}: at t = {trajectory.times[s]:.6g} s the joint is {gap.max():.3g} (m or rad) away from "
                "its prescribed value; a value or rate that jumps cannot be followed: make it smooth (and check rate= "
                "and acceleration= of a Python function), or use stabilization=gd.Projection(); "
                "error.result holds the run",
                time=float(trajectory.times[s]),
                owner=name,
                result=result,
            )


def _real_joint(equations: Equations, trajectory: Trajectory) -> tuple[str, str]:
    """A film that has closed, a ball that has left its socket, a law that is not met, an impact that creates energy."""
    name = trajectory.culprit
    joint = equations.system.joints[name]
    model = joint.model
    if trajectory.end == "energy created":
        assert isinstance(model, RigidSlider | Dry)  # these alone are hard
        return name, _created(joint.label(name), model)
    if trajectory.end == "joint not solved":
        alone = getattr(model, "impact", None) is not None or isinstance(getattr(model, "friction", None), DryFriction)
        return name, (
            f"no force of {joint.label(name)} was found that its laws give at the end of a step, however short; look "
            f"for a law that jumps or pulls, or {'give a shorter step=' if alone else 'use gd.Implicit()'}"
        )
    if isinstance(model, DryKeyedShaft):
        model = model.shaft
    if isinstance(model, Journal) and trajectory.end != "film closed":
        return name, _lost_pin(equations, trajectory, name, model)
    has_film = isinstance(model, Lubricated | LubricatedBox | LubricatedJournal)
    if has_film and (trajectory.end == "film closed" or model.contact is None):
        return name, (
            f"the film of {joint.label(name)} is thinner than smallest_film = {model.smallest_film:g} m, where its law "
            "ends; give contact= (a law of gd.laws) to hand the load over, or a more viscous oil"
        )
    return name, (
        f"the ball of {joint.label(name)} has left its socket through the wall; its contact law is too soft for this "
        "load, or returns no force"
    )


def _created(label: str, model: RigidSlider | Dry) -> str:
    """An impact law that creates energy, and one that does not."""
    advice = "impact=gd.Stronge(restitution_normal=...), which cannot"
    if isinstance(model, Dry):  # knows Newton's law alone
        advice = "it a restitution_tangential that equals its restitution_normal, with which it cannot"
    law = type(model.impact).__name__
    return f"an impact of {label} has created energy, which {law}'s law with friction can; give {advice}"


def _lost_pin(equations: Equations, trajectory: Trajectory, name: str, model: Journal) -> str:
    """A pin that is tilted further than its model holds, or has left its bore."""
    from gudgeon.kernels.contact.gaps import depths_at
    from gudgeon.kernels.dynamics.arrays import BALL_FRAME, FRAME

    label, work = equations.system.joints[name].label(name), equations.work
    if model.planar:
        return (
            f"the pin of {label} has left its bore through the wall; its contact law is too soft for this load, or "
            "returns no force"
        )
    depths_at(equations.model, work, trajectory.end_state, np.zeros((len(equations.compliant.names), 2)))
    x = work.local[equations.compliant.names.index(name)]
    cosine = float(x[FRAME + 2 : FRAME + 9 : 3] @ x[BALL_FRAME + 2 : BALL_FRAME + 9 : 3])
    return (
        f"the pin of {label} tilts against its bore beyond tan ψ = {LARGEST_TILT:g} (it is "
        f"{np.tan(np.arccos(cosine)):.3g} just before), where its sections are no longer those of the model; longer "
        "lands, collars, less clearance or another joint must hold it"
    )


def _joint_without_force(equations: Equations, t: float, y: np.ndarray) -> tuple[str, str] | None:
    """The real joint whose force is no number where the run failed, or soon after if the motion went on, and why."""
    from gudgeon.kernels.dynamics.motion import right_hand_side

    rate = np.zeros_like(y)
    right_hand_side(equations.model, equations.work, t, y, rate)
    moving = np.where(np.isfinite(rate), rate, 0.0)
    for ahead in (0.0, *np.logspace(-15, -4, 45)):
        right_hand_side(equations.model, equations.work, t, y + ahead * moving, rate)
        for k, name in enumerate(equations.compliant.names):
            if not np.all(np.isfinite(equations.work.force[k])):
                return name, _law_without_value(equations, k, y + ahead * moving)
    return None


def _law_without_value(equations: Equations, k: int, y: np.ndarray) -> str:
    """Which law of line k returns no number, and at which depth, where that can be told."""
    from gudgeon.kernels.contact.gaps import depths_at

    part = equations.compliant.part(k)
    if part is not None and part.contact is not None:
        depths = np.zeros((len(equations.compliant.names), 2))
        depths_at(equations.model, equations.work, y, depths)
        depth, form = float(depths[k, 0]), law_form("", part.contact, type_of_law(part.contact))
        if depth > 0.0 and not np.isfinite(form(depth, 0.0, 1.0)):
            named = part.contact.__name__ if callable(part.contact) else type(part.contact).__name__
            deepest = getattr(part.contact, "deepest", np.inf)
            return (
                f"the contact law {named} of its {part.name} is void at a depth of {depth:.3g} m"
                + (f" (it holds up to {deepest:.3g} m)" if deepest < np.inf else "")
                + "; take a law that holds there, such as gd.laws.PinInBore, or a smaller load"
            )
    return "one of its laws returns nan or infinity; it must stay finite"


def _point_off_its_curve(equations: Equations, t: float, y: np.ndarray, ahead: float) -> tuple[str, str] | None:
    """The joint whose point goes beyond the end of its curve where the run failed."""
    from gudgeon.kernels.dynamics.motion import right_hand_side
    from gudgeon.kernels.dynamics.rows import rows_at

    if not curve_joints(equations.system):
        return None
    rate, work = np.zeros_like(y), equations.work
    right_hand_side(equations.model, work, t, y, rate)
    moving = np.where(np.isfinite(rate), rate, 0.0)
    for step in (0.0, *(ahead * x for x in (1e-6, 1e-3, 0.1, 0.5, 1.0, 2.0, 10.0, 100.0))):
        rows_at(equations.model, work, t, y + step * moving)
        for row in np.flatnonzero(~np.isfinite(work.row[:, RESIDUAL])):
            name = equations.row_owner[row]
            name = equations.system.drives[name].joint if name in equations.system.drives else name
            joint = equations.system.joints.get(name)
            if isinstance(joint, CurveJoint):
                return name, (
                    f"the point of {joint.label(name)} has come to the end of its curve, beyond which there is nothing "
                    "to stay on; make the curve longer, close it, or stop the point before"
                )
    return None


def _culprit(equations: Equations, trajectory: Trajectory) -> tuple[str, str]:
    """The load, drive or joint that owns the worst term where the run failed, and a sentence about it."""
    from gudgeon.kernels.dynamics.motion import right_hand_side

    model, work, system = equations.model, equations.work, equations.system
    t, y = trajectory.end_time, trajectory.end_state
    ahead = trajectory.step if np.isfinite(trajectory.step) else 0.0
    instants = [t + ahead * x for x in (*np.linspace(0.0, 1.0, 101), 2.0, 10.0, 100.0)] + [np.nextafter(t, np.inf)]
    programs = [
        (type(load).__name__, name, model.load[k, LOAD_PROGRAM]) for k, (name, load) in enumerate(system.loads.items())
    ]
    drives = list(system.drives)
    driven = (model.block[:, DRIVE_OF] >= 0) & (model.block[:, PROGRAM_OF] >= 0)
    programs += [("Drive", drives[line[DRIVE_OF]], line[PROGRAM_OF]) for line in model.block[driven]]
    blamed = (
        control_culprit(equations, t, y, ahead)
        or _point_off_its_curve(equations, t, y, ahead)
        or motion_culprit(equations, t, y, ahead)
    )
    if blamed is not None:
        return blamed
    for kind, name, first in programs:
        for instant in instants:
            values = equations.values_of(first + np.arange(3), instant).tolist()
            if not np.all(np.isfinite(values)):
                left = table_left(system.loads.get(name) if kind != "Drive" else None)
                return name, f"{kind} {name!r} gives {values} at t = {instant:.9g} s{left}; it must stay finite"
        before, now = (np.abs(equations.values_of(first + np.arange(3), x)).max() for x in (0.5 * t, t + ahead))
        if now > 1e6 * before > 0.0:
            return name, f"{kind} {name!r} has grown to {now:.3g} at t = {t + ahead:.9g} s; it must stay bounded"
    found = _joint_without_force(equations, t, y)
    if found is not None:
        joint, why = found
        return joint, f"{system.joints[joint].label(joint)} has no force there: {why}"
    right_hand_side(model, work, t, y, np.zeros_like(y))
    if len(work.row):
        worst = np.abs(work.row[:, RESIDUAL]) + np.abs(work.row[:, RATE])
        row = int(np.argmax(np.where(np.isfinite(worst), worst, np.inf)))
        owner = equations.row_owner[row]
        return owner, (
            f"the worst constraint residual is {work.row[row, RESIDUAL]:.3g} (rate {work.row[row, RATE]:.3g}) at "
            f"{owner!r}; loosen rtol, or look for a position where the mechanism locks or a force that explodes"
        )
    n = len(system.bodies)
    fastest = np.abs(twists(equations.body_motion(y[None, :]), n)[0]).max(axis=1)
    owner = list(system.bodies)[int(np.argmax(fastest))]
    return owner, f"body {owner!r} moves fastest; look for a force that explodes"
