"""Points on curves: closed forms of beads on wires, reactions from curvature, ways along curves, ends and corners."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd
from gudgeon.nurbs import Curve

G = 9.81
RUNS = [
    pytest.param(solver, coordinates, id=f"{type(solver).__name__}-{coordinates}")
    for solver in (gd.Explicit(), gd.Implicit(), gd.Sundials(rtol=1e-9, atol=1e-12))
    for coordinates in ("absolute", "relative")
]
INERTIA = (1e-3, 1e-3, 1e-3)


def bead(curve: Curve, at, velocity=None, **more) -> gd.System:
    body = gd.Body(mass=2.0, inertia=INERTIA, position=at, velocity=velocity, angular_velocity=(0, 0, 0))
    joint = gd.PointOnCurve("ground", "bead", at=at, curve=curve)
    return gd.System(bodies={"bead": body}, joints={"wire": joint}, **more)


PARABOLA = Curve(degree=2, knots=(0, 0, 0, 1, 1, 1), points=[(-2, 0, 2), (0, 0, -2), (2, 0, 2)])  # z = x²/2, exactly


@pytest.mark.parametrize(("solver", "coordinates"), RUNS)
def test_a_bead_on_a_parabola(solver, coordinates):
    """ẍ (1 + x²) + x ẋ² + g x = 0, and the reaction m (g + z̈, ẍ)."""
    result = gd.simulate(bead(PARABOLA, (1, 0, 0.5)), 2.0, solver=solver, coordinates=coordinates, sample=0.1)
    found = solve_ivp(
        lambda t, y: [y[1], -(G * y[0] + y[0] * y[1] ** 2) / (1.0 + y[0] ** 2)],
        (0, 2),
        [1.0, 0.0],
        rtol=1e-12,
        atol=1e-13,
        t_eval=result.data.time.values,
    )
    x, v = found.y
    change = -(G * x + x * v**2) / (1.0 + x**2)
    data = result.data
    assert data.position.values[:, 0, 0] == pytest.approx(x, abs=2e-8)
    assert data.reaction_force.values[:, 0, 0] == pytest.approx(2.0 * change, abs=1e-5)
    assert data.reaction_force.values[:, 0, 2] == pytest.approx(2.0 * (G + v**2 + x * change), abs=1e-5)
    assert data.reaction_torque.values == pytest.approx(0.0, abs=1e-9)
    way = 0.5 * (x * np.sqrt(1 + x**2) + np.arcsinh(x)) - 0.5 * (math.sqrt(2.0) + math.asinh(1.0))
    assert data.joint_position.sel(coordinate="wire.along").values == pytest.approx(way, abs=3e-8)
    assert data.joint_velocity.sel(rate="wire.along").values == pytest.approx(v * np.sqrt(1 + x**2), abs=1e-7)


def test_the_cycloid_is_isochronous():
    """On a cycloid the period is 2π √(4a/g) at any amplitude (Huygens); the way from the bottom is 4a sin(θ/2)."""
    a, turn = 0.25, np.linspace(-2.9, 2.9, 161)
    cycloid = Curve.through(
        np.stack([a * (turn + np.sin(turn)), 0.0 * turn, a * (1.0 - np.cos(turn))], axis=1), degree=5
    )
    period = 2.0 * math.pi * math.sqrt(4.0 * a / G)
    for start in (0.3, 1.2, 2.5):
        at = (a * (start + math.sin(start)), 0.0, a * (1.0 - math.cos(start)))
        watch = {"bottom": gd.Crossing(body="bead", along=(1, 0, 0), value=0.0, direction="falling")}
        result = gd.simulate(
            bead(cycloid, at), 3.3 * period, crossings=watch, sample=0.05, solver=gd.Explicit(rtol=1e-10, atol=1e-12)
        )
        assert np.diff(result.crossings.time.values) == pytest.approx(period, rel=1e-8)
        along = result.data.joint_position.sel(coordinate="wire.along").values
        expected = 4.0 * a * math.sin(start / 2.0) * (np.cos(2.0 * math.pi * result.data.time.values / period) - 1.0)
        assert along == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("solver", "coordinates"), RUNS[:4])
def test_a_car_is_driven_round_a_track(solver, coordinates):
    """s = t²: rounds are counted; the track holds m v²/r inwards and the weight, the drive gives m a."""
    track = bead(Curve.arc(radius=0.5), (0.5, 0, 0), drives={"engine": gd.Drive("wire", "t**2")})
    data = gd.simulate(track, 4.0, solver=solver, coordinates=coordinates, sample=0.1).data
    t, n = data.time.values, data.position.values[:, 0] / 0.5
    assert data.joint_position.sel(coordinate="wire.along").values == pytest.approx(t**2, abs=1e-8)
    assert data.drive_effort.values[:, 0] == pytest.approx(2.0 * 2.0, abs=1e-5)
    force = data.reaction_force.values[:, 0]
    assert np.sum(force * n, axis=1) == pytest.approx(-2.0 * (2.0 * t) ** 2 / 0.5, abs=1e-4)
    assert force[:, 2] == pytest.approx(2.0 * G, abs=1e-9)


def test_a_helix_in_a_turning_body():
    """A bead on a helix about a vertical axis slides with g sin α, sin α = h/√(r² + h²), the reaction is across it."""
    r, h, turn = 0.2, 0.05, np.linspace(0.0, 6.0 * math.pi, 241)
    helix = Curve.through(np.stack([r * np.cos(turn), r * np.sin(turn), -h * turn], axis=1), degree=5)
    result = gd.simulate(bead(helix, (r, 0, 0)), 1.5, sample=0.1, solver=gd.Explicit(rtol=1e-10, atol=1e-12))
    slope = h / math.hypot(r, h)
    t = result.data.time.values
    assert result.data.joint_position.sel(coordinate="wire.along").values == pytest.approx(
        0.5 * G * slope * t**2, abs=1e-7
    )
    assert result.data.joint_acceleration.sel(rate="wire.along").values == pytest.approx(G * slope, rel=1e-6)
    speed = G * slope * t
    curved = r / (r**2 + h**2)
    size = 2.0 * np.hypot(G * math.sqrt(1.0 - slope**2), curved * speed**2)
    assert np.linalg.norm(result.data.reaction_force.values[:, 0], axis=1) == pytest.approx(size, rel=1e-5)


def test_a_pin_in_a_slot_of_a_moving_body():
    """A straight slot as a curve is a prismatic pair with a revolute: the Scotch yoke, x = r cos θ."""
    line = Curve.line((0.1, -0.2, 0.0), (0.1, 0.2, 0.0))
    yoke = gd.System(
        gravity=(0, 0, 0),
        bodies={
            "crank": gd.Body(mass=1.0, inertia=INERTIA),
            "yoke": gd.Body(mass=0.5, inertia=INERTIA, position=(0.1, 0, 0)),
        },
        joints={
            "main": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "guide": gd.Prismatic("ground", "yoke", at=(0.1, 0, 0), axis=(1, 0, 0)),
            "slot": gd.PointOnCurve("yoke", "crank", at=(0.1, 0, 0), curve=line, extruded=(0, 0, 1)),
        },
        drives={"motor": gd.Drive("main", "10*t")},
    )
    result = gd.kinematics(yoke, 0.6, sample=0.02)
    angle = 10.0 * result.data.time.values
    assert result.data.joint_position.sel(coordinate="guide.displacement").values == pytest.approx(
        0.1 * (np.cos(angle) - 1.0), abs=1e-13
    )
    assert result.data.reaction_force.sel(joint="slot", axis="x").values == pytest.approx(
        0.5 * 10.0 * np.cos(angle), abs=1e-11
    )
    assert gd.assemble(yoke).redundant_rows == 0
    needed = gd.inverse_dynamics(yoke.replace(drives={}), {"main": "10*t"}, duration=0.6, sample=0.02)
    assert needed.effort.values[:, 0] == pytest.approx(0.5 * 10.0**2 * 0.1**2 * np.sin(angle) * np.cos(angle), abs=1e-9)


def test_rest_and_small_motions():
    """x = F/(m g) on z = x²/2; the frequency there is √(g/(1 + x²))."""
    pushed = bead(PARABOLA, (0.7, 0, 0.245), loads={"push": gd.Force("bead", (6.0, 0, 0))})
    rest = gd.equilibrium(pushed)
    x = 6.0 / (2.0 * G)
    assert rest.system.start["bead"].position == pytest.approx((x, 0.0, 0.5 * x**2), abs=1e-9)
    found = gd.linearize(rest)
    assert 2.0 * math.pi * found.natural_frequencies.max() == pytest.approx(math.sqrt(G / (1.0 + x**2)), rel=1e-9)


def test_a_force_along_a_curve_and_a_signal_of_the_way():
    slowed = bead(
        Curve.arc(radius=0.5),
        (0.5, 0, 0),
        velocity=(0, 3, 0),
        gravity=(0, 0, 0),
        loads={"brake": gd.JointForce("wire", "-3*wire.along_rate")},
    )
    data = gd.simulate(slowed, 1.0, sample=0.1).data
    assert data.joint_velocity.sel(rate="wire.along").values == pytest.approx(
        3.0 * np.exp(-1.5 * data.time.values), abs=1e-7
    )
    assert data.load_power.values[:, 0] == pytest.approx(-27.0 * np.exp(-3.0 * data.time.values), abs=1e-6)


def test_a_roller_on_a_track_lifts_off_where_its_weight_no_longer_holds_it():
    """A body that slides down a cylinder leaves it at cos θ = 2/3 (from rest at the top)."""
    ring, start = Curve.arc(radius=0.49), 0.02
    steel = gd.DryTouch(contact=gd.laws.HuntCrossley(stiffness=1e9, damping=1.0))
    at = (0.5 * math.sin(start), 0.5 * math.cos(start), 0.0)
    hill = gd.System(
        gravity=(0, -G, 0),
        bodies={"roller": gd.Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5), position=at)},
        joints={
            "hill": gd.PointOnCurve(
                "ground", "roller", at=at, curve=ring, extruded=(0, 0, 1), radius=0.01, side="right", model=steel
            )
        },
    )
    for coordinates in ("absolute", "relative"):
        result = gd.simulate(hill, 1.3, coordinates=coordinates, sample=1e-3)
        end = result.events.end.dropna().iloc[-1]
        place = result.data.position.sel(time=end, method="nearest").values[0]
        cosine = place[1] / np.linalg.norm(place[:2])
        assert cosine == pytest.approx(2.0 / 3.0 * math.cos(start), abs=2e-3)  # from rest at θ₀: cos θ = 2/3 cos θ₀
        balance = result.data.mechanical_energy + result.data.dissipated_energy.sel(joint="hill")
        assert float(abs(balance - balance[0]).max()) < 1e-8


@pytest.mark.parametrize("half", [0.15, 0.6, 1.2])
def test_a_point_beside_a_sharp_corner(half):
    """Outside of a wedge of any angle the gap is the distance from it, inside it is refused; open or closed."""
    wedge = [(-math.cos(half), -math.sin(half), 0), (0, 0, 0), (-math.cos(half), math.sin(half), 0)]
    touch = gd.DryTouch(contact=gd.laws.Hertz(stiffness=1e6))
    for curve in (Curve.polyline(wedge), Curve.polyline([*wedge[1:], *wedge[:2]])):
        for turn in np.linspace(-math.pi, math.pi, 25):
            at = (0.1 * math.cos(turn), 0.1 * math.sin(turn), 0.0)
            joint = gd.PointOnCurve(
                "ground", "b", at=at, curve=curve, extruded=(0, 0, 1), radius=0.001, side="right", model=touch
            )
            body = gd.Body(mass=1.0, inertia=INERTIA, position=at)
            system = gd.System(gravity=(0, 0, 0), bodies={"b": body}, joints={"tip": joint})
            beside = abs(turn) - (math.pi - half)  # angle from the nearer flank, inwards
            if beside > 0.0:
                with pytest.raises(gd.ModelError, match=r"inside each other .* or give side='left', on which they are"):
                    gd.simulate(system, 1e-6)
                continue
            distance = 0.1 if beside < -math.pi / 2 else 0.1 * math.sin(-beside)
            if distance > 1e-3:
                gap = gd.simulate(system, 1e-6).data.gap.values[0, 0]
                assert gap == pytest.approx(distance - 0.001, abs=1e-12)


def test_mistakes():
    line, corner = Curve.line((0, 0, 0), (1, 0, 0)), Curve.polyline([(0, 0, 0), (1, 0, 0), (1, 1, 0)])
    eight = np.linspace(0.0, 2.0 * math.pi, 40, endpoint=False)
    eight = Curve.through(np.stack([np.sin(eight), np.sin(2.0 * eight), 0.0 * eight], axis=1), closed=True)
    touch = gd.DryTouch(contact=gd.laws.Hertz(stiffness=1e8))
    for more, says in (
        ({"curve": corner}, "has a corner at (1.0, 0.0, 0.0)"),
        ({"curve": eight}, "meets itself"),
        ({"curve": line, "radius": 0.1}, "radius is given, but a curve has no sides; give extruded="),
        ({"curve": line, "model": touch}, "DryTouch(...) is given, but a curve has no sides"),
        ({"curve": line, "extruded": (1, 0, 0)}, "goes 1 m along extruded"),
        ({"curve": "circle"}, "curve is str; give a gd.nurbs.Curve"),
        ({"curve": line, "side": "up"}, "side is 'up'; give 'left' or 'right'"),
        ({"curve": line, "extruded": (0, 1, 0), "radius": -1.0}, "must not be negative"),
    ):
        with pytest.raises(gd.ModelError) as error:
            gd.PointOnCurve("ground", "bead", at=(0, 0, 0), **more)
        assert "PointOnCurve ground–bead" in str(error.value)
        assert says in str(error.value)
    with pytest.raises(gd.ModelError, match="beyond the end of its curve"):
        gd.assemble(bead(line, (2, 0, 0)))
    for solver in (gd.Explicit(), gd.Implicit(), gd.TimeStepping(step=1e-3)):
        with pytest.raises(
            gd.SimulationError, match="the point of PointOnCurve 'wire' has come to the end of its curve"
        ):
            gd.simulate(bead(Curve.line((0, 0, 0), (1, 0, -1)), (0.5, 0, -0.5)), 3.0, solver=solver)
