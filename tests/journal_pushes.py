"""What the compiled lands and collars of one journal do at a pose that is given, the bore being at rest."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon.kernels.contact.gaps import depths_at
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.motion import right_hand_side
from gudgeon.mechanics.equations import Equations, equations_of_motion
from reference_journal import Pose

SPEED = 0.3  # of the impacts in the memory [m/s]


class Pushed(NamedTuple):
    """On the pin at its joint point, bearing axes."""

    force: np.ndarray
    torque: np.ndarray
    normal: float
    power: float
    depth: float
    rate: float


class Journal:
    """A pin in a bore of the ground, along z."""

    def __init__(self, model: gd.DryJournal):
        kind = gd.Cylindrical if model.axial_play is None else gd.Revolute
        self.system = gd.System(
            gravity=(0, 0, 0),
            bodies={"pin": gd.Body(mass=1.0, inertia=(1.0, 1.0, 1.0))},
            joints={"J": kind("ground", "pin", at=(0, 0, 0), model=model)},
        )
        self.equations: Equations = equations_of_motion(self.system)
        self.equations.work.contact[:, arrays.MODE] = arrays.TOUCHING
        self.equations.work.contact[:, arrays.IMPACT_SPEED] = SPEED

    def state(self, pose: Pose, spin: float = 0.0) -> np.ndarray:
        turn = Rotation.align_vectors([pose.h], [(0.0, 0.0, 1.0)])[0] if np.any(pose.h[:2]) else Rotation.identity()
        x, y, z, w = (turn * Rotation.from_euler("z", spin)).as_quat()
        out = self.equations.stated_state()
        out[:7], out[7:10], out[10:13] = (*pose.d, w, x, y, z), pose.v, pose.w
        return out

    def pushes(self, pose: Pose, spin: float = 0.0) -> list[Pushed]:
        """Part by part."""
        y, model, work = self.state(pose, spin), self.equations.model, self.equations.work
        right_hand_side(model, work, 0.0, y, np.zeros_like(y))
        force = work.force.copy()
        depths = np.zeros((len(model.compliant), 2))
        depths_at(model, work, y, depths)
        return [
            Pushed(line[:3], line[3:6], float(line[arrays.NORMAL]), float(line[arrays.POWER]), *map(float, depths[k]))
            for k, line in enumerate(force[: len(depths)])
        ]

    def push(self, pose: Pose, **given: Any) -> Pushed:
        return self.pushes(pose, **given)[0]

    def slopes(self, pose: Pose, k: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of force and torque of part k by displacement and turn, and by their rates, world axes."""
        self.pushes(pose)  # leaves the motion in line k of `local`
        model, work = self.equations.model, self.equations.work
        out = np.full((2, 6, 6), np.nan)
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 4)
        at = out.ctypes.data
        function(int(model.compliant[k, arrays.SLOPES_FUNCTION]))(model.address, work.address, k, k, at, at + 8 * 36)
        return out[0], out[1]
