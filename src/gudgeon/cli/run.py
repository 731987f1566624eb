"""`gudgeon run`: simulate a model file, keep the run while it lasts, go on with one that was cut."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.cli.options import Duration, Json, Model, Quiet, Set
from gudgeon.cli.outcome import Told, told
from gudgeon.cli.simulated import read, require_duration, simulated, summary
from gudgeon.errors import FileError, ModelError, NotWritten, SimulationError, SimulationInterrupted

if TYPE_CHECKING:
    from gudgeon.analysis.checkpoint import Checkpoint
    from gudgeon.files.model_file import ModelFile
    from gudgeon.results.result import Result
    from gudgeon.state import State


def run(
    file: Model,
    out_: Annotated[Path | None, typer.Option("--out", "-o", help="Where the result goes; else FILE.nc.")] = None,
    set_: Set = None,
    duration: Duration = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Keep the run on the disk every so often, such as 10s or '5 min' of computing, in OUT.checkpoint.",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run that OUT.checkpoint keeps, to the last bit.")
    ] = False,
    start: Annotated[
        Path | None, typer.Option(metavar="RUN.nc", help="Begin where this saved run ends, at its time.")
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Simulate a mechanism and write the result, also of a run that fails or is interrupted by Ctrl-C."""
    with told(as_json=json_, quiet=quiet) as out:
        model = read(file, set_, duration)
        target = out_ or file.with_suffix(".nc")
        require_duration(model, file)
        begin = None if start is None else _state(out, model, start)
        from gudgeon.files.disk import require_place

        require_place("run", target)
        kept = _checkpoint(out, target, checkpoint, resume)
        if resume and kept is not None and kept.time is None and _is_complete(target, model, begin):
            out.say(f"{target} has this run already, to its end; to run it anew leave out --resume", file=str(target))
            return
        try:
            result = simulated(model, file, start=begin, checkpoint=kept, progress=out.progress)
        except SimulationInterrupted as stop:
            _keep(out, stop.result, target, kept)
            if kept is not None and kept.time is not None:
                out.say(f"Go on: the same command with --resume (it is kept in {kept.path})", checkpoint=str(kept.path))
            raise
        except SimulationError as stop:
            _keep(out, stop.result, target, kept)
            if kept is not None:
                kept.remove()
            raise
        _save(result, target, kept)
        if kept is not None:
            kept.remove()
        _tell(out, result)
        out.say(f"{target} written. Watch it: gudgeon view {target} --open", file=str(target))


def _state(out: Told, model: ModelFile, path: Path) -> State:
    """Where a saved run ended."""
    from gudgeon.results.load import load

    before = load(path)
    if before.system != model.system:
        out.warn(f"{path} is of another mechanism: its positions and velocities go on, not to the last bit")
    return before.state()


def _checkpoint(out: Told, target: Path, every: str | None, resume: bool) -> Checkpoint | None:
    """Where the run is kept while it lasts, if that is asked for; one that is there is not thrown away."""
    from gudgeon.analysis.checkpoint import Checkpoint, kept_in
    from gudgeon.files.quantity_text import in_si

    place = Path(f"{target}.checkpoint")
    found = kept_in(place)
    if found is not None and not resume:
        raise ModelError(
            f"run: {str(place)!r} keeps a run that was cut at t = {found.time:g} s; go on with it by --resume, or "
            "remove that folder"
        )
    if every is None and not resume:
        return None
    if found is not None:
        out.say(f"{place}: goes on at t = {found.time:g} s", resumed_at=found.time)
    elif resume:
        out.say(f"{place} keeps no run yet: it begins at the beginning")
    if every is None:
        return found or Checkpoint(place)
    try:
        seconds = float(every)
    except ValueError:
        try:
            seconds = in_si(every, "s")
        except ModelError as error:
            raise ModelError(f"run: --checkpoint {error}") from None
    return Checkpoint(place, every=seconds)


def _is_complete(target: Path, model: ModelFile, begin: State | None) -> bool:
    """Whether a file has the run that is asked for."""
    from gudgeon.results.load import load

    if not target.is_file():
        return False
    try:
        there = load(target)
    except FileError:
        return False
    end = (0.0 if begin is None else begin.time) + float(model.run["duration"])
    done = there.stats["end"] == "stopped" or (there.stats["end"] == "done" and there.stats["end_time"] == end)
    return done and there.system == model.system


def _save(result: Result, target: Path, kept: Checkpoint | None) -> None:
    """Write a result; hours of work are not lost where that cannot be done."""
    try:
        result.save(target)
    except NotWritten as error:
        if kept is not None:
            raise NotWritten(f"{error}. The run is kept in {kept.path}: then --resume", error.errno) from None
        handle = tempfile.mkdtemp(prefix="gudgeon-")
        spare = Path(handle) / target.name
        try:
            result.save(spare)
        except NotWritten:
            spare.parent.rmdir()
            raise error from None
        raise NotWritten(f"{error}. The result is in {spare} instead", error.errno) from None


def _keep(out: Told, result: Result | None, target: Path, kept: Checkpoint | None) -> None:
    """What was computed until a run failed or was interrupted."""
    if result is None:
        return
    try:
        _save(result, target, kept)
        out.say(f"until then: {target}", file=str(target), **summary(result))
    except NotWritten as error:
        out.warn(error)


def _tell(out: Told, result: Result) -> None:
    told_ = summary(result)
    out.say(
        f"{told_['end']} at t = {told_['end_time']:g} s: {told_['samples']} samples, {told_['steps']} steps with "
        f"{told_['solver']} in {told_['seconds']:.3g} s",
        **told_,
    )
    if told_["contacts"]:
        peak = "" if told_["peak_force"] is None else f", peak force {told_['peak_force']:.4g} N"
        out.say(f"{told_['contacts']} contacts{peak}")
    out.say(f"energy lost in joints: {told_['energy_lost']:.6g} J" if told_["energy_lost"] else "")
