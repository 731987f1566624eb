"""Small motions: frequencies, damping and mode shapes against closed forms and other formulations; what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import eigh, eigvals

import gudgeon as gd
from mechanisms import G, pendulum, slider_crank
from mistakes import refuses
from real_joints import BALL, COULOMB, DAMPING, LUGRE, RADII, STIFFNESS, ball_in_socket

HERTZ = gd.laws.Hertz(stiffness=1e10)
TURN = 2.0 * math.pi


def hanging(angle: float, speed: float = 0.0) -> gd.System:
    """The pendulum of mechanisms.py (J about the pivot 0.5, m d = 0.5) `angle` from hanging."""
    x, y, half = 0.5 * math.sin(angle), -0.5 * math.cos(angle), 0.5 * angle + 0.25 * math.pi
    bob = gd.BodyState(
        position=(x, y, 0),
        orientation=(math.cos(half), 0, 0, math.sin(half)),
        velocity=(-y * speed, x * speed, 0),
        angular_velocity=(0, 0, speed),
    )
    return pendulum(start={"bob": bob})


def test_pendulum():
    small = gd.linearize(hanging(0.0))
    assert small.coordinates == ("pivot.angle",) and small.units == ("rad",)
    assert small.mass == pytest.approx(0.5, rel=1e-14) and small.stiffness == pytest.approx(0.5 * G, rel=1e-10)
    assert small.damping == pytest.approx(0.0, abs=1e-12) and small.force == pytest.approx(0.0, abs=1e-13)
    assert small.natural_frequencies == pytest.approx(math.sqrt(G) / TURN, rel=1e-10)
    assert small.state_matrix == pytest.approx(np.array([[0, 1], [-G, 0]]), rel=1e-10)
    assert small.accuracy < 1e-9 and small.stable
    shape = small.mode_shapes.sel(mode=0, body="bob")
    assert shape.sel(component=["x", "rz"]).values == pytest.approx([0.5, 1.0], rel=1e-9)


@pytest.mark.parametrize("speed", [0.0, 3.0])
def test_pendulum_along_its_swing(speed):
    """J δθ̈ + m g d cos θ δθ = 0, whatever the speed; m g d sin θ is left over."""
    small = gd.linearize(hanging(0.8, speed))
    assert small.stiffness == pytest.approx(0.5 * G * math.cos(0.8), rel=1e-9)
    assert small.damping == pytest.approx(0.0, abs=1e-9)
    assert small.force == pytest.approx(-0.5 * G * math.sin(0.8), rel=1e-12)
    assert small.rates == pytest.approx(speed, rel=1e-12)
    assert "about a state that is no equilibrium" in str(small)


def test_inverted_pendulum():
    """λ = ±√g for the reduced length of 1 m: two modes, one grows."""
    small = gd.linearize(hanging(math.pi))
    assert sorted(small.mode_eigenvalues.real) == pytest.approx([-math.sqrt(G), math.sqrt(G)], rel=1e-10)
    assert sorted(small.damping_ratios) == [-1.0, 1.0] and not small.stable
    assert np.isnan(small.undamped_frequencies).all() and (small.damped_frequencies == 0.0).all()


def test_run_at_a_sample():
    result = gd.simulate(pendulum(), 0.5, sample=0.1, solver=gd.Explicit(rtol=1e-12, atol=1e-12))
    for at, time in ((3, 0.3), (0.31, 0.3), (-1, 0.5)):
        small = gd.linearize(result, at=at)
        x, y, _ = result.data.position.sel(body="bob", time=time, method="nearest").values
        assert small.time == pytest.approx(time)
        assert small.stiffness == pytest.approx(-G * y, rel=1e-8)
        assert small.force == pytest.approx(-G * x, rel=1e-10)


# -- chains ------------------------------------------------------------------------------------------------------------

BARS = ((1.2, 0.8, 0.3, 0.05), (0.7, 0.6, 0.25, 0.02))  # mass, length, distance of the centre, inertia about it


def double_pendulum(angles=(0.0, 0.0), rates=(0.0, 0.0)) -> gd.System:
    """Two bars, z up, swinging in the plane x–z; angles from hanging, both absolute, about −y."""
    (m1, l1, a1, j1), (m2, _, a2, j2) = BARS
    e = [np.array((math.sin(x), 0.0, -math.cos(x))) for x in angles]
    f = [np.array((math.cos(x), 0.0, math.sin(x))) for x in angles]
    places = (a1 * e[0], l1 * e[0] + a2 * e[1])
    speeds = (a1 * rates[0] * f[0], l1 * rates[0] * f[0] + a2 * rates[1] * f[1])
    start = {
        name: gd.BodyState(
            position=p, velocity=v, orientation=(math.cos(x / 2), 0, -math.sin(x / 2), 0), angular_velocity=(0, -w, 0)
        )
        for name, p, v, x, w in zip(("one", "two"), places, speeds, angles, rates, strict=True)
    }
    return gd.System(
        name="double pendulum",
        gravity=(0, 0, -G),
        bodies={
            "one": gd.Body(mass=m1, inertia=(j1, j1, j1), position=(0, 0, -a1)),
            "two": gd.Body(mass=m2, inertia=(j2, j2, j2), position=(0, 0, -l1 - a2)),
        },
        joints={
            "upper": gd.Revolute("ground", "one", at=(0, 0, 0), axis=(0, -1, 0)),
            "lower": gd.Revolute("one", "two", at=(0, 0, -l1), axis=(0, -1, 0)),
        },
        start=start,
    )


def double_pendulum_equations(z, rates):
    """M and the right-hand side of M z̈ = f in relative angles z (textbook double pendulum, from its Lagrangian)."""
    (m1, l1, a1, j1), (m2, _, a2, j2) = BARS
    one, two = z[0], z[0] + z[1]
    w1, w2 = rates[0], rates[0] + rates[1]
    c, s = np.cos(one - two), np.sin(one - two)
    mass = np.array([[m1 * a1**2 + j1 + m2 * l1**2, m2 * l1 * a2 * c], [m2 * l1 * a2 * c, m2 * a2**2 + j2]])
    force = np.array(
        [
            -m2 * l1 * a2 * s * w2**2 - (m1 * a1 + m2 * l1) * G * np.sin(one),
            m2 * l1 * a2 * s * w1**2 - m2 * a2 * G * np.sin(two),
        ]
    )
    to_absolute = np.array([[1.0, 0.0], [1.0, 1.0]])
    return to_absolute.T @ mass @ to_absolute, to_absolute.T @ force


def test_double_pendulum():
    (m1, l1, a1, _), (m2, _, a2, _) = BARS
    small = gd.linearize(double_pendulum())
    assert small.coordinates == ("upper.angle", "lower.angle")
    mass, _ = double_pendulum_equations((0.0, 0.0), (0.0, 0.0))
    upper, lower = (m1 * a1 + m2 * l1) * G, m2 * a2 * G
    stiffness = np.array([[upper + lower, lower], [lower, lower]])
    assert small.mass == pytest.approx(mass, rel=1e-12)
    assert small.stiffness == pytest.approx(stiffness, rel=1e-9)
    values, vectors = eigh(stiffness, mass)
    assert small.natural_frequencies == pytest.approx(np.sqrt(values) / TURN, rel=1e-9)
    turns = small.mode_shapes.sel(component="ry").values  # absolute: relative ones summed
    assert turns[:, 1] / turns[:, 0] == pytest.approx(1.0 + vectors[1] / vectors[0], rel=1e-8)


@pytest.mark.parametrize(
    "coordinates", [("upper.angle", "lower.angle"), ("one.ry", "two.ry")], ids=["joints", "bodies"]
)
def test_double_pendulum_in_motion(coordinates):
    """K = ∂M z̈/∂z − ∂f/∂z and C = −∂f/∂ż of the Lagrangian equations, by complex steps."""
    z, rates = np.array((0.4, -1.1)), np.array((2.0, 3.0))
    small = gd.linearize(double_pendulum((z[0], z.sum()), (rates[0], rates.sum())), coordinates=coordinates)
    mass, force = double_pendulum_equations(z, rates)
    acceleration = np.linalg.solve(mass, force)
    stiffness, damping = np.empty((2, 2)), np.empty((2, 2))
    for k in range(2):
        step = 1e-30j * np.eye(2)[k]
        moved_mass, moved_force = double_pendulum_equations(z + step, rates + 0j)
        stiffness[:, k] = ((moved_mass @ acceleration - moved_force) / 1e-30).imag
        damping[:, k] = -(double_pendulum_equations(z + 0j, rates + step)[1] / 1e-30).imag
    if coordinates[0] == "one.ry":  # θ_y = −(sum of relative angles)
        change = -np.array([[1.0, 0.0], [-1.0, 1.0]])
        mass, stiffness, damping = (change.T @ x @ change for x in (mass, stiffness, damping))
        force = change.T @ force
    assert small.coordinates == coordinates
    assert small.mass == pytest.approx(mass, rel=1e-11)
    assert small.stiffness == pytest.approx(stiffness, rel=1e-8, abs=1e-8)
    assert small.damping == pytest.approx(damping, rel=1e-8, abs=1e-8)
    assert small.force == pytest.approx(force, rel=1e-11)


def torsional_chain(count: int, held: bool) -> gd.System:
    discs = {f"disc{k}": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.02), position=(0, 0, k)) for k in range(count)}
    places = ["ground", *discs]
    joints = {f"shaft{k}": gd.Revolute(places[k], places[k + 1], at=(0, 0, k)) for k in range(count)}
    springs = {f"spring{k}": gd.JointSpring(f"shaft{k}", stiffness=50.0) for k in range(0 if held else 1, count)}
    return gd.System(name="chain", gravity=(0, 0, 0), bodies=discs, joints=joints, loads=springs)


@pytest.mark.parametrize("count", [2, 10])
@pytest.mark.parametrize("held", [True, False], ids=["held", "free"])
def test_torsional_chain(count, held):
    """ω = 2 √(k/J) sin((2j − 1)π/(4n + 2)) held at one end, 2 √(k/J) sin(jπ/2n) free (Den Hartog, chapter 4)."""
    small = gd.linearize(torsional_chain(count, held))
    order = np.arange(count)
    angle = (2 * order + 1) * math.pi / (4 * count + 2) if held else order * math.pi / (2 * count)
    assert small.natural_frequencies == pytest.approx(2.0 * math.sqrt(50.0 / 0.02) * np.sin(angle) / TURN, rel=1e-9)
    assert small.undamped_frequencies == pytest.approx(small.natural_frequencies, rel=1e-9)
    assert not np.iscomplexobj(small.mode_shapes) and small.mode_shapes.shape == (count, count, 6)


# -- springs, bushings, contacts, films --------------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [0.0, 0.05, 1.5])
def test_mass_on_a_spring_damper(ratio):
    """Lengthwise ω² = k/m and ζ = c/(2 m ω); across, the taut spring of tension T and length l holds with T/l."""
    m, k, length, stretched = 2.0, 800.0, 0.3, 0.5
    strut = gd.SpringDamper(
        "ground", "mass", at_first=(0, 0, 0.5), stiffness=k, length=length, damping=2.0 * ratio * math.sqrt(k * m)
    )
    system = gd.System(
        gravity=(0, 0, -k * (stretched - length) / m),
        bodies={"mass": gd.Body(mass=m, inertia=(0.1, 0.1, 0.1))},
        loads={"strut": strut},
    )
    small = gd.linearize(system)
    assert small.coordinates == tuple(f"mass.{c}" for c in ("x", "y", "z", "rx", "ry", "rz"))
    across = k * (stretched - length) / stretched
    assert small.stiffness == pytest.approx(np.diag([across, across, k, 0, 0, 0]), rel=1e-9, abs=1e-9)
    lengthwise = small.mode_eigenvalues[np.argmax(np.abs(small.mode_shapes.sel(component="z").values[:, 0]))]
    omega = math.sqrt(k / m)
    if ratio < 1.0:
        assert lengthwise == pytest.approx(omega * complex(-ratio, math.sqrt(1.0 - ratio**2)), rel=1e-9)
    else:
        slow, fast = sorted(x.real for x in small.eigenvalues if x.real < -1e-3)[::-1]
        assert slow * fast == pytest.approx(omega**2, rel=1e-9)
        assert slow + fast == pytest.approx(-2.0 * ratio * omega, rel=1e-9)


def test_body_on_a_bushing():
    """√(k/m) and √(k_θ/J) with ζ = b ω/2 for each, damping b K."""
    m, inertia, k, turning, b = 3.0, (0.02, 0.03, 0.04), (1e5, 2e5, 4e5), (100.0, 300.0, 900.0), 1e-3
    model = gd.Bushing(stiffness=np.diag([*k, *turning]), damping_time=b)
    small = gd.linearize(
        ball_in_socket(model, bodies={"ball": gd.Body(mass=m, inertia=inertia)}),
    )
    omega = np.sort(np.sqrt([*(x / m for x in k), *(x / j for x, j in zip(turning, inertia, strict=True))]))
    assert small.natural_frequencies == pytest.approx(omega / TURN, rel=1e-9)
    assert small.damping_ratios == pytest.approx(0.5 * b * omega, rel=1e-8)
    assert small.damped_frequencies == pytest.approx(omega * np.sqrt(1 - (0.5 * b * omega) ** 2) / TURN, rel=1e-9)


def test_coupled_bushing_beside_the_centre():
    """K' = Hᵀ K H, C' = Hᵀ C H with H the motion of the joint point, and the eigenvalues of (M, C', K')."""
    at = np.array((0.03, -0.02, 0.05))
    body = gd.Body(mass=2.0, inertia=(2e-3, 3e-3, 4e-3))
    joint = gd.Spherical("ground", "ball", at=at, model=gd.Bushing(stiffness=STIFFNESS, damping=DAMPING))
    small = gd.linearize(gd.System(gravity=(0, 0, 0), bodies={"ball": body}, joints={"J": joint}))
    x, y, z = at
    motion = np.eye(6)
    motion[:3, 3:] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
    mass = np.diag([2.0, 2.0, 2.0, 2e-3, 3e-3, 4e-3])
    stiffness, damping = motion.T @ STIFFNESS @ motion, motion.T @ DAMPING @ motion
    assert small.mass == pytest.approx(mass, rel=1e-12)
    assert small.stiffness == pytest.approx(stiffness, rel=1e-8, abs=1e-8 * np.abs(stiffness).max())
    assert small.damping == pytest.approx(damping, rel=1e-8, abs=1e-8 * np.abs(damping).max())
    rest = np.linalg.solve(mass, np.hstack([-stiffness, -damping]))
    expected = eigvals(np.vstack([np.hstack([np.zeros((6, 6)), np.eye(6)]), rest]))
    expected = expected[np.lexsort((expected.imag, np.abs(expected).round(6)))]
    assert small.eigenvalues == pytest.approx(expected, rel=1e-7)


def test_soft_pendulum_on_a_stiff_bushing():
    """A mode at 0.5 Hz beside one at 50 kHz keeps its digits; the support gives by m g/k, 1e-10 of the arm."""
    body = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0, -1))
    joint = gd.Spherical("ground", "bob", at=(0, 0, 0), model=gd.Bushing(stiffness=1e11))
    small = gd.linearize(gd.equilibrium(gd.System(gravity=(0, 0, -G), bodies={"bob": body}, joints={"J": joint})))
    frequencies = small.natural_frequencies
    assert frequencies[1:3] == pytest.approx(math.sqrt(G / 1.001) / TURN, rel=1e-7)
    assert frequencies[0] == 0.0 and frequencies[3] == pytest.approx(math.sqrt(1e11) / TURN, rel=1e-7)


def test_ball_at_rest_in_a_dry_socket():
    """Pressed in by δ = (m g/K)^(2/3): across the socket a pendulum of length c + δ, upwards the slope 3/2 K √δ."""
    found = gd.equilibrium(ball_in_socket(gd.Dry(**RADII, contact=HERTZ), gravity=(0, 0, -G)))
    small = gd.linearize(found)
    m = BALL["mass"]
    delta = (m * G / HERTZ.stiffness) ** (2 / 3)
    across, up = m * G / (1e-4 + delta), 1.5 * HERTZ.stiffness * math.sqrt(delta)
    assert small.stiffness[:3, :3] == pytest.approx(np.diag([across, across, up]), rel=1e-6, abs=1e-6 * across)
    assert small.natural_frequencies[:3] == pytest.approx(0.0)
    assert small.natural_frequencies[3:] == pytest.approx(np.sqrt(np.array([across, across, up]) / m) / TURN, rel=1e-6)


def test_friction_and_restitution_damp_the_ball_at_rest():
    """Friction μ f_n tanh(v/v₁) resists with the slope μ f_n/v₁, the contact with χ K δⁿ/δ̇⁽⁻⁾ (χ of the law)."""
    law = gd.laws.LankaraniNikravesh(stiffness=1e10, restitution=0.7)
    model = gd.Dry(**RADII, contact=law, friction=COULOMB)
    small = gd.linearize(gd.equilibrium(ball_in_socket(model, gravity=(0, 0, -G))))
    weight = BALL["mass"] * G
    along = COULOMB.coefficient * weight / COULOMB.velocity_tolerance
    through = 0.75 * (1.0 - 0.7**2) * weight / model.smallest_impact_speed
    assert np.diag(small.damping)[:3] == pytest.approx([along, along, through], rel=1e-6)


def test_contact_of_a_run_keeps_its_impact_speed():
    law = gd.laws.LankaraniNikravesh(stiffness=1e8, restitution=0.7)
    system = ball_in_socket(gd.Dry(**RADII, contact=law), velocity=(0, 0, -0.1))
    result = gd.simulate(system, 0.004, sample=2e-5, solver=gd.Implicit(rtol=1e-9, atol=1e-12))
    begin, speed = result.events.begin[0], result.events.impact_speed[0]
    sample = int(np.searchsorted(result.data.time.values, begin)) + 4
    state = result.data.isel(time=sample)
    depth, rate = -float(state.position[0, 2]) - 1e-4, -float(state.velocity[0, 2])
    factor = 0.75 * (1.0 - 0.7**2) / speed
    small = gd.linearize(result, at=sample)
    assert depth > 1e-6
    assert small.stiffness[2, 2] == pytest.approx(1.5e8 * math.sqrt(depth) * (1.0 + factor * rate), rel=1e-6)
    assert small.damping[2, 2] == pytest.approx(1e8 * depth**1.5 * factor, rel=1e-6)
    flying = gd.linearize(result, at=0)
    assert not flying.stiffness.any() and not flying.damping.any()


def test_film_damps_without_stiffness():
    """At rest at ε = 1/2: the radial damping f/ė of the film law, none across, λ = 0 and −c/m."""
    model = gd.Lubricated(**RADII, viscosity=0.05)
    law = model.film_law
    small = gd.linearize(ball_in_socket(model, offset=(0.5e-4, 0, 0)))
    radial = law.film_force(0.5, 1.0, law.parameters)
    assert small.damping[:3, :3] == pytest.approx(np.diag([radial, 0, 0]), rel=1e-9)
    assert not small.stiffness.any() and small.stable
    assert small.eigenvalues[-1] == pytest.approx(-radial / BALL["mass"], rel=1e-9)
    assert small.eigenvalues[:-1] == pytest.approx(0.0, abs=1e-9)


# -- gyroscopes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spin", [60.0, 250.0])
def test_sleeping_top(spin):
    """Precession and nutation of an upright top: λ = i (C n ± √(C² n² − 4 A m g l))/2A (Magnus, Kreisel, 1971)."""
    m, arm, axial, across = 0.5, 0.06, 6e-4, 9e-4
    about_tip = across + m * arm**2
    body = gd.Body(mass=m, inertia=(across, across, axial), position=(0, 0, arm), angular_velocity=(0, 0, spin))
    system = gd.System(bodies={"top": body}, joints={"tip": gd.Spherical("ground", "top", at=(0, 0, 0))})
    small = gd.linearize(system)
    assert small.coordinates == ("top.x", "top.y", "top.rz")
    root = np.emath.sqrt((axial * spin) ** 2 - 4.0 * about_tip * m * 9.81 * arm)
    slow, fast = (axial * spin - root) / (2.0 * about_tip), (axial * spin + root) / (2.0 * about_tip)
    gyroscopic = axial * spin / arm**2  # in x and y of the centre
    expected = np.array([[0, gyroscopic, 0], [-gyroscopic, 0, 0], [0, 0, 0]])
    assert small.damping == pytest.approx(expected, abs=1e-9 * gyroscopic)
    if spin == 250.0:  # fast enough to sleep
        assert small.natural_frequencies == pytest.approx(np.array([0, slow, fast]) / TURN, rel=1e-9)
        assert small.stable
    else:
        growing = small.mode_eigenvalues[np.argmax(small.mode_eigenvalues.real)]
        assert growing.real == pytest.approx(abs(fast.imag), rel=1e-9) and not small.stable


def test_gyroscopic_pendulum_with_a_driven_rotor():
    """A q̈ + H J q̇ + m g l q = 0: frequencies (√(H² + 4 A m g l) ± H)/2A, with a rotor that a drive keeps turning."""
    m, arm, speed, axial, across, light = 1.0, 0.2, 400.0, 2e-3, 1.5e-3, 1e-9
    system = gd.System(
        gravity=(0, 0, -G),
        bodies={
            "stem": gd.Body(mass=light, inertia=(light, light, light), position=(0, 0, -arm)),
            "rotor": gd.Body(mass=m, inertia=(across, across, axial), position=(0, 0, -arm)),
        },
        joints={
            "cardan": gd.Universal("ground", "stem", at=(0, 0, 0)),
            "axle": gd.Revolute("stem", "rotor", at=(0, 0, -arm)),
        },
        drives={"motor": gd.Drive("axle", f"{speed}*t")},
    )
    small = gd.linearize(system)
    assert small.coordinates == ("cardan.angle_parent", "cardan.angle_child")
    spin, about = axial * speed, across + m * arm**2
    assert small.damping == pytest.approx(np.array([[0, spin], [-spin, 0]]), rel=1e-6, abs=1e-9)
    assert small.stiffness == pytest.approx(m * G * arm * np.eye(2), rel=1e-6, abs=1e-8)
    root = math.sqrt(spin**2 + 4.0 * about * m * G * arm)
    expected = np.array([root - spin, root + spin]) / (2.0 * about) / TURN
    assert small.natural_frequencies == pytest.approx(expected, rel=1e-7)
    assert np.iscomplexobj(small.mode_shapes)  # circles, not lines


# -- loops -------------------------------------------------------------------------------------------------------------

CRANK, COUPLER, ROCKER, FRAME = 0.2, 0.5, 0.4, 0.6  # lengths [m]
SPRING = {"at_first": (0.1, -0.5, 0.0), "stiffness": 400.0, "length": 0.35}


def four_bar_points(angle):
    """Ends A and B of crank and rocker for the crank's angle, by two circles; elements of arrays or numbers."""
    a = np.stack([CRANK * np.cos(angle), CRANK * np.sin(angle)], axis=-1)
    to = np.array((FRAME, 0.0)) - a
    distance = np.linalg.norm(to, axis=-1, keepdims=True)
    along = (distance**2 + COUPLER**2 - ROCKER**2) / (2.0 * distance)
    across = np.sqrt(COUPLER**2 - along**2)
    unit = to / distance
    return a, a + along * unit + across * np.stack([-unit[..., 1], unit[..., 0]], axis=-1)


