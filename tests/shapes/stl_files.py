"""STL files for tests: points (triangles, 3, 3) written as bytes or as text."""

import numpy as np

CORNER_TETRAHEDRON = np.array(
    [
        [(0, 0, 0), (0, 1, 0), (1, 0, 0)],
        [(0, 0, 0), (0, 0, 1), (0, 1, 0)],
        [(0, 0, 0), (1, 0, 0), (0, 0, 1)],
        [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
    ],
    dtype=float,
)


def box_points(size, centre=(0.0, 0.0, 0.0)):
    """The twelve triangles of a box."""
    out = []
    for axis in range(3):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        for side in (1.0, -1.0):
            corners = []
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                point = np.zeros(3)
                point[axis], point[a], point[b] = side, u, v
                corners.append(point)
            if side < 0:
                corners.reverse()
            out += [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
    return 0.5 * np.array(out) * np.array(size) + np.array(centre)


def ball_points(radius, steps):
    """An octahedron whose triangles are cut into steps² and blown up to a ball."""
    tips = np.array([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], dtype=float)
    out = []
    for pole in (1.0, -1.0):
        for k in range(4):
            a, b, c = tips[k], tips[(k + 1) % 4], np.array([0.0, 0.0, pole])
            if pole < 0:
                a, b = b, a
            grid = {(i, j): a * (steps - i - j) + b * i + c * j for i in range(steps + 1) for j in range(steps + 1 - i)}
            for i in range(steps):
                for j in range(steps - i):
                    out.append([grid[i, j], grid[i + 1, j], grid[i, j + 1]])
                    if i + j < steps - 1:
                        out.append([grid[i + 1, j], grid[i + 1, j + 1], grid[i, j + 1]])
    points = np.array(out)
    return radius * points / np.linalg.norm(points, axis=2, keepdims=True)


def binary(points):
    rows = np.zeros(len(points), dtype=[("normal", "<f4", 3), ("points", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["points"] = points
    return bytes(80) + len(points).to_bytes(4, "little") + rows.tobytes()


def text(points):
    lines = ["solid part"]
    for triangle in points:
        lines += ["facet normal 0 0 0", " outer loop"]
        lines += [f"  vertex {x!r} {y!r} {z!r}" for x, y, z in triangle.tolist()]
        lines += [" endloop", "endfacet"]
    return "\n".join([*lines, "endsolid part", ""]).encode()
