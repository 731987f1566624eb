"""PID: the controller that everybody begins with, with filtered derivative, limits and anti-windup.

    v = kp e + I + D,   u = v within its limits,   e = setpoint − measured
    İ = ki e + (u − v)/T_t                                      back-calculation while a limit is met
    D = kd (e − e_f)/T_f,   ė_f = (e − e_f)/T_f                  or kd times a rate that is given

K. J. Åström, R. M. Murray: Feedback Systems, chapter 10. Sampled: I by forward, D by backward differences, as there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.checks import number
from gudgeon.controllers import RESERVED, Control, Controller
from gudgeon.errors import ModelError
from gudgeon.functions.function import Function, check_function
from gudgeon.functions.table import Table
from gudgeon.quantities import Time

OWN = {"error", "integral", "filtered", "measured", "setpoint", "unlimited", "rate", "change"}  # names it uses itself


@dataclass(frozen=True, kw_only=True)
class MadeOfPID(Controller):
    """What a PID stands for; what it is given are functions of signals, which know none of its own names."""

    outside: tuple[str, ...] = ()  # inputs that are given

    def _label(self) -> str:
        return "PID"

    def known_in(self, what: str) -> list[str]:
        """None in what is given."""
        return [] if what in {f"input {name!r}" for name in self.outside} else self.names


@dataclass(frozen=True, kw_only=True)
class PID(Control):
    """A PID controller of a signal; "name.output" (see `output`) is the signal that acts.

    measured       what is controlled: a signal or an expression of signals
    setpoint       what it is to be, an expression, table or function
    kp, ki, kd     gains of the error, its integral and its derivative, in the units that make them the output
    rate           rate of the measured signal, such as "main.angle_rate": then the derivative acts on it, unfiltered,
                   and not on the setpoint
    filter_time    without `rate`: time constant of the filter of the derivative [s]
    limits         smallest and largest output; the integral is then led back within tracking_time [s] (default kp/ki)
    period         sampled every so many seconds; left out: continuous [s]

    What it is given are functions of the system's signals. Signals: its output, "error", and the states "integral" (the
    part of the output that it is) and, with a filter, "filtered".

    >>> import gudgeon as gd
    >>> pid = gd.PID(measured="main.angle", setpoint=0.5, kp=20.0, ki=5.0, kd=2.0, rate="main.angle_rate")
    >>> pid.made().outputs["output"]
    '20.0*error + integral - 2.0*rate'
    """

    measured: Function
    setpoint: Function = 0.0
    kp: float = 0.0
    ki: float = 0.0
    kd: float = 0.0
    rate: Function | None = None
    filter_time: Time | None = None  # [s]
    limits: tuple[float, float] | None = None  # of the output
    tracking_time: Time | None = None  # [s]
    period: Time | None = None  # [s]
    offset: Time = 0.0  # first instant of a sampled one [s]
    output: str = "output"  # the name of what comes out
    units: str = ""  # of the output, for results

    def __post_init__(self):
        keep, owner = object.__setattr__, "PID"
        for name in ("measured", "setpoint", "rate"):
            if name != "rate" or self.rate is not None:
                keep(self, name, check_function(owner, name, getattr(self, name)))
        for name in ("kp", "ki", "kd"):
            keep(self, name, number(owner, name, getattr(self, name)))
        for name in ("filter_time", "tracking_time"):
            if getattr(self, name) is not None:
                keep(self, name, number(owner, name, getattr(self, name)))
                if not getattr(self, name) > 0.0:
                    raise ModelError(f"{owner}: {name} is {getattr(self, name):g} s; give a positive number of seconds")
        if self.kd and (self.rate is None) == (self.filter_time is None):
            raise ModelError(
                f"{owner}: kd is {self.kd:g}; give rate= (the rate of what is measured, such as 'main.angle_rate') or "
                "filter_time=, one of them"
            )
        if not self.kd and (self.rate is not None or self.filter_time is not None):
            raise ModelError(f"{owner}: rate and filter_time belong to kd, which is 0")
        if self.limits is not None:
            given = self.limits if isinstance(self.limits, tuple | list) else ()
            limits = tuple(number(owner, "limits", x) for x in given)
            if len(limits) != 2 or not limits[0] < limits[1]:
                raise ModelError(
                    f"{owner}: limits is {self.limits!r}; give the smallest and the largest output, such as (-5.0, 5.0)"
                )
            keep(self, "limits", limits)
        if not isinstance(self.output, str) or self.output in OWN | RESERVED:
            raise ModelError(f"{owner}: output is {self.output!r}; give another name, such as 'torque'")
        if self.tracking_time is not None and (self.limits is None or not self.ki):
            raise ModelError(f"{owner}: tracking_time belongs to limits of an integral (ki)")
        self.made()

    def made(self) -> Controller:
        """The states, inputs and outputs that it stands for."""
        back = ""
        if self.limits is not None and self.ki:
            wait = self.tracking_time or (self.kp / self.ki if self.kp * self.ki > 0.0 else 1.0 / abs(self.ki))
            back = f" + ({self.output} - unlimited)/{wait!r}"
        inputs: dict[str, Any] = {"error": self._difference()}
        outside = ["error"]
        if inputs["error"] is None:
            inputs = {"setpoint": self.setpoint, "measured": self.measured, "error": "setpoint - measured"}
            outside = ["setpoint", "measured"]
        sum_of = [f"{self.kp!r}*error"] if self.kp else []
        states: dict[str, Any] = {}
        rule: dict[str, str] = {}
        every = "" if self.period is None else "integral + period*"
        if self.ki:
            states["integral"] = 0.0
            rule["integral"] = f"{every}({self.ki!r}*error{back})" if every or back else f"{self.ki!r}*error"
            sum_of.append("integral")
        if self.rate is not None:
            inputs["rate"] = self.rate
        whole = " + ".join(sum_of) or "0"
        if self.kd and self.rate is not None:
            whole += f" - {self.kd!r}*rate"
        elif self.kd and self.period is None:
            states["filtered"], rule["filtered"] = "error", f"(error - filtered)/{self.filter_time!r}"
            whole += f" + {self.kd!r}*(error - filtered)/{self.filter_time!r}"
        elif self.kd:  # backward differences: the filter after this instant is known from the one before
            states["filtered"] = "error"
            after = f"(filtered*{self.filter_time!r} + period*error)/({self.filter_time!r} + period)"
            rule["filtered"] = after
            whole += f" + {self.kd!r}*(error - {after})/{self.filter_time!r}"
        outputs = {self.output: whole}
        if self.limits is not None:
            low, high = self.limits
            outputs = {"unlimited": whole, self.output: f"min(max(unlimited, {low!r}), {high!r})"}
        return MadeOfPID(
            outside=(*outside, "rate"),
            states=states,
            inputs=inputs,
            outputs=outputs,
            derivative=None if self.period or not states else rule,
            update=rule if self.period and states else None,
            period=self.period,
            offset=self.offset,
            units={self.output: self.units} if self.units else {},
        )

    def _difference(self) -> str | None:
        """The error in one expression, where both are expressions or numbers."""
        if any(callable(x) or isinstance(x, Table) for x in (self.setpoint, self.measured)):
            return None
        return f"({self.setpoint}) - ({self.measured})"
