"""A joint of any type and any model between two bodies alone in space: nothing else can give or take momentum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import gudgeon as gd
from one_joint import one_joint

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
    sliding = np.array((0.02, -0.05, 0.0)) + np.cross(turning, at)
    return gd.System(
        name="free pair",
        gravity=(0, 0, 0),
        bodies={"carrier": gd.Body(mass=0.5, inertia=INERTIA, position=CARRIER), "body": body},
        joints={"J": joint_of_pair},
        start={
            "carrier": gd.BodyState(
                position=CARRIER, orientation=(1, 0, 0, 0), velocity=FLYING, angular_velocity=SPINNING
            ),
            "body": gd.BodyState(
                position=at,
                orientation=(1, 0, 0, 0),
                velocity=FLYING + np.cross(SPINNING, at - CARRIER) + sliding,
                angular_velocity=SPINNING + turning,
            ),
        },
    )
