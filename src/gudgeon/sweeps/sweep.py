"""`gd.sweep`: a study of many runs, from one process to a cluster, that goes on where it was killed.

Local processes are started before anything else is looked at or imported: they take longest to get ready.
"""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from gudgeon.sweeps.executors import executor_of
from gudgeon.sweeps.places import JOURNAL, journals

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    import xarray as xr

    from gudgeon.crossings import Crossing
    from gudgeon.quantities import Time, Unit
    from gudgeon.solvers.base import Solver
    from gudgeon.solvers.formulation import Formulation
    from gudgeon.solvers.stabilization import Stabilization
    from gudgeon.sweeps.perturb import Ensemble
    from gudgeon.sweeps.samples import Samples
    from gudgeon.sweeps.study import Study
    from gudgeon.system import System


def sweep(
    system: System | Ensemble | Callable[..., System],
    parameters: Mapping[str, Any] | Samples,
    duration: Time,
    *,
    executor: Executor | int | Any = None,
    store: str | Path | None = None,
    outputs: Sequence[str] = (),
    reduce: Callable[[Any], Mapping[str, Any]] | None = None,
    retry_failed: bool = False,
    coordinates: Formulation | str = "absolute",
    solver: Solver | str = "auto",
    stabilization: Stabilization | str = "auto",
    sample: Annotated[float | np.ndarray | None, Unit("s")] = None,
    crossings: Mapping[str, Crossing] | None = None,
    progress: bool | Callable[[float], None] | None = None,
) -> xr.Dataset:
    """Simulate `system` for every combination of `parameters`; gives one dataset with the parameters as coordinates.

    system      a System; `gd.perturb(system)`, which adds the dimension `member`; or a function of the parameters that
                returns a System, where one parameter changes several fields: {"clearance [m]": [...]}
    parameters  {path: values} spans a grid: "joints.C.model.friction.coefficient", "bodies.crank.position[0]" reach any
                field; {path: {label: value}} for what is no number, such as models of a joint. Or `gd.Samples`
    executor    None: a process for every core; a number of processes; any `concurrent.futures.Executor`; a
                `dask.distributed.Client`; `mpi4py.futures.MPIPoolExecutor()`
    store       a folder "study.zarr": every finished run is in it, durably; the same call goes on with what is missing.
                None: the dataset is in memory only
    outputs     what to keep of `result.data`: variables ("mechanical_energy") or columns ("rocker.position.x")
    reduce      function of a Result, run by the workers, that returns {"name [unit]": number or array}. Without outputs
                and reduce a few numbers are kept: contacts, peak_force, impact_speed, energy_lost, steps, end_time
    retry_failed  run again what failed before
    progress    True, False, None (a line on a terminal or in a notebook), or a function of the fraction done

    The others are those of `gd.simulate`. Every member is to the bit what `gd.simulate` gives. A run that fails is
    recorded (`status` 2, `error`, NaN for its outputs) and the others go on, a warning if all fail; one whose process
    is killed is tried once more. Units of outputs are those of the first run, others are converted. Raises
    SimulationInterrupted on Ctrl-C, FileError (an OSError) for a disk that is full, RuntimeError for an executor that
    is gone; what is finished stays in the store.

    >>> import gudgeon as gd
    >>> system = gd.examples.spatial_four_bar("dry")
    >>> friction = {"joints.C.model.friction.coefficient": [0.0, 0.1]}
    >>> data = gd.sweep(system, friction, 0.02, executor=1, progress=False)
    >>> data.energy_lost.dims, data.coefficient.values.tolist()
    (('coefficient',), [0.0, 0.1])
    """

    def study() -> Study:
        from gudgeon.sweeps.described_study import study_of

        return study_of(
            system,
            parameters,
            duration,
            outputs=outputs,
            reduce=reduce,
            coordinates=coordinates,
            solver=solver,
            stabilization=stabilization,
            sample=sample,
            crossings=crossings,
        )

    if store is not None:
        return _told(run_study(study, executor, Path(store), retry_failed=retry_failed, progress=progress))
    folder = Path(tempfile.mkdtemp(prefix="gudgeon-study-"))
    try:
        return _told(run_study(study, executor, folder / "study.zarr", progress=progress).load())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _told(data: xr.Dataset) -> xr.Dataset:
    """The dataset of a study; a warning if none of its runs came to an end."""
    from gudgeon.sweeps.open_study import study_status

    found = study_status(data, most=1)
    if found.failed == found.count:
        warnings.warn(f"sweep: {found.all_failed()}", UserWarning, stacklevel=3)
    return data


def run_study(
    described: Callable[[], Study],
    executor: Any,
    path: Path,
    *,
    retry_failed: bool = False,
    progress: bool | Callable[[float], None] | None = None,
) -> xr.Dataset:
    """Run what is missing in the store of a study, and open it."""
    likely = not path.exists() or bool(journals(path / JOURNAL))  # that runs are missing
    with ExitStack() as early:
        pool = early.enter_context(executor_of(executor)) if likely else executor
        from gudgeon.sweeps.missing_runs import run_missing

        store = run_missing(described(), pool, path, ready=likely, retry_failed=retry_failed, progress=progress)
    store.close()
    from gudgeon.sweeps.open_study import open_study

    return open_study(path)
