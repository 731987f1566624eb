"""Rayleigh damping, C = a M + b K: the mode of angular frequency ω has the damping ratio ζ = (a/ω + b ω)/2.

Bathe, Finite Element Procedures (1996), section 9.3.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gudgeon.checks import number, vector
from gudgeon.errors import ModelError
from gudgeon.quantities import Rate, Time


@dataclass(frozen=True, kw_only=True)
class Rayleigh:
    """Damping proportional to mass and stiffness, C = a M + b K. The part a M also resists rigid motion.

    >>> from gudgeon.fem import Rayleigh
    >>> damping = Rayleigh(mass=0.010, stiffness=0.544)  # of docs/sliders.md
    >>> round(damping.ratio(100.0), 3)
    27.2
    """

    mass: Rate = 0.0  # a [1/s]
    stiffness: Time = 0.0  # b [s]

    def __post_init__(self) -> None:
        for field, unit in (("mass", "1/s"), ("stiffness", "s")):
            value = number("Rayleigh", field, getattr(self, field))
            if value < 0.0:
                raise ModelError(f"Rayleigh: {field} is {value} {unit}; give 0 or more, or the body gains energy")
            object.__setattr__(self, field, value)

    def ratio(self, angular_frequency: float) -> float:
        """Damping ratio ζ [-] of a mode at `angular_frequency` [rad/s].

        >>> from gudgeon.fem import Rayleigh
        >>> Rayleigh(stiffness=0.001).ratio(40.0)
        0.02
        """
        omega = number("Rayleigh.ratio", "angular_frequency", angular_frequency)
        if omega <= 0.0:
            raise ModelError(f"Rayleigh.ratio: angular_frequency is {omega} rad/s; a rigid motion has no ratio")
        return 0.5 * (self.mass / omega + self.stiffness * omega)

    @classmethod
    def through(cls, first: tuple[float, float], second: tuple[float, float]) -> Rayleigh:
        """From two pairs (angular frequency [rad/s], damping ratio [-]).

        >>> from gudgeon.fem import Rayleigh
        >>> damping = Rayleigh.through((10.0, 0.02), (100.0, 0.02))
        >>> round(damping.mass, 6), round(damping.stiffness, 6)
        (0.363636, 0.000364)
        """
        (w1, z1), (w2, z2) = (
            vector("Rayleigh.through", "first", first, 2),
            vector("Rayleigh.through", "second", second, 2),
        )
        if min(w1, w2) <= 0.0 or math.isclose(w1, w2, rel_tol=1e-9):
            raise ModelError(f"Rayleigh.through: frequencies {w1} and {w2} rad/s; give two different positive ones")
        a = 2.0 * w1 * w2 * (z1 * w2 - z2 * w1) / (w2**2 - w1**2)
        b = 2.0 * (z2 * w2 - z1 * w1) / (w2**2 - w1**2)
        if a < 0.0 or b < 0.0:
            raise ModelError(
                f"Rayleigh.through: ratio {z1} at {w1} rad/s and {z2} at {w2} rad/s need mass = {a:.6g} 1/s and "
                f"stiffness = {b:.6g} s, one negative; ratios may differ by the factor between frequencies"
            )
        return cls(mass=a, stiffness=b)
