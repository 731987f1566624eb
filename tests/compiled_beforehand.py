"""Run as a script: `gudgeon compile`, then a run of everything there is; prints what had still to be compiled."""

from __future__ import annotations

import importlib
import json
import pkgutil
import warnings

from numba.core import event
from numba.core.dispatcher import Dispatcher

import gudgeon as gd
import gudgeon.fem
import gudgeon.kernels
import gudgeon.nurbs.kernels
from gudgeon.code_on_disk import CodeCache
from gudgeon.compilation.compile import compile_everything
from gudgeon.compilation_watch import watch
from mechanisms import slider_crank
from sliding_blocks import block, guide, model

CALLED_BY_KERNELS = {"run"}  # the stack machine of functions of time; tests call it from Python too
FOUR_BAR = gd.examples.spatial_four_bar


class Recorder(event.Listener):
    """The names of what Numba compiles."""

    def __init__(self):
        self.names: list[str] = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass


def not_reached() -> list[str]:
    """Kernels that Python may call but that were neither compiled nor loaded."""
    left = []
    for package in (gudgeon.kernels, gudgeon.nurbs.kernels, gudgeon.fem):
        for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            for name, value in vars(importlib.import_module(module.name)).items():
                kept = isinstance(value, Dispatcher) and isinstance(value._cache, CodeCache)
                if kept and not value.signatures and not name.startswith("_") and name not in CALLED_BY_KERNELS:
                    left.append(f"{module.name}.{name}")
    return left


def chain(links: int) -> gd.System:
    """So many hinges that their redundant rows are found by elimination."""
    names = ["ground", *(f"link {k}" for k in range(links))]
    bodies = {name: gd.Body(mass=1.0, inertia=(1, 1, 1), position=(k, 0, 0)) for k, name in enumerate(names) if k}
    hinges = {
        f"hinge {k}": gd.Revolute(names[k], names[k + 1], at=(k + 0.5, 0, 0), axis=(0, 1, 0)) for k in range(links)
    }
    return gd.System(bodies=bodies, joints=hinges)


def run_everything() -> None:
    """Every solver in every variant it can run, results with redundant rows, failures, and every analysis."""
    driven = slider_crank(gd.Drive("pivot", "t"))
    for coordinates in ("absolute", "relative"):
        for solver in (gd.Explicit(), gd.Implicit(), gd.Sundials(method="BDF")):
            _ = gd.simulate(FOUR_BAR("dry"), 0.02, solver=solver, coordinates=coordinates).data
        _ = gd.simulate(driven, 0.01, coordinates=coordinates).data  # has redundant rows
        pushed = FOUR_BAR().replace(loads={"push": gd.Force("rocker", ("sqrt(5e-3 - t)", 0, 0))})
        try:
            gd.simulate(pushed, 0.01, coordinates=coordinates)
        except gd.SimulationError as error:
            assert error.owner == "push"
    _ = gd.simulate(FOUR_BAR("dry"), 0.02, solver=gd.TimeStepping(step=1e-5)).data
    for kind, solver in (
        ("hard", gd.TimeStepping()),
        ("flexible", gd.TimeStepping()),
        ("compliant", gd.Explicit()),
        ("compliant", gd.Sundials()),
    ):
        bodies, joints = {"block": block(v=0.1)}, {"guide": guide("ground", model(kind, None))}
        _ = gd.simulate(gd.System(gravity=(0, -9.81, 0), bodies=bodies, joints=joints), 0.01, solver=solver).data
    gd.assemble(chain(90))
    gd.kinematics(driven, 0.01, sample=0.005)
    gd.inverse_dynamics(driven, {"pivot": "t"}, duration=0.01, sample=0.005)
    gd.linearize(gd.equilibrium(FOUR_BAR("bushing")))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    compile_everything()
    left, compiled, recorder = not_reached(), watch.count, Recorder()
    event.register("numba:compile", recorder)
    run_everything()
    print(json.dumps({"left": left, "late": recorder.names, "functions": watch.count - compiled}))
