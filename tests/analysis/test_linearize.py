"""Small motions of pendulums and chains against closed forms; choice of coordinates; what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import eigh

import gudgeon as gd
from mechanisms import G, pendulum
from mistakes import refuses

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


@pytest.mark.parametrize("solver", [gd.Implicit(rtol=1e-9), gd.TimeStepping(step=5e-6)], ids=["elements", "rows"])
def test_corners_that_touch(solver):
    """A block that has fallen flat onto its guide, whatever its solver took for its corners: K = Σ ∂F/∂δ of two."""
    law = gd.laws.Flores(stiffness=1e8, restitution=0.7)
    slider = gd.RigidSlider(length=0.5, height=0.3, clearance=2e-3, contact=law)
    block = gd.Body(mass=1.0, inertia=(0.01, 0.03, 0.03))
    guide = gd.Guide("ground", "block", at=(0, 0, 0), model=slider)
    result = gd.simulate(
        gd.System(gravity=(0, -9.81, 0), bodies={"block": block}, joints={"guide": guide}), 0.0215, solver=solver
    )
    small = gd.linearize(result)
    at = small.coordinates.index("guide.lift")
    y, rate = (float(result.data[name].sel(body="block")[-1, 1]) for name in ("position", "velocity"))
    impact, depth = float(result.events.impact_speed[0]), -y - 2e-3
    loss = 8.0 * 0.3 / (5.0 * 0.7)
    slope = 2.0 * 1.5 * 1e8 * depth**0.5 * (1.0 + loss * -rate / impact)
    assert small.stiffness[at, at] == pytest.approx(slope, rel=1e-4)
    assert small.damping[at, at] == pytest.approx(2.0 * 1e8 * depth**1.5 * loss / impact, rel=1e-4)


def test_report_and_picture():
    small = gd.linearize(double_pendulum())
    lines = str(small).splitlines()
    assert lines[0] == "double pendulum at t = 0 s: 2 freedoms, about an equilibrium"
    assert lines[1] == "  coordinates  upper.angle [rad], lower.angle [rad]"
    assert len(lines) == 5 and lines[-1].endswith("  two.ry")
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
