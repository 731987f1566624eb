"""Curves over time as SVG: a picture of text that prints sharp, made without other libraries."""

from __future__ import annotations

import math

import numpy as np

from gudgeon.view.report.markup import Html, element, text

COLORS = ("#3f6fb0", "#d0703c", "#4e9a6b", "#9566a8", "#b08a2e", "#3c979b")
WIDTH, HEIGHT = 720.0, 210.0
LEFT, RIGHT, TOP, BOTTOM = 66.0, 10.0, 12.0, 30.0


def ticks(low: float, high: float, count: int = 6) -> list[float]:
    """Round numbers within a range.

    >>> ticks(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    step = 10.0 ** math.floor(math.log10((high - low) / count))
    step *= next(f for f in (1.0, 2.0, 5.0, 10.0) if (high - low) / (f * step) <= count)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 12) + 0.0 for k in range(first, math.floor(high / step + 1e-9) + 1)]


def plot(times: np.ndarray, curves: dict[str, np.ndarray], unit: str, span: tuple[float, float]) -> Html:
    """A figure with a legend over a span of time [s]; NaN is a gap."""
    finite = [values[np.isfinite(values)] for values in curves.values()]
    low = min((float(v.min()) for v in finite if len(v)), default=0.0)
    high = max((float(v.max()) for v in finite if len(v)), default=1.0)
    margin = 0.05 * (high - low) or 0.5 * abs(high) or 1.0
    low, high = low - margin, high + margin
    start, end = span
    end = end if end > start else start + 1.0

    def x(t):
        return LEFT + (t - start) / (end - start) * (WIDTH - LEFT - RIGHT)

    def y(v):
        return HEIGHT - BOTTOM - (v - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = []
    for t in ticks(start, end):
        parts.append(_line(x(t), TOP, x(t), HEIGHT - BOTTOM, "grid"))
        parts.append(_label(x(t), HEIGHT - 14.0, f"{t:g}", "middle"))
    for v in ticks(low, high, 4):
        parts.append(_line(LEFT, y(v), WIDTH - RIGHT, y(v), "grid"))
        parts.append(_label(LEFT - 7.0, y(v) + 4.0, f"{v:g}".replace("-", "−"), "end"))
    parts.append(_label(WIDTH - RIGHT, HEIGHT - 2.0, "time [s]", "end"))
    for k, values in enumerate(curves.values()):
        color = COLORS[k % len(COLORS)]
        parts.append(Html(f'<path d="{_path(x(times), y(values))}" stroke="{color}"/>'))
    legend = [
        element("span", element("i", style=f"background:{COLORS[k % len(COLORS)]}"), name.replace("_", " "))
        for k, name in enumerate(curves)
    ]
    shown = unit.replace("*", "·").replace("^2", "²")
    caption = element("figcaption", *legend, element("em", "" if unit in ("", "1") else f"[{shown}]"))
    title = f"<title>{text(', '.join(curves))}</title>"
    svg = Html(f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img">{title}{"".join(parts)}</svg>')
    return element("figure", caption, svg)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Html:
    return Html(f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')


def _label(x: float, y: float, words: str, anchor: str) -> Html:
    return Html(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text(words)}</text>')


def _path(x: np.ndarray, y: np.ndarray) -> str:
    steps, pen = [], "M"
    for px, py in zip(x.tolist(), y.tolist(), strict=True):
        if not math.isfinite(py):
            pen = "M"
            continue
        steps.append(f"{pen}{px:.1f} {py:.1f}")
        pen = "L"
    return "".join(steps)
