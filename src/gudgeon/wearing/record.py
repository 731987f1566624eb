"""What `gd.wear` and `gd.wear_depth` return: one dataset with a row for every jump, and the runs at its ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import FileError, ModelError
from gudgeon.files.disk import read_file, seal, unsealed, write_file

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from gudgeon.results.result import Result
    from gudgeon.system import System

FORMAT = "gudgeon wear 1"
TOLD = {  # of every joint: unit, meaning
    "work": ("N*m", "∫∫ p |v_t| dA dt of a cycle"),
    "peak_force": ("N", "largest normal force in a cycle"),
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

    >>> gd.Wear.load("wear.nc").data["pin.bore"].max("pin.bore.angle")  # doctest: +SKIP
    """

    data: xr.Dataset
    system: System | None
    first: Result | None
    last: Result | None

    @property
    def runs(self) -> int:
        """How many runs it took."""
        return int(self.data.attrs["runs"])

    @property
    def joints(self) -> list[str]:
        """The joints that were worn."""
        return list(json.loads(self.data.attrs["surfaces"]))

    def plot(self, joint: str | None = None) -> Figure:
        """The worn surfaces, depths and volumes over the cycles, and the force of the joint before and after."""
        from gudgeon.view.wear import worn_picture

        chosen = self.joints[0] if joint is None else joint
        if chosen not in self.joints:
            raise ModelError(f"Wear: no joint {chosen!r} was worn; known are {', '.join(self.joints)}")
        return worn_picture(self.data, chosen, self.first, self.last)

    def save(self, path: str | Path) -> Path:
        """Write `.data` to a netCDF file, whole or not at all."""
        return save(self.data, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Wear:
        """What `save`, or the store of `gd.wear`, kept; without the runs."""
        return cls(load(Path(path)), None, None, None)


@dataclass(frozen=True, kw_only=True)
class Row:
    """The state after a jump; of every joint, surface by surface."""

    cycles: float
    depth: dict[str, list[np.ndarray]]  # coefficients [m]
    volume: dict[str, list[float]]  # worn away so far [m³]
    rubbed: dict[str, list[float]]  # k ∫∫ p |v_t| dA dt so far [m³]
    rate: dict[str, list[float]]  # worn away in a cycle from now on [m³]
    told: dict[str, dict[str, float]]  # by what is TOLD, by joint
    error: float = 0.0  # of the jump, as a part of what is allowed
    next_jump: float | None = None  # cycles


def dataset(joints: Sequence[Any], rows: list[Row], attributes: dict[str, Any]) -> xr.Dataset:
    """All rows with names and units; `joints` have names, surfaces and variables."""
    import xarray as xr

    cycles = np.array([row.cycles for row in rows])
    coords: dict[str, Any] = {"cycles": ("cycles", cycles, {"units": "1", "long_name": "cycles"})}
    jumps = np.array([np.nan if row.next_jump is None else row.next_jump for row in rows])
    variables: dict[str, Any] = {
        "error": (
            "cycles",
            [row.error for row in rows],
            {"units": "1", "long_name": "error of the jump over tolerance"},
        ),
        "next_jump": ("cycles", jumps, {"units": "1", "long_name": "cycles of the next jump to try"}),
    }
    for joint in joints:
        for k, surface in enumerate(joint.surfaces):
            depths, places = joint.variables(k, np.array([row.depth[joint.name][k] for row in rows]))
            variables |= depths
            coords |= places
            for word, what in (
                ("volume", f"worn off the {surface}"),
                ("rubbed", "k ∫∫ p |v_t| dA dt, which is to be the volume"),
                ("rate", f"worn off the {surface} in a cycle"),
            ):
                values = [getattr(row, word)[joint.name][k] for row in rows]
                variables[f"{joint.name}.{surface}.{word}"] = ("cycles", values, {"units": "m^3", "long_name": what})
        for word, (unit, what) in TOLD.items():
            values = [row.told[word][joint.name] for row in rows]
            variables[f"{joint.name}.{word}"] = ("cycles", values, {"units": unit, "long_name": what})
    surfaces = {joint.name: list(joint.surfaces) for joint in joints}
    return xr.Dataset(
        variables, coords=coords, attrs={"format": FORMAT, "surfaces": json.dumps(surfaces), **attributes}
    )


def rows_of(joints: Sequence[Any], data: xr.Dataset) -> list[Row]:
    """The way back."""
    found = []
    for place in range(data.sizes["cycles"]):
        at = data.isel(cycles=place)
        length = float(at.next_jump)

        def numbers(word: str, at: Any = at) -> dict[str, list[float]]:
            return {j.name: [float(at[f"{j.name}.{s}.{word}"]) for s in j.surfaces] for j in joints}

        found.append(
            Row(
                cycles=float(at.cycles),
                depth={
                    j.name: [j.recalled(k, at[f"{j.name}.{s}"].values) for k, s in enumerate(j.surfaces)]
                    for j in joints
                },
                volume=numbers("volume"),
                rubbed=numbers("rubbed"),
                rate=numbers("rate"),
                told={word: {j.name: float(at[f"{j.name}.{word}"]) for j in joints} for word in TOLD},
                error=float(at.error),
                next_jump=None if np.isnan(length) else length,
            )
        )
    return found


def save(data: xr.Dataset, path: Path) -> Path:
    """Write a netCDF file, whole or not at all."""
    if path.suffix.lower() not in (".nc", ".h5", ".hdf5"):
        raise FileError(f"wear: {str(path)!r} would be a netCDF file; give a name that ends in .nc")
    content: Any = data.to_netcdf(engine="h5netcdf")
    write_file("wear", path, memoryview(content), seal(memoryview(content)))
    return path


def load(path: Path) -> xr.Dataset:
    """Read what `save` wrote."""
    import xarray as xr

    content = unsealed("wear", path, read_file("wear", path))
    try:
        data = xr.load_dataset(BytesIO(content), engine="h5netcdf")
    except (OSError, ValueError) as error:
        raise FileError(f"wear: {str(path)!r} is no netCDF file: {error}") from None
    if data.attrs.get("format") != FORMAT:
        raise FileError(f"wear: {str(path)!r} was not written by gd.wear")
    return data
