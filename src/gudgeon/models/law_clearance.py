"""A law that knows its clearance must know that of its joint."""

from __future__ import annotations

from typing import Any

from gudgeon.errors import ModelError
from gudgeon.laws.base import Law

EQUAL = 1e-3  # difference of two clearances that are the same, of the joint's
DIAMETRAL = 0.02  # of twice or half the joint's, within which a diameter was meant


def check_law_clearance(owner: str, field: str, law: Any, clearance: float) -> None:
    """Refuse a law of another radial clearance [m] than that of the joint, the commonest factor of two among them."""
    own = getattr(law, "clearance", None) if isinstance(law, Law) else None
    if own is None or abs(own - clearance) <= EQUAL * clearance:
        return
    named = f"{owner}: {field} is a {type(law).__name__} of clearance {own:g} m, but the joint's is {clearance:g} m"
    if abs(own - 2.0 * clearance) <= DIAMETRAL * clearance:
        raise ModelError(f"{named}, half of it: clearances are radial, bore radius − pin radius; give {clearance:g}")
    raise ModelError(f"{named} (radial, the difference of its radii); give both the same")
