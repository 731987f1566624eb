"""What each kind of joint that acts by forces declares: its physics, one file each, and what this needs and gives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.kernels.build.compiled import Addressed
from gudgeon.kernels.dynamics.arrays import (
    ALWAYS_ACTS,
    BUSHING,
    COUPLED,
    CURVED_BUSHING,
    DRY,
    FORCE_FUNCTION,
    FROM_SOCKET,
    GAP_FUNCTION,
    HAS_TORQUE,
    HIDDEN_FUNCTION,
    KEEP_FUNCTION,
    KIND,
    LUBRICATED,
    OWN_MODEL,
    PLANE,
    POINTS_ONLY,
    POSE_FUNCTION,
    RADIAL_BUSHING,
    REPORT_FUNCTION,
    REPORT_OWN_COUNT,
    RUBBING,
    SLOPES_FUNCTION,
    STOP,
    SURFACE,
    UNKNOWNS,
    VIEW,
    WITH_FRAMES,
)
from gudgeon.kernels.elements import (
    ball_in_socket,
    bushing,
    collar,
    coupled,
    curve_touch,
    curved_bushing,
    film,
    journal_film,
    journal_film_slopes,
    land,
    land_slopes,
    own,
    pad_film,
    pad_film_slopes,
    placed_ball,
    planar_film,
    planar_land,
    plane_contact,
    radial_bushing,
    rubbing,
    shapes_touch,
    stop,
    surfaces,
    wall,
    wall_slopes,
    worn_land,
)


class Output(NamedTuple):
    """A number that an element reports, at its place from REPORT_OWN on: a variable of results, part by part."""

    name: str
    unit: str
    meaning: str
    flags: tuple[str, ...] = ()  # what the values 0, 1, 2, … mean, where it is a choice


class Element(NamedTuple):
    """A kind of joint that acts by forces."""

    force: Addressed  # (m, w, k, a, b): for the motion in line a of `local`, into line b of `force`
    report: Addressed  # (m, w, k): what happens in lines k, into `report`
    gap: Addressed | None = None  # (m, w, k, a, b): depth of the contact and its rate; None: it never touches
    pose: Addressed | None = None  # (m, w, k, look): the pose that `hidden` reads, into a look
    hidden: Addressed | None = None  # (m, w, k, first, second, share): bound on the depth; None: depth is convex
    slopes: Addressed | None = None  # (m, w, k, a, by position, by velocity): derivatives; None: by differences
    keep: Addressed | None = None  # (m, w, k): keeps what a search found, when a state is accepted; None: no search
    always_acts: bool = True  # pushes without touching too
    torque: bool = False  # besides the force
    planar: bool = False  # its force is across the joint's axis, and its torque about it follows from the motion
    view: int = POINTS_ONLY  # of the motion
    outputs: tuple[Output, ...] = ()  # that `report` writes from REPORT_OWN on

    def declare(self, line: np.ndarray, kind: int) -> None:
        """Write it into the line of a joint."""
        assert len(self.outputs) <= REPORT_OWN_COUNT, "a line of `Work.report` has no more room: arrays.py"
        line[KIND], line[VIEW] = kind, self.view
        line[HAS_TORQUE], line[ALWAYS_ACTS] = self.torque, self.always_acts
        line[UNKNOWNS] = 6 if self.torque and not self.planar else 3
        for place, function in (
            (FORCE_FUNCTION, self.force),
            (REPORT_FUNCTION, self.report),
            (GAP_FUNCTION, self.gap),
            (POSE_FUNCTION, self.pose),
            (HIDDEN_FUNCTION, self.hidden),
            (SLOPES_FUNCTION, self.slopes),
            (KEEP_FUNCTION, self.keep),
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
        hidden=surfaces.hidden_by_surfaces,
        slopes=surfaces.slopes_of_surfaces,
        keep=surfaces.keep_surfaces,
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
    OWN_MODEL: Element(
        own.force_of_own_model,
        own.report_of_own_model,
        gap=own.depth_of_own_model,
        pose=own.pose_of_own_model,
        hidden=own.hidden_by_own_model,
        torque=True,
        view=FROM_SOCKET,
    ),
    STOP: Element(
        stop.force_of_stop,
        stop.report_of_stop,
        gap=stop.depth_of_stop,
        always_acts=False,
        torque=True,
        view=FROM_SOCKET,
    ),
    RUBBING: Element(rubbing.force_of_rubbing, rubbing.report_of_rubbing, slopes=rubbing.slopes_of_rubbing),
    CURVED_BUSHING: Element(
        curved_bushing.force_of_curved_bushing,
        curved_bushing.report_of_curved_bushing,
        torque=True,
        view=FROM_SOCKET,
    ),
    COUPLED: Element(coupled.force_of_coupling, coupled.report_of_coupling, gap=coupled.depth_of_coupling),
}

# elements that models name (models/part.py); they see the joint's axes of both bodies
MODES = ("open", "edge", "line", "crossed", "face")
CONTACT_FORCE = Output("contact_force", "N", "normal force of the part, summed over where it touches")
FRICTION_TORQUE = Output("friction_torque", "N*m", "torque of the part on the pin about its own axis")
POWER_LOST = Output("power_lost", "W", "power lost in the part")
PEAK_PRESSURE = Output("peak_pressure", "Pa", "largest pressure (of a land: Hertz's, where E* is known)")
PUSH = (
    CONTACT_FORCE,
    Output(
        "contact_moment", "N*m", "moment across the pin's axis that the part puts on the pin, about its joint point"
    ),
    Output("axial_force", "N", "force of the part on the pin along the bore"),
    FRICTION_TORQUE,
    POWER_LOST,
    PEAK_PRESSURE,
)
TILT = Output("tilt", "1", "tan of the angle between the axes of pin and bore, or between two faces")
CENTRE = (
    Output("pressure_centre_across", "m", "where the normal force of the wall acts, across the guide"),
    Output("pressure_centre_along", "m", "where the normal force of the wall acts, along the guide"),
)
MINIMUM_FILM = Output("minimum_film", "m", "thinnest film: at an end of a bore, a corner of a face")
FILM_LOAD = Output("film_load", "N", "force of the film's pressure")
MODE = Output("contact_mode", "1", "how it touches", flags=MODES)
LAND = (
    Output("eccentricity_lower", "m", "of the pin's axis from the bore's, at the lower end of the land"),
    Output("eccentricity_upper", "m", "of the pin's axis from the bore's, at the upper end of the land"),
    Output("depth_lower", "m", "of the pin in the bore, at the lower end of the land; negative: gap"),
    Output("depth_upper", "m", "of the pin in the bore, at the upper end of the land; negative: gap"),
    TILT,
    Output("touching_length", "m", "length of the land that touches"),
    MODE,
    *PUSH,
)
JOURNAL_FILM = (
    MINIMUM_FILM,
    Output("eccentricity_ratio", "1", "largest e/c along the bore"),
    FILM_LOAD,
    TILT,
    FRICTION_TORQUE,
    POWER_LOST,
)
TOUCH = (
    *(
        Output(f"contact_point_{axis}", "m", f"{axis} of the point where it touches, or would, world axes")
        for axis in "xyz"
    ),
    Output("gap", "m", "between the two surfaces; negative: pressed in"),
)
NAMED: dict[str, Element] = {
    "shapes touch": Element(
        shapes_touch.force_of_shapes,
        shapes_touch.report_of_shapes,
        gap=shapes_touch.depth_of_shapes,
        pose=placed_ball.pose_of_ball,
        hidden=shapes_touch.hidden_by_shapes,
        always_acts=False,
        torque=True,
        view=FROM_SOCKET,
        outputs=TOUCH,
    ),
    "curve touch": Element(
        curve_touch.force_of_curve_touch,
        curve_touch.report_of_curve_touch,
        gap=curve_touch.depth_of_curve_touch,
        pose=curve_touch.pose_on_curve,
        hidden=curve_touch.hidden_by_curve,
        always_acts=False,
        torque=True,
        view=FROM_SOCKET,
        outputs=TOUCH,
    ),
    "land": Element(
        land.force_of_land,
        land.report_of_land,
        gap=land.depth_of_land,
        pose=placed_ball.pose_of_ball,
        hidden=placed_ball.hidden_beside_pin,
        slopes=land_slopes.slopes_of_land,
        always_acts=False,
        torque=True,
        view=FROM_SOCKET,
        outputs=LAND,
    ),
    "planar land": Element(
        planar_land.force_of_planar_land,
        planar_land.report_of_planar_land,
        gap=planar_land.depth_of_planar_land,
        always_acts=False,
        planar=True,
        view=FROM_SOCKET,
        outputs=LAND,
    ),
    "worn land": Element(
        worn_land.force_of_worn_land,
        worn_land.report_of_worn_land,
        gap=worn_land.depth_of_worn_land,
        pose=worn_land.pose_of_worn_pin,
        hidden=worn_land.hidden_by_worn_land,
        always_acts=False,
        torque=True,
        view=FROM_SOCKET,
        outputs=(*LAND, Output("touching_arc", "rad", "largest angle over which a slice of the land touches")),
    ),
    "collar": Element(
        collar.force_of_collar,
        collar.report_of_collar,
        gap=collar.depth_of_collar,
        pose=placed_ball.pose_of_ball,
        hidden=placed_ball.hidden_beside_pin,
        slopes=collar.slopes_of_collar,
        always_acts=False,
        torque=True,
        view=FROM_SOCKET,
        outputs=(Output("rim_depth", "m", "of the collar's rim in the face; negative: gap"), TILT, MODE, *PUSH),
    ),
    "wall": Element(
        wall.force_of_wall,
        wall.report_of_wall,
        gap=wall.depth_of_wall,
        pose=placed_ball.pose_of_ball,
        hidden=placed_ball.hidden_by_face,
        slopes=wall_slopes.slopes_of_wall,
        always_acts=False,
        torque=True,
        view=FROM_SOCKET,
        outputs=(
            CONTACT_FORCE,
            Output("wall_friction", "N", "friction force of the wall"),
            Output("touching_area", "m^2", "area of the wall that touches"),
            *CENTRE,
            POWER_LOST,
            PEAK_PRESSURE,
        ),
    ),
    "journal film": Element(
        journal_film.force_of_journal_film,
        journal_film.report_of_journal_film,
        gap=journal_film.depth_of_journal_film,
        pose=placed_ball.pose_of_ball,
        hidden=placed_ball.hidden_beside_pin,
        slopes=journal_film_slopes.slopes_of_journal_film,
        torque=True,
        view=FROM_SOCKET,
        outputs=JOURNAL_FILM,
    ),
    "planar film": Element(
        planar_film.force_of_planar_film,
        planar_film.report_of_planar_film,
        gap=planar_film.depth_of_planar_film,
        slopes=planar_film.slopes_of_planar_film,
        torque=True,
        planar=True,
        view=FROM_SOCKET,
        outputs=JOURNAL_FILM,
    ),
    "pad film": Element(
        pad_film.force_of_pad_film,
        pad_film.report_of_pad_film,
        gap=pad_film.depth_of_pad_film,
        pose=placed_ball.pose_of_ball,
        hidden=placed_ball.hidden_by_face,
        slopes=pad_film_slopes.slopes_of_pad_film,
        torque=True,
        view=FROM_SOCKET,
        outputs=(
            MINIMUM_FILM,
            FILM_LOAD,
            Output("film_friction", "N", "force of the film along its wall"),
            TILT,
            *CENTRE,
            POWER_LOST,
        ),
    ),
}
