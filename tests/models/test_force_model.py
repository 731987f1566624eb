"""Joint models of a user's own: closed forms, agreement with bushings, every solver, what is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.special import ellipk

import gudgeon as gd

MASS, STIFFNESS, CUBIC = 2.0, 800.0, 4e5  # [kg, N/m, N/m³]
INERTIA = (0.02, 0.03, 0.04)  # [kg·m²]


@dataclass(frozen=True, kw_only=True)
class Hardening(gd.ForceModel):
    """f = −(k + k₃ |x|²) x."""

    stiffness: float  # [N/m]
    cubic: float  # [N/m³]

    @staticmethod
    def wrench(x, v, p):
        """Towards the parent's point."""
        k = p[0] + p[1] * (x[0] ** 2 + x[1] ** 2 + x[2] ** 2)
        return (-k * x[0], -k * x[1], -k * x[2], 0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class Mount(gd.ForceModel):
    """Springs and dampers on all six, as a Bushing with numbers has them."""

    stiffness: float  # [N/m]
    damping: float  # [N·s/m]
    tilt_stiffness: float  # [N·m/rad]
    tilt_damping: float  # [N·m·s/rad]

    @staticmethod
    def wrench(x, v, p):
        """Linear."""
        return (
            -p[0] * x[0] - p[1] * v[0],
            -p[0] * x[1] - p[1] * v[1],
            -p[0] * x[2] - p[1] * v[2],
            -p[2] * x[3] - p[3] * v[3],
            -p[2] * x[4] - p[3] * v[4],
            -p[2] * x[5] - p[3] * v[5],
        )


SOLVERS = {
    "Explicit": gd.Explicit(),
    "Implicit": gd.Implicit(),
    "Sundials": gd.Sundials(rtol=1e-9, atol=1e-12),
    "TimeStepping": gd.TimeStepping(step=2e-5),
}
NUMBERS = {"stiffness": 2e5, "damping": 30.0, "tilt_stiffness": 400.0, "tilt_damping": 0.05}


def box(**start) -> gd.Body:
    return gd.Body(mass=MASS, inertia=INERTIA, **start)


def oscillator(speed: float) -> gd.System:
    joint = gd.Spherical("ground", "box", at=(0, 0, 0), model=Hardening(stiffness=STIFFNESS, cubic=CUBIC))
    return gd.System(gravity=(0, 0, 0), bodies={"box": box(velocity=(speed, 0, 0))}, joints={"mount": joint})


@pytest.mark.parametrize(
    ("solver", "coordinates"),
    [(name, way) for name in SOLVERS for way in ("absolute", "relative")],
)
def test_period_of_a_hardening_spring(solver, coordinates):
    """m ẍ + k x + k₃ x³ = 0: 4 K(n)/√(α + β A²), n = β A²/(2 (α + β A²)), α = k/m, β = k₃/m (Duffing)."""
    amplitude, alpha, beta = 0.05, STIFFNESS / MASS, CUBIC / MASS
    square = alpha + beta * amplitude**2
    period = 4.0 * float(ellipk(beta * amplitude**2 / (2.0 * square))) / np.sqrt(square)
    speed = amplitude * np.sqrt(alpha + 0.5 * beta * amplitude**2)
    times = {"solver": SOLVERS[solver], "coordinates": coordinates, "sample": period / 4}
    x = gd.simulate(oscillator(speed), period, **times).data.position.values[:, 0, 0]
    within = 2e-5 if solver == "TimeStepping" else 1e-7
    assert x == pytest.approx([0.0, amplitude, 0.0, -amplitude, 0.0], abs=within)


def test_what_it_takes_in_comes_back():
    data = gd.simulate(oscillator(1.0), 0.3, solver=gd.Implicit(rtol=1e-10, atol=1e-13), sample=1e-2).data
    taken, x = data.dissipated_energy.values[:, 0], data.position.values[:, 0, 0]
    kinetic = 0.5 * MASS * (data.velocity.values[:, 0] ** 2).sum(axis=-1)
    assert kinetic + taken == pytest.approx(np.full(len(x), kinetic[0]), rel=1e-7)
    assert taken == pytest.approx(0.5 * STIFFNESS * x**2 + 0.25 * CUBIC * x**4, abs=1e-7)


@pytest.mark.parametrize("solver", ["Explicit", "Implicit"])
def test_it_is_the_bushing_where_it_says_the_same(solver):
    body = box(position=(0.1, 0.05, 0.02), velocity=(0.01, 0.02, 0.03), angular_velocity=(0.02, -0.01, 0.03))
    mount, moved = gd.Rigid("ground", "box", at=(0, 0, 0)), []
    for model in (Mount(**NUMBERS), gd.Bushing(**NUMBERS)):
        system = gd.System(bodies={"box": body}, joints={"mount": replace(mount, model=model)})
        data = gd.simulate(system, 0.02, solver=SOLVERS[solver], sample=2e-3).data
        moved.append(data.position.values[:, 0] - body.position)
    assert np.abs(moved[1]).max() > 1e-5
    assert moved[0] == pytest.approx(moved[1], abs=1e-9)


def test_a_revolute_turns_freely_under_a_model_of_tilt_alone():
    """ω_z stays, through many turns; the tilt swings with √(κ/J) about a line across."""

    @dataclass(frozen=True, kw_only=True)
    class Tilt(gd.ForceModel):
        stiffness: float
        tilt_stiffness: float

        @staticmethod
        def wrench(x, v, p):
            """No torque about z."""
            return (-p[0] * x[0], -p[0] * x[1], -p[0] * x[2], -p[1] * x[3], -p[1] * x[4], 0.0)

    joint = gd.Revolute("ground", "disk", at=(0, 0, 0), model=Tilt(stiffness=1e5, tilt_stiffness=50.0))
    disk = gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.02), angular_velocity=(0, 0, 100.0))
    data = gd.simulate(gd.System(gravity=(0, 0, 0), bodies={"disk": disk}, joints={"pin": joint}), 0.5, sample=0.1).data
    assert data.angular_velocity.values[:, 0, 2] == pytest.approx(np.full(6, 100.0), rel=1e-8)
    assert data.joint_position.sel(coordinate="pin.angle").values[-1] == pytest.approx(50.0, rel=1e-7)


