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
import gudgeon.wearing.kernels
from friction.rubbing_mechanisms import four_bar as rubbing_four_bar
from gudgeon.code_on_disk import CodeCache
from gudgeon.compilation.compile import compile_everything
from gudgeon.compilation_watch import watch
from gudgeon.kernels.build.compiled import Addressed
from machines.controlled_arms import arm
from machines.test_cams import cam_and_follower
from machines.test_elastic_couplings import train
from machines.test_meetings import ball
from mechanisms import slider_crank
from one_joint import JOINTS, MODELS, one_joint
from sliding_blocks import block, guide, model
from wear.bush import WEAR, bush

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
    for package in (gudgeon.kernels, gudgeon.nurbs.kernels, gudgeon.fem, gudgeon.wearing.kernels):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, Addressed):
                    is_left = "address" not in vars(value)
                else:
                    kept = isinstance(value, Dispatcher) and isinstance(value._cache, CodeCache)
                    is_left = kept and not value.signatures
                if is_left and not name.startswith("_") and name not in CALLED_BY_KERNELS:
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


def machines() -> list[gd.System]:
    """Controllers that go on and that are sampled, a cam, a meeting, a mesh that yields, joints that rub."""
    law = gd.laws.DryFriction(static=0.2, kinetic=0.15)
    pid = gd.PID(measured="main.angle", setpoint=0.3, kp=2.0, ki=1.0, output="torque")
    counts = gd.Controller(period=2e-5, states={"k": 0.0}, update={"k": "k + 1"}, outputs={"torque": "k"})
    motor = {"motor": gd.JointTorque("main", "c.torque")}
    return [
        arm(controllers={"c": pid}, loads=motor),
        arm(controllers={"c": counts}, loads=motor),
        cam_and_follower("roller"),
        cam_and_follower("flat", model=gd.DryTouch(contact=gd.laws.HuntCrossley(stiffness=1e7, damping=0.5))),
        ball(friction=gd.laws.Coulomb(coefficient=0.3, velocity_tolerance=1e-4)),
        train(stiffness=1e4, damping=1.0),
        rubbing_four_bar(gd.Ideal(friction=law, radius=0.01)),
    ]


def real_joints() -> list[gd.System]:
    """Every model of ours, in the first joint that takes it."""
    found = []
    for physics in MODELS:
        for joint in () if physics == "ForceModel" else JOINTS:  # a user's functions are compiled when they are used
            try:
                found.append(one_joint(joint, physics))
                break
            except gd.ModelError:
                continue
    return found


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
    for system in (*machines(), *real_joints()):
        for solver in (gd.Explicit(), gd.Implicit(), gd.Sundials(), gd.TimeStepping()):
            for coordinates in ("absolute", "relative"):
                try:
                    _ = gd.simulate(system, 1e-4, sample=5e-5, solver=solver, coordinates=coordinates).data
                except (gd.ModelError, gd.SimulationError):  # whether it runs well: tests/test_capabilities.py
                    continue
    gd.wear(bush(load="200"), 1e-3, {"J": (WEAR, 0.0)}, cycles=2e3, settle=3, angles=60, sample=1e-4)
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
