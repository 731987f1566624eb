"""A study to be killed: python killable.py STORE RUNS SECONDS [EXECUTOR]; each run takes so many seconds.

EXECUTOR is a number of processes, the address tcp://... of a Dask scheduler, or "mpi" for mpi4py.futures.
"""

import sys
import time
from contextlib import nullcontext
from pathlib import Path

import gudgeon as gd

sys.path.insert(0, str(Path(__file__).parent))
from pendulums import MASS, all_of, pendulum


def executor(wanted: str):
    """What was asked for, as a context."""
    if wanted == "mpi":
        from mpi4py.futures import MPIPoolExecutor

        return MPIPoolExecutor()
    if wanted.startswith("tcp:"):
        from distributed import Client

        return Client(wanted)
    return nullcontext(int(wanted))


if __name__ == "__main__":
    store, runs, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    wanted = sys.argv[4] if len(sys.argv) > 4 else "2"

    def slow(result):
        time.sleep(seconds)
        return all_of(result)

    masses = [1.0 + k for k in range(runs)]
    print("begin", flush=True)
    try:
        with executor(wanted) as workers:
            data = gd.sweep(pendulum(), {MASS: masses}, 0.05, executor=workers, store=store, reduce=slow)
    except gd.SimulationInterrupted as stop:
        print(f"interrupted with {int((stop.result.status == 1).sum())}: {stop}", flush=True)
        sys.exit(130)
    print(f"done {int((data.status == 1).sum())}", flush=True)
