"""Rubber sleeves: closed forms, plane elasticity solved anew, finite elements, and use in joints."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy.integrate import quad

import gudgeon as gd
import reference_sleeve
from gudgeon import bushings
from gudgeon.errors import ModelError

RUBBER = {"inner_radius": 0.010, "outer_radius": 0.020, "length": 0.040, "shear_modulus": 1e6}


def stiffness(b, L):
    return bushings.sleeve_stiffness(inner_radius=1.0, outer_radius=b, length=L, shear_modulus=1.0)


def test_torsion_and_axial_are_shear_through_tubes_in_series():
    """1/k = ∫ dr/(2π r³ G L) and ∫ dr/(2π r G L): thin tubes one in the other."""
    k = bushings.sleeve_stiffness(**RUBBER)
    about = quad(lambda r: 1.0 / (2.0 * math.pi * r**3 * 1e6 * 0.040), 0.010, 0.020)[0]
    along = quad(lambda r: 1.0 / (2.0 * math.pi * r * 1e6 * 0.040), 0.010, 0.020)[0]
    assert (k.torsion, k.axial) == pytest.approx((1.0 / about, 1.0 / along))
    assert (k.torsion, k.axial) == pytest.approx((67.0, 362.6e3), rel=5e-4)


@pytest.mark.parametrize("b", [1.02, 1.3, 2.0, 4.0])
@pytest.mark.parametrize(("kappa", "length"), [(1.0, 1e5), (5.0 / 3.0, None)], ids=["long", "short"])
def test_radial_limits_are_plane_elasticity(b, kappa, length):
    """Long: plane strain. Short: plane stress, here from the long one and the share of it that a length L keeps."""
    plane = reference_sleeve.plane(b, kappa)
    if length is not None:
        assert stiffness(b, length).radial / length == pytest.approx(plane, rel=1e-3 if b < 2 else 1e-4)
    else:
        L, s = 2.0 * (b - 1.0), 2.0 * (b - 1.0) / (1.0 + b)
        kept = 1.0 - math.tanh(s) / s
        short = (stiffness(b, L).radial / L - kept * reference_sleeve.plane(b, 1.0)) / (1.0 - kept)
        assert short == pytest.approx(plane, rel=1e-9)


def test_thin_long_sleeve_is_a_squeezed_film():
    """12π G L (R/t)³, as a full film of viscosity G and velocity for displacement."""
    t = 1e-3
    assert stiffness(1.0 + t, 1e6).radial / 1e6 == pytest.approx(12.0 * math.pi * (1.0 + t / 2) ** 3 / t**3, rel=1e-4)


@pytest.mark.parametrize("b", [1.1, 1.3, 2.0, 3.0])
@pytest.mark.parametrize(
    ("walls", "radial", "conical"), [(1.0, 0.045, 0.31), (2.0, 0.045, 0.13), (4.0, 0.045, 0.06), (15.0, 0.045, 0.06)]
)
def test_finite_elements(b, walls, radial, conical):
    """An incompressible sleeve of finite length: the errors that the docstring admits."""
    L = walls * (b - 1.0)
    k = stiffness(b, L)
    assert k.radial == pytest.approx(reference_sleeve.finite_elements(b, L, tilt=False), rel=radial)
    assert k.conical == pytest.approx(reference_sleeve.finite_elements(b, L, tilt=True), rel=conical)


def test_radial_over_length_is_too_stiff_in_tilt():
    """radial L²/12 against finite elements: 3.7 times."""
    k = stiffness(1.1, 2.0).radial * 4.0 / 12.0
    assert k / reference_sleeve.finite_elements(1.1, 2.0, tilt=True) == pytest.approx(3.7, rel=0.02)


def test_series_meet_closed_forms():
    for value, at in ((bushings._atanh_minus, 0.1), (bushings._share_in_tilt, 0.3)):
        assert value(at * (1 + 1e-12)) == pytest.approx(value(at * (1 - 1e-12)), rel=1e-8)


@pytest.mark.parametrize(
    ("word", "joint", "free"),
    [
        ("revolute", gd.Revolute, {5}),
        ("cylindrical", gd.Cylindrical, {2, 5}),
        ("prismatic", gd.Prismatic, {2}),
        ("rigid", gd.Rigid, set()),
    ],
)
def test_in_joints(word, joint, free):
    """The model of a joint is accepted by that joint, and leaves free what it does."""
    model = bushings.sleeve(**RUBBER, joint=word, damping_time=1e-3)
    bodies = {"arm": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))}
    system = gd.System(bodies=bodies, joints={"bush": joint("ground", "arm", at=(0, 0, 0), model=model)})
    found = np.array(system.joints["bush"].model.stiffness)
    assert {k for k in range(6) if not found[k].any()} == free
    k = bushings.sleeve_stiffness(**RUBBER)
    full = np.diag([k.radial, k.radial, k.axial, k.conical, k.conical, k.torsion])
    full[list(free), list(free)] = 0.0
    assert found == pytest.approx(full)
    assert model.damping_time == 1e-3


def test_axis_of_a_bonded_sleeve():
    K = np.array(bushings.sleeve(**RUBBER, joint="rigid", axis=(0, 3, 4)).stiffness)
    k, h = bushings.sleeve_stiffness(**RUBBER), np.array([0.0, 0.6, 0.8])
    assert K[:3, :3] @ h == pytest.approx(k.axial * h)
    assert K[3:, 3:] @ h == pytest.approx(k.torsion * h)
    assert K[3:, 3:] @ [1.0, 0.0, 0.0] == pytest.approx([k.conical, 0.0, 0.0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inner_radius": 0.020}, "inner_radius is 0.02 m, outer_radius 0.02 m; the inner tube must be the smaller"),
        ({"length": 0.0}, "bushings.sleeve: length is 0 m; it must be positive"),
        ({"length": 0.005}, "length is 0.005 m, the wall 0.01 m; the formulas are those of a sleeve at least as long"),
        ({"shear_modulus": -1.0}, "shear_modulus is -1 Pa; it must be positive"),
        ({"joint": "hinge"}, "joint is 'hinge'; give 'revolute' (the torsion is left free), 'cylindrical'"),
        ({"axis": (1, 0, 0)}, "axis is (1, 0, 0) for a revolute joint, whose own axis the sleeve has; leave it out"),
    ],
)
def test_refused(change, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        bushings.sleeve(**{**RUBBER, **change})
