"""The dataset of a store, finished or not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import FileError
from gudgeon.sweeps.folding import fold, locked
from gudgeon.sweeps.member import DONE, FAILED
from gudgeon.sweeps.store import head_of

if TYPE_CHECKING:
    import xarray as xr

READ_AT_ONCE = 1 << 28  # larger stores are read when they are asked [bytes]


def open_study(path: str | Path) -> xr.Dataset:
    """The dataset of a study that `gd.sweep` keeps in `path`, as far as it has come; while it runs, too.

    Its dimensions are those of the parameters (`run` for samples, `member` for an ensemble), then those of the outputs.
    `status` is 0 for a run that is missing, 1 done, 2 failed; `error` says why. Numbers of runs that are missing or
    failed are NaN (whole numbers 0). What is large is read when it is asked for.

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
    names = [*head["study"]["parameters"]]
    data = data.set_coords([name for name in names if name in data])
    data.attrs = {"format": head["format"], "study": json.dumps(head["study"])}
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
