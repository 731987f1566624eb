"""Small motions about states in motion of pins and boxes in oil, which slide without end along their axis."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd

LENGTH, SIDE, PLAY, VISCOSITY, MASS, SPEED = 0.05, 0.02, 2e-5, 0.06, 1.2, 0.8  # [m, m, m, Pa·s, kg, m/s]
BOX = gd.LubricatedBox(length=LENGTH, width=SIDE, height=SIDE, clearance=PLAY, viscosity=VISCOSITY)
PIN = gd.LubricatedJournal(bore_radius=0.01, pin_radius=0.01 - PLAY, length=0.02, viscosity=VISCOSITY)
OTHERS = {
    "box": gd.Prismatic("ground", "part", at=(0, 0, 0), axis=(1, 0, 0), model=BOX),
    "pin": gd.Cylindrical("ground", "part", at=(0, 0, 0), axis=(1, 0, 0), model=PIN),
}


def sliding(joint: gd.Joint, place: float, off: float = 0.0, spin: float = 0.0, speed: float = SPEED) -> gd.System:
    """A part that has slid to `place`, its centre off the middle by `off`, both along the guide's y."""
    state = gd.BodyState(
        position=(place, off, 0), orientation=(1, 0, 0, 0), velocity=(speed, 0, 0), angular_velocity=(spin, 0, 0)
    )
    body = gd.Body(mass=MASS, inertia=(1e-3, 1e-3, 1e-3))
    return gd.System(gravity=(0, 0, 0), bodies={"part": body}, joints={"J": joint}, start={"part": state})


def test_far_along_its_guide_a_box_is_as_at_home():
    """The guide has no ends: where the box, with its pads, is along it changes nothing."""
    home, away = (gd.linearize(sliding(OTHERS["box"], place, 0.4 * PLAY)) for place in (0.0, 0.3))
    for name in ("damping", "stiffness"):
        one, other = getattr(home, name), getattr(away, name)
        assert other == pytest.approx(one, rel=1e-6, abs=1e-9 * np.abs(one).max())


@pytest.mark.parametrize("speed", [0.0, SPEED])
def test_a_pin_is_damped_where_its_bore_is(speed):
    """A pin that has slid by s through its bore: D = Tᵀ D₀ T, T its motion at the bore, where it is damped by D₀."""
    slid, spin, free = 0.3, 30.0, tuple(f"part.{c}" for c in ("x", "y", "z", "rx", "ry", "rz"))
    home, away = (
        gd.linearize(sliding(OTHERS["pin"], place, 0.4 * PLAY, spin, speed=speed), coordinates=free)
        for place in (0.0, slid)
    )
    T = np.eye(6)
    T[1, 5], T[2, 4] = -slid, slid  # v + ω × (−s, 0, 0)
    expected = T.T @ home.damping @ T
    assert away.damping == pytest.approx(expected, rel=1e-5, abs=1e-7 * np.abs(expected).max())
    size = np.abs(home.damping[1:3, 1:3]).max()
    assert size > VISCOSITY * 0.01 * 0.02**3 / PLAY**3  # μ R L³/c³ of a centred short film is its scale


def test_shear_brakes_a_sliding_box():
    """Rate μ A (2/c + 1/(c − y) + 1/(c + y))/m of one pair of walls centred, the other off by y; A of one face."""
    off = 0.4 * PLAY
    found = gd.linearize(sliding(OTHERS["box"], 0.3, off)).damping[0, 0]
    face = LENGTH * SIDE
    assert found == pytest.approx(VISCOSITY * face * (2.0 / PLAY + 1.0 / (PLAY - off) + 1.0 / (PLAY + off)), rel=1e-6)


def test_a_run_of_a_sliding_box_is_linearised_anywhere():
    """Under its weight, which a tilting box carries while it slides: every sample has its small motion."""
    system = sliding(OTHERS["box"], 0.0).replace(gravity=(0, -9.81, 0))
    result = gd.simulate(system, 0.02, sample=5e-3)
    shear = [gd.linearize(result, at=at).damping[0, 0] for at in range(len(result.data.time))]
    assert shear == pytest.approx([4.0 * VISCOSITY * LENGTH * SIDE / PLAY] * len(shear), rel=1e-2)
