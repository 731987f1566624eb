"""The pictures of the slider study: figures 7 to 11 and 13 to 17 of the paper, rigid and flexible sliders together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gudgeon.studies.slider import PERIOD, friction_sum, of_node
from gudgeon.view.slider import SliderView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.studies.slider import SliderStudy

CORNERS = (1, 6, 31, 36)
NODES = ("tab:blue", "tab:orange", "tab:green", "tab:red")
SLIDER = {"rigid": "black", "flexible": "tab:red", "4 elements": "tab:red", "8 elements": "tab:blue"}
OSCILLATOR_FRAMES = (1.0, 3.0, 4.9, 7.0, 9.0, 11.0, 13.0, 15.0)  # [s]
CRANK_FRAMES = (0.5, 2.0, 4.3, 12.4)  # [s]


def draw_oscillator(study: SliderStudy) -> Figure:
    """Figures 7 to 11: velocities of the corners, friction in sum and by node, forces at the corners.

    >>> draw_oscillator(run_slider_study()).savefig("oscillator.png")  # doctest: +SKIP
    """
    from matplotlib.figure import Figure

    result, rigid = study.oscillator["flexible"], study.oscillator["rigid"]
    time, velocity = result.data.time.values, result.data.node_velocity
    figure = Figure(figsize=(13, 15), layout="constrained")
    figure.suptitle("Stick-slip oscillator: flexible slider of 25 elements, and a rigid one", fontsize=15)
    panels = figure.subplots(5, 2, sharex=True)
    along, across_upper, total, across_lower, *friction = panels.flat
    for colour, node in zip(NODES, CORNERS, strict=True):
        at = velocity.sel(node=f"slider:{node - 1}")
        along.plot(time, at.sel(plane="x"), color=colour, linewidth=1.0, label=f"{node}")
        lower = across_upper if node < 10 else across_lower
        lower.plot(time, 1e3 * at.sel(plane="y"), color=colour, linewidth=0.8, label=f"{node}")
    rigid_velocity = rigid.data.velocity.sel(body="slider", axis="x")
    along.plot(time, rigid_velocity, "--", color="black", linewidth=1.0, label="rigid")
    _label(along, "7) velocity along the guide at nodes", "velocity [m/s]")
    _label(across_upper, "8a) velocity across the guide at nodes", "velocity [mm/s]", (-15, 15))
    _label(across_lower, "8b) velocity across the guide at nodes", "velocity [mm/s]", (-15, 15))
    for name, shown in study.oscillator.items():
        style = "--" if name == "rigid" else "-"
        total.plot(time, friction_sum(shown), style, color=SLIDER[name], linewidth=1.0, label=f"{name} slider")
    _label(total, "9) sum of the friction forces", "friction [N]", (-0.5, 0.3))
    for axes, letter, nodes in zip(friction, "abcd", ((1, 2, 3), (4, 5, 6), (31, 32, 33), (34, 35, 36)), strict=False):
        for colour, node in zip(NODES, nodes, strict=False):
            values = of_node(result, "guide_friction_force", node)[:, 0]
            label = f"{node}" if values.any() else f"{node} (zero)"
            axes.plot(time, values, color=colour, linewidth=0.9, label=label)
        limit = 0.04 if letter in "ab" else 0.2
        _label(axes, f"10{letter}) friction at nodes", "friction [N]", (-limit, limit))
    mean = velocity.sel(node=[f"slider:{node - 1}" for node in CORNERS], plane="x").mean("node").values
    for axes, letter, variable, name, limits in (
        (friction[4], "a", "guide_normal_force", "normal force", (-1.1, 1.1)),
        (friction[5], "b", "guide_friction_force", "friction", (-0.22, 0.22)),
    ):
        for colour, node in zip(NODES, CORNERS, strict=True):
            axes.plot(time, of_node(result, variable, node)[:, 0], color=colour, linewidth=1.0, label=f"{node}")
        beside = axes.twinx()
        beside.plot(time, mean, ":", color="0.35", linewidth=1.1)
        axes.plot([], [], ":", color="0.35", label="velocity (right)")
        beside.set(ylabel="velocity [m/s]", ylim=(-1.1, 1.1))
        _label(axes, f"11{letter}) {name} at nodes", f"{name} [N]", limits)
    for axes in panels[-1]:
        axes.set_xlabel("time [s]")
        axes.set_xlim(0.0, time[-1])
    return figure


def draw_crank(study: SliderStudy) -> Figure:
    """Figures 13 to 17: crank, friction in sum and by node, normal forces, gap of the pin.

    >>> draw_crank(run_slider_study()).savefig("slider_crank.png")  # doctest: +SKIP
    """
    from matplotlib.figure import Figure

    flexible = study.crank["4 elements"]
    time = flexible.data.time.values
    figure = Figure(figsize=(13, 15), layout="constrained")
    figure.suptitle("Slider-crank: flexible slider of 4 and of 8 elements, and a rigid one", fontsize=15)
    panels = figure.subplots(5, 2)
    (angle, speed), (total, zoom), (upper, lower), (upper_friction, lower_friction), (pin_x, pin_y) = panels
    peak = {
        name: int(np.argmax(np.where(time >= study.last_period, friction_sum(result), 0.0)))
        for name, result in study.crank.items()
    }
    for name, width in (("rigid", 0.9), ("8 elements", 2.2), ("4 elements", 0.9)):
        data, total_friction = study.crank[name].data, friction_sum(study.crank[name])
        style = {"color": SLIDER[name], "linewidth": width, "label": name}
        angle.plot(time, data.joint_position.sel(coordinate="O.angle"), **style)
        speed.plot(time, data.joint_velocity.sel(rate="O.angle"), **style)
        total.plot(time, total_friction, **style)
        zoom.plot(time, total_friction, **style)
        if name != "8 elements":
            at = time[peak[name]], total_friction[peak[name]]
            zoom.plot(*at, "o", color=SLIDER[name], markersize=12, fillstyle="none")
            below = {"xytext": (14, 4 if name == "rigid" else -34), "textcoords": "offset points"}
            zoom.annotate(f"{at[1]:.3f} N", at, color=SLIDER[name], **below)
    _label(angle, "13b) angle of the crank", "angle [rad]")
    _label(speed, "13d) angular velocity of the crank", "angular velocity [rad/s]")
    _label(total, "14b) sum of the friction forces", "friction [N]", (-1.5, 1.5))
    _label(zoom, "14b) largest static friction", "friction [N]", (0.0, 0.8))
    for (a, b), variable, name, limits, number in (
        ((upper, lower), "guide_normal_force", "normal force", (0, 12), 15),
        ((upper_friction, lower_friction), "guide_friction_force", "friction", (-0.6, 0.6), 16),
    ):
        for axes, letter, nodes in ((a, "a", (1, 2, 3)), (b, "b", (7, 8, 9))):
            for colour, node in zip(NODES, nodes, strict=False):
                values = of_node(flexible, variable, node)[:, 0]
                axes.plot(time, values, color=colour, linewidth=0.9, label=f"{node}")
            _label(axes, f"{number}{letter}) {name} at nodes", f"{name} [N]", limits if letter == "b" else None)
    gap = 1e3 * flexible.data.pin_gap.sel(pin="B")
    fine = 1e3 * study.start.data.pin_gap.sel(pin="B")
    for axes, letter, component in ((pin_x, "a", "x"), (pin_y, "b", "y")):
        closely = {"color": "0.55", "linewidth": 0.7, "label": "every 2.5e-4 s"}
        axes.plot(study.start.data.time, -fine.sel(plane=component), **closely)
        axes.plot(time, -gap.sel(plane=component), color=SLIDER["4 elements"], linewidth=0.8, label="every 0.01 s")
        for bound in (-0.8, 0.8):
            label = "8e-4 m" if bound > 0.0 else None
            axes.axhline(bound, color="black", linewidth=0.7, linestyle=":", label=label)
        title = f"17{letter}) gap of the pin, {component}_R − {component}_5"
        _label(axes, title, f"gap in {component} [mm]", (-1.0, 1.0))
    for axes in (angle, speed, total):
        axes.set_xlim(0.0, time[-1])
    zoom.set_xlim(time[peak["rigid"]] - 1.2, time[peak["rigid"]] + 1.2)
    for axes in (upper, upper_friction, pin_x, pin_y):
        axes.set_xlim(0.0, 40.0)
    for axes in (lower, lower_friction):
        axes.set_xlim(time[-1] - 2.0 * PERIOD, time[-1])
    for axes in panels.flat:
        axes.set_xlabel("time [s]")
    return figure


def draw_sliders(study: SliderStudy) -> Figure:
    """The deformed sliders of both examples with their stress, instant by instant.

    >>> draw_sliders(run_slider_study()).savefig("sliders.png")  # doctest: +SKIP
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.2, 10.6), layout="constrained")
    upper, lower = np.asarray(figure.subfigures(2, 1, height_ratios=(2.15, 1.0)))
    for part, title, result, times in (
        (upper, "Stick-slip oscillator, 25 elements", study.oscillator["flexible"], OSCILLATOR_FRAMES),
        (lower, "Slider-crank, 8 elements", study.crank["8 elements"], CRANK_FRAMES),
    ):
        view = SliderView(result)
        view.film_strip_into(part, times)
        part.suptitle(f"{title}: {view.explanation()}", fontsize=12)
    return figure


def _label(axes, title: str, ylabel: str, limits: tuple[float, float] | None = None) -> None:
    """Title, axis, limits and legend of a panel."""
    axes.set_title(title, loc="left", fontsize="medium")
    axes.set_ylabel(ylabel)
    axes.grid(alpha=0.3)
    if limits is not None:
        axes.set_ylim(*limits)
    place = {"loc": "lower right", "bbox_to_anchor": (1.01, 0.985), "borderaxespad": 0.0, "frameon": False}
    axes.legend(fontsize="small", ncols=5, handlelength=1.2, columnspacing=1.0, **place)
