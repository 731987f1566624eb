"""What every joint must do, whatever its model, solver and coordinates.

Every cell that `test_capabilities` says runs, but those with flexible bodies, is run between two bodies alone in space:
momentum and angular momentum stay (action equals reaction), the mechanical energy that is missing is what the joint
says it has dissipated, and all solvers agree. Real joints become ideal: stiff ones as 1/k, those with play as the play.
That compiled physics equals plain Python is in tests/models for balls, bushings and surfaces, here for users' models,
corners and pins.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gudgeon as gd
from conserved import drift, momenta
from free_pair import free_pair
from gudgeon.joint_axes import joint_axes
from one_joint import GUIDE_PLAY, JOINTS, MODELS, PLATE, one_joint
from reference_real_joints import Sides, called
from test_capabilities import CLOSED, REFUSED, rule

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # assembly moves what an ideal joint does not allow
END, SAMPLES = 8e-4, 5  # of a run [s]
OWN_GEOMETRY = ("PointOnCurve", "Cam", "Meeting")  # take neither bushings nor users' models


class Exactness(NamedTuple):
    """Of a solver: momenta and energy against what there is of them, velocities against what they gain."""

    linear: float
    angular: float
    energy: float
    motion: float


SOLVERS: dict[str, Any] = {
    "Explicit": gd.Explicit(rtol=1e-10, atol=1e-13),
    "Implicit": gd.Implicit(rtol=1e-9, atol=1e-12),
    "Sundials": gd.Sundials(rtol=1e-10, atol=1e-13),
    "TimeStepping": gd.TimeStepping(step=4e-6),
}
EXACT = {
    "Explicit": Exactness(linear=1e-13, angular=1e-12, energy=1e-9, motion=1e-7),
    "Implicit": Exactness(linear=1e-11, angular=1e-10, energy=1e-8, motion=1e-6),
    "Sundials": Exactness(linear=2e-9, angular=1e-9, energy=1e-8, motion=1e-6),
    "TimeStepping": Exactness(linear=1e-6, angular=1e-6, energy=2e-5, motion=4e-3),
}
FILM = 4e-4  # of energy in a film that a step hardly resolves, under TimeStepping
CAM = 6e-5  # the same where a curve turns under what touches it: of second order in the step, 4e-5 here


def cells() -> list[Any]:
    """Joint, model, solver and coordinates of all that runs."""
    made = []
    for joint, model, solver, coordinates in product(JOINTS, MODELS, SOLVERS, ("absolute", "relative")):
        cell = (joint, model, f"{solver}, {coordinates}")
        if "lexible" not in model and rule(REFUSED, cell) is None and rule(CLOSED, cell) is None:
            made.append(pytest.param(joint, model, solver, coordinates, id="-".join(cell)))
    return made


every_cell = pytest.mark.parametrize(("joint", "model", "solver", "coordinates"), cells())


@cache
def run(joint: str, model: str, solver: str, coordinates: str = "absolute") -> gd.Result:
    times = np.linspace(0.0, END, SAMPLES)
    return gd.simulate(free_pair(joint, model), END, solver=SOLVERS[solver], coordinates=coordinates, sample=times)


@every_cell
def test_action_equals_reaction(joint, model, solver, coordinates):
    """Momentum is linear in absolute coordinates: to rounding; angular momentum is as exact as rotations are."""
    linear, angular = momenta(run(joint, model, solver, coordinates))
    within = 1e-12 if coordinates == "absolute" and solver != "Sundials" else EXACT[solver].linear
    assert drift(linear) < within * np.abs(linear).max()
    assert drift(angular) < EXACT[solver].angular * np.abs(angular).max()


@every_cell
def test_what_energy_is_missing_was_dissipated(joint, model, solver, coordinates):
    """Contacts that are rows of a step tell what they take, stored or lost: that is missing in the kinetic energy.

    Pins of springs lose nothing, whether they are rows or not.
    """
    result = run(joint, model, solver, coordinates)
    data, by_rows = result.data, "dissipated_energy" not in result.data and model != "PenaltyPin"
    energy = (data.kinetic_energy if by_rows else data.mechanical_energy).values
    taken = result.events.energy_lost.sum() if by_rows else 0.0
    if "dissipated_energy" in data:
        taken = float(data.dissipated_energy[-1].sum())  # of the joint, or of its trunnions
    film = solver == "TimeStepping" and model.startswith("Lubricated")
    turns = solver == "TimeStepping" and joint == "Cam" and model == "DryTouch"
    within = (FILM if film else CAM if turns else EXACT[solver].energy) * energy[0]
    assert energy[0] - energy[-1] == pytest.approx(taken, abs=within)
    assert np.diff(data.mechanical_energy.values).max() < within
    if model not in ("Ideal", "PenaltyPin"):  # nothing presses an ideal joint here but its body's own motion
        assert taken > (0.0 if model.startswith("Ideal") else 1e-5 * energy[0])


@every_cell
def test_solvers_agree(joint, model, solver, coordinates):
    usual = "TimeStepping" if model.endswith(("hard", "set-valued")) else "Explicit"
    reference, data = run(joint, model, usual).data, run(joint, model, solver, coordinates).data
    for name, least in (("velocity", 1e-9), ("angular_velocity", 1e-7)):  # [m/s], [rad/s]
        gained = np.abs(reference[name].values - reference[name].values[0]).max()
        assert data[name].values == pytest.approx(reference[name].values, abs=EXACT[solver].motion * gained + least)


# ------------------------------------------------------------------------------------------- compiled equals Python
def seen_in_axes(system: gd.System, state: dict[str, gd.BodyState]) -> tuple[Sides, np.ndarray, np.ndarray, np.ndarray]:
    """The two sides of joint J, its axes in the world, and x and v of a user's model, by NumPy and SciPy."""
    joint, sides = system.joints["J"], Sides(system, "J", state)
    axes = joint_axes(joint)[1]
    F = sides.axes_i @ axes.T  # columns: the joint's axes on the parent
    turned = axes @ sides.axes_i.T @ sides.axes_j @ axes.T
    held = len(joint.blocks().perpendicular) or 3
    if held == 3:
        turn = Rotation.from_matrix(turned).as_rotvec()
    elif held == 2:
        z = turned[:, 2]
        across = np.cross((0.0, 0.0, 1.0), z)
        turn = np.arctan2(np.linalg.norm(across), z[2]) * across / max(np.linalg.norm(across), 1e-300)
    else:
        turn = np.array([0.0, 0.0, -np.arcsin(turned[0, 1])])
    v = F.T @ (sides.u - np.cross(sides.w_i, sides.e))
    return sides, F, np.concatenate([F.T @ sides.e, turn]), np.concatenate([v, F.T @ (sides.w_j - sides.w_i)])


