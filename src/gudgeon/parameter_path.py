"""Dotted paths into a description: `joints.C.model.friction.coefficient`, `gravity[2]`, `bodies['a.b'].mass`.

Model files (`--set`) and studies say with them which entry they mean. A description is anything made of dataclasses,
mappings and lists. The type of what is there may be said on the way: `joints.C.model.dry.ball_radius` is
`joints.C.model.ball_radius`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from gudgeon.checks import shown
from gudgeon.errors import ModelError, did_you_mean

Step = str | int

_STEP = re.compile(r"\.?(?:\[(\d+)\]|\['([^']*)'\]|\[\"([^\"]*)\"\]|([^.\[\]]+))")


def steps_of(owner: str, path: str) -> list[str]:
    """The steps of a path.

    >>> steps_of("sweep", "loads.push.vector[0]"), steps_of("sweep", "bodies['a.b'].mass")
    (['loads', 'push', 'vector', '0'], ['bodies', 'a.b', 'mass'])
    """
    steps, place = [], 0
    while isinstance(path, str) and place < len(path):
        found = _STEP.match(path, place)
        if found is None:
            break
        steps.append(next(group for group in found.groups() if group is not None).strip())
        place = found.end()
    if not steps or place < len(path) or path[:1] == ".":
        raise ModelError(f"{owner}: {path!r} is no path to an entry; give one such as 'bodies.crank.mass'")
    return steps


def entries(at: Any) -> list[str]:
    """The names of the entries of a part of a description; none of a number or a text.

    >>> import gudgeon as gd
    >>> entries(gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)), entries((1.0, 2.0)), entries(3.0)
    (['coefficient', 'velocity_tolerance'], ['0', '1'], [])
    """
    if isinstance(at, Mapping):
        return [str(key) for key in at]
    if isinstance(at, list | tuple):
        return [str(k) for k in range(len(at))]
    if dataclasses.is_dataclass(at) and not isinstance(at, type):
        return [field.name for field in dataclasses.fields(at) if field.init]
    return []


def key_of(at: Any, step: str) -> Step | None:
    """The key, field or place that a step names; None where there is no such entry."""
    if step not in entries(at):
        return None
    return int(step) if isinstance(at, list | tuple) else step


def names_type(at: Any, step: str) -> bool:
    """Whether a step only says of which type a part is, which a path may do."""
    kind = at.get("type", "") if isinstance(at, dict) else type(at).__name__
    return step not in entries(at) and str(kind).lower() == step.lower()


def entry(at: Any, key: Any) -> Any:
    """An entry that is there."""
    return getattr(at, str(key)) if dataclasses.is_dataclass(at) else at[key]


def located(owner: str, description: Any, path: str) -> tuple[Step, ...]:
    """The keys of an entry that must be there; a ModelError suggests what may have been meant.

    >>> import gudgeon as gd
    >>> located("sweep", gd.examples.spatial_four_bar("dry"), "joints.C.model.Dry.ball_radius")
    ('joints', 'C', 'model', 'ball_radius')
    >>> located("sweep", gd.examples.spatial_four_bar("dry"), "joints.C.model.bal_radius")
    Traceback (most recent call last):
    gudgeon.errors.ModelError: sweep: joints.C.model (Dry) has no entry 'bal_radius'; did you mean 'ball_radius'?
    """
    at, keys = description, ()
    for step in steps_of(owner, path):
        key = key_of(at, step)
        if key is None:
            if keys and names_type(at, step):
                continue
            raise ModelError(f"{owner}: {missing_entry(at, step, '.'.join(map(str, keys)))}")
        at, keys = entry(at, key), (*keys, key)
    return keys


def missing_entry(at: Any, step: str, place: str) -> str:
    """Why there is no such entry, and what to write instead."""
    known = entries(at)
    if not known and not isinstance(at, Mapping | list | tuple) and not dataclasses.is_dataclass(at):
        return f"{place} is {shown(at)}, which has no entries; set {place} as a whole"
    kind = "" if isinstance(at, Mapping | list | tuple) else type(at).__name__
    whose = " ".join(filter(None, [place, f"({kind})" if place and kind else kind])) or "this"
    return f"{whose} has no entry {step!r}; {did_you_mean(step, known)}"


def value_at(description: Any, keys: tuple[Step, ...]) -> Any:
    """What an entry is.

    >>> import gudgeon as gd
    >>> value_at(gd.examples.spatial_four_bar(), ("gravity", 2))
    -9.81
    """
    for key in keys:
        description = entry(description, key)
    return description


def replaced(description: Any, keys: tuple[Step, ...], value: Any) -> Any:
    """The same description with another entry; each part on the way checks itself as when it was made.

    >>> import gudgeon as gd
    >>> replaced(gd.examples.spatial_four_bar(), ("gravity", 2), -1.62).gravity
    (0.0, 0.0, -1.62)
    """
    if not keys:
        return value
    first, *rest = keys
    part, mapping = replaced(entry(description, first), tuple(rest), value), description
    if dataclasses.is_dataclass(description) and not isinstance(description, type):
        return dataclasses.replace(description, **{str(first): part})
    if isinstance(description, list | tuple):
        return tuple(part if k == first else other for k, other in enumerate(description))
    return {**mapping, first: part}
