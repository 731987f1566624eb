"""What a load of signals costs, against the same load written by hand in the kernel.

A pendulum with a torsion spring and damper: `JointSpring`, whose law is in the kernel, against `JointTorque` with an
expression, a compiled Python function and a table of signals; and a mechanism in which nothing uses signals. Right-hand
sides per second, one core, the best of several runs. Then a chain of masses on stiff, damped springs under Implicit:
its steps, and the time of a run, by the stiffness of the springs.
"""

from __future__ import annotations

import time

import numba
import numpy as np

import gudgeon as gd
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.kernels.dynamics.motion import right_hand_side
from gudgeon.mechanics.equations import equations_of_motion

CALLS, RUNS = 50_000, 15


@numba.njit
def repeat(m, w, y, rate, count):
    """Many right-hand sides, without Python between them."""
    for _ in range(count):
        right_hand_side(m, w, 0.1, y, rate)


def spring(main__angle, main__angle_rate):
    return -4.0 * (main__angle - 0.3) - 0.1 * main__angle_rate


def chain(load, links: int = 2) -> gd.System:
    """A chain of links; the load acts on its first joint."""
    bodies = {f"b{k}": gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.1), position=(k + 0.5, 0, 0)) for k in range(links)}
    joints = {
        ("main" if k == 0 else f"j{k}"): gd.Revolute(
            "ground" if k == 0 else f"b{k - 1}", f"b{k}", at=(k, 0, 0), axis=(0, 1, 0)
        )
        for k in range(links)
    }
    return gd.System(bodies=bodies, joints=joints, loads={} if load is None else {"load": load})


def seconds(system: gd.System) -> float:
    """Per right-hand side [s]."""
    equations = equations_of_motion(system)
    y = assemble_equations(equations, 0.0).state
    rate, best = np.zeros_like(y), np.inf
    repeat(equations.model, equations.work, y, rate, 1)
    for _ in range(RUNS):
        began = time.perf_counter()
        repeat(equations.model, equations.work, y, rate, CALLS)
        best = min(best, (time.perf_counter() - began) / CALLS)
    return best


def springs(stiffness: float, count: int = 10) -> gd.System:
    """Masses on a rail, critically damped springs between them; the first is moved to and fro."""
    damping = 2.0 * np.sqrt(stiffness)
    bodies = {f"m{k}": gd.Body(mass=1.0, inertia=(1, 1, 1), position=(float(k), 0, 0)) for k in range(1, count + 1)}
    joints = {name: gd.Prismatic("ground", name, at=body.position, axis=(1, 0, 0)) for name, body in bodies.items()}
    loads = {
        name: gd.SpringDamper(
            "ground" if k == 0 else f"m{k}", name, stiffness=stiffness, damping=damping,
            length="1 + 0.01*sin(3*t)" if k == 0 else 1.0,
        )
        for k, name in enumerate(bodies)
    }  # fmt: skip
    return gd.System(bodies=bodies, joints=joints, loads=loads, gravity=(0, 0, 0))


def stiff_springs() -> None:
    """Print steps and CPU time of Implicit, and of Explicit where that ends within a minute."""
    print("ten masses on springs, 2 s, rtol 1e-7: stiffness [N/m], steps and CPU time [ms] of Implicit, of Explicit")
    for stiffness in (1e2, 1e4, 1e6, 1e8):
        told = []
        for solver in (gd.Implicit(rtol=1e-7), gd.Explicit(rtol=1e-7)):
            if isinstance(solver, gd.Explicit) and stiffness > 1e6:
                continue
            runs = [gd.simulate(springs(stiffness), 2.0, sample=0.1, solver=solver).stats for _ in range(3)]
            best = min(run["cpu_seconds_computing"] for run in runs)
            told.append(f"{runs[0]['steps'] + runs[0]['rejections']:8d} {1e3 * best:8.1f}")
        print(f"{stiffness:8.0e} {' '.join(told)}")


def main() -> None:
    """Print the table."""
    angles = np.linspace(-7.0, 7.0, 201)
    loads = {
        "no load": None,
        "JointSpring, in the kernel": gd.JointSpring("main", stiffness=4.0, damping=0.1, rest=0.3),
        "expression of signals": gd.JointTorque("main", "-4*(main.angle - 0.3) - 0.1*main.angle_rate"),
        "Python function of signals": gd.JointTorque("main", spring),
        "table of a signal, 201 points": gd.JointTorque("main", gd.Table(angles, -4 * (angles - 0.3), of="main.angle")),
    }
    found = {name: seconds(chain(load)) for name, load in loads.items()}
    nothing, by_hand = found["no load"], found["JointSpring, in the kernel"]
    print(
        "right-hand side of a pendulum of two links [ns], its ratio to that with the kernel's load, the load alone [ns]"
    )
    for name, each in found.items():
        print(f"{name:<32} {1e9 * each:8.0f} {each / by_hand:8.2f} {1e9 * (each - nothing):8.0f}")
    stiff_springs()


if __name__ == "__main__":
    main()
