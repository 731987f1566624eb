"""Starts that are refused: reversed joints, parts inside each other, velocities that do not exist."""

from __future__ import annotations

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.errors import ModelError
from gudgeon.joints import Joint
from gudgeon.kernels.dynamics.arrays import (
    CLEARANCE,
    COUPLED,
    COUPLED_MEASURE,
    FREE_PATH,
    KIND,
    RATE,
    SMALLEST_FILM,
    STOP,
    STOP_AT,
)
from gudgeon.mechanics.closing import row_label
from gudgeon.mechanics.coordinates import ReferencePose
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.guide_walls import refuse_start_in_wall
from gudgeon.mechanics.state_layout import moving, quaternions
from gudgeon.models.dry import Dry
from gudgeon.models.dry_touch import DryTouch
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.slider import Slider
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.rotations import rotation_matrix

VELOCITY_TOLERANCE = 1e-6  # residual rate against the largest velocity that counts as a contradiction [-]
DEEPEST_START = 0.1  # penetration a run may start with, of the clearance
DEEPEST_STOP = 0.1  # the same of a stop, of its way
HARD_START = 1e-6  # the same of hard walls: rounding and the errors of a run that is continued [-]
NEAR = 0.1  # change of a quaternion by which two bodies turn by less than a right angle against each other [-]


def refuse_reversed_joints(equations: Equations, y: np.ndarray) -> None:
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


def refuse_start_inside(equations: Equations, y: np.ndarray) -> None:
    """What has clearance may touch at the start, but not be pressed in deeply, let alone be outside.

    Bodies placed by `start` are where a run or an equilibrium has left them: stops and shapes may be pressed by them.
    """
    from gudgeon.kernels.contact.gaps import depths_at
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


def refuse_contradicting_velocities(equations: Equations, y: np.ndarray) -> None:
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
