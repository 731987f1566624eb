"""One run of a study, as every worker does it: exactly what `gd.simulate` does with that mechanism."""

from __future__ import annotations

import pickle
import time
import warnings
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from gudgeon.solvers.state_key import key_of
from gudgeon.sweeps.outputs import UnknownOutput, kept_of
from gudgeon.sweeps.study import Study

DONE, FAILED = 1, 2  # of `status`; 0: not run yet
NUMBERS, WHOLE, TRUTH = "numbers", "whole", "truth"  # an attribute of arrays in a store, and its values
KINDS = {"i": {NUMBERS: WHOLE}, "b": {NUMBERS: TRUTH}}
LONGEST_ERROR = 2000  # letters
WARM_UP = 1e-6  # of the duration: a run that only reads kernels [-]


@dataclass(frozen=True)
class Job:
    """A study on its way to a worker: its bytes, which a process reads once."""

    key: str
    content: bytes

    @classmethod
    def of(cls, study: Study) -> Job:
        """Pack a study, functions of a script or a notebook included."""
        import cloudpickle

        content = cloudpickle.dumps(study)
        return cls(key_of(content), content)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a run."""

    run: int
    status: int
    error: str = ""
    warning: str = ""
    seconds: float = 0.0  # of the worker
    variables: dict[str, np.ndarray] = field(default_factory=dict)
    layout: dict[str, Any] | None = None  # of the variables; None: that of the key
    layout_key: str = ""
    fatal: bool = False  # no run of this study can succeed


@lru_cache(maxsize=4)
def _study(job: Job) -> Study:
    return pickle.loads(job.content)


_key = lru_cache(maxsize=64)(key_of)


def run_member(job: Job, run: int, layout_key: str = "") -> Outcome:
    """Run one member of a study; nothing is raised: what goes wrong is in the outcome."""
    from gudgeon.analysis.simulate import simulate

    try:
        study = _study(job)
    except Exception as error:
        said = f"sweep: a worker cannot read the study: {type(error).__name__}: {error}; install there what is missing"
        return Outcome(run=run, status=FAILED, error=said, fatal=True)
    began = time.perf_counter()
    doing = ""
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always", UserWarning)
        try:
            result = simulate(study.system_of(run), study.duration, progress=False, **study.settings)
            doing = "reduce: "
            variables, coordinates = kept_of(study, result)
        except UnknownOutput as error:
            return Outcome(run=run, status=FAILED, error=str(error), fatal=True)
        except Exception as error:
            known = type(error).__module__.startswith("gudgeon.")
            text = str(error).partition("; error.result")[0] if known and not doing else f"{error}"
            said = f"{doing}{type(error).__name__}: {text}"[:LONGEST_ERROR]
            return Outcome(run=run, status=FAILED, error=said, seconds=time.perf_counter() - began)
    shapes = tuple(
        (name, kept.dims, kept.values.shape, kept.values.dtype.kind == "b", kept.attrs.get("units", ""))
        for name, kept in variables.items()
    )
    labels = {name: (kept.values, kept.attrs.get("units", "")) for name, kept in coordinates.items()}
    key = key_of(shapes, labels) if labels else _key(shapes)
    return Outcome(
        run=run,
        status=DONE,
        warning="; ".join(dict.fromkeys(str(note.message) for note in noted))[:LONGEST_ERROR],
        seconds=time.perf_counter() - began,
        variables={name: kept.values for name, kept in variables.items()},
        layout=None if key == layout_key else layout_of(variables, coordinates),
        layout_key=key,
    )


def layout_of(variables: dict[str, Any], coordinates: dict[str, Any]) -> dict[str, Any]:
    """Names, dimensions and units of what a run gave, with the coordinates' values.

    All numbers are kept as floats, which have a NaN for runs that fail; `NUMBERS` says what they were.
    """
    return {
        "variables": {
            name: {"dims": list(kept.dims), "shape": list(kept.values.shape), "dtype": "<f8"}
            | {"attrs": kept.attrs | KINDS.get(kept.values.dtype.kind, {})}
            for name, kept in variables.items()
        },
        "coordinates": {
            name: {"dims": list(kept.dims), "values": kept.values.tolist(), "attrs": kept.attrs}
            for name, kept in coordinates.items()
        },
    }


def warm_up(job: Job) -> None:
    """Read what runs of a job need: all kernels that a short run with two samples uses."""
    from gudgeon.analysis.simulate import simulate

    study = _study(job)
    settings = {**study.settings, "sample": WARM_UP * study.duration, "crossings": None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = simulate(study.system_of(0), WARM_UP * study.duration, progress=False, **settings)
        if study.outputs or "data" in getattr(getattr(study.reduce, "__code__", None), "co_names", ()):
            _ = result.data
