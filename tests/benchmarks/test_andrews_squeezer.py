"""Andrews' squeezing mechanism: seven bodies in a plane, a motor of 0.033 N·m and one spring.

Sources: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, section VII.7; Test Set for
IVP Solvers (F. Mazzia and C. Magherini, University of Bari), problem "Andrews' squeezing mechanism", from
which the data, the consistent start and the solution at t = 0.03 s are taken. The IFToMM library has the
same mechanism as problem A03.

How good are the published digits? The seven angles were recomputed with two other formulations (index 1 in
the angles, and one degree of freedom with the closures solved by Newton; DOP853 at 1e-13), which agree
within 2e-11. Against them the published angles are 1.1e-9 off in β (as if taken 1e-12 s late), and the
published second derivatives and multipliers differ by up to 1.1e-6 of themselves from what the published
angles and rates imply. The tolerances below follow from that, except for CONVERGED, our own digits.
"""

import numpy as np
import pytest

import gudgeon as gd

END = 0.03  # [s]
MOTOR = 0.033  # [N·m]
MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)  # [kg]
INERTIA = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)  # [kg·m²]
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)  # pivots on the ground [m]
d, da, e, ea, rr, ra = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092  # lengths, named as in the test set [m]
ss, sa, sb, sc, sd, ta, tb = 0.035, 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
u, ua, ub, zf, zt, fa = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421

# fmt: off
# β, Θ, γ, Φ, δ, Ω, ε [rad] at the start and at the end, published and (CONVERGED) our own.
START = (-0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449,
         0.222668390165885884674473185609, 0.487364979543842550225598953530,
         -0.222668390165885884674473185609, 1.23054744454982119249735015568)
ANGLES = (15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304,
          0.5347301163226948, 1.048080741042263)
CONVERGED = (15.810771195154, -15.756371058412, 0.040822240119643, -0.534730116342093, 0.524409965879957,
             0.534730116342093, 1.048080741041939)
RATES = (1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808,
         -19.29337464421385, 0.3231791658026955)  # [rad/s]
ACCELERATIONS = (-24631.76316945196, 51850.37701610329, 324102.5686413781, 566749.3645176213,
                 16743.62929479361, -566749.3645176222, 9826.520791458422)  # [rad/s²]
MULTIPLIERS = (199.1753333731910, -29.75531228015052, 23.06654119098399, 31.45271365475927, 22.64249232082739,
               11.61740700019673)  # the forces of pin E on bodies 3, 4 and 6 [N]
# fmt: on
# The angle of each body is a sum of published angles.
BODY_ANGLE = np.eye(7)
BODY_ANGLE[[1, 3, 5], [0, 4, 6]] = 1.0


def squeezer() -> gd.System:
    """Bodies "1" … "7", their axes turned by the body angles; joints named by the published points."""
    psi = BODY_ANGLE @ np.array(START)

    def turn(k, x, y):
        return np.array([np.cos(psi[k]) * x - np.sin(psi[k]) * y, np.sin(psi[k]) * x + np.cos(psi[k]) * y])

    F = turn(0, rr, 0)
    G = A + turn(4, zt, 0)
    H = A + turn(6, 0, -u)
    centre = (
        turn(0, ra, 0),
        F + turn(1, -da, 0),
        B + turn(2, sb, -sa),
        G + turn(3, 0, ea - e),
        A + turn(4, ta, tb),
        H + turn(5, zf - fa, 0),
        A + turn(6, -ub, -ua),
    )
    bodies = {
        str(k + 1): gd.Body(
            mass=MASS[k],
            inertia=(INERTIA[k],) * 3,
            position=(*centre[k], 0.0),
            orientation=(np.cos(psi[k] / 2), 0.0, 0.0, np.sin(psi[k] / 2)),
        )
        for k in range(7)
    }

    def pin(parent, child, at_parent, at_child):
        return gd.Revolute(parent, child, at_parent=(*at_parent, 0.0), at_child=(*at_child, 0.0))

    E_2 = (da - d, 0.0)
    joints = {
        "O": pin("ground", "1", (0, 0), (-ra, 0)),
        "F": pin("1", "2", (rr - ra, 0), (da, 0)),
        "E3": pin("2", "3", E_2, (-sb, sa - ss)),
        "E4": pin("2", "4", E_2, (0, -ea)),
        "E6": pin("2", "6", E_2, (fa, 0)),
        "B": pin("ground", "3", B, (-sb, sa)),
        "A5": pin("ground", "5", A, (-ta, -tb)),
        "A7": pin("ground", "7", A, (ub, ua)),
        "G": pin("5", "4", (zt - ta, -tb), (0, e - ea)),
        "H": pin("7", "6", (ub, ua - u), (fa - zf, 0)),
    }
    loads = {
        "motor": gd.Torque("1", (0, 0, MOTOR)),
        "spring": gd.SpringDamper(
            "ground", "3", at_first=(*C, 0), at_second=(sd - sb, sa - sc, 0), stiffness=4530.0, length=0.07785
        ),
    }
    return gd.System(name="squeezer", gravity=(0, 0, 0), bodies=bodies, joints=joints, loads=loads)


