"""Runs as one scene: a description that JSON can hold, and a block of arrays that it refers to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.errors import ModelError
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.rotations import continuous
from gudgeon.view.scene import details
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.fields import contact_surfaces, flexible_fields, gap_fields
from gudgeon.view.scene.kept import Kept
from gudgeon.view.scene.links import Links
from gudgeon.view.scene.parts import part
from gudgeon.view.scene.suggested import suggested

if TYPE_CHECKING:
    import xarray as xr

    from gudgeon.results.result import Result
    from gudgeon.system import System

FORMAT = 1
MOST_COLUMNS = 4000  # variables to choose from in plots
MOST_SAMPLES = 100_000  # of a motion, where a user asks for them
LEFT_OUT_FIRST = (".angular_acceleration.", ".acceleration", ".orientation.", ".angular_velocity.", ".velocity")


@dataclass(frozen=True)
class Scene:
    """What the viewer is given."""

    description: dict[str, Any]  # as JSON
    content: bytes  # of the arrays, compressed


def scene_of(results: Mapping[str, Result], samples: int | None = None) -> Scene:
    """The scene of several runs, by name; `samples` are kept of each motion, by default what a screen shows.

    >>> import gudgeon as gd
    >>> from gudgeon.view.scene.scene import scene_of
    >>> scene = scene_of({"ideal": gd.simulate(gd.examples.spatial_four_bar(), 0.1, sample=0.05)})
    >>> [body["name"] for body in scene.description["runs"][0]["bodies"]]
    ['crank', 'coupler', 'rocker']
    """
    if not results:
        raise ModelError("view: there is nothing to show; give {name: result}")
    if samples is not None and (
        isinstance(samples, bool) or not isinstance(samples, int | np.integer) or not 2 <= samples <= MOST_SAMPLES
    ):
        raise ModelError(f"view: samples is {samples!r}; give a whole number from 2 to {MOST_SAMPLES}, or leave it out")
    arrays = Arrays()
    runs = [_run(name, result, arrays, samples) for name, result in results.items()]
    return Scene({"format": FORMAT, "title": runs[0]["system"], "runs": runs}, arrays.content())


def _run(name: str, result: Result, arrays: Arrays, most: int | None) -> dict[str, Any]:
    data, system = result.data, result.system
    count = data.sizes["time"]
    if "position" not in data or not count:
        raise ModelError(f"view: the run {name!r} has no samples of a motion; nothing can be shown")
    if not (np.isfinite(data.position.values).all() and np.isfinite(data.orientation.values).all()):
        raise ModelError(f"view: the run {name!r} has positions that are no numbers; nothing can be shown")
    table = result.table()
    columns, notes = _columns(list(table.columns))
    bodies = [str(body) for body in data.body.values]
    nodes = 0 if system is None else sum(3 * len(body.rest) for body in flexible_bodies(system).values())
    grids = sum(data[v].size // count for v in data.data_vars if str(v).endswith(".gap"))
    kept = Kept.of(count, 7 * len(bodies) + nodes + grids, len(columns), most)
    times, chosen = data.time.values, kept.samples
    run: dict[str, Any] = {
        "name": name,
        "system": str(data.attrs.get("system", "")),
        "time": _time(times[chosen], arrays),
        "up": _up(system),
        **_parts(result, chosen, arrays),
        "plots": {
            "time": _time(kept.times(times), arrays),
            "variables": [_variable(column, kept.envelope(table[column].to_numpy()), arrays) for column in columns],
            "suggested": suggested(data, system, columns),
        },
    }
    links, left_out = run.pop("links"), run.pop("left_out")
    run["events"], more = details.events(system, result.events, links)
    run["crossings"] = {
        "name": [str(x) for x in result.crossings["crossing"]],
        "time": [float(x) for x in result.crossings["time"]],
    }
    run["notes"] = [*_no_system(system, data), *kept.notes(), *notes, *left_out, *more]
    run["facts"] = _facts(result, kept)
    return run


def _time(times: np.ndarray, arrays: Arrays) -> dict[str, Any]:
    """Times from the first one, so that single precision is enough [s]."""
    start = float(times[0])
    return {"start": start, "end": float(times[-1]), "values": arrays.add(times - start)}


def _up(system: System | None) -> list[float]:
    """Against gravity, along an axis where it is nearly that; z where there is none."""
    gravity = np.zeros(3) if system is None else np.array(system.gravity)
    length = float(np.linalg.norm(gravity))
    return [0.0, 0.0, 1.0] if length < 1e-9 else [0.0 - x for x in (gravity / length).tolist()]


def _parts(result: Result, chosen: np.ndarray, arrays: Arrays) -> dict[str, Any]:
    """Bodies with their parts and motion, and all that moves with them."""
    system, data = result.system, result.data
    position = data.position.transpose("time", "body", "axis").values
    orientation = continuous(data.orientation.transpose("time", "body", "quaternion").values)
    names = [str(body) for body in data.body.values]
    parts: dict[str, list[Any]] = {GROUND: []}
    found: dict[str, Any] = {
        "links": None,
        "left_out": [],
        "springs": [],
        "forces": [],
        "joints": [],
        "insets": [],
        "fields": [],
    }
    if system is None:
        size = float(np.linalg.norm(np.ptp(position.reshape(-1, 3), axis=0))) or 1.0
        parts |= {name: [part("ball", (0.02 * size,), np.zeros(3))] for name in names}
        radius = 0.01 * size
    else:
        links = Links(system, np.array(_up(system)), _travel(data), arrays)
        parts, radius = links.parts(), links.r
        for name, sheets in contact_surfaces(system, arrays).items():
            parts[name] += sheets
        pushed, left_out = details.forces(system, data.time.values[chosen], arrays)
        found = {
            "links": links,
            "left_out": left_out,
            "springs": details.springs(system, links),
            "forces": pushed,
            "joints": details.joints(system, data, links, chosen, arrays),
            "insets": details.insets(result, system, links, chosen, arrays),
            "fields": [
                *flexible_fields(system, data, chosen, arrays, links),
                *gap_fields(system, data, chosen, arrays),
            ],
        }
    bodies = []
    for b, name in enumerate(names):
        middle = position[chosen, b].mean(axis=0)
        bodies.append(
            {
                "name": name,
                "parts": parts.get(name, []),
                "middle": middle.tolist(),
                "position": arrays.add(position[chosen, b] - middle),
                "orientation": arrays.add(orientation[chosen, b]),
            }
        )
    return {**found, "radius": radius, "ground": parts[GROUND], "bodies": bodies}


def _travel(data: xr.Dataset):
    """How far a joint's displacement goes, by its name [m]."""
    known = {str(name): k for k, name in enumerate(data.coordinate.values)} if "coordinate" in data.coords else {}

    def travel(name: str) -> tuple[float, float]:
        if name not in known:
            return 0.0, 0.0
        values = data.joint_position.values[:, known[name]]
        return float(min(values.min(), 0.0)), float(max(values.max(), 0.0))

    return travel