def bar(start, end, mass) -> gd.Body:
    start, end = np.append(start, 0.0), np.append(end, 0.0)
    length, angle = np.linalg.norm(end - start), math.atan2(*(end - start)[1::-1])
    inertia = mass * length**2 / 12.0
    return gd.Body(
        mass=mass,
        inertia=(1e-5, inertia, inertia),
        position=0.5 * (start + end),
        orientation=(math.cos(angle / 2), 0, 0, math.sin(angle / 2)),
    )


def four_bar(angle: float = 1.0) -> gd.System:
    """A planar four-bar of revolutes in space (three redundant rows), its rocker's middle on a spring to the ground."""
    a, b = four_bar_points(angle)
    zero, end = np.zeros(2), np.array((FRAME, 0.0))
    return gd.System(
        name="four-bar",
        gravity=(0, -G, 0),
        bodies={"crank": bar(zero, a, 0.5), "coupler": bar(a, b, 1.0), "rocker": bar(end, b, 0.8)},
        joints={
            "A0": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "A": gd.Revolute("crank", "coupler", at=(*a, 0)),
            "B": gd.Revolute("coupler", "rocker", at=(*b, 0)),
            "B0": gd.Revolute("ground", "rocker", at=(FRAME, 0, 0)),
        },
        loads={"spring": gd.SpringDamper("ground", "rocker", **SPRING)},
    )


