"""The worn journal: a pin and a bore that are no longer round, pressed together over the arcs that touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from gudgeon.checks import number, shown
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.laws.forms import check_law
from gudgeon.laws.friction import LuGre
from gudgeon.models.dry_journal import DryJournal
from gudgeon.models.foundation import foundation_like
from gudgeon.models.journal import DEEP_START, LARGEST_TILT, Journal
from gudgeon.models.part import Part
from gudgeon.quantities import Length, PerArea, Speed

if TYPE_CHECKING:
    from gudgeon.joints import Joint

Pressure = ContactLaw | Callable[..., float]
Friction = FrictionLaw | Callable[..., float]
Profile = tuple[tuple[Length, ...], ...]

FEWEST_ANGLES, MOST_ANGLES = 16, 4096  # of a profile
PANELS = 60  # around, at least: over which pressure is integrated


@dataclass(frozen=True, kw_only=True)
class WornJournal(Journal):
    """A pin in a bore, both of which may be worn, with pressure over the arcs that touch; for Revolute.

    The gap at the angle θ in the bore is c + w_b(θ) + w_p(θ − ψ) − e·n(θ): w_b and w_p are what has been worn off bore
    and pin, ψ the angle that the pin has turned. `contact` gives the pressure where it is negative: a ContactLaw whose
    force is per area, p(δ, δ̇), such as `HuntCrossley(stiffness=, exponent=1)` with a stiffness in N/m³ (an elastic
    foundation: `gd.laws.elastic_layer` of a liner, or `WornJournal.like` for solid parts), or your own function that
    returns Pa. `friction` is a smooth FrictionLaw of pressures. Force, torque (a worn pin is not round) and energy
    belong together: the elastic part is the gradient of one energy.

    `bore_wear` and `pin_wear` [m] are worn depths at equal steps of the angle, from the joint's x axis (of the bearing,
    of the pin; x is the world's x across the axis in the reference pose) right-handed about its axis: the coefficients
    of a periodic cubic B-spline, which smooths them by (w₋ + 4 w + w₊)/6. One row for every slice, or a single one.
    `gd.wear` computes them. A land has `slices` along the axis, each with its own profile; with `planar=True` one.

    >>> import numpy as np, gudgeon as gd
    >>> foundation = gd.laws.HuntCrossley(stiffness=2e13, exponent=1, damping=0.1)
    >>> groove = 20e-6 * np.maximum(np.cos(np.linspace(0.0, 2.0 * np.pi, 90, endpoint=False)), 0.0)
    >>> model = gd.WornJournal(
    ...     bore_radius=0.010, pin_radius=0.00995, length=0.02, planar=True, contact=foundation, bore_wear=groove
    ... )
    >>> round(1e6 * max(model.bore_wear[0]), 1), model.pin_wear
    (20.0, ())
    """

    contact: Annotated[Pressure, PerArea]  # pressure [Pa]
    friction: Annotated[Friction | None, PerArea] = None  # friction per area [Pa]; None: frictionless
    bore_wear: Profile = ()  # w_b, slice by slice; (): not worn [m]
    pin_wear: Profile = ()  # w_p [m]
    slices: int = 8  # of a land along the axis, where the pin may tilt
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]
    stiff: ClassVar[bool] = False

    def __post_init__(self):
        super().__post_init__()
        owner, keep = "WornJournal", object.__setattr__
        if self.axial_play is not None:
            raise ModelError(f"{owner}: axial_play is given, but it has no collars; use gd.DryJournal, or leave it out")
        if self.lands_on != "bore" or self.pin_length is not None:
            given = "lands_on" if self.lands_on != "bore" else "pin_length"
            raise ModelError(f"{owner}: {given} is given; its lands are on the bore, out of which the pin protrudes")
        if isinstance(self.slices, bool) or not isinstance(self.slices, int | np.integer) or self.slices < 1:
            raise ModelError(f"{owner}: slices is {self.slices!r}; give a whole number, at least 1")
        keep(self, "slices", int(self.slices))
        for field in ("bore_wear", "pin_wear"):
            keep(self, field, _profile(owner, field, getattr(self, field), self.slice_count))
        check_law(owner, "contact", self.contact, ContactLaw, self.clearance, pressure=True)
        if self.friction is not None:
            check_law(owner, "friction", self.friction, FrictionLaw, self.clearance)
        if isinstance(self.friction, LuGre):
            raise ModelError(
                f"{owner}: friction is LuGre, whose bristles would be a state of every point; give a law without "
                "memory, such as gd.laws.Coulomb"
            )
        if number(owner, "smallest_impact_speed", self.smallest_impact_speed) <= 0.0:
            raise ModelError(
                f"{owner}: smallest_impact_speed is {self.smallest_impact_speed:g} m/s; "
                "it must be positive, since contact laws divide by the impact speed"
            )

    @property
    def slices_of_land(self) -> int:
        """How many slices each land has."""
        return 1 if self.planar else self.slices

    @property
    def slice_count(self) -> int:
        """How many slices there are, over all lands."""
        return len(self.all_lands) * self.slices_of_land

    @property
    def slice_places(self) -> np.ndarray:
        """(slice, 2): the middle of every slice along the axis, and its length [m]."""
        n = self.slices_of_land
        return np.array(
            [
                (lower + (k + 0.5) * (upper - lower) / n, (upper - lower) / n)
                for lower, upper in self.all_lands
                for k in range(n)
            ]
        )

    @classmethod
    def like(cls, journal: DryJournal, *, force: float) -> WornJournal:
        """A DryJournal with pressure over the arc instead of its line law, as stiff as that under `force` [N].

        Damping (or loss) of the line law, and friction, are kept; collars are not.

        >>> import gudgeon as gd
        >>> pin = gd.Dry.journal(clearance=50e-6, diameter=0.020, length=0.020, materials="steel", friction=0.1)
        >>> f"{gd.WornJournal.like(pin, force=1000.0).contact.stiffness:.4g}"
        '2.809e+13'
        """
        return cls(
            bore_radius=journal.bore_radius,
            pin_radius=journal.pin_radius,
            length=journal.length,
            lands=journal.lands,
            pin_on=journal.pin_on,
            pin_tilt=journal.pin_tilt,
            planar=journal.planar,
            note=journal.note,
            contact=foundation_like("WornJournal.like", journal, force),
            friction=journal.friction,
            smallest_impact_speed=journal.smallest_impact_speed,
        )

    def check_joint(self, joint: Joint) -> None:
        """Refuse a joint that slides: the pin's profile would slide along."""
        super().check_joint(joint)
        if joint.blocks().displacements:
            raise ModelError(
                f"{joint.label()}: it slides along its axis, but the slices of a WornJournal stay where they are; "
                "use gd.DryJournal, or gd.Revolute"
            )

    def elements(self, joint: Joint) -> tuple[Part, ...]:
        """Its lands."""
        n, places = self.slices_of_land, self.slice_places
        around = [len(rows[0]) if rows else 0 for rows in (self.bore_wear, self.pin_wear)]
        finest = around[0] or around[1] or 1
        panels = finest * -(-max(*around, PANELS) // finest)  # the knots of the bore's spline are ends of panels
        parts = []
        for place, (lower, upper) in enumerate(self.all_lands):
            own = slice(n * place, n * (place + 1))
            rows = [_padded(row) for profile in (self.bore_wear, self.pin_wear) for row in profile[own]]
            parts.append(
                Part(
                    name="land" if place == 0 else f"land {place + 1}",
                    element="worn land",
                    numbers=(
                        self.bore_radius,
                        self.pin_radius,
                        0.0,
                        n,
                        panels,
                        *around,
                        float(self.planar),
                        *_steepest(self.pin_wear[own]),
                    ),
                    turned=(*self.pin_tilt, 0.0),
                    clearance=self.clearance,
                    reach=max(abs(lower), abs(upper)),
                    swing=0.0 if self.planar else max(abs(lower), abs(upper)),
                    deepest_start=DEEP_START,
                    largest_tilt=LARGEST_TILT,
                    contact=self.contact,
                    friction=self.friction,
                    smallest_impact_speed=self.smallest_impact_speed,
                    table=np.concatenate([places[own].ravel(), *rows]),
                    carried_by="parent" if self.pin_on == "child" else "child",
                )
            )
        return tuple(parts)


def _steepest(rows: Profile) -> tuple[float, float]:
    """Bounds on slope [m/rad] and depth [m] of worn profiles, by the coefficients of their splines."""
    if not rows:
        return 0.0, 0.0
    values = np.array(rows)
    steps = np.abs(values - np.roll(values, 1, axis=1)).max()
    return float(steps) * values.shape[1] / (2.0 * np.pi), float(values.max())


def _padded(row: tuple[float, ...]) -> np.ndarray:
    """The coefficients of a periodic spline, the last in front and the first two behind."""
    return np.array([row[-1], *row, row[0], row[1]])


def _profile(owner: str, field: str, given: Profile | Iterable[float], count: int) -> Profile:
    """Rows of worn depths, one for every slice; a single row is that of all."""
    try:
        rows = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{owner}: {field} is {shown(given)}; give worn depths [m] around, or rows of them") from None
    if rows.size == 0:
        return ()
    if rows.ndim == 1 or (rows.ndim == 2 and len(rows) == 1):
        rows = np.tile(rows.reshape(1, -1), (count, 1))
    if rows.ndim != 2 or len(rows) != count:
        raise ModelError(
            f"{owner}: {field} has the shape {rows.shape}; give one row of depths for each of its {count} slices, or a "
            "single row"
        )
    if not FEWEST_ANGLES <= rows.shape[1] <= MOST_ANGLES:
        raise ModelError(
            f"{owner}: {field} has {rows.shape[1]} depths around; give {FEWEST_ANGLES} to {MOST_ANGLES} of them"
        )
    if not np.all(np.isfinite(rows)) or rows.min() < 0.0:
        worst = rows.min() if np.all(np.isfinite(rows)) else np.nan
        raise ModelError(f"{owner}: {field} has {worst:g} m; worn depths are finite and not negative: material is gone")
    return tuple(map(tuple, rows.tolist()))
