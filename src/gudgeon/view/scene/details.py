"""What belongs to no body: springs, loads as arrows, contacts and where they are, paths within a clearance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.errors import ModelError
from gudgeon.functions.function import values_at
from gudgeon.guide import Guide
from gudgeon.joint_axes import joint_axes
from gudgeon.joints import Displacement
from gudgeon.loads import Force, SpringDamper
from gudgeon.models.box_in_guide import BoxInGuide
from gudgeon.models.dry import Dry
from gudgeon.models.dry_keyed_shaft import DryKeyedShaft
from gudgeon.models.journal import Journal
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.models.slider import Slider
from gudgeon.rotations import conjugate, turned
from gudgeon.view.orbits import Played, played
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.links import Links

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from gudgeon.joints import Joint
    from gudgeon.results.result import Result
    from gudgeon.system import System

MOST_EVENTS = 20_000
ROUNDING = 1e-9  # of the way of a joint: what is left of one that only slides [-]
Facts = dict[str, Any]


def springs(system: System, links: Links) -> list[Facts]:
    """Springs and dampers between two points."""
    return [
        {
            "name": name,
            "first": load.first,
            "second": load.second,
            "at_first": list(load.at_first),
            "at_second": list(load.at_second),
            "radius": 1.5 * links.r,
        }
        for name, load in system.loads.items()
        if isinstance(load, SpringDamper)
    ]


def forces(system: System, times: np.ndarray, arrays: Arrays) -> tuple[list[Facts], list[str]]:
    """Forces of the description as arrows over time, and which of them are not drawn."""
    found, notes = [], []
    for name, load in system.loads.items():
        if not isinstance(load, Force):
            continue
        try:
            if callable(load.vector):
                values = np.array([load.vector(t) for t in times.tolist()], dtype=float)
            else:
                values = np.stack([values_at(component, times) for component in load.vector], axis=1)
        except (ModelError, LookupError, TypeError, ValueError):
            values = np.full((len(times), 3), np.nan)
        if not np.isfinite(values).all():  # a signal has no value without a state
            notes.append(f"Force {name!r} has no arrow: it depends on more than the time.")
            continue
        found.append(
            {"name": name, "body": load.body, "at": list(load.at), "axes": load.axes, "force": arrays.add(values)}
        )
    return found, notes


def joints(system: System, data: xr.Dataset, links: Links, samples: np.ndarray, arrays: Arrays) -> list[Facts]:
    """Where joints are on their bodies, and their forces on the child over time."""
    found = []
    for name, joint in system.joints.items():
        points = links.frames.joint_points(joint)
        if points is None:
            continue
        force = None
        if "reaction_force" in data:
            force = arrays.add(data.reaction_force.sel(joint=name).transpose("time", "axis").values[samples])
        found.append(
            {
                "name": name,
                "type": type(joint).__name__,
                "model": type(joint.model).__name__,
                "parent": joint.parent,
                "child": joint.child,
                "at_parent": points[0].tolist(),
                "at_child": points[1].tolist(),
                "force": force,
            }
        )
    return found


def events(system: System | None, table: pd.DataFrame, links: Links | None) -> tuple[Facts, list[str]]:
    """The contacts, each with the place where it flashes, and what is said of those left out."""
    notes = []
    if len(table) > MOST_EVENTS:
        notes.append(f"Contacts: the {MOST_EVENTS} fastest of {len(table)}.")
        table = table.nlargest(MOST_EVENTS, "impact_speed").sort_values("begin")
    places: dict[tuple[str, str], int] = {}
    where = []
    for joint, contact in zip(table["joint"].tolist(), table["contact"].tolist(), strict=True):
        where.append(places.setdefault((str(joint), str(contact)), len(places)))
    listed = [
        {"joint": joint, "contact": contact, **_place(system, links, joint, contact)} for joint, contact in places
    ]
    columns = {name: _numbers(table[name].to_numpy()) for name in ("begin", "end", "impact_speed", "peak_force")}
    columns["begin"] = table["begin"].tolist()  # to the bit: a flash begins when one steps there
    return {"places": listed, "where": where, **columns}, notes


def _place(system: System | None, links: Links | None, name: str, contact: str) -> Facts:
    """The point of a body at which a contact is told: the joint's, a corner's, or that of a node."""
    if system is None or links is None or name not in system.joints:
        return {}
    joint = system.joints[name]
    if (name, contact) in links.bumpers:
        body, at, _ = links.bumpers[name, contact]
        return {"body": body, "at": at.tolist()}
    points = links.frames.joint_points(joint)
    if points is None:
        return {}
    if contact.isdigit() and joint.child in links.flexible:
        return {"body": joint.child, "node": int(contact)}
    at = points[1]
    if isinstance(joint, Guide) and isinstance(joint.model, RigidSlider):
        along, up = (links.frames.direction(joint.child, v) for v in (joint.axis, joint.normal))
        side, end = 1.0 if "upper" in contact else -1.0, 1.0 if "right" in contact else -1.0
        at = at + 0.5 * joint.model.length * end * along + 0.5 * joint.model.height * side * up
        at = at - (0.25 * joint.model.height + behind if (behind := links.behind(joint.child)) else 0.0) * np.cross(
            along, up
        )
    return {"body": joint.child, "at": at.tolist()}


def _numbers(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON, which has no NaN."""
    return [float(f"{x:.9g}") if np.isfinite(x) else None for x in values.tolist()]


