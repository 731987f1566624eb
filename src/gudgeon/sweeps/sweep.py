"""`gd.sweep`: a study of many runs, from one process to a cluster, that goes on where it was killed."""

from __future__ import annotations

import pickle
import shutil
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import numpy as np

from gudgeon.checks import Named, number, shown
from gudgeon.crossings import Crossing
from gudgeon.errors import FileError, ModelError, SimulationInterrupted
from gudgeon.quantities import Time, Unit
from gudgeon.solvers.base import Solver
from gudgeon.solvers.formulation import Formulation, formulation_named
from gudgeon.solvers.sampling import sample_times
from gudgeon.solvers.stabilization import Stabilization, stabilization_named
from gudgeon.sweeps.design import design_of
from gudgeon.sweeps.executors import ExecutorGone, Watch, executor_of, worker_count
from gudgeon.sweeps.folding import JOURNAL
from gudgeon.sweeps.journal import journals
from gudgeon.sweeps.member import FAILED, Job, Outcome, run_member
from gudgeon.sweeps.open_study import open_study
from gudgeon.sweeps.outputs import summary
from gudgeon.sweeps.perturb import Ensemble
from gudgeon.sweeps.processes import Processes, WorkerDied
from gudgeon.sweeps.progress import StudyProgress
from gudgeon.sweeps.samples import Samples
from gudgeon.sweeps.store import Store
from gudgeon.sweeps.study import Study
from gudgeon.system import System

if TYPE_CHECKING:
    import xarray as xr

