"""Bodies that meet: balls that bounce, roll and collide in closed form, every pair of shapes, momentum, mistakes."""

from __future__ import annotations

import math
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import gudgeon as gd
from conserved import drift, momenta

G, R, MASS = 9.81, 0.05, 0.5
J = 0.4 * MASS * R**2
HERTZ = 1e7  # [N/m^1.5]
GRIP = gd.laws.Coulomb(coefficient=0.3, velocity_tolerance=1e-4)
LOSSY = gd.laws.HuntCrossley(stiffness=HERTZ, damping=0.5)
SUNK = (MASS * G / HERTZ) ** (2.0 / 3.0)  # of the ball at rest on a floor [m]
COORDINATES = pytest.mark.parametrize("coordinates", ["absolute", "relative"])


def ball(floor: gd.Plane | None = None, *, friction: Any = None, contact: Any = LOSSY, **state: Any) -> gd.System:
    """A ball on or above a floor."""
    body = gd.Body(
        mass=MASS, inertia=(J, J, J), **{"position": (0, 0, R - SUNK), "angular_velocity": (0, 0, 0)} | state
    )
    touch = gd.DryTouch(contact=contact, friction=friction)
    joint = gd.Meeting("ground", "ball", shapes=(floor or gd.Plane(), gd.Sphere(radius=R)), model=touch)
    return gd.System(bodies={"ball": body}, joints={"floor": joint})


@COORDINATES
def test_a_ball_bounces_without_loss(coordinates):
    """Fallen h, it meets the floor with √(2 g h), again and again."""
    height = 0.2
    speed = math.sqrt(2.0 * G * height)
    elastic = ball(contact=gd.laws.Hertz(stiffness=HERTZ), position=(0, 0, R + height))
    for solver in (gd.Explicit(), gd.Implicit()):
        events = gd.simulate(elastic, 1.5, solver=solver, coordinates=coordinates, sample=0.01).events
        assert events.impact_speed.values == pytest.approx(speed, rel=1e-6)
        assert events.begin.values[0] == pytest.approx(math.sqrt(2.0 * height / G), rel=1e-9)
        lasted = (events.end - events.begin).dropna().values
        assert np.diff(events.begin.values) == pytest.approx(2.0 * speed / G + lasted[0], rel=1e-6)


@COORDINATES
def test_how_long_and_how_hard_an_impact_is(coordinates):
    """Without weight: Hertz's 2.9432 δ/v in contact, δ = (5 m v²/4k)^0.4, the peak k δ^1.5."""
    deep = (1.25 * MASS * 2.0**2 / HERTZ) ** 0.4
    thrown = ball(contact=gd.laws.Hertz(stiffness=HERTZ), position=(0, 0, R + 0.01), velocity=(0, 0, -2))
    result = gd.simulate(thrown.replace(gravity=(0, 0, 0)), 0.02, coordinates=coordinates, sample=1e-3)
    event = result.events.iloc[0]
    assert event.begin == pytest.approx(0.005, rel=1e-9)
    assert event.end - event.begin == pytest.approx(2.94327 * deep / 2.0, rel=1e-5)
    assert event.peak_force == pytest.approx(HERTZ * deep**1.5, rel=1e-4)
    assert result.data.velocity.values[-1, 0, 2] == pytest.approx(2.0, rel=1e-6)


@COORDINATES
def test_bounces_with_losses(coordinates):
    """Each lower than the last as the law says, integrated by SciPy: m δ̈ = m g − k δ^1.5 (1 + 3/2 c δ̇)."""
    result = gd.simulate(ball(position=(0, 0, R + 0.3)), 1.2, coordinates=coordinates, sample=0.005)
    speeds = result.events.impact_speed.values
    over = lambda t, y: y[0]  # noqa: E731 (the contact ends)
    over.terminal, over.direction = True, -1.0
    for before, after in pairwise(speeds[:4].tolist()):
        push = lambda t, y: [y[1], G - HERTZ * max(y[0], 0.0) ** 1.5 * max(1.0 + 0.75 * y[1], 0.0) / MASS]  # noqa: E731
        found = solve_ivp(push, (0, 0.1), [0.0, before], events=over, rtol=1e-10, atol=1e-14, max_step=1e-3)
        assert after == pytest.approx(-found.y[1, -1], rel=1e-5)
    balance = result.data.mechanical_energy + result.data.dissipated_energy.sel(joint="floor")
    assert float(abs(balance - balance[0]).max()) < 1e-7


