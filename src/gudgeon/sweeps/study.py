"""A study: a mechanism, what is varied, how it is run and what is kept of every run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.checks import shown
from gudgeon.errors import ModelError
from gudgeon.files.described import described
from gudgeon.parameter_path import replaced
from gudgeon.solvers.state_key import kernels_key, key_of
from gudgeon.sweeps.design import Design
from gudgeon.sweeps.perturb import perturbed
from gudgeon.system import System

TOLD = 3  # differences that a refusal names


@dataclass(frozen=True, kw_only=True)
class Study:
    """All that decides what the runs of a study are."""

    system: System | Callable[..., System]  # a function takes the parameters by name
    design: Design
    duration: float  # [s]
    settings: Mapping[str, Any]  # arguments of gd.simulate
    outputs: tuple[str, ...]
    reduce: Callable[..., Any] | None
    relative: float = 0.0  # of the ensemble's perturbation [-]
    seed: int = 0

    def system_of(self, run: int) -> System:
        """The mechanism of a run; a ModelError if it refuses the values."""
        values = self.design.of_run(run)
        if isinstance(self.system, System):
            system = self.system
            for parameter in self.design.parameters:
                system = replaced(system, parameter.keys, values[parameter.name])
        else:
            system = self.system(**values)
            if not isinstance(system, System):
                raise ModelError(f"sweep: the function of the parameters gave {shown(system)}; return a gd.System")
        member = self.design.member(run)
        return perturbed(system, self.relative, self.seed, member) if member else system

    def description(self) -> dict[str, Any]:
        """All of it as plain data, to tell studies apart: what is no data is told by a digest."""
        parameters = {
            p.name: {"path": p.path, "values": list(p.labels)} | ({} if p.is_number else {"digest": key_of(p.values)})
            for p in self.design.parameters
        }
        return {
            "system": _plain_system(self.system),
            "parameters": parameters,
            "dimensions": dict(zip(self.design.dims, self.design.shape, strict=True)),
            "perturbation": {"relative": self.relative, "seed": self.seed} if self.design.members else None,
            "duration": self.duration,
            **{name: plainly(value) for name, value in self.settings.items()},
            "outputs": list(self.outputs),
            "reduce": None if self.reduce is None else plainly(self.reduce),
        }

    def code(self) -> str:
        """A digest of the code that integrates: other code, other bits."""
        return key_of(kernels_key())


def differences(stored: dict[str, Any], here: dict[str, Any]) -> list[str]:
    """What differs between two studies, in words.

    >>> differences({"duration": 2.0}, {"duration": 1.0})
    ['duration is 2.0 in the store and 1.0 here']
    """
    one, two = _flat(stored), _flat(json.loads(json.dumps(here)))
    told = []
    for name in dict.fromkeys([*one, *two]):
        if one.get(name) != two.get(name):
            was, now = (shown(side[name]) if name in side else "not given" for side in (one, two))
            told.append(f"{name} is {was} in the store and {now} here")
    more = len(told) - TOLD
    return told if more <= 0 else [*told[:TOLD], f"{more} more"]


def _flat(data: Any, path: str = "") -> dict[str, Any]:
    """Entries by their paths; lists of numbers are one entry."""
    if isinstance(data, dict) and data:
        return {k: v for key, part in data.items() for k, v in _flat(part, f"{path}.{key}".lstrip(".")).items()}
    return {path: data}


def _plain_system(system: System | Callable[..., System]) -> Any:
    if not isinstance(system, System):
        return plainly(system)
    try:
        return described(system)
    except ModelError:  # functions and classes of the user's own
        return {"name": system.name, "digest": key_of(system)}


def plainly(value: Any) -> Any:
    """A number, a text, or the name of something with its digest."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        return {"count": len(value), "first": float(value[0]), "last": float(value[-1]), "digest": key_of(value)}
    name = getattr(value, "__qualname__", type(value).__name__)
    return {"name": name, "digest": key_of(value)}
