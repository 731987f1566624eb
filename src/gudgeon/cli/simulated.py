"""What `run` and `compare` share: a model file simulated, and what a run came to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gudgeon.errors import ModelError

if TYPE_CHECKING:
    from gudgeon.files.model_file import ModelFile
    from gudgeon.results.result import Result


def read(file: Path, changes: list[str] | None, duration: str | None = None) -> ModelFile:
    """A model file with the changes that the command line asks for."""
    from gudgeon.files.model_file import read_model

    return read_model(file, [*(changes or []), *([] if duration is None else [f"run.duration={duration}"])])


def require_duration(model: ModelFile, file: Path) -> float:
    """How long the run of a model file is [s]."""
    if "duration" not in model.run:
        raise ModelError(f"run: how long? add run: {{duration: 2 s}} to {file.name}, or give --duration")
    return float(model.run["duration"])


def simulated(model: ModelFile, file: Path, **options: Any) -> Result:
    """The run of a model file; `options` replace arguments of gd.simulate."""
    from gudgeon.analysis.simulate import simulate

    require_duration(model, file)
    return simulate(**{"system": model.system, **model.run, **options})


def summary(result: Result) -> dict[str, Any]:
    """What a run came to, in numbers."""
    data, events = result.data, result.events
    lost = float(data.dissipated_energy[-1].sum()) if "dissipated_energy" in data and data.sizes["time"] else 0.0
    peaks = events.peak_force.dropna()  # hard contacts have none
    return {
        "end": result.stats["end"],
        "end_time": result.stats["end_time"],
        "solver": result.stats["solver"],
        "steps": result.stats["steps"] or 0,
        "samples": data.sizes["time"],
        "contacts": len(events),
        "peak_force": float(peaks.max()) if len(peaks) else None if len(events) else 0.0,
        "energy_lost": lost,
        "seconds": result.stats["seconds_computing"],
    }
