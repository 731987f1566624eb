"""Every joint × model × solver × coordinates × analysis runs, or is refused for a reason of physics.

`REFUSED` is the whole list of such reasons. What is closed for another reason stands in `CLOSED`, as strict xfails: the
day one of them opens, its test fails here and the line goes. A run must agree with that of another solver, so that
nothing is left out in silence; a refusal is a ModelError that names the joint or its model, and who refuses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pytest

import gudgeon as gd
from one_joint import JOINTS, MODELS, one_joint

END, SAMPLES = 8e-4, 5  # of a run [s]
SOLVERS: dict[str, Any] = {
    "Explicit": gd.Explicit(),
    "Implicit": gd.Implicit(),
    "Sundials": gd.Sundials(rtol=1e-9, atol=1e-12),
    "TimeStepping": gd.TimeStepping(step=4e-6),
}
RUNS = tuple(f"{solver}, {coordinates}" for solver, coordinates in product(SOLVERS, ("absolute", "relative")))
ANALYSES = ("kinematics", "inverse_dynamics", "equilibrium", "linearize", "restart", "file", "file with system")
WAYS = (*RUNS, *ANALYSES)
FILED = ("Revolute", "Spherical", "Guide")  # joints whose runs are saved: a file knows models, not types of joints
RAISED = (gd.ModelError, AssertionError)  # by what is closed


class Rule(NamedTuple):
    """Which cells, by regular expressions of their whole names, and why."""

    joint: str
    model: str
    way: str
    why: str
    says: str = ""  # what the message of a refusal must contain

    def covers(self, joint: str, model: str, way: str) -> bool:
        """Whether a cell is meant."""
        given = zip((self.joint, self.model, self.way), (joint, model, way), strict=True)
        return all(re.fullmatch(pattern, name) for pattern, name in given)


TOUCHING = "PointOnCurve|Cam|Meeting"
ANY, REAL, SMOOTH = ".*", "(?!Ideal).*", "(Explicit|Implicit|Sundials), .*"
RUBS = "Ideal, (friction|LuGre|set-valued)"
OTHER = "is not a model of"  # of this joint
FLEXIBLE = "FlexibleSlider.*|.* flexible body"
REFUSED = (
    # a model is the physics of one geometry
    Rule("(?!Spherical$).*", "(Dry|Lubricated)(, .*)?", ANY, "a ball in a socket leaves three rotations", OTHER),
    Rule("(?!Revolute$|Cylindrical$).*", "DryJournal.*", ANY, "a pin turns, and perhaps slides, in a bore", OTHER),
    Rule("(?!Revolute$).*", "WornJournal", ANY, "what a pin wears it wears in one place along its bore", OTHER),
    Rule("Cylindrical", "DryJournal, collars", ANY, "collars hold a pin that slides", "slides along its axis"),
    Rule("(?!Revolute$|Cylindrical$).*", "LubricatedJournal.*", ANY, "a pin in a bore turns about one axis", OTHER),
    Rule("(?!Revolute$).*", "PenaltyPin.*", ANY, "a pin leaves one rotation", OTHER),
    Rule("(?!Guide$).*", "(Rigid|Flexible)Slider.*", ANY, "a slider slides between the walls of a guide", OTHER),
    Rule("(?!Prismatic$).*", "(DryBox|DryKeyedShaft).*", ANY, "walls and a key leave one displacement", OTHER),
    Rule("(?!Prismatic$|Guide$).*", "LubricatedBox.*", ANY, "walls leave one displacement", OTHER),
    Rule("(?!Universal$).*", "DryCross", ANY, "a cross leaves two rotations", OTHER),
    Rule(f"(?!{TOUCHING}).*", "DryTouch", ANY, "a joint that holds does not part", OTHER),
    Rule("Meeting", "Ideal.*", ANY, "bodies that only meet have no rows", "what happens where they meet?"),
    Rule("Guide|Translational", "SurfaceContact", ANY, "a guide has its own surfaces, a table none", OTHER),
    Rule(TOUCHING, "SurfaceContact|ForceModel|Bushing.*", ANY, "it parts: nothing holds it", OTHER),
    Rule("Rigid", "SurfaceContact", ANY, "a weld has no surfaces that part", OTHER),
    Rule("Universal.*", "SurfaceContact", ANY, "a cross keeps the surfaces of its bodies apart", OTHER),
    Rule("(?!Revolute|Free).*", ".* flexible body", ANY, "a plate is held in its plane: pins, guides", "is flexible"),
    Rule(
        "Rigid|UniversalPrismatic|Free|Translational|PointOnCurve|Cam",
        RUBS,
        ANY,
        "no surfaces that slide and are pressed",
        "is for Revolute",
    ),
    # nonsmooth: velocities jump, or the force is one of a set
    Rule(ANY, ".*, hard", SMOOTH, "velocities jump", "hard"),
    Rule(ANY, "(Rigid|Dry|Ideal).*, set-valued", SMOOTH, "what sticks carries any force up to a bound", "set-valued"),
    Rule(ANY, "FlexibleSlider, set-valued", "Implicit, .*", "the same; a node alone has a rule for it", "set-valued"),
    Rule(ANY, ".*, (set-valued|hard)", "linearize", "a set has no derivative", "derivative"),
    Rule(ANY, ".*, hard", "equilibrium", "a hard contact has no stiffness", "hard"),
    Rule(ANY, ".*LuGre", "linearize", "mass, damping and stiffness do not show the state of bristles", "bristles"),
    # motion without forces, forces without motion
    Rule("Rigid", "Ideal", "linearize", "nothing moves", "no freedom"),
    Rule(ANY, "Ideal, (LuGre|set-valued)", "kinematics|inverse_dynamics", "friction has a memory", "does not tell"),
    Rule(
        "Spherical|Free|PointOnCurve|Cam",
        "Ideal(, friction)?",
        "kinematics",
        "nothing drives a rotation that has no coordinate",
        "freedom",
    ),
    Rule(ANY, FLEXIBLE, "kinematics", "how a body deforms depends on forces", "depends on forces"),
    Rule(ANY, REAL, "kinematics", "how far a real joint yields depends on forces", "acts by forces"),
    Rule(ANY, "Lubricated(Journal|Journal, planar|Box)?", "equilibrium", "a film carries nothing at rest", "film"),
)
CLOSED: tuple[Rule, ...] = ()


def rule(table: tuple[Rule, ...], cell: tuple[str, str, str]) -> Rule | None:
    return next((rule for rule in table if rule.covers(*cell)), None)


def cells() -> list[Any]:
    """All of them; joints that refuse a model for what it is stand for all their ways."""
    made = []
    for joint, model in product(JOINTS, MODELS):
        never = rule(REFUSED, (joint, model, "anything"))
        for way in ("description",) if never else WAYS if joint in FILED else (*RUNS, *ANALYSES[:-2]):
            closed = rule(CLOSED, (joint, model, way))
            raises = RAISED
            marks = [pytest.mark.xfail(strict=True, raises=raises, reason=closed.why)] if closed else []
            made.append(pytest.param(joint, model, way, marks=marks, id=f"{joint}-{model}-{way}"))
    return made


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("joint", "model", "way"), cells())
def test_runs_or_is_refused_for_a_reason_of_physics(joint, model, way):
    reason = rule(REFUSED, (joint, model, way))
    if reason is None:
        run(joint, model, way)
        return
    with pytest.raises(gd.ModelError) as refusal:
        run(joint, model, way)
    message = str(refusal.value)
    assert reason.says in message
    assert any(name in message for name in (joint, model.split(",", 1)[0], "'one joint'"))
    assert way not in RUNS or way.split(",", 1)[0] in message


def run(joint: str, model: str, way: str) -> None:
    """Do it, and look at what comes out."""
    if way == "description":
        one_joint(joint, model)
    elif way in RUNS:
        solver, coordinates = way.split(", ")
        agrees(simulated(joint, model, solver, coordinates), simulated(joint, model, *usual(model, not_=solver)))
    else:
        DOINGS[way](joint, model)


@cache
def simulated(joint: str, model: str, solver: str, coordinates: str = "absolute") -> gd.Result:
    times = np.linspace(0.0, END, SAMPLES)
    return gd.simulate(one_joint(joint, model), END, solver=SOLVERS[solver], coordinates=coordinates, sample=times)


def usual(model: str, not_: str = "") -> tuple[str, str]:
    """A solver that runs this model, another one than that under test if there is another."""
    if any(word in model for word in ("hard", "set-valued")):
        return "TimeStepping", "absolute"
    return ("Sundials" if not_ == "Explicit" else "Explicit"), "absolute"


def agrees(result: gd.Result, other: gd.Result, within: float = 0.02) -> None:
    """The motion is done, finite, and gained or lost the same velocities; joints tell their coordinates."""
    assert result.stats["end"] == "done"
    data, reference = result.data, other.data
    for name, least in (("velocity", 1e-6), ("angular_velocity", 2e-3)):  # [m/s], [rad/s]: 2e-5 m/s at the ball
        change = np.abs(reference[name].values - reference[name].values[0]).max()
        assert np.all(np.isfinite(data[name]))
        assert data[name].values == pytest.approx(reference[name].values, abs=within * change + least)
    told = set(data.coordinate.values.tolist()) if "coordinate" in data.coords else set()
    assert {f"J.{c.name}" for c in one_of(result.system).joints["J"].blocks().free} <= told


def one_of(system: gd.System | None) -> gd.System:
    assert system is not None
    return system


def kinematics(joint: str, model: str) -> None:
    result = gd.kinematics(one_joint(joint, model, driven="lexible" not in model), END, sample=END)
    assert np.all(np.isfinite(result.data.reaction_force))


def inverse_dynamics(joint: str, model: str) -> None:
    """Nothing has to be added to a motion under the loads themselves."""
    result = simulated(joint, model, *usual(model))
    needed = gd.inverse_dynamics(one_of(result.system), result)
    assert max(np.abs(needed[name].values).max(initial=0.0) for name in ("residual", "effort")) < 1e-3


def equilibrium(joint: str, model: str) -> None:
    found = gd.equilibrium(one_joint(joint, model))
    start = found.state if "lexible" in model else None  # bodies alone do not tell how they are deformed
    rest = gd.simulate(found.system, END, start=start, solver=SOLVERS[usual(model)[0]], sample=END)
    assert np.abs(rest.data.velocity.values[-1]).max() < 1e-3 * 9.81 * END


def linearize(joint: str, model: str) -> None:
    found = gd.linearize(one_joint(joint, model))
    assert np.all(np.isfinite(found.stiffness)) and found.accuracy < 1e-3


def restart(joint: str, model: str) -> None:
    """A run that is cut in the middle and continued ends where the whole one ends."""
    solver, coordinates = usual(model)
    whole, half = simulated(joint, model, solver, coordinates), 0.5 * END
    first = gd.simulate(one_of(whole.system), half, solver=SOLVERS[solver], sample=half)
    second = gd.simulate(one_of(whole.system), half, start=first.state(), solver=SOLVERS[solver], sample=half)
    for name in ("position", "velocity", "angular_velocity"):
        change = np.abs(whole.data[name].values - whole.data[name].values[0]).max()
        assert second.data[name].values[-1] == pytest.approx(whole.data[name].values[-1], abs=1e-5 * change + 1e-12)


@cache
def loaded(joint: str, model: str) -> gd.Result:
    with TemporaryDirectory() as folder:
        return gd.load(simulated(joint, model, *usual(model)).save(Path(folder) / "run.nc"))


def file(joint: str, model: str) -> None:
    result, again = simulated(joint, model, *usual(model)), loaded(joint, model)
    assert again.data.equals(result.data) and again.events.equals(result.events)


def file_with_system(joint: str, model: str) -> None:
    """A user's class is code, which a file does not hold: it says so."""
    result = loaded(joint, model)
    if model == "ForceModel":
        assert result.system is None and "Seat" in result.data.attrs["system_not_kept"]
    else:
        assert result.system == one_joint(joint, model)


