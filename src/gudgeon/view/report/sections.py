"""The sections of a report, each of a Result."""

from __future__ import annotations

import platform
from dataclasses import MISSING, Field, fields, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.units import unit_of
from gudgeon.view.report.markup import Html, element, facts, number, table
from gudgeon.view.report.plot import plot
from gudgeon.view.scene.kept import Kept
from gudgeon.view.scene.suggested import suggested

if TYPE_CHECKING:
    import xarray as xr

    from gudgeon.results.result import Result

POINTS = 1200  # of a curve
MOST_ROWS = 60  # of a table
LONG_MODEL, LONG_FIELD = 240, 60  # letters of a model, and of one of its fields
LIBRARIES = ("gudgeon", "numpy", "scipy", "numba", "xarray", "scikit-sundae")


def mechanism(result: Result) -> Html:
    """Bodies, joints, loads and drives."""
    system = result.system
    if system is None:
        why = result.data.attrs.get("system_not_kept", "it was not kept in the file")
        return element("p", f"This result has no description of its mechanism: {why}.", class_="note")
    bodies = [
        (
            name,
            number(body.mass),
            ", ".join(number(x, 3) for x in np.linalg.eigvalsh(np.array(body.inertia)).tolist()),
            "drawn from its joints" if body.shape is None else type(body.shape).__name__,
        )
        for name, body in system.bodies.items()
    ]
    joints = [
        (name, type(joint).__name__, f"{joint.parent} – {joint.child}", _model(joint.model))
        for name, joint in system.joints.items()
    ]
    others = [
        (name, type(load).__name__, ", ".join(load.bodies()) or getattr(load, "joint", ""))
        for name, load in system.loads.items()
    ]
    others += [(name, type(drive).__name__, f"{drive.joint}: {drive.told}") for name, drive in system.drives.items()]
    others += [
        (name, type(control).__name__, ", ".join(control.made().names)) for name, control in system.controllers.items()
    ]
    others += [(name, "Switch", switch.told) for name, switch in system.switches.items()]
    parts = [
        facts([("gravity", f"({', '.join(f'{x:g}' for x in system.gravity)}) m/s²")]),
        _limited(("body", "mass [kg]", "principal inertias [kg·m²]", "shape"), bodies),
    ]
    if joints:
        parts.append(_limited(("joint", "type", "parent – child", "model"), joints))
    if others:
        parts.append(_limited(("load, drive, controller", "type", "of"), others))
    return Html("".join(parts))


def _model(model: Any) -> str:
    """A model with the fields that are not as they would be anyway, in few words."""
    if not is_dataclass(model):
        return _short(repr(model))
    said = []
    for each in fields(model):
        value = getattr(model, each.name)
        if each.repr and each.name != "note" and not _is_usual(each, value):
            long = isinstance(value, tuple) and len(repr(value)) > LONG_FIELD
            said.append(f"{each.name}={'(…)' if long else value!r}")
    return _short(f"{type(model).__name__}({', '.join(said)})")


def _is_usual(each: Field[Any], value: Any) -> bool:
    return each.default is not MISSING and type(value) is type(each.default) and value == each.default


def _short(shown: str) -> str:
    return shown if len(shown) <= LONG_MODEL else f"{shown[: LONG_MODEL - 1]}…"


def _limited(head: tuple[str, ...], rows: list[Any]) -> Html:
    more = element("p", f"… and {len(rows) - MOST_ROWS} more.", class_="note") if len(rows) > MOST_ROWS else ""
    return Html(table(head, rows[:MOST_ROWS]) + more)


def freedoms(result: Result) -> Html:
    """Degrees of freedom, redundancy, and how well the joints stayed closed."""
    stats, system, data = result.stats, result.system, result.data
    residual = float(np.nanmax(data.constraint_residual)) if "constraint_residual" in data else np.nan
    pairs: list[tuple[str, object]] = [
        ("degrees of freedom", stats.get("degrees_of_freedom")),
        ("Grübler's count", "" if system is None else system.gruebler_freedoms),
        ("redundant constraint rows", stats.get("redundant_rows")),
        ("largest constraint residual", f"{residual:.2g} m or rad" if np.isfinite(residual) else ""),
        ("joints cut for relative coordinates", ", ".join(stats.get("cuts") or ())),
    ]
    return facts(pairs)


def plots(result: Result) -> Html:
    """What happens in real joints, coordinates, energies; decimated as in the viewer, which loses no peak."""
    wanted = result.table()
    names = {column.rpartition(" [")[0]: column for column in wanted.columns}
    kept = Kept.of(len(wanted), 1, 1, most=POINTS)
    times = kept.times(result.data.time.values)
    span = (float(result.data.time.values[0]), float(result.data.time.values[-1]))
    figures = []
    for group in suggested(result.data, result.system, list(wanted.columns)):
        units = {names[name].rpartition(" [")[2].removesuffix("]") for name in group}
        curves = {name: kept.envelope(wanted[names[name]].to_numpy()) for name in group}
        figures.append(plot(times, curves, units.pop() if len(units) == 1 else "", span))
    note = f"Curves have the smallest and the largest of every {kept.stretch} samples." if kept.stretch > 1 else ""
    return Html("".join(figures) + (element("p", note, class_="note") if note else ""))


