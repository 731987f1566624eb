"""Which forces feel which: the tables of the sparse algebra in the forces of compliant joints.

They are made by mechanics/force_pattern.py, once for a run. Loads that are solved for are lines after the joints. A
force moves the velocities in its joint's columns, and no others; pairs are the joints that feel each other's forces;
joints of one colour move nothing in common, so that one answer of the mechanism tells what unit forces of all of them
do. Nodes are unknowns that are eliminated together.

Where many joints push one piece, each would feel all others. The accelerations of the bodies that they push are further
unknowns then, a node called hub (absolute coordinates): a joint on a hub feels the hub, and the hub feels the joint. So
do loads on it.
"""

from __future__ import annotations

from gudgeon.kernels.build.records import Record, integers

# Pattern.joint, a line for each compliant joint, then for each load that is solved for, and one after the last
W_AT = 0  # first number of its rows of W, one row of all its columns after the other
COLUMN = 1  # its first column; the last before those of the next joint
G_AT = 2  # first number of its rows of G; this and the next: relative coordinates
REACH = 3  # its first velocity in `reach`
SOCKET_LINK = 4  # line of the socket's body in the tree; 0: the ground
BALL_LINK = 5
PAIR = 6  # its first pair
OWN = 7  # first line of D that tells what its forces do to its own motion
NODE = 8  # to which its unknowns belong
WITHIN = 9  # its first unknown in the node
GRIP = 10  # its first grip
COLOUR = 11
JOINT_COLUMNS = 12

# Pattern.pair
ROW_JOINT = 0  # which feels the forces
COLUMN_JOINT = 1  # of this one
D_AT = 2  # first line of D; of a load: by velocities, then as many by positions
SOCKET_AT = 3  # of the row's socket: place of its velocities among the columns of the other joint; −1: not moved
BALL_AT = 4
BLOCK = 5  # first line of the block of the matrix, times the number of stages
PAIR_COLUMNS = 6

# Pattern.grip: of a joint on a hub, or of a load that pushes it or depends on its motion
HUB = 0  # node
HUB_AT = 1  # place of the velocities of the hub among the columns of the joint; −1: a load that does not push it
SOCKET_IN = 2  # of the joint's socket: place of its velocities among those of the hub; −1: it is not there
BALL_IN = 3
FROM_HUB = 4  # first line of the block in the row of the joint and the column of the hub, times the number of stages
TO_HUB = 5  # first line of the block in the row of the hub, likewise
HUB_SLOPES = 6  # of a load: first line of D, by velocities of the hub, six to a line; then by its positions
GRIP_COLUMNS = 7

# Pattern.node, a line for each node and one after the last
SIZE = 0  # unknowns of a stage
NODE_AT = 1  # of its first unknown, times the number of stages
DIAGONAL = 2  # first line of its own block, likewise
ENTRY = 3  # its first entry
UPDATE = 4  # its first update
NODE_COLUMNS = 5

# Pattern.entry, the nodes with which a node is coupled when its turn comes
ENTRY_NODE = 0
BELOW = 1  # first line of the block in its row and this column, times the number of stages
BESIDE = 2  # first line of the block in this row and its column, likewise
ENTRY_COLUMNS = 3

# Pattern.update: block −= (block in its row) · (block in its column)
TARGET = 0  # first lines, times the number of stages
LEFT = 1
RIGHT = 2
LEFT_SIZE = 3  # unknowns of a stage
RIGHT_SIZE = 4
UPDATE_COLUMNS = 5


class Pattern(Record):
    """Who feels whom, and where the numbers of that stand."""

    joint = integers(2, JOINT_COLUMNS)
    column = integers(1)  # velocities
    reach = integers(1)  # velocities on which the relative motion of a joint depends; relative coordinates
    colour = integers(1)  # (colours + 1) first place in `colour_joint`
    colour_joint = integers(1)
    pair = integers(
        2, PAIR_COLUMNS
    )  # in order of rows, then of columns; then joints on hubs with themselves, hubs included
    grip = integers(2, GRIP_COLUMNS)  # in order of the joints
    node = integers(2, NODE_COLUMNS)  # in order of elimination, island by island
    entry = integers(2, ENTRY_COLUMNS)
    update = integers(2, UPDATE_COLUMNS)
    island = integers(1)  # (islands + 1) first place in `island_joint`
    island_joint = integers(1)
    island_node = integers(1)  # (islands + 1) first node
