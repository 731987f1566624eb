"""Stiff loads on flexible bodies in Implicit: matrix exponentials of finite elements, steps that do not feel them."""

import numpy as np
import pytest
from scipy.linalg import expm, matrix_balance

import gudgeon as gd
from flexible_plates import DAMPING, EDGE, MODEL, TIP, K, M, at, clamped, plate

PUSH, OMEGA = 0.05, 20.0  # at the tip [N], [rad/s]


def points():
    """Where springs hold the left edge, and the shares of its nodes: the nodes, and a point between the first two."""
    shares = [{node: 1.0} for node in EDGE] + [{EDGE[0]: 0.5, EDGE[1]: 0.5}]
    return [(np.sum([w * np.array(at(node)) for node, w in each.items()], axis=0), each) for each in shares]


def hung(stiffness):
    """The plate held by springs without length, which pull along both axes alike, and pushed at its tip."""
    springs = {
        f"spring {k}": gd.SpringDamper("ground", "plate", at_first=p, at_second=p, stiffness=stiffness, length=0.0)
        for k, (p, _) in enumerate(points())
    }
    push = gd.Force("plate", (0.0, f"{PUSH}*sin({OMEGA}*t)", 0.0), at=at(TIP))
    return gd.System(bodies={"plate": plate()}, joints={}, loads={**springs, "push": push}, gravity=(0, 0, 0))


def closed_form(stiffness, t):
    """Displacements of all nodes: M ü + (a M + b K) u̇ + (K + Σ k w wᵀ) u = f sin Ωt, from rest."""
    n, held = MODEL.unknown_count, K.copy()
    for _, shares in points():
        for axis in (0, 1):
            w = np.zeros(n)
            for node, share in shares.items():
                w[2 * node + axis] = share
            held += stiffness * np.outer(w, w)
    A = np.zeros((2 * n + 2, 2 * n + 2))
    A[:n, n : 2 * n] = np.eye(n)
    A[n : 2 * n, :n] = -np.linalg.solve(M, held)
    A[n : 2 * n, n : 2 * n] = -np.linalg.solve(M, DAMPING.mass * M + DAMPING.stiffness * K)
    A[n : 2 * n, -2] = np.linalg.solve(M, PUSH * np.eye(n)[2 * TIP + 1])
    A[-2, -1], A[-1, -2] = OMEGA, -OMEGA
    balanced, T = matrix_balance(A, permute=False)
    return (T @ expm(balanced * t) @ np.linalg.solve(T, np.eye(2 * n + 2)[-1]))[:n]


def test_steps_do_not_feel_stiff_springs_on_nodes(coordinates):
    """The plate takes some 500 steps by itself, since its elasticity is left to the sweeps; those of a spring that is
    left to them as well grow with the root of its stiffness, to twenty times as many."""
    steps = []
    for stiffness in (1e4, 1e6, 1e8):
        result = gd.simulate(hung(stiffness), 0.1, sample=0.1, solver=gd.Implicit(rtol=1e-7), coordinates=coordinates)
        found = result.data.node_displacement.values[-1].reshape(-1)
        assert found == pytest.approx(closed_form(stiffness, 0.1), abs=1e-11)
        steps.append(result.stats["steps"] + result.stats["rejections"])
    assert max(steps) < 2.0 * steps[0] < 1500, steps


def pinned_and_tied():
    """The plate on ideal pins, from which a ball hangs in a stiff, damped spring: one in the middle of an element that
    has a pin, one at the tip."""
    x, y, _ = at(EDGE[0])
    corner, tip = (x + 0.05, y + 0.03, 0.0), at(TIP)
    balls = {
        name: gd.Body(mass=0.02, inertia=(1e-6, 1e-6, 1e-6), position=(px, py - 0.3, 0))
        for name, (px, py, _) in (("one", corner), ("two", tip))
    }
    ties = {
        name: gd.SpringDamper("plate", name, at_first=p, stiffness=2e4, damping=5.0, length=0.3)
        for name, p in (("one", corner), ("two", tip))
    }
    system = clamped(gravity=9.81)
    return system.replace(bodies={**system.bodies, **balls}, loads=ties)


def test_it_agrees_with_the_explicit_solver(coordinates):
    options = {"sample": 0.02, "coordinates": coordinates}
    one = gd.simulate(pinned_and_tied(), 0.06, solver=gd.Explicit(rtol=1e-11, atol=1e-14), **options).data
    two = gd.simulate(pinned_and_tied(), 0.06, solver=gd.Implicit(rtol=1e-9, atol=1e-13), **options).data
    for name, within in (("node_displacement", 1e-9), ("position", 1e-9), ("reaction_force", 1e-4)):
        assert two[name].values == pytest.approx(one[name].values, abs=within), name


def test_runs_cut_anywhere_go_on_to_the_bit(coordinates):
    from machines.controlled_arms import cut_runs_agree

    cut_runs_agree(hung(1e6), 0.02, (0.003, 0.011), solver=gd.Implicit(rtol=1e-7))
