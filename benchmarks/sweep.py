"""Studies: efficiency on two processes, overhead per run locally and with Dask, and exudyn's ParameterVariation.

python sweep.py [--short]. A member is the ideal four-bar (2 s, 200 samples), or one that takes at least 0.1 s.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import gudgeon as gd

MASS = "bodies.crank.mass"
INERTIA = "bodies.crank.inertia[0][0]"
SHORT = "--short" in sys.argv


def end(result):
    return {"x": result.states[-1, 0]}


def rocker(result):
    return {"x": result.states[-1, 7 * list(result.system.bodies).index("rocker")]}


def seconds_of(system, count, duration, sample, executor, store):
    grid = {MASS: np.linspace(0.018, 0.022, count)}
    began = time.perf_counter()
    data = gd.sweep(system, grid, duration, sample=sample, executor=executor, store=store, reduce=end, progress=False)
    assert np.all(data.status == 1), data.error.values
    return time.perf_counter() - began, float(data.seconds.sum())


def integration(result):
    return {"integration": result.stats["seconds_computing"]}


def member(system, store):
    """How many times its integration a member of a study takes in its worker: making its system, preparing, running."""
    grid = {MASS: np.linspace(0.018, 0.022, 100)}
    data = gd.sweep(system, grid, 2.0, sample=0.01, executor=1, store=store, reduce=integration, progress=False)
    return float(data.seconds.min() / data.integration.min())


def alone(system):
    """The same of gd.simulate."""
    whole, bare = [], []
    for _ in range(100):
        began = time.perf_counter()
        result = gd.simulate(system, 2.0, sample=0.01)
        whole.append(time.perf_counter() - began)
        bare.append(result.stats["seconds_computing"])
    return min(whole) / min(bare)


def main():
    system = gd.examples.spatial_four_bar()
    count = 40 if SHORT else 400
    long, runs = (20.0, 10) if SHORT else (80.0, 60)  # seconds simulated, of about 0.1 s computing and more
    with tempfile.TemporaryDirectory() as folder:
        stores = (Path(folder) / f"{k}.zarr" for k in range(100))
        print(
            f"prepare + run of the ideal four-bar: {member(system, next(stores)):.2f} times its integration as a "
            f"member of a study, {alone(system):.2f} by gd.simulate"
        )
        times = {}
        for workers in (1, 2):
            with gd.Processes(workers) as pool:
                seconds_of(system, 4, 2.0, 0.01, pool, next(stores))
                whole, inside = seconds_of(system, count, 2.0, 0.01, pool, next(stores))
                overhead = 1e3 * (whole * workers - inside) / count
                print(f"{workers} processes: {overhead:.2f} ms overhead per run and process")
                times[workers], inside = seconds_of(system, runs, long, 1.0, pool, next(stores))
                print(f"{workers} processes: they compute {inside / workers / times[workers]:.2f} of the time")
        print(f"efficiency of two processes on runs of {times[1] / runs:.2f} s: {times[1] / times[2] / 2:.2f}")
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            print("Dask is not installed")
        else:
            local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
            with LocalCluster(**local) as cluster, Client(cluster) as client:
                seconds_of(system, 4, 2.0, 0.01, client, next(stores))
                whole, inside = seconds_of(system, count, 2.0, 0.01, client, next(stores))
                print(f"Dask, 2 processes: {1e3 * (whole * 2 - inside) / count:.2f} ms overhead per run and process")
        against_exudyn(system, 20 if SHORT else 100, next(stores))


def against_exudyn(system, count, store):
    """The same study, two processes: the inertia of the crank of the ideal four-bar, 2 s, 200 samples."""
    try:
        from peers import exudyn_variation
    except ImportError as error:
        print(f"exudyn is left out ({error})")
        return
    inertias = np.linspace(0.9, 1.0, count) * system.bodies["crank"].inertia[0][0]
    began = time.perf_counter()
    data = gd.sweep(system, {INERTIA: inertias}, 2.0, sample=0.01, executor=2, store=store, reduce=rocker)
    assert np.all(data.status == 1), data.error.values
    ours = time.perf_counter() - began  # processes started, kernels read, every run on the disk
    theirs, seconds = exudyn_variation.study(inertias, 2)
    apart = np.abs(data.x.values - theirs).max()
    print(f"{count} runs: {ours:.2f} s with all starting, exudyn's ParameterVariation {seconds:.2f} s")
    print(f"the ends of the rocker are {apart:.1e} m apart")


if __name__ == "__main__":
    main()
