"""The wheels that couplings have: pitch radii follow from the teeth and where the axes are.

With parallel axes at a distance d: r₁ = d z₁/(z₁ + z₂); of a pinion in a ring gear r₁ = d z₁/|z₂ − z₁|. Where axes
meet at an angle Σ, the wheels are cones with tan δ₁ = sin Σ/(z₂/z₁ + cos Σ). Pulleys and pinions of racks have radii.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.couplings import Belt, Coupling, Gear, Rack
from gudgeon.joints import Revolute
from gudgeon.view.scene.frames import Frames
from gudgeon.view.scene.parts import Array, Part, part

if TYPE_CHECKING:
    from gudgeon.system import System

MOST_TEETH = 300  # drawn one by one; a wheel with more is smooth
RACK_TEETH = 24  # of a pinion whose teeth nobody counted
PARALLEL = 1e-6


@dataclass(frozen=True)
class Wheel:
    """A wheel on a joint, in world axes of the reference pose."""

    kind: str  # "gear", "ring", "cone" or "pulley"
    joint: str
    body: str
    at: Array  # its middle [m]
    axis: Array
    towards: Array  # where it meets the other one
    radius: float  # of its pitch circle [m]
    teeth: int = 0
    gap: bool = False  # a gap, not a tooth, is where it meets the other one
    slope: float = 0.0  # half the angle of a cone [rad]

    def moved(self, way: Array) -> Wheel:
        """The wheel elsewhere."""
        return replace(self, at=self.at + way)

    def parts(self, frames: Frames, width: float) -> list[Part]:
        """In the axes of its body."""
        along, towards = (frames.direction(self.body, v) for v in (self.axis, self.towards))
        axes = np.stack([towards, np.cross(along, towards), along], axis=1)
        at = frames.point(self.body, self.at)
        if self.kind == "pulley":
            return pulley(self.radius, width, at, axes)
        if self.kind == "cone":
            inner = self.radius - width * np.tan(self.slope)
            middle = at - 0.5 * width * along
            marks = _holes(0.6 * self.radius, 0.1 * self.radius, 0.2 * width, at + 0.05 * width * along, axes)
            return [part("cone", (inner, width, self.radius), middle, axes), *marks]
        size = (self.radius, width, self.teeth if self.teeth <= MOST_TEETH else 0, float(self.gap))
        return [part(self.kind, size, at, axes)]


def pulley(radius: float, width: float, at: Array, axes: Array) -> list[Part]:
    """A rim, a web with holes by which one sees it turn, a hub."""
    return [
        part("tube", (radius, width, 0.84 * radius), at, axes),
        part("cylinder", (0.86 * radius, 0.45 * width), at, axes),
        *_holes(0.54 * radius, 0.13 * radius, 0.48 * width, at, axes),
    ]


def disc(radius: float, thick: float, at: Array, axes: Array) -> list[Part]:
    """A round plate, with holes by which one sees it turn."""
    return [part("cylinder", (radius, thick), at, axes), *_holes(0.66 * radius, 0.1 * radius, 1.03 * thick, at, axes)]


def _holes(away: float, radius: float, deep: float, at: Array, axes: Array, count: int = 5) -> list[Part]:
    turns = 2.0 * np.pi * np.arange(count) / count
    return [
        part("cylinder", (radius, deep), at + away * (np.cos(t) * axes[:, 0] + np.sin(t) * axes[:, 1]), axes, "dark")
        for t in turns
    ]


def wheels(system: System, frames: Frames, coupling: Coupling) -> list[Wheel]:
    """The wheels of a coupling; none where it has no geometry that could be drawn."""
    if isinstance(coupling, Rack):
        return _pinion(system, frames, coupling)
    if not isinstance(coupling, Gear | Belt):
        return []
    names = (coupling.first, coupling.second)
    joints: list[Any] = [system.joints[name] for name in names]
    places = [_place(frames, joint) for joint in joints]
    if places[0] is None or places[1] is None or any(joint.child == GROUND for joint in joints):
        return []
    axis = np.array(joints[0].axis)
    apart = places[1] - places[0]
    if abs(abs(axis @ np.array(joints[1].axis)) - 1.0) > PARALLEL:
        return _cones(coupling, names, joints, places) if isinstance(coupling, Gear) else []
    apart = apart - (apart @ axis) * axis
    distance = float(np.linalg.norm(apart))
    if distance < 1e-9:
        return []
    towards = apart / distance
    at = (places[0], places[0] + apart)
    if isinstance(coupling, Belt):
        radii, kinds, teeth = coupling.radii, ("pulley", "pulley"), (0, 0)
    else:
        one, two = teeth = coupling.teeth
        whole = abs(two - one) if coupling.internal else one + two
        if not whole:
            return []
        radii = (distance * one / whole, distance * two / whole)
        kinds = tuple("ring" if coupling.internal and z == max(teeth) else "gear" for z in teeth)
    ways = (towards, -towards)
    if isinstance(coupling, Gear) and coupling.internal:  # both meet on the far side of the pinion
        ways = (towards, towards) if teeth[1] < teeth[0] else (-towards, -towards)
    return [
        Wheel(kinds[k], names[k], joints[k].child, at[k], axis, ways[k], radii[k], teeth[k], bool(k)) for k in range(2)
    ]


def _place(frames: Frames, joint: Any) -> Array | None:
    points = frames.joint_points(joint)
    return None if points is None or not isinstance(joint, Revolute) else frames.world(joint.child, points[1])


def _pinion(system: System, frames: Frames, rack: Rack) -> list[Wheel]:
    """The rack's pinion; it meets the rack where its rim moves as that does: at n = slide × axis."""
    joint: Any = system.joints[rack.pinion]
    bar = system.joints[rack.rack]
    at, slide = _place(frames, joint), getattr(bar, "axis", None)
    if at is None or slide is None or joint.child == GROUND:
        return []
    axis = np.array(joint.axis)
    towards = np.cross(np.array(slide), axis)
    if abs(np.linalg.norm(towards) - 1.0) > PARALLEL:
        return []
    teeth = RACK_TEETH
    for gear in system.couplings.values():  # where the same wheel meshes with another one, its teeth are known
        for wheel in wheels(system, frames, gear) if isinstance(gear, Gear) else ():
            if wheel.joint == rack.pinion and abs(wheel.radius / abs(rack.radius) - 1.0) < 1e-3:
                return [replace(wheel, kind="gear")]
    towards = towards if rack.radius > 0.0 else -towards
    return [Wheel("gear", rack.pinion, joint.child, at, axis, towards, abs(rack.radius), teeth)]


