"""Commands about results: export, view, report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.cli.options import Json, Open, Quiet, Run
from gudgeon.cli.outcome import Told, told
from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from gudgeon.results.result import Result


def export(
    file: Run,
    csv: Annotated[bool, typer.Option("--csv", help="Comma-separated values.")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="Apache Parquet; needs pyarrow.")] = False,
    mat: Annotated[bool, typer.Option("--mat", help="A MAT-file for MATLAB and Octave.")] = False,
    out_: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; else RUN with its ending.")
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a result in another format: --csv, --parquet or --mat."""
    with told(as_json=json_, quiet=quiet) as out:
        asked = [name for name, wanted in (("csv", csv), ("parquet", parquet), ("mat", mat)) if wanted]
        if len(asked) != 1:
            raise ModelError("export: give one of --csv, --parquet and --mat")
        target = out_ or file.with_suffix(f".{asked[0]}")
        with _loaded([file]) as (result,):
            if csv:
                result.to_csv(target)
            elif mat:
                result.to_mat(target)
            else:
                _write_parquet(result, target)
            rows, columns = result.data.sizes["time"], "" if mat else f", {len(result.table().columns)} columns"
        out.say(f"{target} written: {rows} samples{columns}", file=str(target), samples=rows)


def view(
    files: Annotated[list[Path], typer.Argument(metavar="RUN.nc...", help="Results; several are shown together.")],
    out_: Annotated[Path | None, typer.Option("--out", "-o", help="The page to write; else RUN.html.")] = None,
    samples: Annotated[int | None, typer.Option(help="Samples kept of a motion; else what a screen can show.")] = None,
    open_: Open = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write one HTML file that shows results moving, with plots; it needs a browser and nothing else."""
    with told(as_json=json_, quiet=quiet) as out:
        from gudgeon.view.page.page import write_view

        names = [file.stem if [f.stem for f in files].count(file.stem) == 1 else str(file) for file in files]
        if len(set(names)) < len(names):
            raise ModelError("view: the same file is given twice; give each once")
        with _loaded(files) as results:
            runs = dict(zip(names, results, strict=True))
            page = write_view(runs, out_ or files[0].with_suffix(".html"), samples=samples)
        _written(out, page, open_)


def report(
    file: Run,
    out_: Annotated[Path | None, typer.Option("--out", "-o", help="The page to write; else RUN-report.html.")] = None,
    open_: Open = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write one HTML page about a result, to read and to print: mechanism, picture, plots, contacts, energy, solver."""
    with told(as_json=json_, quiet=quiet) as out:
        with _loaded([file]) as (result,):
            page = result.report(out_ or file.with_name(f"{file.stem}-report.html"))
        _written(out, page, open_)


@contextmanager
def _loaded(files: list[Path]) -> Iterator[list[Result]]:
    """Results of files; whatever they lead to is a mistake of theirs: they may come from anywhere."""
    from gudgeon.results.load import load

    results = [load(file) for file in files]
    try:
        yield results
    except (ModelError, OSError):
        raise
    except Exception as error:
        names = " or ".join(str(file) for file in files)
        raise ModelError(f"{names} is not a result as gudgeon writes it ({type(error).__name__}: {error})") from error


def _written(out: Told, page: Path, open_: bool) -> None:
    """Say where the page is and how to see it, or show it."""
    size = page.stat().st_size / 1e6
    out.say(file=str(page), megabytes=round(size, 3))
    if open_:
        import webbrowser

        shown = webbrowser.open(page.resolve().as_uri())
        out.say(f"{page} written, {size:.1f} MB{'' if shown else '; no browser was found, open it yourself'}")
    else:
        out.say(f"{page} written, {size:.1f} MB. Open it in a browser: {page.resolve().as_uri()}")


def _write_parquet(result: Result, target: Path) -> None:
    from io import BytesIO

    from gudgeon.files.disk import write_file

    content = BytesIO()
    try:
        result.table().to_parquet(content)
    except ImportError:
        raise ModelError("export: --parquet needs pyarrow: pip install pyarrow, or take --csv") from None
    write_file("export", target, content.getvalue())
