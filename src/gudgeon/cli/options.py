"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Model = Annotated[Path, typer.Argument(metavar="FILE", help="A model file, YAML or JSON; gudgeon new makes one.")]
Run = Annotated[Path, typer.Argument(metavar="RUN.nc", help="A result, as gudgeon run writes it.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="ENTRY=VALUE", help="Change an entry: joints.C.model.friction.coefficient=0.2"),
]
Duration = Annotated[str | None, typer.Option(help="How long to simulate, such as 2 or '500 ms'; else run.duration.")]
Open = Annotated[bool, typer.Option("--open", help="Open it in the browser.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
