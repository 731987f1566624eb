"""Two versions of gudgeon against each other, line by line: has anything become slower?

    python against.py OLD_TREE NEW_TREE            trees are clones: each has src/gudgeon
    python against.py OLD_TREE NEW_TREE dry chain  only lines whose names contain one of these words

Each tree has a process of its own, with this interpreter; their turns alternate, so that a busy neighbour hits both
alike, and the least CPU time of each counts. Lines use only what both versions have (a line that one cannot run is left
out); a line that takes other steps does other work, so steps are compared, too. Kernels are compiled before anything
is timed. Machines that rest show 1 %, busy ones 5 %: read a slow line twice.
"""

import json
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

ROUNDS = 25


def ideal(gd, coordinates):
    return gd.simulate(
        gd.examples.spatial_four_bar(), 2.0, solver=gd.Explicit(rtol=1e-7), sample=0.05, coordinates=coordinates
    )


def real(gd, joint, coordinates="absolute"):
    system = gd.examples.spatial_four_bar(joint)
    return gd.simulate(system, 1.0, solver=gd.Implicit(rtol=1e-8), sample=1e-3, coordinates=coordinates)


def chain(gd, count, joint, coordinates, duration):
    """A hanging chain of spherical joints or of hinges, moving."""
    bodies, joints = {}, {}
    for k in range(count):
        spin = (0.3 * (-1) ** k, 0.2, 0.1 * k % 0.7)
        bodies[f"b{k}"] = gd.Body(0.1, (1e-4, 1e-4, 2e-5), (0.0, 0.0, -0.1 * (k + 0.5)), angular_velocity=spin)
        above, at = "ground" if k == 0 else f"b{k - 1}", (0, 0, -0.1 * k)
        axis = {} if joint is gd.Spherical else {"axis": ((1, 0, 0), (0, 1, 0))[k % 2]}
        joints[f"j{k}"] = joint(above, f"b{k}", at=at, **axis)
    system = gd.System(bodies=bodies, joints=joints)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return gd.simulate(system, duration, solver=gd.Explicit(rtol=1e-6), sample=0.05, coordinates=coordinates)


def flexible(gd, elements, step, duration):
    system = gd.examples.slider_crank_flexible_slider(elements)
    return gd.simulate(system, duration, solver=gd.TimeStepping(step=step), sample=0.05)


def hard(gd, step):
    return gd.simulate(gd.examples.slider_crank_hard_contact(), 0.2, solver=gd.TimeStepping(step=step), sample=0.004)


def gaps(gd, pair):
    import numpy as np

    from gudgeon.nurbs import GapState, Pose, gap_field

    pair = SURFACES[pair]()
    state, here = GapState(pair), Pose()
    for k in range(60):
        a = 2 * np.pi * k / 200
        turned = (np.cos(a / 2), 0, 0, np.sin(a / 2))
        gap_field(pair, here, Pose(position=(5e-5 * np.cos(a), 5e-5 * np.sin(a), 0), rotation=turned), state=state)


def journal():
    from gudgeon.nurbs import Surface, SurfacePair

    bore, pin = Surface.cylinder(0.0101, -0.01, 0.01), Surface.cylinder(0.01, -0.02, 0.02)
    return SurfacePair(reference=bore, corresponding=pin, reference_side=-1)


def ball():
    from gudgeon.nurbs import Surface, SurfacePair

    return SurfacePair(reference=Surface.sphere(0.0101), corresponding=Surface.sphere(0.01), reference_side=-1)


def elements(gd, n):
    from gudgeon.fem import Material, Mesh, assembly

    mesh = Mesh.rectangle(0.6, 0.5, n, n)
    material, where = Material(youngs_modulus=1e3, poissons_ratio=0.3, density=0.3), assembly.pattern(mesh)
    assembly.stiffness(mesh, material, where)
    assembly.mass(mesh, material, where)


def small_motion(gd, what):
    """linearize and equilibrium of a chain of twelve hinges."""
    count = 12
    bodies = {f"b{k}": gd.Body(0.1, (1e-4, 1e-4, 2e-5), (0.0, 0.0, -0.1 * (k + 0.5))) for k in range(count)}
    joints = {
        f"j{k}": gd.Revolute("ground" if k == 0 else f"b{k - 1}", f"b{k}", at=(0, 0, -0.1 * k), axis=(0, 1, 0))
        for k in range(count)
    }
    system = gd.System(bodies=bodies, joints=joints)
    if what == "linearize":
        gd.linearize(system)
    else:
        gd.equilibrium(system)


