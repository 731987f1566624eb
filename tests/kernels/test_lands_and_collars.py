"""Lands and collars of a dry journal: their push at a pose against references, NumPy and the energy they store."""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws
from journal_pushes import Journal
from reference_journal import Collar, Land, Pose, downhill, turned
from references import load

REFERENCE = next(case for case in load("dry_journal")["cases"] if case["name"] == "journal_dry_wrench")
MODULUS = REFERENCE["parameters"]["E_star"]
BORE, LENGTH, CLEARANCE = 0.010, 0.020, 50e-6
UP = np.array((0.0, 0.0, 1.0))


def rubbing(speed, normal_force):
    """As the references have it."""
    return 0.1 * normal_force * math.tanh(speed / 0.01)


def line(clearance: float, damping: float = 0.0) -> laws.PinInBore:
    return laws.PinInBore(modulus=MODULUS, clearance=clearance, damping=damping)


def called(law: laws.PinInBore):
    return lambda delta, ddelta: law.line_force(delta, ddelta, 1.0, law.parameters)


@cache
def journal(damping: float = 0.0, *, friction: bool = False, **given) -> Journal:
    given = {"bore_radius": BORE, "pin_radius": BORE - CLEARANCE, **given}
    if "lands" not in given:
        given.setdefault("length", LENGTH)
    contact = line(given["bore_radius"] - given["pin_radius"], damping)
    return Journal(gd.DryJournal(contact=contact, friction=rubbing if friction else None, **given))


def axis(x: float, y: float) -> np.ndarray:
    h = np.array((x, y, 1.0))
    return h / np.linalg.norm(h)


# poses in which a land of 20 mm touches in every mode: d [m], k
POSES = {
    "line": ((55e-6, 0.0, 0.0), (0.0, 0.0)),
    "line, tilted": ((40e-6, 36e-6, 1e-3), (1e-4, -2e-4)),
    "one edge": ((20e-6, 10e-6, 0.0), (4.2e-3, 0.0)),
    "one edge, askew": ((-30e-6, 20e-6, 2e-3), (1e-3, 3.4e-3)),
    "crossed": ((0.0, 0.0, 0.0), (6e-3, 0.0)),
    "crossed, askew": ((10e-6, -8e-6, -1e-3), (4e-3, 4.2e-3)),
    "ends inside": ((50.5e-6, 0.0, 0.0), (1.5e-4, 0.0)),
}
every_pose = pytest.mark.parametrize("name", POSES)
MOVING = {"v": np.array((0.3, -0.2, 0.1)), "w": np.array((2.0, -3.0, 150.0))}


def pose(name: str, **motion) -> Pose:
    d, k = POSES[name]
    return Pose(d=np.array(d), h=axis(*k), **motion)


@pytest.mark.parametrize("case", REFERENCE["reference"], ids=lambda case: case["name"])
def test_the_reference_cases(case):
    """Depths to 1e-12 m, elastic push to 1e-4 of |F| and |F| L/2 (of the couple where the forces cancel)."""
    c, still = case["R_i"] - case["R_j"], Pose(d=np.array(case["d"]), h=np.array(case["axis_j"]))
    at_ends = Land(bore_radius=case["R_i"], pin_radius=case["R_j"], bore=(-0.01, 0.01))
    assert case["length"] == LENGTH and c == pytest.approx(CLEARANCE)
    assert journal().push(still).depth == pytest.approx(max(case["depth_at_ends"]), abs=1e-12)
    for z, depth in zip((-0.01, 0.01), case["depth_at_ends"], strict=True):
        assert at_ends.depth(still, z) == pytest.approx(depth, abs=1e-12)
    for damping, within, motion, names in (
        (0.0, 1e-4, {}, ("elastic_force_on_journal", "elastic_torque_about_Pj")),
        (0.1425, 3e-4, MOVING, ("force_with_damping_and_friction", "torque_with_damping_and_friction")),
    ):
        moving = Pose(d=still.d, h=still.h, **motion)
        found = journal(damping, friction=bool(motion)).push(moving)
        force, torque = (np.array(case[name]) for name in names)
        size = max(np.linalg.norm(force), np.linalg.norm(torque) / (0.5 * LENGTH))
        assert found.force == pytest.approx(force, abs=within * size)
        assert found.torque == pytest.approx(torque, abs=within * size * 0.5 * LENGTH)
        if motion:
            assert found.power == pytest.approx(case["dissipated_power"], rel=3e-4)


