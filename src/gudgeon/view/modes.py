"""A picture of vibration modes: how far every body moves and turns in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.linearization import Linearization


def mode_bars(linearization: Linearization, modes: int) -> Figure:
    """One panel per mode, bars per body: translation and rotation of the mode shape (largest component 1)."""
    from matplotlib.figure import Figure

    if number("plot", "modes", modes) < 1:
        raise ModelError(f"plot: modes is {modes}; draw one mode or more")
    shapes = linearization.mode_shapes
    count = min(int(modes), shapes.sizes["mode"])
    names = [str(name) for name in shapes.body.values]
    place = np.arange(len(names))
    figure = Figure(figsize=(2.0 + 0.9 * max(4, min(len(names), 12)), 0.6 + 1.3 * count), layout="constrained")
    figure.suptitle(f"Modes of {linearization.system.name}")
    panels = figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0]
    for k, axes in enumerate(panels):
        shape = shapes[k].values
        phase = np.where(np.abs(shape.real) >= np.abs(shape.imag), np.sign(shape.real), np.sign(shape.imag))
        signed = phase * np.abs(shape)
        for first, label, offset, colour in ((0, "moves [m]", -0.2, "tab:blue"), (3, "turns [rad]", 0.2, "tab:orange")):
            part = signed[:, first : first + 3]
            length = np.linalg.norm(part, axis=1)
            sign = np.sign(part[place, np.argmax(np.abs(part), axis=1)])
            axes.bar(place + offset, sign * length, width=0.38, color=colour, label=label)
        axes.axhline(0.0, color="black", linewidth=0.6)
        axes.grid(axis="y", alpha=0.3)
        frequency, ratio = float(shapes.natural_frequency[k]), float(shapes.damping_ratio[k])
        axes.set_title(f"{frequency:.4g} Hz, damping ratio {ratio:.3g}", fontsize="small", loc="left")
    panels[0].legend(fontsize="small", ncols=2, loc="lower right", bbox_to_anchor=(1.0, 1.0), frameon=False)
    panels[-1].set_xticks(place, names)
    return figure
