"""Small mechanisms with closed-form motion that several tests share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import ellipj, ellipk

import gudgeon as gd

G = 9.81  # [m/s²]
TIGHT = gd.Explicit(rtol=1e-12, atol=1e-13)
QUARTER_PERIOD = ellipk(0.5) / math.sqrt(G)  # of a pendulum of 1 m released from the horizontal [s]


def pendulum(**changes: Any) -> gd.System:
    """A compound pendulum of reduced length (J + m d²)/(m d) = 1 m, at rest at x = −d; y points up."""
    parts: dict[str, Any] = {
        "name": "pendulum",
        "gravity": (0, -G, 0),
        "bodies": {"bob": gd.Body(mass=1.0, inertia=(0.25, 0.25, 0.25), position=(-0.5, 0, 0))},
        "joints": {"pivot": gd.Revolute("ground", "bob", at=(0, 0, 0))},
    }
    return gd.System(**{**parts, **changes})


def swing(t):
    """Where a pendulum of 1 m is at the times t: sin(φ/2) = k cd(√g t), k = sin 45°, φ from below."""
    _, cn, dn, _ = ellipj(math.sqrt(G) * np.asarray(t), 0.5)
    angle = 2.0 * np.arcsin(math.sqrt(0.5) * cn / dn)
    return np.stack([-np.sin(angle), -np.cos(angle)], axis=-1)


def tip(result: gd.Result) -> np.ndarray:
    """The point of the pendulum at the reduced length."""
    return 2.0 * result.data.position.sel(body="bob").values[:, :2]


def wheel(speed: float = 0.0, inertia: float = 0.02, **parts: Any) -> gd.System:
    """A balanced wheel on the axis z."""
    return gd.System(
        name="wheel",
        bodies={"wheel": gd.Body(mass=1.0, inertia=(inertia,) * 3, angular_velocity=(0, 0, speed))},
        joints={"axle": gd.Revolute("ground", "wheel", at=(0, 0, 0))},
        **parts,
    )


def trolley(speed: float = 0.0, **parts: Any) -> gd.System:
    """2 kg on a guide along x."""
    return gd.System(
        name="trolley",
        bodies={"trolley": gd.Body(mass=2.0, inertia=(1, 1, 1), velocity=(speed, 0, 0))},
        joints={"guide": gd.Prismatic("ground", "trolley", at=(0, 0, 0), axis=(1, 0, 0))},
        **parts,
    )


CRANK, ROD = 0.15, 0.35  # lengths [m]


def slider_crank(drive: gd.Drive) -> gd.System:
    return gd.System(
        name="slider-crank",
        gravity=(0, -G, 0),
        bodies={
            "crank": gd.Body(mass=0.8, inertia=(0.002, 0.002, 0.002)),
            "rod": gd.Body(mass=1.2, inertia=(0.001, 0.012, 0.012), position=(CRANK + ROD / 2, 0, 0)),
            "slider": gd.Body(mass=0.6, inertia=(0.001, 0.001, 0.001), position=(CRANK + ROD, 0, 0)),
        },
        joints={
            "pivot": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "crank pin": gd.Revolute("crank", "rod", at=(CRANK, 0, 0)),
            "wrist pin": gd.Revolute("rod", "slider", at=(CRANK + ROD, 0, 0)),
            "guide": gd.Prismatic("ground", "slider", at=(CRANK + ROD, 0, 0), axis=(1, 0, 0)),
        },
        drives={"motor": drive},
    )


def nearly_locking(offset: float) -> gd.System:
    """A slider-crank with crank and rod of 0.1 m, no redundant rows, whose rod passes nearly across the guide."""
    turn, length = 0.6, 0.1
    pin = np.array([length * math.cos(turn), length * math.sin(turn), 0.0])
    end = np.array([pin[0] + math.sqrt(length**2 - (pin[1] - offset) ** 2), offset, 0.0])
    light = {"mass": 0.1, "inertia": (1e-4, 1e-4, 1e-4)}
    return gd.System(
        name="nearly locking",
        gravity=(0, 0, 0),
        bodies={
            "crank": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), angular_velocity=(0, 0, 10)),
            "rod": gd.Body(**light, position=(pin + end) / 2),
            "slider": gd.Body(**light, position=end),
        },
        joints={
            "pivot": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "crank pin": gd.Spherical("crank", "rod", at=pin),
            "wrist pin": gd.Universal("slider", "rod", at=end, axis_parent=(0, 0, 1), axis_child=(1, 0, 0)),
            "guide": gd.Prismatic("ground", "slider", at=end, axis=(1, 0, 0)),
        },
    )


def waves(t):
    return (math.sin(3 * t), t * t, 1.0)


def path(t):
    return 3.0 * t + 0.5 * math.sin(5.0 * t)


def path_rate(t):
    return 3.0 + 2.5 * math.cos(5.0 * t)


def path_acceleration(t):
    return -12.5 * math.sin(5.0 * t)


def double_pendulum(model: gd.Ideal | gd.PenaltyPin) -> gd.System:
    """Two rods of 1 m, released when horizontal."""
    rod = (0.01, 0.1, 0.1)  # [kg·m²]
    return gd.System(
        name="double pendulum",
        gravity=(0.0, -9.81, 0.0),
        bodies={
            "upper": gd.Body(mass=1.0, inertia=rod, position=(0.5, 0.0, 0.0)),
            "lower": gd.Body(mass=1.0, inertia=rod, position=(1.5, 0.0, 0.0)),
        },
        joints={
            "hook": gd.Revolute("ground", "upper", at=(0.0, 0.0, 0.0)),
            "pin": gd.Revolute("upper", "lower", at=(1.0, 0.0, 0.0), model=model),
        },
    )
