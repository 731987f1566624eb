"""`gd.load`: a Result from the file that `.save` wrote."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import warn
from zipfile import BadZipFile

import numpy as np

from gudgeon.errors import FileError, ModelError
from gudgeon.files.disk import read_file, unsealed
from gudgeon.results.foreign_files import refuse_foreign, refuse_other_dimensions
from gudgeon.results.result import EVENT_COLUMNS, FORMAT, Result
from gudgeon.results.state_files import restored

if TYPE_CHECKING:
    import xarray as xr

    from gudgeon.system import System


def load(path: str | Path) -> Result:
    """Read a Result that was saved with `.save(path)`.

    >>> gd.load("four_bar.nc").data.position  # doctest: +SKIP
    """
    import h5py
    import xarray as xr

    path = Path(path)
    if path.suffix.lower() in (".yaml", ".yml") and path.is_file():
        raise FileError(f"load: {str(path)!r} is a model file, not a result; run it first: gudgeon run {path}")
    content = unsealed("load", path, read_file("load", path))
    try:
        with h5py.File(BytesIO(content)) as file:  # h5netcdf complains twice of what h5py cannot open
            refuse_foreign(file, len(content))
        with xr.open_dataset(BytesIO(content), engine="h5netcdf", phony_dims="sort") as opened:
            data = opened.load()
    except Exception as error:  # a damaged file makes h5py raise almost anything
        raise FileError(f"load: {str(path)!r} is not a netCDF file, or is damaged ({error})") from None
    if data.attrs.get("format") != FORMAT:
        raise FileError(f"load: {str(path)!r} is not a gudgeon result (no attribute format={FORMAT!r})")
    try:
        return _of_dataset(data)
    except (KeyError, TypeError, ValueError, MemoryError, BadZipFile) as error:
        raise FileError(f"load: {str(path)!r} is damaged ({error})") from None


def _of_dataset(data: xr.Dataset) -> Result:
    """The Result that was saved as this Dataset."""
    stats = json.loads(data.attrs.pop("stats"))
    del data.attrs["format"]
    singularities = json.loads(data.attrs.pop("singularities", "[]"))
    switches = [tuple(line) for line in json.loads(data.attrs.pop("switches", "[]"))]
    described = data
    text, memory = data.attrs.pop("state", None), data.get("state_memory")
    end_state = None if text is None or memory is None else restored(text, memory.values)
    times = np.array(data["crossing_time"].values, dtype=float)
    names = [str(name) for name in data["crossing"].values]
    joints = [str(name) for name in data["event_joint"].values]
    if "event_contact" not in data:  # files of earlier versions know balls only, and no impulses
        data["event_contact"] = ("event", np.full(len(joints), "ball"))
        data["event_impulse"] = ("event", np.full(len(joints), np.nan))
    points = [str(name) for name in data["event_contact"].values]
    columns = [f"event_{name}" for name, _ in EVENT_COLUMNS]
    table = np.column_stack([data[name].values for name in columns]).astype(float)
    if not len(table) == len(joints) == len(points):
        raise ValueError("its events are of different lengths")
    data = data.drop_vars(["event_joint", "event_contact", "crossing", "system_description"], errors="ignore")
    refuse_other_dimensions(data, stats)
    return Result(
        stats=stats,
        crossings=(names, times),
        events=(joints, points, table),
        data=data.drop_vars(
            ["crossing_time", *columns] + ([] if end_state is None else ["state_memory"]),
        ),
        system=_system_in(described),
        singularities=[(time, kind, value, tuple(owners)) for time, kind, value, owners in singularities],
        switches=switches,
        end_state=end_state,
    )


def _system_in(data: xr.Dataset) -> System | None:
    """The System of a run, if the file has one that this version knows."""
    from gudgeon.files.model_file import system_of_json

    if "system_description" not in data:
        return None
    try:
        return system_of_json(str(data["system_description"].values))
    except ModelError as error:
        warn(f"load: the System of this run cannot be read, .system is None ({error})", UserWarning, stacklevel=4)
        return None
