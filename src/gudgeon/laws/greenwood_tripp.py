"""Greenwood and Tripp's contact of two rough surfaces, over the circumference of a pin in its bore."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.errors import ModelError
from gudgeon.laws.base import LineLaw
from gudgeon.quantities import Length, Pressure

BEGINS = 4.0  # H = h/σ at which asperities begin to touch [-]


@dataclass(frozen=True, kw_only=True)
class GreenwoodTripp(LineLaw):
    """f′ = R K′ E* 4.4086e-5 √(2σ/e) B(½, 7.804) (4 − H)^7.304,  K′ = (16√2/15) π (ηβσ)² √(σ/β),  H = h/σ.

    Greenwood & Tripp (1970), Proc. Instn mech. Engrs 185, with F₅⸝₂ = 4.4086e-5 (4 − H)^6.804 (a usual fit), integrated
    over the parabola of the gap about its thinnest place h = c − e: 0.3 % of the integral while σ ≪ c. Mixed
    lubrication: `contact` of a LubricatedJournal whose smallest_film is 4σ, where asperities begin to touch, so that
    δ = 4σ − h. Elastic, without loss; nothing is said of surfaces that are pressed beyond h = 0.

    >>> import gudgeon as gd
    >>> law = gd.laws.GreenwoodTripp(radius=0.01, clearance=5e-5, roughness=5e-7, modulus=1.1e11)
    >>> law.onset, round(law.line_force(1e-6, 0.0, law.parameters), 3)
    (2e-06, 264.436)
    """

    radius: Length  # R [m]
    clearance: Length  # c, radial [m]
    roughness: Length  # σ, √(R_q,i² + R_q,j²) [m]
    modulus: Pressure  # E*, 1/E* = (1−ν_i²)/E_i + (1−ν_j²)/E_j [Pa]
    asperities: float = 0.05  # ηβσ: their density, tip radius and height; 0.03 … 0.05 [-]
    sharpness: float = 1e-3  # σ/β, 1e-4 … 1e-2 [-]
    positive: ClassVar = ("radius", "clearance", "roughness", "modulus", "asperities", "sharpness")

    def __post_init__(self):
        super().__post_init__()
        if self.onset >= self.clearance:
            raise ModelError(
                f"GreenwoodTripp: roughness is {self.roughness:g} m, clearance {self.clearance:g} m; asperities would "
                "touch all around: 4 roughness must be below the radial clearance"
            )

    @property
    def onset(self) -> float:
        """The gap 4σ at which it begins [m]."""
        return BEGINS * self.roughness

    @staticmethod
    def line_force(delta, ddelta, p):
        """Force per length [N/m]."""
        if delta <= 0.0:
            return 0.0
        asperity = 16.0 * math.sqrt(2.0) / 15.0 * math.pi * p[4] * p[4] * math.sqrt(p[5])
        beta = 0.6447151120076101  # B(½, 7.804)
        e = p[1] - 4.0 * p[2] + delta
        return p[0] * asperity * p[3] * 4.4086e-5 * math.sqrt(2.0 * p[2] / e) * beta * (delta / p[2]) ** 7.304
