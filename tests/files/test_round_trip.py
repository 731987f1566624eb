"""A System as a model file and back: equal to the last bit, whatever it is made of."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import gudgeon as gd
from gudgeon import laws
from gudgeon.files.kinds import types
from gudgeon.files.model_file import system_as_json, system_of_json
from gudgeon.orientations import ScalarFirst
from gudgeon.solvers.state_key import state_key
from one_joint import JOINTS, MODELS, one_joint

EXAMPLES = {
    **{f"four-bar, {joint}": gd.examples.spatial_four_bar(joint) for joint in gd.examples.SPHERICAL_JOINTS},
    **{f"stick-slip, {s}": gd.examples.stick_slip_oscillator(s) for s in ("flexible", "rigid", "hard", "ideal")},
    **{f"crank, {s}": gd.examples.slider_crank_flexible_slider(slider=s) for s in ("flexible", "rigid", "ideal")},
    "crank, hard contact": gd.examples.slider_crank_hard_contact(),
}


def possible() -> list[tuple[str, str]]:
    """All joints with all their models, but those of users: these are refused."""
    found = []
    for joint in JOINTS:
        for model in (name for name in MODELS if name != "ForceModel"):
            try:
                one_joint(joint, model)
            except (gd.ModelError, TypeError):
                continue
            found.append((joint, model))
    return found


def same(system: gd.System, again: gd.System) -> None:
    """Equal, and of the same bits: a state of the one goes on with the other."""
    assert again == system
    assert state_key(again) == state_key(system)
    assert list(again.bodies) == list(system.bodies) and list(again.joints) == list(system.joints)


@pytest.mark.parametrize("ending", ["yaml", "json"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name, ending, tmp_path):
    path = EXAMPLES[name].save(tmp_path / f"model.{ending}")
    same(EXAMPLES[name], gd.load_system(path))
    assert gd.load_system(path).save(tmp_path / f"again.{ending}").read_text() == path.read_text()


@pytest.mark.parametrize(("joint", "model"), possible())
def test_every_joint_with_every_model(joint, model, tmp_path):
    system = one_joint(joint, model, driven="lexible" not in model)
    same(system, gd.load_system(system.save(tmp_path / "model.yaml")))
    same(system, system_of_json(system_as_json(system)))


def test_json_is_json(tmp_path):
    text = EXAMPLES["four-bar, dry"].save(tmp_path / "model.json").read_text()
    assert json.loads(text)["joints"]["C"]["model"]["friction"] == {
        "type": "Coulomb",
        "coefficient": 0.1,
        "velocity_tolerance": 0.001,
    }


NUMBERS = st.floats(1e-3, 1.0)
LAWS = {
    base: [kind for kind in types().values() if issubclass(kind, base)]
    for base in (laws.ContactLaw, laws.FrictionLaw, laws.FilmLaw)
}
PARTICULAR = {"Universal", "UniversalPrismatic", "PointOnCurve", "Cam", "Meeting"}  # need more than a point and an axis
EXPRESSIONS = st.sampled_from(["6*sin(pi/6*t)", "1e-3", "t", "2", "exp(-t)*(1+t)", "1 if t < 0.5 else 0"])
ODD = [
    "crank",
    "yes",
    "1e3",
    "~",
    "on: #1",
    "Kurbel ü",
    "a.b",
    "'",
    "- x",
    "null",
    "[",
    "{}",
    "\u4e2d",
    "a\u2028b",
    "a\x85b",
]
NAMES = st.sampled_from(ODD) | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(
    str.strip
)


@st.composite
def law(draw: Any, base: type) -> Any:
    kind = draw(st.sampled_from(LAWS[base]))
    try:
        return kind(**{field.name: draw(NUMBERS) for field in fields(kind)})
    except gd.ModelError:
        assume(False)


@st.composite
def joint_model(draw: Any, joint: str) -> Any:
    if draw(st.booleans()):
        return gd.Ideal()
    if joint == "Spherical":
        radii = {"socket_radius": 0.01, "ball_radius": draw(st.floats(5e-3, 9.9e-3))}
        if draw(st.booleans()):
            film = draw(law(laws.FilmLaw))
            return gd.Lubricated(**radii, film=film, contact=draw(law(laws.ContactLaw)))
        friction = draw(st.none() | law(laws.FrictionLaw))
        return gd.Dry(**radii, contact=draw(law(laws.ContactLaw)), friction=friction)
    return gd.Bushing(stiffness=draw(NUMBERS), tilt_stiffness=draw(NUMBERS), damping_time=draw(NUMBERS))


@st.composite
def systems(draw: Any) -> gd.System:
    """A chain of bodies with any names, poses, joints, models and laws."""
    number = st.floats(-10.0, 10.0)
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    bodies = {}
    for name in names:
        turn = np.array(draw(st.tuples(number, number, number, number)))
        assume(np.linalg.norm(turn) > 1e-3)
        root = np.array(draw(st.lists(st.floats(0.1, 1.0), min_size=9, max_size=9))).reshape(3, 3)
        spread = root @ root.T + 0.1 * np.eye(3)
        bodies[name] = gd.Body(
            mass=draw(NUMBERS),
            inertia=np.trace(spread) * np.eye(3) - spread,
            position=draw(st.tuples(number, number, number)),
            orientation=ScalarFirst(turn / np.linalg.norm(turn)),
            velocity=draw(st.none() | st.tuples(number, number, number)),
        )
    joints, loads, drives = {}, {}, {}
    for parent, child in zip(["ground", *names[:-1]], names, strict=True):
        kind = draw(st.sampled_from([name for name in JOINTS if name not in PARTICULAR]))
        axes = {}
        if "axis" in JOINTS[kind] and kind != "Guide":
            axes["axis"] = draw(st.tuples(st.floats(0.1, 1.0), number, number))
        joint = getattr(gd, kind)(parent, child, at=draw(st.tuples(number, number, number)), **axes)
        if kind not in ("Guide", "Rigid", "Free"):
            try:
                joint = replace(joint, model=draw(joint_model(kind)))
            except gd.ModelError:
                assume(False)
        joints[f"to {child}"] = joint
        free = [coordinate.name for coordinate in joint.blocks().free]
        if free:
            loads[f"spring {child}"] = gd.JointSpring(
                f"to {child}", stiffness=draw(NUMBERS), rest=draw(EXPRESSIONS), coordinate=free[0]
            )
            drives[f"of {child}"] = gd.Drive(f"to {child}", draw(EXPRESSIONS), coordinate=free[-1])
        loads[f"push {child}"] = gd.Force(child, (draw(EXPRESSIONS), draw(number), draw(EXPRESSIONS)), axes="body")
    start = {names[0]: gd.BodyState(position=(0, 0, draw(number)), orientation=(0.6, 0, 0, 0.8))}
    return gd.System(name=names[-1], bodies=bodies, joints=joints, loads=loads, drives=drives, start=start)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(systems())
def test_any_system(tmp_path_factory, system):
    folder = tmp_path_factory.getbasetemp()
    same(system, gd.load_system(system.save(folder / "any.yaml")))
    same(system, gd.load_system(system.save(folder / "any.json")))
    same(system, system_of_json(system_as_json(system)))


def test_a_run_from_a_file_is_the_same_run(tmp_path):
    system = EXAMPLES["four-bar, dry"]
    again = gd.load_system(system.save(tmp_path / "model.yaml"))
    first, second = (gd.simulate(each, 0.02, sample=5e-3) for each in (system, again))
    assert np.array_equal(first.states, second.states)
    assert first.events.equals(second.events)


class Cubic(laws.ContactLaw):
    """A law of a user's own."""

    @staticmethod
    def normal_force(delta, ddelta, p):
        return 1e15 * delta**3


def push(t):
    return 2.0 * t


REFUSED = {
    r"bodies: 'bob\\ud800' has half a character": gd.System(
        name="spatial four-bar", bodies={"bob\ud800": gd.Body(mass=1.0, inertia=(1, 1, 1))}
    ),
    "joints.C.model.contact: Cubic is a class of your own": gd.examples.spatial_four_bar().with_model(
        C=gd.Dry(socket_radius=0.01, ball_radius=0.0099, contact=Cubic())
    ),
    r"loads.push.vector.1: push is a Python function; give an expression in t": gd.examples.spatial_four_bar().replace(
        loads={"push": gd.Force("rocker", (0, push, 0))}
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_not_data_is_refused_by_name(message, tmp_path):
    with pytest.raises(gd.ModelError, match=f"System 'spatial four-bar' cannot be written: {message}"):
        REFUSED[message].save(tmp_path / "model.yaml")
    assert not any(tmp_path.iterdir())


def test_a_name_that_promises_another_format(tmp_path):
    with pytest.raises(gd.FileError, match=r"save: 'model.nc' would be a model file; give a name that ends in .yaml"):
        EXAMPLES["four-bar, dry"].save(tmp_path / "model.nc")