def four_bar_energy(angle):
    """Potential energy for the crank's angle [J]."""
    a, b = four_bar_points(angle)
    middle = 0.5 * (b + np.array((FRAME, 0.0)))
    stretch = np.linalg.norm(middle - SPRING["at_first"][:2], axis=-1) - SPRING["length"]
    weight = G * (0.5 * a[..., 1] / 2 + 1.0 * (a + b)[..., 1] / 2 + 0.8 * middle[..., 1])
    return weight + 0.5 * SPRING["stiffness"] * stretch**2


def fitted(function, angle, width=0.2, degree=24):
    """Chebyshev interpolant of a function about an angle, good to about 1e-13 with its derivatives to 1e-10."""
    return np.polynomial.Chebyshev.interpolate(function, degree, domain=[angle - width, angle + width])


def four_bar_mass(angle):
    """2 T/θ̇² from the slopes of all bars' centres and directions [kg·m²]."""

    def slope(component):
        return float(fitted(component, angle).deriv()(angle))

    def part(mass, first, second, length):
        speed = sum(slope(lambda x, c=c: 0.5 * (first(x) + second(x))[..., c]) ** 2 for c in (0, 1))
        turn = sum((slope(lambda x, c=c: (second(x) - first(x))[..., c]) / length) ** 2 for c in (0, 1))
        return mass * (speed + length**2 / 12.0 * turn)

    def zero(x):
        return np.zeros((*np.shape(x), 2))

    def end(x):
        return zero(x) + np.array((FRAME, 0.0))

    def pin_a(x):
        return four_bar_points(x)[0]

    def pin_b(x):
        return four_bar_points(x)[1]

    return part(0.5, zero, pin_a, CRANK) + part(1.0, pin_a, pin_b, COUPLER) + part(0.8, end, pin_b, ROCKER)


