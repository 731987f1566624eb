"""The film of a flat pad by itself: its wrench for any relative pose and motion."""

from functools import cache
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.spatial.transform import Rotation

import gudgeon as gd
from journal_element import OneElement
from reference_pad import pad_wrench

LENGTH, WIDTH, HEIGHT, PLAY, VISCOSITY = 0.05, 0.02, 0.03, 1e-4, 0.04  # [m], [Pa·s]
UPPER = np.array([0.0, 0.5 * HEIGHT, 0.0])  # middle of the upper pad, joint's axes


@pytest.fixture(autouse=True)
def both_formulations():
    """The element alone has no formulation."""


@cache
def film(length: float = LENGTH, width: float = WIDTH, thinnest: float = 1e-9, pads_on: Any = "box") -> OneElement:
    """The upper film of a box along z."""
    size = {"length": length, "width": width, "height": HEIGHT, "clearance": PLAY}
    model = gd.LubricatedBox(**size, viscosity=VISCOSITY, smallest_film=thinnest, pads_on=pads_on)
    return OneElement(model, 0, gd.Prismatic)


def middle(d, turn) -> np.ndarray:
    """Of the pad, against the guide's point."""
    return np.asarray(d) + Rotation.from_rotvec(turn).apply(UPPER)


POSES: dict[str, Any] = {  # displacement [m], turn [rad], velocity [m/s], angular velocity [rad/s]
    "squeezed": ((0, 6e-5, 0.01), (0, 0, 0), (0, 2e-3, 0), (0, 0, 0)),
    "slides up a wedge": ((0, 2e-5, 0), (1.5e-3, 0, 0), (0, 0, -0.5), (0, 0, 0)),
    "slides askew": ((0, 2e-5, 0), (1.5e-3, 0.4, 2e-3), (0.3, 0, -0.5), (0, 0, 0)),
    "slides and sinks": ((1e-5, 4e-5, 0), (1e-3, 1e-3, -1e-3), (0.0, 1e-3, -0.4), (0.02, 0, -0.02)),
    "turns about the wall's normal": ((0, 3e-5, 0), (1e-3, 2e-3, -3e-3), (0.1, 0, -0.4), (0, 5.0, 0)),
    "tilts": ((0, 3e-5, 0), (1e-3, 0, 1e-3), (0, 0, 0), (0.5, 0, 0.3)),
    "tilts about an edge, and slides": ((0, 1e-5, 0), (2e-3, 0, 1e-3), (0, 1e-3, 0.2), (-0.4, 0, -0.5)),
    "slides down a wedge, and is squeezed": ((0, 3e-5, 0), (-1e-3, 0, 1e-3), (0, 2e-3, -0.2), (0.1, 0, 0.4)),
}
BROKEN = [pose for pose in POSES if "tilt" in pose or "turns" in pose]  # on a part of the pad


@pytest.mark.parametrize("pose", POSES)
def test_finite_elements(pose):
    """Load, moments and friction of Reynolds' equation solved in space, 1 % of force and moment; broken films 3 %."""
    d, turn, v, w = (np.array(x, dtype=float) for x in POSES[pose])
    force, torque, _ = film().wrench(d, v, w, turn=turn)
    arm = Rotation.from_rotvec(turn).apply(UPPER)
    gap = PLAY + 0.5 * HEIGHT - middle(d, turn)[1]
    speed = v + np.cross(w, arm)
    expected, moment = pad_wrench((0.5 * WIDTH, 0.5 * LENGTH), gap, turn, speed, w, VISCOSITY, cells=48)
    moment += np.cross(arm, expected)
    within = 0.03 if pose in BROKEN else 0.01
    assert np.linalg.norm(force - expected) < within * np.linalg.norm(expected)
    lever = 0.5 * LENGTH * np.linalg.norm(expected)
    assert np.linalg.norm(torque - moment) < within * lever
    along, exact = force[[0, 2]], expected[[0, 2]]
    assert np.linalg.norm(along - exact) < 0.02 * np.linalg.norm(exact) + 1e-6 * lever


