"""What is kept of a run: variables of its result, and what a function made of it, as arrays with names and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import shown
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.results.table import column_named
from gudgeon.solvers.sampling import sample_times
from gudgeon.sweeps.study import Study

if TYPE_CHECKING:
    from gudgeon.results.result import Result

MOST_WHOLE = 2**53  # that a float tells from its neighbours
OWN = ("status", "error", "warning", "seconds")  # variables that every store has


class UnknownOutput(ModelError):
    """A study asks for what no run of it has: there is no point in going on."""


@dataclass(frozen=True)
class Kept:
    """One variable of one run, or a coordinate of it."""

    dims: tuple[str, ...]
    values: np.ndarray
    attrs: dict[str, Any] = field(default_factory=dict)


SUMMARY = {"end_time": "s", "steps": "", "contacts": "", "peak_force": "N", "impact_speed": "m/s", "energy_lost": "J"}


def summary(result: Result) -> dict[str, Any]:
    """What `gd.sweep` keeps of a run unless it is told otherwise: a few numbers.

    The energy lost is what the joints dissipated; contacts, their largest force and speed are those of the events.
    """
    events, data = result.events, result.data if result.stats["steps"] else None
    lost = 0.0
    if data is not None and "dissipated_energy" in data and data.sizes["time"]:
        lost = float(data.dissipated_energy[-1].sum())
    values = {
        "end_time": result.stats["end_time"],
        "steps": result.stats["steps"] or 0,
        "contacts": len(events),
        "peak_force": _largest(events.peak_force),
        "impact_speed": _largest(events.impact_speed),
        "energy_lost": lost,
    }
    return {name: _number(values[name], unit) for name, unit in SUMMARY.items()}


def _number(value: float, unit: str = "") -> Kept:
    return Kept((), np.array(value), {"units": unit} if unit else {})


def _largest(column: Any) -> float:
    values = column.to_numpy(dtype=float)
    return float(np.nanmax(values)) if np.any(np.isfinite(values)) else 0.0


def kept_of(study: Study, result: Result) -> tuple[dict[str, Kept], dict[str, Kept]]:
    """The variables that a study keeps of a run, and their coordinates."""
    variables: dict[str, Kept] = {}
    coordinates: dict[str, Kept] = {}
    if study.outputs:
        times = sample_times("sweep", study.settings.get("sample"), study.duration)
        for name in study.outputs:
            _add(variables, coordinates, name, _of_data(result.data, name), times)
    if study.reduce is not None:
        made = study.reduce(result)
        if type(made).__name__ == "Dataset" and type(made).__module__.startswith("xarray"):
            made = made.data_vars
        if not isinstance(made, Mapping):
            raise TypeError(f"it gave {shown(made)}; return a dictionary from names to numbers or arrays")
        for name, value in made.items():
            _add(variables, coordinates, str(name), value, None)
    taken = {*OWN, *study.design.dims, *(p.name for p in study.design.parameters)}
    for name in [*variables, *coordinates, *(dim for kept in variables.values() for dim in kept.dims)]:
        if name in taken:
            raise UnknownOutput(
                f"sweep: the output {name!r} has the name of a parameter or of the store's own; rename it"
            )
    return variables, coordinates


def _of_data(data: Any, name: str) -> Any:
    if name in data.data_vars:
        return data[name]
    found = column_named(data, name)
    if found is None:
        columns = [str(column).partition(" [")[0] for column in _columns(data)]
        raise UnknownOutput(f"sweep: no output {name!r}; {did_you_mean(name, [*map(str, data.data_vars), *columns])}")
    return found


def _columns(data: Any) -> Any:
    from gudgeon.results.table import flat_table

    return flat_table(data.isel(time=slice(0, 1))).columns


def _add(
    variables: dict[str, Kept], coordinates: dict[str, Kept], name: str, value: Any, times: np.ndarray | None
) -> None:
    name, _, unit = name.partition(" [")
    if unit and not isinstance(value, Kept):
        _add(variables, coordinates, name, value, times)
        variables[name].attrs.setdefault("units", unit.removesuffix("]"))
        return
    if isinstance(value, Kept):
        variables[name] = Kept(value.dims, _plain(name, value.values), value.attrs)
        return
    if not (type(value).__name__ == "DataArray" and type(value).__module__.startswith("xarray")):
        array = _plain(name, value)
        variables[name] = Kept(tuple(f"{name}_{k}" for k in range(array.ndim)), array)
        return
    dims, array = tuple(map(str, value.dims)), _plain(name, value.values)
    for dim in dims:
        if dim in value.coords:
            labels = value.coords[dim].values
            labels = labels.astype(str) if labels.dtype.kind in "OTU" else labels
            coordinates[dim] = Kept((dim,), labels, _attrs(value.coords[dim].attrs))
    if times is not None and "time" in dims:
        array = _on_times(array, dims.index("time"), np.asarray(value.coords["time"].values), times)
        coordinates["time"] = Kept(("time",), times, {"units": "s"})
    variables[name] = Kept(dims, array, _attrs(value.attrs))


def _on_times(array: np.ndarray, axis: int, own: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Values at the times of the study; NaN after the end of a run that ended early."""
    count = min(len(own), len(times))
    count = count if np.array_equal(own[:count], times[:count]) else int(np.argmin(own[:count] == times[:count]))
    if count == len(times):
        return array
    shape = list(array.shape)
    shape[axis] = len(times)
    out = np.full(shape, np.nan)
    np.moveaxis(out, axis, 0)[:count] = np.moveaxis(array, axis, 0)[:count]
    return out


def _plain(name: str, value: Any) -> np.ndarray:
    """Floats, whole numbers or truths; nothing else can be stored."""
    array = np.asarray(value)
    if array.dtype.kind == "f":
        return np.ascontiguousarray(array, dtype="<f8").reshape(array.shape)
    if array.dtype.kind in "iu":
        if array.size and not -MOST_WHOLE <= int(array.min()) <= int(array.max()) <= MOST_WHOLE:
            raise TypeError(
                f"{name} is {shown(value)}; whole numbers are kept up to 2^53: return a float, or parts of it"
            )
        return np.ascontiguousarray(array, dtype="<i8").reshape(array.shape)
    if array.dtype.kind == "b":
        return np.ascontiguousarray(array).reshape(array.shape)
    raise TypeError(f"{name} is {shown(value)}; a store keeps real numbers and arrays of them")


def _attrs(attrs: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(k): v for k, v in attrs.items() if isinstance(v, str | int | float | bool)}
