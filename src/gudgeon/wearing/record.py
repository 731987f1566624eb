"""What `gd.wear` returns, and how it is kept while it grows: one dataset with a row for every jump."""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import FileError, ModelError
from gudgeon.files.described import described
from gudgeon.files.disk import read_file, seal, unsealed, write_file
from gudgeon.solvers.state_key import kernels_key, key_of
from gudgeon.sweeps.study import differences
from gudgeon.wearing.cycles import Cycles, Rate, Told

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from gudgeon.results.result import Result
    from gudgeon.system import System

FORMAT = "gudgeon wear 1"
VARIABLES = {  # of every joint: unit, meaning
    "work": ("N*m", "∫∫ p |v_t| dA dt of a cycle"),
    "peak_force": ("N", "largest force of the joint in a cycle"),
    "peak_pressure": ("Pa", "largest pressure in a cycle"),
}


@dataclass(frozen=True, eq=False)
class Wear:
    """Wear over many cycles.

    `.data` is an xarray Dataset with a row for every jump, `cycles` its coordinate: for a joint "pin" the worn depths
    `pin.bore` and `pin.pin` (cycles, slice, angle) [m]; the volumes worn away `pin.bore.volume` [m³], which must be
    k ∫∫ p |v_t| dA dt, `pin.bore.rubbed`, and those of a cycle, `pin.bore.rate`; `pin.work` [N·m], `pin.peak_force` [N]
    and `pin.peak_pressure` [Pa] of a cycle. `.system` is worn as it is at the end, `.first` and `.last` are the runs of
    the new and of the worn mechanism.

    >>> gd.Wear.load("wear.nc").data["pin.bore"].max("angle")  # doctest: +SKIP
    """

    data: xr.Dataset
    system: System | None
    first: Result | None
    last: Result | None

    @property
    def runs(self) -> int:
        """How many runs it took."""
        return int(self.data.attrs["runs"])

    def plot(self, joint: str | None = None) -> Figure:
        """The worn surfaces, depths and volumes over the cycles, and the motion before and after."""
        from gudgeon.view.wear import worn_picture

        names = self.joints
        if joint is None:
            joint = names[0]
        if joint not in names:
            raise ModelError(f"Wear: no joint {joint!r} was worn; known are {', '.join(names)}")
        return worn_picture(self.data, joint, self.first, self.last)

    @property
    def joints(self) -> list[str]:
        """The joints that were worn."""
        return list(json.loads(self.data.attrs["surfaces"]))

    def save(self, path: str | Path) -> Path:
        """Write `.data` to a netCDF file, whole or not at all."""
        return _save(self.data, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Wear:
        """What `save`, or the store of `gd.wear`, kept; without the runs."""
        return cls(_load(Path(path)), None, None, None)


class Writer:
    """Collects jumps, and keeps them in a file if there is one."""

    def __init__(self, runs: Cycles, goal: float, path: Path | None, constant: float | None):
        self.runs, self.path = runs, path
        self.rejected = 0
        self._rows: list[dict[str, Any]] = []
        self._head = _description(runs, constant)
        self._first: Result | None = None
        self._last: Result | None = None
        self._before = 0
        self.elastic = 0.0  # depth where it rubs in the first run [m]
        if path is not None and path.exists():
            self._recall(_load(path))

    @property
    def cycle(self) -> float:
        """Done so far."""
        return self._rows[-1]["cycles"] if self._rows else 0.0

    @property
    def depth(self) -> np.ndarray:
        """Worn so far, all coefficients [m]."""
        return self._rows[-1]["depth"] if self._rows else self.runs.start

    @property
    def next_jump(self) -> float | None:
        """The length that the next jump should have, in cycles."""
        return self._rows[-1]["next_jump"] if self._rows else None

    def add(
        self,
        cycle: float,
        depth: np.ndarray,
        rate: Rate,
        rubbed: np.ndarray | float = 0.0,
        error: float = 0.0,
        next_jump: float | None = None,
    ) -> None:
        """A new row; `rubbed` is what the jump before it rubbed away, surface by surface [m³]."""
        told: Told = rate.told
        self._first, self._last = self._first or told.result, told.result
        if self._rows and self._rows[-1]["cycles"] == cycle:  # of a study that goes on
            return
        if not self._rows:
            self.elastic = told.pressed_depth
        before = self._rows[-1]["rubbed"] if self._rows else np.zeros(len(self.runs.blocks()))
        self._rows.append(
            {
                "cycles": cycle,
                "depth": depth,
                "rubbed": before + rubbed,
                "error": error,
                "next_jump": next_jump,
                "told": _plain(told),
            }
        )
        if self.path is not None:
            _save(self._data(), self.path)

    def wear(self) -> Wear:
        """What there is."""
        return Wear(self._data(), self.runs.worn(self.depth), self._first, self._last)

    def _data(self) -> xr.Dataset:
        import xarray as xr

        cycles = np.array([row["cycles"] for row in self._rows])
        coords: dict[str, Any] = {"cycles": ("cycles", cycles, {"units": "1", "long_name": "cycles"})}
        variables: dict[str, Any] = {
            "error": ("cycles", [row["error"] for row in self._rows], {"units": "1", "long_name": "of the jump"}),
            "next_jump": ("cycles", [np.nan if row["next_jump"] is None else row["next_jump"] for row in self._rows]),
        }
        surfaces: dict[str, list[str]] = {}
        place = 0
        for joint in self.runs.joints:
            surfaces[joint.name] = list(joint.surfaces)
            for k, (surface, areas) in enumerate(zip(joint.surfaces, joint.areas, strict=True)):
                worn = np.array([self.runs.split(row["depth"])[joint.name][k] for row in self._rows])
                depths, places = joint.variables(k, worn)
                variables |= depths
                coords |= places
                variables[f"{joint.name}.{surface}.volume"] = (
                    "cycles",
                    (worn - joint.start[k]) @ areas,
                    {"units": "m^3", "long_name": f"worn off the {surface}"},
                )
                variables[f"{joint.name}.{surface}.rubbed"] = (
                    "cycles",
                    [row["rubbed"][place] for row in self._rows],
                    {"units": "m^3", "long_name": "k ∫∫ p |v_t| dA dt, which is to be the volume"},
                )
                place += 1
                variables[f"{joint.name}.{surface}.rate"] = (
                    "cycles",
                    [row["told"]["volumes"][joint.name][k] for row in self._rows],
                    {"units": "m^3", "long_name": f"worn off the {surface} in a cycle"},
                )
            for name, (unit, meaning) in VARIABLES.items():
                values = [row["told"][name][joint.name] for row in self._rows]
                variables[f"{joint.name}.{name}"] = ("cycles", values, {"units": unit, "long_name": meaning})
        return xr.Dataset(
            variables,
            coords=coords,
            attrs={
                "format": FORMAT,
                "system": self.runs.system.name,
                "surfaces": json.dumps(surfaces),
                "study": json.dumps(self._head),
                "runs": self._before + self.runs.runs,
                "rejected": self.rejected,
                "elastic_depth": self.elastic,
                "cycle": self.runs.cycle,
            },
        )

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
        for row in range(data.sizes["cycles"]):
            at = data.isel(cycles=row)
            depth = [
                at[f"{joint.name}.{surface}"].values.ravel() for joint in self.runs.joints for surface in joint.surfaces
            ]
            length = float(at.next_jump)
            self._rows.append(
                {
                    "cycles": float(at.cycles),
                    "depth": np.concatenate(depth),
                    "rubbed": np.array(
                        [float(at[f"{j.name}.{s}.rubbed"]) for j in self.runs.joints for s in j.surfaces]
                    ),
                    "error": float(at.error),
                    "next_jump": None if np.isnan(length) else length,
                    "told": {
                        "volumes": {
                            joint.name: [float(at[f"{joint.name}.{s}.rate"]) for s in joint.surfaces]
                            for joint in self.runs.joints
                        },
                        **{
                            name: {joint.name: float(at[f"{joint.name}.{name}"]) for joint in self.runs.joints}
                            for name in VARIABLES
                        },
                    },
                }
            )


def _plain(told: Told) -> dict[str, Any]:
    return {"volumes": told.volumes, **{name: getattr(told, name) for name in VARIABLES}}


def _description(runs: Cycles, constant: float | None) -> dict[str, Any]:
    """All that decides what the jumps are."""
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


def _save(data: xr.Dataset, path: Path) -> Path:
    if path.suffix.lower() not in (".nc", ".h5", ".hdf5"):
        raise FileError(f"wear: {str(path)!r} would be a netCDF file; give a name that ends in .nc")
    content: Any = data.to_netcdf(engine="h5netcdf")
    whole = bytes(content) if not isinstance(content, BytesIO) else content.getvalue()
    write_file("wear", path, whole, seal(whole))
    return path


def _load(path: Path) -> xr.Dataset:
    import xarray as xr

    content = unsealed("wear", path, read_file("wear", path))
    try:
        data = xr.load_dataset(BytesIO(content), engine="h5netcdf")
    except (OSError, ValueError) as error:
        raise FileError(f"wear: {str(path)!r} is no netCDF file: {error}") from None
    if data.attrs.get("format") != FORMAT:
        raise FileError(f"wear: {str(path)!r} was not written by gd.wear")
    return data
