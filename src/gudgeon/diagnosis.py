"""Why a run broke off: when, with which step, and which load, drive or joint owns the worst term."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.errors import SimulationError, SimulationInterrupted
from gudgeon.kernels.arrays import (
    CLEARANCE,
    DRIVE_OF,
    ECCENTRICITY,
    IMPACT_SPEED,
    LOAD_PROGRAM,
    PROGRAM_OF,
    RATE,
    RATE_OF,
    RESIDUAL,
    ROW,
)
from gudgeon.laws.base import ContactLaw, FilmLaw, FrictionLaw, Law
from gudgeon.laws.forms import law_form
from gudgeon.mechanics.absolute import Equations
from gudgeon.models.dry import Dry
from gudgeon.models.lubricated import Lubricated
from gudgeon.result import Result
from gudgeon.solvers.base import Trajectory

LOST_DRIVE = 1e-3  # distance of a driven coordinate from its value that is no rounding [m or rad]
NEAR = (*np.linspace(0.9, 1.1, 101), *np.logspace(-4, 2, 25))  # where a law is tried, of the last penetration
MOST_LOOKS = 1000  # samples at which that is checked


def raise_unless_complete(equations: Equations, trajectory: Trajectory, duration: float, result: Result) -> None:
    """Raise SimulationError or SimulationInterrupted if the run broke off."""
    if trajectory.end in ("done", "stopped"):
        _raise_if_a_drive_is_lost(equations, trajectory, result)
        return
    name, t = equations.system.name, trajectory.end_time
    if trajectory.end == "interrupted":
        raise SimulationInterrupted(
            f"System {name!r}: interrupted at t = {t:.6g} of {duration:g} s; error.result holds what was computed",
            result=result,
        )
    owner, why = _real_joint(equations, trajectory) if trajectory.culprit else _culprit(equations, trajectory)
    raise SimulationError(
        f"System {name!r}: {trajectory.end} at t = {t:.9g} s, step {trajectory.step:.3g} s; {why}"
        + (f" [{trajectory.message}]" if trajectory.message else "")
        + "; error.result holds everything up to then",
        time=t,
        step=trajectory.step,
        owner=owner,
        result=result,
    )


def _raise_if_a_drive_is_lost(equations: Equations, trajectory: Trajectory, result: Result) -> None:
    """No finite force follows a drive whose value or rate jumps; feedback then lags behind for a while."""
    from gudgeon.kernels.rows import rows_at

    drives = [line for line in equations.model.block if line[DRIVE_OF] >= 0]
    if not drives:
        return
    rows = np.array([line[ROW] for line in drives])
    for s in range(0, len(trajectory.times), 1 + len(trajectory.times) // MOST_LOOKS):
        rows_at(equations.model, equations.work, trajectory.times[s], trajectory.states[s])
        gap = np.abs(equations.work.row[rows, RESIDUAL])
        if gap.max() > LOST_DRIVE:
            name = equations.row_owner[rows[int(np.argmax(gap))]]
            raise SimulationError(
                f"Drive {name!r}: at t = {trajectory.times[s]:.6g} s the joint is {gap.max():.3g} (m or rad) away from "
                "its prescribed value; a value or rate that jumps cannot be followed: make it smooth (and check rate= "
                "and acceleration= of a Python function), or use stabilization=gd.Projection(); "
                "error.result holds the run",
                time=float(trajectory.times[s]),
                owner=name,
                result=result,
            )


def _real_joint(equations: Equations, trajectory: Trajectory) -> tuple[str, str]:
    """A film that has closed, or a ball that has left its socket."""
    name = trajectory.culprit
    joint = equations.system.joints[name]
    model = joint.model
    if isinstance(model, Lubricated):
        return name, (
            f"the film of {joint.label(name)} is thinner than smallest_film = {model.smallest_film:g} m, where its law "
            "ends; give contact= (a law of gd.laws) to hand the load over, or a more viscous oil"
        )
    return name, (
        f"the ball of {joint.label(name)} has left its socket through the wall; its contact law is too soft for this "
        "load, or returns no force"
    )


def _law_without_value(equations: Equations) -> tuple[str, str] | None:
    """A law that gives no number near the motion last evaluated, and a sentence about it."""
    model, work, system = equations.model, equations.work, equations.system
    for k, name in enumerate(equations.compliant.names):
        joint = system.joints[name]
        real = joint.model
        if not isinstance(real, Dry | Lubricated):
            continue
        e, rate = work.local[k, ECCENTRICITY : ECCENTRICITY + 3], work.local[k, RATE_OF : RATE_OF + 3]
        length, speed = float(np.linalg.norm(e)), float(np.linalg.norm(rate))
        clearance = float(model.compliant_vector[k, CLEARANCE])
        impact = max(float(work.contact[k, IMPACT_SPEED]), real.smallest_impact_speed)
        delta = max(length - clearance, 1e-9 * clearance)
        speeds = [x * max(speed, 1e-6) for x in (-10.0, -1.0, -0.1, 0.0, 0.1, 1.0, 10.0)]
        trials: list[tuple[str, Any, type[Law], list[tuple[float, ...]]]] = [
            (
                "contact",
                real.contact,
                ContactLaw,
                [(delta * x, v, impact) for x in NEAR for v in speeds],
            ),
            ("friction", real.friction, FrictionLaw, [(abs(v), f) for v in speeds for f in (0.0, 1.0, 1e3)]),
        ]
        if isinstance(real, Lubricated):
            ratios = np.linspace(0.0, min(1.05 * length / clearance, 0.999999), 25)
            trials.append(("film", real.film_law, FilmLaw, [(x, v) for x in ratios for v in speeds]))
        for field, law, kind, arguments in trials:
            if law is None:
                continue
            form = law_form(f"{joint.label(name)}: {field}", law, kind)
            for numbers in arguments:
                value = form.try_(*numbers)
                if not np.isfinite(value):
                    shown = ", ".join(f"{x:.3g}" for x in numbers[: form.numbers])
                    return (
                        name,
                        f"the {field} law of {joint.label(name)} gives {value} at ({shown}); it must stay finite",
                    )
    return None


def _culprit(equations: Equations, trajectory: Trajectory) -> tuple[str, str]:
    """The load, drive or joint that owns the worst term where the run failed, and a sentence about it."""
    from gudgeon.kernels.absolute import right_hand_side
    from gudgeon.kernels.programs import function

    model, work, system = equations.model, equations.work, equations.system
    t, y = trajectory.end_time, trajectory.end_state
    ahead = trajectory.step if np.isfinite(trajectory.step) else 0.0
    instants = [t + ahead * x for x in (*np.linspace(0.0, 1.0, 101), 2.0, 10.0, 100.0)] + [np.nextafter(t, np.inf)]
    programs = [
        (type(load).__name__, name, model.load[k, LOAD_PROGRAM]) for k, (name, load) in enumerate(system.loads.items())
    ]
    drives = list(system.drives)
    programs += [("Drive", drives[line[DRIVE_OF]], line[PROGRAM_OF]) for line in model.block if line[DRIVE_OF] >= 0]
    for kind, name, first in programs:
        for instant in instants:
            values = [function(model, work, first + c, instant) for c in range(3)]
            if not np.all(np.isfinite(values)):
                return name, f"{kind} {name!r} gives {values} at t = {instant:.9g} s; it must stay finite"
        before, now = (max(abs(function(model, work, first + c, x)) for c in range(3)) for x in (0.5 * t, t + ahead))
        if now > 1e6 * before > 0.0:
            return name, f"{kind} {name!r} has grown to {now:.3g} at t = {t + ahead:.9g} s; it must stay bounded"
    right_hand_side(model, work, t, y, np.zeros_like(y))
    broken = _law_without_value(equations)
    if broken is not None:
        return broken
    if len(work.row):
        worst = np.abs(work.row[:, RESIDUAL]) + np.abs(work.row[:, RATE])
        row = int(np.argmax(np.where(np.isfinite(worst), worst, np.inf)))
        owner = equations.row_owner[row]
        return owner, (
            f"the worst constraint residual is {work.row[row, RESIDUAL]:.3g} (rate {work.row[row, RATE]:.3g}) at "
            f"{owner!r}; loosen rtol, or look for a position where the mechanism locks or a force that explodes"
        )
    n = len(system.bodies)
    owner = list(system.bodies)[int(np.argmax(np.abs(y[7 * n : 13 * n]))) // 6]
    return owner, f"body {owner!r} moves fastest; look for a force that explodes"
