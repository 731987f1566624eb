"""Dry journals: what a push costs, a revolution of the standard slider-crank, twelve of them, and peers on the same.

The slider-crank of the literature (crank 50 mm, rod 120 mm, 0.21 and 0.14 kg, 5000 rpm; gudgeon pin of radius 9.5 mm in
10 mm, 20 mm long, steel, friction 0.1): its first revolution, with 34 contacts, then settling. The error is that of the
energy lost in it, 3.9523957135 J. Times are CPU times of the time loop alone, minima over repeats. Peers are compared
with the faster of the two formulations.

    python journals.py             gudgeon alone
    python journals.py --peers     with SciPy on a NumPy right-hand side, and Exudyn with a user function

Prints tables.
"""

import sys
import time

import numpy as np
from numba import njit

import gudgeon as gd
from gudgeon.kernels.build.calls import call
from gudgeon.kernels.contact.gaps import depths_at
from gudgeon.kernels.dynamics.arrays import GAP_FUNCTION, MODE, SLOPES_FUNCTION, TOUCHING
from gudgeon.kernels.dynamics.engine import law_force
from gudgeon.mechanics.equations import equations_of_motion
from peers import journal_slider_crank as standard

REPEATS = 7
CALLS = 20_000
POSES = {  # d [m], slope of the pin's axis, of a pin of 20 mm in 10 mm with 50 µm of clearance, collars at 100 µm
    "open": ((2e-5, 1e-5, 0.0), (1e-3, 0.0)),
    "line, parallel": ((5.5e-5, 0.0, 0.0), (0.0, 0.0)),
    "line, tilted": ((4e-5, 3.6e-5, 0.0), (1e-4, -2e-4)),
    "one edge": ((2e-5, 1e-5, 0.0), (4.2e-3, 0.0)),
    "crossed": ((0.0, 0.0, 0.0), (6e-3, 0.0)),
    "crossed, askew": ((1e-5, -8e-6, 0.0), (4e-3, 4.2e-3)),
    "collar, rim": ((0.0, 2e-5, -6e-5), (3.5e-3, 0.0)),
}


@njit
def pushes(m, w, k, count):
    """Depth and push of line k, as often as asked for."""
    for _ in range(count):
        law_force(m, w, k, k, k)


@njit
def depths(m, w, k, count):
    """Depth alone."""
    for _ in range(count):
        call(m.compliant[k, GAP_FUNCTION], (m, w, k, k, k))


@njit
def slopes(m, w, k, count, at):
    """Derivatives."""
    for _ in range(count):
        call(m.compliant[k, SLOPES_FUNCTION], (m, w, k, k, at, at + 288))


def microseconds(kernel, *arguments) -> float:
    kernel(*arguments)
    least = np.inf
    for _ in range(REPEATS):
        began = time.process_time()
        kernel(*arguments)
        least = min(least, time.process_time() - began)
    return 1e6 * least / CALLS


def cost_of_a_push() -> None:
    print("\n| pose | depth [µs] | push [µs] | derivatives [µs] |\n|---|---|---|---|")
    law = gd.laws.PinInBore(modulus=standard.MODULUS, clearance=5e-5, damping=0.1425)
    for friction, said in ((standard.Tanh(mu=0.1), ""), (None, ", frictionless")):
        model = gd.DryJournal(
            bore_radius=0.010,
            pin_radius=0.00995,
            length=0.020,
            contact=law,
            friction=friction,
            axial_play=1e-4,
            collar_radius=0.014,
        )
        system = gd.System(
            bodies={"pin": gd.Body(mass=1.0, inertia=(1.0, 1.0, 1.0))},
            joints={"J": gd.Revolute("ground", "pin", at=(0, 0, 0), model=model)},
        )
        for name, (d, slope) in POSES.items():
            equations = equations_of_motion(system)
            m, w, y = equations.model, equations.work, equations.stated_state()
            h = np.array((*slope, 1.0)) / np.linalg.norm((*slope, 1.0))
            y[:3], y[3:7] = d, (1.0 + h[2], -h[1], h[0], 0.0)
            y[7:13] = (0.3, -0.2, 0.1, 2.0, -3.0, 150.0)
            depths_at(m, w, y, np.zeros((3, 2)))  # sets the motion
            w.contact[:, MODE] = TOUCHING
            k = 1 if "collar" in name else 0
            out = np.zeros((2, 6, 6))
            took = (
                microseconds(depths, m, w, k, CALLS),
                microseconds(pushes, m, w, k, CALLS),
                microseconds(slopes, m, w, k, CALLS, out.ctypes.data),
            )
            print(f"| {name}{said} | " + " | ".join(f"{x:.2f}" for x in took) + " |")


