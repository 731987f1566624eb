"""The study that the arguments of `gd.sweep` describe, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import numpy as np

from gudgeon.checks import Named, number, shown
from gudgeon.crossings import Crossing
from gudgeon.errors import ModelError
from gudgeon.solvers.base import Solver
from gudgeon.solvers.formulation import Formulation, formulation_named
from gudgeon.solvers.sampling import sample_times
from gudgeon.solvers.stabilization import Stabilization, stabilization_named
from gudgeon.sweeps.design import design_of
from gudgeon.sweeps.outputs import summary
from gudgeon.sweeps.perturb import Ensemble
from gudgeon.sweeps.study import Study
from gudgeon.system import System


def study_of(
    system: Any,
    parameters: Any,
    duration: Any,
    *,
    outputs: Any = (),
    reduce: Callable[[Any], Mapping[str, Any]] | None = None,
    coordinates: Formulation | str = "absolute",
    solver: Solver | str = "auto",
    stabilization: Stabilization | str = "auto",
    sample: Any = None,
    crossings: Mapping[str, Crossing] | None = None,
) -> Study:
    """A Study, or a ModelError that says what is wrong with an argument."""
    ensemble = system if isinstance(system, Ensemble) else None
    described: Any = ensemble.system if ensemble is not None else system
    if not (isinstance(described, System) or callable(described)):
        raise ModelError(
            f"sweep: {shown(system)} given; give a gd.System, gd.perturb(system) or a function that returns a System"
        )
    length = number("sweep", "duration", duration)
    if length <= 0.0:
        raise ModelError(f"sweep: duration is {length:g} s; give a positive number of seconds")
    sample_times("sweep", sample, length)
    listed = isinstance(outputs, Iterable) and not isinstance(outputs, str | bytes)
    outputs = tuple(outputs) if listed else outputs
    if not listed or not all(isinstance(name, str) for name in outputs):
        raise ModelError(f"sweep: outputs is {shown(outputs)}; give a list of names")
    if reduce is not None and not callable(reduce):
        raise ModelError(f"sweep: reduce is {shown(reduce)}; give a function of a Result")
    if not isinstance(solver, Solver) and solver != "auto":
        raise ModelError(f"sweep: solver is {solver!r}; give 'auto' or a solver such as gd.Implicit(...)")
    return Study(
        system=cast(Any, described),
        design=design_of(cast(Any, described), parameters, 0 if ensemble is None else ensemble.count),
        duration=length,
        settings={
            "coordinates": formulation_named(coordinates),
            "solver": solver,
            "stabilization": stabilization_named(stabilization),
            "sample": sample if sample is None or np.ndim(sample) == 0 else np.array(sample, dtype=float),
            "crossings": dict(Named("sweep, crossings", crossings or {}, Crossing)) or None,
        },
        outputs=outputs,
        reduce=summary if reduce is None and not outputs else reduce,
        relative=0.0 if ensemble is None else ensemble.relative,
        seed=0 if ensemble is None else ensemble.seed,
    )
