"""The toolkit of rotations against SciPy's, written by others, for single rotations and for arrays of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gudgeon import rotations

random = np.random.default_rng(11)
QUATERNION = rotations.unit(random.standard_normal((5, 7, 4)))
OTHER = rotations.unit(random.standard_normal((7, 4)))  # broadcasts
VECTOR = random.standard_normal((5, 7, 3))
ROUNDING = 1e-14


def scipy(quaternion: np.ndarray) -> Rotation:
    return Rotation.from_quat(np.roll(quaternion, -1, axis=-1).reshape(-1, 4))  # scalar last


def test_matrices():
    found = rotations.rotation_matrix(QUATERNION)
    assert found.shape == (5, 7, 3, 3)
    assert found.reshape(-1, 3, 3) == pytest.approx(scipy(QUATERNION).as_matrix(), abs=ROUNDING)
    assert (found[2, 3] == rotations.rotation_matrix(QUATERNION[2, 3])).all()


def test_quaternions_of_matrices():
    """Up to their sign; also where the scalar vanishes, that is after half a turn."""
    half = np.concatenate([np.zeros((7, 1)), VECTOR[0] / np.linalg.norm(VECTOR[0], axis=-1, keepdims=True)], axis=-1)
    for given in (QUATERNION, half):
        found = rotations.quaternion_of(rotations.rotation_matrix(given))
        assert np.abs(np.sum(found * given, axis=-1)) == pytest.approx(np.ones(given.shape[:-1]), abs=ROUNDING)


def test_vectors_are_turned():
    found = rotations.turned(QUATERNION, VECTOR)
    assert found.reshape(-1, 3) == pytest.approx(scipy(QUATERNION).apply(VECTOR.reshape(-1, 3)), abs=1e-13)
    back = rotations.turned(rotations.conjugate(QUATERNION), found)
    assert back == pytest.approx(VECTOR, abs=1e-13)


def test_a_product_turns_by_the_second_first():
    found = rotations.turned(rotations.product(QUATERNION, OTHER), VECTOR)
    assert found == pytest.approx(rotations.turned(QUATERNION, rotations.turned(OTHER, VECTOR)), abs=1e-13)


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-3, 1.0, 3.0])
def test_rotation_vectors(size):
    """Also where they vanish, and where they nearly do."""
    found = rotations.turn_of(size * VECTOR)
    wanted = Rotation.from_rotvec((size * VECTOR).reshape(-1, 3)).as_matrix()
    assert rotations.rotation_matrix(found).reshape(-1, 3, 3) == pytest.approx(wanted, abs=1e-13)
    turned = rotations.rotation_matrix(rotations.turned_by(QUATERNION, size * VECTOR))
    assert turned.reshape(-1, 3, 3) == pytest.approx(wanted @ scipy(QUATERNION).as_matrix(), abs=1e-13)


def test_signs_do_not_jump():
    """A body that turns through two full turns: its quaternion goes through both signs without a jump."""
    angle = np.linspace(0.0, 4.0 * np.pi, 50)
    turn = np.stack([np.cos(0.5 * angle), *np.zeros((2, 50)), np.sin(0.5 * angle)], axis=-1)[:, None, :]
    jumping = rotations.quaternion_of(rotations.rotation_matrix(turn))
    assert np.abs(np.diff(jumping, axis=0)).max() > 1.0
    assert rotations.continuous(jumping) == pytest.approx(turn * np.sign(jumping[0, 0, 0]), abs=1e-14)


def test_cross_products():
    assert (rotations.cross(VECTOR, VECTOR[::-1]) == np.cross(VECTOR, VECTOR[::-1])).all()
