"""The rectangular Bricard mechanism: five rods, six revolutes, overconstrained, one degree of freedom.

Source: IFToMM library of computational benchmark problems, A04 (M. González, D. Dopico, U. Lugrís, J.
Cuadrado, A benchmarking system for MBS simulation software, Multibody System Dynamics 16 (2006) 179-190).
Rods of 1 m and 1 kg with a square section of 0.1 m along the edges of a cube, gravity along −y, start from
rest. P3 is the joint that starts at (1, −1, 0). Geometry and section as in the OpenSim solution of A04
(RehabEngGroup/MBSbenchmarksInOpenSim) and in Exudyn's bricardMechanism.py. The library publishes curves of
P3, not digits.

Second formulation, in one coordinate v of period 2π. All odd joints turn by π/2 − θ, all even ones by π/2 −
φ, with (1 + cos θ)(1 + cos φ) = 1 (threefold symmetric Bricard linkage; Y. Chen, Z. You, T. Tarnai, Int. J.
Solids Struct. 42 (2005) 2287-2301). With cos θ = 2^cos 2v − 1 the curve is smooth in v; mass m(v) and
potential V(v) are Fourier series, and

    m v̈ + ½ m' v̇² + V' = 0.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd

POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)  # [m]
AXES = np.eye(3)[[1, 2, 0, 1, 2, 0]]
WIDTH = 0.1  # of the square section [m]
GRAVITY = 9.81  # along −y [m/s²]

# P3, made with the six joint angles: null vector of the 6×6 Jacobian of the joint screws by SVD,
# Kane's equation along it, DOP853 at 1e-13. It agrees with the second formulation within 1e-12.
TIMES = (1.0, 2.0, 3.0, 4.0, 7.0, 8.0, 10.0)  # [s]
P3 = (
    (0.274481319265, -0.886707938735, -0.462330002687),
    (-0.778135373033, -0.980352683443, -0.197252670617),
    (-0.771281358969, -0.979269329840, -0.202562532654),
    (0.283551079082, -0.888022814123, -0.459799392776),
    (-0.784913056600, -0.981403582261, -0.191955746789),
    (-0.764352602234, -0.978153794410, -0.207882549729),
    (0.999730987304, -0.999999963826, -0.000268976512),
)  # [m]


def bricard() -> gd.System:
    long, square = (1.0 + WIDTH**2) / 12.0, WIDTH**2 / 6.0
    bodies, joints = {}, {}
    names = ["ground", *(f"rod {k + 1}" for k in range(5)), "ground"]
    for k in range(5):
        along = np.abs(POINTS[k + 1] - POINTS[k])
        inertia = np.where(along > 0.5, square, long)
        bodies[names[k + 1]] = gd.Body(mass=1.0, inertia=inertia, position=(POINTS[k] + POINTS[k + 1]) / 2)
    for k in range(6):
        joints[f"joint {k + 1}"] = gd.Revolute(names[k], names[k + 1], at=POINTS[k], axis=AXES[k])
    return gd.System(name="Bricard", gravity=(0, -GRAVITY, 0), bodies=bodies, joints=joints)


def turn(axis, angle):
    """Rotation matrices about a unit axis, one for each angle."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle)[:, None, None] * K + (1 - np.cos(angle))[:, None, None] * (K @ K)


def half_sine(v):
    """sin(θ/2), smooth in v and of its sign; φ follows with v − π/2."""
    w = np.sin(v) ** 2
    return np.sin(v) * np.sqrt(-np.expm1(-2 * np.log(2) * w) / np.where(w > 0, w, 1))


