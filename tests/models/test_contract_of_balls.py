"""What every real spherical joint must do, to tight tolerances: action equals reaction, compiled equals Python, energy.

tests/test_contract.py has the contract over all joints.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gudgeon as gd
import reference_real_joints as reference
from conserved import drift, momenta
from real_joints import CLEARANCE, EVERY_MODEL, TOUCHING, two_bodies

EXPLICIT = gd.Explicit(rtol=1e-11, atol=1e-13)
IMPLICIT = gd.Implicit(rtol=1e-9, atol=1e-12)
SOLVERS = [EXPLICIT, IMPLICIT, gd.Implicit(rtol=1e-9, atol=1e-12, stages=5)]
every_model = pytest.mark.parametrize("name", EVERY_MODEL)
every_solver = pytest.mark.parametrize("solver", SOLVERS, ids=["Explicit", "Implicit", "five stages"])
COMPARED = (
    "penetration",
    "normal_force",
    "friction_force",
    "sliding_velocity",
    "film_force",
    "power_dissipated",
    "stored_energy",
)


def run(name: str, solver: gd.Explicit | gd.Implicit = IMPLICIT, **options) -> gd.Result:
    """20 ms of two bodies that collide in their joint, rub and part."""
    result = gd.simulate(two_bodies(EVERY_MODEL[name]), 0.02, solver=solver, **{"sample": 2e-4, **options})
    assert (len(result.events) > 0) == (name in TOUCHING)
    return result


def expected(result: gd.Result, sample: int) -> dict[str, np.ndarray]:
    """What the reference says about joint J at a sample of a run; its discrete state comes from the events."""
    t, state, events = result.data.time.values[sample], result.state(sample), result.events
    now = events[(events.begin <= t) & ~(events.end < t)]
    at = reference.joint_force(
        result.system,
        "J",
        state,
        touching=len(now) > 0,
        impact_speed=float(now.impact_speed.sum()),
        bristles=result.states[sample, 26:29],
    )
    wrench = reference.on_child(result.system, "J", state, at)
    moved = reference.accelerations(result.system, "J", state, at)
    return {
        "reaction_force": wrench[:3],
        "reaction_torque": wrench[3:],
        "acceleration": np.array([moved[body][:3] for body in result.system.bodies]),
        "angular_acceleration": np.array([moved[body][3:] for body in result.system.bodies]),
        **{key: getattr(at, key) for key in COMPARED},
    }


def compare(result: gd.Result, samples, tolerance: float) -> None:
    """The data of a result against the reference, relative to the largest value of each variable."""
    data = result.data.sel(joint="J")
    wanted = [expected(result, s) for s in samples]
    for key in wanted[0]:
        found = data[key].values[list(samples)]
        right = np.array([each[key] for each in wanted], dtype=float)
        if np.all(np.isnan(found)):  # a joint without film has no film force
            continue
        scale = np.abs(data[key].values).max()
        if key in ("reaction_torque", "friction_force"):  # which may be zero
            scale = np.abs(data.reaction_force.values).max() * (0.01 if key == "reaction_torque" else 1.0)
        assert found == pytest.approx(right, rel=0, abs=tolerance * scale + 1e-12), key


@every_model
@every_solver
def test_action_equals_reaction(name, solver, coordinates):
    """To rounding where momentum is linear in the state, otherwise to the implicit solver's tolerance."""
    linear, angular = momenta(run(name, solver))
    tight = 1e-13 if solver is EXPLICIT else {"absolute": 1e-10, "relative": 2e-10}[coordinates]
    assert drift(linear) < (1e-13 if solver is EXPLICIT or coordinates == "absolute" else 1e-10) * np.abs(linear).max()
    assert drift(angular) < tight * np.abs(angular).max()


@every_model
@every_solver
def test_energy_balance(name, solver):
    """Mechanical energy never grows, and what is missing is what the joint says it has dissipated."""
    data = run(name, solver).data
    energy, lost = data.mechanical_energy.values, data.dissipated_energy.sel(joint="J").values
    small = (1e-10 if solver is EXPLICIT else 2e-7) * energy[0]
    assert np.diff(energy).max() < small
    assert energy[0] - energy == pytest.approx(lost, abs=small)
    assert energy[0] - energy[-1] > 0.05 * energy[0]
    assert lost[0] == 0.0
    if name != "LuGre":  # bristles give back what they have stored
        power = data.power_dissipated.sel(joint="J").values
        assert power.min() >= -1e-5 * power.max()
        assert np.diff(lost).min() >= 0.0


@every_model
def test_energy_balance_at_default_tolerance(name):
    data = run(name, gd.Implicit()).data
    energy, lost = data.mechanical_energy.values, data.dissipated_energy.sel(joint="J").values
    assert energy[0] - energy == pytest.approx(lost, abs=1e-3 * lost[-1])
    assert np.diff(energy).max() < 1e-4 * lost[-1]


