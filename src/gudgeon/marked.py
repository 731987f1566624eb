"""Markers as points and axes of joints and loads: in a System each name becomes the numbers that it stands for.

What was described stays with the part (`as_given`): a System that is changed, or written to a file, has the names.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from gudgeon.bodies import GROUND, Body
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.joints import Joint
from gudgeon.loads import Force, Load, SpringDamper, Torque
from gudgeon.markers import Marker
from gudgeon.rotations import rotation_matrix

GIVEN = "_given"  # attribute of a part that names were replaced in: the part with them
ENDS = {"at": "body", "at_first": "first", "at_second": "second"}  # of loads: points, and the fields of their bodies
T = TypeVar("T")


def as_given(part: T) -> T:
    """A joint or load as it was described, with the names of markers."""
    return getattr(part, GIVEN, part)


def all_as_given(parts: Mapping[str, T]) -> dict[str, T]:
    """The same for all joints or loads of a System."""
    return {name: as_given(part) for name, part in parts.items()}


class Marks:
    """What markers stand for, in the poses in which the bodies are described."""

    def __init__(self, owner: str, bodies: Mapping[str, Body], markers: Mapping[str, Marker]):
        self._owner, self._bodies, self._markers = owner, bodies, markers

    def joint(self, name: str, given: Joint) -> Joint:
        """A joint with numbers instead of names."""
        given = as_given(given)
        if not given.is_marked:
            return given
        label, changes = given.label(name), {}
        for field in ("at", "at_parent", "at_child"):
            if not isinstance(value := getattr(given, field), str):
                continue
            marker = self._marker(f"{label}: {field}", value)
            ends = {"at": (given.parent, given.child), "at_parent": (given.parent,), "at_child": (given.child,)}[field]
            if marker.body not in ends:
                whose = " or ".join(repr(end) for end in ends)
                raise ModelError(
                    f"{label}: {field} is the marker {value!r}, which is on {marker.body!r}; give one on {whose}"
                )
            if field == "at":
                changes["at"] = None
                changes["at_parent" if marker.body == given.parent else "at_child"] = marker.at
            else:
                changes[field] = marker.at
        for field in given.axis_fields:
            if isinstance(value := getattr(given, field), str):
                changes[field] = self._axis(self._marker(f"{label}: {field}", value))
        try:
            made = dataclasses.replace(given, **changes)
        except ModelError as error:
            raise ModelError(str(error).replace(given.label(), label, 1)) from None
        object.__setattr__(made, GIVEN, given)
        return made

    def load(self, name: str, given: Load) -> Load:
        """A load with numbers instead of names; where a marker stands for a body, its point is that of the load."""
        given = as_given(given)
        if not isinstance(given, Force | Torque | SpringDamper):
            return given
        label, changes = f"{type(given).__name__} {name!r}", {}
        for point, end in ENDS.items():
            body = getattr(given, end, None)
            if body is None:
                continue
            if body not in self._bodies and body != GROUND and body in self._markers:
                marker = self._markers[body]
                changes[end] = marker.body
                if hasattr(given, point):
                    if getattr(given, point) != (0.0, 0.0, 0.0):
                        raise ModelError(
                            f"{label}: both {end}={body!r}, a marker, and {point} say where; give one of the two"
                        )
                    changes[point] = marker.at
            elif isinstance(value := getattr(given, point, None), str):
                marker = self._marker(f"{label}: {point}", value)
                if marker.body != body:
                    raise ModelError(
                        f"{label}: {point} is the marker {value!r}, which is on {marker.body!r}; give one on {body!r}"
                    )
                changes[point] = marker.at
        if not changes:
            return given
        made = dataclasses.replace(given, **changes)
        object.__setattr__(made, GIVEN, given)
        return made

    def _marker(self, where: str, name: str) -> Marker:
        if name not in self._markers:
            raise ModelError(f"{where}: no marker {name!r}; {did_you_mean(name, self._markers)}")
        return self._markers[name]

    def _axis(self, marker: Marker) -> tuple[float, ...]:
        """z of a marker, world axes of the reference pose."""
        own = rotation_matrix(marker.orientation)
        if marker.body in self._bodies:
            own = rotation_matrix(self._bodies[marker.body].orientation) @ own
        return tuple(np.asarray(own)[:, 2].tolist())
