"""Collars and keyed shafts at random poses and motions against a second implementation, from solid geometry alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon import laws
from journal_pushes import Journal
from reference_faces import Ring, wrench_of_keyed_shaft
from reference_journal import Pose

BORE, RIM, LENGTH, PLAY = 0.010, 0.014, 0.020, 1e-4  # [m]
K, LOSS, MU, SLOW = 5e12, 0.2, 0.1, 0.01  # [N/m³], [s/m], [-], [m/s]


def pressed(delta, ddelta):
    """k δ (1 + c δ̇) [Pa]."""
    return K * delta * (1.0 + LOSS * ddelta)


def journal(**given) -> Journal:
    return Journal(
        gd.DryJournal(
            bore_radius=BORE,
            pin_radius=BORE - 5e-5,
            length=LENGTH,
            contact=laws.PinInBore(modulus=1e11, clearance=5e-5),
            axial_play=PLAY,
            collar_radius=RIM,
            **given,
        )
    )


ELASTIC = journal(face=laws.Hertz(stiffness=K, exponent=1.0))
MOVING = journal(
    face=laws.HuntCrossley(stiffness=K, damping=LOSS / 1.5, exponent=1.0),
    friction=laws.Threlfall(coefficient=MU, velocity_tolerance=SLOW),
)


def threlfall(speed, normal_force):
    return np.array([laws.Threlfall.friction_force(v, n, (MU, SLOW)) for v, n in zip(speed, normal_force, strict=True)])


def poses(seed: int, count: int):
    """Sides and poses in which a collar of that side is pressed in by up to 4 µm at its rim, from light to whole."""
    random = np.random.default_rng(seed)
    for n in range(count):
        side = 1.0 if n % 2 else -1.0
        k = random.normal(size=2) * (0.0 if n == 0 else 10.0 ** random.uniform(-5.0, -2.7))
        h = np.array([*k, 1.0]) / np.linalg.norm([*k, 1.0])
        ring = Ring(BORE, RIM, side * 0.5 * LENGTH, side * (0.5 * LENGTH + PLAY), side)
        d = np.array([*(3e-5 * random.normal(size=2)), 0.0])
        around = np.linspace(0.0, 2.0 * np.pi, 3601)
        rim = RIM * np.stack([np.cos(around), np.sin(around)], axis=1)
        d[2] = side * (ring.depth(d, h, rim).max() - random.uniform(0.2e-6, 4e-6))
        yield side, ring, d, h, random


def test_a_collar_at_rest_is_the_gradient_of_its_energy():
    """Force and torque are differences of ½ k ∫ δ² dA over rigid motions, with δ by meeting a plane: 2e-5."""
    for side, ring, d, h, _ in poses(1, 14):
        found = ELASTIC.pushes(Pose(d=d, h=h))[1 if side > 0.0 else 2]
        force, torque = ring.elastic(d, h, K)
        size = np.linalg.norm(force)
        assert size > 0.1
        assert found.force == pytest.approx(force, abs=2e-5 * size)
        assert found.torque == pytest.approx(torque, abs=2e-5 * size * RIM)


def test_a_collar_in_motion():
    """With loss and friction: rates from motions, sliding from the velocities of both bodies.

    Along the axis 1e-4; friction 2e-3 of itself, or a tenth where it turns about a point within the face, as of lands.
    """
    for side, ring, d, h, random in poses(2, 14):
        motion = {"v": random.normal(size=3) * (0.3, 0.3, 0.02), "w": random.normal(size=3) * (3.0, 3.0, 60.0)}
        found = MOVING.pushes(Pose(d=d, h=h, **motion))[1 if side > 0.0 else 2]
        expected = ring.push(Pose(d=d, h=h, **motion), pressed, threlfall)
        size = abs(expected.force[2])
        turns_about = np.hypot(*motion["v"][:2]) / abs(motion["w"][2])  # from the axis [m]
        part = 0.1 if turns_about < 1.5 * RIM else 2e-3
        assert found.force[2] == pytest.approx(expected.force[2], rel=1e-4)
        assert found.force[:2] == pytest.approx(expected.force[:2], abs=part * MU * size)
        assert found.torque == pytest.approx(expected.torque, abs=part * MU * size * RIM + 1e-4 * size * RIM)
        assert found.power == pytest.approx(expected.power, rel=part)
        _, _, depth = ring.points(d, h)
        assert found.depth == pytest.approx(depth.max(), rel=0.05)


KEY = {"key_lever": 0.011, "key_clearance": 5e-5, "key_width": 0.006, "key_height": 0.003, "key_length": 0.03}
SHAFT = gd.DryJournal(
    bore_radius=0.0101, pin_radius=0.010, length=0.04, contact=laws.PinInBore(modulus=1e9, clearance=1e-4, damping=0.1)
)
AXIS, TOWARDS = np.array([1.0, 2.0, 2.0]) / 3.0, np.array([2.0, 1.0, -2.0]) / 3.0


def keyed(seed: int, friction) -> gd.System:
    """Hub and shaft that fly, the shaft moved and tilted in it, and turned until its key is pressed in."""
    random = np.random.default_rng(seed)
    model = gd.DryKeyedShaft(
        shaft=SHAFT,
        key_contact=laws.HuntCrossley(stiffness=5e11, damping=0.1, exponent=1.0),
        key_friction=friction,
        key_towards=tuple(TOWARDS),
        **KEY,
    )
    right = np.cross(AXIS, TOWARDS)
    across = np.stack([right, TOWARDS])
    angle, side = random.uniform(0.0, 2.0 * np.pi), random.choice([-1.0, 1.0])
    moved = random.uniform(0.3, 1.03) * 1e-4 * (np.array([np.cos(angle), np.sin(angle)]) @ across)
    pressed_in = random.uniform(3e-6, 2e-5)  # the outer edge of one flank
    top = KEY["key_lever"] + 0.5 * KEY["key_height"]
    roll = side * (KEY["key_clearance"] - side * moved @ right + pressed_in) / top
    turn = roll * AXIS + (2e-4 * random.normal(size=2)) @ across
    hub = Rotation.random(random_state=seed)
    at, base = np.array([0.05, -0.02, 0.03]), random.normal(size=3)
    fly, spin = random.normal(size=3), random.normal(size=3) * 5.0
    shaft = hub * Rotation.from_rotvec(turn)
    arm = hub.apply(moved + 0.004 * random.normal() * AXIS)
    rate, turning = 0.05 * random.normal(size=3), np.array([3.0, 1.0, 1.0]) * random.normal(size=3)
    part = gd.Body(mass=0.5, inertia=(1e-4, 1e-4, 1e-4))

    def state(pose, position, velocity, omega):
        x, y, z, w = pose.as_quat()
        return gd.BodyState(position=position, orientation=(w, x, y, z), velocity=velocity, angular_velocity=omega)

    # both bodies are described at the origin, the joint at `at`
    point = base + hub.apply(at)
    place = point + arm - shaft.apply(at)
    omega = spin + turning
    velocity = fly + np.cross(spin, point + arm - base) + rate - np.cross(omega, shaft.apply(at))
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"hub": part, "shaft": part},
        joints={"J": gd.Prismatic("hub", "shaft", at=tuple(at), axis=tuple(AXIS), model=model)},
        start={"hub": state(hub, base, fly, spin), "shaft": state(shaft, place, velocity, omega)},
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("friction", [None, laws.Threlfall(coefficient=0.1, velocity_tolerance=0.01)], ids=["", "rubs"])
def test_a_keyed_shaft(seed, friction):
    """Lands and flanks together, hub and shaft in motion: force, torque, energy; 1e-3 of the sum of what pushes."""
    system = keyed(seed, friction)
    result = gd.simulate(system, 1e-9, solver=gd.Explicit(), sample=1e-9)
    data = result.data.isel(time=0).sel(joint="J")
    expected = wrench_of_keyed_shaft(system, result.state(0), TOWARDS)
    size = np.linalg.norm(expected.force) + sum(expected.normal.values())
    assert size > 1.0 and max(expected.normal.values()) > 0.1
    assert data.reaction_force.values == pytest.approx(expected.force, abs=1e-3 * size)
    assert data.reaction_torque.values == pytest.approx(expected.torque, abs=1e-3 * size * 0.02)
    assert float(data.stored_energy) == pytest.approx(expected.stored, rel=2e-3)
    for flank, normal in expected.normal.items():
        assert float(data.sel(part=f"J:{flank}").contact_force) == pytest.approx(normal, abs=1e-3 * size)
