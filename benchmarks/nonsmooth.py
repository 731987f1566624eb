"""Hard contact: error in the crank angle against CPU time, gudgeon and Siconos, in one run on one core.

The slider-crank with translational clearance of Flores, Leine and Glocker (2010): 0.2 s, some hundred impacts, Newton's
restitution 0.4, Coulomb friction 0.01. The error is the largest |Δθ| of the crank at 50 times against an event-driven
solution (tests/reference_hard_slider_crank.py), the time is CPU of the time loop alone. Siconos (Debian package
python3-siconos) runs in the interpreter it is installed for, with its Moreau–Jean scheme, θ = 1/2 as in its own example
and θ = 1, which is better here, and its model functions compiled from C; another interpreter: SICONOS_PYTHON=...
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import gudgeon as gd

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from reference_hard_slider_crank import simulate as event_driven

END, SAMPLES = 0.2, 50
TIMES = END * np.arange(1, SAMPLES + 1) / SAMPLES
PEER = Path(__file__).parent / "peers" / "siconos_slider_crank.py"


def reference():
    return np.array([sample[1] for sample in event_driven("published", END, SAMPLES).samples])


def run_gudgeon(exact, **options):
    system, least = gd.examples.slider_crank_hard_contact(), np.inf
    for _ in range(3):
        result = gd.simulate(system, END, solver=gd.TimeStepping(**options), sample=TIMES)
        least = min(least, result.stats["cpu_seconds_computing"])
    angle = result.data.joint_position.sel(coordinate="O.angle").values
    return least, float(np.abs(angle - exact).max())


def run_siconos(exact, step, theta):
    """Seconds and error; None where Siconos is missing, (inf, inf) where it fails."""
    command = [os.environ.get("SICONOS_PYTHON", "/usr/bin/python3"), str(PEER)]
    command += ["--step", str(step), "--theta", str(theta), "--end", str(END), "--samples", str(SAMPLES)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PYTHONPATH", None)
    if "SICONOS_PYTHONPATH" in os.environ:
        environment["PYTHONPATH"] = os.environ["SICONOS_PYTHONPATH"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode and "siconos" in done.stderr and "ModuleNotFoundError" in done.stderr:
        return None
    if done.returncode:
        return np.inf, np.inf
    record = json.loads(done.stdout)
    angle = np.array([state[1] for state in record["states"]])
    return record["cpu_seconds"], float(np.abs(angle[-SAMPLES:] - exact).max())


def time_at(error, table):
    """CPU seconds at an error, log-log between the two runs beside it, or beyond them along the last slope."""
    e, t = (np.log(np.array(column)) for column in zip(*sorted(table), strict=True))
    k = int(np.clip(np.searchsorted(e, np.log(error)), 1, len(e) - 1))
    slope = (t[k] - t[k - 1]) / (e[k] - e[k - 1])
    return float(np.exp(t[k - 1] + slope * (np.log(error) - e[k - 1])))


def main():
    began = time.perf_counter()
    exact = reference()
    print(f"reference: event-driven, {time.perf_counter() - began:.1f} s\n")
    print(f"{'':34}{'step':>10}{'CPU [s]':>10}{'error [rad]':>13}")
    ours = []
    for step in (1e-4, 4e-5, 2e-5, 1e-5, 4e-6, 2e-6):
        seconds, error = run_gudgeon(exact, step=step)
        ours.append((error, seconds))
        print(f"{'gudgeon TimeStepping':34}{step:10.0e}{seconds:10.4f}{error:13.1e}", flush=True)
    for theta in (0.5, 1.0):
        best = []
        for step in (1e-4, 1e-5, 4e-6, 1e-6):
            found = run_siconos(exact, step, theta)
            if found is None:
                print("Siconos: left out; install the Debian package python3-siconos", file=sys.stderr)
                return
            seconds, error = found
            best.append((error, seconds))
            name = f"Siconos Moreau–Jean, θ = {theta:g}"
            print(f"{name:34}{step:10.0e}{seconds:10.4f}{error:13.1e}", flush=True)
        print()
        for error, seconds in best:
            if np.isfinite(error):
                ratio = seconds / time_at(error, ours)
                print(f"at its error {error:.1e} rad (θ = {theta:g}): gudgeon is {ratio:.0f} times faster")
        print()


if __name__ == "__main__":
    main()
