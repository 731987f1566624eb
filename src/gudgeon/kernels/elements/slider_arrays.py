"""The flat arrays of sliders in guides, of pins and of flexible bodies: what stays constant, and scratch space.

All flexible bodies together have N unknowns: two displacements per node along the axes of their body, which stay fixed
in the world. They follow in the state after all else,

    y = [… as in arrays.py] [u: N displacements] [u̇: N velocities]

The pose and velocity of a flexible body *follow* its nodes: a mean weighted with their masses. A *carrier* is a line of
`Work.body` beyond those of the bodies, for a point that sits on nodes: one that touches a wall or is held by a pin (the
node itself), or one where a load acts (weights: shape functions). Forces on a carrier go to its nodes with the same
weights; to elements and loads it is a body like any other.

Unknown forces ("rows") of an implicit step, in this order: the forces of the compliant joints, normal and tangential
force of every contact, two forces of every pin.
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.build.records import Record, integers, numbers

# Sliders.contact: one line per surface point of a slider
GUIDE = 0  # body with the surface
SLIDER = 1  # body of the point
NODE = 2  # first unknown of the point's node; −1: a point of a rigid body
HARD = 3  # 1: unilateral constraint with impacts, 0: compliant law
LAW_CALL = 4  # how the contact law is called (kernels/elements/laws.py), its C address, the address of its parameters
STUCK_WITH = 7  # 1: friction acts
CONTACT_JOINT = 8  # joint
IMPACT_LAW = 9  # of a hard contact: NEWTON, POISSON or STRONGE
CONTACT_COLUMNS = 10
NEWTON, POISSON, STRONGE = 0, 1, 2

# Sliders.contact_vector
IN_GUIDE = 0  # 3, point of the surface, guide's axes [m]
OUTWARD = 3  # 3, normal of the surface towards the slider, guide's axes
ALONG = 6  # 3, direction of sliding, guide's axes
IN_SLIDER = 9  # 3, the point of a rigid slider, body axes [m]
STATIC = 12  # μ_s
KINETIC = 13  # μ_k
RESTITUTION = 14  # ε_N of Newton's law; 0 for the others
RESTITUTION_ALONG = 15  # ε_T
PLAY = 16  # clearance c [m]
RETURNED = 17  # restitution of Poisson's and Stronge's law
CONTACT_VECTOR_COLUMNS = 18

# Sliders.pin
PIN_FIRST = 0  # body: rigid
PIN_SECOND = 1  # body
PIN_NODE = 2  # first unknown of the second body's node; −1: a point of a rigid body
PIN_JOINT = 3  # joint
PIN_ON_CHILD = 4  # 1: the second body is the joint's child
PIN_COLUMNS = 5

# Sliders.pin_vector
IN_PIN_FIRST = 0  # 3, body axes [m]
IN_PIN_SECOND = 3  # 3, body axes [m]
PIN_ALONG = 6  # 3, world
PIN_ACROSS = 9  # 3, world
PIN_STIFFNESS = 12  # [N/m]; inf: ideal
PIN_VECTOR_COLUMNS = 13

# Sliders.frame: one line per flexible body
FRAME_X = 0  # 3, world direction of the first displacement
FRAME_Y = 3  # 3
FRAME_ORIGIN = 6  # 3, where the centre of mass is at rest [m]
FRAME_COLUMNS = 9

# Sliders.carrier
CARRIER_FRAME = 0
FIRST_CARRY, LAST_CARRY = 1, 2  # in `carry` and `carry_weight`

# Sliders.follower
FOLLOWER_BODY = 0
FOLLOWER_FRAME = 1
FIRST_NODE_OF, LAST_NODE_OF = 2, 3  # in `follow` and `follow_weight`

# Sliders.follow_weight
WEIGHT = 0  # of the node
TURN_X, TURN_Y = 1, 2  # angle of the follower per displacement of the node [1/m]

# SliderWork.contact, at the motion last evaluated
GAP = 0  # g, positive: open [m]
GAP_RATE = 1  # ġ [m/s]
SLIDING = 2  # velocity of the point along the guide [m/s]
NORMAL_FORCE = 3  # on the slider [N]
FRICTION_FORCE = 4  # on the slider, along the guide [N]
CONTACT_WORK_COLUMNS = 5

# SliderWork.pin
PIN_GAP = 0  # 2, second − first [m]
PIN_RATE = 2  # 2 [m/s]
PIN_FORCE = 4  # 2, on the second body [N]
PIN_WORK_COLUMNS = 6

# SliderWork.touch: memory of a contact
TOUCH_SPEED = 0  # δ̇⁽⁻⁾ for its law; 0: none yet, the law takes the rate that there is [m/s]
TOUCHES = 1  # 1: it touches, 0: it is open
TOUCH_BEGIN = 2  # [s]
TOUCH_PEAK = 3  # largest normal force of this contact [N]
TOUCH_LOSS = 4  # energy it has taken [J]
TOUCH_IMPULSE = 5  # normal [N·s]
TOUCH_COLUMNS = 6


class Sliders(Record):
    """Constant arrays; columns as named above."""

    contact = integers(2, CONTACT_COLUMNS)  # (contacts, CONTACT_COLUMNS) integers
    contact_vector = numbers(2, CONTACT_VECTOR_COLUMNS)  # (contacts, CONTACT_VECTOR_COLUMNS)
    pin = integers(2, PIN_COLUMNS)  # (pins, PIN_COLUMNS) integers
    pin_vector = numbers(2, PIN_VECTOR_COLUMNS)  # (pins, PIN_VECTOR_COLUMNS)
    place = integers(1)  # (1) integers: place of the first displacement in y
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


class SliderWork(Record):
    """Scratch space, and the results of the last evaluation."""

    contact = numbers(2, CONTACT_WORK_COLUMNS)  # (contacts, CONTACT_WORK_COLUMNS)
    pin = numbers(2, PIN_WORK_COLUMNS)  # (pins, PIN_WORK_COLUMNS)
    touch = numbers(2, TOUCH_COLUMNS)  # (contacts, TOUCH_COLUMNS)
    force = numbers(1)  # (N) on the unknowns, elastic forces not included [N]
    acceleration = numbers(1)  # (N) [m/s²]
    moved = numbers(1)  # (N) u + b u̇


def new_slider_work(sliders: Sliders) -> SliderWork:
    """Scratch space."""
    unknowns = len(sliders.mass)
    return SliderWork(
        contact=np.zeros((len(sliders.contact), CONTACT_WORK_COLUMNS)),
        pin=np.zeros((len(sliders.pin), PIN_WORK_COLUMNS)),
        touch=np.zeros((len(sliders.contact), TOUCH_COLUMNS)),
        force=np.zeros(unknowns),
        acceleration=np.zeros(unknowns),
        moved=np.zeros(unknowns),
    )
