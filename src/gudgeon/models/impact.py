"""Impact laws of hard contacts: how velocities jump where rigid bodies meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.dry_friction import DryFriction


@dataclass(frozen=True, kw_only=True)
class ImpactLaw:
    """What all impact laws have: a coefficient of restitution of the normal direction; abstract.

    Without friction, and with friction that slides one way all through the impact, all laws agree.
    """

    restitution_normal: float  # ε_N [-]

    def __post_init__(self):
        self.settle("restitution_normal")

    def settle(self, field: str) -> None:
        """A coefficient of restitution is a number between 0 and 1."""
        owner = type(self).__name__
        value = number(owner, field, getattr(self, field))
        if not 0.0 <= value <= 1.0:
            raise ModelError(f"{owner}: {field} is {value:g}; it must lie between 0 (plastic) and 1 (elastic)")
        object.__setattr__(self, field, value)


@dataclass(frozen=True, kw_only=True)
class Newton(ImpactLaw):
    """Newton's impact law, normal and tangential: γ⁺ = −ε γ⁻ for each contact that takes an impulse.

    The normal impulse never pulls; the tangential one stays within Coulomb's cone. With friction it can create energy
    (Kane's paradox): where friction turns sliding round, the normal impulse does more work against a contact that
    yields tangentially than ε_N² allows. It never does with ε_T = ε_N, with ε_N = 0, or without friction. A run in
    which an impact creates energy ends with an error; `Stronge` cannot. Source: Glocker (2001), Set-Valued Force Laws,
    as used by Flores, Leine and Glocker (2010), Multibody System Dynamics 23; Kane and Levinson (1985), Dynamics.

    >>> import gudgeon as gd
    >>> gd.Newton(restitution_normal=0.4)
    Newton(restitution_normal=0.4, restitution_tangential=0.0)
    """

    restitution_tangential: float = 0.0  # ε_T [-]

    def __post_init__(self):
        super().__post_init__()
        self.settle("restitution_tangential")


@dataclass(frozen=True, kw_only=True)
class Poisson(ImpactLaw):
    """Poisson's impact law: the normal impulse of restitution is ε_N times that of compression.

    Friction is Coulomb's all through the impact, which is followed from one change between sliding and sticking to the
    next; several contacts that strike together take normal impulses in the proportions that would just stop them. Where
    friction turns sliding round, this law too can create energy, if ε_N is near 1; then the run ends with an error.
    Source: Routh (1905), Dynamics of a System of Rigid Bodies, part I, chapter V.

    >>> import gudgeon as gd
    >>> gd.Poisson(restitution_normal=0.4)
    Poisson(restitution_normal=0.4)
    """


@dataclass(frozen=True, kw_only=True)
class Stronge(ImpactLaw):
    """Stronge's impact law, the default: the normal impulses return ε_N² of the energy they took in compression.

    The impact is followed through its impulse as under `Poisson`. Its kinetic energy never rises: the work of the
    normal impulses is −A in compression and at most ε_N² A in restitution, together −(1 − ε_N²) A ≤ 0; friction acts
    against sliding at every point of the path, so its work is not positive either; contacts that still approach
    afterwards strike again, which is again such a path, or are stopped, which takes energy. For one contact this is
    Stronge's energetic restitution; for several, A and what is returned are sums over all that strike together.
    Source: Stronge (1990), Rigid body collisions with friction, Proc. R. Soc. A 431.

    >>> import gudgeon as gd
    >>> gd.RigidSlider(length=0.5, height=0.3, clearance=1e-3, impact=0.4).impact
    Stronge(restitution_normal=0.4)
    """


def impact_law(owner: str, given: Any, of_number: type[ImpactLaw], friction: Any) -> ImpactLaw:
    """The impact law that a user gave as `impact`: itself, or that of a restitution; beside what friction there is."""
    if friction is not None and not isinstance(friction, DryFriction):
        raise ModelError(
            f"{owner}: impact= with friction={type(friction).__name__}: an impulse has no smooth friction; give "
            "gd.laws.DryFriction(static=, kinetic=), or contact= instead of impact="
        )
    if isinstance(given, int | float) and not isinstance(given, bool):
        return of_number(restitution_normal=given)
    if isinstance(given, ImpactLaw) and type(given) is not ImpactLaw:
        return given
    raise ModelError(
        f"{owner}: impact is {given!r}; give a restitution between 0 and 1, or "
        "gd.Stronge(restitution_normal=...), gd.Poisson(...) or gd.Newton(...)"
    )
