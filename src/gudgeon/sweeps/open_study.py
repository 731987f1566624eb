"""The dataset of a store, finished or not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import FileError
from gudgeon.solvers.sampling import sample_times
from gudgeon.sweeps.folding import OWN, fold, locked
from gudgeon.sweeps.member import DONE, FAILED, NUMBERS, TRUTH
from gudgeon.sweeps.outputs import SUMMARY, summary
from gudgeon.sweeps.store import head_of
from gudgeon.sweeps.study import plainly

if TYPE_CHECKING:
    import xarray as xr

READ_AT_ONCE = 1 << 28  # larger stores are read when they are asked [bytes]


def open_study(path: str | Path) -> xr.Dataset:
    """The dataset of a study that `gd.sweep` keeps in `path`, as far as it has come; while it runs, too.

    Its dimensions are those of the parameters (`run` for samples, `member` for an ensemble), then those of the outputs.
    `status` is 0 for a run that is missing, 1 done, 2 failed; `error` says why. Outputs of runs that are missing or
    failed are NaN: whole numbers and truths, too, are floats (1.0 for True) until all runs are done, so that means
    leave those runs out. Where no run is done, outputs that were asked for by name are NaN. What is large is read
    when it is asked for, and stays floats.

    >>> gd.open_study("study.zarr").energy_lost.plot()  # doctest: +SKIP
    """
    import xarray as xr

    path = Path(path)
    head = head_of(path)
    try:
        with locked(path):
            fold(path, list(head["study"]["dimensions"].values()))
    except OSError as error:
        if not isinstance(error, PermissionError) and error.errno is None:
            raise
    try:
        data = xr.open_zarr(str(path), chunks=None, consolidated=True)
        for name in [str(name) for name, variable in data.variables.items() if variable.dtype.kind == "T"]:
            texts = np.array(data[name].values.tolist(), dtype=str)  # which xarray and others know better
            data[name] = (data[name].dims, texts, data[name].attrs)
        if data.nbytes < READ_AT_ONCE:
            data = data.load()
    except Exception as error:
        raise FileError(f"study: {str(path)!r} is damaged ({error})") from None
    data = _with_asked(_as_they_were(data), head["study"])
    names = [*head["study"]["parameters"]]
    data = data.set_coords([name for name in names if name in data])
    data.attrs = {"format": head["format"], "study": json.dumps(head["study"])}
    return data


def _as_they_were(data: xr.Dataset) -> xr.Dataset:
    """Whole numbers and truths if all runs have them; else floats, NaN for runs that have not."""
    all_done = bool((data.status == DONE).all())
    for name, variable in data.data_vars.items():
        if name in OWN:
            continue
        kind = variable.attrs.pop(NUMBERS, None)
        if variable.dtype.kind in "ib" and not all_done:  # stores of before
            data[name] = variable.astype(float).where(data.status == DONE).assign_attrs(variable.attrs)
        elif kind is not None and all_done and variable.nbytes < READ_AT_ONCE:
            values = variable.values
            if np.all(np.isfinite(values)) and np.all(values == np.trunc(values)):
                data[name] = variable.astype(bool if kind == TRUTH else np.int64)
    return data


def _with_asked(data: xr.Dataset, study: dict[str, Any]) -> xr.Dataset:
    """Outputs that were asked for by name are there, NaN, if no run has given any."""
    if any(name not in OWN for name in data.data_vars):
        return data
    dims, shape = data.status.dims, data.status.shape
    if study["reduce"] == plainly(summary):
        for name, unit in SUMMARY.items():
            data[name] = (dims, np.full(shape, np.nan), {"units": unit} if unit else {})
    if study["outputs"]:
        sample = study["sample"]
        count = sample["count"] if isinstance(sample, dict) else 0
        times = None if count else sample_times("sweep", sample, study["duration"])
        count = count or len(times)  # type: ignore[arg-type]
        for name in study["outputs"]:
            data[name] = ((*dims, "time"), np.full((*shape, count), np.nan))
        if times is not None:
            data = data.assign_coords(time=("time", times, {"units": "s"}))
    return data


@dataclass(frozen=True, kw_only=True)
class StudyStatus:
    """How far a study has come."""

    count: int
    done: int
    failed: int
    seconds: float  # of all workers so far [s]
    errors: list[dict[str, Any]]  # of the first failed runs: parameters and error

    @property
    def missing(self) -> int:
        """How many runs there are to do."""
        return self.count - self.done - self.failed

    def all_failed(self) -> str:
        """That no run came to an end, and why the first did not."""
        which = "the only run failed" if self.count == 1 else f"all {self.count} runs failed"
        return f"{which}; the first: {self.errors[0]['error']}"


def study_status(data: xr.Dataset, most: int = 5) -> StudyStatus:
    """How far the study of a dataset has come; of `most` failed runs it says why."""
    status = data.status.values
    failed = data.error.where(data.status == FAILED, drop=False)
    errors = []
    for place in list(zip(*(status == FAILED).nonzero(), strict=True))[:most]:
        at = failed[tuple(int(k) for k in place)]
        errors.append({str(name): at[name].item() for name in at.coords} | {"error": str(at.item())})
    return StudyStatus(
        count=int(status.size),
        done=int((status == DONE).sum()),
        failed=int((status == FAILED).sum()),
        seconds=float(data.seconds.sum()),
        errors=errors,
    )
