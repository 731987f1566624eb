"""Stiff loads on a frame that very many real joints carry: Implicit solves for its accelerations beside the forces."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.kernels.dynamics.force_pattern import GRIP
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.mechanics.force_pattern import force_pattern


def frame(stiffness, *, mounts=8, ties=3, arm=False, steered=False):
    """A frame on bushings that carries a body on springs; perhaps an arm on a hinge that one of them pulls."""
    bodies = {
        "frame": gd.Body(mass=50.0, inertia=(2, 3, 4), velocity=(0.1, 0.05, 0.2)),
        "engine": gd.Body(mass=100.0, inertia=(5, 5, 6), position=(0, 0, 0.5)),
    }
    rubber = gd.Bushing(
        stiffness=np.diag([1e6, 1e6, 5e5, 1e3, 1e3, 1e3]), damping=np.diag([2e3, 2e3, 1e3, 5.0, 5.0, 5.0])
    )
    joints, loads = {}, {}
    for i in range(mounts):
        a = 2 * np.pi * i / mounts
        joints[f"mount {i}"] = gd.Rigid("ground", "frame", at=(0.5 * np.cos(a), 0.4 * np.sin(a), 0), model=rubber)
    for i in range(ties):
        a = 2.0 * i
        foot, top = (0.2 * np.cos(a), 0.2 * np.sin(a), 0), (0.1 * np.cos(a), 0.1 * np.sin(a), -0.1)
        loads[f"tie {i}"] = gd.SpringDamper(
            "frame",
            "engine",
            at_first=foot,
            at_second=top,
            stiffness=stiffness,
            damping=2 * np.sqrt(30 * stiffness),
            length=0.4,
        )
    if arm:
        bodies["arm"] = gd.Body(mass=3.0, inertia=(0.05, 0.05, 0.05), position=(0.7, 0, 0.1))
        joints["hinge"] = gd.Revolute("frame", "arm", at=(0.5, 0, 0), axis=(0, 1, 0))
        loads["pull"] = gd.SpringDamper("arm", "engine", stiffness=stiffness, damping=30.0, length=0.7)
    if steered:
        loads["steer"] = gd.Force("engine", (0, 0, f"-{stiffness}*(frame.z - 0.01) - {0.05 * stiffness}*engine.vz"))
    return gd.System(bodies=bodies, joints=joints, loads=loads)


def test_loads_have_grips_on_the_frame():
    pattern = force_pattern(equations_of_motion(frame(1e4)))
    assert (np.diff(pattern.joint[:, GRIP]) == 1).all()  # eight bushings and three springs


@pytest.mark.parametrize("ties", [3, 7])
def test_steps_do_not_feel_how_stiff_loads_on_a_frame_are(ties):
    """Three springs are lines of their own, seven a force and a torque; the same run in relative coordinates."""
    steps = []
    for stiffness in (1e6, 1e8, 1e10):
        runs = [
            gd.simulate(
                frame(stiffness, ties=ties), 0.2, sample=0.02, solver=gd.Implicit(rtol=1e-7), coordinates=coordinates
            )
            for coordinates in ("absolute", "relative")
        ]
        assert np.abs(runs[0].data.position - runs[1].data.position).max() < 1e-7
        steps.append(runs[0].stats["steps"] + runs[0].stats["rejections"])
    assert max(steps) < 700, steps


@pytest.mark.parametrize("has", [{"arm": True}, {"ties": 6}, {"steered": True}, {"ties": 5, "arm": True}])
def test_loads_on_a_frame_agree_with_the_explicit_solver(has):
    system = frame(2e4, **has)
    solver = gd.Implicit(rtol=1e-9, atol=1e-12)
    runs = [
        gd.simulate(system, 0.1, sample=0.02, solver=each) for each in (solver, gd.Explicit(rtol=1e-11, atol=1e-13))
    ]
    assert np.abs(runs[0].data.position - runs[1].data.position).max() < 1e-9
    assert np.abs(runs[0].data.velocity - runs[1].data.velocity).max() < 1e-7


def test_a_run_with_loads_on_a_frame_that_is_cut_goes_on_to_the_bit():
    system, solver = frame(1e6, ties=6, arm=True), gd.Implicit(rtol=1e-6)
    whole = gd.simulate(system, 0.1, sample=0.05, solver=solver)
    part = gd.simulate(system, 0.037, sample=0.01, solver=solver)
    rest = gd.simulate(system, 0.1 - 0.037, sample=[0.05, 0.1], solver=solver, start=part.state())
    assert np.array_equal(rest.states[-1], whole.states[-1])


def test_a_loop_through_a_state_of_a_controller_on_a_frame():
    """The state follows the frame within microseconds and pushes the engine: steps as if it did so at once."""
    lag = gd.Controller(
        states={"z": 0.0}, inputs={"at": "frame.z"}, outputs={"force": "-1e6*z"}, derivative={"z": "1e6*(at - z)"}
    )
    system = frame(1e4)
    force = gd.Force("engine", (0, 0, "lag.force"))
    slow = system.replace(loads={**system.loads, "push": gd.Force("engine", (0, 0, "-1e6*frame.z"))})
    fast = system.replace(controllers={"lag": lag}, loads={**system.loads, "push": force})
    runs = [gd.simulate(each, 0.05, sample=0.01, solver=gd.Implicit(rtol=1e-6)) for each in (slow, fast)]
    assert np.abs(runs[0].data.position - runs[1].data.position).max() < 1e-5
    assert runs[1].stats["steps"] < 5 * runs[0].stats["steps"]
