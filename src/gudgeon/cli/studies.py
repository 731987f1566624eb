"""Commands about studies: sweep, status."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gudgeon.cli.options import Json, Quiet
from gudgeon.cli.outcome import Told, told
from gudgeon.errors import ModelError, SimulationError


def sweep(
    file: Annotated[Path, typer.Argument(metavar="STUDY.yaml", help="A study file: model, parameters, run.")],
    workers: Annotated[int | None, typer.Option(help="Local processes; by default one for every core.")] = None,
    dask: Annotated[str | None, typer.Option(help="A Dask scheduler instead: tcp://host:8786")] = None,
    store: Annotated[
        Path | None, typer.Option(help="Where the runs go; else what the file says, or FILE.zarr.")
    ] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Run again what failed.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a study, or go on with it: every run that its store does not have yet."""
    with told(as_json=json_, quiet=quiet) as out:
        if workers is not None and dask is not None:
            raise ModelError("sweep: give --workers or --dask, not both")
        from gudgeon.sweeps.described_study import study_of
        from gudgeon.sweeps.study_file import read_study
        from gudgeon.sweeps.sweep import run_study

        study, target = read_study(file), store
        run = dict(study.run)
        described = partial(study_of, study.system, study.parameters, run.pop("duration"), outputs=study.outputs, **run)
        target = target or study.store
        executor = workers if dask is None else _client(dask)
        try:
            data = run_study(described, executor, target, retry_failed=retry_failed, progress=out.progress)
        except RuntimeError as error:
            raise ModelError(str(error)) from None
        finally:
            if dask is not None:
                executor.close()  # type: ignore[union-attr]
        _tell(out, data, target)


def status(
    store: Annotated[Path, typer.Argument(metavar="STUDY.zarr", help="The store of a study, running or not.")],
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say how far a study is, and why runs of it failed."""
    with told(as_json=json_, quiet=quiet) as out:
        from gudgeon.sweeps.open_study import open_study

        _tell(out, open_study(store), store)


def _client(address: str):
    try:
        from distributed import Client
    except ImportError:
        raise ModelError("sweep: --dask needs Dask: pip install gudgeon[cluster]") from None
    try:
        return Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise ModelError(f"sweep: no Dask scheduler answers at {address} ({error})") from None


def _tell(out: Told, data, store: Path) -> None:
    from gudgeon.sweeps.open_study import study_status

    found = study_status(data)
    sizes = " × ".join(f"{name} ({data.sizes[name]})" for name in data.status.dims)
    out.say(
        f"{store}: {found.done} of {found.count} runs done, {found.failed} failed, {found.missing} missing; {sizes}",
        store=str(store),
        runs=found.count,
        done=found.done,
        failed=found.failed,
        missing=found.missing,
        dimensions={str(name): data.sizes[name] for name in data.status.dims},
        seconds=found.seconds,
        failures=found.errors,
    )
    names = [str(name) for name in data.data_vars if name not in ("status", "error", "warning", "seconds")]
    out.say(f"  {found.seconds:.3g} s of computing; variables: {', '.join(names) or 'none yet'}")
    for each in found.errors:
        parameters = ", ".join(f"{name} {value}" for name, value in each.items() if name != "error")
        out.say(f"  failed: {parameters}: {each['error']}")
    if found.count == found.failed:
        raise SimulationError(f"{store}: {found.all_failed()}")
    if found.failed:
        out.complain(f"{store}: {found.failed} of {found.count} runs failed; gudgeon status {store} says why")
