"""Contact laws: the normal force f(δ, δ̇) between two bodies that touch, zero for δ ≤ 0, never attractive.

The hysteresis laws multiply a Hertz-like spring by a damping factor,

    f = K δⁿ (1 + χ δ̇/δ̇⁽⁻⁾),

where δ̇⁽⁻⁾ > 0 is the rate at the instant the contact began (`impact_speed`). They differ only in χ as a function of the
prescribed restitution e. Each author approximates the motion during the impact, so the restitution that comes out is
not quite e; it depends on χ alone, not on K, n, the mass or the speed. `recovered_restitution` says what it is.
Validity: impacts of compact bodies, without waves or plastic flow, contact area small against the radii.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw
from gudgeon.quantities import Damping, HertzStiffness, Slowness, Stiffness


@dataclass(frozen=True, kw_only=True)
class Hertz(ContactLaw):
    """f = K δⁿ, without loss.   Hertz (1882), J. reine angew. Math. 92, 156-171.

    Elastic bodies, contact area small against the radii. n = 3/2 for ball contacts, K from `sphere_in_socket`,
    `spheres` or `sphere_on_plane`.

    >>> import gudgeon as gd
    >>> law = gd.laws.Hertz(stiffness=1e10)
    >>> round(law.normal_force(1e-6, 0.0, law.parameters), 9)
    10.0
    """

    stiffness: HertzStiffness  # K [N/mⁿ]
    exponent: float = 1.5  # n [-]
    positive: ClassVar = ("stiffness", "exponent")

    @staticmethod
    def normal_force(delta, ddelta, p):
        """Normal force [N]."""
        return 0.0 if delta <= 0.0 else p[0] * delta ** p[1]


@dataclass(frozen=True, kw_only=True)
class KelvinVoigt(ContactLaw):
    """f = K δ + D δ̇, at least 0.   Spring and damper in parallel, Goldsmith (1960), Impact, Arnold.

    The force jumps to D δ̇⁽⁻⁾ when contact begins, which no body does, and falls to 0 before the bodies part. The
    restitution of mass m depends on D/√(K m), not on the speed (Schwager & Pöschel (2007), Granular Matter 9, 465-469).

    >>> import gudgeon as gd
    >>> law = gd.laws.KelvinVoigt(stiffness=1e6, damping=100.0)
    >>> round(law.normal_force(1e-3, 0.5, law.parameters), 9), law.normal_force(1e-3, -20.0, law.parameters)
    (1050.0, 0.0)
    """

    stiffness: Stiffness  # K [N/m]
    damping: Damping  # D [N·s/m]
    positive: ClassVar = ("stiffness",)
    not_negative: ClassVar = ("damping",)

    @staticmethod
    def normal_force(delta, ddelta, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        force = p[0] * delta + p[1] * ddelta
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class HuntCrossley(ContactLaw):
    """f = k δⁿ (1 + 3/2 (c + (1 − e)/δ̇⁽⁻⁾) δ̇).   Hunt & Crossley (1975), J. Appl. Mech. 42, 440-445.

    Give `damping` c, for a material whose restitution falls as 1 − c δ̇⁽⁻⁾ with the impact speed, or `restitution` e,
    the same at all speeds: χ = 3/2 (1 − e). Good for e near 1; e = 0.5 comes out as 0.663.

    >>> import gudgeon as gd
    >>> round(gd.laws.recovered_restitution(gd.laws.HuntCrossley(stiffness=1e10, restitution=0.5)), 3)
    0.663
    """

    stiffness: HertzStiffness  # k [N/mⁿ]
    damping: Slowness = 0.0  # c [s/m]
    exponent: float = 1.5  # n [-]
    restitution: float = 1.0  # e [-]
    positive: ClassVar = ("stiffness", "exponent")
    not_negative: ClassVar = ("damping",)
    fraction: ClassVar = ("restitution",)

    def __post_init__(self):
        super().__post_init__()
        if self.damping > 0.0 and self.restitution < 1.0:
            raise ModelError(
                f"HuntCrossley: damping is {self.damping:g} and restitution is {self.restitution:g}; "
                "both state the same loss, give one and leave out the other"
            )

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        force = p[0] * delta ** p[2] * (1.0 + 1.5 * (p[1] + (1.0 - p[3]) / impact_speed) * ddelta)
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class HysteresisLaw(ContactLaw):
    """f = K δⁿ (1 + χ δ̇/δ̇⁽⁻⁾) with χ of the restitution; abstract. p[0] = K, p[1] = e, p[2] = n."""

    stiffness: HertzStiffness  # K [N/mⁿ]
    restitution: float  # e [-], prescribed
    exponent: float = 1.5  # n [-]
    positive: ClassVar = ("stiffness", "exponent")
    fraction: ClassVar = ("restitution",)
    divides_by_restitution: ClassVar[bool] = False  # χ → ∞ as e → 0

    def __post_init__(self):
        super().__post_init__()
        if self.divides_by_restitution and self.restitution == 0.0:
            raise ModelError(
                f"{type(self).__name__}: restitution is 0, where this law has infinite damping; "
                "give a value above 0, or use LankaraniNikravesh or ZhiyingQishao, which are finite there"
            )


@dataclass(frozen=True, kw_only=True)
class LankaraniNikravesh(HysteresisLaw):
    """χ = 3/4 (1 − e²).   Lankarani & Nikravesh (1990), J. Mech. Des. 112, 369-376.

    The most used. Assumes little loss: right for e near 1, and never below 0.663; e = 0.5 comes out as 0.725.

    >>> import gudgeon as gd
    >>> round(gd.laws.recovered_restitution(gd.laws.LankaraniNikravesh(stiffness=1e10, restitution=0.5)), 3)
    0.725
    """

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        force = p[0] * delta ** p[2] * (1.0 + 0.75 * (1.0 - p[1] * p[1]) * ddelta / impact_speed)
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class Flores(HysteresisLaw):
    """χ = 8 (1 − e)/(5 e).   Flores, Machado, Silva & Martins (2011), Multibody Syst. Dyn. 25, 357-375.

    For all e above 0, up to 0.046 low: e = 0.5 comes out as 0.470.

    >>> import gudgeon as gd
    >>> round(gd.laws.recovered_restitution(gd.laws.Flores(stiffness=1e10, restitution=0.5)), 3)
    0.47
    """

    divides_by_restitution: ClassVar[bool] = True

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        force = p[0] * delta ** p[2] * (1.0 + 1.6 * (1.0 - p[1]) / p[1] * ddelta / impact_speed)
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class Gonthier(HysteresisLaw):
    """χ = (1 − e²)/e.   Gonthier, McPhee, Lange & Piedboeuf (2004), Multibody Syst. Dyn. 11, 209-233.

    The authors' explicit approximation of (1 + χ)/(1 − χ e) = exp(χ (1 + e)), which would return e exactly. Within
    0.006 for e up to 0.4 and within 0.033 beyond: e = 0.5 comes out as 0.488, 0.8 as 0.768.

    >>> import gudgeon as gd
    >>> round(gd.laws.recovered_restitution(gd.laws.Gonthier(stiffness=1e10, restitution=0.2)), 3)
    0.205
    """

    divides_by_restitution: ClassVar[bool] = True

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        force = p[0] * delta ** p[2] * (1.0 + (1.0 - p[1] * p[1]) / p[1] * ddelta / impact_speed)
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class ZhiyingQishao(HysteresisLaw):
    """χ = 3/4 (1 − e²) exp(2 (1 − e)).   Zhiying & Qishao (2006), J. Dyn. Control 4, 294-298.

    Corrects Lankarani and Nikravesh towards large losses: e = 0.5 comes out as 0.483. Below 0.3 it stays too high
    (0.1 gives 0.217), but is finite at e = 0.

    >>> import gudgeon as gd
    >>> round(gd.laws.recovered_restitution(gd.laws.ZhiyingQishao(stiffness=1e10, restitution=0.5)), 3)
    0.483
    """

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        chi = 0.75 * (1.0 - p[1] * p[1]) * math.exp(2.0 * (1.0 - p[1]))
        force = p[0] * delta ** p[2] * (1.0 + chi * ddelta / impact_speed)
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class GharibHurmuzlu(HysteresisLaw):
    """χ = 1/e.   Gharib & Hurmuzlu (2012), J. Appl. Mech. 79, 064506.

    For large losses only: e = 0.1 comes out as 0.100 and 0.2 as 0.197, but e = 1 as 0.594.

    >>> import gudgeon as gd
    >>> round(gd.laws.recovered_restitution(gd.laws.GharibHurmuzlu(stiffness=1e10, restitution=0.2)), 3)
    0.197
    """

    divides_by_restitution: ClassVar[bool] = True

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        force = p[0] * delta ** p[2] * (1.0 + ddelta / (p[1] * impact_speed))
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class HuGuo(HysteresisLaw):
    """χ = 3 (1 − e)/(2 e).   Hu & Guo (2015), Multibody Syst. Dyn. 35, 131-151.

    For all e above 0, within 0.035, and right as e nears 1: e = 0.2 comes out as 0.166, 0.5 as 0.488, 0.9 as 0.900.

    >>> import gudgeon as gd
    >>> round(gd.laws.recovered_restitution(gd.laws.HuGuo(stiffness=1e10, restitution=0.9)), 4)
    0.8999
    """

    divides_by_restitution: ClassVar[bool] = True

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        force = p[0] * delta ** p[2] * (1.0 + 1.5 * (1.0 - p[1]) / p[1] * ddelta / impact_speed)
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class LeeWang(HysteresisLaw):
    """χ = 3/4 (1 − e).   Lee & Wang (1983), J. Mech. Transm. Autom. Des. 105, 534-540.

    About half the loss that is asked for, even near e = 1: e = 0.5 comes out as 0.799, 0.9 as 0.952.

    >>> import gudgeon as gd
    >>> round(gd.laws.recovered_restitution(gd.laws.LeeWang(stiffness=1e10, restitution=0.5)), 3)
    0.799
    """

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        force = p[0] * delta ** p[2] * (1.0 + 0.75 * (1.0 - p[1]) * ddelta / impact_speed)
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class HerbertMcWhannell(HysteresisLaw):
    """χ = 6 (1 − e)/((2 e − 1)² + 3).   Herbert & McWhannell (1977), J. Eng. Ind. 99, 513-518.

    For e above about 0.7: e = 0.9 comes out as 0.901, but 0.5 as 0.594.

    >>> import gudgeon as gd
    >>> round(gd.laws.recovered_restitution(gd.laws.HerbertMcWhannell(stiffness=1e10, restitution=0.5)), 3)
    0.594
    """

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, p):
        """Normal force [N]."""
        if delta <= 0.0:
            return 0.0
        chi = 6.0 * (1.0 - p[1]) / ((2.0 * p[1] - 1.0) ** 2 + 3.0)
        force = p[0] * delta ** p[2] * (1.0 + chi * ddelta / impact_speed)
        return 0.0 if force < 0.0 else force
