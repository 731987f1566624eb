"""Bushings with force–displacement curves: against SciPy on the same curves, closed forms at rest, energy."""

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

import gudgeon as gd

X = np.linspace(-4e-3, 4e-3, 17)
HARD = gd.Table(X, 2e4 * X + 5e9 * X**3, kind="akima", outside="extrapolate")  # hardening rubber
LINES = gd.Table([-2e-3, -1e-3, 1e-3, 2e-3], [-100.0, 0.0, 0.0, 100.0], outside="extrapolate")  # a free way
SOLVERS = [
    gd.Explicit(rtol=1e-10, atol=1e-12),
    gd.Implicit(rtol=1e-9, atol=1e-12),
    gd.Sundials(rtol=1e-9, atol=1e-12),
]
MASS = 2.0


def mass_on(model, joint=gd.Spherical, gravity=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.5), **axis) -> gd.System:
    body = gd.Body(mass=MASS, inertia=(0.02, 0.02, 0.02), velocity=velocity)
    return gd.System(
        gravity=gravity,
        bodies={"part": body},
        joints={"mount": joint("ground", "part", at=(0, 0, 0), model=model, **axis)},
    )


def along_z(curve, **more) -> gd.Bushing:
    return gd.Bushing(stiffness=0.0, curves=(None, None, curve, None, None, None), **more)


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: type(solver).__name__)
@pytest.mark.parametrize("curve", [HARD, LINES], ids=["hardening", "free way"])
def test_a_swing_against_scipy(curve, solver, coordinates):
    times = np.linspace(0.0, 0.05, 11)
    result = gd.simulate(mass_on(along_z(curve)), 0.05, solver=solver, coordinates=coordinates, sample=times)
    wanted = solve_ivp(
        lambda t, y: (y[1], -curve.at(y[0]) / MASS), (0.0, 0.05), (0.0, 0.5), t_eval=times, rtol=1e-11, atol=1e-14
    ).y
    assert result.data.position.values[:, 0, 2] == pytest.approx(wanted[0], abs=1e-8)
    energy = result.data.mechanical_energy.values
    assert np.ptp(energy) < 1e-6 * energy[0]


def test_stored_energy_is_the_integral_of_the_curve():
    for curve in (HARD, LINES):
        data = gd.simulate(mass_on(along_z(curve)), 0.01, solver=SOLVERS[0], sample=1e-3).data
        for z, stored in zip(data.position.values[:, 0, 2], data.stored_energy.values[:, 0], strict=True):
            marks = [x + s * 0.05 * 1e-3 for x in curve.x for s in (-1, 0, 1) if 0.0 < x < z]
            assert stored == pytest.approx(quad(curve.at, 0.0, z, points=marks or None, epsabs=1e-13)[0], abs=1e-10)


def test_at_rest_and_small_motion():
    """m g = f(z), ω² = f′(z)/m."""
    system = mass_on(
        gd.Bushing(stiffness=1e3, curves=(None, None, HARD, None, None, None)),
        gravity=(0.0, 0.0, -9.81),
        velocity=(0.0, 0.0, 0.0),
    )
    sunk = brentq(lambda z: HARD.at(z) + 1e3 * z - MASS * 9.81, 0.0, 4e-3, xtol=1e-16)
    found = gd.equilibrium(system)
    assert found.system.start["part"].position[2] == pytest.approx(-sunk, abs=1e-10)
    small = gd.linearize(found)
    fastest = max(abs(root.imag) for root in small.eigenvalues)
    assert fastest == pytest.approx(math.sqrt((HARD.at(sunk, 1) + 1e3) / MASS), rel=1e-4)


def test_rotations_and_other_joints():
    """A revolute whose tilt about x has a curve of its own; a run with TimeStepping finds the same motion."""
    stiff = gd.Table([-0.1, 0.0, 0.1], [-40.0, 0.0, 40.0], kind="akima", outside="extrapolate")
    model = gd.Bushing(stiffness=1e6, tilt_stiffness=0.0, curves=(None, None, None, stiff, None, None))
    plain = gd.Bushing(stiffness=1e6, tilt_stiffness=400.0)  # the same curve about x: nothing tilts it about y
    hinge = {"joint": gd.Revolute, "axis": (0, 0, 1)}
    body = {"mass": 1.0, "inertia": (0.02, 0.02, 0.02), "angular_velocity": (0.3, 0.0, 0.0)}
    ends = []
    for each, solver in ((model, SOLVERS[0]), (plain, SOLVERS[0]), (model, gd.TimeStepping(step=1e-5))):
        system = mass_on(each, velocity=(0, 0, 0), **hinge).replace(bodies={"part": gd.Body(**body)})
        data = gd.simulate(system, 0.02, solver=solver, sample=0.02).data
        ends.append(data.orientation.values[-1, 0])
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)
    assert ends[2] == pytest.approx(ends[1], abs=1e-5)


def test_files(tmp_path):
    system = mass_on(along_z(HARD, damping=10.0))
    path = tmp_path / "mount.yaml"
    system.save(path)
    assert gd.load_system(path) == system


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: gd.Bushing(stiffness=1.0, curves=(HARD,)), "curves is .*give six"),
        (lambda: along_z(3.0), r"curves\[2\] is 3.0; give a gd.Table"),
        (lambda: along_z(gd.Table([0, 1], [0, 1])), r"curves\[2\] ends at 0 … 1; what is beyond"),
        (
            lambda: along_z(gd.Table([0, 1], [1, 2], outside="hold")),
            r"curves\[2\] is .* at zero; a bushing",
        ),
        (lambda: along_z(gd.Table([0, 1], [0, 2], outside="hold", of="m.angle")), r"curves\[2\] is of 'm.angle'"),
        (lambda: gd.Bushing(stiffness=0.0), "stiffness is 0 N/m; it must be positive"),
        (
            lambda: gd.Cylindrical(
                "ground",
                "b",
                at=(0, 0, 0),
                model=gd.Bushing(stiffness=1.0, tilt_stiffness=1.0, curves=(None, None, HARD) * 2),
            ),
            r"curves\[2\] of its bushing is for .* which the joint leaves free",
        ),
        (
            lambda: gd.UniversalPrismatic(
                "ground",
                "b",
                at=(0, 0, 0),
                axis_parent=(1, 0, 0),
                axis_child=(0, 1, 0),
                slide=(0, 1, 0),
                model=gd.Bushing(stiffness=1.0, tilt_stiffness=1.0, curves=(HARD, None, None) * 2),
            ),
            r"curves\[0\] of its bushing is for .* no axes that displacements and rotations share",
        ),
    ],
)
def test_mistakes(make, said):
    with pytest.raises(gd.ModelError, match=said):
        make()
