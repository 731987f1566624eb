"""IFToMM A01: the planar pendulum from the horizontal, against the elliptic solution."""

import numpy as np
import pytest

import gudgeon as gd
from references import load

REFERENCE = load("iftomm_A01_pendulum")["reference"]


def pendulum(inertia: float = 1e-6) -> gd.System:
    """A mass of 1 kg at 1 m, nearly a point; a rigid body of inertia J swings as one of length 1 + J."""
    return gd.System(
        name="pendulum",
        gravity=(0.0, -9.81 * (1.0 + inertia), 0.0),  # the same equation as the point mass
        bodies={"bob": gd.Body(mass=1.0, inertia=(inertia,) * 3, position=(-1.0, 0.0, 0.0))},
        joints={"pivot": gd.Revolute("ground", "bob", at=(0.0, 0.0, 0.0))},
    )


@pytest.mark.parametrize("solver", [gd.Explicit(rtol=1e-10, atol=1e-12), gd.Sundials(rtol=1e-11, atol=1e-12)])
@pytest.mark.parametrize("inertia", [1e-6, 0.1])
def test_follows_the_elliptic_solution(solver, inertia):
    expected = np.array(REFERENCE["samples"])
    result = gd.simulate(pendulum(inertia), 10.0, sample=expected[:, 0], solver=solver)
    bob = result.data.sel(body="bob")
    assert np.abs(bob.position.values[:, :2] - expected[:, 1:3]).max() < 2e-7
    assert np.abs(bob.angular_velocity.values[:, 2] - expected[:, 3]).max() < 2e-6


def test_reaction_is_weight_plus_centripetal_force():
    """T = m (g cos φ + L φ̇²), φ from the downward vertical."""
    result = gd.simulate(pendulum(), 2.0, solver=gd.Explicit(rtol=1e-11, atol=1e-13))
    bob = result.data.sel(body="bob")
    radial = bob.position.values / np.linalg.norm(bob.position.values, axis=1, keepdims=True)
    pull = -np.sum(result.data.reaction_force.sel(joint="pivot").values * radial, axis=1)
    gravity = 9.81 * (1.0 + 1e-6)
    expected = -gravity * radial[:, 1] + bob.angular_velocity.values[:, 2] ** 2
    assert np.abs(pull - expected).max() < 1e-8 * expected.max()
    assert np.abs(result.data.reaction_torque.values).max() < 1e-8


def test_period():
    """From the horizontal to rest on the other side and back: 2.3678… s."""
    stop = {"back": gd.Crossing(body="bob", along=(0, 1, 0), value=-1e-4, direction="rising")}
    result = gd.simulate(pendulum(), 5.0, crossings=stop, solver=gd.Explicit(rtol=1e-11, atol=1e-13))
    times = result.crossings["time"].to_numpy()
    assert times[2] - times[0] == pytest.approx(REFERENCE["period"], abs=1e-8)
