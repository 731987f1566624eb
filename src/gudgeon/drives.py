"""Drives: a joint's angle or displacement prescribed as a function of time (a rheonomic constraint), or locked."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated

from gudgeon.errors import ModelError
from gudgeon.functions.expressions import derivative, evaluate, parse
from gudgeon.functions.function import Function, check_function
from gudgeon.functions.table import Table
from gudgeon.quantities import Unit
from gudgeon.switches import check_while


@dataclass(frozen=True)
class Drive:
    """Moves `joint` so that its coordinate equals `value`, a function of the time t, at every time.

    Zero is the reference pose. Value and rate must not jump: no finite force follows a jump. An expression or a table
    of the time (`gd.Table`, `gd.motion`) is differentiated for you; if `value` is a Python function, its first and
    second derivatives must be given as `rate` and `acceleration`.
    Joints with several coordinates (cylindrical, universal …) need `coordinate`.

    With `until` the joint is free from then on; with `since` it is free before, and then moves from where it is by what
    `value` changes, its rate jumping to that of `value` (`result.switches` tells the energy). Both are times or names
    of switches (`gd.Switch`).

    >>> import gudgeon as gd
    >>> crank_at_5000_rpm = gd.Drive("crank_pin", "5000*2*pi/60*t")
    >>> started = gd.Drive("crank_pin", "200*t**2", until=0.5)
    """

    joint: str
    value: Annotated[Function, Unit("rad", "m")]  # of t: angle or displacement [rad or m]
    _: KW_ONLY
    coordinate: str | None = None  # "angle", "displacement", "angle_parent", "angle_child"
    rate: Annotated[Function | None, Unit("rad/s", "m/s")] = None  # of t [rad/s or m/s]
    acceleration: Annotated[Function | None, Unit("rad/s²", "m/s²")] = None  # of t [rad/s² or m/s²]
    since: Annotated[float | str | None, Unit("s")] = None  # time or switch from which on it acts [s]
    until: Annotated[float | str | None, Unit("s")] = None  # time or switch up to which it acts [s]

    @property
    def is_switched(self) -> bool:
        """Whether it acts for a while."""
        return self.since is not None or self.until is not None

    @property
    def told(self) -> str:
        """What it does, for reports."""
        shown = [
            f"{word} {value}" for word, value in (("since", self.since), ("until", self.until)) if value is not None
        ]
        return ", ".join([str(self.value), *shown])

    def __post_init__(self):
        owner = f"Drive of {self.joint!r}"
        check_while(owner, self)
        for part in ("value", "rate", "acceleration"):
            if part == "value" or getattr(self, part) is not None:
                given_as = check_function(owner, part, getattr(self, part), signals=False)
                object.__setattr__(self, part, given_as)
        given = (self.rate is not None) + (self.acceleration is not None)
        if isinstance(self.value, Table) and self.value.outside == "hold" and self.value.kind != "linear":
            raise ModelError(
                f"{owner}: its table is held beyond its ends, where its rate would jump; give outside='refuse', or "
                "kind='linear', whose corners are rounded"
            )
        if callable(self.value) and given < 2:
            raise ModelError(
                f"{owner}: value is a Python function, which cannot be differentiated exactly; "
                "give rate= and acceleration= as well, or write value as an expression in t"
            )
        if isinstance(self.value, str):
            rate = derivative(parse(self.value))
            for order, expression in (("rate", rate), ("acceleration", derivative(rate))):
                if not math.isfinite(evaluate(expression, 0.0)):
                    raise ModelError(
                        f"{owner}: the {order} of {self.value!r} is {evaluate(expression, 0.0)} at t = 0; "
                        "a drive needs a finite value, rate and acceleration at every t"
                    )
        if not callable(self.value) and given:
            raise ModelError(f"{owner}: rate and acceleration follow from the expression; leave them out")


@dataclass(frozen=True)
class Lock(Drive):
    """Holds `joint` where it is, from the start or since a time or switch, to the end or until another.

    What moves then stops at once, an inelastic impact: velocities change as impulses in the lock and in the ideal
    joints make them, and `result.switches` tells the energy lost. Locking what is at rest and unlocking change nothing.

    >>> import gudgeon as gd
    >>> clutch = gd.Lock("clutch", since=0.5)  # the joint "clutch" connects two shafts
    """

    value: float = field(default=0.0, init=False, repr=False)  # from where it is
    rate: None = field(default=None, init=False, repr=False)
    acceleration: None = field(default=None, init=False, repr=False)

    @property
    def is_switched(self) -> bool:
        """It holds where the joint then is."""
        return True

    @property
    def told(self) -> str:
        """What it does, for reports."""
        return ", ".join(["held", *super().told.split(", ")[1:]])

    def __post_init__(self):
        check_while(f"Lock of {self.joint!r}", self)
