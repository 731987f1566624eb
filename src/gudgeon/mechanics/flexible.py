"""Flexible bodies among rigid ones: the points where loads act become bodies without inertia that follow the nodes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from gudgeon.bodies import Body, FlexibleBody
from gudgeon.flexible_bodies import MARK, flexible_bodies, loaded_point
from gudgeon.loads import Force, Load, SpringDamper
from gudgeon.rotations import rotation_matrix
from gudgeon.system import System

NODE_WITHIN = 1e-6  # distance of a joint's point from its node, of the mesh's size [-]


@dataclass(frozen=True)
class Point:
    """A point of a flexible body where a load acts."""

    body: str  # the flexible body
    nodes: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Expanded:
    """A system with a body for every loaded point of its flexible bodies."""

    system: System
    flexible: dict[str, FlexibleBody]
    points: dict[str, Point]  # by the name of the body that follows it


def expanded(system: System) -> Expanded:
    """Give every point of a flexible body where a load acts a body of its own."""
    flexible = flexible_bodies(system)
    bodies, loads, points = _loaded_points(system, flexible)
    if not points:
        return Expanded(system, flexible, {})
    return Expanded(system.replace(bodies=bodies, loads=loads), flexible, points)


def _loaded_points(system: System, flexible: dict[str, FlexibleBody]):
    """Bodies and loads of the expanded system, and the points that were added."""
    bodies, loads, points = dict(system.bodies), dict(system.loads), {}
    for name in system.loads:
        for body in system.loads[name].bodies():
            if body in flexible:
                loads[name], follower = _marked(name, loads[name], body, flexible[body], points)
                bodies.update(follower)
    return bodies, loads, points


def _marked(
    name: str, load: Load, body: str, flexible: FlexibleBody, points: dict[str, Point]
) -> tuple[Load, dict[str, Body]]:
    label = f"{type(load).__name__} {name!r}"
    marker = f"{body}{MARK}{name}"
    at, nodes, weights = loaded_point(label, load, body, flexible)
    if isinstance(load, Force):
        moved = dataclasses.replace(load, body=marker, at=(0.0, 0.0, 0.0))
    else:
        assert isinstance(load, SpringDamper)
        end = "first" if load.first == body else "second"
        moved = dataclasses.replace(load, **{end: marker, f"at_{end}": (0.0, 0.0, 0.0)})
    points[marker] = Point(body, nodes, weights)
    turned = rotation_matrix(flexible.orientation)
    place = tuple((np.array(flexible.position) + turned @ np.array(at)).tolist())
    return moved, {marker: Body(mass=1.0, inertia=(1.0, 1.0, 1.0), position=place, orientation=flexible.orientation)}


def is_marker(name: str) -> bool:
    """Whether a body is a point of another where a load acts."""
    return MARK in name
