"""Driven mechanisms whose motion is known in closed form.

Slider-crank: crank radius r, rod length l, crank angle α(t). With sin ψ = (r/l) sin α the slider is at

    x = r cos α + l cos ψ,    ψ̇ = r α̇ cos α/(l cos ψ),    ψ̈ = (l ψ̇² sin ψ + r α̈ cos α − r α̇² sin α)/(l cos ψ),

ẋ and ẍ by differentiation (any textbook, e.g. J. J. Uicker, G. R. Pennock, J. E. Shigley, Theory of
Machines and Mechanisms). The forces follow by Newton and Euler, backwards from the slider; the crank's torque by power.

Hooke's joint: two shafts at an angle β, coupled by a universal joint, the first at constant speed.

    tan θ₂ = tan θ₁/cos β,    ω₂ = ω₁ cos β/(1 − sin²β cos²θ₁),
    ω̇₂ = −ω₁² cos β sin²β sin 2θ₁/(1 − sin²β cos²θ₁)²,

θ₁ = 0 where the cross axis of the driving shaft lies in the plane of both shafts (C. E. Wilson, J. P.
Sadler, Kinematics and Dynamics of Machinery).

Four-bar, links a (crank), b (coupler), c (rocker), d (ground), crank angle φ, rocker angle ψ: Freudenstein's equation

    K₁ cos ψ − K₂ cos φ + K₃ = cos(φ − ψ),    K₁ = d/a, K₂ = d/c, K₃ = (a² − b² + c² + d²)/(2 a c),

solved with the tangent of the half angle (R. L. Norton, Design of Machinery, position analysis of four-bars).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

import gudgeon as gd

R, L = 0.15, 0.35  # crank radius, rod length [m]
CRANK, ROD, SLIDER = 0.8, 1.2, 0.6  # masses [kg]
CRANK_INERTIA, ROD_INERTIA = 0.002, ROD * L**2 / 12  # about z at the centre of mass [kg·m²]
G = 9.81  # along −y [m/s²]
CRANK_ANGLE = "4*t + 1.5*t**2 + 0.3*sin(7*t)"  # [rad]


def slider_crank(**changes: Any) -> gd.System:
    """Crank balanced on its pivot, rod uniform, slider along x; all straight at the start."""
    parts: dict[str, Any] = {
        "name": "driven slider-crank",
        "gravity": (0, -G, 0),
        "bodies": {
            "crank": gd.Body(mass=CRANK, inertia=(CRANK_INERTIA,) * 3),
            "rod": gd.Body(mass=ROD, inertia=(1e-3, ROD_INERTIA, ROD_INERTIA), position=(R + L / 2, 0, 0)),
            "slider": gd.Body(mass=SLIDER, inertia=(1e-3, 1e-3, 1e-3), position=(R + L, 0, 0)),
        },
        "joints": {
            "pivot": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "crank pin": gd.Revolute("crank", "rod", at=(R, 0, 0)),
            "wrist pin": gd.Revolute("rod", "slider", at=(R + L, 0, 0)),
            "guide": gd.Prismatic("ground", "slider", at=(R + L, 0, 0), axis=(1, 0, 0)),
        },
        "drives": {"motor": gd.Drive("pivot", CRANK_ANGLE)},
    }
    return gd.System(**{**parts, **changes})


class SliderCrank(NamedTuple):
    """Crank angle and rate, slider x, ẋ, ẍ, kinetic and potential energy, force of the guide, torque of the motor."""

    a: np.ndarray
    da: np.ndarray
    x: np.ndarray
    dx: np.ndarray
    ddx: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray
    guide: np.ndarray
    torque: np.ndarray


def slider_crank_motion(t) -> SliderCrank:
    a, da, dda = (
        4 * t + 1.5 * t**2 + 0.3 * np.sin(7 * t),
        4 + 3 * t + 2.1 * np.cos(7 * t),
        3 - 14.7 * np.sin(7 * t),
    )
    ca, sa = np.cos(a), np.sin(a)
    sp = R / L * sa
    cp = np.sqrt(1 - sp**2)
    dp = R * da * ca / (L * cp)
    ddp = (L * dp**2 * sp + R * dda * ca - R * da**2 * sa) / (L * cp)
    x = R * ca + L * cp
    dx = -R * da * sa - L * dp * sp
    ddx = -R * (dda * sa + da**2 * ca) - L * (ddp * sp + dp**2 * cp)
    # Rod: it turns by −ψ; its centre is halfway between the crank pin (R ca, R sa) and the slider.
    vx, vy = (dx - R * da * sa) / 2, R * da * ca / 2
    ax = (ddx - R * (dda * sa + da**2 * ca)) / 2
    ay = R * (dda * ca - da**2 * sa) / 2
    kinetic = (CRANK_INERTIA * da**2 + ROD * (vx**2 + vy**2) + ROD_INERTIA * dp**2 + SLIDER * dx**2) / 2
    potential = ROD * G * R * sa / 2
    # Moments about the crank pin: −J ψ̈ + c × ROD (a − g) = 2c × F, F the slider's force on the rod.
    cx, cy = L * cp / 2, -L * sp / 2
    fx = -SLIDER * ddx
    fy = (-ROD_INERTIA * ddp + ROD * (cx * (ay + G) - cy * ax) + 2 * cy * fx) / (2 * cx)
    # Power of the motor: that of all inertial forces and of the rod's weight; α̇ > 0 throughout.
    power = CRANK_INERTIA * dda * da + ROD * (ax * vx + (ay + G) * vy) + ROD_INERTIA * ddp * dp + SLIDER * ddx * dx
    return SliderCrank(a, da, x, dx, ddx, kinetic, potential, SLIDER * G + fy, power / da)


BETA = np.pi / 6  # [rad]
SPEED = 2.0  # ω₁ [rad/s]
SPIN = (0.02, 0.03)  # moments of inertia about the shafts [kg·m²]
OUT = np.array([np.cos(BETA), np.sin(BETA), 0.0])  # direction of the driven shaft; the driving one is along x


def hooke() -> gd.System:
    """Shafts 0.3 m to both sides of the joint at the origin; the driven one has its body x axis along it."""
    return gd.System(
        name="Hooke's joint",
        gravity=(0, 0, 0),
        bodies={
            "in": gd.Body(mass=1.0, inertia=(SPIN[0], 0.05, 0.05), position=(-0.3, 0, 0)),
            "out": gd.Body(
                mass=1.0,
                inertia=(SPIN[1], 0.05, 0.05),
                position=0.3 * OUT,
                orientation=(np.cos(BETA / 2), 0, 0, np.sin(BETA / 2)),
            ),
        },
        joints={
            "first bearing": gd.Revolute("ground", "in", at=(-0.4, 0, 0), axis=(1, 0, 0)),
            "second bearing": gd.Revolute("ground", "out", at=0.4 * OUT, axis=OUT),
            "cross": gd.Universal("in", "out", at=(0, 0, 0), axis_parent=(0, 1, 0), axis_child=(0, 0, 1)),
        },
        drives={"motor": gd.Drive("first bearing", f"{SPEED}*t")},
    )


def hooke_motion(theta):
    """θ₂ (over full turns), ω₂ and ω̇₂ where the first shaft is at θ₁ = theta."""
    turn = np.arctan2(np.sin(theta), np.cos(BETA) * np.cos(theta))
    room = 1 - np.sin(BETA) ** 2 * np.cos(theta) ** 2
    ratio = np.cos(BETA) / room
    slope = -np.cos(BETA) * np.sin(BETA) ** 2 * np.sin(2 * theta) / room**2
    return np.unwrap(turn), SPEED * ratio, SPEED**2 * slope


class FourBar(NamedTuple):
    """Lengths of crank, coupler, rocker and ground [m]."""

    a: float = 1.0
    b: float = 2.0
    c: float = 1.0
    d: float = 2.0

    def rocker(self, phi):
        """ψ, dψ/dφ and d²ψ/dφ² of the open linkage, by Freudenstein's equation."""
        a, b, c, d = self
        k1, k2, k3 = d / a, d / c, (a**2 - b**2 + c**2 + d**2) / (2 * a * c)
        p, q, r = np.cos(phi) * (1 - k2) - k1 + k3, -2 * np.sin(phi), k1 - (k2 + 1) * np.cos(phi) + k3
        psi = 2 * np.arctan2(-q - np.sqrt(q**2 - 4 * p * r), 2 * p)
        over = np.sin(phi - psi) + k2 * np.sin(phi)
        under = np.sin(phi - psi) + k1 * np.sin(psi)
        slope = over / under
        bend = np.cos(phi - psi) * (1 - slope)
        curve = (bend + k2 * np.cos(phi) - slope * (bend + k1 * np.cos(psi) * slope)) / under
        return np.unwrap(psi), slope, curve

    def points(self, phi: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Crank pin, rocker pin and rocker pivot with the crank at φ, the rocker pin above the diagonal."""
        a, b, c, d = self
        pin, pivot = np.array([a * math.cos(phi), a * math.sin(phi), 0.0]), np.array([d, 0.0, 0.0])
        diagonal = float(np.linalg.norm(pivot - pin))
        along = (pivot - pin) / diagonal
        x = (b**2 - c**2 + diagonal**2) / (2 * diagonal)
        return pin, pin + x * along + math.sqrt(b**2 - x**2) * np.array([-along[1], along[0], 0.0]), pivot

    def system(self, phi: float, angle: str = "t", **changes: Any) -> gd.System:
        """The linkage with its crank at φ + `angle`, an expression that is 0 at t = 0."""
        pin, end, pivot = self.points(phi)
        parts: dict[str, Any] = {
            "name": "four-bar",
            "gravity": (0, -G, 0),
            "bodies": {
                "crank": gd.Body(mass=1.0, inertia=(0.01, 0.02, 0.02), position=pin / 2),
                "coupler": gd.Body(mass=2.0, inertia=(0.01, 0.05, 0.05), position=(pin + end) / 2),
                "rocker": gd.Body(mass=1.5, inertia=(0.01, 0.03, 0.03), position=(end + pivot) / 2),
            },
            "joints": {
                "A": gd.Revolute("ground", "crank", at=(0, 0, 0)),
                "B": gd.Revolute("crank", "coupler", at=pin),
                "C": gd.Revolute("coupler", "rocker", at=end),
                "D": gd.Revolute("ground", "rocker", at=pivot),
            },
            "drives": {"motor": gd.Drive("A", angle)},
        }
        return gd.System(**{**parts, **changes})


def turn_about_z(data, body: str) -> np.ndarray:
    """The angle of a body that turns about z, since the reference pose [rad]."""
    q = data["orientation"].sel(body=body).values
    return np.unwrap(2 * np.arctan2(q[:, 3], q[:, 0]))
