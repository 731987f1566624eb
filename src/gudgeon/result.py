"""What a simulation returns: motion, reactions and energies with names and units."""

from __future__ import annotations

import json
import os
import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import ModelError

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.figure import Figure

    from gudgeon.assembly import Assembly
    from gudgeon.body import BodyState
    from gudgeon.mechanics.absolute import Equations
    from gudgeon.solvers.base import Trajectory
    from gudgeon.system import System

FORMAT = "gudgeon result 1"
AXES = ["x", "y", "z"]
QUATERNION = ["e0", "e1", "e2", "e3"]


class Result:
    """The outcome of a simulation.

    `.data` is an xarray Dataset with named dimensions and units; it is computed from the states when first asked for.
    `.stats` says what the run cost. `.crossings` is a table of the instants watched for.

    >>> import gudgeon as gd
    >>> result = gd.simulate(gd.examples.spatial_four_bar(), 0.1, sample=0.05)
    >>> result.data.position.sel(body="rocker", axis="z").shape
    (3,)
    """

    def __init__(
        self,
        *,
        stats: dict[str, Any],
        crossings: tuple[list[str], np.ndarray],
        system: System | None = None,
        assembly: Assembly | None = None,
        data: xr.Dataset | None = None,
        source: tuple[Equations, np.ndarray, np.ndarray] | None = None,
    ):
        self.stats = stats
        self._crossings = crossings
        self.system = system
        self.assembly = assembly
        self._source = source
        if data is not None:
            self.data = data

    @classmethod
    def of_run(cls, equations: Equations, assembly: Assembly, trajectory: Trajectory) -> Result:
        """The result of a finished or broken-off run."""
        names = [equations.crossing_names[k] for k in trajectory.crossing_which]
        return cls(
            stats=trajectory.stats,
            crossings=(names, trajectory.crossing_times),
            system=equations.system,
            assembly=assembly,
            source=(equations, trajectory.times, trajectory.states),
        )

    @cached_property
    def data(self) -> xr.Dataset:
        """Everything over time, with units in the attributes; see `gd.simulate` for the dimensions."""
        if self._source is None:
            raise AttributeError("this Result has no states to compute data from")
        equations, times, states = self._source
        return _dataset(equations, times, states, self.stats.get("redundant_rows", 0))

    @cached_property
    def crossings(self) -> pd.DataFrame:
        """The instants watched for, in order: columns `crossing` (its name) and `time` [s]."""
        import pandas as pd

        names, times = self._crossings
        return pd.DataFrame({"crossing": names, "time": times})

    @property
    def states(self) -> np.ndarray:
        """The raw states at the samples: 7 per body (position, quaternion), then 6 (velocity, angular velocity)."""
        if self._source is None:
            raise ModelError("Result: raw states are not kept in files; use .data")
        return self._source[2]

    def state(self, sample: int = -1) -> dict[str, BodyState]:
        """The state of every body at a sample (by default the last), ready for `system.replace(start=...)`.

        A run from there starts at t = 0 again: loads and drives that depend on t start over.

        >>> import gudgeon as gd
        >>> system = gd.examples.spatial_four_bar()
        >>> again = system.replace(start=gd.simulate(system, 0.1).state())
        """
        from gudgeon.body import BodyState

        count = self.data.sizes["time"]
        if not isinstance(sample, int | np.integer) or not -count <= sample < count:
            raise ModelError(f"state: there is no sample {sample}; this result has {count} samples")
        self._refuse_wound_springs(sample)
        at = self.data.isel(time=sample)
        return {
            str(name): BodyState(
                position=at.position.sel(body=name).values,
                orientation=at.orientation.sel(body=name).values,
                velocity=at.velocity.sel(body=name).values,
                angular_velocity=at.angular_velocity.sel(body=name).values,
            )
            for name in self.data.body.values
        }

    def _refuse_wound_springs(self, sample: int) -> None:
        """A state of bodies does not tell how often a torsion spring is wound: refuse to lose that."""
        if self._source is None:
            return
        equations, _, states = self._source
        angles = states[sample, 13 * len(equations.system.bodies) :]
        if np.any(np.abs(angles) > np.pi):
            turns = angles[np.argmax(np.abs(angles))] / (2.0 * np.pi)
            raise ModelError(
                f"state: a JointSpring is wound by {turns:.3g} turns at this sample, which the state of the bodies "
                "cannot tell; continue from a sample within half a turn"
            )

    def save(self, path: str | Path) -> Path:
        """Write `.data`, `.crossings` and `.stats` to a netCDF file; an existing file is replaced only when complete.

        >>> gd.simulate(gd.examples.spatial_four_bar(), 0.1).save("four_bar.nc")  # doctest: +SKIP
        """
        path = Path(path)
        if not path.parent.is_dir():
            raise ModelError(f"save: there is no folder {str(path.parent)!r}; make it first")
        names, times = self._crossings
        data = self.data.assign_coords(crossing=("crossing", np.array(names, dtype=str)))
        data["crossing_time"] = ("crossing", times, {"units": "s"})
        data.attrs = {**data.attrs, "format": FORMAT, "stats": json.dumps(self.stats)}
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        os.close(handle)
        try:
            data.to_netcdf(temporary, engine="h5netcdf")
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        finally:
            Path(temporary).unlink(missing_ok=True)
        return path

    def plot(self, bodies: list[str] | None = None) -> Figure:
        """An overview: positions, speeds, reactions, energy and constraint residual over time.

        >>> figure = gd.simulate(gd.examples.spatial_four_bar(), 0.1).plot()  # doctest: +SKIP
        """
        from gudgeon.view.overview import overview

        return overview(self, bodies)

    def __repr__(self) -> str:
        name = self.system.name if self.system else self.data.attrs.get("system", "")
        steps = "" if self.stats["steps"] is None else f"{self.stats['steps']} steps, "
        return (
            f"<gudgeon.Result {name!r}: {self.stats['end']} at t = {self.stats['end_time']:g} s, "
            f"{steps}{self.stats['seconds_computing']:.3g} s computing>"
        )


