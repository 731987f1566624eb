"""A pin that turns steadily in a bush that is pressed onto it: its wear has closed forms.

The bush slides on two ideal slides and does not turn. Without friction, of a stiff foundation, the bore is worn to
e cos θ − c where that is positive, the pressure is p₀ cos θ over |θ| < θ₀, cos θ₀ = c/e, and with ẇ = k p v and the
load F = R L p₀ (θ₀ + ½ sin 2θ₀)

    ė = k v F/(R L (θ₀ + ½ sin 2θ₀))        θ₀/cos θ₀ − sin θ₀ = k s F/(R L c)        (F constant, s = v t)
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

import gudgeon as gd

RADIUS, CLEARANCE, LENGTH, LOAD = 0.010, 20e-6, 0.010, 200.0  # [m], [N]
SPEED = 2.0 * np.pi * 10.0  # of the pin [rad/s]
WEAR = 1e-13  # [1/Pa]


def bush(
    stiffness: float = 1e13,
    *,
    speed: float = SPEED,
    friction: float = 0.0,
    load: str | float = LOAD,
    damping: float = 100.0,
    planar: bool = True,
    **journal,
) -> gd.System:
    contact = gd.laws.HuntCrossley(stiffness=stiffness, damping=damping, exponent=1.0)
    rough = gd.laws.Coulomb(coefficient=friction, velocity_tolerance=1e-3) if friction else None
    model = gd.WornJournal(
        bore_radius=RADIUS,
        pin_radius=RADIUS - CLEARANCE,
        length=LENGTH,
        planar=planar,
        contact=contact,
        friction=rough,
        **journal,
    )
    part = gd.Body(mass=0.5, inertia=(1e-3, 1e-3, 1e-3))
    return gd.System(
        name="bush",
        gravity=(0, 0, 0),
        bodies={"pin": part, "carriage": part, "bush": part},
        joints={
            "main": gd.Revolute("ground", "pin", at=(0, 0, 0)),
            "x": gd.Prismatic("ground", "carriage", at=(0, 0, 0), axis=(1, 0, 0)),
            "y": gd.Prismatic("carriage", "bush", at=(0, 0, 0), axis=(0, 1, 0)),
            "J": gd.Revolute("bush", "pin", at=(0, 0, 0), model=model),
        },
        loads={
            "load": gd.JointForce("x", load),
            "brake x": gd.JointForce("x", "-20*x.displacement_rate"),
            "brake y": gd.JointForce("y", "-2000*y.displacement_rate"),
        },
        drives={"motor": gd.Drive("main", f"{speed!r}*t")},
    )


def half_angle(work: float) -> float:
    """θ₀ after the sliding work s F [N·m]."""
    x = WEAR * work / (RADIUS * LENGTH * CLEARANCE)
    return brentq(lambda a: a / np.cos(a) - np.sin(a) - x, 1e-9, 0.5 * np.pi - 1e-9)
