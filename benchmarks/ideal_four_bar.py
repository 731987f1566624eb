"""Error against CPU time on the ideal spatial four-bar, 2 s from rest: gudgeon and its peers in one run.

Every program is used as well as it honestly can be (see the docstrings in peers/): its fastest formulation found, its
own ladder of tolerances or steps. The error is the largest distance of the rocker's centre of mass from an independent
reference over 41 samples, divided by the stroke; the time is CPU time of the time loop alone, the minimum over
interleaved repeats. The cost at an error of 1e-6 is a fit of log time over log error within two decades of it.

Prints a table, writes ideal_four_bar.png.
"""

import importlib
import sys

import numpy as np

from peers import four_bar_data as data

PEERS = ("gudgeon_four_bar", "pinocchio_four_bar", "mujoco_four_bar", "exudyn_four_bar")
GOAL = 1e-6
REPEATS = {"gudgeon_four_bar": 25, "pinocchio_four_bar": 15, "mujoco_four_bar": 9, "exudyn_four_bar": 2}


def cost_at(errors: np.ndarray, seconds: np.ndarray, goal: float) -> float:
    """Return the time at which a straight line through the nearby points (log-log) meets the goal."""
    x, y = np.log10(errors / goal), np.log10(seconds)
    near = np.abs(x) <= 2.0
    if np.count_nonzero(near) < 2 or x.min() > 0.0:
        return float("nan")
    _, at_goal = np.polyfit(x[near], y[near], 1)
    return float(10.0**at_goal)


def main() -> None:
    times = np.linspace(0.0, data.DURATION, 41)
    reference = data.reference(times)
    measured: dict[str, list[list[float]]] = {}
    modules = []
    for name in PEERS:
        try:
            modules.append((name, importlib.import_module(f"peers.{name}")))
        except ImportError as error:
            print(f"{name}: left out ({error})", file=sys.stderr)
    for name, module in modules:
        measured[name] = []
        for accuracy in module.LADDER:
            positions, _ = module.run(accuracy, times)  # warm-up
            measured[name].append([accuracy, data.relative_error(positions, reference), np.inf])
    for repeat in range(max(REPEATS.values())):
        for name, module in modules:
            if repeat < REPEATS[name]:
                for row in measured[name]:
                    row[2] = min(row[2], module.run(row[0], times)[1])

    costs = {}
    print("| program | accuracy asked | error / stroke | CPU time [ms] |")
    print("|---|---|---|---|")
    for name, module in modules:
        for accuracy, error, seconds in measured[name]:
            print(f"| {module.NAME} | {accuracy:g} | {error:.1e} | {1e3 * seconds:.2f} |")
        table = np.array(measured[name])
        costs[name] = cost_at(table[:, 1], table[:, 2], GOAL)
    ours = costs["gudgeon_four_bar"]
    print(f"\n| program | CPU time at an error of {GOAL:g} [ms] | of gudgeon's |")
    print("|---|---|---|")
    for name, module in modules:
        print(f"| {module.NAME} | {1e3 * costs[name]:.2f} | {costs[name] / ours:.1f} |")
    draw({module.NAME: np.array(measured[name]) for name, module in modules})


def draw(tables: dict[str, np.ndarray]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, table in tables.items():
        axes.loglog(1e3 * table[:, 2], table[:, 1], "o-", label=name)
    axes.axhline(GOAL, color="gray", linewidth=0.8)
    axes.set_xlabel("CPU time for 2 s of motion [ms]")
    axes.set_ylabel("error / stroke")
    axes.set_title("Spatial four-bar, ideal joints, one core")
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    figure.savefig("ideal_four_bar.png", dpi=130)


if __name__ == "__main__":
    main()
