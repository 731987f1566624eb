"""Model files grown at random from what the types take: every type and field is reached; most values fit."""

from __future__ import annotations

import random
from typing import Any

from gudgeon.files.kinds import REQUIRED, Field, Shape, fields, simulate, types
from gudgeon.files.model_file import NOT_ASKED
from gudgeon.files.yaml_text import written_yaml

NUMBERS = (0.0, 1.0, -1.0, 0.5, 2, 3, 1e-3, 1e9, -1e300, 1e-300, float("inf"), float("nan"), 10**30)
TEXTS = ("", "t", "x", "a.b", "sin(t)", "1/t", "9 mm", "5 rpm", "-3 N*m", "3 bananas", "bob", "ground", "pin", "\u2028")
ODD = (None, True, [], {}, [[]], [1, 2, 3], "Ideal", {"type": "Ideal"}, {"type": "Body"}, -1, 1e400, "~", [None] * 3)
SANE = (0.01, 0.02, 0.5, 1.0, 1.0, 2.0, 5.0, 100, 1e6)
NAMES = ("ground", "bob", "rod", "pin", "hook", "film", "tip")
DEEPEST = 6


class Grower:
    """Draws entries of a file."""

    def __init__(self, seed: int):
        self.draw = random.Random(seed)
        self.fits = self.draw.choice((1.0, 1.0, 0.99, 0.9))  # how often a value is of the kind that a field takes
        self.sane = self.draw.choice((1.0, 0.97, 0.7))  # how often a number is an ordinary one

    def file(self) -> str:
        """A whole file, as text."""
        known = fields(types()["System"])
        body = {"mass": 1.0, "inertia": [1.0, 1.0, 1.0]}
        data: dict[str, Any] = {"bodies": {"bob": body, "rod": {**body, "position": [1.0, 0.0, 0.0]}}}
        data["joints"] = {"pin": {"type": "Revolute", "parent": "ground", "child": "bob", "at": [0.0, 0.0, 0.0]}}
        for name in self.draw.sample([*known], self.draw.randint(1, 2)):
            grown = self.value(known[name].shape, 0)
            both = isinstance(grown, dict) and isinstance(data.get(name), dict)
            data[name] = {**data[name], **grown} if both else grown
        if self.draw.random() < 0.3:
            run = {name: field for name, field in fields(simulate()).items() if name not in NOT_ASKED}
            data["run"] = self.arguments(run, 0)
        if self.draw.random() < 0.3:
            data["models"] = {"pin": self.value(fields(types()["Revolute"])["model"].shape, 1)}
        return written_yaml(data)

    def arguments(self, known: dict[str, Field], depth: int) -> dict[str, Any]:
        """Fields of a type: those that it needs, and some."""
        found = {}
        for name, field in known.items():
            wanted = field.default is REQUIRED or self.draw.random() < 0.25
            if wanted and self.draw.random() <= self.fits:
                found[name] = self.value(field.shape, depth + 1)
        if self.draw.random() > self.fits + 0.08:
            found[self.draw.choice(TEXTS)] = self.draw.choice(ODD)
        return found

    def value(self, shape: Shape | None, depth: int) -> Any:
        """What a field gets."""
        draw = self.draw
        if shape is None or draw.random() > self.fits:
            return draw.choice((*ODD, *NUMBERS, *TEXTS))
        ways = [
            way for way in (self.thing, self.named, self.row, self.scalar) if way is not self.thing or depth < DEEPEST
        ]
        draw.shuffle(ways)
        for way in ways:
            if (made := way(shape, depth)) is not None:
                return made
        return draw.choice((*NUMBERS, *TEXTS))

    def thing(self, shape: Shape, depth: int) -> Any:
        """An object of a type that fits, or the name of one."""
        known = {**shape.types, **shape.makers}
        if not known:
            return None
        name = self.draw.choice(list(known))
        if self.draw.random() < 0.05:
            return name
        return {"type": name, **self.arguments(fields(known[name]), depth)}

    def named(self, shape: Shape, depth: int) -> Any:
        """A mapping from names."""
        if shape.named is None:
            return None
        names = self.draw.sample(NAMES[4:], self.draw.randint(1, 2))
        return {name: self.value(shape.named, depth + 1) for name in names}

    def row(self, shape: Shape, depth: int) -> Any:
        """A list."""
        draw = self.draw
        if shape.rows:
            rows = [[draw.choice(SANE) for _ in range(3)] for _ in range(draw.randint(1, 4))]
            return draw.choice((rows, rows[0], [rows, rows]))
        if not shape.items:
            return None
        items = list(shape.items) * (draw.randint(0, 4) if shape.any_count else 1)
        return [self.value(item, depth + 1) for item in items]

    def scalar(self, shape: Shape, depth: int) -> Any:
        """A number, a word, a name."""
        draw = self.draw
        if shape.words and draw.random() < 0.7:
            return draw.choice(shape.words)
        if shape.number or shape.whole or shape.rows:
            plain = draw.choice(SANE if draw.random() <= self.sane else NUMBERS)
            return f"{draw.choice((1, 2.5, 3e6))} {shape.unit.name}" if shape.unit and draw.random() < 0.3 else plain
        if shape.text or shape.expression:
            return draw.choice(NAMES[:4] if draw.random() <= self.sane else (*NAMES, *TEXTS))
        return (
            draw.random() < 0.5
            if shape.yes_no
            else draw.choice(("part.stl", "part.msh", "t.csv"))
            if shape.path
            else None
        )


def grown(seed: int) -> str:
    """The file of a seed."""
    return Grower(seed).file()
