"""Ideal joints beside real ones stay closed by default, far below clearances; a run that leaves them open says so."""

import math

import pytest

import gudgeon as gd
from gudgeon.solvers.stabilization import Automatic

CLEARANCE = 5e-4  # [m]


def slider_crank() -> gd.System:
    """A crank at 5000 rpm whose rod is hinged to the piston with clearance."""
    crank, rod = 0.05, 0.12  # [m]
    pin = gd.Dry(
        socket_radius=0.01,
        ball_radius=0.01 - CLEARANCE,
        contact=gd.laws.LankaraniNikravesh(stiffness=1e10, restitution=0.9),
        friction=gd.laws.Coulomb(coefficient=0.05, velocity_tolerance=1e-3),
    )
    return gd.System(
        bodies={
            "crank": gd.Body(mass=0.3, inertia=(1e-4, 1e-4, 1e-4), position=(crank / 2, 0.0, 0.0)),
            "rod": gd.Body(mass=0.2, inertia=(3e-4, 3e-4, 3e-4), position=(crank + rod / 2, 0.0, 0.0)),
            "piston": gd.Body(mass=0.14, inertia=(1e-4, 1e-4, 1e-4), position=(crank + rod, 0.0, 0.0)),
        },
        joints={
            "main": gd.Revolute("ground", "crank", at=(0.0, 0.0, 0.0)),
            "big end": gd.Revolute("crank", "rod", at=(crank, 0.0, 0.0)),
            "pin": gd.Spherical("rod", "piston", at=(crank + rod, 0.0, 0.0), model=pin),
            "bore": gd.Prismatic("ground", "piston", at=(crank + rod, 0.0, 0.0), axis=(1.0, 0.0, 0.0)),
        },
        drives={"motor": gd.Drive("main", f"{5000 * math.pi / 30}*t")},
    )


def residual(result: gd.Result) -> float:
    return float(result.data.constraint_residual.max())


@pytest.fixture(scope="module")
def by_default() -> gd.Result:
    return gd.simulate(slider_crank(), 0.06, sample=1e-3)


def test_default_keeps_ideal_joints_closed(by_default):
    """Feedback alone, with its time constant of 0.2 s, lets them drift for many turns of this crank."""
    feedback = gd.simulate(slider_crank(), 0.06, sample=1e-3, stabilization=gd.Baumgarte())
    assert residual(by_default) < min(1e-6 * CLEARANCE, 0.1 * residual(feedback))
    assert by_default.stats["steps"] < 1.1 * feedback.stats["steps"]
    assert feedback.stats["projections"] == 0


def test_projects_only_steps_that_leave_joints_open(by_default):
    assert 0 < by_default.stats["projections"] < by_default.stats["steps"]
    ideal = gd.simulate(gd.examples.spatial_four_bar(), 0.5)
    assert ideal.stats["projections"] == 0 and residual(ideal) < 1e-9


def test_residual_that_is_left_alone():
    assert Automatic().largest_residual(1e-10, math.inf) == pytest.approx(1e-9)  # ten times atol
    assert Automatic().largest_residual(1e-4, 5e-5) == pytest.approx(5e-10)  # 1e-5 of the smallest clearance


def test_says_what_was_used(by_default):
    assert by_default.stats["stabilization"] == "Baumgarte and Projection"
    system = gd.examples.spatial_four_bar()
    assert gd.simulate(system, 0.01, solver=gd.Sundials()).stats["stabilization"] == "Baumgarte"


def test_joint_left_open_is_named():
    """Without any feedback, at a tolerance too coarse for the clearance."""
    options = {"solver": gd.Implicit(rtol=1e-5), "stabilization": gd.Baumgarte(alpha=0.0, beta=0.0), "sample": 1e-3}
    message = r"the ideal joint '(main|big end)' is open by .* of the clearance of Spherical 'pin' \(0.0005 m\)"
    with pytest.warns(UserWarning, match=message) as seen:
        result = gd.simulate(slider_crank(), 0.06, **options)
    assert len(seen) == 1 and residual(result) > 1e-3 * CLEARANCE
