"""The wall between solvers and mechanics: what a mechanism can be asked, each by an address in `Model.engine`.

Everything behind the wall is compiled once, by itself, in the formulation of the run; solvers, events and outputs are
compiled once for all formulations. Which function stands behind each entry is told by engine_table.py.
All are functions of what they are given, of the memory of contacts in `Work`, and of nothing else; `Work` is otherwise
scratch, and holds what the function says.
"""

from __future__ import annotations

from gudgeon.kernels.build.calls import ask, call, count
from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.dynamics.arrays import FORCE_FUNCTION, KEEP_FUNCTION

(
    KINEMATICS,
    CHANGES,
    ACCELERATE,
    PREPARE,
    PROJECT,
    ANSWER,
    ROWS,
    FACTORISED_ROWS,
    SOLVE_ROWS,
    LOOP_ROWS,
    ARTICULATE_LINK,
    SWEEP,
    TREE_REACTIONS,
    APPLIED_FORCES,
    ACCELERATIONS,
    ACCELERATIONS_UNDER,
    RATE,
    RESPONSE,
    LOCAL_MOTION,
    NODE_ACCELERATIONS,
    GIVEN_POINT_FORCES,
    START_MODES,
    SWITCH_MODES,
    LOOK_AT,
    FIND_EVENT,
    REACHED,
    TRACK_PEAKS,
    CROSSING_GAPS,
    LONGEST_STEP,
    RECORD_CROSSINGS,
    PUSHED,
    SIGNALS,
    JOINT_LOADS,
    ANSWER_CHANGE,
    BALANCE,
    NEXT_INSTANT,
    CHANGE_AT,
    FIND_SWITCH,
    CURVES,
    ACCELERATE_FACTORISED,
    EFFORTS_OF_LOADS,
    BENDS,
) = range(42)
ENGINE_SIZE = 42


@inlined
def kinematics(m, w, y):
    """Positions, rotations and velocities of all bodies of the state y, into `w.body`."""
    call(m.engine[KINEMATICS], (m, w, y))


@inlined
def body_changes(m, w, y, dy):
    """Displacement and turn of every body that belong to a small change dy of the state; rotations as held in `w`."""
    call(m.engine[CHANGES], (m, w, y, dy))


@inlined
def accelerate(m, w, t):
    """Accelerations and multipliers under the forces held in `w`."""
    call(m.engine[ACCELERATE], (m, w, t))


@inlined
def accelerate_factorised(m, w, t):
    """The same where `w` holds the rows of this state, and their factors, in absolute coordinates."""
    call(m.engine[ACCELERATE_FACTORISED], (m, w, t))


@inlined
def prepare(m, w, t, y):
    """Rows of a state and what is needed to solve for their multipliers; returns the largest residual."""
    return ask(m.engine[PREPARE], (m, w, t, y))


@inlined
def move_onto_constraints(m, w, t, y, tolerance):
    """Positions by Newton's method, then velocities; mass-weighted."""
    call(m.engine[PROJECT], (m, w, t, y, tolerance))


@inlined
def answer(m, w, r, colour, c):
    """What the mechanism does under the unit forces c of all joints of a colour, into their lines of a Response."""
    call(m.engine[ANSWER], (m, w, r, colour, c))


@inlined
def answer_change(m, w):
    """What the mechanism does under the forces in CHANGE alone: accelerations and multipliers, into `w`."""
    call(m.engine[ANSWER_CHANGE], (m, w))


@inlined
def joint_loads(m, w, at):
    """What presses ideal joints that rub, into LOAD of their lines of `local`.

    For the accelerations and multipliers held in `w` under the forces in the columns from `at` on of the bodies.
    """
    call(m.engine[JOINT_LOADS], (m, w, at))


@inlined
def balance_friction(m, w):
    """Add friction in ideal joints to accelerations, multipliers and forces that `w` holds without it."""
    call(m.engine[BALANCE], (m, w))


@inlined
def pushed(m, w, p, r):
    """What the whole mechanism does under row r of the pushes p, into its line of W; the same state as `response`."""
    call(m.engine[PUSHED], (m, w, p, r))


@inlined
def all_rows(m, w, t):
    """All constraint rows at the kinematics held in `w`."""
    call(m.engine[ROWS], (m, w, t))


@inlined
def factorised_rows(m, w, t):
    """Absolute coordinates: all rows and the factors of S."""
    call(m.engine[FACTORISED_ROWS], (m, w, t))


@inlined
def solve_rows(m, w, x):
    """Absolute coordinates: overwrite x by S⁻¹ x, and subtract M⁻¹ Jᵀ of that from the accelerations."""
    call(m.engine[SOLVE_ROWS], (m, w, x))


@inlined
def loop_rows(m, w, t):
    """Relative coordinates: the rows of all loops and drives, and their pulls on their end links."""
    call(m.engine[LOOP_ROWS], (m, w, t))


@inlined
def articulate_link(m, w, k):
    """Relative coordinates: hand the inertia of link k and the loops that pass it on to its inner link."""
    call(m.engine[ARTICULATE_LINK], (m, w, k))


@inlined
def sweep(m, w, x, moving):
    """Relative coordinates: overwrite the right-hand sides x of the loops by their multipliers (sweep.py)."""
    call(m.engine[SWEEP], (m, w, x, moving))


@inlined
def tree_reactions(m, w, s, force, torque):
    """Relative coordinates: force and torque of every tree joint on its child at its joint point, at sample s."""
    call(m.engine[TREE_REACTIONS], (m, w, s, force, torque))


