"""Journals that are told to stay in a plane: whether the other joints keep them there."""

from __future__ import annotations

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.kernels.dynamics.arrays import IN_BALL, IN_SOCKET, ROTATION, SOCKET, SOCKET_AXES
from gudgeon.mechanics.equations import Equations
from gudgeon.models.journal import Journal
from gudgeon.rotations import skew

FREE = 1e-6  # part of a unit of motion out of the plane that counts as free


def refuse_unless_planar(equations: Equations, y: np.ndarray, time: float) -> None:
    """ModelError where a pin could move along its axis, or tilt: `planar` would not feel it.

    A motion out of the plane is impossible where its rate is a combination of the constraint rows.
    """
    from gudgeon.kernels.dynamics.rows import rows_at

    names, joints = equations.compliant.names, equations.system.joints
    planar = {}
    for k, name in enumerate(names):
        model = joints[name].model
        if isinstance(model, Journal) and model.planar:
            planar.setdefault(name, k)
    if not planar:
        return
    rows_at(equations.model, equations.work, time, y)
    jacobian = equations.jacobian()
    rows = jacobian if isinstance(jacobian, np.ndarray) else jacobian.toarray()
    for name, k in planar.items():
        wanted = _out_of_plane(equations, k)
        held = np.linalg.lstsq(rows.T, wanted.T, rcond=1e-12)[0] if len(rows) else np.zeros((0, 3))
        missing = np.abs(wanted - held.T @ rows).max(axis=1)
        if missing.max() > FREE:
            what = "move along its axis" if missing[0] > FREE else "tilt"
            joint = joints[name]
            raise ModelError(
                f"{joint.label(name)}: its journal is planar, but no other joint keeps {joint.child!r} in the plane of "
                f"{joint.parent!r}: it can {what}; leave out planar=True, or hold the two by other joints"
            )


def _out_of_plane(equations: Equations, k: int) -> np.ndarray:
    """(3, 6 bodies) rates of the displacement along the axis and of the tilts about two axes across it."""
    model, body = equations.model, equations.work.body
    out = np.zeros((3, 6 * len(equations.system.bodies)))
    socket = model.compliant[k, SOCKET]
    axes = model.compliant_vector[k, SOCKET_AXES : SOCKET_AXES + 9].reshape(3, 3)
    x, z, y = (body[socket, ROTATION : ROTATION + 9].reshape(3, 3) @ axes[c] for c in (0, 2, 1))
    for side, sign in ((0, -1.0), (1, 1.0)):
        b = model.compliant[k, SOCKET + side]
        if b:
            turn = body[b, ROTATION : ROTATION + 9].reshape(3, 3)
            arm = turn @ model.compliant_vector[k, (IN_SOCKET, IN_BALL)[side] :][:3]
            at = 6 * (b - 1)
            out[0, at : at + 3], out[0, at + 3 : at + 6] = sign * z, -sign * (z @ skew(arm))
            out[1, at + 3 : at + 6], out[2, at + 3 : at + 6] = sign * x, sign * y
    return out
