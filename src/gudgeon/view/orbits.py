"""The path of a pin's axis, or of a ball's centre, in its clearance, as the bearing sees it.

With the pin's point P_j at d from the bearing's, both in the bearing's axes, and the pin's axis along h, this axis
pierces the plane at z across the bore at e(z) = d_⊥ + (z − d_z) h_⊥/h_z.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.joint_axes import joint_axes
from gudgeon.models.box_in_guide import BoxInGuide
from gudgeon.models.dry import Dry
from gudgeon.models.dry_cross import DryCross
from gudgeon.models.dry_keyed_shaft import DryKeyedShaft
from gudgeon.models.journal import Journal
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.lubricated_journal import LubricatedJournal
from gudgeon.models.worn_journal import WornJournal
from gudgeon.rotations import conjugate, product, turned

if TYPE_CHECKING:
    from gudgeon.joints import Joint
    from gudgeon.results.result import Result
    from gudgeon.system import System
    from gudgeon.view.box_orbits import BoxPlayed

ROUND = 120  # angles at which a surface is drawn that is not worn
PARALLEL = 0.02  # distance of the two ends' paths below which one is drawn, of the clearance


@dataclass(frozen=True)
class Orbit:
    """A path in a clearance."""

    label: str
    path: np.ndarray  # (time, 2) [m]
    across: np.ndarray  # (time, 2, 3): the two directions of the picture, world axes [-]
    axes: tuple[str, str]  # their names


@dataclass(frozen=True)
class Key:
    """A key on a shaft, in the slot of its hub."""

    width: float  # [m]
    lever: float  # of the middle of its flanks from the axis [m]
    height: float  # of its flanks [m]
    clearance: float  # on either side of the centred key [m]
    towards: np.ndarray  # (2) from the axis to it, in the picture [-]
    turned: np.ndarray  # (time) of the shaft in its hub [rad]
    paths: tuple[np.ndarray, ...]  # (time, 2) of the shaft's axis at both ends of what can touch [m]

    def depths(self) -> dict[str, np.ndarray]:
        """flank: (time) of the deepest corner of it in the slot; negative: gap [m]."""
        right = np.array([-self.towards[1], self.towards[0]])  # seen along the axis, which comes out of the picture
        c, s = np.cos(self.turned)[:, None] - 1.0, np.sin(self.turned)[:, None]
        out = {}
        for flank, side in (("left", -1.0), ("right", 1.0)):
            corners = []
            for lever in (self.lever - 0.5 * self.height, self.lever + 0.5 * self.height):
                at = lever * self.towards + 0.5 * side * self.width * right
                off = c * at + s * np.array([-at[1], at[0]])
                corners += [side * (path + off) @ right for path in self.paths]
            out[flank] = np.max(corners, axis=0) - self.clearance
        return out


@dataclass(frozen=True)
class Played:
    """A joint with play that can be drawn from inside."""

    radius: float  # of bore or socket [m]
    clearance: float  # radial [m]
    orbits: tuple[Orbit, ...]
    pin: bool  # else a ball
    oil: bool
    worn: np.ndarray | None = None  # off the bore, at equal angles from x, mean of its slices [m]
    worn_pin: np.ndarray | None = None  # likewise off the pin
    turned: np.ndarray | None = None  # (time) of the pin in the bore [rad]
    key: Key | None = None  # on the pin, in a slot of the bore

    @property
    def play(self) -> float:
        """The clearance, and what is worn away where that is deepest [m]."""
        return self.clearance + (0.0 if self.worn is None else float(self.worn.max()))


def played(result: Result, name: str) -> Played | BoxPlayed:
    """The paths in the joint `name`, at both ends of its land, or of its box, where they differ."""
    from gudgeon.view.box_orbits import box_played

    system = result.system
    if system is None:
        raise ModelError(
            "plot_joint: this loaded result has no system, thus no joint's geometry; draw it before it is saved"
        )
    if name not in system.joints:
        raise ModelError(f"plot_joint: no joint {name!r}; {did_you_mean(name, list(system.joints))}")
    joint = system.joints[name]
    model = joint.model
    if isinstance(model, Journal):
        paths = _of_pin(_axis(result, system, name, joint, model), model)
        worn: dict[str, Any] = {}
        if isinstance(model, WornJournal) and (model.bore_wear or model.pin_wear):
            angle = result.data.joint_position.sel(coordinate=f"{name}.angle").values
            worn = {"worn": _depths(model.bore_wear), "worn_pin": _depths(model.pin_wear)}
            worn["turned"] = angle if model.pin_on == "child" else -angle
        return Played(model.bore_radius, model.clearance, paths, True, isinstance(model, LubricatedJournal), **worn)
    if isinstance(model, DryKeyedShaft):
        shaft, axis = model.shaft, _axis(result, system, name, joint, model.shaft)
        key = _key(result, system, joint, model, axis)
        return Played(shaft.bore_radius, shaft.clearance, _of_pin(axis, shaft), True, False, key=key)
    if isinstance(model, BoxInGuide):
        return box_played(result, name, joint, model)
    if isinstance(model, DryCross):
        raise ModelError(
            f"plot_joint: {joint.label(name)} has the model DryCross, whose pins are joints of their own: draw "
            f"{name + '.parent'!r} or {name + '.child'!r}"
        )
    if isinstance(model, Dry | Lubricated):
        return Played(
            model.socket_radius,
            model.clearance,
            (_of_ball(result, system, name, joint, model.ball_on),),
            False,
            isinstance(model, Lubricated),
        )
    raise ModelError(
        f"plot_joint: {joint.label(name)} has the model {type(model).__name__}; it draws pins in bores, balls in "
        "sockets and boxes in guides: see result.plot(joints=[...]) for others"
    )


def _depths(rows: tuple[tuple[float, ...], ...]) -> np.ndarray:
    """Worn depths around at equal angles, of splines at their knots."""
    if not rows:
        return np.zeros(ROUND)
    w = np.array(rows).mean(axis=0)
    return (np.roll(w, 1) + 4.0 * w + np.roll(w, -1)) / 6.0


def turn_of_body(result: Result, system: System, body: str) -> np.ndarray:
    """Quaternions (time, 4) of a body against the pose in which it is described."""
    if body == GROUND:
        return np.tile((1.0, 0.0, 0.0, 0.0), (result.data.sizes["time"], 1))
    return product(result.data.orientation.sel(body=body).values, conjugate(np.array(system.bodies[body].orientation)))


@dataclass(frozen=True)
class Axis:
    """The axis of a pin in its bore, seen from this: it pierces the plane at z at e(z) = d_⊥ + (z − d_z) h_⊥/h_z."""

    flat: np.ndarray  # (time, 2) d_⊥ [m]
    slope: np.ndarray  # (time, 2) h_⊥/h_z [-]
    d_z: np.ndarray  # (time) [m]
    h_z: np.ndarray  # (time) [-]
    across: np.ndarray  # (time, 2, 3) the joint's x and y, world axes [-]

    def at(self, end: float, on: str) -> np.ndarray:
        """(time, 2) where it is at an `end` [m] of the bore, or of the pin."""
        beyond = end * self.h_z if on == "pin" else end - self.d_z
        return self.flat + beyond[:, None] * self.slope


def _axis(result: Result, system: System, name: str, joint: Joint, model: Journal) -> Axis:
    bearing, pin = (joint.parent, joint.child)[:: 1 if model.pin_on == "child" else -1]
    rows = joint_axes(joint)[0]
    x, y, z = (turned(turn_of_body(result, system, bearing), row) for row in rows)
    a, b = model.pin_tilt
    angle = float(np.hypot(a, b))
    leaning = np.array([0.0, 0.0, 1.0])
    if angle > 0.0:
        leaning = np.array([b * np.sin(angle) / angle, -a * np.sin(angle) / angle, np.cos(angle)])
    h = turned(turn_of_body(result, system, pin), leaning @ rows)
    d = result.data.eccentricity.sel(joint=name).values
    d_z, h_z = _dot(d, z), _dot(h, z)
    flat, slope = np.stack((_dot(d, x), _dot(d, y)), 1), np.stack((_dot(h, x), _dot(h, y)), 1) / h_z[:, None]
    return Axis(flat, slope, d_z, h_z, np.stack((x, y), 1))


def _of_pin(axis: Axis, model: Journal) -> tuple[Orbit, ...]:
    lands = model.all_lands
    ends = (("lower end", lands[0][0]), ("upper end", lands[-1][1]))
    lower, upper = (Orbit(label, axis.at(end, model.lands_on), axis.across, ("x", "y")) for label, end in ends)
    if np.abs(lower.path - upper.path).max(initial=0.0) <= PARALLEL * model.clearance:
        return (Orbit("", axis.flat, axis.across, ("x", "y")),)
    return lower, upper


def _key(result: Result, system: System, joint: Joint, model: DryKeyedShaft, axis: Axis) -> Key:
    """The key of a shaft, and how far it is turned about the hub's axis."""
    hub, shaft = (joint.parent, joint.child)[:: 1 if model.shaft.pin_on == "child" else -1]
    rows = joint_axes(joint)[0]
    x, y = (turned(turn_of_body(result, system, hub), row) for row in rows[:2])
    across = turned(turn_of_body(result, system, shaft), rows[0])
    length, on = model.key_length, "pin"
    if model.slot_length is not None and model.slot_length < length:
        length, on = model.slot_length, "bore"
    towards = np.array([0.0, 1.0]) if model.key_towards is None else (rows @ np.array(model.key_towards))[:2]
    return Key(
        model.key_width,
        model.key_lever,
        model.key_height,
        model.key_clearance,
        towards,
        np.arctan2(_dot(across, y), _dot(across, x)),
        tuple(axis.at(end, on) for end in (-0.5 * length, 0.5 * length)),
    )


def _of_ball(result: Result, system: System, name: str, joint: Joint, ball_on: str) -> Orbit:
    """In the two directions of the socket's body in which the ball moves most."""
    socket = joint.parent if ball_on == "child" else joint.child
    q = turn_of_body(result, system, socket)
    frame = np.stack([turned(q, row) for row in np.eye(3)], 1)
    d = result.data.eccentricity.sel(joint=name).values
    local = np.einsum("tij,tj->ti", frame, d)
    one, two = sorted(np.argsort(-np.ptp(local, axis=0))[:2])
    return Orbit("", local[:, [one, two]], frame[:, [one, two]], ("xyz"[one], "xyz"[two]))


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("ti,ti->t", a, b)