DOINGS: dict[str, Callable[..., Any]] = dict(
    zip(ANALYSES, (kinematics, inverse_dynamics, equilibrium, linearize, restart, file, file_with_system), strict=True)
)


def test_peaks_under_sundials():
    peaks = [simulated("Spherical", "Dry", solver).events.peak_force for solver in ("Sundials", "Explicit")]
    assert peaks[0].values == pytest.approx(peaks[1].values, rel=1e-3)


def test_crossings_under_sundials():
    watch = {"back": gd.Crossing(body="body", along=(1, 0, 0), value=1e-5)}
    times = [
        gd.simulate(one_joint("Spherical", "Dry"), END, solver=SOLVERS[name], crossings=watch).crossings.time
        for name in ("Sundials", "Explicit")
    ]
    assert times[0].values == pytest.approx(times[1].values, rel=1e-6)


def test_restart_with_a_wound_spring():
    wheel = gd.System(
        bodies={"wheel": gd.Body(mass=1.0, inertia=(1.0, 1.0, 1.0), angular_velocity=(0, 0, 10.0))},
        joints={"axle": gd.Revolute("ground", "wheel", at=(0, 0, 0))},
        loads={"winding": gd.JointSpring("axle", stiffness=1.0)},
    )
    whole = gd.simulate(wheel, 2.0, sample=2.0).data.angular_velocity.values[-1]
    again = gd.simulate(wheel, 1.0, start=gd.simulate(wheel, 1.0, sample=1.0).state(), sample=1.0)
    assert again.data.angular_velocity.values[-1] == pytest.approx(whole, abs=1e-6)
