"""Time per right-hand side against the number of bodies: hanging chains with spherical joints, and MuJoCo on the same.

Also a star (one body carrying all others) and a ladder of loops, where a dense or badly ordered elimination would not
be linear. Minimum over repeats, one core, all in this process.
"""

import sys
import time

import numba
import numpy as np

import gudgeon as gd
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.kernels.dynamics.motion import right_hand_side
from gudgeon.mechanics.equations import equations_of_motion, relative_equations

LINK = gd.Body(mass=0.1, inertia=(1e-4, 1e-4, 2e-5))
RNG = np.random.default_rng(1)


def body(x, y, z):
    return gd.Body(LINK.mass, LINK.inertia, (x, y, z), angular_velocity=RNG.normal(size=3))


def chain(count: int) -> gd.System:
    bodies = {f"b{k}": body(0.01 * np.sin(k), 0.01 * np.cos(k), -0.1 * (k + 0.5)) for k in range(count)}
    joints = {
        f"j{k}": gd.Spherical("ground" if k == 0 else f"b{k - 1}", f"b{k}", at=(0, 0, -0.1 * k)) for k in range(count)
    }
    return gd.System(name="chain", bodies=bodies, joints=joints)


def star(count: int) -> gd.System:
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    bodies = {"hub": gd.Body(10.0, (1.0, 1.0, 2.0))}
    bodies |= {f"b{k}": body(1.1 * np.cos(a), 1.1 * np.sin(a), 0) for k, a in enumerate(angles)}
    joints = {"pivot": gd.Revolute("ground", "hub", at=(0, 0, 0))}
    joints |= {f"j{k}": gd.Spherical("hub", f"b{k}", at=(np.cos(a), np.sin(a), 0)) for k, a in enumerate(angles)}
    return gd.System(name="star", bodies=bodies, joints=joints)


def ladder(count: int) -> gd.System:
    """Two chains side by side with a rung between each pair of links: count/3 loops."""
    bodies, joints = {}, {}
    for k in range(count // 3):
        z = -0.1 * k
        for side, x in (("l", 0.0), ("r", 0.2)):
            bodies[f"{side}{k}"] = body(x, 0, z - 0.05)
            above = "ground" if k == 0 else f"{side}{k - 1}"
            joints[f"{side}{k}"] = gd.Spherical(above, f"{side}{k}", at=(x, 0, z))
        bodies[f"rung{k}"] = body(0.1, 0, z - 0.07)
        joints[f"a{k}"] = gd.Spherical(f"l{k}", f"rung{k}", at=(0, 0, z - 0.07))
        joints[f"b{k}"] = gd.Spherical(f"rung{k}", f"r{k}", at=(0.2, 0, z - 0.07))
    return gd.System(name="ladder", bodies=bodies, joints=joints)


@numba.njit
def repeat(m, w, y, y_rate, count):
    for _ in range(count):
        right_hand_side(m, w, 0.0, y, y_rate)


class Problem:
    """A system in one formulation and the best time of its right-hand side so far."""

    def __init__(self, system: gd.System, formulation: str = "absolute"):
        equations = equations_of_motion(system, alpha=5.0, beta=5.0)
        y = assemble_equations(equations).state
        if formulation == "relative":
            equations, y = relative_equations(equations, {}, system.topology(), y)
        self.arguments = (equations.model, equations.work, y, np.zeros_like(y))
        self.count = max(1, 4000 // len(system.bodies))
        self.best = np.inf

    def measure(self) -> None:
        began = time.perf_counter()
        repeat(*self.arguments, self.count)
        self.best = min(self.best, (time.perf_counter() - began) / self.count)


def main() -> None:
    counts = (10, 100, 1000)
    problems = {f"gudgeon, {make.__name__}": [Problem(make(n)) for n in counts] for make in (chain, star, ladder)}
    for _ in range(200):  # interleaved, so that a busy neighbour hits all sizes alike
        for group in problems.values():
            for problem in group:
                problem.measure()
    rows = {name: [problem.best for problem in group] for name, group in problems.items()}
    try:
        from peers import mujoco_chain

        rows["MuJoCo, chain"] = [mujoco_chain.rhs_seconds(n) for n in counts]
    except ImportError:
        print("MuJoCo is not installed (dependency group bench): left out", file=sys.stderr)
    print("| time per right-hand side [µs] | " + " | ".join(f"{n} bodies" for n in counts) + " | 1000 / 100 |")
    print("|---|" + "---|" * (len(counts) + 1))
    for name, seconds in rows.items():
        cells = " | ".join(f"{1e6 * s:.3g}" for s in seconds)
        print(f"| {name} | {cells} | {seconds[2] / seconds[1]:.1f} |")


if __name__ == "__main__":
    main()
