"""From the parameters of OpenCASCADE to those of a NURBS, which run from 0 to 1.

A rational quadratic arc is not run through evenly in its angle: a piece from −α to α about its middle, with weights
1, cos α, 1, is at the angle φ where

    ξ = ½ + ½ tan(φ/2)/tan(α/2),        φ = u − middle

(with tanh in the place of tan for a hyperbola). Everything else CAD knows is run through in a straight proportion.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Even:
    """ξ in proportion to u.

    >>> Even(2.0, 4.0).xi(2.5)
    array(0.25)
    """

    low: float  # u where ξ = 0
    high: float  # u where ξ = 1

    def xi(self, u: ArrayLike) -> Array:
        """ξ of OpenCASCADE's u."""
        return np.asarray((np.asarray(u, dtype=float) - self.low) / (self.high - self.low))


@dataclass(frozen=True)
class Turning:
    """ξ of the angle u [rad] on an arc of equal rational quadratic pieces, as `nurbs.curve.unit_arc` makes them.

    >>> Turning(0.0, 2.0 * np.pi).xi([0.0, 0.25 * np.pi, np.pi])
    array([0.   , 0.125, 0.5  ])
    """

    low: float  # [rad]
    high: float  # [rad]

    def xi(self, u: ArrayLike) -> Array:
        """ξ of OpenCASCADE's u."""
        angle = self.high - self.low
        count = max(1, math.ceil(angle / (0.5 * math.pi) - 1e-9))
        half = 0.5 * angle / count
        place = (np.asarray(u, dtype=float) - self.low) / (2.0 * half)
        piece = np.clip(np.floor(place), 0, count - 1)
        phi = (2.0 * (place - piece) - 1.0) * half
        return np.asarray((piece + 0.5 + 0.5 * np.tan(0.5 * phi) / math.tan(0.5 * half)) / count)


@dataclass(frozen=True)
class Hyperbolic:
    """ξ of the parameter u of a branch of a hyperbola, one rational quadratic piece.

    >>> Hyperbolic(-1.0, 1.0).xi(0.0)
    array(0.5)
    """

    low: float
    high: float

    def xi(self, u: ArrayLike) -> Array:
        """ξ of OpenCASCADE's u."""
        half = 0.5 * (self.high - self.low)
        phi = np.asarray(u, dtype=float) - 0.5 * (self.high + self.low)
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * phi) / math.tanh(0.5 * half))


Parameter = Even | Turning | Hyperbolic
