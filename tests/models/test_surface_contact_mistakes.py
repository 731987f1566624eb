"""What SurfaceContact refuses, and what it says."""

from __future__ import annotations

import pytest

import gudgeon as gd
from gudgeon import laws
from gudgeon.nurbs import Surface
from real_joints import LUGRE

BALL = {"ball": gd.Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5))}
TOUCH = gd.Interface(
    reference=("ground", Surface.sphere(0.010)), corresponding=("ball", Surface.sphere(0.0099)), reference_side=-1
)
LAW = laws.KelvinVoigt(stiffness=1e12, damping=0.0)
RUB = laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3, LAW), r"SurfaceContact: interface is a int; give a gd.Interface"),
        ((TOUCH, 3), r"SurfaceContact: contact is 3; give a ContactLaw"),
        ((TOUCH, RUB), "Coulomb is a FrictionLaw; give a ContactLaw"),
        ((TOUCH, lambda delta: delta), r"takes \(delta\); it must take"),
    ],
)
def test_bad_models(given, message):
    with pytest.raises(gd.ModelError, match=message):
        gd.SurfaceContact(*given)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"friction": LAW}, "KelvinVoigt is a ContactLaw; give a FrictionLaw"),
        ({"friction": LUGRE}, "friction is LuGre, whose bristles would be a state of every point; give a law without"),
        ({"smallest_impact_speed": 0.0}, "smallest_impact_speed is 0 m/s; it must be positive"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(gd.ModelError, match=message):
        gd.SurfaceContact(TOUCH, LAW, **options)


MODEL = gd.SurfaceContact(TOUCH, LAW)


def test_joints():
    for joint in (gd.Spherical, gd.Revolute, gd.Cylindrical, gd.Prismatic, gd.Free):
        assert joint("ground", "ball", at=(0, 0, 0), model=MODEL).is_compliant
        assert joint("ball", "ground", at=(0, 0, 0), model=MODEL).is_compliant
    with pytest.raises(gd.ModelError, match="is not a model of this joint; Universal takes Ideal"):
        gd.Universal("ground", "ball", at=(0, 0, 0), model=MODEL)
    with pytest.raises(gd.ModelError, match="belong to 'ground' and 'ball'; give surfaces of 'ground' and 'rod'"):
        gd.Spherical("ground", "rod", at=(0, 0, 0), model=MODEL)
    with pytest.raises(gd.ModelError, match=r"Free ground–ball: SurfaceContact needs a point .* give at="):
        gd.Free("ground", "ball", model=MODEL)


def test_the_wrong_side_is_found_at_the_start():
    """A socket whose normals are said to look outwards has its ball deep in the material."""
    both = gd.Interface(
        reference=("ball", Surface.sphere(0.0099)), corresponding=("ground", Surface.sphere(0.010)), reference_side=-1
    )
    joint = gd.Spherical("ground", "ball", at=(0, 0, 0), model=gd.SurfaceContact(both, LAW))
    with pytest.raises(gd.ModelError, match=r"Spherical 'J': it starts with its surfaces .* reference_side"):
        gd.simulate(gd.System(bodies=BALL, joints={"J": joint}), 1e-3)


def test_a_model_is_data():
    import pickle

    assert gd.SurfaceContact(TOUCH, LAW) == MODEL and hash(gd.SurfaceContact(TOUCH, LAW)) == hash(MODEL)
    assert pickle.loads(pickle.dumps(MODEL)) == MODEL
