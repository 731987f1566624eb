"""A flexible body in the plane: finite elements in a frame that translates. Source: seed 002, sections 2.1 and 3.1."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.body import Body
from gudgeon.errors import ModelError
from gudgeon.fem.damping import Rayleigh
from gudgeon.fem.material import Material
from gudgeon.fem.mesh import Mesh
from gudgeon.fem.model import PlaneModel
from gudgeon.models.flexible_slider import FlexibleSlider

if TYPE_CHECKING:
    from gudgeon.system import System


@dataclass(frozen=True, kw_only=True)
class FlexibleBody(Body):
    """An elastic plate: mass and inertia follow from the mesh.

    The mesh lies in the body's x–y plane with its centre of mass at `position`. Displacements along both axes may be
    large, strains and rotations are small. It takes `Guide` joints with `FlexibleSlider`, `Revolute` joints across its
    plane at its nodes (ideal or `PenaltyPin`), `Force` and `SpringDamper` at points of its mesh.

    >>> import gudgeon as gd
    >>> from gudgeon.fem import Material, Mesh
    >>> rubber = Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=1 / 3)
    >>> round(gd.FlexibleBody(mesh=Mesh.rectangle(0.6, 0.5, 5, 5), material=rubber).mass, 9)
    0.1
    """

    mass: float = field(init=False, default=0.0)  # [kg]
    inertia: Any = field(init=False, default=None)  # about the centre of mass, body axes [kg·m²]
    mesh: Mesh
    material: Material
    damping: Rayleigh = field(default_factory=Rayleigh)

    def __post_init__(self):
        model = PlaneModel(mesh=self.mesh, material=self.material, damping=self.damping)
        x, y = (self.mesh.nodes - model.centre_of_mass).T
        masses = model.node_masses
        xx, yy, xy = masses @ (y * y), masses @ (x * x), -masses @ (x * y)
        object.__setattr__(self, "mass", model.total_mass)
        object.__setattr__(self, "inertia", ((xx, xy, 0.0), (xy, yy, 0.0), (0.0, 0.0, xx + yy)))
        super().__post_init__()

    @cached_property
    def plane_model(self) -> PlaneModel:
        """Its finite elements."""
        return PlaneModel(mesh=self.mesh, material=self.material, damping=self.damping)

    @cached_property
    def rest(self) -> np.ndarray:
        """Nodes from the centre of mass, undeformed, body axes (node_count, 2) [m]."""
        return self.mesh.nodes - self.plane_model.centre_of_mass


def flexible_bodies(system: System) -> dict[str, FlexibleBody]:
    """The flexible bodies of a system: those described as such, and children of guides with a flexible slider.

    >>> import gudgeon as gd
    >>> from gudgeon.flexible_body import flexible_bodies
    >>> flexible_bodies(gd.examples.spatial_four_bar())
    {}
    """
    found = {name: body for name, body in system.bodies.items() if isinstance(body, FlexibleBody)}
    for name, joint in system.joints.items():
        model = joint.model
        if not isinstance(model, FlexibleSlider):
            continue
        body, label = system.bodies.get(joint.child), joint.label(name)
        if body is None:
            raise ModelError(f"{label}: the child of a flexible slider's guide must be a body, not the ground")
        if isinstance(body, FlexibleBody):
            if model.mesh is not None and (model.mesh != body.mesh or model.material != body.material):
                raise ModelError(f"{label}: both the model and the body {joint.child!r} have a mesh; give one")
            continue
        if model.mesh is None or model.material is None:
            raise ModelError(
                f"{label}: FlexibleSlider has no mesh; give mesh= and material=, or make the child flexible"
            )
        if joint.child in found:
            raise ModelError(f"{label}: {joint.child!r} is the flexible slider of another guide already")
        pose = (body.position, body.orientation, body.velocity, body.angular_velocity)
        flexible = _made(model.mesh, model.material, model.damping, *pose)
        if abs(flexible.mass - body.mass) > 1e-6 * body.mass:
            raise ModelError(
                f"{label}: the mesh weighs {flexible.mass:.9g} kg, the body {joint.child!r} {body.mass:.9g} kg; they "
                "are the same thing: make density × thickness or the body's mass fit"
            )
        found[joint.child] = flexible
    return found


@lru_cache(maxsize=64)
def _made(mesh, material, damping, position, orientation, velocity, angular_velocity) -> FlexibleBody:
    """A flexible body, made once: its matrices are kept with it."""
    return FlexibleBody(
        mesh=mesh,
        material=material,
        damping=damping,
        position=position,
        orientation=orientation,
        velocity=velocity,
        angular_velocity=angular_velocity,
    )
