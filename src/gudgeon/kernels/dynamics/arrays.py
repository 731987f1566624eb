"""The flat arrays that every kernel reads (Model) and writes (Work), and the names of their columns.

Bodies are numbered from 1; body 0 is the ground. The state is

    y = [positions] [velocities] [turns: angles and ways that are counted] [controls: states of controllers, then
        numbers that are held between instants] [bristles: 3 per joint with bristle friction] [work: energy dissipated,
        1 per compliant joint] [displacements, then velocities of nodes: elements/flexible_arrays.py]

(state_places.py says where each begins).

In absolute coordinates the positions are r, p of body 1 … n (7 each) and the velocities v, ω (6 each), world
components. In relative coordinates they are the free coordinates of the tree's joints (kinematics/tree.py). In both,
every position is either a scalar whose rate is a velocity, or part of a quaternion p (scalar first) with ṗ = ½ ω p;
`Model.velocity` tells which. A quaternion need not have length one: every reader normalises.

A constraint block couples a parent and a child body. Row r of the Jacobian has two sides: `jacobian[2r]` acts on the
parent's (v, ω), `jacobian[2r + 1]` on the child's. Rows are numbered in the order of elimination, six to a node (a
joint with its drives): rows a joint does not use stay zero. In relative coordinates only loops and drives have rows.

Few arrays with many columns, not many arrays: a compiled call copies every array header it is given.
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.build.records import Record, integers, numbers
from gudgeon.kernels.elements.flexible_arrays import Flexible, FlexibleWork, new_flexible_work
from gudgeon.kernels.elements.point_arrays import Points, PointWork, new_point_work
from gudgeon.kernels.elements.rubbing_arrays import RubbingWork, new_rubbing_work

# kinds of constraint block
POINTS = 0  # r_j + s_j − r_i − s_i = 0, 3 rows
PERPENDICULAR = 1  # a·b = 0, 1 row
MEASURE = 2  # joint coordinate − f(t) = 0, 1 row (f = 0 where there is no program)
LINK = 3  # two shares of one body move alike, 6 rows (see mechanics/elimination.py)
ROTOR = 4  # the inertia of a motor's rotor, 1 row: no constraint, see rows.py
COUPLING = 5  # c₁ x₁ + c₂ x₂ = 0 of two joint coordinates, 1 row; this block has the bodies of x₁
ECHO = 6  # the bodies of x₂: its Jacobian stands in a row of its own, which shares the multiplier of the row before

# kinds of joint coordinate (measure)
ANGLE = 0
DISPLACEMENT = 1
ACROSS = 2  # of a point from a curve, along one of its normals; this and the rest: kinematics/curve_measures.py
ALONG = 3  # length of a curve up to where a point is
FLAT = 4  # of a flat face from a cam

# kinds of load
FORCE = 0
TORQUE = 1
SPRING = 2
JOINT_SPRING = 3
JOINT_EFFORT = 4  # along a joint coordinate
NO_LOAD = 5  # what acts otherwise: a stop

# Model.settings
GRAVITY = 0  # 3 [m/s²]
ALPHA = 3  # Baumgarte [1/s]
BETA = 4  # Baumgarte [1/s]
REGULARIZATION = 5  # ε, where there are redundant rows; otherwise 0 [-]
OWN_AXES = 6  # 1 while angular velocities in y are in the bodies' own axes, see solvers/own_axes.py
USED_SIGNALS = 7  # lines of `signal` that loads need; the others are for results

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
CHILD_FIRST = 9  # 1: the joint's own child is the block's parent
SECOND_MEASURE = 10  # for COUPLING
SWITCHED_BY = 11  # line of `switched` that tells whether it holds; −1: it always does
BLOCK_COLUMNS = 12

# Model.block_vector
IN_PARENT = 0  # 3: point [m] or direction [-], parent's axes
IN_CHILD = 3  # 3: point [m] or direction [-], child's axes
COUPLED_FIRST = 0  # COUPLING: c₁, c₂, and the period of the sum (0: none)
COUPLED_SECOND = 1
COUPLED_PERIOD = 2  # negative: only the rate of the sum is held
GEAR_RATIO = 0  # ROTOR: turns of the rotor for one of the joint, or rad/m
ROTOR_INERTIA = 1  # [kg·m²]
ROTOR_TURNS_WITH = 2  # 1: about the joint's axis, and with the parent

# Model.measure (KIND, PARENT, CHILD as above)
ON_CHILD = 3  # 1 if the axis is fixed in the child
TILTS = 4  # 1 if no constraint keeps the arm perpendicular to the axis
CURVE_OF = 5  # line of `curve`; −1: none
NORMAL_OF = 6  # which of the two normals of a curve in space
MEASURE_COLUMNS = 7

# Model.measure_vector, each 3
AXIS = 0  # in the axes of the body that carries it
ARM_ZERO = 3  # perpendicular to the axis: where the arm points at angle zero
ARM_QUARTER = 6  # axis × ARM_ZERO
ARM = 9  # in the axes of the other body
MEASURE_IN_PARENT = 12  # point for displacements [m]
MEASURE_IN_CHILD = 15  # point for displacements [m]
# of curves: ARM_ZERO, ARM_QUARTER, AXIS are x, y, z of its frame in the parent's axes, MEASURE_IN_PARENT its origin
CURVE_SIDE = 9  # ACROSS: +1 or −1, the side of the curve that is positive
CURVE_APART = 10  # ACROSS: distance that counts as zero [m]
CURVE_FROM = 9  # ALONG: length that counts as zero [m]
FACE_NORMAL = 9  # FLAT: 3, away from the cam, child's axes

# Model.curve
CURVE_KIND = 0  # PIECES or POLAR
CURVE_AT = 1  # its first number in `curve_table`, see kinematics/curves.py
CURVE_COUNT = 2  # of pieces
CURVE_DEGREE = 3  # of their polynomials
CURVE_CLOSED = 4  # 1: it ends where it begins
CURVE_EXTRUDED = 5  # 1: along z of its frame, to a surface
CURVE_PROGRAM = 6  # POLAR: first of three programs, lift of the turn and its derivatives
CURVE_COLUMNS = 7
PIECES, POLAR = 0, 1

# Model.load (KIND as above)
FIRST = 1  # body
SECOND = 2  # body
BODY_AXES = 3  # 1 if components are in body axes
NOT_STORED = 3  # of springs: 1 if their energy is no potential energy, since it depends on signals
LOAD_PROGRAM = 4  # first of three programs
LOAD_MEASURE = 5  # measure, for JOINT_SPRING and JOINT_EFFORT
LOAD_TURN = 6  # turn state, for JOINT_SPRING on an angle; −1: none
LOAD_EFFORT = 7  # its line in `effort`; −1: none
FIRST_WRENCH = 8  # line in `effort` of the wrench on its first body to which it belongs; −1: none
SECOND_WRENCH = 9  # of its second body
LOAD_COLUMNS = 10

# Model.effort: loads that depend on the motion, which Implicit solves for as for forces of joints; then the rates of
# states of controllers through which the motion acts on loads
EFFORT_LOAD = 0  # its line in `load`; of an elastic coupling −1 − its line in `compliant`; of a state of a controller
# the number of loads + its place among the states
EFFORTS = 1  # how many: 1 along a joint coordinate, or 3 components, world axes; 1 of a state; WRENCH
EFFORT_UNKNOWN = 2  # the first among all unknown forces, after those of compliant joints
EFFORT_AT = 3  # the first among all efforts
EFFORT_BODY = 4  # of a wrench: the body on which many loads act as one force and one torque about its centre; 0: none
EFFORT_COLUMNS = 5
WRENCH = 6

# Model.load_vector, each 3 [m]
IN_FIRST = 0
IN_SECOND = 3
LOAD_RATIO = 0  # JOINT_EFFORT: what its value is multiplied by, and the inertia of a rotor that turns with the parent
LOAD_ROTOR = 1  # [kg·m²]

# Model.signal: what is measured, in the order in which it is needed
JOINT_SIGNAL = 0  # value and rate of a joint coordinate
POINT_SIGNAL = 1  # position, velocity and angular velocity of a point of a body, as another body sees it
OWN_SIGNAL = 2  # velocity and angular velocity of a marker against the world, in its own axes
DISTANCE_SIGNAL = 3  # distance of two points, and its rate
GAP_SIGNAL = 4  # gap of a joint that acts by forces, its rate, the normal force of its contact
PROGRAM_SIGNAL = 5  # what a program gives
VECTOR_SIGNAL = 6  # several numbers that a program gives
CONTROL_SIGNAL = 7  # one of the controls in the state
SIGNAL_WIDTH = (2, 9, 6, 2, 3, 1, 0, 1)  # how many numbers each has; of VECTOR_SIGNAL the line says
SIGNAL_AT = 1  # place of the first in `Work.signal`
SIGNAL_OF = 2  # measure, body, line of `compliant`, program, or control
SIGNAL_AGAINST = 3  # turn state (−1: none), body, or how many numbers
SIGNAL_COLUMNS = 4

# Model.signal_vector
SIGNAL_POINT = 0  # 3, of the first body [m]
SIGNAL_SECOND = 3  # 3, of the second body [m]
SIGNAL_AXES = 3  # 9, the axes of a marker one after the other, in those of its body
SIGNAL_VECTOR_COLUMNS = 12

# Model.crossing
CROSSING_MEASURE = 0  # measure; −1: a point of a body
CROSSING_BODY = 1
CROSSING_DIRECTION = 2  # +1 rising, −1 falling, 0 both
CROSSING_STOP = 3  # 1: the run ends there
CROSSING_SIGNAL = 4  # place in `Work.signal` of what crosses; −1: none
CROSSING_SWITCH = 5  # switch that it turns; −1: none
CROSSING_COLUMNS = 6

# Model.crossing_vector
CROSSING_POINT = 0  # 3 [m]
CROSSING_ALONG = 3  # 3
CROSSING_VALUE = 6  # [m or rad]

# Model.layout
POSITIONS = 0  # number of positions in y
VELOCITIES = 1  # number of velocities in y, which follow the positions
CONTROLS = 2  # number of controls in y, which follow the turns

# Model.sampled: a controller that acts at instants
SAMPLED_COUNT = 0  # control that counts its updates
SAMPLED_COLUMNS = 1

# Model.sampled_vector
SAMPLED_PERIOD = 0  # [s]
SAMPLED_OFFSET = 1  # first instant [s]

# Model.assigned: a control that gets a value at the instants of a sampled controller
ASSIGNED_TO = 0  # control
ASSIGNED_FROM = 1  # place in `Work.signal`
ASSIGNED_BY = 2  # sampled controller
ASSIGNED_LAST = 3  # 1: a state, after all outputs
ASSIGNED_COLUMNS = 4

# Model.switch: what is on or off
SWITCH_STATE = 0  # control: 1 on, 0 off
SWITCH_ENERGY = 1  # control: energy lost so far when it turned [J]
SWITCH_TURNED = 2  # control: how many of its own instants have passed
SWITCH_ON = 3  # crossing that turns it on; −1: none
SWITCH_OFF = 4  # crossing that turns it off; −1: none
SWITCH_COLUMNS = 5

# Model.switch_vector
SWITCH_AT = 0  # instant at which it turns on; inf: none [s]
SWITCH_UNTIL = 1  # and off again [s]

# Model.switched: rows that hold for a while
SWITCHED_STATE = 0  # control: 1 while they hold
SWITCHED_REST = 1  # control: residual when they began to hold, which stays
SWITCHED_SINCE = 2  # switch that lets them hold while it is on; −1: none
SWITCHED_UNTIL = 3  # switch that lets them hold while it is off; −1: none
SWITCHED_ONCE = 4  # 1: once released they never hold again
SWITCHED_COLUMNS = 5

# Model.velocity: one line per velocity
PLACE = 0  # of its position in y; of the quaternion's first component where it is an angular velocity
TURNS_ABOUT = 1  # −1: the rate of a scalar; 0, 1, 2: component of an angular velocity

# Model.tree (relative coordinates): one line per link, a body with the joint that carries it; line 0 is the ground.
# The joint's inner body is nearer to the ground, its outer body is the link itself.
TREE_BODY = 0
TREE_PARENT = 1  # line of the inner body
TREE_POSITION = 2  # place of its first position in y
TREE_VELOCITY = 3  # its first velocity
FREEDOMS = 4
SLIDES = 5  # so many of its freedoms, the first, are translations
TURNS = 6  # NO_TURN, ONE_AXIS, TWO_AXES or BALL_TURN
OUTER_SLIDE = 7  # 1 if the axis of its slide is fixed in the outer body
TREE_JOINT = 8  # joint, whose reaction is reported; −1: none
TREE_REVERSED = 9  # 1 if the outer body is the joint's parent
FIRST_NODE, LAST_NODE = 10, 11  # nodes of the loops that end here: this link is the last common one of their bodies
HUB = 12  # first line in `schur` of what those loops add to its inertia; −1: nothing
FIRST_PATH, LAST_PATH = 13, 14  # of the loops that pass through its joint
FIRST_MEETING, LAST_MEETING = 15, 16
TREE_COLUMNS = 17
NO_TURN, ONE_AXIS, TWO_AXES, BALL_TURN = 0, 1, 2, 3

# Model.tree_vector
IN_INNER = 0  # 3, joint's point of the inner body, from its centre of mass, inner body's axes [m]
CENTRE = 3  # 3, outer body's centre of mass from the joint's point, outer body's axes [m]
SLIDE_AXES = 6  # 9, up to three axes, in the axes of the body that carries them
INNER_AXIS = 15  # 3, first axis of rotation, inner body's axes
OUTER_AXIS = 18  # 3, second axis of rotation, outer body's axes
TURN_INNER = 21  # 27, three matrices: rotation of the outer against the inner body = X + cos θ Y + sin θ Z
TURN_OUTER = 48  # 27, likewise about the second axis
TREE_VECTOR_COLUMNS = 75

# Model.path: a loop that passes through the joint of a link
PATH_ROW = 0  # first row of the loop
PATH_ROWS = 1
PATH_PULL = 2  # first line in `schur` of its pull K on the link
PATH_NEXT = 3  # the same on the next link inwards; −1: the ground

# Model.grip: where a loop takes hold of a link
GRIP_LINK = 0
GRIP_ROW = 1
GRIP_ROWS = 2
GRIP_SIDE = 3  # 0: the loop's parent, 1: its child
GRIP_PULL = 4  # first line in `schur`

# Model.meeting: two loops that pass through the same joint: target += (Sᵀ K₁) (Sᵀ K₂)ᵀ / D
MEETING_FIRST = 0  # path
MEETING_SECOND = 1
MEETING_TARGET = 2  # first line in `schur`

# Model.shared: rows of two pins that hold the same node of a flexible body
SHARED_FIRST = 0
SHARED_SECOND = 1
SHARED_LINE = 2  # their place in `schur`
SHARED_COLUMN = 3
SHARED_CARRIER = 4  # line of the node in `Work.body`

# Model.node: a joint with its drives, or a link; one line more than there are nodes
NODE_ROWS = 0  # rows in use
NODE_DIAGONAL = 1  # first line of the diagonal block in `schur`
NODE_ENTRY = 2  # first entry below the diagonal
NODE_UPDATE = 3  # first update
NODE_HUB = 4  # relative coordinates: first line in `schur` of its pull on the link where its loop ends; −1: ground

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

# kinds of compliant joint (elements/table.py)
DRY = 0  # clearance, contact and friction
LUBRICATED = 1  # clearance with a film, and perhaps contact below a smallest film
RADIAL_BUSHING = 2  # spring and damper between two points
BUSHING = 3  # stiffness and damping matrices on what a joint holds, its free axes left free
SURFACE = 4  # contact pressure over two surfaces (gudgeon.surface_contact)
PLANE = 5  # a point and a plane: the corner or node of a slider, and a wall of its guide
OWN_MODEL = 6  # a user's model: its functions of the motion seen from the socket
PART = 7  # an element that a model names (models/part.py), one of several of a joint perhaps
STOP = 20  # an end of the way of a joint coordinate
RUBBING = 21  # friction in an ideal joint, or in a thread
COUPLED = 22  # an effort on a sum of joint coordinates: elastic gears and the like
CURVED_BUSHING = 23  # a bushing with force–displacement curves

# Model.compliant (KIND as above): a joint that acts by forces; body i has the socket, body j the ball
SOCKET = 1  # body
BALL = 2  # body
COMPLIANT_JOINT = 3  # joint
UNKNOWN = 4  # first of its unknown forces in the implicit solver
UNKNOWNS = 5  # 3: force; 2: its x and y; 6: force and torque, or force and rate of the bristles
BRISTLE = 6  # place of its bristle state in y; −1: none
WORK_STATE = 7  # place of its dissipated energy in y
CONTACT_CALL = 8  # how the law is called (kernels/elements/laws.py), its C address, the address of its parameters
FRICTION_CALL = 11
FILM_CALL = 14
BALL_ON_CHILD = 17  # 1 if the ball belongs to the child
SURFACE_FUNCTION = 18  # C address of the function that integrates over the surfaces
SURFACE_TABLE = 19  # address of its table of arrays
FORCE_FUNCTION = 20  # address of the physics that gives its force (elements/table.py)
OWN_WRENCH = 21  # addresses of a user's functions (models/force_model.py), 0: not written; and of their parameters
OWN_PARAMETERS = 22
GAP_FUNCTION = 23  # address of what tells how deep its contact is; 0: it has none
SLOPES_FUNCTION = 24  # address of the derivatives of its force; 0: by differences
REPORT_FUNCTION = 25  # address of what it tells of itself
HAS_TORQUE = 26  # 1: a torque acts besides the force
ALWAYS_ACTS = 27  # 1: it pushes without touching too
VIEW = 28  # what its physics sees of the motion: one of those below
STICKS = 29  # 1: a node that sticks to its wall and slides on it by itself
CHILD_BODY = 30  # body that is the joint's child
OWN_GAP, OWN_CONTACT, OWN_STORED = 31, 32, 33  # as OWN_WRENCH
HARD_CONTACT = 34  # 1: a unilateral constraint with impacts, no law
SET_VALUED = 35  # 1: its friction sticks
KEEP_FUNCTION = 36  # address of what keeps its searches for the next step; 0: it has none
STOP_TURN = 37  # turn state of a stop of an angle; two, of what is COUPLED
COUPLED_MEASURE = 39  # 2, measures of the coordinates; −1: none
RUB = 41  # of RUBBING: its line of `Model.rubbing`; −1: none; the rest too is of RUBBING
RUB_LOAD = 42  # what presses it: one of those below
RUB_SLIDES = 43  # in how many directions it slides
RUB_MEASURES = 44  # 2 joint coordinates that slide; −1: none
RUB_ENDS = 46  # 4 bodies: parent and child of these
RUB_CARRIER = 50  # body in whose axes, and about whose point, its load is told
RUB_BLOCK = 51  # first block of its joint, or of its coupling
RUB_BLOCKS = 52  # how many; 0: its joint is in the tree
RUB_LINK = 53  # link that its joint carries; 0: none
RUB_REVERSED = 54  # 1 if that is the joint's parent
POSE_FUNCTION = 55  # address of what writes the pose that HIDDEN_FUNCTION reads; 0: it reads none
HIDDEN_FUNCTION = (
    56  # address of the bound on the depth between two looks; 0: the depth is a convex function of the pose
)
TURNS_FREELY = 57  # 1: a turn of the ball about z of its axes does not change its gap
COMPLIANT_COLUMNS = 58

# Model.compliant, RUB_LOAD
BEARING = 0  # two bearing forces a length apart, and a thrust; the ends of a guide, and its roll
BALL_BEARING = 1  # the whole force
THREAD = 2  # the effort of a coupling

# Model.compliant, VIEW: which columns of `local` are set
POINTS_ONLY = 0  # eccentricity, its rate, angular velocities; bristles and the socket body's FRAME where there are some
WITH_FRAMES = 1  # besides these FRAME and BALL_FRAME, of the bodies; TURN zero
FROM_SOCKET = 2  # everything as the socket's body sees it; FRAME and BALL_FRAME are the joint's axes

# Model.compliant_vector
IN_SOCKET = 0  # 3, socket's centre, body axes [m]
IN_BALL = 3  # 3, ball's centre, body axes [m]
SOCKET_RADIUS = 6  # [m]
BALL_RADIUS = 7  # [m]
CLEARANCE = 8  # c [m]; inf for bushings; of surfaces and users' models a length that their gap has
FREE_PATH = 9  # eccentricity at which contact begins [m]; inf where there is none
SMALLEST_IMPACT = 10  # δ̇⁽⁻⁾ is not taken below this [m/s]
STIFFNESS = 11  # [N/m]
MOST_TILT = 11  # of a part: tan of the angle between the axes beyond which its physics does not hold; inf: any
DAMPING_TIME = 12  # [s]
BRISTLE_STIFFNESS = 13  # σ0 [1/m]
BRISTLE_DAMPING = 14  # σ1 [s/m]
BRISTLE_VISCOUS = 15  # σ2 [s/m]
SMALLEST_FILM = 16  # film thickness at which the law ends [m]
SOCKET_AXES = 17  # 9, rotation from the socket body's axes to the joint's axes
BALL_AXES = 26  # 9, likewise of the ball
NUMBERS = 35  # 72, of an element that a model names: its file says which
NUMBERS_COUNT = 72
STIFFNESS_MATRIX = 35  # 36, on displacement and rotation vector, joint's axes; of bushings
DAMPING_MATRIX = 71  # 36
HELD_TURNS = 107  # rotations that the joint holds: 3, 2 or 1
MU_STATIC = 108  # of set-valued friction [-]
MU_KINETIC = 109
REBOUND = 110  # Newton's restitution of hard contact, across and along [-]
REBOUND_ALONG = 111
STOP_AT = 112  # limit of a joint coordinate [rad or m]
STOP_SIDE = 113  # +1: from above, −1: from below; of what is COUPLED 0: both, a spring
STOP_SIGN = 114  # −1 where the axis belongs to the child: the coordinate is that of the parent against it
STOP_IS_ANGLE = 115  # 1: an angle, 0: a displacement
RUB_WEIGHTS = 35  # 4, of RUBBING: speed of sliding per rate of its two coordinates, in each of two directions [m or 1]
RUB_RADIUS = 39  # of a ball [m]
RUB_INVERSE_LENGTH = 40  # 1/L of the bearing or guide; 0: moments do not press it [1/m]
RUB_ROLL = 41  # sum of the normal forces per moment about the axis [1/m]
RUB_THRUST = 42  # radius of the thrust bearing against that of the bearing; 0: a thrust does not rub [-]
RUB_SCALE = 43  # normal force of a thread per effort along its axis [-]
SUM_RATIO = 116  # 2, c₁ and c₂
SUM_STIFFNESS = 118  # of a spring without backlash
SUM_DAMPING = 119
SUM_PERIOD = 120  # of the sum where whole turns of its angles change it; 0: none
SUM_TURNS = 121  # 2, turns of both that change the sum by a period
BUSHING_CURVES = 123  # 6, places of curves in `Model.table`; −1: none
SWING = 129  # distance from P_j of the farthest point of the ball that can touch [m]
COMPLIANT_VECTOR_COLUMNS = 130

# Work.contact: the discrete state of a compliant joint, or of a point at its wall
MODE = 0  # FLIGHT, TOUCHING or GRAZING
IMPACT_SPEED = 1  # δ̇⁽⁻⁾ as laws are given it: as it was at the begin, or the largest δ̇ since [m/s]
BEGIN = 2  # [s]
PEAK = 3  # largest normal force of this contact [N]
WORK_BEGIN = 4  # dissipated energy when it began [J]
MICRO = 5  # micro-impacts in a row
FIRST_STEP = 6  # of the last contact [s]
ONSET_SPEED = 7  # δ̇⁽⁻⁾ as it was at the begin [m/s]
TAKEN = 8  # energy that the contact of a point has taken [J]
IMPULSE = 9  # its normal impulse [N·s]
CONTACT_COLUMNS = 10
FLIGHT, TOUCHING, GRAZING = 0.0, 1.0, 2.0
REMEMBERED = 10.0  # added to the mode with which a state that is continued enters a run

# Work.local: the motion of a compliant joint, the input of its law
ECCENTRICITY = 0  # 3, P_j − P_i [m]
RATE_OF = 3  # 3, its rate; of RUBBING: sliding, direction by direction [m/s]
OMEGA_SOCKET = 6  # 3 [rad/s]
OMEGA_BALL = 9  # 3 [rad/s]; these three as the socket's body sees them where VIEW says so, world axes
BRISTLES = 12  # 3, socket's axes [m]; of a stop the counted angle [rad]
TURN = 15  # 3, a turn of the ball beyond BALL_FRAME, world axes [rad]
FRAME = 18  # 9, rotation from the socket body's, or the joint's, axes to the world
BALL_FRAME = 27  # 9, the same of the ball
LOAD = 18  # 6, of RUBBING: force and torque of the joint's rows on its child, axes of RUB_CARRIER [N, N·m]
LOCAL_COLUMNS = 36

# Work.force: what the law gives, on the ball
FORCE_ON_BALL = 0  # 3, at the point X; of RUBBING: along its directions of sliding [N]
TORQUE_ON_BALL = 3  # 3, besides the force [N·m]; the rate of the bristles where there are some [m/s]
ARM_OF = 6  # 3, X − P_i, P_i the socket's centre [m]
NORMAL = 9  # normal force of the contact [N]
POWER = 10  # dissipated [W]
FORCE_COLUMNS = 11

# Work.force, as GAP_FUNCTION leaves it
DEPTH = 0  # how deep the contact is pressed in; negative: its gap [m]
DEPTH_RATE = 1  # [m/s]

# Work.report: what a joint that acts by forces does, besides what `local` and `force` hold
REPORT_PENETRATION = 0  # [m]
REPORT_NORMAL = 1  # [N]
REPORT_FRICTION = 2  # 3, on the ball, world axes [N]
REPORT_SLIDING = 5  # 3, of the ball against the socket where they touch, world axes [m/s]
REPORT_FILM = 8  # force of a film towards the centre [N]
REPORT_CONTACT = 9  # 1: it touches
REPORT_AREA = 10  # [m²]
REPORT_PRESSURE = 11  # largest [Pa]
REPORT_STORED = 12  # energy [J]
REPORT_RATE = 13  # of the penetration [m/s]; of points at walls
REPORT_POWER = 14  # dissipated [W]; nan: what its force takes beyond that at rest
REPORT_OWN = 15  # REPORT_OWN_COUNT, the outputs that an element declares (elements/table.py)
REPORT_OWN_COUNT = 16
REPORT_COLUMNS = 31

# Work.solved: whether Implicit solves for a load
SOLVED, IDLE = 1.0, 0.0  # it does; not now, it is soft

# Work.body
POSITION = 0  # 3, p_WB
ROTATION = 3  # 9, R_WB
VELOCITY = 12  # 3
OMEGA = 15  # 3
WORLD_TENSOR = 18  # 9, in world axes: inverse inertia (absolute coordinates) or inertia (relative coordinates)
APPLIED = 27  # 6, applied force and torque, gyroscopic torque included
ACCELERATION = 33  # 6, v̇ and ω̇
CHANGE = 39  # 6, displacement and turn that belong to a small change of the state
BODY_COLUMNS = 45

# Work.bend: bounds on the motion of a body during the last step
BEND_ACCELERATION = 0  # of its centre of mass [m/s²]
BEND_SPIN = 1  # angular velocity [rad/s]
BEND_SPIN_RATE = 2  # angular acceleration [rad/s²]
BEND_POINT = 3  # acceleration of the joint's point of its link; relative coordinates [m/s²]
BEND_COLUMNS = 4

# Work.link, world axes; C is the joint's point of the link
LINK_POINT = 0  # 3, C [m]
LINK_CENTRE = 3  # 3, centre of mass − C [m]
LINK_ARM = 6  # 3, C − C of the inner link [m]
LINK_SPEED = 9  # 3, velocity of C [m/s]
LINK_BIAS = 12  # 6, acceleration of C and of rotation that comes from velocities alone
LINK_INERTIA = 18  # 21: A (6), B (9), J (6) of the articulated body, f = A a + B α, τ = Bᵀ a + J α about C
LINK_BIAS_FORCE = 39  # 6, what the bias takes to accelerate
LINK_FORCE = 45  # 6, force and torque about C that holds the articulated body still
LINK_ACCELERATION = 51  # 6, of C and of rotation
LINK_COLUMNS = 57

# Work.freedom: one line per velocity, relative coordinates
FREE_AXIS = 0  # 3, world axes
FREE_PULL = 3  # 6, U = inertia · S
FREE_INVERSE = 9  # 1 / (S·U)
FREE_PART = 10  # u: effort that is left for it
FREE_ACCELERATION = 11  # [rad/s² or m/s²]
FREE_COLUMNS = 12

# Work.row
RESIDUAL = 0  # Φ
RATE = 1  # Φ̇
GAMMA = 2  # Φ_q v̇ must equal this
PIVOT = 3  # D
INVERSE_PIVOT = 4  # 0 where the pivot vanishes
DIAGONAL = 5  # of S before elimination; in relative coordinates of the loop's two bodies alone, as if free
PULL = 6  # E d in the refinement of λ
OWN = 7  # relative coordinates: diagonal of L before elimination
ROW_COLUMNS = 8


class Model(Record):
    """Everything that stays constant during a run; columns as named above.

    What only one formulation needs is empty in the other.
    """

    engine = integers(1)  # (ENGINE_SIZE) addresses of what a mechanism can be asked, see engine.py
    settings = numbers(1)  # (8)
    layout = integers(1)  # (3) integers
    velocity = integers(2, 2)  # (velocities, 2) integers
    body = numbers(2, 20)  # (bodies + 1, 20)
    block = integers(2, BLOCK_COLUMNS)  # (blocks, BLOCK_COLUMNS) integers
    block_vector = numbers(2, 6)  # (blocks, 6)
    measure = integers(2, MEASURE_COLUMNS)  # (measures, MEASURE_COLUMNS) integers
    measure_vector = numbers(2, 18)  # (measures, 18)
    curve = integers(2, CURVE_COLUMNS)  # (curves, CURVE_COLUMNS) integers
    curve_table = numbers(1)  # all curves, one after the other
    load = integers(2, LOAD_COLUMNS)  # (loads, LOAD_COLUMNS) integers
    load_vector = numbers(2, 6)  # (loads, 6)
    effort = integers(2, EFFORT_COLUMNS)  # (loads that depend on the motion, EFFORT_COLUMNS) integers
    turn = integers(1)  # (turns) measure of each counted angle
    crossing = integers(2, CROSSING_COLUMNS)  # (crossings, CROSSING_COLUMNS) integers
    crossing_vector = numbers(2, 7)  # (crossings, 7)
    program_ops = integers(1)
    program_operands = numbers(1)
    program_addresses = integers(1)
    program_starts = integers(1)
    table = numbers(1)  # all tables, one after the other (kernels/functions/tables.py)
    signal = integers(2, SIGNAL_COLUMNS)  # (lines, SIGNAL_COLUMNS) integers
    signal_vector = numbers(2, SIGNAL_VECTOR_COLUMNS)  # (lines, SIGNAL_VECTOR_COLUMNS)
    control_rate = integers(1)  # (states of controllers) place in `Work.signal` of the rate of each
    sampled = integers(2, SAMPLED_COLUMNS)  # (sampled controllers, SAMPLED_COLUMNS) integers
    sampled_vector = numbers(2, 2)  # (sampled controllers, 2)
    assigned = integers(2, ASSIGNED_COLUMNS)  # (lines, ASSIGNED_COLUMNS) integers, in the order of their use
    switch = integers(2, SWITCH_COLUMNS)  # (switches, SWITCH_COLUMNS) integers
    switch_vector = numbers(2, 2)  # (switches, 2)
    switched = integers(2, SWITCHED_COLUMNS)  # (lines, SWITCHED_COLUMNS) integers
    node = integers(2, 5)  # (nodes + 1, 5) integers
    entry = integers(2, 3)  # (entries, 3) integers
    update = integers(2, 5)  # (updates, 5) integers
    pair = integers(2, 6)  # (pairs, 6) integers; absolute coordinates
    pair_scale = numbers(1)  # (pairs) 1 / share of the body; absolute coordinates
    compliant = integers(2, COMPLIANT_COLUMNS)  # (compliant joints, COMPLIANT_COLUMNS) integers
    compliant_vector = numbers(2, COMPLIANT_VECTOR_COLUMNS)  # (compliant joints, COMPLIANT_VECTOR_COLUMNS)
    tree = integers(2, TREE_COLUMNS)  # (links + 1, TREE_COLUMNS) integers; this and the rest: relative coordinates
    tree_vector = numbers(2, TREE_VECTOR_COLUMNS)  # (links + 1, TREE_VECTOR_COLUMNS)
    path = integers(2, 4)  # (paths, 4) integers
    grip = integers(2, 5)  # (grips, 5) integers
    meeting = integers(2, 3)  # (meetings, 3) integers
    shared = integers(2, 5)  # (pairs of rows, 5) integers
    rubbing = integers(1)  # (rubs) lines of `compliant` that are friction in ideal joints
    flexible = Flexible()  # flexible bodies
    points = Points()  # at walls, and pins, whose forces a nonsmooth step solves for


class Work(Record):
    """Scratch space, and the results of the last evaluation."""

    body = numbers(2, BODY_COLUMNS)  # (bodies + 1 + carriers, BODY_COLUMNS): what joints and loads act on
    jacobian = numbers(2, 6)  # (2 rows, 6)
    weighted = numbers(2, 6)  # (2 rows, 6) M⁻¹ Jᵀ, row by row; absolute coordinates
    row = numbers(2, ROW_COLUMNS)  # (rows, ROW_COLUMNS)
    multiplier = numbers(1)  # (rows) λ
    increment = numbers(1)  # (rows) of λ in its refinement
    schur = numbers(2, 6)  # (lines, 6) lower blocks of S, then L
    constant_schur = numbers(2, 6)  # (lines, 6) the part of S that does not change; absolute coordinates
    scaled = numbers(2, 6)  # (lines, 6) L D
    gradient = numbers(1)  # (15) of the last measure: parent's (v, ω), child's (v, ω); of curves also value, rate, bias
    solved = numbers(1)  # (efforts) lines of `effort`: SOLVED or IDLE
    effort = numbers(1)  # (efforts + 1) of loads that are solved for, world axes; first: 1 while they are given
    stack = numbers(1)  # (40) of the expression machine
    signal = numbers(1)  # (numbers) of all lines of `Model.signal`
    control = numbers(1)  # (controls) of the state whose kinematics is held, where rows depend on them
    contact = numbers(2, CONTACT_COLUMNS)  # (compliant joints, then points at walls, CONTACT_COLUMNS) discrete states
    local = numbers(2, LOCAL_COLUMNS)  # (compliant joints + 1, LOCAL_COLUMNS); the last line is for trials
    force = numbers(2, FORCE_COLUMNS)  # (compliant joints + 1, FORCE_COLUMNS); the last line is for trials
    report = numbers(1)  # (REPORT_COLUMNS) of the joint last asked
    bend = numbers(2, BEND_COLUMNS)  # (bodies + 1 + carriers, BEND_COLUMNS), where something can touch
    link = numbers(2, LINK_COLUMNS)  # (links + 1, LINK_COLUMNS); this and the rest: relative coordinates
    freedom = numbers(2, FREE_COLUMNS)  # (velocities, FREE_COLUMNS)
    reach = numbers(2, 6)  # (6 paths, 6) Sᵀ K: one line per freedom of the joint, one column per row of the loop
    rubbing = RubbingWork()
    flexible = FlexibleWork()
    points = PointWork()


def signal_size(lines: np.ndarray) -> int:
    """How many numbers these lines of signals have."""
    return sum(line[SIGNAL_AGAINST] if line[KIND] == VECTOR_SIGNAL else SIGNAL_WIDTH[line[KIND]] for line in lines)


def new_work(model: Model, row_count: int, schur_lines: int) -> Work:
    """Scratch space."""
    joints = len(model.compliant)
    body = np.zeros((len(model.body) + len(model.flexible.carrier), BODY_COLUMNS))
    body[0, ROTATION : ROTATION + 9] = np.eye(3).reshape(-1)
    links, paths = len(model.tree), len(model.path)
    bodies = 0 if links else 1
    return Work(
        body=body,
        jacobian=np.zeros((2 * row_count, 6)),
        weighted=np.zeros((bodies * 2 * row_count, 6)),
        row=np.zeros((row_count, ROW_COLUMNS)),
        multiplier=np.zeros(row_count),
        increment=np.zeros(row_count),
        schur=np.zeros((schur_lines, 6)),
        constant_schur=np.zeros((bodies * schur_lines, 6)),
        scaled=np.zeros((schur_lines, 6)),
        gradient=np.zeros(15),
        solved=np.zeros(len(model.effort)),
        effort=np.zeros(1 + int(model.effort[:, EFFORTS].sum())),
        stack=np.zeros(40),
        signal=np.zeros(signal_size(model.signal)),
        control=np.zeros(model.layout[CONTROLS] if len(model.switched) else 0),
        contact=np.zeros((joints + len(model.points.wall), CONTACT_COLUMNS)),
        local=np.zeros((joints + 1, LOCAL_COLUMNS)),
        force=np.zeros((joints + 1, FORCE_COLUMNS)),
        report=np.zeros(REPORT_COLUMNS),
        bend=np.zeros((len(body) if joints or len(model.crossing) else 0, BEND_COLUMNS)),
        link=np.zeros((links, LINK_COLUMNS)),
        freedom=np.zeros((len(model.velocity), FREE_COLUMNS)),
        reach=np.zeros((6 * paths, 6)),
        rubbing=new_rubbing_work(len(model.rubbing), 6 * len(body) + len(model.velocity) + row_count),
        flexible=new_flexible_work(model.flexible),
        points=new_point_work(model.points),
    )


MODEL, WORK = Model.record_type, Work.record_type
