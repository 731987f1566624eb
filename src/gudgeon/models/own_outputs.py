"""Named outputs of a user's joint models: which a System has, with units, and which names are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gudgeon.errors import ModelError
from gudgeon.models.force_model import ForceModel

if TYPE_CHECKING:
    from gudgeon.system import System


def own_outputs(system: System) -> dict[str, str]:
    """Names and units of all outputs of users' models; ModelError where two give one name different units."""
    found: dict[str, str] = {}
    for name, joint in system.joints.items():
        for output, unit in joint.model.outputs.items() if isinstance(joint.model, ForceModel) else ():
            if found.setdefault(output, unit) != unit:
                raise ModelError(
                    f"{joint.label(name)}: {type(joint.model).__name__} gives the output {output!r} in {unit!r}, "
                    f"another model of System {system.name!r} in {found[output]!r}; give one of the two another name"
                )
    return found