@every_model
def test_dissipated_energy_is_the_integral_of_the_power(name):
    """By the trapezium rule over samples that resolve the contacts."""
    data = run(name, EXPLICIT, sample=1e-6).data.sel(joint="J")
    power, t = data.power_dissipated.values, data.time.values
    integral = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
    assert integral == pytest.approx(data.dissipated_energy.values, abs=1e-3 * data.dissipated_energy.values[-1])


def some(result: gd.Result) -> list[int]:
    """Samples in contact and out of it, up to ten of each."""
    on = result.data.contact.sel(joint="J").values == 1.0
    return sorted(s for where in (on, ~on) for s in np.flatnonzero(where)[:: max(1, where.sum() // 10)].tolist())


@every_model
@every_solver
def test_compiled_equals_python(name, solver):
    """Exact where the law is asked at the sample; the implicit solver reports the forces of its polynomial."""
    result = run(name, solver)
    compare(result, some(result), 1e-10 if solver is EXPLICIT else 1e-4)


@every_model
def test_forces_at_default_tolerance(name):
    result = run(name, gd.Implicit())
    compare(result, some(result), 1e-2)


def any_state(draw, position, spread):
    quaternion = np.array([2.0 + draw(st.floats(-1, 1)), *(draw(st.floats(-1, 1)) for _ in range(3))])
    numbers = [draw(st.floats(-spread, spread)) for _ in range(6)]
    return gd.BodyState(
        position=position,
        orientation=quaternion / np.linalg.norm(quaternion),
        velocity=numbers[:3],
        angular_velocity=np.array(numbers[3:]) * 20.0,
    )


@st.composite
def start_states(draw):
    """Two bodies anywhere, turned and moving anyhow, the ball up to 1.05 clearances off centre."""
    one = any_state(draw, (0.1, -0.2, 0.3), 1.0)
    two = any_state(draw, (0.0, 0.0, 0.0), 1.0)
    direction = np.array([draw(st.floats(-1, 1)), draw(st.floats(-1, 1)), draw(st.floats(-1, 1)) + 1e-3])
    offset = draw(st.floats(0.01, 1.05)) * CLEARANCE * direction / np.linalg.norm(direction)
    free = two_bodies(EVERY_MODEL["bushing"], {"one": one, "two": two})
    place = reference.Sides(free, "J", {"one": one, "two": two})
    centred = np.array(two.position) + place.P_i - place.P_j
    return {
        "one": one,
        "two": gd.BodyState(
            position=centred + offset,
            orientation=two.orientation,
            velocity=two.velocity,
            angular_velocity=two.angular_velocity,
        ),
    }


@every_model
@settings(max_examples=10)
@given(data=st.data())
def test_compiled_equals_python_in_any_state(name, data):
    """At the start of a run; a joint that overlaps there is taken to have begun to touch there."""
    start = data.draw(start_states())
    model = EVERY_MODEL[name]
    system = two_bodies(model, start)
    sides = reference.Sides(system, "J", start)
    limit = CLEARANCE - getattr(model, "smallest_film", 0.0)
    if isinstance(model, gd.Lubricated) and model.contact is None and sides.length > 0.99 * limit:
        return  # refused: no film left
    result = gd.simulate(system, 1e-9, sample=np.array([0.0]), solver=gd.Explicit())
    touching = sides.length > limit and name in TOUCHING
    assert len(result.events) >= touching
    compare(result, [0], 1e-8)  # micrometres of eccentricity are differences of decimetres


@pytest.mark.parametrize("one", TOUCHING)
def test_ball_on_parent_is_the_mirror_image(one):
    """Parent and child exchanged and the ball on the other side: the same motion, reactions on the other body."""
    system = two_bodies(EVERY_MODEL[one])
    joint, side = system.joints["J"], {"child": "parent", "parent": "child"}[EVERY_MODEL[one].ball_on]
    swapped = gd.Spherical("two", "one", at=joint.at, model=dataclasses.replace(joint.model, ball_on=side))
    here = gd.simulate(system, 0.01, sample=1e-4, solver=EXPLICIT)
    there = gd.simulate(system.replace(joints={"J": swapped}), 0.01, sample=1e-4, solver=EXPLICIT)
    assert there.data.position.values == pytest.approx(here.data.position.values, rel=0, abs=1e-12)
    assert there.events.begin.values == pytest.approx(here.events.begin.values, abs=1e-12)
    scale = np.abs(here.data.reaction_force.values).max()
    assert there.data.reaction_force.values == pytest.approx(-here.data.reaction_force.values, abs=1e-6 * scale)
