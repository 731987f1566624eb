"""Absolute against relative coordinates: time per right-hand side, time of a run, and Pinocchio's articulated bodies.

Chains with spherical joints and with hinges, a star, a ladder of loops. Minimum over repeats, one core, everything in
this process, interleaved. Pinocchio (C++ through its Python binding, both of its conventions, the faster one counts) is
given the same chains; its `Data` needs memory with the cube of the freedoms, so that 1000 bodies do not fit.
"""

import sys
import time

import numpy as np

import gudgeon as gd
from growth import Problem, body, chain, ladder, star

COUNTS = (10, 100, 1000)
PINOCCHIO_COUNTS = (10, 100, 500)
FORMULATIONS = ("absolute", "relative")


def hinges(count: int) -> gd.System:
    """A hanging chain whose hinges point along x and y in turn."""
    bodies = {f"b{k}": body(0.01 * np.sin(k), 0.01 * np.cos(k), -0.1 * (k + 0.5)) for k in range(count)}
    joints = {
        f"j{k}": gd.Revolute(
            "ground" if k == 0 else f"b{k - 1}", f"b{k}", at=(0, 0, -0.1 * k), axis=((1, 0, 0), (0, 1, 0))[k % 2]
        )
        for k in range(count)
    }
    return gd.System(name="hinges", bodies=bodies, joints=joints)


class Pinocchio:
    """`pinocchio.aba` on the same chain, and its best time so far."""

    def __init__(self, count: int, *, spherical: bool):
        import pinocchio as pin

        model, joint = pin.Model(), 0
        for k in range(count):
            kind = pin.JointModelSpherical() if spherical else (pin.JointModelRX(), pin.JointModelRY())[k % 2]
            joint = model.addJoint(joint, kind, pin.SE3(np.eye(3), np.array([0, 0, -0.1 if k else 0.0])), f"j{k}")
            centre = np.array([0.01 * np.sin(k), 0.01 * np.cos(k), -0.05])
            model.appendBodyToJoint(joint, pin.Inertia(0.1, centre, np.diag([1e-4, 1e-4, 2e-5])), pin.SE3.Identity())
        self.model, self.data, self.aba = model, model.createData(), pin.aba
        self.conventions = (pin.Convention.LOCAL, pin.Convention.WORLD)
        self.state = pin.neutral(model), np.random.default_rng(0).normal(size=model.nv), np.zeros(model.nv)
        self.count = max(1, 4000 // count)
        self.best = np.inf

    def measure(self) -> None:
        for convention in self.conventions:
            began = time.perf_counter()
            for _ in range(self.count):
                self.aba(self.model, self.data, *self.state, convention)
            self.best = min(self.best, (time.perf_counter() - began) / self.count)


def table(title: str, counts: tuple[int, ...], rows: dict[str, list[float]]) -> None:
    print(f"| {title} | " + " | ".join(f"{n} bodies" for n in counts) + " |")
    print("|---|" + "---|" * len(counts))
    for name, cells in rows.items():
        print(f"| {name} | " + " | ".join(f"{x:.3g}" for x in cells) + " |")
    print()


def per_evaluation() -> None:
    makers = (chain, hinges, star, ladder)
    problems = {(make.__name__, f): [Problem(make(n), f) for n in COUNTS] for make in makers for f in FORMULATIONS}
    for _ in range(60):
        for group in problems.values():
            for problem in group:
                problem.measure()
    rows = {f"{name}, {f}": [1e6 * p.best for p in group] for (name, f), group in problems.items()}
    table("time per right-hand side [µs]", COUNTS, rows)


def against_pinocchio() -> None:
    try:
        kinds = {"chain": (chain, True), "hinges": (hinges, False)}
        ours = {name: [Problem(make(n), "relative") for n in PINOCCHIO_COUNTS] for name, (make, _) in kinds.items()}
        counts = {"chain": (10, 100), "hinges": PINOCCHIO_COUNTS}  # 500 spherical joints do not fit either
        peers = {name: [Pinocchio(n, spherical=ball) for n in counts[name]] for name, (_, ball) in kinds.items()}
    except ImportError:
        print("Pinocchio is not installed (dependency group bench): left out", file=sys.stderr)
        return
    for _ in range(60):
        for group in (*ours.values(), *peers.values()):
            for problem in group:
                problem.measure()
    rows: dict[str, list[float]] = {}
    for name in kinds:
        mine, theirs = [1e6 * p.best for p in ours[name]], [1e6 * p.best for p in peers[name]]
        theirs += [np.nan] * (len(mine) - len(theirs))
        rows[f"{name}: gudgeon, right-hand side"] = mine
        rows[f"{name}: Pinocchio, aba"] = theirs
        rows[f"{name}: gudgeon / Pinocchio"] = [a / b for a, b in zip(mine, theirs, strict=True)]
    table("time per evaluation [µs]", PINOCCHIO_COUNTS, rows)


def whole_runs() -> None:
    """Short runs at rtol 1e-8, their start included: fewer unknowns also mean other steps."""
    rows: dict[str, list[float]] = {}
    counts = (10, 100)
    for make in (chain, hinges, ladder):
        for formulation in FORMULATIONS:
            rows[f"{make.__name__}, {formulation}"] = []
            for n in counts:
                runs = [gd.simulate(make(n), 0.2, sample=0.2, coordinates=formulation).stats for _ in range(15)]
                rows[f"{make.__name__}, {formulation}"].append(1e3 * min(s["seconds_computing"] for s in runs))
    table("time of 0.2 s of motion [ms]", counts, rows)


if __name__ == "__main__":
    per_evaluation()
    against_pinocchio()
    whole_runs()