def test_redundant_four_bar_with_a_spring():
    """K = V″ and M of one coordinate along the whole turn (gravity, spring and the curvature of the loop)."""
    for angle in (1.0, 2.5, 4.0):
        small = gd.linearize(four_bar(angle))
        energy = fitted(four_bar_energy, angle)
        assert small.coordinates == ("A0.angle",)
        assert small.mass == pytest.approx(four_bar_mass(angle), rel=1e-9)
        assert small.force == pytest.approx(-energy.deriv()(angle), rel=1e-8)
        # not at rest: M z̈ + M' ż²/2 = −V', linearised at ż = 0: K = V″ + M' z̈
        slope = fitted(np.vectorize(four_bar_mass), angle, 0.02, 4).deriv()(angle)
        acceleration = float(small.force[0] / small.mass[0, 0])
        assert small.stiffness == pytest.approx(energy.deriv(2)(angle) + slope * acceleration, rel=1e-6)


def test_four_bar_vibrates_as_predicted():
    """ω² = V″/M at the equilibrium; and the period of a small free vibration that is simulated."""
    found = gd.equilibrium(four_bar())
    small = gd.linearize(found)
    a = np.array(found.system.start["crank"].position[:2])
    angle = math.atan2(a[1], a[0])
    energy = fitted(four_bar_energy, angle)
    assert energy.deriv()(angle) == pytest.approx(0.0, abs=1e-8)
    omega = math.sqrt(energy.deriv(2)(angle) / four_bar_mass(angle))
    assert small.natural_frequencies == pytest.approx(omega / TURN, rel=1e-8)

    state = found.system.start["crank"]
    pushed = gd.BodyState(position=state.position, orientation=state.orientation, angular_velocity=(0, 0, 1e-3 * omega))
    system = found.system.replace(start={"crank": pushed})
    system = system.replace(
        bodies={k: moved_to(b, found.system.start[k]) for k, b in system.bodies.items()}, joints=moved_joints(found)
    )
    watch = {"middle": gd.Crossing(joint="A0", value=0.0, direction="rising")}
    times = (
        gd.simulate(system, 4.2 * TURN / omega, crossings=watch, solver=gd.Explicit(rtol=1e-11, atol=1e-12))
        .crossings["time"]
        .values
    )
    periods = np.diff(times)
    assert len(periods) >= 3 and periods == pytest.approx(TURN / omega, rel=1e-5)


