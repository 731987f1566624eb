"""Joints: geometry only. Which bodies, which points, which directions, which freedoms.

A joint states its frames in the reference pose, that is, in the poses its two bodies were given. It is built of
four kinds of constraint block (theory of connecting joints, parts I and II):

    coincident points            r_j + s_j − r_i − s_i = 0                  3 rows
    perpendicular directions     a·b = 0, a fixed in i, b fixed in j        1 row
    no displacement along a      a·(r_Pj − r_Pi) = 0, a fixed in i          1 row
    on a curve                   n·(r_Pj − c) = 0, c the nearest point of a curve of i      1 row for each normal n

Body i is the parent, body j the child.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from gudgeon.checks import Vec3, direction, known, shown, vector
from gudgeon.errors import ModelError
from gudgeon.joint_axes import triad
from gudgeon.models.box_in_guide import BoxInGuide
from gudgeon.models.bushing import Bushing
from gudgeon.models.dry import Dry
from gudgeon.models.dry_box import DryBox
from gudgeon.models.dry_cross import DryCross
from gudgeon.models.dry_journal import DryJournal
from gudgeon.models.dry_keyed_shaft import DryKeyedShaft
from gudgeon.models.force_model import ForceModel
from gudgeon.models.ideal import Ideal, JointModel
from gudgeon.models.journal import Journal
from gudgeon.models.lubricated import Lubricated
from gudgeon.models.lubricated_box import LubricatedBox
from gudgeon.models.lubricated_journal import LubricatedJournal
from gudgeon.models.penalty_pin import PenaltyPin
from gudgeon.models.slider import Slider
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.models.worn_journal import WornJournal
from gudgeon.quantities import Point

PERPENDICULAR_WITHIN = 1e-6  # cosine of the angle between two axes that must be perpendicular [-]


@dataclass(frozen=True)
class Angle:
    """A free angle of a joint: the child's turn about `axis`, told by the direction of `arm`."""

    name: str
    carrier: str  # "parent" or "child": the body in which the axis is fixed
    axis: Vec3  # [-]
    arm: Vec3  # perpendicular to the axis, fixed in the other body [-]


@dataclass(frozen=True)
class Displacement:
    """A free displacement of a joint along `axis`, fixed in the parent."""

    name: str
    axis: Vec3  # [-]


@dataclass(frozen=True)
class Along:
    """The free way of a point along a curve of the parent [m]."""

    name: str


@dataclass(frozen=True)
class Blocks:
    """What a joint constrains and what it leaves free, in world directions of the reference pose."""

    points: bool = False  # the two joint points coincide
    perpendicular: tuple[tuple[Vec3, Vec3], ...] = ()  # (direction in the parent, direction in the child)
    no_displacement: tuple[Vec3, ...] = ()  # directions in the parent
    aligned: tuple[Vec3, ...] = ()  # directions that parent and child share; a·b = 0 alone also holds reversed
    angles: tuple[Angle, ...] = ()  # free
    displacements: tuple[Displacement, ...] = ()  # free
    on_curve: int = 0  # normals of the joint's curve along which there is no displacement from it
    ways: tuple[Along, ...] = ()  # free

    @property
    def free(self) -> tuple[Angle | Displacement | Along, ...]:
        """The coordinates a joint has by name, whatever its model: to drive, to spring, to watch and to report."""
        return (*self.angles, *self.displacements, *self.ways)

    @property
    def row_count(self) -> int:
        """The number of degrees of freedom taken away."""
        return 3 * self.points + len(self.perpendicular) + len(self.no_displacement) + self.on_curve


