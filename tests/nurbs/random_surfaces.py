"""Free-form surfaces and rotations for tests."""

from __future__ import annotations

import numpy as np

from gudgeon.nurbs import Surface


def rotation(rng: np.random.Generator) -> np.ndarray:
    q = rng.normal(size=4)
    e0, e1, e2, e3 = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)],
        ]
    )


def random_knots(rng: np.random.Generator, degree: int, count: int, clamped: bool = True) -> np.ndarray:
    inner = np.sort(rng.uniform(0.1, 0.9, count - degree - 1))
    if len(inner) > 1 and degree > 1 and rng.random() < 0.5:
        inner[1] = inner[0]
    if clamped:
        return np.concatenate([np.zeros(degree + 1), inner, np.ones(degree + 1)])
    before = -np.sort(rng.uniform(0.01, 0.5, degree))[::-1]
    after = 1.0 + np.sort(rng.uniform(0.01, 0.5, degree))
    return np.concatenate([before, [0.0], inner, [1.0], after])


def free_form(
    seed: int,
    *,
    degree: tuple[int, int] = (3, 3),
    count: tuple[int, int] = (6, 5),
    roughness: float = 0.15,
    rational: bool = True,
    clamped: bool = True,
    size: float = 1.0,
) -> Surface:
    """A wavy sheet over about the unit square; the larger the roughness the more it folds."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.linspace(0, 1, count[0]), np.linspace(0, 1, count[1]), indexing="ij")
    points = np.stack([x, y, np.zeros_like(x)], axis=2) + roughness * rng.normal(size=(*count, 3))
    return Surface(
        degree=degree,
        knots=tuple(random_knots(rng, d, n, clamped) for d, n in zip(degree, count, strict=True)),
        points=size * points,
        weights=rng.uniform(0.5, 2.0, count) if rational else None,
    )


def random_line(rng: np.random.Generator, surface: Surface, spread: float = 0.6) -> tuple[np.ndarray, np.ndarray]:
    """A line through the neighbourhood of a surface, not through its special points."""
    low, high = surface.bounds()
    origin = 0.5 * (low + high) + spread * 0.5 * np.linalg.norm(high - low) * rng.normal(size=3)
    direction = rng.normal(size=3)
    return origin, direction / np.linalg.norm(direction)
