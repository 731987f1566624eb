"""A box in a guide full of oil from what a drawing says: fit, oil, roughness; and a note of what was taken.

Fits of ISO 286 hold for flat parts as for round ones: the guide is the hole, the box the shaft, and the clearance on
each side is half of the play between the two.
"""

from __future__ import annotations

from typing import Any

from gudgeon.checks import vector
from gudgeon.errors import ModelError
from gudgeon.inputs.material import PairOfMaterials, material_pair
from gudgeon.inputs.roughness import smallest_film
from gudgeon.laws.contact import HuntCrossley
from gudgeon.laws.pad import RESTITUTION, flat_pad
from gudgeon.laws.restitution import loss_factor
from gudgeon.models.fitted_journal import fitted, friction_law


def clearances(
    owner: str, height: float, width: float, fit: str | None, clearance: str | float
) -> tuple[dict[str, float], str]:
    """On each side of a box: above and below, and beside it where that is another one [m]; and where they are from."""
    given: dict[str, Any] = {
        "fit": fit,
        "clearance": clearance,
        "materials": "steel",
        "temperature": None,
        "hot": False,
    }
    upright = fitted(owner, diameter=height, **given)
    note = upright.note.replace("radial clearance", "clearance on each side")
    if fit is None or height == width:
        return {"clearance": upright.clearance}, note
    beside = fitted(owner, diameter=width, **given)
    note += "; beside " + beside.note.replace("radial clearance", "clearance on each side")
    return {"clearance": upright.clearance, "side_clearance": beside.clearance}, note


def touching(
    owner: str,
    *,
    length: float,
    width: float,
    height: float,
    roughness: Any,
    materials: PairOfMaterials,
    friction: Any,
) -> tuple[dict[str, Any], list[str]]:
    """Where peaks touch and how, as fields of the model; nothing without roughness. And what was taken."""
    if roughness is None:
        if friction is not None or materials != "steel":
            given = "friction" if friction is not None else "materials"
            raise ModelError(
                f"{owner}: {given} is given, but nothing touches as long as there is a film; give roughness=, R_a of "
                "guide and box in metres, too, or leave it out"
            )
        return {}, []
    thinnest = smallest_film(*vector(owner, "roughness", roughness, 2, "R_a of guide and box in metres"))
    stiffness = flat_pad(length=length, width=min(width, height), materials=materials)
    law = HuntCrossley(stiffness=stiffness, damping=loss_factor(RESTITUTION) / 1.5, exponent=1.0)
    rubbing, of_friction = friction_law(owner, friction)
    guide, box = material_pair(owner, materials)
    notes = [
        f"touches below {1e6 * thinnest:.3g} µm: {guide.name} guide, {box.name} box, {stiffness / 1e9:.4g} GPa/m, "
        f"restitution {RESTITUTION:g} at 1 m/s",
        of_friction,
    ]
    return {"smallest_film": thinnest, "contact": law, "friction": rubbing}, notes
