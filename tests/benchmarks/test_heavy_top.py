"""The heavy symmetric (Lagrange) top on a ball joint: steady precession and nutation in closed form.

I₁ about the pivot across the axis, I₃ along it, centre of mass at l, spin ω₃ (constant), u = cos θ. Steady
precession:

    I₁ cos θ Ω² − I₃ ω₃ Ω + m g l = 0.

Released at rest on its axis (θ̇ = φ̇ = 0 at u₀), with a = I₃ω₃/I₁ and b = 2mgl/I₁:

    u̇² = (1 − u²) b (u₀ − u) − a² (u₀ − u)² = b (u − u₀)(u − u₁)(u − u₃),    u₁ ≤ u ≤ u₀ < 1 < u₃,
    u = u₁ + (u₀ − u₁) cd²(½ √(b (u₃ − u₁)) t | k²),   k² = (u₀ − u₁)/(u₃ − u₁),   φ̇ = a (u₀ − u)/(1 − u²)

(H. Goldstein, Classical Mechanics, section on the heavy symmetrical top; L. D. Landau, E. M. Lifshitz,
Mechanics, § 35).
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj

import gudgeon as gd

M, ARM, G = 2.0, 0.12, 9.81  # [kg], l [m], [m/s²] along −z
ACROSS, ALONG = 0.006, 0.004  # moments of inertia at the centre of mass [kg·m²]
I1, I3 = ACROSS + M * ARM**2, ALONG
THETA = 0.9  # angle of the axis to the vertical at the start [rad]


def top(*, spin: float, precession: float) -> gd.System:
    """Its axis in the xz plane at THETA, with spin ω₃ along the axis and the axis turning about z."""
    axis = np.array([np.sin(THETA), 0.0, np.cos(THETA)])
    omega = precession * np.array([0, 0, 1.0]) + (spin - precession * np.cos(THETA)) * axis
    return gd.System(
        name="top",
        gravity=(0, 0, -G),
        bodies={
            "top": gd.Body(
                mass=M,
                inertia=(ACROSS, ACROSS, ALONG),
                position=ARM * axis,
                orientation=(np.cos(THETA / 2), 0, np.sin(THETA / 2), 0),
                velocity=np.cross(omega, ARM * axis),
                angular_velocity=omega,
            )
        },
        joints={"pivot": gd.Spherical("ground", "top", at=(0, 0, 0))},
    )


def simulate(system, times):
    return gd.simulate(system, times[-1], solver=gd.Explicit(rtol=1e-10, atol=1e-12), sample=times).data


@pytest.mark.parametrize("branch", [-1.0, 1.0], ids=["slow", "fast"])
def test_steady_precession(branch):
    spin = 150.0  # ω₃ [rad/s]
    h = I3 * spin / (2 * I1 * np.cos(THETA))
    rate = h + branch * np.sqrt(h**2 - M * G * ARM / (I1 * np.cos(THETA)))
    times = np.linspace(0.0, 3.0, 61)
    data = simulate(top(spin=spin, precession=rate), times)
    radial = np.array([np.cos(rate * times), np.sin(rate * times), 0 * times]).T
    up = np.array([0, 0, 1.0])
    axis = np.sin(THETA) * radial + np.cos(THETA) * up
    assert data["position"].sel(body="top").values == pytest.approx(ARM * axis, abs=1e-8)
    force = M * (G * up - rate**2 * ARM * np.sin(THETA) * radial)
    assert data["reaction_force"].sel(joint="pivot").values == pytest.approx(force, abs=5e-6)


def nutation(spin, times):
    """The direction of the axis at the times, and the limits u₁ and u₀ of its height."""
    a, b, u0 = I3 * spin / I1, 2 * M * G * ARM / I1, np.cos(THETA)
    k = a**2 / (2 * b)
    u1, u3 = k - np.sqrt(k**2 - 2 * k * u0 + 1), k + np.sqrt(k**2 - 2 * k * u0 + 1)

    def height(t):
        _, cn, dn, _ = ellipj(np.sqrt(b * (u3 - u1)) / 2 * t, (u0 - u1) / (u3 - u1))
        return u1 + (u0 - u1) * (cn / dn) ** 2

    azimuth = solve_ivp(
        lambda t, _: [a * (u0 - height(t)) / (1 - height(t) ** 2)],
        (0, times[-1]), [0.0], method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times,
    ).y[0]  # fmt: skip
    u = height(times)
    across = np.sqrt(1 - u**2)
    return np.array([across * np.cos(azimuth), across * np.sin(azimuth), u]).T, (u1, u0)


@pytest.mark.parametrize("spin", [150.0, 25.0])  # a fast top, and one that falls far below the horizon
def test_nutation(spin):
    times = np.linspace(0.0, 3.0, 601)
    data = simulate(top(spin=spin, precession=0.0), times)
    axis, (lowest, highest) = nutation(spin, times)
    found = data["position"].sel(body="top").values / ARM
    assert found == pytest.approx(axis, abs=5e-8)
    assert lowest - 1e-8 < found[:, 2].min() < lowest + 1e-2
    assert highest - 1e-2 < found[1:, 2].max() < highest + 1e-8
    omega = data["angular_velocity"].sel(body="top").values
    assert np.sum(omega * found, axis=1) == pytest.approx(spin, abs=1e-6)
    energy = data["mechanical_energy"].values
    assert energy == pytest.approx(energy[0], abs=5e-8)
