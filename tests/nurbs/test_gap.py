"""The gap: closed forms of journal and ball, what has no gap and why, followed and searched points agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_surfaces import free_form, rotation

from gudgeon import ModelError
from gudgeon.nurbs import Curve, GapState, Pose, Reason, Surface, SurfacePair, Trim, gap_field

BORE, PIN = Surface.cylinder(0.0101, -0.01, 0.01), Surface.cylinder(0.01, -0.03, 0.03)
SOCKET, BALL = Surface.sphere(0.0101), Surface.sphere(0.01)


def closed_form(outer, inner, offset, direction):
    """h = R_b − e cos θ − sqrt(R_j² − e² sin² θ) along the inward normal at unit vectors `direction`."""
    along = direction @ offset
    across = offset @ offset - along**2
    return outer - along - np.sqrt(inner**2 - across)


@pytest.mark.parametrize("eccentricity", [0.0, 2e-5, 9.9e-5, 1.5e-4])
def test_journal(eccentricity):
    """The last case penetrates: its gap is negative where the pin is in the bore's wall."""
    pair = SurfacePair(reference=BORE, corresponding=PIN, reference_side=-1)
    offset = eccentricity * np.array([np.cos(0.3), np.sin(0.3), 0])
    field = gap_field(pair, Pose(), Pose(position=offset, rotation=(1, 0, 0, 0.4)))
    direction = field.point * (1, 1, 0) / 0.0101
    np.testing.assert_allclose(field.gap, closed_form(0.0101, 0.01, offset, direction), atol=1e-16)
    assert (field.gap.min() < 0) == (eccentricity > 1e-4)
    assert (field.reason == Reason.FOUND).all()


@pytest.mark.parametrize("offset", [(0, 0, 0), (3e-5, 0, 0), (2e-5, -5e-5, 4e-5), (0, 0, 8e-5), (9e-5, 9e-5, 0)])
def test_ball_in_socket(offset):
    """Along every meridian, poles included, whichever way the ball is turned."""
    pair = SurfacePair(reference=SOCKET, corresponding=BALL, reference_side=-1, grid=(32, 17))
    turned = rotation(np.random.default_rng(3))
    for r in (np.eye(3), turned):
        field = gap_field(pair, Pose(), Pose(position=offset, rotation=r))
        expected = closed_form(0.0101, 0.01, np.array(offset), field.point / 0.0101)
        np.testing.assert_allclose(field.gap, expected, atol=1e-15)


def test_ball_as_reference():
    pair = SurfacePair(reference=BALL, corresponding=SOCKET, corresponding_side=-1, grid=(64, 17))
    field = gap_field(pair, Pose(position=(5e-5, 0, 0)), Pose())
    assert field.gap.min() == pytest.approx(5e-5, abs=1e-17)
    assert field.gap.max() == pytest.approx(1.5e-4, abs=1e-17)


def test_fields_belong_together():
    rng = np.random.default_rng(4)
    reference, other = free_form(1, size=0.01, roughness=0.03), free_form(2, size=0.03, roughness=0.03)
    pair = SurfacePair(reference=reference, corresponding=other.reversed(), grid=(12, 10))
    a = Pose(rotation=rotation(rng), position=(1, 2, 3))
    r_a = a.packed[:9].reshape(3, 3)
    b = Pose(rotation=r_a, position=a.packed[9:12] + r_a @ (-0.01, -0.01, 0.004))
    field = gap_field(pair, a, b)
    assert (field.reason == 0).mean() > 0.9
    found = field.reason == 0
    n = field.basis[..., 1]
    np.testing.assert_allclose(field.gap_vector[found], (field.gap[..., None] * n)[found], atol=1e-18)
    np.testing.assert_allclose(field.corresponding[found], (field.point + field.gap_vector)[found], atol=1e-15)
    x = pair.corresponding.point(field.xi[found][:, 0], field.xi[found][:, 1])
    np.testing.assert_allclose(x @ r_a.T + b.packed[9:12], field.corresponding[found], atol=2e-15)
    p = reference.point(pair.xi1[:, None], pair.xi2[None, :])
    np.testing.assert_allclose(p @ r_a.T + (1, 2, 3), field.point, atol=2e-15)


