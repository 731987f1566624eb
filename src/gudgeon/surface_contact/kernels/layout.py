"""The layout of the table that describes two surfaces: which arrays, in which order, and the places of settings."""

from __future__ import annotations

ENTRY = 5  # integers of an array: its address and four extents
SIDE, LOW, HIGH, REFERENCE_ON_BALL = 0, 1, 2, 3  # places in settings

NAMES = (  # of the arrays, in the order of the table
    *("net", "break1", "break2", "closed", "ball", "group", "pole", "reach", "length"),
    *("loop", "loop_start", "loop_outer"),
    *("coef", "stack", "box", "basis", "roots", "at", "line", "order", "tally"),
    *("frame", "reason", "weight", "patch", "local", "anchor", "pose", "settings", "least", "laws"),
)
