"""Standard tolerances and fundamental deviations of ISO 286-1 (2010), tables 1 to 5, in µm; sizes 0 to 500 mm.

The standard computes them from i = 0.45 ∛D + 0.001 D (D the geometric mean of a step, mm) and formulas in D, then
rounds irregularly, so that only the table is right. Deviations of shafts are given; those of holes follow from them.
Letters cd, ef, fg, j, v and beyond u are left out.
"""

from __future__ import annotations

# A size belongs to the first step whose end it does not exceed [mm]
TOLERANCE_STEPS = (3, 6, 10, 18, 30, 50, 80, 120, 180, 250, 315, 400, 500)
DEVIATION_STEPS = (
    *(3, 6, 10, 14, 18, 24, 30, 40, 50, 65, 80, 100, 120, 140, 160, 180),
    *(200, 225, 250, 280, 315, 355, 400, 450, 500),
)

# IT grade → tolerance over TOLERANCE_STEPS [µm]
TOLERANCES: dict[int, tuple[float, ...]] = {
    4: (3, 4, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20),
    5: (4, 5, 6, 8, 9, 11, 13, 15, 18, 20, 23, 25, 27),
    6: (6, 8, 9, 11, 13, 16, 19, 22, 25, 29, 32, 36, 40),
    7: (10, 12, 15, 18, 21, 25, 30, 35, 40, 46, 52, 57, 63),
    8: (14, 18, 22, 27, 33, 39, 46, 54, 63, 72, 81, 89, 97),
    9: (25, 30, 36, 43, 52, 62, 74, 87, 100, 115, 130, 140, 155),
    10: (40, 48, 58, 70, 84, 100, 120, 140, 160, 185, 210, 230, 250),
    11: (60, 75, 90, 110, 130, 160, 190, 220, 250, 290, 320, 360, 400),
    12: (100, 120, 150, 180, 210, 250, 300, 350, 400, 460, 520, 570, 630),
    13: (140, 180, 220, 270, 330, 390, 460, 540, 630, 720, 810, 890, 970),
}

# Shafts below the nominal size: letter → −es over TOLERANCE_STEPS [µm]; holes of the same letter have EI = −es
BELOW: dict[str, tuple[int, ...]] = {
    "d": (20, 30, 40, 50, 65, 80, 100, 120, 145, 170, 190, 210, 230),
    "e": (14, 20, 25, 32, 40, 50, 60, 72, 85, 100, 110, 125, 135),
    "f": (6, 10, 13, 16, 20, 25, 30, 36, 43, 50, 56, 62, 68),
    "g": (2, 4, 5, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20),
    "h": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
}
# The same over DEVIATION_STEPS
FINELY_BELOW: dict[str, tuple[int, ...]] = {
    "a": (
        *(270, 270, 280, 290, 290, 300, 300, 310, 320, 340, 360, 380, 410, 460, 520, 580),
        *(660, 740, 820, 920, 1050, 1200, 1350, 1500, 1650),
    ),
    "b": (
        *(140, 140, 150, 150, 150, 160, 160, 170, 180, 190, 200, 220, 240, 260, 280, 310),
        *(340, 380, 420, 480, 540, 600, 680, 760, 840),
    ),
    "c": (
        *(60, 70, 80, 95, 95, 110, 110, 120, 130, 140, 150, 170, 180, 200, 210, 230),
        *(240, 260, 280, 300, 330, 360, 400, 440, 480),
    ),
}
# Shafts above the nominal size: letter → ei over TOLERANCE_STEPS [µm]; k: grades 4 to 7, else 0
ABOVE: dict[str, tuple[int, ...]] = {
    "k": (0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5),
    "m": (2, 4, 6, 7, 8, 9, 11, 13, 15, 17, 20, 21, 23),
    "n": (4, 8, 10, 12, 15, 17, 20, 23, 27, 31, 34, 37, 40),
    "p": (6, 12, 15, 18, 22, 26, 32, 37, 43, 50, 56, 62, 68),
}
# The same over DEVIATION_STEPS; t begins above 24 mm
FINELY_ABOVE: dict[str, tuple[int | None, ...]] = {
    "r": (
        *(10, 15, 19, 23, 23, 28, 28, 34, 34, 41, 43, 51, 54, 63, 65, 68),
        *(77, 80, 84, 94, 98, 108, 114, 126, 132),
    ),
    "s": (
        *(14, 19, 23, 28, 28, 35, 35, 43, 43, 53, 59, 71, 79, 92, 100, 108),
        *(122, 130, 140, 158, 170, 190, 208, 232, 252),
    ),
    "t": (
        *(None, None, None, None, None, None, 41, 48, 54, 66, 75, 91, 104, 122, 134, 146),
        *(166, 180, 196, 218, 240, 268, 294, 330, 360),
    ),
    "u": (
        *(18, 23, 28, 33, 33, 41, 48, 60, 70, 87, 102, 124, 144, 170, 190, 210),
        *(236, 258, 284, 315, 350, 390, 435, 490, 540),
    ),
}
LETTERS = (*FINELY_BELOW, *BELOW, "js", *ABOVE, *FINELY_ABOVE)
GRADES = tuple(TOLERANCES)
LARGEST = 500.0  # size [mm]


