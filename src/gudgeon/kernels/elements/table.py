"""Which physics stands behind each kind of joint that acts by forces: one file each."""

from __future__ import annotations

from gudgeon.kernels.build.compiled import Addressed
from gudgeon.kernels.dynamics.arrays import BUSHING, DRY, JOINT_BUSHING, LUBRICATED, MATRIX_BUSHING, OWN, SURFACE
from gudgeon.kernels.elements import ball_in_socket, film, joint_bushing, matrix_bushing, own, radial_bushing, surfaces

FORCES: dict[int, Addressed] = {
    DRY: ball_in_socket.force_of_ball,
    LUBRICATED: film.force_of_film,
    BUSHING: radial_bushing.force_of_radial_bushing,
    MATRIX_BUSHING: matrix_bushing.force_of_matrix_bushing,
    SURFACE: surfaces.force_of_surfaces,
    JOINT_BUSHING: joint_bushing.force_of_joint_bushing,
    OWN: own.force_of_own_model,
}
