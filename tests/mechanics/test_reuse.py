"""What systems that differ in little have in common is reused: to the bit what is computed anew, whatever differs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.kernels.build.records import Record
from gudgeon.mechanics import flattened_before, known_positions
from gudgeon.mechanics.closing import closest_position
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.parameter_path import entries, entry, key_of, replaced, value_at
from mechanisms import slider_crank, trolley, wheel
from one_joint import JOINTS, MODELS, PLACELESS, one_joint

LOOSE = gd.Body(0.3, (1e-3, 2e-3, 3e-3), (0.1, 0.0, 0.0))
SPRUNG = gd.System(
    bodies={"a": LOOSE, "b": dataclasses.replace(LOOSE, position=(0.2, 0.0, 0.0), mass=0.5)},
    joints={
        "A": gd.Revolute("ground", "a", at=(0.05, 0.0, 0.0), axis=(0.0, 1.0, 0.0)),
        "B": gd.Spherical("a", "b", at=(0.15, 0.001, 0.0)),
    },
    loads={
        "spring": gd.SpringDamper("a", "b", at_first=(0.0, 0.0, 0.01), stiffness=50.0, damping=0.1, length=0.1),
        "push": gd.Force("b", ("sin(t)", 0.1, 0.0), at=(0.0, 0.01, 0.0)),
    },
    start={"b": gd.BodyState(position=(0.2, 0.0, 0.0), orientation=(1.0, 0.0, 0.0, 0.0))},
)


def with_model(model: str) -> gd.System:
    """One joint of the first kind that takes a model."""
    for joint in JOINTS:
        try:
            return one_joint(joint, model)
        except (gd.ModelError, TypeError):
            continue
    raise AssertionError(model)


SYSTEMS = {
    "four-bar": gd.examples.spatial_four_bar(),
    "slider-crank": slider_crank(gd.Drive("pivot", "3*t")),
    "springs": SPRUNG,
    "wheel": wheel(2.0),
    "trolley": trolley(0.5),
    **{f"ideal {joint}": one_joint(joint, "Ideal") for joint in JOINTS if joint not in PLACELESS},
    **{model: with_model(model) for model in MODELS},
}


def numbers_of(description: Any, keys: tuple = ()) -> Iterator[tuple]:
    """Where the numbers of a description are."""
    if isinstance(description, float):
        yield keys
    for step in entries(description):
        key = key_of(description, step)
        yield from numbers_of(entry(description, key), (*keys, key))


def forget() -> None:
    flattened_before._kept = ()
    known_positions._known.clear()


def contents(prefix: str, record: Record) -> Iterator[tuple[str, Any]]:
    for name, value in record.arrays().items():
        if isinstance(value, Record):
            yield from contents(f"{prefix}.{name}", value)
        else:
            yield f"{prefix}.{name}", (value.shape, value.tobytes())


def prepared(system: gd.System) -> dict[str, Any]:
    """All arrays of a system, and the state it is put together in; or why it cannot be."""
    try:
        equations = equations_of_motion(system, alpha=5.0, beta=5.0)
    except gd.ModelError as error:
        return {"error": str(error)}
    found = (
        {}
        if equations.compliant.names
        else dict([*contents("model", equations.model), *contents("work", equations.work)])
    )
    try:
        assembly = assemble_equations(equations)
    except gd.ModelError as error:
        return {**found, "error": str(error)}
    kept = {"state": assembly.state.tobytes(), "redundant": assembly.redundant_rows, "notes": assembly.notes}
    return {**found, **kept, "start": equations.stated_state().tobytes(), "length": equations.layout}


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_number_of_a_description_counts(name):
    system = SYSTEMS[name]
    tried, places = 0, list(numbers_of(system))
    real = any(joint.is_real for joint in system.joints.values())
    for keys in places[:: 4 if real else 1]:  # nothing but the position of ideal joints is reused there
        value = value_at(system, keys)
        try:
            other = replaced(system, keys, 1.001 * value if value else 1e-4)
        except gd.ModelError:  # an inertia that no body has, say
            continue
        forget()
        anew = prepared(other)
        forget()
        prepared(system)
        prepared(system)  # found where it was
        assert prepared(other) == anew, keys
        tried += 1
    assert tried > 4


def test_signs_of_zero_count():
    """0.0 and −0.0 are equal, but not the same number."""
    one = SPRUNG
    two = replaced(one, ("loads", "spring", "at_first", 0), -0.0)
    assert one == two
    forget()
    anew = prepared(two)
    forget()
    prepared(one)
    assert prepared(two) == anew


def test_masses_and_gravity_are_all_that_is_rebuilt():
    """Otherwise nothing is gained: the arrays of a member are those of the system before it."""
    system = SYSTEMS["four-bar"]
    forget()
    first = equations_of_motion(system)
    for keys, value in (
        (("bodies", "crank", "mass"), 0.019),
        (("gravity", 2), -1.62),
        (("bodies", "crank", "inertia", 0, 0), 3e-5),
    ):
        other = equations_of_motion(replaced(system, keys, value))
        assert other.model.block is first.model.block and other.work.row is not first.work.row
    moved = replaced(system, ("joints", "A", "at", 0), 1e-3)
    assert equations_of_motion(moved).model.block is not first.model.block


def test_where_a_mechanism_closes_does_not_depend_on_what_the_key_leaves_out():
    for name in ("four-bar", "slider-crank", "springs"):
        equations = equations_of_motion(SYSTEMS[name])
        y = equations.stated_state()
        y[:3] += 1e-3
        poisoned = y.copy()
        assert closest_position(equations, y, 0.1)[0] < 0
        lost = {field: np.full_like(getattr(equations.model, field), np.nan) for field in known_positions.UNREAD}
        without = dataclasses.replace(equations, model=equations.model.replaced(**lost))
        assert isinstance(without, Equations) and closest_position(without, poisoned, 0.1)[0] < 0
        assert poisoned.tobytes() == y.tobytes()


def test_runs_one_after_the_other_are_runs_alone():
    system = SYSTEMS["four-bar"]
    changes = [
        (("bodies", "crank", "mass"), 0.019),
        (("bodies", "crank", "position", 0), 1e-3),
        (("bodies", "rocker", "inertia", 1, 1), 3e-6),
        (("gravity", 0), 1.0),
        (("joints", "A", "axis", 1), 0.1),
        (("joints", "C", "model"), gd.Bushing(stiffness=1e6, damping_time=0.01)),
        (("joints", "C", "model"), gd.Ideal()),
    ]
    members = [replaced(system, keys, value) for keys, value in changes]
    alone = []
    for member in members:
        forget()
        alone.append(gd.simulate(member, 0.05, sample=0.01).states)
    forget()
    for _ in range(2):
        for member, states in zip(members, alone, strict=True):
            assert np.array_equal(gd.simulate(member, 0.05, sample=0.01).states, states)
