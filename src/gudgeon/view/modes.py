"""Vibration modes as a table, and as a picture: how far every body moves and turns in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.analysis.linearize import Linearization

COLOURS = ("#08306b", "#2171b5", "#9ecae1", "#7f2704", "#d94801", "#fdae6b")  # of x, y, z, rx, ry, rz
AT_REST = 1e-6  # force that is none, of √(mass · stiffness) times 1 m/s or rad/s


def mode_table(linearization: Linearization) -> str:
    """One line per mode."""
    small, count = linearization, linearization.freedoms
    scale = np.sqrt(np.abs(np.diag(small.mass)) * np.abs(np.diag(small.stiffness))).max(initial=1e-12)
    at_rest = not np.any(small.rates) and np.all(np.abs(small.force) <= AT_REST * scale)
    about = "about an equilibrium" if at_rest else "about a state that is no equilibrium"
    pairs = ", ".join(f"{c} [{u}]" for c, u in zip(small.coordinates, small.units, strict=True))
    lines = [
        f"{small.system.name} at t = {small.time:g} s: {count} freedom{'s' * (count != 1)}, {about}",
        f"  coordinates  {pairs}",
        *([f"  controllers  {', '.join(small.controller_states)}"] if small.controller_states else []),
        "  mode  natural [Hz]  damped [Hz]  damping ratio  eigenvalue [1/s]       moves most",
    ]
    shapes = np.abs(small.mode_shapes.values).reshape(len(small.natural_frequencies), -1)
    most = [f"{body}.{c}" for body in small.system.bodies for c in small.mode_shapes.component.values]
    columns = (small.natural_frequencies, small.damped_frequencies, small.damping_ratios, small.mode_eigenvalues)
    for k, (natural, damped, ratio, value) in enumerate(zip(*columns, strict=True)):
        shown = f"{value.real:+.4g}" if value.imag == 0.0 else f"{value.real + 0.0:+.3f} ± {value.imag:.4g}i"
        numbers = f"{natural:12.6g}  {damped:11.6g}  {round(ratio, 4) + 0.0:13.4f}"
        name = most[int(np.argmax(shapes[k].round(9)))] if shapes[k].any() else small.controller_states[0]
        lines.append(f"  {k:4d}  {numbers}  {shown:21s}  {name}")
    return "\n".join(lines)


def mode_bars(linearization: Linearization, modes: int) -> Figure:
    """One panel per mode, bars for every body: the components of the mode shape, the largest 1."""
    from matplotlib.figure import Figure

    if number("plot", "modes", modes) < 1:
        raise ModelError(f"plot: modes is {modes}; draw one mode or more")
    shapes = linearization.mode_shapes
    count = min(int(modes), shapes.sizes["mode"])
    names = [str(name) for name in shapes.body.values]
    components = [str(name) for name in shapes.component.values]
    place = np.arange(len(names))
    figure = Figure(figsize=(3.5 + 1.5 * max(2, min(len(names), 8)), 1.0 + 1.2 * count), layout="constrained")
    figure.suptitle(f"Modes of {linearization.system.name}")
    panels = figure.subplots(count, 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for k, axes in enumerate(panels):
        real, imaginary = np.real(shapes[k].values), np.imag(shapes[k].values)
        signed = np.hypot(real, imaginary) * np.sign(np.where(np.abs(real) >= np.abs(imaginary), real, imaginary))
        for c, (name, colour) in enumerate(zip(components, COLOURS, strict=True)):
            unit = "rad" if name.startswith("r") else "m"
            axes.bar(place + (c - 2.5) * 0.14, signed[:, c], width=0.13, color=colour, label=f"{name} [{unit}]")
        axes.axhline(0.0, color="black", linewidth=0.6)
        axes.set_ylim(-1.15, 1.15)
        axes.grid(axis="y", alpha=0.3)
        frequency, ratio = float(shapes.natural_frequency[k]), float(shapes.damping_ratio[k])
        axes.set_title(f"{frequency:.4g} Hz, damping ratio {ratio:.3g}", fontsize="small", loc="left")
    panels[-1].set_xticks(place, names)
    figure.legend(*panels[0].get_legend_handles_labels(), fontsize="small", ncols=6, loc="outside lower center")
    return figure
