"""The gap between two bodies through a motion: of one interface, or of all interfaces of a System.

Gap height h, its rate ḣ and the velocities of both walls at every point of a grid on the reference surface, as
`gudgeon.nurbs.gap` has them; here for every sample of a simulated motion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gudgeon.bodies import GROUND
from gudgeon.errors import ModelError, SimulationInterrupted, did_you_mean
from gudgeon.interface import Interface
from gudgeon.nurbs.pair import Pose, Reason, SurfacePair
from gudgeon.solvers.progress import Progress

if TYPE_CHECKING:
    import xarray as xr

    from gudgeon.results.result import Result
    from gudgeon.system import System

Array = NDArray[np.float64]
DIRECTIONS = ["xi1", "normal", "xi2"]
MOST_BYTES = 4e9  # of one history
BYTES = 65.0  # of one point at one sample


def gap_history(
    result: Result,
    interface: Interface,
    *,
    every: int = 1,
    threads: int = 1,
    progress: bool | Callable[[float], None] | None = None,
) -> xr.Dataset:
    """Gap, gap rate and wall velocities over the interface at every sample of a Result, as an xarray Dataset.

    every       take every n-th sample only
    threads     threads that share the grid
    progress    True, False, None (a bar on a terminal after a second), or a function of the fraction done

    `gap`, `gap_rate` and `reason` have the dimensions (time, xi1, xi2), the wall velocities also `direction`: along ξ1,
    along the normal out of the reference body, along ξ2. Where there is no corresponding point, values are nan and
    `reason` is a `gudgeon.nurbs.Reason`. `minimum_gap` is the least gap of the grid at each time, with its place.
    Ctrl-C raises SimulationInterrupted, whose `.result` is the Dataset so far.

    >>> import gudgeon as gd
    >>> from gudgeon.nurbs import Surface
    >>> puck = gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0, 0, 0.1))
    >>> result = gd.simulate(gd.System(bodies={"puck": puck}), 0.1, sample=0.05)
    >>> underside = Surface.plane(origin=(0, 0, 0.1)).reversed()
    >>> film = gd.Interface(reference=("ground", Surface.plane()), corresponding=("puck", underside), grid=(4, 3))
    >>> gd.gap_history(result, film).minimum_gap.values.round(6)
    array([0.1     , 0.087738, 0.05095 ])
    """
    if not isinstance(interface, Interface):
        raise ModelError(f"gap_history: a {type(interface).__name__} is given; give a gd.Interface")
    if isinstance(every, bool) or not isinstance(every, int | np.integer) or every < 1:
        raise ModelError(f"gap_history: every is {every!r}; give a whole number from 1")
    chosen = result.data.isel(time=slice(None, None, every))
    return history(chosen, interface, interface.pair_of(result), threads=threads, progress=progress)


def history(
    chosen: xr.Dataset,
    interface: Interface,
    pair: SurfacePair,
    *,
    threads: int = 1,
    progress: bool | Callable[[float], None] | None = None,
) -> xr.Dataset:
    """The gap at every sample of a motion of bodies."""
    from gudgeon.nurbs.gap import GapState

    times = chosen.time.values
    out = _Arrays(len(times), len(pair.xi1), len(pair.xi2))
    state = GapState(pair, threads=threads)
    poses = [_poses(chosen, body) for body in interface.bodies]
    shown = Progress(interface.label, progress)
    done = 0
    try:
        for done in range(len(times)):
            out.put(done, state.update(poses[0](done), poses[1](done)))
            shown.update((done + 1) / len(times))
        done = len(times)
    except KeyboardInterrupt:
        message = f"{interface.label}: interrupted after {done} of {len(times)} samples; .result has these"
        raise SimulationInterrupted(message, result=out.dataset(interface, pair, times, done)) from None
    finally:
        shown.close()
    return out.dataset(interface, pair, times, done)


def _poses(data: xr.Dataset, body: str) -> Callable[[int], Pose]:
    """The pose of a body at each sample."""
    if body == GROUND:
        still = Pose()
        return lambda sample: still
    at = data.sel(body=body)
    position, velocity = at.position.values, at.velocity.values
    quaternion, spin = at.orientation.values, at.angular_velocity.values
    return lambda k: Pose(rotation=quaternion[k], position=position[k], velocity=velocity[k], angular_velocity=spin[k])


def require_room(system: System, samples: int) -> None:
    """Refuse a run whose gaps would not fit into memory, before it runs."""
    for name, interface in system.interfaces.items():
        pair = interface._pair(interface.reference[1], interface.corresponding[1])
        n1, n2 = len(pair.xi1), len(pair.xi2)
        need = samples * n1 * n2 * BYTES
        if need > MOST_BYTES:
            raise ModelError(
                f"Interface {name!r}: {samples} samples of {n1}×{n2} points take {need / 1e9:.3g} GB; give a coarser "
                "grid or sample=, or leave it out of the System and use gd.gap_history(result, interface, every=)"
            )


def with_gaps(data: xr.Dataset, system: System) -> xr.Dataset:
    """The data of a motion and the gaps of the system's interfaces, their names before a dot: `film.gap`."""
    import xarray as xr

    parts = [data]
    for name, interface in system.interfaces.items():
        gaps = history(data, interface, interface.pair_for(system), progress=False)
        gaps = gaps.rename({key: f"{name}.{key}" for key in (*gaps.data_vars, "xi1", "xi2")})
        for key in gaps.data_vars:
            gaps[key].attrs |= {"reference": interface.bodies[0], "corresponding": interface.bodies[1]}
        parts.append(gaps)
    return xr.merge(parts, combine_attrs="override") if len(parts) > 1 else data


