"""Vibration modes as a table, and as a picture: how far every body moves and turns in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.linearization import Linearization

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
        "  mode  natural [Hz]  damped [Hz]  damping ratio  eigenvalue [1/s]       moves most",
    ]
    names = list(small.system.bodies)
    most = np.argmax(np.abs(small.mode_shapes.values).max(axis=2).round(9), axis=1)
    columns = (small.natural_frequencies, small.damped_frequencies, small.damping_ratios, small.mode_eigenvalues)
    for k, (natural, damped, ratio, value) in enumerate(zip(*columns, strict=True)):
        shown = f"{value.real:+.4g}" if value.imag == 0.0 else f"{value.real + 0.0:+.3f} ± {value.imag:.4g}i"
        numbers = f"{natural:12.6g}  {damped:11.6g}  {round(ratio, 4) + 0.0:13.4f}"
        lines.append(f"  {k:4d}  {numbers}  {shown:21s}  {names[most[k]]}")
    return "\n".join(lines)


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
        real, imaginary = np.real(shape), np.imag(shape)
        signed = np.abs(shape) * np.sign(np.where(np.abs(real) >= np.abs(imaginary), real, imaginary))
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
