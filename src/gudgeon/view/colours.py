"""Colours of joints that are drawn from inside."""

BEARING, PIN, OIL, INK, FORCE = "#9aa7b8", "#d9a441", "#f3e2a0", "#22262c", "#c8372d"
MODES = {
    "open": "#7d8794",
    "edge": "#e07b00",
    "line": "#1f6fb4",
    "crossed": "#b3123b",
    "face": "#7a4fa3",
    "film": "#2a8f78",
    "contact": "#1f6fb4",
    "wall": "#1f6fb4",
    "walls": "#b3123b",
    "flank": "#5a9e3a",
}  # how a joint touches
