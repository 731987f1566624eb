"""Contact over surfaces: two bodies that touch wherever their surfaces, of any shape, meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated, Any

from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.laws.base import ContactLaw, FrictionLaw
from gudgeon.laws.forms import check_law
from gudgeon.laws.friction import LuGre
from gudgeon.models.ideal import JointModel
from gudgeon.quantities import PerArea, Speed

if TYPE_CHECKING:
    from gudgeon.interface import Interface

TRIAL_DEPTH = 1e-3  # penetrations up to this are tried when a law is checked [m]


@dataclass(frozen=True)
class SurfaceContact(JointModel):
    """Contact pressure, integrated over the two surfaces of an Interface; nothing else holds the joint.

    Wherever the gap is negative, `contact` gives the pressure: a ContactLaw whose force is per area, so that the
    stiffness of `KelvinVoigt` is in N/m³ and its damping in N·s/m³, or your own function of (delta, ddelta) or (delta,
    ddelta, impact_speed) in m and m/s that returns Pa. `friction` is a FrictionLaw, or a function of (speed, pressure)
    that returns Pa; None is frictionless. The grid of the interface says how fine: so many Gauss points in ξ1 and ξ2.

    >>> import gudgeon as gd
    >>> from gudgeon.nurbs import Surface
    >>> ball, socket = ("rod", Surface.sphere(0.0100)), ("cup", Surface.sphere(0.0101))
    >>> touch = gd.Interface(reference=ball, corresponding=socket, corresponding_side=-1, grid=(48, 24))
    >>> model = gd.SurfaceContact(touch, gd.laws.KelvinVoigt(stiffness=1e12, damping=1e8))
    >>> joint = gd.Spherical("cup", "rod", at=(0, 0, 0), model=model)
    """

    interface: Interface  # surfaces, their bodies, and the grid
    contact: Annotated[ContactLaw | Callable[..., float], PerArea]  # pressure [Pa]
    _: KW_ONLY
    friction: Annotated[FrictionLaw | Callable[..., float] | None, PerArea] = (
        None  # friction per area [Pa]; None: frictionless
    )
    smallest_impact_speed: Speed = 1e-4  # δ̇⁽⁻⁾ is not taken below this [m/s]

    def __post_init__(self):
        from gudgeon.interface import Interface

        if not isinstance(self.interface, Interface):
            raise ModelError(
                f"SurfaceContact: interface is a {type(self.interface).__name__}; give a gd.Interface with the two "
                "surfaces and their bodies"
            )
        check_law("SurfaceContact", "contact", self.contact, ContactLaw, TRIAL_DEPTH, pressure=True)
        if self.friction is not None:
            check_law("SurfaceContact", "friction", self.friction, FrictionLaw, TRIAL_DEPTH)
        if isinstance(self.friction, LuGre):
            raise ModelError(
                "SurfaceContact: friction is LuGre, whose bristles would be a state of every point; give a law without "
                "memory, such as gd.laws.Coulomb"
            )
        if number("SurfaceContact", "smallest_impact_speed", self.smallest_impact_speed) <= 0.0:
            raise ModelError(
                f"SurfaceContact: smallest_impact_speed is {self.smallest_impact_speed:g} m/s; "
                "it must be positive, since contact laws divide by the impact speed"
            )

    def check_joint(self, joint: Any) -> None:
        """Refuse a joint between other bodies, or one without a place."""
        bodies = set(self.interface.bodies)
        if bodies != {joint.parent, joint.child}:
            names = " and ".join(repr(name) for name in self.interface.bodies)
            raise ModelError(
                f"{joint.label()}: the surfaces of its SurfaceContact belong to {names}; give surfaces of "
                f"{joint.parent!r} and {joint.child!r}"
            )
        if joint.at is None and joint.at_parent is None and joint.at_child is None:
            raise ModelError(
                f"{joint.label()}: SurfaceContact needs a point about which torques are told; give at=(x, y, z)"
            )