@COORDINATES
@pytest.mark.parametrize(
    "solver", [gd.Explicit(), gd.Implicit(), gd.TimeStepping(step=2e-4)], ids=lambda s: type(s).__name__
)
def test_a_ball_slides_until_it_rolls(solver, coordinates):
    """From v₀ without spin to 5/7 v₀, after 2 v₀/(7 μ g)."""
    data = gd.simulate(
        ball(friction=GRIP, velocity=(1, 0, 0)), 0.3, solver=solver, coordinates=coordinates, sample=0.005
    ).data
    v, spin = data.velocity.values[:, 0, 0], data.angular_velocity.values[:, 0, 1]
    rolls = 2.0 / (7.0 * 0.3 * G)
    t = data.time.values
    expected = np.where(t < rolls, 1.0 - 0.3 * G * t, 5.0 / 7.0)
    assert v == pytest.approx(expected, abs=2e-3)
    assert v[-1] == pytest.approx(5.0 / 7.0, abs=3e-4)
    assert spin[-1] * R == pytest.approx(v[-1], abs=1e-3)
    lost = 0.5 * MASS * (1.0 - 5.0 / 7.0)
    assert float(data.dissipated_energy.sel(joint="floor")[-1]) == pytest.approx(lost, rel=5e-3)


@COORDINATES
def test_a_ball_rolls_down_a_slope(coordinates):
    """5/7 g sin α; on a floor that yields by δ it rolls on R − δ/2."""
    slope = 0.2
    turn = Rotation.from_rotvec((0, slope, 0))
    sunk = (MASS * G * math.cos(slope) / HERTZ) ** (2 / 3)
    start = turn.apply((0, 0, R - sunk))
    hill = ball(gd.Plane(orientation=turn), friction=GRIP, position=tuple(start))
    data = gd.simulate(hill, 1.0, coordinates=coordinates, sample=0.1).data
    along = data.velocity.values[:, 0] @ turn.apply((1, 0, 0))
    rolled = G * math.sin(slope) / (1.0 + 0.4 * (R / (R - 0.5 * sunk)) ** 2)
    assert rolled == pytest.approx(5.0 / 7.0 * G * math.sin(slope), rel=1e-3)
    assert along == pytest.approx(rolled * data.time.values, abs=5e-5)


def test_a_ball_on_a_turntable_goes_in_circles():
    """A ball that rolls on a table with Ω circles with 2/7 Ω (Weltner 1979), about any centre."""
    table = gd.Body(mass=1.0, inertia=(1, 1, 1))
    omega, v = 3.0, 0.1
    # rolling at the start: the velocity of the ball's lowest point is that of the table below it
    spin = (0.0, v / R, 0.0)
    system = gd.System(
        bodies={
            "table": table,
            "ball": gd.Body(
                mass=MASS, inertia=(J, J, J), position=(0, 0, R - SUNK), velocity=(v, 0, 0), angular_velocity=spin
            ),
        },
        joints={
            "axle": gd.Revolute("ground", "table", at=(0, 0, 0)),
            "on": gd.Meeting(
                "table",
                "ball",
                shapes=(gd.Plane(), gd.Sphere(radius=R)),
                model=gd.DryTouch(contact=LOSSY, friction=gd.laws.Coulomb(coefficient=0.5, velocity_tolerance=1e-5)),
            ),
        },
        drives={"motor": gd.Drive("axle", f"{omega}*t")},
    )
    data = gd.simulate(system, 2.0, sample=0.02).data
    velocity = data.velocity.sel(body="ball").values[:, :2]
    angle = np.unwrap(np.arctan2(velocity[:, 1], velocity[:, 0]))
    assert np.polyfit(data.time.values, angle, 1)[0] == pytest.approx(2.0 / 7.0 * omega, rel=2e-3)
    assert np.linalg.norm(velocity, axis=1) == pytest.approx(v, rel=5e-3)


