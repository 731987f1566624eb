"""An elastic foundation that stands for the line law of a pin in its bore.

The foundation p = k δ of a round pin, its centre e = c + δ from that of the bore, carries over the arc |θ| < θ₀

    f′ = R k ∫ (e cos θ − c) cos θ dθ = R k e (θ₀ − ½ sin 2θ₀),   cos θ₀ = c/e

per length; k is chosen so that at one force it goes as deep as the line law does.
"""

from __future__ import annotations

from math import acos, cos, sin
from typing import Any

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import LineLaw
from gudgeon.laws.contact import HuntCrossley
from gudgeon.laws.forms import law_form
from gudgeon.models.dry_journal import DryJournal


def foundation_like(owner: str, journal: DryJournal, force: float) -> HuntCrossley:
    """The pressure law that goes as deep under a force [N] on the pin, not tilted, as the line law of a journal."""
    if not isinstance(journal, DryJournal):
        raise ModelError(f"{owner}: {type(journal).__name__} given; give a gd.DryJournal")
    wanted = number(owner, "force", force)
    if wanted <= 0.0:
        raise ModelError(f"{owner}: force is {wanted:g} N; give a typical force of the joint, above 0")
    per_length = wanted / sum(upper - lower for lower, upper in journal.all_lands)
    e = journal.clearance + _depth_under(owner, journal, per_length)
    half = acos(journal.clearance / e)
    stiffness = per_length / (journal.bore_radius * e * (half - sin(half) * cos(half)))
    loss, damping = getattr(journal.contact, "loss", 0.0), getattr(journal.contact, "damping", 0.0)
    if loss > 1.5:
        raise ModelError(f"{owner}: contact has a loss χ of {loss:g}; above 1.5 no pressure law is made of it")
    return HuntCrossley(stiffness=stiffness, damping=damping / 1.5, exponent=1.0, restitution=1.0 - loss / 1.5)


def _depth_under(owner: str, journal: DryJournal, line_force: float) -> float:
    """How deep the line law of a journal is under a force per length [m]."""
    from scipy.optimize import brentq

    law = law_form(owner, journal.contact, LineLaw)
    low, high = 0.0, 1e-9
    while law(high, 0.0, 1.0) < line_force:
        low, high = high, 2.0 * high
        if not high < journal.bore_radius:
            raise ModelError(f"{owner}: its line law does not carry {line_force:g} N/m; give a smaller force")
    found: Any = brentq(lambda depth: law(depth, 0.0, 1.0) - line_force, low, high, xtol=1e-18)
    return float(found)
