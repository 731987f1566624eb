"""A planar journal across the world's z has two unknown forces; elsewhere three, and the same motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.kernels.dynamics.arrays import UNKNOWNS
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.mechanics.level_bodies import level_bodies
from journal_cranks import journal, lost, slider_crank

PLANAR = slider_crank(journal(5e-4, 0.1, planar=True))
BODIES = {"ground", "crank", "rod", "slider"}


def laid_down(system: gd.System) -> gd.System:
    """The same, a quarter turn about x further, with inertias that are alike about y and z."""

    def turned(v):
        return (v[0], -v[2], v[1])

    return system.replace(
        bodies={name: replace(body, position=turned(body.position)) for name, body in system.bodies.items()},
        joints={
            name: replace(joint, at=turned(joint.at), axis=turned(joint.axis)) for name, joint in system.joints.items()
        },
    )


def unknowns(system: gd.System) -> list[int]:
    return equations_of_motion(system).model.compliant[:, UNKNOWNS].tolist()


def on_a_table(base) -> gd.System:
    """The slider-crank on a body that `base` holds to the ground."""
    joints = {
        name: replace(joint, parent="table") if joint.parent == "ground" else joint
        for name, joint in PLANAR.joints.items()
    }
    table = gd.Body(mass=5.0, inertia=(1.0, 1.0, 1.0))
    return PLANAR.replace(bodies={"table": table, **PLANAR.bodies}, joints={"base": base, **joints})


def test_two_unknowns_where_all_stays_level():
    assert level_bodies(PLANAR) == BODIES
    assert unknowns(PLANAR) == [2]
    assert unknowns(laid_down(PLANAR)) == [3]
    assert unknowns(slider_crank(journal(5e-4, 0.1))) == [6]


@pytest.mark.parametrize(
    ("base", "level"),
    [
        (gd.Revolute("ground", "table", at=(0, 0, 0)), True),
        (gd.Cylindrical("ground", "table", at=(0, 0, 0)), True),
        (gd.Prismatic("ground", "table", at=(0, 0, 0), axis=(0.6, 0, 0.8)), True),
        (gd.Translational("ground", "table", at=(0, 0, 0)), True),
        (gd.Revolute("ground", "table", at=(0, 0, 0), axis=(1, 0, 0)), False),
        (gd.Revolute("ground", "table", at=(0, 0, 0), axis=(1e-6, 0, 1)), False),
        (gd.Spherical("ground", "table", at=(0, 0, 0)), False),
        (gd.Universal("ground", "table", at=(0, 0, 0), axis_parent=(0, 0, 1), axis_child=(1, 0, 0)), False),
        (gd.Rigid("ground", "table", at=(0, 0, 0), model=gd.Bushing(stiffness=np.eye(6) * 1e6)), False),
    ],
    ids=lambda x: str(x) if isinstance(x, bool) else type(x).__name__,
)
def test_what_carries_the_plane_decides(base, level):
    system = on_a_table(base)
    assert (level_bodies(system) == BODIES | {"table"}) is level
    assert unknowns(system)[-1] == (2 if level else 3)


def test_a_joint_that_lets_go_holds_nothing():
    part = gd.Body(mass=1.0, inertia=(1.0, 1.0, 1.0))
    weld = gd.Rigid("ground", "part", at=(0, 0, 0), model=gd.Ideal(until=0.1))
    assert level_bodies(gd.System(bodies={"part": part}, joints={"weld": weld})) == {"ground"}


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize(
    ("solver", "within"),
    [
        (gd.Implicit(rtol=1e-9, atol=1e-12), 2e-7),
        (gd.TimeStepping(step=2e-6), 1e-9),
        (gd.Explicit(rtol=1e-9, atol=1e-12), 2e-7),
    ],
    ids=["Implicit", "TimeStepping", "Explicit"],
)
def test_two_and_three_unknowns_are_the_same_motion(solver, within, coordinates):
    """Two contacts and what is between them."""
    runs = [
        gd.simulate(system, 6e-4, sample=5e-5, solver=solver, coordinates=coordinates)
        for system in (PLANAR, laid_down(PLANAR))
    ]
    upright, lying = runs
    np.testing.assert_allclose(lost(upright), lost(lying), rtol=within, atol=within * 0.1)
    force = [run.data.reaction_force.sel(joint="gudgeon").values for run in runs]
    size = np.abs(force[0]).max()
    np.testing.assert_allclose(force[0][:, :2], force[1][:, ::2], atol=100 * within * size)
    assert np.abs(force[0][:, 2]).max() < 1e-9 * size
