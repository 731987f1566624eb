"""Viscosity and density of mineral oils over temperature. Temperatures in °C, as on data sheets; results in SI.

grade   η = η_x exp[(159.55787/(T + 95) − 0.1819133) ln(ρ VG/(10⁶ η_x))], η_x = 0.18 mPa·s, ρ = 900 kg/m³:
        DIN 31652-2, ISO 7902-2; a typical mineral oil of an ISO 3448 grade (VG = kinematic viscosity at 40 °C, ± 10 %)
sheet   lg lg(ν + 0.7) = A − B lg T, ν in mm²/s and T in K, through ν at 40 °C and 100 °C:
        Walther's line, ASTM D341, for ν above 2 mm²/s
density ρ = ρ₁₅ (1 − 6.5·10⁻⁴ (T − 15))

All at ambient pressure; a film under high pressure (rolling contact) is more viscous.

>>> import gudgeon as gd
>>> round(gd.oils.viscosity("ISO VG 46", 80), 6)
0.009527
>>> round(gd.oils.viscosity(nu40=46, nu100=6.8, temperature=80), 6)
0.00957
"""

from __future__ import annotations

import math
import re

from gudgeon.checks import number, shown
from gudgeon.errors import ModelError

GRADES = (10, 15, 22, 32, 46, 68, 100, 150, 220, 320, 460, 680, 1000, 1500)  # of ISO 3448 [mm²/s at 40 °C]
GRADE_RANGE = (0.0, 120.0)  # in which a grade's viscosity is told [°C]
LINE_RANGE = (-70.0, 370.0)  # of ASTM D341 [°C]
THINNEST = 2.0  # ν for which Walther's constant is 0.7 [mm²/s]
DENSITY_RANGE = (-20.0, 200.0)  # [°C]
USUAL_DENSITY = 900.0  # [kg/m³]
_GRADE = re.compile(r"(?:ISO)?\s*(?:VG)?\s*(\d+)", re.IGNORECASE)


def viscosity(
    oil: str | None = None,
    temperature: float | None = None,
    *,
    nu40: float | None = None,
    nu100: float | None = None,
    density: float = USUAL_DENSITY,
) -> float:
    """Dynamic viscosity [Pa·s] at `temperature` [°C], of an ISO VG grade or from two numbers of a data sheet.

    `oil` is a grade such as "ISO VG 46" (or "VG 46"); or give `nu40` and `nu100`, the kinematic viscosities at 40 and
    100 °C in mm²/s as data sheets print them. `density` [kg/m³] is that of the formula for a grade, and at 15 °C for
    a data sheet.

    >>> import gudgeon as gd
    >>> round(gd.oils.viscosity("ISO VG 100", temperature=20), 4)
    0.3229
    """
    owner = "oils.viscosity"
    rho = _density(owner, density)
    if oil is not None and nu40 is None and nu100 is None:
        grade = _grade(owner, oil)
        T = _temperature(owner, temperature, GRADE_RANGE, f"an oil known by its grade ({oil.strip()})")
        thinnest = 0.18e-3  # η_x [Pa·s]
        exponent = 159.55787 / (T + 95.0) - 0.1819133
        return thinnest * math.exp(exponent * math.log(rho * grade / (1e6 * thinnest)))
    if oil is not None or nu40 is None or nu100 is None:
        raise ModelError(f"{owner}: which oil? give its grade, as 'ISO VG 46', or nu40= and nu100= of its data sheet")
    return _kinematic(owner, nu40, nu100, temperature) * density_at(rho, temperature)


def kinematic_viscosity(*, nu40: float, nu100: float, temperature: float) -> float:
    """Kinematic viscosity [m²/s] at `temperature` [°C] from `nu40` and `nu100` [mm²/s] of a data sheet (ASTM D341).

    >>> import gudgeon as gd
    >>> round(1e6 * gd.oils.kinematic_viscosity(nu40=46, nu100=6.8, temperature=80), 3)
    11.103
    """
    return _kinematic("oils.kinematic_viscosity", nu40, nu100, temperature)


def density(density15: float, temperature: float) -> float:
    """Density [kg/m³] of a mineral oil at `temperature` [°C] from that at 15 °C.

    >>> import gudgeon as gd
    >>> round(gd.oils.density(870, 60))
    845
    """
    return density_at(_density("oils.density", density15), temperature)


def density_at(rho15: float, temperature: float | None) -> float:
    """Density [kg/m³] at a temperature [°C]."""
    T = _temperature("oils.density", temperature, DENSITY_RANGE, "the density of an oil")
    return rho15 * (1.0 - 6.5e-4 * (T - 15.0))


def _kinematic(owner: str, nu40: float, nu100: float, temperature: float | None) -> float:
    cold, warm = number(owner, "nu40", nu40), number(owner, "nu100", nu100)
    for field, nu in (("nu40", cold), ("nu100", warm)):
        if nu < THINNEST:
            hint = f"; in mm²/s, as on the data sheet: {nu * 1e6:g}" if 0.0 < nu < 0.1 else ""
            raise ModelError(f"{owner}: {field} is {nu:g} mm²/s; Walther's line holds above {THINNEST:g} mm²/s{hint}")
    if warm >= cold:
        raise ModelError(f"{owner}: nu100 is {warm:g}, nu40 {cold:g} mm²/s; oils are thinner when hot: exchanged?")
    T = _temperature(owner, temperature, LINE_RANGE, "Walther's line")
    low, high = (math.log10(math.log10(nu + 0.7)) for nu in (cold, warm))
    x40, x100, x = (math.log10(celsius + 273.15) for celsius in (40.0, 100.0, T))
    nu = 10.0 ** (10.0 ** (low + (high - low) * (x - x40) / (x100 - x40))) - 0.7  # [mm²/s]
    if nu < THINNEST:
        raise ModelError(
            f"{owner}: this oil has {nu:.3g} mm²/s at {T:g} °C; Walther's line holds above {THINNEST:g} mm²/s: "
            "give the viscosity itself"
        )
    return nu * 1e-6


def _grade(owner: str, oil: str) -> int:
    match = _GRADE.fullmatch(oil.strip()) if isinstance(oil, str) else None
    if match is None:
        raise ModelError(
            f"{owner}: oil is {shown(oil)}; give an ISO grade, as 'ISO VG 46', or nu40= and nu100= of its data sheet"
        )
    grade = int(match[1])
    if grade not in GRADES:
        near = min(GRADES, key=lambda known: abs(math.log(known / max(grade, 1))))
        raise ModelError(
            f"{owner}: there is no grade ISO VG {grade} between {GRADES[0]} and {GRADES[-1]}; the nearest is "
            f"ISO VG {near}; or give nu40= and nu100= of its data sheet"
        )
    return grade


def _density(owner: str, value: float) -> float:
    rho = number(owner, "density", value)
    if not 600.0 <= rho <= 1300.0:
        raise ModelError(f"{owner}: density is {rho:g} kg/m³; oils have 800 to 1000")
    return rho


def _temperature(owner: str, value: float | None, limits: tuple[float, float], what: str) -> float:
    if value is None:
        raise ModelError(f"{owner}: at which temperature? give temperature= [°C]")
    T = number(owner, "temperature", value)
    if not limits[0] <= T <= limits[1]:
        hint = f"; in °C: {T:g} K is {T - 273.15:g}" if limits[0] <= T - 273.15 <= limits[1] else ""
        raise ModelError(
            f"{owner}: temperature is {T:g} °C; {what} is told from {limits[0]:g} to {limits[1]:g} °C{hint}; "
            "beyond, give the viscosity itself"
        )
    return T
