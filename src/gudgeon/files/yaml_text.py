"""YAML as model files use it: mappings, lists, texts and numbers, and the line of each; nothing else, not without end.

Tags, anchors and aliases are refused, so that no text stands for more than it shows or for code. Words are read as in
YAML 1.2: 1e-3 is a number, yes and on are texts. JSON is a subset.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from gudgeon.errors import ModelError

Path = tuple[str | int, ...]  # of keys and places in lists

MOST_BYTES = 16_000_000
MOST_ENTRIES = 500_000
DEEPEST = 40
LONGEST_NUMBER = 100  # letters
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # not allowed in YAML as they are, or line ends
WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
INFINITE = {".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf, ".nan": math.nan}


class Misfit(ModelError):
    """What is wrong at a place of a model file; the place is said by whoever knows the file."""

    def __init__(self, path: Path, message: str):
        super().__init__(message)
        self.path = path


def plain_value(word: str) -> Any:
    """What a word without quotes stands for.

    >>> plain_value("1e-3"), plain_value("yes"), plain_value("~")
    (0.001, 'yes', None)
    """
    if word in WORDS or word.lower() in INFINITE:
        return WORDS[word] if word in WORDS else INFINITE[word.lower()]
    if len(word) <= LONGEST_NUMBER and _NUMBER.fullmatch(word):
        return int(word) if word.lstrip("+-").isdigit() else float(word)
    return word


def read_yaml(text: str) -> tuple[Any, dict[Path, int]]:
    """The content of a text, and the line of every entry, counted from 1; Misfit says what cannot be read.

    >>> read_yaml("at: [0, 1e-3]")
    ({'at': [0, 0.001]}, {(): 1, ('at',): 1, ('at', 0): 1, ('at', 1): 1})
    """
    import yaml

    reader = _Reader()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    reader.events = yaml.parse(text, Loader=loader)
    try:
        return reader.document(), reader.lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 1
        reader.lines[()] = line
        column = "" if mark is None else f" at column {mark.column + 1}"
        problem = f"this is not YAML: {error.problem or error.context}{column}"
        lines = text.splitlines()
        if line <= len(lines) and lines[line - 1].lstrip(" ").startswith("\t"):
            problem = "this line begins with a tab; YAML wants spaces, two for each level"
        raise _With(reader.lines, (), problem) from None
    except yaml.YAMLError as error:
        raise _With({(): 1}, (), f"this is not YAML: {str(error).splitlines()[0]}") from None
    except Misfit as error:
        raise _With(reader.lines, error.path, str(error)) from None


class _With(Misfit):
    """A Misfit of a text that is not read to its end, with the lines so far."""

    def __init__(self, lines: dict[Path, int], path: Path, message: str):
        super().__init__(path, message)
        self.lines = lines


class _Reader:
    """Builds the content from the parser's events, one after the other."""

    events: Any

    def __init__(self):
        self.lines: dict[Path, int] = {}

    def document(self) -> Any:
        """The only document of the text."""
        content = None
        documents = 0
        for event in self.events:
            if _kind(event) == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    self.lines[()] = event.start_mark.line + 1
                    raise Misfit((), "a second document begins here (---); give one mechanism in each file")
                content = self.value(next(self.events), ())
        return content

    def value(self, event: Any, path: Path) -> Any:
        """The content that begins with this event."""
        line = event.start_mark.line + 1
        self.lines[path] = line
        if len(self.lines) > MOST_ENTRIES:
            raise Misfit(
                path, f"the file has more than {MOST_ENTRIES} entries; keep large surfaces in files of their own"
            )
        if len(path) > DEEPEST:
            raise Misfit(path[:3], f"entries are nested more than {DEEPEST} deep; no mechanism needs that")
        kind = _kind(event)
        if kind == "AliasEvent" or event.anchor is not None:
            raise Misfit(path, "anchors (&) and aliases (*) are not read; name a model under models: to use it twice")
        if event.tag is not None and event.tag != "!":
            raise Misfit(path, f"the tag {event.tag!r} is not read; give plain texts, numbers, lists and mappings")
        if kind == "ScalarEvent":
            return plain_value(event.value) if event.implicit[0] else event.value
        if kind == "SequenceStartEvent":
            items: list[Any] = []
            while _kind(event := next(self.events)) != "SequenceEndEvent":
                items.append(self.value(event, (*path, len(items))))
            return items
        return self.mapping(path, line)

    def mapping(self, path: Path, line: int) -> dict[str, Any]:
        """Keys are texts, whatever they look like."""
        found: dict[str, Any] = {}
        while _kind(event := next(self.events)) != "MappingEndEvent":
            if _kind(event) != "ScalarEvent":
                self.lines[path] = event.start_mark.line + 1
                raise Misfit(path, "a key is a list or a mapping; keys are names")
            key, line = event.value, event.start_mark.line + 1
            if event.tag is not None or event.anchor is not None or key == "<<":
                self.lines[path] = line
                raise Misfit(path, "tags, anchors and merge keys are not read; give plain names")
            if key in found:
                self.lines[(*path, key)] = line
                raise Misfit((*path, key), f"the name {key!r} is used twice; names must be unique")
            found[key] = self.value(next(self.events), (*path, key))
            self.lines[(*path, key)] = line
        return found


def _kind(event: Any) -> str:
    return type(event).__name__


def written_yaml(data: Any) -> str:
    """Plain data as YAML that reads back to the same, lists of numbers in one line.

    >>> print(written_yaml({"at": [0.0, 0.001], "name": "1e3"}), end="")
    at: [0.0, 0.001]
    name: '1e3'
    """
    import yaml

    class Dumper(yaml.SafeDumper):
        """Texts that would be read as something else get quotes."""

        def ignore_aliases(self, data: Any) -> bool:
            """Equal parts are written twice."""
            return True

    def text(dumper: Dumper, value: str) -> Any:
        quotes = '"' if not value.isprintable() else None if isinstance(plain_value(value), str) else "'"
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=quotes)

    def number(dumper: Dumper, value: float) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:float", shown_number(value))

    Dumper.add_representer(str, text)
    Dumper.add_representer(float, number)
    return yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)


def shown_number(value: float) -> str:
    """A number as text that reads back to the same bits."""
    if math.isfinite(value):
        digits, sign, power = repr(value).partition("e")
        return digits + (".0" if sign and "." not in digits else "") + sign + power  # 2.0e-05: YAML 1.1 too has a point
    return ".nan" if math.isnan(value) else ".inf" if value > 0.0 else "-.inf"


def written_json(data: Any, indent: int | None = 2) -> str:
    """Plain data as JSON; numbers that JSON lacks are the texts that YAML has for them."""
    text = json.dumps(_finite(data), ensure_ascii=False, indent=indent, allow_nan=False)
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)  # within texts only: all else is ASCII


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    return shown_number(data) if isinstance(data, float) and not math.isfinite(data) else data
