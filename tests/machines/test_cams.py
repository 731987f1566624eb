"""Cams: knife edges, rollers and flat faces against closed forms; lift-off, tables, mistakes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.nurbs import Curve
from machines.energy_balance import unbalanced

G, SPEED, MASS = 9.81, 20.0, 0.3
LIFT = "0.005*(1 - cos(angle))"
CYCLOIDAL = "0.01*(angle/pi - sin(2*angle)/(2*pi)) if angle < pi else 0.01*(2 - angle/pi + sin(2*angle)/(2*pi))"
RADII = {"knife": 0.0, "roller": 0.01, "flat": 0.0}


def cam_and_follower(
    follower: str, *, lift: Any = LIFT, model: Any = None, drive: str = f"{SPEED}*t", **more: Any
) -> gd.System:
    """A cam on a driven shaft, its follower in a vertical guide."""
    joint = gd.Cam(
        "cam",
        "follower",
        at=(0, 0, 0),
        towards=(0, 1, 0),
        base_radius=0.03,
        lift=lift,
        follower=follower,
        roller_radius=RADII[follower],
        model=model or gd.Ideal(),
    )
    return gd.System(
        gravity=(0, -G, 0),
        bodies={
            "cam": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3)),
            "follower": gd.Body(mass=MASS, inertia=(1e-4, 1e-4, 1e-4), position=(0, 0.1, 0)),
        },
        joints={
            "shaft": gd.Revolute("ground", "cam", at=(0, 0, 0)),
            "guide": gd.Prismatic("ground", "follower", at=(0, 0.1, 0), axis=(0, 1, 0)),
            "cam": joint,
        },
        drives={"motor": gd.Drive("shaft", drive)},
        **more,
    )


@pytest.mark.parametrize("follower", RADII)
def test_lift_force_and_torque(follower):
    """s(θ), s′θ̇, s″θ̇² + s′θ̈; the follower is pushed with m (g + ÿ), the shaft needs J θ̈ + F s′."""
    system = cam_and_follower(follower, drive="20*t + 0.3*sin(7*t)")
    data = gd.kinematics(system, 0.5, sample=0.01).data
    t = data.time.values
    angle, rate, change = SPEED * t + 0.3 * np.sin(7 * t), SPEED + 2.1 * np.cos(7 * t), -14.7 * np.sin(7 * t)
    lifted = 0.005 * (np.cos(angle) * rate**2 + np.sin(angle) * change)
    assert data.joint_position.sel(coordinate="guide.displacement").values == pytest.approx(
        0.005 * (1 - np.cos(angle)), abs=1e-14
    )
    assert data.joint_velocity.sel(rate="guide.displacement").values == pytest.approx(
        0.005 * np.sin(angle) * rate, abs=1e-12
    )
    assert data.joint_acceleration.sel(rate="guide.displacement").values == pytest.approx(lifted, abs=1e-11)
    force = MASS * (G + lifted)
    assert data.reaction_force.sel(joint="cam", axis="y").values == pytest.approx(force, abs=1e-11)
    assert data.drive_effort.values[:, 0] == pytest.approx(1e-3 * change + force * 0.005 * np.sin(angle), abs=1e-12)
    across = data.reaction_force.sel(joint="cam", axis="x").values
    pressure_angle = {"flat": 0.0 * angle}.get(
        follower, -0.005 * np.sin(angle) / (0.03 + RADII[follower] + 0.005 * (1 - np.cos(angle)))
    )
    assert across == pytest.approx(force * pressure_angle, abs=1e-11)  # tan α = s′/(R + s), along the radius
    about = data.reaction_torque.sel(joint="cam", axis="z").values
    assert about == pytest.approx(force * 0.005 * np.sin(angle) if follower == "flat" else 0.0 * angle, abs=1e-11)


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize("follower", RADII)
def test_an_ideal_cam_in_a_run(follower, coordinates):
    for solver in (gd.Explicit(), gd.Implicit(), gd.TimeStepping(step=5e-4)):
        data = gd.simulate(cam_and_follower(follower), 0.4, solver=solver, coordinates=coordinates, sample=0.02).data
        lift = 0.005 * (1.0 - np.cos(SPEED * data.time.values))
        assert data.joint_position.sel(coordinate="guide.displacement").values == pytest.approx(lift, abs=1e-8)


def test_lifts_that_are_given_otherwise():
    """A table of many points, and a lift in two parts, are the cam of their formula: cycloidal, rise and fall."""
    turns = np.linspace(0.0, 2.0 * math.pi, 361)
    rise = np.where(turns < math.pi, turns / math.pi, 2.0 - turns / math.pi)
    s = 0.01 * (rise + np.where(turns < math.pi, -1.0, 1.0) * np.sin(2.0 * turns) / (2.0 * math.pi))
    table = gd.Table(turns, s, kind="periodic", of="angle")
    lifts = {}
    for name, lift in (("table", table), ("formula", CYCLOIDAL)):
        data = gd.kinematics(cam_and_follower("flat", lift=lift, drive="20*t + 0.1"), 0.3, sample=0.01).data
        lifts[name] = data.joint_position.sel(coordinate="guide.displacement").values
    assert lifts["table"] == pytest.approx(lifts["formula"], abs=1e-8)
    angle = 0.1 + SPEED * data.time.values
    turn = angle % (2 * math.pi)
    up = turn < math.pi
    expected = 0.01 * np.where(
        up, turn / math.pi - np.sin(2 * turn) / (2 * math.pi), 2 - turn / math.pi + np.sin(2 * turn) / (2 * math.pi)
    )
    assert lifts["formula"] == pytest.approx(expected, abs=1e-13)


def test_an_eccentric_is_a_circle_on_a_curve():
    """A roller (r) on a disc (R) whose centre is e off the shaft: y = e cos θ + √((R + r)² − e² sin² θ)."""
    e, R, r = 0.01, 0.03, 0.005
    disc = Curve.arc(radius=R, center=(0, e, 0))
    system = cam_and_follower("knife")
    joints = dict(system.joints)
    joints["cam"] = gd.PointOnCurve(
        "cam", "follower", at=(0, e + R + r, 0), curve=disc, extruded=(0, 0, 1), radius=r, side="right"
    )
    data = gd.kinematics(system.replace(joints=joints), 0.4, sample=0.01).data
    angle = SPEED * data.time.values
    y = e * np.cos(angle) + np.sqrt((R + r) ** 2 - (e * np.sin(angle)) ** 2) - (e + R + r)
    assert data.joint_position.sel(coordinate="guide.displacement").values == pytest.approx(y, abs=1e-14)


def test_a_knife_edge_on_an_ellipse():
    """ρ(φ) = a b/√(b² cos² φ + a² sin² φ), the polar form, from a NURBS ellipse (a circle, squeezed)."""
    a, b = 0.04, 0.02
    circle = Curve.arc(radius=a)
    ellipse = Curve(degree=2, knots=circle.knots, points=circle.points * (1.0, b / a, 1.0), weights=circle.weights)
    system = cam_and_follower("knife")
    joints = {
        **system.joints,
        "cam": gd.PointOnCurve("cam", "follower", at=(0, b, 0), curve=ellipse, extruded=(0, 0, 1)),
    }
    data = gd.kinematics(system.replace(joints=joints), 0.3, sample=0.01).data
    seen = math.pi / 2 - SPEED * data.time.values
    radius = a * b / np.sqrt((b * np.cos(seen)) ** 2 + (a * np.sin(seen)) ** 2)
    assert data.joint_position.sel(coordinate="guide.displacement").values == pytest.approx(radius - b, abs=1e-14)


STEEL = gd.DryTouch(contact=gd.laws.HuntCrossley(stiffness=2e9, damping=2.0))
SPRING = {"spring": gd.SpringDamper("ground", "follower", at_first=(0, 0.5, 0), stiffness=300.0, length=0.45)}


def run_up(speed: float) -> str:
    """To a constant speed within 0.15 s, smoothly."""
    return gd.motion.ramp(speed, duration=0.15)


@pytest.mark.parametrize("follower", ["flat", "roller"])
def test_a_follower_lifts_off_at_the_speed_at_which_its_spring_is_too_weak(follower):
    """At the top, θ = π, the lift is 2 h and ÿ = −h ω²: the spring and the weight hold it up to ω² = (F/m + g)/h.

    Faster, it leaves the cam where m (g + h ω² cos θ) + F₀ + k h (1 − cos θ) = 0.
    """
    h = 0.005
    preload = 300.0 * (0.45 - 0.4)  # [N]
    critical = math.sqrt(((preload + 300.0 * 2 * h) / MASS + G) / h)
    for share in (0.98, 1.03):
        system = cam_and_follower(follower, model=STEEL, loads=SPRING, drive=run_up(share * critical))
        result = gd.simulate(system, 0.45, sample=2e-4)
        open_ = result.data.gap.values.max()
        if share < 1.0:
            assert open_ < 1e-12
            assert result.data.normal_force.sel(joint="cam").values[200:].min() > 0.0
        else:
            assert open_ > 1e-6
            events = result.events[(result.events.end > 0.2) & (result.events.end - result.events.begin > 0.02)]
            leaves = -(MASS * G + preload + 300.0 * h) / (h * (MASS * (share * critical) ** 2 - 300.0))
            angle = share * critical * (events.end.values - 0.075)  # the ramp is 0.075 s behind
            assert len(events) > 3
            assert np.cos(angle) == pytest.approx(leaves, abs=1e-2)  # and what still rings of the last landing
            assert (np.sin(angle) > 0.0).all()  # on its way up
        assert unbalanced(result) < 2e-3  # powers are known at the samples only


def test_the_same_jumps_in_both_coordinates_and_with_all_solvers():
    system = cam_and_follower("flat", model=STEEL, loads=SPRING, drive=run_up(150.0))
    runs = [
        gd.simulate(system, 0.25, sample=1e-3, solver=solver, coordinates=coordinates).events
        for solver in (gd.Implicit(), gd.Explicit())
        for coordinates in ("absolute", "relative")
    ]
    for events in runs[1:]:
        assert len(events) == len(runs[0]) > 3
        assert events.begin.values[:5] == pytest.approx(runs[0].begin.values[:5], abs=1e-7)
        assert events.peak_force.values[:5] == pytest.approx(runs[0].peak_force.values[:5], rel=1e-4)


def test_mistakes():
    for more, says in (
        ({"lift": "0.01*sin(alpha)"}, "'alpha' is unknown; it is a function of 'angle' alone"),
        ({"lift": "0.01*angle"}, "a profile must close"),
        ({"lift": "0.01*abs(sin(angle/2))"}, "the slope of lift is"),
        ({"lift": "0.05*(1 - cos(4*angle))", "follower": "flat"}, "base_radius must be more than"),
        (
            {"lift": "0.02*(1 - cos(6*angle))", "follower": "roller", "roller_radius": 0.02},
            "the roller cuts away the profile",
        ),
        ({"lift": -0.04}, "takes the profile through its axis"),
        ({"lift": 0.0, "roller_radius": 0.01}, "a roller has a positive radius, nothing else has one"),
        ({"lift": 0.0, "follower": "wheel"}, "follower is 'wheel'"),
        (
            {"lift": gd.Table([0, 1, 2, 3], [0, 1, 1, 0], kind="periodic", of="main.angle")},
            "its table is of 'main.angle'",
        ),
        ({"lift": lambda angle: 0.0}, "lift is"),
        ({"lift": 0.0, "towards": (0, 0, 1)}, "axis and towards enclose 0 degrees"),
        ({"lift": 0.0, "base_radius": 0.0}, "base_radius is 0 m; it must be positive"),
    ):
        with pytest.raises(gd.ModelError) as error:
            gd.Cam("cam", "follower", at=(0, 0, 0), **{"base_radius": 0.03} | more)
        assert "Cam cam–follower" in str(error.value)
        assert says in str(error.value)
    with pytest.raises(gd.ModelError, match="friction is LuGre"):
        bristles = gd.laws.LuGre(
            kinetic=0.1, static=0.15, stribeck_speed=0.01, bristle_stiffness=2e4, bristle_damping=20.0, viscous=0.0
        )
        gd.DryTouch(contact=gd.laws.Hertz(stiffness=1e9), friction=bristles)