@dataclass(frozen=True)
class Joint:
    """Common to all joints; abstract.

    `at` is the joint's world point in the reference pose. Where the two bodies are only roughly placed, give
    `at_parent` and `at_child` instead: the points in the axes of each body, measured from its centre of mass. Each may
    be the name of a marker (`System(markers={...})`) on that body instead, and each axis one whose z it is.
    """

    parent: str
    child: str
    _: KW_ONLY
    at: Point | str | None = None  # world point in the reference pose [m], or a marker
    at_parent: Point | str | None = None  # point of the parent, body axes [m], or a marker on it
    at_child: Point | str | None = None  # point of the child, body axes [m], or a marker on it
    model: JointModel = Ideal()  # noqa: RUF009 (frozen)
    axis_fields: ClassVar[tuple[str, ...]] = ()
    accepts: ClassVar[tuple[type, ...]] = (Ideal,)
    carries: ClassVar[bool] = True  # relative coordinates may have the free coordinates of this joint
    flat: ClassVar[bool] = False  # its bodies stay in a plane along its axis: a box has two walls there, not four
    holds: ClassVar[bool] = True  # the child against the parent, if only by forces; bodies that meet are free

    def __post_init__(self):
        keep = object.__setattr__
        owner = self.label()
        for side in ("parent", "child"):
            if not isinstance(getattr(self, side), str):
                raise ModelError(f"{owner}: {side} is {getattr(self, side)!r}; give the name of a body")
        if self.parent == self.child:
            raise ModelError(f"{owner}: parent and child are the same body; a joint connects two bodies")
        for field in ("at", "at_parent", "at_child"):
            if getattr(self, field) is not None and not isinstance(getattr(self, field), str):
                keep(self, field, vector(owner, field, getattr(self, field)))
        if self.at is not None and (self.at_parent is not None or self.at_child is not None):
            raise ModelError(f"{owner}: both at and at_parent/at_child are given; give one of the two")
        for field in self.axis_fields:
            if not isinstance(getattr(self, field), str):
                keep(self, field, direction(owner, field, getattr(self, field)))
        if self.is_marked:  # the rest when a System knows its markers (marked.py)
            return
        if self.at is None and self.at_parent is None and self.at_child is None and self.blocks().row_count:
            raise ModelError(f"{owner}: where is it? give at=(x, y, z), or at_parent= and at_child=")
        if not isinstance(self.model, self.accepts):
            known = ", ".join(kind.__name__ for kind in self.accepts)
            given = f"{type(self.model).__name__}(...)" if isinstance(self.model, JointModel) else shown(self.model)
            raise ModelError(
                f"{owner}: {given} is not a model of this joint; {type(self).__name__} takes {known}"
                + _where_it_belongs(self.model)
            )
        if isinstance(
            self.model,
            Ideal | SurfaceContact | Bushing | ForceModel | BoxInGuide | DryKeyedShaft | DryCross | Journal,
        ):
            self.model.check_joint(self)

    def label(self, name: str = "") -> str:
        """How error messages call this joint."""
        return f"{type(self).__name__} {name!r}" if name else f"{type(self).__name__} {self.parent}–{self.child}"

    def blocks(self) -> Blocks:
        """The constraint blocks of this joint and its free coordinates."""
        raise NotImplementedError

    @property
    def is_marked(self) -> bool:
        """Whether a point or an axis is the name of a marker."""
        fields = ("at", "at_parent", "at_child", *self.axis_fields)
        return any(isinstance(getattr(self, field), str) for field in fields)

    @property
    def apart(self) -> Vec3:
        """From the parent's joint point to the child's in the reference pose, world axes [m]: a joint has one point."""
        return (0.0, 0.0, 0.0)

    @property
    def own_points(self) -> tuple[Vec3, Vec3] | None:
        """Points of the parent and of the child, body axes, where a joint says so itself [m]."""
        return None

    @property
    def own_frames(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Axes of the joint on the parent and on the child, body axes, as columns, where they do not coincide."""
        return None

    @property
    def own_axes(self) -> tuple[Vec3, Vec3, Vec3] | None:
        """x, y, z of the joint, world axes of the reference pose, where a joint says so itself (joint_axes.py)."""
        return None

    @property
    def is_compliant(self) -> bool:
        """Whether the joint acts by forces (a real joint) and not by constraint rows."""
        return self.model.compliant and not self.keeps_rows

    @property
    def keeps_rows(self) -> bool:
        """Whether a joint that acts by forces has constraint rows besides: a journal held ideally along its axis."""
        return isinstance(self.model, Journal) and self.blocks().row_count > 0

    @property
    def yields(self) -> bool:
        """Whether an ideal joint is the limit of its forces: play that vanishes, springs that become stiff.

        Of a cross that is said by its trunnions, which are joints themselves.
        """
        return self.model.compliant and not isinstance(self.model, DryCross)

    @property
    def out_there(self) -> str:
        """Where the outside is of what bodies may touch: the end of a message to those who start inside."""
        return ""

    @property
    def is_real(self) -> bool:
        """Whether its model is any but the ideal one; a slider with play acts by forces and by constraint rows."""
        return not isinstance(self.model, Ideal)

    @property
    def rubs(self) -> bool:
        """Whether an ideal joint has friction."""
        return isinstance(self.model, Ideal) and self.model.friction is not None

    @property
    def axes_may_tilt(self) -> bool:
        """Whether nothing keeps the axes of its angles exactly where an ideal joint has them."""
        return self.model.compliant


def _where_it_belongs(model: Any) -> str:
    """The end of the message about a model at a joint of another type: which joint takes it."""
    if isinstance(model, type) and issubclass(model, JointModel):
        return f"; give one with its data, gd.{model.__name__}(...)"
    if isinstance(model, Dry | Lubricated):
        name = type(model).__name__
        return f". {name} is a model of Spherical; a pin in its bore is gd.{name}Journal(...) or gd.{name}.journal(...)"
    if isinstance(model, Bushing):
        return ". A joint that holds its bodies takes a Bushing, such as a Spherical or a Rigid"
    if isinstance(model, Slider):
        return f". {type(model).__name__} is a model of Guide"
    if isinstance(model, LubricatedBox):
        return ". LubricatedBox is a model of Prismatic, and in a plane of Guide"
    if isinstance(model, DryBox | DryKeyedShaft):
        return f". {type(model).__name__} is a model of Prismatic; a Guide, in a plane, takes gd.RigidSlider"
    if isinstance(model, DryCross):
        return ". DryCross is a model of Universal"
    return ". PenaltyPin is a model of Revolute" if isinstance(model, PenaltyPin) else ""


def require_perpendicular(joint: Joint, first: str, second: str) -> None:
    """Refuse two axes of a joint that are not perpendicular in the reference pose."""
    cosine = float(np.dot(getattr(joint, first), getattr(joint, second)))
    if abs(cosine) > PERPENDICULAR_WITHIN:
        angle = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
        raise ModelError(
            f"{joint.label()}: {first} and {second} enclose {angle:.6g} degrees in the reference pose; "
            "they must be perpendicular"
        )


@dataclass(frozen=True)
class Rigid(Joint):
    """The child is welded to the parent: 0 freedoms, 6 rows.

    With a `Bushing(...)` it is a mount that is elastic in all six directions.

    >>> import gudgeon as gd
    >>> gd.Rigid("ground", "frame", at=(0, 0, 0)).blocks().row_count
    6
    """

    accepts: ClassVar = (Ideal, Bushing, ForceModel)

    def blocks(self) -> Blocks:
        """Points, and three perpendicularities."""
        f, g, h = triad((0.0, 0.0, 1.0))
        return Blocks(points=True, perpendicular=((f, h), (g, h), (g, f)), aligned=(h, f))


@dataclass(frozen=True)
class Revolute(Joint):
    """The child turns about `axis`: 1 freedom (`angle`), 5 rows.

    Its model may be `Ideal()`, `DryJournal(...)`, `WornJournal(...)`, `LubricatedJournal(...)`, `Bushing(...)`,
    `PenaltyPin(...)` or `SurfaceContact(...)`.

    >>> import gudgeon as gd
    >>> gd.Revolute("ground", "crank", at=(0, 0, 0), axis=(0, 1, 0)).blocks().row_count
    5
    """

    _: KW_ONLY
    axis: Vec3 | str = (0.0, 0.0, 1.0)  # world direction in the reference pose, or a marker [-]
    axis_fields: ClassVar = ("axis",)
    accepts: ClassVar = (
        Ideal,
        DryJournal,
        WornJournal,
        LubricatedJournal,
        Bushing,
        ForceModel,
        PenaltyPin,
        SurfaceContact,
    )

    def blocks(self) -> Blocks:
        """Points, and the child's axis perpendicular to two directions of the parent; no rows for springs."""
        f, g, h = triad(self.axis)
        free = (Angle("angle", "parent", h, f),)
        if isinstance(self.model, PenaltyPin):
            return Blocks(angles=free)
        if isinstance(self.model, Journal):
            return Blocks(no_displacement=(h,) if self.model.holds_axis() else (), aligned=(h,), angles=free)
        return Blocks(points=True, perpendicular=((f, h), (g, h)), aligned=(h,), angles=free)


@dataclass(frozen=True)
class Prismatic(Joint):
    """The child slides along `axis` without turning: 1 freedom (`displacement`), 5 rows.

    Its model may be `Ideal()`, `DryBox(...)`, `DryKeyedShaft(...)`, `LubricatedBox(...)`, `Bushing(...)` or
    `SurfaceContact(...)`.

    >>> import gudgeon as gd
    >>> gd.Prismatic("ground", "slider", at=(0, 0, 0), axis=(1, 0, 0)).blocks().row_count
    5
    """

    _: KW_ONLY
    axis: Vec3 | str = (0.0, 0.0, 1.0)  # world direction in the reference pose, or a marker [-]
    axis_fields: ClassVar = ("axis",)
    accepts: ClassVar = (Ideal, DryBox, DryKeyedShaft, LubricatedBox, Bushing, ForceModel, SurfaceContact)

    def blocks(self) -> Blocks:
        """No displacement across the axis, and three perpendicularities."""
        f, g, h = triad(self.axis)
        return Blocks(
            perpendicular=((f, h), (g, h), (g, f)),
            no_displacement=(f, g),
            aligned=(h, f),
            displacements=(Displacement("displacement", h),),
        )


@dataclass(frozen=True)
class Cylindrical(Joint):
    """The child slides along and turns about `axis`: 2 freedoms (`angle`, `displacement`), 4 rows.

    Its model may be `Ideal()`, `DryJournal(...)` without collars, `Bushing(...)` or `SurfaceContact(...)`.

    >>> import gudgeon as gd
    >>> gd.Cylindrical("ground", "rod", at=(0, 0, 0), axis=(1, 0, 0)).blocks().row_count
    4
    """

    _: KW_ONLY
    axis: Vec3 | str = (0.0, 0.0, 1.0)  # world direction in the reference pose, or a marker [-]
    axis_fields: ClassVar = ("axis",)
    accepts: ClassVar = (Ideal, DryJournal, LubricatedJournal, Bushing, ForceModel, SurfaceContact)

    def blocks(self) -> Blocks:
        """No displacement across the axis, and the child's axis stays parallel to the parent's."""
        f, g, h = triad(self.axis)
        angles, displacements = (Angle("angle", "parent", h, f),), (Displacement("displacement", h),)
        if isinstance(self.model, Journal):
            return Blocks(aligned=(h,), angles=angles, displacements=displacements)
        return Blocks(
            perpendicular=((f, h), (g, h)),
            no_displacement=(f, g),
            aligned=(h,),
            angles=angles,
            displacements=displacements,
        )


@dataclass(frozen=True)
class Universal(Joint):
    """Two bodies share a point and two perpendicular axes: 2 freedoms (`angle_parent`, `angle_child`), 4 rows.

    `axis_parent` is fixed in the parent, `axis_child` in the child; the cross between them turns about both.
    Its model may be `Ideal()`, `DryCross(...)` or `Bushing(...)`.

    >>> import gudgeon as gd
    >>> hooke = gd.Universal("in", "out", at=(0, 0, 0), axis_parent=(0, 1, 0), axis_child=(0, 0, 1))
    >>> hooke.blocks().row_count
    4
    """

    _: KW_ONLY
    axis_parent: Vec3 | str = (1.0, 0.0, 0.0)  # world direction in the reference pose, or a marker [-]
    axis_child: Vec3 | str = (0.0, 1.0, 0.0)  # world direction in the reference pose, or a marker [-]
    axis_fields: ClassVar = ("axis_parent", "axis_child")
    accepts: ClassVar = (Ideal, DryCross, Bushing, ForceModel)

    def __post_init__(self):
        super().__post_init__()
        if not self.is_marked:
            require_perpendicular(self, "axis_parent", "axis_child")

    def blocks(self) -> Blocks:
        """Points, and the two axes perpendicular."""
        first, second = known(self.axis_parent), known(self.axis_child)
        return Blocks(
            points=True,
            perpendicular=((first, second),),
            angles=(
                Angle("angle_parent", "parent", first, second),
                Angle("angle_child", "child", second, first),
            ),
        )


@dataclass(frozen=True)
class Spherical(Joint):
    """Two bodies share a point (ball and socket): 3 freedoms, 3 rows.

    Its model may be `Ideal()`, `Dry(...)`, `Lubricated(...)`, `Bushing(...)` or `SurfaceContact(...)`.

    >>> import gudgeon as gd
    >>> gd.Spherical("coupler", "rocker", at=(0, 0, 0)).blocks().row_count
    3
    """

    accepts: ClassVar = (Ideal, Dry, Lubricated, Bushing, ForceModel, SurfaceContact)

    def blocks(self) -> Blocks:
        """Points."""
        return Blocks(points=True)


@dataclass(frozen=True)
class UniversalPrismatic(Joint):
    """Two angles and one translation along `slide` (fixed in the parent): 3 freedoms, 3 rows.

    >>> import gudgeon as gd
    >>> gd.UniversalPrismatic(
    ...     "arm", "bar", at=(0, 0, 0), axis_parent=(1, 0, 0), axis_child=(0, 1, 0), slide=(0, 0, 1)
    ... ).blocks().row_count
    3
    """

    _: KW_ONLY
    axis_parent: Vec3 | str = (1.0, 0.0, 0.0)  # world direction in the reference pose, or a marker [-]
    axis_child: Vec3 | str = (0.0, 1.0, 0.0)  # world direction in the reference pose, or a marker [-]
    slide: Vec3 | str = (0.0, 0.0, 1.0)  # world direction in the reference pose, or a marker, fixed in the parent [-]
    axis_fields: ClassVar = ("axis_parent", "axis_child", "slide")
    accepts: ClassVar = (Ideal, Bushing, ForceModel)

    def __post_init__(self):
        super().__post_init__()
        if not self.is_marked:
            require_perpendicular(self, "axis_parent", "axis_child")

    def blocks(self) -> Blocks:
        """The two axes perpendicular, and no displacement across the slide."""
        b, c, d = triad(self.slide)
        first, second = known(self.axis_parent), known(self.axis_child)
        return Blocks(
            perpendicular=((first, second),),
            no_displacement=(b, c),
            angles=(
                Angle("angle_parent", "parent", first, second),
                Angle("angle_child", "child", second, first),
            ),
            displacements=(Displacement("displacement", d),),
        )


@dataclass(frozen=True)
class Translational(Joint):
    """The child moves in all directions without turning: 3 freedoms (`displacement_x`, `_y`, `_z`), 3 rows.

    They are along the world's axes in the reference pose, fixed in the parent. With a `gd.Drive` of each, the child is
    a shaking table: all that hangs on it feels its motion. Its model may be `Ideal()`, `Bushing(...)`, which holds the
    rotations elastically, or a `ForceModel` of your own.

    >>> import gudgeon as gd
    >>> table = gd.Translational("ground", "table", at=(0, 0, 0))
    >>> shaking = gd.Drive("table", "0.01*sin(60*t)", coordinate="displacement_x")
    >>> table.blocks().row_count
    3
    """

    accepts: ClassVar = (Ideal, Bushing, ForceModel)

    def blocks(self) -> Blocks:
        """Three perpendicularities."""
        x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        return Blocks(
            perpendicular=((x, z), (y, z), (y, x)),
            aligned=(z, x),
            displacements=tuple(
                Displacement(f"displacement_{name}", axis) for name, axis in zip("xyz", (x, y, z), strict=True)
            ),
        )


@dataclass(frozen=True)
class Free(Joint):
    """No constraint: 6 freedoms, 0 rows. States that two bodies are not connected, or may be later.

    With a `SurfaceContact(...)` the two bodies touch where their surfaces meet; a `Bushing(...)` pulls them together
    from wherever they are.

    >>> import gudgeon as gd
    >>> gd.Free("ground", "satellite").blocks().row_count
    0
    """

    accepts: ClassVar = (Ideal, Bushing, ForceModel, SurfaceContact)

    def blocks(self) -> Blocks:
        """None."""
        return Blocks()
