"""Studies that are killed, and studies on clusters: at the length that tests cannot afford.

    python campaign/killed_studies.py [--runs 500] [--kills 100] [--part thrice|hundred|dask|mpi]

thrice   a study of 500 runs, killed three times (SIGKILL), against the same one that nobody killed: the same numbers
hundred  a study killed a hundred times at random moments: no finished run is lost, no process is left, and how long it
         takes from the start of the process to its first new run
dask     the same study on a scheduler and two workers that were started apart, over TCP
mpi      the same study by mpi4py.futures, three ranks (it needs mpiexec and mpi4py)

It prints one line for each, and ends with code 1 if anything is not as it should be.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # Python reads its own compiled files, as after any installation
sys.path.insert(0, str(HERE.parent / "tests"))

import numpy as np  # noqa: E402

import gudgeon as gd  # noqa: E402
from sweeps.killing import KILLABLE, alive, committed, processes_of, same, started, state, wait_for  # noqa: E402

PATIENCE = 10.0  # for the system to clear away processes that lost their parent [s]
RUN = 0.01  # each run takes so long and its integration [s]


def finished(store: Path) -> set[int]:
    """The runs that the dataset says are done."""
    return set(np.flatnonzero(gd.open_study(store).status.values == 1).tolist())


def to_the_end(store: Path, runs: int, executor: str = "2", before: tuple = ()) -> float:
    """Run what is missing; the seconds that took."""
    began = time.monotonic()
    told, said = started(store, runs, RUN, executor, before).communicate(timeout=3600)
    assert f"done {runs}" in told, said[-2000:]
    return time.monotonic() - began


def kill(study, store: Path, before: set[int]) -> tuple[set[int], int]:
    """End a study by SIGKILL: what is finished then, and how many of its processes ended without being asked for."""
    family = processes_of(store)
    study.kill()
    study.communicate()
    here = committed(store)
    after = finished(store)
    assert after >= before | here, f"lost: {sorted((before | here) - after)}"
    wait_for(lambda: not any(map(alive, family)), 30.0)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and any(map(state, family)):  # the system asks for orphans
        time.sleep(0.05)
    return after, sum(state(pid) == "Z" for pid in family)


def thrice(folder: Path, runs: int, whole, **_) -> str:
    """Killed at a quarter, at the half, at three quarters."""
    store, kept = folder / "thrice.zarr", set()
    for quarter in (1, 2, 3):
        study = started(store, runs, RUN)
        wait_for(lambda least=quarter * runs // 4, kept=kept: len(kept | committed(store)) >= least)
        kept, _ = kill(study, store, kept)
        assert len(kept) < runs
    to_the_end(store, runs)
    assert same(gd.open_study(store), whole) and not committed(store)
    return f"{runs} runs, killed three times: complete, and every number is that of the study that nobody killed"


def hundred(folder: Path, kills: int, **_) -> str:
    """Killed between 0 and 1 s after its first new run, or before that one time in ten."""
    rng = random.Random(1)
    store, kept, waits, zombies = folder / "hundred.zarr", set(), [], 0
    runs = 300 * kills  # it never ends before
    for _ in range(kills):
        began = time.monotonic()
        study = started(store, runs, RUN)
        if rng.random() < 0.1:
            time.sleep(2.0 * rng.random())
        else:
            wait_for(lambda kept=kept: committed(store) - kept)
            waits.append(time.monotonic() - began)
            time.sleep(rng.random())
        kept, left = kill(study, store, kept)
        zombies += left
    quiet = [wait for wait in waits if wait < 2.0]
    assert not zombies, f"{zombies} processes ended that nobody asked for"
    return (
        f"{kills} kills: no finished run of {len(kept)} lost, no process left, no zombie; from the start of Python to "
        f"the first new run {np.median(waits):.2f} s (median), {max(waits):.2f} s (longest), "
        f"under 2 s in {len(quiet)} of {len(waits)}"
    )


def dask(folder: Path, runs: int, whole, **_) -> str:
    """A scheduler and two workers as processes of their own."""
    from distributed import Client

    from sweeps.test_dask import Apart

    with Apart(folder, 2) as cluster:
        with Client(scheduler_file=str(cluster.file), timeout=300) as client:
            client.wait_for_workers(2, timeout=300)
            address = client.scheduler.address
        seconds = to_the_end(folder / "dask.zarr", runs, address)
    assert same(gd.open_study(folder / "dask.zarr"), whole)
    return (
        f"{runs} runs on a Dask scheduler and two workers, each a process, over TCP: the same numbers, {seconds:.0f} s"
    )


def mpi(folder: Path, runs: int, whole, **_) -> str:
    """Three ranks: one hands out, two run."""
    if shutil.which("mpiexec") is None:
        return "mpi: there is no mpiexec"
    store = folder / "mpi.zarr"
    root = ["--allow-run-as-root", "--oversubscribe"] if os.geteuid() == 0 else []
    command = ["mpiexec", *root, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(KILLABLE), str(store)]
    began = time.monotonic()
    done = subprocess.run([*command, str(runs), str(RUN), "mpi"], capture_output=True, text=True, timeout=3600)
    assert f"done {runs}" in done.stdout, done.stderr[-2000:]
    assert same(gd.open_study(store), whole)
    return f"{runs} runs by mpi4py.futures, three ranks: the same numbers, {time.monotonic() - began:.0f} s"


PARTS = {"thrice": thrice, "hundred": hundred, "dask": dask, "mpi": mpi}


def main() -> int:
    """Run what was asked for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--kills", type=int, default=100)
    asked = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="gudgeon-campaign-") as name:
        folder, whole = Path(name), None
        if asked.part != "hundred":
            print(f"{asked.runs} runs, left alone: {to_the_end(folder / 'whole.zarr', asked.runs):.0f} s", flush=True)
            whole = gd.open_study(folder / "whole.zarr")
        for part in [asked.part] if asked.part else PARTS:
            try:
                print(PARTS[part](folder, runs=asked.runs, kills=asked.kills, whole=whole), flush=True)
            except AssertionError as error:
                bad += 1
                print(f"{part}: {error}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
