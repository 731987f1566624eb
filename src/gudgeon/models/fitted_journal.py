"""A journal from what a drawing says: fit, materials, a coefficient of friction; and a note of what was taken.

The bore has the nominal radius D/2, the pin D/2 − c. Clearances are radial; a drawing's play is diametral, twice as
large. Drawings hold at 20 °C (ISO 1).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError
from gudgeon.inputs import fits
from gudgeon.inputs.material import Material, PairOfMaterials, material_pair
from gudgeon.laws.friction import Coulomb
from gudgeon.laws.line import PinInBore, pin_in_bore
from gudgeon.quantities import Length

DRAWN_AT = 20.0  # temperature at which drawings hold, ISO 1 [°C]
EXPANSION_RANGE = (-60.0, 300.0)  # in which the expansion of handbooks, a constant about 20 °C, is taken [°C]
SMOOTHED_BELOW = 1e-2  # v₁ of the friction law that a coefficient becomes [m/s]
WORDS = ("smallest", "mean", "largest")  # clearances of a fit

WordOrClearance = Literal["smallest", "mean", "largest"] | Length


class Fitted(NamedTuple):
    """Radii [m] of a journal, its materials, and where its clearance is from."""

    bore_radius: float
    pin_radius: float
    clearance: float
    materials: tuple[Material, Material]
    note: str


def fitted(
    owner: str,
    *,
    diameter: float,
    fit: str | None,
    clearance: str | float,
    materials: PairOfMaterials,
    temperature: float | None,
    hot: bool,
) -> Fitted:
    """Bore and pin of a fit, or of a clearance that is known; at `temperature` if `hot`."""
    D = number(owner, "diameter", diameter)
    if D <= 0.0:
        raise ModelError(f"{owner}: diameter is {D:g} m; it must be positive")
    pair = material_pair(owner, materials)
    if fit is None:
        if isinstance(clearance, str):
            raise ModelError(
                f"{owner}: how much play has it? give fit=, as 'H7/g6', or clearance=, bore radius − pin radius in "
                "metres"
            )
        c = number(owner, "clearance", clearance)
        note = f"radial clearance {_um(c)}"
    else:
        c, note = _of_fit(owner, fit, D, clearance)
    if not 0.0 < c < 0.5 * D:
        raise ModelError(
            f"{owner}: the radial clearance is {c:g} m at a diameter of {D:g} m; it must be positive and below the "
            "radius (use gd.Ideal() for a joint without play)"
        )
    if hot:
        if temperature is None:
            raise ModelError(f"{owner}: hot=True, but how hot? give temperature= in °C")
        T, (bearing, journal) = number(owner, "temperature", temperature), pair
        if not EXPANSION_RANGE[0] <= T <= EXPANSION_RANGE[1]:
            raise ModelError(
                f"{owner}: temperature is {T:g} °C; materials expand as told from {EXPANSION_RANGE[0]:g} to "
                f"{EXPANSION_RANGE[1]:g} °C: give one in this range, or the clearance itself (clearance=, without hot)"
            )
        for part in pair:
            if part.expansion is None:
                raise ModelError(f"{owner}: hot=True, but {part.name} has no expansion: gd.Material(expansion=)")
        c = fits.hot(c, 0.5 * D, bearing.expansion or 0.0, journal.expansion or 0.0, T - DRAWN_AT)
        note += f", {_um(c)} at {T:g} °C"
        if c == 0.0:
            raise ModelError(f"{owner}: at {T:g} °C nothing is left of its clearance; choose a wider fit")
    return Fitted(0.5 * D, 0.5 * D - c, c, pair, note)


def _of_fit(owner: str, fit: str, diameter: float, wanted: str | float) -> tuple[float, str]:
    """The clearance [m] wanted of a fit, and what it is."""
    of_fit = fits.radial_clearance(fit, diameter)
    limits = f"{1e6 * of_fit.smallest:g} to {_um(of_fit.largest)}"
    if isinstance(wanted, str):
        choice(owner, "clearance", wanted, WORDS)
        c, which = getattr(of_fit, wanted), f"{wanted} of {limits}"
        if c == 0.0:
            raise ModelError(
                f"{owner}: the smallest clearance of {fit} is 0; give clearance='mean', or the one that was measured"
            )
    else:
        c, which = number(owner, "clearance", wanted), f"given; the fit has {limits}"
        if not of_fit.smallest <= c <= of_fit.largest:
            raise ModelError(
                f"{owner}: clearance is {c:g} m, but {fit} at {diameter:g} m has {limits} (radial, half of the play in "
                "diameter); leave out fit= for worn parts"
            )
    return c, f"{1e3 * diameter:g} mm {fit}: radial clearance {_um(c)} ({which})"


def line_law(
    fitted: Fitted, *, wall: float, restitution: float, reference_speed: float | None
) -> tuple[PinInBore, str]:
    """The default contact of a pin in its bore, and what it takes."""
    bearing, journal = fitted.materials
    law = pin_in_bore(
        radius=fitted.bore_radius,
        clearance=fitted.clearance,
        materials=fitted.materials,
        wall=wall,
        restitution=restitution,
        reference_speed=reference_speed,
    )
    at = "all speeds" if reference_speed is None else f"{reference_speed:g} m/s"
    return law, (
        f"{bearing.name} bearing, {journal.name} pin, E* {law.modulus / 1e9:.3g} GPa, wall R_o/R {wall:g}, "
        f"restitution {restitution:g} at {at}"
    )


def friction_law(owner: str, friction: Any) -> tuple[Any, str]:
    """A coefficient as a law that is smooth at rest; a law as it is; and what it is."""
    if friction is None:
        return None, "frictionless"
    if isinstance(friction, bool) or not isinstance(friction, int | float):
        return friction, f"friction {type(friction).__name__}"
    mu = number(owner, "friction", friction)
    if mu < 0.0:
        raise ModelError(f"{owner}: friction is {mu:g}; a coefficient is not negative")
    if mu == 0.0:
        return None, "frictionless"
    law = Coulomb(coefficient=mu, velocity_tolerance=SMOOTHED_BELOW)
    return law, f"friction {mu:g}, smoothed below {SMOOTHED_BELOW:g} m/s"


def _um(metres: float) -> str:
    return f"{1e6 * metres:.4g} µm"
