"""Entries of a model file replaced by their dotted paths, as the command line does with --set."""

from __future__ import annotations

import copy
from typing import Any

from gudgeon.errors import ModelError, did_you_mean
from gudgeon.files.yaml_text import Misfit, Path, read_yaml
from gudgeon.parameter_path import Step, entries, key_of, names_type, steps_of


def parsed_change(text: str) -> tuple[str, Any]:
    """The path and the value of "joints.C.model.friction.coefficient=0.2".

    >>> parsed_change("gravity=[0, 0, -1.62]")
    ('gravity', [0, 0, -1.62])
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise ModelError(f"--set {text}: give entry=value, such as bodies.crank.mass=2")
    try:
        return name.strip(), read_yaml(value)[0]
    except Misfit as error:
        raise ModelError(f"--set {text}: {error}") from None


def change(data: Any, name: str, value: Any) -> Path:
    """Replace the entry at a dotted path, and say where it is.

    The type of what is there may be said: joints.C.model.dry.ball_radius is joints.C.model.ball_radius. A model that is
    named is changed for this joint alone.

    >>> data = {"joints": {"C": {"model": "hard"}}, "models": {"hard": {"type": "Dry", "ball_radius": 0.01}}}
    >>> change(data, "joints.C.model.dry.ball_radius", 0.02), data["joints"]["C"]["model"]["ball_radius"]
    (('joints', 'C', 'model', 'ball_radius'), 0.02)
    """
    at: Any = data
    path: Path = ()
    *steps, last = steps_of(f"--set {name}", name)
    if steps[:1] == ["run"] and isinstance(data, dict):
        data.setdefault("run", {})  # a file need not say how it runs
    for step in steps:
        key = key_of(at, step)
        if key is None and names_type(at, step):
            continue
        key = _found(at, key, step, name)
        inner = at[key]
        if key == "model" and isinstance(inner, str) and inner in (data.get("models") or {}):
            inner = at[key] = copy.deepcopy(data["models"][inner])
        if not isinstance(inner, dict | list):
            raise ModelError(f"--set {name}: {step} is {inner!r}, which has no entries; set {step} as a whole")
        at, path = inner, (*path, key)
    key = last if isinstance(at, dict) else _found(at, key_of(at, last), last, name)
    at[key] = value
    return (*path, key)


def _found(at: Any, key: Step | None, step: str, name: str) -> Step:
    """A key or a place that is there."""
    if key is None:
        raise ModelError(f"--set {name}: there is no entry {step!r}; {did_you_mean(step, entries(at))}")
    return key