def test_reasons():
    plane = Surface.plane(origin=(-1, -1, 0), edge1=(2, 0, 0), edge2=(0, 2, 0))
    hole = Trim(inner=[[(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)]])
    lid = Surface.plane(origin=(-0.5, -0.5, 0), edge1=(0, 1, 0), edge2=(1, 0, 0)).trimmed(hole)
    pair = SurfacePair(reference=plane, corresponding=lid, grid=([0.1, 0.4, 0.5], [0.5]))
    field = gap_field(pair, Pose(), Pose(position=(0, 0, 0.1)))
    assert [Reason(x) for x in field.reason[:, 0]] == [Reason.MISSED, Reason.FOUND, Reason.TRIMMED]
    np.testing.assert_array_equal(np.isnan(field.gap[:, 0]), [True, False, True])
    for name in ("gap_rate", "xi", "corresponding", "gap_vector", "published_rate", "wall_corresponding"):
        assert np.isnan(getattr(field, name)[0]).all(), name
    assert np.isfinite(field.point).all()
    assert np.isfinite(field.wall_reference).all()

    far = SurfacePair(reference=plane, corresponding=lid, grid=([0.4], [0.4]), window=(-0.01, 0.05))
    assert gap_field(far, Pose(), Pose(position=(0, 0, 0.1))).reason[0, 0] == Reason.BEYOND_WINDOW
    away = SurfacePair(reference=plane, corresponding=lid.reversed(), grid=([0.4], [0.4]))
    assert gap_field(away, Pose(), Pose(position=(0, 0, 0.1))).reason[0, 0] == Reason.FACES_AWAY
    either = SurfacePair(reference=plane, corresponding=lid.reversed(), grid=([0.4], [0.4]), corresponding_side=0)
    assert gap_field(either, Pose(), Pose(position=(0, 0, 0.1))).gap[0, 0] == pytest.approx(0.1)

    tube = Surface.cylinder(0.5, 0.0, 1.0)
    along = SurfacePair(reference=plane, corresponding=tube, grid=([0.75, 0.9], [0.5]), corresponding_side=0)
    assert gap_field(along, Pose(), Pose()).reason[:, 0].tolist() == [Reason.LIES_IN_SURFACE, Reason.MISSED]
    cut = SurfacePair(reference=plane.trimmed(hole), corresponding=lid, grid=([0.5], [0.5]))
    assert gap_field(cut, Pose(), Pose()).reason[0, 0] == Reason.REFERENCE_TRIMMED

    folded = np.array([[(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 0, 0), (0, 0, 0), (0, 1, 0)]])
    cusp = Surface(degree=(1, 2), knots=((0, 0, 1, 1), (0, 0, 0, 1, 1, 1)), points=folded)
    point = SurfacePair(reference=cusp, corresponding=lid, grid=([1.0], [0.0]))
    assert gap_field(point, Pose(), Pose()).reason[0, 0] == Reason.NO_NORMAL


def test_half_a_shell_has_no_phantom_on_the_other_side():
    """From the open side of a half bearing the pin's normal meets the shell only backwards, through the pin."""
    shell = Surface.cylinder(0.0101, -0.02, 0.02, angle=np.pi)
    pin = Surface.cylinder(0.01, -0.01, 0.01)
    pair = SurfacePair(reference=pin, corresponding=shell, corresponding_side=-1, grid=(64, 3))
    field = gap_field(pair, Pose(), Pose())
    upper = field.point[..., 1] > 1e-12
    lower = field.point[..., 1] < -1e-12
    np.testing.assert_allclose(field.gap[upper], 1e-4, atol=1e-16)
    assert (field.reason[lower] == Reason.FACES_AWAY).all()


def same(a, b, tolerance=1e-14):
    np.testing.assert_array_equal(a.reason, b.reason)
    np.testing.assert_allclose(a.gap, b.gap, atol=tolerance)
    np.testing.assert_allclose(a.gap_rate, b.gap_rate, atol=1e-7, rtol=1e-7)


