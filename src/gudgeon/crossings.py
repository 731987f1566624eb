"""Crossings: instants at which a coordinate or a signal passes a value, located inside the integrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from gudgeon.checks import Vec3, choice, direction, number, vector
from gudgeon.errors import ModelError
from gudgeon.functions.function import check_function
from gudgeon.quantities import Point, Unit


@dataclass(frozen=True, kw_only=True)
class Crossing:
    """The instants at which a joint coordinate, the coordinate of a point of a body, or a signal passes `value`.

    Give `joint` (and `coordinate`, if it has several), or `body` (with the point `at` and the world direction
    `along`), or `signal`, an expression of signals. An angle of a joint is compared modulo full turns. With `stop` the
    run ends at the first crossing. Within a step the value is evaluated so often that no body turns by more than
    0.1 rad from one evaluation to the next; a short visit between two evaluations shows by the slopes. A signal that
    varies faster than its bodies turn, such as "sin(100*main.angle)", needs a solver with a `max_step`.

    >>> import gudgeon as gd
    >>> bottom = gd.Crossing(body="bob", along=(0, 1, 0), value=0.0, direction="falling", stop=True)
    """

    joint: str | None = None
    coordinate: str | None = None
    body: str | None = None
    at: Point = (0.0, 0.0, 0.0)  # point of the body, body axes [m]
    along: Vec3 = (1.0, 0.0, 0.0)  # world direction [-]
    signal: str | None = None  # an expression of signals, such as "pid.torque"
    value: Annotated[float, Unit("rad", "m")] = 0.0  # [rad or m]
    direction: Literal["rising", "falling", "both"] = "both"
    stop: bool = False

    def __post_init__(self):
        keep = object.__setattr__
        if sum(part is not None for part in (self.joint, self.body, self.signal)) != 1:
            raise ModelError("Crossing: give joint=, body= or signal=, one of them")
        if self.signal is not None:
            check_function("Crossing", "signal", self.signal)
            if self.coordinate is not None:
                raise ModelError(f"Crossing of {self.signal!r}: coordinate= belongs to a joint; a signal takes none")
        if self.body is not None and self.coordinate is not None:
            raise ModelError(f"Crossing of {self.body!r}: coordinate= belongs to a joint; a body takes at= and along=")
        owner = f"Crossing of {self.joint or self.body or self.signal!r}"
        keep(self, "at", vector(owner, "at", self.at))
        keep(self, "along", direction(owner, "along", self.along))
        keep(self, "value", number(owner, "value", self.value))
        choice(owner, "direction", self.direction, ("rising", "falling", "both"))
