"""The driven pendulum θ'' + θ'/q + sin θ = g cos(ω t), q = 2, ω = 2/3 (Baker, Gollub, *Chaotic Dynamics*, 1990)."""

from functools import cache

import numpy as np

import gudgeon as gd

OMEGA, PERIOD = 2.0 / 3.0, 3.0 * np.pi


def driven_pendulum(drive: float, damping: float = 0.5) -> gd.System:
    """Moment of inertia about the pivot 0.8² + 0.36 = 1, weight times distance 1.25 · 0.8 = 1."""
    return gd.System(
        name="driven pendulum",
        gravity=(0, 0, -1.25),
        bodies={"bob": gd.Body(mass=1.0, inertia=(0.36, 0.36, 0.36), position=(0, 0, -0.8))},
        joints={"pivot": gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, -1, 0))},
        loads={
            "friction": gd.JointSpring("pivot", stiffness=0.0, damping=damping),
            "motor": gd.Torque("bob", (0, f"-{drive}*cos(2/3*t)", 0)),
        },
    )


@cache
def run(drive: float, periods: int, damping: float = 0.5) -> gd.Result:
    return gd.simulate(driven_pendulum(drive, damping), periods * PERIOD, sample=PERIOD / 8)