SURFACES = {"journal": journal, "ball": ball}
LINES = {
    "ideal four-bar, absolute": lambda gd: ideal(gd, "absolute"),
    "ideal four-bar, relative": lambda gd: ideal(gd, "relative"),
    **{f"{joint} ball joint": lambda gd, joint=joint: real(gd, joint) for joint in ("dry", "lubricated", "bushing")},
    "dry ball joint, relative": lambda gd: real(gd, "dry", "relative"),
    **{
        f"chain of {n} {name}, {where}": lambda gd, n=n, name=name, where=where: chain(
            gd, n, gd.Spherical if name == "balls" else gd.Revolute, where, 25.0 / n
        )
        for n in (10, 100)
        for name in ("balls", "hinges")
        for where in ("absolute", "relative")
    },
    **{
        f"a short run of 10 {name}, {where}": lambda gd, name=name, where=where: chain(
            gd, 10, gd.Spherical if name == "balls" else gd.Revolute, where, 0.2
        )
        for name in ("balls", "hinges")
        for where in ("absolute", "relative")
    },
    "start of a run: a pendulum": lambda gd: chain(gd, 1, gd.Revolute, "absolute", 0.05),
    "flexible slider, 4 elements": lambda gd: flexible(gd, 4, 5e-3, 50.0),
    "flexible slider, 8 elements": lambda gd: flexible(gd, 8, 5e-3, 50.0),
    "flexible slider, 400 elements": lambda gd: flexible(gd, (20, 20), 5e-3, 1.0),
    "hard slider-crank": lambda gd: hard(gd, 2e-5),
    "gap of a journal": lambda gd: gaps(gd, "journal"),
    "gap of a ball": lambda gd: gaps(gd, "ball"),
    "K and M of 1600 elements": lambda gd: elements(gd, 40),
    "linearize 12 hinges": lambda gd: small_motion(gd, "linearize"),
    "equilibrium of 12 hinges": lambda gd: small_motion(gd, "equilibrium"),
}


def work() -> None:
    """A process of one version: a name comes in, CPU seconds and steps go out."""
    import gudgeon as gd

    warnings.simplefilter("ignore")
    for name in map(str.strip, sys.stdin):
        began = time.process_time()
        try:
            result = LINES[name](gd)
            spent, steps = time.process_time() - began, 0
            if result is not None:
                spent, steps = result.stats["cpu_seconds_computing"], result.stats["steps"]
            answer = {"seconds": spent, "steps": steps}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


class Version:
    """The process of a tree."""

    def __init__(self, tree: str):
        one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        environment = {**os.environ, **one, "PYTHONPATH": str(Path(tree).resolve() / "src")}
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--work"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )

    def run(self, name: str) -> dict:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(name, file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())


def main(old_tree: str, new_tree: str, *words: str) -> None:
    old, new = Version(old_tree), Version(new_tree)
    names = [name for name in LINES if not words or any(word in name for word in words)]
    print(f"{'CPU time':34}{'old':>12}{'new':>12}{'new/old':>9}{'steps':>16}")
    for name in names:
        first = old.run(name), new.run(name)  # kernels are compiled or loaded
        wrong = [answer["error"] for answer in first if "error" in answer]
        if wrong:
            print(f"{name:34}left out: {wrong[0][:80]}")
            continue
        least = [float("inf"), float("inf")]
        for _ in range(ROUNDS):
            for place, version in enumerate((old, new)):
                least[place] = min(least[place], version.run(name)["seconds"])
        steps = " ".join(str(answer["steps"]) for answer in first) if first[0]["steps"] else ""
        ratio = least[1] / least[0]
        mark = "  <<" if ratio > 1.03 else ""
        print(f"{name:34}{1e3 * least[0]:9.3f} ms{1e3 * least[1]:9.3f} ms{ratio:9.3f}{steps:>16}{mark}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    elif len(sys.argv) < 3:
        sys.exit(__doc__)
    else:
        main(*sys.argv[1:])
