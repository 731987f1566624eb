"""Wear of a pin and its bore: profiles around, on cubic B-splines, in slices along the axis."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from gudgeon.models.worn_journal import WornJournal
from gudgeon.wearing.admissible import admissible
from gudgeon.wearing.frozen import Reachable
from gudgeon.wearing.pressed import Pressed, trapezium

if TYPE_CHECKING:
    from gudgeon.results.result import Result
    from gudgeon.system import System

GUESSED = 48  # points that touch at a sample, at first
FINER = 3  # points around for every coefficient, of what may touch


class WearingJournal:
    """The bore and the pin of a `gd.WornJournal`, with `angles` coefficients around each."""

    surfaces = ("bore", "pin")

    def __init__(self, name: str, model: WornJournal, angles: int):
        self.name, self.model = name, model
        counts = [len(rows[0]) if rows else angles for rows in (model.bore_wear, model.pin_wear)]
        self.counts = counts[0], counts[1]
        self._ways: np.ndarray | None = None  # (4, ways): along x and y, about x and y, that the mechanism leaves

    @property
    def start(self) -> list[np.ndarray]:
        """The coefficients that are there already [m]."""
        shapes = [(self.model.slice_count, count) for count in self.counts]
        given = (self.model.bore_wear, self.model.pin_wear)
        return [np.array(rows).ravel() if rows else np.zeros(n * m) for rows, (n, m) in zip(given, shapes, strict=True)]

    @property
    def areas(self) -> list[np.ndarray]:
        """A_i [m²]; of both surfaces at the bore's radius, as contact has it."""
        lengths = self.model.slice_places[:, 1]
        return [np.repeat(2.0 * np.pi * self.model.bore_radius / n * lengths, n) for n in self.counts]

    def worn(self, system: System, depths: list[np.ndarray]) -> System:
        """The system whose joint is worn by these depths."""
        slices = self.model.slice_count
        bore, pin = (w.reshape(slices, -1) for w in depths)
        return system.with_model(**{self.name: dataclasses.replace(self.model, bore_wear=bore, pin_wear=pin)})

    def variables(self, surface: int, worn: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
        """Worn depths (jump, coefficient) as a variable of a dataset, and its coordinates."""
        name, count = f"{self.name}.{self.surfaces[surface]}", self.counts[surface]
        along, around = f"{self.name}.slice", f"{name}.angle"
        what = "worn off, coefficients of a periodic cubic B-spline around"
        values = worn.reshape(len(worn), self.model.slice_count, count)
        return {name: (("cycles", along, around), values, {"units": "m", "long_name": what})}, {
            along: (along, self.model.slice_places[:, 0], {"units": "m", "long_name": "place along the axis"}),
            around: (around, np.arange(count) * (2.0 * np.pi / count), {"units": "rad", "long_name": "angle from x"}),
        }

    def recalled(self, surface: int, values: np.ndarray) -> np.ndarray:
        """Coefficients of a row of such a variable."""
        return values.ravel()

    def pressed(self, result: Result) -> Pressed:
        """What touched during a run."""
        from gudgeon.kernels.outputs.contact_points import (
            ANGLE,
            AREA,
            PIN_ANGLE,
            PRESSURE,
            PUSH,
            SAMPLE,
            SLICE,
            SPEED,
            STIFFNESS,
        )

        times, rows = points_of_lands(result, self.name)
        dt, places = trapezium(times), rows[:, SLICE].astype(np.int64)
        sample = rows[:, SAMPLE].astype(np.int64)
        directions = 2 if self.model.planar else 4
        slices = self.model.slice_count
        shapes = tuple(
            ring_shapes(rows[:, column], places, slices, count)
            for column, count in zip((ANGLE, PIN_ANGLE), self.counts, strict=True)
        )
        return Pressed(
            sample,
            rows[:, AREA] * dt[sample],
            rows[:, AREA],
            rows[:, PRESSURE],
            rows[:, STIFFNESS],
            rows[:, SPEED],
            rows[:, PUSH : PUSH + directions],
            2,
            shapes,
            float(times[-1] - times[0]),
        )

    @property
    def scale(self) -> float:
        """The radial clearance [m]."""
        return self.model.clearance

    def reachable(self, result: Result, samples: np.ndarray, depths: list[np.ndarray]) -> Reachable:
        """The side of the bore that the pin is nearer to, at some samples."""
        model, poses = self.model, poses_of_lands(result, self.name, samples)
        places, slices = model.slice_places, model.slice_count
        count = FINER * max(self.counts)
        angle = np.arange(count) * (2.0 * np.pi / count)
        n = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        axis, slope, turned = poses[:, :2], poses[:, 2:4], poses[:, 4]
        e = axis[:, None, :] + places[None, :, :1] * slope[:, None, :]  # (instant, slice, 2)
        nk = slope @ n.T
        S = np.sqrt(1.0 + nk * nk)
        reach = np.einsum("tsc,ac->tsa", e, n) + (model.pin_radius * (S - 1.0))[:, None, :] - model.clearance
        instant, place, at = np.nonzero(reach > -model.clearance)
        shapes = (
            ring_shapes(angle[at], place, slices, self.counts[0]),
            ring_shapes(angle[at] - turned[instant], place, slices, self.counts[1]),
        )
        depth = reach[instant, place, at] - shapes[0] @ depths[0] - shapes[1] @ depths[1]
        lever = places[place, 0] + model.pin_radius * nk[instant, at] / S[instant, at]
        nx, ny = n[at].T  # turned about x and y, its axis moves by (z w_y, −z w_x)
        if self._ways is None:
            ways = admissible(result, self.name, model.bore_radius)[[0, 1, 3, 4]]
            self._ways = _independent(ways, model)
        push = np.column_stack([nx, ny, -lever * ny, lever * nx]) @ self._ways
        area = (2.0 * np.pi / count * model.bore_radius) * places[place, 1]
        return Reachable(instant, depth, area, push, shapes)


def _independent(ways: np.ndarray, model: WornJournal) -> np.ndarray:
    """The ways that change the depth, orthogonal to each other: displacements across the axis, and tilts."""
    if model.planar:
        ways = ways * [[1.0], [1.0], [0.0], [0.0]]
    scale = np.array([1.0, 1.0, model.bore_radius, model.bore_radius])[:, None]
    found, sizes, _ = np.linalg.svd(scale * ways, full_matrices=False)
    return found[:, sizes > 1e-9 * max(1e-300, sizes.max(initial=0.0))] / scale


def ring_shapes(angle: np.ndarray, place: np.ndarray, slices: int, count: int) -> csr_array:
    """(point, slices × count) the periodic cubic B-splines at angles [rad] of slices."""
    u = np.mod(angle * (count / (2.0 * np.pi)), count)
    cell = np.minimum(u.astype(np.int64), count - 1)
    f = u - cell
    g = 1.0 - f
    values = np.stack([g**3, 4.0 - 3.0 * f * f * (1.0 + g), 4.0 - 3.0 * g * g * (1.0 + f), f**3], axis=1) / 6.0
    columns = place[:, None] * count + (cell[:, None] + np.arange(-1, 3)) % count
    rows = np.repeat(np.arange(len(angle)), 4)
    return csr_array((values.ravel(), (rows, columns.ravel())), shape=(len(angle), slices * count))


def points_of_lands(result: Result, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Times of the samples, and the points of all lands of a joint that touched (kernels/outputs/contact_points.py)."""
    from gudgeon.kernels.outputs.contact_points import COLUMNS, SAMPLE, SLICE, contact_points
    from gudgeon.kernels.outputs.outputs import Run

    assert result._source is not None
    equations, trajectory = result._source
    found, before = [], 0
    for k, owner in enumerate(equations.compliant.names):
        if owner != name:
            continue
        run = {
            "times": np.ascontiguousarray(trajectory.times),
            "states": np.ascontiguousarray(trajectory.states),
            "contacts": np.ascontiguousarray(trajectory.contacts),
        }
        room = GUESSED * len(trajectory.times)
        while True:
            rows = np.empty((room, COLUMNS))
            cursor = np.zeros(1, dtype=np.int64)
            count = contact_points(equations.model, equations.work, k, Run(**run, cursor=cursor), rows)
            if count <= room:
                break
            room = count
        rows = rows[:count]
        part = equations.compliant.part(k)
        assert part is not None
        rows[:, SLICE] += before
        before += int(part.numbers[3])
        found.append(rows)
    rows = np.concatenate(found) if len(found) > 1 else found[0]
    return trajectory.times, rows[np.argsort(rows[:, SAMPLE], kind="stable")] if len(found) > 1 else rows


def poses_of_lands(result: Result, name: str, samples: np.ndarray) -> np.ndarray:
    """Where the pin of a joint is in its bore at some samples (kernels/outputs/contact_points.py)."""
    from gudgeon.kernels.outputs.contact_points import POSE_COLUMNS, poses_of_land

    assert result._source is not None
    equations, trajectory = result._source
    k = list(equations.compliant.names).index(name)
    out = np.empty((len(samples), POSE_COLUMNS))
    poses_of_land(equations.model, equations.work, k, np.ascontiguousarray(trajectory.states[samples]), out)
    return out
