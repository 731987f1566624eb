"""HTML of plain text: every text is escaped here, nowhere else is markup made of what a model says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

SHORT = 12  # rows of a table that stays on one page


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def text(value: object) -> Html:
    """A value as text of a page.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    return value if isinstance(value, Html) else Html(escape(str(value)))


def element(tag: str, *content: object, **attributes: str) -> Html:
    """An element; names of attributes end in an underscore where Python has the word.

    >>> element("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    shown = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in attributes.items())
    return Html(f"<{tag}{shown}>{''.join(text(x) for x in content)}</{tag}>")


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> Html:
    """A table; columns of numbers stand to the right."""
    rows = [list(row) for row in rows]
    is_number = [
        bool(rows) and all(isinstance(row[k], Number) or row[k] == "" for row in rows) for k in range(len(head))
    ]

    def line(tag: str, cells: Sequence[object]) -> Html:
        return element(
            "tr",
            *(
                element(tag, cell, class_="number") if right else element(tag, cell)
                for cell, right in zip(cells, is_number, strict=True)
            ),
        )

    body = element("tbody", *(line("td", row) for row in rows))
    kind = "wide short" if len(rows) <= SHORT else "wide"
    return element("div", element("table", element("thead", line("th", head)), body), class_=kind)


class Number(str):
    """A number as text."""

    __slots__ = ()


def number(value: float, digits: int = 4) -> Number:
    """A number as it is read, "" for what is not told.

    >>> number(0.000123456), number(float("nan"))
    ('0.0001235', '')
    """
    return Number(f"{value:.{digits}g}".replace("e-0", "e-").replace("e+0", "e") if np.isfinite(value) else "")


def facts(pairs: Iterable[tuple[str, object]]) -> Html:
    """Names and what they are, one below the other; what is empty is left out."""
    cells = [element("dt", name) + element("dd", value) for name, value in pairs if value not in ("", None)]
    return element("dl", Html("".join(cells)))
