"""The flat arrays of points whose forces a nonsmooth step solves for: points at walls, and pins.

Unknown forces ("rows") of such a step, in this order: the forces of the compliant joints, normal and tangential force
of every point at its wall, two forces of every pin. What is remembered of the contact of a point stands in
`Work.contact`, behind the lines of the compliant joints. Other solvers have elements in their place
(plane_contact.py, bushing.py, node_pins.py).
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.build.records import Record, integers, numbers

SLOWEST_TOUCH = 1e-4  # δ̇⁽⁻⁾ of a point, and of a user's contact, is not taken below this [m/s]

# Points.wall: one line per point (a corner, a node) and the wall it can touch
WALL_BODY = 0  # body with the wall
POINT_BODY = 1  # body of the point
NODE = 2  # first unknown of the point's node; −1: a point of a rigid body
HARD = 3  # 1: unilateral constraint with impacts, 0: compliant law
LAW_CALL = 4  # how the contact law is called (kernels/elements/laws.py), its C address, the address of its parameters
STUCK_WITH = 7  # 1: friction acts
WALL_JOINT = 8  # joint
IMPACT_LAW = 9  # of a hard contact: NEWTON, POISSON or STRONGE
WALL_COLUMNS = 10
NEWTON, POISSON, STRONGE = 0, 1, 2

# Points.wall_vector
IN_WALL = 0  # 3, a point of the wall, axes of WALL_BODY [m]
OUTWARD = 3  # 3, normal of the wall towards the point, axes of WALL_BODY
ALONG = 6  # 3, direction of sliding, axes of WALL_BODY
IN_POINT = 9  # 3, the point of a rigid body, axes of POINT_BODY [m]
STATIC = 12  # μ_s
KINETIC = 13  # μ_k
RESTITUTION = 14  # ε_N of Newton's law; 0 for the others
RESTITUTION_ALONG = 15  # ε_T
PLAY = 16  # clearance c [m]
RETURNED = 17  # restitution of Poisson's and Stronge's law
WALL_VECTOR_COLUMNS = 18

# Points.pin
PIN_FIRST = 0  # body: rigid
PIN_SECOND = 1  # body
PIN_NODE = 2  # first unknown of the second body's node; −1: a point of a rigid body
PIN_JOINT = 3  # joint
PIN_ON_CHILD = 4  # 1: the second body is the joint's child
PIN_COLUMNS = 5

# Points.pin_vector
IN_PIN_FIRST = 0  # 3, body axes [m]
IN_PIN_SECOND = 3  # 3, body axes [m]
PIN_ALONG = 6  # 3, world
PIN_ACROSS = 9  # 3, world
PIN_STIFFNESS = 12  # [N/m]; inf: ideal
PIN_VECTOR_COLUMNS = 13

# PointWork.wall, at the motion last evaluated
GAP = 0  # g, positive: open [m]
GAP_RATE = 1  # ġ [m/s]
SLIDING = 2  # velocity of the point along the wall [m/s]
NORMAL_FORCE = 3  # on the point [N]
FRICTION_FORCE = 4  # on the point, along the wall [N]
WALL_WORK_COLUMNS = 5

# PointWork.pin
PIN_GAP = 0  # 2, second − first [m]
PIN_RATE = 2  # 2 [m/s]
PIN_FORCE = 4  # 2, on the second body [N]
PIN_WORK_COLUMNS = 6


class Points(Record):
    """Constant arrays; columns as named above."""

    wall = integers(2, WALL_COLUMNS)  # (points, WALL_COLUMNS) integers
    wall_vector = numbers(2, WALL_VECTOR_COLUMNS)  # (points, WALL_VECTOR_COLUMNS)
    pin = integers(2, PIN_COLUMNS)  # (pins, PIN_COLUMNS) integers
    pin_vector = numbers(2, PIN_VECTOR_COLUMNS)  # (pins, PIN_VECTOR_COLUMNS)


class PointWork(Record):
    """The results of the last evaluation."""

    wall = numbers(2, WALL_WORK_COLUMNS)  # (points, WALL_WORK_COLUMNS)
    pin = numbers(2, PIN_WORK_COLUMNS)  # (pins, PIN_WORK_COLUMNS)


def new_point_work(points: Points) -> PointWork:
    """Scratch space."""
    return PointWork(
        wall=np.zeros((len(points.wall), WALL_WORK_COLUMNS)), pin=np.zeros((len(points.pin), PIN_WORK_COLUMNS))
    )
