"""The forces at actuated joint coordinates, and the reactions, that a motion needs.

    M v̇ − Q = −Φ_qᵀ λ + Bᵀ τ

with the joints' rows Φ_q and the gradients B of the actuated coordinates x: τ is the torque or force on the child, its
opposite that on the parent, and its power is τ ẋ, as for a drive. Along the motions N that the joints allow (Φ_q N = 0)
reactions do no work: Nᵀ Bᵀ τ = Nᵀ (M v̇ − Q) gives τ, in the sense of least squares, and the rest gives λ, of least norm
where rows are redundant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from gudgeon.analysis.coordinates import (
    Coordinate,
    NamedCoordinates,
    all_coordinates,
    without_yielding_joints,
    yielding_joints,
)
from gudgeon.analysis.forces import missing_forces, reactions_of
from gudgeon.analysis.friction_of_motion import FrictionOfMotion
from gudgeon.analysis.motions import Motion
from gudgeon.errors import ModelError
from gudgeon.flexible_bodies import flexible_bodies, joints_on_nodes
from gudgeon.guide import Guide
from gudgeon.kernels.dynamics.arrays import APPLIED, ECCENTRICITY, GAMMA, RATE, RESIDUAL
from gudgeon.mechanics.allowed_motions import AllowedMotions, JointTree
from gudgeon.mechanics.closing import row_label
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.mechanics.least_squares import dense, least_norm
from gudgeon.mechanics.rubbing import friction_laws, without_friction
from gudgeon.mechanics.state_layout import moving, poses
from gudgeon.mechanics.typical_length import twist_units
from gudgeon.models.dry_cross import DryCross
from gudgeon.results.contacts_at import ContactsAt
from gudgeon.results.coupling_data import lines_of_couplings
from gudgeon.rotations import rotation_matrix
from gudgeon.system import System

RANK_TOLERANCE = 1e-6  # singular value of the scaled rows below which they are redundant [-]
NO_GRIP = 1e-9  # singular value below which actuators have no effect [-]
GROSS_OPENING = 1e-2  # opening of a joint, of the mechanism's size [-]
GROSS_RATE = 1e-2  # violation of a joint by velocities or accelerations, of the largest of them [-]
GROSS_RESIDUAL = 0.1  # force that no actuator gives, of the largest there is [-]
LOOKS = 16  # samples at which actuators are chosen

Parts = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Forces:
    """What the motion needs, at every sample."""

    effort: np.ndarray  # (samples, actuators) [N·m or N]
    power: np.ndarray  # (samples, actuators) [W]
    force: np.ndarray  # (samples, joints, 3) [N]
    torque: np.ndarray  # (samples, joints, 3) [N·m]
    residual: np.ndarray  # (samples, bodies, 6) [N, N·m]
    friction: np.ndarray  # (samples, coordinates) of ideal joints that rub [N·m or N]
    coupling: np.ndarray  # (samples, couplings, 2) of the rigid ones, these first [N·m or N]
    elastic: dict[str, tuple[np.ndarray, np.ndarray]]  # effort along its deflection, and that, by coupling


class Actuation:
    """One motion of a system, and the forces that it needs."""

    def __init__(self, system: System, motion: Motion):
        self._system = system
        self._motion = motion
        self._equations = _equations(system, deformed=False)  # rows and coordinates
        self._soft = flexible_bodies(system)
        self._applied = _equations(system, deformed=True) if self._soft else self._equations  # forces
        self._states = np.ascontiguousarray(motion.states[:, : self._equations.state_size])  # without nodes
        self.friction = FrictionOfMotion(system) if friction_laws(system) else None
        self._length = self._equations.joint_length  # [m]
        self._weight = twist_units(self._equations)
        self._tree = JointTree(self._equations)

    def refuse_wrong_motion(self) -> None:
        """A motion that opens joints is not one of this system."""
        from gudgeon.kernels.dynamics.rows import rows_at

        equations, motion = self._equations, self._motion
        rows = equations.joint_rows
        if not len(rows):
            return
        n = len(self._system.bodies)
        fastest = float(np.abs(motion.states[:, moving(n)] / self._weight).max())
        pull = float(np.linalg.norm(self._system.gravity)) / self._length
        hardest = max(float(np.abs(motion.accelerations / self._weight).max()), fastest**2, pull)
        fastest = max(fastest, hardest**0.5)
        for t, y, a in zip(motion.times, self._states, motion.accelerations, strict=True):
            rows_at(equations.model, equations.work, t, y)
            row = equations.work.row[rows]
            jacobian = dense(equations.jacobian())
            size = np.linalg.norm(jacobian * self._weight, axis=1)
            for level, what, values, limit in (
                ("opens it", "m or rad", row[:, RESIDUAL], GROSS_OPENING),
                ("has velocities that open it", "m/s or rad/s", row[:, RATE], GROSS_RATE * fastest),
                (
                    "has accelerations that open it",
                    "m/s² or rad/s²",
                    jacobian @ a - row[:, GAMMA],
                    GROSS_RATE * hardest,
                ),
            ):
                worst = int(np.argmax(np.abs(values) / size))
                if abs(values[worst]) > limit * size[worst] + 1e-12:
                    raise ModelError(
                        f"inverse_dynamics: {row_label(equations, int(rows[worst]))}: the motion {level} by "
                        f"{abs(values[worst]):.3g} ({what}) at t = {t:.6g} s; it is not a motion of this system"
                    )

    def choose(self, preferred: list[Coordinate]) -> list[Coordinate]:
        """Coordinates that move all freedoms: the preferred ones, then those with the best leverage.

        A QR decomposition that pivots for the coordinate whose smallest leverage at several samples is the largest.
        """
        preferred = list(dict.fromkeys(preferred))
        candidates = list(dict.fromkeys([*preferred, *movable_coordinates(self._system)]))
        if not candidates:
            return []
        named = NamedCoordinates(self._equations, candidates)
        samples = np.unique(np.linspace(0, len(self._motion.times) - 1, LOOKS).astype(int))
        leverages = []
        for s in samples:
            _, free = self._allowed(s)
            scale = np.array([1.0 if one.is_angle else 1.0 / self._length for one in candidates])
            leverages.append(scale[:, None] * (named.now().gradient @ free))
        chosen: list[int] = []
        while True:
            left = np.array([np.linalg.norm(leverage, axis=1) for leverage in leverages])
            # a coordinate may lose its leverage in single positions, not everywhere
            worth = np.sort(left, axis=0)[len(samples) // 4]
            first = [k for k in range(len(preferred)) if k not in chosen and worth[k] > RANK_TOLERANCE]
            k = first[0] if first else int(np.argmax(worth))
            if worth[k] <= RANK_TOLERANCE or len(chosen) == len(candidates):
                return [candidates[k] for k in sorted(chosen)]
            chosen.append(k)
            for leverage, norms in zip(leverages, left, strict=True):
                if norms[k] > 0.0:
                    direction = leverage[k] / norms[k]
                    leverage -= np.outer(leverage @ direction, direction)

    def _allowed(self, s: int) -> tuple[AllowedMotions, np.ndarray]:
        """The joints' rows of sample s, left in `work`, and the motions W N that they allow, N nearly orthonormal.

        Rows of joints that a motion leaves a little open know more than relative motion: that much is corrected.
        """
        from gudgeon.kernels.dynamics.rows import rows_at

        equations, weight = self._equations, self._weight**-2.0
        rows_at(equations.model, equations.work, self._motion.times[s], self._states[s])
        allowed = AllowedMotions(equations, self._tree, weight, lambda x: weight[:, None] * x, RANK_TOLERANCE)
        return allowed, allowed.basis - allowed.motion(equations.jacobian() @ allowed.basis)

    def _multipliers(self, allowed: AllowedMotions, wrench: np.ndarray) -> np.ndarray:
        """λ of Φ_qᵀ λ = wrench, of least norm where rows are redundant."""
        transposed = self._equations.jacobian().T
        if allowed.has_redundant_rows:
            return least_norm(transposed, wrench)
        found = allowed.multipliers(wrench)
        return found + allowed.multipliers(wrench - transposed @ found)

    def solve(self, actuators: list[Coordinate]) -> Forces:
        """Efforts, reactions and what they leave unexplained; ModelError if that is much.

        NaN at samples in which the joints' rows depend on each other more than elsewhere: singular positions. After
        Ctrl-C there are fewer samples than the motion has.
        """
        from gudgeon.kernels.elements.coupled import EFFORT

        system, motion, equations, weight = self._system, self._motion, self._equations, self._weight
        acting = self._applied
        count, bodies = len(motion.times), len(system.bodies)
        named = NamedCoordinates(equations, actuators)
        scale = np.array([1.0 if one.is_angle else 1.0 / self._length for one in actuators])
        yielding = yielding_joints(system)
        real = np.array([name in yielding for name in system.joints], dtype=bool)
        soft = [list(system.bodies).index(name) for name in self._soft]
        effort, power = np.zeros((count, len(actuators))), np.zeros((count, len(actuators)))
        force, torque, residual = motion.real_force.copy(), motion.real_torque.copy(), np.zeros((count, 6 * bodies))
        largest, freedoms = np.zeros(count), np.zeros(count, dtype=int)
        coupled = np.zeros((count, len(system.couplings), 2))
        friction = np.zeros((count, 0 if self.friction is None else self.friction.count))
        done = 0
        contacts = ContactsAt(motion.contacts, len(acting.work.contact))
        sprung = {name: (lines, np.zeros((count, 2))) for name, lines in lines_of_couplings(acting).items()}
        try:
            for s, y in enumerate(motion.states):
                allowed, free = self._allowed(s)
                contacts.at(motion.times[s]).put(acting.work.contact)
                missing = missing_forces(acting, motion.times[s], y, motion.accelerations[s])
                for lines, told in sprung.values():
                    told[s] = acting.work.force[lines, EFFORT].sum(), acting.work.local[lines[0], ECCENTRICITY]
                applied = acting.work.body[1 : bodies + 1, APPLIED : APPLIED + 6].reshape(-1)
                largest[s] = np.abs(weight * np.array([missing, applied])).max()
                missing -= _joint_forces(acting, system, y, force[s], torque[s])
                missing.reshape(-1, 6)[soft] = 0.0  # their nodes have equations of their own
                _, rates, _, gradients = named.now()
                lever = (scale[:, None] * (gradients @ free)).T

                shared = partial(_shared, free=free, gradients=gradients, lever=lever, scale=scale, weight=weight)

                rubbed = np.zeros((2, len(system.joints), 3))
                if self.friction is not None:
                    pressing = partial(self._pressing, allowed, shared)
                    if allowed.has_redundant_rows and s == 0:
                        self.friction.refuse_undetermined(motion.times[s], y)
                    of_friction, on_bodies = self.friction.solve(motion.times[s], y, pressing, missing)
                    friction[s], missing = of_friction, missing - on_bodies
                    rubbed[:] = self.friction.on_children(of_friction)
                effort[s], rest, residual[s] = shared(missing)
                power[s] = effort[s] * rates
                if len(equations.joint_rows):
                    multipliers = self._multipliers(allowed, residual[s] - rest)
                    found = reactions_of(equations, multipliers)
                    reaction, moment = found.force + rubbed[0], found.torque + rubbed[1]
                    force[s, ~real], torque[s, ~real] = reaction[~real], moment[~real]
                    coupled[s] = found.couplings
                freedoms[s] = free.shape[1]
                done = s + 1
        except KeyboardInterrupt:
            if not done:
                raise
        effort, power, force, torque = effort[:done], power[:done], force[:done], torque[:done]
        residual, largest, freedoms = residual[:done], largest[:done], freedoms[:done]
        singular = freedoms > freedoms.min()
        friction, coupled = friction[:done], coupled[:done]
        elastic = {name: (told[:done, 0], told[:done, 1]) for name, (_, told) in sprung.items()}
        for values in (effort, power, residual, friction, coupled):
            values[singular] = np.nan
        for values in (force, torque):
            values[np.ix_(singular, ~real)] = np.nan
        self._refuse_gross_residual(actuators, residual, float(largest[~singular].max()))
        along = np.zeros((done, 0)) if self.friction is None else self.friction.along_coordinates(friction)
        return Forces(effort, power, force, torque, residual.reshape(done, bodies, 6), along, coupled, elastic)

    def _pressing(
        self, allowed: AllowedMotions, shared: Callable[[np.ndarray], Parts], missing: np.ndarray
    ) -> np.ndarray:
        """The multipliers of the joints' rows where these forces are missing."""
        _, rest, unexplained = shared(missing)
        return self._multipliers(allowed, unexplained - rest)

    def _refuse_gross_residual(self, actuators: list[Coordinate], residual: np.ndarray, largest: float) -> None:
        """Too few actuators for this motion: name the coordinate that lacks one."""
        scaled = np.nan_to_num(np.abs(self._weight * residual))
        if scaled.max() <= GROSS_RESIDUAL * largest:
            return
        s, place = np.unravel_index(int(np.argmax(scaled)), scaled.shape)
        body = list(self._system.bodies)[int(place) // 6]
        unit = "N" if place % 6 < 3 else "N·m"
        others = [one for one in movable_coordinates(self._system) if one not in actuators]
        advice = "loads must explain it, for no joint coordinate is left"
        if others:
            gradients = NamedCoordinates(self._equations, others).at(self._states[s]).gradient
            along = np.abs((gradients * self._weight) @ (self._weight * residual[s]))
            advice = f"add an actuator at {others[int(np.argmax(along))].label(self._system)!r}"
        names = ", ".join(repr(one.label(self._system)) for one in actuators) or "no joint"
        raise ModelError(
            f"inverse_dynamics: actuators at {names} cannot produce this motion: {abs(residual[s, place]):.3g} {unit} "
            f"on body {body!r} stay unexplained at t = {self._motion.times[s]:.6g} s; {advice}"
        )


def _equations(system: System, *, deformed: bool) -> Equations:
    """Those of the bodies under loads, held by the joints that do not yield."""
    return equations_of_motion(without_friction(without_yielding_joints(system, deformed=deformed)).replace(drives={}))


def movable_coordinates(system: System) -> list[Coordinate]:
    """Every joint coordinate at which a force or torque can act; nodes of flexible bodies take none of joints."""
    held = joints_on_nodes(system)
    return [one for one in all_coordinates(system) if one.joint not in held]


def _joint_forces(
    equations: Equations, system: System, y: np.ndarray, force: np.ndarray, torque: np.ndarray
) -> np.ndarray:
    """Forces and torques of joints that yield on all bodies (6 bodies), from those on each child at its joint point."""
    names, yielding = list(system.bodies), yielding_joints(system)
    pose, total = poses(y, len(names)), np.zeros((len(names), 6))
    for j, (key, joint) in enumerate(system.joints.items()):
        if key not in yielding or isinstance(joint.model, DryCross):  # the trunnions of a cross push
            continue
        point = equations.joint_point[j]
        if equations.flexible is not None and joint.child in equations.flexible.bodies and not isinstance(joint, Guide):
            point = equations.flexible.node_at(joint.label(key), joint.child, point, y[equations.layout.displacements])
        elif joint.child in names:
            b = names.index(joint.child)
            q = pose[b, 3:]
            point = pose[b, :3] + rotation_matrix(q / np.linalg.norm(q)) @ point
        for name, sign in ((joint.parent, -1.0), (joint.child, 1.0)):
            if name in names:
                b = names.index(name)
                total[b, :3] += sign * force[j]
                total[b, 3:] += sign * (torque[j] + np.cross(point - pose[b, :3], force[j]))
    return total.reshape(-1)


def _shared(
    missing: np.ndarray,
    *,
    free: np.ndarray,
    gradients: np.ndarray,
    lever: np.ndarray,
    scale: np.ndarray,
    weight: np.ndarray,
) -> Parts:
    """Missing forces as efforts of the actuators, what they leave to the joints, and what nothing gives."""
    efforts = scale * np.linalg.lstsq(lever, free.T @ missing, rcond=NO_GRIP)[0]
    rest = missing - gradients.T @ efforts
    return efforts, rest, free @ (free.T @ rest) / weight**2
