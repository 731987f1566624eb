"""The guide: a body that slides between the two surfaces of another one. Geometry only; its model says how it fits."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from gudgeon.checks import Vec3, known
from gudgeon.errors import ModelError
from gudgeon.joint_axes import triad
from gudgeon.joints import Angle, Blocks, Displacement, Joint, require_perpendicular
from gudgeon.models.bushing import Bushing
from gudgeon.models.flexible_slider import FlexibleSlider
from gudgeon.models.force_model import ForceModel
from gudgeon.models.ideal import Ideal
from gudgeon.models.lubricated_box import LubricatedBox
from gudgeon.models.rigid_slider import RigidSlider


@dataclass(frozen=True)
class Guide(Joint):
    """The child slides along `axis` between an upper and a lower surface of the parent, whose `normal` points up.

    `at` is a point of the centre line; there the slider's centre is when it is centred. The guide has no ends, and may
    itself move. Models: `Ideal()` (no play: a prismatic joint), `RigidSlider(...)` (four corners, compliant or hard),
    `FlexibleSlider(...)` (finite elements), `LubricatedBox(...)` (oil at both walls), `Bushing(...)` or a `ForceModel`
    of your own (z along the axis, y along the normal). Coordinates: `displacement` along the axis, and with play `lift`
    along the normal and `angle`.

    >>> import gudgeon as gd
    >>> gd.Guide("ground", "slider", at=(0, 0, 0), axis=(1, 0, 0), normal=(0, 1, 0)).blocks().row_count
    5
    """

    _: KW_ONLY
    axis: Vec3 | str = (1.0, 0.0, 0.0)  # world direction in the reference pose, fixed in the parent [-]
    normal: Vec3 | str = (0.0, 1.0, 0.0)  # world direction in the reference pose, fixed in the parent [-]
    axis_fields: ClassVar = ("axis", "normal")
    accepts: ClassVar = (Ideal, RigidSlider, FlexibleSlider, LubricatedBox, Bushing, ForceModel)
    flat: ClassVar = True

    def __post_init__(self):
        super().__post_init__()
        if not self.is_marked:
            require_perpendicular(self, "axis", "normal")
        if self.at is None and self.at_parent is None and self.at_child is None:
            raise ModelError(f"{self.label()}: where is it? give at=(x, y, z), a point of its centre line")

    @property
    def own_axes(self) -> tuple[Vec3, Vec3, Vec3] | None:
        """Of a box, a bushing, a user's model: z along, y towards the upper wall."""
        if not isinstance(self.model, LubricatedBox | Bushing | ForceModel):
            return None
        along, up = known(self.axis), known(self.normal)
        return tuple(np.cross(up, along).tolist()), up, along

    @property
    def is_compliant(self) -> bool:
        """Walls act by forces, but rows keep its plane; what is elastic has no rows."""
        return isinstance(self.model, Bushing | ForceModel)

    @property
    def axes_may_tilt(self) -> bool:
        """Those of angles are kept across the plane."""
        return False

    def blocks(self) -> Blocks:
        """A prismatic joint without walls; a plane with a rigid slider; nothing with a flexible one."""
        along, up = known(self.axis), known(self.normal)
        out: Vec3 = tuple(np.cross(along, up).tolist())
        displacement = Displacement("displacement", along)
        if isinstance(self.model, Ideal | Bushing | ForceModel):
            f, g, h = triad(along)
            return Blocks(
                perpendicular=((f, h), (g, h), (g, f)),
                no_displacement=(f, g),
                aligned=(h, f),
                displacements=(displacement,),
            )
        free = {
            "angles": (Angle("angle", "parent", out, along),),
            "displacements": (displacement, Displacement("lift", up)),
        }
        if isinstance(self.model, FlexibleSlider):
            return Blocks(**free)
        return Blocks(perpendicular=((along, out), (up, out)), no_displacement=(out,), aligned=(out,), **free)
