"""One self-contained HTML file: bundle, scene, arrays. What comes from a model is data in it, never markup."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gudgeon.errors import ModelError
from gudgeon.files.disk import write_file
from gudgeon.view.page.bundle import bundle
from gudgeon.view.scene.scene import Scene, scene_of

if TYPE_CHECKING:
    from gudgeon.results.result import Result

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)
LARGEST_FRAME = 12_000_000  # bytes of a page that a notebook keeps within itself


class Page(type(Path())):
    """The path of a page, which a notebook shows."""

    def _repr_html_(self) -> str:
        content = self.read_text(encoding="utf-8")
        style = "width:100%;height:640px;border:0;border-radius:8px"
        if len(content) > LARGEST_FRAME:
            return f'<iframe src="{escape(str(self))}" style="{style}"></iframe>'
        return f'<iframe srcdoc="{escape(content)}" style="{style}" allowfullscreen></iframe>'


def named_results(results: Any) -> dict[str, Result]:
    """Runs by name, of what a user gave."""
    if isinstance(results, Mapping):
        named = {str(name): result for name, result in results.items()}
    else:
        named = {"run": results}
    for name, result in named.items():
        if not hasattr(result, "data") or not hasattr(result, "events"):
            raise ModelError(f"view: {name!r} is a {type(result).__name__}; give a Result, or {{name: Result}}")
    return named


def write_view(results: Any, path: str | Path | None, *, samples: int | None = None) -> Page:
    """The page of these runs, written whole or not at all."""
    named = named_results(results)
    bundle()  # before much is computed
    scene = scene_of(named, samples)
    target = Page(default_path(scene.description["title"]) if path is None else path)
    write_file("view", target, page_of(scene).encode())
    return target


def default_path(title: str) -> str:
    """A name for a file, of what a system is called.

    >>> default_path("Spatial four-bar (dry)")
    'spatial-four-bar-dry.html'
    """
    words = re.findall(r"[a-z0-9]+", title.lower())
    return ("-".join(words)[:80] or "run") + ".html"


def page_of(scene: Scene, options: Mapping[str, str] | None = None) -> str:
    """The text of the page."""
    script, style = bundle()
    title = escape(scene.description["title"] or "gudgeon")
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in (options or {}).items())
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="generator" content="gudgeon">\n<title>{title}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n"
        f'<div id="gudgeon"{data}></div>\n{embedded(scene)}\n<script>{script}</script>\n</body>\n</html>\n'
    )


def embedded(scene: Scene) -> str:
    """Description and arrays as elements that the browser does not run."""
    text = json.dumps(scene.description, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    arrays = base64.b64encode(scene.content).decode()
    return (
        f'<script type="application/json" id="gudgeon-scene">{text}</script>\n'
        f'<script type="text/plain" id="gudgeon-data">{arrays}</script>'
    )