@pytest.mark.parametrize("joint", [name for name in JOINTS if name not in OWN_GEOMETRY])
def test_a_users_model_is_what_its_functions_say(joint):
    """Wrench and contact in plain Python, at all samples, all of them touching."""
    result = run(joint, "ForceModel", "Explicit")
    model, data = result.system.joints["J"].model, result.data.sel(joint="J")
    for sample in range(SAMPLES):
        _, F, x, v = seen_in_axes(result.system, result.state(sample))
        e = np.linalg.norm(x[:3])
        delta, ddelta = -model.gap(x, model.parameters), x[:3] @ v[:3] / e
        wrench = np.array(model.wrench(x, v, model.parameters))
        assert (delta > 0.0) == bool(data.contact[sample])
        if delta > 0.0:
            wrench += model.contact(x, v, delta, ddelta, float(result.events.impact_speed[0]), model.parameters)
        scale = np.abs(wrench[:3]).max()
        assert data.reaction_force.values[sample] == pytest.approx(F @ wrench[:3], abs=1e-8 * scale)
        assert data.reaction_torque.values[sample] == pytest.approx(F @ wrench[3:], abs=1e-9 * scale)
        assert float(data.stored_energy[sample]) == pytest.approx(model.stored_energy(x, model.parameters), rel=1e-8)
    assert data.contact.values.any()


