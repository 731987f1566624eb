"""Groups of lines of `Model.compliant` that feel each other's forces through bodies."""

from __future__ import annotations

from collections.abc import Mapping

from gudgeon.system import System


def islands(system: System, pushing: Mapping[int, str], held: set[str]) -> list[list[int]]:
    """The lines, with the joint of each, by groups; none feels another through bodies that are `held`."""
    group = {name: name for name in system.bodies if name not in held}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    for joint in system.joints.values():
        if joint.parent in group and joint.child in group:
            group[root(joint.parent)] = root(joint.child)
    for coupling in system.couplings:
        moved = [
            body
            for name, _ in system.coupled(coupling)
            for body in (system.joints[name].parent, system.joints[name].child)
            if body in group
        ]
        for body in moved[1:]:
            group[root(body)] = root(moved[0])
    found: dict[str, list[int]] = {}
    for k, name in pushing.items():
        joint = system.joints[name]
        moving = next((body for body in (joint.child, joint.parent) if body in group), None)
        found.setdefault(name if moving is None else root(moving), []).append(k)
    return list(found.values())
