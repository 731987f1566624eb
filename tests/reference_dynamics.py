"""Plain NumPy dynamics of a System: what the compiled core is compared with.

Starting from Φ(q, t) as a function of poses (reference_joints.py), gradients and rates come from complex steps, γ
from Cauchy's integral along the motion with constant (v, ω), and dense algebra with singular values does the rest:

    minimise |v̇ − M⁻¹Q|_M  subject to  J v̇ = γ − 2αΦ̇ − β²Φ,     λ = (Jᵀ)⁺ (Q − M v̇) of least norm.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.linalg import block_diag

import gudgeon as gd
from reference_joints import at_time, joint_coordinate, joint_points, joint_residual, rotation, skew, spring_length

SMALLEST = 1e-9  # singular values below this fraction of the largest are zero


def second_derivative(function, radius, count=8):
    """At 0, of an analytic function, by Cauchy's integral."""
    z = radius * np.exp(2j * np.pi * (np.arange(count) + 0.5) / count)
    return 2.0 * np.mean([function(x) / x**2 for x in z], axis=0).real


def gradient(function, one, two):
    """Derivatives of function(pose, pose) by the translations and rotations of both bodies: (rows, 12)."""
    columns = []
    for side in range(2):
        for k in range(6):
            poses, step = [one, two], 1e-30j * np.eye(6)[k]
            r, R = poses[side]
            poses[side] = (r + step[:3], R + skew(step[3:]) @ R)
            columns.append(np.atleast_1d(function(*poses)).imag / 1e-30)
    return np.array(columns).T


