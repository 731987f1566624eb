"""What a nonsmooth time step remembers and needs: rows of unknown forces, their responses, modes of the contacts."""

from __future__ import annotations

from gudgeon.fem.kernels import Factor
from gudgeon.kernels.build.records import Record, integers, numbers
from gudgeon.kernels.dynamics.response import Push

RESTS = 1e-3  # gap of a hard contact that rests, by the errors of steps, of its play

# modes of a point across its wall
OPEN, CLOSED, REACHING = 0, 1, 2  # REACHING: its gap just closes at the end of the step, where a law jumps
# and along it
STICKING, FORWARD, BACKWARD = 0, 1, -1

# Stepper.count
ITERATIONS = 0  # of the contact problem, all together
FAILURES = 1  # steps in which it did not settle
WANTED = 2  # step size wanted: halvings of the coarsest
LEVEL = 3  # step size in use
CALM = 4  # steps since the last reduction
SOLVED = 5  # contact problems
TOO_LONG = 6  # steps cut because a point would have crossed its clearance
EXTRAPOLATED = 7  # steps of second order
IMPACTS = 8  # impacts located
BRIEFEST = 9  # steps of the briefest contact of a dry joint; 0: there was none
BRIEFEST_JOINT = 10  # and the joint
HITS = 11  # impacts located in the present window
UNSOLVED_JOINT = 12  # compliant joint whose law was farthest from being met, of the last step
STRUCK_CONTACT = 13  # contact (line of `Work.contact`) that an impact gave most energy to
FEWEST_WRONG = 14  # modes of ideal joints that rub, of the rounds of a step
PATIENCE = 15  # rounds left in which all of them are changed at once
COUNTS = 16

# Stepper.control
TOLERANCE_R, TOLERANCE_A = 0, 1  # of the step control; 0: none
WORST = 2  # largest residual of a contact problem, of the largest force [-]
DEEPEST = 3  # levels there are
WALL_MOVES = 4  # 1: a wall that nodes can touch is of a moving body
LONGEST = 5  # step, not halved [s]
WINDOW = 6  # end of the present window in which impacts are counted [s]
CREATED = 7  # energy that the last impact has created [J]
SHORTER = 8  # step that ends at an instant; 0: none [s]
CONTROLS = 9

# Stepper.row
ROW_RATE = 0  # γ at the begin of the step
ROW_FREE = 1  # γ without unknown forces
ROW_AFTER = 2  # γ at the end
ROW_LOAD = 3  # impulse
ROW_CHANGE = 4  # rate of γ without unknown forces
ROW_TRIED = 5  # compliant joints: γ about which the laws are linearised
ROW_BASE = 6  # γ without the forces of the compliant joints
ROW_TRIAL = 7  # γ on the way from ROW_TRIED to ROW_AFTER
ROW_COLUMNS = 8

# Stepper.tally: what points do at their walls in a step; line 0: the whole step, line 1: its two halves
TALLY_LOSS = 0  # energy they take [J]
TALLY_IMPULSE = 1  # normal [N·s]
TALLY_PEAK = 2  # largest normal force [N]
TALLY_COLUMNS = 3

# Stepper.path: an impact followed through its impulse (impulse_path.py)
PATH_RATE = 0  # γ
PATH_SLOPE = 1  # its change per parameter of the path
PATH_SHARE = 2  # impulse per parameter
PATH_SUM = 3  # impulse so far
PATH_ABSORBED = 4  # by normal impulses in compression [J]
PATH_BEFORE = 5  # γ before the impact
PATH_TOTAL = 6  # impulse of all paths
PATH_COLUMNS = 7

# Stepper.ball: a ball with hard contact or set-valued friction (ball_contact.py)
BALL_NORMAL = 0  # 3, outward
BALL_DIRECTION = 3  # 3, of sliding
BALL_TARGET = 6  # 3, velocity along the wall that sticking leads to [m/s]
BALL_SPEED = 9  # of sliding [m/s]
BALL_PUSH = 10  # normal impulse [N·s]; of ideal joints the mode they should have
BALL_SLIDES = 11  # 1: it slides, 0: it sticks; of ideal joints see rub_contact.py
BALL_SLID = 12  # 4, the same at the ends of the whole step and its halves, and at the begin
BALL_HELD = 16  # 1: it stays open because the step ends where it meets its wall
BALL_RESTED = 17  # 1: it touched at the begin of the step
BALL_CHANGES = 17  # of ideal joints, 1: their mode is to change
BALL_COLUMNS = 18


