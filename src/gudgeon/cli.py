"""The command line: `gudgeon demo`, `gudgeon demo slider`, `gudgeon compile`, `gudgeon version`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

main = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Multibody mechanisms whose joints are real.",
    rich_markup_mode=None,
)


class Demo(StrEnum):
    """What `gudgeon demo` shows."""

    joint = "joint"
    slider = "slider"


@main.command()
def demo(
    which: Annotated[Demo, typer.Argument(help="joint: spherical joints; slider: sliders in a guide.")] = Demo.joint,
    out: Annotated[Path, typer.Option(help="Folder for the pictures and the data.")] = Path("out"),
    duration: Annotated[float | None, typer.Option(help="Seconds to simulate; by default 2, sliders 200.")] = None,
) -> None:
    """Run a published study, compare its models of a joint and draw them.

    joint: the spatial four-bar with five models of its spherical joint. slider: a stick-slip oscillator and a
    slider-crank whose slider has play in its guide, as finite elements and as a rigid block.
    """
    from gudgeon.demo import run, run_sliders

    if which is Demo.slider:
        run_sliders(out, 200.0 if duration is None else duration)
    else:
        run(out, 2.0 if duration is None else duration)


@main.command(name="compile")
def compile_() -> None:
    """Compile the kernels now, so that the first simulation starts at once."""
    from gudgeon.compilation import VARIANTS, compile_kernels
    from gudgeon.compilation_groups import compile_groups

    seconds = sum(compile_kernels(variant) for variant in VARIANTS) + compile_groups()
    typer.echo(f"kernels ready after {seconds:.1f} s")


@main.command()
def version() -> None:
    """Print the version."""
    from gudgeon import __version__

    typer.echo(__version__)
