"""From a table of addresses back to arrays, within compiled code."""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba import carray, float64, int64, types
from numba.extending import intrinsic

from gudgeon.kernels.build.compiled import viewing
from gudgeon.nurbs.kernels.arrays import Patches
from gudgeon.nurbs.kernels.gap import Work
from gudgeon.surface_contact.kernels.layout import ENTRY, NAMES

FIRST_OF_WORK, FIRST_OF_POINTS = NAMES.index("coef"), NAMES.index("frame")


class Laws(NamedTuple):
    """What the calls of laws need: the joint's line of Model.compliant."""

    compliant: Any  # (1, COMPLIANT_COLUMNS) integers


class Points(NamedTuple):
    """The points of the reference surface and what is remembered of them."""

    frame: Any  # (point, 4, 3) S_r, ê_ξ, κ ê_ζ, ê_η in the reference's axes [m, -]
    reason: Any  # (point,) why a point cannot be used; 0: it can
    weight: Any  # (point,) area that it stands for [m²]
    patch: Any  # (point, 2) where Newton's method starts, and where it ended last; −1: nowhere
    local: Any  # (point, 4) and at which parameters of these patches
    anchor: Any  # (point, ANCHOR_COLUMNS) where it was in c's axes, and how far from c's surface, at least [m]
    pose: Any  # (30,) relative motion, see points.py
    settings: Any  # (4,)
    least: Any  # (1,) the point with the least gap when last asked


@intrinsic
def floats_at(typingctx, address):
    """A pointer to doubles."""

    def generate(context, builder, signature, args):
        return builder.inttoptr(args[0], ir.DoubleType().as_pointer())

    return types.CPointer(float64)(int64), generate


@intrinsic
def integers_at(typingctx, address):
    """A pointer to integers."""

    def generate(context, builder, signature, args):
        return builder.inttoptr(args[0], ir.IntType(64).as_pointer())

    return types.CPointer(int64)(int64), generate


@viewing
def floats1(table, k):
    """Array k of the table, one extent."""
    return carray(floats_at(table[ENTRY * k]), (table[ENTRY * k + 1],))


@viewing
def floats2(table, k):
    """Array k of the table, two extents."""
    return carray(floats_at(table[ENTRY * k]), (table[ENTRY * k + 1], table[ENTRY * k + 2]))


@viewing
def floats3(table, k):
    """Array k of the table, three extents."""
    e = ENTRY * k
    return carray(floats_at(table[e]), (table[e + 1], table[e + 2], table[e + 3]))


@viewing
def floats4(table, k):
    """Array k of the table, four extents."""
    e = ENTRY * k
    return carray(floats_at(table[e]), (table[e + 1], table[e + 2], table[e + 3], table[e + 4]))


@viewing
def integers1(table, k):
    """Array k of the table, one extent."""
    return carray(integers_at(table[ENTRY * k]), (table[ENTRY * k + 1],))


@viewing
def integers2(table, k):
    """Array k of the table, two extents."""
    return carray(integers_at(table[ENTRY * k]), (table[ENTRY * k + 1], table[ENTRY * k + 2]))


@viewing
def patches_of(table):
    """The corresponding surface."""
    return Patches(
        floats4(table, 0),
        floats1(table, 1),
        floats1(table, 2),
        integers1(table, 3),
        floats2(table, 4),
        floats2(table, 5),
        integers2(table, 6),
        floats3(table, 7),
        floats1(table, 8),
        floats2(table, 9),
        integers1(table, 10),
        integers1(table, 11),
    )


@viewing
def work_of(table):
    """Scratch of the search."""
    k = FIRST_OF_WORK
    return Work(
        floats3(table, k),
        floats4(table, k + 1),
        floats2(table, k + 2),
        floats2(table, k + 3),
        floats2(table, k + 4),
        floats2(table, k + 5),
        floats1(table, k + 6),
        floats2(table, k + 7),
        integers1(table, k + 8),
    )


@viewing
def points_of(table):
    """The reference surface."""
    k = FIRST_OF_POINTS
    return Points(
        floats3(table, k),
        integers1(table, k + 1),
        floats1(table, k + 2),
        integers2(table, k + 3),
        floats2(table, k + 4),
        floats2(table, k + 5),
        floats1(table, k + 6),
        floats1(table, k + 7),
        integers1(table, k + 8),
    )


@viewing
def laws_of(table):
    """The joint's laws."""
    return Laws(integers2(table, FIRST_OF_POINTS + 9))
