"""Which forces feel which: responses against accelerations under unit forces, tables that grow with the joints."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics import force_pattern as places
from gudgeon.kernels.dynamics.engine import accelerations_under, response
from gudgeon.kernels.dynamics.motion import velocity_rates
from gudgeon.kernels.integrators import block_lu
from gudgeon.mechanics import force_pattern as described
from gudgeon.mechanics.equations import equations_of_motion, relative_equations
from gudgeon.mechanics.force_elimination import ForceElimination
from gudgeon.mechanics.force_pattern import force_pattern
from gudgeon.solvers.collocation import collocation
from random_mechanisms import MADE_TO_FIT
from real_joint_trees import crowded_hub, real_joint_tree


@numba.njit
def ask(m, w, y, force, rate, r):
    """The rates of the velocities under these forces, and the response there."""
    accelerations_under(m, w, 0.0, y, force)
    velocity_rates(m, w, rate)
    response(m, w, r)


def equations_at_start(system, coordinates="absolute"):
    equations = equations_of_motion(system)
    y = assemble_equations(equations).state
    return (equations, y) if coordinates == "absolute" else relative_equations(equations, {}, system.topology(), y)


def responses(system, coordinates):
    """What unit forces of always active joints do: W by differences, then W and D as the tables hold them, dense."""
    equations, y = equations_at_start(system, coordinates)
    m, w, r = equations.model, equations.work, collocation(equations, 3).response
    first, unknowns, velocities = m.layout[0], equations.compliant.unknown_count, m.layout[1]
    unit, rest, rate = np.zeros(unknowns), np.zeros_like(y), np.zeros_like(y)
    differences = np.zeros((unknowns, velocities))
    ask(m, w, y, unit, rest, r)
    for c in range(unknowns):
        unit[:] = 0.0
        unit[c] = 1.0
        ask(m, w, y, unit, rate, r)
        differences[c] = (rate - rest)[first : first + velocities]
    p, W, D = r.pattern, np.zeros((unknowns, velocities)), np.zeros((unknowns, unknowns))
    at, sizes = m.compliant[:, arrays.UNKNOWN], m.compliant[:, arrays.UNKNOWNS]
    for k, line in enumerate(p.joint[:-1]):
        columns = p.column[line[places.COLUMN] : p.joint[k + 1, places.COLUMN]]
        rows = r.W[line[places.W_AT] : p.joint[k + 1, places.W_AT]].reshape(sizes[k], -1)
        W[at[k] : at[k] + sizes[k], columns] = rows
    for k, o, line, *_ in p.pair:
        D[at[k] : at[k] + sizes[k], at[o] : at[o] + sizes[o]] = r.D[line : line + sizes[k], : sizes[o]]
    return differences, W, D


@MADE_TO_FIT
@pytest.mark.parametrize("seed", range(4))
def test_responses(seed):
    """A unit force moves what its columns say and nothing else; D is the same in both coordinates and symmetric."""
    system = real_joint_tree(seed, models=("bushing", "bushing 6×6", "lubricated"))
    felt = {}
    for coordinates in ("absolute", "relative"):
        differences, W, felt[coordinates] = responses(system, coordinates)
        assert pytest.approx(differences, abs=1e-7 * np.abs(W).max()) == W  # of large accelerations
    largest = np.abs(felt["absolute"]).max()
    assert felt["relative"] == pytest.approx(felt["absolute"], abs=1e-12 * largest)
    assert felt["absolute"] == pytest.approx(felt["absolute"].T, abs=1e-12 * largest)
    assert np.linalg.eigvalsh(felt["absolute"]).min() > -1e-12 * largest


@MADE_TO_FIT
def test_responses_at_a_hub(monkeypatch):
    """Joints on a hub feel each other through it alone, and know what their forces do to themselves."""
    system = crowded_hub(1, models=("bushing", "bushing 6×6", "lubricated"))
    equations, y = equations_at_start(system)
    m, w, r = equations.model, equations.work, collocation(equations, 3).response
    ask(m, w, y, np.zeros(equations.compliant.unknown_count), np.zeros_like(y), r)
    assert len(r.pattern.grip) == len(r.pattern.joint) - 1
    monkeypatch.setattr(described, "FEW", 100)
    *_, D = responses(system, "absolute")
    for k, size in enumerate(m.compliant[:, arrays.UNKNOWNS]):
        at, own = m.compliant[k, arrays.UNKNOWN], r.pattern.joint[k, places.OWN]
        assert r.D[own : own + size, :size] == pytest.approx(D[at : at + size, at : at + size], rel=1e-12, abs=1e-12)


def chain(count):
    bushing = gd.Bushing(stiffness=1e6)
    bodies = {f"b{k}": gd.Body(mass=0.1, inertia=(1e-4,) * 3, position=(0.1 * k, 0, 0)) for k in range(count)}
    ends = ["ground", *bodies]
    joints = {f"j{k}": gd.Spherical(ends[k], ends[k + 1], at=(0.1 * k, 0, 0), model=bushing) for k in range(count)}
    return gd.System(bodies=bodies, joints=joints)


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_tables_of_a_chain_grow_with_its_length(coordinates):
    """Each further joint adds as many numbers as the one before."""
    tables = [force_pattern(equations_at_start(chain(n), coordinates)[0]).arrays() for n in (10, 20, 30)]
    for name in tables[0]:
        few, more, most = (len(each[name]) for each in tables)
        assert most - more == more - few, name
    assert len(tables[0]["colour"]) == len(tables[2]["colour"]) <= 5


def star(count):
    bushing, ends = gd.Bushing(stiffness=1e6), [(np.cos(k), np.sin(k), 0.0) for k in range(count)]
    bodies = {f"b{k}": gd.Body(mass=0.1, inertia=(1e-4,) * 3, position=at) for k, at in enumerate(ends)}
    bodies["hub"] = gd.Body(mass=1.0, inertia=(0.1,) * 3)
    joints = {f"j{k}": gd.Spherical("hub", f"b{k}", at=at, model=bushing) for k, at in enumerate(ends)}
    return gd.System(bodies=bodies, joints=joints)


def test_matrix_of_a_hub_grows_with_its_joints():
    """Joints on one body are eliminated one by one onto that."""
    patterns = [force_pattern(equations_at_start(star(n))[0]) for n in (10, 20, 30)]
    lines = [p.node[-1, places.DIAGONAL] for p in patterns]
    assert lines[2] - lines[1] == lines[1] - lines[0]
    assert [len(p.update) for p in patterns] == [10, 20, 30]


@pytest.mark.parametrize("stages", [1, 3])
def test_block_elimination(stages, monkeypatch):
    """Against the dense solution, for nodes of many sizes, loops among them; as Python."""
    for name in ("factorise_dense", "solve_dense", "solve_columns"):
        monkeypatch.setattr(block_lu, name, getattr(block_lu, name).py_func)
    rng = np.random.default_rng(3)
    sizes = [3, 6, 3, 4, 2, 6, 3]
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 6), (6, 1)]
    coupled = [{b if a == k else a for a, b in edges if k in (a, b)} for k in range(len(sizes))]
    elimination = ForceElimination()
    place = elimination.add_island(sizes, coupled)
    p = places.Pattern(**elimination.tables())
    starts = stages * p.node[:, places.NODE_AT]
    dense = np.zeros((starts[-1], starts[-1]))
    matrix = np.zeros((stages * p.node[-1, places.DIAGONAL], stages * max(sizes)))
    for a, b in [*edges, *((b, a) for a, b in edges), *((k, k) for k in range(len(sizes)))]:
        i, j, line = place[a], place[b], stages * elimination.block[place[a], place[b]]
        block = rng.normal(size=(stages * sizes[a], stages * sizes[b]))
        if a == b:
            block += 9.0 * np.eye(len(block))
        dense[starts[i] : starts[i + 1], starts[j] : starts[j + 1]] = block
        matrix[line : line + block.shape[0], : block.shape[1]] = block
    right = rng.normal(size=starts[-1])
    x, pivot = right.copy(), np.zeros(starts[-1], dtype=np.int64)
    block_lu.factorise_blocks.py_func(p, matrix, pivot, stages, 0, len(sizes))
    block_lu.solve_blocks.py_func(p, matrix, pivot, stages, 0, len(sizes), x)
    assert x == pytest.approx(np.linalg.solve(dense, right), rel=1e-10)
