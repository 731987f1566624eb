"""A dry journal becomes ideal with its clearance, reactions included; and what it tells part by part."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws
from journal_cranks import MODULUS, REVOLUTION, SPEED, Tanh, slider_crank

STEADY = gd.Explicit(rtol=1e-8, atol=1e-12)


def door(model: gd.DryJournal | gd.Ideal) -> gd.System:
    """A door that falls shut about a level hinge, its centre beside the hinge's middle: loads across and along it."""
    return gd.System(
        gravity=(0, -9.81, -1.0),
        bodies={"door": gd.Body(mass=2.0, inertia=(0.02, 0.03, 0.04), position=(0.2, 0.0, 0.01))},
        joints={"hinge": gd.Revolute("ground", "door", at=(0, 0, 0), model=model)},
    )


def hinge(clearance: float, **given) -> gd.DryJournal:
    """Two knuckles, well damped."""
    contact = laws.PinInBore(modulus=MODULUS, clearance=clearance, damping=200.0)
    given = {"lands": ((-0.05, -0.03), (0.03, 0.05)), **given}
    return gd.DryJournal(bore_radius=0.005, pin_radius=0.005 - clearance, contact=contact, **given)


@pytest.mark.parametrize("collars", [False, True])
def test_vanishing_clearance(collars):
    """A door that falls: its motion goes with the clearance. Held by a spring, it loads its hinge alike."""
    end = 0.06
    times = np.linspace(0.0, end, 61)
    ideal = gd.simulate(door(gd.Ideal()), end, solver=gd.Explicit(rtol=1e-10, atol=1e-13), sample=times).data
    resting = at_rest(gd.Ideal())
    off, pushed, turned = [], [], []
    for clearance in (1e-5, 1e-6):
        given = {"axial_play": clearance, "collar_radius": 0.008} if collars else {}
        model = hinge(clearance, **given)
        run = gd.simulate(door(model), end, solver=STEADY, sample=times).data
        off.append(float(np.abs(run.position.values - ideal.position.values).max()))
        found = at_rest(model)
        pushed.append(np.abs(found[0] - resting[0]).max() / np.abs(resting[0]).max())
        turned.append(np.abs(found[1] - resting[1]).max() / np.abs(resting[1]).max())
    assert off[0] < 20.0 * 1e-5
    assert 5.0 < off[0] / off[1] < 20.0
    assert max(pushed) < 1e-6
    assert turned[0] < 1e-2 and turned[1] < 0.2 * turned[0] + 1e-7


def at_rest(model: gd.DryJournal | gd.Ideal) -> tuple[np.ndarray, np.ndarray]:
    """Force and torque of the hinge on the door that a spring holds."""
    held = door(model).replace(loads={"spring": gd.JointSpring("hinge", stiffness=40.0)})
    still = gd.equilibrium(held).system
    data = gd.simulate(still, 1e-6, solver=STEADY, sample=1e-6).data.sel(joint="hinge").isel(time=0)
    return data.reaction_force.values, data.reaction_torque.values


