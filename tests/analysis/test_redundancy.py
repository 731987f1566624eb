"""Redundant rows: freedoms are counted right, the motion is unique, and reactions are of least norm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import gudgeon as gd
from compared_with_reference import assert_equal_to_reference, assert_near, reference_at, reported
from random_mechanisms import FEW, MADE_TO_FIT, mechanisms
from redundant_mechanisms import Y, bricard, four_bar, rod

pytestmark = [pytest.mark.usefixtures("coordinates"), MADE_TO_FIT]

TIGHT = gd.Explicit(rtol=1e-11, atol=1e-12)


def test_plane_four_bar_counts_and_reactions():
    system = four_bar()
    assembly = gd.assemble(system)
    assert (assembly.degrees_of_freedom, assembly.redundant_rows, assembly.row_count) == (1, 3, 20)
    assert set(assembly.redundant_owners) <= set(system.joints)
    result = gd.simulate(system, 0.4, sample=0.1, solver=TIGHT)
    for sample in range(5):
        assert_equal_to_reference(system, result, sample)
    out_of_plane = result.data.reaction_force.sel(axis="y").values
    assert np.abs(out_of_plane).max() < 1e-9 * np.abs(reported(result)[1]).max()


@pytest.mark.parametrize(
    "b, c", [(gd.Spherical, gd.Cylindrical), (gd.Cylindrical, gd.Spherical), (gd.Spherical, gd.Revolute)]
)
def test_plane_four_bar_moves_as_with_joints_of_lower_class(b, c):
    other = four_bar(b, c)
    assembly = gd.assemble(other)
    assert (assembly.degrees_of_freedom, assembly.redundant_rows) == (1, 0 if gd.Revolute not in (b, c) else 1)
    one, two = (gd.simulate(system, 1.0, sample=0.1, solver=TIGHT).data for system in (four_bar(), other))
    for name in ("position", "orientation", "velocity", "angular_velocity", "acceleration", "angular_acceleration"):
        assert_near(one[name].values, two[name].values, 1e-8)


@pytest.mark.parametrize("coupler_mass", [1e-2, 1e-4, 1e-6, 1e-7, 1e-8])
def test_light_coupler(coupler_mass):
    """A light body between heavy ones makes S badly conditioned; redundant rows must not make that worse."""
    redundant, other = four_bar(coupler_mass=coupler_mass), four_bar(gd.Spherical, gd.Cylindrical, coupler_mass)
    one, two = (reported(gd.simulate(system, 1e-6, sample=[0.0]))[0] for system in (redundant, other))
    assert_near(one, two, 1e-7)


@pytest.mark.parametrize("count", [2, 3, 9, 20])
def test_coincident_revolutes_share_equally(count):
    """Nine and more joints on one body: the body is split, and links between its shares carry redundancy too."""
    bob = gd.Body(mass=1.0, inertia=(0.1, 0.2, 0.25), position=(0.3, 0.1, 0.0), angular_velocity=(0.0, 2.0, 0.0))
    pins = {f"pin {k}": gd.Revolute("ground", "bob", at=(0.0, 0.0, 0.0), axis=Y) for k in range(count)}
    many = gd.simulate(gd.System(bodies={"bob": bob}, joints=pins), 0.5, sample=0.1, solver=TIGHT)
    single = gd.System(bodies={"bob": bob}, joints={"pin": pins["pin 0"]})
    single = gd.simulate(single, 0.5, sample=0.1, solver=TIGHT).data
    assert (many.assembly.degrees_of_freedom, many.assembly.redundant_rows) == (1, 5 * (count - 1))
    assert_near(many.data.position.values, single.position.values, 1e-9)
    for name in ("reaction_force", "reaction_torque"):
        assert_near(count * many.data[name].values, np.repeat(single[name].values, count, axis=1), 1e-8)


def test_door_on_two_hinges():
    """Each hinge carries a moment; least norm puts the load's moment into forces and torques in proportion."""
    door = gd.Body(mass=20.0, inertia=(8.0, 6.0, 2.0), position=(0.4, 0.0, 1.0), angular_velocity=(0.0, 0.0, 1.0))
    hinges = {name: gd.Revolute("ground", "door", at=(0.0, 0.0, z)) for name, z in (("low", 0.2), ("high", 1.8))}
    system = gd.System(bodies={"door": door}, joints=hinges)
    result = gd.simulate(system, 0.5, sample=0.25, solver=TIGHT)
    assert (result.assembly.degrees_of_freedom, result.assembly.redundant_rows) == (1, 5)
    for sample in range(3):
        assert_equal_to_reference(system, result, sample)
    weight = result.data.reaction_force.sel(axis="z").values
    assert_near(weight, 0.5 * 20.0 * 9.81, 1e-9)


def test_two_drives_of_one_coordinate_share_the_effort():
    wheel = gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.2))
    axles = {name: gd.Revolute("ground", "wheel", at=(0.0, 0.0, 0.0)) for name in ("left", "right")}
    drives = {name: gd.Drive(name, "sin(3*t)") for name in axles}
    result = gd.simulate(gd.System(bodies={"wheel": wheel}, joints=axles, drives=drives), 0.5, sample=0.1)
    assert (result.assembly.degrees_of_freedom, result.assembly.redundant_rows) == (0, 6)
    expected = -0.5 * 0.2 * 9.0 * np.sin(3.0 * result.data.time.values)
    assert_near(result.data.drive_effort.values, expected[:, None], 1e-6)


