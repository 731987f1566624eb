"""The Dataset of a result in other shapes: a flat table with one column for every number over time, MATLAB's arrays."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.units import unit_of

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

SUFFIX = {"joint_position": "", "joint_velocity": ".velocity", "joint_acceleration": ".acceleration"}
LONGEST_NAME = 63  # of a variable in MATLAB


def flat_table(data: xr.Dataset) -> pd.DataFrame:
    """Columns such as "crank.position.x [m]" over time; see `Result.table`."""
    import pandas as pd

    columns: dict[str, np.ndarray] = {}
    for name, variable in data.data_vars.items():
        dims = [str(dim) for dim in variable.dims if dim != "time"]
        if "time" not in variable.dims or any(data[dim].dtype.kind != "U" for dim in dims):
            continue  # points of a grid
        values = variable.transpose("time", *dims).values
        for place in np.ndindex(values.shape[1:]):
            column = values[(slice(None), *place)]
            if not np.all(np.isnan(column)) or not len(column):
                labels = [str(data[dim].values[k]) for dim, k in zip(dims, place, strict=True)]
                columns[_column(str(name), labels, unit_of(data, str(name), place))] = column
    return pd.DataFrame(columns, index=pd.Index(data["time"].values, name="time [s]"))


def _column(variable: str, labels: list[str], unit: str) -> str:
    """The name of a column: whose, what, which component, its unit."""
    if variable in SUFFIX:
        return f"{labels[0]}{SUFFIX[variable]} [{unit}]"
    return f"{'.'.join([*labels[:1], variable, *labels[1:]])} [{unit}]"


def column_named(data: xr.Dataset, name: str) -> xr.DataArray | None:
    """The column of the flat table with this name, its unit left out: "rocker.position.x"; None if there is none."""
    for variable in map(str, data.data_vars):
        dims = [str(dim) for dim in data[variable].dims if dim != "time"]
        if "time" not in data[variable].dims or any(data[dim].dtype.kind != "U" for dim in dims):
            continue
        sizes = [data.sizes[dim] for dim in dims]
        if variable not in SUFFIX and variable not in name:
            continue
        for place in np.ndindex(*sizes):
            labels = [str(data[dim].values[k]) for dim, k in zip(dims, place, strict=True)]
            unit = unit_of(data, variable, place)
            if _column(variable, labels, unit) in (name, f"{name} [{unit}]"):
                found = data[variable].transpose("time", *dims)[(slice(None), *place)]
                return found.drop_vars(dims, errors="ignore").assign_attrs(units=unit)
    return None


def matlab_file(data: xr.Dataset, events: pd.DataFrame) -> bytes:
    """The content of a MAT-file; see `Result.to_mat`."""
    from scipy.io import savemat

    arrays = {_matlab_name(name): variable.values for name, variable in data.data_vars.items()}
    labels = {
        _matlab_name(name): variable.values.astype(object) if variable.dtype.kind == "U" else variable.values
        for name, variable in data.coords.items()
    }
    units = {_matlab_name(name): unit_of(data, str(name)) for name in (*data.data_vars, "time")}
    table: dict[str, Any] = {str(name): column.to_numpy() for name, column in events.items()}
    content = BytesIO()
    savemat(
        content,
        {**arrays, **labels, "units": units, "events": table, "system": str(data.attrs.get("system", ""))},
        long_field_names=True,
        oned_as="column",
        do_compression=True,
    )
    return content.getvalue()


def _matlab_name(name: Any) -> str:
    """A name that MATLAB takes for a variable: letters, digits and underscores after a letter."""
    plain = re.sub(r"\W", "_", str(name), flags=re.ASCII)
    return (plain if plain[:1].isalpha() else f"x{plain}")[:LONGEST_NAME]
