"""Plain data made into a System: every entry is checked against the field that it is for, mistakes get their place."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from gudgeon.errors import ModelError, did_you_mean
from gudgeon.files.kinds import REQUIRED, Field, Shape, fields
from gudgeon.files.places import TYPE, placed
from gudgeon.files.quantity_text import in_si, is_quantity
from gudgeon.files.wording import family, listed, nearest, wanted, what
from gudgeon.files.yaml_text import INFINITE, Misfit, Path
from gudgeon.orientations import ScalarFirst
from gudgeon.quantities import Unit

WRONG = (TypeError, ValueError, ArithmeticError, AttributeError, IndexError)  # of numbers in rows of a wrong shape
ROUNDING = 4.0 * np.finfo(float).eps  # a direction that is normalised once more moves by less
ANGLE = Shape(number=True, unit=Unit("rad"))
AXIS = Shape(items=(Shape(number=True),) * 3)


@dataclass(kw_only=True)
class Maker:
    """Makes objects of plain data; `models` are those that joints may name, `folder` where other files may be."""

    models: dict[str, Any] = field(default_factory=dict)
    folder: FilePath | None = None
    coordinates: dict[Path, str] = field(default_factory=dict)  # what a quantity can be of: "angle", "displacement"
    per_area: bool = False  # forces are pressures

    def value(self, data: Any, shape: Shape, path: Path) -> Any:
        """What a field gets."""
        if data is None and shape.none:
            return None
        if shape.named is not None:
            inner = shape.named
            found = _mapping(data, path)
            return {name: self.value(part, inner, (*path, name)) for name, part in found.items()}
        if isinstance(data, dict) and shape.quaternion and "angle" in data:
            return self.turn(data, path)
        if isinstance(data, dict) and (shape.classes or shape.makers):
            return self.thing(data, shape, path)
        if isinstance(data, str) and shape.classes and not shape.text and not shape.expression:
            return self.thing(data, shape, path)
        if isinstance(data, list) and (shape.items or shape.rows):
            return self.row(data, shape, path)
        if isinstance(data, str | int | float):
            return self.scalar(data, shape, path)
        raise Misfit(path, f"{what(data)} is given; {wanted(shape)}")

    def scalar(self, data: Any, shape: Shape, path: Path) -> Any:
        """A text, a number, or a truth."""
        if isinstance(data, bool):
            if not shape.yes_no:
                raise Misfit(path, f"{'true' if data else 'false'} is given; {wanted(shape)}")
            return data
        if isinstance(data, int | float):
            if not (shape.number or shape.rows or (shape.whole and isinstance(data, int))):
                quote = f" (a name is a text: write '{data}')" if shape.text else ""
                raise Misfit(path, f"{data} is given; {wanted(shape)}{quote}")
            return data
        if data in shape.words:
            return data
        if shape.classes and data in {**shape.types, **shape.makers}:
            return self.thing(data, shape, path)
        if shape.path:
            return self.file(data, path)
        if shape.text and not (shape.number and shape.unit is not None and is_quantity(data)):
            return data
        if shape.words:
            raise Misfit(path, f"{data!r} is given; {did_you_mean(data, shape.words)}")
        if (shape.number or shape.rows) and data.lower() in INFINITE:
            return INFINITE[data.lower()]
        if (shape.expression or shape.rows) and not is_quantity(data):
            return data
        if shape.number or shape.rows:
            return self.quantity(data, shape.unit, path)
        raise Misfit(path, f"{data!r} is given; {wanted(shape)}")

    def quantity(self, text: str, unit: Unit | None, path: Path) -> float:
        """A number with a unit."""
        if unit is not None and self.per_area:
            unit = unit.per_area()
        try:
            return self._of_coordinate(text, unit, path) if unit and unit.displacement else in_si(text, _name(unit))
        except ModelError as error:
            raise Misfit(path, str(error)) from None

    def _of_coordinate(self, text: str, unit: Unit, path: Path) -> float:
        """A number of a coordinate, which only the whole mechanism knows to be an angle or a displacement."""
        try:
            number, self.coordinates[path] = in_si(text, unit.name), "angle"
        except ModelError:
            number, self.coordinates[path] = in_si(text, unit.displacement), "displacement"
        return number

    def row(self, data: list[Any], shape: Shape, path: Path) -> Any:
        """A list: of these items, or of whatever numbers the type itself checks."""
        if shape.rows or shape.any_count:
            inner = shape if shape.rows else shape.items[0]
            return tuple(self.value(part, inner, (*path, k)) for k, part in enumerate(data))
        if len(data) != len(shape.items):
            raise Misfit(path, f"a list of {len(data)} is given; {wanted(shape)}")
        made = [
            self.value(part, inner, (*path, k)) for k, (part, inner) in enumerate(zip(data, shape.items, strict=True))
        ]
        return ScalarFirst(made) if shape.quaternion else tuple(made)

    def turn(self, data: dict[str, Any], path: Path) -> ScalarFirst:
        """A rotation by an angle about an axis, as a quaternion."""
        for name in data:
            if name not in ("axis", "angle"):
                raise Misfit((*path, name), f"a rotation has no {name!r}; give axis: [x, y, z] and angle:")
        angle = float(self.value(data["angle"], ANGLE, (*path, "angle")))
        axis = self.value(data.get("axis"), AXIS, (*path, "axis"))
        length = math.hypot(*axis)
        if not 0.0 < length < math.inf or not math.isfinite(angle):
            raise Misfit(path, f"axis is {axis}, angle {angle}; give a direction such as [0, 0, 1] and a finite angle")
        s = math.sin(0.5 * angle) / length
        return ScalarFirst((math.cos(0.5 * angle), *(s * x for x in axis)))

    def file(self, name: str, path: Path) -> FilePath:
        """A file beside the model or in a folder below it."""
        if self.folder is None:
            raise Misfit(path, f"{name!r} is a file; files are read from model files only")
        try:
            whole = (self.folder / name).resolve()
        except (OSError, ValueError, RuntimeError):  # null bytes, loops of links
            raise Misfit(path, f"{name!r} is no name of a file") from None
        if FilePath(name).is_absolute() or not whole.is_relative_to(self.folder.resolve()):
            raise Misfit(path, f"{name!r} is outside the folder of the model; put the file beside the model")
        return whole

    def thing(self, data: Any, shape: Shape, path: Path) -> Any:
        """An object of the type that the data name, or what a function of that name makes."""
        if isinstance(data, str) and data in self._named(shape) and path[0] != "models":
            return self.thing(self.models[data], shape, ("models", data))
        given = {TYPE: data} if isinstance(data, str) else data
        known: dict[str, Callable[..., Any]] = {**shape.types, **shape.makers}
        name = given.get(TYPE)
        if name is None and shape.usual is not None:
            kind: Callable[..., Any] = shape.usual
        elif name is None:
            raise Misfit(path, f"which {family(shape)}? give type: {listed(known)}")
        elif not isinstance(name, str) or name not in known:
            at = (*path, TYPE) if isinstance(data, dict) else path
            raise Misfit(at, f"no {family(shape)} {name!r}; {nearest(name, [*known, *self._named(shape)])}")
        else:
            kind = known[name]
        return self.made(kind, name or kind.__name__, given, path)

    def _named(self, shape: Shape) -> list[str]:
        return list(self.models) if "Ideal" in shape.types else []

    def made(self, kind: Callable[..., Any], label: str, data: dict[str, Any], path: Path) -> Any:
        """Call a type or a function with the fields in the data."""
        arguments = self.arguments(kind, label, data, path)
        try:
            made = kind(**arguments)
        except Misfit:
            raise
        except ModelError as error:
            raise placed(error, label, data, path) from None
        except WRONG as error:
            raise Misfit(path, f"{label} cannot be made of these fields ({error})") from None
        for name in arguments if dataclasses.is_dataclass(kind) else ():
            _keep_bits(made, name, arguments[name])
        return made

    def arguments(
        self, kind: Callable[..., Any], label: str, data: dict[str, Any], path: Path, without: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """The fields of a type or a function that the data give, checked; all that it needs are there."""
        known = {name: each for name, each in fields(kind).items() if name not in without}
        for name in data:
            if name not in known and name != TYPE:
                raise Misfit((*path, name), f"{label} has no field {name!r}; {nearest(name, known)}")
        for name, each in known.items():
            if name not in data and each.default is REQUIRED:
                raise Misfit(path, f"{label} needs {name}; {wanted(each.shape)}")
        found, outside = {}, self.per_area
        for name, each in known.items():
            if name in data:
                self.per_area = outside or each.per_area
                found[name] = self.value(data[name], _settled(each, data, known), (*path, name))
                self.per_area = outside
        return found


def _name(unit: Unit | None) -> str:
    return unit.name if unit else ""


def _settled(each: Field, data: dict[str, Any], known: dict[str, Field]) -> Shape:
    """A shape whose unit holds here: where its power is another field, with the power."""
    shape = each.shape
    if shape.unit is not None and "^exponent" in shape.unit.name:
        power = data.get("exponent", known["exponent"].default)
        if isinstance(power, int | float) and 0.0 < power < 10.0:
            return dataclasses.replace(shape, unit=Unit(shape.unit.name.replace("exponent", f"{float(power):.3g}")))
    return shape


def _keep_bits(made: Any, name: str, given: Any) -> None:
    """A direction or quaternion that is of length one already: as it was, not normalised once more."""
    kept = getattr(made, name, None)
    if not (isinstance(kept, tuple) and isinstance(given, tuple) and len(kept) == len(given) > 0):
        return
    if all(isinstance(x, float) for x in (*kept, *given)):
        moved = max(abs(a - b) for a, b in zip(kept, given, strict=True))
        if 0.0 < moved <= ROUNDING:
            object.__setattr__(made, name, type(kept)(given))


def _mapping(data: Any, path: Path) -> dict[str, Any]:
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise Misfit(path, f"{what(data)} is given; give names, each with its description below it")
    return data
