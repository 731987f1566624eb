"""Which bodies of a system are flexible: those described as such, and those that a model of a joint makes so."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from gudgeon.bodies import FlexibleBody
from gudgeon.errors import ModelError
from gudgeon.models.flexible_slider import FlexibleSlider

if TYPE_CHECKING:
    from gudgeon.system import System


def flexible_bodies(system: System) -> dict[str, FlexibleBody]:
    """The flexible bodies of a system: those described as such, and children of guides with a flexible slider.

    >>> import gudgeon as gd
    >>> from gudgeon.flexible_bodies import flexible_bodies
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