@every_pose
def test_a_land_is_what_numpy_says(name):
    """With 5 Gauss points a part to rounding, with 40 to 1e-4; reach by brute force; damped and with friction."""
    law, moving = line(CLEARANCE, 0.1425), pose(name, **MOVING)
    found = journal(0.1425, friction=True).push(moving)
    for points, within in ((5, 2e-9), (40, 1e-4)):
        land = Land(bore_radius=BORE, pin_radius=BORE - CLEARANCE, bore=(-0.01, 0.01), points=points)
        expected = land.push(moving, called(law), rubbing)
        size = max(np.linalg.norm(expected.force), np.linalg.norm(expected.torque) / (0.5 * LENGTH))
        assert found.force == pytest.approx(expected.force, abs=within * size)
        assert found.torque == pytest.approx(expected.torque, abs=within * size * 0.5 * LENGTH)
        assert found.power == pytest.approx(expected.power, rel=3 * within)


@every_pose
def test_the_elastic_push_is_the_gradient_of_one_energy(name):
    """−∇∫∫ f′ dδ dz to 1e-6, by NumPy, whose push the compiled one is; no torque about the pin's axis."""
    law, still = called(line(CLEARANCE)), pose(name)
    land = Land(bore_radius=BORE, pin_radius=BORE - CLEARANCE, bore=(-0.01, 0.01), points=24)
    push, (force, torque) = land.push(still, law), downhill(land, still, law)
    size = max(np.linalg.norm(force), np.linalg.norm(torque) / (0.5 * LENGTH))
    assert push.force == pytest.approx(force, abs=1e-6 * size)
    assert push.torque == pytest.approx(torque, abs=1e-6 * size * 0.5 * LENGTH)
    found = journal().push(still)
    assert abs(found.torque @ still.h) < 1e-12 * size * BORE
    assert abs(found.force @ still.h) < 1e-12 * size


@pytest.mark.parametrize("spin", [0.3, 2.0, -1.0])
def test_turning_the_pin_about_its_axis_changes_nothing(spin):
    one, other = (journal(0.1425, friction=True).push(pose("one edge, askew", **MOVING), spin=s) for s in (0.0, spin))
    assert other.force == pytest.approx(one.force, rel=1e-9)
    assert other.torque == pytest.approx(one.torque, rel=1e-9)


def test_the_rigid_tilt_limit():
    """A centred pin touches with both ends at (L/2) tan ψ + R_j/cos ψ = R_i: 4.98758 mrad."""
    limit = 4.98758e-3

    def depth(angle: float) -> float:
        return journal().push(Pose(d=np.zeros(3), h=np.array((math.sin(angle), 0.0, math.cos(angle))))).depth

    assert 0.5 * LENGTH * math.tan(limit) + (BORE - CLEARANCE) / math.cos(limit) == pytest.approx(BORE, abs=1e-10)
    assert depth(limit - 1e-8) < 0.0 < depth(limit + 1e-8)


def test_a_thin_disc_jams_by_its_ellipse():
    """Where the ellipse decides, k ⟂ e too: reach against brute force over tilts up to 0.2."""
    land = Land(bore_radius=BORE, pin_radius=BORE - 1e-4, bore=(-5e-4, 5e-4))
    thin = journal(pin_radius=BORE - 1e-4, length=1e-3)
    for k, e in itertools.product(((0.05, 0.0), (0.1, 0.15), (0.0, 0.2)), ((3e-5, 0.0), (0.0, 6e-5), (2e-5, -4e-5))):
        tilted = Pose(d=np.array((*e, 0.0)), h=axis(*k))
        expected = max(land.depth(tilted, z) for z in (-5e-4, 5e-4))
        assert thin.push(tilted).depth == pytest.approx(expected, abs=1e-12)


def test_nothing_jumps_between_the_modes():
    """Through open, edge, line and crossed: the change over a small step is of the order of the step."""
    steps = np.linspace(0.0, 1.0, 4001)
    pushes = []
    for s in steps:
        d = (52e-6 * math.cos(0.8 * s) - 60e-6 * s**2, 20e-6 * s, 0.0)
        pushes.append(journal().push(Pose(d=np.array(d), h=axis(7e-3 * s, 1e-3 * math.sin(3.0 * s)))))
    wrench = np.array([(*p.force, *(p.torque / (0.5 * LENGTH))) for p in pushes])
    change = np.abs(np.diff(wrench, axis=0)).max(axis=1)
    bend = np.abs(np.diff(wrench, n=2, axis=0)).max(axis=1)
    assert np.abs(wrench).max() > 1000.0
    assert bend.max() < 0.05 * change.max() < 0.05 * 0.02 * np.abs(wrench).max()


