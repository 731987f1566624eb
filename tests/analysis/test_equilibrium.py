"""Static equilibrium against closed forms: chains, springs, bushings, contacts, loops; what has none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import gudgeon as gd
from mechanisms import G, pendulum, slider_crank, trolley, wheel
from mistakes import refuses
from real_joints import BALL, EVERY_MODEL, LOSSY, LUGRE, RADII, STIFFNESS, ball_in_socket

WEIGHT = BALL["mass"] * G
DOWN = (0.0, 0.0, -G)


def angle_of(found: gd.Equilibrium) -> float:
    """Of the bob, from upright."""
    x, y, _ = found.system.start["bob"].position
    return math.atan2(-x, y)


def stays_at_rest(found: gd.Equilibrium, within: float) -> bool:
    """Whether a run from there goes nowhere."""
    run = gd.simulate(found.system, 0.2, sample=0.2)
    return float(np.abs(run.data.position[-1] - run.data.position[0]).max()) < within


def test_pendulum_hangs():
    found = gd.equilibrium(pendulum())
    assert found.system.start["bob"].position == pytest.approx((0.0, -0.5, 0.0), abs=1e-12)
    assert found.stable and found.neutral_freedoms == 0 and found.residual < 1e-12
    assert found.softest == pytest.approx(G, rel=1e-9)  # g over the reduced length of 1 m
    assert found.moved["bob"][1] == pytest.approx(math.pi / 2)
    assert str(found).splitlines()[0] == "pendulum: equilibrium at t = 0 s, stable"
    assert stays_at_rest(found, 1e-12)


def upright(angle: float) -> gd.System:
    """The pendulum on a hinge spring that holds it upright, too weak to do so; `angle` from upright."""
    half = 0.5 * angle
    return pendulum(
        bodies={"bob": gd.Body(mass=1.0, inertia=(0.25, 0.25, 0.25), position=(0, 0.5, 0))},
        loads={"spring": gd.JointSpring("pivot", stiffness=0.3 * G)},
        start={
            "bob": gd.BodyState(
                position=(-0.5 * math.sin(angle), 0.5 * math.cos(angle), 0),
                orientation=(math.cos(half), 0, 0, math.sin(half)),
            )
        },
    )


LEANING = brentq(lambda x: 0.3 * x - 0.5 * math.sin(x), 0.1, 3.0)  # 0.3 m g x = m g d sin x


@pytest.mark.parametrize("start, expected", [(0.3, LEANING), (-0.3, -LEANING), (2.5, LEANING), (-1.0, -LEANING)])
def test_two_equilibria(start, expected):
    found = gd.equilibrium(upright(start))
    assert angle_of(found) == pytest.approx(expected, abs=1e-12) and found.stable


def test_unstable_equilibrium_is_left_or_kept():
    left = gd.equilibrium(upright(0.0))
    assert abs(angle_of(left)) == pytest.approx(LEANING, abs=1e-12) and left.stable
    kept = gd.equilibrium(upright(0.1), find="nearest")
    assert angle_of(kept) == pytest.approx(0.0, abs=1e-12) and not kept.stable
    assert kept.softest == pytest.approx((0.3 - 0.5) * G / 0.5, rel=1e-8)
    assert "unstable" in str(kept)


def hanging_chain(count: int) -> gd.System:
    """Equal links of 0.1 m between two points of one height, placed along half a regular polygon standing upright."""
    length = 0.1
    corners = (
        np.cumsum(
            [[0, 0], *([math.cos(x), math.sin(x)] for x in (np.arange(count) + 0.5) * -math.pi / count + math.pi / 2)],
            axis=0,
        )
        * length
    )
    names = [f"link{k}" for k in range(count)]
    bodies = {}
    for k, name in enumerate(names):
        along = corners[k + 1] - corners[k]
        half = 0.5 * math.atan2(along[1], along[0])
        bodies[name] = gd.Body(
            mass=0.2,
            inertia=(1e-6, 2e-4, 2e-4),
            position=(*(0.5 * (corners[k] + corners[k + 1])), 0),
            orientation=(math.cos(half), 0, 0, math.sin(half)),
        )
    places = ["ground", *names, "ground"]
    joints = {f"pin{k}": gd.Revolute(places[k], places[k + 1], at=(*corners[k], 0)) for k in range(count + 1)}
    return gd.System(name="chain", gravity=(0, -G, 0), bodies=bodies, joints=joints)


@pytest.mark.parametrize("count", [3, 8, 40])
def test_hanging_chain(count):
    """The catenary of bars: slopes of successive equal bars differ by weight/horizontal force, one constant."""
    system = hanging_chain(count)
    assert gd.assemble(system).redundant_rows == 3
    found = gd.equilibrium(system)
    slopes = []
    for state in found.system.start.values():
        e0, _, _, e3 = state.orientation
        slopes.append(math.tan(2.0 * math.atan2(e3, e0)))
    steps = np.diff(slopes)
    assert steps == pytest.approx(steps.mean(), rel=1e-8) and steps[0] > 0.1
    assert sum(slopes) == pytest.approx(0.0, abs=1e-8)
    assert found.stable and found.system.start["link1"].position[1] < -0.05


def test_body_on_springs():
    """Two springs in a line, the mass between them: m g = k₁ s₁ − k₂ s₂."""
    system = trolley(
        gravity=(G, 0, 0),
        loads={
            "one": gd.SpringDamper("ground", "trolley", at_first=(-1, 0, 0), stiffness=300.0, length=0.7),
            "two": gd.SpringDamper("ground", "trolley", at_first=(1, 0, 0), stiffness=500.0, length=0.9, damping=9.0),
        },
    )
    found = gd.equilibrium(system)
    expected = (2.0 * G - 300.0 * 0.3 + 500.0 * 0.1) / 800.0
    assert found.system.start["trolley"].position[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("stiffness", [1e5, STIFFNESS[:3, :3], STIFFNESS], ids=["radial", "3×3", "6×6"])
def test_body_on_a_bushing(stiffness):
    """x = K⁻¹ m g (with the rotations that a 6×6 matrix couples; small, so that rotations are vectors)."""
    found = gd.equilibrium(ball_in_socket(gd.Bushing(stiffness=stiffness), gravity=DOWN))
    state = found.system.start["ball"]
    matrix = stiffness * np.eye(3) if np.ndim(stiffness) == 0 else np.array(stiffness)
    expected = np.linalg.solve(matrix, [0, 0, -WEIGHT, 0, 0, 0][: len(matrix)])
    assert state.position == pytest.approx(expected[:3], rel=1e-5, abs=1e-12)
    assert found.neutral_freedoms == 6 - len(matrix)
    if len(matrix) == 6:
        assert 2.0 * np.array(state.orientation[1:]) == pytest.approx(expected[3:], rel=1e-4)
    else:
        assert state.position == pytest.approx(expected, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("offset", [(0, 0, 0), (3e-5, 4e-5, 6e-5), (0.5e-4, 0, -0.8660254e-4)])
@pytest.mark.parametrize("stiffness", [1e8, 1e12])
def test_ball_in_a_dry_socket(offset, stiffness):
    """The ball rests at the bottom, pressed in by (m g/K)^(2/3), wherever it starts."""
    model = gd.Dry(**RADII, contact=gd.laws.Hertz(stiffness=stiffness))
    found = gd.equilibrium(ball_in_socket(model, gravity=DOWN, offset=offset))
    depth = (WEIGHT / stiffness) ** (2 / 3)
    x, y, z = found.system.start["ball"].position
    assert -z - 1e-4 == pytest.approx(depth, rel=1e-6)
    assert math.hypot(x, y) < 1e-11
    assert found.stable and found.neutral_freedoms == 3  # the ball may turn


@pytest.mark.parametrize("model", [gd.Dry(**RADII, contact=LOSSY, friction=LUGRE), EVERY_MODEL["lubricated, contact"]])
def test_friction_and_films_carry_nothing_at_rest(model):
    found = gd.equilibrium(ball_in_socket(model, gravity=DOWN))
    free = 1e-4 - getattr(model, "smallest_film", 0.0)
    assert np.linalg.norm(found.system.start["ball"].position) - free == pytest.approx(
        (WEIGHT / LOSSY.stiffness) ** (2 / 3), rel=1e-6
    )


@pytest.mark.parametrize("joint", ["bushing", "frictionless"])
def test_four_bar_with_a_real_joint_rests_near_the_ideal_one(joint):
    ideal = gd.equilibrium(gd.examples.spatial_four_bar())
    real = gd.equilibrium(gd.examples.spatial_four_bar(joint))
    assert real.stable and real.neutral_freedoms == ideal.neutral_freedoms == 1  # the coupler may spin
    for name, state in real.system.start.items():
        assert state.position == pytest.approx(ideal.system.start[name].position, abs=4e-4)
    height = sum(b.mass * ideal.system.start[n].position[2] for n, b in ideal.system.bodies.items())
    for turn in (-0.02, 0.02):  # the ideal one is lower than its neighbours
        driven = ideal.system.replace(drives={"crank": gd.Drive("A", str(turn + crank_angle(ideal)))})
        moved = gd.assemble(driven).system.start
        assert sum(b.mass * moved[n].position[2] for n, b in driven.bodies.items()) > height


def crank_angle(found: gd.Equilibrium) -> float:
    """The angle of joint A (axis x) of the spatial four-bar, whose crank is described unturned."""
    e0, e1, _, _ = found.system.start["crank"].orientation
    return 2.0 * math.atan2(e1, e0)


def test_loads_and_drives_at_a_time():
    """2 kg pushed by 10 t N against 50 N/m, on a base that its drive has brought to sin t."""
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"base": gd.Body(mass=1.0, inertia=(1, 1, 1)), "mass": gd.Body(mass=2.0, inertia=(1, 1, 1))},
        joints={
            "base": gd.Prismatic("ground", "base", at=(0, 0, 0), axis=(1, 0, 0)),
            "guide": gd.Prismatic("base", "mass", at=(0, 0, 0), axis=(1, 0, 0)),
        },
        loads={"spring": gd.JointSpring("guide", stiffness=50.0), "push": gd.Force("mass", ("10*t", 0, 0))},
        drives={"shaker": gd.Drive("base", "sin(t)")},
    )
    found = gd.equilibrium(system, at=2.0)
    assert found.time == 2.0
    assert found.system.start["mass"].position[0] == pytest.approx(math.sin(2.0) + 20.0 / 50.0, rel=1e-12)
    assert found.system.start["mass"].velocity == (0.0, 0.0, 0.0)
    assert gd.linearize(found.system, time=2.0).stiffness == pytest.approx(50.0, rel=1e-9)
    assert gd.linearize(found).time == 2.0


def test_follower_force():
    """A force fixed in the bob, across its arm: m g sin φ = F. It has no potential."""
    system = pendulum(loads={"thrust": gd.Force("bob", (0, -4.0, 0), axes="body")})
    found = gd.equilibrium(system)
    x, y, _ = found.system.start["bob"].position
    assert abs(x) / 0.5 == pytest.approx(4.0 / G, rel=1e-10) and y < 0.0


def test_nothing_left_to_find():
    found = gd.equilibrium(slider_crank(gd.Drive("pivot", "0.4")))
    assert found.iterations == 0 and found.residual == 0.0 and found.stable
    x, y, _ = found.system.start["rod"].position
    assert y == pytest.approx(0.5 * 0.15 * math.sin(0.4), rel=1e-12) and x > 0.0


def test_no_equilibrium():
    falling = gd.System(name="stone", bodies={"stone": gd.Body(mass=1.0, inertia=(1, 1, 1))})
    with refuses(
        "System 'stone': no equilibrium found: body 'stone' keeps accelerating along (0, 0, -1) with 9.81 m/s²"
    ):
        gd.equilibrium(falling)
    with refuses(
        "System 'wheel': no equilibrium found: body 'wheel' keeps accelerating about (0, 0, 1) with 50 rad/s²"
    ):
        gd.equilibrium(wheel(loads={"motor": gd.Torque("wheel", (0, 0, 1.0))}))


def test_film_alone():
    model = gd.Lubricated(**RADII, viscosity=0.05)
    with refuses(
        "Spherical 'J': a film carries no load at rest, so that the ball sinks until it closes; there is no eq"
    ):
        gd.equilibrium(ball_in_socket(model, gravity=DOWN))
    with refuses("Spherical 'J': a film has no stiffness at rest, so that the equilibrium is not unique"):
        gd.equilibrium(ball_in_socket(model))


def test_wound_spring_is_refused():
    system = wheel(loads={"spring": gd.JointSpring("axle", stiffness=2.0, rest="5*pi")})
    with refuses(
        "equilibrium: JointSpring 'spring' is wound by 2.5 turns there, which the position of the bodies cannot tell"
    ):
        gd.equilibrium(system)


def test_wrong_arguments():
    with refuses("equilibrium: int given; give a gd.System"):
        gd.equilibrium(3)  # pyright: ignore
    with refuses("equilibrium: find is 'lowest'; give 'stable' or 'nearest'"):
        gd.equilibrium(pendulum(), find="lowest")  # pyright: ignore
    with refuses("equilibrium: at is 'now'; give a number"):
        gd.equilibrium(pendulum(), at="now")  # pyright: ignore


def test_a_box_in_oil_sinks():
    """A film without contact carries nothing at rest; what sinks is a box."""
    oil = gd.LubricatedBox(length=0.05, width=0.02, height=0.02, clearance=2e-5, viscosity=0.06)
    system = gd.System(
        gravity=(0, -9.81, 0),
        bodies={"b": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))},
        joints={"s": gd.Prismatic("ground", "b", at=(0, 0, 0), model=oil)},
        loads={"k": gd.JointSpring("s", stiffness=100.0)},
    )
    with refuses("Prismatic 's': a film carries no load at rest, so that the box sinks until it closes; …"):
        gd.equilibrium(system)