@COORDINATES
def test_two_balls_collide(coordinates):
    """Without loss and friction: the parts of the velocities along the line of centres are exchanged."""
    one = gd.Body(mass=0.2, inertia=(1e-4, 1e-4, 1e-4), velocity=(1, 0, 0), angular_velocity=(0, 0, 0))
    two = gd.Body(
        mass=0.2, inertia=(1e-4, 1e-4, 1e-4), position=(0.2, 0.05, 0), velocity=(0, 0, 0), angular_velocity=(0, 0, 0)
    )
    touch = gd.DryTouch(contact=gd.laws.Hertz(stiffness=1e8))
    pair = gd.System(
        gravity=(0, 0, 0),
        bodies={"one": one, "two": two},
        joints={"hit": gd.Meeting("one", "two", shapes=(gd.Sphere(radius=0.05), gd.Sphere(radius=0.05)), model=touch)},
    )
    result = gd.simulate(pair, 0.5, coordinates=coordinates, sample=0.01)
    sine = 0.05 / 0.1
    line = np.array([math.sqrt(1.0 - sine**2), sine, 0.0])
    after = result.data.velocity.values[-1]
    assert after[1] == pytest.approx(line[0] * line, abs=2e-3)  # the spheres move a little while they touch
    assert after[0] == pytest.approx((1, 0, 0) - line[0] * line, abs=2e-3)
    linear, angular = momenta(result)
    assert drift(linear) < 1e-12 and drift(angular) < 1e-9
    assert float(result.data.mechanical_energy[-1]) == pytest.approx(0.1, rel=1e-7)
    assert result.events.impact_speed.values[0] == pytest.approx(line[0], rel=1e-9)


SHAPES: dict[str, tuple[gd.Sphere | Any, Any]] = {
    "sphere on plane": (gd.Plane(), gd.Sphere(radius=0.1)),
    "capsule on plane": (gd.Plane(), gd.Capsule(radius=0.05, length=0.3)),
    "cylinder on plane": (gd.Plane(), gd.Cylinder(radius=0.1, length=0.2)),
    "box on plane": (gd.Plane(), gd.Box((0.2, 0.15, 0.1))),
    "sphere and sphere": (gd.Sphere(radius=0.2), gd.Sphere(radius=0.1)),
    "sphere and capsule": (gd.Capsule(radius=0.1, length=0.4), gd.Sphere(radius=0.1)),
    "capsules": (gd.Capsule(radius=0.1, length=0.4), gd.Capsule(radius=0.05, length=0.3)),
    "sphere and cylinder": (gd.Cylinder(radius=0.15, length=0.4), gd.Sphere(radius=0.1)),
    "sphere in tube": (gd.Cylinder(radius=0.5, length=1.0, inner_radius=0.4), gd.Sphere(radius=0.1)),
    "sphere and box": (gd.Box((0.3, 0.2, 0.4)), gd.Sphere(radius=0.1)),
}


def points_of(shape: Any, count: int = 25) -> np.ndarray:
    """Points of a solid whose distance, less its `radius` if it is round, is that of the shape; own axes."""
    if isinstance(shape, gd.Sphere):
        return np.zeros((1, 3))
    if isinstance(shape, gd.Capsule):
        return np.array([(0, 0, z) for z in np.linspace(-shape.length / 2, shape.length / 2, 801)])
    if isinstance(shape, gd.Box):
        return np.array(list(product(*((-s / 2, s / 2) for s in shape.size))))
    turn = np.linspace(0.0, 2.0 * math.pi, 40 * count + 1)
    rims = [
        np.stack([shape.radius * np.cos(turn), shape.radius * np.sin(turn), 0 * turn + z], axis=1)
        for z in (-shape.length / 2, shape.length / 2)
    ]
    return np.concatenate(rims)


def distance_from(shape: Any, p: np.ndarray) -> float:
    """Of a point from a shape, in its own axes, by search."""
    if isinstance(shape, gd.Plane):
        return float(p[2])
    if isinstance(shape, gd.Sphere):
        return float(np.linalg.norm(p)) - shape.radius
    if isinstance(shape, gd.Capsule):
        z = np.clip(p[2], -shape.length / 2, shape.length / 2)
        return float(np.linalg.norm(p - (0, 0, z))) - shape.radius
    if isinstance(shape, gd.Box):
        half = np.array(shape.size) / 2
        found = minimize(lambda q: np.sum((q - p) ** 2), 0 * p, bounds=list(zip(-half, half, strict=True)), tol=1e-16)
        return math.sqrt(found.fun)
    across = math.hypot(p[0], p[1])
    found = minimize(
        lambda q: (q[0] - across) ** 2 + (q[1] - p[2]) ** 2,
        [shape.radius, 0.0],
        bounds=[(shape.inner_radius, shape.radius), (-shape.length / 2, shape.length / 2)],
        tol=1e-16,
    )
    return math.sqrt(found.fun)


