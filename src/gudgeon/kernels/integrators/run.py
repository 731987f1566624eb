"""What a run in progress remembers, whichever method takes its steps.

All of it lives in arrays, so that compiled code can return to Python after a number of steps (progress bar, Ctrl-C)
and go on later with the very same next step.
"""

from __future__ import annotations

from gudgeon.kernels.build.compiled import inlined
from gudgeon.kernels.build.records import Record, integers, numbers

# what `advance` returns
DONE, MORE, UNDERFLOW, NOT_A_NUMBER, STOPPED, FULL, FILM_CLOSED, BALL_LOST = 0, 1, 2, 3, 4, 5, 6, 7
RESIZE = 8  # another step size is wanted, whose matrices are not there yet
NO_PROGRESS = 9  # see standstill.py
ENERGY_CREATED = 10  # by an impact law
PAUSE = 12  # the end of the run would cut the next step short: said once, so that a state can be kept
UNSOLVED = 11  # no force of a compliant joint was found that its law gives at the end of a step

# places in Flight.clock
TIME, STEP, END, RTOL, ATOL, LARGEST_STEP, PROJECTION_TOLERANCE, LAST_ERROR, LAST_STEP = 0, 1, 2, 3, 4, 5, 6, 7, 8
AIM = 9  # exact length of the next step, which ends at a contact event; 0: none [s]
BEFORE_EVENT = 10  # step size before steps were cut to reach an event [s]
OPEN = 11  # after a step that leaves joints open by more than this the state is projected [m or rad]
SEEN_TIME = 12  # when attempts were last counted (standstill.py) [s]
INSTANT = 13  # which no step goes across (instants.py); inf: none [s]
CLOCK_SIZE = 14

LONGEST_FIRST_STEP = 2e-5  # that a solver chooses, however long a run is: one that is cut begins like the whole [s]

# places in Flight.count
STEPS, REJECTED, EVALUATIONS, SAMPLED, CROSSED, STARTED, PROJECTION, JUST_REJECTED = 0, 1, 2, 3, 4, 5, 6, 7
CONTACTS = 8  # lines of `contacts` in use
AIM_JOINT = 9  # compliant joint whose event the next step aims at
AIM_TRIES = 10
CULPRIT = 11  # compliant joint that ended the run; line of `Work.contact` where an impact law did
PROJECTIONS = 12  # steps after which the state was projected
IN_VAIN = 13  # attempts since a step was last accepted
ATTEMPTS = 14  # at a step, since they were last counted
SEEN_STEPS, SEEN_REJECTED, SEEN_CONTACTS = 15, 16, 17  # what the counts were then
ROOM = 18  # lines of `contacts` that one step may need
PAUSED = 19  # 1 after PAUSE
CUT = 20  # 1: the next step ends at INSTANT
TRIGGER = 21  # crossing that turns its switch at INSTANT; −1: none
SWITCHINGS = 22  # lines of `switchings` in use
GREW = 23  # 1: a contact has become faster in the last step, and its law another one
LOOKED = 24  # 1: the look at the end of the last step is the one at the begin of the next
COUNT_SIZE = 25

# columns of Flight.contacts
CONTACT_LINE = 0  # of `Work.contact`
CONTACT_BEGIN, CONTACT_END, CONTACT_SPEED, CONTACT_PEAK, CONTACT_LOSS = 1, 2, 3, 4, 5
FASTER = 6  # 1: no contact, but what tells the largest δ̇ of one from CONTACT_BEGIN on
CONTACT_IMPULSE = 7  # normal [N·s]; nan: not known
CONTACT_TABLE_COLUMNS = 8

# columns of Flight.switchings
SWITCHING_TIME, SWITCHING_OF, SWITCHING_STATE, SWITCHING_LOSS = 0, 1, 2, 3
SWITCHING_COLUMNS = 4
MOST_ROUNDS = 20  # of switches that turn each other at one instant