def gaps_of(data: xr.Dataset, name: str) -> xr.Dataset:
    """The variables of one interface under the names that `gap_history` gives them."""
    known = sorted({key.partition(".")[0] for key in map(str, data.data_vars) if key.endswith(".gap")})
    if name not in known:
        hint = did_you_mean(name, known) if known else "give System(interfaces=...)"
        raise ModelError(f"Result: no interface {name!r}; {hint}")
    prefix = f"{name}."
    own = data[[key for key in data.data_vars if str(key).startswith(prefix)]]
    own = own.rename({key: str(key).removeprefix(prefix) for key in own.variables if str(key).startswith(prefix)})
    own.attrs = {key: own.gap.attrs[key] for key in ("reference", "corresponding")}
    return own


class _Arrays:
    """A history being filled."""

    def __init__(self, count: int, n1: int, n2: int):
        need = count * n1 * n2 * BYTES
        if need > MOST_BYTES:
            raise ModelError(
                f"gap_history: {count} samples of {n1}×{n2} points take {need / 1e9:.3g} GB; give every="
                f"{int(np.ceil(need / MOST_BYTES))} or a coarser grid"
            )
        self.gap, self.gap_rate = np.full((count, n1, n2), np.nan), np.full((count, n1, n2), np.nan)
        self.wall_reference, self.wall_corresponding = np.full((2, count, n1, n2, 3), np.nan)
        self.reason = np.zeros((count, n1, n2), dtype=np.int8)
        self.minimum = np.full((count, 6), np.nan)  # gap, its place in the rows ξ1 and ξ2, world point

    def put(self, sample: int, field: Any) -> None:
        """Keep the gap of one sample."""
        self.gap[sample], self.gap_rate[sample] = field.gap, field.gap_rate
        self.wall_reference[sample], self.wall_corresponding[sample] = field.wall_reference, field.wall_corresponding
        self.reason[sample] = field.reason
        if (field.reason == Reason.FOUND).any():
            i, j = np.unravel_index(np.nanargmin(field.gap), field.gap.shape)
            self.minimum[sample] = [field.gap[i, j], i, j, *field.point[i, j]]

    def dataset(self, interface: Interface, pair: SurfacePair, times: Array, count: int) -> xr.Dataset:
        """The first `count` samples, with names and units."""
        import xarray as xr

        grid, walls = ("time", "xi1", "xi2"), ("time", "xi1", "xi2", "direction")
        least = self.minimum[:count]
        found = np.isfinite(least[:, 0])
        place = np.where(found[:, None], least[:, 1:3], 0.0).astype(int)
        xi = [np.where(found, row[place[:, c]], np.nan) for c, row in enumerate((pair.xi1, pair.xi2))]
        body, other = interface.bodies

        def variable(dims: Any, values: Any, units: str, long_name: str) -> Any:
            return dims, values, {"units": units, "long_name": long_name}

        data = xr.Dataset(
            {
                "gap": variable(grid, self.gap[:count], "m", "gap along the normal of the reference, negative inside"),
                "gap_rate": variable(
                    grid, self.gap_rate[:count], "m/s", "rate of the gap at the point of the reference"
                ),
                "wall_velocity_reference": variable(
                    walls, self.wall_reference[:count], "m/s", f"velocity of the wall of {body}, local directions"
                ),
                "wall_velocity_corresponding": variable(
                    walls, self.wall_corresponding[:count], "m/s", f"velocity of the wall of {other}, local directions"
                ),
                "reason": variable(grid, self.reason[:count], "1", "why there is no gap; 0 where there is one"),
                "reference_point": variable(
                    ("xi1", "xi2", "axis"),
                    pair.frames[0][:, 0].reshape(len(pair.xi1), len(pair.xi2), 3),
                    "m",
                    f"points of the grid in the frame of {body}",
                ),
                "minimum_gap": variable("time", least[:, 0], "m", "least gap of the grid"),
                "minimum_xi1": variable("time", xi[0], "1", "ξ1 of the least gap"),
                "minimum_xi2": variable("time", xi[1], "1", "ξ2 of the least gap"),
                "minimum_point": variable(
                    ("time", "axis"), least[:, 3:], "m", "its point on the reference, world axes"
                ),
            },
            coords={
                "time": ("time", times[:count], {"units": "s"}),
                "xi1": ("xi1", pair.xi1, {"units": "1"}),
                "xi2": ("xi2", pair.xi2, {"units": "1"}),
                "direction": DIRECTIONS,
                "axis": ["x", "y", "z"],
            },
            attrs={"reference": body, "corresponding": other},
        )
        data["reason"].attrs |= {
            "flag_values": np.array([int(x) for x in Reason], dtype=np.int8),
            "flag_meanings": " ".join(x.name.lower() for x in Reason),
        }
        return data
