"""A Result in a notebook: how the run ended, what it cost, what there is to see."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gudgeon.results.result import Result

KINDS = {"body": "bodies", "joint": "joints", "drive": "drives"}


def summary(result: Result) -> str:
    """A small table as HTML; of a run it computes nothing."""
    stats, system, trajectory = result.stats, result.system, result._trajectory
    if system is not None and trajectory is not None:
        name, samples = system.name, len(trajectory.times)
        counts = [len(system.bodies), len(system.joints), len(system.drives)]
    else:
        name, samples = str(result.data.attrs.get("system", "")), result.data.sizes["time"]
        counts = [result.data.sizes.get(kind, 0) for kind in KINDS]
    found = {
        "contacts in .events": len(result.events),
        "instants in .crossings": len(result.crossings),
        "positions in .singularities": len(result.singularities),
    }
    rows = {
        "end": f"{stats['end']} at t = {stats['end_time']:g} s",
        "system": ", ".join(f"{count} {what}" for count, what in zip(counts, KINDS.values(), strict=True) if count),
        "solver": f"{stats['solver']}, {stats['coordinates']} coordinates",
        "cost": f"{stats['steps']} steps, " * (stats["steps"] is not None) + f"{stats['seconds_computing']:.3g} s",
        "samples": f"{samples}",
        "found": ", ".join(f"{count} {what}" for what, count in found.items() if count),
        "see": ".data, .table(), .plot(), .save(path), .to_csv(path)",
    }
    lines = [
        f"<tr><th style='text-align: left'>{title}</th><td style='text-align: left'>{escape(text)}</td></tr>"
        for title, text in rows.items()
        if text
    ]
    return f"<table><caption>gudgeon.Result {escape(repr(name))}</caption>{''.join(lines)}</table>"