class Operator(Record):
    """M + h C + h² K of all flexible bodies, factorised, and its inverse at the nodes that touch something."""

    step = numbers(1)  # (1) h [s]
    factor = Factor()
    port = numbers(2)  # (ports, ports) inverse at the unknowns of contact and pin nodes
    D = numbers(2)  # (rows, rows) relative velocity of row r per impulse of row c, through the nodes


class Stepper(Record):
    """Scratch and memory of the time stepping scheme."""

    whole = Operator()
    half = Operator()
    count = integers(1)  # (COUNTS) integers
    control = numbers(1)  # (CONTROLS)
    orientation = numbers(2, 4)  # (followers, 4) reference orientations
    push = Push()  # force and torque on the two bodies per unit of each row, and what they do
    row_node = integers(1)  # (rows) integers: first unknown of its node; −1: none
    row_port = integers(1)  # (rows) integers: the same among the ports
    row_direction = numbers(2, 2)  # (rows, 2) on the node
    row = numbers(2, ROW_COLUMNS)  # (rows, ROW_COLUMNS)
    near = integers(1)  # (rows) integers: 1 if the row may carry force in this step
    held = integers(1)  # (contacts) integers: 1 if the contact stays open because the step ends where it closes
    D_bodies = numbers(2)  # (rows, rows) relative acceleration of row r per unit of row c, through rigid bodies
    on_bodies = integers(1)  # (rows) integers: 1 if the row acts on a rigid body
    acceleration = numbers(1)  # (n) rates of the velocities of the state without unknown forces
    force = numbers(1)  # (N) on the nodes, and of their elasticity
    stiffness = numbers(2)  # (N, N, padded) columns of K where nodes are few; otherwise (0, 0)
    velocity = numbers(1)  # (velocities) scratch
    node_velocity = numbers(1)  # (N) scratch
    node_load = numbers(1)  # (N) scratch
    solve_work = numbers(1)
    mode = integers(3, 2)  # (3, points, 2) integers: at the begin, after the whole step, after the half steps
    share = numbers(1)  # (contacts) normal impulses by which sticking contacts share friction
    slope = numbers(2, 3)  # (contacts, 3) linear contact law in a step: compliance, target, rate where it was taken
    index = integers(1)  # (rows) integers: rows that are unknown
    slip = numbers(1)  # (rows) sliding friction that comes with each unknown
    coupling = numbers(2)  # (rows, rows) relative velocity of each row per unknown
    matrix = numbers(2)  # (rows, rows)
    pivot = integers(1)  # (rows) integers
    x = numbers(1)  # (rows)
    y_whole = numbers(1)  # (n)
    y_half = numbers(1)  # (n)
    law = numbers(3, 8)  # (compliant joints, 6, 8) force of the law, its derivatives, in a step
    slopes = numbers(3, 6)  # (2, 6, 6) derivatives of a force by displacements, and by their rates
    power = numbers(2, 2)  # (compliant joints, 2) dissipated at the end of the step [W], normal force [N]
    ball = numbers(2, BALL_COLUMNS)  # (compliant joints, BALL_COLUMNS)
    ball_law = numbers(3, 7)  # (compliant joints, 3, 7) equations A Λ + B γ = c of balls: A, B, c
    rub_load = numbers(2, 6)  # (rubs, 6) loads of ideal joints that rub, without unknown forces
    R = numbers(2)  # (6 rubs, rows) their changes per unit of force of each row
    rub_slope = numbers(3)  # (rubs, 3, rows) change of friction by the loads per unit of impulse of each row
    pushed = numbers(2, 3)  # (compliant joints, 3) normal forces at the ends of the whole step and its halves [N]
    joint_mode = numbers(2, 2)  # (compliant joints, 2) mode and δ̇⁽⁻⁾ at the begin of the step
    touching = integers(1)  # (compliant joints) integers: steps since the contact began
    tally = numbers(3, TALLY_COLUMNS)  # (2, contacts, TALLY_COLUMNS)
    path = numbers(2, PATH_COLUMNS)  # (rows, PATH_COLUMNS)
    last_force = numbers(1)  # (rows) forces of the last step [N]
    control_rate = numbers(1)  # (c) rates of the states of controllers at the begin of a step
    control_slope = numbers(2)  # (c, c) and their derivatives by these
    control_matrix = numbers(2)  # (c, c)
    control_pivot = integers(1)  # (c) integers
    control_x = numbers(1)  # (c)


STEPPER = Stepper.record_type
