"""Plain NumPy dynamics of a System: what the compiled core is compared with.

Starting from Φ(q, t) as a function of poses (reference_joints.py), gradients come from complex steps, rates and γ from
Cauchy's integral along the motion with constant (v, ω), and dense algebra with singular values does the rest:

    minimise |v̇ − M⁻¹Q|_M  subject to  J v̇ = γ − 2αΦ̇ − β²Φ,     λ = (Jᵀ)⁺ (Q − M v̇) of least norm.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import block_diag, expm

import gudgeon as gd
from reference_joints import joint_coordinate, joint_points, joint_residual, rotation, skew

SMALLEST = 1e-9  # singular values below this fraction of the largest are zero
FUNCTIONS = {"sin": np.sin, "cos": np.cos, "exp": np.exp, "pi": np.pi}


def at_time(function, t):
    """A number, an expression or a function, at a time that may be complex."""
    if callable(function):
        return function(t)
    return eval(function, {**FUNCTIONS, "t": t}) if isinstance(function, str) else function


def derivatives(function, radius=0.04, count=12):
    """Value, first and second derivative at 0 of an analytic function, by Cauchy's integral."""
    z = radius * np.exp(2j * np.pi * (np.arange(count) + 0.5) / count)
    values = np.array([np.atleast_1d(function(x)) for x in z])
    return [factor * (values / z[:, None] ** k).mean(axis=0).real for k, factor in enumerate((1.0, 1.0, 2.0))]


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
    """A System at a state (name: BodyState) and a time."""

    def __init__(self, system, state, t=0.0, alpha=0.0, beta=0.0):
        self.system, self.t = system, t
        self.index = {"ground": -1} | {name: b for b, name in enumerate(system.bodies)}
        at = [state[name] for name in system.bodies]
        self.poses = [(np.array(s.position), rotation(s.orientation)) for s in at] + [(np.zeros(3), np.eye(3))]
        self.velocity = np.array([np.r_[s.velocity, s.angular_velocity] for s in at]).reshape(-1)
        self.n = len(self.velocity)
        self.inertia = [
            R @ np.array(b.inertia) @ R.T for b, (_, R) in zip(system.bodies.values(), self.poses[:-1], strict=True)
        ]
        masses = [b.mass * np.eye(3) for b in system.bodies.values()]
        self.mass_matrix = block_diag(*(x for pair in zip(masses, self.inertia, strict=True) for x in pair))
        self.owner, parts = [], []
        for name, joint in system.joints.items():
            phi = joint_residual(system, joint)
            parts.append(self._rows(name, joint, lambda i, j, t, phi=phi: phi(i, j)))
        for name, drive in system.drives.items():
            x, f = joint_coordinate(system, system.joints[drive.joint], drive.coordinate), drive.value
            parts.append(
                self._rows(name, system.joints[drive.joint], lambda i, j, t, x=x, f=f: x(i, j) - at_time(f, t))
            )
        empty = np.zeros(0), np.zeros(0), np.zeros(0), np.zeros((0, self.n + 6))
        columns = zip(*(parts or [empty]), strict=True)
        self.residual, self.rate, self.bias, self.sides = map(np.concatenate, columns)
        self.jacobian = self.sides[:, : self.n]
        self.owner = np.array(self.owner)
        self.right = -self.bias - 2.0 * alpha * self.rate - beta**2 * self.residual
        self.prescribed = self.jacobian @ self.velocity - self.rate  # −∂Φ/∂t: what J v must equal

    def ends(self, *bodies):
        return [self.index[body] for body in bodies]

    def _after(self, b, tau):
        """The pose of a body after the time tau, moving on with constant v and ω."""
        r, R = self.poses[b]
        v = self.velocity[6 * b : 6 * b + 6] if b >= 0 else np.zeros(6)
        return r + tau * v[:3], expm(tau * skew(v[3:])) @ R

    def _columns(self, b):
        return slice(6 * b, 6 * b + 6) if b >= 0 else slice(self.n, self.n + 6)  # the ground comes last

    def _spread(self, sides, i, j):
        rows = np.zeros((len(sides), self.n + 6))
        rows[:, self._columns(i)], rows[:, self._columns(j)] = sides[:, :6], sides[:, 6:]
        return rows

    def _rows(self, name, joint, phi):
        i, j = self.ends(joint.parent, joint.child)
        along = derivatives(lambda z: phi(self._after(i, z), self._after(j, z), self.t + z))
        sides = gradient(lambda p, q: phi(p, q, self.t), self.poses[i], self.poses[j])
        self.owner += [name] * len(along[0])
        return *along, self._spread(sides.reshape(-1, 12), i, j)

    def measured(self, x, i, j):
        """Value, rate and gradient of a function of two poses."""
        value, rate, _ = derivatives(lambda z: x(self._after(i, z), self._after(j, z)))
        return value[0], rate[0], self._spread(gradient(x, self.poses[i], self.poses[j]), i, j)[0, : self.n]

    def forces(self, *, gyroscopic=True):
        """Q: gravity, −ω×Jω and all loads, force and torque of each body."""
        Q, system = np.zeros((self.n // 6, 6)), self.system
        for b, body in enumerate(system.bodies.values()):
            Q[b, :3] += body.mass * np.array(system.gravity)
            w = self.velocity[6 * b + 3 : 6 * b + 6]
            Q[b, 3:] -= gyroscopic * np.cross(w, self.inertia[b] @ w)
        for load in system.loads.values():
            if isinstance(load, gd.Force | gd.Torque):
                b = self.index[load.body]
                R = self.poses[b][1]
                vector = np.array(
                    load.vector(self.t) if callable(load.vector) else [at_time(c, self.t) for c in load.vector]
                )
                world = R @ vector if load.axes == "body" else vector
                if b >= 0 and isinstance(load, gd.Force):
                    Q[b] += np.r_[world, np.cross(R @ load.at, world)]
                elif b >= 0:
                    Q[b, 3:] += world
                continue
            if isinstance(load, gd.SpringDamper):
                ends, rest = self.ends(load.first, load.second), load.length

                def x(i, j, load=load):
                    d = j[0] + j[1] @ np.array(load.at_second) - i[0] - i[1] @ np.array(load.at_first)
                    return np.sqrt(d @ d)
            else:
                joint, rest = system.joints[load.joint], load.rest
                ends, x = self.ends(joint.parent, joint.child), joint_coordinate(system, joint, load.coordinate)
            value, rate, direction = self.measured(x, *ends)
            k, c, x0 = (at_time(f, self.t) for f in (load.stiffness, load.damping, rest))
            Q -= (k * (value - x0) + c * rate) * direction.reshape(-1, 6)
        return Q.reshape(-1)

    def accelerations(self):
        """v̇ of all bodies."""
        L = np.linalg.cholesky(np.linalg.inv(self.mass_matrix))  # M⁻¹ = L Lᵀ
        free = L @ (L.T @ self.forces())
        return free + L @ np.linalg.lstsq(self.jacobian @ L, self.right - self.jacobian @ free, rcond=SMALLEST)[0]

    def multipliers(self):
        """λ of least norm."""
        unbalanced = self.forces() - self.mass_matrix @ self.accelerations()
        return np.linalg.pinv(self.jacobian.T, rcond=SMALLEST) @ unbalanced

    def rank(self):
        return int(np.linalg.matrix_rank(self.jacobian, rtol=SMALLEST)) if len(self.jacobian) else 0

    def reactions(self):
        """Force and torque on each child at its joint point: (joints, 6)."""
        multipliers, out = self.multipliers(), []
        for name, joint in self.system.joints.items():
            b, mine = self.index[joint.child], self.owner == name
            wrench = -self.sides[mine, self._columns(b)].T @ multipliers[mine]
            arm = self.poses[b][1] @ joint_points(self.system, joint)[1]
            out.append(np.r_[wrench[:3], wrench[3:] - np.cross(arm, wrench[:3])])
        return np.array(out)
