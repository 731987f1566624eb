"""The path of a pin's axis, or of a ball's centre, in its clearance, as the bearing sees it.

With the pin's point P_j at d from the bearing's, both in the bearing's axes, and the pin's axis along h, this axis
pierces the plane at z across the bore at e(z) = d_⊥ + (z − d_z) h_⊥/h_z.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.joint_axes import joint_axes
from gudgeon.models.dry import Dry
from gudgeon.models.journal import Journal
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.lubricated_journal import LubricatedJournal
from gudgeon.models.worn_journal import WornJournal
from gudgeon.rotations import conjugate, product, turned

if TYPE_CHECKING:
    from gudgeon.joints import Joint
    from gudgeon.results.result import Result
    from gudgeon.system import System

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

    @property
    def play(self) -> float:
        """The clearance, and what is worn away where that is deepest [m]."""
        return self.clearance + (0.0 if self.worn is None else float(self.worn.max()))


def played(result: Result, name: str) -> Played:
    """The paths in the joint `name`, at both ends of its land where they differ."""
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
        paths = _of_pin(result, system, name, joint, model)
        worn: dict[str, np.ndarray] = {}
        if isinstance(model, WornJournal) and (model.bore_wear or model.pin_wear):
            angle = result.data.joint_position.sel(coordinate=f"{name}.angle").values
            worn = {"worn": _depths(model.bore_wear), "worn_pin": _depths(model.pin_wear)}
            worn["turned"] = angle if model.pin_on == "child" else -angle
        return Played(model.bore_radius, model.clearance, paths, True, isinstance(model, LubricatedJournal), **worn)
    if isinstance(model, Dry | Lubricated):
        return Played(
            model.socket_radius,
            model.clearance,
            (_of_ball(result, system, name, joint, model.ball_on),),
            False,
            isinstance(model, Lubricated),
        )
    raise ModelError(
        f"plot_joint: {joint.label(name)} has the model {type(model).__name__}; it draws pins in bores and balls in "
        "sockets: see result.plot(joints=[...]) for others"
    )


def _depths(rows: tuple[tuple[float, ...], ...]) -> np.ndarray:
    """Worn depths around at equal angles, of splines at their knots."""
    if not rows:
        return np.zeros(ROUND)
    w = np.array(rows).mean(axis=0)
    return (np.roll(w, 1) + 4.0 * w + np.roll(w, -1)) / 6.0


def _turn(result: Result, system: System, body: str) -> np.ndarray:
    """Quaternions (time, 4) of a body against the pose in which it is described."""
    if body == GROUND:
        return np.tile((1.0, 0.0, 0.0, 0.0), (result.data.sizes["time"], 1))
    return product(result.data.orientation.sel(body=body).values, conjugate(np.array(system.bodies[body].orientation)))


def _of_pin(result: Result, system: System, name: str, joint: Joint, model: Journal) -> tuple[Orbit, ...]:
    bearing, pin = (joint.parent, joint.child)[:: 1 if model.pin_on == "child" else -1]
    rows = joint_axes(joint)[0]
    x, y, z = (turned(_turn(result, system, bearing), row) for row in rows)
    a, b = model.pin_tilt
    angle = float(np.hypot(a, b))
    leaning = np.array([0.0, 0.0, 1.0])
    if angle > 0.0:
        leaning = np.array([b * np.sin(angle) / angle, -a * np.sin(angle) / angle, np.cos(angle)])
    h = turned(_turn(result, system, pin), leaning @ rows)
    d = result.data.eccentricity.sel(joint=name).values
    d_z, h_z = _dot(d, z), _dot(h, z)
    flat, slope = np.stack((_dot(d, x), _dot(d, y)), 1), np.stack((_dot(h, x), _dot(h, y)), 1) / h_z[:, None]
    across = np.stack((x, y), 1)
    found = []
    lands = model.all_lands
    for label, end in (("lower end", lands[0][0]), ("upper end", lands[-1][1])):
        beyond = end * h_z if model.lands_on == "pin" else end - d_z
        found.append(Orbit(label, flat + beyond[:, None] * slope, across, ("x", "y")))
    lower, upper = found
    if np.abs(lower.path - upper.path).max(initial=0.0) <= PARALLEL * model.clearance:
        return (Orbit("", flat, across, ("x", "y")),)
    return lower, upper


def _of_ball(result: Result, system: System, name: str, joint: Joint, ball_on: str) -> Orbit:
    """In the two directions of the socket's body in which the ball moves most."""
    socket = joint.parent if ball_on == "child" else joint.child
    q = _turn(result, system, socket)
    frame = np.stack([turned(q, row) for row in np.eye(3)], 1)
    d = result.data.eccentricity.sel(joint=name).values
    local = np.einsum("tij,tj->ti", frame, d)
    one, two = sorted(np.argsort(-np.ptp(local, axis=0))[:2])
    return Orbit("", local[:, [one, two]], frame[:, [one, two]], ("xyz"[one], "xyz"[two]))


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("ti,ti->t", a, b)
