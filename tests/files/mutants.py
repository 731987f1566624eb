"""Model files with random changes: letters, words, lines and numbers, as a slip of the hand or malice leaves them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import gudgeon as gd

WORDS = [
    "~",
    "[]",
    "{}",
    "''",
    "-1",
    "1e999",
    ".nan",
    "'9 mm'",
    "true",
    "x",
    "[[1, 2], 3]",
    "{type: Ideal}",
    "1 N*m",
    "t",
    "0",
]
FOLDER = Path(gd.examples.__file__).parent


def mutants(count: int, seed: int) -> Iterator[str]:
    """So many texts, each an example with one to three changes."""
    draw = random.Random(seed)
    texts = [path.read_text() for path in sorted(FOLDER.glob("*.yaml"))]
    for _ in range(count):
        text = draw.choice(texts)
        for _ in range(draw.randint(1, 3)):
            text = draw.choice((_letter, _word, _line, _moved_line, _name))(text, draw)
        yield text


def _letter(text: str, draw: random.Random) -> str:
    k = draw.randrange(len(text))
    return text[:k] + draw.choice(["", ":", "{", "]", "'", "-", " ", "\t", "\x01", "ß", "9"]) + text[k + 1 :]


def _word(text: str, draw: random.Random) -> str:
    """The value of an entry."""
    places = [k for k in range(len(text) - 1) if text[k : k + 2] == ": "]
    k = draw.choice(places) + 2
    ends = [end for end in (text.find(mark, k) for mark in (",", "}", "\n", "]")) if end > 0]
    return text[:k] + draw.choice(WORDS) + text[min(ends) :]


def _name(text: str, draw: random.Random) -> str:
    """One word for another of the same file."""
    words = [word for word in text.replace(":", " ").replace(",", " ").split() if word.isidentifier()]
    return text.replace(draw.choice(words), draw.choice(words), draw.choice([1, -1]))


def _line(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    del lines[draw.randrange(len(lines))]
    return "\n".join(lines)


def _moved_line(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    lines.insert(draw.randrange(len(lines)), lines.pop(draw.randrange(len(lines))))
    return "\n".join(lines)
