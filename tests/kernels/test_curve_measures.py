"""Coordinates of points and faces on curves: rates, biases and second derivatives against differences along motions."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.joint_motion import joint_motion
from gudgeon.analysis.small_motion.pairs import measure_pairs
from gudgeon.kernels.dynamics.rows import rows_at
from gudgeon.mechanics.coordinates import Measures, ReferencePose
from gudgeon.mechanics.displacement import displace
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.mechanics.state_layout import poses, twists
from gudgeon.nurbs import Curve
from gudgeon.rotations import quaternion_of

ELLIPSE = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
RING = Curve.through(
    np.stack([0.5 * np.cos(ELLIPSE), 0.3 * np.sin(ELLIPSE), 0.1 * np.sin(2 * ELLIPSE)], axis=1), degree=5, closed=True
)
FLAT_RING = Curve.through(
    np.stack([0.5 * np.cos(ELLIPSE), 0.3 * np.sin(ELLIPSE), 0.0 * ELLIPSE], axis=1), degree=5, closed=True
)
CAM = {"base_radius": 0.4, "lift": "0.03*(1 - cos(angle)) + 0.01*sin(2*angle)", "towards": (1, 0, 0)}
KINDS = {
    "along": (gd.PointOnCurve("a", "b", at=(0.5, 0, 0), curve=RING), -1),
    "along, extruded": (gd.PointOnCurve("a", "b", at=(0.5, 0, 0), curve=FLAT_RING, extruded=(0, 0, 1)), -1),
    "roller": (
        gd.PointOnCurve("a", "b", at=(0.52, 0, 0), curve=FLAT_RING, extruded=(0, 0, 1), radius=0.02, side="right"),
        0,
    ),
    "knife on a cam": (gd.Cam("a", "b", at=(0.1, 0, 0), **CAM), 0),
    "roller on a cam": (gd.Cam("a", "b", at=(0.1, 0, 0), **CAM, follower="roller", roller_radius=0.05), 0),
    "face on a cam": (gd.Cam("a", "b", at=(0.1, 0, 0), **CAM, follower="flat"), 0),
}


class Moving:
    """Two bodies that move freely, and one coordinate of a curve between them."""

    def __init__(self, kind: str, *, near: bool = False):
        joint, which = KINDS[kind]
        body = gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0.05, -0.1, 0.02))
        system = gd.System(
            bodies={"a": body, "b": gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0.3, 0.2, 0.1))}, joints={"J": joint}
        )
        self.equations = equations_of_motion(system)
        measures = Measures(system, ReferencePose(system))
        for each in (0, 1) if which == 2 else (which,):
            measures.add_way("J") if each < 0 else measures.add_across("J", each)
        self.tables = measures.arrays()
        self.state = self.equations.stated_state()
        random = np.random.default_rng(5)
        off = 1e-7 if near else 0.03  # [m, rad]
        displace(self.state[None], random.uniform(-off, off, (1, 12)))
        twists(self.state, 2)[:] = random.uniform(-1.0, 1.0, (2, 6))

    def at(self, y: np.ndarray):
        rows_at(self.equations.model, self.equations.work, 0.0, y)
        return joint_motion(self.equations, self.tables["measure"], self.tables["measure_vector"])

    def later(self, y: np.ndarray, t: float) -> np.ndarray:
        """After t with constant velocities."""
        moved = y.copy()
        displace(moved[None], t * twists(y, 2).reshape(1, 12))
        return moved


@pytest.mark.parametrize("kind", KINDS)
def test_rates_and_biases(kind):
    """With constant velocities (of rotation, too) ẋ and ẍ = bias are derivatives of x by time."""
    moving = Moving(kind)
    y, h = moving.state, 1e-4
    x = np.array([moving.at(moving.later(y, k * h)).value[0] for k in (-2, -1, 1, 2)])
    rate = np.array([moving.at(moving.later(y, k * h)).rate[0] for k in (-2, -1, 1, 2)])
    now = moving.at(y)
    slope = np.array([1.0, -8.0, 8.0, -1.0]) / (12.0 * h)
    assert now.rate[0] == pytest.approx(slope @ x, rel=1e-8)
    assert now.rate[0] == pytest.approx(float(now.gradient[0] @ twists(y, 2).reshape(-1)), rel=1e-12)
    assert now.bias[0] == pytest.approx(slope @ rate, rel=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_second_derivatives(kind):
    """T = ∂J/∂ξ and ∂γ/∂ξ for the two bodies displaced by twists; of ways along a curve for points that are on it."""
    moving = Moving(kind, near=kind.startswith("along"))
    y, h = moving.state, 1e-5
    moving.at(y)
    (pairs,) = measure_pairs(
        moving.equations, moving.tables["measure"], moving.tables["measure_vector"], np.zeros(1, dtype=int)
    )
    for c in range(12):
        step = np.zeros((1, 12))
        step[0, c] = h
        sides = []
        for sign in (1.0, -1.0):
            z = y.copy()
            displace(z[None], sign * step)
            found = moving.at(z)
            sides.append((found.gradient[0].copy(), -found.bias[0]))
        change = (sides[0][0] - sides[1][0]) / (2.0 * h)
        bend = (sides[0][1] - sides[1][1]) / (2.0 * h)
        assert pairs.curvature[0, 0, :, c] == pytest.approx(change, abs=2e-8 * (1.0 + np.abs(change).max()))
        assert pairs.gamma_slope[0, 0, c] == pytest.approx(bend, abs=1e-5 * (1.0 + abs(bend)))
    J = moving.at(y).gradient[0]
    assert pairs.jacobian[0, 0] == pytest.approx(J, abs=1e-12)
    u = twists(y, 2).reshape(-1)
    assert -u @ pairs.curvature[0, 0] @ u == pytest.approx(-moving.at(y).bias[0], rel=1e-7)  # γ = −u·T·u


def test_two_normals_in_space():
    """Whatever the two normals are, d = √(x₁² + x₂²) is the distance from the curve: its derivatives are frame-free."""
    KINDS["in space"] = gd.PointOnCurve("a", "b", at=(0.5, 0, 0), curve=RING), 2
    moving = Moving("in space")
    del KINDS["in space"]
    y, h = moving.state, 1e-4
    now = moving.at(y)
    squares = np.array([np.sum(moving.at(moving.later(y, k * h)).value ** 2) for k in (-2, -1, 0, 1, 2)])
    assert np.array([1, -8, 0, 8, -1]) @ squares / (12 * h) == pytest.approx(2.0 * now.value @ now.rate, rel=1e-7)
    second = 2.0 * (now.rate @ now.rate + now.value @ now.bias)
    assert np.array([-1, 16, -30, 16, -1]) @ squares / (12 * h**2) == pytest.approx(second, rel=1e-5)
    table, vectors, u = moving.tables["measure"], moving.tables["measure_vector"], twists(y, 2).reshape(-1)
    moving.at(y)
    (pairs,) = measure_pairs(moving.equations, table, vectors, np.zeros(2, dtype=int))
    assert pairs.jacobian[:, 0] == pytest.approx(now.gradient, abs=1e-12)
    assert [u @ T[0] @ u for T in pairs.curvature] == pytest.approx(now.bias, rel=1e-7)


def test_turned_frames_do_not_matter():
    """The same mechanism described in another place and orientation has the same coordinate."""
    turn = gd.Body(mass=1.0, inertia=(1, 1, 1), orientation=tuple(quaternion_of(np.eye(3)[[1, 2, 0]]))).orientation
    moving = Moving("roller")
    value = moving.at(moving.state).value[0]
    assert len(turn) == 4 and np.isfinite(value)
    poses(moving.state, 2)[:, :3] += (3.0, -2.0, 1.0)
    assert moving.at(moving.state).value[0] == pytest.approx(value, abs=1e-12)
