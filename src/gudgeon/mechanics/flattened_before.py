"""Systems that were flattened before, from which others differ in numbers that few arrays hold.

Members of a study differ in little. Where that is a mass, an inertia, a velocity or gravity, all arrays but two stay as
they are. Every other part must be the same object, or the same numbers to the last bit; what this file does not know is
other. Only for ideal mechanisms: what is real has a memory of its own, and takes longer to run than to flatten.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from gudgeon.bodies import Body
from gudgeon.checks import Named
from gudgeon.system import System

if TYPE_CHECKING:
    from gudgeon.mechanics.equations import Equations

MOST = 4  # systems kept
REBUILT = {"bodies", "gravity"}  # fields of a System
OWN = {"mass", "inertia", "velocity", "angular_velocity"}  # of a Body
FIELDS = [field.name for field in dataclasses.fields(System) if field.name not in REBUILT]
OF_BODY = [field.name for field in dataclasses.fields(Body) if field.name not in OWN]
_kept: tuple[tuple[Any, Equations], ...] = ()


def flattened_before(system: System, settings: Any) -> Equations | None:
    """The equations of a system that differs from this one in what `REBUILT` and `OWN` name alone."""
    for others, equations in _kept:
        if others == settings and _is_like(system, equations.system):
            return equations
    return None


def keep_flattened(equations: Equations, settings: Any) -> None:
    """Keep the equations of a mechanism in which nothing remembers."""
    global _kept
    controls = equations.controls
    if equations.compliant.names or equations.flexible is not None or controls.count or controls.switch_names:
        return
    _kept = ((settings, equations), *_kept[: MOST - 1])


def _is_like(one: System, two: System) -> bool:
    return (
        list(one.bodies) == list(two.bodies)
        and all(_same(getattr(one, name), getattr(two, name)) for name in FIELDS)
        and all(map(_is_like_body, one.bodies.values(), two.bodies.values()))
    )


def _is_like_body(one: Body, two: Body) -> bool:
    if one is two:
        return True
    return type(one) is type(two) is Body and all(_same(getattr(one, name), getattr(two, name)) for name in OF_BODY)


def _same(one: Any, two: Any) -> bool:
    """Whether they are the same objects, or numbers with the same bits."""
    if one is two:
        return True
    if isinstance(one, Named) and isinstance(two, Named):
        return list(one) == list(two) and all(map(_same, one.values(), two.values()))
    return type(one) is type(two) and isinstance(one, (str, float, tuple)) and repr(one) == repr(two)
