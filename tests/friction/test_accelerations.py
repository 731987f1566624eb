"""Friction and reactions found together: compiled core against NumPy, on random mechanisms in both coordinates."""

import dataclasses

import numpy as np
import pytest

import gudgeon as gd
from friction.rubbing_mechanisms import slider_crank
from random_mechanisms import MADE_TO_FIT, random_body, random_joint
from reference_friction import FrictionReference, is_determined

pytestmark = [pytest.mark.usefixtures("coordinates"), MADE_TO_FIT]
KINDS = (gd.Revolute, gd.Prismatic, gd.Cylindrical, gd.Universal, gd.Spherical)
LAW = gd.laws.Stribeck(kinetic=0.08, static=0.15, stribeck_speed=0.5, velocity_tolerance=0.2, viscous=0.05)


def rubbing(rng, joint):
    """The joint with friction, its lengths drawn."""
    lengths = {"friction": LAW}
    if not isinstance(joint, gd.Prismatic):
        lengths["radius"] = rng.uniform(0.02, 0.05)
    if not isinstance(joint, gd.Spherical):
        lengths["length"] = rng.uniform(0.2, 0.4)
    if isinstance(joint, gd.Revolute | gd.Universal):
        lengths["thrust_radius"] = 0.04
    if isinstance(joint, gd.Prismatic):
        lengths["width"] = 0.3
    if isinstance(joint, gd.Prismatic | gd.Cylindrical):
        lengths["bearing_on"] = str(rng.choice(["child", "parent"]))
    return dataclasses.replace(joint, model=gd.Ideal(**lengths))


def mechanism(seed):
    rng = np.random.default_rng(seed)
    names, bodies, joints = ["ground"], {}, {}
    for k in range(rng.integers(1, 6)):
        bodies[f"b{k}"] = random_body(rng)
        joint = random_joint(rng, KINDS[rng.integers(5)], names[rng.integers(len(names))], f"b{k}")
        joints[f"j{k}"] = rubbing(rng, joint) if rng.random() < 0.8 else joint
        names.append(f"b{k}")
    if rng.random() < 0.6 and len(names) > 2:
        one, two = (str(name) for name in rng.choice(names, 2, replace=False))
        joints["loop"] = rubbing(rng, random_joint(rng, (gd.Spherical, gd.Cylindrical)[rng.integers(2)], one, two))
    return gd.System(gravity=3.0 * rng.normal(size=3), bodies=bodies, joints=joints)


def assert_equal(system, result, sample, within):
    reference = FrictionReference(system, result.state(sample), float(result.data.time[sample]))
    at = result.data.isel(time=sample)
    found = np.hstack([at.acceleration, at.angular_acceleration]).reshape(-1)
    assert np.abs(found - reference.accelerations).max() <= within * np.abs(reference.accelerations).max()
    for name, joint in system.joints.items():
        if not joint.rubs:
            continue
        labels = [label for label in reference.efforts if label == name or label.startswith(f"{name}.angle_")]
        for label in labels:
            size = np.linalg.norm(reference.efforts[label])
            power = -float(
                reference.efforts[label] @ ({lb: S for lb, _, S in reference.rubs}[label] @ reference.velocity)
            )
            assert float(at.friction_power.sel(rubbing=label)) == pytest.approx(power, rel=1e-6, abs=1e-9 * size)
    return reference


@pytest.mark.parametrize("seed", range(24))
def test_random_mechanisms(seed):
    system = mechanism(seed)
    try:
        result = gd.simulate(system, 1e-4, sample=[0.0], solver=gd.Explicit(), stabilization=gd.Projection())
    except gd.SimulationError as error:
        assert "jams" in str(error)
        with pytest.raises(AssertionError):  # nor does the reference find a balance
            FrictionReference(system, error.result.assembly.system.start)
        return
    except gd.ModelError as error:
        assert "not determined" in str(error) and not is_determined(system, gd.assemble(system).system.start)
        return
    if is_determined(system, result.state(0)):
        assert_equal(system, result, 0, 1e-9)


@pytest.mark.parametrize("solver", [gd.Explicit(rtol=1e-11, atol=1e-12), gd.Implicit(rtol=1e-10, atol=1e-12)])
def test_slider_crank_on_its_way(solver):
    """After a while of motion both solvers stand in balance with the reference, too: nothing lags."""
    law = gd.laws.Coulomb(coefficient=0.15, velocity_tolerance=0.05)
    system = slider_crank(law)
    result = gd.simulate(system, 0.2, sample=[0.0, 0.1, 0.2], solver=solver, stabilization=gd.Projection())
    for sample in (0, 1, 2):
        reference = assert_equal(system, result, sample, 1e-6)
        assert np.abs(reference.friction).max() > 0.01 * np.abs(reference.reactions).max()