def one_coordinate(times, count=256):
    """P3 at the times, from the equation of motion in v."""
    v = np.arange(count) * 2 * np.pi / count
    odd, even = np.pi / 2 - 2 * np.arcsin(half_sine(v)), np.pi / 2 - 2 * np.arcsin(-half_sine(v - np.pi / 2))
    order = 1j * np.fft.fftfreq(count, 1 / count).reshape(-1, 1, 1)

    def slope(f):  # df/dv of periodic samples
        return np.fft.ifft(order.reshape(-1, *(1,) * (f.ndim - 1)) * np.fft.fft(f, axis=0), axis=0).real

    R, p = np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3))
    m, V, points = np.zeros(count), np.zeros(count), [p]
    for k in range(6):
        R = R @ turn(AXES[k], even if k % 2 else odd)
        link = POINTS[(k + 1) % 6] - POINTS[k]
        centre, p = p + R @ link / 2, p + R @ link
        points.append(p)
        if k < 5:
            second_moment = np.where(np.abs(link) > 0.5, 1.0, WIDTH**2) / 12.0  # ∫ x xᵀ dm, diagonal
            m += np.sum(slope(centre) ** 2, axis=1) + np.einsum("nij,j->n", slope(R) ** 2, second_moment)
            V += GRAVITY * centre[:, 1]
    assert np.abs(p).max() < 1e-13 and np.abs(R - np.eye(3)).max() < 1e-13  # the loop closes

    def series(f):
        c, n = np.fft.fft(f, axis=0) / count, np.fft.fftfreq(count, 1 / count)
        return lambda x: (np.exp(1j * n * x) @ c).real

    mass, half_slope, force = series(m), series(slope(m) / 2), series(-slope(V))
    motion = solve_ivp(
        lambda t, y: (y[1], (force(y[0]) - half_slope(y[0]) * y[1] ** 2) / mass(y[0])),
        (0.0, times[-1]), (np.pi / 4, 0.0), method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times,
    )  # fmt: skip
    third = series(points[2])
    return np.array([third(x) for x in motion.y[0]])


def test_second_formulation_agrees_with_the_stored_values():
    assert one_coordinate(TIMES) == pytest.approx(np.array(P3), abs=1e-11)


def test_assembles_with_one_degree_of_freedom_and_one_redundant_row():
    assembly = gd.assemble(bricard())
    assert (assembly.degrees_of_freedom, assembly.redundant_rows) == (1, 1)


def test_moves_as_the_second_formulation(coordinates):
    """The redundant row makes relative coordinates less accurate: what is open of the loop is all at its cut."""
    within = {"absolute": 1e-9, "relative": 5e-8}[coordinates]
    times = np.linspace(0.0, 10.0, 101)
    data = gd.simulate(bricard(), 10.0, solver=gd.Explicit(rtol=1e-10, atol=1e-12), sample=times).data
    e0, e1, e2, e3 = data["orientation"].sel(body="rod 2").values.T
    y_axis = np.array([2 * (e1 * e2 - e0 * e3), e0**2 - e1**2 + e2**2 - e3**2, 2 * (e2 * e3 + e0 * e1)]).T
    third = data["position"].sel(body="rod 2").values - y_axis / 2
    assert third == pytest.approx(one_coordinate(times), abs=within)
    assert third[[int(10 * t) for t in TIMES]] == pytest.approx(np.array(P3), abs=within)
    energy = data["mechanical_energy"].values
    assert energy == pytest.approx(energy[0], abs=10 * within)
    assert data["constraint_residual"].values.max() < 1e-9


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("first", range(6))
def test_the_order_of_joints_does_not_matter(first, sign, coordinates):
    """Which row is redundant changes along the way: an elimination that singles one out needs 1000 times the steps."""
    system = bricard()
    names = list(system.joints)
    joints = {name: system.joints[name] for name in names[first:] + names[:first]}
    system = system.replace(joints=joints, gravity=tuple(sign * g for g in system.gravity))
    result = gd.simulate(system, 5.0, solver=gd.Explicit(rtol=1e-10, atol=1e-12), sample=0.05)
    energy = result.data["mechanical_energy"].values
    assert energy == pytest.approx(energy[0], rel={"absolute": 1e-9, "relative": 3e-8}[coordinates])  # of 29 J
    assert result.stats["steps"] < 1000