# columns of Flight.control: of the states of controllers
CONTROL_SCALE = 0  # below which errors do not matter, as the user says; 0: not said
CONTROL_SIZE = 1  # largest so far
CONTROL_COLUMNS = 2

# columns of Flight.looks and Flight.way
GAP, GAP_RATE, LOOK_FORCE = 0, 1, 2
POSE = 3  # 7, what HIDDEN_FUNCTION of the line needs
BEND = 10  # ½ h² times the bound on the second derivative of displacements in the socket's axes [m]
BEND_TURN = 11  # the same of directions [rad]
AT = 12  # fraction of the step
LOOK_COLUMNS = 13

LOOKS = 16  # places within a step, or a part of it, where crossings are looked for
CONTACT_LOOKS = 6  # intervals of a step at whose ends contacts that touch are looked at
HALVINGS = 48  # of a step, at most, until an interval proves free of contact
MOST_WINDOWS = 64  # parts of a step with LOOKS looks each
SCRATCH = LOOKS + 1  # line of Flight.gaps used while a crossing is located
START = LOOKS + 2  # that with the gaps at the start of the step


class Flight(Record):
    """The state of a run in progress."""

    clock = numbers(1)  # (CLOCK_SIZE) see above
    count = integers(1)  # (COUNT_SIZE) see above
    y = numbers(1)  # (n) state at clock[TIME]
    y_new = numbers(1)  # (n)
    y_stage = numbers(1)  # (n)
    dense = numbers(2)  # (terms, n) polynomial of the last step
    times = numbers(1)  # (samples) [s]
    samples = numbers(2)  # (samples, n)
    force_samples = numbers(2)  # (samples, unknowns) forces of compliant joints; (0, 0) if the law is to be asked
    end_force = numbers(1)  # (unknowns) the same where a crossing stops the run
    gaps = numbers(2)  # (LOOKS + 3, crossings)
    crossing_time = numbers(1)  # (capacity) [s]
    crossing_which = integers(1)  # (capacity)
    looks = numbers(3, LOOK_COLUMNS)  # (CONTACT_LOOKS + 2, compliant joints, LOOK_COLUMNS)
    way = numbers(2, LOOK_COLUMNS)  # (HALVINGS + 2, LOOK_COLUMNS) looks at one contact in flight
    hardest = numbers(1)  # (n) bounds on |ẏ| of velocities during the step
    contacts = numbers(2, CONTACT_TABLE_COLUMNS)  # (capacity, CONTACT_TABLE_COLUMNS)
    switchings = numbers(2, SWITCHING_COLUMNS)  # (capacity, SWITCHING_COLUMNS)
    control = numbers(2, CONTROL_COLUMNS)  # (states of controllers, CONTROL_COLUMNS)


FLIGHT_RECORD = Flight.record_type


@inlined
def copy(source, target):
    """target = source."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@inlined
def is_full(m, f):
    """Is there too little room left for the events of one step?"""
    crossings = f.gaps.shape[1]
    if crossings > 0 and f.count[CROSSED] + 2 * MOST_WINDOWS * LOOKS * crossings > f.crossing_time.shape[0]:
        return True
    if f.count[SWITCHINGS] + MOST_ROUNDS * m.switch.shape[0] > f.switchings.shape[0]:
        return True
    return f.count[CONTACTS] + f.count[ROOM] > f.contacts.shape[0]


@inlined
def control_tolerance(f, k, rtol, atol, x, x_new):
    """What a step may err by in state k of the controllers, which goes from x to x_new."""
    size = max(abs(x), abs(x_new), f.control[k, CONTROL_SIZE])
    scale = f.control[k, CONTROL_SCALE]
    return rtol * max(size, scale) if scale > 0.0 else rtol * size + atol


@inlined
def note_sizes(f, first):
    """The sizes of the states of controllers, which begin at `first` in the state."""
    for k in range(f.control.shape[0]):
        f.control[k, CONTROL_SIZE] = max(f.control[k, CONTROL_SIZE], abs(f.y[first + k]))
