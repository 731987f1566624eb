"""One element of a journal by itself: its wrench, power, gap and slopes for any relative pose and motion.

The bearing is the ground, its axes those of the world or, on request, turned and moving.
"""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int64, c_void_p

import numpy as np
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import equations_of_motion


class OneElement:
    """The part number `line` of a model at a Cylindrical joint along z."""

    def __init__(self, model, line: int = 0, joint: type[gd.Joint] = gd.Cylindrical):
        body = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
        system = gd.System(
            bodies={"bearing": body, "pin": body}, joints={"J": joint("bearing", "pin", at=(0, 0, 0), model=model)}
        )
        self.equations, self.line = equations_of_motion(system), line
        self.model, self.work = self.equations.model, self.equations.work
        self.table = self.model.compliant[line]

    def _call(self, place: int, *more: int) -> None:
        function = CFUNCTYPE(None, c_void_p, c_void_p, *(c_int64,) * (1 + len(more)))(int(self.table[place]))
        function(self.model.address, self.work.address, self.line, *more)

    def place(self, d, v, w, turn=(0.0, 0.0, 0.0), further=(0.0, 0.0, 0.0), axes=None) -> None:
        """Motion of the pin as the bearing sees it; all in the bearing's axes, which `axes` turns against the world."""
        R = np.eye(3) if axes is None else axes
        x = self.work.local[self.line]
        x[:] = 0.0
        for at, value in (
            (arrays.ECCENTRICITY, d),
            (arrays.RATE_OF, v),
            (arrays.OMEGA_BALL, w),
            (arrays.TURN, further),
        ):
            x[at : at + 3] = R @ np.asarray(value, dtype=float)
        x[arrays.FRAME : arrays.FRAME + 9] = R.ravel()
        x[arrays.BALL_FRAME : arrays.BALL_FRAME + 9] = (R @ Rotation.from_rotvec(turn).as_matrix()).ravel()

    def wrench(self, *motion, **pose) -> tuple[np.ndarray, np.ndarray, float]:
        """Force on the pin, torque about the pin's point P_j, and power dissipated; world axes."""
        self.place(*motion, **pose)
        self._call(arrays.FORCE_FUNCTION, self.line, self.line)
        out, d = self.work.force[self.line], self.work.local[self.line, :3]
        force, torque = out[arrays.FORCE_ON_BALL :][:3].copy(), out[arrays.TORQUE_ON_BALL :][:3].copy()
        return force, torque + np.cross(out[arrays.ARM_OF :][:3] - d, force), float(out[arrays.POWER])

    def depth(self, *motion, **pose) -> tuple[float, float]:
        """How deep it is beyond where it ends or touches, and the rate."""
        self.place(*motion, **pose)
        self._call(arrays.GAP_FUNCTION, self.line, self.line)
        return float(self.work.force[self.line, arrays.DEPTH]), float(self.work.force[self.line, arrays.DEPTH_RATE])

    def slopes(self, *motion, **pose) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of (force, torque) by (d, turn) and by (v, w)."""
        self.place(*motion, **pose)
        by_position, by_velocity = np.full((6, 6), np.nan), np.full((6, 6), np.nan)
        self._call(arrays.SLOPES_FUNCTION, self.line, by_position.ctypes.data, by_velocity.ctypes.data)
        return by_position, by_velocity
