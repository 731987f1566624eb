"""What belongs to no body: springs, loads as arrows, contacts and where they are, paths within a clearance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.functions.function import values_at
from gudgeon.guide import Guide
from gudgeon.loads import Force, SpringDamper
from gudgeon.models.dry import Dry
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.models.slider import Slider
from gudgeon.rotations import conjugate, turned
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.links import Links

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from gudgeon.joints import Joint
    from gudgeon.system import System

MOST_EVENTS = 20_000
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


def forces(system: System, times: np.ndarray, arrays: Arrays) -> list[Facts]:
    """Forces of the description as arrows over time."""
    found = []
    for name, load in system.loads.items():
        if not isinstance(load, Force):
            continue
        if callable(load.vector):
            values = np.array([load.vector(t) for t in times.tolist()], dtype=float)
        else:
            values = np.stack([values_at(component, times) for component in load.vector], axis=1)
        found.append(
            {"name": name, "body": load.body, "at": list(load.at), "axes": load.axes, "force": arrays.add(values)}
        )
    return found


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
    return {"places": listed, "where": where, **columns}, notes


def _place(system: System | None, links: Links | None, name: str, contact: str) -> Facts:
    """The point of a body at which a contact is told: the joint's, a corner's, or that of a node."""
    if system is None or links is None or name not in system.joints:
        return {}
    joint = system.joints[name]
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


def insets(system: System, data: xr.Dataset, links: Links, samples: np.ndarray, arrays: Arrays) -> list[Facts]:
    """Paths that are too small to be seen: of balls in sockets, of elastic joints and pins, of sliders in guides."""
    found = []
    for name, joint in system.joints.items():
        if isinstance(joint.model, Slider) and "guide_gap" in data:
            found.append(_slider(name, joint, data, links, samples, arrays))
        elif joint.is_compliant and "eccentricity" in data:
            path = data.eccentricity.sel(joint=name).transpose("time", "axis").values
            if np.isfinite(path).all() and np.abs(path).max() > 0.0:
                found.append(_path(name, joint, path, data, samples, arrays))
    return found


def _path(name: str, joint: Joint, path: np.ndarray, data: xr.Dataset, samples: np.ndarray, arrays: Arrays) -> Facts:
    """The eccentricity in the parent's axes, seen along the direction in which it moves least."""
    if joint.parent != GROUND:
        path = turned(conjugate(data.orientation.sel(body=joint.parent).values), path)
    _, _, axes = np.linalg.svd(path - path.mean(axis=0) if len(path) < 3 else path, full_matrices=True)
    clearance = joint.model.clearance if isinstance(joint.model, Dry | Lubricated) else None
    contact = None
    if "contact" in data and np.isfinite(touching := data.contact.sel(joint=name).values).all():
        contact = arrays.add(touching[samples])
    return {
        "kind": "path",
        "joint": name,
        "clearance": clearance,
        "largest": float(np.linalg.norm(path, axis=1).max()),
        "path": arrays.add((path @ axes[:2].T)[samples]),
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