@pytest.mark.parametrize("kappa", [1.0, 1.7, 4.0, 12.0])
def test_a_flat_plate_that_is_squeezed(kappa):
    """F = μ V L B³/h³ (1 − 192 B/(π⁵ L) Σ tanh(nπL/2B)/n⁵): 3e-4."""
    L, B = WIDTH * kappa, WIDTH
    odd = np.arange(1, 400, 2)
    share = 1.0 - 192.0 / (np.pi**5 * kappa) * np.sum(np.tanh(0.5 * np.pi * odd * kappa) / odd**5)
    force, torque, power = film(L).wrench((0, 0, 0), (0, 1e-3, 0), (0, 0, 0))
    assert force[1] == pytest.approx(-VISCOSITY * 1e-3 * L * B**3 / PLAY**3 * share, rel=3e-4)
    assert power == pytest.approx(-1e-3 * force[1], rel=1e-12)
    assert torque == pytest.approx(0.0, abs=1e-9 * abs(force[1]) * L)
    lifted, _, _ = film(L).wrench((0, 0, 0), (0, -1e-3, 0), (0, 0, 0))
    assert np.abs(lifted).max() < 1e-30


def test_the_best_wedge():
    """Reynolds' optimum: of wide wedges of one exit the one whose inlet is 2.189 times as high carries most, 0.1602.

    W h₁²/(μ U L² B) for widths of 8 and 16 lengths, from where 1/B leads to ∞.
    """
    speed, exit_film = 0.3, 2e-5

    def load(ratio: float, width: float) -> float:
        L = 0.005
        tilt = np.arcsin((ratio - 1.0) * exit_film / L)
        gap = 0.5 * (ratio + 1.0) * exit_film
        turn = np.array([tilt, 0.0, 0.0])  # the front, +z, goes down: the pad slides along −z, its inlet
        d = np.array([0.0, PLAY - gap, 0.0]) + UPPER - Rotation.from_rotvec(turn).apply(UPPER)
        force, _, _ = film(L, width).wrench(d, (0, 0, speed), (0, 0, 0), turn=turn)
        return -force[1] * exit_film**2 / (VISCOSITY * speed * L**2 * width)

    def wide(ratio: float) -> float:
        return 2.0 * load(ratio, 0.08) - load(ratio, 0.04)

    best = minimize_scalar(lambda ratio: -wide(ratio), bounds=(1.5, 3.5), method="bounded", options={"xatol": 1e-4})
    assert best.x == pytest.approx(2.189, abs=0.02)
    assert -best.fun == pytest.approx(0.1602, rel=5e-3)
    r = 3.0
    assert wide(r) == pytest.approx(6.0 * (log(r) - 2.0 * (r - 1.0) / (r + 1.0)) / (r - 1.0) ** 2, rel=5e-3)


def test_shear():
    """Parallel: μ U A/h; a wedge: ∫∫ dA/h in closed form, at its centre."""
    force, torque, power = film().wrench((0, 0, 0), (0.2, 0, 0.5), (0, 0, 0))
    drag = VISCOSITY * LENGTH * WIDTH / PLAY
    assert force == pytest.approx([-0.2 * drag, 0.0, -0.5 * drag], rel=1e-12)
    assert torque == pytest.approx(np.cross(UPPER, force), rel=1e-12)
    assert power == pytest.approx(drag * 0.29, rel=1e-12)
    turn = np.array([1e-3, 0.0, -2e-3])
    d = UPPER - Rotation.from_rotvec(turn).apply(UPPER)
    force, _, _ = film().wrench(d, (0, 0, -1e-12), (0, 0, 0), turn=turn)  # slides down the wedge: it carries nothing
    a, b = 0.5 * WIDTH * 2e-3, 0.5 * LENGTH * 1e-3

    def f(h: float) -> float:
        return h * log(h)

    corners = f(PLAY + a + b) - f(PLAY + a - b) - f(PLAY - a + b) + f(PLAY - a - b)
    assert force[2] == pytest.approx(1e-12 * VISCOSITY * corners * WIDTH * LENGTH / (4.0 * a * b), rel=1e-4)


def test_pads_on_the_guide():
    """A box that is parallel does not tell whose the pads are."""
    v, w, turn = (0.1, 1e-3, 0.3), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    box, guide = film(), film(pads_on="guide")
    one, other = box.wrench((0, 3e-5, 0), v, w, turn=turn), guide.wrench((0, -3e-5, 0), np.negative(v), w, turn=turn)
    assert other[0] == pytest.approx(-one[0], rel=1e-9)  # the guide sees the box, here the box the guide
    assert other[2] == pytest.approx(one[2], rel=1e-9)