def _columns(names: list[str]) -> tuple[list[str], list[str]]:
    """The variables that can be plotted; of very many, those of least interest are left out."""
    kept = names
    for word in LEFT_OUT_FIRST:
        if len(kept) > MOST_COLUMNS:
            kept = [name for name in kept if word not in name]
    kept = kept[:MOST_COLUMNS]
    notes = [f"Variables: {len(kept)} of {len(names)}; all are in result.table()."] if len(kept) < len(names) else []
    return kept, notes


def _variable(column: str, values: np.ndarray, arrays: Arrays) -> dict[str, Any]:
    name, _, unit = column.removesuffix("]").rpartition(" [")
    return {"name": name, "unit": unit, "values": arrays.add(values)}


def _no_system(system: System | None, data: xr.Dataset) -> list[str]:
    if system is not None:
        return []
    why = data.attrs.get("system_not_kept")
    return ["Bodies are drawn as balls: this result has no description" + (f" ({why})." if why else ".")]


def _facts(result: Result, kept: Kept) -> dict[str, Any]:
    stats = result.stats
    return {
        "end": f"{stats.get('end', 'done')} at t = {stats.get('end_time', 0.0):g} s",
        "solver": f"{stats.get('solver', '')}, {stats.get('coordinates', '')} coordinates",
        "steps": stats.get("steps"),
        "freedoms": stats.get("degrees_of_freedom"),
        "samples": kept.total,
        "contacts": len(result.events),
    }
