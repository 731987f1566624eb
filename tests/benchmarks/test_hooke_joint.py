"""Hooke's joint: two shafts at an angle β, coupled by a universal joint, the first at constant speed.

    tan θ₂ = tan θ₁/cos β,    ω₂ = ω₁ cos β/(1 − sin²β cos²θ₁),
    ω̇₂ = −ω₁² cos β sin²β sin 2θ₁/(1 − sin²β cos²θ₁)²,

θ₁ = 0 where the cross axis of the driving shaft lies in the plane of both shafts (C. E. Wilson, J. P.
Sadler, Kinematics and Dynamics of Machinery).
"""

import numpy as np
import pytest

import gudgeon as gd

BETA = np.pi / 6  # [rad]
SPEED = 2.0  # ω₁ [rad/s]
SPIN = (0.02, 0.03)  # moments of inertia about the shafts [kg·m²]
TIMES = np.linspace(0.0, 4.0, 161)  # [s]; 8 rad, more than one turn
# θ₁, θ₂ in degrees and ω₂/ω₁, made with the formulas above and printed for the record.
TABLE = (
    (0, 0.0, 1.1547005383792517),
    (15, 17.192123734020974, 1.1294802613871204),
    (30, 33.690067525979785, 1.0658774200423862),
    (45, 49.10660535086909, 0.9897433186107871),
    (60, 63.43494882292201, 0.9237604307034013),
    (75, 76.93568657049171, 0.8807755981746853),
)
OUT = np.array([np.cos(BETA), np.sin(BETA), 0.0])  # direction of the driven shaft; the driving one is along x


def hooke() -> gd.System:
    """Shafts 0.3 m to both sides of the joint at the origin; the driven one has its body x axis along it."""
    return gd.System(
        name="Hooke's joint",
        gravity=(0, 0, 0),
        bodies={
            "in": gd.Body(mass=1.0, inertia=(SPIN[0], 0.05, 0.05), position=(-0.3, 0, 0)),
            "out": gd.Body(
                mass=1.0,
                inertia=(SPIN[1], 0.05, 0.05),
                position=0.3 * OUT,
                orientation=(np.cos(BETA / 2), 0, 0, np.sin(BETA / 2)),
            ),
        },
        joints={
            "first bearing": gd.Revolute("ground", "in", at=(-0.4, 0, 0), axis=(1, 0, 0)),
            "second bearing": gd.Revolute("ground", "out", at=0.4 * OUT, axis=OUT),
            "cross": gd.Universal("in", "out", at=(0, 0, 0), axis_parent=(0, 1, 0), axis_child=(0, 0, 1)),
        },
        drives={"motor": gd.Drive("first bearing", f"{SPEED}*t")},
    )


def closed_form(theta):
    """θ₂ (over full turns), ω₂ and ω̇₂ where the first shaft is at θ₁ = theta."""
    turn = np.arctan2(np.sin(theta), np.cos(BETA) * np.cos(theta))
    room = 1 - np.sin(BETA) ** 2 * np.cos(theta) ** 2
    ratio = np.cos(BETA) / room
    slope = -np.cos(BETA) * np.sin(BETA) ** 2 * np.sin(2 * theta) / room**2
    return np.unwrap(turn), SPEED * ratio, SPEED**2 * slope


@pytest.fixture(scope="module")
def run():
    solver = gd.Explicit(rtol=1e-10, atol=1e-12)
    return gd.simulate(hooke(), TIMES[-1], solver=solver, sample=TIMES).data


def test_closed_form_gives_the_table():
    first, second, ratio = np.array(TABLE).T
    turn, speed, _ = closed_form(np.radians(first))
    assert np.degrees(turn) == pytest.approx(second, abs=1e-12)
    assert speed / SPEED == pytest.approx(ratio, abs=1e-14)


def test_the_cross_takes_one_freedom_the_drive_the_other():
    assembly = gd.assemble(hooke())
    assert (assembly.degrees_of_freedom, assembly.redundant_rows) == (0, 3)
    assert gd.assemble(hooke().replace(drives={})).degrees_of_freedom == 1


def test_driven_shaft(run):
    turn, speed, acceleration = closed_form(SPEED * TIMES)
    q = run["orientation"].sel(body="out").values  # β about z, then the turn about the body's x axis
    c, s = np.cos(BETA / 2), np.sin(BETA / 2)
    found = 2 * np.arctan2(q[:, 1] * c + q[:, 2] * s, q[:, 0] * c + q[:, 3] * s)
    assert np.unwrap(found) == pytest.approx(turn, abs=1e-8)
    assert run["angular_velocity"].sel(body="out").values == pytest.approx(np.outer(speed, OUT), abs=1e-8)
    found = run["angular_acceleration"].sel(body="out").values
    assert found == pytest.approx(np.outer(acceleration, OUT), abs=1e-7)


def test_energy_is_that_of_two_shafts(run):
    _, speed, _ = closed_form(SPEED * TIMES)
    expected = (SPIN[0] * SPEED**2 + SPIN[1] * speed**2) / 2
    assert run["kinetic_energy"].values == pytest.approx(expected, abs=1e-9)
