"""A joint of any type and any model between two bodies alone in space: nothing else can give or take momentum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import gudgeon as gd
from one_joint import held_in_plane, one_joint

CARRIER = (-0.03, 0.02, 0.01)  # centre of mass of the parent [m]
INERTIA = (4e-4, 5e-4, 6e-4, 1e-4, 0, 5e-5)  # of the parent [kg·m²]
FLYING, SPINNING = np.array((0.3, -0.1, 0.2)), np.array((2.0, -1.0, 1.5))  # the pair as a whole [m/s, rad/s]


def free_pair(joint: str, model: str) -> gd.System:
    """The mechanism: as in `one_joint`, it starts with real joints touching, on their way deeper, sliding, turning."""
    alone = one_joint(joint, model)
    body, physics = alone.bodies["body"], alone.joints["J"].model
    if isinstance(physics, gd.SurfaceContact):
        touch = replace(physics.interface, reference=("carrier", physics.interface.reference[1]))
        physics = replace(physics, interface=touch)
    joint_of_pair = replace(alone.joints["J"], parent="carrier", model=physics)
    if isinstance(joint_of_pair, gd.Meeting):  # its shapes are placed on the bodies
        plane, ball = joint_of_pair.shapes
        plane = replace(plane, position=np.array(plane.position) - CARRIER)
        joint_of_pair = replace(joint_of_pair, shapes=(plane, ball))
    at = np.array(alone.start["body"].position if alone.start else body.position)
    turning = np.array((0.0, 0.0, 0.3) if joint == "Guide" else (0.5, -0.3, 0.8))
    flying, spinning, carrier, inertia = FLYING, SPINNING, np.array(CARRIER), INERTIA
    planar = model.endswith("planar")
    if planar:  # all that moves does so in the plane z = 0
        flying, carrier, inertia = flying * (1, 1, 0), carrier * (1, 1, 0), INERTIA[:3]
        spinning, turning = spinning * (0, 0, 1), turning * (0, 0, 1)
    sliding = np.array((0.02, -0.05, 0.0)) + np.cross(turning, at)
    bodies = {"carrier": gd.Body(mass=0.5, inertia=inertia, position=carrier), "body": body}
    joints = {"J": joint_of_pair}
    start = {
        "carrier": gd.BodyState(position=carrier, orientation=(1, 0, 0, 0), velocity=flying, angular_velocity=spinning),
        "body": gd.BodyState(
            position=at,
            orientation=(1, 0, 0, 0),
            velocity=flying + np.cross(spinning, at - carrier) + sliding,
            angular_velocity=spinning + turning,
        ),
    }
    for name in ("carrier", "body") if planar else ():
        held = held_in_plane(name, bodies[name], start[name])
        bodies, joints, start = bodies | held[0], joints | held[1], start | held[2]
    return gd.System(name="free pair", gravity=(0, 0, 0), bodies=bodies, joints=joints, start=start)
