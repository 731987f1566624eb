"""Small motions of gyroscopes, closed loops and driven mechanisms against closed forms and energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from mechanisms import G, slider_crank
from mistakes import refuses

TURN = 2.0 * math.pi


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
    rate = 1e-3 * omega
    pushed = gd.BodyState(
        position=state.position,
        orientation=state.orientation,
        velocity=(-rate * a[1], rate * a[0], 0),
        angular_velocity=(0, 0, rate),
    )
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