def insets(result: Result, system: System, links: Links, samples: np.ndarray, arrays: Arrays) -> list[Facts]:
    """Paths that are too small to be seen: balls in sockets, pins in bores, elastic joints, sliders in guides."""
    found, data = [], result.data
    for name, joint in system.joints.items():
        if isinstance(joint.model, Dry | Lubricated | Journal) and "eccentricity" in data:
            inside = played(result, name)
            assert isinstance(inside, Played)
            for orbit in inside.orbits:
                title = f"{name}, {orbit.label}" if orbit.label else name
                found.append(_path(title, name, orbit.path, inside.clearance, data, samples, arrays))
                if inside.worn is not None:
                    found[-1]["outline"] = _around(inside.clearance + inside.worn)
            continue
        if isinstance(joint.model, BoxInGuide | DryKeyedShaft) and "eccentricity" in data:
            found.append(_across(data, system, name, joint, samples, arrays))
            continue
        if isinstance(joint.model, Slider) and "guide_gap" in data:
            found.append(_slider(name, joint, data, links, samples, arrays))
        elif joint.is_compliant and joint.holds and "eccentricity" in data:
            path = data.eccentricity.sel(joint=name).transpose("time", "axis").values
            if np.isfinite(path).all() and np.abs(path).max() > 0.0:
                seen = _seen(path, joint, data, system)
                if np.abs(seen).max() > ROUNDING * np.abs(path).max():  # or it only slides
                    found.append(_path(name, name, seen, None, data, samples, arrays))
    return found


def _around(radii: np.ndarray) -> list[list[float]]:
    """A closed line at these distances from its middle, at equal angles."""
    turn = 2.0 * np.pi * np.arange(len(radii)) / len(radii)
    return np.stack([radii * np.cos(turn), radii * np.sin(turn)], axis=1).tolist()


def _across(data: xr.Dataset, system: System, name: str, joint: Joint, samples: np.ndarray, arrays: Arrays) -> Facts:
    """What slides, seen along its axis: the middle of a box in the rectangle of its play, of a shaft in its circle."""
    model: Any = joint.model
    rows = joint_axes(joint)[0]
    up = rows[1]
    if isinstance(model, BoxInGuide) and model.up is not None:
        up = np.array(model.up)
    path = data.eccentricity.sel(joint=name).transpose("time", "axis").values
    if joint.parent != GROUND:  # back to how the parent is described
        turn = data.orientation.sel(body=joint.parent).values
        path = turned(np.array(system.bodies[joint.parent].orientation), turned(conjugate(turn), path))
    wide = high = 0.0
    if isinstance(model, BoxInGuide):
        if model.elements(joint)[0].carried_by == "child":  # told of the guide's point from the box's
            path = -path
        wide, high = model.side_clearance or model.clearance, model.clearance
    right = np.cross(up, rows[2])
    quarters = ((up, wide, high), (right, high, wide), (-right, high, wide), (-up, wide, high))
    up, wide, high = max(quarters, key=lambda x: -float(x[0] @ np.array(system.gravity)))  # above is above
    path = path @ np.stack([np.cross(rows[2], up), up], axis=1)
    if isinstance(model, BoxInGuide):
        facts = _path(name, name, path, model.clearance, data, samples, arrays)
        return {**facts, "outline": [[wide, high], [-wide, high], [-wide, -high], [wide, -high]]}
    return _path(name, name, path, model.shaft.clearance, data, samples, arrays)


def _seen(path: np.ndarray, joint: Joint, data: xr.Dataset, system: System) -> np.ndarray:
    """An eccentricity without what the joint leaves free, seen along the direction in which it moves least (time, 2).

    As the parent sees it [m].
    """
    if joint.parent != GROUND:  # back to how the parent is described
        turn = data.orientation.sel(body=joint.parent).values
        path = turned(np.array(system.bodies[joint.parent].orientation), turned(conjugate(turn), path))
    for free in joint.blocks().displacements:
        if isinstance(free, Displacement):
            path = path - np.outer(path @ np.array(free.axis), free.axis)
    _, _, axes = np.linalg.svd(path, full_matrices=True)
    return path @ axes[:2].T


def _path(
    title: str,
    joint: str,
    path: np.ndarray,
    clearance: float | None,
    data: xr.Dataset,
    samples: np.ndarray,
    arrays: Arrays,
) -> Facts:
    contact = None
    if "contact" in data and np.isfinite(touching := data.contact.sel(joint=joint).values).all():
        contact = arrays.add(touching[samples])
    return {
        "kind": "path",
        "joint": title,
        "clearance": clearance,
        "largest": float(np.linalg.norm(path, axis=1).max()),
        "path": arrays.add(path[samples]),
        "contact": contact,
    }


def _slider(name: str, joint: Joint, data: xr.Dataset, links: Links, samples: np.ndarray, arrays: Arrays) -> Facts:
    """Gaps of the surface points of a slider in its guide."""
    model: Any = joint.model
    points = [str(x) for x in data.surface_point.values if str(x).rpartition(":")[0] == name]
    here = data.sel(surface_point=points)
    if isinstance(model, RigidSlider):
        along = [0.5 * model.length * (1.0 if "right" in point else -1.0) for point in points]
    else:
        along = [float(links.flexible[joint.child].rest[int(point.rpartition(":")[2]), 0]) for point in points]
    return {
        "kind": "guide",
        "joint": name,
        "clearance": model.play,
        "along": along,
        "upper": [str(x) == "upper" for x in here.surface.values],
        "gap": arrays.add(here.guide_gap.transpose("time", "surface_point").values[samples]),
    }
