"""Film laws: the force of a lubricant squeezed between ball and socket."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.errors import ModelError
from gudgeon.laws.base import FilmLaw
from gudgeon.quantities import Length, Viscosity


@dataclass(frozen=True, kw_only=True)
class SqueezeFilm(FilmLaw):
    """f = 6π μ R ė (R/c)³ [ln(1 − ε)/ε³ + 1/(ε² (1 − ε)) − 1/(2 ε)], against the motion of the ball.

    Pinkus & Sternlicht (1961), Theory of Hydrodynamic Lubrication; Flores & Lankarani (2010), Nonlinear Dyn. 60, 99.

    The film of the hemisphere towards which the ball moves: Newtonian, isoviscous, laminar, c ≪ R, no inertia of the
    fluid, no cavitation (a receding ball is held back as strongly), no wedge action from sliding. The bracket is 2/3 at
    ε = 0 and grows as 1/(1 − ε); at ε ≥ 1 there is no film and the law is nan, never clamped.

    >>> import gudgeon as gd
    >>> law = gd.laws.SqueezeFilm(viscosity=0.4, socket_radius=0.01, clearance=1e-4)
    >>> round(law.film_force(0.5, 0.1, law.parameters), 6)
    10969.103646
    >>> law.film_force(1.0, 0.1, law.parameters)
    nan
    """

    viscosity: Viscosity  # μ, dynamic [Pa·s]
    socket_radius: Length  # R [m]
    clearance: Length  # c, radial [m]
    positive: ClassVar = ("viscosity", "socket_radius", "clearance")

    def __post_init__(self):
        super().__post_init__()
        if self.clearance >= self.socket_radius:
            raise ModelError(
                f"SqueezeFilm: clearance is {self.clearance:g} m in a socket of radius {self.socket_radius:g} m; "
                "a film is thin, give socket radius minus ball radius"
            )

    @staticmethod
    def film_force(ratio, rate, p):
        """Film force [N]; accurate to 3e-14."""
        if not 0.0 <= ratio < 1.0:
            return math.nan
        if ratio < 0.2:  # the closed form cancels; as a series it is Σ εᵏ (k + 2)/(k + 3) = 1/(1 − ε) − Σ εᵏ/(k + 3)
            series = 0.0
            for k in range(20, -1, -1):
                series = series * ratio + 1.0 / (k + 3.0)
            bracket = 1.0 / (1.0 - ratio) - series
        else:
            bracket = (math.log1p(-ratio) / ratio + 1.0 / (1.0 - ratio) - 0.5 * ratio) / (ratio * ratio)
        return 6.0 * math.pi * p[0] * p[1] * rate * (p[1] / p[2]) ** 3 * bracket
