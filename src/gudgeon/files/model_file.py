"""Model files: a System, and how to run it, in YAML or JSON.

The keys of a model file are the fields of `gd.System`; besides, `models:` names models of joints, so that several
joints can share one, and `run:` has the arguments of `gd.simulate`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gudgeon.checks import shown
from gudgeon.errors import FileError, ModelError, did_you_mean
from gudgeon.files.changes import change, parsed_change
from gudgeon.files.described import described
from gudgeon.files.disk import read_file, write_file
from gudgeon.files.kinds import Shape, fields, simulate, types
from gudgeon.files.made import Maker
from gudgeon.files.places import dotted, line_of, placed_in_system
from gudgeon.files.yaml_text import MOST_BYTES, Misfit, read_yaml, written_json, written_yaml

if TYPE_CHECKING:
    from gudgeon.system import System

FORMAT = "gudgeon model 1"
ENDINGS = (".yaml", ".yml", ".json")
RESULT = ".nc"  # how files of results end
HEAD = "# A mechanism for gudgeon: gd.load_system(path). Numbers are in SI units, texts such as 9.9 mm in their own.\n"
OTHERS = ("models", "run", "format")  # sections besides those of a System
SET = 0  # in place of a line, of what the command line sets
NOT_ASKED = ("system", "start", "progress", "checkpoint")  # arguments of gd.simulate that are no data


@dataclass(frozen=True, kw_only=True)
class ModelFile:
    """What a model file says."""

    system: System
    run: dict[str, Any]  # arguments of gd.simulate
    models: dict[str, Any]  # of joints, by name


def load_system(path: str | Path) -> System:
    """Read the mechanism of a model file, YAML or JSON, as `system.save(path)` writes it or as you do.

    A mistake in it is a ModelError that tells file, line, entry, rule and value. Nothing in a file is ever run.

    >>> import gudgeon as gd
    >>> system = gd.load_system("four-bar.yaml")  # doctest: +SKIP
    """
    return read_model(path).system


def save_system(system: System, path: str | Path) -> Path:
    """Write a System, replacing a file only when the new one is complete."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise FileError(f"save: {path.name!r} would be a model file; give a name that ends in .yaml or .json")
    data = {"format": FORMAT, **described(system)}
    text = written_json(data) + "\n" if path.suffix.lower() == ".json" else HEAD + written_yaml(data)
    write_file("save", path, text.encode())
    return path


def read_model(path: str | Path, changes: Iterable[str] = ()) -> ModelFile:
    """All that a model file says; `changes` such as "bodies.crank.mass=2 kg" replace entries of it."""
    path = Path(path)
    if path.suffix.lower() == RESULT and path.is_file():
        raise ModelError(f"{path.name}: this is a result, not a model file; to watch it: gudgeon view {path}")
    content = read_file("load_system", path, most=MOST_BYTES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelError(f"{path.name}: byte {error.start} is not UTF-8; save the file as UTF-8 text") from None
    lines: dict[tuple[str | int, ...], int] = {}
    try:
        data, lines = read_yaml(text)
        for each in map(parsed_change, changes):
            lines[change(data, *each)] = SET
        return model_of(data, folder=path.parent)
    except Misfit as error:
        line = line_of(error.path, getattr(error, "lines", lines))
        place = f" {dotted(error.path)}" if error.path else ""
        raise ModelError(f"{path.name}{' --set' if line == SET else f':{line}'}{place}: {error}") from None


def model_of(data: Any, folder: Path | None = None) -> ModelFile:
    """The mechanism and its run of plain data; Misfit tells the place of a mistake."""
    if not isinstance(data, dict):
        given = "the file is empty, which" if data is None else shown(data)
        raise Misfit((), f"{given} is no mechanism; a model file is a mapping with bodies:, joints: and more")
    if data.get("format", FORMAT) != FORMAT:
        raise Misfit(("format",), f"this version of gudgeon reads {FORMAT!r}; leave the line out, or update gudgeon")
    for key in data:
        if key not in (known := [*fields(types()["System"]), *OTHERS]):
            raise Misfit((key,), f"a model file has no section {key!r}; {did_you_mean(key, known)}")
    run, models = data.get("run") or {}, data.get("models") or {}
    for name, section in (("run", run), ("models", models)):
        if not isinstance(section, dict):
            raise Misfit((name,), f"{shown(section)} is given; give a mapping")
    maker = Maker(models=models, folder=folder)
    model = Shape(classes=types()["Ideal"].__mro__[1:2])
    arguments = maker.arguments(simulate(), "run", run, ("run",), without=NOT_ASKED) if run else {}
    if arguments.get("duration", 1.0) <= 0.0:
        raise Misfit(("run", "duration"), f"duration is {arguments['duration']:g} s; it must be positive")
    return ModelFile(
        system=_system(maker, {key: part for key, part in data.items() if key not in OTHERS}),
        run=arguments,
        models={name: maker.value(part, model, ("models", name)) for name, part in models.items()},
    )


def system_as_json(system: System) -> str:
    """A System in one line of JSON, for files that hold more than that; ModelError says what cannot be written."""
    return written_json(described(system), indent=None)


def system_of_json(text: str) -> System:
    """The way back; ModelError where it is not what was written."""
    try:
        return _system(Maker(), json.loads(text))
    except Misfit as error:
        raise ModelError(f"{dotted(error.path)}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ModelError(str(error)) from None


def _system(maker: Maker, data: dict[str, Any]) -> System:
    """The System; what it refuses is told at the part that it names."""
    kind: Any = types()["System"]
    arguments = maker.arguments(kind, "a model file", data, ())
    try:
        system = kind(**arguments)
    except ModelError as error:
        raise placed_in_system(error, data) from None
    for path, what in maker.coordinates.items():
        section, name, field = (*map(str, path[:3]), "")[:3]
        part = getattr(system, section, {}).get(name)
        if part is None or not hasattr(part, "joint"):
            continue
        coordinate = system.coordinate(name, part.joint, part.coordinate)
        kind_of_it, unit = ("angle" if coordinate.startswith("angle") else "displacement"), fields(type(part))[field]
        if kind_of_it != what and unit.shape.unit is not None:
            wanted = unit.shape.unit.name if kind_of_it == "angle" else unit.shape.unit.displacement
            raise Misfit(path, f"the {coordinate} of {part.joint!r} is of another dimension; give a number in {wanted}")
    return system
