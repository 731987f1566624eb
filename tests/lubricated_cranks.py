"""Slider-cranks with a lubricated gudgeon pin, in the plane and in space, whose motions were computed elsewhere."""

from __future__ import annotations

import math

import numpy as np

import gudgeon as gd

RADIUS, ROD, SPEED = 0.05, 0.12, 5000.0 * 2.0 * np.pi / 60.0  # of the crank [m], length [m], [rad/s]
TURN = 2.0 * np.pi / SPEED  # [s]
END = RADIUS + ROD  # where the pin is at the start [m]


def crank(model, *, pin: type[gd.Joint] = gd.Cylindrical, big_end: type[gd.Joint] = gd.Revolute) -> gd.System:
    """Rod and slider behind a driven crank; all start in line, the slider at rest and the pin centred."""
    return gd.System(
        name="slider-crank",
        gravity=(0, 0, 0),
        bodies={
            "crank": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3)),
            "rod": gd.Body(mass=0.21, inertia=(2e-5, 2.5e-4, 2.5e-4), position=(RADIUS + ROD / 2, 0, 0)),
            "slider": gd.Body(mass=0.14, inertia=(1e-4, 1e-4, 1e-4), position=(END, 0, 0)),
        },
        joints={
            "main": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "big end": big_end("crank", "rod", at=(RADIUS, 0, 0)),
            "pin": pin("rod", "slider", at=(END, 0, 0), model=model),
            "guide": gd.Prismatic("ground", "slider", at=(END, 0, 0), axis=(1, 0, 0)),
        },
        drives={"turn": gd.Drive("main", f"{SPEED!r}*t")},
        start={
            "rod": gd.BodyState(
                position=(RADIUS + ROD / 2, 0, 0),
                orientation=(1, 0, 0, 0),
                velocity=(0, RADIUS * SPEED / 2, 0),
                angular_velocity=(0, 0, -RADIUS * SPEED / ROD),
            ),
            "slider": gd.BodyState(position=(END, 0, 0), orientation=(1, 0, 0, 0)),
        },
    )


SHORT = gd.LubricatedJournal(bore_radius=0.01, pin_radius=0.0095, length=0.02, viscosity=0.4, film="short")
FINITE = gd.LubricatedJournal(bore_radius=0.01, pin_radius=0.0098, length=0.04, viscosity=0.4)


def conformal(delta, ddelta):
    """Steel pin in a steel bore, c = 50 µm, E* = 1.137363e11 Pa [N/m]."""
    log = math.log(1.0 + 0.4433 * 5e-5 / delta)
    return math.pi * 1.137363e11 * delta / (1.1016 + 1.2938 * log) * (1.0 + 0.1425 * ddelta)


def collar(delta, ddelta):
    """2 E* R_c/(π (R_c² − R_i²)) δ (1 + 0.1425 δ̇) [Pa]."""
    return 1.137363e11 * 0.028 / (math.pi * (0.014**2 - 0.01**2)) * delta * (1.0 + 0.1425 * ddelta)


def rubbing(speed, normal_force):
    """μ = 0.05, smoothed."""
    return 0.05 * normal_force * math.tanh(speed / 0.01)


TILTED = gd.LubricatedJournal(
    bore_radius=0.01,
    pin_radius=0.01 - 5e-5,
    length=0.02,
    viscosity=0.02,
    film="short",
    smallest_film=1e-6,
    contact=conformal,
    face=collar,
    friction=rubbing,
    axial_play=1e-4,
    collar_radius=0.014,
    pin_tilt=(0.0, 0.002),
)
