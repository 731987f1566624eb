"""Why a run stands still: nearly always a contact law that jumps, which no step size resolves."""

from __future__ import annotations

from gudgeon.kernels.dynamics.arrays import FLIGHT, MODE
from gudgeon.laws.base import ContactLaw
from gudgeon.laws.forms import law_form
from gudgeon.mechanics.equations import Equations
from gudgeon.models.dry import Dry
from gudgeon.models.lubricated import Lubricated

SLOW = 1e-9  # a rate of penetration that is nearly none [m/s]
DEPTHS = (1e-9, 1e-6, 1e-4)  # penetrations tried, of the clearance
JUMP = 1e-3  # change of a force that is a jump, of the force
PATIENCE = 1e8  # attempts at a step for a whole run, beyond which a law that jumps is taken for the reason
WINDOW = 10_000  # attempts after which the pace is looked at


class Pace:
    """Watches how fast a run goes on while it touches a law that jumps."""

    def __init__(self, equations: Equations, duration: float, time: float = 0.0, attempts: int = 0):
        self._equations, self._duration = equations, duration
        self._time, self._attempts = time, attempts

    def is_hopeless(self, time: float, attempts: int) -> bool:
        """Would the run take PATIENCE attempts at the pace since it was last looked at, because of a jump?"""
        tried, advance = attempts - self._attempts, (time - self._time) / self._duration
        if tried < WINDOW:
            return False
        self._time, self._attempts = time, attempts
        return advance * PATIENCE < tried and joint_with_jump(self._equations) is not None


def joint_with_jump(equations: Equations) -> tuple[str, str] | None:
    """The touching joint whose contact law jumps, and a sentence about it."""
    for name in _touching(equations):
        joint = equations.system.joints[name]
        model = joint.model
        if not isinstance(model, Dry | Lubricated) or model.contact is None:
            continue
        clearance, force = model.clearance, law_form(f"{joint.label(name)}: contact", model.contact, ContactLaw)
        for depth in DEPTHS:
            closing, opening = (max(0.0, force(depth * clearance, rate, 1.0)) for rate in (SLOW, -SLOW))
            if abs(closing - opening) > JUMP * max(closing, opening):
                return name, (
                    f"the contact law of {joint.label(name)} jumps where the rate of penetration changes sign, from "
                    f"{opening:.6g} to {closing:.6g} N at δ = {depth * clearance:.3g} m, so that there is no force to "
                    "rest on; make it continuous"
                )
        at_once = max(0.0, force(DEPTHS[0] * clearance, 0.0, 1.0))
        if at_once > JUMP * force(DEPTHS[-1] * clearance, 0.0, 1.0) > 0.0:
            return name, (
                f"the contact law of {joint.label(name)} does not vanish at δ = 0, where it returns {at_once:.6g} N, "
                "so that there is no smaller force to rest on; let it grow from 0"
            )
    return None


def joint_that_stands_still(equations: Equations) -> tuple[str, str] | None:
    """The joint whose law jumps, or else any that touches, and a sentence about it."""
    for name in _touching(equations):
        label = equations.system.joints[name].label(name)
        why = f"{label} touches and its force cannot be found to the tolerance; look for a jump in its laws"
        return joint_with_jump(equations) or (name, why)
    return None


def _touching(equations: Equations) -> list[str]:
    modes = equations.work.contact[:, MODE]
    return [name for name, mode in zip(equations.compliant.names, modes, strict=False) if mode != FLIGHT]
