"""Who runs a study: local processes, any `concurrent.futures.Executor`, Dask, MPI; and whether they are still there."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from gudgeon.checks import shown
from gudgeon.errors import ModelError
from gudgeon.sweeps.processes import Processes, available_cores, local_processes

PATIENCE = 10.0  # how long a scheduler may be out of reach [s]


class ExecutorGone(RuntimeError):
    """Nobody is left to run anything."""


@contextmanager
def executor_of(given: Any) -> Iterator[Executor]:
    """The executor that was asked for: None and numbers are local processes, which end with the study."""
    if given is None or (isinstance(given, int) and not isinstance(given, bool)):
        made = local_processes(given)
        try:
            yield made
        except BaseException:
            made.shutdown(wait=True, cancel_futures=True)
            raise
        made.shutdown(wait=True)
    elif isinstance(given, Executor):
        yield given
    elif _is_dask_client(given):
        client: Any = given
        yield client.get_executor(pure=False)
    else:
        raise ModelError(
            f"sweep: executor is {shown(given)}; give a number of processes, a concurrent.futures.Executor or a "
            "dask.distributed.Client"
        )


def _is_dask_client(given: Any) -> bool:
    return "distributed" in sys.modules and isinstance(given, sys.modules["distributed"].Client)


def dask_client(executor: Executor) -> Any:
    """The client behind an executor of Dask; None behind others."""
    if "distributed" not in sys.modules:
        return None
    from distributed.cfexecutor import ClientExecutor

    return executor._client if isinstance(executor, ClientExecutor) else None


def worker_count(executor: Executor) -> int:
    """How many runs go on at once; a guess where an executor does not tell."""
    if isinstance(executor, Processes):
        return executor.workers
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

    if isinstance(executor, ProcessPoolExecutor | ThreadPoolExecutor):
        return executor._max_workers  # type: ignore[attr-defined]
    client = dask_client(executor)
    if client is not None:
        return max(1, sum(client.nthreads().values()))
    return available_cores()


class Watch:
    """Looks after an executor: a scheduler that is gone never finishes anything, nor says so."""

    def __init__(self, executor: Executor):
        self._client = dask_client(executor)
        self._address = "" if self._client is None else str(self._client.scheduler.address)
        self._seen = time.monotonic()

    def refuse_if_gone(self, patience: float | None = None) -> None:
        """ExecutorGone if the scheduler has been out of reach for some seconds, PATIENCE of them by default."""
        if self._client is None:
            return
        status = self._client.status
        if status == "running":
            self._seen = time.monotonic()
        elif status == "closed" or time.monotonic() - self._seen > (PATIENCE if patience is None else patience):
            raise ExecutorGone(f"the Dask scheduler at {self._address} is gone")
