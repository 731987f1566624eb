"""Error against CPU time on the spatial four-bar with a real spherical joint, 2 s from rest: gudgeon and its peers.

gudgeon writes all 200 001 samples of the paper's table 3. The error is the largest distance of the rocker's centre of
mass from a reference over 41 samples, divided by the stroke; for the film up to 0.8 s, since later its motion is
exponentially sensitive. Times are CPU times of the time loop alone, minima over repeats; the cost at an error of 1e-6
is that of the cheapest run with at most this error. The peers are used as well as they honestly can be (see peers/).

    python spherical_joint_models.py            all but the slowest peers
    python spherical_joint_models.py --all      with Exudyn and SciPy, some minutes more

Prints tables, writes spherical_joint_models.png.
"""

import subprocess
import sys

import numpy as np

from peers import gudgeon_real_four_bar as real

GOAL = 1e-6
REPEATS = 5
GUDGEON = (1e-6, 1e-7, 3e-8, 1e-8, 3e-9, 1e-9)  # rtol
CVODE = {"dry": (1e-7, 1e-8, 1e-9, 1e-10), "bushing": (1e-7, 1e-8, 1e-9), "lubricated": (1e-8, 1e-9, 1e-10)}
UNTIL = {"dry": 2.0, "bushing": 2.0, "lubricated": 0.8}  # [s]
TARGETS = {"dry": 4.0, "bushing": 20.0, "lubricated": 8.0}  # CVODE's time over gudgeon's

# in a process of its own: what a user's law costs, its first use included (compiled code is read from disk)
FRESH = """
import sys, time
import gudgeon as gd
from peers import gudgeon_real_four_bar as real
gd.simulate(real.system("dry"), 1e-3)
system = real.system(sys.argv[1])
began = time.process_time()
gd.simulate(system, real.DURATION, sample=real.DURATION / (real.SAMPLES - 1))
print(time.process_time() - began)
"""


def ladder(run, joint: str, tolerances, exact: np.ndarray, repeats: int) -> np.ndarray:
    """Lines of tolerance, error and least CPU time."""
    lines = []
    for tolerance in tolerances:
        seconds = np.inf
        for _ in range(repeats):
            positions, took = run(joint, tolerance)
            seconds = min(seconds, took)
        lines.append((tolerance, real.relative_error(positions, exact, UNTIL[joint]), seconds))
    return np.array(lines)


def cheapest(table: np.ndarray) -> float:
    """The least CPU time of a run with at most the error GOAL [s]."""
    return float(table[table[:, 1] <= GOAL, 2].min(initial=np.inf))


def compare(joint: str) -> dict[str, np.ndarray]:
    """gudgeon and CVODE on one joint model; prints their tables."""
    exact = real.reference(joint)
    tables = {
        "gudgeon": ladder(real.run_gudgeon, joint, GUDGEON, exact, REPEATS),
        "CVODE (BDF)": ladder(real.run_cvode, joint, CVODE[joint], exact, 2),
    }
    print(f"\n**{joint}**\n\n| program | rtol | error / stroke | CPU time [ms] |\n|---|---|---|---|")
    for name, table in tables.items():
        for tolerance, error, seconds in table:
            print(f"| {name} | {tolerance:g} | {error:.1e} | {1e3 * seconds:.1f} |")
    ours, theirs = (cheapest(table) for table in tables.values())
    print(
        f"\nat an error of {GOAL:g}: gudgeon {1e3 * ours:.0f} ms (all samples written), CVODE {1e3 * theirs:.0f} ms, "
        f"ratio {theirs / ours:.1f} (target {TARGETS[joint]:g})"
    )
    return tables


def user_law() -> None:
    """A user's Python law against ours, in fresh processes."""
    took = {}
    for joint in ("dry", "user"):
        runs = [float(_fresh(joint)) for _ in range(1 + REPEATS)]
        took[joint] = min(runs[1:])  # the first one compiles
    print(
        f"\n**a user's Python law** {1e3 * took['user']:.0f} ms, ours {1e3 * took['dry']:.0f} ms, first use in a new "
        f"process included: ratio {took['user'] / took['dry']:.2f} (target 1.3)"
    )


def _fresh(joint: str) -> str:
    done = subprocess.run([sys.executable, "-c", FRESH, joint], capture_output=True, text=True, check=True)
    return done.stdout


def slow_peers(ours: float) -> None:
    """Exudyn and SciPy on the dry joint with friction; `ours` is gudgeon's time at an error of 1e-6 [s].

    Exudyn's friction is regularised otherwise, which alone is 1e-4 of the stroke; see peers/ for its error in its law.
    """
    exact = real.reference("dry")
    print("\n**dry, other programs**\n\n| program | accuracy | error / stroke | CPU time [s] | of gudgeon's at 1e-6 |")
    print("|---|---|---|---|---|")
    from peers import exudyn_clearance_four_bar as exudyn
    from peers import scipy_clearance_four_bar as scipy

    for accuracy in exudyn.LADDER:
        positions, seconds = exudyn.run(accuracy, real.TIMES)
        error = real.relative_error(positions, exact, 2.0)
        print(f"| {exudyn.NAME} | {accuracy:g} | {error:.1e} | {seconds:.2f} | {seconds / ours:.0f} |", flush=True)
    for name, run, accuracy in ((scipy.NAME, scipy.run, 1e-8), ("SciPy (DOP853, NumPy)", scipy.run_dop853, 1e-6)):
        positions, seconds = run(accuracy, real.TIMES)
        error = real.relative_error(positions, exact, 2.0)
        print(f"| {name} | {accuracy:g} | {error:.1e} | {seconds:.1f} | {seconds / ours:.0f} |", flush=True)


def draw(tables: dict[str, dict[str, np.ndarray]]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4), layout="constrained")
    for axes, (joint, pair) in zip(figure.subplots(1, 3, sharey=True), tables.items(), strict=True):
        for name, table in pair.items():
            axes.loglog(1e3 * table[:, 2], table[:, 1], "o-", label=name)
        axes.axhline(GOAL, color="gray", linewidth=0.8)
        axes.set_title(joint)
        axes.set_xlim(30.0, 10_000.0)
        axes.set_xlabel("CPU time for 2 s of motion [ms]")
        axes.grid(alpha=0.3, which="both")
    figure.axes[0].set_ylabel("error / stroke")
    figure.axes[0].legend()
    figure.savefig("spherical_joint_models.png", dpi=130)


def main() -> None:
    tables = {joint: compare(joint) for joint in TARGETS}
    user_law()
    dry = tables["dry"]["gudgeon"]
    if "--all" in sys.argv:
        slow_peers(cheapest(dry))
    draw(tables)


if __name__ == "__main__":
    main()
