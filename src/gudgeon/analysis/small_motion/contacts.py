"""Joints with clearance in a small motion: touching or flying, and how small a step their laws allow."""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.small_motion.poses import cross
from gudgeon.analysis.small_motion.rows import Rows
from gudgeon.errors import ModelError
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import ECCENTRICITY, FLIGHT, IMPACT_SPEED, MODE, RATE_OF, TOUCHING
from gudgeon.laws.friction import LuGre
from gudgeon.models.dry import Dry
from gudgeon.models.lubricated import Lubricated
from gudgeon.results.result import Result

LARGEST_STEP = 0.03  # of the mechanism's size, or of a radian [-]
LARGEST_SHARE = 0.1  # of the length or speed over which a law changes [-]
JUST_TOUCHING = 1e-12  # a penetration below this is none [m]


def modes_of_state(rows: Rows, y: np.ndarray) -> None:
    """A ball pressed into its socket touches, and began to at the speed it has; others fly. Surfaces likewise."""
    from gudgeon.surface_contact.asked import least_gap

    model, contact, local = rows.equations.model, rows.equations.work.contact, rows.equations.work.local
    contact[:] = 0.0
    rows.forces(y)
    for k in range(len(contact)):
        if model.compliant[k, arrays.KIND] == arrays.SURFACE:
            gap, rate = least_gap(rows.equations, k)
            if gap < -JUST_TOUCHING:
                contact[k, MODE], contact[k, IMPACT_SPEED] = TOUCHING, max(0.0, -rate)
            continue
        e = local[k, ECCENTRICITY : ECCENTRICITY + 3]
        if np.linalg.norm(e) > model.compliant_vector[k, arrays.FREE_PATH] + JUST_TOUCHING:
            contact[k, MODE] = TOUCHING
            contact[k, IMPACT_SPEED] = max(0.0, float(e @ local[k, RATE_OF : RATE_OF + 3] / np.linalg.norm(e)))
    _refuse_bristles(rows)


def modes_of_run(rows: Rows, result: Result, time: float) -> None:
    """The modes a run had at a time."""
    contact, names = rows.equations.work.contact, rows.equations.compliant.names
    contact[:] = 0.0
    events = result.events
    for joint, begin, end, speed in zip(
        events["joint"], events["begin"], events["end"], events["impact_speed"], strict=True
    ):
        if begin <= time and not end <= time:  # the end of one that outlasts the run is nan
            k = names.index(joint)
            contact[k, MODE], contact[k, IMPACT_SPEED] = TOUCHING, speed
    _refuse_bristles(rows)


def _refuse_bristles(rows: Rows) -> None:
    for k, name in enumerate(rows.equations.compliant.names):
        joint = rows.equations.system.joints[name]
        is_bristly = isinstance(joint.model, Dry | Lubricated) and isinstance(joint.model.friction, LuGre)
        if is_bristly and rows.equations.work.contact[k, MODE] != FLIGHT:
            raise ModelError(
                f"{joint.label(name)}: it touches with LuGre friction, whose bristles are a state of their own that "
                "mass, damping and stiffness cannot show; give another friction law, or friction=None"
            )


class Steps:
    """The largest steps for differences about the state y: shares of the lengths and speeds its laws know."""

    def __init__(self, rows: Rows, y: np.ndarray):
        from gudgeon.surface_contact.asked import least_gap

        self._rows = rows
        rows.forces(y)
        model, work, body = rows.equations.model, rows.equations.work, rows.body
        vector, table = model.compliant_vector, model.compliant
        self._lines: list[tuple[int, np.ndarray, int, np.ndarray]] = []  # bodies and arms of both sides
        self._lengths: list[float] = []
        self._speeds: list[float] = []
        self._radii: list[float] = []  # within which a turn shifts the points of surfaces
        for k in range(len(table)):
            e = float(np.linalg.norm(work.local[k, ECCENTRICITY : ECCENTRICITY + 3]))
            is_moving = bool(np.any(work.local[k, RATE_OF : RATE_OF + 3]))
            length = speed = np.inf
            is_surface = table[k, arrays.KIND] == arrays.SURFACE
            if is_moving and table[k, arrays.KIND] < arrays.MATRIX_BUSHING:
                length = max(e, 1e-9)
            if is_moving and table[k, arrays.KIND] == arrays.LUBRICATED:
                length = min(length, max(vector[k, arrays.CLEARANCE] - e, vector[k, arrays.SMALLEST_FILM]))
            if work.contact[k, MODE] != FLIGHT:
                depth = -least_gap(rows.equations, k)[0] if is_surface else e - vector[k, arrays.FREE_PATH]
                length = min(length, max(abs(depth), JUST_TOUCHING))
                speed = max(work.contact[k, IMPACT_SPEED], vector[k, arrays.SMALLEST_IMPACT])
            arms = []
            for side, at in ((arrays.SOCKET, arrays.IN_SOCKET), (arrays.BALL, arrays.IN_BALL)):
                b = int(table[k, side])
                rotation = body[b, arrays.ROTATION : arrays.ROTATION + 9].reshape(3, 3)
                arms += [b, rotation @ vector[k, at : at + 3]]
            self._lines.append((arms[0], arms[1], arms[2], arms[3]))
            self._lengths.append(length)
            self._speeds.append(speed)
            self._radii.append(float(vector[k, arrays.BALL_RADIUS]) if is_surface else 0.0)

    def shifts(self, twist: np.ndarray) -> list[float]:
        """How far a twist shifts the ball of every compliant joint in its socket, or the points of its surfaces."""
        moves = np.vstack([np.zeros(6), twist.reshape(-1, 6)])
        return [
            float(np.linalg.norm(moves[j, :3] + cross(moves[j, 3:], q) - moves[i, :3] - cross(moves[i, 3:], s)))
            + radius * float(np.linalg.norm(moves[j, 3:] - moves[i, 3:]))
            for (i, s, j, q), radius in zip(self._lines, self._radii, strict=True)
        ]

    def size(self, twist: np.ndarray) -> float:
        """The largest motion of a body: translation against the mechanism's size, or rotation [rad]."""
        moves = twist.reshape(-1, 6)
        return float(max(np.abs(moves[:, :3]).max() / self._rows.size, np.abs(moves[:, 3:]).max()))

    def displacement(self, twist: np.ndarray) -> float:
        """The largest step along a twist."""
        step = LARGEST_STEP / self.size(twist)
        for shift, length in zip(self.shifts(twist), self._lengths, strict=True):
            if shift * step > LARGEST_SHARE * length:
                step = LARGEST_SHARE * length / shift
        return step

    def velocity(self, twist: np.ndarray) -> float:
        """The largest rate along a twist."""
        step = 1.0 / self.size(twist)
        for shift, speed in zip(self.shifts(twist), self._speeds, strict=True):
            if shift * step > LARGEST_SHARE * speed:
                step = LARGEST_SHARE * speed / shift
        return step
