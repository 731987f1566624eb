"""Explicit line laws of the literature: powers of δ fitted to other formulas, and the stiffness of a ball."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.errors import ModelError
from gudgeon.laws.base import LineLaw
from gudgeon.laws.line import ConformalLine, refuse_two_losses
from gudgeon.quantities import HertzStiffness, Length, Slowness


@dataclass(frozen=True, kw_only=True)
class Pereira(ConformalLine):
    """F′ = (a ΔR + b) E*/ΔR δⁿ, a 0.965, b 0.0965, n = Y ΔR^−0.005; mm and MPa.   Pereira, Ramalho & Ambrósio (2015).

    An enhanced cylindrical contact force model, Multibody Syst. Dyn. 35, 277-298: a fit of Johnson's formula, explicit.
    Y = 1.51 ln(1000 ΔR)^−0.151 below ΔR = 0.34954 mm and 0.0151 ΔR + 1.151 above; made for 5 µm < ΔR < 10 mm, refused
    beyond. 0.6 to 1.1 of the force of exact elasticity at R_o/R = 2.

    >>> import gudgeon as gd
    >>> round(gd.laws.Pereira(modulus=1.1e11, clearance=0.5e-3).exponent, 4)
    1.1626
    """

    def __post_init__(self):
        super().__post_init__()
        if not 5e-6 <= self.clearance <= 10e-3:
            raise ModelError(
                f"Pereira: clearance is {self.clearance:g} m; the fit holds from 5e-6 to 0.01 m: use gd.laws.PinInBore"
            )

    @property
    def exponent(self) -> float:
        """n [-]."""
        play = 1e3 * self.clearance  # ΔR [mm]
        Y = 1.51 * math.log(1000.0 * play) ** -0.151 if play < 0.34954 else 0.0151 * play + 1.151
        return Y * play**-0.005

    @property
    def parameters(self) -> tuple[float, ...]:
        """E*, ΔR, c_d, χ, stiffness [N/m^(n+1)], n."""
        play, n = 1e3 * self.clearance, self.exponent
        stiffness = (0.965 * play + 0.0965) * 1e-6 * self.modulus / play  # [N/mm^(n+1)]
        return (self.modulus, self.clearance, self.damping, self.loss, stiffness * 1e3 ** (n + 1.0), n)

    @staticmethod
    def line_force(delta, ddelta, impact_speed, p):
        """Normal force per length [N/m]."""
        if delta <= 0.0:
            return 0.0
        factor = 1.0 + p[2] * ddelta
        if p[3] > 0.0:
            factor += p[3] * ddelta / impact_speed
        force = p[4] * delta ** p[5] * factor
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class LiuZhangYang(ConformalLine):
    """F′ = ½ π E* δ √(δ/(2 (ΔR + δ))).   Liu, Zhang & Yang (2007), Mech. Mach. Theory 42, 183-197.

    The FEM analysis and approximate model for cylindrical joints with clearances: a foundation, made for clearances
    near zero. Soft otherwise: 0.16 to 0.4 of the force of exact elasticity at R_o/R = 2 and δ < ΔR.

    >>> import gudgeon as gd
    >>> law = gd.laws.LiuZhangYang(modulus=1e11, clearance=0.0)
    >>> round(law.line_force(1e-6, 0.0, 1.0, law.parameters) / (1e11 * 1e-6), 4)  # π/√8
    1.1107
    """

    positive: ClassVar = ("modulus",)
    not_negative: ClassVar = ("clearance", "damping", "loss")

    @staticmethod
    def line_force(delta, ddelta, impact_speed, p):
        """Normal force per length [N/m]."""
        if delta <= 0.0:
            return 0.0
        factor = 1.0 + p[2] * ddelta
        if p[3] > 0.0:
            factor += p[3] * ddelta / impact_speed
        force = 0.5 * math.pi * p[0] * delta * math.sqrt(delta / (2.0 * (p[1] + delta))) * factor
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class SphereAsPin(LineLaw):
    """F′ = K δⁿ/L: the stiffness of a **ball**, spread over the length of a pin. Only to reproduce papers.

    Most papers on slider-cranks with clearance take Lankarani and Nikravesh with Hertz's K of a ball in a socket
    (`gd.laws.sphere_in_socket`), whatever the length: 0.1 to 0.4 of a steel pin of 20 mm. Their χ is 3/4 (1 − e²), here
    `loss`; `gd.laws.PinInBore` is the law of a pin.

    >>> import gudgeon as gd
    >>> law = gd.laws.SphereAsPin(stiffness=6.61e10, length=0.020, loss=0.75 * (1 - 0.9**2))
    >>> round(0.020 * law.line_force(1e-5, 0.0, 1.0, law.parameters), 2)
    2090.27
    """

    stiffness: HertzStiffness  # K [N/mⁿ]
    length: Length  # L, of the land [m]
    exponent: float = 1.5  # n [-]
    damping: Slowness = 0.0  # c_d, without memory [s/m]
    loss: float = 0.0  # χ, of the speed at which contact began [-]
    positive: ClassVar = ("stiffness", "length", "exponent")
    not_negative: ClassVar = ("damping", "loss")

    def __post_init__(self):
        super().__post_init__()
        refuse_two_losses("SphereAsPin", self.damping, self.loss)

    @staticmethod
    def line_force(delta, ddelta, impact_speed, p):
        """Normal force per length [N/m]."""
        if delta <= 0.0:
            return 0.0
        factor = 1.0 + p[3] * ddelta
        if p[4] > 0.0:
            factor += p[4] * ddelta / impact_speed
        force = p[0] * delta ** p[2] / p[1] * factor
        return 0.0 if force < 0.0 else force