@pytest.mark.parametrize("exchanged", [False, True], ids=["", "exchanged"])
@pytest.mark.parametrize("name", SHAPES)
def test_gaps_are_distances(name, exchanged):
    """Of shapes placed anywhere on two bodies: the least distance of many points of one from the other."""
    random = np.random.default_rng(3)
    first, second = SHAPES[name]
    from dataclasses import replace

    checked = 0
    for trial in range(12):
        places = random.uniform(-0.2, 0.2, (2, 3)), Rotation.random(2, random_state=trial)
        one = replace(first, position=tuple(places[0][0]), orientation=places[1][0])
        two = replace(second, position=tuple(places[0][1]), orientation=places[1][1])
        if name == "sphere in tube":
            reach = np.array((*random.uniform(-0.2, 0.2, 2), random.uniform(-0.3, 0.3)))
        else:
            reach = random.normal(size=3)
            reach *= random.uniform(0.4, 0.7) / np.linalg.norm(reach)
            if isinstance(first, gd.Plane):
                reach[2] = abs(reach[2]) + 0.2
        # the second body is placed so that its shape's frame is at `reach` in the first shape's
        turn = Rotation.random(random_state=100 + trial)
        at = np.array(one.position) + Rotation.from_quat(one.orientation, scalar_first=True).apply(reach)
        at = at - turn.apply(two.position)
        shapes = (two, one) if exchanged else (one, two)
        bodies = {"moving": gd.Body(mass=1.0, inertia=(1, 1, 1), position=tuple(at), orientation=turn)}
        ends = ("moving", "ground") if exchanged else ("ground", "moving")
        touch = gd.DryTouch(contact=gd.laws.Hertz(stiffness=1e6))
        system = gd.System(
            gravity=(0, 0, 0), bodies=bodies, joints={"J": gd.Meeting(*ends, shapes=shapes, model=touch)}
        )
        gaps = gd.simulate(system, 1e-6, sample=1e-6).data.gap.values[0]
        own = Rotation.from_quat(one.orientation, scalar_first=True).inv()
        points = (
            points_of(two)
            if not isinstance(two, gd.Capsule) or not isinstance(one, gd.Plane)
            else points_of(two)[[0, -1]]
        )
        world = at + turn.apply(
            np.array(two.position) + Rotation.from_quat(two.orientation, scalar_first=True).apply(points)
        )
        seen = own.apply(world - np.array(one.position))
        distances = [distance_from(one, p) for p in seen]
        radius = second.radius if isinstance(second, gd.Sphere | gd.Capsule) else 0.0
        if min(distances) - radius < 0.0:
            continue
        checked += 1
        assert gaps.min() == pytest.approx(min(distances) - radius, abs=2e-6)
    assert checked > 4


@COORDINATES
@pytest.mark.parametrize("solver", [gd.Explicit(), gd.Implicit()], ids=lambda s: type(s).__name__)
def test_nothing_flies_through_a_thin_wall(solver, coordinates):
    """A ball that comes from afar, in steps much longer than the wall is thick, is thrown back as fast as it came."""
    wall = gd.Box((0.002, 1.0, 1.0))
    for speed in (1.0, 100.0):
        body = gd.Body(
            mass=0.1,
            inertia=(1e-4, 1e-4, 1e-4),
            position=(-1, 3e-4, 0),
            velocity=(speed, 0, 0),
            angular_velocity=(0, 0, 0),
        )
        touch = gd.DryTouch(contact=gd.laws.Hertz(stiffness=1e9))
        joint = gd.Meeting("ground", "ball", shapes=(wall, gd.Sphere(radius=0.01)), model=touch)
        system = gd.System(gravity=(0, 0, 0), bodies={"ball": body}, joints={"wall": joint})
        result = gd.simulate(system, 3.0 / speed, solver=solver, coordinates=coordinates)
        assert result.events.begin.values == pytest.approx([0.989 / speed], rel=1e-9)
        assert result.data.velocity.values[-1, 0] == pytest.approx((-speed, 0, 0), abs=1e-6 * speed)


