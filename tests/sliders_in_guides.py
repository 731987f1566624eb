"""Small systems with a slider in a guide, to make mistakes with."""

from __future__ import annotations

from typing import Any

import gudgeon as gd
from gudgeon.fem import Material, Mesh
from mistakes import body

STEEL = Material(youngs_modulus=1e6, poissons_ratio=0.3, density=1.0 / 0.15)  # 1 kg for 0.5 × 0.3 m
PLATE = Mesh.rectangle(0.5, 0.3, 2, 2)
CONTACT = gd.laws.KelvinVoigt(stiffness=1e4, damping=1e3)
NEWTON = gd.Newton(restitution_normal=0.5)


def rigid(**changes: Any) -> gd.RigidSlider:
    return gd.RigidSlider(**{"length": 0.5, "height": 0.3, "clearance": 1e-3, "contact": CONTACT, **changes})


def flexible(**changes: Any) -> gd.FlexibleSlider:
    return gd.FlexibleSlider(**{"mesh": PLATE, "material": STEEL, "clearance": 1e-3, "contact": CONTACT, **changes})


def guide(model: Any = None, **changes: Any) -> gd.Guide:
    return gd.Guide(**{"parent": "ground", "child": "slider", "at": (0, 0, 0), "model": model or rigid(), **changes})


def system(model: Any = None, **changes: Any) -> gd.System:
    """A slider in a guide, and a rod beside it."""
    parts: dict[str, Any] = {
        "bodies": {"slider": body(), "rod": body()},
        "joints": {"guide": guide(model), "free": gd.Free("ground", "rod")},
    }
    return gd.System(**{**parts, **changes})


def pinned(x: float, model: Any = None) -> gd.System:
    joints = {"guide": guide(flexible()), "pin": gd.Revolute("slider", "rod", at=(x, 0, 0), model=model or gd.Ideal())}
    return system(joints=joints)


def loaded(load: gd.Force | gd.Torque | gd.SpringDamper | gd.JointSpring) -> gd.System:
    return system(flexible(), loads={"push": load})
