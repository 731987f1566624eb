"""What an analysis cannot say of a real joint: contacts without stiffness, forces that motion does not tell."""

from __future__ import annotations

from gudgeon.errors import ModelError
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.system import System


def refuse_unknown_deformation(owner: str, system: System) -> None:
    """ModelError of an analysis of given motions, where a body deforms."""
    for name in flexible_bodies(system):
        raise ModelError(
            f"{owner}: System {system.name!r} has the flexible body {name!r}, and how that deforms depends on forces, "
            "not on the motion of its frame; use gd.simulate, or a rigid gd.Body"
        )


def refuse_couplings(owner: str, system: System) -> None:
    """ModelError of an analysis that does not know rows between more than two bodies."""
    for name, coupling in system.couplings.items():
        if coupling.is_elastic:
            continue
        raise ModelError(
            f"{owner}: System {system.name!r} has the {type(coupling).__name__} {name!r}; couplings are known to "
            "gd.simulate and gd.assemble, not to this analysis yet"
        )


def refuse_flanks(owner: str, system: System) -> None:
    """ModelError of an analysis that follows no contacts."""
    for name, coupling in system.couplings.items():
        if any(flank.side for flank in coupling.flanks()):
            raise ModelError(
                f"{owner}: {type(coupling).__name__} {name!r} has flanks that touch and part, which only gd.simulate "
                "follows; leave out backlash= and contact= (stiffness= may stay)"
            )


def refuse_hard_contacts(owner: str, system: System, why: str) -> None:
    """ModelError where a joint has hard contacts."""
    for name, joint in system.joints.items():
        if getattr(joint.model, "impact", None) is not None:
            raise ModelError(f"{owner}: {joint.label(name)} has hard contacts (impact=): {why}; give contact= instead")


def refuse_set_valued_friction(owner: str, system: System, why: str) -> None:
    """ModelError where a joint can stick for good."""
    for name, joint in system.joints.items():
        if isinstance(getattr(joint.model, "friction", None), DryFriction):
            raise ModelError(
                f"{owner}: {joint.label(name)} has set-valued friction (DryFriction): {why}; give a smooth law such as "
                "gd.laws.Coulomb(coefficient=, velocity_tolerance=), or friction=None"
            )