def revolution(system: gd.System, solver, coordinates="absolute") -> tuple[float, gd.Result]:
    """Least CPU time of the time loop [s], and the run."""
    least, run = np.inf, None
    for _ in range(REPEATS):
        run = gd.simulate(
            system, standard.REVOLUTION, solver=solver, sample=standard.REVOLUTION, coordinates=coordinates
        )
        least = min(least, run.stats["cpu_seconds_computing"])
    assert run is not None
    return least, run


def revolutions() -> tuple[float, float]:
    """Prints a table; time [s] and error of the fastest planar one at 1e-6."""
    print("\n| journal | coordinates | solver | rtol | error | CPU time [ms] | evaluations |")
    print("|---|---|---|---|---|---|---|")
    chosen = (np.inf, 0.0)
    for name, model in {"planar": standard.journal(planar=True), "spatial": standard.journal()}.items():
        system = standard.system(model)
        for coordinates in ("absolute", "relative"):
            for rtol in (1e-6, 1e-8):
                for solver in (gd.Explicit(rtol=rtol, atol=1e-3 * rtol), gd.Implicit(rtol=rtol, atol=1e-3 * rtol)):
                    took, run = revolution(system, solver, coordinates)
                    error, label = abs(standard.lost(run) / standard.LOST - 1.0), type(solver).__name__
                    told = f"{name} | {coordinates} | {label} | {rtol:g} | {error:.1e} | {1e3 * took:.1f}"
                    print(f"| {told} | {run.stats['evaluations']} |")
                    if (name, rtol) == ("planar", 1e-6):
                        chosen = min(chosen, (took, error))
    return chosen


def twelve() -> None:
    """One crankshaft, one and twelve rods and pistons side by side: cost of an evaluation and of an implicit step."""
    print("\n| crankshaft | journals | solver | CPU time [µs] per evaluation |\n|---|---|---|---|")
    told = []
    for driven in (True, False):
        what = "driven" if driven else "a flywheel"
        for solver in (gd.Explicit(rtol=1e-6, atol=1e-9), gd.Implicit(rtol=1e-6, atol=1e-9)):
            costs = []
            for count in (1, 12):
                took, run = revolution(standard.many(count, driven=driven), solver)
                costs.append(took / run.stats["evaluations"])
                print(f"| {what} | {count} | {type(solver).__name__} | {1e6 * costs[-1]:.2f} |")
            told.append(f"twelve cost {costs[1] / costs[0]:.1f} times one ({type(solver).__name__}, {what})")
    print("\n".join(told))


def peers(ours: float, goal: float) -> None:
    from peers import exudyn_journal, scipy_journal

    print("\n| program | accuracy | error | CPU time [s] | times gudgeon's |\n|---|---|---|---|---|")
    for peer in (scipy_journal, exudyn_journal):
        cheapest = np.inf
        for accuracy in peer.LADDER:
            lost, took = peer.run(accuracy)
            error = abs(lost / standard.LOST - 1.0)
            if error <= goal:
                cheapest = min(cheapest, took)
            print(f"| {peer.NAME} | {accuracy:g} | {error:.1e} | {took:.2f} | {took / ours:.0f} |")
        print(f"{peer.NAME}: {cheapest / ours:.0f} times gudgeon's CPU time at an error of at most {goal:.1e}")


if __name__ == "__main__":
    cost_of_a_push()
    ours, goal = revolutions()
    twelve()
    if "--peers" in sys.argv:
        peers(ours, goal)
