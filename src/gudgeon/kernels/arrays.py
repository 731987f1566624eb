"""The flat arrays that every kernel reads (Model) and writes (Work), and the names of their columns.

Bodies are numbered from 1; body 0 is the ground. With n moving bodies the state is

    y = [r, p of body 1 … n (7 each)] [v, ω of body 1 … n (6 each)] [turns: one angle per joint spring]
        [bristles: 3 per joint with bristle friction] [work: energy dissipated, 1 per compliant joint]

world components throughout, p the quaternion (scalar first), which need not have length one: every reader normalises.
A constraint block couples a parent and a child body. Row r of the Jacobian has two sides: `jacobian[2r]` acts on the
parent's (v, ω), `jacobian[2r + 1]` on the child's. Rows are numbered in the order of elimination, six to a node (a
joint with its drives): rows a joint does not use stay zero.

Few arrays with many columns, not many arrays: a compiled call copies every array header it is given.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# kinds of constraint block
POINTS = 0  # r_j + s_j − r_i − s_i = 0, 3 rows
PERPENDICULAR = 1  # a·b = 0, 1 row
MEASURE = 2  # joint coordinate − f(t) = 0, 1 row (f = 0 where there is no program)
LINK = 3  # two shares of one body move alike, 6 rows (see mechanics/elimination.py)

# kinds of joint coordinate (measure)
ANGLE = 0
DISPLACEMENT = 1

# kinds of load
FORCE = 0
TORQUE = 1
SPRING = 2
JOINT_SPRING = 3

# Model.settings
GRAVITY = 0  # 3 [m/s²]
ALPHA = 3  # Baumgarte [1/s]
BETA = 4  # Baumgarte [1/s]
REGULARIZATION = 5  # ε, where there are redundant rows; otherwise 0 [-]

# Model.body
MASS = 0  # [kg]
INVERSE_MASS = 1  # 0 for the ground [1/kg]
INERTIA = 2  # 9, body axes [kg·m²]
INVERSE_INERTIA = 11  # 9, body axes [1/(kg·m²)]

# Model.block
KIND = 0  # of a block, a measure or a load
PARENT = 1  # body, of a block or a measure
CHILD = 2  # body, of a block or a measure
ROW = 3  # first row
ROWS = 4  # number of rows
MEASURE_OF = 5  # measure, for MEASURE
PROGRAM_OF = 6  # first of three programs f, ḟ, f̈; −1: f = 0
JOINT_OF = 7  # joint whose reaction this is; −1: none
DRIVE_OF = 8  # drive whose effort this is; −1: none

# Model.block_vector
IN_PARENT = 0  # 3: point [m] or direction [-], parent's axes
IN_CHILD = 3  # 3: point [m] or direction [-], child's axes

# Model.measure (KIND, PARENT, CHILD as above)
ON_CHILD = 3  # 1 if the axis is fixed in the child

# Model.measure_vector, each 3
AXIS = 0  # in the axes of the body that carries it
ARM_ZERO = 3  # perpendicular to the axis: where the arm points at angle zero
ARM_QUARTER = 6  # axis × ARM_ZERO
ARM = 9  # in the axes of the other body
MEASURE_IN_PARENT = 12  # point for displacements [m]
MEASURE_IN_CHILD = 15  # point for displacements [m]

# Model.load (KIND as above)
FIRST = 1  # body
SECOND = 2  # body
BODY_AXES = 3  # 1 if components are in body axes
LOAD_PROGRAM = 4  # first of three programs
LOAD_MEASURE = 5  # measure, for JOINT_SPRING
LOAD_TURN = 6  # turn state, for JOINT_SPRING on an angle; −1: none

# Model.load_vector, each 3 [m]
IN_FIRST = 0
IN_SECOND = 3

# Model.crossing
CROSSING_MEASURE = 0  # measure; −1: a point of a body
CROSSING_BODY = 1
CROSSING_DIRECTION = 2  # +1 rising, −1 falling, 0 both
CROSSING_STOP = 3  # 1: the run ends there

# Model.crossing_vector
CROSSING_POINT = 0  # 3 [m]
CROSSING_ALONG = 3  # 3
CROSSING_VALUE = 6  # [m or rad]

# Model.node: a joint with its drives, or a link; one line more than there are nodes
NODE_ROWS = 0  # rows in use
NODE_DIAGONAL = 1  # first line of the diagonal block in `schur`
NODE_ENTRY = 2  # first entry below the diagonal
NODE_UPDATE = 3  # first update

# Model.entry: a block below the diagonal
ENTRY_ROW = 0  # first row
ENTRY_ROWS = 1
ENTRY_OFFSET = 2  # first line in `schur`

# Model.update: target −= L₁ D L₂ᵀ
UPDATE_ROWS = 0
UPDATE_COLUMNS = 1
UPDATE_FIRST = 2  # first line of L₁
UPDATE_SECOND = 3  # first line of L₂ D
UPDATE_TARGET = 4

# Model.pair: target += scale · J₁ M⁻¹ J₂ᵀ
PAIR_FIRST = 0  # 2·row + side
PAIR_SECOND = 1
PAIR_ROWS = 2
PAIR_COLUMNS = 3
PAIR_TARGET = 4
PAIR_CHANGES = 5  # 1 if the linear part of one of the two nodes changes during the motion

# kinds of compliant joint
DRY = 0  # clearance, contact and friction
LUBRICATED = 1  # clearance with a film, and perhaps contact below a smallest film
BUSHING = 2  # radial spring and damper
MATRIX_BUSHING = 3  # stiffness and damping matrices on displacement and rotation

# Model.compliant (KIND as above): a joint that acts by forces; body i has the socket, body j the ball
SOCKET = 1  # body
BALL = 2  # body
COMPLIANT_JOINT = 3  # joint
UNKNOWN = 4  # first of its unknown forces in the implicit solver
UNKNOWNS = 5  # 3: force; 6: force and torque, or force and rate of the bristles
BRISTLE = 6  # place of its bristle state in y; −1: none
WORK_STATE = 7  # place of its dissipated energy in y
CONTACT_CALL = 8  # how the law is called (kernels/laws.py), its C address, the address of its parameters
FRICTION_CALL = 11
FILM_CALL = 14
BALL_ON_CHILD = 17  # 1 if the ball belongs to the child
COMPLIANT_COLUMNS = 18

# Model.compliant_vector
IN_SOCKET = 0  # 3, socket's centre, body axes [m]
IN_BALL = 3  # 3, ball's centre, body axes [m]
SOCKET_RADIUS = 6  # [m]
BALL_RADIUS = 7  # [m]
CLEARANCE = 8  # c [m]; inf for bushings
FREE_PATH = 9  # eccentricity at which contact begins [m]; inf where there is none
SMALLEST_IMPACT = 10  # δ̇⁽⁻⁾ is not taken below this [m/s]
STIFFNESS = 11  # [N/m]
DAMPING_TIME = 12  # [s]
BRISTLE_STIFFNESS = 13  # σ0 [1/m]
BRISTLE_DAMPING = 14  # σ1 [s/m]
BRISTLE_VISCOUS = 15  # σ2 [s/m]
SMALLEST_FILM = 16  # film thickness at which the law ends [m]
SOCKET_AXES = 17  # 9, rotation from the socket body's axes to the joint's axes
BALL_AXES = 26  # 9, likewise of the ball
STIFFNESS_MATRIX = 35  # 36, on displacement and rotation vector, joint's axes
DAMPING_MATRIX = 71  # 36
COMPLIANT_VECTOR_COLUMNS = 107

# Work.contact: the discrete state of a compliant joint
MODE = 0  # FLIGHT, CONTACT or GRAZING
IMPACT_SPEED = 1  # δ̇⁽⁻⁾ as it was [m/s]
BEGIN = 2  # [s]
PEAK = 3  # largest normal force of this contact [N]
WORK_BEGIN = 4  # dissipated energy when it began [J]
MICRO = 5  # micro-impacts in a row
FIRST_STEP = 6  # of the last contact [s]
CONTACT_COLUMNS = 7
FLIGHT, TOUCHING, GRAZING = 0.0, 1.0, 2.0

# Work.local: the motion of a compliant joint, the input of its law
ECCENTRICITY = 0  # 3, P_j − P_i [m]
RATE_OF = 3  # 3, its rate [m/s]
OMEGA_SOCKET = 6  # 3 [rad/s]
OMEGA_BALL = 9  # 3 [rad/s]
BRISTLES = 12  # 3, socket's axes [m]
TURN = 15  # 3, rotation vector of the ball against the socket, joint's axes [rad]
FRAME = 18  # 9, rotation from the socket body's axes (bristles) or the joint's axes (bushing) to the world
LOCAL_COLUMNS = 27

# Work.force: what the law gives, on the ball
FORCE_ON_BALL = 0  # 3, at the point X [N]
TORQUE_ON_BALL = 3  # 3, besides the force [N·m]; the rate of the bristles where there are some [m/s]
ARM_OF = 6  # 3, X − P_i, P_i the socket's centre [m]
NORMAL = 9  # normal force of the contact [N]
POWER = 10  # dissipated [W]
FORCE_COLUMNS = 11

# Work.body
POSITION = 0  # 3, p_WB
ROTATION = 3  # 9, R_WB
VELOCITY = 12  # 3
OMEGA = 15  # 3
WORLD_INVERSE = 18  # 9, inverse inertia in world axes
APPLIED = 27  # 6, applied force and torque, gyroscopic torque included
ACCELERATION = 33  # 6, v̇ and ω̇
BODY_COLUMNS = 39

# Work.row
RESIDUAL = 0  # Φ
RATE = 1  # Φ̇
GAMMA = 2  # Φ_q v̇ must equal this
PIVOT = 3  # D
INVERSE_PIVOT = 4  # 0 where the pivot vanishes
DIAGONAL = 5  # of S before elimination
PULL = 6  # E d in the refinement of λ
ROW_COLUMNS = 7


class Model(NamedTuple):
    """Everything that stays constant during a run; columns as named above."""

    settings: np.ndarray  # (6)
    body: np.ndarray  # (bodies + 1, 20)
    block: np.ndarray  # (blocks, 9) integers
    block_vector: np.ndarray  # (blocks, 6)
    measure: np.ndarray  # (measures, 4) integers
    measure_vector: np.ndarray  # (measures, 18)
    load: np.ndarray  # (loads, 7) integers
    load_vector: np.ndarray  # (loads, 6)
    turn: np.ndarray  # (turns) measure of each counted angle
    crossing: np.ndarray  # (crossings, 4) integers
    crossing_vector: np.ndarray  # (crossings, 7)
    program_ops: np.ndarray
    program_operands: np.ndarray
    program_addresses: np.ndarray
    program_starts: np.ndarray
    node: np.ndarray  # (nodes + 1, 4) integers
    entry: np.ndarray  # (entries, 3) integers
    update: np.ndarray  # (updates, 5) integers
    pair: np.ndarray  # (pairs, 6) integers
    pair_scale: np.ndarray  # (pairs) 1 / share of the body
    compliant: np.ndarray  # (compliant joints, COMPLIANT_COLUMNS) integers
    compliant_vector: np.ndarray  # (compliant joints, COMPLIANT_VECTOR_COLUMNS)


class Work(NamedTuple):
    """Scratch space, and the results of the last evaluation."""

    body: np.ndarray  # (bodies + 1, BODY_COLUMNS)
    jacobian: np.ndarray  # (2 rows, 6)
    weighted: np.ndarray  # (2 rows, 6) M⁻¹ Jᵀ, row by row
    row: np.ndarray  # (rows, ROW_COLUMNS)
    multiplier: np.ndarray  # (rows) λ
    increment: np.ndarray  # (rows) of λ in its refinement
    schur: np.ndarray  # (lines, 6) lower blocks of S, then L
    constant_schur: np.ndarray  # (lines, 6) the part of S that does not change
    scaled: np.ndarray  # (lines, 6) L D
    gradient: np.ndarray  # (12) of the last measure: parent's (v, ω), child's (v, ω)
    stack: np.ndarray  # (32) of the expression machine
    contact: np.ndarray  # (compliant joints, CONTACT_COLUMNS) the discrete state
    local: np.ndarray  # (compliant joints + 1, LOCAL_COLUMNS); the last line is for trials
    force: np.ndarray  # (compliant joints + 1, FORCE_COLUMNS); the last line is for trials


def new_work(body_count: int, row_count: int, schur_lines: int, compliant_count: int) -> Work:
    """Scratch space."""
    body = np.zeros((body_count + 1, BODY_COLUMNS))
    body[0, ROTATION : ROTATION + 9] = np.eye(3).reshape(-1)
    return Work(
        body=body,
        jacobian=np.zeros((2 * row_count, 6)),
        weighted=np.zeros((2 * row_count, 6)),
        row=np.zeros((row_count, ROW_COLUMNS)),
        multiplier=np.zeros(row_count),
        increment=np.zeros(row_count),
        schur=np.zeros((schur_lines, 6)),
        constant_schur=np.zeros((schur_lines, 6)),
        scaled=np.zeros((schur_lines, 6)),
        gradient=np.zeros(12),
        stack=np.zeros(32),
        contact=np.zeros((compliant_count, CONTACT_COLUMNS)),
        local=np.zeros((compliant_count + 1, LOCAL_COLUMNS)),
        force=np.zeros((compliant_count + 1, FORCE_COLUMNS)),
    )
