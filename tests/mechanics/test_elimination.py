"""The block-sparse elimination: hubs split into shares, long chains, trees, ladders and random graphs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gudgeon as gd
from compared_with_reference import assert_equal_to_reference, reference_at, reported, unbalanced
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.motion import right_hand_side
from gudgeon.mechanics.elimination import (
    JOINTS_PER_BODY,
    Node,
    coupled_nodes,
    minimum_degree_order,
    schedule,
    split_bodies,
)
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.mechanics.least_squares import dense
from random_mechanisms import FEW, KINDS, MADE_TO_FIT, random_body, random_joint

TIGHT = gd.Explicit(rtol=1e-10, atol=1e-11)
LOOSE = (gd.Spherical, gd.Universal, gd.UniversalPrismatic)  # loops of these can move


def built(rng, edges, kinds):
    """A system with a joint of a random kind for each edge (parent, child); body 0 is the ground."""
    name = {0: "ground"} | {k: f"b{k}" for edge in edges for k in edge if k}
    bodies = {name[k]: random_body(rng) for k in sorted(name) if k}
    joints = {
        f"j{k}": random_joint(rng, kinds[rng.integers(len(kinds))], name[i], name[j]) for k, (i, j) in enumerate(edges)
    }
    return gd.System(bodies=bodies, joints=joints)


def chain(count):
    """A hanging zigzag of rods on spherical joints, swinging."""
    at = np.array([[0.1 * k, 0.02 * (k % 2), -0.03 * (k % 3)] for k in range(count + 1)])
    bodies = {
        f"b{k}": gd.Body(mass=0.1, inertia=(1e-3, 2e-3, 2.5e-3), position=(at[k] + at[k + 1]) / 2, velocity=(0, 1.0, 0))
        for k in range(count)
    }
    joints = {f"j{k}": gd.Spherical(f"b{k - 1}" if k else "ground", f"b{k}", at=at[k]) for k in range(count)}
    return gd.System(bodies=bodies, joints=joints)


GRAPHS = {
    "binary tree": [(k // 2, k) for k in range(1, 40)],
    "ladder": [(0, 1), (0, 2), *((k, k + 2) for k in range(1, 25)), *((k, k + 1) for k in range(1, 25, 2))],
    "ring": [(k, k + 1) for k in range(12)] + [(12, 0)],
    "two hubs in many loops": [(0, 1), *((1, k) for k in range(3, 12)), *((k, 2) for k in range(3, 12))],
    "hub on the ground": [(0, k) for k in range(1, 15)] + [(1, 15), (15, 2)],
}


@MADE_TO_FIT
@pytest.mark.parametrize("children", [5, 6, 7, 20])
def test_hub(children):
    rng = np.random.default_rng(children)
    edges = [(0, 1), *((1, k) if k % 3 else (k, 1) for k in range(2, 2 + children))]
    system = built(rng, edges, KINDS[1:7])
    links = equations_of_motion(system).model.block[:, arrays.KIND] == arrays.LINK
    assert np.any(links) == (1 + children > JOINTS_PER_BODY)
    result = gd.simulate(system, 0.3, sample=[0.0, 0.1, 0.3], solver=TIGHT)
    for sample in range(3):
        assert_equal_to_reference(system, result, sample)
    energy, kinetic = result.data.mechanical_energy.values, result.data.kinetic_energy.values
    assert np.ptp(energy) < 1e-8 * kinetic.max()


@MADE_TO_FIT
def test_order_of_the_joints_does_not_matter():
    rng = np.random.default_rng(1)
    system = built(rng, [(0, 1), *((1, k) for k in range(2, 16)), (2, 9), (5, 15)], LOOSE)
    names = list(system.joints)
    expected = reported(gd.simulate(system, 1e-6, sample=[0.0]))
    for _ in range(3):
        order = [names[k] for k in rng.permutation(len(names))]
        shuffled = system.replace(joints={name: system.joints[name] for name in order})
        accelerations, reactions, _ = reported(gd.simulate(shuffled, 1e-6, sample=[0.0]))
        assert np.allclose(accelerations, expected[0], rtol=0, atol=1e-10 * np.abs(expected[0]).max())
        there = [order.index(name) for name in names]
        assert np.allclose(reactions[there], expected[1], rtol=0, atol=1e-10 * np.abs(expected[1]).max())


@MADE_TO_FIT
@pytest.mark.parametrize("name", list(GRAPHS))
def test_graphs_equal_the_dense_solution(name):
    system = built(np.random.default_rng(len(name)), GRAPHS[name], LOOSE)
    result = gd.simulate(system, 1e-6, sample=[0.0])
    assert result.stats["degrees_of_freedom"] == 6 * len(system.bodies) - len(
        reference_at(system, result).singular_values
    )
    assert_equal_to_reference(system, result)
    assert np.abs(unbalanced(system, result, 0)).max() < 1e-10 * np.abs(reported(result)[1]).max()


@MADE_TO_FIT
def test_chain_of_two_hundred():
    system = chain(200)
    result = gd.simulate(system, 0.05, sample=[0.0, 0.05], solver=TIGHT)
    assert result.stats["degrees_of_freedom"] == 600
    assert_equal_to_reference(system, result)
    assert np.abs(unbalanced(system, result, 1)).max() < 1e-9 * np.abs(reported(result)[1]).max()
    assert np.ptp(result.data.mechanical_energy.values) < 1e-8 * result.data.kinetic_energy.values.max()


def test_work_is_linear_in_chains_trees_and_hubs():
    shapes = {
        "chain": lambda n: [(k, k + 1) for k in range(n)],
        "tree": lambda n: [(k // 2, k) for k in range(1, n + 1)],
        "hub": lambda n: [(0, 1), *((1, k) for k in range(2, n + 1))],
    }
    for edges in shapes.values():
        small, large = (
            len(schedule(split_bodies([Node(3, i, j) for i, j in edges(n)], n))[0]["update"]) for n in (100, 400)
        )
        assert large < 4.4 * small


@FEW
@given(st.integers(0, 2**32 - 1), st.integers(2, 30), st.integers(0, 8))
def test_random_graphs_solve_the_equations_of_the_whole_bodies(seed, count, loops):
    """S λ = J M⁻¹Q − γ with S of the unsplit bodies, and M v̇ = Q − Jᵀλ."""
    rng = np.random.default_rng(seed)
    edges = [(int(k * rng.random() ** 3), k) for k in range(1, count + 1)]  # a few bodies get most joints
    edges += [tuple(map(int, rng.choice(count + 1, 2, replace=False))) for _ in range(loops)]
    equations = equations_of_motion(built(rng, edges, LOOSE))
    y = assemble_equations(equations).state
    rate, work = np.zeros_like(y), equations.work
    right_hand_side(equations.model, work, 0.0, y, rate)
    jacobian = dense(equations.jacobian())
    inverse = np.zeros((6 * count, 6 * count))
    for b in range(count):
        at = 6 * b
        inverse[at : at + 3, at : at + 3] = np.eye(3) * equations.model.body[b + 1, arrays.INVERSE_MASS]
        world = work.body[b + 1, arrays.WORLD_TENSOR : arrays.WORLD_TENSOR + 9]
        inverse[at + 3 : at + 6, at + 3 : at + 6] = world.reshape(3, 3)
    free = inverse @ work.body[1:, arrays.APPLIED : arrays.APPLIED + 6].reshape(-1)
    multipliers, gamma = (x[equations.joint_rows] for x in (work.multiplier, work.row[:, arrays.GAMMA]))
    schur, right = jacobian @ inverse @ jacobian.T, jacobian @ free - gamma
    scale = np.abs(schur).max() * np.abs(multipliers).max()
    assert np.abs(schur @ multipliers - right).max() < 1e-11 * scale
    accelerations = rate[7 * count : 13 * count]
    assert np.allclose(accelerations, free - inverse @ jacobian.T @ multipliers, rtol=0, atol=1e-12 * scale)
    assert np.abs(jacobian @ accelerations - gamma).max() < 1e-11 * scale


@FEW
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(0, 30))
def test_elimination_order_and_shares(seed, bodies, joints):
    rng = np.random.default_rng(seed)
    ends = [sorted(map(int, rng.choice(bodies + 1, 2, replace=False))) for _ in range(joints)]
    nodes = [Node(int(rng.integers(1, 7)), i, j) for i, j in ends]
    shares = split_bodies(nodes, bodies)
    order, _ = minimum_degree_order(shares.nodes, coupled_nodes(shares.nodes), [0] * len(shares.nodes))
    assert sorted(order) == list(range(len(shares.nodes)))
    touching = [
        [k for k, node in enumerate(shares.nodes) if s in (node.parent, node.child)] for s in range(len(shares.scale))
    ]
    assert all(len(group) <= JOINTS_PER_BODY for group in touching)
    assert len(shares.scale) - len(shares.link_body) == bodies
    assert all(-1 in (node.parent, node.child) for node, (i, _) in zip(shares.nodes, ends, strict=False) if i == 0)