def load(path: str | Path) -> Result:
    """Read a Result that was saved with `.save(path)`.

    >>> gd.load("four_bar.nc").data.position  # doctest: +SKIP
    """
    import xarray as xr

    path = Path(path)
    if not path.is_file():
        raise ModelError(f"load: there is no file {str(path)!r}")
    try:
        with xr.open_dataset(path, engine="h5netcdf", phony_dims="sort") as opened:
            data = opened.load()
    except (OSError, ValueError) as error:
        raise ModelError(f"load: {str(path)!r} is not a netCDF file ({error})") from None
    if data.attrs.get("format") != FORMAT:
        raise ModelError(f"load: {str(path)!r} is not a gudgeon result (no attribute format={FORMAT!r})")
    stats = json.loads(data.attrs.pop("stats"))
    del data.attrs["format"]
    times = np.array(data["crossing_time"].values, dtype=float)
    names = [str(name) for name in data["crossing"].values]
    return Result(stats=stats, crossings=(names, times), data=data.drop_vars(["crossing_time", "crossing"]))


def evaluate_outputs(
    equations: Equations, times: np.ndarray, states: np.ndarray, redundant_rows: int
) -> dict[str, np.ndarray]:
    """Accelerations, reactions (of least norm where rows are redundant), efforts and energies at the given states."""
    from gudgeon.kernels.outputs import outputs, reactions
    from gudgeon.mechanics.least_squares import least_norm

    model, n = equations.model, len(times)
    joints, drives = len(equations.joint_point), len(equations.system.drives)
    out = {
        "acceleration": np.empty((n, len(equations.system.bodies), 6)),
        "force": np.empty((n, joints, 3)),
        "torque": np.empty((n, joints, 3)),
        "effort": np.zeros((n, drives)),
        "energy": np.empty((n, 2)),
        "residual": np.empty(n),
    }
    times, states = np.ascontiguousarray(times), np.ascontiguousarray(states)
    arrays: Any = (times, states, equations.joint_point, *out.values())
    fill: Any = outputs
    if not redundant_rows:
        fill(model, equations.work, *arrays, 0, n)
        return out
    work, rows = equations.work, equations.joint_rows
    for s in range(n):
        fill(model, work, *arrays, s, s + 1)
        transposed = equations.jacobian().T
        work.multiplier[rows] = least_norm(transposed, transposed @ work.multiplier[rows])
        reactions(model, work, equations.joint_point, s, out["force"], out["torque"], out["effort"])
    return out


def _dataset(equations: Equations, times: np.ndarray, states: np.ndarray, redundant_rows: int) -> xr.Dataset:
    import xarray as xr

    out = evaluate_outputs(equations, times, states, redundant_rows)
    count, n = len(times), len(equations.system.bodies)
    q = states[:, : 7 * n].reshape(count, n, 7)
    v = states[:, 7 * n : 13 * n].reshape(count, n, 6)
    quaternion = q[:, :, 3:] / np.linalg.norm(q[:, :, 3:], axis=2, keepdims=True)
    kinetic, potential = out["energy"].T
    by_body, by_joint = ("time", "body", "axis"), ("time", "joint", "axis")

    def variable(dims, values, units: str, long_name: str):
        return dims, np.ascontiguousarray(values), {"units": units, "long_name": long_name}

    return xr.Dataset(
        {
            "position": variable(by_body, q[:, :, :3], "m", "position of the centre of mass"),
            "orientation": variable(("time", "body", "quaternion"), quaternion, "1", "body to world, scalar first"),
            "velocity": variable(by_body, v[:, :, :3], "m/s", "velocity of the centre of mass"),
            "angular_velocity": variable(by_body, v[:, :, 3:], "rad/s", "angular velocity, world axes"),
            "acceleration": variable(
                by_body, out["acceleration"][:, :, :3], "m/s^2", "acceleration of the centre of mass"
            ),
            "angular_acceleration": variable(
                by_body, out["acceleration"][:, :, 3:], "rad/s^2", "angular acceleration, world axes"
            ),
            "reaction_force": variable(
                by_joint,
                out["force"],
                "N",
                "force of the joint on the child, drives and springs not included, world axes",
            ),
            "reaction_torque": variable(
                by_joint,
                out["torque"],
                "N*m",
                "torque of the joint on the child about its joint point, drives and springs not included, world axes",
            ),
            "drive_effort": variable(("time", "drive"), out["effort"], "N*m or N", "torque or force of the drive"),
            "kinetic_energy": variable("time", kinetic, "J", "kinetic energy"),
            "potential_energy": variable("time", potential, "J", "energy of gravity and springs"),
            "mechanical_energy": variable("time", kinetic + potential, "J", "kinetic and potential energy"),
            "constraint_residual": variable("time", out["residual"], "m or rad", "largest constraint residual"),
        },
        coords={
            "time": ("time", times, {"units": "s"}),
            "body": list(equations.system.bodies),
            "joint": np.array(list(equations.system.joints), dtype=str),
            "drive": np.array(list(equations.system.drives), dtype=str),
            "axis": AXES,
            "quaternion": QUATERNION,
        },
        attrs={"system": equations.system.name},
    )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