def moved_to(body: gd.Body, state: gd.BodyState) -> gd.Body:
    """The body with its reference pose at a state."""
    return gd.Body(mass=body.mass, inertia=body.inertia, position=state.position, orientation=state.orientation)


def moved_joints(found: gd.Equilibrium) -> dict[str, gd.Revolute]:
    """The joints of the four-bar for the poses of an equilibrium."""
    a = np.array(found.system.start["crank"].position) * 2.0
    b = np.array(found.system.start["rocker"].position) * 2.0 - (FRAME, 0, 0)
    points = {"A0": (0, 0, 0), "A": a, "B": b, "B0": (FRAME, 0, 0)}
    return {
        name: gd.Revolute(joint.parent, joint.child, at=points[name]) for name, joint in found.system.joints.items()
    }


def test_driven_slider_crank_has_no_freedom_left():
    with refuses("System 'slider-crank': joints and drives leave it no freedom; there is no small motion to look at"):
        gd.linearize(slider_crank(gd.Drive("pivot", "0.4")))


def test_time_of_loads_and_drives():
    """A mass on a spring whose stiffness grows with time, on a foundation that moves."""
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"base": gd.Body(mass=1.0, inertia=(1, 1, 1)), "mass": gd.Body(mass=2.0, inertia=(1, 1, 1))},
        joints={
            "base": gd.Prismatic("ground", "base", at=(0, 0, 0), axis=(1, 0, 0)),
            "guide": gd.Prismatic("base", "mass", at=(0, 0, 0), axis=(1, 0, 0)),
        },
        loads={"spring": gd.JointSpring("guide", stiffness="100*(1+t)")},
        drives={"shaker": gd.Drive("base", "0.2*t**2")},
        start={"mass": gd.BodyState(position=(1.8, 0, 0), orientation=(1, 0, 0, 0))},
    )
    small = gd.linearize(system, time=3.0)
    assert small.coordinates == ("guide.displacement",) and small.stiffness == pytest.approx(400.0, rel=1e-9)
    assert small.system.start["base"].position[0] == pytest.approx(1.8, rel=1e-12)
    assert small.force == pytest.approx(-2.0 * 0.4, rel=1e-9)  # the foundation accelerates with 0.4 m/s²
    assert gd.linearize(system).stiffness == pytest.approx(100.0, rel=1e-9)


