"""The JSON Schema of model files: editors complete, check and explain with it what the library's own types say."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from gudgeon.files.kinds import REQUIRED, Field, Shape, fields, simulate, types
from gudgeon.files.made import ANGLE, AXIS
from gudgeon.files.model_file import FORMAT, NOT_ASKED
from gudgeon.files.places import TYPE
from gudgeon.files.quantity_text import NUMBER

DRAFT = "https://json-schema.org/draft/2020-12/schema"
QUANTITY = {
    "description": "A number with its unit, such as 9.9 mm, 400 cP, 207 GPa, 5000 rpm, 15 deg",
    "type": "string",
    "pattern": rf"^(\s*{NUMBER}\s*[^\d\s].*|[-+]?\.inf)$",
}


def schema() -> dict[str, Any]:
    """The schema, as plain data.

    >>> schema()["required"]
    ['bodies']
    """
    written = _Schema()
    found = written.object("A mechanism", fields(types()["System"]).values(), comments(types()["System"]))
    found["properties"] |= {
        "format": {"const": FORMAT},
        "models": {
            "description": "Models of joints by name, for joints that say model: name",
            "type": "object",
            "additionalProperties": written.value(fields(types()["Revolute"])["model"].shape),
        },
        "run": written.object(
            "How to run it: the arguments of gd.simulate",
            [field for name, field in fields(simulate()).items() if name not in NOT_ASKED],
        ),
    }
    return {"$schema": DRAFT, "title": "gudgeon model file", **found, "$defs": written.definitions}


class _Schema:
    """Collects the definitions of the types that are reached."""

    def __init__(self):
        self.definitions: dict[str, Any] = {"quantity": QUANTITY}

    def object(
        self, description: str, known: Iterable[Field], comments: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """A mapping of these fields."""
        properties, required = {}, []
        for field in known:
            told = {"description": comments[field.name]} if comments and field.name in comments else {}
            properties[field.name] = {**told, **self.value(field.shape)}
            if field.default is REQUIRED:
                required.append(field.name)
        return {
            "description": description,
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    def value(self, shape: Shape) -> dict[str, Any]:
        """What a field takes."""
        takes: list[dict[str, Any]] = []
        if shape.words:
            takes.append({"enum": list(shape.words)})
        takes += self.things(shape)
        if shape.named is not None:
            takes += [{"type": "object", "additionalProperties": self.value(shape.named)}, {"type": "null"}]
        if shape.number or shape.whole:
            takes.append({"type": "number" if shape.number else "integer"})
        if shape.number and shape.unit is not None and not shape.expression:
            takes.append({"$ref": "#/$defs/quantity"})
        if shape.expression or shape.text or shape.path:
            takes.append({"type": "string"})
        if shape.yes_no:
            takes.append({"type": "boolean"})
        if shape.items:
            takes.append(self.row(shape))
        if shape.quaternion:
            turn = {"axis": self.value(AXIS), "angle": self.value(ANGLE)}
            takes.append({"type": "object", "properties": turn, "required": [*turn], "additionalProperties": False})
        if shape.rows:
            takes.append({"type": ["array", "number", "string"]})
        if shape.none:
            takes.append({"type": "null"})
        return takes[0] if len(takes) == 1 else {"anyOf": takes}

    def row(self, shape: Shape) -> dict[str, Any]:
        """A list of items."""
        if shape.any_count:
            return {"type": "array", "items": self.value(shape.items[0])}
        items = [self.value(item) for item in shape.items]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}

    def things(self, shape: Shape) -> list[dict[str, Any]]:
        """The types it takes, each by reference; those that need no fields by name too."""
        takes: list[dict[str, Any]] = []
        known = {**shape.types, **shape.makers}
        bare = [name for name, kind in known.items() if all(f.default is not REQUIRED for f in fields(kind).values())]
        if bare:
            takes.append({"enum": bare})
        if "Ideal" in known:
            takes.append({"type": "string", "description": "The name of a model under models:"})
        keys = {kind: key for key, kind in types().items()}
        for name, kind in known.items():
            key = keys.get(kind, name) if isinstance(kind, type) else name
            reference = {"$ref": f"#/$defs/{key}"}
            takes.append(reference if kind is shape.usual else {**reference, "required": [TYPE]})
            if key not in self.definitions:
                self.definitions[key] = {}  # types may hold each other
                self.definitions[key] = self.definition(name, kind)
        return takes

    def definition(self, name: str, kind: Callable[..., Any]) -> dict[str, Any]:
        """A type, or a function that makes one."""
        doc = (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
        found = self.object(doc, fields(kind).values(), comments(kind))
        found["properties"] = {TYPE: {"const": name}, **found["properties"]}
        return found


@cache
def comments(kind: Callable[..., Any]) -> dict[str, str]:
    """What the source says of each field, behind it."""
    owners = reversed(kind.__mro__[:-1]) if inspect.isclass(kind) else [kind]
    found: dict[str, str] = {}
    for owner in owners:
        found |= dict(re.findall(r"^    (\w+): [^#\n]*# (.*)$", inspect.getsource(owner), re.MULTILINE))
    return found
