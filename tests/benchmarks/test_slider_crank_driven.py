"""Slider-crank with a driven crank: motion, energy and the force of the guide in closed form.

Crank radius r, rod length l, crank angle α(t). With sin ψ = (r/l) sin α the slider is at

    x = r cos α + l cos ψ,    ψ̇ = r α̇ cos α/(l cos ψ),    ψ̈ = (l ψ̇² sin ψ + r α̈ cos α − r α̇² sin α)/(l cos ψ),

ẋ and ẍ by differentiation (any textbook, e.g. J. J. Uicker, G. R. Pennock, J. E. Shigley, Theory of
Machines and Mechanisms). The forces follow by Newton and Euler, backwards from the slider.
"""

import numpy as np
import pytest

import gudgeon as gd

R, L = 0.15, 0.35  # crank radius, rod length [m]
CRANK, ROD, SLIDER = 0.8, 1.2, 0.6  # masses [kg]
CRANK_INERTIA, ROD_INERTIA = 0.002, ROD * L**2 / 12  # about z at the centre of mass [kg·m²]
G = 9.81  # along −y [m/s²]
TIMES = np.linspace(0.0, 2.0, 401)  # [s]


def slider_crank() -> gd.System:
    """Crank balanced on its pivot, rod uniform, slider along x; all straight at the start."""
    return gd.System(
        name="driven slider-crank",
        gravity=(0, -G, 0),
        bodies={
            "crank": gd.Body(mass=CRANK, inertia=(CRANK_INERTIA,) * 3),
            "rod": gd.Body(mass=ROD, inertia=(1e-3, ROD_INERTIA, ROD_INERTIA), position=(R + L / 2, 0, 0)),
            "slider": gd.Body(mass=SLIDER, inertia=(1e-3, 1e-3, 1e-3), position=(R + L, 0, 0)),
        },
        joints={
            "pivot": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "crank pin": gd.Revolute("crank", "rod", at=(R, 0, 0)),
            "wrist pin": gd.Revolute("rod", "slider", at=(R + L, 0, 0)),
            "guide": gd.Prismatic("ground", "slider", at=(R + L, 0, 0), axis=(1, 0, 0)),
        },
        drives={"motor": gd.Drive("pivot", "4*t + 1.5*t**2 + 0.3*sin(7*t)")},
    )


def closed_form(t):
    """Crank angle and rate, slider x, ẋ, ẍ, kinetic and potential energy, force of the guide."""
    a, da, dda = (
        4 * t + 1.5 * t**2 + 0.3 * np.sin(7 * t),
        4 + 3 * t + 2.1 * np.cos(7 * t),
        3 - 14.7 * np.sin(7 * t),
    )
    ca, sa = np.cos(a), np.sin(a)
    sp = R / L * sa
    cp = np.sqrt(1 - sp**2)
    dp = R * da * ca / (L * cp)
    ddp = (L * dp**2 * sp + R * dda * ca - R * da**2 * sa) / (L * cp)
    x = R * ca + L * cp
    dx = -R * da * sa - L * dp * sp
    ddx = -R * (dda * sa + da**2 * ca) - L * (ddp * sp + dp**2 * cp)
    # Rod: it turns by −ψ; its centre is halfway between the crank pin (R ca, R sa) and the slider.
    vx, vy = (dx - R * da * sa) / 2, R * da * ca / 2
    ax = (ddx - R * (dda * sa + da**2 * ca)) / 2
    ay = R * (dda * ca - da**2 * sa) / 2
    kinetic = (CRANK_INERTIA * da**2 + ROD * (vx**2 + vy**2) + ROD_INERTIA * dp**2 + SLIDER * dx**2) / 2
    potential = ROD * G * R * sa / 2
    # Moments about the crank pin: −J ψ̈ + c × ROD (a − g) = 2c × F, F the slider's force on the rod.
    cx, cy = L * cp / 2, -L * sp / 2
    fx = -SLIDER * ddx
    fy = (-ROD_INERTIA * ddp + ROD * (cx * (ay + G) - cy * ax) + 2 * cy * fx) / (2 * cx)
    return a, da, x, dx, ddx, kinetic, potential, SLIDER * G + fy


@pytest.fixture(scope="module")
def run():
    solver = gd.Explicit(rtol=1e-10, atol=1e-12)
    return gd.simulate(slider_crank(), TIMES[-1], solver=solver, sample=TIMES).data


def test_nothing_is_left_free():
    assembly = gd.assemble(slider_crank())
    assert (assembly.degrees_of_freedom, assembly.redundant_rows) == (0, 3)


def test_crank_follows_the_drive(run):
    a, da, *_ = closed_form(TIMES)
    half_turn = run["orientation"].sel(body="crank").values
    found = np.unwrap(2 * np.arctan2(half_turn[:, 3], half_turn[:, 0]))
    assert found == pytest.approx(a, abs=1e-8)
    assert run["angular_velocity"].sel(body="crank").values[:, 2] == pytest.approx(da, abs=1e-7)


def test_slider_moves_as_the_closed_form(run):
    _, _, x, dx, ddx, *_ = closed_form(TIMES)
    assert run["position"].sel(body="slider").values[:, 0] == pytest.approx(x, abs=5e-9)
    assert run["velocity"].sel(body="slider").values[:, 0] == pytest.approx(dx, abs=5e-8)
    assert run["acceleration"].sel(body="slider").values[:, 0] == pytest.approx(ddx, abs=1e-6)


def test_energy_and_guide_force(run):
    *_, kinetic, potential, guide = closed_form(TIMES)
    assert run["kinetic_energy"].values == pytest.approx(kinetic, abs=5e-8)
    gain = run["potential_energy"].values - run["potential_energy"].values[0]
    assert gain == pytest.approx(potential, abs=1e-8)
    force = run["reaction_force"].sel(joint="guide").values
    assert force[:, 1] == pytest.approx(guide, abs=1e-6)
    assert np.abs(force[:, [0, 2]]).max() < 1e-8
