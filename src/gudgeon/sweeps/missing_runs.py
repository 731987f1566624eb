"""The runs that the store of a study has not yet: handed out, watched, and kept as they come."""

from __future__ import annotations

import pickle
import threading
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

from gudgeon.errors import FileError, ModelError, SimulationInterrupted
from gudgeon.sweeps.executors import ExecutorGone, Watch, executor_of, worker_count
from gudgeon.sweeps.member import FAILED, Job, Outcome, run_member
from gudgeon.sweeps.open_study import open_study
from gudgeon.sweeps.processes import Processes, WorkerDied
from gudgeon.sweeps.progress import StudyProgress
from gudgeon.sweeps.store import Store
from gudgeon.sweeps.study import Study
from gudgeon.system import System

AHEAD = 2  # runs that wait for every worker, so that none is idle
LOOK = 0.5  # how often to look whether the executor is still there [s]


def run_missing(study: Study, executor: Any, path: Path, *, ready: bool, retry_failed: bool, progress: Any) -> Store:
    """Run what is missing in the store of a study; local processes that are `ready` read the kernels meanwhile."""
    job = None
    if ready and isinstance(executor, Processes):
        job = _packed(study)
        executor.prepare(job)
    store = Store.of(study, path)
    finished = store.finished()
    missing = [k for k in range(study.design.count) if finished.get(k, 0) in ((0, FAILED) if retry_failed else (0,))]
    if missing:
        _run_missing(study, job or _packed(study), executor, store, missing, retry_failed, progress)
    return store


def _packed(study: Study) -> Job:
    try:
        return Job.of(study)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise ModelError(f"sweep: the study cannot be sent to other processes: {error}") from None


def _run_missing(
    study: Study, job: Job, executor: Any, store: Store, missing: list[int], again: bool, progress: Any
) -> None:
    """Run these members into the store; what stops them is told with what is kept."""
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
            for future in sorted(ended, key=pending.__getitem__):  # of those that end at once the first run is first
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
