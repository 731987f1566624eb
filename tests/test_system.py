"""A System is data: frozen, comparable, picklable."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest

import gudgeon as gd
from mechanisms import G, path, path_acceleration, path_rate, pendulum, slider_crank, waves


def loaded_system() -> gd.System:
    loads = {
        "push": gd.Force("rod", waves, at=(0.1, 0, 0), axes="body"),
        "turn": gd.Torque("crank", (0, 0, "sin(t)")),
        "spring": gd.SpringDamper("ground", "slider", at_first=(1, 0, 0), stiffness=10.0),
        "coil": gd.JointSpring("pivot", stiffness=1.0),
    }
    return slider_crank(gd.Drive("pivot", path, rate=path_rate, acceleration=path_acceleration)).replace(loads=loads)


def test_equal_descriptions_are_equal():
    assert loaded_system() == loaded_system()
    assert hash(loaded_system()) == hash(loaded_system())
    assert len({loaded_system(), loaded_system(), pendulum()}) == 2
    assert loaded_system() != loaded_system().replace(gravity=(0, 0, 0))
    assert pendulum() != pendulum(bodies={"bob": gd.Body(mass=2.0, inertia=(0.25, 0.25, 0.25), position=(-0.5, 0, 0))})


def test_the_order_of_parts_in_equality_and_hash():
    one, two = gd.Body(mass=1.0, inertia=(1, 1, 1)), gd.Body(mass=2.0, inertia=(1, 1, 1))
    first, second = gd.System(bodies={"a": one, "b": two}), gd.System(bodies={"b": two, "a": one})
    assert first != second or hash(first) == hash(second)


def test_pickle():
    system = loaded_system()
    again = pickle.loads(pickle.dumps(system))
    assert again == system and hash(again) == hash(system)
    assert np.array_equal(gd.simulate(again, 0.1).states, gd.simulate(system, 0.1).states)


def test_frozen():
    system = pendulum()
    with pytest.raises(dataclasses.FrozenInstanceError):
        system.gravity = (0, 0, 0)  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        system.bodies["bob"].mass = 2.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        system.bodies["other"] = system.bodies["bob"]  # type: ignore[index]
    given = {"bob": system.bodies["bob"]}
    kept = gd.System(bodies=given)
    given["other"] = system.bodies["bob"]
    assert list(kept.bodies) == ["bob"]


def test_replace_and_with_model():
    system = pendulum()
    heavier = system.replace(name="moon", gravity=(0, -1.62, 0))
    assert (heavier.name, heavier.gravity) == ("moon", (0.0, -1.62, 0.0))
    assert system.gravity == (0.0, -G, 0.0)
    assert heavier.bodies == system.bodies and heavier.joints == system.joints
    assert system.with_model(pivot=gd.Ideal()) == system
    named = slider_crank(gd.Drive("pivot", "t")).with_model(**{"crank pin": gd.Ideal()})
    assert list(named.joints) == ["pivot", "crank pin", "wrist pin", "guide"]
    with pytest.raises(gd.ModelError, match="no body 'bob'"):
        system.replace(bodies={"bab": system.bodies["bob"]})


def test_repr_names_the_parts_in_a_few_lines():
    system = loaded_system().with_model(**{"wrist pin": gd.PenaltyPin(stiffness=1e5)})
    assert repr(system).splitlines() == [
        f"<gudgeon.System {system.name!r}: Grübler freedoms {system.gruebler_freedoms} (the true ones: gd.assemble)",
        "  bodies       3  crank, rod, slider",
        "  joints       4  pivot (Revolute), crank pin (Revolute), wrist pin (Revolute, PenaltyPin), guide (Prismatic)",
        "  loads        4  push (Force), turn (Torque), spring (SpringDamper), coil (JointSpring)",
        "  drives       1  motor (of pivot)>",
    ]
    many = gd.System(bodies={f"b{k}": gd.Body(mass=1.0, inertia=(1, 1, 1)) for k in range(40)})
    assert repr(many).endswith("  bodies      40  " + ", ".join(f"b{k}" for k in range(12)) + ", … 28 more>")


def test_simulating_changes_no_description():
    system = loaded_system()
    before = pickle.dumps(system)
    gd.simulate(system, 0.1)
    assert pickle.dumps(system) == before


def test_a_copy_of_a_body_has_its_inertia_and_every_other_one_is_looked_at():
    body = gd.Body(mass=1.0, inertia=((2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0)))
    assert dataclasses.replace(body, mass=2.0).inertia is body.inertia
    given = [2.0, 2.0, 2.0]
    assert gd.Body(mass=1.0, inertia=given).inertia == body.inertia
    given[2] = 5.0
    with pytest.raises(gd.ModelError, match="triangle"):
        gd.Body(mass=1.0, inertia=given)
    signed = gd.Body(mass=1.0, inertia=((2.0, -0.0, 0.0), (-0.0, 2.0, 0.0), (0.0, 0.0, 2.0)))
    assert signed.inertia == body.inertia and np.signbit(signed.inertia[0][1])
