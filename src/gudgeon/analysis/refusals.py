"""What an analysis cannot say of a real joint: contacts without stiffness, forces that motion does not tell."""

from __future__ import annotations

from gudgeon.errors import ModelError
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.friction import LuGre
from gudgeon.mechanics.rubbing import rubs_of
from gudgeon.system import System


def refuse_unknown_deformation(owner: str, system: System) -> None:
    """ModelError of an analysis of given motions, where a body deforms."""
    for name in flexible_bodies(system):
        raise ModelError(
            f"{owner}: System {system.name!r} has the flexible body {name!r}, and how that deforms depends on forces, "
            "not on the motion of its frame; use gd.simulate, or a rigid gd.Body"
        )


def refuse_belts_without_positions(owner: str, system: System) -> None:
    """ModelError of an analysis of positions, where a belt ties only velocities."""
    for name, coupling in system.couplings.items():
        if coupling.ratio.period < 0.0:
            raise ModelError(
                f"{owner}: the radii of {type(coupling).__name__} {name!r} have no ratio of whole numbers, so that it "
                "ties velocities, not positions; give radii that have one, such as (0.04, 0.1)"
            )


def refuse_friction_with_memory(owner: str, system: System) -> None:
    """ModelError where friction in an ideal joint or a thread depends on more than motion and reactions."""
    for rub in rubs_of(system):
        if isinstance(rub.friction, DryFriction | LuGre):
            why = (
                "at rest it may have any value" if isinstance(rub.friction, DryFriction) else "its bristles are a state"
            )
            raise ModelError(
                f"{owner}: {rub.label} has {type(rub.friction).__name__} friction, which a motion alone does not tell: "
                f"{why}; give a law without memory, such as gd.laws.Coulomb(coefficient=, velocity_tolerance=)"
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
    """ModelError where a joint or a thread can stick for good."""
    labels = {joint.label(name): joint.model for name, joint in system.joints.items()}
    labels |= {f"{type(each).__name__} {name!r}": each for name, each in system.couplings.items()}
    for label, part in labels.items():
        if isinstance(getattr(part, "friction", None), DryFriction):
            raise ModelError(
                f"{owner}: {label} has set-valued friction (DryFriction): {why}; give a smooth law such as "
                "gd.laws.Coulomb(coefficient=, velocity_tolerance=), or friction=None"
            )
