"""Search for a static equilibrium on the positions that the joints allow.

F are the forces in mass-orthonormal tangent coordinates x about the present position, K = −∂F/∂x exact (matrices.py).

stable     x grows along F as an overdamped motion would, with Newton's step where K allows: d = Σ u (u·F)/(|λ| + μ)
           over the modes (λ, u) of K's symmetric part, μ ≥ 0 so that no body moves too far. Along d the work of the
           forces must stay positive, or nearly so: this follows the energy downhill without asking for it, so that
           forces without a potential are allowed. An equilibrium with a negative λ is left along its mode.
nearest    Levenberg–Marquardt steps that reduce |F|: ends in any equilibrium.

After a step along the tangents the compiled projection closes the joints; forces on the way are those that the
constrained accelerations tell. Both cost time in proportion to the number of bodies.
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.joint_motion import joint_motion
from gudgeon.analysis.small_motion.chart import SingularPosition
from gudgeon.analysis.small_motion.contacts import Steps
from gudgeon.analysis.small_motion.joint_slopes import JointSlopes
from gudgeon.analysis.small_motion.matrices import along_modes, static_stiffness
from gudgeon.analysis.small_motion.rows import Rows
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.closed_within import FINEST, closed_within
from gudgeon.mechanics.displacement import displace
from gudgeon.mechanics.state_layout import positions

ITERATIONS = 3000
LONGEST_MOVE = 0.3  # of a body in one step, of the mechanism's extent or of a radian [-]
LONGEST_SHIFT = 0.3  # of a ball in one step, of its clearance [-]
FARTHEST = 30.0  # distance without progress that shows there is no equilibrium, of the mechanism's extent [-]
MOST_TURNS = 3.0  # likewise [turns]
TOLERANCE = 1e-9  # forces left, of those that act
FINE = 1e-13  # forces left that need no further step
KICK = 0.1  # step off an unstable equilibrium, of the longest move
MOST_KICKS = 20
LARGEST_OVERSHOOT = 0.5  # force against the step at its end, of the force along it at its begin


class Search:
    """A position on its way to an equilibrium; everything about it is found by `look`. Drives must not move."""

    def __init__(self, rows: Rows, y: np.ndarray):
        self.rows, self.y = rows, y.copy()
        n = rows.body_count
        rows.nodes.rest(self.y)
        model = rows.equations.model
        self._clearance = model.compliant_vector[:, arrays.CLEARANCE]
        gravity = np.linalg.norm(model.settings[arrays.GRAVITY : arrays.GRAVITY + 3])
        self._whole_mass = float(model.body[:, arrays.MASS].sum() + 0.5 * rows.nodes.mass.sum())
        applied = rows.forces(self.y)
        self.scale = float(max(np.sqrt(self._whole_mass) * gravity, np.linalg.norm(applied / np.sqrt(rows.weights))))
        self.extent = max(rows.size, float(np.ptp(positions(self.y, n), axis=0).max()))  # [m]
        self.iterations = 0
        self.distance = self.turns = 0.0  # since the forces last fell by half
        self._lowest = np.inf
        self.look()

    def look(self) -> None:
        """Allowed motions, forces, stiffness and its modes in the present position."""
        rows = self.rows
        self.steps = Steps(rows, self.y)
        slopes = JointSlopes(rows, self.y, self.steps, moving=False)
        applied = rows.forces(self.y)
        allowed = rows.allowed(self.y)
        self.tangents = allowed.basis
        self.weighted = rows.times_mass(self.tangents)
        self.force = self.tangents.T @ applied
        multipliers = allowed.multipliers(applied - self.weighted @ self.force)
        self.stiffness, self._error = static_stiffness(rows, self.y, self.tangents, multipliers, slopes)
        self.values, self.modes = np.linalg.eigh(0.5 * (self.stiffness + self.stiffness.T))
        self._typical_rate = rows.typical_rate(0.0 * applied, applied)
        self.left = float(np.linalg.norm(self.force))
        if self.left < 0.5 * self._lowest:
            self._lowest, self.distance, self.turns = self.left, 0.0, 0.0

    def look_closely(self) -> None:
        """Stiffness and its modes without what is error only."""
        found = along_modes(self.stiffness, self._error, self._typical_rate)
        self.values, turned = np.linalg.eigh(0.5 * (found.matrix + found.matrix.T))
        self.modes = found.directions @ turned

    @property
    def tolerance(self) -> float:
        """Forces that count as none: a small part of those that act, and what rounding of positions makes."""
        stiffest = np.abs(self.values).max(initial=0.0)
        rounding = 4.0 * stiffest * np.finfo(float).eps * self.rows.size * np.sqrt(self._whole_mass)
        return TOLERANCE * self.scale + rounding

    @property
    def smallest_stiffness(self) -> float:
        """An eigenvalue λ below this is none [1/s²]."""
        typical = self.scale / (np.sqrt(self._whole_mass) * self.rows.size)
        return max(1e-6 * typical, 1e-9 * np.abs(self.values).max(initial=0.0))

    @property
    def accelerations(self) -> np.ndarray:
        """(bodies, 6) what the forces left would do [m/s², rad/s²]."""
        return (self.tangents @ self.force)[: 6 * self.rows.body_count].reshape(-1, 6)

    @property
    def has_gone_too_far(self) -> bool:
        """Whether the bodies have moved far without the forces falling."""
        return self.distance > FARTHEST or self.turns > MOST_TURNS

    def position(self, x: np.ndarray) -> np.ndarray | None:
        """The state displaced by x, all joints closed; None where they do not close."""
        from gudgeon.kernels.dynamics.motion import project

        rows, y, move = self.rows, self.y.copy(), self.tangents @ x
        displace(y, move[: 6 * rows.body_count])
        y[rows.equations.layout.displacements] += move[6 * rows.body_count :]
        with np.errstate(all="ignore"):
            project(rows.equations.model, rows.equations.work, rows.time, y, FINEST * self.extent)
        rows.nodes.rest(y)
        rows.at(y)
        worst = np.abs(rows.column(arrays.RESIDUAL)).max(initial=0.0)
        return y if np.all(np.isfinite(y)) and worst <= closed_within(rows.equations, self.y)[1] else None

    def force_at(self, x: np.ndarray) -> np.ndarray:
        """The forces in the position displaced by x, along the present tangents; nan where there is none."""
        y = self.position(x)
        if y is None:
            return np.full(len(x), np.nan)
        self.rows.forces(y)
        return self.weighted.T @ self.rows.accelerations

    def go(self, x: np.ndarray) -> None:
        """Move to x."""
        twist = (self.tangents @ x)[: 6 * self.rows.body_count].reshape(-1, 6)
        self.distance += float(np.abs(twist[:, :3]).max() / self.extent)
        self.turns += float(np.abs(twist[:, 3:]).max() / (2.0 * np.pi))
        y = self.position(x)
        if y is None:
            raise SingularPosition(
                f"System {self.rows.equations.system.name!r}: this is a singular position: the motions that its joints "
                "seem to allow here do not exist; start beside it"
            )
        self.y = y
        equations, model = self.rows.equations, self.rows.equations.model
        angles = joint_motion(equations, model.measure[model.turn], model.measure_vector[model.turn]).value
        counted = self.y[equations.layout.turns]
        counted += np.remainder(angles - counted + np.pi, 2.0 * np.pi) - np.pi
        self.iterations += 1
        self.look()

    def length(self, x: np.ndarray) -> float:
        """The size of a step against the longest allowed."""
        twist = self.tangents @ x
        moves, nodes = np.abs(twist[: 6 * self.rows.body_count].reshape(-1, 6)), twist[6 * self.rows.body_count :]
        farthest = max(moves[:, :3].max(), np.abs(nodes).max(initial=0.0))
        size = max(farthest / self.extent, moves[:, 3:].max()) / LONGEST_MOVE
        return float(max(size, (self.steps.shifts(twist) / (LONGEST_SHIFT * self._clearance)).max(initial=0.0)))


def find_stable(search: Search, watch) -> bool:
    """Descend to an equilibrium from which no force leads away; whether there is one. `watch` looks at every step."""
    radius, kicks, idle, before = 1.0, 0, 0, np.inf
    while search.iterations < ITERATIONS and not search.has_gone_too_far:
        watch(search)
        idle = 0 if search.left < 0.5 * before else idle + 1
        before = min(before, search.left)
        if search.left <= FINE * search.scale or (search.left <= search.tolerance and idle > 3):
            search.look_closely()
            if search.values[0] >= -search.smallest_stiffness or kicks >= MOST_KICKS:
                return True
            mode = search.modes[:, 0]
            search.go(KICK / search.length(mode) * mode)
            kicks, radius, idle, before = kicks + 1, 1.0, 0, np.inf
            continue
        if search.left <= 1e-3 * search.scale and _newton(search):
            continue
        direction = _downhill(search, radius)
        share = _share(search, direction)
        if share == 0.0:
            return search.left <= search.tolerance
        radius = min(1.0, 2.0 * radius) if share == 1.0 else max(1e-9, 2.0 * share * radius)
        search.go(share * direction)
    return False


def _newton(search: Search) -> bool:
    """Newton's step with the whole K, if it is short and halves the forces."""
    step = np.linalg.lstsq(search.stiffness, search.force, rcond=1e-13)[0]
    if search.length(step) > 0.1 or np.linalg.norm(search.force_at(step)) > 0.5 * search.left:
        return False
    search.go(step)
    return True