# ------------------------------------------------------------------------------------------------- pins that end inside
ENDING = {"pin_length": 0.016, "length": LENGTH}
PISTON = {"lands_on": "pin", "lands": ((-0.004, 0.008),), "bore_length": 0.2}


@pytest.mark.parametrize("name", ["line, tilted", "one edge, askew", "crossed, askew"])
@pytest.mark.parametrize("given", [ENDING, PISTON], ids=["pin ends in the bore", "piston in a long bore"])
def test_a_pin_that_ends_inside_keeps_its_energy(given, name):
    """The energy of the length that leaves is an axial force; without it the push is no gradient."""
    law, still = called(line(CLEARANCE)), pose(name)
    bore, pin = ((-0.01, 0.01), (-0.008, 0.008)) if given is ENDING else ((-0.1, 0.1), (-0.004, 0.008))
    deeper = {"one edge, askew": 2.0, "crossed, askew": 2.0}.get(name, 1.0)
    still = Pose(d=still.d * (deeper, deeper, 1.0), h=axis(*(deeper * np.array(POSES[name][1]))))
    land = Land(bore_radius=BORE, pin_radius=BORE - CLEARANCE, bore=bore, pin=pin, points=24)
    push, (force, torque) = land.push(still, law), downhill(land, still, law)
    size = max(np.linalg.norm(force), np.linalg.norm(torque) / (0.5 * LENGTH))
    assert size > 50.0
    assert push.force == pytest.approx(force, abs=2e-6 * size)
    assert push.torque == pytest.approx(torque, abs=2e-6 * size * 0.5 * LENGTH)
    found = journal(**given).push(still)
    assert found.force == pytest.approx(push.force, abs=1e-4 * size)
    assert found.torque == pytest.approx(push.torque, abs=1e-4 * size * 0.5 * LENGTH)
    assert abs(found.force @ still.h) > 1e-6 * size


def test_a_pin_that_has_left_its_bore_is_free():
    out = journal(pin_length=0.016, length=LENGTH)
    touching, gone = (out.push(Pose(d=np.array((55e-6, 0.0, z)), h=UP)) for z in (0.0, 0.0181))
    assert touching.depth > 0.0 and np.linalg.norm(touching.force) > 1000.0
    assert gone.depth == pytest.approx(-1e-4) and not gone.force.any()


def test_several_lands_are_several_parts():
    """A hinge with two knuckles is two lands, each what a journal of its own is."""
    both = journal(lands=((-0.03, -0.02), (0.02, 0.03)))
    tilted = Pose(d=np.zeros(3), h=axis(2e-3, 0.0))
    upper = journal(lands=((0.02, 0.03),)).push(tilted)
    pushes = both.pushes(tilted)
    assert [p.name for p in both.system.joints["J"].model.elements(both.system.joints["J"])] == ["land", "land 2"]
    assert pushes[1].force == pytest.approx(upper.force, rel=1e-12)
    assert pushes[0].force == pytest.approx(-upper.force, rel=1e-9, abs=1e-9)


# ------------------------------------------------------------------------------------------------------------- collars
COLLARS = {"axial_play": 1e-4, "collar_radius": 0.014}
AREA = 2.0 * MODULUS * 0.014 / (math.pi * (0.014**2 - BORE**2))  # default stiffness per area [N/m³]
FACES = {
    "flat": ((0.0, 0.0, 1.03e-4), (0.0, 0.0), "lower"),
    "whole ring": ((1e-5, 0.0, -1.2e-4), (8e-4, 3e-4), "upper"),
    "rim": ((0.0, 2e-5, -6e-5), (3.5e-3, 0.0), "upper"),
    "light rim": ((0.0, 2e-5, 5.3e-5), (0.0, 3.5e-3), "lower"),
}


