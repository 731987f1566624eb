"""What a simulation returns: motion, reactions and energies with names and units."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.errors import FileError, ModelError
from gudgeon.files.disk import seal, write_file
from gudgeon.mechanics.recipe import Recipe
from gudgeon.results.dataset import dataset
from gudgeon.results.state_files import stored

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.figure import Figure

    from gudgeon.analysis.assemble import Assembly
    from gudgeon.mechanics.equations import Equations
    from gudgeon.solvers.base import Trajectory
    from gudgeon.state import State
    from gudgeon.system import System
    from gudgeon.view.page.page import Page

FORMAT = "gudgeon result 1"
EVENT_COLUMNS = (
    ("begin", "s"),
    ("end", "s"),
    ("impact_speed", "m/s"),
    ("peak_force", "N"),
    ("energy_lost", "J"),
    ("impulse", "N*s"),
)
TABLES = (".csv", ".tsv", ".txt", ".dat")
OTHER_FORMATS = (".json", ".mat", ".npy", ".npz", ".parquet", ".pickle", ".pkl", ".xls", ".xlsx", ".zarr", ".zip")
SINGULARITY_COLUMNS = ("time", "kind", "singular_value", "owners")


Singularity = tuple[float, str, float, tuple[str, ...]]  # time [s], kind, singular value [-], owners
Switching = tuple[str, float, bool, float]  # switch, time [s], whether it turned on, energy lost [J]
SWITCHING_COLUMNS = ("switch", "time", "on", "energy_lost")


class Result:
    """The outcome of a simulation.

    `.data` is an xarray Dataset with named dimensions and units; it is computed from the states when first asked for.
    `.stats` says what the run cost. `.crossings` is a table of the instants watched for, `.events` one of the contacts
    in joints with clearance, `.switches` one of the switches that turned, `.singularities` one of the singular
    positions that `gd.kinematics` met.

    A Result can be pickled and copied, so that a function that returns one runs in a `ProcessPoolExecutor`. (Python
    pickles functions by name: a load or law must then be an expression, or a `def` of a module, not a lambda.)

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
        events: tuple[list[str], list[str], np.ndarray] | None = None,
        system: System | None = None,
        assembly: Assembly | None = None,
        data: xr.Dataset | Callable[[], xr.Dataset] | None = None,
        source: tuple[Equations, Trajectory] | None = None,
        singularities: Sequence[Singularity] = (),
        switches: Sequence[Switching] = (),
        settings: tuple[Any, ...] = (),
        end_state: State | None = None,
    ):
        self.stats = stats
        self._crossings = crossings
        self._events = events or ([], [], np.zeros((0, len(EVENT_COLUMNS))))
        self.system = system
        self.assembly = assembly
        self._equations: Equations | Recipe | None
        self._equations, self._trajectory = source or (None, None)
        self._singularities = list(singularities)
        self._switches = list(switches)
        self._settings = settings  # system, solver and more that a state belongs to: state_key.py
        self._end_state = end_state  # as a file kept it
        self._compute: Callable[[], xr.Dataset] | None = None  # what makes `.data`, if `source` alone does not
        if callable(data):
            self._compute = data
        elif data is not None:
            self.data = data

    @classmethod
    def of_run(
        cls, equations: Equations, assembly: Assembly, trajectory: Trajectory, settings: tuple[Any, ...] = ()
    ) -> Result:
        """The result of a finished or broken-off run."""
        names = [equations.crossing_names[k] for k in trajectory.crossing_which]
        events = None
        if len(trajectory.contacts):
            trajectory.contacts = trajectory.contacts[np.argsort(trajectory.contacts[:, 1], kind="stable")]
            contacts = _contacts_alone(trajectory.contacts)
            events = (*_touching_parts(equations, contacts), contacts[:, [1, 2, 3, 4, 5, 7]])
        return cls(
            stats=trajectory.stats,
            crossings=(names, trajectory.crossing_times),
            events=events,
            switches=[
                (equations.controls.switch_names[int(which)], float(time), bool(on), float(loss))
                for time, which, on, loss in trajectory.switchings
            ],
            system=equations.system,
            assembly=assembly,
            source=(equations, trajectory),
            settings=settings,
        )

    @property
    def _source(self) -> tuple[Equations, Trajectory] | None:
        """The equations and what was computed with them; None in a result from a file."""
        if self._equations is None or self._trajectory is None:
            return None
        if isinstance(self._equations, Recipe):
            self._equations = self._equations.equations()
        return self._equations, self._trajectory

    def __getstate__(self) -> dict[str, Any]:
        """With `.data` computed, and the equations as a recipe: their compiled laws cannot leave this process."""
        if self._equations is None or isinstance(self._equations, Recipe):
            return self.__dict__
        return {**self.__dict__, "data": self.data, "_compute": None, "_equations": Recipe.of(self._equations)}

    @cached_property
    def data(self) -> xr.Dataset:
        """Everything over time, with units in the attributes; see `gd.simulate` for the dimensions."""
        if self._compute is not None:
            return self._compute()
        if self._source is None:
            raise AttributeError("this Result has no states to compute data from")
        equations, trajectory = self._source
        return dataset(equations, trajectory, self.stats.get("redundant_rows", 0))

    def interface(self, name: str) -> xr.Dataset:
        """Gap, gap rate, wall velocities and least gap of an interface of the System, named as by `gd.gap_history`.

        In `.data` their names begin with that of the interface: `film.gap` has the dimensions time, film.xi1, film.xi2.

        >>> import gudgeon as gd
        >>> from gudgeon.nurbs import Surface
        >>> underside = Surface.plane(origin=(0, 0, 0.1)).reversed()
        >>> film = gd.Interface(reference=("ground", Surface.plane()), corresponding=("puck", underside), grid=(4, 3))
        >>> puck = gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0, 0, 0.1))
        >>> result = gd.simulate(gd.System(bodies={"puck": puck}, interfaces={"film": film}), 0.1, sample=0.05)
        >>> result.interface("film").minimum_gap.values.round(6)
        array([0.1     , 0.087738, 0.05095 ])
        """
        from gudgeon.results.gap_history import gaps_of

        return gaps_of(self.data, name)

    @cached_property
    def crossings(self) -> pd.DataFrame:
        """The instants watched for, in order: columns `crossing` (its name) and `time` [s]."""
        import pandas as pd

        names, times = self._crossings
        return pd.DataFrame({"crossing": names, "time": times})

    @cached_property
    def events(self) -> pd.DataFrame:
        """The contacts in joints with play, of shapes that meet, and at stops, in order of their begin.

        Columns: `joint`; `contact`, what of it touches: "ball", "land", "land 2", "upper collar", "upper wall", "left
        flank", the corner or node of a slider; of shapes that meet "touch", a rim, an end or a corner; a stop or an
        elastic coupling with its side, "limits upper"; "surface"; "own" (of a user's model); `begin` and `end` [s], NaN
        if the contact outlasts the run; `impact_speed` [m/s] at the begin; `peak_force` [N], the largest normal force;
        `energy_lost` [J] to the contact's damping and friction; `impulse` [N·s] of the normal force. An impact of hard
        contacts has begin = end and no peak force. NaN is what a solver does not tell: the impulse, but of sliders
        under `TimeStepping`.

        >>> import gudgeon as gd
        >>> result = gd.simulate(gd.examples.spatial_four_bar("dry"), 0.02)
        >>> bool(0.024 < result.events.impact_speed[0] < 0.026)
        True
        """
        import pandas as pd

        joints, points, table = self._events
        columns = {name: table[:, c] for c, (name, _) in enumerate(EVENT_COLUMNS)}
        return pd.DataFrame({"joint": joints, "contact": points, **columns})

    @cached_property
    def singularities(self) -> pd.DataFrame:
        """The singular positions that `gd.kinematics` met, in order; empty for a simulation.

        Columns: `time` [s]; `kind`, "branching" (the rows of the constraints become dependent, the motion goes on) or
        "locked" (no velocities follow the drives, the motion ends there); `singular_value` [-], the smallest of the
        scaled Jacobian; `owners`, a tuple of the joints and drives whose rows depend on each other, the most
        involved first.

        >>> import gudgeon as gd
        >>> len(gd.simulate(gd.examples.spatial_four_bar(), 0.02).singularities)
        0
        """
        import pandas as pd

        columns = [list(column) for column in zip(*self._singularities, strict=True)] or [[], [], [], []]
        table = pd.DataFrame(dict(zip(SINGULARITY_COLUMNS, columns, strict=True)))
        return table.astype({"time": float, "singular_value": float})

    @cached_property
    def switches(self) -> pd.DataFrame:
        """The instants at which switches turned, in order; times of drives and locks are switches "name.until".

        Columns: `switch`; `time` [s]; `on`, whether it turned on; `energy_lost` [J], in the impact with which locks,
        drives and couplings begin to hold then (below zero: supplied by a drive).

        >>> import gudgeon as gd
        >>> len(gd.simulate(gd.examples.spatial_four_bar(), 0.02).switches)
        0
        """
        import pandas as pd

        columns = [list(column) for column in zip(*self._switches, strict=True)] or [[], [], [], []]
        table = pd.DataFrame(dict(zip(SWITCHING_COLUMNS, columns, strict=True)))
        return table.astype({"time": float, "on": bool, "energy_lost": float})

    @property
    def states(self) -> np.ndarray:
        """The raw states at the samples: positions, then velocities, then what else the solver integrates.

        In absolute coordinates 7 positions per body (position, quaternion) and 6 velocities (velocity, angular
        velocity); in relative coordinates those of the tree's joints, in the order of `system.topology().links`.
        """
        if self._trajectory is None:
            raise ModelError("Result: raw states are not kept in files; use .data")
        return self._trajectory.states

    def state(self, sample: int = -1) -> State:
        """Everything at a sample (by default the last), to go on from: `gd.simulate(system, duration, start=state)`.

        It holds time, bodies, nodes of flexible bodies, what springs have counted, bristles, and contacts that last; at
        the end of a run also how its solver goes on, so that a run that is cut goes on to the last bit as if it were
        not (samples within the last step before the cut are those of a step that ends there). Contacts of guides begin
        anew where another solver takes over.

        `system.replace(start=state)` takes the bodies alone: a run of its own, at t = 0.

        >>> import gudgeon as gd
        >>> system = gd.examples.spatial_four_bar()
        >>> rest = gd.simulate(system, 0.1, start=gd.simulate(system, 0.1).state())
        >>> float(rest.data.time[0]), float(rest.data.time[-1])
        (0.1, 0.2)
        """
        from gudgeon.bodies import BodyState
        from gudgeon.orientations import ScalarFirst
        from gudgeon.results.continuation import state_of_run
        from gudgeon.state import State

        count = self.data.sizes["time"]
        if not isinstance(sample, int | np.integer) or not -count <= sample < count:
            raise ModelError(f"state: there is no sample {sample}; this result has {count} samples")
        if self._end_state is not None and sample in (-1, count - 1):
            return self._end_state
        at = self.data.isel(time=sample)
        bodies = {
            str(name): BodyState(
                position=at.position.sel(body=name).values,
                orientation=ScalarFirst(at.orientation.sel(body=name).values),
                velocity=at.velocity.sel(body=name).values,
                angular_velocity=at.angular_velocity.sel(body=name).values,
            )
            for name in self.data.body.values
        }
        joints: dict[str, float] = {}
        if "joint_position" in self.data:
            names = [str(name) for name in self.data.coordinate.values]
            joints = dict(zip(names, at.joint_position.values.tolist(), strict=True))
        if self._source is None:
            return State(time=float(at.time), bodies=bodies, joints=joints)
        return state_of_run(*self._source, int(sample), bodies, joints, self._settings)

    def save(self, path: str | Path) -> Path:
        """Write `.data`, `.stats`, the tables, the System and the last state to a netCDF file, whole or not at all.

        `run = gd.load(path)` has all that `gd.simulate(run.system, duration, start=run.state())` needs to go on to the
        last bit. A System with Python functions or classes of your own cannot be in a file: `.system` then is None,
        `.data.attrs["system_not_kept"]` says why, and the state belongs to a digest of it: with another one only the
        physics goes on.

        Raises FileError, which is an OSError too, where the file cannot be written; the Result stays as it is.

        >>> gd.simulate(gd.examples.spatial_four_bar(), 0.1).save("four_bar.nc")  # doctest: +SKIP
        """
        from gudgeon.files.model_file import system_as_json

        path = Path(path)
        _refuse_other_formats(path)
        names, times = self._crossings
        data = self.data.assign_coords(crossing=("crossing", np.array(names, dtype=str)))
        data["crossing_time"] = ("crossing", times, {"units": "s"})
        joints, points, table = self._events
        data["event_joint"] = ("event", np.array(joints, dtype=str))
        data["event_contact"] = ("event", np.array(points, dtype=str))
        for c, (name, units) in enumerate(EVENT_COLUMNS):
            data[f"event_{name}"] = ("event", table[:, c], {"units": units})
        data.attrs = {
            **data.attrs,
            "format": FORMAT,
            "stats": json.dumps(self.stats),
            "singularities": json.dumps(self._singularities),
            "switches": json.dumps(self._switches),
        }
        if self.system is not None:
            try:
                data["system_description"] = ((), system_as_json(self.system))
            except ModelError as error:
                data.attrs["system_not_kept"] = str(error)
        if data.sizes["time"] and "position" in data:
            data.attrs["state"], memory = stored(self.state())
            data["state_memory"] = ("state_byte", memory)
        content = data.to_netcdf(engine="h5netcdf")  # in memory: HDF5 does not survive a disk that fills up
        write_file("save", path, content, seal(content))
        return path

    def table(self) -> pd.DataFrame:
        """All numbers over time as a flat table: one row for every sample, columns named with their units.

        Columns are called by whose number it is, what it is and which component: "rocker.position.x [m]",
        "C.reaction_force.z [N]", "A.angle [rad]", "A.angle.velocity [rad/s]", "motor.drive_effort [N*m]",
        "kinetic_energy [J]". What a joint does not have (the penetration of an ideal one) is left out, and so are
        fields over the grid of an interface: see `.interface(name)`.

        >>> import gudgeon as gd
        >>> table = gd.simulate(gd.examples.spatial_four_bar(), 0.1, sample=0.05).table()
        >>> table["rocker.position.x [m]"].shape
        (3,)
        """
        from gudgeon.results.table import flat_table

        return flat_table(self.data)

    def to_csv(self, path: str | Path) -> Path:
        """Write `.table()` as comma-separated values, replacing a file only when complete.

        The first line has the names with units; the first column is the time. Every number reads back as it was.

        >>> gd.simulate(gd.examples.spatial_four_bar(), 0.1).to_csv("four_bar.csv")  # doctest: +SKIP
        """
        path = Path(path)
        write_file("to_csv", path, self.table().to_csv().encode())
        return path

    def to_mat(self, path: str | Path) -> Path:
        """Write `.data` and `.events` as a MAT-file for MATLAB or Octave, replacing a file only when complete.

        Every variable is an array with the dimensions it has here, time first; `body`, `joint`, `axis`, … are cell
        arrays of names, `units` and `events` structures. In MATLAB:

            run = load("four_bar.mat");
            plot(run.time, run.position(:, strcmp(run.body, "rocker"), 1))

        >>> gd.simulate(gd.examples.spatial_four_bar(), 0.1).to_mat("four_bar.mat")  # doctest: +SKIP
        """
        from gudgeon.results.table import matlab_file

        path = Path(path)
        write_file("to_mat", path, matlab_file(self.data, self.events))
        return path

    def plot(self, bodies: Iterable[str] | None = None, joints: Iterable[str] | None = None) -> Figure:
        """An overview over time: motion of bodies and joints, efforts of drives, forces, real joints, energy.

        bodies   whose motion is drawn; by default up to six: those at real joints, then those that move farthest
        joints   whose coordinates and forces are drawn; by default up to six: real ones, driven ones, then those
                 that carry the most. What is left out is said below the panels

        Real joints have their penetration or eccentricity, normal forces with the peak of every contact (which may lie
        between two samples), and the path of the ball in its clearance; sliders their gaps and forces.

        >>> figure = gd.simulate(gd.examples.spatial_four_bar("dry"), 0.1).plot(joints=["C"])  # doctest: +SKIP
        """
        from gudgeon.view.overview import overview

        return overview(self, bodies, joints)

    def plot_joint(self, joint: str, *, between: tuple[float, float] | None = None) -> Figure:
        """A joint with play from inside, magnified: a pin in its bearing, a ball in its socket, a box in its guide.

        The path of the pin's axis is drawn at both ends of its land where they differ, as the bearing sees it and
        coloured by how it touches (open, one edge, the line, two crossed edges; film); the pin itself where the force
        is largest, with its key where it has one. Of a box it is the path of its middle (open, a wall, several walls;
        film), with its corners displaced as they are. Beside it, over time: force with the peak of every contact, mode
        of contact, depth at both ends, walls and flanks or the thinnest film, and power lost. `between` is the part of
        the run that is drawn [s], such as its last turn. The pins of a DryCross "J" are "J.parent" and "J.child".

        >>> import gudgeon as gd
        >>> run = gd.simulate(gd.examples.spatial_four_bar("dry"), 0.1, sample=1e-3)
        >>> figure = run.plot_joint("C", between=(0.05, 0.1))
        """
        from gudgeon.view.joint import joint_picture

        return joint_picture(self, joint, between)

    def view(self, path: str | Path | None = None, *, samples: int | None = None) -> Page:
        """Write one HTML file that shows this run moving, with plots: see `gd.view`, which also takes several runs.

        path      by default the name of the system, in the current folder
        samples   how many are kept of the motion; by default as many as a screen can show, which the page says

        Returns the path; in Jupyter it shows the page.

        >>> gd.simulate(gd.examples.spatial_four_bar("dry"), 2.0).view("four-bar.html")  # doctest: +SKIP
        """
        from gudgeon.view.page.page import write_view

        return write_view(self, path, samples=samples)

    def report(self, path: str | Path | None = None) -> Page:
        """Write one HTML page about this run, to read and to print.

        What the mechanism is, its freedoms, the moving picture, plots, contacts, the balance of energy, solver and
        versions, warnings. Without the viewer (see `gd.view`) the page has no moving picture, and says so.

        >>> gd.simulate(gd.examples.spatial_four_bar("dry"), 2.0).report("four-bar-report.html")  # doctest: +SKIP
        """
        from gudgeon.view.report.report import write_report

        return write_report(self, path)

    def _repr_html_(self) -> str:
        from gudgeon.view.summary import summary

        return summary(self)

    def __repr__(self) -> str:
        name = self.system.name if self.system else self.data.attrs.get("system", "")
        steps = "" if self.stats["steps"] is None else f"{self.stats['steps']} steps, "
        return (
            f"<gudgeon.Result {name!r}: {self.stats['end']} at t = {self.stats['end_time']:g} s, "
            f"{steps}{self.stats['seconds_computing']:.3g} s computing>"
        )


def _contacts_alone(table: np.ndarray) -> np.ndarray:
    """The table of contacts without the lines that tell how fast they have been."""
    from gudgeon.kernels.integrators.run import FASTER

    return table[table[:, FASTER] == 0.0]


def _touching_parts(equations: Equations, contacts: np.ndarray) -> tuple[list[str], list[str]]:
    """Joint and part (ball, land, corner, node …) of every line of the table of contacts."""
    from gudgeon.kernels.integrators.run import CONTACT_LINE

    joints, parts = equations.contact_joints, equations.contact_parts
    lines = contacts[:, CONTACT_LINE].astype(int)
    return [joints[k] for k in lines], [parts[k] for k in lines]


def _refuse_other_formats(path: Path) -> None:
    """A name that promises another format than netCDF."""
    ending = path.suffix.lower()
    if ending in TABLES:
        instead = f"result.to_csv({path.name!r}) writes a table"
    elif ending in OTHER_FORMATS:
        instead = "result.data is an xarray Dataset, which other formats are made from"
    else:
        return
    raise FileError(f"save: {path.name!r} would hold netCDF; give a name that ends in .nc ({instead})")
