"""The flat arrays of flexible bodies: what stays constant, and scratch space.

All flexible bodies together have N unknowns: two displacements per node along the axes of their body, which stay fixed
in the world. They follow in the state after all else,

    y = [… as in arrays.py] [u: N displacements] [u̇: N velocities]

The pose and velocity of a flexible body *follow* its nodes: a mean weighted with their masses. A *carrier* is a line of
`Work.body` beyond those of the bodies, for a point that sits on nodes: one that touches a wall or is held by a pin (the
node itself), or one where a load acts (weights: shape functions). Forces on a carrier go to its nodes with the same
weights; to elements and loads it is a body like any other.
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.build.records import Record, integers, numbers

# Flexible.frame: one line per flexible body
FRAME_X = 0  # 3, world direction of the first displacement
FRAME_Y = 3  # 3
FRAME_ORIGIN = 6  # 3, where the centre of mass is at rest [m]
FRAME_COLUMNS = 9

# Flexible.carrier
CARRIER_FRAME = 0
FIRST_CARRY, LAST_CARRY = 1, 2  # in `carry` and `carry_weight`

# Flexible.follower
FOLLOWER_BODY = 0
FOLLOWER_FRAME = 1
FIRST_NODE_OF, LAST_NODE_OF = 2, 3  # in `follow` and `follow_weight`

# Flexible.follow_weight
WEIGHT = 0  # of the node
TURN_X, TURN_Y = 1, 2  # angle of the follower per displacement of the node [1/m]


class Flexible(Record):
    """Constant arrays; columns as named above."""

    place = integers(1)  # (2) places of the first displacement and of the first velocity of nodes in y
    frame = numbers(2, FRAME_COLUMNS)  # (flexible bodies, FRAME_COLUMNS)
    frame_of = integers(1)  # (nodes) integers
    rest = numbers(1)  # (N) nodes from the centre of mass of their body [m]
    mass = numbers(1)  # (N) [kg]
    damping = numbers(2, 2)  # (N, 2) Rayleigh's a [1/s] and b [s]
    weight = numbers(1)  # (N) gravity on each unknown [N]
    K_start = integers(1)  # (N + 1) K in compressed rows
    K_column = integers(1)
    K_value = numbers(1)  # [N/m]
    carrier = integers(2, 3)  # (carriers, 3) frame, and the first and last place in `carry`
    carry = integers(1)  # nodes
    carry_weight = numbers(1)  # and their weights
    follower = integers(2, 4)  # (flexible bodies, 4) integers
    follow = integers(1)  # nodes
    follow_weight = numbers(2, 3)  # (…, 3)


class FlexibleWork(Record):
    """Scratch space, and the results of the last evaluation."""

    force = numbers(1)  # (N) on the unknowns, elastic forces not included [N]
    acceleration = numbers(1)  # (N) [m/s²]
    moved = numbers(1)  # (N) u + b u̇


def new_flexible_work(flexible: Flexible) -> FlexibleWork:
    """Scratch space."""
    unknowns = len(flexible.mass)
    return FlexibleWork(force=np.zeros(unknowns), acceleration=np.zeros(unknowns), moved=np.zeros(unknowns))
