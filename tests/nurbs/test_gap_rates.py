"""Rates: ḣ against differences of h along the motion, (41) as printed, wall velocities, invariance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_surfaces import free_form, rotation
from scipy.spatial.transform import Rotation

from gudgeon.nurbs import Pose, Surface, SurfacePair, gap_field


class Motion:
    """A body in general motion: constant velocity and constant angular velocity in the world."""

    def __init__(self, rng, position, attitude):
        self.r0, self.p0 = attitude, np.asarray(position, dtype=float)
        self.v, self.w = 0.1 * rng.normal(size=3), 2.0 * rng.normal(size=3)

    def pose(self, t):
        return Pose(
            rotation=Rotation.from_rotvec(t * self.w).as_matrix() @ self.r0,
            position=self.p0 + t * self.v,
            velocity=self.v,
            angular_velocity=self.w,
        )


def facing_sheets(seed):
    """Two wavy sheets that face each other, both in general motion, from an arbitrary attitude."""
    rng = np.random.default_rng(seed)
    reference, other = free_form(seed, size=0.02, roughness=0.03), free_form(seed + 1, size=0.06, roughness=0.02)
    pair = SurfacePair(reference=reference, corresponding=other.reversed(), grid=(7, 6))
    attitude = rotation(rng)
    a = Motion(rng, rng.normal(size=3), attitude)
    b = Motion(rng, a.p0 + attitude @ (-0.02, -0.02, 0.008), attitude)
    return pair, a, b


@settings(max_examples=20)
@given(seed=st.integers(0, 300))
def test_gap_rate_is_the_derivative_of_the_gap(seed):
    pair, a, b = facing_sheets(seed)
    e = 1e-5
    now = gap_field(pair, a.pose(0.0), b.pose(0.0))
    before, after = gap_field(pair, a.pose(-e), b.pose(-e)), gap_field(pair, a.pose(e), b.pose(e))
    rate = (after.gap - before.gap) / (2 * e)
    good = np.isfinite(rate)
    assert good.mean() > 0.5
    np.testing.assert_allclose(now.gap_rate[good], rate[good], atol=2e-6, rtol=1e-5)


@settings(max_examples=20)
@given(seed=st.integers(0, 300))
def test_published_rate_keeps_the_corresponding_point_in_its_body(seed):
    """(38)–(41): dH/dt with r_c and r_r fixed in their bodies, by differences."""
    pair, a, b = facing_sheets(seed)
    now = gap_field(pair, a.pose(0.0), b.pose(0.0))

    def carried(motion, points, t):
        r0 = motion.pose(0.0).packed[:9].reshape(3, 3)
        rt, pt = motion.pose(t).packed[:9].reshape(3, 3), motion.pose(t).packed[9:12]
        return (points - motion.p0) @ r0 @ rt.T + pt

    e = 1e-6
    h = [carried(b, now.corresponding, t) - carried(a, now.point, t) for t in (-e, e)]
    found = now.reason == 0
    np.testing.assert_allclose(now.published_rate[found], ((h[1] - h[0]) / (2 * e))[found], atol=1e-8)


def test_a_spinning_journal_keeps_its_gap():
    """ḣ = 0 for a journal that only spins; (41)·n is ω e sin θ, which would be squeezed and is not."""
    bore, pin = Surface.cylinder(0.0101, -0.01, 0.01), Surface.cylinder(0.01, -0.02, 0.02)
    pair = SurfacePair(reference=bore, corresponding=pin, reference_side=-1)
    e, omega = 5e-5, 300.0
    field = gap_field(pair, Pose(), Pose(position=(e, 0, 0), angular_velocity=(0, 0, omega)))
    np.testing.assert_allclose(field.gap_rate, 0.0, atol=1e-14)
    n = field.basis[..., 1]
    theta = np.arctan2(field.point[..., 1], field.point[..., 0])
    along_n = np.sum(field.published_rate * n, axis=-1)
    np.testing.assert_allclose(along_n, omega * e * np.sin(theta), atol=1e-13)
    assert np.abs(along_n).max() > 0.014


def test_squeezed_journal():
    """A centre that moves with ė changes h by ∂h/∂e · ė, whatever the spin."""
    bore, pin = Surface.cylinder(0.0101, -0.01, 0.01), Surface.cylinder(0.01, -0.02, 0.02)
    pair = SurfacePair(reference=bore, corresponding=pin, reference_side=-1)
    e, speed = 5e-5, 0.02
    field = gap_field(pair, Pose(), Pose(position=(e, 0, 0), velocity=(speed, 0, 0), angular_velocity=(0, 0, 100)))
    theta = np.arctan2(field.point[..., 1], field.point[..., 0])
    slope = -np.cos(theta) + e * np.sin(theta) ** 2 / np.sqrt(0.01**2 - e**2 * np.sin(theta) ** 2)
    np.testing.assert_allclose(field.gap_rate, speed * slope, atol=1e-15)


def test_wall_velocities():
    """(43), (44): of a spinning pin in a resting bore, components along ê_ξ, κ ê_ζ, ê_η of the bore."""
    bore, pin = Surface.cylinder(0.0101, -0.01, 0.01), Surface.cylinder(0.01, -0.02, 0.02)
    pair = SurfacePair(reference=bore, corresponding=pin, reference_side=-1)
    field = gap_field(pair, Pose(velocity=(0, 0, 1)), Pose(velocity=(0, 0, 3), angular_velocity=(0, 0, 100)))
    np.testing.assert_allclose(field.wall_reference, np.broadcast_to((0, 0, 1), field.point.shape), atol=1e-14)
    np.testing.assert_allclose(field.wall_corresponding, np.broadcast_to((1, 0, 3), field.point.shape), atol=1e-13)


@settings(max_examples=20)
@given(seed=st.integers(0, 300))
def test_common_motion_changes_nothing(seed):
    """Both bodies carried along by one more rigid motion: the same gap, gap rate and velocity across the gap."""
    pair, a, b = facing_sheets(seed)
    rng = np.random.default_rng(seed + 7)
    r, p, v, w = rotation(rng), rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)

    def carried(pose):
        matrix, x = r @ pose.packed[:9].reshape(3, 3), r @ pose.packed[9:12]
        return Pose(
            rotation=matrix,
            position=x + p,
            velocity=r @ pose.packed[12:15] + v + np.cross(w, x),
            angular_velocity=r @ pose.packed[15:18] + w,
        )

    one = gap_field(pair, a.pose(0.0), b.pose(0.0))
    two = gap_field(pair, carried(a.pose(0.0)), carried(b.pose(0.0)))
    np.testing.assert_array_equal(one.reason, two.reason)
    np.testing.assert_allclose(two.gap, one.gap, atol=1e-13)
    np.testing.assert_allclose(two.gap_rate, one.gap_rate, atol=1e-9)
    np.testing.assert_allclose(two.xi, one.xi, atol=1e-9)
    np.testing.assert_allclose(two.gap_vector, one.gap_vector @ r.T, atol=1e-13)
    spin = np.cross(w, two.gap_vector)  # (41) is a difference of velocities at two points
    np.testing.assert_allclose(two.published_rate, one.published_rate @ r.T + spin, atol=1e-10)


def test_rate_is_the_same_from_both_sides_of_parallel_walls():
    a, b = Surface.plane(), Surface.plane().reversed()
    above = Pose(position=(0, 0, 0.01), velocity=(0.3, 0.1, -2.0))
    first = gap_field(SurfacePair(reference=a, corresponding=b, grid=([0.5], [0.5])), Pose(), above)
    second = gap_field(SurfacePair(reference=b, corresponding=a, grid=([0.5], [0.5])), above, Pose())
    assert first.gap_rate[0, 0] == pytest.approx(-2.0)
    assert second.gap_rate[0, 0] == pytest.approx(-2.0)
