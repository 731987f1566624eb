"""Universal joints with a cross that has mass: a model like others, Hooke's joint without play."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws

SPAN, RADIUS, LAND = 0.04, 0.006, 0.01  # [m]
BEND, SPEED = np.radians(30.0), 30.0  # of the shafts [rad], of the input [rad/s]
STILL = (0.0, 0.0, 0.0)


def cross(play: float = 2e-5, **changes: Any) -> gd.DryCross:
    contact = laws.PinInBore(modulus=2e10, clearance=play, damping=2.0)
    friction = laws.Coulomb(coefficient=0.05, velocity_tolerance=1e-2)
    size: dict[str, Any] = {"span": SPAN, "bore_radius": RADIUS + play, "pin_radius": RADIUS, "length": LAND}
    return gd.DryCross(**size | {"contact": contact, "friction": friction} | changes)


def shafts(model: Any, bend: float = BEND, **more: Any) -> gd.System:
    """Input along x, output at an angle to it, braked; the parent's pin begins across the plane of both."""
    along = np.array((np.cos(bend), np.sin(bend), 0.0))
    shaft = {"mass": 0.5, "inertia": (2e-4, 2e-4, 2e-4)}
    return gd.System(
        gravity=STILL,
        bodies={
            "in": gd.Body(**shaft, position=(-0.1, 0, 0)),
            "out": gd.Body(**shaft, position=tuple(0.1 * along)),
        },
        joints={
            "A": gd.Revolute("ground", "in", at=(-0.1, 0, 0), axis=(1, 0, 0)),
            "J": gd.Universal(
                "in", "out", at=STILL, axis_parent=(0, 0, 1), axis_child=tuple(np.cross((0, 0, 1), along)), model=model
            ),
            "B": gd.Revolute("ground", "out", at=tuple(0.1 * along), axis=tuple(along)),
        },
        **{"drives": {"spin": gd.Drive("A", f"{SPEED}*t")}, "loads": {"brake": gd.JointSpring("B", damping=0.1)}}
        | more,
    )


# --------------------------------------------------------------------------------------------------------------- cross
def test_mass_and_inertia():
    """Of two cylinders that cross, in sections across both: rectangles ℓ × s that share a square, s² = 4(r² − z²)."""
    model, length = cross(), SPAN + LAND
    z, w = np.polynomial.legendre.leggauss(60)
    angle = 0.5 * np.pi * z  # z = r sin(angle): smooth
    s, z, w = 2.0 * RADIUS * np.cos(angle), RADIUS * np.sin(angle), 0.5 * np.pi * RADIUS * np.cos(angle) * w
    area = 2.0 * length * s - s * s
    xx = (length**3 * s + s**3 * length - s**4) / 12.0  # ∫x² dA, and of y² the same
    assert model.mass_of_cross == pytest.approx(model.density * w @ area, rel=1e-10)
    pin, both = w @ (xx + z * z * area), w @ (2.0 * xx)
    assert model.inertia_of_cross == pytest.approx(model.density * np.array((pin, pin, both)), rel=1e-10)
    heavier = cross(mass=2.0 * model.mass_of_cross)
    assert heavier.inertia_of_cross == pytest.approx(2.0 * np.array(model.inertia_of_cross), rel=1e-12)
    assert cross(inertia=(1e-5, 2e-5, 2.5e-5)).inertia_of_cross == (1e-5, 2e-5, 2.5e-5)


def test_it_comes_and_goes_with_its_model():
    ideal = shafts(gd.Ideal())
    real = ideal.with_model(J=cross())
    assert list(real.bodies) == ["in", "out", "J.cross"]
    assert list(real.joints) == ["A", "J", "B", "J.parent", "J.child"]
    body = real.bodies["J.cross"]
    assert body.mass == cross().mass_of_cross and body.position == STILL
    assert real.with_model(J=gd.Ideal()) == ideal
    assert real.with_model(J=cross(mass=0.2)).bodies["J.cross"].mass == 0.2
    assert pickle.loads(pickle.dumps(real)) == real
    half = real.with_model(**{"J.parent": gd.Ideal()})
    assert isinstance(half.joints["J.parent"].model, gd.Ideal)
    assert half.with_model(J=gd.Ideal()) == ideal


