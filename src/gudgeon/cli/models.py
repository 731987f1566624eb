"""Commands about model files: new, check, examples, schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gudgeon.cli.options import Json, Model, Quiet, Set
from gudgeon.cli.outcome import told
from gudgeon.cli.simulated import read
from gudgeon.errors import ModelError


def new(
    file: Annotated[Path, typer.Argument(help="The model file to write.")] = Path("pendulum.yaml"),
    force: Annotated[bool, typer.Option("--force", help="Replace a file of this name.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a commented model file to start from."""
    from gudgeon.files import disk, model_file

    with told(as_json=json_, quiet=quiet) as out:
        if file.suffix.lower() not in model_file.ENDINGS[:2]:
            raise ModelError(f"new: {file.name!r} would be a model file; give a name that ends in .yaml")
        if file.exists() and not force:
            raise ModelError(f"new: {str(file)!r} is there already; give another name, or --force")
        starter = Path(model_file.__file__).with_name("starter.yaml").read_text(encoding="utf-8")
        result = file.with_suffix(model_file.RESULT)
        disk.write_file("new", file, starter.replace("FILE", str(file)).replace("RESULT", result.name).encode())
        out.say(
            f"{file} written: a pendulum on a ball joint with play. Look at it, then: gudgeon check {file}",
            file=str(file),
        )


def check(file: Model, set_: Set = None, json_: Json = False, quiet: Quiet = False) -> None:
    """Read a model file and put the mechanism together: freedoms, redundancy, what had to move, topology."""
    with told(as_json=json_, quiet=quiet) as out:
        model = read(file, set_)
        from gudgeon.analysis.assemble import assemble

        assembly = assemble(model.system)
        out.say(f"{model.system!r}\n\n{assembly}\n")
        so_far = "" if "duration" in model.run else " --duration 2"
        out.say(
            f"{model.system.topology()}\n\n{file} can run: gudgeon run {file}{so_far}",
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


def examples(
    copy: Annotated[bool, typer.Option("--copy", help="Copy the files into this folder.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the model files that come with gudgeon, or copy them."""
    from gudgeon.files.disk import write_file

    with told(as_json=json_, quiet=quiet) as out:
        found = sorted((Path(__file__).parent.parent / "examples").glob("*.yaml"))
        titles = {path.name: path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ") for path in found}
        taken = [path.name for path in found if copy and Path(path.name).exists()]
        if taken:
            raise ModelError(f"examples: {taken[0]!r} is in this folder already; move it, or copy elsewhere")
        for path in found:
            out.say(f"{path.name:36} {titles[path.name]}")
            if copy:
                write_file("examples", Path(path.name), path.read_bytes())
        out.say(
            "copied; run one: gudgeon run spatial_four_bar.yaml" if copy else "gudgeon examples --copy copies them",
            examples=titles,
            copied=copy,
        )


def schema(
    out_: Annotated[Path | None, typer.Option("--out", "-o", help="A file for it; else it is printed.")] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the JSON Schema of model files, with which editors complete, check and explain them."""
    from gudgeon.files import disk
    from gudgeon.files import schema as files

    with told(as_json=json_ and out_ is not None, quiet=quiet) as out:  # what is printed is JSON in any case
        text = json.dumps(files.schema(), ensure_ascii=False, indent=2)
        if out_ is None:
            typer.echo(text)
        else:
            disk.write_file("schema", out_, text.encode())
            first = f"# yaml-language-server: $schema={out_}"
            out.say(f"{out_} written. First line of a model file: {first}", file=str(out_))