def tolerance(grade: int, size: float) -> float:
    """The width of a zone [µm] at a size [mm].

    >>> from gudgeon.inputs.iso286 import tolerance
    >>> tolerance(7, 20.0)
    21
    """
    return TOLERANCES[grade][_step(TOLERANCE_STEPS, size)]


def shaft(letter: str, grade: int, size: float) -> tuple[float, float] | None:
    """(ei, es) [µm] of a shaft; None where the standard has no such zone.

    >>> from gudgeon.inputs.iso286 import shaft
    >>> shaft("g", 6, 20.0)
    (-20, -7)
    """
    width = tolerance(grade, size)
    if letter == "js":
        return -0.5 * width, 0.5 * width
    if letter in BELOW or letter in FINELY_BELOW:
        if letter in ("a", "b") and size <= 1.0:
            return None
        es = -_below(letter, size)
        return es - width, es
    if letter == "k" and not 4 <= grade <= 7:
        return 0, width
    ei = _above(letter, size)
    return None if ei is None else (ei, ei + width)


def hole(letter: str, grade: int, size: float) -> tuple[float, float] | None:
    """(EI, ES) [µm] of a hole, its letter in lower case; None where the standard has no such zone.

    A to H mirror the shafts. K, M, N up to grade 8 and P … up to grade 7 do so with Δ = IT − IT of the grade below, so
    that H7/p6 and P7/h6 are equally tight; N above grade 8 begins at 0. M6 over 250 to 315 mm is an exception.

    >>> from gudgeon.inputs.iso286 import hole
    >>> hole("h", 7, 20.0), hole("n", 7, 20.0)
    ((0, 21), (-28, -7))
    """
    width = tolerance(grade, size)
    if letter == "js":
        return -0.5 * width, 0.5 * width
    if letter in BELOW or letter in FINELY_BELOW:
        if letter in ("a", "b") and size <= 1.0:
            return None
        ei = _below(letter, size)
        return ei, ei + width
    moved = grade <= (8 if letter in "kmn" else 7)
    if not moved and size > 3.0 and letter == "k":
        return None
    if not moved and letter == "n" and size <= 1.0:
        return None
    deviation = _above(letter, size)
    if deviation is None:
        return None
    es: float = -deviation
    if not moved and letter == "n" and size > 3.0:
        es = 0
    elif moved and size > 3.0:
        if grade - 1 not in TOLERANCES:
            return None  # Δ would need a grade that is not in the table
        es += width - tolerance(grade - 1, size)
        if letter == "m" and grade == 6 and 250.0 < size <= 315.0:
            es = -9
    return es - width, es


def _below(letter: str, size: float) -> int:
    """−es of a shaft, EI of a hole [µm]."""
    if letter in BELOW:
        return BELOW[letter][_step(TOLERANCE_STEPS, size)]
    return FINELY_BELOW[letter][_step(DEVIATION_STEPS, size)]


def _above(letter: str, size: float) -> int | None:
    """ei of a shaft [µm]."""
    if letter in ABOVE:
        return ABOVE[letter][_step(TOLERANCE_STEPS, size)]
    return FINELY_ABOVE[letter][_step(DEVIATION_STEPS, size)]


def _step(steps: tuple[int, ...], size: float) -> int:
    return next(k for k, end in enumerate(steps) if size <= end)