@pytest.mark.parametrize("model", ["RigidSlider", "RigidSlider, Coulomb"])
def test_corners_push_and_rub_as_their_laws_say(model):
    """Four points and two planes: δ = −n·e, friction along the wall, all at the corner."""
    result = run("Guide", model, "Explicit")
    slider, events = result.system.joints["J"].model, result.events.set_index("contact")
    for sample in range(SAMPLES):
        sides, t = Sides(result.system, "J", result.state(sample)), float(result.data.time[sample])
        force, torque = np.zeros(3), np.zeros(3)
        for side, sign in (("lower", 1.0), ("upper", -1.0)):
            for end, along in (("left", -1.0), ("right", 1.0)):
                n, arm = sign * sides.R_i[:, 1], sides.R_j @ (along * PLATE[0] / 2, -sign * PLATE[1] / 2, 0.0)
                wall = sides.P_i - n * (PLATE[1] / 2 + GUIDE_PLAY)
                e, point = sides.P_j + arm - wall, sides.P_j + arm
                name = f"{side} {end}"
                if name not in events.index or not events.begin[name] <= t or n @ e >= 0.0:
                    continue
                u = sides.relative_velocity(point)
                slide = u - (n @ u) * n
                normal = called(slider.contact, -(n @ e), -(n @ u), max(events.impact_speed[name], 1e-4))
                push = max(normal, 0.0) * n
                if slider.friction is not None:
                    speed = np.linalg.norm(slide)
                    push = push - called(slider.friction, speed, max(normal, 0.0)) * slide / speed
                force, torque = force + push, torque + np.cross(arm, push)
        data = result.data.sel(joint="J").isel(time=sample)
        # what the guide's own rows hold is along and about the rest
        across = sides.R_i[:, :2]
        assert across.T @ data.reaction_force.values == pytest.approx(across.T @ force, rel=1e-8)
        assert sides.R_i[:, 2] @ data.reaction_torque.values == pytest.approx(sides.R_i[:, 2] @ torque, rel=1e-8)


def test_a_pin_pulls_in_its_plane():
    """−k times the gap across the axis."""
    result = run("Revolute", "PenaltyPin", "Explicit")
    stiffness = result.system.joints["J"].model.stiffness
    for sample in range(1, SAMPLES):
        _, F, x, _ = seen_in_axes(result.system, result.state(sample))
        expected = F @ (-stiffness * x[:3] * (1.0, 1.0, 0.0))
        assert np.linalg.norm(expected) > 0.1
        assert result.data.reaction_force.values[sample, 0] == pytest.approx(expected, rel=1e-8, abs=1e-9)


# ---------------------------------------------------------------------------------------------------- towards the ideal
def deviation(system: gd.System, ideal: gd.Result, solver: Any) -> float:
    """Of positions from those of an ideal joint [m]."""
    times = ideal.data.time.values
    found = gd.simulate(system, times[-1], solver=solver, sample=times).data.position.values
    return float(np.abs(found - ideal.data.position.values).max())


def stiffer(model: Any, by: float) -> Any:
    """The same model with all its stiffness times `by`."""
    fields = {name: getattr(model, name) for name in ("stiffness", "tilt_stiffness") if getattr(model, name, None)}
    if np.ndim(getattr(model, "stiffness", 0.0)):
        fields["stiffness"] = np.array(model.stiffness)
    return replace(model, **{name: by * value for name, value in fields.items()})


@pytest.mark.parametrize(
    ("joint", "model"),
    [
        (joint, model)
        for joint in JOINTS
        if joint not in (*OWN_GEOMETRY, "Free", "Translational")  # nothing turns this body: tests/models has that one
        for model in ("Bushing", "Bushing 3×3", "Bushing 6×6")
    ],
)
def test_stiff_joints_become_ideal(joint, model):
    """A body that falls from rest: the deviation goes with 1/k. (Six stiffnesses of a Spherical are a weld.)"""
    system = one_joint(joint, model)
    times = np.linspace(0.0, 0.02, 5)
    limit = "Rigid" if (joint, model) == ("Spherical", "Bushing 6×6") else joint
    ideal = gd.simulate(one_joint(limit, "Ideal"), 0.02, solver=gd.Explicit(rtol=1e-10, atol=1e-13), sample=times)
    solver = gd.Implicit(rtol=1e-10, atol=1e-14)
    physics = system.joints["J"].model
    found = [deviation(system.with_model(J=stiffer(physics, by)), ideal, solver) for by in (1e3, 1e4)]
    assert 1e-10 < found[0] < 1e-6
    assert found[0] / found[1] == pytest.approx(10.0, rel=0.05)


@pytest.mark.parametrize("kind", ["hard", "contact"])
def test_sliders_become_ideal_with_their_play(kind):
    """A slider that rests on a wall is by its play, half of it on either side, from where the ideal guide has it."""
    ideal = gd.simulate(one_joint("Guide", "Ideal"), 0.05, sample=0.05)
    law = {"impact": 0.0} if kind == "hard" else {"contact": gd.laws.KelvinVoigt(stiffness=1e9, damping=1e4)}
    for play in (1e-4, 1e-5):
        model = gd.RigidSlider(length=PLATE[0], height=PLATE[1], clearance=play, **law)
        system = one_joint("Guide", "RigidSlider").with_model(J=model).replace(start={})
        assert deviation(system, ideal, gd.TimeStepping(step=1e-4)) == pytest.approx(play, rel=0.01)
