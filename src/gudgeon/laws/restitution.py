"""The restitution that a contact law really returns.

A mass that bounces under f = g(δ) (1 + χ δ̇/v₀) enters with rate v₀ and leaves with −e v₀. From m δ̈ = −f, with
x = δ̇/v₀, x dx/(1 + χ x) = −g dδ/(m v₀²); both ends have δ = 0, so x − ln(1 + χ x)/χ is the same at x = 1 and x = −e:

    (1 + χ)/(1 − χ e) = exp(χ (1 + e)).

Gonthier, McPhee, Lange & Piedboeuf (2004), Multibody Syst. Dyn. 11, 209-233. Neither g, m nor v₀ matters: the same
holds for forces per length. `loss_factor` is the way back, the χ that returns e.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, LineLaw


def recovered_restitution(law: ContactLaw | LineLaw, *, impact_speed: float | None = None) -> float:
    """The ratio of rebound to impact speed [-] of a bounce under `law`, other forces being negligible.

    χ is measured by evaluating the law. If it depends on the impact speed, `impact_speed` [m/s] must be given.

    >>> import gudgeon as gd
    >>> law = gd.laws.LankaraniNikravesh(stiffness=1e10, restitution=0.5)
    >>> round(gd.laws.recovered_restitution(law), 6)
    0.725241
    >>> round(gd.laws.recovered_restitution(gd.laws.HuntCrossley(stiffness=1e10, damping=0.2), impact_speed=0.1), 3)
    0.98
    """
    if not isinstance(law, ContactLaw | LineLaw):
        raise ModelError(f"recovered_restitution: law is {law!r}; give a contact law such as Hertz(stiffness=1e10)")
    name = type(law).__name__
    if impact_speed is None:
        chi = _damping_factor(law, 1.0)
        if abs(_damping_factor(law, 2.0) - chi) > 1e-9 * (1.0 + chi):
            raise ModelError(f"{name}: the restitution depends on the impact speed; give impact_speed= [m/s]")
    else:
        speed = number("recovered_restitution", "impact_speed", impact_speed)
        if speed <= 0.0:
            raise ModelError(f"recovered_restitution: impact_speed is {speed:g}; it must be positive")
        chi = _damping_factor(law, speed)
    if chi < -1e-12:
        raise ModelError(f"{name}: the damping factor χ is {chi:g}; a law that feeds a bounce has no restitution")
    return _restitution(max(chi, 0.0))


def loss_factor(restitution: float) -> float:
    """The χ of f = g(δ) (1 + χ δ̇/v₀) that returns this restitution exactly, 0 < e ≤ 1 [-].

    >>> import gudgeon as gd
    >>> round(gd.laws.loss_factor(0.9), 6)
    0.166482
    """
    e = number("loss_factor", "restitution", restitution)
    if not 0.0 < e <= 1.0:
        raise ModelError(
            f"loss_factor: restitution is {e:g}; it must be above 0, where χ is infinite, and at most 1, where nothing "
            "is lost"
        )
    low, high = 0.0, 1.0 / e  # χ e < 1, and the restitution falls as χ grows
    while high - low > 1e-16 * high:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if _restitution(middle) > e else (low, middle)
    return 0.0 if e == 1.0 else high


def _restitution(chi: float) -> float:
    """The root e of (1 + χ)/(1 − χ e) = exp(χ (1 + e)): Newton on s = −ln(1 − χ e), convex and from above."""
    if chi < 1e-4:  # the equation cancels; its expansion is exact to 1e-12
        return 1.0 - chi * (2.0 / 3.0 - chi * 4.0 / 9.0)
    loss = chi - math.log1p(chi)
    s = loss + 1.0
    for _ in range(100):
        step = (s + math.expm1(-s) - loss) / -math.expm1(-s)
        s -= step
        if step <= 1e-15 * s:
            break
    return -math.expm1(-s) / chi


def _damping_factor(law: ContactLaw | LineLaw, impact_speed: float) -> float:
    """χ of f = g(δ) (1 + χ δ̇/v₀) at impact speed v₀; an error if the law is not of this form."""
    function: Callable[..., float]
    if isinstance(law, LineLaw):
        function, deep = law.line_force, min(1e-4, 0.9 * law.deepest)  # pyright: ignore[reportAttributeAccessIssue]
    else:
        function, deep = law.normal_force, 1e-4  # pyright: ignore[reportAttributeAccessIssue]
    history = (impact_speed,) if len(inspect.signature(function).parameters) == 4 else ()

    def gain(delta: float, ratio: float) -> float:
        """f(δ, δ̇)/f(δ, 0) − 1 at δ̇ = ratio · v₀."""
        elastic = function(delta, 0.0, *history, law.parameters)
        damped = function(delta, ratio * impact_speed, *history, law.parameters)
        return damped / elastic - 1.0 if elastic > 0.0 else math.nan

    chi = gain(0.1 * deep, 1.0)
    rebound = -0.5 / max(chi, 1.0)  # slow enough not to meet the limit f ≥ 0
    found = [gain(delta, ratio) / ratio for delta in (0.01 * deep, 0.1 * deep, deep) for ratio in (1.0, 0.5, rebound)]
    if not all(abs(x - chi) <= 1e-9 * (1.0 + abs(chi)) ** 2 for x in found):
        raise ModelError(
            f"{type(law).__name__}: the force is not g(δ) (1 + χ δ̇/v₀), the form whose restitution is known; "
            "simulate a bounce instead"
        )
    return chi
