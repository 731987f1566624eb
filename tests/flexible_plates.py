"""A small plate of finite elements, held in various ways, and its matrices, which gudgeon.fem alone assembles."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import eigh

import gudgeon as gd
from gudgeon.fem import Material, Mesh, PlaneModel, Rayleigh

MESH = Mesh.rectangle(0.4, 0.2, 4, 2)
MATERIAL = Material(youngs_modulus=1e5, poissons_ratio=0.3, density=2.5)  # kg/m² of a plate
DAMPING = Rayleigh(mass=0.5, stiffness=2e-4)
MODEL = PlaneModel(mesh=MESH, material=MATERIAL, damping=DAMPING)
K, M = MODEL.K.toarray(), MODEL.M.toarray()
EDGE = [int(node) for node in MESH.surface("left")]
TIP = int(np.argmin(np.linalg.norm(MESH.nodes - (0.4, 0.1), axis=1)))  # in the middle of the right edge


def plate(**given: Any) -> gd.FlexibleBody:
    return gd.FlexibleBody(mesh=MESH, material=MATERIAL, damping=DAMPING, **given)


def at(node: int) -> tuple[float, float, float]:
    """Where a node is at rest, the plate's centre of mass in the origin [m]."""
    x, y = plate().rest[node]
    return float(x), float(y), 0.0


def clamped(model: Any = None, *, gravity: float = 0.0, swapped: bool = False) -> gd.System:
    """The plate with its left edge pinned to the ground, node by node."""
    bodies = ("plate", "ground") if swapped else ("ground", "plate")
    pins = {f"pin {node}": gd.Revolute(*bodies, at=at(node), model=model or gd.Ideal()) for node in EDGE}
    return gd.System(bodies={"plate": plate()}, joints=pins, gravity=(0, -gravity, 0))


def held(*unknowns: int) -> np.ndarray:
    """The unknowns that are left."""
    return np.setdiff1d(np.arange(MODEL.unknown_count), unknowns)


def frequencies(stiffness: np.ndarray, mass: np.ndarray, left: np.ndarray) -> np.ndarray:
    """ω of K φ = ω² M φ with the other unknowns held [rad/s]."""
    square = eigh(stiffness[np.ix_(left, left)], mass[np.ix_(left, left)])[0]
    return np.sqrt(np.maximum(square, 0.0))


CLAMPED = held(*(2 * node + axis for node in EDGE for axis in (0, 1)))


def arm(links: int) -> gd.System:
    """A chain of hinges from the ground whose end is pinned to the middle of a plate, which hangs in a spring."""
    bodies: dict[str, gd.Body] = {}
    joints: dict[str, gd.Joint] = {}
    for k in range(links):
        bodies[f"link {k}"] = gd.Body(mass=0.5, inertia=(1e-3, 2e-3, 2e-3), position=(0.3 * k + 0.1, 0.02, 0))
        inner = f"link {k - 1}" if k else "ground"
        joints[f"hinge {k}"] = gd.Revolute(inner, f"link {k}", at=(0.3 * k, 0.05 * k, 0))
    joints["pin"] = gd.Revolute(f"link {links - 1}", "plate", at=(0.3 * links, 0, 0))
    spring = gd.SpringDamper("ground", "plate", at_first=(0.5, 0.5, 0), stiffness=50.0, length=0.3)
    bodies["plate"] = plate(position=(0.3 * links, 0, 0))
    return gd.System(name="arm", bodies=bodies, joints=joints, loads={"spring": spring}, gravity=(0, -9.81, 0))