def _downhill(search: Search, radius: float) -> np.ndarray:
    """The step with the smallest μ that is no longer than the radius."""
    along = search.modes.T @ search.force
    stiff = np.abs(search.values)
    largest = max(stiff.max(), 1e-12)

    def step(shift: float) -> np.ndarray:
        return search.modes @ (along / (stiff + shift))

    low, high = 1e-15 * largest, largest
    if search.length(step(low)) <= radius:
        return step(low)
    while search.length(step(high)) > radius:
        high *= 10.0
    for _ in range(40):
        middle = np.sqrt(low * high)
        low, high = (low, middle) if search.length(step(middle)) <= radius else (middle, high)
        if high < 1.1 * low:
            break
    return step(high)


def _share(search: Search, direction: np.ndarray) -> float:
    """How much of a step to take: all of it, or up to where the work of the forces turns."""
    first = search.force @ direction
    low, high, share = 0.0, 1.0, 1.0
    for _ in range(80):
        with np.errstate(all="ignore"):
            force = search.force_at(share * direction) @ direction
        if np.isfinite(force) and (abs(force) <= LARGEST_OVERSHOOT * first or (share == 1.0 and force > 0.0)):
            return share
        low, high = (share, high) if np.isfinite(force) and force > 0.0 else (low, share)
        share = 0.5 * (low + high) if low > 0.0 else 0.2 * high
        if high - low <= 1e-15:
            break
    return low


def find_nearest(search: Search, watch) -> bool:
    """Reduce the forces until none is left; whether that worked."""
    damping, idle, before = 1e-3, 0, np.inf
    while search.iterations < ITERATIONS and not search.has_gone_too_far:
        watch(search)
        idle = 0 if search.left < 0.5 * before else idle + 1
        before = min(before, search.left)
        if search.left <= FINE * search.scale or (search.left <= search.tolerance and idle > 3):
            search.look_closely()
            return True
        left, values, right = np.linalg.svd(search.stiffness)
        along, largest = left.T @ search.force, max(values.max(), 1e-12)
        while damping < 1e12:
            step = right.T @ (along * values / (values**2 + (damping * largest) ** 2 + 1e-30))
            step /= max(1.0, search.length(step))
            with np.errstate(all="ignore"):
                reduced = np.linalg.norm(search.force_at(step))
            if np.isfinite(reduced) and reduced < search.left * (1.0 - 1e-12):
                break
            damping *= 4.0
        else:
            return search.left <= search.tolerance
        damping = max(1e-14, 0.1 * damping)
        search.go(step)
    return False
