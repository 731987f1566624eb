"""What switches may let hold, and what they may be called: refusals that name the part and the fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gudgeon.errors import ModelError, did_you_mean
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.switches import check_while, releasable_joints, switched_descriptions

if TYPE_CHECKING:
    from gudgeon.system import System


def refuse_wrong_switches(system: System) -> None:
    """ModelError where what holds for a while names a switch that is not there, or cannot let go."""
    for name, coupling in system.couplings.items():
        check_while(f"{type(coupling).__name__} {name!r}", coupling)
    for name, part in switched_descriptions(system):
        for field in ("since", "until"):
            switch = getattr(part, field)
            if isinstance(switch, str) and switch not in system.switches:
                label = system.joints[name].label(name) if name in system.joints else f"{type(part).__name__} {name!r}"
                near = did_you_mean(switch, system.switches)
                raise ModelError(f"{label}: {field}: no switch {switch!r}; {near} (or give a time in seconds)")
    flexible = flexible_bodies(system)
    for name in releasable_joints(system):
        joint = system.joints[name]
        if name in system.drives or name in system.couplings:
            raise ModelError(f"{joint.label(name)}: it lets go, and a drive or coupling has its name; give another one")
        if not {joint.parent, joint.child}.isdisjoint(flexible):
            raise ModelError(f"{joint.label(name)}: it holds a flexible body, which does not let go; leave out until=")
        if not joint.blocks().row_count:
            raise ModelError(f"{joint.label(name)}: it holds nothing that it could let go; leave out until=")
