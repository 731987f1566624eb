"""Wear of a ball and its socket in a run: depths over longitude and latitude of the two bodies.

A `gd.Dry` ball presses with a force, not with pressures. Of Hertz's contact with the depth δ the radius of the touching
circle is a = √(R δ), R = R_i R_j/(R_i − R_j), and the pressure p₀ √(1 − r²/a²), p₀ = 3 F/(2π a²); in a socket that the
ball nearly fills a is no more than half of the ball's radius. Points of the circle carry equal parts of the force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from gudgeon.bodies import GROUND
from gudgeon.models.dry import Dry
from gudgeon.rotations import rotation_matrix
from gudgeon.wearing.pressed import Pressed, trapezium

if TYPE_CHECKING:
    from gudgeon.results.result import Result
    from gudgeon.system import System

RINGS, SPOKES = 4, 12  # of points in the touching circle
WIDEST = 0.5  # radius of the circle, of the ball's
GAUSS = 3  # points in a cell, for areas


class Sphere:
    """Bilinear depths over `lines` meridians and half as many parallels, the poles along ±z."""

    def __init__(self, radius: float, lines: int):
        self.radius, self.lines, self.rows = radius, lines, max(2, lines // 2)
        self.count = 2 + (self.rows - 1) * lines

    def shapes(self, way: np.ndarray) -> csr_array:
        """(point, coefficient) at directions (point, 3) from the centre."""
        way = way / np.linalg.norm(way, axis=1, keepdims=True)
        u = np.mod(np.arctan2(way[:, 1], way[:, 0]) / (2.0 * np.pi), 1.0) * self.lines
        v = np.arccos(np.clip(way[:, 2], -1.0, 1.0)) / np.pi * self.rows  # from the pole +z
        i, j = np.minimum(u.astype(int), self.lines - 1), np.minimum(v.astype(int), self.rows - 1)
        f, g = u - i, v - j
        rows, columns, values = [], [], []
        for di, dj, value in ((0, 0, (1 - f) * (1 - g)), (1, 0, f * (1 - g)), (0, 1, (1 - f) * g), (1, 1, f * g)):
            rows.append(np.arange(len(way)))
            columns.append(self._number(i + di, j + dj))
            values.append(value)
        shape = (len(way), self.count)
        return csr_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape)

    def _number(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        inner = 1 + (j - 1) * self.lines + i % self.lines
        return np.where(j <= 0, 0, np.where(j >= self.rows, self.count - 1, inner))

    @property
    def areas(self) -> np.ndarray:
        """∫ N dA [m²]: those of a ring of latitude are alike."""
        x, w = np.polynomial.legendre.leggauss(GAUSS)
        step = np.pi / self.rows
        total = np.zeros(self.rows + 1)
        for j in range(self.rows):
            g = 0.5 * (x + 1.0)
            size = 0.5 * w * step * np.sin((j + g) * step) * 2.0 * np.pi * self.radius**2
            total[j] += size @ (1.0 - g)
            total[j + 1] += size @ g
        inner = np.repeat(total[1:-1] / self.lines, self.lines)
        return np.concatenate([total[:1], inner, total[-1:]])

    def spread(self, depths: np.ndarray) -> np.ndarray:
        """(…, parallels, meridians) of coefficients; the poles repeated."""
        lead = depths.shape[:-1]
        inner = depths[..., 1:-1].reshape(*lead, self.rows - 1, self.lines)
        first, last = (np.repeat(pole[..., None, None], self.lines, -1) for pole in (depths[..., 0], depths[..., -1]))
        return np.concatenate([first, inner, last], axis=-2)


class RubbedBall:
    """The socket and the ball of a `gd.Dry` joint."""

    surfaces = ("socket", "ball")

    def __init__(self, name: str, model: Dry, system: System, angles: int):
        self.name, self.model = name, model
        joint = system.joints[name]
        bodies = (joint.parent, joint.child)
        self.bodies = bodies if model.ball_on == "child" else bodies[::-1]
        self.spheres = [Sphere(model.socket_radius, angles), Sphere(model.ball_radius, angles)]

    @property
    def areas(self) -> list[np.ndarray]:
        """A_i [m²]; of both surfaces at the ball's radius, as contact has it."""
        return [sphere.areas * (self.model.ball_radius / sphere.radius) ** 2 for sphere in self.spheres]

    def variables(self, surface: int, worn: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
        """Worn depths (row, coefficient) over longitude and latitude."""
        sphere, name = self.spheres[surface], f"{self.name}.{self.surfaces[surface]}"
        along, across = f"{self.name}.longitude", f"{self.name}.latitude"
        what = f"worn off, over longitude about and latitude from the z axis of {self.bodies[surface]!r}"
        return {name: (("cycles", across, along), sphere.spread(worn), {"units": "m", "long_name": what})}, {
            along: (
                along,
                np.arange(sphere.lines) * (2.0 * np.pi / sphere.lines),
                {"units": "rad", "long_name": "longitude"},
            ),
            across: (
                across,
                0.5 * np.pi - np.arange(sphere.rows + 1) * (np.pi / sphere.rows),
                {"units": "rad", "long_name": "latitude"},
            ),
        }

    def pressed(self, result: Result) -> Pressed:
        """What touched during a run."""
        data = result.data
        at = data.sel(joint=self.name)
        force, depth = at.normal_force.values, at.penetration.values
        (sample,) = np.nonzero((force > 0.0) & (depth > 0.0))
        e, slides = at.eccentricity.values[sample], at.sliding_velocity.values[sample]
        n = e / np.linalg.norm(e, axis=1, keepdims=True)
        frames = [_frames(data, body, sample) for body in self.bodies]
        spins = [_spins(data, body, sample) for body in self.bodies]
        R_i, R_j = self.model.socket_radius, self.model.ball_radius
        a = np.minimum(np.sqrt(R_i * R_j / (R_i - R_j) * depth[sample]), WIDEST * R_j)
        first = np.cross(n, np.where(np.abs(n[:, :1]) < 0.6, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]]))
        first /= np.linalg.norm(first, axis=1, keepdims=True)
        second = np.cross(n, first)
        part = (np.arange(RINGS) + 0.5) / RINGS
        rho, turn = np.sqrt(1.0 - (1.0 - part) ** (2.0 / 3.0)), (np.arange(SPOKES) + 0.5) * (2.0 * np.pi / SPOKES)
        rho, turn = np.repeat(rho, SPOKES), np.tile(turn, RINGS)
        count = len(rho)
        away = (
            a[:, None, None]
            * rho[None, :, None]
            * (np.cos(turn)[None, :, None] * first[:, None] + np.sin(turn)[None, :, None] * second[:, None])
        )
        spin = np.sum((spins[1] - spins[0]) * n, axis=1)  # about the normal
        speed = np.linalg.norm(slides[:, None] + np.cross((spin[:, None] * n)[:, None], away), axis=2).ravel()
        way = (R_j * n[:, None] + away).reshape(-1, 3)
        load = np.repeat(force[sample] / count, count)
        pressure = (1.5 * force[sample] / (np.pi * a**2))[:, None] * np.sqrt(1.0 - rho**2)[None, :]
        repeated = np.repeat(np.arange(len(sample)), count)
        shapes = tuple(
            sphere.shapes(np.einsum("pij,pj->pi", frame[repeated], way))
            for sphere, frame in zip(self.spheres, frames, strict=True)
        )
        area, times = load / pressure.ravel(), data.time.values
        owner = sample[repeated]
        dt = trapezium(times)
        nothing = np.zeros(len(owner))
        return Pressed(
            owner,
            area * dt[owner],
            area,
            pressure.ravel(),
            nothing,
            speed,
            n[repeated],
            3,
            shapes,
            float(times[-1] - times[0]),
        )


def _frames(data: Any, body: str, samples: np.ndarray) -> np.ndarray:
    """(sample, 3, 3) rows: the body's axes."""
    if body == GROUND:
        return np.tile(np.eye(3), (len(samples), 1, 1))
    quaternions = data.orientation.sel(body=body).values[samples]
    return np.array([rotation_matrix(q).T for q in quaternions]).reshape(-1, 3, 3)


def _spins(data: Any, body: str, samples: np.ndarray) -> np.ndarray:
    return np.zeros((len(samples), 3)) if body == GROUND else data.angular_velocity.sel(body=body).values[samples]
