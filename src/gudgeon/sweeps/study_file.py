"""Study files: which model, what varies, how long, what is kept, in YAML or JSON.

model: four_bar.yaml                                # a model file beside this one
parameters:
  joints.C.model.ball_radius: [9.85 mm, 9.9 mm]     # values,
  joints.C.model.friction.coefficient: {from: 0, to: 0.2, count: 5}   # evenly spaced ones (spacing: log),
  joints.A.model: {ideal: Ideal, soft: {type: Bushing, stiffness: 1e6}}   # or what has a label
samples: {method: sobol, count: 64, seed: 1}        # instead of a grid; parameters {from:, to:}, {mean:, deviation:}
                                                    # or a radius {zone: H7, diameter: 20 mm} of ISO 286, capability: 1
perturb: {relative: 1e-9, count: 8}                 # an ensemble
run: {duration: 2 s, sample: 1 ms}                  # else that of the model file
outputs: [rocker.position.x]                        # else a few numbers of every run
store: study.zarr                                   # else the name of this file
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.checks import shown
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.files.disk import read_file
from gudgeon.files.kinds import Shape
from gudgeon.files.made import Maker
from gudgeon.files.model_file import ModelFile, read_model
from gudgeon.files.places import dotted, line_of
from gudgeon.files.yaml_text import MOST_BYTES, Misfit, read_yaml
from gudgeon.inputs.distribution import Distribution
from gudgeon.inputs.fits import radius_distribution
from gudgeon.sweeps.design import place_and_shape
from gudgeon.sweeps.perturb import perturb
from gudgeon.sweeps.samples import MOST_SAMPLES, Samples

SECTIONS = ("model", "parameters", "samples", "perturb", "run", "outputs", "store")
METHODS = {"random": Samples.random, "latin_hypercube": Samples.latin_hypercube, "sobol": Samples.sobol}
SPACED = {"from", "to", "count", "spacing"}
SCATTERED = {"mean", "deviation"}
TOLERATED = {"zone", "diameter"}


@dataclass(frozen=True, kw_only=True)
class StudyFile:
    """What a study file says: arguments of `gd.sweep`."""

    system: Any
    parameters: Any
    run: dict[str, Any]  # duration and other arguments of gd.simulate
    outputs: tuple[str, ...]
    store: Path


def read_study(path: str | Path) -> StudyFile:
    """Read a study file; a mistake is a ModelError that tells file, line, entry and rule."""
    path = Path(path)
    content = read_file("sweep", path, most=MOST_BYTES)
    lines: dict[tuple[str | int, ...], int] = {}
    try:
        data, lines = read_yaml(content.decode("utf-8-sig"))
        return _study(data, path)
    except UnicodeDecodeError as error:
        raise ModelError(f"{path.name}: byte {error.start} is not UTF-8; save the file as UTF-8 text") from None
    except Misfit as error:
        place = f" {dotted(error.path)}" if error.path else ""
        raise ModelError(f"{path.name}:{line_of(error.path, getattr(error, 'lines', lines))}{place}: {error}") from None


def _study(data: Any, path: Path) -> StudyFile:
    if not isinstance(data, dict):
        raise Misfit((), f"{shown(data)} is no study; a study file is a mapping with model:, parameters: and more")
    for key in data:
        if key not in SECTIONS:
            raise Misfit((key,), f"a study file has no section {key!r}; {did_you_mean(key, SECTIONS)}")
    if not isinstance(data.get("model"), str):
        raise Misfit(("model",), "which mechanism? give the name of a model file: model: pendulum.yaml")
    file = Maker(folder=path.parent).file(data["model"], ("model",))
    changes = [f"run.{name}={value}" for name, value in _section(data, "run").items()]
    model = read_model(file, changes)
    if "duration" not in model.run:
        raise Misfit(("run",), "how long? add run: {duration: 2 s}")
    varied = _section(data, "parameters")
    sampled = _section(data, "samples")
    maker = Maker(models={}, folder=path.parent)
    parameters: Any = {name: _values(maker, model, name, given, bool(sampled)) for name, given in varied.items()}
    if sampled:
        parameters = _samples(parameters, sampled)
    ensemble = _section(data, "perturb")
    try:
        system = perturb(model.system, **ensemble) if "perturb" in data else model.system
    except TypeError:
        raise Misfit(("perturb",), "an ensemble has relative:, count: and seed:") from None
    outputs = data.get("outputs") or []
    if not isinstance(outputs, list) or not all(isinstance(name, str) for name in outputs):
        raise Misfit(("outputs",), f"{shown(outputs)} is given; give a list of names")
    store = data.get("store", path.with_suffix(".zarr").name)
    if not isinstance(store, str):
        raise Misfit(("store",), f"{shown(store)} is given; give the name of a folder")
    maker.file(store, ("store",))  # beside this file
    return StudyFile(
        system=system,
        parameters=parameters,
        run=model.run,
        outputs=tuple(outputs),
        store=path.parent / store,
    )


def _section(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name) or {}
    if not isinstance(found, dict):
        raise Misfit((name,), f"{shown(found)} is given; give a mapping")
    return found


def _values(maker: Maker, model: ModelFile, name: str, given: Any, sampled: bool) -> Any:
    """The values of a parameter, in SI units; with samples its range or distribution."""
    place = ("parameters", name)
    try:
        shape = place_and_shape(model.system, name)[1] or Shape(number=True, text=True)
    except ModelError as error:
        raise Misfit(place, str(error).removeprefix("sweep: ")) from None

    def made(value: Any, *steps: str | int) -> Any:
        if isinstance(value, str) and shape.classes and value in model.models:
            return model.models[value]
        return maker.value(value, shape, (*place, *steps))

    if isinstance(given, list):
        return [made(value, k) for k, value in enumerate(given)]
    if not isinstance(given, Mapping):
        raise Misfit(place, f"{shown(given)} is given; give a list of values, or {{from: , to: , count: }}")
    if sampled and set(given) == {"from", "to"}:
        return made(given["from"], "from"), made(given["to"], "to")
    if sampled and set(given) == SCATTERED:
        from scipy.stats import norm

        mean, deviation = (made(given[name], name) for name in ("mean", "deviation"))
        if not isinstance(deviation, int | float) or not deviation > 0.0:
            raise Misfit((*place, "deviation"), f"it is {shown(deviation)}; give a positive standard deviation")
        return Distribution(norm(mean, deviation))
    if sampled and TOLERATED <= set(given) <= TOLERATED | {"capability"}:
        try:
            return radius_distribution(
                given["zone"], made(given["diameter"], "diameter"), capability=given.get("capability", 1.0)
            )
        except ModelError as error:
            raise Misfit(place, str(error)) from None
    if sampled:
        raise Misfit(
            place,
            f"{shown(given)} is given; with samples: give {{from: , to: }}, {{mean: , deviation: }} or, of a radius, "
            "{zone: H7, diameter: }",
        )
    if {"from", "to"} <= set(given) <= SPACED:
        count, spacing = given.get("count"), given.get("spacing", "linear")
        if not isinstance(count, int) or not 0 < count <= MOST_SAMPLES or spacing not in ("linear", "log"):
            raise Misfit(
                place,
                f"count is {count!r}, spacing {spacing!r}; give count: 5 (at most {MOST_SAMPLES:,}), and spacing: "
                "linear or log",
            )
        space = np.geomspace if spacing == "log" else np.linspace
        return space(made(given["from"], "from"), made(given["to"], "to"), count).tolist()
    return {label: made(value, label) for label, value in given.items()}


def _samples(parameters: dict[str, Any], how: dict[str, Any]) -> Samples:
    method = how.get("method", "latin_hypercube")
    options = {key: value for key, value in how.items() if key != "method"}
    if method == "list" and not options:
        return Samples(parameters)
    if method not in METHODS:
        raise Misfit(("samples", "method"), f"{method!r} is given; {did_you_mean(str(method), [*METHODS, 'list'])}")
    if "count" not in options or not set(options) <= {"count", "seed"}:
        raise Misfit(("samples",), "how many? samples have method:, count: and seed:")
    try:
        return METHODS[method](parameters, **options)
    except ModelError as error:
        said = str(error).removeprefix("Samples: ")
        named = [name for name in parameters if said.startswith(name)]
        raise Misfit(("parameters", named[0]) if named else ("samples",), said) from None
