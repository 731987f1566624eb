"""Implicit with many real joints: sparse algebra in their forces against dense algebra."""

from __future__ import annotations

import pytest

import gudgeon as gd
from gudgeon.mechanics import compliant, force_pattern
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.mechanics.held_bodies import held_bodies
from random_mechanisms import MADE_TO_FIT
from real_joint_trees import crowded_hub, real_joint_tree


@MADE_TO_FIT
@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize("make", [real_joint_tree, crowded_hub])
@pytest.mark.parametrize("seed", range(4))
def test_as_with_all_forces_at_once(make, seed, coordinates, monkeypatch):
    """With a node for each joint as with one for all: the same steps, at the same cost, to the same motion."""
    system, results = make(seed), []
    for few in (0, 100):
        monkeypatch.setattr(force_pattern, "FEW", few)
        solver = gd.Implicit(rtol=1e-6, atol=1e-9)
        results.append(gd.simulate(system, 1e-3, solver=solver, coordinates=coordinates, sample=2e-4))
    sparse, dense = results
    assert sparse.stats["evaluations"] == pytest.approx(dense.stats["evaluations"], rel=0.01)
    assert sparse.data.position.values == pytest.approx(dense.data.position.values, abs=1e-12)
    assert sparse.data.velocity.values == pytest.approx(dense.data.velocity.values, abs=1e-9)


def star(count: int, *, driven: bool) -> gd.System:
    """So many rods and sliders on one crank, side by side, their gudgeon pins in bushings."""
    bodies = {"crank": gd.Body(mass=1.0, inertia=(0.6, 0.6, 1.0), angular_velocity=(0.0, 0.0, 100.0))}
    joints: dict[str, gd.Joint] = {"main": gd.Revolute("ground", "crank", at=(0, 0, 0))}
    for n in range(count):
        z, rod, slider = 0.05 * n, f"rod {n}", f"slider {n}"
        bodies[rod] = gd.Body(mass=0.2, inertia=(2e-5, 2.5e-4, 2.5e-4), position=(0.11, 0, z))
        bodies[slider] = gd.Body(mass=0.1 + 0.01 * n, inertia=(1e-4, 1e-4, 1e-4), position=(0.17, 0, z))
        joints[f"big end {n}"] = gd.Revolute("crank", rod, at=(0.05, 0, z))
        joints[f"pin {n}"] = gd.Spherical(
            rod, slider, at=(0.17, 0, z), model=gd.Bushing(stiffness=1e7, damping_time=1e-4)
        )
        joints[f"guide {n}"] = gd.Prismatic("ground", slider, at=(0.17, 0, z), axis=(1, 0, 0))
    drives = {"motor": gd.Drive("main", "100*t")} if driven else {}
    return gd.System(gravity=(0, 0, 0), bodies=bodies, joints=joints, drives=drives)


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_a_driven_body_hands_nothing_on(coordinates, monkeypatch):
    """Rods on a crank that moves as prescribed do not feel each other: each is solved for by itself."""
    system, results = star(6, driven=True), []
    for held in (held_bodies, lambda system: set()):
        monkeypatch.setattr(compliant, "held_bodies", held)
        solver = gd.Implicit(rtol=1e-7, atol=1e-10)
        results.append(gd.simulate(system, 2e-3, solver=solver, coordinates=coordinates, sample=5e-4))
    alone, together = results
    assert alone.stats["evaluations"] == pytest.approx(together.stats["evaluations"], rel=0.02)
    assert alone.data.position.values == pytest.approx(together.data.position.values, abs=1e-10)
    assert alone.data.velocity.values == pytest.approx(together.data.velocity.values, abs=1e-7)


def test_islands_of_a_star():
    """Driven, as many as there are rods; a flywheel couples them all."""
    assert [len(island) for island in equations_of_motion(star(6, driven=True)).compliant.islands] == [1] * 6
    assert [len(island) for island in equations_of_motion(star(6, driven=False)).compliant.islands] == [6]
    assert held_bodies(star(6, driven=True)) == {"crank"}
