"""A number over time, of a Result or of the dataset of a study, by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.results.result import Result
from gudgeon.results.table import column_named, flat_table

if TYPE_CHECKING:
    import xarray as xr

UNEVEN = 1e-6  # of the interval between samples: more is no even spacing [-]


def series_of(owner: str, source: Result | xr.Dataset, name: str) -> xr.DataArray:
    """The variable or column `name` ("rocker.position.x") over time; of a study with its other dimensions first."""
    data: Any = source.data if isinstance(source, Result) else source
    found = data[name] if name in data else column_named(data, name)
    if found is None:
        known = [*map(str, data.data_vars)]
        if isinstance(source, Result):
            known += [str(column).partition(" [")[0] for column in flat_table(data.isel(time=slice(0, 1))).columns]
        raise ModelError(f"{owner}: no output {name!r}; {did_you_mean(name, known)}")
    if "time" not in found.dims:
        raise ModelError(f"{owner}: {name!r} has no time; give a variable over time")
    if isinstance(source, Result) and found.ndim > 1:
        raise ModelError(f"{owner}: {name!r} is of several; give one column such as 'rocker.position.x'")
    return found.transpose(..., "time")


def even_step(owner: str, times: np.ndarray) -> float:
    """The interval between samples, refused if they are not evenly spaced [s]."""
    if len(times) < 4:
        raise ModelError(f"{owner}: there are {len(times)} samples; give a longer run")
    steps = np.diff(times)
    if np.ptp(steps) > UNEVEN * steps.mean():
        raise ModelError(f"{owner}: the samples are not evenly spaced; give gd.simulate an interval sample=")
    return float(steps.mean())


def positive(owner: str, field: str, value: Any) -> float:
    """A positive number."""
    x = number(owner, field, value)
    if x <= 0.0:
        raise ModelError(f"{owner}: {field} is {x:g}; give a positive number")
    return x