def contacts(result: Result) -> Html:
    """How often each contact touched, how hard, and what it cost."""
    events = result.events
    if not len(events):
        return element("p", "No contacts: no joint has a clearance, or nothing touched.", class_="note")
    end = float(result.data.time.values[-1])
    column = {str(name): values.to_numpy() for name, values in events.items()}
    rows = []
    for joint, part in dict.fromkeys(zip(column["joint"].tolist(), column["contact"].tolist(), strict=True)):
        here = (column["joint"] == joint) & (column["contact"] == part)
        begin, last = (column[name][here].astype(float) for name in ("begin", "end"))
        lost = column["energy_lost"][here].astype(float)
        rows.append(
            (
                joint,
                part,
                number(int(here.sum()), 6),
                number(_largest(column["impact_speed"][here])),
                number(_largest(column["peak_force"][here])),
                number(float(np.nansum(lost)) if np.isfinite(lost).any() else np.nan),
                number(float(np.sum(np.where(np.isnan(last), end, last) - begin))),
            )
        )
    head = ("joint", "contact", "times", "fastest [m/s]", "peak force [N]", "energy lost [J]", "touching [s]")
    return _limited(head, rows)


def _largest(values: Any) -> float:
    known = values.astype(float)
    known = known[np.isfinite(known)]
    return float(known.max()) if len(known) else np.nan


def energy(result: Result) -> Html:
    """Mechanical energy at the start and at the end, and where the difference went."""
    data = result.data
    first, last = (float(data.mechanical_energy.values[k]) for k in (0, -1))
    rows = [
        ("mechanical energy at the start", number(first, 6)),
        ("mechanical energy at the end", number(last, 6)),
    ]
    rest = last - first
    for variable, what in (("dissipated_energy", "lost in joint"), ("switch_energy", "lost when it turned: switch")):
        for name, gone in _gone(data, variable):
            rows.append((f"{what} {name}", number(gone, 6)))
            rest += gone
    for variable, what in (("load_power", "work of the loads"), ("drive_power", "work of the drives")):
        if variable in data and data[variable].size:
            work = float(np.trapezoid(np.nan_to_num(data[variable].values).sum(axis=1), data.time.values))
            rows.append((what, number(work, 6)))
            rest -= work
    rows.append(("not accounted for", number(rest, 3)))
    note = (
        "Work is the integral of sampled powers. The last line is what is left of the balance: the error of that and "
        "of the solver, and what impacts and friction of hard contacts, guides and flexible bodies take."
    )
    return Html(table(("", f"[{unit_of(data, 'mechanical_energy')}]"), rows) + element("p", note, class_="note"))


def _gone(data: xr.Dataset, variable: str) -> list[tuple[str, float]]:
    """Names and energies of those that lost some [J], the greatest losses first."""
    if variable not in data:
        return []
    dim = next(str(d) for d in data[variable].dims if d != "time")
    values = data[variable].transpose("time", dim).values
    lost = np.nan_to_num(values[-1]) - np.nan_to_num(values[0])
    return [(str(data[dim].values[k]), float(lost[k])) for k in np.argsort(-np.abs(lost)).tolist() if lost[k] != 0.0]


def solver(result: Result) -> Html:
    """How it was computed, and with what."""
    found = []
    for library in LIBRARIES:
        try:
            found.append((library, version(library)))
        except PackageNotFoundError:
            continue
    hidden = ("cuts", "degrees_of_freedom", "redundant_rows")
    stats = [
        (name.replace("_", " "), f"{value:.6g}" if isinstance(value, float) else value)
        for name, value in result.stats.items()
        if name not in hidden
    ]
    versions = [*found, ("Python", platform.python_version())]
    return Html(
        element("div", facts(stats), class_="columns")
        + element(
            "p", "Page written with ", ", ".join(f"{name} {number}" for name, number in versions), ".", class_="note"
        )
    )


def warnings(result: Result, notes: list[str]) -> Html:
    """What one has to know of the run and of this page."""
    told = list(result.assembly.notes) if result.assembly is not None else []
    if result.stats.get("end", "done") != "done":
        told.append(f"The run ended early: {result.stats['end']} at t = {result.stats['end_time']:g} s.")
    for row in result.singularities.to_dict("records"):
        told.append(f"Singular position at t = {row['time']:.6g} s ({row['kind']}): {', '.join(row['owners'])}.")
    told += notes
    if not told:
        return element("p", "None.", class_="note")
    return element("ul", *(element("li", line) for line in told))
