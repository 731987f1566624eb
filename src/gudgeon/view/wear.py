"""Pictures of wear: the worn surfaces, how deep they are over the cycles, the force of the joint before and after."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from gudgeon.results.result import Result

INK, NEW, OLD = "#22262c", "#9aa7b8", "#c8372d"
COLOURS = ("#1f6fb4", "#e07b00")  # of the two surfaces
SHOWN = 0.35  # the deepest wear in the section, of the radius
MOST_LINES = 12  # profiles in one picture
MICRO = 1e6  # µm in a metre


def worn_picture(data: xr.Dataset, joint: str, first: Result | None, last: Result | None) -> Figure:
    """The figure of `Wear.plot`."""
    from matplotlib.figure import Figure

    surfaces = json.loads(data.attrs["surfaces"])[joint]
    figure = Figure(figsize=(12.0, 8.0), layout="constrained")
    total = float(data.cycles[-1])
    figure.suptitle(f"{data.attrs.get('system', '')}: wear of {joint!r} over {total:.4g} cycles", fontsize="large")
    axes = figure.subplot_mosaic(
        [["section", "first", "second"], ["depth", "volume", "force"]],
        per_subplot_kw={"section": {"projection": "polar"} if _is_ring(data, joint, surfaces[0]) else {}},
    )
    if _is_ring(data, joint, surfaces[0]):
        _section(axes["section"], data, joint, surfaces)
    else:
        axes["section"].axis("off")
    for place, surface in zip(("first", "second"), surfaces, strict=True):
        _profiles(axes[place], data, f"{joint}.{surface}", surface)
    _over_cycles(axes["depth"], axes["volume"], data, joint, surfaces)
    _forces(axes["force"], data, joint, first, last)
    return figure


def _is_ring(data: xr.Dataset, joint: str, surface: str) -> bool:
    return f"{joint}.{surface}.angle" in data.dims


def _section(axes: Any, data: xr.Dataset, joint: str, surfaces: list[str]) -> None:
    """Bore and pin across the axis, what is worn away magnified, at the end and as new."""
    deepest = max(float(data[f"{joint}.{surface}"].isel(cycles=-1).max()) for surface in surfaces)
    scale = SHOWN / deepest if deepest > 0.0 else 0.0
    for k, surface in enumerate(surfaces):
        depth = data[f"{joint}.{surface}"].values[-1].mean(axis=0)
        angle = data[f"{joint}.{surface}.angle"].values
        around, worn = np.append(angle, angle[0]), np.append(depth, depth[0])
        radius, sign = (1.0, 1.0) if k == 0 else (0.94, -1.0)
        new = np.full_like(around, radius)
        axes.plot(around, new, color=NEW, linewidth=0.9)
        axes.fill_between(around, new, new + sign * scale * worn, color=COLOURS[k], alpha=0.45, label=surface)
    axes.set_rlim(0.0, 1.0 + 1.15 * SHOWN)
    axes.set_rticks([])
    axes.legend(fontsize="small", loc="lower left", bbox_to_anchor=(-0.12, -0.1))
    axes.set_title(f"worn away, deepest {MICRO * deepest:.3g} µm", fontsize="medium")


def _profiles(axes: Any, data: xr.Dataset, name: str, surface: str) -> None:
    """Depth over the angle at some jumps; along a land where slices differ, or over the two parameters of a surface."""
    from matplotlib import colormaps

    depth = MICRO * data[name].values
    lines = np.unique(np.linspace(0, len(depth) - 1, MOST_LINES).astype(int))
    if f"{name}.angle" in data.dims:
        angle = np.degrees(data[f"{name}.angle"].values)
        for k in lines:
            colour = colormaps["viridis"](k / max(1, len(depth) - 1))
            axes.plot(angle, depth[k].max(axis=0), color=colour, linewidth=1.0)
        axes.set_xlabel("angle from the joint's x axis [°]")
        axes.set_xlim(0.0, 360.0)
        axes.set_xticks(range(0, 361, 90))
        axes.set_ylabel("depth [µm]")
        axes.set_ylim(bottom=0.0)
        axes.grid(alpha=0.3)
    else:
        second, first = data[name].dims[1:]
        mesh = axes.pcolormesh(data[first].values, data[second].values, depth[-1], cmap="viridis", shading="nearest")
        axes.figure.colorbar(mesh, label="depth [µm]")
        axes.set(xlabel=str(data[first].attrs["long_name"]), ylabel=str(data[second].attrs["long_name"]))
    axes.set_title(f"{surface}", loc="left", fontsize="medium")


def _over_cycles(deep: Any, volume: Any, data: xr.Dataset, joint: str, surfaces: list[str]) -> None:
    cycles = data.cycles.values
    for k, surface in enumerate(surfaces):
        depth = MICRO * data[f"{joint}.{surface}"].max(data[f"{joint}.{surface}"].dims[1:]).values
        deep.plot(cycles, depth, ".-", color=COLOURS[k], label=surface)
        volume.plot(cycles, 1e9 * data[f"{joint}.{surface}.volume"].values, ".-", color=COLOURS[k], label=surface)
    for axes, title, label in ((deep, "deepest wear", "depth [µm]"), (volume, "worn away", "volume [mm³]")):
        axes.set_title(title, loc="left", fontsize="medium")
        axes.set(xlabel="cycles", ylabel=label)
        axes.ticklabel_format(axis="x", style="sci", scilimits=(-3, 4))
        axes.set_ylim(bottom=0.0)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")


def _forces(axes: Any, data: xr.Dataset, joint: str, first: Result | None, last: Result | None) -> None:
    """The force of the joint over a cycle before and after, or its peak over the cycles."""
    if first is None or last is None:
        axes.plot(data.cycles.values, data[f"{joint}.peak_force"].values, ".-", color=INK)
        axes.set_title("largest force of a cycle", loc="left", fontsize="medium")
        axes.set(xlabel="cycles", ylabel="force [N]")
    else:
        for result, colour, word in ((last, OLD, "worn"), (first, INK, "as new")):
            force = np.linalg.norm(result.data.reaction_force.sel(joint=joint).values, axis=1)
            time = 1e3 * (result.data.time.values - result.data.time.values[0])
            axes.plot(time, force, color=colour, linewidth=0.7, label=word)
        axes.set_title("force in the joint", loc="left", fontsize="medium")
        axes.set(xlabel="time [ms]", ylabel="force [N]")
        axes.legend(fontsize="small")
    axes.set_ylim(bottom=0.0)
    axes.grid(alpha=0.3)
