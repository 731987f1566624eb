"""Friction in ideal joints in plain NumPy: efforts from reactions, repeated until both agree.

Nothing is linearised and nothing solved by Newton's method: dense accelerations and multipliers of reference_dynamics
for given friction, friction for given reactions, again and again.
"""

from __future__ import annotations

import numpy as np

import gudgeon as gd
from reference_dynamics import SMALLEST, Reference, gradient
from reference_joints import joint_coordinate, joint_points

ROUNDS = 1000
ENDLESS = 1e9  # growth of friction that does not end


def law(model_friction, speed, load):
    return model_friction.friction_force(speed, load, model_friction.parameters)


class FrictionReference(Reference):
    """Accelerations, reactions of the rows and efforts of friction at a state."""

    def __init__(self, system, state, t=0.0):
        super().__init__(system, state, t)
        self._lower = np.linalg.cholesky(np.linalg.inv(self.mass_matrix))
        self._applied = super().forces()
        self.rubs = [rub for name, joint in system.joints.items() if joint.rubs for rub in self._rubs(name, joint)]
        self.friction, first = np.zeros(self.n), 0.0
        for _ in range(ROUNDS):
            for name in ("accelerations", "multipliers", "reactions"):
                self.__dict__.pop(name, None)
            self.efforts = {label: effort(self) for label, effort, _ in self.rubs}
            before = self.friction
            self.friction = sum((S.T @ self.efforts[label] for label, _, S in self.rubs), np.zeros(self.n))
            size = np.abs(self.friction).max(initial=0.0)
            first = first or size
            if not size <= ENDLESS * first:
                raise AssertionError("friction and reactions grow without end")
            if np.abs(self.friction - before).max() <= 3e-14 * np.abs(self.friction).max(initial=0.0):
                break
        else:
            raise AssertionError("friction and reactions do not agree")

    def forces(self, *, gyroscopic=True):
        return self._applied + self.friction if gyroscopic else super().forces(gyroscopic=False) + self.friction

    def _sliding(self, joint, coordinate):
        """Rate of a coordinate, and its gradient by the velocities of all bodies."""
        i, j = self.index[joint.parent], self.index[joint.child]
        x = joint_coordinate(self.system, joint, coordinate)
        sides = gradient(x, self.poses[i], self.poses[j]).reshape(1, 12)
        row = self._spread(sides, i, j)[:, : self.n]
        return row

    def _load(self, name, joint, axis_body, axis, point_body):
        """Force and torque of the rows on the child, about the joint's point of a body, along and across an axis."""
        j = list(self.system.joints).index(name)
        force, torque = self.reactions[j, :3], self.reactions[j, 3:]
        ends = [self.index[b] for b in (joint.parent, joint.child)]
        points = [
            self.poses[b][0] + self.poses[b][1] @ s for b, s in zip(ends, joint_points(self.system, joint), strict=True)
        ]
        about = points[0] if point_body == "parent" else points[1]
        torque = torque + np.cross(points[1] - about, force)
        h = self._carried(axis_body, axis)
        return force, torque, h

    def _carried(self, body, axis):
        start = np.eye(3)
        if body != "ground":
            from reference_joints import rotation

            start = rotation(self.system.bodies[body].orientation)
        return self.poses[self.index[body]][1] @ (start.T @ np.array(axis))

    def _bearing(self, load, model):
        """Normal load and thrust of a bearing or guide."""
        force, torque, h = load
        across = force - (force @ h) * h
        couple = np.cross(torque, h) / model.length if model.length else np.zeros(3)
        normal = np.linalg.norm(across / 2 + couple) + np.linalg.norm(across / 2 - couple)
        if model.width:
            normal += 2.0 * abs(torque @ h) / model.width
        return normal, abs(force @ h)

    def _rubs(self, name, joint):
        """(label, efforts along its directions of sliding from what is known, these directions)."""
        model, friction = joint.model, joint.model.friction
        v = self.velocity
        if isinstance(joint, gd.Spherical):
            i, j = self.index[joint.parent], self.index[joint.child]
            S = np.zeros((3, self.n + 6))
            S[:, self._columns(j)][:, 3:] = np.eye(3)
            S[:, self._columns(i)][:, 3:] -= np.eye(3)
            S = S[:, : self.n] * model.radius

            def ball(self):
                s, force = S @ v, self.reactions[list(self.system.joints).index(name), :3]
                speed = np.linalg.norm(s)
                return -law(friction, speed, np.linalg.norm(force)) * s / speed

            return [(name, ball, S)]
        found = []
        if isinstance(joint, gd.Prismatic | gd.Cylindrical):
            rows = [self._sliding(joint, "displacement")]
            if isinstance(joint, gd.Cylindrical):
                rows.append(model.radius * self._sliding(joint, "angle"))
            S = np.vstack(rows)

            def guide(self):
                load = self._load(name, joint, joint.parent, joint.axis, model.bearing_on)
                s = S @ v
                speed = np.linalg.norm(s)
                return -law(friction, speed, self._bearing(load, model)[0]) * s / speed

            return [(name, guide, S)]
        angles = {"angle": (joint.parent, getattr(joint, "axis", None))}
        if isinstance(joint, gd.Universal):
            angles = {
                "angle_parent": (joint.parent, joint.axis_parent),
                "angle_child": (joint.child, joint.axis_child),
            }
        for coordinate, (body, axis) in angles.items():
            S = model.radius * self._sliding(joint, coordinate)

            def pin(self, S=S, body=body, axis=axis):
                normal, thrust = self._bearing(self._load(name, joint, body, axis, "child"), model)
                s = S @ v
                effort = law(friction, abs(s[0]), normal)
                if model.thrust_radius:
                    ratio = model.thrust_radius / model.radius
                    effort += ratio * law(friction, ratio * abs(s[0]), thrust)
                return -effort * np.sign(s)

            label = f"{name}.{coordinate}" if len(angles) > 1 else name
            found.append((label, pin, S))
        return found


def is_determined(system, state):
    """Whether no row of the joints is redundant."""
    rows = Reference(system, state)
    return len(rows.singular_values) == len(rows.jacobian)


__all__ = ["SMALLEST", "FrictionReference", "is_determined"]
