"""What a joint model is made of where it acts by forces: its elements, by name, with their numbers and laws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Literal

import numpy as np

from gudgeon.laws.base import ContactLaw, FilmLaw, FrictionLaw, LineLaw


@dataclass(frozen=True, kw_only=True)
class Part:
    """One element of a joint: a land of a journal, a collar, a wall of a guide.

    `element` is a name in kernels/elements/table.py; its physics sees the motion of the child's joint frame against the
    parent's and reads `numbers` where its file says.

    >>> from gudgeon.models.part import Part
    >>> Part(name="land", element="land", numbers=(0.01, 0.0099)).clearance
    inf
    """

    name: str  # what of the joint: column `contact` of events
    element: str
    numbers: tuple[float, ...] = ()
    turned: tuple[float, float, float] = (0.0, 0.0, 0.0)  # of the ball's axes against the joint's, a vector [rad]
    along: float = 0.0  # where its two points are along the joint's axis, from the joint's [m]
    clearance: float = inf  # a length of its gap, by which solvers judge it [m]; inf: it never touches
    reach: float = 0.0  # how far from the joint's point it can touch [m]
    swing: float = 0.0  # from the ball's joint point to the farthest point of the ball that can touch [m]
    turns_freely: bool = True  # whether a turn of the ball about z of its axes leaves the gap as it is
    radii: tuple[float, float] | None = None  # of socket and ball, where its force acts half-way between the two [m]
    deepest_start: float = 0.1  # how deep it may be at the start of a run, of the clearance
    largest_tilt: float = inf  # tan of the angle between the axes beyond which its physics does not hold
    contact: ContactLaw | LineLaw | Callable[..., float] | None = None
    friction: FrictionLaw | Callable[..., float] | None = None
    film: FilmLaw | Callable[..., float] | None = None
    smallest_impact_speed: float = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]
    largest_speed: bool = False  # the law is given the largest δ̇ of the contact so far instead of δ̇⁽⁻⁾
    table: np.ndarray | None = field(default=None, compare=False)  # numbers that it reads by their address
    followed: tuple[float, str] | None = None  # brake [N·m·s] that is not solved for; the element that does so
    film_ends: bool = False  # its gap is where a film ends that nothing takes over
    carried_by: Literal["parent", "child"] = "parent"  # the body that is the "socket" of the element
