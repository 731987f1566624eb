"""One page that shows what happened: motion, joint coordinates, efforts, forces, real joints from inside, energy."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gudgeon.view.choice import chosen
from gudgeon.view.panels import Shown, panels_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.results.result import Result

FEW = 8  # panels that stand in two columns
PANEL = (5.0, 2.6)  # width and height [inch]


def overview(result: Result, bodies: Iterable[str] | None = None, joints: Iterable[str] | None = None) -> Figure:
    """A figure with a panel for every quantity that this result has; see `Result.plot`."""
    from matplotlib.figure import Figure

    choice = chosen(result, bodies, joints)
    shown = Shown(result.data, result.events, choice)
    over_time, over_space = panels_of(shown)
    count = len(over_time) + 2 * len(over_space)  # those over space are two rows high
    columns = 2 if count <= FEW else 3
    rows = -(-count // columns)
    figure = Figure(figsize=(columns * PANEL[0], rows * PANEL[1] + 0.6), layout="constrained")
    figure.suptitle(str(result.data.attrs.get("system", "")), fontsize="x-large")
    grid = figure.add_gridspec(rows, columns)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    for k, panel in enumerate(over_space):  # at the right end, from below
        row = rows - 2 * (k + 1)
        cells = [cell for cell in cells if cell not in ((row, columns - 1), (row + 1, columns - 1))]
        panel(_axes(figure, grid[row : row + 2, columns - 1]), shown)
    first = None
    cells = cells[: len(over_time)]
    for (row, column), panel in zip(cells, over_time, strict=True):
        axes = _axes(figure, grid[row, column], sharex=first)
        first = first or axes
        panel(axes, shown)
        for time in result.singularities["time"]:
            axes.axvline(time, color="gray", linestyle=":", linewidth=1.0)
        if (row + 1, column) in cells:
            axes.tick_params(labelbottom=False)
        else:
            axes.set_xlabel("time [s]")
    notes = [choice.note] if choice.note else []
    if len(result.singularities):
        notes.append("Dotted lines: singular positions.")
    if notes:
        figure.supxlabel("\n".join(textwrap.wrap("  ".join(notes), 62 * columns)), fontsize="small")
    return figure


def _axes(figure: Figure, place: Any, **options: Any) -> Any:
    axes = figure.add_subplot(place, **options)
    axes.grid(alpha=0.3)
    return axes