def test_bricard_linkage_moves():
    system = bricard()
    result = gd.simulate(system, 1.0, sample=0.05, solver=TIGHT)
    assert (result.assembly.degrees_of_freedom, result.assembly.redundant_rows) == (1, 1)
    for sample in (0, 7, 20):
        assert_equal_to_reference(system, result, sample)
        assert np.abs(reference_at(system, result, sample).residual).max() < 1e-9
    assert np.ptp(result.data.mechanical_energy.values) < 1e-8 * result.data.kinetic_energy.values.max()
    moved = result.data.position.values[-1] - result.data.position.values[0]
    assert np.linalg.norm(moved, axis=1).min() > 0.1


@pytest.mark.parametrize("loops", [3, 12])
def test_ladder_of_plane_loops(loops):
    """Leaning posts of different lengths on the ground, joined by bars: one freedom, three redundant rows a loop."""
    foot = np.array([[k, 0.0, 0.0] for k in range(loops + 1)])
    head = foot + np.array([[0.3 + 0.02 * k, 0.0, 1.0 + 0.05 * (k % 3)] for k in range(loops + 1)])
    bodies = {f"post {k}": rod(foot[k], head[k]) for k in range(loops + 1)}
    joints = {f"foot {k}": gd.Revolute("ground", f"post {k}", at=foot[k], axis=Y) for k in range(loops + 1)}
    for k in range(loops):
        bodies[f"bar {k}"] = rod(head[k], head[k + 1])
        joints[f"left {k}"] = gd.Revolute(f"post {k}", f"bar {k}", at=head[k], axis=Y)
        joints[f"right {k}"] = gd.Revolute(f"bar {k}", f"post {k + 1}", at=head[k + 1], axis=Y)
    system = gd.System(bodies=bodies, joints=joints)
    result = gd.simulate(system, 0.1, sample=[0.0, 0.1], solver=TIGHT)
    assert (result.assembly.degrees_of_freedom, result.assembly.redundant_rows) == (1, 3 * loops)
    assert_equal_to_reference(system, result, 1)


@pytest.mark.parametrize(
    "loops",
    [
        8,
        30,
        140,
    ],
)
def test_plane_loops_around_a_hub(loops):
    rng = np.random.default_rng(0)
    bodies = {"hub": rod((-0.1, 0, 0), (0.1, 0, 0), angular_velocity=Y)}
    joints = {"axle": gd.Revolute("ground", "hub", at=(0, 0, 0), axis=Y)}
    for k in range(loops):
        p, q, r = rng.uniform(-1.0, 1.0, (3, 3)) * (1.0, 0.0, 1.0)
        bodies |= {f"u{k}": rod(p, q), f"v{k}": rod(q, r)}
        ends = (("hub", f"u{k}", p), (f"u{k}", f"v{k}", q), (f"v{k}", "ground", r))
        joints |= {f"j{k}{x}": gd.Revolute(*ends[x][:2], at=ends[x][2], axis=Y) for x in range(3)}
    assembly = gd.assemble(gd.System(bodies=bodies, joints=joints))
    assert (assembly.degrees_of_freedom, assembly.redundant_rows) == (1, 3 * loops)


@pytest.mark.parametrize("lean", [1e-1, 1e-2, 1e-3])
def test_three_bars_that_are_nearly_parallel_do_not_move(lean, coordinates):
    """A table on three equal parallel bars swings; with one of them leaning a little it is locked."""
    feet = np.array([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]])
    heads = feet + np.array([[0.2, 0.0, 0.5], [0.2, 0.0, 0.5], [0.2 + lean, 0.0, 0.5]])
    bodies = {"table": rod(heads[0], heads[2], velocity=(1.0, 0.0, 0.0))}
    joints = {}
    for k in range(3):
        bodies[f"bar {k}"] = rod(feet[k], heads[k])
        joints[f"foot {k}"] = gd.Revolute("ground", f"bar {k}", at=feet[k], axis=Y)
        joints[f"head {k}"] = gd.Revolute(f"bar {k}", "table", at=heads[k], axis=Y)
    result = gd.simulate(gd.System(bodies=bodies, joints=joints), 1e-6, sample=[0.0])
    assert (result.assembly.degrees_of_freedom, result.assembly.redundant_rows) == (0, 6)
    assert np.abs(result.data.velocity.values).max() < 1e-6
    still = {"absolute": 1e-4, "relative": 1e-2}[coordinates]  # regularisation gives way a little more in a tree
    assert np.abs(result.data.acceleration.values).max() < still


@FEW
@given(mechanisms(bodies=7, loops=3, loads=0))
def test_rank_of_random_mechanisms(system):
    assembly = gd.assemble(system)
    rank = len(reference_at(system, gd.simulate(system, 1e-6, sample=[0.0])).singular_values)
    assert assembly.redundant_rows == assembly.row_count - rank
    assert assembly.degrees_of_freedom == 6 * len(system.bodies) - rank
