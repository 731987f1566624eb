"""Impacts create no energy beyond a bound that goes with the tolerance, and walls do not pull: random bounces."""

import numpy as np
import pytest

import gudgeon as gd

BOUND = 300.0  # energy that contacts create, of the kinetic energy times rtol
AT_MOST = 1e-2  # the same, of the kinetic energy alone
SEEDS = (*range(15), 21, 33, 46, 119, 122)  # with the worst of 150


def bouncing_body(seed: int) -> tuple[gd.System, float]:
    """A body whose ball bounces in its socket, far or near, light or heavy, soft or hard; and some 20 bounces [s]."""
    rng = np.random.default_rng(seed)
    clearance, speed = 10.0 ** rng.uniform(-4.5, -3.0), 10.0 ** rng.uniform(-1.0, 0.5)  # [m], [m/s]
    law = (gd.laws.Flores, gd.laws.LankaraniNikravesh, gd.laws.HuntCrossley)[rng.integers(3)]
    contact = law(stiffness=10.0 ** rng.uniform(8.5, 11.0), restitution=rng.uniform(0.5, 1.0))
    friction = gd.laws.Coulomb(coefficient=0.2, velocity_tolerance=1e-3) if rng.random() < 0.5 else None
    centre = tuple(rng.choice([0.0, 0.05, 1.0]) * np.array([0.6, 0.0, 0.8]))
    direction = rng.normal(size=3)
    body = gd.Body(
        mass=10.0 ** rng.uniform(-2.0, 0.5),
        inertia=(1e-3, 2e-3, 2.5e-3),
        position=centre,
        velocity=tuple(speed * direction / np.linalg.norm(direction)),
        angular_velocity=tuple(rng.normal(size=3)),
    )
    model = gd.Dry(socket_radius=0.02, ball_radius=0.02 - clearance, contact=contact, friction=friction)
    joint = gd.Spherical("ground", "body", at=(0.0, 0.0, 0.0), model=model)
    return gd.System(gravity=(0.0, 0.0, 0.0), bodies={"body": body}, joints={"socket": joint}), 20.0 * clearance / speed


@pytest.mark.parametrize(("stages", "rtol"), [(3, 5e-5), (3, 1e-6), (5, 5e-5), (5, 1e-8), (7, 1e-6)])
def test_no_energy_from_bounces(stages, rtol):
    """What moves, what the contact stores and what it has lost are together what moved before, at all samples."""
    worst = 0.0
    for seed in SEEDS:
        system, duration = bouncing_body(seed)
        data = gd.simulate(system, duration, sample=duration / 100, solver=gd.Implicit(rtol=rtol, stages=stages)).data
        total = (data.mechanical_energy + data.dissipated_energy.sum("joint")).values
        worst = max(worst, float((total - total[0]).max() / data.kinetic_energy.max()))
        assert float(data.normal_force.min()) >= 0.0
    assert worst < min(BOUND * rtol, AT_MOST)


def test_cvode_with_a_tolerance_too_coarse_for_its_contacts():
    system, duration = bouncing_body(0)
    with pytest.warns(UserWarning, match=r"Sundials: with rtol 0.0001 .* of the clearance of joint 'socket'"):
        gd.simulate(system, duration / 10.0, solver=gd.Sundials(rtol=1e-4, atol=1e-6))
