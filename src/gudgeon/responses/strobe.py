"""Poincaré sections at the period of a drive, and bifurcation diagrams made of them.

A motion that is driven with the period T is looked at when t = (k + φ) T only: a periodic motion is one point, one of n
periods n points, a quasi-periodic one a closed curve, a chaotic one a set without end (Moon, *Chaotic Vibrations*). The
time is that of the drive, so that a run which goes on where another ended has the sections of the two as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import number, shown
from gudgeon.errors import ModelError
from gudgeon.quantities import Time
from gudgeon.responses.series import positive, series_of
from gudgeon.results.result import Result

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

ON_A_SAMPLE = 1e-9  # of the period: closer is no interpolation [-]
ROUNDING = 1e-14  # of a time: so far apart are two ways to compute it [-]


@dataclass(frozen=True, kw_only=True)
class Strobe:
    """Outputs once in every period; as `reduce=` of `gd.sweep` the workers send these points alone.

    The section is at the times (k + phase) T of the clock, also in a run that begins later; its points are numbered
    by k. Between samples values are those of a cubic spline; an interval sample=T/n puts samples on the section.

    >>> import gudgeon as gd
    >>> import numpy as np
    >>> strobe = gd.Strobe(period=0.02, outputs=("rocker.position.x",), skip=2)
    >>> points = strobe(gd.simulate(gd.examples.spatial_four_bar(), 0.1, sample=0.01))
    >>> points["rocker.position.x"].sizes["period"]
    4
    """

    period: Time  # T [s]
    outputs: tuple[str, ...]
    skip: int = 0  # points left out at the begin of the run, for the motion to settle
    phase: float = 0.0  # φ, of the period [-]

    def __post_init__(self):
        positive("Strobe", "period", self.period)
        if isinstance(self.outputs, str) or not self.outputs:
            raise ModelError(f"Strobe: outputs is {shown(self.outputs)}; give a tuple of names")
        object.__setattr__(self, "outputs", tuple(self.outputs))
        if isinstance(self.skip, bool) or not isinstance(self.skip, int) or self.skip < 0:
            raise ModelError(f"Strobe: skip is {self.skip!r}; give a whole number of periods")
        if not 0.0 <= number("Strobe", "phase", self.phase) < 1.0:
            raise ModelError(f"Strobe: phase is {self.phase:g}; give a part of the period, from 0 to below 1")

    def __call__(self, result: Result) -> dict[str, Any]:
        """The outputs of a result at the section, each over the dimension `period`."""
        import xarray as xr

        found = {}
        for name in self.outputs:
            series = series_of("Strobe", result, name)
            times, values = self.points(series.time.values, series.values)
            found[name] = xr.DataArray(
                values,
                dims="period",
                coords={"period": np.rint(times / self.period - self.phase).astype(int)},
                attrs=series.attrs,
            )
        return found

    def points(self, times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The times of the section and what the last axis of `values` is at them."""
        first, last = (times[k] / self.period - self.phase for k in (0, -1))  # in periods of the clock
        begin, end = int(np.ceil(first - ON_A_SAMPLE)), int(np.floor(last + ON_A_SAMPLE))
        at = (self.phase + np.arange(begin + self.skip, end + 1)) * self.period
        if not len(at):
            raise ModelError(
                f"Strobe: the run from {times[0]:g} to {times[-1]:g} s has {max(0, end + 1 - begin)} points of the "
                f"section, at multiples of {self.period:g} s, and {self.skip} are skipped; give a longer run or a "
                "smaller skip="
            )
        after = np.clip(np.searchsorted(times, at), 1, max(1, len(times) - 1))
        near = after - (np.abs(times[after - 1] - at) < np.abs(times[after % len(times)] - at))
        near = np.minimum(near, len(times) - 1)
        slack = ON_A_SAMPLE * self.period + ROUNDING * np.abs(at)
        if np.all(np.abs(times[near] - at) <= slack):
            return at, values[..., near]
        flat = values.reshape(-1, len(times))
        found = [_splined(times, line, at, slack) for line in flat]
        return at, np.array(found).reshape(*values.shape[:-1], len(at))


def _splined(times: np.ndarray, values: np.ndarray, at: np.ndarray, slack: np.ndarray) -> np.ndarray:
    """A cubic spline through the values that are there; nothing before the first and after the last of them."""
    from scipy.interpolate import CubicSpline

    good = np.flatnonzero(np.isfinite(values))
    out = np.full(len(at), np.nan)
    if len(good) < 2:
        return out
    known = times[good]
    inside = (at >= known[0] - slack) & (at <= known[-1] + slack)
    out[inside] = CubicSpline(known, values[good])(np.clip(at[inside], known[0], known[-1]))
    return out