# -- choice and mistakes -----------------------------------------------------------------------------------------------


def test_report_and_picture():
    small = gd.linearize(double_pendulum())
    lines = str(small).splitlines()
    assert lines[0] == "double pendulum at t = 0 s: 2 freedoms, about an equilibrium"
    assert lines[1] == "  coordinates  upper.angle [rad], lower.angle [rad]"
    assert len(lines) == 5 and lines[-1].endswith("two")
    assert len(small.plot().axes) == 2
    with refuses("plot: modes is 0; draw one mode or more"):
        small.plot(0)


@pytest.mark.parametrize(
    "coordinates, wording",
    [
        ("upper.angle", "linearize, coordinates: 'upper.angle' given; give names such as ('crank.angle', 'bob.x')"),
        (
            ("uper.angle", "lower.angle"),
            "linearize, coordinates: no coordinate 'uper.angle'; did you mean 'upper.angle'?",
        ),
        (
            ("upper.angle",),
            "linearize, coordinates: 1 different coordinates given; 'double pendulum' has 2 freedoms here",
        ),
        (("upper.angle", "one.ry"), "linearize, coordinates: 'one.ry' cannot be chosen, it follows from the other"),
        (("upper.angle", "two.y"), "linearize, coordinates: 'two.y' cannot be chosen, it follows from the other"),
    ],
)
def test_coordinates_that_cannot_be_chosen(coordinates, wording):
    with refuses(wording):
        gd.linearize(double_pendulum(), coordinates=coordinates)


