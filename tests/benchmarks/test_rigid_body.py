"""Free tops, spherical and conical pendulum against closed forms."""

import numpy as np
import pytest

import gudgeon as gd
from references import load

REFERENCE = load("rigid_body_analytic")
TIGHT = gd.Explicit(rtol=1e-11, atol=1e-13)


def rotation(quaternion):
    """R_WB of unit quaternions (…, 4), by the columns of the rotated basis."""
    e0, e1, e2, e3 = np.moveaxis(quaternion, -1, 0)
    rows = [
        [e0**2 + e1**2 - e2**2 - e3**2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
        [2 * (e1 * e2 + e0 * e3), e0**2 - e1**2 + e2**2 - e3**2, 2 * (e2 * e3 - e0 * e1)],
        [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0**2 - e1**2 - e2**2 + e3**2],
    ]
    return np.moveaxis(np.array([[np.asarray(x) for x in row] for row in rows]), (0, 1), (-2, -1))


def free_body(inertia, omega) -> gd.System:
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"top": gd.Body(mass=1.0, inertia=inertia, angular_velocity=omega)},
        joints={"free": gd.Free("ground", "top")},
    )


def test_intermediate_axis_flip():
    """Body components of ω of the torque-free asymmetric top (Euler's equations)."""
    p = REFERENCE["parameters"]["asym"]
    expected = np.array(REFERENCE["reference"]["asym_samples"])
    result = gd.simulate(free_body(p["I"], p["w0"]), 20.0, sample=expected[:, 0], solver=TIGHT)
    top = result.data.sel(body="top")
    body_omega = np.einsum("tji,tj->ti", rotation(top.orientation.values), top.angular_velocity.values)
    assert np.abs(body_omega - expected[:, 1:]).max() < 1e-8


def test_symmetric_top_precesses():
    """Space precession |L|/I1, body precession (I3 − I1)/I1 ω3, constant nutation angle."""
    top = REFERENCE["reference"]["symmetric_top"]
    inertia, omega = (top["I1"], top["I1"], top["I3"]), np.array(top["w0"])
    result = gd.simulate(free_body(inertia, omega), 10.0, sample=0.01, solver=TIGHT)
    momentum = np.array(inertia) * omega
    time = result.data.time.values
    R = rotation(result.data.orientation.sel(body="top").values)
    along = momentum / np.linalg.norm(momentum)
    axis = R[:, :, 2]
    assert np.abs(axis @ along - np.cos(top["nutation"])).max() < 1e-9
    across = axis - np.outer(axis @ along, along)
    first, second = across[0], np.cross(along, across[0])
    angle = np.unwrap(np.arctan2(across @ second, across @ first))
    assert np.polyfit(time, angle, 1)[0] == pytest.approx(top["space_precession"], rel=1e-9)
    body_omega = np.einsum("tji,tj->ti", R, result.data.angular_velocity.sel(body="top").values)
    turn = np.unwrap(np.arctan2(body_omega[:, 1], body_omega[:, 0]))
    assert np.polyfit(time, turn, 1)[0] == pytest.approx(top["body_precession"], rel=1e-9)


def spherical_pendulum(start, velocity) -> gd.System:
    """A bob of small inertia on a spherical joint; gravity scaled so that it swings as a point mass."""
    inertia = 1e-7
    position = np.array(start)
    omega = np.cross(position, velocity) / (position @ position)
    return gd.System(
        gravity=(0, 0, -9.81 * (1.0 + inertia)),
        bodies={"bob": gd.Body(1.0, (inertia,) * 3, start, velocity=velocity, angular_velocity=omega)},
        joints={"pivot": gd.Spherical("ground", "bob", at=(0, 0, 0))},
    )


def test_spherical_pendulum():
    p = REFERENCE["parameters"]["sphpend"]
    expected = np.array(REFERENCE["reference"]["spherical_pendulum_xyz"])
    start = np.array(p["start_xyz"])
    system = spherical_pendulum(start, (0.0, p["phidot0"] * start[0], 0.0))
    result = gd.simulate(system, 10.0, sample=expected[:, 0], solver=TIGHT)
    assert np.abs(result.data.position.sel(body="bob").values - expected[:, 1:]).max() < 1e-6
    fine = gd.simulate(system, 2.0, sample=1e-3, solver=TIGHT)
    smallest = np.arccos(-fine.data.position.sel(body="bob", axis="z").values.min())
    assert smallest == pytest.approx(REFERENCE["reference"]["spherical_pendulum_theta_min"], abs=1e-5)


def test_conical_pendulum_turns_steadily():
    p = REFERENCE["reference"]["conical"]
    start = np.array([np.sin(p["theta"]), 0.0, -np.cos(p["theta"])])
    result = gd.simulate(spherical_pendulum(start, (0.0, p["omega"] * start[0], 0.0)), 5.0, sample=0.1, solver=TIGHT)
    bob = result.data.position.sel(body="bob").values
    angle = p["omega"] * result.data.time.values
    expected = np.column_stack([start[0] * np.cos(angle), start[0] * np.sin(angle), np.full_like(angle, start[2])])
    assert np.abs(bob - expected).max() < 1e-6
