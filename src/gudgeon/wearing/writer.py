"""Collects the jumps of `gd.wear`, and keeps them in a file if there is one, so that the same call goes on."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import FileError, ModelError
from gudgeon.files.described import described
from gudgeon.solvers.state_key import kernels_key, key_of
from gudgeon.sweeps.study import differences
from gudgeon.wearing.cycles import Cycles, Rate
from gudgeon.wearing.record import TOLD, Row, Wear, dataset, load, rows_of, save

if TYPE_CHECKING:
    import xarray as xr

    from gudgeon.results.result import Result


class Writer:
    """The rows of a study of wear."""

    def __init__(self, runs: Cycles, path: Path | None, constant: float | None):
        self.runs, self.path = runs, path
        self.rejected = 0
        self.elastic = 0.0  # depth where it rubs in the first run [m]
        self._rows: list[Row] = []
        self._head = _description(runs, constant)
        self._first: Result | None = None
        self._last: Result | None = None
        self._before = 0  # runs of earlier calls
        if path is None:
            return
        if path.exists():
            self._recall(load(path))
        elif path.suffix.lower() not in (".nc", ".h5", ".hdf5"):
            raise FileError(f"wear: {str(path)!r} would be a netCDF file; give a name that ends in .nc")

    @property
    def cycle(self) -> float:
        """Done so far."""
        return self._rows[-1].cycles if self._rows else 0.0

    @property
    def depth(self) -> np.ndarray:
        """Worn so far, all coefficients [m]."""
        if not self._rows:
            return self.runs.start
        return np.concatenate([w for joint in self.runs.joints for w in self._rows[-1].depth[joint.name]])

    @property
    def next_jump(self) -> float | None:
        """The length that the next jump should have, in cycles."""
        return self._rows[-1].next_jump if self._rows else None

    def add(
        self,
        cycle: float,
        depth: np.ndarray,
        rate: Rate,
        rubbed: np.ndarray | None = None,
        error: float = 0.0,
        next_jump: float | None = None,
    ) -> None:
        """A new row; `rubbed` is what the jump before it rubbed away, surface by surface [m³]."""
        told = rate.told
        self._first, self._last = self._first or told.result, told.result
        if self._rows and self._rows[-1].cycles == cycle:  # of a study that goes on
            return
        if not self._rows:
            self.elastic = told.pressed_depth
        areas = self.runs.areas()
        away, before = areas @ (depth - self.runs.start), np.zeros(len(areas))
        if self._rows:
            before = np.array([v for joint in self.runs.joints for v in self._rows[-1].rubbed[joint.name]])
        self._rows.append(
            Row(
                cycles=cycle,
                depth=self.runs.split(depth),
                volume=self._by_joint(away),
                rubbed=self._by_joint(before if rubbed is None else before + rubbed),
                rate=told.volumes,
                told={word: getattr(told, word) for word in TOLD},
                error=error,
                next_jump=next_jump,
            )
        )
        if self.path is not None:
            save(self._data(), self.path)

    def wear(self) -> Wear:
        """What there is."""
        return Wear(self._data(), self.runs.worn(self.depth), self._first, self._last)

    def _by_joint(self, values: np.ndarray) -> dict[str, list[float]]:
        ends = np.cumsum([0, *(len(joint.surfaces) for joint in self.runs.joints)]).tolist()
        return {
            joint.name: values[a:b].tolist() for joint, (a, b) in zip(self.runs.joints, pairwise(ends), strict=True)
        }

    def _data(self) -> xr.Dataset:
        attributes = {
            "system": self.runs.system.name,
            "study": json.dumps(self._head),
            "runs": self._before + self.runs.runs,
            "rejected": self.rejected,
            "elastic_depth": self.elastic,
            "cycle": self.runs.cycle,
        }
        return dataset(self.runs.joints, self._rows, attributes)

    def _recall(self, data: xr.Dataset) -> None:
        """Go on from a file, if it is of the same study."""
        told = differences(json.loads(data.attrs["study"]), self._head)
        if told:
            raise ModelError(
                f"wear: {str(self.path)!r} is the store of another study: {'; '.join(told)}; give another store=, or "
                "remove it"
            )
        self.elastic = float(data.attrs["elastic_depth"])
        self._before, self.rejected = int(data.attrs["runs"]), int(data.attrs["rejected"])
        self._rows = rows_of(self.runs.joints, data)


def _description(runs: Cycles, constant: float | None) -> dict[str, Any]:
    """All that decides what the jumps are; not how many cycles there are to be."""
    try:
        system: Any = described(runs.system)
    except ModelError:
        system = {"name": runs.system.name, "digest": key_of(runs.system)}
    return {
        "system": system,
        "coefficients": {name: list(values) for name, values in runs.coefficients.items()},
        "coefficient_counts": {joint.name: [len(a) for a in joint.areas] for joint in runs.joints},
        "cycle": runs.cycle,
        "settle": runs.settle,
        "average": runs.average,
        "sample": runs.sample,
        "tolerance": runs.tolerance,
        "jump": constant,
        **{name: value if isinstance(value, str) else key_of(value) for name, value in runs.settings.items()},
        "code": key_of(kernels_key()),
    }
