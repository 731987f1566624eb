"""A parameter that scatters: any frozen distribution of scipy.stats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.checks import shown
from gudgeon.errors import ModelError


@dataclass(frozen=True)
class Distribution:
    """How a parameter scatters, for `gd.Samples`: a frozen distribution of scipy.stats, in SI units.

    A sample is the quantile F⁻¹(u) of a number u between 0 and 1, so that Latin-hypercube and Sobol' points keep their
    order in every parameter.

    >>> import gudgeon as gd
    >>> from scipy.stats import norm
    >>> radius = gd.Distribution(norm(loc=0.010, scale=5e-6))  # [m]
    >>> radius.quantiles([0.5]).tolist()
    [0.01]
    """

    of: Any  # frozen: scipy.stats.norm(loc=..., scale=...)

    def __post_init__(self):
        if isinstance(self.of, type) or not callable(getattr(self.of, "ppf", None)) or _is_not_frozen(self.of):
            raise ModelError(
                f"Distribution: {shown(self.of)} given; give a frozen distribution such as scipy.stats.norm(0.01, 5e-6)"
            )
        if not np.all(np.isfinite(np.asarray(self.of.ppf(0.5), dtype=float))):
            raise ModelError(
                f"Distribution: {self._told()} has no median; give parameters that it can have, such as a scale above 0"
            )

    def quantiles(self, u: Any) -> np.ndarray:
        """F⁻¹(u), finite."""
        values = np.asarray(self.of.ppf(np.asarray(u, dtype=float)), dtype=float)
        if not np.all(np.isfinite(values)):
            raise ModelError(
                f"Distribution: {self._told()} has quantiles that are not finite; give one of which they are"
            )
        return values

    def _told(self) -> str:
        """Its name and parameters: norm(loc=0.01, scale=-1.0)."""
        name = getattr(getattr(self.of, "dist", None), "name", None)
        if name is None:
            return shown(self.of)
        given = [*map(str, self.of.args), *(f"{key}={value}" for key, value in self.of.kwds.items())]
        return f"{name}({', '.join(given)})"


def _is_not_frozen(of: Any) -> bool:
    """A distribution without its parameters, which scipy takes for the standard one."""
    from scipy.stats import rv_continuous, rv_discrete

    return isinstance(of, rv_continuous | rv_discrete)
