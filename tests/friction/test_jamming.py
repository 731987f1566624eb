"""Joints that jam: a balance of friction and reaction that does not exist, or that is one of several (Painlevé)."""

import math

import numpy as np
import pytest

import gudgeon as gd
from friction.rubbing_mechanisms import GRAVITY, block

SMOOTH_SOLVERS = {"Explicit": gd.Explicit(), "Implicit": gd.Implicit(), "Sundials": gd.Sundials()}


def coulomb(mu):
    return gd.laws.Coulomb(coefficient=mu, velocity_tolerance=1e-3)


@pytest.mark.parametrize("ahead", [0.0, 0.03])
@pytest.mark.parametrize("solver", SMOOTH_SOLVERS)
def test_no_motion_exists(coordinates, solver, ahead):
    """κ = 2 μ c/L = 1.5: friction at the guide turns the block about its high centre of mass and so presses it more."""
    with pytest.raises(gd.SimulationError) as caught:
        gd.simulate(
            block(coulomb(0.3), above=0.05, ahead=ahead, speed=2.0, length=0.02), 0.1, solver=SMOOTH_SOLVERS[solver]
        )
    text = str(caught.value)
    assert "joint jammed at t = 0 s" in text and "Prismatic 'guide' jams" in text
    assert "by 1.5 times itself (its coefficient is 0.3, critical is 0.2)" in text
    assert "no motion with these velocities exists" in text and "TimeStepping" in text
    assert caught.value.owner == "guide"
    assert caught.value.result is not None


@pytest.mark.parametrize("solver", ["Explicit", "Implicit"])
def test_several_motions_exist(coordinates, solver):
    """With the load behind, two values of friction satisfy the equations: neither is chosen silently."""
    system = block(coulomb(0.3), above=0.05, ahead=-0.03, speed=2.0, length=0.02)
    with pytest.raises(gd.SimulationError, match="several motions are possible"):
        gd.simulate(system, 0.1, solver=SMOOTH_SOLVERS[solver])


@pytest.mark.parametrize("share", [0.9, 0.99, 1.01])
def test_the_threshold(share):
    """Unique up to κ = 1, and then friction is what the closed form says, however steep; beyond it jams.

    While both ends are pressed from below, friction is μ m g; beyond m g/2 < f c/L the one end lifts to the upper
    side and f = μ 2 (f c + m g d)/L.
    """
    mu, c, d = 0.2, 0.05, 0.03
    length = 2 * mu * c / share
    system = block(coulomb(mu), above=c, ahead=d, speed=2.0, length=length)
    if share > 1.0:
        with pytest.raises(gd.SimulationError, match="jams"):
            gd.simulate(system, 1e-4, solver=gd.Explicit())
        return
    data = gd.simulate(system, 1e-4, solver=gd.Explicit(), sample=[0.0]).data
    weight = 2.0 * GRAVITY
    friction = 2 * mu * weight * d / length / (1.0 - share)
    assert friction * c / length + weight * d / length > weight / 2  # the one end is lifted
    assert float(data.friction_effort[0, 0]) == pytest.approx(-friction, rel=1e-9)


def test_it_happens_on_the_way(coordinates):
    """A mast that is raised on a slide: the common centre of mass rises, and κ = 2 μ c/L; at κ = 1 the run ends.

    Going backwards, friction relieves the guide of the mast's weight, and stays finite. (Forwards it grows beyond all
    bounds as κ comes near one, and stops the slide before.)
    """
    law, length, mu = coulomb(0.4), 0.1, 0.4
    arm = 0.4
    bodies = {
        "slide": gd.Body(mass=1.0, inertia=(0.01,) * 3, velocity=(-50.0, 0, 0)),
        "mast": gd.Body(mass=1.0, inertia=(1e-6,) * 3, position=(arm, 0, 0)),
    }
    system = gd.System(
        gravity=(0, 0, -GRAVITY),
        bodies=bodies,
        joints={
            "guide": gd.Prismatic(
                "ground", "slide", at=(0, 0, 0), axis=(1, 0, 0), model=gd.Ideal(friction=law, length=length)
            ),
            "hinge": gd.Revolute("slide", "mast", at=(0, 0, 0), axis=(0, -1, 0)),
        },
        drives={"up": gd.Drive("hinge", "0.05 + t")},
    )
    with pytest.raises(gd.SimulationError, match=r"guide.*jams.*several motions") as caught:
        gd.simulate(system, 2.0, solver=gd.Explicit(), sample=1e-3)
    # the centre of mass is at half the height of the mast
    when = math.asin(length / (2 * mu) / (arm / 2)) - 0.05
    assert caught.value.time == pytest.approx(when, abs=1e-6)
    forwards = system.replace(bodies={**bodies, "slide": gd.Body(mass=1.0, inertia=(0.01,) * 3, velocity=(50.0, 0, 0))})
    data = gd.simulate(forwards, when, solver=gd.Implicit(), sample=[when]).data
    assert float(data.joint_velocity.sel(rate="guide.displacement")[-1]) < 1e-3


@pytest.mark.parametrize("ahead", [0.0, 0.03])
def test_time_stepping_jams_by_sticking(coordinates, ahead):
    """The same block stops within a step: an impact without collision, in which its kinetic energy becomes heat."""
    law = gd.laws.DryFriction(static=0.3)
    system = block(law, above=0.05, ahead=ahead, speed=2.0, length=0.02)
    data = gd.simulate(system, 0.1, solver=gd.TimeStepping(step=1e-3), sample=1e-3).data
    assert np.abs(data.joint_velocity.values[1:, 0]).max() < 1e-9
    assert data.sticking.values[2:, 0].min() == 1.0
    assert data.dissipated_energy.values[-1, 0] == pytest.approx(0.5 * 2.0 * 2.0**2, rel=1e-9)
    pushed = system.replace(loads={"push": gd.Force("block", (1e4, 0, 0), at=(0, 0, -0.05))})  # along the guide
    still = gd.simulate(pushed, 0.05, solver=gd.TimeStepping(step=1e-3), sample=1e-2).data
    assert abs(float(still.joint_velocity[-1, 0])) > 1.0  # a push along its axis, below the centre of mass, frees it
