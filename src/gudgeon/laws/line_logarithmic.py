"""Line contact after Hertz with a logarithm for the bodies behind it: Johnson, Radzimovsky, ESDU.

All three are δ = F′/(πE*) [m − ln(F′/(πE*ΔR))] with their own constant m. Solved for the force, w = πE*δ/F′ is

    w − ln w = m − ln(δ/ΔR),    that is    w = −W₋₁(−e⁻ᵐ δ/ΔR),    F′ = πE*δ/w

with the lower branch of Lambert's function. At δ = eᵐ⁻¹ ΔR the slope is infinite, and beyond there is no force: the law
is void and returns nan. Contact narrow against the radii; against exact elasticity see each law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.line import ConformalLine


@dataclass(frozen=True, kw_only=True)
class LogarithmicLine(ConformalLine):
    """F′ = πE*δ/w, w − ln w = m − ln(δ/ΔR); abstract. p = E*, ΔR, c_d, χ, m."""

    constant: ClassVar[float] = 0.0  # m

    @property
    def parameters(self) -> tuple[float, ...]:
        """E*, ΔR, c_d, χ, m."""
        return (self.modulus, self.clearance, self.damping, self.loss, self.constant)

    @property
    def deepest(self) -> float:
        """δ = eᵐ⁻¹ ΔR, beyond which the law is void [m]."""
        return math.exp(self.constant - 1.0) * self.clearance

    @staticmethod
    def line_force(delta, ddelta, impact_speed, p):
        """Normal force per length [N/m]."""
        if delta <= 0.0:
            return 0.0
        g = p[4] - math.log(delta / p[1])
        if g < 1.0:
            return math.nan
        w = g + math.sqrt(2.0 * (g - 1.0))  # above the root, from where Newton falls (Chatzigeorgiou 2013)
        for _ in range(20):
            if w <= 1.0:
                break
            step = (w - math.log(w) - g) * w / (w - 1.0)
            w -= step
            if step <= 1e-15 * w:
                break
        factor = 1.0 + p[2] * ddelta
        if p[3] > 0.0:
            factor += p[3] * ddelta / impact_speed
        force = math.pi * p[0] * delta / w * factor
        return 0.0 if force < 0.0 else force


@dataclass(frozen=True, kw_only=True)
class Johnson(LogarithmicLine):
    """δ = F′/(πE*) [ln(4πE*ΔR/F′) − 1].   Johnson (1985), Contact Mechanics, section 5.6.

    Void beyond δ = 4/e² ΔR = 0.54 ΔR. Right for a wall of R_o/R ≈ 3; at 2 it gives 0.8 to 0.9 of the force of exact
    elasticity for δ < 0.2 ΔR.

    >>> import gudgeon as gd
    >>> law = gd.laws.Johnson(modulus=gd.laws.contact_modulus("steel"), clearance=50e-6)
    >>> f"{law.line_force(5e-6, 0.0, 1.0, law.parameters):.4g}"
    '4.358e+05'
    >>> law.line_force(30e-6, 0.0, 1.0, law.parameters)
    nan
    """

    constant: ClassVar[float] = math.log(4.0) - 1.0


@dataclass(frozen=True, kw_only=True)
class Radzimovsky(LogarithmicLine):
    """δ = F′/(πE*) [2/3 + ln(4R_i/b) + ln(4R_j/b)], b = 2√(4F′R_iR_j/(πE*ΔR)) the width.   Radzimovsky (1953).

    Stress distribution and strength condition of two rolling cylinders pressed together, Univ. Illinois Bull. 408. The
    radii cancel. Void beyond δ = e^(−1/3) ΔR = 0.72 ΔR; 0.75 to 0.86 of the force of exact elasticity at R_o/R = 2.

    >>> import gudgeon as gd
    >>> round(gd.laws.Radzimovsky(modulus=1.1e11, clearance=50e-6).deepest * 1e6, 2)
    35.83
    """

    constant: ClassVar[float] = 2.0 / 3.0


@dataclass(frozen=True, kw_only=True)
class ESDU78035(LogarithmicLine):
    """δ = F′/(πE*) [ln(4πE*ΔR/F′) + 1].   ESDU 78035 (1978), Contact phenomena I.

    Void beyond δ = 4 ΔR. Soft: 0.4 to 0.7 of the force of exact elasticity at R_o/R = 2.

    >>> import gudgeon as gd
    >>> round(gd.laws.ESDU78035(modulus=1.1e11, clearance=50e-6).deepest * 1e6, 6)
    200.0
    """

    constant: ClassVar[float] = math.log(4.0) + 1.0
