"""Is a mechanism fully driven? If not, which joint coordinates could be driven."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.analysis.assemble import Assembly
from gudgeon.analysis.coordinates import NamedCoordinates, all_coordinates, driven_coordinates
from gudgeon.analysis.driven_motion.instant import Instant, Mechanism
from gudgeon.analysis.driven_motion.singularities import owners_of
from gudgeon.analysis.refusals import refuse_unknown_deformation
from gudgeon.errors import ModelError
from gudgeon.joints import Free, Spherical
from gudgeon.mechanics.least_squares import dense
from gudgeon.mechanics.state_layout import beyond
from gudgeon.system import System

LEAST_SIGMA = 1e-6  # smallest singular value of the scaled Jacobian to start from [-]
MOVES = 1e-6  # rate of a coordinate in a free motion (scaled) that can be driven [-]
ASIDE = 1e-2  # how far bodies are moved to see whether a start is singular (scaled) [-]


def refuse_real_joints(system: System) -> None:
    """A real joint transmits forces, but leaves its freedoms free."""
    refuse_unknown_deformation("kinematics", system)
    real = [name for name, joint in system.joints.items() if joint.is_real]
    if real:
        name, joint = real[0], system.joints[real[0]]
        if not joint.holds:
            raise ModelError(
                f"kinematics: {joint.label(name)} acts by forces where it is met, and holds nothing that drives could "
                "move; leave it out, or use gd.simulate"
            )
        arguments = ", ".join(f"{key}=gd.Ideal()" for key in real)
        if not all(key.isidentifier() for key in real):
            arguments = "**{" + ", ".join(f"{key!r}: gd.Ideal()" for key in real) + "}"
        raise ModelError(
            f"kinematics: {joint.label(name)} is a real joint ({type(joint.model).__name__}), which acts by forces and "
            f"leaves its bodies free, so drives cannot prescribe the motion; use system.with_model({arguments}), or "
            "gd.simulate"
        )


def require_fully_driven(mechanism: Mechanism, assembly: Assembly, duration: float) -> Instant:
    """The first instant; ModelError if drives leave a freedom, or if the mechanism starts in a singular position."""
    y, n = assembly.state, mechanism.body_count
    system = mechanism.equations.system
    if len(mechanism.equations.joint_rows) >= 6 * n:
        factors = mechanism.factors_at(0.0, y)
        if factors.sigma > LEAST_SIGMA:
            start = mechanism.solve(0.0, y, np.zeros(6 * n), near=y[beyond(n)])
            if start is not None:
                return start
        elif _is_driven_nearby(mechanism, y, duration):
            involved = ", ".join(repr(name) for name in owners_of(mechanism.equations, factors))
            raise ModelError(
                f"kinematics: {system.name!r} starts in a singular position, where its drives do not determine the "
                f"motion (dependent rows of {involved}); start the drives a little beside it"
            )
    raise ModelError(f"kinematics: {system.name!r} {_freedoms_left(mechanism, assembly)}")


def _freedoms_left(mechanism: Mechanism, assembly: Assembly) -> str:
    """The number of freedoms, and joint coordinates to drive."""
    count = assembly.degrees_of_freedom
    text = f"has {count} degree{'s' if count != 1 else ''} of freedom left that no drive moves; "
    chosen, others = drivable_coordinates(mechanism, assembly.state)
    advice = _without_coordinate(mechanism.equations.system)
    if not chosen:
        return text + f"{'it moves' if count == 1 else 'they move'} no joint coordinate: {advice}"
    if len(chosen) == 1:
        text += f"drive {_listed(others, 'or')} as well"
    else:
        text += f"drive, for instance, {_listed(chosen, 'and')} as well"
    if len(chosen) < count:
        text += f" (the other {count - len(chosen)} move no joint coordinate: {advice})"
    return text + ", or use gd.simulate"


def _without_coordinate(system: System) -> str:
    """Where freedoms may be that no drive can move."""
    connected = {name for joint in system.joints.values() for name in (joint.parent, joint.child)}
    loose = [name for name in system.bodies if name not in connected]
    if loose:
        return f"no joint holds body {loose[0]!r}"
    for name, joint in system.joints.items():
        if isinstance(joint, Free):
            return f"{joint.label(name)} has none; give it a joint with the freedoms to drive, or use gd.simulate"
    for name, joint in system.joints.items():
        if isinstance(joint, Spherical):
            return (
                f"the rotations of {joint.label(name)} have none; look for a body that spins about itself, make it a "
                "gd.Universal or gd.Revolute, or use gd.simulate"
            )
    return "look for a body that spins about itself or is not connected"


def _listed(names: list[str], last: str) -> str:
    """'a', 'b' or 'c'."""
    shown = [repr(name) for name in names]
    return f"{', '.join(shown[:-1])} {last} {shown[-1]}" if len(shown) > 1 else shown[0]


def drivable_coordinates(mechanism: Mechanism, y: np.ndarray) -> tuple[list[str], list[str]]:
    """Coordinates that take the freedoms left, by pivoted QR of their rates in the free motions; and all that move."""
    from scipy.linalg import null_space, qr

    system = mechanism.equations.system
    driven = driven_coordinates(system)
    candidates = [one for one in all_coordinates(system) if one not in driven]
    if not candidates:
        return [], []
    mechanism.rows([0.0], y[None])
    free = null_space(dense(mechanism.equations.jacobian()) * mechanism.weight, rcond=MOVES)
    scale = np.array([1.0 if one.is_angle else 1.0 / mechanism.length for one in candidates])
    gradients = NamedCoordinates(mechanism.equations, candidates).now().gradient
    rates = scale[:, None] * ((gradients * mechanism.weight) @ free)
    factors: Any = qr(rates.T, mode="r", pivoting=True)
    triangle, order = factors
    rank = int(np.count_nonzero(np.abs(np.diag(triangle)) > MOVES))
    moving = np.flatnonzero(np.linalg.norm(rates, axis=1) > MOVES)
    chosen, others = ([candidates[k].label(system) for k in which] for which in (sorted(order[:rank]), moving))
    return chosen, others


def _is_driven_nearby(mechanism: Mechanism, y: np.ndarray, duration: float) -> bool:
    """Whether a position close by is regular: then the start is singular, not short of drives."""
    random = np.random.default_rng(0)
    for _ in range(3):
        aside = ASIDE * mechanism.weight * random.standard_normal(6 * mechanism.body_count)
        guess = mechanism.moved(y[None], aside[None])[0]
        for t in (1e-3 * duration, 1e-2 * duration):
            found = mechanism.solve(t, guess, np.zeros(6 * mechanism.body_count), near=None)
            if found is not None and found.sigma > LEAST_SIGMA:
                return True
    return False