@pytest.fixture(scope="module")
def run():
    solver = gd.Explicit(rtol=1e-10, atol=1e-12)
    return gd.simulate(squeezer(), END, solver=solver, sample=np.linspace(0.0, END, 301)).data


def angles(data):
    """The seven published angles over time, counted over full turns."""
    e0, e3 = data["orientation"].values[..., 0], data["orientation"].values[..., 3]
    psi = np.unwrap(2.0 * np.arctan2(e3, e0), axis=0)
    return np.linalg.solve(BODY_ANGLE, psi.T).T


def test_starts_assembled_with_one_degree_of_freedom():
    assembly = gd.assemble(squeezer())
    assert assembly.degrees_of_freedom == 1
    assert assembly.redundant_rows == 9  # three planar loops, three rows each


def test_starts_with_the_published_acceleration(run):
    """β̈ = 14222.44…, Θ̈ = −10666.83… and all others zero; the pin force on body 3 is (98.5668…, −6.1226…)."""
    start = np.linalg.solve(BODY_ANGLE, run["angular_acceleration"].values[0, :, 2])
    assert start == pytest.approx([14222.4439199541, -10666.8329399656, 0, 0, 0, 0, 0], rel=1e-9, abs=1e-5)
    force = run["reaction_force"].sel(joint="E3").values[0]
    assert force == pytest.approx([98.5668703962411, -6.12268834425566, 0.0], rel=1e-8)


def test_ends_at_the_published_angles(run):
    found = angles(run)[-1]
    assert found == pytest.approx(ANGLES, abs=1e-8)
    assert found == pytest.approx(CONVERGED, abs=5e-9)


def test_ends_with_the_published_rates_accelerations_and_pin_forces(run):
    rate = np.linalg.solve(BODY_ANGLE, run["angular_velocity"].values[-1, :, 2])
    assert rate == pytest.approx(RATES, abs=1e-5)
    acceleration = np.linalg.solve(BODY_ANGLE, run["angular_acceleration"].values[-1, :, 2])
    assert acceleration == pytest.approx(ACCELERATIONS, rel=1e-5)
    force = run["reaction_force"].sel(joint=["E3", "E4", "E6"]).values[-1, :, :2]
    assert force.ravel() == pytest.approx(MULTIPLIERS, rel=5e-6)


def test_energy_grows_by_the_work_of_the_motor(run):
    beta = angles(run)[:, 0]
    gain = run["mechanical_energy"].values - run["mechanical_energy"].values[0]
    assert gain == pytest.approx(MOTOR * (beta - beta[0]), abs=5e-9)


def test_stays_in_its_plane_with_the_loops_closed(run):
    assert np.abs(run["position"].values[..., 2]).max() < 1e-12
    assert run["constraint_residual"].values.max() < 1e-9
