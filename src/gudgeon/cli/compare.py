"""`gudgeon compare`: one mechanism with several models of a joint."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gudgeon.cli.options import Duration, Json, Model, Quiet, Set
from gudgeon.cli.outcome import told
from gudgeon.cli.simulated import read, simulated, summary
from gudgeon.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    from gudgeon.files.model_file import ModelFile


def compare(
    file: Model,
    joint: Annotated[str, typer.Option(help="The joint whose model is changed; needed where there are several.")] = "",
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
        model = read(file, set_, duration)
        chosen = {name.strip(): None for name in models.split(",") if name.strip()} or dict.fromkeys(model.models)
        if not chosen:
            raise ModelError(f"compare: {file.name} names no models; add models: to it, each with its name")
        joint = joint or _only(model)
        systems = {name: model.system.with_model(**{joint: _named(model, name)}) for name in chosen}
        if out_ is not None:
            from gudgeon.files.disk import make_folder, require_place

            make_folder("compare", out_)
            require_place("compare", out_ / "run.nc")
        table: dict[str, Any] = {}
        out.say(f"{'model':14}{'steps':>8}{'contacts':>10}{'peak force [N]':>16}{'energy lost [J]':>17}{'cpu [s]':>9}")
        for name, system in systems.items():
            result = simulated(model, file, system=system, progress=out.progress)
            if out_ is not None:
                result.save(out_ / f"{name}.nc")
            row = table[name] = summary(result)
            peak = "hard" if row["peak_force"] is None else f"{row['peak_force']:.6g}"
            out.say(
                f"{name:14}{row['steps']:8}{row['contacts']:10}{peak:>16}{row['energy_lost']:17.6g}"
                f"{result.stats['cpu_seconds_computing']:9.3g}",
                models=table,
            )
        if out_ is not None:
            files = [str(out_ / f"{name}.nc") for name in systems]
            out.say(
                f"{', '.join(files)} written. Watch them together: gudgeon view {' '.join(files)} --open", files=files
            )
        else:
            out.say("To keep and watch them give a folder: -o runs")


def _only(model: ModelFile) -> str:
    """The joint that is meant where none is named: the only one."""
    joints = list(model.system.joints)
    if len(joints) == 1:
        return joints[0]
    known = ", ".join(joints[:20]) + (", …" if len(joints) > 20 else "")
    raise ModelError(f"compare: which joint? give --joint with one of: {known}" if joints else "compare: no joints")


def _named(model: ModelFile, name: str) -> Any:
    """A model of the file, or a type that needs no fields."""
    from gudgeon.models.ideal import Ideal

    if name in model.models:
        return model.models[name]
    if name.lower() == "ideal":
        return Ideal()
    raise ModelError(
        f"compare: no model {name!r} under models:; {did_you_mean(name, list(dict.fromkeys(['ideal', *model.models])))}"
    )