def test_files_leave_it_to_the_model(tmp_path):
    system = shafts(cross())
    path = system.save(tmp_path / "shafts.yaml")
    assert "cross:" not in path.read_text() and "J.parent" not in path.read_text()
    assert gd.load_system(path) == system


def test_a_joint_placed_by_points_of_its_bodies():
    """The same cross in the same place."""
    at = shafts(cross())
    along = np.array((np.cos(BEND), np.sin(BEND), 0.0))
    joint = replace(at.joints["J"], at=None, at_parent=(0.1, 0, 0), at_child=tuple(-0.1 * along))
    by_points = at.replace(joints={"A": at.joints["A"], "J": joint, "B": at.joints["B"]})
    assert by_points.bodies["J.cross"].position == pytest.approx(STILL, abs=1e-17)
    one, other = (gd.assemble(system).system.start["J.cross"] for system in (at, by_points))
    assert one.position == pytest.approx(other.position, abs=1e-12)
    assert one.angular_velocity == pytest.approx(other.angular_velocity, abs=1e-9)


def test_it_starts_between_what_is_stated():
    """Forks apart by twice an offset: the cross in the middle, turning with both."""
    system = shafts(cross(cup_play=1e-4), drives={})
    start = gd.assemble(shafts(gd.Ideal(), drives={})).system.start
    moved = replace(start["out"], position=tuple(np.add(start["out"].position, (0.0, 0.0, 2e-5))))
    found = system.replace(start={"in": start["in"], "out": moved}).start["J.cross"]
    assert found.position == pytest.approx((0.0, 0.0, 1e-5), abs=1e-15)
    driven = gd.assemble(shafts(gd.Ideal())).system.start  # turns
    spin = np.array(system.replace(start=driven).start["J.cross"].angular_velocity)
    a, b = (0.0, 0.0, 1.0), np.array((-np.sin(BEND), np.cos(BEND), 0.0))
    for shaft, pin in (("in", a), ("out", b)):
        assert np.cross(spin - driven[shaft].angular_velocity, pin) == pytest.approx(STILL, abs=1e-9)


# --------------------------------------------------------------------------------------------------------------- Hooke
@cache
def turning(play: float) -> gd.Result:
    """A third of a turn, the output braked."""
    return gd.simulate(shafts(cross(play)), 0.07, solver=gd.Explicit(rtol=1e-7, atol=1e-10), sample=1e-3)


def test_without_play_it_is_hookes_joint():
    """tan φ = cos β tan θ; the output lags by the play over half the span, each pin once, and by elasticity."""
    lags = {}
    for play in (4e-5, 1e-5):
        data = turning(play).data
        theta = SPEED * data.time.values
        phi = np.arctan2(np.cos(BEND) * np.sin(theta), np.cos(theta))
        found = data.joint_position.sel(coordinate="B.angle").values
        late = data.time.values > 0.02
        lags[play] = np.abs(np.angle(np.exp(1j * (found - phi))))[late]
        assert lags[play].max() < 2.5 * 2.0 * play / SPAN + 2e-4
    # what is left without play is that of elastic bearings
    assert (lags[4e-5].mean() - lags[1e-5].mean()) / 3e-5 == pytest.approx(4.0 / SPAN, rel=0.35)
    data = turning(1e-5).data
    theta = SPEED * data.time.values
    ratio = np.cos(BEND) / (1.0 - np.sin(BEND) ** 2 * np.sin(theta) ** 2)
    speed = data.joint_velocity.sel(rate="B.angle").values[data.time.values > 0.02] / SPEED
    assert speed == pytest.approx(ratio[data.time.values > 0.02], abs=0.02)


def test_what_is_told():
    result = turning(4e-5)
    data, events = result.data, result.events
    assert set(events.joint) == {"J.parent", "J.child"} and set(events.contact) <= {"land", "land 2"}
    assert data.position.sel(body="J.cross").shape == (len(data.time), 3)
    for name in ("reaction_force", "reaction_torque"):
        told = data[name]
        assert told.sel(joint="J").values == pytest.approx(told.sel(joint="J.child").values, rel=1e-12)
    assert np.isnan(data.dissipated_energy.sel(joint="J")).all()  # its trunnions tell it
    angle = data.joint_position.sel(coordinate="J.angle_parent").values
    assert np.abs(angle).max() > 0.1


