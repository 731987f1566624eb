"""Commands about model files: new, check, run, compare, examples, schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gudgeon.cli.options import Duration, Json, Model, Quiet, Set
from gudgeon.cli.outcome import Told, told
from gudgeon.errors import ModelError, SimulationError, SimulationInterrupted, did_you_mean

if TYPE_CHECKING:
    from gudgeon.files.model_file import ModelFile
    from gudgeon.results.result import Result


def new(
    file: Annotated[Path, typer.Argument(help="The model file to write.")] = Path("pendulum.yaml"),
    force: Annotated[bool, typer.Option("--force", help="Replace a file of this name.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write a commented model file to start from."""
    from gudgeon.files import disk, model_file

    with told(quiet=quiet) as out:
        if file.exists() and not force:
            raise ModelError(f"new: {str(file)!r} is there already; give another name, or --force")
        starter = Path(model_file.__file__).with_name("starter.yaml").read_bytes()
        disk.write_file("new", file, starter.replace(b"FILE", str(file).encode()))
        out.say(f"{file} written. Look at it, then: gudgeon check {file}")


def check(file: Model, set_: Set = None, json_: Json = False) -> None:
    """Read a model file and put the mechanism together: freedoms, redundancy, what had to move, topology."""
    with told(as_json=json_) as out:
        model = _model(file, set_)
        from gudgeon.analysis.assemble import assemble

        assembly = assemble(model.system)
        out.say(f"{model.system!r}\n\n{assembly}\n")
        out.say(
            f"{model.system.topology()}\n\n{file} can run: gudgeon run {file}",
            name=model.system.name,
            bodies=list(model.system.bodies),
            joints=list(model.system.joints),
            degrees_of_freedom=assembly.degrees_of_freedom,
            constraint_rows=assembly.row_count,
            redundant_rows=assembly.redundant_rows,
            redundant_owners=list(assembly.redundant_owners),
            residual=assembly.residual,
            velocity_residual=assembly.velocity_residual,
        )


