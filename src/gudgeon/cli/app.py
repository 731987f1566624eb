"""What `gudgeon` can be asked on the command line."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gudgeon.cli.compare import compare
from gudgeon.cli.models import check, examples, new, schema
from gudgeon.cli.options import Json, Quiet
from gudgeon.cli.outcome import told
from gudgeon.cli.results import export, report, view
from gudgeon.cli.run import run
from gudgeon.cli.studies import status, sweep

DURATION = (
    "Seconds to simulate; by default 2, of a study 0.2. Sliders: by default 200, at least 96 (the slider-crank settles "
    "late)."
)

main = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Multibody mechanisms whose joints are real.",
    rich_markup_mode=None,
)


def print_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from gudgeon import __version__

        typer.echo(__version__)
        raise typer.Exit


@main.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Multibody mechanisms whose joints are real."""


for each in (new, check, run, compare, view, report, export, sweep, status, examples, schema):
    main.command()(each)


class Demo(StrEnum):
    """What `gudgeon demo` shows."""

    joint = "joint"
    slider = "slider"
    study = "study"


@main.command()
def demo(
    which: Annotated[
        Demo, typer.Argument(help="joint: spherical joints; slider: sliders in a guide; study: many runs.")
    ] = Demo.joint,
    out: Annotated[Path, typer.Option(help="Folder for the pictures and the data.")] = Path("out"),
    duration: Annotated[float | None, typer.Option(help=DURATION)] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a published study, compare its models of a joint and draw them.

    joint: the spatial four-bar with five models of its spherical joint. slider: a stick-slip oscillator and a
    slider-crank whose slider has play in its guide, as finite elements and as a rigid block. study: the dry four-bar
    over clearance and friction, on all cores, with its store and a map of the energy lost.
    """
    from gudgeon.studies import demo

    with told(as_json=json_, quiet=quiet) as told_:
        if which is Demo.slider:
            demo.run_sliders(out, 200.0 if duration is None else duration, told_.say)
        elif which is Demo.study:
            demo.run_many(out, 0.2 if duration is None else duration, told_.say)
        else:
            demo.run(out, 2.0 if duration is None else duration, told_.say)


@main.command(name="compile")
def compile_(json_: Json = False, quiet: Quiet = False) -> None:
    """Compile the kernels now, so that the first simulation starts at once."""
    with told(as_json=json_, quiet=quiet) as out:
        from gudgeon.compilation.compile import compile_everything

        seconds = compile_everything()
        out.say(f"kernels ready after {seconds:.1f} s", seconds=seconds)


@main.command()
def version(json_: Json = False, quiet: Quiet = False) -> None:
    """Print the version."""
    with told(as_json=json_, quiet=quiet) as out:
        from gudgeon import __version__

        out.say(__version__, version=__version__)
