"""Bodies that move as prescribed, whatever pushes them: held in all freedoms to the ground, or to another such body."""

from __future__ import annotations

from gudgeon.joints import Joint
from gudgeon.models.ideal import Ideal
from gudgeon.system import GROUND, System


def held_bodies(system: System) -> set[str]:
    """Their names: welded, or carried by an ideal joint without friction whose free coordinates are always driven.

    >>> import gudgeon as gd
    >>> from gudgeon.mechanics.held_bodies import held_bodies
    >>> crank = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    >>> joints = {"main": gd.Revolute("ground", "crank", at=(0, 0, 0))}
    >>> driven = gd.System(bodies={"crank": crank}, joints=joints, drives={"motor": gd.Drive("main", "300*t")})
    >>> held_bodies(driven), held_bodies(driven.replace(drives={}))
    ({'crank'}, set())
    """
    driven: dict[str, set[str]] = {}
    for drive in system.drives.values():
        if drive.is_switched:
            continue
        driven.setdefault(drive.joint, set()).add(system.coordinate("", drive.joint, drive.coordinate))
    holding = [
        joint
        for name, joint in system.joints.items()
        if isinstance(joint.model, Ideal)
        and joint.model.friction is None
        and not joint.model.is_switched
        and joint.blocks().row_count + len(joint.blocks().free) == 6
        and {free.name for free in joint.blocks().free} == driven.get(name, set())
    ]
    return reached_from_ground(holding) - {GROUND}


def reached_from_ground(joints: list[Joint]) -> set[str]:
    """The bodies that these joints connect with the ground, directly or by others, and the ground itself."""
    reached, before = {GROUND}, 0
    while len(reached) > before:
        before = len(reached)
        for joint in joints:
            if {joint.parent, joint.child} & reached:
                reached |= {joint.parent, joint.child}
    return reached
