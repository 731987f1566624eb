"""Spectra of what a run did, and how they change with a parameter.

The one-sided amplitude spectrum of N evenly spaced samples x_k with the window w_k:

    A_j = 2 |Σ w_k x_k e^(−2πi j k/N)| / Σ w_k        (A_0 without the factor 2)

so that a sine of amplitude a at a line of the spectrum is a line of height a (Harris, *On the use of windows for
harmonic analysis with the discrete Fourier transform*, 1978).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import choice
from gudgeon.errors import ModelError
from gudgeon.quantities import Time
from gudgeon.responses.series import even_step, series_of
from gudgeon.results.result import Result

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

WINDOWS = ("hann", "none")


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Amplitudes over frequency, of one series or of many along a parameter."""

    frequency: np.ndarray  # [Hz]
    amplitude: np.ndarray  # (…, frequency), in the unit of the series
    label: str  # of the series, with its unit
    parameter: np.ndarray | None = None  # of a waterfall
    parameter_label: str = ""

    def peaks(self, count: int = 5) -> list[tuple[float, float]]:
        """Frequency [Hz] and amplitude of the highest peaks, the mean left out."""
        if self.amplitude.ndim > 1:
            raise ModelError("peaks: this is a waterfall; take the spectrum of one run")
        a = self.amplitude
        inner = np.flatnonzero((a[1:-1] > a[:-2]) & (a[1:-1] >= a[2:])) + 1
        best = inner[np.argsort(a[inner])[::-1][:count]]
        return [(float(self.frequency[k]), float(a[k])) for k in best]

    def plot(self, highest: float | None = None) -> Figure:
        """The spectrum with its highest peaks, or the waterfall; up to the frequency `highest` [Hz]."""
        from gudgeon.view.responses import spectrum as draw
        from gudgeon.view.responses import waterfall as draw_many

        if self.parameter is not None:
            lines = self.frequency, self.amplitude, self.parameter
            return draw_many(*lines, (self.label, self.parameter_label), highest)
        return draw(self.frequency, self.amplitude, self.label, self.peaks(3), highest)


def spectrum(result: Result, output: str, *, begin: Time = 0.0, window: str = "hann") -> Spectrum:
    """The amplitude spectrum of an output ("rocker.position.x", "C.normal_force") of a run from the time `begin` on.

    >>> import gudgeon as gd
    >>> result = gd.simulate(gd.examples.spatial_four_bar(), 1.0, sample=1e-3)
    >>> len(gd.spectrum(result, "rocker.position.x").frequency)
    501
    """
    series = series_of("spectrum", result, output)
    return _spectrum("spectrum", series, output, begin, window)


def waterfall(data: xr.Dataset, output: str, parameter: str | None = None, *, begin: Time = 0.0, window: str = "hann"):
    """The spectra of an output over time of all runs of a study, along a parameter.

    >>> gd.waterfall(data, "rocker.velocity.x", "ball_radius").plot()  # doctest: +SKIP
    """
    series = series_of("waterfall", data, output)
    along = parameter or str(series.dims[0])
    if along not in series.coords or series.ndim != 2:
        raise ModelError(f"waterfall: {output!r} has the dimensions {series.dims}; give one of a single parameter")
    found: Any = _spectrum("waterfall", series, output, begin, window)
    label = f"{along} [{series.coords[along].attrs.get('units', '1')}]"
    return Spectrum(found.frequency, found.amplitude, found.label, series.coords[along].values, label)


def _spectrum(owner: str, series: xr.DataArray, name: str, begin: float, window: str) -> Spectrum:
    choice(owner, "window", window, WINDOWS)
    kept = series.isel(time=np.flatnonzero(series.time.values >= begin))
    step, values = even_step(owner, kept.time.values), kept.values
    count = values.shape[-1]
    weight = np.ones(count) if window == "none" else 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(count) / count)
    amplitude = 2.0 * np.abs(np.fft.rfft(values * weight, axis=-1)) / weight.sum()
    amplitude[..., 0] *= 0.5
    if count % 2 == 0:
        amplitude[..., -1] *= 0.5
    return Spectrum(np.fft.rfftfreq(count, step), amplitude, f"{name} [{series.attrs.get('units', '1')}]")
