"""Relative coordinates against absolute ones: two formulations of one mechanism give the same motion and forces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gudgeon as gd
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.kernels.dynamics.arrays import RESIDUAL
from gudgeon.kernels.dynamics.rows import rows_at
from gudgeon.mechanics.equations import equations_of_motion, relative_equations
from mechanisms import TIGHT, pendulum, slider_crank, trolley, wheel
from random_mechanisms import FEW, KINDS, MADE_TO_FIT, mechanisms, random_body, random_joint
from real_joints import EVERY_MODEL, two_bodies

NAMES = (
    "position",
    "velocity",
    "angular_velocity",
    "acceleration",
    "angular_acceleration",
    "reaction_force",
    "reaction_torque",
    "joint_position",
    "joint_velocity",
    "joint_acceleration",
    "drive_effort",
    "kinetic_energy",
    "potential_energy",
)


def difference(one: gd.Result, two: gd.Result, names=NAMES) -> float:
    """The largest difference of any variable, in units of its own size (at least 1)."""
    worst = 0.0
    assert list(one.data) == list(two.data)
    for name in (name for name in names if name in one.data):
        a, b = one.data[name].values, two.data[name].values
        assert a.shape == b.shape
        if a.size:
            worst = max(worst, float(np.nanmax(np.abs(a - b)) / max(1.0, float(np.nanmax(np.abs(a))))))
    return worst


def both(system: gd.System, duration: float, **options) -> tuple[gd.Result, gd.Result]:
    return tuple(gd.simulate(system, duration, coordinates=c, **options) for c in ("absolute", "relative"))


@MADE_TO_FIT
@FEW
@given(mechanisms(bodies=5, loops=2, loads=3, drives=2))
def test_random_mechanisms_move_alike(system):
    one, two = both(system, 0.05, sample=0.01, solver=gd.Explicit(rtol=1e-10, atol=1e-12))
    assert difference(one, two) < 1e-5  # singular positions nearby magnify the solver's tolerance


@MADE_TO_FIT
@FEW
@given(mechanisms(bodies=8, loops=4, loads=4, drives=2))
def test_random_mechanisms_accelerate_alike(system):
    """At the start nothing has been integrated: what is left is rounding, magnified by nearly dependent rows."""
    one, two = both(system, 1e-6, sample=[0.0])
    assert difference(one, two) < 1e-6


@MADE_TO_FIT
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("met_from_child", [False, True])
def test_every_joint_from_both_sides(kind, met_from_child):
    """A joint between two swinging bodies, in the tree as stated or the other way round."""
    rng = np.random.default_rng(KINDS.index(kind))
    bodies = {"near": random_body(rng), "far": random_body(rng)}
    ends = ("far", "near") if met_from_child else ("near", "far")
    joints = {"arm": random_joint(rng, gd.Universal, "ground", "near"), "it": random_joint(rng, kind, *ends)}
    system = gd.System(bodies=bodies, joints=joints)
    if kind is not gd.Free:
        assert next(link.reversed for link in system.topology().links if link.joint == "it") == met_from_child
    one, two = both(system, 0.5, sample=0.1, solver=TIGHT)
    assert difference(one, two) < 1e-8


@pytest.mark.parametrize("cut", ["A", "B", "C", "D"])
def test_wherever_the_loop_is_cut(cut):
    system = gd.examples.spatial_four_bar()
    one = gd.simulate(system, 0.5, sample=0.05, solver=TIGHT)
    two = gd.simulate(system, 0.5, sample=0.05, solver=TIGHT, coordinates=gd.Relative(cuts=(cut,)))
    assert two.stats["cuts"] == [cut]
    assert difference(one, two) < 1e-8


@pytest.mark.parametrize(
    "solver", [gd.Explicit(rtol=1e-10, atol=1e-12), gd.Implicit(rtol=1e-10), gd.Sundials(rtol=1e-10)]
)
@pytest.mark.parametrize("stabilization", ["baumgarte", "projection"])
def test_every_solver_and_stabilization(solver, stabilization):
    if isinstance(solver, gd.Sundials) and stabilization == "projection":
        pytest.skip("CVODE takes Baumgarte only")
    options = {"solver": solver, "stabilization": stabilization, "sample": 0.05}
    one, two = both(gd.examples.spatial_four_bar(), 0.5, **options)
    assert difference(one, two) < 1e-6


@pytest.mark.parametrize("name", EVERY_MODEL)
def test_real_joints_hang_in_the_tree_as_free_joints(name):
    system = two_bodies(EVERY_MODEL[name])
    carried = [link.joint for link in system.topology().links]
    assert "J" in carried and not system.topology().cuts
    one, two = both(system, 0.01, sample=1e-3, solver=gd.Implicit(rtol=1e-9, atol=1e-12))
    assert difference(one, two, ("position", "velocity", "eccentricity")) < 1e-6
    assert difference(one, two, ("reaction_force",)) < 1e-4


def test_tree_joints_do_not_drift():
    """After ten seconds without stabilisation the joints of the tree are closed to rounding, those of the loop not."""
    system = gd.examples.spatial_four_bar()
    result = gd.simulate(
        system, 10.0, sample=1.0, coordinates="relative", stabilization=gd.Baumgarte(alpha=0.0, beta=0.0)
    )
    equations = equations_of_motion(system)
    y = np.zeros(equations.state_size)
    for name, state in result.state().items():
        b, n = list(system.bodies).index(name), len(system.bodies)
        y[7 * b : 7 * b + 7] = *state.position, *state.orientation
        y[7 * n + 6 * b : 7 * n + 6 * b + 6] = *state.velocity, *state.angular_velocity
    rows_at(equations.model, equations.work, 0.0, y)
    residual = {"tree": 0.0, "loop": 0.0}
    for row, owner in enumerate(equations.row_owner):
        if owner:
            kind = "loop" if owner in result.stats["cuts"] else "tree"
            residual[kind] = max(residual[kind], abs(equations.work.row[row, RESIDUAL]))
    assert residual["tree"] < 1e-14
    assert residual["loop"] > 1e-13


def test_turns_are_counted():
    """A wheel at 100 rad/s, sampled every second: nobody could count 16 turns between two samples."""
    result = gd.simulate(wheel(100.0), 5.0, sample=1.0, coordinates="relative")
    assert result.data.joint_position.sel(coordinate="axle.angle").values == pytest.approx(
        100.0 * np.arange(6), rel=1e-7, abs=1e-9
    )


def test_crossings_and_stops():
    watch = {"down": gd.Crossing(joint="pivot", value=np.pi / 2, stop=True)}
    one, two = both(pendulum(), 10.0, crossings=watch, solver=TIGHT)
    assert one.stats["end"] == two.stats["end"] == "stopped"
    assert two.stats["end_time"] == pytest.approx(one.stats["end_time"], abs=1e-10)


def test_redundant_loop_has_the_reactions_of_least_norm():
    one, two = both(slider_crank(gd.Drive("pivot", "10*t")), 0.5, sample=0.05, solver=TIGHT)
    assert one.stats["redundant_rows"] == two.stats["redundant_rows"] == 3
    assert difference(one, two) < 1e-8


def test_going_on_from_a_state():
    system = gd.examples.spatial_four_bar()
    whole = gd.simulate(system, 0.4, sample=0.2, solver=TIGHT, coordinates="relative")
    rest = gd.simulate(system.replace(start=whole.state(1)), 0.2, sample=0.2, solver=TIGHT, coordinates="relative")
    assert rest.data.position.values[-1] == pytest.approx(whole.data.position.values[-1], abs=1e-9)


@pytest.mark.parametrize("count", [1, 30])
def test_welded_bodies_have_no_coordinates(count):
    bodies = {f"b{k}": gd.Body(mass=1.0, inertia=(1, 1, 1), position=(k, 0, 0)) for k in range(count)}
    joints = {f"w{k}": gd.Rigid(f"b{k - 1}" if k else "ground", f"b{k}", at=(k, 0, 0)) for k in range(count)}
    one, two = both(gd.System(bodies=bodies, joints=joints), 0.1, sample=0.1)
    assert not two.states.any()
    assert difference(one, two) < 1e-9


@MADE_TO_FIT
@FEW
@given(st.integers(0, 2**32 - 1), st.integers(2, 12))
def test_hubs_that_move(seed, count):
    """Loops within loops on a floating body: multipliers are eliminated at moving hubs."""
    rng = np.random.default_rng(seed)
    bodies = {f"b{k}": random_body(rng) for k in range(count + 1)}
    loose = (gd.Spherical, gd.Universal, gd.UniversalPrismatic)
    joints = {}
    for k in range(1, count + 1):
        joints[f"j{k}"] = random_joint(rng, loose[rng.integers(3)], f"b{rng.integers(k)}", f"b{k}")
    for k in range(count // 3):
        one, two = rng.choice(count + 1, 2, replace=False)
        joints[f"loop{k}"] = random_joint(rng, loose[rng.integers(3)], f"b{one}", f"b{two}")
    system = gd.System(bodies=bodies, joints=joints, gravity=(1, 2, -9))
    one, two = both(system, 1e-6, sample=[0.0])
    assert difference(one, two) < 1e-6


def test_state_of_the_tree_and_back():
    system = gd.System(bodies=trolley().bodies, joints=trolley().joints)
    absolute = equations_of_motion(system)
    start = assemble_equations(absolute).state
    relative, y = relative_equations(absolute, {}, system.topology(), start)
    assert relative.body_motion(y[None, :])[0] == pytest.approx(start[:13], abs=1e-15)


def test_mistakes():
    system = gd.examples.spatial_four_bar()
    for coordinates, message in (
        ("relativ", "simulate: coordinates is 'relativ'; give 'absolute', 'relative', or gd.Relative(cuts=(...))"),
        (3, "simulate: coordinates is 3; give 'absolute', 'relative', or gd.Relative(cuts=(...))"),
    ):
        with pytest.raises(gd.ModelError) as error:
            gd.simulate(system, 1.0, coordinates=coordinates)
        assert str(error.value) == message
    with pytest.raises(gd.ModelError) as error:
        gd.Relative(cuts="C")
    assert str(error.value) == "Relative: cuts is 'C'; give a tuple of names of joints"
    with pytest.raises(gd.ModelError, match="no joint 'X'"):
        gd.simulate(system, 1.0, coordinates=gd.Relative(cuts=("X",)))
