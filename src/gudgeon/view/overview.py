"""One page that shows what happened: path, speed, joint reactions, energy, constraint residual."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.result import Result

MOST_LINES = 6


def overview(result: Result, bodies: list[str] | None = None) -> Figure:
    """A figure of six panels over time; `bodies` chooses whose motion is drawn (by default the last few)."""
    from matplotlib.figure import Figure

    data = result.data
    known = [str(name) for name in data.body.values]
    for name in bodies or []:
        if name not in known:
            raise ModelError(f"plot: no body {name!r}; {did_you_mean(name, known)}")
    shown = bodies or known[-MOST_LINES:]
    joints = [str(name) for name in data.joint.values][-MOST_LINES:]
    time = data.time.values

    figure = Figure(figsize=(11, 8), layout="constrained")
    figure.suptitle(str(data.attrs.get("system", "")))
    panels = figure.subplots(3, 2, sharex=True)
    for axes in panels.flat:
        axes.grid(alpha=0.3)
    position, speed, spin, reaction, energy, residual = panels.flat

    for name in shown:
        p = data.position.sel(body=name).values
        position.plot(time, np.linalg.norm(p - p[:1], axis=1), label=name)
        speed.plot(time, np.linalg.norm(data.velocity.sel(body=name).values, axis=1), label=name)
        spin.plot(time, np.linalg.norm(data.angular_velocity.sel(body=name).values, axis=1), label=name)
    position.set_ylabel("distance from start [m]")
    speed.set_ylabel("speed [m/s]")
    spin.set_ylabel("angular speed [rad/s]")
    for name in joints:
        reaction.plot(time, np.linalg.norm(data.reaction_force.sel(joint=name).values, axis=1), label=name)
    reaction.set_ylabel("joint force [N]")
    energy.plot(time, data.kinetic_energy, label="kinetic")
    zero = data.potential_energy.values[:1].sum()
    energy.plot(time, data.potential_energy - zero, label="potential, from start")
    energy.plot(time, data.mechanical_energy - zero, label="sum", color="black")
    energy.set_ylabel("energy [J]")
    residual.semilogy(time, np.maximum(data.constraint_residual.values, 1e-17))
    residual.set_ylabel("constraint residual [m, rad]")
    for axes in (position, reaction, energy):
        if axes.lines:
            axes.legend(fontsize="small")
    for axes in panels[-1]:
        axes.set_xlabel("time [s]")
    return figure