def test_frequencies_of_small_motions():
    model = Mount(**{**NUMBERS, "damping": 0.0, "tilt_damping": 0.0})
    joint = gd.Rigid("ground", "box", at=(0, 0, 0), model=model)
    system = gd.System(gravity=(0, 0, 0), bodies={"box": box()}, joints={"mount": joint})
    squares = [NUMBERS["stiffness"] / MASS] * 3 + [NUMBERS["tilt_stiffness"] / j for j in INERTIA]
    found = np.sort(gd.linearize(gd.equilibrium(system)).undamped_frequencies)
    assert found == pytest.approx(np.sort(np.sqrt(squares)) / (2.0 * np.pi), rel=1e-5)


@dataclass(frozen=True, kw_only=True)
class Without(gd.ForceModel):
    stiffness: float


def wrong(function) -> type:
    """A model with this function."""
    return dataclass(frozen=True, kw_only=True)(type("Wrong", (gd.ForceModel,), {"wrench": staticmethod(function)}))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Without(stiffness=1.0), r"Without has no static method wrench\(x, v, p\)"),
        (wrong(lambda x, v, p: (0.0, 0.0, 0.0)), r"Wrong.wrench at x = .* returns \(0.0, 0.0, 0.0\); .* tuple of six"),
        (wrong(lambda x, v, p: (1.0 / x[0], 0.0, 0.0, 0.0, 0.0, 0.0)), r"Wrong.wrench at .* raises ZeroDivisionError"),
        (wrong(lambda x, p: (0.0,) * 6), r"Wrong.wrench takes \(x, p\); it must take \(x, v, p\)"),
        (gd.ForceModel, "ForceModel is abstract"),
        (lambda: Hardening(stiffness="much", cubic=1.0), "Hardening: stiffness"),
    ],
)
def test_mistakes_are_named(make, says):
    with pytest.raises(gd.ModelError, match=says):
        make()


def test_bodies_that_only_meet_do_not_take_one():
    model, ball = Hardening(stiffness=1.0, cubic=1.0), gd.Sphere(0.01)
    with pytest.raises(gd.ModelError, match=r"Hardening\(\.\.\.\) is not a model of this joint"):
        gd.Meeting("ground", "box", shapes=(ball, ball), model=model)
