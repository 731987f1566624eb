"""What each kind of joint that acts by forces declares: its physics, one file each, and what this needs and gives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.kernels.build.compiled import Addressed
from gudgeon.kernels.dynamics.arrays import (
    ALWAYS_ACTS,
    BUSHING,
    DRY,
    FORCE_FUNCTION,
    FROM_SOCKET,
    GAP_FUNCTION,
    HAS_TORQUE,
    KIND,
    LUBRICATED,
    OWN,
    PLANE,
    POINTS_ONLY,
    RADIAL_BUSHING,
    REPORT_FUNCTION,
    SLOPES_FUNCTION,
    STOP,
    SURFACE,
    UNKNOWNS,
    VIEW,
    WITH_FRAMES,
)
from gudgeon.kernels.elements import ball_in_socket, bushing, film, own, plane_contact, radial_bushing, stop, surfaces


class Element(NamedTuple):
    """A kind of joint that acts by forces."""

    force: Addressed  # (m, w, k, a, b): for the motion in line a of `local`, into line b of `force`
    report: Addressed  # (m, w, k): what happens in lines k, into `report`
    gap: Addressed | None = None  # (m, w, k, a, b): depth of the contact and its rate; None: it never touches
    slopes: Addressed | None = None  # (m, w, k, a, by position, by velocity): derivatives; None: by differences
    always_acts: bool = True  # pushes without touching too
    torque: bool = False  # besides the force
    view: int = POINTS_ONLY  # of the motion

    def declare(self, line: np.ndarray, kind: int) -> None:
        """Write it into the line of a joint."""
        line[KIND], line[VIEW] = kind, self.view
        line[HAS_TORQUE], line[ALWAYS_ACTS] = self.torque, self.always_acts
        line[UNKNOWNS] = 6 if self.torque else 3
        for place, function in (
            (FORCE_FUNCTION, self.force),
            (REPORT_FUNCTION, self.report),
            (GAP_FUNCTION, self.gap),
            (SLOPES_FUNCTION, self.slopes),
        ):
            line[place] = 0 if function is None else function.address


ELEMENTS: dict[int, Element] = {
    DRY: Element(
        ball_in_socket.force_of_ball, ball_in_socket.report_of_ball, gap=ball_in_socket.depth_of_ball, always_acts=False
    ),
    LUBRICATED: Element(film.force_of_film, film.report_of_film, gap=ball_in_socket.depth_of_ball),
    RADIAL_BUSHING: Element(radial_bushing.force_of_radial_bushing, radial_bushing.report_of_radial_bushing),
    BUSHING: Element(bushing.force_of_bushing, bushing.report_of_bushing, torque=True, view=FROM_SOCKET),
    SURFACE: Element(
        surfaces.force_of_surfaces,
        surfaces.report_of_surfaces,
        gap=surfaces.depth_of_surfaces,
        slopes=surfaces.slopes_of_surfaces,
        always_acts=False,
        torque=True,
        view=WITH_FRAMES,
    ),
    PLANE: Element(
        plane_contact.force_of_plane,
        plane_contact.report_of_plane,
        gap=plane_contact.depth_of_plane,
        always_acts=False,
        view=WITH_FRAMES,
    ),
    OWN: Element(
        own.force_of_own_model, own.report_of_own_model, gap=own.depth_of_own_model, torque=True, view=FROM_SOCKET
    ),
    STOP: Element(
        stop.force_of_stop,
        stop.report_of_stop,
        gap=stop.depth_of_stop,
        always_acts=False,
        torque=True,
        view=FROM_SOCKET,
    ),
}
