"""No solver may return a ball outside its socket, energy from nowhere, or a wall that pulls."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.results.guard import raise_unless_physical, sources
from real_joints import LOSSY, RADII, ball_in_socket
from sliding_blocks import DEPTH, GRAVITY, block, guide, model

SOLVERS = {
    "Explicit": gd.Explicit(),
    "Implicit": gd.Implicit(),
    "Sundials": gd.Sundials(),
    "TimeStepping": gd.TimeStepping(step=1e-6),
}


def pushing_back(delta, ddelta):
    """A wall that pushes half as much again on the way out: it gives what it never took."""
    return 1e9 * delta**1.5 * (1.5 if ddelta < 0.0 else 1.0)


ACTIVE = gd.Dry(**RADII, contact=pushing_back)
SOFT = model("compliant", None)
THROWN = ball_in_socket(ACTIVE, velocity=(0.2, 0.0, 0.0))


@pytest.fixture(scope="module")
def bounce():
    """A run through one contact, samples within it."""
    dry = gd.Dry(**RADII, contact=LOSSY)
    return gd.simulate(ball_in_socket(dry, velocity=(0.2, 0.0, 0.0)), 1e-3, solver=gd.Implicit(), sample=1e-5)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_a_law_that_creates_energy_is_found_with_every_solver(solver):
    with pytest.raises(gd.SimulationError, match=r"Spherical 'J' has given back .* than on the way in") as found:
        gd.simulate(THROWN, 1.5e-3, solver=solver, sample=1e-5)
    error = found.value
    assert error.owner == "J"
    assert error.result is not None and 0.0 < error.time <= 1.5e-3
    # by the law, half of ∫ 1e9 δ^1.5 dδ is added: the ball leaves with √1.5 of its speed
    speed = np.linalg.norm(error.result.data.velocity.values[-1, 0])
    assert speed == pytest.approx(0.2 * np.sqrt(1.5), rel=2e-3)


def test_the_same_is_found_where_something_else_drives_the_mechanism():
    driven = THROWN.replace(loads={"push": gd.Force("ball", ("1e-3*sin(t)", 0, 0))})
    with pytest.raises(gd.SimulationError, match=r"Spherical 'J' has given back"):
        gd.simulate(driven, 2e-3, sample=1e-5)


def test_energy_of_coarse_steps_is_not_a_result():
    """A stiff undamped pendulum at a tolerance that means nothing."""
    system = gd.System(
        bodies={"bob": gd.Body(mass=1.0, inertia=(1e-3,) * 3, position=(0, 0, 1), angular_velocity=(0, 0.1, 0))},
        joints={"pivot": gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0))},
        loads={"spring": gd.SpringDamper("ground", "bob", at_first=(1, 0, 0), stiffness=500.0)},
    )
    with pytest.raises(
        gd.SimulationError, match=r"energy has risen .* though nothing drives the mechanism; give a sma"
    ):
        gd.simulate(system, 20.0, solver=gd.Explicit(rtol=0.03, atol=0.03))
    gd.simulate(system, 20.0, solver=gd.Explicit())


def test_a_ball_outside_its_socket(bounce):
    equations, trajectory = bounce._equations, bounce._trajectory
    states = trajectory.states.copy()
    states[-1, 2] = -0.0101  # 0.1 mm beyond the socket's radius
    with pytest.raises(
        gd.SimulationError, match=r"at t = 0.001 s the ball of Spherical 'J' is 0.0101 m from the centre of its socket"
    ) as found:
        raise_unless_physical(equations, dataclasses.replace(trajectory, states=states), bounce)
    assert (found.value.owner, found.value.time) == ("J", 1e-3)


def test_a_wall_that_pulls():
    """The forces of a block on its guide, with the wrong sign."""
    lying = gd.System(
        gravity=(0.0, -GRAVITY, 0.0), bodies={"block": block(depth=DEPTH)}, joints={"guide": guide("ground", SOFT)}
    )
    result = gd.simulate(lying, 0.01)
    equations, trajectory = result._equations, result._trajectory
    pulling = dataclasses.replace(trajectory, forces=-trajectory.forces)
    with pytest.raises(gd.SimulationError, match=r"the contact in Guide 'guide' pulls with .* N, which no wall does"):
        raise_unless_physical(equations, pulling, result)


def test_what_brings_energy_into_a_mechanism():
    system = gd.System(
        bodies={"arm": gd.Body(mass=1.0, inertia=(1, 1, 1))},
        joints={"pin": gd.Revolute("ground", "arm", at=(1, 0, 0))},
        loads={
            "weight": gd.Force("arm", (0, 0, -1)),
            "follower": gd.Force("arm", (0, 1, 0), axes="body"),
            "gust": gd.Force("arm", ("sin(t)", 0, 0)),
            "motor": gd.Torque("arm", (0, 0, 1)),
            "nothing": gd.Torque("arm", (0, 0, 0)),
            "spring": gd.JointSpring("pin", stiffness=1.0, damping="1 + t"),
            "muscle": gd.SpringDamper("ground", "arm", stiffness=1.0, length="0.1*t"),
        },
    )
    assert sources(system) == ["follower", "gust", "motor", "muscle"]
    assert sources(system.replace(loads={}, drives={"hold": gd.Drive("pin", 0.3)})) == []
    assert sources(system.replace(loads={}, drives={"turn": gd.Drive("pin", "t")})) == ["turn"]


def test_work_of_a_constant_force_is_its_potential():
    """A body that a constant force accelerates and turns: the energy rises, and nothing is wrong."""
    push = gd.Force("body", (3.0, -1.0, 0.5), at=(0.1, 0.2, 0.0))
    free = gd.System(bodies={"body": gd.Body(mass=0.5, inertia=(0.02, 0.03, 0.04))}, loads={"push": push})
    result = gd.simulate(free, 1.0)
    assert float(result.data.kinetic_energy[-1]) > 1.0
