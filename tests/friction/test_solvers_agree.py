"""All joints, all laws: solvers and coordinates agree, energy is balanced, Implicit takes long steps."""

import numpy as np
import pytest

import gudgeon as gd
from friction.rubbing_mechanisms import KINDS, SMOOTH, four_bar, one_joint

LUGRE = gd.laws.LuGre(kinetic=0.2, static=0.25, stribeck_speed=0.01, bristle_stiffness=1e4, bristle_damping=1.0)
LAWS = {"Coulomb": SMOOTH, "LuGre": LUGRE}
TIME = 0.4


@pytest.fixture(scope="module")
def reference():
    """The place of the body at the end, and what was lost, by Explicit in absolute coordinates."""
    found = {}
    for kind in KINDS:
        for name, law in LAWS.items():
            result = gd.simulate(one_joint(kind, law), TIME, solver=gd.Explicit(rtol=1e-10, atol=1e-12), sample=0.1)
            found[kind, name] = result.data.position.values[-1, 0], result.data.dissipated_energy.values[-1, 0]
    return found


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", KINDS)
def test_solvers_agree(coordinates, reference, kind, law):
    place, lost = reference[kind, law]
    for solver, within in (
        (gd.Explicit(rtol=1e-9), 1e-7),
        (gd.Implicit(rtol=1e-8), 5e-7),
        (gd.Sundials(rtol=1e-8, atol=1e-10), 1e-6),
        (gd.TimeStepping(step=5e-4), 2e-4),
    ):
        result = gd.simulate(one_joint(kind, LAWS[law]), TIME, solver=solver, sample=0.1)
        assert result.data.position.values[-1, 0] == pytest.approx(place, abs=within)
        assert float(result.data.dissipated_energy[-1, 0]) == pytest.approx(
            lost, abs=within + 2e-4 * isinstance(solver, gd.TimeStepping)
        )
        total = result.data.mechanical_energy.values + result.data.dissipated_energy.values[:, 0]
        assert np.ptp(total) < (2e-4 if isinstance(solver, gd.TimeStepping) else 2e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_set_valued_is_the_limit_of_smooth(coordinates, kind):
    sharp = gd.laws.Coulomb(coefficient=0.25, velocity_tolerance=1e-6)
    smooth = gd.simulate(one_joint(kind, sharp), TIME, solver=gd.Implicit(rtol=1e-8), sample=0.1)
    dry = gd.simulate(
        one_joint(kind, gd.laws.DryFriction(static=0.25)), TIME, solver=gd.TimeStepping(step=2.5e-4), sample=0.1
    )
    assert dry.data.position.values[-1, 0] == pytest.approx(smooth.data.position.values[-1, 0], abs=3e-4)
    assert float(dry.data.dissipated_energy[-1, 0]) == pytest.approx(
        float(smooth.data.dissipated_energy[-1, 0]), rel=1e-3
    )


def test_four_bar(coordinates):
    """Rows are redundant, friction of the four pins is not: all solvers agree, and energy is balanced."""
    system = four_bar(gd.Ideal(friction=gd.laws.Coulomb(coefficient=0.2, velocity_tolerance=1e-3), radius=0.01))
    angles = {}
    for name, solver in (
        ("Explicit", gd.Explicit(rtol=1e-10)),
        ("Implicit", gd.Implicit(rtol=1e-9)),
        ("TimeStepping", gd.TimeStepping(step=5e-4)),
    ):
        result = gd.simulate(system, 1.0, solver=solver, sample=0.1)
        assert result.stats["redundant_rows"] == 3
        angles[name] = result.data.joint_position.values[-1]
        total = result.data.mechanical_energy.values + result.data.dissipated_energy.values.sum(axis=1)
        assert np.ptp(total) < (2e-4 if name == "TimeStepping" else 1e-6)
    assert angles["Implicit"] == pytest.approx(angles["Explicit"], abs=1e-6)
    assert angles["TimeStepping"] == pytest.approx(angles["Explicit"], abs=2e-3)


def test_implicit_is_not_held_up_by_a_steep_law(coordinates):
    """A block that creeps on an incline, 1e-6 m/s: its time constant is 5e-7 s, steps grow to a thousand times that."""
    from friction.rubbing_mechanisms import block

    law = gd.laws.Coulomb(coefficient=0.3, velocity_tolerance=1e-6)
    result = gd.simulate(block(law, incline=0.1), 1.0, solver=gd.Implicit(), sample=0.5)
    assert result.stats["steps"] < 100
    creep = 1e-6 * np.arctanh(np.tan(0.1) / 0.3)
    assert float(result.data.joint_velocity[-1, 0]) == pytest.approx(creep, rel=1e-6)
    assert gd.simulate(block(law, incline=0.1), 0.01, solver="auto").stats["solver"] == "Implicit"


def test_friction_beside_a_real_joint(coordinates):
    """A dry journal and friction in an ideal joint on one body: reactions feel the forces of contact at once."""
    pin = gd.Dry.journal(fit="H8/e8", diameter=0.02, length=0.02, materials="steel", friction=0.1)
    crank = gd.examples.slider_crank_clearance("ideal")
    name = next(
        key for key, joint in crank.joints.items() if isinstance(joint, gd.Revolute) and joint.parent == "ground"
    )
    rubbing = gd.Ideal(friction=gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-2), radius=0.02)
    system = crank.with_model(**{name: rubbing, "pin": pin})
    results = [
        gd.simulate(system, 1e-3, solver=solver, sample=1e-4)
        for solver in (gd.Explicit(rtol=1e-9), gd.Implicit(rtol=1e-9))
    ]
    places = [result.data.position.values[-1] for result in results]
    assert places[0] == pytest.approx(places[1], abs=1e-8)
    assert float(results[0].data.friction_load[-1, 0]) == pytest.approx(
        float(results[1].data.friction_load[-1, 0]), rel=1e-4
    )