def at_rest(system: gd.System) -> Any:
    """What the joints of a mechanism do at its equilibrium."""
    found = gd.equilibrium(system).system
    return gd.simulate(found, 1e-9, solver=gd.Explicit(), sample=1e-9).data.isel(time=0)


def test_lands_carry_the_torque():
    """Straight shafts, the output held: a torque T is a couple of forces at the lands of either pin.

    The pins tilt in their bores, and press where the lands are farthest from each other: T/(span + length) … T/span.
    """
    torque = 4.0
    held = shafts(cross(), bend=0.0, drives={}, loads={"twist": gd.Torque("in", (torque, 0.0, 0.0))})
    held = held.replace(joints={**held.joints, "B": gd.Rigid("ground", "out", at=(0.1, 0, 0))})
    data = at_rest(held)
    lands = data.contact_force.sel(
        part=[f"J.{fork}:{land}" for fork in ("parent", "child") for land in ("land", "land 2")]
    )
    assert lands.values == pytest.approx(np.full(4, lands.values[0]), rel=1e-6)
    assert torque / (SPAN + LAND) < lands.values[0] < torque / SPAN
    assert data.reaction_torque.sel(joint="J").values == pytest.approx((torque, 0.0, 0.0), rel=1e-6, abs=1e-5)


def test_cups_hold_it_along_its_pins():
    """Pulled along the child's pin, the cross leans on the bottom of a cup of the child."""
    system = shafts(cross(cup_play=5e-5), bend=0.0, drives={}, loads={})
    joints = {
        "B": gd.Rigid("ground", "out", at=(0.1, 0, 0)),
        "A": gd.Rigid("ground", "in", at=(-0.1, 0, 0)),
        "J": system.joints["J"],
    }
    system = system.replace(joints=joints, loads={"pull": gd.Force("J.cross", (0.0, 30.0, 0.0))})
    data = at_rest(system)
    cup = float(data.contact_force.sel(part="J.child:upper cup"))
    carried = data.contact_force.sel(part=["J.parent:land", "J.parent:land 2"]).sum()
    assert cup + float(carried) == pytest.approx(30.0, rel=1e-3)


# ------------------------------------------------------------------------------------------------------------ mistakes
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"span": 0.0}, "DryCross: span is 0 m; it must be positive"),
        (
            {"span": 0.02},
            "DryCross: span is 0.02 m, length 0.01 m and bore_radius 0.00602 m; the lands would reach into",
        ),
        (
            {"bore_radius": 0.005},
            "DryCross: pin_radius is 0.006 m, bore_radius 0.005 m; the pin must be smaller than its",
        ),
        ({"mass": -1.0}, "DryCross: mass is -1 kg; it must be positive"),
        ({"inertia": (1e-5, 1e-5, 1e-5, 1e-6, 0, 0)}, "DryCross: inertia has products; give three numbers"),
        ({"cup": laws.Hertz(stiffness=1e12)}, "DryCross: cup is given, but no cup_play; give both, or neither"),
        (
            {"contact": lambda delta, ddelta: 1e10 * delta, "cup_play": 1e-5},
            "DryCross: what is the pressure of its cups? contact knows no modulus E*",
        ),
    ],
)
def test_mistakes(wrong, says):
    with pytest.raises(gd.ModelError) as mistake:
        cross(**wrong)
    assert says in str(mistake.value)


def test_mistakes_of_the_system():
    system = shafts(gd.Ideal())
    taken = system.replace(bodies={**system.bodies, "J.cross": gd.Body(mass=1.0, inertia=(1.0, 1.0, 1.0))})
    with pytest.raises(
        gd.ModelError, match=r"Universal 'J': its DryCross makes the body 'J.cross', but there is one of"
    ):
        taken.with_model(J=cross())
    with pytest.raises(gd.ModelError, match=r"is not a model of this joint; .* DryCross is a model of Universal"):
        system.with_model(A=cross())
