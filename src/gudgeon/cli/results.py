"""Commands about results: export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gudgeon.cli.options import Quiet
from gudgeon.cli.outcome import told
from gudgeon.errors import ModelError


def export(
    file: Annotated[Path, typer.Argument(metavar="RUN.nc", help="A result, as gudgeon run writes it.")],
    csv: Annotated[bool, typer.Option("--csv", help="Comma-separated values.")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="Apache Parquet; needs pyarrow.")] = False,
    mat: Annotated[bool, typer.Option("--mat", help="A MAT-file for MATLAB and Octave.")] = False,
    out_: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; else RUN with its ending.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write a result in another format: --csv, --parquet or --mat."""
    with told(quiet=quiet) as out:
        asked = [name for name, wanted in (("csv", csv), ("parquet", parquet), ("mat", mat)) if wanted]
        if len(asked) != 1:
            raise ModelError("export: give one of --csv, --parquet and --mat")
        from gudgeon.results.result import load

        result, target = load(file), out_ or file.with_suffix(f".{asked[0]}")
        if csv:
            result.to_csv(target)
        elif mat:
            result.to_mat(target)
        else:
            _write_parquet(result, target)
        out.say(f"{target} written")


def _write_parquet(result, target: Path) -> None:
    from io import BytesIO

    from gudgeon.files.disk import write_file

    content = BytesIO()
    try:
        result.table().to_parquet(content)
    except ImportError:
        raise ModelError("export: --parquet needs pyarrow: pip install pyarrow, or take --csv") from None
    write_file("export", target, content.getvalue())