AHEAD = 2  # runs that wait for every worker, so that none is idle
LOOK = 0.5  # how often to look whether the executor is still there [s]


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
    recorded (`status` 2, `error`) and the others go on; one whose process is killed is tried once more. Raises
    SimulationInterrupted on Ctrl-C, FileError (an OSError) for a disk that is full, RuntimeError for an executor that
    is gone; what is finished stays in the store.

    >>> import gudgeon as gd
    >>> system = gd.examples.spatial_four_bar("dry")
    >>> friction = {"joints.C.model.friction.coefficient": [0.0, 0.1]}
    >>> data = gd.sweep(system, friction, 0.02, executor=1, progress=False)
    >>> data.energy_lost.dims, data.coefficient.values.tolist()
    (('coefficient',), [0.0, 0.1])
    """
    study = partial(
        study_of,
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
        return run_study(study, executor, Path(store), retry_failed=retry_failed, progress=progress)
    folder = Path(tempfile.mkdtemp(prefix="gudgeon-study-"))
    try:
        return run_study(study, executor, folder / "study.zarr", progress=progress).load()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def study_of(
    system: Any,
    parameters: Any,
    duration: Any,
    *,
    outputs: Sequence[str] = (),
    reduce: Callable[[Any], Mapping[str, Any]] | None = None,
    coordinates: Formulation | str = "absolute",
    solver: Solver | str = "auto",
    stabilization: Stabilization | str = "auto",
    sample: Any = None,
    crossings: Mapping[str, Crossing] | None = None,
) -> Study:
    """The study that the arguments of `gd.sweep` describe, checked."""
    ensemble = system if isinstance(system, Ensemble) else None
    described: Any = ensemble.system if ensemble is not None else system
    if not (isinstance(described, System) or callable(described)):
        raise ModelError(
            f"sweep: {shown(system)} given; give a gd.System, gd.perturb(system) or a function that returns a System"
        )
    length = number("sweep", "duration", duration)
    if length <= 0.0:
        raise ModelError(f"sweep: duration is {length:g} s; give a positive number of seconds")
    sample_times("sweep", sample, length)
    if isinstance(outputs, str) or not all(isinstance(name, str) for name in outputs):
        raise ModelError(f"sweep: outputs is {shown(outputs)}; give a list of names")
    if reduce is not None and not callable(reduce):
        raise ModelError(f"sweep: reduce is {shown(reduce)}; give a function of a Result")
    if not isinstance(solver, Solver) and solver != "auto":
        raise ModelError(f"sweep: solver is {solver!r}; give 'auto' or a solver such as gd.Implicit(...)")
    return Study(
        system=cast(Any, described),
        design=design_of(cast(Any, described), parameters, 0 if ensemble is None else ensemble.count),
        duration=length,
        settings={
            "coordinates": formulation_named(coordinates),
            "solver": solver,
            "stabilization": stabilization_named(stabilization),
            "sample": sample if sample is None or np.ndim(sample) == 0 else np.array(sample, dtype=float),
            "crossings": dict(Named("sweep, crossings", crossings or {}, Crossing)) or None,
        },
        outputs=tuple(outputs),
        reduce=summary if reduce is None and not outputs else reduce,
        relative=0.0 if ensemble is None else ensemble.relative,
        seed=0 if ensemble is None else ensemble.seed,
    )


def run_study(
    described: Callable[[], Study],
    executor: Any,
    path: Path,
    *,
    retry_failed: bool = False,
    progress: bool | Callable[[float], None] | None = None,
) -> xr.Dataset:
    """Run what is missing in the store of a study, and open it."""
    with ExitStack() as early:  # processes get ready while study and store are looked at, where runs are likely missing
        likely = not path.exists() or bool(journals(path / JOURNAL))
        pool = early.enter_context(executor_of(executor)) if likely else None
        study = described()
        if isinstance(pool, Processes):
            pool.prepare(_packed(study))
        store = Store.of(study, path)
        finished = store.finished()
        missing = [
            k for k in range(study.design.count) if finished.get(k, 0) in ((0, FAILED) if retry_failed else (0,))
        ]
        if missing:
            _run_missing(study, executor if pool is None else pool, store, missing, retry_failed, progress)
    store.close()
    return open_study(path)


def _packed(study: Study) -> Job:
    try:
        return Job.of(study)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise ModelError(f"sweep: the study cannot be sent to other processes: {error}") from None


def _run_missing(study: Study, executor: Any, store: Store, missing: list[int], again: bool, progress: Any) -> None:
    """Run these members into the store; what stops them is told with what is kept."""
    job = _packed(study)
    if store.is_shared():  # begin at the other end
        missing.reverse()
    name = study.system.name if isinstance(study.system, System) else getattr(study.system, "__name__", "study")
    shown_ = StudyProgress(name, study.design.count, study.design.count - len(missing), progress)
    try:
        with executor_of(executor) as pool:
            _run(pool, store, job, missing, shown_, again)
    except KeyboardInterrupt:
        kept = _kept(store, study)
        raise SimulationInterrupted(
            f"sweep: interrupted; {kept}, the same call goes on with the others", result=open_study(store.path)
        ) from None
    except (FileError, ModelError):
        store.release()
        raise
    except (ExecutorGone, BrokenExecutor, CancelledError, OSError) as error:
        what, kept = str(error) or "the executor was shut down", _kept(store, study)
        raise RuntimeError(
            f"sweep: {what}; {kept}, the same call with another executor goes on with the others"
        ) from error
    finally:
        shown_.close()


def _kept(store: Store, study: Study) -> str:
    store.close()
    return f"{len(store.finished())} of {study.design.count} runs are kept"


def _run(pool: Executor, store: Store, job: Job, missing: list[int], shown_: StudyProgress, again: bool) -> None:
    """Keep every worker busy, and every finished run."""
    if isinstance(pool, Processes):
        pool.prepare(job)
    waiting, tried_before = deque(missing), set()
    pending: dict[Future, int] = {}
    ahead: threading.Thread | None = None
    room = worker_count(pool) * (1 + AHEAD)
    watch = Watch(pool)
    failed = sum(status == FAILED for status in store.finished().values())
    done = len(store.finished())
    try:
        while waiting or pending:
            while waiting and len(pending) < room:
                run = waiting.popleft()
                if not again and store.is_finished(run):  # by another process
                    continue
                pending[pool.submit(run_member, job, run, store.layout_key)] = run
            ended, _ = wait(pending, timeout=LOOK, return_when=FIRST_COMPLETED)
            if not ended:
                watch.refuse_if_gone()
                continue
            outcomes = []
            for future in ended:
                run = pending.pop(future)
                outcome = _outcome(future, run, is_second=run in tried_before, watch=watch)
                if outcome is None:
                    tried_before.add(run)
                    waiting.appendleft(run)
                else:
                    outcomes.append(outcome)
            kept = store.commit(outcomes)
            if ahead is None:  # the first runs are on the disk
                ahead = threading.Thread(target=_read_ahead, daemon=True)
                ahead.start()
            done += len(kept)
            failed += sum(outcome.status == FAILED for outcome in kept)
            shown_.update(min(done, shown_.count), failed)
    finally:
        for future in pending:
            future.cancel()
        if ahead is not None:  # two threads that import the same at once may see half of it
            ahead.join()


def _read_ahead() -> None:
    """Import what opens the store in the end, while others work."""
    with suppress(Exception):  # what is missing is told where it is used
        import xarray  # noqa: F401 (first, as everybody else imports it)
        import zarr  # noqa: F401
        from xarray.backends import list_engines

        list_engines()


def _outcome(future: Future, run: int, *, is_second: bool, watch: Watch) -> Outcome | None:
    """What came of a run; None if its process was killed and it should be tried again."""
    try:
        outcome = future.result()
    except (BrokenExecutor, CancelledError):
        watch.refuse_if_gone(patience=0.0)
        raise
    except WorkerDied as error:
        if not is_second:
            return None
        return Outcome(run=run, status=FAILED, error=f"{error}, twice")
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # of Dask, which has tried again itself
            return Outcome(run=run, status=FAILED, error=f"its worker was killed, again and again: {error}")
        watch.refuse_if_gone(patience=0.0)
        return Outcome(run=run, status=FAILED, error=f"{type(error).__name__}: {error}")
    if outcome.fatal:
        raise ModelError(outcome.error)
    return outcome
