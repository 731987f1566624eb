"""What is drawn in colours: flexible bodies by their stress, surfaces that face each other by their gap or as they are.

A field is a mesh on a body with a value at every corner over time; the mesh of a flexible body moves, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.bodies import GROUND
from gudgeon.fem.element import gradients
from gudgeon.fem.recovery import nodal, von_mises
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.links import Links
from gudgeon.view.scene.parts import Part

if TYPE_CHECKING:
    import xarray as xr

    from gudgeon.fem.model import PlaneModel
    from gudgeon.system import System

DEPTH = 0.5  # of a plate whose thickness is not to be drawn, of its height [-]
GRID = 40  # points along each side of a surface


def flexible_fields(
    system: System, data: xr.Dataset, samples: np.ndarray, arrays: Arrays, links: Links
) -> list[dict[str, Any]]:
    """The flexible bodies: nodes in the world over time, elements, and von Mises stresses of the elastic strains.

    Where bars are in the plane of their joints they are drawn behind it.
    """
    found = []
    for name, body in flexible_bodies(system).items():
        nodes = [f"{name}:{k}" for k in range(len(body.rest))]
        u = data.node_displacement.sel(node=nodes).values[samples]  # (time, node, 2)
        stress = _von_mises(body.plane_model, u)
        depth = float(min(body.material.thickness, DEPTH * np.ptp(body.rest, axis=0).min()))
        behind = links.behind(name)
        found.append(
            {
                "kind": "flexible",
                "body": name,
                "origin": list(body.position),
                "turn": list(body.orientation),
                "rest": body.rest.tolist(),
                "quads": body.mesh.quads.tolist(),
                "depth": depth,
                "shift": 0.0 if behind is None else -(0.5 * depth + behind),
                "displacement": arrays.add(u),
                "values": arrays.add(stress),
                "name": "von Mises stress",
                "unit": "Pa",
                "range": [0.0, float(np.nanpercentile(stress, 99.5))],
            }
        )
    return found


def _von_mises(model: PlaneModel, u: np.ndarray) -> np.ndarray:
    """At the nodes (time, node) [Pa], for all times at once: strains are linear in displacements."""
    slope = np.einsum("egaj,teai->tegij", gradients(model.mesh).slope, u[:, model.mesh.quads])
    strain = np.stack((slope[..., 0, 0], slope[..., 1, 1], slope[..., 0, 1] + slope[..., 1, 0]), axis=-1)
    stress = np.moveaxis(strain @ model.material.elasticity, 0, 2)  # (element, Gauss point, time, 3)
    return von_mises(model, nodal(model, stress)).T


def gap_fields(system: System, data: xr.Dataset, samples: np.ndarray, arrays: Arrays) -> list[dict[str, Any]]:
    """The reference surfaces of interfaces, coloured by the gap; where there is none the value is NaN."""
    found = []
    for name, interface in system.interfaces.items():
        if f"{name}.gap" not in data:
            continue
        pair = interface.pair_for(system)
        x1, x2 = (data[f"{name}.{direction}"].values for direction in ("xi1", "xi2"))
        one, two = np.meshgrid(x1, x2, indexing="ij")
        points = pair.reference.point(one.ravel(), two.ravel())
        gap = data[f"{name}.gap"].transpose("time", f"{name}.xi1", f"{name}.xi2").values[samples]
        gap = gap.reshape(len(samples), -1)
        found.append(
            {
                "kind": "surface",
                "body": interface.reference[0],
                "points": arrays.add(points),
                "grid": [len(x1), len(x2)],
                "closed": _closed(points.reshape(len(x1), len(x2), 3)),
                "values": arrays.add(gap),
                "name": f"gap of {name}",
                "unit": "m",
                "range": [float(np.nanmin(gap)), float(np.nanmax(gap))] if np.isfinite(gap).any() else [0.0, 1.0],
            }
        )
    return found


def _closed(points: np.ndarray) -> list[bool]:
    """Whether the first and the last row of a grid are neighbours: a cylinder whose seam is left out, or doubled."""
    out = []
    for axis in (0, 1):
        rows = np.moveaxis(points, axis, 0)
        step = np.linalg.norm(rows[1] - rows[0], axis=1).max() if len(rows) > 1 else 0.0
        apart = np.linalg.norm(rows[-1] - rows[0], axis=1).max()
        out.append(bool(len(rows) > 3 and apart < 1.5 * step))
    return out


def contact_surfaces(system: System, arrays: Arrays) -> dict[str, list[Part]]:
    """The surfaces of surface contacts, as parts of their bodies."""
    found: dict[str, list[Part]] = {}
    for joint in system.joints.values():
        if not isinstance(joint.model, SurfaceContact):
            continue
        interface = joint.model.interface
        pair = interface.pair_for(system)
        for body, surface in zip(interface.bodies, (pair.reference, pair.corresponding), strict=True):
            if body != GROUND and system.bodies[body].shape is not None:
                continue
            points, triples = _tessellated(surface)
            if len(triples):
                found.setdefault(body, []).append(
                    {
                        "kind": "sheet",
                        "size": [],
                        "points": arrays.add(points),
                        "triples": arrays.add(triples, whole=True),
                        "at": [0.0, 0.0, 0.0],
                        "turn": [1.0, 0.0, 0.0, 0.0],
                        "tone": "ground" if body == GROUND else "body",
                    }
                )
    return found


def _tessellated(surface: Any) -> tuple[np.ndarray, np.ndarray]:
    x = np.linspace(0.0, 1.0, GRID)
    one, two = (grid.ravel() for grid in np.meshgrid(x, x, indexing="ij"))
    points, inside = surface.point(one, two), surface.keeps(one, two)
    index = np.arange(GRID * GRID).reshape(GRID, GRID)
    a, b, c, d = (corner.ravel() for corner in (index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]))
    triples = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return points, triples[inside[triples].all(axis=1)]
