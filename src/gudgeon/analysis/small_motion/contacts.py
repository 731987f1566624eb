"""Joints with clearance in a small motion: touching or flying, and how small a step their laws allow."""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.small_motion.rows import Rows
from gudgeon.errors import ModelError
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.arrays import ECCENTRICITY, FLIGHT, IMPACT_SPEED, MODE, RATE_OF, TOUCHING
from gudgeon.laws.friction import LuGre
from gudgeon.results.contacts_at import ContactsAt
from gudgeon.results.result import Result
from gudgeon.rotations import skew

LARGEST_STEP = 0.03  # of the mechanism's size, or of a radian [-]
LARGEST_SHARE = 0.1  # of the length or speed over which a law changes [-]
JUST_TOUCHING = 1e-12  # a penetration below this is none [m]


def modes_of_state(rows: Rows, y: np.ndarray) -> None:
    """What is pressed into its wall touches, and began to at the speed it has; the others fly."""
    contact = rows.equations.work.contact
    contact[:] = 0.0
    for k, (depth, rate) in enumerate(_depths(rows, y)):
        if depth > JUST_TOUCHING:
            contact[k, MODE], contact[k, IMPACT_SPEED] = TOUCHING, max(0.0, rate)
    _refuse_bristles(rows)


def _depths(rows: Rows, y: np.ndarray) -> np.ndarray:
    """(lines, 2) how deep every contact is, and its rate."""
    from gudgeon.kernels.contact.gaps import depths_at

    out, equations = np.zeros((len(rows.equations.work.contact), 2)), rows.equations
    depths_at(equations.model, equations.work, y, out)
    return out


def _films(rows: Rows, y: np.ndarray) -> dict[int, float]:
    """How thick the film of a journal or a wall is where it is thinnest, by its line [m]."""
    from gudgeon.kernels.elements.table import MINIMUM_FILM, NAMED
    from gudgeon.kernels.outputs.thinnest_films import thinnest_films

    compliant, equations = rows.equations.compliant, rows.equations
    lines = []
    for k in range(len(compliant.names)):
        part = compliant.part(k)
        if part is not None and MINIMUM_FILM in NAMED[part.element].outputs:
            lines.append(k)
    out = np.zeros(len(lines))
    if lines:
        thinnest_films(equations.model, equations.work, y, np.array(lines), out)
    return dict(zip(lines, out.tolist(), strict=True))


def modes_of_run(rows: Rows, result: Result, time: float) -> None:
    """The modes and impact speeds a run had at a time; lines of its contacts may be others here."""
    assert result._source is not None
    (ran, trajectory), contact, compliant = result._source, rows.equations.work.contact, rows.equations.compliant
    line = {part: k for k, part in enumerate(zip(compliant.names, compliant.parts, strict=True))}
    there = ContactsAt(trajectory.contacts, len(ran.contact_labels)).at(time)
    contact[:] = 0.0
    for its in there.touching:
        k = line[ran.contact_joints[its], ran.contact_parts[its]]
        contact[k, MODE], contact[k, IMPACT_SPEED] = TOUCHING, there.impact_speed[its]
    _refuse_bristles(rows)


def _refuse_bristles(rows: Rows) -> None:
    for k, name in enumerate(rows.equations.compliant.names):
        joint = rows.equations.system.joints[name]
        is_bristly = isinstance(getattr(joint.model, "friction", None), LuGre)
        if is_bristly and rows.equations.work.contact[k, MODE] != FLIGHT:
            raise ModelError(
                f"linearize: {joint.label(name)} touches with LuGre friction, whose bristles are a state of their own "
                "that mass, damping and stiffness cannot show; give another friction law, or friction=None"
            )


