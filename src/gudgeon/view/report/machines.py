"""Sections of a report that only some mechanisms have: friction in ideal joints, couplings, controllers, wear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.couplings import Belt, Coupling, Gear, Rack, Screw
from gudgeon.models.worn_journal import WornJournal
from gudgeon.view.report.markup import Html, element, number, table
from gudgeon.view.report.plot import plot
from gudgeon.view.scene.kept import Kept

if TYPE_CHECKING:
    from gudgeon.results.result import Result

POINTS = 1200  # of a curve
MOST_CURVES = 6
MICRO = 1e6


def machine_sections(result: Result) -> Iterator[tuple[str, Html]]:
    """Title and content of those that this result has."""
    for title, made in (
        ("Friction in ideal joints", friction(result)),
        ("Couplings", couplings(result)),
        ("Controllers", controllers(result)),
        ("Wear", wear(result)),
    ):
        if made is not None:
            yield title, made


def friction(result: Result) -> Html | None:
    """What presses the surfaces, how fast they slide, what it costs."""
    data = result.data
    if "friction_power" not in data:
        return None
    time, rows = data.time.values, []
    for name in data.rubbing.values:
        here = data.sel(rubbing=name)
        load, speed, power = (here[x].values for x in ("friction_load", "sliding_speed", "friction_power"))
        rows.append(
            (
                str(name),
                number(_mean(load, time)),
                number(float(np.nanmax(load))),
                number(float(np.nanmax(np.abs(speed)))),
                number(_mean(power, time)),
                number(float(np.trapezoid(power, time))),
                number(100.0 * _mean(here.sticking.values, time), 3),
            )
        )
    head = ("where", "load, mean [N]", "largest [N]", "fastest [m/s]", "power, mean [W]", "lost [J]", "sticks [%]")
    note = "Loads are sums of the normal forces that press the surfaces; energies are sums over the samples."
    return Html(table(head, rows) + element("p", note, class_="note"))


def _mean(values: np.ndarray, time: np.ndarray) -> float:
    """Over time."""
    return float(np.trapezoid(values, time) / (time[-1] - time[0])) if len(time) > 1 else float(values[0])


def couplings(result: Result) -> Html | None:
    """What is coupled in which ratio, and the largest effort that this took."""
    system, data = result.system, result.data
    if system is None or not system.couplings:
        return None
    rows = []
    for name, coupling in system.couplings.items():
        efforts = ""
        if "coupling_effort" in data:
            here = data.coupling_effort.sel(coupling=name).transpose("time", "coupled").values
            units = np.broadcast_to(data.coupling_unit.sel(coupling=name).values, here.shape[1:])
            largest = np.nanmax(np.abs(here), axis=0) if np.isfinite(here).any() else np.full(2, np.nan)
            efforts = ", ".join(
                f"{number(x)} {str(unit).replace('*', '·')}" for x, unit in zip(largest.tolist(), units, strict=True)
            )
        rows.append((name, type(coupling).__name__, _joined(coupling), _ratio(coupling), efforts))
    return table(("coupling", "type", "joints", "ratio", "largest efforts"), rows)


def _joined(coupling: Coupling) -> str:
    return " – ".join(dict.fromkeys(joint for joint, *_ in coupling.coordinates()))


def _ratio(coupling: Any) -> str:
    """As it was given."""
    elastic = ", elastic" if coupling.is_elastic else ""
    if isinstance(coupling, Gear):
        return f"{coupling.teeth[0]} : {coupling.teeth[1]} teeth{', internal' if coupling.internal else ''}{elastic}"
    if isinstance(coupling, Belt):
        return (
            f"radii {coupling.radii[0]:g} and {coupling.radii[1]:g} m{', crossed' if coupling.crossed else ''}{elastic}"
        )
    if isinstance(coupling, Rack):
        return f"radius {coupling.radius:g} m{elastic}"
    if isinstance(coupling, Screw):
        return f"{coupling.lead:g} m for a turn{', with friction' if coupling.friction is not None else ''}{elastic}"
    return f"{coupling.ratio.first:g} : {coupling.ratio.second:g}{elastic}"


def controllers(result: Result) -> Html | None:
    """Outputs over time, and their extremes."""
    data = result.data
    if "controller_output" not in data or not data.sizes["output"]:
        return None
    kept = Kept.of(data.sizes["time"], 1, 1, most=POINTS)
    time = data.time.values
    names, units = ([str(x) for x in data[c].values] for c in ("output", "output_unit"))
    values = data.controller_output.transpose("time", "output").values
    rows, groups = [], {}
    for k, (name, unit) in enumerate(zip(names, units, strict=True)):
        shown = "" if unit == "SI" else unit.replace("*", "·")
        low, high = (number(float(f(values[:, k]))) for f in (np.nanmin, np.nanmax))
        rows.append((name, low, high, shown))
        groups.setdefault(unit, {})[name] = kept.envelope(values[:, k])
    figures = [
        plot(kept.times(time), dict(list(curves.items())[:MOST_CURVES]), "" if unit == "SI" else unit, _span(time))
        for unit, curves in groups.items()
    ]
    return Html(table(("output", "smallest", "largest", "unit"), rows) + "".join(figures))


def _span(time: np.ndarray) -> tuple[float, float]:
    return float(time[0]), float(time[-1])


def wear(result: Result) -> Html | None:
    """How deep journals were worn before this run."""
    system = result.system
    if system is None:
        return None
    rows = []
    for name, joint in system.joints.items():
        model = joint.model
        if isinstance(model, WornJournal) and (model.bore_wear or model.pin_wear):
            depths = [number(MICRO * max(map(max, w))) if w else "" for w in (model.bore_wear, model.pin_wear)]
            rows.append((name, number(MICRO * model.clearance), *depths))
    if not rows:
        return None
    note = "Worn away before this run; in it shapes stay as they are. gd.wear_depth tells what this run rubs off."
    head = ("joint", "clearance, unworn [µm]", "bore, deepest [µm]", "pin, deepest [µm]")
    return Html(table(head, rows) + element("p", note, class_="note"))
