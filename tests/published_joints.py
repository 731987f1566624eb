"""Bodies with every joint of the published equations between them, and bodies with none."""

from __future__ import annotations

import numpy as np

import gudgeon as gd


def turn(axis, angle: float) -> tuple[float, ...]:
    """The quaternion of a turn."""
    axis = np.asarray(axis, dtype=float)
    return (np.cos(angle / 2), *(np.sin(angle / 2) * axis / np.linalg.norm(axis)))


def link(position, axis, angle: float, **motion) -> gd.Body:
    """A body with a full inertia matrix, turned in its reference pose."""
    inertia = (0.020, 0.035, 0.028, 0.004, -0.003, 0.002)
    return gd.Body(mass=1.3, inertia=inertia, position=position, orientation=turn(axis, angle), **motion)


def chain() -> gd.System:
    """Five bodies in a row with every joint of "Connecting Joints" between moving ones, under gravity and loads."""
    return gd.System(
        name="chain of all published joints",
        bodies={
            "first": link((0.10, 0.05, -0.12), (1, 2, 3), 0.8, angular_velocity=(0, 6, 0)),
            "second": link((0.32, 0.11, -0.25), (-1, 1, 2), 1.9, angular_velocity=(4, 6, 3)),
            "third": link((0.55, 0.02, -0.31), (2, 0, 1), -1.1, angular_velocity=(-5, 2, 4)),
            "fourth": link((0.79, 0.13, -0.20), (0, 1, -1), 2.6, angular_velocity=(3, -6, 5)),
            "fifth": link((0.95, -0.04, -0.05), (1, -3, 1), 0.5, angular_velocity=(-2, 5, 6)),
        },
        joints={
            "pivot": gd.Revolute("ground", "first", at=(0, 0, 0), axis=(0, 1, 0)),
            "hinge": gd.Revolute("first", "second", at=(0.2, 0.1, -0.2), axis=(4, 0.5, 3)),
            "cross": gd.Universal(
                "second", "third", at=(0.43, 0.06, -0.3), axis_parent=(1, 2, 2), axis_child=(2, -2, 1)
            ),
            "ball": gd.Spherical("third", "fourth", at=(0.68, 0.08, -0.27)),
            "slide": gd.UniversalPrismatic(
                "fourth",
                "fifth",
                at=(0.88, 0.04, -0.11),
                axis_parent=(3, 0, -4),
                axis_child=(4, 5, 3),
                slide=(1, 1, 2),
            ),
        },
        loads={
            "twist": gd.Torque("third", ("2*sin(9*t)", "1.5*cos(7*t)", "1"), axes="body"),
            "push": gd.Force("fifth", ("4*cos(5*t)", 3, "6*sin(8*t)"), at=(0.05, 0.02, -0.04)),
            "spring": gd.JointSpring("slide", coordinate="displacement", stiffness=150.0, damping=1.0, rest="0.05"),
        },
    )


def unconnected() -> gd.System:
    """Two bodies that fly and tumble, "joined" by no constraint."""
    return gd.System(
        name="unconnected bodies",
        bodies={
            "one": link((0, 0, 0), (1, 2, 3), 0.8, velocity=(0, 1, 2), angular_velocity=(4, 6, 3)),
            "two": link((0.4, 0, 0), (-1, 1, 2), 1.9, velocity=(1, -1, 1), angular_velocity=(-5, 2, 6)),
        },
        joints={"nothing": gd.Free("one", "two", at=(0.2, 0.1, 0))},
        loads={"push": gd.Force("two", (5, 3, 4), at=(0.1, 0, 0.05))},
    )