class Steps:
    """The largest steps for differences about the state y: shares of the lengths and speeds its laws know."""

    def __init__(self, rows: Rows, y: np.ndarray):
        self._size, self._nodes = rows.size, rows.nodes
        depths, films = _depths(rows, y), _films(rows, y)
        rows.forces(y)
        model, work, body = rows.equations.model, rows.equations.work, rows.body
        vector, table = model.compliant_vector, model.compliant
        count = len(table)
        self._lengths, self._speeds = np.full(count, np.inf), np.full(count, np.inf)
        is_ball = np.isfinite(vector[:, arrays.SOCKET_RADIUS])
        is_stop = (table[:, arrays.KIND] == arrays.STOP) & (vector[:, arrays.STOP_IS_ANGLE] > 0.0)  # by its angle
        radii = np.where(is_ball, 0.0, vector[:, arrays.BALL_RADIUS])  # within which a turn shifts points
        self._radii = np.where(is_stop, 1.0, radii)
        for k in range(count):
            e = float(np.linalg.norm(work.local[k, ECCENTRICITY : ECCENTRICITY + 3]))
            is_moving = bool(np.any(work.local[k, RATE_OF : RATE_OF + 3]))
            length = np.inf
            if table[k, arrays.KIND] == arrays.PART and not is_ball[k]:  # it may have slid away from where it touches
                self._radii[k] += e
            if is_moving and table[k, arrays.VIEW] == arrays.POINTS_ONLY:  # it acts along the eccentricity
                length = max(e, 1e-9)
            if is_moving and table[k, arrays.FILM_CALL] > 0 and k not in films:
                length = min(length, max(vector[k, arrays.CLEARANCE] - e, vector[k, arrays.SMALLEST_FILM]))
            if k in films:  # also where it does not move but spins
                length = min(length, films[k])
            if work.contact[k, MODE] != FLIGHT:
                length = min(length, max(abs(depths[k, 0]), JUST_TOUCHING))
                self._speeds[k] = max(work.contact[k, IMPACT_SPEED], vector[k, arrays.SMALLEST_IMPACT])
            self._lengths[k] = length
        self._bodies = table[:, [arrays.SOCKET, arrays.BALL]].T
        rotation = body[:, arrays.ROTATION : arrays.ROTATION + 9].reshape(-1, 3, 3)
        self._arms = [
            (rotation[b] @ vector[:, at : at + 3, None])[:, :, 0]
            for b, at in zip(self._bodies, (arrays.IN_SOCKET, arrays.IN_BALL), strict=True)
        ]

    def shift_vectors(self, motions: np.ndarray) -> np.ndarray:
        """How motions (bodies and nodes, columns) shift all balls in their sockets (compliant joints, 3, columns)."""
        lines = self._nodes.lines(motions).reshape(-1, 6, motions.shape[1])
        moves = np.concatenate([np.zeros((1, 6, motions.shape[1])), lines])
        of_socket, of_ball = (
            moves[b, :3] - skew(s) @ moves[b, 3:] for b, s in zip(self._bodies, self._arms, strict=True)
        )
        return of_ball - of_socket

    def shifts(self, twist: np.ndarray) -> np.ndarray:
        """How far a twist shifts the ball of every compliant joint in its socket, or the points of its surfaces."""
        turns = np.vstack([np.zeros(3), self._nodes.lines(twist).reshape(-1, 6)[:, 3:]])
        socket, ball = (turns[b] for b in self._bodies)
        moved = self.shift_vectors(twist[:, None])[:, :, 0]
        return np.linalg.norm(moved, axis=1) + self._radii * np.linalg.norm(ball - socket, axis=1)

    def of_joints(self, *, rate: bool) -> np.ndarray:
        """(compliant joints, 2) the largest translation and turn of each joint, or the largest rates of them."""
        limits, largest = (self._speeds, 1.0) if rate else (self._lengths, LARGEST_STEP)
        share = LARGEST_SHARE * limits
        turns = np.divide(share, self._radii, out=np.full(len(share), np.inf), where=self._radii > 0.0)
        return np.stack([np.minimum(largest * self._size, share), np.minimum(largest, turns)], axis=1)
