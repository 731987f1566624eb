"""Friction laws: the force against sliding, as a function of the sliding speed v ≥ 0 and the normal force f_n.

Coulomb's law jumps at v = 0, where a body that sticks may need any force up to μ f_n. All laws here but LuGre replace
the jump by a steep slope: a loaded contact then creeps instead of sticking, the slower the smaller the tolerance (and
the stiffer the equations).
Formulas as compared by Marques, Flores, Claro & Lankarani (2016), Nonlinear Dyn. 86, 1407-1443.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.errors import ModelError
from gudgeon.laws.base import FrictionLaw
from gudgeon.quantities import Curvature, Slowness, Speed


@dataclass(frozen=True, kw_only=True)
class Coulomb(FrictionLaw):
    """f = μ f_n tanh(v/v₁).   Coulomb (1785), smoothed by tanh; 76 % of μ f_n at v₁, 99.9 % at 4 v₁.

    >>> import gudgeon as gd
    >>> law = gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)
    >>> round(law.friction_force(1.0, 50.0, law.parameters), 9)
    5.0
    """

    coefficient: float  # μ, kinetic [-]
    velocity_tolerance: Speed  # v₁ [m/s]
    positive: ClassVar = ("velocity_tolerance",)
    not_negative: ClassVar = ("coefficient",)

    @staticmethod
    def friction_force(speed, normal_force, p):
        """Friction force [N]."""
        return p[0] * normal_force * math.tanh(speed / p[1])


@dataclass(frozen=True, kw_only=True)
class Threlfall(FrictionLaw):
    """f = μ f_n (1 − exp(−3 v/v₀))/(1 − exp(−3)) for v ≤ v₀, μ f_n beyond.

    Threlfall (1978), Mech. Mach. Theory 13, 475-483. Surveys also print it without the denominator, held beyond v₀ at
    1 − e⁻³ = 95 % of μ f_n: the same curve with `coefficient` 0.95 μ. The slope falls from 3.16 μ f_n/v₀ at rest to
    0.16 μ f_n/v₀ at v₀, then jumps to 0.

    >>> import gudgeon as gd
    >>> law = gd.laws.Threlfall(coefficient=0.1, velocity_tolerance=1e-3)
    >>> [round(law.friction_force(v, 50.0, law.parameters), 3) for v in (5e-4, 1.0)]
    [4.088, 5.0]
    """

    coefficient: float  # μ, kinetic [-]
    velocity_tolerance: Speed  # v₀ [m/s]
    positive: ClassVar = ("velocity_tolerance",)
    not_negative: ClassVar = ("coefficient",)

    @staticmethod
    def friction_force(speed, normal_force, p):
        """Friction force [N]."""
        if speed >= p[1]:
            return p[0] * normal_force
        return p[0] * normal_force * math.expm1(-3.0 * speed / p[1]) / math.expm1(-3.0)


@dataclass(frozen=True, kw_only=True)
class Ambrosio(FrictionLaw):
    """f = 0 for v ≤ v₀, μ f_n (v − v₀)/(v₁ − v₀) up to v₁, μ f_n beyond.

    Ambrósio (2003), in Virtual Nonlinear Multibody Systems, Kluwer, 57-81. No friction at all below v₀: its direction
    cannot flicker about rest, but a loaded contact slips at v₀ or more.

    >>> import gudgeon as gd
    >>> law = gd.laws.Ambrosio(coefficient=0.1, lower_speed=1e-4, upper_speed=1e-3)
    >>> [round(law.friction_force(v, 50.0, law.parameters), 6) for v in (5e-5, 5.5e-4, 1.0)]
    [0.0, 2.5, 5.0]
    """

    coefficient: float  # μ, kinetic [-]
    lower_speed: Speed  # v₀ [m/s]
    upper_speed: Speed  # v₁ [m/s]
    positive: ClassVar = ("upper_speed",)
    not_negative: ClassVar = ("coefficient", "lower_speed")

    def __post_init__(self):
        super().__post_init__()
        if self.upper_speed <= self.lower_speed:
            raise ModelError(
                f"Ambrosio: upper_speed is {self.upper_speed:g} m/s and lower_speed is {self.lower_speed:g} m/s; "
                "friction grows between them, upper_speed must be the larger"
            )

    @staticmethod
    def friction_force(speed, normal_force, p):
        """Friction force [N]."""
        if speed <= p[1]:
            return 0.0
        if speed >= p[2]:
            return p[0] * normal_force
        return p[0] * normal_force * (speed - p[1]) / (p[2] - p[1])


@dataclass(frozen=True, kw_only=True)
class StaticFrictionLaw(FrictionLaw):
    """A law whose coefficient falls from static to kinetic; abstract. p[0] = μ_k, p[1] = μ_s."""

    kinetic: float  # μ_k [-]
    static: float  # μ_s [-]

    def __post_init__(self):
        super().__post_init__()
        if self.static < self.kinetic:
            raise ModelError(
                f"{type(self).__name__}: static is {self.static:g} and kinetic is {self.kinetic:g}; "
                "a static coefficient below the kinetic one has no meaning, exchange them or give the same value twice"
            )


@dataclass(frozen=True, kw_only=True)
class BengisuAkay(StaticFrictionLaw):
    """f = μ_s f_n (1 − (1 − v/v₀)²) for v ≤ v₀, f_n (μ_k + (μ_s − μ_k) exp(−ξ (v − v₀))) beyond.

    Bengisu & Akay (1994), J. Sound Vib. 171, 557-570. A parabola with its top μ_s at v₀, then a decay; the slope jumps
    at v₀ from 0 to −ξ (μ_s − μ_k) f_n. The falling part can drive stick-slip.

    >>> import gudgeon as gd
    >>> law = gd.laws.BengisuAkay(kinetic=0.1, static=0.2, peak_speed=1e-3, decay=100.0)
    >>> [round(law.friction_force(v, 50.0, law.parameters), 6) for v in (5e-4, 1e-3, 1.0)]
    [7.5, 10.0, 5.0]
    """

    peak_speed: Speed  # v₀ [m/s]
    decay: Slowness  # ξ [s/m]
    positive: ClassVar = ("peak_speed", "decay")
    not_negative: ClassVar = ("kinetic", "static")

    @staticmethod
    def friction_force(speed, normal_force, p):
        """Friction force [N]."""
        if speed <= p[2]:
            return p[1] * normal_force * (speed / p[2]) * (2.0 - speed / p[2])
        return normal_force * (p[0] + (p[1] - p[0]) * math.exp(-p[3] * (speed - p[2])))


@dataclass(frozen=True, kw_only=True)
class Stribeck(StaticFrictionLaw):
    """f = f_n ([μ_k + (μ_s − μ_k) exp(−(v/v_s)^d)] tanh(v/v₁) + σ v).   Bo & Pavelescu (1982), Wear 82, 277-289.

    Their curve has d between 0.5 and 1, that of Armstrong-Hélouvry (1991), Control of Machines with Friction, d = 2;
    tanh smooths it. The viscous part is taken proportional to the load, so that friction ends with the contact.
    Choose v₁ ≪ v_s: the peak always stays below μ_s, and comes near it only then.

    >>> import gudgeon as gd
    >>> law = gd.laws.Stribeck(kinetic=0.1, static=0.2, stribeck_speed=0.01, velocity_tolerance=1e-5, viscous=0.01)
    >>> [round(law.friction_force(v, 50.0, law.parameters), 3) for v in (1e-4, 1.0)]
    [10.0, 5.5]
    """

    stribeck_speed: Speed  # v_s [m/s]
    velocity_tolerance: Speed  # v₁ [m/s]
    exponent: float = 2.0  # d [-]
    viscous: Slowness = 0.0  # σ [s/m]
    positive: ClassVar = ("stribeck_speed", "velocity_tolerance", "exponent")
    not_negative: ClassVar = ("kinetic", "static", "viscous")

    @staticmethod
    def friction_force(speed, normal_force, p):
        """Friction force [N]."""
        curve = p[0] + (p[1] - p[0]) * math.exp(-((speed / p[2]) ** p[4]))
        return normal_force * (curve * math.tanh(speed / p[3]) + p[5] * speed)


@dataclass(frozen=True, kw_only=True)
class LuGre(StaticFrictionLaw):
    """F = f_n (σ₀ z + σ₁ ż + σ₂ v),   ż = v − σ₀ |v|/g(v) z,   g(v) = μ_k + (μ_s − μ_k) exp(−(v/v_s)²).

    Canudas de Wit, Olsson, Åström & Lischinsky (1995), IEEE Trans. Autom. Control 40, 419-425, in the load-normalised
    form of Canudas de Wit & Tsiotras (1999), Proc. 38th IEEE CDC, 3746-3751. The sliding velocity v is a vector here,
    and so is z [m], the mean deflection of the bristles: a state of the joint, integrated by the solver. Sticking is
    real: at rest a bristle spring of stiffness σ₀ f_n holds the load.

    `friction_force` is g(v) f_n alone: the bristle force σ₀ |z| f_n in steady sliding. It is μ_s f_n at v = 0, without
    regularisation, and is no friction force to be used on its own. F dissipates at every instant if σ₁ ≤ 4 g(v)/v
    (Barabanov & Ortega (2000), IEEE Trans. Autom. Control 45, 675-686).

    >>> import gudgeon as gd
    >>> law = gd.laws.LuGre(kinetic=0.1, static=0.2, stribeck_speed=1e-3, bristle_stiffness=1e5, bristle_damping=0.3)
    >>> [round(law.friction_force(v, 50.0, law.parameters), 3) for v in (0.0, 1.0)]
    [10.0, 5.0]
    """

    stribeck_speed: Speed  # v_s [m/s]
    bristle_stiffness: Curvature  # σ₀ [1/m]
    bristle_damping: Slowness  # σ₁ [s/m]
    viscous: Slowness = 0.0  # σ₂ [s/m]
    positive: ClassVar = ("kinetic", "stribeck_speed", "bristle_stiffness")
    not_negative: ClassVar = ("static", "bristle_damping", "viscous")

    @staticmethod
    def friction_force(speed, normal_force, p):
        """g(v) f_n [N]: the bound of the bristle force, not the friction force."""
        return normal_force * (p[0] + (p[1] - p[0]) * math.exp(-((speed / p[2]) ** 2)))
