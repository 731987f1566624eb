"""The band of an ensemble: what can be said where single runs part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.responses.series import series_of

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Band:
    """Mean and quantiles over the members of an ensemble, over time."""

    time: np.ndarray  # [s]
    mean: np.ndarray
    deviation: np.ndarray  # standard
    quantiles: dict[float, np.ndarray]  # 0, 0.05, 0.25, 0.5, 0.75, 0.95, 1
    first: np.ndarray  # member 0
    label: str
    count: int  # members

    def parted(self, share: float = 0.1) -> float:
        """When the deviation first exceeds this share of the range of the mean [s]; NaN if it never does.

        >>> import numpy as np
        >>> t = np.linspace(0.0, 1.0, 101)
        >>> Band(t, np.sin(t), np.exp(10 * (t - 1)), {}, np.sin(t), "x", 8).parted()  # doctest: +ELLIPSIS
        0.76
        """
        beyond = np.flatnonzero(self.deviation > share * np.ptp(self.mean))
        return float(self.time[beyond[0]]) if len(beyond) else float("nan")

    def plot(self) -> Figure:
        """Quantiles as bands, the median, and member 0."""
        from gudgeon.view.responses import band

        return band(self.time, self.quantiles, self.first, self.label, self.count)


def ensemble_band(data: xr.Dataset, output: str) -> Band:
    """The band of an output over time of an ensemble, as `gd.sweep(gd.perturb(system), …)` gives it.

    Choose values of other parameters first: `gd.ensemble_band(data.sel(coefficient=0.1), "rocker.position.x")`. Members
    that failed are left out.

    >>> gd.ensemble_band(data, "rocker.position.x").plot()  # doctest: +SKIP
    """
    series = series_of("ensemble_band", data, output)
    if series.dims != ("member", "time"):
        raise ModelError(
            f"ensemble_band: {output!r} has the dimensions {series.dims}; it takes ('member', 'time'): choose values "
            "of the others with .sel(...)"
        )
    values = series.values[np.isfinite(series.values).any(axis=1)]
    if len(values) < 2:
        raise ModelError(f"ensemble_band: {len(values)} members are done; a band needs two or more")
    steps = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
    quantiles = dict(zip(steps, np.quantile(values, steps, axis=0), strict=True))
    label = f"{output} [{series.attrs.get('units', '1')}]"
    return Band(
        series.time.values, values.mean(axis=0), values.std(axis=0, ddof=1), quantiles, values[0], label, len(values)
    )
