"""What parameters do to a result: derivatives by differences, and tolerances one at a time.

Central differences with two steps, D(h) = (f(p+h) − f(p−h))/2h; the derivative is (4 D(h) − D(2h))/3, of order four in
h, and |D(h) − D(2h)|/3 tells how far to trust it (Richardson, 1911). All runs are one study, so they run in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import number, shown
from gudgeon.errors import ModelError
from gudgeon.parameter_path import located, value_at
from gudgeon.quantities import Time
from gudgeon.responses.series import positive
from gudgeon.sweeps.samples import Samples
from gudgeon.sweeps.sweep import sweep
from gudgeon.system import System

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

STEPS = (-2.0, -1.0, 1.0, 2.0)


@dataclass(frozen=True, eq=False)
class Sensitivities:
    """Derivatives of outputs by parameters."""

    parameters: tuple[str, ...]  # paths
    outputs: tuple[str, ...]
    at: np.ndarray  # values of the parameters
    value: np.ndarray  # of the outputs there
    derivative: np.ndarray  # (output, parameter)
    error: np.ndarray  # of the derivatives, estimated

    @property
    def elasticity(self) -> np.ndarray:
        """Percent of an output for a percent of a parameter [-]; NaN where an output is 0."""
        value = np.where(self.value == 0.0, np.nan, self.value)
        return self.derivative * self.at / value[:, None]

    def table(self) -> pd.DataFrame:
        """The elasticities: a row for every parameter, a column for every output."""
        import pandas as pd

        return pd.DataFrame(self.elasticity.T, index=list(self.parameters), columns=list(self.outputs))

    def plot(self) -> Figure:
        """Bars of the elasticities, for every output."""
        from gudgeon.view.responses import elasticities

        return elasticities(self.parameters, self.outputs, self.elasticity)


def sensitivities(
    system: System,
    parameters: Sequence[str],
    duration: Time,
    *,
    reduce: Callable[[Any], Mapping[str, Any]] | None = None,
    relative: float = 1e-3,
    executor: Any = None,
    store: str | Path | None = None,
    solver: Any = "auto",
    sample: Any = None,
    progress: Any = None,
) -> Sensitivities:
    """Derivatives of what `reduce` (by default the summary of `gd.sweep`) gives by parameters, in parallel.

    parameters   paths of numbers that are not zero: steps are `relative` of them
    the others   those of `gd.sweep`

    Where contact makes a run chaotic, single runs have no derivative: `.error` tells, by being as large as that.

    >>> gd.sensitivities(system, ["bodies.crank.mass"], 2.0).table()  # doctest: +SKIP
    """
    positive("sensitivities", "relative", relative)
    at = np.array([_value(system, path) for path in parameters])
    if np.any(at == 0.0):
        zero = parameters[int(np.argmin(np.abs(at)))]
        raise ModelError(f"sensitivities: {zero} is 0, of which {relative:g} is no step; change it to a small number")
    columns: dict[str, list[float]] = {path: [at[p]] for p, path in enumerate(parameters)}
    for p in range(len(parameters)):
        for step in STEPS:
            for q, path in enumerate(parameters):
                columns[path].append(at[q] * (1.0 + step * relative * (q == p)))
    data = sweep(
        system,
        Samples(columns),
        duration,
        reduce=reduce,
        executor=executor,
        store=store,
        solver=solver,
        sample=sample,
        progress=progress,
    )
    _refuse_failures("sensitivities", data)
    names = _scalars(data)
    values = np.array([data[name].values for name in names], dtype=float)
    runs = values[:, 1:].reshape(len(names), len(parameters), 4)
    h = relative * at
    near, far = (runs[:, :, 2] - runs[:, :, 1]) / (2.0 * h), (runs[:, :, 3] - runs[:, :, 0]) / (4.0 * h)
    return Sensitivities(
        tuple(parameters), tuple(names), at, values[:, 0], (4.0 * near - far) / 3.0, np.abs(near - far) / 3.0
    )


@dataclass(frozen=True, eq=False)
class Tornado:
    """What tolerances do to one output, the largest first."""

    parameters: tuple[str, ...]
    low: np.ndarray  # the output with the parameter at its lower limit
    high: np.ndarray  # at its upper limit
    limits: np.ndarray  # (parameter, 2)
    nominal: float
    label: str

    def plot(self) -> Figure:
        """Bars from the lower to the upper limit of every parameter."""
        from gudgeon.view.responses import tornado as draw

        return draw(self.parameters, self.low, self.high, self.limits, self.nominal, self.label)


def tornado(
    system: System,
    tolerances: Mapping[str, tuple[float, float]],
    duration: Time,
    output: str,
    *,
    reduce: Callable[[Any], Mapping[str, Any]] | None = None,
    executor: Any = None,
    store: str | Path | None = None,
    solver: Any = "auto",
    sample: Any = None,
    progress: Any = None,
) -> Tornado:
    """How far tolerances move an output: each parameter at its lower and its upper limit, the others nominal.

    >>> gd.tornado(system, {"bodies.crank.mass": (0.9, 1.1)}, 2.0, "peak_force").plot()  # doctest: +SKIP
    """
    if not isinstance(tolerances, Mapping) or not tolerances:
        raise ModelError(f"tornado: tolerances are {shown(tolerances)}; give {{'bodies.crank.mass': (0.9, 1.1)}}")
    for path, limits in tolerances.items():
        if isinstance(limits, str) or not isinstance(limits, Sequence | np.ndarray) or len(limits) != 2:
            raise ModelError(f"tornado: {path} is {shown(limits)}; give its lower and its upper limit: (0.9, 1.1)")
    paths = list(tolerances)
    nominal = [_value(system, path) for path in paths]
    columns: dict[str, list[float]] = {path: [nominal[p]] for p, path in enumerate(paths)}
    for p, limits in enumerate(tolerances.values()):
        for limit in limits:
            for q, path in enumerate(paths):
                columns[path].append(number("tornado", path, limit) if q == p else nominal[q])
    data = sweep(
        system,
        Samples(columns),
        duration,
        reduce=reduce,
        executor=executor,
        store=store,
        solver=solver,
        sample=sample,
        progress=progress,
    )
    _refuse_failures("tornado", data)
    names = _scalars(data)
    if output not in names:
        raise ModelError(f"tornado: no output {output!r}; known are {', '.join(names)}")
    values = data[output].values.astype(float)
    low, high = values[1::2], values[2::2]
    order = np.argsort(-np.maximum(np.abs(low - values[0]), np.abs(high - values[0])), kind="stable")
    limits = np.array([tolerances[path] for path in paths], dtype=float)
    label = f"{output} [{data[output].attrs.get('units', '1')}]"
    return Tornado(tuple(paths[k] for k in order), low[order], high[order], limits[order], float(values[0]), label)


def _value(system: System, path: str) -> float:
    value = value_at(system, located("sensitivities", system, path))
    return number("sensitivities", path, value)


def _scalars(data: Any) -> list[str]:
    return [
        str(n)
        for n in data.data_vars
        if data[n].dims == ("run",) and n not in ("status", "error", "warning", "seconds")
    ]


def _refuse_failures(owner: str, data: Any) -> None:
    failed = np.flatnonzero(data.status.values == 2)
    if len(failed):
        raise ModelError(f"{owner}: {len(failed)} of {data.sizes['run']} runs failed: {data.error.values[failed[0]]}")