small = st.floats(-1.0, 1.0)
three = st.tuples(small, small, small)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([(0.05, 0.02), (0.02, 0.02), (0.01, 0.08)]), three, three, three, three, st.floats(0.0, 1.6))
def test_passive_in_every_pose(size, d, tilt, v, w, far):
    """No power comes out of a film, beyond the wall neither; the power it tells is that of its wrench."""
    element = film(*size, 1e-6)
    d, turn = np.array(d) * (PLAY * far, PLAY * far, 0.01), np.array(tilt) * (4e-3, 1.0, 8e-3)
    v, w = np.array(v) * (1.0, 1e-3, 1.0), np.array(w) * (0.5, 5.0, 0.5)
    force, torque, power = element.wrench(d, v, w, turn=turn)
    taken = -force @ v - torque @ w
    assert np.isfinite([*force, *torque]).all()
    assert power >= 0.0
    size_of = np.linalg.norm(force) * np.linalg.norm(v) + np.linalg.norm(torque) * np.linalg.norm(w)
    assert power == pytest.approx(taken, rel=1e-9, abs=1e-9 * size_of)


def test_continuous():
    """Along any line of motions through open, broken and closed films forces change by no jump."""
    element, random = film(thinnest=1e-6), np.random.default_rng(3)
    for _ in range(4):
        ends = [random.normal(size=(4, 3)) * [[3e-5, 1e-4, 0], [2e-3, 0.3, 4e-3], [0.3, 1e-3, 0.3], [0.3, 3.0, 0.3]]]
        ends += [random.normal(size=(4, 3)) * [[3e-5, 1e-4, 0], [2e-3, 0.3, 4e-3], [0.3, 1e-3, 0.3], [0.3, 3.0, 0.3]]]

        def along(x, ends=ends):
            d, turn, v, w = ends[0] + x * (ends[1] - ends[0])
            force, torque, _ = element.wrench(d, v, w, turn=turn)
            return np.array([*force, *(torque / LENGTH)])

        steps = []
        for count in (800, 1600):
            path = np.array([along(x) for x in np.linspace(0.0, 1.0, count + 1)])
            steps.append(np.abs(np.diff(path, axis=0)).max() / np.abs(path).max())
        assert steps[1] < 0.65 * steps[0]  # a jump would stay


@pytest.mark.parametrize("length", [0.05, 0.015])
def test_slopes(length):
    """Derivatives of force and torque are those of the wrench, in turned axes too, within the wall and beyond."""
    element, random = film(length, thinnest=2e-6), np.random.default_rng(7)
    for n in range(12):
        d = random.normal(size=3) * (3e-5, 3e-5 if n % 4 else 2e-4, 1e-3)
        v, w = random.normal(size=3) * (0.3, 1e-3, 0.3), random.normal(size=3) * (0.1, 2.0, 0.1)
        turn, axes = random.normal(size=3) * (1e-3, 0.3, 1e-3), Rotation.random(random_state=n).as_matrix()
        both = np.kron(np.eye(2), axes)
        told = [both.T @ slopes @ both for slopes in element.slopes(d, v, w, turn=turn, axes=axes)]

        def changed(d, turned, v, w, turn=turn, axes=axes):
            force, torque, _ = element.wrench(d, v, w, turn=turn, further=turned, axes=axes)
            return np.concatenate((axes.T @ force, axes.T @ torque))

        for which, steps in ((0, (1e-10, 1e-8)), (1, (1e-6, 1e-5))):
            expected = np.empty((6, 6))
            for column in range(6):
                step = np.zeros((2, 2, 3))
                step[which, column // 3, column % 3] = steps[column // 3]
                there, back = (
                    changed(d + s * step[0, 0], s * step[0, 1], v + s * step[1, 0], w + s * step[1, 1]) for s in (1, -1)
                )
                expected[:, column] = (there - back) / (2.0 * steps[column // 3])
            for i in (slice(0, 3), slice(3, 6)):
                for j in (slice(0, 3), slice(3, 6)):
                    size = np.abs(expected[i, j]).max()
                    assert np.abs(told[which][i, j] - expected[i, j]).max() < 1e-3 * size + 1e-9


def test_gap_and_its_rate():
    """The thinnest film is at a corner; the rate is its derivative."""
    element = film(thinnest=1e-6)
    d, turn = np.array([2e-5, -1e-5, 0.003]), np.array([4e-4, 0.02, 3e-4])
    v, w = np.array([0.01, 0.02, 0.03]), np.array([0.05, -0.04, 0.2])
    depth, rate = element.depth(d, v, w, turn=turn)
    R = Rotation.from_rotvec(turn)
    corners = [R.apply((x * WIDTH, HEIGHT, z * LENGTH))[1] / 2.0 for x in (-1, 1) for z in (-1, 1)]
    assert depth == pytest.approx(d[1] + max(corners) - PLAY - 0.5 * HEIGHT + 1e-6, abs=1e-15)
    h = 1e-6
    after, _ = element.depth(d + h * v, v, w, turn=(Rotation.from_rotvec(h * w) * R).as_rotvec())
    assert rate == pytest.approx((after - depth) / h, rel=1e-4)
