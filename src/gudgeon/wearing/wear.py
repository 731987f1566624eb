"""Wear over many cycles, fed back: what is worn away changes the gap, the gap the motion, the motion the wear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from gudgeon.checks import shown
from gudgeon.errors import ModelError, SimulationError, SimulationInterrupted, did_you_mean
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.models.worn_journal import FEWEST_ANGLES, MOST_ANGLES, WornJournal
from gudgeon.quantities import Time, Unit
from gudgeon.solvers.progress import Progress
from gudgeon.system import System
from gudgeon.wearing.cycles import Cycles, Rate, Wearing
from gudgeon.wearing.factors import factors_of, positive, whole
from gudgeon.wearing.journals import WearingJournal
from gudgeon.wearing.jumps import flow, next_factor
from gudgeon.wearing.record import Wear
from gudgeon.wearing.surfaces import WearingSurfaces
from gudgeon.wearing.writer import Writer

Coefficient = Annotated[float, Unit("1/Pa")]
FIRST = 0.05  # of the clearance, what the first jump wears away
INNER = 0.2  # of the error of a jump, what its steps under loads may have


class Jump(NamedTuple):
    """What a jump does."""

    depth: np.ndarray  # at its end, all coefficients [m]
    rubbed: np.ndarray  # k ∫∫ p |v_t| dA dt in it, surface by surface [m³]
    error: float  # as a part of what is allowed
    following: float  # cycles that the next one should have


def wear(
    system: System,
    cycle: Time,
    coefficients: Mapping[str, Coefficient | tuple[Coefficient, Coefficient]],
    *,
    cycles: float,
    settle: int = 1,
    average: int = 1,
    angles: int = 120,
    tolerance: float = 0.02,
    sample: Time | None = None,
    jump: float | None = None,
    most_runs: int = 1000,
    store: str | Path | None = None,
    solver: Any = "auto",
    coordinates: Any = "absolute",
    progress: bool | Callable[[float], None] | None = None,
) -> Wear:
    """Wear the joints of `system` for many cycles of `cycle` seconds, by Archard's law ẇ = k p |v_t|.

    coefficients  {joint: (k_bore, k_pin)} [1/Pa], or one for both: what is worn away per pressure and way. Wear
                  coefficients of handbooks over the hardness: 1e-16 (lubricated steel) to 1e-13 (dry, mild)
    cycles        how many
    settle        cycles that a run needs to forget its start, `average` those after it whose mean wear counts
    angles        coefficients around bore and pin, where the model does not have a profile yet
    tolerance     of worn depths, as a part of the largest (or, before anything is worn, of the elastic depth): of the
                  error of a jump
    sample        interval of samples [s]; None: as fine as the worn volume needs
    jump          a constant length of jumps in cycles, without error control
    most_runs     ends a study that needs more, with SimulationError
    store         file that keeps every jump; the same call goes on from there
    solver, coordinates, progress   those of `gd.simulate`

    The joints' models are `gd.WornJournal`s. The mechanism is run with what is worn so far; what it rubs away in a
    cycle is taken over many cycles, during which its loads stay while pressures follow the surfaces; then it is run
    again, and the jump repeated with loads between those of both runs (of order two). The volume worn away is what was
    rubbed: k ∫∫ p |v_t| dA dt. Ctrl-C raises SimulationInterrupted, a run that fails SimulationError; their `.result`
    is the Wear so far.

    Mukras, Kim, Mauntler, Schmitz, Sawyer: Analysis of planar multibody systems with revolute joint wear (2010), and
    Flores: Modeling and simulation of wear in revolute clearance joints in multibody systems (2009), are the like.

    >>> import gudgeon as gd
    >>> crank = gd.examples.slider_crank_clearance("dry", clearance=1e-4)
    >>> pin = gd.WornJournal.like(crank.joints["pin"].model, force=3000.0)
    >>> worn = gd.wear(crank.with_model(pin=pin), 0.012, {"pin": 1e-15}, cycles=1e6)  # doctest: +SKIP
    >>> worn.plot().savefig("wear.png")  # doctest: +SKIP
    """
    joints, factors = _wearing(system, coefficients, angles)
    period, goal = positive("wear", "cycle", cycle, "s"), positive("wear", "cycles", cycles, "cycles")
    runs = Cycles(
        system=system,
        joints=joints,
        coefficients=factors,
        cycle=period,
        settle=whole("wear", "settle", settle, 0),
        average=whole("wear", "average", average, 1),
        sample=None if sample is None else positive("wear", "sample", sample, "s"),
        tolerance=positive("wear", "tolerance", tolerance, ""),
        settings={"solver": solver, "coordinates": coordinates},
    )
    constant = None if jump is None else positive("wear", "jump", jump, "cycles")
    writer = Writer(runs, None if store is None else Path(store), constant)
    shown_ = Progress(f"wear of {system.name}", progress)
    try:
        _jumps(runs, goal, constant, whole("wear", "most_runs", most_runs, 3), writer, shown_)
    except KeyboardInterrupt as stop:
        message = f"wear: interrupted after {writer.cycle:.6g} of {goal:.6g} cycles; .result has these"
        raise SimulationInterrupted(message, result=writer.wear()) from stop
    except SimulationError as error:
        raise SimulationError(
            f"wear: after {writer.cycle:.6g} of {goal:.6g} cycles: {error}; .result is the wear until then",
            time=error.time,
            step=error.step,
            owner=error.owner,
            result=writer.wear(),  # type: ignore[arg-type]
        ) from error
    finally:
        shown_.close()
    return writer.wear()


def _jumps(runs: Cycles, goal: float, constant: float | None, most_runs: int, writer: Writer, shown_: Progress) -> None:
    """Jump until all cycles are done; the writer has every accepted one."""
    depth, here, length = writer.depth, writer.cycle, writer.next_jump
    rate = runs(depth)
    writer.add(here, depth, rate)
    while here < goal * (1.0 - 1e-12):
        if constant is not None:
            length = constant
        elif length is None:
            length = FIRST * runs.scale / rate.depth.max() if rate.depth.max() > 0.0 else goal
        length = min(length, goal - here)
        while True:
            if runs.runs + 2 > most_runs:
                raise SimulationError(f"{runs.runs} runs were not enough; give a larger most_runs= or tolerance=")
            jump = _jump(runs, depth, rate, length, writer.elastic)
            if jump.error <= 1.0 or constant is not None:
                break
            length = jump.following
            writer.rejected += 1
        depth, here, length = jump.depth, here + length, jump.following
        rate = runs(depth)
        writer.add(here, depth, rate, jump.rubbed, jump.error, length)
        shown_.update(min(1.0, here / goal))


def _jump(runs: Cycles, depth: np.ndarray, rate: Rate, length: float, elastic: float) -> Jump:
    """A jump: with the loads of its begin; a run there; with loads that go from those of the begin to those of the end.

    The difference of the two is its error.
    """

    def allowed(worn: np.ndarray) -> float:
        return runs.tolerance * max(float(worn.max()), elastic, FIRST * runs.scale)

    begin = {"length": length, "first": elastic / max(float(rate.depth.max()), 1e-300), "areas": runs.areas()}
    guess, _ = flow(
        lambda w, _: rate.under_loads(w), lambda w, _: rate.change(w), depth, allowed=INNER * allowed(depth), **begin
    )
    end = runs(guess)
    better, rubbed = flow(
        lambda w, s: (1.0 - s) * rate.under_loads(w) + s * end.under_loads(w),
        lambda w, s: (1.0 - s) * rate.change(w) + s * end.change(w),
        depth,
        allowed=INNER * allowed(guess),
        drift=lambda w: end.under_loads(w) - rate.under_loads(w),
        **begin,
    )
    error = float(np.abs(better - guess).max()) / allowed(better)
    return Jump(better, rubbed, error, length * next_factor(error))


def _wearing(system: System, coefficients: Any, angles: int) -> tuple[list[Wearing], dict[str, tuple[float, ...]]]:
    """The joints that wear, and the coefficients of their surfaces."""
    if not isinstance(system, System):
        raise ModelError(f"wear: {type(system).__name__} given; give a gd.System")
    if not isinstance(coefficients, Mapping) or not coefficients:
        raise ModelError(
            f"wear: coefficients is {shown(coefficients)}; give {{'pin': (k_bore, k_pin)}} in 1/Pa, by joint"
        )
    count = whole("wear", "angles", angles, FEWEST_ANGLES)
    if count > MOST_ANGLES:
        raise ModelError(f"wear: angles is {count}; give at most {MOST_ANGLES}")
    joints: list[Wearing] = []
    factors: dict[str, tuple[float, ...]] = {}
    for name, given in coefficients.items():
        if name not in system.joints:
            raise ModelError(f"wear: no joint {name!r}; {did_you_mean(name, list(system.joints))}")
        joint = system.joints[name]
        model: Any = joint.model
        if isinstance(model, SurfaceContact):
            joints.append(WearingSurfaces(name, model, system))
        elif isinstance(model, WornJournal):
            joints.append(WearingJournal(name, model, count))
        else:
            raise ModelError(
                f"wear: {joint.label(name)} has the model {type(model).__name__}; a gap that wear changes have "
                "gd.WornJournal (gd.WornJournal.like makes one of a gd.DryJournal) and gd.SurfaceContact; "
                "gd.wear_depth tells the wear of a run of other joints"
            )
        factors[name] = factors_of("wear", name, given, joints[-1].surfaces)
    return joints, factors
