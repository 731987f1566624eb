"""The same study on Dask: a LocalCluster of processes, and scheduler and workers started apart, over TCP."""

import os
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.sweeps import executors
from sweeps.pendulums import MASS, lowest, pendulum, slow

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install gudgeon[cluster]")
pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's own sockets and loops

MASSES = [1.0 + k for k in range(6)]


@pytest.fixture(scope="module")
def by_processes(pool):
    return gd.sweep(pendulum(), {MASS: MASSES}, 0.05, executor=pool, reduce=lowest)


def same(one, two):
    return all(np.array_equal(one[name], two[name]) for name in ("fastest", "height", "status", "error", "mass"))


class Apart:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder, workers):
        self.file = folder / "scheduler.json"
        where = ["--scheduler-file", str(self.file), "--no-dashboard", "--host", "127.0.0.1"]
        here = Path(__file__).parent
        found = os.pathsep.join([str(here.parent), str(here), os.environ.get("PYTHONPATH", "")])
        space = {**os.environ, "PYTHONPATH": found}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "env": space}
        module = [sys.executable, "-m", "distributed.cli.dask_scheduler", *where, "--port", "0"]
        self.scheduler = subprocess.Popen(module, **quiet)
        until = time.monotonic() + 300.0
        while not self.file.exists() and time.monotonic() < until:
            time.sleep(0.1)
        module = [sys.executable, "-m", "distributed.cli.dask_worker", *where, "--nthreads", "1", "--no-nanny"]
        self.workers = [subprocess.Popen(module, **quiet) for _ in range(workers)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def test_a_local_cluster_of_processes(by_processes, tmp_path):
    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        warnings.simplefilter("ignore")
        data = gd.sweep(
            pendulum(),
            {MASS: MASSES},
            0.05,
            executor=client.get_executor(pure=False),
            reduce=lowest,
            store=tmp_path / "s",
        )
    assert same(data, by_processes)


def not_there(result):
    return {"x": 1.0}


not_there.__module__ = "module_that_no_worker_has"


def test_processes_started_apart_and_a_scheduler_that_goes(by_processes, pool, tmp_path, monkeypatch):
    """First a study to its end; then another one whose scheduler is killed after some runs: the store has them."""
    with Apart(tmp_path, 2) as cluster, distributed.Client(scheduler_file=str(cluster.file), timeout=300) as client:
        address = client.scheduler.address
        assert address.startswith("tcp://127.0.0.1:")
        client.wait_for_workers(2, timeout=300)
        assert same(gd.sweep(pendulum(), {MASS: MASSES}, 0.05, executor=client, reduce=lowest), by_processes)
        monkeypatch.setattr(executors, "PATIENCE", 2.0)
        monkeypatch.setitem(sys.modules, not_there.__module__, sys.modules[__name__])
        with pytest.raises(gd.ModelError, match="a worker cannot read the study: ModuleNotFoundError: No module named"):
            gd.sweep(pendulum(), {MASS: MASSES}, 0.05, executor=client, reduce=not_there)
        store = tmp_path / "study.zarr"
        study = {"parameters": {MASS: [1.0 + k for k in range(40)]}, "duration": 0.05, "store": store, "reduce": slow}

        def kill_when(fraction):
            if fraction >= 0.1:
                threading.Thread(target=cluster.scheduler.kill).start()

        with pytest.raises(RuntimeError) as caught:
            gd.sweep(pendulum(), executor=client, progress=kill_when, **study)
        assert f"the Dask scheduler at {address} is gone" in str(caught.value)
        assert "of 40 runs are kept, the same call with another executor goes on" in str(caught.value)
        data = gd.open_study(store)
        kept = int((data.status == 1).sum())
        assert 4 <= kept < 40 and f"{kept} of 40" in str(caught.value) and not np.any(data.status == 2)
    data = gd.sweep(pendulum(), executor=pool, **study)
    assert np.all(data.status == 1) and np.array_equal(data.fastest[:6], by_processes.fastest)
