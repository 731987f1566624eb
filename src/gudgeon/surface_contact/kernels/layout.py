"""The layout of the table that describes two surfaces: which arrays, in which order, and the places of settings."""

from __future__ import annotations

ENTRY = 5  # integers of an array: its address and four extents
SIDE, LOW, HIGH, REFERENCE_ON_BALL = 0, 1, 2, 3  # places in settings

ANCHORS = 8  # places that a point remembers; an implicit solver asks for several instants in turn
NEXT_ANCHOR = 4 * ANCHORS  # column of Points.anchor: which of them is overwritten next
ANCHOR_COLUMNS = 4 * ANCHORS + 1

NAMES = (  # of the arrays, in the order of the table
    *("net", "break1", "break2", "closed", "ball", "group", "pole", "reach", "length"),
    *("loop", "loop_start", "loop_outer"),
    *("coef", "stack", "box", "basis", "roots", "at", "line", "order", "tally"),
    *("frame", "reason", "weight", "patch", "local", "anchor", "pose", "settings", "least", "laws"),
)
