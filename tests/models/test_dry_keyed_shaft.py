"""A round shaft with a key: its flanks against closed forms, its lands those of a journal, one energy for all."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon import laws

RADIUS, PLAY, LENGTH = 0.010, 1e-4, 0.04  # [m]
LEVER, KEY_PLAY, WIDTH, HEIGHT, KEY = 0.011, 5e-5, 0.006, 0.003, 0.03  # [m]
K = 5e11  # of the flanks [N/m³]
STILL = (0.0, 0.0, 0.0)
LINE = laws.PinInBore(modulus=1e9, clearance=PLAY)
SHAFT = gd.DryJournal(bore_radius=RADIUS + PLAY, pin_radius=RADIUS, length=LENGTH, contact=LINE)
UP = (0.0, 0.0, 1.0)


def keyed(**changes: Any) -> gd.DryKeyedShaft:
    key: dict[str, Any] = {
        "shaft": SHAFT,
        "key_lever": LEVER,
        "key_clearance": KEY_PLAY,
        "key_width": WIDTH,
        "key_height": HEIGHT,
        "key_length": KEY,
        "key_contact": laws.Hertz(stiffness=K, exponent=1.0),
        "key_towards": UP,
    }
    return gd.DryKeyedShaft(**key | changes)


def sliding(model: Any, *, at=STILL, turn=STILL, kind: Any = gd.Prismatic, **more: Any) -> gd.System:
    q = Rotation.from_rotvec(turn).as_quat()
    return gd.System(
        gravity=STILL,
        bodies={"shaft": gd.Body(mass=0.3, inertia=(2e-5, 6e-5, 6e-5))},
        joints={"J": kind("ground", "shaft", at=STILL, axis=(1, 0, 0), model=model)},
        start={"shaft": gd.BodyState(position=at, orientation=(q[3], *q[:3]))},
        **more,
    )


def at_start(system: gd.System) -> Any:
    result = gd.simulate(system, 1e-9, solver=gd.Explicit(), sample=1e-9)
    return result.data.isel(time=0).sel(joint="J")


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_the_key_takes_the_torque(sense):
    """Turned by φ a flank is pressed in by δ(ρ) = ρ sin φ + ½ w cos φ − ½ w − c: force and torque of k L δ dρ."""
    phi = 5.5e-3
    depth = np.polynomial.Polynomial([0.5 * WIDTH * (np.cos(phi) - 1.0) - KEY_PLAY, np.sin(phi)])
    lever = np.polynomial.Polynomial([-0.5 * WIDTH * np.sin(phi), np.cos(phi)])
    ends = np.array([LEVER - 0.5 * HEIGHT, LEVER + 0.5 * HEIGHT])
    assert np.all(depth(ends) > 0.0)
    force, torque = (float(np.diff(K * KEY * (depth * x).integ()(ends))[0]) for x in (1.0, lever))
    data = at_start(sliding(keyed(), turn=(sense * phi, 0.0, 0.0)))
    assert data.reaction_torque.values == pytest.approx((-sense * torque, 0.0, 0.0), rel=1e-9, abs=1e-9 * torque)
    assert data.reaction_force.values == pytest.approx((0.0, sense * force, 0.0), rel=1e-9, abs=1e-9 * force)
    touched, other = ("right", "left") if sense > 0.0 else ("left", "right")
    assert float(data.sel(part=f"J:{touched} flank").contact_force) == pytest.approx(force, rel=1e-9)
    assert float(data.sel(part=f"J:{other} flank").contact_force) == 0.0


def test_it_turns_freely_within_the_play():
    data = at_start(sliding(keyed(), turn=(0.95 * KEY_PLAY / (LEVER + 0.5 * HEIGHT), 0.0, 0.0)))
    assert not np.any(data.reaction_torque.values) and not data.contact


def test_its_lands_are_those_of_a_journal():
    """Moved and tilted, but not turned: what a Cylindrical with the same shaft does."""
    pose = {"at": (0.01, 0.1 * PLAY, -0.99 * PLAY), "turn": (0.0, 1e-3, 5e-4)}
    one, other = (
        at_start(sliding(model, kind=kind, **pose))
        for model, kind in ((keyed(), gd.Prismatic), (SHAFT, gd.Cylindrical))
    )
    assert np.abs(other.reaction_force).max() > 1.0
    assert one.reaction_force.values == pytest.approx(other.reaction_force.values, rel=1e-9, abs=1e-9)
    assert one.reaction_torque.values == pytest.approx(other.reaction_torque.values, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize(
    "change", [{}, {"slot_length": 0.02}, {"shaft": replace(SHAFT, pin_on="parent")}], ids=["key", "short slot", "hub"]
)
def test_the_force_is_the_gradient_of_an_energy(change):
    """A shaft that touches with its land and a flank at once."""
    at, turn = np.array((0.003, 0.2 * PLAY, -0.98 * PLAY)), np.array((4.6e-3, 1.5e-3, 1e-3))
    model = keyed(**change)

    def energy(shift, angle):
        moved = Rotation.from_rotvec(angle) * Rotation.from_rotvec(turn)
        return float(at_start(sliding(model, at=at + shift, turn=moved.as_rotvec())).stored_energy)

    data, found = at_start(sliding(model, at=at, turn=turn)), []
    for c, h in [(c, 1e-8) for c in range(3)] + [(c, 2e-7) for c in range(3)]:
        step = h * np.eye(3)[c]
        pair = [(s * step, STILL) if h < 1e-7 else (STILL, s * step) for s in (1.0, -1.0)]
        found.append(-(energy(*pair[0]) - energy(*pair[1])) / (2.0 * h))
    size = float(np.nansum(data.contact_force.values))
    assert np.count_nonzero(data.contact_force.values) == 2
    assert data.reaction_force.values == pytest.approx(np.array(found[:3]), abs=6e-5 * size)  # of five slices of a land
    assert data.reaction_torque.values == pytest.approx(np.array(found[3:]), abs=6e-5 * size * 0.5 * LENGTH)


def test_at_rest_under_a_torque():
    """A torque T on the shaft: N at a flank and N at the bore balance, T = N × their distance from each other."""
    torque = 2.0
    damped = laws.HuntCrossley(stiffness=K, damping=0.5, exponent=1.0)
    held = gd.JointSpring("J", stiffness=1e5)  # along the axis nothing else does
    loads = {"twist": gd.Torque("shaft", (torque, 0.0, 0.0)), "held": held}
    found = gd.equilibrium(sliding(keyed(key_contact=damped), loads=loads).replace(start={})).system
    data = gd.simulate(found, 1e-9, solver=gd.Explicit(), sample=1e-9).data.isel(time=0).sel(joint="J")
    flank, land = (float(data.contact_force.sel(part=f"J:{part}")) for part in ("right flank", "land"))
    assert data.reaction_torque.values[0] == pytest.approx(-torque, rel=1e-6)
    assert flank == pytest.approx(land, rel=1e-3)
    assert LEVER - 0.5 * HEIGHT < torque / flank < LEVER + 0.5 * HEIGHT


def test_pickles():
    system = sliding(keyed())
    assert pickle.loads(pickle.dumps(system)) == system


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"shaft": gd.Ideal()}, "DryKeyedShaft: shaft is a Ideal; give a gd.DryJournal, the pin in its bore"),
        (
            {"shaft": replace(SHAFT, axial_play=1e-4, collar_radius=0.02)},
            "DryKeyedShaft: its shaft has axial_play=0.0001, but collars would end its slide; leave it out",
        ),
        ({"key_clearance": 0.0}, "DryKeyedShaft: key_clearance is 0 m; it must be positive"),
        (
            {"key_lever": 0.1},
            "DryKeyedShaft: key_lever is 0.1 m, the bore's radius 0.0101 m; the key sits on the shaft",
        ),
        ({"key_lever": 0.001}, "DryKeyedShaft: key_lever is 0.001 m, key_height 0.003 m; the key would reach over the"),
        ({"key_contact": "hard"}, "DryKeyedShaft: key_contact is 'hard'; give a ContactLaw of gd.laws"),
    ],
)
def test_mistakes(wrong, says):
    with pytest.raises(gd.ModelError) as mistake:
        keyed(**wrong)
    assert says in str(mistake.value)


def test_a_key_along_the_axis():
    with pytest.raises(
        gd.ModelError, match="key_towards of its DryKeyedShaft and axis enclose 45 degrees; the key must"
    ):
        sliding(keyed(key_towards=(1, 0, 1)))
