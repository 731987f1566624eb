"""Wear of a pin and its bore in a run of a `gd.DryJournal`: depths around, in slices along the axis.

Its line law tells the force per length f′ of a slice, not its pressures. They are taken as an ellipse over the width of
Hertz's contact, half of it b = √(4 f′ R/(π E*)), R = R_i R_j/(R_i − R_j), at most the pin's radius; where the law knows
no E*, over the arc on which the two circles overlap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.models.dry_journal import DryJournal
from gudgeon.models.lubricated_journal import LubricatedJournal
from gudgeon.wearing.journals import ring_shapes
from gudgeon.wearing.pressed import Pressed, trapezium

if TYPE_CHECKING:
    from gudgeon.results.result import Result

POINTS = 9  # across the width of a contact
SLICES = 8  # of a land that may tilt


class RubbedLand:
    """The bore and the pin of a journal with a line law."""

    surfaces = ("bore", "pin")

    def __init__(self, name: str, model: DryJournal | LubricatedJournal, angles: int):
        self.name, self.model, self.count = name, model, angles
        slices = 1 if model.planar else SLICES
        self.places = np.array(
            [
                (lower + (k + 0.5) * (upper - lower) / slices, (upper - lower) / slices)
                for lower, upper in (model.facing_lands if model.planar else model.all_lands)
                for k in range(slices)
            ]
        )

    @property
    def areas(self) -> list[np.ndarray]:
        """A_i [m²]; of both surfaces at the bore's radius."""
        own = np.repeat(2.0 * np.pi * self.model.bore_radius / self.count * self.places[:, 1], self.count)
        return [own, own]

    def variables(self, surface: int, worn: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
        """Worn depths (row, coefficient) as a variable of a dataset, and its coordinates."""
        name = f"{self.name}.{self.surfaces[surface]}"
        along, around = f"{self.name}.slice", f"{name}.angle"
        angle = np.arange(self.count) * (2.0 * np.pi / self.count)
        values = worn.reshape(len(worn), len(self.places), self.count)
        return {name: (("cycles", along, around), values, {"units": "m", "long_name": "worn off"})}, {
            along: (along, self.places[:, 0], {"units": "m", "long_name": "place along the axis"}),
            around: (around, angle, {"units": "rad", "long_name": "angle from x"}),
        }

    def pressed(self, result: Result) -> Pressed:
        """What touched during a run."""
        from gudgeon.kernels.outputs.contact_points import (
            ANGLE,
            AREA,
            COLUMNS,
            PIN_ANGLE,
            PRESSURE,
            SAMPLE,
            SLICE,
            SPEED,
            slices_of_land,
        )
        from gudgeon.kernels.outputs.outputs import Run

        assert result._source is not None
        equations, trajectory = result._source
        names, parts = equations.compliant.names, equations.compliant
        lines = [k for k in range(len(names)) if names[k] == self.name and _is_land(parts.part(k))]
        slices, found = len(self.places) // len(lines), []
        for land, k in enumerate(lines):
            own = np.ascontiguousarray(self.places[slices * land : slices * (land + 1), 0])
            rows = np.zeros((len(trajectory.times) * slices, COLUMNS))
            run = Run(
                times=np.ascontiguousarray(trajectory.times),
                states=np.ascontiguousarray(trajectory.states),
                contacts=np.ascontiguousarray(trajectory.contacts),
                cursor=np.zeros(1, dtype=np.int64),
            )
            slices_of_land(equations.model, equations.work, k, run, own, rows)
            rows[:, SLICE] += slices * land
            found.append(rows[rows[:, PRESSURE] > 0.0])
        rows = np.concatenate(found)
        rows = rows[np.argsort(rows[:, SAMPLE], kind="stable")]
        place, sample = rows[:, SLICE].astype(np.int64), rows[:, SAMPLE].astype(np.int64)
        half = self._half_angle(rows[:, PRESSURE], rows[:, AREA])
        # equal parts of the width; the pressure of an ellipse over it
        x = (np.arange(POINTS) + 0.5) / POINTS * 2.0 - 1.0
        share = np.sqrt(1.0 - x * x) / np.sum(np.sqrt(1.0 - x * x))
        R, length = self.model.bore_radius, self.places[place, 1]
        area = np.repeat(2.0 * half * R / POINTS * length, POINTS)
        load = np.outer(rows[:, PRESSURE] * length, share).ravel()
        owner = np.repeat(np.arange(len(rows)), POINTS)
        angle = (half[:, None] * x).ravel()
        places = place[owner]
        shapes = tuple(
            ring_shapes(rows[owner, column] + angle, places, len(self.places), self.count)
            for column in (ANGLE, PIN_ANGLE)
        )
        times = trajectory.times
        dt = trapezium(times)[sample[owner]]
        middle = rows[owner, ANGLE] + angle
        return Pressed(
            sample[owner],
            area * dt,
            area,
            load / area,
            np.zeros(len(area)),
            rows[owner, SPEED],
            np.column_stack([np.cos(middle), np.sin(middle)]),
            2,
            shapes,
            float(times[-1] - times[0]),
        )

    def _half_angle(self, line_force: np.ndarray, depth: np.ndarray) -> np.ndarray:
        R_i, R_j, c = self.model.bore_radius, self.model.pin_radius, self.model.clearance
        modulus = getattr(self.model.contact, "modulus", 0.0)
        if modulus > 0.0:
            return np.minimum(np.sqrt(4.0 * line_force * R_i * R_j / (c * np.pi * modulus)), R_j) / R_i
        return np.arccos(c / (c + depth))


def _is_land(part: Any) -> bool:
    return part is not None and part.element in ("land", "planar land")