def run(
    file: Model,
    out_: Annotated[Path | None, typer.Option("--out", "-o", help="Where the result goes; else FILE.nc.")] = None,
    set_: Set = None,
    duration: Duration = None,
    resume: Annotated[Path | None, typer.Option(help="Go on from the end of this saved run.")] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Simulate a mechanism and write the result, also of a run that fails or is interrupted by Ctrl-C."""
    with told(as_json=json_, quiet=quiet) as out:
        model = _model(file, set_, duration)
        from gudgeon.results.result import load

        before = None if resume is None else load(resume)
        start = None if before is None else before.state()
        if before is not None and before.system != model.system:
            out.warn(f"{resume} is of another mechanism: its positions and velocities go on, not to the last bit")
        target = out_ or file.with_suffix(".nc")
        try:
            result = _simulated(model, file, quiet=quiet or json_, start=start)
        except (SimulationError, SimulationInterrupted) as stop:
            if stop.result is not None:
                stop.result.save(target)
                out.say(f"until then: {target}", file=str(target), **_summary(stop.result))
            raise
        result.save(target)
        _report(out, result)
        out.say(f"{target} written. Watch it: gudgeon view {target} --open", file=str(target))


def compare(
    file: Model,
    joint: Annotated[str, typer.Option(help="The joint whose model is changed.")],
    models: Annotated[str, typer.Option(help="Names under models:, or types without fields; by default all.")] = "",
    out_: Annotated[
        Path | None, typer.Option("--out", "-o", help="A folder for the results; else none is kept.")
    ] = None,
    set_: Set = None,
    duration: Duration = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Simulate a mechanism with several models of one joint and print what differs."""
    with told(as_json=json_, quiet=quiet) as out:
        model = _model(file, set_, duration)
        chosen = {name.strip(): None for name in models.split(",") if name.strip()} or dict.fromkeys(model.models)
        if not chosen:
            raise ModelError(f"compare: {file.name} names no models; add models: to it, each with its name")
        systems = {name: model.system.with_model(**{joint: _named_model(model, name)}) for name in chosen}
        if out_ is not None:
            from gudgeon.files.disk import make_folder

            make_folder("compare", out_)
        table: dict[str, Any] = {}
        out.say(f"{'model':14}{'steps':>8}{'contacts':>10}{'peak force [N]':>16}{'energy lost [J]':>17}{'cpu [s]':>9}")
        for name, system in systems.items():
            result = _simulated(model, file, quiet=quiet or json_, system=system)
            if out_ is not None:
                result.save(out_ / f"{name}.nc")
            row = table[name] = _summary(result)
            out.say(
                f"{name:14}{row['steps']:8}{row['contacts']:10}{row['peak_force']:16.6g}{row['energy_lost']:17.6g}"
                f"{result.stats['cpu_seconds_computing']:9.3g}",
                models=table,
            )
        out.say(f"results: {', '.join(str(out_ / f'{name}.nc') for name in systems)}" if out_ is not None else "")


def examples(
    copy: Annotated[bool, typer.Option("--copy", help="Copy the files into this folder.")] = False,
    quiet: Quiet = False,
) -> None:
    """List the model files that come with gudgeon, or copy them."""
    from gudgeon.files.disk import write_file

    with told(quiet=quiet) as out:
        found = sorted((Path(__file__).parent.parent / "examples").glob("*.yaml"))
        taken = [path.name for path in found if copy and Path(path.name).exists()]
        if taken:
            raise ModelError(f"examples: {taken[0]!r} is in this folder already; move it, or copy elsewhere")
        for path in found:
            first = path.read_text(encoding="utf-8").splitlines()[0]
            out.say(f"{path.name:36} {first.lstrip('# ')}")
            if copy:
                write_file("examples", Path(path.name), path.read_bytes())
        out.say("copied; run one: gudgeon run spatial_four_bar.yaml" if copy else "gudgeon examples --copy copies them")


def schema(
    out_: Annotated[Path | None, typer.Option("--out", "-o", help="A file for it; else it is printed.")] = None,
) -> None:
    """Print the JSON Schema of model files, with which editors complete, check and explain them."""
    from gudgeon.files import disk
    from gudgeon.files import schema as files

    with told() as out:
        text = json.dumps(files.schema(), ensure_ascii=False, indent=2)
        if out_ is None:
            typer.echo(text)
        else:
            disk.write_file("schema", out_, text.encode())
            out.say(f"{out_} written. First line of a model file: # yaml-language-server: $schema={out_}")


def _model(file: Path, changes: list[str] | None, duration: str | None = None) -> ModelFile:
    from gudgeon.files.model_file import read_model

    return read_model(file, [*(changes or []), *([] if duration is None else [f"run.duration={duration}"])])


def _named_model(model: ModelFile, name: str) -> Any:
    """A model of the file, or a type that needs no fields."""
    from gudgeon.models.ideal import Ideal

    if name in model.models:
        return model.models[name]
    if name.lower() == "ideal":
        return Ideal()
    raise ModelError(f"compare: no model {name!r} under models:; {did_you_mean(name, ['ideal', *model.models])}")


def _simulated(model: ModelFile, file: Path, *, quiet: bool, system: Any = None, start: Any = None) -> Result:
    from gudgeon.analysis.simulate import simulate

    if "duration" not in model.run:
        raise ModelError(f"run: how long? add run: {{duration: 2 s}} to {file.name}, or give --duration")
    return simulate(system or model.system, **model.run, start=start, progress=False if quiet else None)


def _summary(result: Result) -> dict[str, Any]:
    """What a run came to, in numbers."""
    data, events = result.data, result.events
    lost = float(data.dissipated_energy[-1].sum()) if "dissipated_energy" in data and data.sizes["time"] else 0.0
    return {
        "end": result.stats["end"],
        "end_time": result.stats["end_time"],
        "solver": result.stats["solver"],
        "steps": result.stats["steps"] or 0,
        "samples": data.sizes["time"],
        "contacts": len(events),
        "peak_force": float(events.peak_force.max()) if len(events) else 0.0,
        "energy_lost": lost,
    }


def _report(out: Told, result: Result) -> None:
    told_ = _summary(result)
    out.say(
        f"{told_['end']} at t = {told_['end_time']:g} s: {told_['samples']} samples, {told_['steps']} steps with "
        f"{told_['solver']} in {result.stats['seconds_computing']:.3g} s",
        **told_,
    )
    if told_["contacts"]:
        out.say(f"{told_['contacts']} contacts, peak force {told_['peak_force']:.4g} N")
    out.say(f"energy lost in joints: {told_['energy_lost']:.6g} J" if told_["energy_lost"] else "")
