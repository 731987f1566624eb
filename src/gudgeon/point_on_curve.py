"""A point of one body on a curve of another: a bead on a wire, a pin in a slot, a roller on a track."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from gudgeon.checks import Vec3, choice, direction, number
from gudgeon.curve_joint import CurveJoint, Profile
from gudgeon.errors import ModelError
from gudgeon.joint_axes import axes_about
from gudgeon.joints import Along, Blocks
from gudgeon.models.dry_touch import DryTouch
from gudgeon.nurbs.curve import Curve
from gudgeon.nurbs.pieces import LOOKS, Pieces, pieces_of
from gudgeon.quantities import Length

IN_PLANE = 1e-6  # how far a curve may leave its plane, of its size


@dataclass(frozen=True)
class PointOnCurve(CurveJoint):
    """A point of the child stays on a curve of the parent: 4 freedoms, 2 rows; coordinate `along`, its way on it [m].

    `curve` is a NURBS curve (`gd.nurbs.Curve`: `through` points, `arc`, `line`, or a curve of CAD), open or closed, in
    world coordinates of the reference pose, like `at`, the point. With `extruded`, a direction, the curve is a surface
    along that (5 freedoms, 1 row): what other joints hold in a plane needs no second row. There the point may be the
    centre of a roller of `radius`, on the `side` of the curve that is left or right as one goes along it, `extruded`
    pointing at the viewer.

    Models: `Ideal()`, the point stays on the curve; of an extruded one also `DryTouch(...)`: it touches from its side
    and may lift off. A curve with corners is for `DryTouch` alone. Beyond the end of an open curve an ideal run ends
    with an error.

    >>> import gudgeon as gd
    >>> wire = gd.nurbs.Curve.through([(-1, 0, 1), (-0.5, 0, 0.25), (0, 0, 0), (0.5, 0, 0.25), (1, 0, 1)])
    >>> bead = gd.PointOnCurve("ground", "bead", at=(1, 0, 1), curve=wire)
    >>> bead.blocks().row_count
    2
    """

    _: KW_ONLY
    curve: Curve  # world coordinates of the reference pose, fixed in the parent
    extruded: Vec3 | None = None  # world direction in the reference pose along which it is a surface [-]
    radius: Length = 0.0  # of a roller about the point [m]
    side: Literal["left", "right"] = "left"  # of the curve, on which the roller is, or from which the point touches
    axis_fields: ClassVar = ()

    def __post_init__(self):
        keep, owner = object.__setattr__, self.label()
        if not isinstance(self.curve, Curve):
            raise ModelError(f"{owner}: curve is {type(self.curve).__name__}; give a gd.nurbs.Curve")
        choice(owner, "side", self.side, ("left", "right"))
        keep(self, "radius", number(owner, "radius", self.radius))
        if self.radius < 0.0:
            raise ModelError(f"{owner}: radius is {self.radius:g} m; it must not be negative")
        if self.extruded is not None:
            keep(self, "extruded", direction(owner, "extruded", self.extruded))
        super().__post_init__()
        if self.extruded is None and (self.radius or isinstance(self.model, DryTouch)):
            given = "radius" if self.radius else "DryTouch(...)"
            raise ModelError(
                f"{owner}: {given} is given, but a curve has no sides; give extruded=, the direction along which it is "
                "a surface"
            )
        self._check_curve(owner)

    def _check_curve(self, owner: str) -> None:
        """Refuse a curve that leaves its plane, and one on which a point does not know where to go."""
        pieces = pieces_of(self.curve)
        if self.extruded is not None:
            heights = np.asarray(self.curve.points) @ np.array(self.extruded)
            if np.ptp(heights) > IN_PLANE * pieces.size:
                raise ModelError(
                    f"{owner}: the curve goes {np.ptp(heights):.3g} m along extruded; give one in a plane across that"
                )
        if isinstance(self.model, DryTouch):
            return
        if pieces.corners:
            place = tuple(np.round(self.curve.point(pieces.corners[0]), 6).tolist())
            raise ModelError(
                f"{owner}: the curve has a corner at {place}, where a point that stays on it would stop at once; give "
                "a smooth one (gd.nurbs.Curve.through), or model=gd.DryTouch(...)"
            )
        spacing = float(np.diff(pieces.lengths).max()) / 16.0
        if pieces.nearest_to_itself() < spacing:
            raise ModelError(
                f"{owner}: the curve meets itself, where a point on it would not know which way to go; give one that "
                "does not, or several joints in turn"
            )

    def blocks(self) -> Blocks:
        """Across the curve, and the way along it."""
        if isinstance(self.model, DryTouch):
            return Blocks()
        return Blocks(on_curve=2 if self.extruded is None else 1, ways=(Along("along"),))

    @property
    def yields(self) -> bool:
        """A point that may lift off holds nothing: it starts where its bodies are described."""
        return super().yields and not isinstance(self.model, DryTouch)

    @property
    def out_there(self) -> str:
        """A curve has two sides."""
        return f", or give side={'left' if self.side == 'right' else 'right'!r}, on which they are apart"

    @property
    def own_axes(self) -> tuple[Vec3, Vec3, Vec3]:
        """z along the extrusion; those of the world without."""
        axes: Any = np.eye(3) if self.extruded is None else axes_about(self.extruded)
        return tuple(map(tuple, axes.tolist()))  # pyright: ignore[reportReturnType]

    @property
    def side_sign(self) -> float:
        """+1: left."""
        return 1.0 if self.side == "left" else -1.0

    @property
    def distance(self) -> float:
        """The radius of the roller [m]."""
        return self.radius

    @property
    def roller(self) -> float:
        """Its radius [m]."""
        return self.radius

    @property
    def size(self) -> float:
        """Of the roller, or of the curve."""
        return self.radius or pieces_of(self.curve).size

    @property
    def outline(self) -> tuple[np.ndarray, bool]:
        """Points of all pieces, in the joint's axes."""
        pieces, axes = pieces_of(self.curve), np.array(self.own_axes)
        share = np.linspace(0.0, 1.0, LOOKS)
        fine = [pieces.at(k, share)[0][: -1 if k + 1 < len(pieces.sags) else None] for k in range(len(pieces.sags))]
        return np.concatenate(fine) @ axes[:2].T, pieces.closed

    def profile(self, anchor: np.ndarray) -> Profile:
        """The pieces of the curve in the joint's axes."""
        axes, pieces = np.array(self.own_axes), pieces_of(self.curve)
        coefficients = pieces.coefficients.copy()
        coefficients[:, :3] -= anchor[None, :, None] * coefficients[:, 3:]
        coefficients[:, :3] = axes @ coefficients[:, :3]
        points = (pieces.points - anchor) @ axes.T
        if self.extruded is not None:
            coefficients[:, 2], points[:, 2] = 0.0, 0.0
        moved: Pieces = pieces._replace(coefficients=coefficients, points=points)
        return Profile(moved, None, 0.0, self.extruded is not None)
