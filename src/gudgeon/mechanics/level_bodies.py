"""Bodies that stay level: ideal joints let them turn about the world's z axis and about no other."""

from __future__ import annotations

from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.joints import Joint
from gudgeon.mechanics.held_bodies import reached_from_ground
from gudgeon.models.ideal import Ideal
from gudgeon.system import System

UPRIGHT = 1e-14  # what a unit vector along z may have of x and y [-]


def level_bodies(system: System) -> set[str]:
    """Their names, the ground among them: each is carried by a level one.

    >>> import gudgeon as gd
    >>> from gudgeon.mechanics.level_bodies import level_bodies
    >>> part = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    >>> joints = {
    ...     "main": gd.Revolute("ground", "crank", at=(0, 0, 0)),
    ...     "ball": gd.Spherical("crank", "rod", at=(0.1, 0, 0)),
    ... }
    >>> sorted(level_bodies(gd.System(bodies={"crank": part, "rod": part}, joints=joints)))
    ['crank', 'ground']
    """
    holding = [joint for joint in system.joints.values() if _keeps_level(joint)]
    return reached_from_ground(holding) - set(flexible_bodies(system))


def is_upright(axis: tuple[float, ...]) -> bool:
    """Whether a unit vector is the world's z, or its opposite."""
    return max(abs(axis[0]), abs(axis[1])) <= UPRIGHT


def _keeps_level(joint: Joint) -> bool:
    """Whether the two bodies of a joint can turn against each other about z alone."""
    if not isinstance(joint.model, Ideal) or joint.model.is_switched or joint.is_marked:
        return False
    blocks = joint.blocks()
    return blocks.row_count + len(blocks.free) == 6 and all(is_upright(angle.axis) for angle in blocks.angles)
