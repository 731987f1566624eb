"""Orientations: quaternions have their scalar first, SciPy's rotations say themselves what they are."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon.nurbs import Pose, Surface
from mistakes import refuses

TURNS = Rotation.from_rotvec([(0.3, -0.4, 1.2), (0, 0, np.pi), (0, 0, 0), (2, 2, 1)])
BALL = {"mass": 1.0, "inertia": (1, 1, 1)}


def rotated(orientation) -> np.ndarray:
    """The body's axes in the world, read from a result."""
    body = gd.Body(**BALL, orientation=orientation)
    quaternion = gd.simulate(gd.System(bodies={"ball": body}), 1e-3).data.orientation.values[0, 0]
    return Rotation.from_quat(np.roll(quaternion, -1)).as_matrix()


@pytest.mark.parametrize("k", range(len(TURNS)))
def test_a_scipy_rotation_turns_as_it_says(k):
    turn = TURNS[k]
    assert rotated(turn) == pytest.approx(turn.as_matrix(), abs=1e-12)
    assert (
        gd.BodyState(position=(0, 0, 0), orientation=turn).orientation == gd.Body(**BALL, orientation=turn).orientation
    )
    assert Pose(rotation=turn).packed[:9].reshape(3, 3) == pytest.approx(turn.as_matrix(), abs=1e-12)
    corner = Surface.plane(origin=(1, 2, 3)).moved(rotation=turn).point(0.0, 0.0)
    assert corner == pytest.approx(turn.apply(Surface.plane(origin=(1, 2, 3)).point(0.0, 0.0)), abs=1e-12)


def test_scipys_identity_typed_as_four_numbers_is_spoken_of():
    told = (
        r"orientation \(0, 0, 0, 1\) is half a turn about z: quaternions have their scalar first here, no rotation is"
    )
    for given in ((0, 0, 0, 1), Rotation.identity().as_quat()):
        with pytest.warns(UserWarning, match="Body: " + told) as caught:
            body = gd.Body(**BALL, orientation=given)
        assert caught[0].filename == __file__
        assert body.orientation == (0.0, 0.0, 0.0, 1.0)
        with pytest.warns(UserWarning, match="BodyState: " + told):
            gd.BodyState(position=(0, 0, 0), orientation=given)


def test_it_is_said_once():
    """The order of a quaternion that was checked before, or found by a run, is known. Warnings are errors in tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        body = gd.Body(**BALL, orientation=(0, 0, 0, 1))
    assert repr(body.orientation) == "(0.0, 0.0, 0.0, 1.0)"
    heavier = dataclasses.replace(body, mass=2.0)
    assert pickle.loads(pickle.dumps(heavier)) == copy.deepcopy(heavier) == heavier
    system = gd.System(bodies={"ball": body})
    again = gd.assemble(system).system
    result = gd.simulate(again, 1e-3)
    gd.simulate(system.replace(start=result.state()), 1e-3)


@pytest.mark.parametrize(
    ("given", "wording"),
    [
        ("x", "is 'x'; "),
        ((1, 0, 0), "is (1, 0, 0); "),
        (np.eye(3), "has shape (3, 3); "),
        ((0.5, 0, 0, 0), "(0.5, 0.0, 0.0, 0.0) has length 0.5; "),
    ],
)
def test_refusals_say_the_convention(given, wording):
    with refuses(
        f"Body: orientation {wording}give a unit quaternion (scalar first: 1, 0, 0, 0 is no rotation) or a scipy "
        "Rotation"
    ):
        gd.Body(**BALL, orientation=given)


def test_one_rotation_is_wanted():
    with refuses("Body: a scipy Rotation of 4 rotations given; give one rotation"):
        gd.Body(**BALL, orientation=TURNS)


def test_describing_a_body_does_not_import_scipy():
    code = "import sys, gudgeon as gd; gd.Body(mass=1, inertia=(1, 1, 1), orientation=(0.6, 0, 0, 0.8)); "
    subprocess.run([sys.executable, "-c", code + "sys.exit('scipy.spatial' in sys.modules)"], check=True)