def test_what_a_journal_tells_in_the_plane():
    """Closed forms at a sample: one place of contact, F = L f′(e − c), all at X half-way between the surfaces."""
    law = laws.PinInBore(modulus=MODULUS, clearance=1e-4, damping=0.1425)
    model = gd.DryJournal(
        bore_radius=0.010, pin_radius=0.0099, length=0.020, contact=law, friction=Tanh(mu=0.1), planar=True
    )
    run = gd.simulate(slider_crank(model), 0.5 * REVOLUTION, solver=STEADY, sample=2e-6)
    whole, part = run.data.sel(joint="gudgeon"), run.data.sel(part="gudgeon:land")
    modes = part.contact_mode.attrs["flag_meanings"].split()
    assert modes == ["open", "edge", "line", "crossed", "face"]
    assert list(part.contact_mode.attrs["flag_values"]) == [0, 1, 2, 3, 4]
    touching = part.touching_length.values > 0.0
    assert 0.2 < touching.mean() < 1.0
    assert {modes[int(m)] for m in part.contact_mode.values[touching]} == {"line"}
    assert {modes[int(m)] for m in part.contact_mode.values[~touching]} == {"open"}
    e, depth = part.eccentricity_upper.values, part.depth_lower.values
    assert e == pytest.approx(whole.eccentricity_length.values, abs=1e-15)
    assert depth == pytest.approx(e - 1e-4, abs=1e-15)
    elastic = np.array([0.020 * law.line_force(d, 0.0, 1.0, law.parameters) for d in depth])
    damped = part.contact_force.values[touching] / elastic[touching]
    assert np.all(np.abs(damped - 1.0) < 0.1425 * 5.0)
    normal = part.contact_force.values
    torque = part.friction_torque.values
    lever = 0.0099 - 0.5 * depth
    assert np.abs(torque[touching]).max() <= 0.1 * (normal * lever)[touching].max() * (1.0 + 1e-9)
    # p₀ = √(f′ E*/(π R)), R = R_i R_j/c
    expected = np.sqrt(elastic / 0.020 * MODULUS / (np.pi * 0.010 * 0.0099 / 1e-4))
    assert part.peak_pressure.values[touching] == pytest.approx(expected[touching], rel=1e-9)
    assert part.power_lost.values[touching] == pytest.approx(
        whole.power_dissipated.values[touching], rel=1e-6, abs=1e-6
    )
    assert not part.tilt.values.any() and SPEED > 0.0


def test_what_a_journal_tells_in_space():
    """Sums of the parts are those of the joint, events name the part, and lengths fit the geometry."""
    run = gd.simulate(door(hinge(2e-5, axial_play=5e-5, collar_radius=0.008)), 0.05, solver=STEADY, sample=1e-4)
    data = run.data
    assert data.part.values.tolist() == [f"hinge:{n}" for n in ("land", "land 2", "upper collar", "lower collar")]
    assert set(run.events.contact) <= {"land", "land 2", "upper collar", "lower collar"}
    assert {"land", "land 2"} <= set(run.events.contact)
    assert data.contact_force.sum("part").values == pytest.approx(
        data.normal_force.sel(joint="hinge").values, rel=1e-12
    )
    axial = data.axial_force.sum("part").values  # the bore is at rest, along z
    assert axial == pytest.approx(data.reaction_force.sel(joint="hinge", axis="z").values, rel=1e-9, abs=1e-9)
    lost = data.power_lost.sum("part").values
    assert lost == pytest.approx(data.power_dissipated.sel(joint="hinge").values, rel=1e-3, abs=1e-4)
    lands = data.sel(part=["hinge:land", "hinge:land 2"])
    assert lands.touching_length.max() <= 0.02 + 1e-12
    tilt = lands.tilt.values[:, 0]
    quaternion = data.orientation.sel(body="door").values
    axis = np.stack(
        [
            2 * (quaternion[:, 1] * quaternion[:, 3] + quaternion[:, 0] * quaternion[:, 2]),
            2 * (quaternion[:, 2] * quaternion[:, 3] - quaternion[:, 0] * quaternion[:, 1]),
        ],
        axis=1,
    )  # of the pin, x and y
    assert tilt == pytest.approx(np.linalg.norm(axis, axis=1), rel=1e-5, abs=1e-12)
    assert np.isnan(data.rim_depth.values[:, :2]).all() and np.isfinite(data.rim_depth.values[:, 2:]).all()
    for event in run.events.itertuples():
        if np.isfinite(event.end):
            assert event.end > event.begin and event.peak_force > 0.0


def test_auto_takes_the_explicit_solver():
    """Dry journals are not stiff for a mechanism: measured in benchmarks/journals.py."""
    assert gd.simulate(door(hinge(1e-4)), 1e-3).stats["solver"] == "Explicit"
    mixed = door(hinge(1e-4)).replace(
        loads={},
        bodies={**door(gd.Ideal()).bodies, "knob": gd.Body(mass=0.1, inertia=(1e-5,) * 3, position=(0.4, 0, 0))},
    )
    mount = gd.Rigid("door", "knob", at=(0.4, 0, 0), model=gd.Bushing(stiffness=1e6, tilt_stiffness=1e3))
    mixed = mixed.replace(joints={**mixed.joints, "mount": mount})
    assert gd.simulate(mixed, 1e-3).stats["solver"] == "Implicit"