class Reference:
    """A System at a state (name: BodyState) and a time. The ground is body −1, its columns come last."""

    def __init__(self, system, state, t=0.0, alpha=0.0, beta=0.0):
        self.system, self.t = system, t
        self.index = {"ground": -1} | {name: b for b, name in enumerate(system.bodies)}
        at, bodies = [state[name] for name in system.bodies], system.bodies.values()
        self.poses = [(np.array(s.position), rotation(s.orientation)) for s in at] + [(np.zeros(3), np.eye(3))]
        self.velocity = np.array([np.r_[s.velocity, s.angular_velocity] for s in at]).reshape(-1)
        self.n = len(self.velocity)
        self.inertia = [R @ np.array(b.inertia) @ R.T for b, (_, R) in zip(bodies, self.poses[:-1], strict=True)]
        masses = [b.mass * np.eye(3) for b in bodies]
        self.mass_matrix = block_diag(*(x for pair in zip(masses, self.inertia, strict=True) for x in pair))
        self.owner, parts = [], [(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros((0, self.n + 6)))]
        for name, joint in system.joints.items():
            phi = joint_residual(system, joint)
            parts.append(self._rows(name, joint, lambda i, j, t, phi=phi: phi(i, j)))
        for name, drive in system.drives.items():
            joint, f = system.joints[drive.joint], drive.value
            x = joint_coordinate(system, joint, drive.coordinate)
            parts.append(self._rows(name, joint, lambda i, j, t, x=x, f=f: x(i, j) - at_time(f, t)))
        self.residual, self.rate, bias, self.sides = map(np.concatenate, zip(*parts, strict=True))
        self.owner, self.jacobian = np.array(self.owner), self.sides[:, : self.n]
        self.right = -bias - 2.0 * alpha * self.rate - beta**2 * self.residual
        self.prescribed = self.jacobian @ self.velocity - self.rate  # −∂Φ/∂t: what J v must equal

    def _after(self, b, tau):
        """The pose of a body after the time tau, moving on with constant v and ω."""
        r, R = self.poses[b]
        v = self.velocity[6 * b : 6 * b + 6] if b >= 0 else np.zeros(6)
        w = max(np.linalg.norm(v[3:]), 1e-9)
        W = skew(v[3:] / w)
        return r + tau * v[:3], R + (np.sin(tau * w) * W + 2.0 * np.sin(0.5 * tau * w) ** 2 * W @ W) @ R

    def _columns(self, b):
        return slice(6 * b, 6 * b + 6) if b >= 0 else slice(self.n, self.n + 6)

    def _spread(self, sides, i, j):
        rows = np.zeros((len(sides), self.n + 6))
        rows[:, self._columns(i)], rows[:, self._columns(j)] = sides[:, :6], sides[:, 6:]
        return rows

    def _rows(self, name, joint, phi):
        i, j = self.index[joint.parent], self.index[joint.child]

        def along(z):
            return np.atleast_1d(phi(self._after(i, z), self._after(j, z), self.t + z))

        now, bias = along(1e-30j), second_derivative(along, 0.05 / (5.0 + np.abs(self.velocity).max()))
        sides = gradient(lambda p, q: phi(p, q, self.t), self.poses[i], self.poses[j])
        self.owner += [name] * len(now)
        return now.real, now.imag / 1e-30, bias, self._spread(sides.reshape(-1, 12), i, j)

    def forces(self, *, gyroscopic=True):
        """Q: gravity, −ω×Jω and all loads, force and torque of each body."""
        Q, system = np.zeros((self.n // 6 + 1, 6)), self.system
        for b, body in enumerate(system.bodies.values()):
            w = self.velocity[6 * b + 3 : 6 * b + 6]
            Q[b, :3] += body.mass * np.array(system.gravity)
            Q[b, 3:] -= gyroscopic * np.cross(w, self.inertia[b] @ w)
        for load in system.loads.values():
            if isinstance(load, gd.Force | gd.Torque):
                b, given = self.index[load.body], load.vector
                vector = given(self.t) if callable(given) else [at_time(c, self.t) for c in given]
                R = self.poses[b][1]
                world = (R if load.axes == "body" else np.eye(3)) @ np.array(vector)
                arm = R @ load.at if isinstance(load, gd.Force) else np.zeros(3)
                Q[b] += np.r_[world, np.cross(arm, world)] if isinstance(load, gd.Force) else np.r_[0, 0, 0, world]
                continue
            if isinstance(load, gd.SpringDamper):
                ends, rest, x = (load.first, load.second), load.length, spring_length(load)
            else:
                joint, rest = system.joints[load.joint], load.rest
                ends, x = (joint.parent, joint.child), joint_coordinate(system, joint, load.coordinate)
            i, j = self.index[ends[0]], self.index[ends[1]]
            value = x(self._after(i, 1e-30j), self._after(j, 1e-30j))
            k, c, x0 = (at_time(f, self.t) for f in (load.stiffness, load.damping, rest))
            direction = self._spread(gradient(x, self.poses[i], self.poses[j]), i, j)
            Q -= (k * (value.real - x0) + c * value.imag / 1e-30) * direction.reshape(-1, 6)
        return Q[:-1].reshape(-1)

    @cached_property
    def accelerations(self):
        """v̇ of all bodies."""
        L = np.linalg.cholesky(np.linalg.inv(self.mass_matrix))  # M⁻¹ = L Lᵀ
        free = L @ (L.T @ self.forces())
        return free + L @ np.linalg.lstsq(self.jacobian @ L, self.right - self.jacobian @ free, rcond=SMALLEST)[0]

    @cached_property
    def multipliers(self):
        """λ of least norm."""
        unbalanced = self.forces() - self.mass_matrix @ self.accelerations
        return np.linalg.pinv(self.jacobian.T, rcond=SMALLEST) @ unbalanced

    @cached_property
    def reactions(self):
        """Force and torque on each child at its joint point: (joints, 6)."""
        out = []
        for name, joint in self.system.joints.items():
            b, mine = self.index[joint.child], self.owner == name
            wrench = -self.sides[mine, self._columns(b)].T @ self.multipliers[mine]
            arm = self.poses[b][1] @ joint_points(self.system, joint)[1]
            out.append(np.r_[wrench[:3], wrench[3:] - np.cross(arm, wrench[:3])])
        return np.array(out).reshape(-1, 6)

    @cached_property
    def singular_values(self):
        """Of the Jacobian, against the largest, without those that are zero."""
        values = np.linalg.svd(self.jacobian, compute_uv=False) if len(self.jacobian) else np.zeros(0)
        return values[values > SMALLEST * values.max(initial=0.0)] / values.max(initial=0.0)
