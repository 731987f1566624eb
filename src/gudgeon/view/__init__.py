"""Pictures of results. Called, it is the viewer: `gd.view({"ideal": a, "dry": b})` writes a page that shows both.

>>> import gudgeon as gd
>>> ideal, dry = (gd.simulate(gd.examples.spatial_four_bar(joint), 0.1, sample=0.01) for joint in ("ideal", "dry"))
>>> gd.view({"ideal": ideal, "dry": dry}, "four-bar.html")  # doctest: +SKIP
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gudgeon.results.result import Result
    from gudgeon.view.page.page import Page


def view(results: Result | Mapping[str, Result], path: str | Path | None = None, *, samples: int | None = None) -> Page:
    """Write one HTML file that shows runs moving, with their plots: of one Result, or of several by name.

    It needs no network and nothing but a browser: orbit, play, scrub, step from contact to contact; plots of every
    variable; forces, traces, contacts, the path of a ball in its socket; several runs side by side or as ghosts.

    path      by default the name of the system, in the current folder
    samples   how many are kept of a motion; by default as many as a screen can show, which the page says

    Returns the path; in Jupyter it shows the page. Raises FileError where it cannot be written, or where the viewer was
    not built when gudgeon was installed.

    >>> import gudgeon as gd
    >>> gd.view(gd.simulate(gd.examples.spatial_four_bar(), 2.0), "four-bar.html")  # doctest: +SKIP
    """
    from gudgeon.view.page.page import write_view

    return write_view(results, path, samples=samples)


class _Callable(ModuleType):
    """A package that can be called: its name is that of the function that users need."""

    __call__ = staticmethod(view)


sys.modules[__name__].__class__ = _Callable
if not TYPE_CHECKING:
    view = sys.modules[__name__]  # gudgeon.view is one thing, whoever asks first
