"""Paths reach every field of a description, and say what they may have meant."""

import dataclasses

import pytest

import gudgeon as gd
from gudgeon.parameter_path import entries, entry, located, replaced, value_at

SYSTEMS = {
    "dry": gd.examples.spatial_four_bar("dry"),
    "lubricated": gd.examples.spatial_four_bar("lubricated"),
    "loads": gd.System(
        bodies={"a.b": gd.Body(mass=1.0, inertia=(1, 2, 2))},
        loads={"push": gd.Force("a.b", ("sin(t)", 1.0, 0))},
        joints={"hinge": gd.Revolute("ground", "a.b", at=(0, 0, 0), axis=(0, 0, 1))},
        drives={"motor": gd.Drive("hinge", "5*t")},
    ),
}


def every_path(at, keys=()):
    for name in entries(at):
        key = int(name) if isinstance(at, list | tuple) else name
        yield (*keys, key)
        yield from every_path(entry(at, key), (*keys, key))


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_field_is_reached_and_can_be_put_back(name):
    system = SYSTEMS[name]
    paths = list(every_path(system))
    assert len(paths) > 20
    for keys in paths:
        text = "".join(f"[{key}]" if isinstance(key, int) else f"['{key}']" for key in keys)
        assert located("sweep", system, text) == keys
        assert replaced(system, keys, value_at(system, keys)) == system


def test_what_is_replaced_is_that_field_and_no_other():
    system = SYSTEMS["dry"]
    changed = replaced(system, located("sweep", system, "joints.C.model.friction.coefficient"), 0.25)
    assert changed.joints["C"].model.friction.coefficient == 0.25
    model = system.joints["C"].model
    friction = dataclasses.replace(model.friction, coefficient=0.25)
    assert changed == system.with_model(C=dataclasses.replace(model, friction=friction))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("joints.C.model.bal_radius", "joints.C.model (Dry) has no entry 'bal_radius'; did you mean 'ball_radius'?"),
        ("joint.C.model", "System has no entry 'joint'; did you mean 'joints'?"),
        ("joints.Q.model", "joints has no entry 'Q'; known are 'A', 'B', 'C', 'D'"),
        ("bodies.crank.mass.x", "bodies.crank.mass is 0.0196, which has no entries; set bodies.crank.mass as a whole"),
        ("gravity[3]", "gravity has no entry '3'; known are '0', '1', '2'"),
        ("", "'' is no path to an entry"),
        ("bodies..crank", "'bodies..crank' is no path to an entry"),
        (".bodies", "'.bodies' is no path to an entry"),
    ],
)
def test_suggestions(path, said):
    with pytest.raises(gd.ModelError) as caught:
        located("sweep", SYSTEMS["dry"], path)
    assert said in str(caught.value)
    assert str(caught.value).startswith("sweep: ")


def test_a_value_that_the_model_refuses_is_refused_by_the_model():
    system = SYSTEMS["dry"]
    with pytest.raises(gd.ModelError, match=r"mass is -1\.0 kg; a body needs a positive mass"):
        replaced(system, ("bodies", "crank", "mass"), -1.0)
