"""What free motions conserve."""

from __future__ import annotations

import numpy as np

from reference_joints import rotation


def momenta(result):
    """Linear momentum, and angular momentum about the origin, over time: two arrays (time, 3)."""
    data, bodies = result.data, result.system.bodies
    linear, angular = np.zeros((2, len(data.time), 3))
    for name, body in bodies.items():
        at = data.sel(body=name)
        p = body.mass * at.velocity.values
        R = np.array([rotation(q) for q in at.orientation.values])
        spin = R @ np.array(body.inertia) @ R.transpose(0, 2, 1) @ at.angular_velocity.values[:, :, None]
        linear += p
        angular += np.cross(at.position.values, p) + spin[:, :, 0]
    return linear, angular


def drift(values):
    """The largest change against the first sample."""
    return np.abs(values - values[0]).max()
