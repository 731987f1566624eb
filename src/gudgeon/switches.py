"""Switches: what turns on and off at an instant, at a time or where a signal passes a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.functions.function import Function, check_function
from gudgeon.quantities import Time

if TYPE_CHECKING:
    from gudgeon.system import System


@dataclass(frozen=True, kw_only=True)
class Switch:
    """Off until an instant, on from then; drives, locks and couplings take it by name (`since=`, `until=`).

    at, until       turns on at a time, and off again at another
    when            a signal or expression of signals: the switch turns on when it reaches `above` (from below, or at
                    the start), or `below`. With both it turns on at `above` and off again at `below`, as often as that
                    happens (a hysteresis; `below` is the smaller one)

    The switch is a signal by its own name, 1 while it is on and 0 otherwise: "50*push" is a load that is applied then,
    "50*(1 - push)" one that is removed. The instant is located to the accuracy of the solver; `result.switches` lists
    all of them.

    >>> import gudgeon as gd
    >>> gd.Switch(at=0.5), gd.Switch(when="main.angle_rate", above=100.0)  # doctest: +ELLIPSIS
    (Switch(at=0.5, ...), Switch(..., when='main.angle_rate', above=100.0, below=None))
    """

    at: Time | None = None  # [s]
    until: Time | None = None  # [s]
    when: Function | None = None
    above: float | None = None  # in the unit of `when`
    below: float | None = None

    def __post_init__(self):
        keep = object.__setattr__
        for name in ("at", "until", "above", "below"):
            if getattr(self, name) is not None:
                keep(self, name, number("Switch", name, getattr(self, name)))
        if (self.at is None) == (self.when is None):
            raise ModelError("Switch: give at= (a time in seconds), or when= (a signal) with above= or below=")
        if self.at is not None:
            if self.above is not None or self.below is not None:
                raise ModelError("Switch: above and below belong to when=; at= and until= are times")
            if self.at < 0.0:
                raise ModelError(f"Switch: at is {self.at:g} s; it must not be negative")
            if self.until is not None and not self.until > self.at:
                raise ModelError(f"Switch: at is {self.at:g} s, until {self.until:g} s; until must be later")
            return
        if self.until is not None:
            raise ModelError("Switch: until belongs to at=; with when= it turns off by below=")
        assert self.when is not None
        keep(self, "when", check_function("Switch", "when", self.when))
        if self.above is None and self.below is None:
            raise ModelError(f"Switch: when is {self.when!r}; say where it turns on: above= or below=")
        if self.above is not None and self.below is not None and not self.below < self.above:
            raise ModelError(
                f"Switch: above is {self.above:g}, below {self.below:g}; it turns on at `above` and off at `below`, "
                "which must be smaller"
            )

    @property
    def told(self) -> str:
        """What turns it, for reports."""
        names = ("at", "until", "when", "above", "below")
        return ", ".join(f"{name} {getattr(self, name)}" for name in names if getattr(self, name) is not None)

    @property
    def turns_on(self) -> tuple[float, int]:
        """The value of the signal that turns it on, and whether that is met rising (1) or falling (−1)."""
        assert self.above is not None or self.below is not None
        return (self.above, 1) if self.above is not None else (float(self.below or 0.0), -1)

    @property
    def turns_off(self) -> tuple[float, int] | None:
        """The same of what turns it off again."""
        return None if self.above is None or self.below is None else (self.below, -1)


def check_while(owner: str, part: Any) -> None:
    """`since` and `until` of a drive, lock or coupling: times, or names of switches."""
    for field in ("since", "until"):
        value = getattr(part, field)
        if value is None or isinstance(value, str):
            continue
        object.__setattr__(part, field, number(owner, field, value))
        if getattr(part, field) < 0.0:
            raise ModelError(f"{owner}: {field} is {value:g} s; it must not be negative")
    if isinstance(part.since, float) and isinstance(part.until, float) and not part.since < part.until:
        raise ModelError(f"{owner}: since is {part.since:g} s, until {part.until:g} s; until must be later")


def switched_descriptions(system: System) -> Iterator[tuple[str, Any]]:
    """Drives, locks, couplings and ideal joints that hold for a while."""
    models = ((name, joint.model) for name, joint in system.joints.items())
    for name, part in (*system.drives.items(), *system.couplings.items(), *models):
        if getattr(part, "is_switched", False):
            yield name, part


def releasable_joints(system: System) -> list[str]:
    """Ideal joints that let go."""
    return [name for name, joint in system.joints.items() if getattr(joint.model, "is_switched", False)]


def all_switches(system: System) -> dict[str, Switch]:
    """The switches of a System by name, and those that times of drives, locks and couplings stand for."""
    found = dict(system.switches)
    for name, part in switched_descriptions(system):
        for field in ("since", "until"):
            if isinstance(getattr(part, field), float):
                found[f"{name}.{field}"] = Switch(at=getattr(part, field))
    return found


def switched_parts(system: System) -> dict[str, tuple[str | None, str | None]]:
    """What holds while one switch is on and another one off (None: always), by name."""
    found: dict[str, tuple[str | None, str | None]] = {}
    for name, part in switched_descriptions(system):
        by = [f"{name}.{f}" if isinstance(getattr(part, f), float) else getattr(part, f) for f in ("since", "until")]
        found[name] = (by[0], by[1])
    return found


def has_instants(system: System) -> bool:
    """Whether anything changes at instants: sampled controllers, switches, locks."""
    sampled = any(control.made().period is not None for control in system.controllers.values())
    return sampled or bool(system.switches) or any(True for _ in switched_descriptions(system))