def test_a_capsule_rocks_on_its_ends():
    """Dropped flat it touches with both ends at once; tipped, with one after the other, and comes to lie."""
    rod = gd.Capsule(radius=0.02, length=0.2)
    made = gd.Body.of_shape(rod, density=1000)
    touch = gd.DryTouch(contact=gd.laws.HuntCrossley(stiffness=1e6, damping=2.0), friction=GRIP)
    for tilt in (0.0, 0.1):
        turn = Rotation.from_rotvec((0, math.pi / 2 - tilt, 0))
        body = gd.Body(mass=made.mass, inertia=made.inertia, position=(0, 0, 0.05), orientation=turn, shape=rod)
        system = gd.System(
            bodies={"rod": body}, joints={"floor": gd.Meeting("ground", "rod", shapes=(gd.Plane(), rod), model=touch)}
        )
        result = gd.simulate(system, 0.6, sample=2e-3)
        first = result.events.sort_values("begin").iloc[:2]
        assert set(result.events.contact) == {"upper end", "lower end"}
        apart = abs(first.begin.values[1] - first.begin.values[0])
        assert (apart < 1e-9) if tilt == 0.0 else (apart > 1e-3)
        lies = result.data.orientation.values[-1, 0]
        axis = Rotation.from_quat(lies, scalar_first=True).apply((0, 0, 1))
        assert abs(axis[2]) < 2e-3
        weight = np.nansum(result.data.normal_force.values[-1])
        assert weight == pytest.approx(made.mass * G, rel=0.05)


def test_a_box_slides_and_a_disc_rolls():
    """μ g; and a disc that rolls without slip: 2/3 of its speed of spinning."""
    box = gd.Box((0.1, 0.08, 0.06))
    body = gd.Body.of_shape(box, density=800)
    sunk = (body.mass * G / 4 / 1e6) ** (2 / 3)
    touch = gd.DryTouch(
        contact=gd.laws.HuntCrossley(stiffness=1e6, damping=0.5),
        friction=gd.laws.Coulomb(coefficient=0.2, velocity_tolerance=1e-4),
    )
    sliding = gd.Body(
        mass=body.mass,
        inertia=body.inertia,
        position=(0, 0, 0.03 - sunk),
        velocity=(1, 0, 0),
        angular_velocity=(0, 0, 0),
    )
    system = gd.System(
        bodies={"box": sliding}, joints={"floor": gd.Meeting("ground", "box", shapes=(gd.Plane(), box), model=touch)}
    )
    data = gd.simulate(system, 0.3, sample=0.05).data
    assert data.velocity.values[:, 0, 0] == pytest.approx(1.0 - 0.2 * G * data.time.values, abs=2e-3)
    disc = gd.Cylinder(radius=0.1, length=0.04)
    made = gd.Body.of_shape(disc, density=800)
    upright = Rotation.from_rotvec((math.pi / 2, 0, 0))  # its axis along −y
    spinning = gd.Body(
        mass=made.mass,
        inertia=made.inertia,
        position=(0, 0, 0.1 - (made.mass * G / 2e6) ** (2 / 3)),
        orientation=upright,
        velocity=(0, 0, 0),
        angular_velocity=(0, 10.0, 0),
    )
    system = gd.System(
        bodies={"disc": spinning},
        joints={"floor": gd.Meeting("ground", "disc", shapes=(gd.Plane(), disc), model=touch)},
    )
    data = gd.simulate(system, 0.4, sample=0.05).data
    assert data.velocity.values[-1, 0, 0] == pytest.approx(10.0 * 0.1 / 3.0, rel=2e-3)


def test_rest_and_small_motions():
    """A ball in a round trough rests at its bottom, and swings as g/(R_t − R); pressed it is as stiff as 3/2 k √δ."""
    trough = gd.Cylinder(
        radius=0.6, length=2.0, inner_radius=0.5, orientation=Rotation.from_rotvec((math.pi / 2, 0, 0))
    )
    touch = gd.DryTouch(contact=gd.laws.Hertz(stiffness=HERTZ))
    body = gd.Body(mass=MASS, inertia=(J, J, J), position=(0.05, 0, -0.44), angular_velocity=(0, 0, 0))
    system = gd.System(
        bodies={"ball": body},
        joints={
            "trough": gd.Meeting("ground", "ball", shapes=(trough, gd.Sphere(radius=R)), model=touch),
            "level": gd.Translational("ground", "ball", at=(0.05, 0, -0.44)),
        },
    )
    rest = gd.equilibrium(system)
    x, _, z = rest.system.start["ball"].position
    assert (x, z) == pytest.approx((0.0, -0.45 - SUNK), abs=1e-9)
    found = gd.linearize(rest)
    slow = math.sqrt(G / (0.45 + SUNK))
    stiff = math.sqrt(1.5 * HERTZ * math.sqrt(SUNK) / MASS)
    assert 2.0 * math.pi * np.sort(found.natural_frequencies)[-2:] == pytest.approx([slow, stiff], rel=1e-4)


