"""The command line: `gudgeon demo`, `gudgeon compile`, `gudgeon version`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

main = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Multibody mechanisms whose joints are real.",
    rich_markup_mode=None,
)


@main.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the picture and the data.")] = Path("out"),
    duration: Annotated[float, typer.Option(help="Seconds to simulate.")] = 2.0,
) -> None:
    """Simulate the spatial four-bar with five models of its spherical joint, compare and draw them."""
    from gudgeon.demo import run

    run(out, duration)


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
