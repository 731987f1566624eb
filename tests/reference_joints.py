"""Joints as plain functions of poses, from their definitions: the residual Φ and the free coordinates.

A pose is (r, R), R the rotation matrix; both may be complex, since every function here is analytic and is
differentiated by complex steps (reference_dynamics.py). Nothing of gudgeon is used but its descriptions.
"""

from __future__ import annotations

import numpy as np

import gudgeon as gd

FUNCTIONS = {"sin": np.sin, "cos": np.cos, "exp": np.exp, "pi": np.pi}


def at_time(function, t):
    """A number, an expression or a function of time, at a time that may be complex."""
    if callable(function):
        return function(t)
    return eval(function, {**FUNCTIONS, "t": t}) if isinstance(function, str) else function


def skew(a):
    return np.array([[0 * a[0], -a[2], a[1]], [a[2], 0 * a[0], -a[0]], [-a[1], a[0], 0 * a[0]]])


def rotation(q):
    e0, e = q[0], np.asarray(q[1:])
    return (e0 * e0 - e @ e) * np.eye(3) + 2.0 * np.outer(e, e) + 2.0 * e0 * skew(e)


def reference_pose(system, body):
    if body == "ground":
        return np.zeros(3), np.eye(3)
    return np.array(system.bodies[body].position), rotation(system.bodies[body].orientation)


def fixed(system, body, direction):
    """A world direction of the reference pose in the axes of a body."""
    return reference_pose(system, body)[1].T @ np.asarray(direction, dtype=float)


def joint_points(system, joint):
    """The joint's point in the axes of the parent and of the child."""
    if joint.at is None and joint.at_parent is not None:
        return np.array(joint.at_parent), np.array(joint.at_child)
    at = np.zeros(3) if joint.at is None else np.array(joint.at)
    return [R.T @ (at - r) for r, R in (reference_pose(system, b) for b in (joint.parent, joint.child))]


def across(axis):
    """Two directions perpendicular to an axis."""
    return np.linalg.svd(np.asarray(axis)[None, :])[2][1:]


def joint_residual(system, joint):
    """Φ of a joint as a function of the poses of parent and child."""
    kind, points, perpendicular, still = type(joint), False, [], []
    if kind in (gd.Revolute, gd.Cylindrical, gd.Prismatic):
        h, (f, g) = joint.axis, across(joint.axis)
        points, still = kind is gd.Revolute, [] if kind is gd.Revolute else [f, g]
        perpendicular = [(f, h), (g, h)] + [(f, g)] * (kind is gd.Prismatic)
    elif kind in (gd.Universal, gd.UniversalPrismatic):
        points, perpendicular = kind is gd.Universal, [(joint.axis_parent, joint.axis_child)]
        still = [] if points else across(joint.slide)
    elif kind in (gd.Rigid, gd.Spherical):
        x, y, z = np.eye(3)
        points, perpendicular = True, [(x, y), (y, z), (z, x)] if kind is gd.Rigid else []
    pairs = [(fixed(system, joint.parent, a), fixed(system, joint.child, b)) for a, b in perpendicular]
    still = [fixed(system, joint.parent, a) for a in still]
    s_i, s_j = joint_points(system, joint)

    def residual(i, j):
        d = j[0] + j[1] @ s_j - i[0] - i[1] @ s_i
        rows = [*d] if points else []
        return np.array(rows + [(i[1] @ a) @ (j[1] @ b) for a, b in pairs] + [(i[1] @ a) @ d for a in still])

    return residual


def joint_coordinate(system, joint, coordinate):
    """A free coordinate of a joint as a function of the poses of parent and child."""
    coordinate = coordinate or ("displacement" if isinstance(joint, gd.Prismatic) else "angle")
    if coordinate == "displacement":
        slide = joint.slide if isinstance(joint, gd.UniversalPrismatic) else joint.axis
        a, (s_i, s_j) = fixed(system, joint.parent, slide), joint_points(system, joint)
        return lambda i, j: (i[1] @ a) @ (j[0] + j[1] @ s_j - i[0] - i[1] @ s_i)
    if coordinate == "angle":
        h, arm = np.array(joint.axis), across(joint.axis)[0]
    else:
        h, arm = np.array(joint.axis_parent), np.array(joint.axis_child)
    carrier, other, sign = joint.parent, joint.child, 1.0
    if coordinate == "angle_child":
        h, arm, carrier, other, sign = arm, h, other, carrier, -1.0
    f, g, u = (fixed(system, body, v) for body, v in ((carrier, arm), (carrier, np.cross(h, arm)), (other, arm)))

    def angle(i, j):
        (_, A), (_, B) = (i, j) if sign > 0 else (j, i)
        x, y = (B @ u) @ (A @ f), (B @ u) @ (A @ g)
        near = np.arctan2(np.real(y), np.real(x))  # arctan2 itself is not analytic
        c, s = np.cos(near), np.sin(near)
        return sign * (near + np.arctan((c * y - s * x) / (c * x + s * y)))

    return angle


def spring_length(load):
    """The distance of the two points of a SpringDamper as a function of two poses."""

    def length(i, j):
        d = j[0] + j[1] @ np.array(load.at_second) - i[0] - i[1] @ np.array(load.at_first)
        return np.sqrt(d @ d)

    return length
