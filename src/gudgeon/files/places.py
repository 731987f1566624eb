"""Where in a model file a mistake is: what types find for themselves is told at the entry that it is about."""

from __future__ import annotations

import re
from typing import Any

from gudgeon.errors import ModelError
from gudgeon.files.yaml_text import Misfit, Path

TYPE = "type"
SECTIONS = ("joints", "loads", "drives", "interfaces", "bodies", "start")


def placed(error: ModelError, label: str, data: dict[str, Any], path: Path) -> Misfit:
    """The error of a type, at the field that it is about: the first that its message names."""
    owner, colon, rule = str(error).partition(": ")
    if not colon or not owner.startswith(label):
        rule = str(error)
    names = [name for name in re.findall(r"\w+", rule) if name in data]
    return Misfit((*path, *names[:1]), rule)


def placed_in_system(error: ModelError, data: dict[str, Any]) -> Misfit:
    """The error of a System, at the part whose name its message begins with, and there at the value that it quotes."""
    found = re.match(r"(\w+) '([^']*)': (.*)", str(error), re.DOTALL)
    if found is None:
        return placed(error, "System", data, ())
    kind, name, rule = found.groups()
    quoted = re.findall(r"'([^']*)'", rule)[:1]
    for section in SECTIONS:
        part = data[section].get(name) if isinstance(data.get(section), dict) else None
        if isinstance(part, dict) and part.get(TYPE, kind) == kind:
            said = [field for field, value in part.items() if isinstance(value, str) and value in quoted]
            return Misfit((section, name, *said[:1]), rule)
    return placed(error, "System", data, ())


def line_of(path: Path, lines: dict[Path, int]) -> int:
    """The line of an entry, or of the nearest entry around it that is in the file."""
    return next((lines[path[:k]] for k in range(len(path), -1, -1) if path[:k] in lines), 1)


def dotted(path: Path) -> str:
    """A path as messages and the command line say it.

    >>> dotted(("loads", "push", "vector", 0))
    'loads.push.vector[0]'
    """
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
