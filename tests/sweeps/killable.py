"""A study to be killed: python killable.py STORE RUNS SECONDS [WORKERS]; each run takes so many seconds."""

import sys
import time
from pathlib import Path

import gudgeon as gd

sys.path.insert(0, str(Path(__file__).parent))
from pendulums import MASS, lowest, pendulum

if __name__ == "__main__":
    store, runs, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    workers = int(sys.argv[4]) if len(sys.argv) > 4 else 2

    def slow(result):
        time.sleep(seconds)
        return {**lowest(result), "states": result.states}

    masses = [1.0 + k for k in range(runs)]
    print("begin", flush=True)
    try:
        data = gd.sweep(pendulum(), {MASS: masses}, 0.05, executor=workers, store=store, reduce=slow)
    except gd.SimulationInterrupted as stop:
        print(f"interrupted with {int((stop.result.status == 1).sum())}: {stop}", flush=True)
        sys.exit(130)
    print(f"done {int((data.status == 1).sum())}", flush=True)
