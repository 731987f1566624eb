"""All arrays of some records, copied into one piece of memory: the record's own table says where each is and how long.

The lines of a plan name the arrays (`solvers/snapshot.py` makes it from the types of the records). In the copy the
extents of all arrays come first, then what is in them, in the order of the plan.
"""

from __future__ import annotations

from llvmlite import ir
from numba import int64
from numba.extending import intrinsic

from gudgeon.kernels.build.compiled import entrance, inlined

# columns of a plan
ROOT = 0  # of three records, the one that has the array or contains what has it
THROUGH = 1  # places of records within it on the way to the array; −1: none [words]
DEPTH = 3  # how many these can be
PLACE = 4  # of the array in the table of its record [words]
AXES = 5


@intrinsic
def word_at(typingctx, address, index):
    """The integer `index` of those at `address`."""

    def generate(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(pointer, [args[1]]))

    return int64(int64, int64), generate


@inlined
def table_of(first, second, third, plan, k):
    """Where the entry of array k stands in the table of its record, as an address."""
    record = first if plan[k, ROOT] == 0 else (second if plan[k, ROOT] == 1 else third)
    for step in range(DEPTH):
        if plan[k, THROUGH + step] >= 0:
            record = word_at(record, plan[k, THROUGH + step])
    return record + 8 * plan[k, PLACE]


@entrance(int64(int64, int64, int64, int64[:, ::1], int64[::1]))
def copy_arrays(first, second, third, plan, out):
    """Copy the arrays that the plan names of the records at three addresses; returns how many words that needs.

    If `out` is shorter, nothing is copied.
    """
    needed = 0
    for k in range(plan.shape[0]):
        entry, size = table_of(first, second, third, plan, k), 1
        for axis in range(plan[k, AXES]):
            size *= word_at(entry, 1 + axis)
        needed += plan[k, AXES] + size
    if out.shape[0] < needed:
        return needed
    place = 0
    for k in range(plan.shape[0]):
        entry = table_of(first, second, third, plan, k)
        for axis in range(plan[k, AXES]):
            out[place] = word_at(entry, 1 + axis)
            place += 1
    for k in range(plan.shape[0]):
        entry, size = table_of(first, second, third, plan, k), 1
        for axis in range(plan[k, AXES]):
            size *= word_at(entry, 1 + axis)
        numbers = word_at(entry, 0)
        for i in range(size):
            out[place + i] = word_at(numbers, i)
        place += size
    return needed