def test_driven_coordinate_cannot_be_chosen():
    system = double_pendulum().replace(drives={"motor": gd.Drive("upper", "0")})
    assert gd.linearize(system).coordinates == ("lower.angle",)
    with refuses(
        "linearize, coordinates: 'upper.angle' cannot be chosen, Drive 'motor' prescribes it in this position"
    ):
        gd.linearize(system, coordinates=("upper.angle",))


def test_singular_position_is_refused():
    """A parallelogram folded flat may go on as a parallelogram or crosswise."""
    points = {"A": (0.2, 0, 0), "B": (0.7, 0, 0)}
    system = gd.System(
        name="flat",
        bodies={
            "crank": bar((0, 0), (0.2, 0), 1),
            "coupler": bar((0.2, 0), (0.7, 0), 1),
            "rocker": bar((0.5, 0), (0.7, 0), 1),
        },
        joints={
            "A0": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "A": gd.Revolute("crank", "coupler", at=points["A"]),
            "B": gd.Revolute("coupler", "rocker", at=points["B"]),
            "B0": gd.Revolute("ground", "rocker", at=(0.5, 0, 0)),
        },
    )
    with refuses("System 'flat': this is a singular position: the motions that its joints seem to allow here do not"):
        gd.linearize(system)


def test_bristles_are_refused_while_touching():
    model = gd.Dry(**RADII, contact=HERTZ, friction=LUGRE)
    flying = gd.linearize(ball_in_socket(model))
    assert not flying.stiffness.any()
    with refuses("Spherical 'J': it touches with LuGre friction, whose bristles are a state of their own"):
        gd.linearize(ball_in_socket(model, offset=(0, 0, 1.001e-4)))


def test_wrong_arguments(tmp_path):
    with refuses("linearize: str given; give a gd.System, a gd.Equilibrium or a gd.Result"):
        gd.linearize("pendulum")  # pyright: ignore
    with refuses("linearize: at is given without a Result"):
        gd.linearize(pendulum(), at=3)
    result = gd.simulate(pendulum(), 0.1, sample=0.1)
    with refuses("linearize: at is 5; this result has 2 samples"):
        gd.linearize(result, at=5)
    with refuses("linearize: at is 5 s; this result covers 0 to 0.1 s"):
        gd.linearize(result, at=5.0)
    with refuses("linearize: at is 'end'; give a sample"):
        gd.linearize(result, at="end")  # pyright: ignore
    with refuses("linearize: time is given with a Result, which has its own"):
        gd.linearize(result, time=0.0)
    with refuses("linearize: this Result was read from a file"):
        gd.linearize(gd.load(result.save(tmp_path / "run.nc")))
