"""What a load of signals costs, against the same load written by hand in the kernel.

A pendulum with a torsion spring and damper: `JointSpring`, whose law is in the kernel, against `JointTorque` with an
expression, a compiled Python function and a table of signals; a table is compared with one that is looked up by hand.
Times of all applied forces of the pendulum, less those of the same without a load; one core, the shortest of many
rounds in each of which all take their turn. Then a chain of masses on stiff, damped springs under Implicit: its steps,
and the time of a run, by the stiffness of the springs.
"""

from __future__ import annotations

import time

import numba
import numpy as np

import gudgeon as gd
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.kernels.dynamics.arrays import APPLIED
from gudgeon.kernels.dynamics.engine import applied_forces, state_rate
from gudgeon.kernels.dynamics.loads import joint_coordinate, push_by_load
from gudgeon.kernels.functions.tables import look_up
from gudgeon.mechanics.equations import equations_of_motion

CALLS, ROUNDS = 10_000, 500
OPTIONS = {"_nrt": False, "error_model": "numpy", "fastmath": {"contract"}}


@numba.njit(**OPTIONS)
def forces(m, w, y, rate, count):
    """All applied forces many times, without Python between them."""
    for _ in range(count):
        applied_forces(m, w, 0.1, y)


@numba.njit(**OPTIONS)
def rates(m, w, y, rate, count):
    """Many right-hand sides."""
    for _ in range(count):
        state_rate(m, w, 0.1, y, rate)


@numba.njit(**OPTIONS)
def table_by_hand(m, w, y, other, count):
    """Applied forces of a pendulum without load, and a table of its angle; load 0 of another tells the joint."""
    m2, w2, y2, table = other
    for _ in range(count):
        applied_forces(m, w, 0.1, y)
        angle, _ = joint_coordinate(m2, w2, 0, y2)
        push_by_load(m2, w2, 0, look_up(table, 0, angle, 0), 0.0, 0.0, APPLIED)


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


class Timed:
    """A kernel on the state of a pendulum, and its shortest time [s]."""

    def __init__(self, load, kernel=forces, other=None):
        equations = equations_of_motion(chain(load))
        y = assemble_equations(equations, 0.0).state
        rate = np.zeros_like(y)
        self.kernel, self.arguments = kernel, (equations.model, equations.work, y, rate if other is None else other)
        rates(*self.arguments[:3], rate, 1)  # kinematics of this state
        kernel(*self.arguments, 1)
        self.best = np.inf

    def run(self) -> None:
        """Once more."""
        began = time.perf_counter()
        self.kernel(*self.arguments, CALLS)
        self.best = min(self.best, (time.perf_counter() - began) / CALLS)


def measured(timed: dict[str, Timed]) -> dict[str, float]:
    """The shortest time of each [ns]."""
    for _ in range(ROUNDS):
        for each in timed.values():
            each.run()
    return {name: 1e9 * each.best for name, each in timed.items()}


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
    """Print the tables."""
    angles = np.linspace(-7.02, 7.0, 201)  # no knot at the angle 0
    table = gd.Table(angles, -4 * (angles - 0.3), of="main.angle")
    by_hand = gd.JointSpring("main", stiffness=4.0, damping=0.1, rest=0.3)
    loads = {
        "JointSpring, in the kernel": by_hand,
        "expression of signals": gd.JointTorque("main", "-4*(main.angle - 0.3) - 0.1*main.angle_rate"),
        "Python function of signals": gd.JointTorque("main", spring),
        "table of a signal, 201 points": gd.JointTorque("main", table),
    }
    nothing = "no load"
    timed = {nothing: Timed(None)} | {name: Timed(load) for name, load in loads.items()}
    other = (*timed["JointSpring, in the kernel"].arguments[:3], table.data)
    found = measured(timed | {"a table looked up by hand": Timed(None, table_by_hand, other)})
    spring_alone, table_alone = (
        found[name] - found[nothing] for name in ("JointSpring, in the kernel", "a table looked up by hand")
    )
    print("applied forces of a pendulum of two links [ns], the load alone, its ratio to the same load by hand")
    for name, each in found.items():
        alone = each - found[nothing]
        print(f"{name:<32} {each:8.1f} {alone:8.1f} {alone / (table_alone if 'table' in name else spring_alone):8.2f}")
    found = measured({name: Timed(load, rates) for name, load in {nothing: None, **loads}.items()})
    print("its whole right-hand side [ns], and its ratio to that with JointSpring")
    for name, each in found.items():
        print(f"{name:<32} {each:8.1f} {each / found['JointSpring, in the kernel']:8.2f}")
    stiff_springs()


if __name__ == "__main__":
    main()
