"""A revolute joint held by stiff springs instead of constraints. Source: the paper of docs/sliders.md, eq (4)."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.models.ideal import JointModel
from gudgeon.quantities import Stiffness


@dataclass(frozen=True, kw_only=True)
class PenaltyPin(JointModel):
    """F = k (r_R − r_n) on the one side, the opposite on the other, in the plane across the joint's axis.

    The two bodies stay within F/k of each other. Along the axis and against tilting the pin gives no support.

    >>> import gudgeon as gd
    >>> gd.Revolute("slider", "rod", at=(3.8, 0, 0), model=gd.PenaltyPin(stiffness=1e5)).model
    PenaltyPin(stiffness=100000.0)
    """

    stiffness: Stiffness  # k [N/m]

    def __post_init__(self):
        stiffness = number("PenaltyPin", "stiffness", self.stiffness)
        if stiffness <= 0.0:
            raise ModelError(f"PenaltyPin: stiffness is {stiffness:g} N/m; it must be positive")
        object.__setattr__(self, "stiffness", stiffness)