@settings(max_examples=25)
@given(seed=st.integers(0, 400), roughness=st.sampled_from([0.02, 0.06, 0.12]), step=st.sampled_from([1e-3, 0.05]))
def test_followed_points_are_the_searched_ones(seed, roughness, step):
    """Along a motion over folded surfaces, some of it in large jumps, the state changes nothing but the time."""
    rng = np.random.default_rng(seed)
    reference = Surface.plane(origin=(0.2, 0.2, 0), edge1=(0.6, 0, 0), edge2=(0, 0.6, 0))
    other = free_form(seed, roughness=roughness, count=(7, 6))
    pair = SurfacePair(reference=reference, corresponding=other, corresponding_side=0, grid=(14, 12))
    state = GapState(pair)
    velocity, spin = rng.normal(size=3), rng.normal(size=3)
    followed = 0
    for k in range(8):
        t = step * k
        pose = Pose(
            position=t * velocity + (0, 0, 0.02),
            rotation=(1, *(0.5 * t * spin)),
            velocity=velocity,
            angular_velocity=spin,
        )
        warm = gap_field(pair, Pose(), pose, state=state)
        followed += state.followed
        same(warm, gap_field(pair, Pose(), pose), 1e-13)
    assert followed > 0 or roughness > 0.1


def test_following_goes_over_seams_and_patch_edges():
    pair = SurfacePair(reference=BORE, corresponding=PIN, reference_side=-1)
    state = GapState(pair)
    for k in range(40):
        a = 0.2 * k
        pose = Pose(position=(5e-5, 0, 0), rotation=(np.cos(a / 2), 0, 0, np.sin(a / 2)))
        field = gap_field(pair, Pose(), pose, state=state)
        np.testing.assert_allclose(
            field.gap, closed_form(0.0101, 0.01, np.array([5e-5, 0, 0]), field.point * (1, 1, 0) / 0.0101), atol=1e-16
        )
    assert state.followed > 1000


def test_the_nearest_of_two_walls_is_taken_when_it_changes():
    """A plate in a slot: which wall faces the middle of the plate is decided by the motion, not by the past."""
    slot = Surface.extrusion(Curve.polyline([(-1, 0, 1), (1, 0, 1), (1, 0, -1), (-1, 0, -1)]), (0, 1, 0))
    plate = Surface.plane(origin=(-0.5, 0.25, 0), edge1=(1, 0, 0), edge2=(0, 0.5, 0))
    pair = SurfacePair(reference=plate, corresponding=slot, corresponding_side=0, grid=(5, 3))
    state = GapState(pair)
    for z in (0.5, 0.2, -0.2, -0.5, 0.5):
        field = gap_field(pair, Pose(position=(0, 0, z)), Pose(), state=state)
        np.testing.assert_allclose(field.gap, 1 - z if z > 0 else -1 - z, atol=1e-15)


def test_threads_change_nothing():
    pair = SurfacePair(reference=SOCKET, corresponding=BALL, reference_side=-1, grid=(17, 9))
    one, three = GapState(pair), GapState(pair, threads=3)
    for x in (0.0, 1e-5, 2e-5):
        a = gap_field(pair, Pose(), Pose(position=(x, 0, 0)), state=one)
        b = gap_field(pair, Pose(), Pose(position=(x, 0, 0)), state=three)
        np.testing.assert_array_equal(a.gap, b.gap)
    assert (one.followed, one.searched) == (three.followed, three.searched)


def test_a_state_keeps_its_arrays_and_copies_are_free():
    pair = SurfacePair(reference=BORE, corresponding=PIN, reference_side=-1, grid=(8, 2))
    state = GapState(pair)
    first = gap_field(pair, Pose(), Pose(), state=state)
    kept = first.copy()
    second = gap_field(pair, Pose(), Pose(position=(5e-5, 0, 0)), state=state)
    assert second.gap is first.gap
    np.testing.assert_allclose(kept.gap, 1e-4, atol=1e-16)
    state.forget()
    gap_field(pair, Pose(), Pose(), state=state)
    assert (state.followed, state.searched) == (0, 16)


def test_bad_input():
    pair = SurfacePair(reference=BORE, corresponding=PIN, reference_side=-1, grid=(8, 2))
    other = SurfacePair(reference=BORE, corresponding=PIN, reference_side=-1, grid=(8, 3))
    with pytest.raises(ModelError, match="the state belongs to another SurfacePair"):
        gap_field(pair, Pose(), Pose(), state=GapState(other))
    with pytest.raises(ModelError, match="the pose of the corresponding surface is a tuple; give a Pose"):
        gap_field(pair, Pose(), (0, 0, 0))  # pyright: ignore
    with pytest.raises(ModelError, match="threads is 0; give a whole number from 1"):
        GapState(pair, threads=0)
    with pytest.raises(ModelError, match="give a SurfacePair"):
        GapState(BORE)  # pyright: ignore
