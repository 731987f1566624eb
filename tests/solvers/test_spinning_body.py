"""A body free of torques, spun about its middle axis: it turns over again and again, as known in closed form."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

import gudgeon as gd

INERTIA = np.array([0.01, 0.02, 0.03])  # [kg·m²]
SPIN = np.array([0.0, 5.0, 1e-3])  # body axes, at a turning point of the small motion [rad/s]


def exact(times: np.ndarray) -> np.ndarray:
    """ω in body axes. Landau & Lifshitz, Mechanics, § 37, for M² > 2 E I₂; t is counted from ω₁ = 0."""
    one, two, three = INERTIA
    energy, momentum = INERTIA @ SPIN**2, INERTIA**2 @ SPIN**2  # 2 E, M²
    pace = np.sqrt((three - two) * (momentum - energy * one) / (one * two * three))
    modulus = (two - one) * (energy * three - momentum) / ((three - two) * (momentum - energy * one))
    sn, cn, dn, _ = ellipj(pace * times + ellipk(modulus), modulus)
    return np.stack(
        [
            np.sqrt((energy * three - momentum) / (one * (three - one))) * cn,
            np.sqrt((energy * three - momentum) / (two * (three - two))) * sn,
            np.sqrt((momentum - energy * one) / (three * (three - one))) * dn,
        ],
        axis=-1,
    )


def turned(result: gd.Result) -> tuple[Rotation, np.ndarray]:
    """Orientation of the body, and its angular velocity in its own axes, at all samples."""
    pose = Rotation.from_quat(result.data.orientation.values[:, 0, [1, 2, 3, 0]])
    return pose, pose.inv().apply(result.data.angular_velocity.values[:, 0])


@pytest.fixture(scope="module")
def two_turns() -> gd.Result:
    body = gd.Body(mass=1.0, inertia=tuple(INERTIA), angular_velocity=tuple(SPIN))
    system = gd.System(gravity=(0.0, 0.0, 0.0), bodies={"body": body})
    return gd.simulate(system, 11.0, sample=0.05, solver=gd.Explicit(rtol=1e-8, atol=1e-10))


def test_turns_over_at_the_right_instants(two_turns):
    """The turns depend on a disturbance 5000 times smaller than the spin, which must not share the spin's tolerance."""
    times = two_turns.data.time.values
    assert np.sum(np.diff(np.sign(exact(times)[:, 1])) != 0) == 2  # it turns over twice
    assert np.abs(turned(two_turns)[1] - exact(times)).max() < 1e-4 * SPIN[1]


def test_keeps_its_angular_momentum(two_turns):
    pose, omega = turned(two_turns)
    momentum = pose.apply(INERTIA * omega)
    assert np.abs(momentum - momentum[0]).max() < 1e-6 * np.linalg.norm(momentum[0])


@pytest.mark.parametrize("stages", [3, 5, 7])
@pytest.mark.parametrize("rate", [1.0, 50.0, 1000.0])
def test_a_steady_spin_is_counted_by_the_implicit_solver(stages, rate):
    """No velocity changes, so nothing but the turn itself tells how long a step may be; rtol holds for each radian."""
    body = gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), angular_velocity=(0.0, rate, 0.0))
    system = gd.System(gravity=(0.0, 0.0, 0.0), bodies={"body": body})
    solver, duration = gd.Implicit(stages=stages), 100.0 / rate
    result = gd.simulate(system, duration, solver=solver, sample=duration / 50)
    pose, _ = turned(result)
    away = pose * Rotation.from_rotvec(np.outer(rate * result.data.time.values, (0.0, -1.0, 0.0)))
    assert away.magnitude().max() < 100.0 * solver.rtol
    assert result.stats["steps"] < 1000
