"""Double pendulum of two uniform rods, planar, against the equations in its two angles.

With φ₁, φ₂ from the vertical, rods of mass m_k, length l_k and J_k = m_k l_k²/12, Lagrange's equations are

    (J₁ + m₁l₁²/4 + m₂l₁²) φ̈₁ + ½ m₂l₁l₂ (φ̈₂ cos Δ + φ̇₂² sin Δ) + (½ m₁ + m₂) g l₁ sin φ₁ = 0
    (J₂ + m₂l₂²/4) φ̈₂ + ½ m₂l₁l₂ (φ̈₁ cos Δ − φ̇₁² sin Δ) + ½ m₂ g l₂ sin φ₂ = 0,     Δ = φ₁ − φ₂

(L. D. Landau, E. M. Lifshitz, Mechanics, § 5, with rods for points). They are integrated here at 1e-12. The
motion is chaotic: the start below multiplies errors by 3000 in 5 s, which sets the tolerances, not the
error of one lucky run.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd

MASS, LENGTH, G = (1.3, 0.7), (0.8, 0.5), 9.81  # [kg], [m], [m/s²] along −y
START = (2.0, 1.0, 0.0, 0.5)  # φ₁, φ₂ [rad], φ̇₁, φ̇₂ [rad/s]
TIMES = np.linspace(0.0, 5.0, 101)  # [s]


def double_pendulum() -> gd.System:
    """Rods "upper" and "lower"; in body axes the rods lie along −y."""
    a, b, da, db = START
    (l1, l2), along = LENGTH, lambda angle: np.array([np.sin(angle), -np.cos(angle), 0.0])
    across = [np.array([np.cos(angle), np.sin(angle), 0.0]) for angle in (a, b)]
    elbow = l1 * along(a)

    def rod(k, centre, velocity, angle, rate):
        J = MASS[k] * LENGTH[k] ** 2 / 12
        return gd.Body(
            mass=MASS[k],
            inertia=(J, 1e-3 * J, J),
            position=centre,
            orientation=(np.cos(angle / 2), 0, 0, np.sin(angle / 2)),
            velocity=velocity,
            angular_velocity=(0, 0, rate),
        )

    return gd.System(
        name="double pendulum",
        gravity=(0, -G, 0),
        bodies={
            "upper": rod(0, elbow / 2, l1 / 2 * da * across[0], a, da),
            "lower": rod(1, elbow + l2 / 2 * along(b), l1 * da * across[0] + l2 / 2 * db * across[1], b, db),
        },
        joints={
            "pivot": gd.Revolute("ground", "upper", at=(0, 0, 0)),
            "elbow": gd.Revolute("upper", "lower", at=elbow),
        },
    )


def rate(t, y):
    (m1, m2), (l1, l2), (a, b, da, db) = MASS, LENGTH, y
    c, s, k = np.cos(a - b), np.sin(a - b), m2 * l1 * l2 / 2
    m = np.array([[m1 * l1**2 / 3 + m2 * l1**2, k * c], [k * c, m2 * l2**2 / 3]])
    f = (-k * db**2 * s - (m1 / 2 + m2) * G * l1 * np.sin(a), k * da**2 * s - m2 * G * l2 * np.sin(b) / 2)
    return (da, db, *np.linalg.solve(m, f))


@pytest.fixture(scope="module")
def angles():
    motion = solve_ivp(rate, (0, TIMES[-1]), START, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=TIMES)
    return motion.y


@pytest.fixture(scope="module")
def run():
    solver = gd.Explicit(rtol=1e-10, atol=1e-12)
    return gd.simulate(double_pendulum(), TIMES[-1], solver=solver, sample=TIMES).data


def test_angles_and_rates(run, angles):
    q = run["orientation"].values
    found = np.unwrap(2 * np.arctan2(q[..., 3], q[..., 0]), axis=0)
    assert found == pytest.approx(angles[:2].T, abs=1e-7)
    assert run["angular_velocity"].values[..., 2] == pytest.approx(angles[2:].T, abs=1e-6)


def test_accelerations_and_the_force_in_the_pivot(run, angles):
    a, b, da, db = angles
    dda, ddb = np.array([rate(0, y)[2:] for y in angles.T]).T
    assert run["angular_acceleration"].values[..., 2] == pytest.approx(np.array([dda, ddb]).T, abs=1e-4)
    (m1, m2), (l1, l2) = MASS, LENGTH
    x1, y1 = l1 * (dda * np.cos(a) - da**2 * np.sin(a)), l1 * (dda * np.sin(a) + da**2 * np.cos(a))
    x2, y2 = l2 * (ddb * np.cos(b) - db**2 * np.sin(b)), l2 * (ddb * np.sin(b) + db**2 * np.cos(b))
    pivot = np.array([m1 * x1 / 2 + m2 * (x1 + x2 / 2), m1 * (y1 / 2 + G) + m2 * (y1 + y2 / 2 + G), 0 * a])
    assert run["reaction_force"].sel(joint="pivot").values == pytest.approx(pivot.T, abs=1e-4)


def test_energy_stays(run):
    energy = run["mechanical_energy"].values
    assert energy == pytest.approx(energy[0], abs=1e-8)
