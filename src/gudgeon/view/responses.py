"""Pictures of long motions and of studies: sections, bifurcations, spectra, divergence, impacts, bands, losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DARK, LIGHT, WARM = "#08306b", "#6baed6", "#d94801"


def _figure(width: float = 7.0, height: float = 4.5) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def section(x: np.ndarray, y: np.ndarray, times: np.ndarray, labels: tuple[str, str]) -> Figure:
    """A Poincaré section, coloured by time."""
    figure = _figure(5.5, 4.5)
    axes = figure.subplots()
    points = axes.scatter(x, y, c=times, s=6.0, cmap="viridis", linewidths=0.0)
    figure.colorbar(points, label="time [s]")
    axes.set(xlabel=labels[0], ylabel=labels[1], title=f"{len(x)} points of the section")
    return figure


def bifurcation(parameter: np.ndarray, points: np.ndarray, labels: tuple[str, str]) -> Figure:
    """All points of the section over the parameter."""
    figure = _figure()
    axes = figure.subplots()
    size = float(np.clip(4e3 / max(1, points.size), 0.2, 6.0))
    axes.plot(np.repeat(parameter, points.shape[1]), points.ravel(), ".", color=DARK, markersize=2.0 * np.sqrt(size))
    axes.set(xlabel=labels[0], ylabel=labels[1])
    axes.margins(x=0.02)
    return figure


def spectrum(
    frequency: np.ndarray, amplitude: np.ndarray, label: str, peaks: list[tuple[float, float]], highest: float | None
) -> Figure:
    """Amplitudes over frequency, the highest peaks named."""
    figure = _figure()
    axes = figure.subplots()
    axes.semilogy(frequency, np.maximum(amplitude, 1e-300), color=DARK, linewidth=0.8)
    top = amplitude[1:].max(initial=1e-300)
    axes.set_ylim(1e-6 * top, 4.0 * top)
    axes.set_xlim(0.0, highest or frequency[-1])
    for place, height in peaks:
        if highest is None or place <= highest:
            axes.annotate(f"{place:.4g} Hz", (place, height), ha="left", va="bottom", fontsize="small", color=WARM)
    axes.set(xlabel="frequency [Hz]", ylabel=f"amplitude of {label}")
    axes.grid(alpha=0.3)
    return figure


def waterfall(
    frequency: np.ndarray, amplitude: np.ndarray, parameter: np.ndarray, labels: tuple[str, str], highest: float | None
) -> Figure:
    """Amplitudes over frequency and a parameter."""
    figure = _figure()
    axes = figure.subplots()
    shown = frequency <= (highest or frequency[-1])
    decibel = 20.0 * np.log10(np.maximum(amplitude[:, shown], 1e-300) / amplitude[:, 1:].max())
    mesh = axes.pcolormesh(frequency[shown], parameter, decibel, vmin=-80.0, vmax=0.0, cmap="magma", shading="nearest")
    figure.colorbar(mesh, label=f"amplitude of {labels[0]} [dB of the largest]")
    axes.set(xlabel="frequency [Hz]", ylabel=labels[1])
    return figure


def _parting(axes, time: np.ndarray, curve: np.ndarray, fitted: tuple[int, int], slope: float, error: float) -> None:
    axes.plot(time, curve, ".-", color=DARK, label="mean over all neighbours")
    part = slice(fitted[0], fitted[1] + 1)
    middle = curve[part].mean() + slope * (time[part] - time[part].mean())
    axes.plot(time[part], middle, color=WARM, linewidth=2.0, label=f"slope {slope:.3g} ± {error:.1g} 1/s")
    axes.set(xlabel="time since they were neighbours [s]", ylabel="log of their distance")
    axes.legend(fontsize="small")
    axes.grid(alpha=0.3)


def divergence(time: np.ndarray, curve: np.ndarray, fitted: tuple[int, int], slope: float, error: float) -> Figure:
    """How neighbours part, and the line whose slope is the exponent."""
    figure = _figure(5.5, 4.0)
    _parting(figure.subplots(), time, curve, fitted, slope, error)
    return figure


def verdict(points: np.ndarray, labels: tuple[str, ...], title: str, parting: tuple | None) -> Figure:
    """The section, and how neighbours part if they do."""
    figure = _figure(9.0, 4.0)
    figure.suptitle(title, fontsize="medium")
    left, right = figure.subplots(1, 2)
    if points.shape[1] > 1:
        left.plot(points[:, 0], points[:, 1], ".", color=DARK, markersize=3.0)
        left.set(xlabel=labels[0], ylabel=labels[1])
    else:
        left.plot(points[:-1, 0], points[1:, 0], ".", color=DARK, markersize=3.0)
        left.set(xlabel=labels[0], ylabel=f"{labels[0]}, a period later")
    if parting is None:
        right.plot(points[:, 0], ".-", color=DARK, linewidth=0.5)
        right.set(xlabel="period", ylabel=labels[0])
    else:
        _parting(right, *parting)
    return figure


def impacts(joint: str, modes: dict[str, float], speed: np.ndarray, force: np.ndarray, rate: float) -> Figure:
    """The modes of a joint, and histograms of its impacts."""
    figure = _figure(9.0, 3.6)
    figure.suptitle(f"{joint}: {len(speed)} impacts, {rate:.3g} per second", fontsize="medium")
    bars, left, right = figure.subplots(1, 3)
    bars.bar(list(modes), [100.0 * part for part in modes.values()], color=[LIGHT, WARM, DARK])
    bars.set_ylabel("part of the time [%]")
    bars.tick_params(axis="x", rotation=15.0, labelsize="small")
    for axes, values, label in ((left, speed, "impact speed [m/s]"), (right, force, "peak force [N]")):
        values = values[np.isfinite(values)]
        axes.hist(values, bins=min(40, max(5, len(values) // 5)), color=DARK)
        axes.set(xlabel=label, ylabel="impacts")
    return figure


def band(time: np.ndarray, quantiles: dict[float, np.ndarray], first: np.ndarray, label: str, count: int) -> Figure:
    """Quantiles of an ensemble as bands, the median, and its first member."""
    figure = _figure()
    axes = figure.subplots()
    for low, high, alpha, what in ((0.0, 1.0, 0.18, "all"), (0.05, 0.95, 0.3, "90 %"), (0.25, 0.75, 0.5, "50 %")):
        axes.fill_between(time, quantiles[low], quantiles[high], color=LIGHT, alpha=alpha, linewidth=0.0, label=what)
    axes.plot(time, quantiles[0.5], color=DARK, linewidth=1.2, label="median")
    axes.plot(time, first, color=WARM, linewidth=0.7, label="member 0")
    axes.set(xlabel="time [s]", ylabel=label, title=f"{count} members")
    axes.legend(fontsize="small", ncols=5, loc="upper center")
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.12 * (high - low))
    return figure


def cycles(begin: np.ndarray, lost: np.ndarray, joints: tuple[str, ...]) -> Figure:
    """Losses of every cycle, joints stacked."""
    figure = _figure()
    axes = figure.subplots()
    width = 0.9 * (np.diff(begin).min() if len(begin) > 1 else 1.0)
    below = np.zeros(len(begin))
    for k, name in enumerate(joints):
        axes.bar(begin, 1e3 * lost[:, k], width=width, bottom=1e3 * below, align="edge", label=name)
        below = below + lost[:, k]
    axes.set(xlabel="begin of the cycle [s]", ylabel="energy lost per cycle [mJ]")
    axes.legend(fontsize="small", title="joint")
    return figure


def elasticities(parameters: tuple[str, ...], outputs: tuple[str, ...], values: np.ndarray) -> Figure:
    """Percent of an output for a percent of a parameter."""
    figure = _figure(8.0, 1.2 + 0.28 * len(parameters) * len(outputs))
    axes = figure.subplots()
    place, thick = np.arange(len(parameters)), 0.8 / len(outputs)
    for k, name in enumerate(outputs):
        axes.barh(place + k * thick, np.nan_to_num(values[k]), height=0.9 * thick, label=name)
    axes.set_yticks(place + 0.4 - 0.5 * thick, parameters, fontsize="small")
    axes.invert_yaxis()
    axes.axvline(0.0, color="black", linewidth=0.6)
    axes.set_xlabel("change of the output in % for 1 % of the parameter")
    axes.legend(fontsize="small")
    return figure


def tornado(
    parameters: tuple[str, ...],
    low: np.ndarray,
    high: np.ndarray,
    limits: np.ndarray,
    nominal: float,
    label: str,
) -> Figure:
    """Bars from the lower to the upper limit of every parameter, the longest on top."""
    figure = _figure(8.0, 1.2 + 0.5 * len(parameters))
    axes = figure.subplots()
    for k, (one, two) in enumerate(zip(low, high, strict=True)):
        axes.barh(k, one - nominal, left=nominal, color=LIGHT, label="" if k else "lower limit")
        axes.barh(k, two - nominal, left=nominal, color=DARK, label="" if k else "upper limit")
    names = [f"{p}\n{a:.6g} … {b:.6g}" for p, (a, b) in zip(parameters, limits, strict=True)]
    axes.set_yticks(range(len(parameters)), names, fontsize="small")
    axes.invert_yaxis()
    axes.axvline(nominal, color="black", linewidth=0.8)
    axes.set_xlabel(label)
    axes.legend(fontsize="small")
    return figure


def field(
    x: np.ndarray, y: np.ndarray, values: np.ndarray, labels: tuple[str, str, str], logarithmic: bool = False
) -> Figure:
    """A map over two parameters: values (x, y)."""
    from matplotlib.colors import LogNorm

    figure = _figure(6.5, 4.6)
    axes = figure.subplots()
    norm = LogNorm() if logarithmic else None
    mesh = axes.pcolormesh(x, y, values.T, shading="nearest", cmap="viridis", norm=norm)
    figure.colorbar(mesh, label=labels[2])
    axes.set(xlabel=labels[0], ylabel=labels[1])
    return figure
