"""What films of journals and boxes cost: one wrench, its slopes, and a revolution of a slider-crank at 5000 rpm.

    python journal_films.py             gudgeon alone
    python journal_films.py --peers     with SciPy on a NumPy right-hand side (peers/scipy_film.py)

Wrenches are called as solvers call them, by address, in a compiled loop. All times are CPU times, the least of several.
The slider-crank has its gudgeon pin in oil (c 0.5 mm, L 20 mm short, c 0.2 mm, L 40 mm finite, 0.4 Pa·s; crank 50 mm,
rod 120 mm) and runs four revolutions; the time told is of one. Errors are of the energy lost in the last of them. Its
pin is free to tilt in its film (spatial), or told that other joints keep it in the plane (`planar=True`), as the peers
are, which know nothing but the plane.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from itertools import product

import numba
import numpy as np

import gudgeon as gd
from gudgeon.kernels.build.calls import call
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import equations_of_motion

CALLS, REPEATS, TURNED = 200_000, 7, 25  # calls, repeats of them and of runs, which are short
RADIUS, ROD, SPEED = 0.05, 0.12, 5000.0 * 2.0 * np.pi / 60.0
TURN = 2.0 * np.pi / SPEED  # [s]
LOST = 2.12526823  # by the short film in the fourth revolution, converged [J]
GOAL = 5e-6  # error of it at which peers are compared [-]
LADDER = (1e-5, 3e-6, 1e-6, 3e-7)  # relative tolerances there
FILMS = {
    "short": gd.LubricatedJournal(bore_radius=0.01, pin_radius=0.0095, length=0.02, viscosity=0.4, film="short"),
    "finite": gd.LubricatedJournal(bore_radius=0.01, pin_radius=0.0098, length=0.04, viscosity=0.4),
}
FORCE, SLOPES = arrays.FORCE_FUNCTION, arrays.SLOPES_FUNCTION


@numba.njit
def many_forces(m, w, count):
    """`count` wrenches of line 0, of motions that differ a little."""
    total = 0.0
    for _ in range(count):
        w.local[0, arrays.RATE_OF] += 1e-9
        call(m.compliant[0, FORCE], (m, w, 0, 0, 0))
        total += w.force[0, 0]
    return total


@numba.njit
def many_slopes(m, w, count, by_position, by_velocity):
    """The same of slopes."""
    for _ in range(count):
        w.local[0, arrays.RATE_OF] += 1e-9
        call(m.compliant[0, SLOPES], (m, w, 0, 0, by_position.ctypes.data, by_velocity.ctypes.data))


def least(function, *arguments) -> float:
    """CPU time, the least of REPEATS [s]."""
    function(*arguments)
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        function(*arguments)
        times.append(time.process_time() - began)
    return min(times)


def one_wrench(model: gd.LubricatedJournal, *, tilted: bool) -> tuple[float, float]:
    """Time of a wrench and of its slopes [s]."""
    body = gd.Body(mass=1.0, inertia=(1, 1, 1))
    system = gd.System(bodies={"pin": body}, joints={"J": gd.Cylindrical("ground", "pin", at=(0, 0, 0), model=model)})
    equations = equations_of_motion(system)
    m, w = equations.model, equations.work
    c, turn = model.clearance, 0.1 * model.clearance / (model.length or 1.0) if tilted else 0.0
    _place(w.local[0], c, turn, (0.5, 0.2, 300.0) if tilted else (0.0, 0.0, 300.0))
    return _timed(m, w)


def one_pad(*, broken: bool) -> tuple[float, float]:
    """The same of the film at one wall of a box that slides askew, or tilts so that its film breaks."""
    model = gd.LubricatedBox(length=0.05, width=0.02, height=0.02, clearance=2e-5, viscosity=0.04)
    body = gd.Body(mass=1.0, inertia=(1, 1, 1))
    system = gd.System(bodies={"box": body}, joints={"J": gd.Prismatic("ground", "box", at=(0, 0, 0), model=model)})
    equations = equations_of_motion(system)
    _place(equations.work.local[0], 1e-5, 2e-4, (0.5, 0.0, 0.3) if broken else (0.0, 0.0, 0.0))
    return _timed(equations.model, equations.work)


def _place(x, c: float, turn: float, omega) -> None:
    x[arrays.ECCENTRICITY : arrays.ECCENTRICITY + 3] = 0.3 * c, 0.5 * c, 0.0
    x[arrays.RATE_OF : arrays.RATE_OF + 3] = 0.02, -0.05, 0.0
    x[arrays.OMEGA_BALL : arrays.OMEGA_BALL + 3] = omega
    x[arrays.FRAME : arrays.FRAME + 9] = np.eye(3).ravel()
    x[arrays.BALL_FRAME : arrays.BALL_FRAME + 9] = [1, 0, turn, 0, 1, 0, -turn, 0, 1]


def _timed(m, w) -> tuple[float, float]:
    by_position, by_velocity = np.zeros((6, 6)), np.zeros((6, 6))
    return (
        least(many_forces, m, w, CALLS) / CALLS,
        least(many_slopes, m, w, CALLS // 4, by_position, by_velocity) / (CALLS // 4),
    )


def crank(model) -> gd.System:
    """The slider-crank, in line at the start, its pin centred."""
    return gd.System(
        name="slider-crank",
        gravity=(0, 0, 0),
        bodies={
            "crank": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3)),
            "rod": gd.Body(mass=0.21, inertia=(2e-5, 2.5e-4, 2.5e-4), position=(RADIUS + ROD / 2, 0, 0)),
            "slider": gd.Body(mass=0.14, inertia=(1e-4, 1e-4, 1e-4), position=(RADIUS + ROD, 0, 0)),
        },
        joints={
            "main": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "big end": gd.Revolute("crank", "rod", at=(RADIUS, 0, 0)),
            "pin": gd.Cylindrical("rod", "slider", at=(RADIUS + ROD, 0, 0), model=model),
            "guide": gd.Prismatic("ground", "slider", at=(RADIUS + ROD, 0, 0), axis=(1, 0, 0)),
        },
        drives={"turn": gd.Drive("main", f"{SPEED!r}*t")},
    )


def one_turn(model, solver, coordinates: str) -> tuple[float, float, int]:
    """CPU time and steps of a revolution, and the energy lost in the last."""
    system, best, result = crank(model), np.inf, None
    for _ in range(TURNED):
        result = gd.simulate(system, 4.0 * TURN, solver=solver, sample=TURN, coordinates=coordinates)
        best = min(best, result.stats["cpu_seconds_computing"])
    lost = np.diff(result.data.dissipated_energy.sel(joint="pin").values)[-1]
    return best / 4.0, float(lost), result.stats["steps"] // 4


def cheapest(rungs: list[tuple[float, float]]) -> float:
    """The least time among (error, time) with an error of at most GOAL [s]."""
    return min(seconds for error, seconds in rungs if error <= GOAL)


def peers() -> None:
    """The short film at one error of the energy lost, gudgeon and SciPy each at the tolerance that is cheapest."""
    from peers import scipy_film

    print("\n| short film | rtol | error | CPU time a revolution [ms] |\n|---|---|---|---|")
    ours: dict[str, list[tuple[float, float]]] = {}
    theirs: dict[str, list[tuple[float, float]]] = {}
    for planar, coordinates in product((False, True), ("absolute", "relative")):
        name = f"gudgeon, {'planar' if planar else 'spatial'} film, {coordinates} coordinates"
        for rtol in LADDER:
            model = replace(FILMS["short"], planar=planar)
            seconds, lost, _ = one_turn(model, gd.Implicit(rtol=rtol), coordinates)
            ours.setdefault(name, []).append((abs(lost / LOST - 1.0), seconds))
            print(f"| {name} | {rtol:g} | {ours[name][-1][0]:.1e} | {1e3 * seconds:.2f} |")
    for problem in scipy_film.PROBLEMS:
        name = f"SciPy (LSODA, NumPy), {problem}"
        for rtol in scipy_film.LADDER:
            lost, seconds = min((scipy_film.run(problem, rtol) for _ in range(3)), key=lambda run: run[1])
            theirs.setdefault(name, []).append((abs(lost / LOST - 1.0), seconds))
            print(f"| {name} | {rtol:g} | {theirs[name][-1][0]:.1e} | {1e3 * seconds:.0f} |")
    print(f"\nAt an error of at most {GOAL:.0e}:")
    for name, rungs in theirs.items():
        for own, steps in ours.items():
            print(f"{name}: {cheapest(rungs) / cheapest(steps):.0f} times the CPU time of {own}")


def main() -> None:
    """Print the tables."""
    print("| film | pose | wrench [µs] | slopes [µs] |\n|---|---|---|---|")
    for name, model in FILMS.items():
        for tilted in (False, True):
            wrench, slopes = one_wrench(model, tilted=tilted)
            print(f"| {name} | {'tilted' if tilted else 'parallel'} | {1e6 * wrench:.3f} | {1e6 * slopes:.2f} |")
    for broken in (False, True):
        wrench, slopes = one_pad(broken=broken)
        print(
            f"| flat pad | {'tilts, broken' if broken else 'slides askew'} | {1e6 * wrench:.3f} | {1e6 * slopes:.2f} |"
        )
    print("\n| film | pin | coordinates | solver | CPU time a revolution [ms] | steps | energy lost [J] |")
    print("|---|---|---|---|---|---|---|")
    for name, model in FILMS.items():
        for planar, coordinates in product((False, True), ("absolute", "relative")):
            for solver in (gd.Implicit(rtol=1e-6), gd.Implicit(rtol=1e-8), gd.Explicit(rtol=1e-6)):
                seconds, lost, steps = one_turn(replace(model, planar=planar), solver, coordinates)
                pin, label = "planar" if planar else "spatial", f"{type(solver).__name__}, {solver.rtol:g}"
                print(f"| {name} | {pin} | {coordinates} | {label} | {1e3 * seconds:.2f} | {steps} | {lost:.6f} |")
    if "--peers" in sys.argv:
        peers()


if __name__ == "__main__":
    main()
