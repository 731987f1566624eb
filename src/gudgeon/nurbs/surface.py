"""NURBS surfaces: eqs (1) and (2) of Čerimagić et al. (2020), Modeling, Identification and Control 41(1), 29–40.

The data are in `net`, what is computed from them in `evaluate` and `hits`, other forms of the same surface in `refine`,
ways to make one in `construct`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from gudgeon.nurbs.construct import Constructors
from gudgeon.nurbs.evaluate import Evaluation
from gudgeon.nurbs.refine import Refinement


@final
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Surface(Evaluation, Refinement, Constructors):
    """A NURBS surface S(ξ1, ξ2) = Σ N_i(ξ1) N_j(ξ2) w_ij P_ij / Σ N_i(ξ1) N_j(ξ2) w_ij in space [m].

    Its normal is S_1 × S_2. Knot vectors need not be clamped: each direction is defined from knot `degree` to knot
    `count`. A surface that meets itself (`closed`) is followed over the seam; edges that are single points are poles.

    >>> from gudgeon.nurbs import Surface
    >>> ball = Surface.sphere(0.01)
    >>> ball.point(0.0, 0.5)
    array([0.01, 0.  , 0.  ])
    >>> ball.hits((1, 0, 0), (-1, 0, 0))[:, 0]
    array([0.99, 1.01])
    """