def _cones(gear: Gear, names: tuple[str, str], joints: list[Any], places: list[Any]) -> list[Wheel]:
    """Bevel gears about axes that meet; as large as the nearer of the two joints leaves room for."""
    a, b = (np.array(joint.axis) for joint in joints)
    apart = places[1] - places[0]
    (s, t), *_ = np.linalg.lstsq(np.stack([a, -b], axis=1), apart, rcond=None)
    apex = places[0] + s * a
    if (
        np.linalg.norm(apex - (places[1] + t * b)) > 1e-6 * (np.linalg.norm(apart) + 1e-12)
        or min(abs(s), abs(t)) < 1e-9
    ):
        return []
    u, v = -np.sign(s) * a, -np.sign(t) * b  # from where the axes meet towards the wheels
    angle = float(np.arccos(np.clip(u @ v, -1.0, 1.0)))
    slopes = [float(np.arctan2(np.sin(angle), z + np.cos(angle))) for z in (gear.teeth[1] / gear.teeth[0],)]
    slopes.append(angle - slopes[0])
    if gear.internal or not all(0.0 < slope < 0.5 * np.pi for slope in slopes):
        return []
    slant = min(abs(s) / np.cos(slopes[0]), abs(t) / np.cos(slopes[1]))
    found = []
    for k, (along, other) in enumerate(((u, v), (v, u))):
        across = other - (other @ along) * along
        middle = apex + slant * np.cos(slopes[k]) * along
        radius = slant * np.sin(slopes[k])
        towards = across / np.linalg.norm(across)
        found.append(
            Wheel("cone", names[k], joints[k].child, middle, along, towards, radius, gear.teeth[k], slope=slopes[k])
        )
    return found