@pytest.mark.parametrize("name", FACES)
def test_a_collar_is_what_numpy_says(name):
    """4 rings of 10 points on the touching part are 60 by 30 to 5e-5; and the gradient of an energy."""
    d, k, side = FACES[name]
    model, still = journal(**COLLARS), Pose(d=np.array(d), h=axis(*k))
    sign = 1.0 if side == "upper" else -1.0
    collar = Collar(inner=BORE, outer=0.014, face=sign * 0.01, at=sign * 0.0101, side=sign)
    push = collar.push(still, lambda delta, ddelta: AREA * delta)
    found = model.pushes(still)[1 if side == "upper" else 2]
    size = np.linalg.norm(push.force)
    assert size > 1.0 and sign * push.force[2] > 0.99 * size
    assert found.depth == pytest.approx(max(depth for _, _, depth in collar.places(still)), rel=2e-2)
    assert found.force == pytest.approx(push.force, abs=5e-5 * size)
    assert found.torque == pytest.approx(push.torque, abs=5e-5 * size * 0.014)
    force, torque = downhill(collar, still, lambda delta, ddelta: AREA * delta)
    assert push.force == pytest.approx(force, abs=1e-5 * size)
    assert push.torque == pytest.approx(torque, abs=1e-5 * size * 0.014)


def test_collars_rub_and_lose():
    """Thrust friction of a flat ring: μ N ∫ r² dr/∫ r dr."""
    model = journal(0.1425, friction=True, **COLLARS)
    d = np.array((0.0, 0.0, 1.03e-4))
    found = model.pushes(Pose(d=d, h=UP, w=np.array((0.0, 0.0, 100.0))))[2]
    lever = (2.0 / 3.0) * (0.014**3 - BORE**3) / (0.014**2 - BORE**2)
    assert found.normal == pytest.approx(AREA * 3e-6 * math.pi * (0.014**2 - BORE**2), rel=1e-9)
    assert found.torque[2] == pytest.approx(-0.1 * found.normal * lever, rel=1e-6)
    assert found.power == pytest.approx(0.1 * found.normal * lever * 100.0, rel=1e-6)
    still = model.pushes(Pose(d=d, h=UP))[2]
    closing = model.pushes(Pose(d=d, h=UP, v=np.array((0.0, 0.0, 0.5))))[2]
    assert closing.normal == pytest.approx(still.normal * (1.0 + 0.1425 * 0.5), rel=1e-9)


# -------------------------------------------------------------------------------------------------------------- slopes
@pytest.mark.parametrize("part", ["land", "collar", "pin end"])
@pytest.mark.parametrize("name", POSES)
def test_slopes_are_derivatives(name, part):
    """Slice by slice against central differences of the push: to what the quadrature leaves."""
    given = {"collar": COLLARS, "pin end": PISTON}.get(part, {})
    model, at = journal(0.1425, friction=True, **given), pose(name, **MOVING)
    k = 0
    if part == "collar":
        k, at = 1, Pose(d=at.d - (0.0, 0.0, 1.1e-4), h=at.h, v=at.v, w=at.w)
    by_position, by_velocity = model.slopes(at, k)
    for which, slopes in enumerate((by_position, by_velocity)):
        expected = np.zeros((6, 6))
        for c in range(6):
            unit = np.eye(3)[c % 3]
            step = (1e-9 if c < 3 else 1e-7) if which == 0 else (1e-5 if c < 3 else 1e-3)
            ends = []
            for sign in (1.0, -1.0):
                move = sign * step * unit
                if which == 0:
                    moved = (
                        Pose(d=at.d + move, h=at.h, v=at.v, w=at.w)
                        if c < 3
                        else Pose(d=at.d, h=turned(at.h, move), v=at.v, w=at.w)
                    )
                else:
                    moved = (
                        Pose(d=at.d, h=at.h, v=at.v + move, w=at.w)
                        if c < 3
                        else Pose(d=at.d, h=at.h, v=at.v, w=at.w + move)
                    )
                push = model.pushes(moved)[k]
                ends.append(np.array((*push.force, *push.torque)))
            expected[:, c] = (ends[0] - ends[1]) / (2.0 * step)
        lever = np.array([1.0] * 3 + [0.01] * 3)
        scaled, found = expected / np.outer(lever, lever), slopes / np.outer(lever, lever)
        if name == "crossed" and part == "pin end":
            assert np.abs(scaled).max() == pytest.approx(0.0, abs=1e-6)  # the short pin is open there
        assert found == pytest.approx(scaled, abs=1.5e-3 * np.abs(scaled).max() + 1e-6)