@inlined
def applied_forces(m, w, t, y):
    """All applied forces at the kinematics held in `w`."""
    call(m.engine[APPLIED_FORCES], (m, w, t, y))


@inlined
def efforts_of_loads(m, w, t, y, out):
    """The efforts of all loads that depend on the motion, at the kinematics held in `w`."""
    call(m.engine[EFFORTS_OF_LOADS], (m, w, t, y, out))


@inlined
def signals(m, w, t, y, last):
    """The first `last` lines of signals at the kinematics held in `w`; loads depend on USED_SIGNALS of them."""
    call(m.engine[SIGNALS], (m, w, t, y, last))


@inlined
def measure_on_curve(m, w, k):
    """Gradient, value, rate and bias of measure k, which is one of a curve, into `w.gradient`."""
    call(m.engine[CURVES], (m, w, k))


@inlined
def accelerations(m, w, t, y):
    """Accelerations and multipliers of a state, into `w`."""
    call(m.engine[ACCELERATIONS], (m, w, t, y))


@inlined
def accelerations_under(m, w, t, y, unknown):
    """Accelerations and multipliers of a state with given forces of the compliant joints, into `w`."""
    call(m.engine[ACCELERATIONS_UNDER], (m, w, t, y, unknown))


@inlined
def state_rate(m, w, t, y, y_rate):
    """ẏ of the state y."""
    call(m.engine[RATE], (m, w, t, y, y_rate))


@inlined
def response(m, w, r):
    """What the joints' own motions do under unit forces of all of them, at the state last evaluated in `w`."""
    call(m.engine[RESPONSE], (m, w, r))


@inlined
def local_motion(m, w, k, y):
    """The motion of compliant joint k into `w.local[k]`, from the kinematics held in `w`."""
    call(m.engine[LOCAL_MOTION], (m, w, k, y))


@inlined
def law_force(m, w, k, a, b):
    """The force of compliant joint k for the motion in line a of `local`, into line b of `force`: its own physics."""
    call(m.compliant[k, FORCE_FUNCTION], (m, w, k, a, b))


@inlined
def keep_searches(m, w):
    """A state has been accepted: what laws have found on their way there is where their next searches start."""
    for k in range(m.compliant.shape[0]):
        call(m.compliant[k, KEEP_FUNCTION], (m, w, k))


@inlined
def node_accelerations(m, w, y):
    """Accelerations of the nodes of flexible bodies at the kinematics held in `w`, under what acts on them."""
    call(m.engine[NODE_ACCELERATIONS], (m, w, y))


@inlined
def given_point_forces(m, w, y, unknown):
    """The same under given forces of points at walls and of pins, which act on bodies, too."""
    call(m.engine[GIVEN_POINT_FORCES], (m, w, y, unknown))


@inlined
def start_modes(m, w, f, t):
    """The modes of the contacts in the state a run starts from."""
    call(m.engine[START_MODES], (m, w, f, t))


@inlined
def switch_modes(m, w, f, t, which):
    """At the state `f.y`: joint `which` has its event (−1: none); returns whether a joint began or ended touching."""
    return count(m.engine[SWITCH_MODES], (m, w, f, t, which)) != 0


@inlined
def look_at(m, w, f, y, line):
    """Gaps, rates and normal forces of all watched joints at the state y, into a line of `looks`."""
    call(m.engine[LOOK_AT], (m, w, f, y, line))


@inlined
def bends(m, w, y, hardest, h):
    """Bounds on the motion of all bodies in the step of length h that ends at y, whose kinematics `w` holds."""
    call(m.engine[BENDS], (m, w, y, hardest, h))


@inlined
def find_event(m, w, f, h):
    """The fraction of the last step, of length h, at which its first contact event happens (2: none)."""
    return ask(m.engine[FIND_EVENT], (m, w, f, h))


@inlined
def reached(m, w, f, h):
    """Does the step of length h end at the event it aims at? See contact/events.py."""
    return count(m.engine[REACHED], (m, w, f, h))


@inlined
def track_peaks(m, w, f, look_again):
    """Update the largest normal force of every contact over the last step."""
    call(m.engine[TRACK_PEAKS], (m, w, f, look_again))


@inlined
def crossing_gaps(m, w, t, y, gaps):
    """Coordinate or signal − value for every crossing at the state y."""
    call(m.engine[CROSSING_GAPS], (m, w, t, y, gaps))


@inlined
def longest_step(m, w, y):
    """The longest step from the state y in which the looks at crossings are close enough."""
    return ask(m.engine[LONGEST_STEP], (m, w, y))


@inlined
def record_crossings(m, w, f, t, h):
    """Find all crossings in the last step; returns the fraction at which the run stops (2: it goes on)."""
    return ask(m.engine[RECORD_CROSSINGS], (m, w, f, t, h))


@inlined
def next_instant(m, w, y):
    """The next instant at which a sampled controller acts or a switch turns by the clock; inf: none."""
    return ask(m.engine[NEXT_INSTANT], (m, w, y))


@inlined
def change_at(m, w, f, t):
    """Everything that changes at the instant t, at the state `f.y`; returns whether anything did."""
    return count(m.engine[CHANGE_AT], (m, w, f, t)) != 0


@inlined
def find_switch(m, w, f, t, h):
    """The fraction of the last step at which a signal first turns a switch (2: none)."""
    return ask(m.engine[FIND_SWITCH], (m, w, f, t, h))
