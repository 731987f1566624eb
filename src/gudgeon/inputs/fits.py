"""Clearances from fits on drawings: ISO 286-1. Radial clearance c = bore radius − pin radius everywhere, in metres.

A drawing's play is diametral, twice as large: the commonest factor of two. For "H7/g6" the bore's diameter lies between
D + EI and D + ES, the pin's between D + ei and D + es, so c lies between ½(EI − es) and ½(ES − ei).

>>> import gudgeon as gd
>>> gd.fits.radial_clearance("H7/g6", 0.020)
RadialClearance(smallest=3.5e-06, mean=1.2e-05, largest=2.05e-05)
>>> gd.fits.zone("g6", 0.020)
Zone(lower=-2e-05, upper=-7e-06)
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gudgeon.checks import number, shown
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.inputs import iso286
from gudgeon.inputs.distribution import Distribution

_ZONE = re.compile(r"([A-Za-z]{1,2})(\d{1,2})")
LEAST_CAPABLE, MOST_CAPABLE = 0.1, 4.0  # Cp; nobody makes better parts than with the last
RUNNING = "H7/h6 (slides), H7/g6, H7/f7 or H8/e8 (runs)"  # what to use where a pin has to turn


class Zone(NamedTuple):
    """Limits of a diameter against its nominal size [m]: EI and ES of a hole, ei and es of a shaft."""

    lower: float
    upper: float


class RadialClearance(NamedTuple):
    """Bore radius − pin radius [m] over all parts of a fit; `mean` is half-way."""

    smallest: float
    mean: float
    largest: float


def zone(name: str, diameter: float) -> Zone:
    """The tolerance zone of ISO 286-1 [m] of a hole ("H7") or a shaft ("g6") of nominal `diameter` [m].

    >>> import gudgeon as gd
    >>> gd.fits.zone("H7", 0.020)
    Zone(lower=0.0, upper=2.1e-05)
    """
    size = _size("fits.zone", diameter)
    lower, upper = _limits("fits.zone", name, size)
    return Zone(lower / 1e6, upper / 1e6)


def radial_clearance(fit: str, diameter: float, *, transition: bool = False) -> RadialClearance:
    """Smallest, mean and largest **radial** clearance [m] of a fit such as "H7/g6" of nominal `diameter` [m].

    Fits that can be tight are refused. `transition=True` lets those pass of which some parts have play; their smallest
    clearance is negative.

    >>> import gudgeon as gd
    >>> gd.fits.radial_clearance("H8/e8", 0.020).mean
    3.65e-05
    >>> gd.fits.radial_clearance("H7/k6", 0.020, transition=True).smallest
    -7.5e-06
    """
    owner = "fits.radial_clearance"
    EI, ES, ei, es = _of_fit(owner, fit, _size(owner, diameter), transition)
    smallest, largest = EI - es, ES - ei  # of the diameters [µm]
    return RadialClearance(0.5 * smallest / 1e6, 0.25 * (smallest + largest) / 1e6, 0.5 * largest / 1e6)


def radius_distribution(name: str, diameter: float, *, capability: float | None = 1.0) -> Distribution:
    """How the **radii** [m] of the parts of a zone scatter, for `gd.Samples`: half of D + EI to D + ES.

    `capability` is Cp of the process that makes them: normal about the middle of the zone, which is 6 Cp σ wide; parts
    beyond the limits are sorted out. None: all sizes within the limits are equally likely.

    >>> import gudgeon as gd
    >>> bore = gd.fits.radius_distribution("H7", 0.020)
    >>> (1e3 * bore.quantiles([0.0, 0.5, 1.0])).round(5).tolist()  # [mm]
    [10.0, 10.00525, 10.0105]
    """
    from gudgeon.inputs.made_parts import Parts

    owner = "fits.radius_distribution"
    size, Cp = _size(owner, diameter), _capability(owner, capability)
    lower, upper = _limits(owner, name, size)
    return Distribution(Parts((500.0 * size + 0.5 * lower) / 1e6, (500.0 * size + 0.5 * upper) / 1e6, Cp))


def clearance_distribution(
    fit: str, diameter: float, *, capability: float | None = 1.0, transition: bool = False
) -> Distribution:
    """How the **radial** clearance [m] of a fit scatters where bores and pins meet at random, for `gd.Samples`.

    Both are made with the `capability` that `radius_distribution` tells; the other arguments are those of
    `radial_clearance`, whose limits these clearances have.

    >>> import gudgeon as gd
    >>> play = gd.fits.clearance_distribution("H7/g6", 0.020)
    >>> (1e6 * play.quantiles([0.0, 0.01, 0.5, 0.99, 1.0])).round(2).tolist()  # [µm]
    [3.5, 7.31, 12.0, 16.69, 20.5]
    """
    from gudgeon.inputs.made_parts import Clearance, Parts

    owner = "fits.clearance_distribution"
    Cp = _capability(owner, capability)
    EI, ES, ei, es = _of_fit(owner, fit, _size(owner, diameter), transition)
    return Distribution(Clearance(Parts(0.5e-6 * EI, 0.5e-6 * ES, Cp), Parts(0.5e-6 * ei, 0.5e-6 * es, Cp)))


def hot(
    clearance: float, radius: float, expansion_bearing: float, expansion_journal: float, temperature_rise: float
) -> float:
    """The radial clearance [m] after both parts have become warmer: c + (α_i − α_j) R ΔT.

    `clearance` and `radius` [m], `expansion_*` [1/K], `temperature_rise` [K]. Of a bush that is free to expand; one
    pressed into a stiff housing has the expansion of the housing, and its wall then grows inwards.

    >>> import gudgeon as gd
    >>> bronze, steel = gd.materials["bronze"], gd.materials["steel"]
    >>> round(1e6 * gd.fits.hot(12e-6, 0.010, bronze.expansion, steel.expansion, 60.0), 2)
    15.6
    """
    owner = "fits.hot"
    c, R, alpha_i, alpha_j, rise = (
        number(owner, field, value)
        for field, value in (
            ("clearance", clearance),
            ("radius", radius),
            ("expansion_bearing", expansion_bearing),
            ("expansion_journal", expansion_journal),
            ("temperature_rise", temperature_rise),
        )
    )
    if R <= 0.0 or not 0.0 <= c < R:
        raise ModelError(f"{owner}: clearance is {c:g} m, radius {R:g} m; a clearance is positive and below the radius")
    for field, alpha in (("expansion_bearing", alpha_i), ("expansion_journal", alpha_j)):
        if not -1e-4 < alpha < 1e-3:
            raise ModelError(f"{owner}: {field} is {alpha:g} 1/K; steel has 12e-6, no material 1e-3")
    warm = c + (alpha_i - alpha_j) * R * rise
    if warm < 0.0:
        raise ModelError(
            f"{owner}: {c:g} m becomes {warm:g} m, {rise:g} K warmer: the journal grows more than its bore and seizes; "
            "choose a wider fit"
        )
    return warm


def _of_fit(owner: str, fit: str, size: float, transition: bool) -> tuple[float, float, float, float]:
    """EI and ES of the hole, ei and es of the shaft [µm] at a size [mm]; a fit that can be tight is refused."""
    parts = fit.split("/") if isinstance(fit, str) else []
    names = [part.strip() for part in parts]
    if len(names) != 2 or not all(_ZONE.fullmatch(part) for part in names):
        raise ModelError(f"{owner}: fit is {shown(fit)}; give the zone of the hole and that of the shaft, as 'H7/g6'")
    if names[0][0].islower() or names[1][0].isupper():
        raise ModelError(
            f"{owner}: fit is {fit!r}; the hole (capital letter) comes first, then the shaft (small letter), as 'H7/g6'"
        )
    (EI, ES), (ei, es) = (_limits(owner, name, size) for name in names)
    smallest, largest = EI - es, ES - ei  # of the diameters [µm]
    named = f"{owner}: {names[0]}/{names[1]} at {size:g} mm"
    if largest <= 0.0:
        raise ModelError(
            f"{named} is an interference fit, the pin {-largest:g} to {-smallest:g} µm larger in diameter than its "
            f"bore; it has no clearance and does not turn: use {RUNNING}, or gd.Rigid for a pin that is pressed in"
        )
    if smallest < 0.0 and not transition:
        raise ModelError(
            f"{named} is a transition fit, its radial clearance lies between {0.5 * smallest:g} and "
            f"{0.5 * largest:g} µm: some pins are tight; use {RUNNING}, give the clearance that was measured, or ask "
            "with transition=True for these numbers"
        )
    return EI, ES, ei, es


def _size(owner: str, diameter: float) -> float:
    """The nominal diameter in mm."""
    metres = number(owner, "diameter", diameter)
    if not 0.0 < metres <= iso286.LARGEST / 1e3:
        hint = f"; in metres: {metres:g} mm is {metres / 1e3:g}" if 1.0 <= metres <= iso286.LARGEST else ""
        raise ModelError(f"{owner}: diameter is {metres:g} m; the table goes up to {iso286.LARGEST / 1e3:g} m{hint}")
    return round(metres * 1e3, 9)


def _capability(owner: str, capability: float | None) -> float | None:
    if capability is None:
        return None
    Cp = number(owner, "capability", capability)
    if not LEAST_CAPABLE <= Cp <= MOST_CAPABLE:
        raise ModelError(
            f"{owner}: capability is {Cp:g}; Cp is the width of the zone over 6 σ, from {LEAST_CAPABLE:g} to "
            f"{MOST_CAPABLE:g}: give 1 for a usual process, 1.67 for a good one, None if only the limits are known"
        )
    return Cp


def _limits(owner: str, name: str, size: float) -> tuple[float, float]:
    """(lower, upper) [µm] of a zone at a size [mm]."""
    match = _ZONE.fullmatch(name.strip()) if isinstance(name, str) else None
    if match is None:
        raise ModelError(f"{owner}: {shown(name)} is no tolerance zone; give a letter and a grade, as 'H7' or 'g6'")
    letters, grade = match[1], int(match[2])
    if letters not in (letters.lower(), letters.upper()):
        raise ModelError(f"{owner}: {name!r} mixes capital and small letters; holes are 'JS7', shafts 'js7'")
    is_hole = letters.isupper()
    known = [letter.upper() if is_hole else letter for letter in iso286.LETTERS]
    if letters not in known:
        hint = did_you_mean(letters, known).removesuffix(".")
        hint += " For" if hint.endswith("?") else "; for"
        raise ModelError(
            f"{owner}: there is no zone {letters!r} in the table; {hint} another one give radii or a clearance [m]"
        )
    if grade not in iso286.GRADES:
        raise ModelError(
            f"{owner}: {name!r} has grade {grade}; the table has grades {iso286.GRADES[0]} to {iso286.GRADES[-1]}"
        )
    limits = (iso286.hole if is_hole else iso286.shaft)(letters.lower(), grade, size)
    if limits is None:
        raise ModelError(
            f"{owner}: the table has no {name!r} at {size:g} mm; choose another zone or give the clearance"
        )
    return limits
