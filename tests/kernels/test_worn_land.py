"""The land of a worn journal: against brute force, against the line law of a liner, passive, continuous."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.kernels.dynamics import arrays
from journal_element import OneElement
from reference_worn_journal import WornPin

R_I, R_J, L, K, MU = 0.010, 0.00995, 0.020, 2e13, 0.15
COULOMB = gd.laws.Threlfall(coefficient=MU, velocity_tolerance=1e-2)
ELASTIC = gd.laws.Hertz(stiffness=K, exponent=1.0)
N = 72


def groove(rng, depth: float) -> np.ndarray:
    """A smooth profile, not negative."""
    angles = np.linspace(0.0, 2.0 * np.pi, N, endpoint=False)
    waves = sum(rng.normal() * np.cos(m * angles + rng.uniform(0.0, 6.0)) / m for m in range(1, 6))
    return depth * np.maximum(waves - waves.min(), 0.0) / np.ptp(waves)


def worn_journal(seed: int = 0, **given) -> gd.WornJournal:
    rng = np.random.default_rng(seed)
    rows = 1 if given.get("planar") else 3
    bore, pin = (np.array([groove(rng, depth) for _ in range(rows)]) for depth in (30e-6, 15e-6))
    made = {"bore_wear": bore, "pin_wear": pin, "contact": ELASTIC, "slices": 3, **given}
    return gd.WornJournal(bore_radius=R_I, pin_radius=R_J, length=L, **made)


def element(model: gd.WornJournal) -> OneElement:
    found = OneElement(model, joint=gd.Revolute)
    found.work.contact[:, arrays.MODE] = arrays.TOUCHING
    found.work.contact[:, arrays.IMPACT_SPEED] = 0.3
    return found


def reference(model: gd.WornJournal, **given) -> WornPin:
    return WornPin(R_I, R_J, K, model.slice_places, np.array(model.bore_wear), np.array(model.pin_wear), **given)


POSES = [
    ((6.5e-5, 2e-5, 0.0), (0.0, 0.0, 0.7)),
    ((-3e-5, 7e-5, 1e-5), (1e-3, -2e-3, 2.9)),
    ((-5e-5, -6e-5, 0.0), (-3e-3, 1e-3, -1.2)),
]


@pytest.fixture(params=[True, False], ids=["planar", "tilted"])
def planar(request) -> bool:
    return request.param


def placed(pose, planar: bool) -> tuple[np.ndarray, np.ndarray]:
    d, turn = np.array(pose[0]), np.array(pose[1])
    if planar:
        d[2], turn[:2] = 0.0, 0.0
    return d, turn


@pytest.mark.parametrize("pose", POSES)
def test_elastic_wrench_is_the_gradient_of_the_energy_by_brute_force(pose, planar):
    d, turn = placed(pose, planar)
    model = worn_journal(planar=planar)
    force, torque, power = element(model).wrench(d, np.zeros(3), np.zeros(3), turn=turn)
    wanted, moment = reference(model).wrench(d, turn)
    if planar:  # across the axis, and about it
        wanted[2], moment[:2] = 0.0, 0.0
    scale = np.linalg.norm(wanted)
    assert scale > 100.0
    assert np.abs(force - wanted).max() < 1e-6 * scale
    assert np.abs(torque - moment).max() < 1e-6 * scale * R_I
    assert np.abs(moment[2]) > 1e-4 * scale * R_I  # a worn pin is not round
    assert power == 0.0


@pytest.mark.parametrize("pose", POSES)
def test_friction_by_brute_force(pose, planar):
    d, turn = placed(pose, planar)
    v, w = np.array([0.02, -0.03, 0.0]), np.array([0.0, 0.0, 40.0])
    if not planar:
        w[:2] = 1.5, -0.7
    kept = {"planar": planar}
    rough, smooth = (worn_journal(friction=law, **kept) for law in (COULOMB, None))
    found = element(rough).wrench(d, v, w, turn=turn)
    elastic = element(smooth).wrench(d, v, w, turn=turn)
    force, torque, power = reference(rough, mu=MU).friction(d, turn, v, w)
    if planar:
        force[2], torque[:2] = 0.0, 0.0
    scale = np.linalg.norm(force)
    assert scale > 10.0
    assert np.abs(found[0] - elastic[0] - force).max() < 1e-6 * scale
    assert np.abs(found[1] - elastic[1] - torque).max() < 1e-6 * scale * R_I
    assert found[2] == pytest.approx(power, rel=1e-6)


def test_unworn_it_is_the_line_law_of_a_liner():
    thickness, modulus, poisson = 0.5e-3, 0.5e9, 0.46
    layer = {"thickness": thickness, "youngs_modulus": modulus, "poissons_ratio": poisson}
    law = gd.laws.Liner(radius=R_I, clearance=R_I - R_J, **layer)
    pressure = gd.laws.Hertz(stiffness=gd.laws.elastic_layer(**layer), exponent=1.0)
    found = element(gd.WornJournal(bore_radius=R_I, pin_radius=R_J, length=L, planar=True, contact=pressure))
    for depth in (1e-9, 1e-7, 5e-6, 60e-6):
        e = R_I - R_J + depth
        for angle in (0.0, 0.1, 2.0):
            d = e * np.array([np.cos(angle), np.sin(angle), 0.0])
            force, torque, _ = found.wrench(d, np.zeros(3), np.zeros(3))
            wanted = L * law.line_force(depth, 0.0, 1.0, law.parameters)
            assert np.linalg.norm(force) == pytest.approx(wanted, rel=1e-7 if depth < 1e-8 else 1e-8)
            assert np.dot(force, d) < 0.0 and np.abs(np.cross(force, d)).max() < 1e-12 * wanted
            assert np.abs(torque).max() < 1e-12 * wanted


@pytest.mark.parametrize("pose", POSES)
def test_power_is_what_energy_does_not_keep(pose, planar):
    """−(F·v + M·w) = U̇ + power, with damping and friction; and power is never negative."""
    d, turn = placed(pose, planar)
    damped = gd.laws.HuntCrossley(stiffness=K, damping=0.5, exponent=1.0)
    model = worn_journal(contact=damped, friction=COULOMB, planar=planar)
    found, energy = element(model), reference(model).wrench(d, turn)
    rng = np.random.default_rng(3)
    for _ in range(5):
        v, w = rng.normal(size=3) * 0.3, rng.normal(size=3) * (3.0, 3.0, 60.0)
        force, torque, power = found.wrench(d, v, w, turn=turn)
        if planar:
            v[2], w[:2] = 0.0, 0.0
        rising = -(energy[0] @ v + energy[1] @ w)
        assert power > 0.0
        assert -(force @ v + torque @ w) == pytest.approx(rising + power, rel=1e-5, abs=1e-5 * abs(rising))


@pytest.mark.parametrize("pose", POSES)
def test_depth_is_the_deepest_of_all_angles_and_its_rate_that_of_the_motion(pose, planar):
    d, turn = placed(pose, planar)
    model = worn_journal(planar=planar)
    found, known = element(model), reference(model)
    for far in (0.3, 0.99, 1.0):
        depth, rate = found.depth(far * d, (0.1, -0.2, 0.0), (0.0, 0.0, 30.0), turn=turn)
        brute = max(x.max() for x, *_ in known.depths(far * d, turn))
        assert depth == pytest.approx(brute, abs=5e-13)  # as fine as the sum over angles
        step = 1e-7  # s
        ahead, behind = (
            found.depth(
                far * d + s * step * np.array([0.1, -0.2, 0.0]),
                np.zeros(3),
                np.zeros(3),
                turn=turn,
                further=(0.0, 0.0, s * step * 30.0),
            )[0]
            for s in (1.0, -1.0)
        )
        assert rate == pytest.approx((ahead - behind) / (2.0 * step), rel=1e-6, abs=1e-7)


def test_force_goes_smoothly_around_and_through_the_onset_of_contact():
    """Along a circle through open and touching angles neither force nor its slope jumps."""
    found = element(worn_journal(planar=True))
    angles = np.linspace(0.0, 2.0 * np.pi, 4001)
    forces = np.array(
        [found.wrench((68e-6 * np.cos(a), 68e-6 * np.sin(a), 0.0), np.zeros(3), np.zeros(3))[0][:2] for a in angles]
    )
    size = np.linalg.norm(forces, axis=1)
    assert 0.1 < np.mean(size > 0.0) < 0.9
    steps, bends = np.abs(np.diff(forces, axis=0)).max(axis=1), np.abs(np.diff(forces, 2, axis=0)).max(axis=1)
    assert steps.max() < 1e-2 * size.max()
    pressed = size[1:-1] > 0.05 * size.max()  # where contact begins the force is like δ^1.5
    assert bends[pressed].max() < 3e-4 * size.max()


@pytest.mark.parametrize("carrier", ["child", "parent"])
def test_either_body_may_have_the_bore(carrier):
    """Turned round, the joint pushes with the same wrench the other way."""
    model = worn_journal(pin_on=carrier)
    d, turn = np.array([6.5e-5, 2e-5, 0.0]), np.array([0.0, 0.0, 0.7])
    force, torque, _ = element(worn_journal()).wrench(d, np.zeros(3), np.zeros(3), turn=turn)
    body = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    names = ("bearing", "pin") if carrier == "child" else ("pin", "bearing")
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"bearing": body, "pin": body},
        joints={"J": gd.Revolute(*names, at=(0, 0, 0), model=model)},
        start={
            "bearing": gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0)),
            "pin": gd.BodyState(position=d, orientation=(np.cos(0.35), 0.0, 0.0, np.sin(0.35))),
        },
    )
    data = gd.simulate(system, 1e-9, sample=1e-9).data.isel(time=0).sel(joint="J")
    sign, moment = 1.0, torque
    if carrier == "parent":  # on the bearing, about its own point
        sign, moment = -1.0, -torque - np.cross(d, force)
    assert np.allclose(data.reaction_force[:2], sign * force[:2], rtol=1e-9)
    assert float(data.reaction_torque[2]) == pytest.approx(moment[2], rel=1e-6)
