"""Real spherical joints of every kind, and small mechanisms to put them into."""

from __future__ import annotations

from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon import laws
from gudgeon.models.ideal import JointModel

RADII: dict[str, float] = {"socket_radius": 0.010, "ball_radius": 0.0099}  # [m]
CLEARANCE = RADII["socket_radius"] - RADII["ball_radius"]
STEEL = 6.61e10  # stiffness of the contact in contact_laws_restitution.json [N/m^1.5]
BALL = {"mass": 0.2, "inertia": (1e-5, 1e-5, 1e-5)}  # of a ball on its own

LOSSY = laws.LankaraniNikravesh(stiffness=1e10, restitution=0.7)
COULOMB = laws.Coulomb(coefficient=0.15, velocity_tolerance=5e-3)
LUGRE = laws.LuGre(
    kinetic=0.1, static=0.15, stribeck_speed=0.01, bristle_stiffness=2e4, bristle_damping=20.0, viscous=0.05
)

_ROOT = np.array(
    [
        [3.0, 0.4, -0.2, 0.02, 0.00, 0.01],
        [0.0, 2.0, 0.50, 0.00, 0.03, 0.00],
        [0.0, 0.0, 1.50, 0.01, 0.00, -0.02],
        [0.0, 0.0, 0.00, 0.03, 0.01, 0.00],
        [0.0, 0.0, 0.00, 0.00, 0.02, 0.005],
        [0.0, 0.0, 0.00, 0.00, 0.00, 0.04],
    ]
)
STIFFNESS = 1e5 * _ROOT.T @ _ROOT  # coupled, positive [N/m, N/rad, N·m/rad]
_SWIRL = np.diag([0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
_SWIRL[0, 1], _SWIRL[1, 0] = 3.0, -3.0  # a part of the damping that takes no energy
DAMPING = 2e-4 * STIFFNESS + _SWIRL + np.diag([5.0, 1.0, 2.0, 1e-3, 2e-3, 1e-3])  # [N·s/m, N·s, N·m·s]

EVERY_MODEL: dict[str, JointModel] = {
    "frictionless": gd.Dry(**RADII, contact=LOSSY),
    "Coulomb": gd.Dry(**RADII, contact=LOSSY, friction=COULOMB),
    "LuGre": gd.Dry(**RADII, contact=LOSSY, friction=LUGRE),
    "ball on parent": gd.Dry(**RADII, contact=LOSSY, friction=COULOMB, ball_on="parent"),
    "lubricated": gd.Lubricated(**RADII, viscosity=5e-3),
    "lubricated, contact": gd.Lubricated(
        **RADII, viscosity=2e-4, smallest_film=2e-6, contact=LOSSY, friction=COULOMB, ball_on="parent"
    ),
    "bushing": gd.Bushing(stiffness=2e6, damping_time=1e-4),
    "bushing 3×3": gd.Bushing(stiffness=STIFFNESS[:3, :3], damping=DAMPING[:3, :3]),
    "bushing 6×6": gd.Bushing(stiffness=STIFFNESS, damping=DAMPING),
}
TOUCHING = [name for name, model in EVERY_MODEL.items() if getattr(model, "contact", None)]


def two_bodies(model: JointModel, start: dict[str, gd.BodyState] | None = None) -> gd.System:
    """Two odd bodies that fly freely, connected by the joint J alone; without `start` they spin and collide."""
    moving = {
        "one": gd.BodyState(
            position=(0.1, -0.2, 0.3),
            orientation=(1, 0, 0, 0),
            velocity=(0.3, -0.1, 0.2),
            angular_velocity=(2.0, -3.0, 1.0),
        ),
        "two": gd.BodyState(
            position=(0.18, -0.17, 0.35),
            orientation=(1, 0, 0, 0),
            velocity=(0.51, 0.05, 0.12),
            angular_velocity=(-1.0, 2.0, 4.0),
        ),
    }
    return gd.System(
        name="two bodies",
        gravity=(0, 0, 0),
        bodies={
            "one": gd.Body(mass=0.5, inertia=(4e-4, 5e-4, 6e-4, 1e-4, -5e-5, 8e-5), position=(0.1, -0.2, 0.3)),
            "two": gd.Body(mass=0.3, inertia=(2e-4, 3e-4, 2.5e-4, 0, 4e-5, 0), position=(0.18, -0.17, 0.35)),
        },
        joints={"J": gd.Spherical("one", "two", at=(0.13, -0.18, 0.34), model=model)},
        start=start or moving,
    )


def ball_in_socket(model: JointModel, *, velocity=(0.0, 0.0, 0.0), offset=(0.0, 0.0, 0.0), **parts: Any) -> gd.System:
    """A ball on its own in a socket of the ground, `offset` from its centre; no gravity unless stated."""
    start = gd.BodyState(position=offset, orientation=(1, 0, 0, 0), velocity=velocity)
    return gd.System(
        **{
            "name": "ball in socket",
            "gravity": (0, 0, 0),
            "bodies": {"ball": gd.Body(**BALL)},
            "joints": {"J": gd.Spherical("ground", "ball", at=(0, 0, 0), model=model)},
            "start": {"ball": start},
            **parts,
        }
    )
