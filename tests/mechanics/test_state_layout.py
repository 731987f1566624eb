"""The layout of the state: its parts follow each other without gaps, and views write into it."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.kernels.dynamics import state_places
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.mechanics.state_layout import StateLayout, beyond, moving, poses, positions, quaternions, twists


def parts(layout: StateLayout) -> list[slice]:
    return [getattr(layout, name) for name in StateLayout.__dataclass_fields__]


def test_parts_follow_each_other():
    layout = StateLayout.of(positions=14, velocities=12, turns=3, controls=2, joints=5, unknowns=8)
    assert [part.stop - part.start for part in parts(layout)] == [14, 12, 3, 2, 5, 8, 8]
    y = np.arange(layout.size)
    assert np.concatenate([y[part] for part in parts(layout)]).tolist() == y.tolist()


def test_a_state_is_never_empty():
    assert StateLayout.of(positions=0, velocities=0).size == 1


@pytest.mark.parametrize("shape", [(), (4,), (2, 3)])
def test_views_write_into_the_state(shape):
    """One state or many; together they reach every position and velocity once."""
    y = np.zeros((*shape, 13 * 3 + 2))
    positions(y, 3)[:] += 1.0
    quaternions(y, 3)[:] += 2.0
    twists(y, 3)[:] += 3.0
    y[..., beyond(3)] += 4.0
    wanted = [*([1.0] * 3 + [2.0] * 4) * 3, *[3.0] * 18, 4.0, 4.0]
    assert (y == wanted).all()
    assert poses(y, 3).shape == (*shape, 3, 7) and y[..., moving(3)].shape == (*shape, 18)


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_every_part_is_where_equations_say(coordinates):
    """A pendulum with a torsion spring and a ball with bristles: one angle, three bristles and one energy."""
    bristles = {"stribeck_speed": 0.01, "bristle_stiffness": 1e5, "bristle_damping": 10.0}
    friction = gd.laws.LuGre(static=0.2, kinetic=0.1, **bristles)
    ball = gd.Dry(socket_radius=0.010, ball_radius=0.009, contact=gd.laws.Hertz(stiffness=1e9), friction=friction)
    system = gd.System(
        bodies={
            "arm": gd.Body(mass=1.0, inertia=(1, 1, 1), position=(0.5, 0, 0), angular_velocity=(0, 2, 0)),
            "bob": gd.Body(mass=1.0, inertia=(1, 1, 1), position=(1.5, 0, 0)),
        },
        joints={
            "hinge": gd.Revolute("ground", "arm", at=(0, 0, 0), axis=(0, 1, 0)),
            "ball": gd.Spherical("arm", "bob", at=(1, 0, 0), model=ball),
        },
        loads={"spring": gd.JointSpring("hinge", stiffness=3.0)},
    )
    topology = system.topology() if coordinates == "relative" else None
    layout = equations_of_motion(system, topology=topology).layout
    positions_, velocities = (14, 12) if coordinates == "absolute" else (1 + 7, 1 + 6)
    assert [part.stop - part.start for part in parts(layout)] == [positions_, velocities, 1, 0, 4, 0, 0]
    states = gd.simulate(system, 0.05, coordinates=coordinates, sample=0.01).states
    if coordinates == "absolute":
        scalar, _, about_y, _ = quaternions(states, 2)[:, 0].T  # of the arm
        angle = 2.0 * np.arctan2(about_y, scalar)
    else:
        angle = states[:, layout.positions][:, 0]
    assert angle[-1] > 0.05
    assert states[:, layout.turns][:, 0] == pytest.approx(angle, rel=1e-6)


@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
@pytest.mark.parametrize(
    "system",
    [gd.examples.slider_crank_flexible_slider(4), gd.examples.spatial_four_bar("dry")],
    ids=["flexible", "dry"],
)
def test_compiled_code_finds_the_same_places(system, coordinates):
    """What kernels add up is what Python's layout says."""
    spring = gd.JointSpring(next(iter(system.joints)), stiffness=1.0)
    system = system.replace(loads={**system.loads, "wound": spring})
    equations = equations_of_motion(system, topology=system.topology() if coordinates == "relative" else None)
    layout, model = equations.layout, equations.model
    assert state_places.first_turn.py_func(model) == layout.turns.start < layout.turns.stop
    assert state_places.first_turn.py_func(model) + len(model.turn) == layout.controls.start
    if coordinates == "absolute":
        assert state_places.pose_at.py_func(2) == 7
        assert state_places.twist_at.py_func(model, 2) == layout.velocities.start + 6
    if equations.flexible is not None:
        assert model.flexible.place.tolist() == [layout.displacements.start, layout.rates.start]
