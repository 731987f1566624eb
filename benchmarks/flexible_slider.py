"""The flexible slider of docs/sliders.md: time stepping against the paper's explicit procedure, in one run on one core.

slider-crank    200 s, 4 and 8 elements: seconds, and how far the crank's settled range (t > 100 s) is from the one with
                a step of 5e-4 s. `gd.Explicit` is the paper's procedure (eq 13) on the same model, compiled alike;
                "RK4" the same procedure written for this mechanism alone, in two angles, with the longest stable step
                (tests/reference_flexible_slider.py)
oscillator      40 s, 25 elements
growth          slider-crank with up to 1600 elements: time of a step, exponent in the number of unknowns

Published: 155 s (4 elements) and 415 s (8) on a 3.4 GHz Pentium. Times are CPU seconds of the time loop, the least of
three runs.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np

import gudgeon as gd

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import reference_flexible_slider as alone

PUBLISHED = {4: 155.0, 8: 415.0}  # [s]
LARGEST_STABLE = {4: 1e-4, 8: 6.25e-5}  # of RK4 [s]
MESH = {4: (2, 2), 8: (4, 2)}


def crank_range(result):
    settled = result.data.time.values > 100.0
    angle = result.data.joint_position.sel(coordinate="O.angle").values[settled]
    return np.array([angle.min(), angle.max()])


def run(system, duration, solver, repeats=3):
    least = np.inf
    for _ in range(repeats):
        result = gd.simulate(system, duration, solver=solver, sample=0.05)
        least = min(least, result.stats["cpu_seconds_computing"])
    return least, result


def slider_crank(elements):
    system = gd.examples.slider_crank_flexible_slider(elements)
    exact = crank_range(run(system, 200.0, gd.TimeStepping(step=5e-4), 1)[1])
    print(f"slider-crank, {elements} elements, 200 s; settled crank angle {exact.round(6)} rad")
    times = {}
    for step in (2e-2, 1e-2, 5e-3):
        seconds, result = run(system, 200.0, gd.TimeStepping(step=step))
        times[step] = seconds
        error = np.abs(crank_range(result) - exact).max()
        print(f"  TimeStepping, step {step:g} s{seconds:16.3f} s   range off by {error:.1e} rad", flush=True)
    seconds, result = run(system, 200.0, gd.Explicit(rtol=1e-4, atol=1e-6), 1)
    error = np.abs(crank_range(result) - exact).max()
    print(f"  Explicit, the paper's way {seconds:16.3f} s   range off by {error:.1e} rad", flush=True)
    model = alone.slider_crank(*MESH[elements])
    alone.explicit(model, 1.0, LARGEST_STABLE[elements])
    began = time.process_time()
    alone.explicit(model, 200.0, LARGEST_STABLE[elements])
    special = time.process_time() - began
    print(f"  RK4 for this mechanism alone{special:14.3f} s")
    for step, ours in times.items():
        print(
            f"  step {step:g} s: {seconds / ours:.0f} times faster than Explicit, {special / ours:.0f} than RK4 alone, "
            f"{PUBLISHED[elements] / ours:.0f} than published"
        )


def oscillator():
    system = gd.examples.stick_slip_oscillator()
    for step in (2e-3, 1e-3):
        seconds, result = run(system, 40.0, gd.TimeStepping(step=step))
        place = float(result.data.position.sel(body="slider", axis="x")[-1])
        print(
            f"oscillator, 25 elements, 40 s, step {step:g} s{seconds:10.3f} s   slider ends at {place:.6f} m",
            flush=True,
        )


def growth():
    print("slider-crank, time of a step of 5 ms")
    unknowns, times = [], []
    for n in (4, 10, 20, 40):
        system = gd.examples.slider_crank_flexible_slider((n, n))
        seconds, result = run(system, 2.0, gd.TimeStepping(step=5e-3))
        unknowns.append(2 * (n + 1) ** 2)
        times.append(seconds / result.stats["steps"])
        print(f"  {n * n:5d} elements, {unknowns[-1]:5d} unknowns{1e6 * times[-1]:10.1f} µs", flush=True)
    last = np.log(times[-1] / times[-2]) / np.log(unknowns[-1] / unknowns[-2])
    all_of_it = np.log(times[-1] / times[0]) / np.log(unknowns[-1] / unknowns[0])
    print(f"  exponent {last:.2f} (last two), {all_of_it:.2f} (all)")


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # the longest steps are halved where a slider would cross its clearance
    for elements in (4, 8):
        slider_crank(elements)
    oscillator()
    growth()
