"""Which variables of a run are plotted at first: what happens in real joints, coordinates of joints, energies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

    from gudgeon.system import System

MOST_CURVES = 4
QUATERNIONS = (".e0", ".e1", ".e2", ".e3")
REAL = ("normal_force", "film_force", "eccentricity_length")  # of these the first that a joint has


def suggested(data: xr.Dataset, system: System | None, columns: list[str]) -> list[list[str]]:
    """Groups of names of variables, one for each plot."""
    known = {column.rpartition(" [")[0] for column in columns}
    real = [str(x) for x in data.joint.values] if "joint" in data.coords else []
    if system is not None:
        real = [name for name in real if name in system.joints and system.joints[name].is_real]
    inside = [name for joint in real for name in _inside(data, joint, known)]
    points = [str(x) for x in data.surface_point.values] if "surface_point" in data.coords else []
    groups = [
        inside[:MOST_CURVES],
        _most(data, "guide_gap", "surface_point", points, "guide_gap"),
        _coordinates(data, known),
        [f"{kind}_energy" for kind in ("kinetic", "potential", "mechanical")],
    ]
    if not groups[2]:
        groups[2] = [f"{body}.position.{axis}" for body in data.body.values[:1] for axis in "xyz"]
    return [kept for group in groups if (kept := [name for name in group if name in known])]


def _inside(data: xr.Dataset, joint: str, known: set[str]) -> list[str]:
    """What is told of a real joint first: the first that is not zero all the time, or the loads of its films."""
    for variable in REAL:
        if f"{joint}.{variable}" in known and np.any(data[variable].sel(joint=joint).values > 0.0):
            return [f"{joint}.{variable}"]
        if loads := sorted(x for x in known if x.startswith(f"{joint}:") and x.endswith(".film_load")):
            return loads
    return [name for x in REAL if (name := f"{joint}.{x}") in known][:1]


def _most(data: xr.Dataset, variable: str, dim: str, names: list[str], word: str) -> list[str]:
    """Of the points of a slider those at its ends, which move most."""
    if variable not in data or not names:
        return []
    span = np.ptp(data[variable].transpose("time", dim).values, axis=0)
    order = sorted(np.argsort(-span, kind="stable")[:MOST_CURVES].tolist())
    return [f"{names[k]}.{word}" for k in order]


def _coordinates(data: xr.Dataset, known: set[str]) -> list[str]:
    """The coordinates of one unit that move most."""
    if "coordinate" not in data.coords:
        return []
    names, units = [str(x) for x in data.coordinate.values], [str(x) for x in data.coordinate_unit.values]
    span = np.ptp(data.joint_position.values, axis=0)
    slides = {name.removesuffix(".displacement") for name in names if name.endswith(".displacement")}
    twice = {f"{joint}.{d}" for joint in slides for d in ("dx", "dy", "dz")}
    shown = [k for k, name in enumerate(names) if not name.endswith(QUATERNIONS) and name in known - twice]
    for unit in ("rad", "m"):
        here = sorted((k for k in shown if units[k] == unit), key=lambda k: -span[k])[:MOST_CURVES]
        if here and span[here[0]] > 0.0:
            return [names[k] for k in sorted(here)]
    return []
