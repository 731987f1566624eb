"""A joint with play from inside: the pin in its bearing, or the box in its guide, and what it felt over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import vector
from gudgeon.errors import ModelError
from gudgeon.view.box_orbits import BoxPlayed
from gudgeon.view.box_section import box_section, magnified
from gudgeon.view.colours import BEARING, FORCE, INK, MODES, OIL, PIN
from gudgeon.view.key_section import draw_key, slot_in, wall_with_slot
from gudgeon.view.orbits import Orbit, Played, played
from gudgeon.view.pushes import mark_push

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from gudgeon.results.result import Result

SHOWN = 0.42  # the clearance in the picture, of the radius of bore or socket
WALL = 0.2  # the bearing's thickness in the picture, likewise
WIDE = 30.0  # range of films that is drawn on a logarithmic axis
MICRO = 1e6  # µm in a metre
WALLS = ("#1b3a5c", "#c77d12", "#2a8f78", "#b3123b")  # colours
FLANKS = ("#2a8f78", "#b3123b")


def joint_picture(result: Result, name: str, between: tuple[float, float] | None = None) -> Figure:
    """The figure of `Result.plot_joint`."""
    from matplotlib.figure import Figure

    inside = played(result, name)
    kept = _samples(result, between)
    data = result.data.isel(time=kept)
    time, unit = data.time.values, "s"
    if time[-1] - time[0] < 1.0:
        time, unit = 1e3 * time, "ms"
    modes = _modes(data, name, inside)
    force = data.reaction_force.sel(joint=name).values
    size = np.linalg.norm(force, axis=1)
    most = int(np.argmax(size))
    rows = len(inside.orbits)
    figure = Figure(figsize=(11.0, 6.4 if rows == 1 else 8.6), layout="constrained")
    figure.suptitle(f"{data.attrs.get('system', '')}: joint {name!r} from inside", fontsize="large")
    halves: Any = figure.subfigures(1, 2, width_ratios=(1.0, 1.15 if rows == 1 else 1.5))
    left, right = halves
    for which, axes in enumerate(left.subplots(rows, 1, squeeze=False)[:, 0]):
        if isinstance(inside, BoxPlayed):
            box_section(axes, inside, which, kept, modes, most, force)
        else:
            _cross_section(axes, inside, inside.orbits[which], kept, modes, most, force)
    left.supxlabel(_caption(inside, time[most], unit), fontsize="small")
    panels = right.subplots(4, 1, sharex=True, height_ratios=(1.5, 0.35, 1.2, 1.0))
    _forces(panels[0], result, name, time, size, unit)
    _mode_strip(panels[1], time, modes)
    _gaps(panels[2], data, name, inside, kept, time)
    _power(panels[3], data, name, time)
    panels[-1].set_xlabel(f"time [{unit}]")
    panels[-1].set_xlim(time[0], time[-1] if len(time) > 1 else time[0] + 1.0)
    return figure


def _samples(result: Result, between: tuple[float, float] | None) -> np.ndarray:
    """The places of the samples that are drawn."""
    time = result.data.time.values
    low, high = (
        (time[0], time[-1]) if between is None else vector("plot_joint", "between", between, 2, "(from, to) [s]")
    )
    slack = 1e-9 * max(abs(low), abs(high))
    (kept,) = np.nonzero((time >= low - slack) & (time <= high + slack))
    if len(kept) < 2:
        raise ModelError(
            f"plot_joint: {len(kept)} samples lie between {low:g} and {high:g} s; the run has {len(time)} from "
            f"{time[0]:g} to {time[-1]:g} s: give a longer part of it, or simulate with a finer sample="
        )
    return kept


def _modes(data: xr.Dataset, name: str, inside: Played | BoxPlayed) -> np.ndarray:
    """How it touches at every sample, by name: on its lands, or on collars ("face"), flanks or walls alone."""
    free = "film" if inside.oil else "open"
    parts = [str(part) for part in data.part.values if str(part).startswith(f"{name}:")] if "part" in data.dims else []
    if isinstance(inside, BoxPlayed):
        walls = [part for part in parts if part.endswith("wall")]
        count = np.zeros(data.sizes["time"]) if not walls else (data.contact_force.sel(part=walls).values > 0.0).sum(1)
        return np.where(count > 1, "walls", np.where(count == 1, "wall", free))
    if inside.pin and "contact_mode" in data:
        words = str(data.contact_mode.attrs["flag_meanings"]).split()
        codes = np.nan_to_num(data.contact_mode.sel(part=parts).values).astype(int)
        lands = np.array(["collar" not in part for part in parts])
        of_land, of_any = codes[:, lands].max(axis=1, initial=0), codes.max(axis=1)
        modes = np.array([words[on_land or k] if k else free for on_land, k in zip(of_land, of_any, strict=True)])
        flanks = [part for part in parts if part.endswith("flank")]
        pressed = (data.contact_force.sel(part=flanks).values > 0.0).any(axis=1)
        return np.where((modes == free) & pressed, "flank", modes)
    if inside.pin or "contact" not in data:
        return np.full(data.sizes["time"], free)
    touching = data.contact.sel(joint=name).values > 0.5
    return np.where(touching, "contact", free)


def _cross_section(
    axes: Any, inside: Played, orbit: Orbit, kept: np.ndarray, modes: np.ndarray, most: int, force: np.ndarray
) -> None:
    """Bearing, pin where the force is largest, and the path, with the play SHOWN of the radius."""
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Annulus, Circle

    scale = SHOWN / inside.play
    pin, more = 1.0 - scale * inside.clearance, scale * (inside.play - inside.clearance)
    if inside.key is not None:
        more = wall_with_slot(inside.key, scale, inside.radius) - WALL
    path = scale * orbit.path[kept]
    if inside.worn is None:
        wall = WALL if inside.key is None else wall_with_slot(inside.key, scale, inside.radius)
        axes.add_patch(Annulus((0, 0), 1.0 + wall, wall, facecolor=BEARING, edgecolor=INK, linewidth=0.8))
        axes.add_patch(Circle((0, 0), SHOWN, facecolor="none", edgecolor=INK, linewidth=0.8, linestyle=(0, (4, 3))))
    else:
        _worn_bore(axes, scale, inside.clearance, inside.worn)
    if inside.key is not None:
        slot_in(axes, inside.key, scale, inside.radius)
        draw_key(axes, inside.key, scale, inside.radius, orbit.path[kept][most], inside.key.turned[kept][most])
    if inside.oil:
        axes.add_patch(Circle((0, 0), 1.0, facecolor=OIL, edgecolor="none"))
    if inside.worn_pin is None or inside.turned is None:
        axes.add_patch(Circle(tuple(path[most]), pin, facecolor=PIN, edgecolor=INK, linewidth=0.8, alpha=0.45))
    else:
        around = np.arange(len(inside.worn_pin)) * (2.0 * np.pi / len(inside.worn_pin)) + inside.turned[kept][most]
        radius = pin - scale * inside.worn_pin
        at = path[most][:, None] + radius * np.stack([np.cos(around), np.sin(around)])
        axes.fill(*at, facecolor=PIN, edgecolor=INK, linewidth=0.8, alpha=0.45)
    axes.plot(0, 0, "+", color=INK, markersize=8, markeredgewidth=0.8)
    segments = np.stack((path[:-1], path[1:]), axis=1)
    colours = [MODES[str(mode)] for mode in modes[1:]]
    axes.add_collection(LineCollection(list(segments), colors=colours, linewidths=1.3, zorder=3))
    mark_push(axes, path[most], orbit.across[kept][most] @ force[most])
    for k, (word, at) in enumerate(zip(orbit.axes, ((1.42 + more, 0.0), (0.0, 1.42 + more)), strict=True)):
        start = (1.0 + WALL + more, 0.0) if k == 0 else (0.0, 1.0 + WALL + more)
        axes.annotate("", at, start, arrowprops={"arrowstyle": "->", "color": INK, "lw": 0.7})
        axes.text(at[0] + 0.04, at[1], word, fontsize="small", va="center")
    axes.set_xlim(-1.3 - more, 1.55 + more)
    axes.set_ylim(-1.3 - more, 1.55 + more)
    axes.set_aspect("equal")
    axes.axis("off")
    if orbit.label:
        axes.set_title(f"{orbit.label} of the land", fontsize="medium", loc="left")


def _worn_bore(axes: Any, scale: float, clearance: float, worn: np.ndarray) -> None:
    """The bore as it is and as it was, and how far the axis of a round pin goes in it without touching."""
    angle = np.linspace(0.0, 2.0 * np.pi, len(worn) + 1)
    closed = np.append(worn, worn[0])
    ways = np.stack([np.cos(angle), np.sin(angle)])
    outer = (1.0 + WALL + scale * worn.max()) * ways
    axes.fill(*outer, facecolor=BEARING, edgecolor=INK, linewidth=0.8)
    axes.fill(*((1.0 + scale * closed) * ways), facecolor="white", edgecolor=INK, linewidth=0.8)
    axes.plot(*ways, color=INK, linewidth=0.6, linestyle=":")
    towards = np.cos(angle[:, None] - angle[None, :])  # e cos(θ − α) ≤ c + w(θ) for all θ
    free = np.where(towards > 1e-3, (clearance + closed[:, None]) / np.maximum(towards, 1e-3), np.inf).min(axis=0)
    axes.plot(*(scale * free * ways), color=INK, linewidth=0.8, linestyle=(0, (4, 3)))


def _caption(inside: Played | BoxPlayed, instant: float, unit: str) -> str:
    if isinstance(inside, BoxPlayed):
        side, above = (f"{MICRO * clearance:.4g} µm" for clearance in inside.clearances)
        play = above if side == above or "left" not in inside.depths else f"{above} and {side} (sides)"
        return (
            f"play {play} on each side, drawn {magnified(inside):.3g} times too large\n"
            "dashed: as far as the middle goes without touching\n"
            f"red: largest force on the box, at {instant:.4g} {unit}"
        )
    what = "pin's axis" if inside.pin else "ball's centre"
    larger = SHOWN * inside.radius / inside.play
    seen = "" if inside.pin else "; seen along the direction in which it moves least"
    worn = "" if inside.worn is None else f" and up to {MICRO * inside.worn.max():.4g} µm of wear"
    return (
        f"play {MICRO * inside.clearance:.4g} µm (radial){worn}, drawn {larger:.3g} times too large{seen}\n"
        f"dashed: as far as the {what} goes without touching\n"
        f"red: largest force on the {'pin' if inside.pin else 'ball'}, at {instant:.4g} {unit}"
    )


def _forces(axes: Any, result: Result, name: str, time: np.ndarray, size: np.ndarray, unit: str) -> None:
    scale = 1e3 if unit == "ms" else 1.0
    events: Any = result.events[result.events["joint"] == name]
    peaks: Any = events[np.isfinite(events["peak_force"])]
    middle = scale * 0.5 * (peaks.begin + peaks.end.fillna(peaks.begin))
    shown = (middle >= time[0]) & (middle <= time[-1])
    many = max(size.max(), peaks.peak_force[shown].max() if shown.any() else 0.0) >= 1e3
    per = 1e-3 if many else 1.0
    axes.plot(time, per * size, color=INK, linewidth=1.2)
    if shown.any():
        axes.plot(
            middle[shown], per * peaks.peak_force[shown], ".", color=FORCE, markersize=5, label="peak of a contact"
        )
        axes.legend(fontsize="small", loc="upper right")
    _named(axes, "force in the joint", "force [kN]" if many else "force [N]")
    axes.set_ylim(bottom=0.0)


def _mode_strip(axes: Any, time: np.ndarray, modes: np.ndarray) -> None:
    """A band in the colours of the modes, with the share of each."""
    from matplotlib.patches import Patch

    change = np.flatnonzero(modes[1:] != modes[:-1]) + 1
    starts, ends = np.concatenate(([0], change)), np.concatenate((change, [len(modes) - 1]))
    for first, last in zip(starts, ends, strict=True):
        axes.axvspan(time[first], time[max(last, first)], color=MODES[str(modes[first])], linewidth=0)
    axes.set_yticks([])
    handles = []
    for mode, colour in MODES.items():
        share = float(np.mean(modes == mode))
        if share > 0.0:
            handles.append(Patch(color=colour, label=f"{mode} {100 * share:.1f} %"))
    axes.set_ylabel("touches", rotation=0, ha="right", va="center")
    axes.legend(
        handles=handles,
        fontsize="small",
        ncols=len(handles),
        loc="lower left",
        bbox_to_anchor=(-0.01, 0.95),
        frameon=False,
        handlelength=1.0,
        handletextpad=0.4,
        columnspacing=1.1,
    )


def _gaps(
    axes: Any, data: xr.Dataset, name: str, inside: Played | BoxPlayed, kept: np.ndarray, time: np.ndarray
) -> None:
    """The thinnest film, or the depth at both ends, walls and flanks."""
    is_box = isinstance(inside, BoxPlayed)
    if (inside.oil if is_box else inside.pin) and "minimum_film" in data:
        thinnest = np.nanmin(_of_parts(data, "minimum_film", name), axis=1)
        if thinnest.max() > WIDE * thinnest.min() > 0.0:
            axes.semilogy(time, MICRO * thinnest, color=MODES["film"], linewidth=1.2)
        else:
            axes.plot(time, MICRO * thinnest, color=MODES["film"], linewidth=1.2)
            axes.set_ylim(min(0.0, MICRO * thinnest.min()), 1.08 * MICRO * thinnest.max())
        _named(axes, "thinnest film", "film [µm]")
        return
    if isinstance(inside, BoxPlayed):
        for (wall, depth), colour in zip(inside.depths.items(), WALLS, strict=False):
            axes.plot(time, MICRO * depth[kept], color=colour, linewidth=1.1, label=wall)
        axes.legend(fontsize="small", ncols=len(inside.depths))
    elif inside.pin:
        ends = [np.nanmax(_of_parts(data, f"depth_{end}", name), axis=1) for end in ("lower", "upper")]
        both = len(inside.orbits) == 2
        for depth, end, colour in zip(ends, ("lower end", "upper end"), ("#1b3a5c", "#c77d12"), strict=True):
            if both or end == "lower end":
                axes.plot(time, MICRO * depth, color=colour, linewidth=1.1, label=end if both else None)
        if inside.key is not None:
            for (flank, depth), colour in zip(inside.key.depths().items(), FLANKS, strict=True):
                axes.plot(time, MICRO * depth[kept], color=colour, linewidth=1.1, label=f"{flank} flank")
        if both or inside.key is not None:
            axes.legend(fontsize="small", ncols=4)
    else:
        axes.plot(time, MICRO * data.penetration.sel(joint=name), color=INK, linewidth=1.1)
    axes.axhline(0.0, color="gray", linewidth=0.8)
    _named(axes, "depth of the contact, below 0: gap", "depth [µm]")


def _power(axes: Any, data: xr.Dataset, name: str, time: np.ndarray) -> None:
    power = data.power_dissipated.sel(joint=name).values
    axes.fill_between(time, power, color=FORCE, alpha=0.25, linewidth=0)
    axes.plot(time, power, color=FORCE, linewidth=1.0)
    lost = data.dissipated_energy.sel(joint=name).values
    _named(axes, f"power lost; {lost[-1] - lost[0]:.4g} J in this time", "power [W]")
    axes.set_ylim(bottom=0.0)


def _of_parts(data: xr.Dataset, variable: str, name: str) -> np.ndarray:
    """(time, part) of the parts of a joint that have this variable."""
    parts = [str(part) for part in data.part.values if str(part).startswith(f"{name}:")]
    values = data[variable].sel(part=parts).values
    return values[:, np.isfinite(values).any(axis=0)]


def _named(axes: Any, title: str, label: str) -> None:
    axes.set_title(title, loc="left", fontsize="medium")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
