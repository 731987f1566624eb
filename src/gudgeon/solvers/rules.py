"""Which solver can run which mechanism: refusals that say what to use instead."""

from __future__ import annotations

from gudgeon.bodies import GROUND
from gudgeon.couplings import Screw
from gudgeon.errors import ModelError
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.joints import Joint
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.models.dry import Dry
from gudgeon.models.ideal import Ideal
from gudgeon.models.impact import ImpactLaw
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.models.slider import Slider
from gudgeon.solvers.base import Solver
from gudgeon.solvers.implicit import Implicit
from gudgeon.solvers.time_stepping import TimeStepping
from gudgeon.system import System

INSTEAD = "use gd.TimeStepping(step=...)"


def refuse_unless_able(solver: Solver, system: System) -> None:
    """ModelError where the solver cannot run a joint of a system."""
    if isinstance(solver, TimeStepping):
        _refuse_impacts(system)
        return
    name = type(solver).__name__
    for key, coupling in system.couplings.items():
        if isinstance(coupling, Screw) and isinstance(coupling.friction, DryFriction):
            raise ModelError(f"Screw {key!r}: its friction is set-valued, which {name} cannot integrate; {INSTEAD}")
    for key, joint in system.joints.items():
        reason = _reason(joint, isinstance(solver, Implicit))
        if reason:
            raise ModelError(f"{joint.label(key)}: {reason}, which {name} cannot integrate; {INSTEAD}")


def _refuse_impacts(system: System) -> None:
    """Impacts have one law, since they may happen at once, and steps that end where they happen."""
    laws: dict[str, ImpactLaw] = {}
    for name, joint in system.joints.items():
        if isinstance(joint.model, RigidSlider | Dry) and isinstance(joint.model.impact, ImpactLaw):
            laws[name] = joint.model.impact
    kinds = {type(law).__name__: name for name, law in laws.items()}
    if len(kinds) > 1:
        (one, first), (other, second), *_ = kinds.items()
        raise ModelError(
            f"System {system.name!r}: {system.joints[first].label(first)} has impacts by {one}'s law, "
            f"{system.joints[second].label(second)} by {other}'s; impacts may happen at once: give all joints one law"
        )
    flexible = flexible_bodies(system)
    for name, law in laws.items():
        if flexible and law.restitution_normal > 0.0:
            raise ModelError(
                f"{system.joints[name].label(name)}: its restitution is {law.restitution_normal:g}, but steps do not "
                f"end at impacts where a body ({next(iter(flexible))!r}) is flexible; give impact=0, or contact="
            )


def _reason(joint: Joint, by_implicit: bool) -> str:
    model = joint.model
    if isinstance(model, RigidSlider | Dry) and model.impact is not None:
        return "its contacts are hard"
    if isinstance(model, Dry | Ideal) and isinstance(model.friction, DryFriction):
        return "its friction is set-valued"
    if isinstance(model, RigidSlider) and isinstance(model.friction, DryFriction):
        return "its friction is set-valued and the slider rigid"
    if isinstance(model, Slider) and isinstance(model.friction, DryFriction) and by_implicit:
        return "its friction is set-valued"
    if isinstance(model, Slider) and isinstance(model.friction, DryFriction) and joint.parent != GROUND:
        return "its guide moves and its friction is set-valued"
    return ""
