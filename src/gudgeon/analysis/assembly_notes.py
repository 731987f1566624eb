"""What assembly changed of what a user stated: velocities that the joints forbid, balls that were not centred.

Small changes are what assembly is for, and are not told: stated numbers are rounded, to two digits or more.
"""

from __future__ import annotations

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.kernels.dynamics.arrays import CLEARANCE, RATE
from gudgeon.mechanics.equations import Equations
from gudgeon.mechanics.state_layout import moving
from gudgeon.models.dry import Dry
from gudgeon.models.lubricated import Lubricated
from gudgeon.system import System

TOLD = 0.05  # change of a stated velocity, against it, that is told [-]
OFF_CENTRE = 0.25  # of the clearance: a ball described farther off than this was not meant to be centred [-]
SLOW = 1e-6  # against the fastest stated velocity: no velocity [-]


def velocity_notes(
    equations: Equations, stated: np.ndarray, rows: np.ndarray, y: np.ndarray, length: float
) -> list[str]:
    """Velocities that were stated and are not those of the state y, and the joint or drive that forbids them.

    `rows` are the lines of the constraints (Work.row) before the velocities were made to fit, `length` is a typical
    distance [m] by which angular and other velocities are compared.
    """
    system, n = equations.system, len(equations.system.bodies)
    given, flags = stated[moving(n)].reshape(n, 2, 3), equations.stated_velocities().reshape(n, 2, 3)
    found = y[moving(n)].reshape(n, 2, 3)
    scale = np.array([1.0, length])
    speed = np.linalg.norm(given, axis=2) * flags[:, :, 0] * scale
    change = np.linalg.norm(found - given, axis=2) * scale
    told = (change > TOLD * speed) & (speed > SLOW * speed.max(initial=0.0))
    notes = []
    for b, name in enumerate(system.bodies):
        for k, (field, unit) in enumerate((("velocity", "m/s"), ("angular_velocity", "rad/s"))):
            if told[b, k]:
                size = float(np.linalg.norm(given[b, k]))
                notes.append(
                    f"Body {name!r}: {field} is stated as {_shown(given[b, k], size)} {unit}, but starts as "
                    f"{_shown(found[b, k], size)} {unit}: {_forbidding(equations, rows, name)} does not allow it"
                )
    return notes


def _forbidding(equations: Equations, rows: np.ndarray, body: str) -> str:
    """The joint or drive that the stated velocities break most, among those at `body` if one of them is broken."""
    system = equations.system
    broken = {}
    for r in (*equations.joint_rows, *equations.node_rows):
        owner = equations.row_owner[r]
        broken[owner] = max(broken.get(owner, 0.0), abs(float(rows[r, RATE])))
    own = {o: x for o, x in broken.items() if body in _bodies_of(system, o)}
    among = own if max(own.values(), default=0.0) > SLOW * max(broken.values()) else broken
    worst = max(among, key=lambda owner: among[owner])
    if worst in system.couplings:
        return f"{type(system.couplings[worst]).__name__} {worst!r}"
    return system.joints[worst].label(worst) if worst in system.joints else f"Drive {worst!r}"


def _bodies_of(system: System, owner: str) -> list[str]:
    """The bodies that the rows of a joint, drive or coupling act on."""
    names = [owner]
    if owner in system.couplings:
        names = [joint for joint, _ in system.coupled(owner)]
    elif owner not in system.joints:
        names = [system.drives[owner].joint]
    return [body for name in names for body in (system.joints[name].parent, system.joints[name].child)]


def _shown(vector: np.ndarray, size: float) -> str:
    """Three numbers, rounding errors of a vector of this size left out."""
    return f"({', '.join(f'{0.0 if abs(x) < SLOW * size else x:.4g}' for x in vector)})"


def centred_ball_notes(equations: Equations, stated: np.ndarray, y: np.ndarray) -> list[str]:
    """Balls that were described well off the centre of their sockets and do not start there.

    Where `System.start` states one of the two bodies, the other is meant to follow: only a ball that could have started
    where it is stated, within its socket, is told then.
    """
    from gudgeon.kernels.outputs.joint_outputs import eccentricities

    names, system = equations.compliant.names, equations.system
    if not names:
        return []
    before, after = np.zeros((len(names), 3)), np.zeros((len(names), 3))
    eccentricities(equations.model, equations.work, stated, before)
    eccentricities(equations.model, equations.work, y, after)
    notes = []
    for k, name in enumerate(names):
        joint, clearance = system.joints[name], float(equations.model.compliant_vector[k, CLEARANCE])
        if not isinstance(joint.model, Dry | Lubricated):
            continue
        described, moved = float(np.linalg.norm(before[k])), float(np.linalg.norm(after[k] - before[k]))
        centred = described > float(np.linalg.norm(after[k]))  # and not moved off the centre, by a drive
        follows = described > clearance and not {joint.parent, joint.child}.isdisjoint(system.start)
        if moved > OFF_CENTRE * clearance and centred and not follows:
            bodies = " and ".join(repr(body) for body in (joint.parent, joint.child) if body != GROUND)
            notes.append(
                f"{joint.label(name)}: its ball is described {described:.4g} m off the centre of its "
                f"socket (clearance {clearance:g} m) and starts {np.linalg.norm(after[k]):.4g} m off: assembly centres "
                f"it. To start off centre, state {bodies} in System.start"
            )
    return notes
