"""What a study varies: parameters with their values, and which of them every run has.

A grid has a dimension for every parameter; samples have one dimension, `run`; an ensemble adds `member`. A parameter is
called by the last step of its path where that tells it apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.checks import shown
from gudgeon.errors import ModelError
from gudgeon.files.kinds import Shape, fields
from gudgeon.parameter_path import Step, entry, located, steps_of
from gudgeon.sweeps.perturb import MEMBER
from gudgeon.sweeps.samples import MOST_SAMPLES, Samples
from gudgeon.system import System

RUN = "run"  # the dimension of samples
RESERVED = (RUN, MEMBER, "time", "body", "joint", "axis", "coordinate", "status", "error", "warning", "seconds")


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of a study."""

    name: str  # of its coordinate in the store
    path: str  # as it was given; of a function, the argument, with its unit if it was given
    keys: tuple[Step, ...]  # in the description; none for an argument of a function
    values: tuple[Any, ...]
    labels: tuple[float | str, ...]  # of the coordinate: the values where they are numbers
    unit: str = ""

    @property
    def is_number(self) -> bool:
        """Whether its coordinate is one of numbers."""
        return all(isinstance(label, float) for label in self.labels)


@dataclass(frozen=True, kw_only=True)
class Design:
    """All runs of a study by their parameters; run k is the k-th in the order of the last dimension fastest."""

    parameters: tuple[Parameter, ...]
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    sampled: bool  # all parameters along the dimension `run`
    members: int  # of an ensemble; 0: none

    @property
    def count(self) -> int:
        """How many runs there are."""
        return math.prod(self.shape)

    def place(self, run: int) -> tuple[int, ...]:
        """Where a run is in the dimensions of the store."""
        return tuple(int(k) for k in np.unravel_index(run, self.shape)) if self.shape else ()

    def member(self, run: int) -> int:
        """Which member of the ensemble a run is; 0 without one."""
        return self.place(run)[-1] if self.members else 0

    def of_run(self, run: int) -> dict[str, Any]:
        """The values of a run, by the parameters' names."""
        place = self.place(run)
        at = [place[0]] * len(self.parameters) if self.sampled else place
        return {p.name: p.values[k] for p, k in zip(self.parameters, at, strict=False)}


def design_of(system: System | Callable[..., System], parameters: Any, members: int = 0) -> Design:
    """The design of the argument `parameters` of `gd.sweep`: a mapping from paths to values (a grid), or Samples."""
    if not isinstance(parameters, Samples | Mapping):
        raise ModelError(
            f"sweep: parameters are {shown(parameters)}; give {{'joints.C.model.ball_radius': [...]}} or gd.Samples"
        )
    sampled = isinstance(parameters, Samples)
    given: Mapping[str, Any] = parameters.values if isinstance(parameters, Samples) else parameters
    if not given and not members:
        raise ModelError("sweep: there is nothing to vary; give {'joints.C.model.ball_radius': [...]} or gd.perturb")
    names = _names(list(given), system)
    found = tuple(_parameter(names[path], path, values, system, sampled) for path, values in given.items())
    _refuse_overlap(found)
    dims = (RUN,) if sampled else tuple(p.name for p in found)
    shape = (parameters.count,) if isinstance(parameters, Samples) else tuple(len(p.values) for p in found)
    if members:
        dims, shape = (*dims, MEMBER), (*shape, members)
    if math.prod(shape) > MOST_SAMPLES:
        raise ModelError(f"sweep: {' × '.join(map(str, shape))} runs; at most {MOST_SAMPLES:,} make a study")
    return Design(parameters=found, dims=dims, shape=shape, sampled=sampled, members=members)


def _parameter(name: str, path: str, given: Any, system: Any, sampled: bool) -> Parameter:
    labels: Sequence[Any] | None = None
    if isinstance(given, Mapping):
        labels, given = [str(label) for label in given], list(given.values())
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if isinstance(given, str | bytes) or not isinstance(given, Sequence) or not len(given):
        raise ModelError(
            f"sweep: {path} is {shown(given)}; give a list of values, or {{label: value}} for what is no number"
        )
    values = tuple(x.item() if isinstance(x, np.generic) else x for x in given)
    if labels is None:
        labels = [_label(x) for x in values]
        if not all(isinstance(label, float) for label in labels):
            labels = [str(x) if isinstance(x, float) else x for x in labels]
    if len(set(labels)) < len(labels) and not sampled:
        twice = next(label for label in labels if list(labels).count(label) > 1)
        raise ModelError(f"sweep: {path} has the value {twice!r} twice; give different ones, or {{label: value}}")
    keys, shape = ((), None) if not isinstance(system, System) else place_and_shape(system, path)
    unit = "" if shape is None or shape.unit is None else shape.unit.name
    if not isinstance(system, System):  # an argument of a function: "clearance [m]"
        unit = path.partition(" [")[2].removesuffix("]")
    return Parameter(name=name, path=path, keys=keys, values=values, labels=tuple(labels), unit=unit)


def _label(value: Any) -> float | str:
    """A number for a number, else a text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str | bool) or value is None:
        return str(value)
    return type(value).__name__ if hasattr(value, "__dataclass_fields__") else repr(value)


def _names(paths: list[str], system: Any) -> dict[str, str]:
    """The shortest end of each path that tells it apart and begins with a word."""
    if not isinstance(system, System):
        return {path: path.partition(" [")[0] for path in paths}
    steps = {path: steps_of("sweep", path) for path in paths}
    names: dict[str, str] = {}
    for path, own in steps.items():
        tails = [own[k:] for k in reversed(range(len(own)))]
        names[path] = next(
            (name for tail in tails if (name := _name(tail)) not in RESERVED and _alone(tail, path, steps)), _name(own)
        )
    return names


def _name(tail: list[str]) -> str:
    return ".".join(tail).replace("/", "_")


def _alone(tail: list[str], path: str, steps: Mapping[str, list[str]]) -> bool:
    """Whether a path is the only one that ends like this, and that is a name."""
    same = [other for other, all_ in steps.items() if all_[-len(tail) :] == tail]
    return tail[0].isidentifier() and same == [path]


def _refuse_overlap(parameters: Sequence[Parameter]) -> None:
    for k, one in enumerate(parameters):
        for two in parameters[:k]:
            shared = min(len(one.keys), len(two.keys))
            if shared and one.keys[:shared] == two.keys[:shared]:
                raise ModelError(f"sweep: {two.path} and {one.path} change the same entry; give one of them")


def place_and_shape(system: System, path: str) -> tuple[tuple[Step, ...], Shape | None]:
    """Where a parameter is, and what its field takes as far as its type tells."""
    keys = located("sweep", system, path)
    at: Any = system
    shape: Shape | None = None
    for key in keys:
        if isinstance(key, str) and hasattr(type(at), "__dataclass_fields__"):
            try:
                shape = fields(type(at))[key].shape
            except (KeyError, NameError, TypeError):  # a class of the user's own
                shape = None
        elif isinstance(key, str):
            shape = None if shape is None else shape.named
        elif shape is not None and shape.items:
            shape = shape.items[0 if shape.any_count else key]
        at = entry(at, key)
    return keys, shape