def test_outputs_and_files(tmp_path):
    system = ball(friction=GRIP, velocity=(0.5, 0, 0), position=(0, 0, R + 0.01))
    result = gd.simulate(system, 0.2, sample=1e-3)
    data = result.data
    assert data.part.values.tolist() == ["floor:touch"]
    assert data.contact_point_z.values[:, 0] == pytest.approx(0.5 * data.gap.values[:, 0], abs=1e-12)  # half-way
    assert data.contact_point_x.values[:, 0] == pytest.approx(data.position.values[:, 0, 0], abs=1e-12)
    assert data.gap.values[:, 0] == pytest.approx(data.position.values[:, 0, 2] - R, abs=1e-14)
    assert data.penetration.sel(joint="floor").values == pytest.approx(-data.gap.values[:, 0])
    assert gd.load_system(system.save(tmp_path / "ball.yaml")) == system
    again = gd.load(result.save(tmp_path / "run.nc"))
    assert again.data.equals(data) and again.system == system
    half = gd.simulate(system, 0.1, sample=0.1)
    rest = gd.simulate(system, 0.1, start=half.state(), sample=0.1)
    whole = gd.simulate(system, 0.2, sample=0.1)
    assert rest.data.position.values[-1].tolist() == whole.data.position.values[-1].tolist()


@COORDINATES
def test_gaps_are_signals(coordinates):
    """Of what touches in one point: a switch turns when the ball does touch."""
    system = ball(position=(0, 0, R + 0.1)).replace(
        signals={"apart": "floor.gap", "pressed": "floor.normal_force"},
        switches={"hit": gd.Switch(when="floor.gap", below=0.0)},
        loads={"jet": gd.Force("ball", (0, 0, "8*hit"))},
    )
    result = gd.simulate(system, 0.4, coordinates=coordinates, sample=1e-3)
    data = result.data
    assert data.signal_value.sel(signal="apart").values == pytest.approx(data.gap.values[:, 0], abs=1e-15)
    assert data.signal_value.sel(signal="pressed").values == pytest.approx(data.normal_force.values[:, 0], abs=1e-9)
    assert result.switches.time[0] == pytest.approx(math.sqrt(0.2 / G), rel=1e-9)
    rod = gd.Meeting(
        "ground",
        "ball",
        shapes=(gd.Plane(), gd.Capsule(radius=R, length=0.1)),
        model=gd.DryTouch(contact=LOSSY),
    )
    with pytest.raises(gd.ModelError, match="Meeting 'floor' touches in several points"):
        system.replace(joints={"floor": rod})


def test_mistakes():
    touch = gd.DryTouch(contact=gd.laws.Hertz(stiffness=1e6))
    floor, sphere = gd.Plane(), gd.Sphere(radius=0.1)
    for more, says in (
        (
            {"shapes": (floor, gd.Plane()), "model": touch},
            "Plane with Plane is no pair that it knows; known are Box with Sphere",
        ),
        ({"shapes": (floor,), "model": touch}, "give two, such as (gd.Plane(), gd.Sphere(radius=0.1))"),
        ({"shapes": (floor, sphere)}, "what happens where they meet? give model=gd.DryTouch(contact=...)"),
        ({"shapes": (floor, sphere), "model": gd.Bushing(stiffness=1e5)}, "Bushing(...) is not a model of this joint"),
        ({"shapes": (floor, sphere), "model": touch, "at": (0, 0, 0)}, "it has no at"),
    ):
        with pytest.raises(gd.ModelError) as error:
            gd.Meeting("ground", "ball", **more)
        assert "Meeting ground–ball" in str(error.value)
        assert says in str(error.value)
    with pytest.raises(gd.ModelError, match=r"Meeting 'floor': 'ground' and 'ball' start 0\.03 m inside each other"):
        gd.simulate(ball(position=(0, 0, 0.02)), 0.1)
    with pytest.raises(gd.ModelError, match="z of a Plane points out of its material"):
        gd.simulate(ball(position=(0, 0, -0.2)), 0.1)
    with pytest.raises(gd.ModelError, match="kinematics: Meeting 'floor' acts by forces where it is met"):
        gd.kinematics(ball(), 0.1)
    with pytest.raises(gd.ModelError, match="Plane: it has no volume"):
        gd.Body.of_shape(gd.Plane(), density=1.0)
