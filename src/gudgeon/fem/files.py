"""Reading quadrilateral meshes from files, through meshio (an optional extra)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.fem import mesh_rules

MAX_BYTES = 256_000_000
_IGNORED = ("vertex", "line")  # geometry points and boundary curves that generators write along


def read(path: str | Path) -> dict[str, np.ndarray]:
    """The fields `nodes` and `quads` of a Mesh; unused nodes left out, clockwise elements turned round."""
    owner = f"Mesh.read({str(path)!r})"
    points, cells = _parse(owner, Path(path))
    other = sorted({kind for kind, _ in cells} - {"quad", *_IGNORED})
    if other:
        count = sum(len(data) for kind, data in cells if kind in other)
        raise ModelError(
            f"{owner}: {count} cells of type {', '.join(other)}; only four-node quadrilaterals (quad) are read, "
            "so mesh with those (in Gmsh: recombine)"
        )
    blocks = [np.asarray(data, dtype=np.int64).reshape(-1, 4) for kind, data in cells if kind == "quad"]
    if not sum(len(block) for block in blocks):
        raise ModelError(f"{owner}: no quadrilaterals in it; the file must hold cells of type quad")
    quads = np.concatenate(blocks)
    mesh_rules.check_size(owner, len(quads))
    if quads.min() < 0 or quads.max() >= len(points):
        raise ModelError(f"{owner}: an element has node {int(quads.max())}; the file has {len(points)} points")
    used, quads = np.unique(quads, return_inverse=True)
    quads, points = quads.reshape(-1, 4), points[used]
    if points.shape[1] == 3:
        size = float(np.ptp(points[:, :2], axis=0).max())
        if np.ptp(points[:, 2]) > 1e-9 * size:
            low, high = points[:, 2].min(), points[:, 2].max()
            raise ModelError(
                f"{owner}: z runs from {low:.6g} to {high:.6g} m; the mesh must lie in a plane z = constant"
            )
    nodes = points[:, :2]
    clockwise = mesh_rules.cross(*mesh_rules.diagonals(nodes, quads)) < 0.0
    quads[clockwise] = quads[clockwise, ::-1]
    return {"nodes": nodes, "quads": quads}


def _parse(owner: str, path: Path) -> tuple[np.ndarray, list[tuple[str, Any]]]:
    """Points (n, 2 or 3) and cells by type."""
    if not path.is_file():
        raise ModelError(f"{owner}: there is no such file")
    if path.stat().st_size > MAX_BYTES:
        raise ModelError(f"{owner}: {path.stat().st_size / 1e6:.0f} MB; the limit is {MAX_BYTES / 1e6:.0f} MB")
    try:
        import meshio  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ModelError(f"{owner}: reading meshes needs meshio; install it with pip install 'gudgeon[mesh]'") from None
    try:
        mesh = meshio.read(path)
    except (Exception, SystemExit) as error:  # meshio ends the process on a file that it cannot read
        reason = f" ({error})" if isinstance(error, Exception) and str(error) else ""
        raise ModelError(f"{owner}: meshio cannot read it{reason}; is the ending right for its format?") from error
    points = np.asarray(mesh.points, dtype=float)
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        raise ModelError(f"{owner}: points of shape {points.shape}; the nodes need two or three coordinates")
    return points, [(block.type, block.data) for block in mesh.cells]
