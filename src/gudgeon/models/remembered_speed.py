"""Which speed a contact law that divides by δ̇⁽⁻⁾ is given: that of the impact, or the largest of the contact so far.

f = f_el (1 + χ δ̇/δ̇⁽⁻⁾) returns its restitution in a single impact, where δ̇ is largest at the begin. In a contact that
lasts δ̇ exceeds δ̇⁽⁻⁾ again and again, and χ δ̇/δ̇⁽⁻⁾ becomes several times χ; with the largest δ̇ so far it does not.
"""

from __future__ import annotations

from typing import Any, Literal

from gudgeon.checks import choice
from gudgeon.errors import ModelError
from gudgeon.laws.base import Law
from gudgeon.laws.forms import law_form, type_of_law

RememberedSpeed = Literal["impact", "largest"]


def check_remembered_speed(owner: str, model: Any) -> None:
    """Refuse a memory that is none, and one of a law that does not know the speed of an impact."""
    choice(owner, "remembered_speed", model.remembered_speed, ("impact", "largest"))
    if model.remembered_speed == "largest" and model.contact is not None:
        form = law_form(f"{owner}: contact", model.contact, type_of_law(model.contact))
        if form.numbers < 3:
            name = type(model.contact).__name__ if isinstance(model.contact, Law) else form.function.__name__
            raise ModelError(
                f"{owner}: remembered_speed is 'largest', but its contact, {name}, does not depend on the speed of an "
                "impact; leave it out, or give a law with a restitution, such as gd.laws.Flores"
            )