@dataclass(frozen=True, eq=False)
class Section:
    """A Poincaré section: the points of two outputs."""

    x: np.ndarray
    y: np.ndarray
    times: np.ndarray  # [s]
    labels: tuple[str, str]

    def plot(self) -> Figure:
        """The points in the plane of the two outputs, coloured by time."""
        from gudgeon.view.responses import section

        return section(self.x, self.y, self.times, self.labels)


def poincare(result: Result, x: str, y: str, *, period: Time, skip: int = 0, phase: float = 0.0) -> Section:
    """The Poincaré section of a run at the period of its drive: outputs `x` and `y` at (k + phase) T.

    period   T [s], counted from t = 0 of the clock, also in a run that goes on from a later state
    skip     points left out at the begin of the run;  phase   of the period [-]

    >>> import gudgeon as gd
    >>> result = gd.simulate(gd.examples.spatial_four_bar(), 0.1, sample=0.01)
    >>> len(gd.poincare(result, "rocker.position.x", "rocker.velocity.x", period=0.02).x)
    6
    """
    strobe = Strobe(period=period, outputs=(x, y), skip=skip, phase=phase)
    one, two = (series_of("poincare", result, name) for name in (x, y))
    times, points = strobe.points(one.time.values, np.stack([one.values, two.values]))
    labels = tuple(f"{name} [{series.attrs.get('units', '1')}]" for name, series in ((x, one), (y, two)))
    return Section(points[0], points[1], times, (labels[0], labels[1]))


@dataclass(frozen=True, eq=False)
class Bifurcation:
    """Points of the section against a parameter."""

    parameter: np.ndarray
    points: np.ndarray  # (parameter, point); NaN where there is none
    labels: tuple[str, str]

    def counts(self, tolerance: float = 1e-3) -> np.ndarray:
        """How many different points there are at every parameter: for a motion that has settled and is periodic, its
        period in periods of the drive (`gd.kind_of_motion` tells whether it is); 0 where no run has any.

        Points closer than `tolerance` of the range of all points are the same one.
        """
        if not np.any(np.isfinite(self.points)):
            return np.zeros(len(self.points), dtype=int)
        least = tolerance * (np.nanmax(self.points) - np.nanmin(self.points))
        found = []
        for line in self.points:
            ordered = np.sort(line[np.isfinite(line)])
            found.append(0 if not len(ordered) else 1 + int(np.count_nonzero(np.diff(ordered) > least)))
        return np.array(found)

    def plot(self) -> Figure:
        """All points over the parameter."""
        from gudgeon.view.responses import bifurcation as draw

        return draw(self.parameter, self.points, self.labels)


def bifurcation(
    data: xr.Dataset, output: str, parameter: str | None = None, *, period: Time | None = None, skip: int = 0
) -> Bifurcation:
    """The bifurcation diagram of a study: points of the section of `output` against a parameter.

    `output` has either the dimension `period`, as `gd.Strobe` reduces it in the workers, or that of time; then `period`
    [s] is that of the drive. `skip` leaves out periods at the begin. Further dimensions (members) add their points.

    >>> diagram = gd.bifurcation(data, "rocker.position.x")  # doctest: +SKIP
    >>> diagram.plot().savefig("bifurcation.png")  # doctest: +SKIP
    """
    if output not in data:
        from gudgeon.errors import did_you_mean

        raise ModelError(f"bifurcation: no output {output!r}; {did_you_mean(output, map(str, data.data_vars))}")
    found = data[output]
    dims = [str(dim) for dim in data["status"].dims]
    along = parameter or dims[0]
    if along not in found.coords:
        raise ModelError(f"bifurcation: no parameter {along!r}; the study varies {', '.join(dims)}")
    axis = found.coords[along].dims[0]
    if "period" in found.dims:
        values = found.transpose(axis, ..., "period").values[..., skip:]
    elif period is not None and "time" in found.dims:
        strobe = Strobe(period=period, outputs=(output,), skip=skip)
        turned = found.transpose(axis, ..., "time")
        values = strobe.points(turned.time.values, turned.values)[1]
    else:
        raise ModelError(f"bifurcation: {output!r} has no section; keep gd.Strobe(...) of every run, or give period=")
    order = np.argsort(found.coords[along].values, kind="stable")
    labels = f"{along} [{data[along].attrs.get('units', '1')}]", f"{output} [{found.attrs.get('units', '1')}]"
    points = values.reshape(len(order), -1)[order]
    return Bifurcation(found.coords[along].values[order], points, labels)
