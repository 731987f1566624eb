"""How a case of the campaign ended."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path

import gudgeon as gd

PACKAGE = str(Path(gd.__file__).parent)

RIGHT = "right"  # ran to its end, and every check held
REFUSED = "refused"  # ModelError: the description was refused by name
STOPPED = "stopped"  # SimulationError that names time and owner, with the result until then
LONG = "long"  # still advancing after some seconds; ended at once, with its result, when asked to
WRONG = "wrong"  # ran to its end, and a check failed
RAW = "raw"  # an exception from the inside
HANG = "hang"  # no answer within the time limit
CRASH = "crash"  # the process died
RED = (WRONG, RAW, HANG, CRASH)


@dataclass
class Outcome:
    """What a case reports: its group (a line of the table), how it ended, a number, a note."""

    group: str
    end: str
    worst: float = 0.0  # the group's measure of error
    note: str = ""
    seconds: float = 0.0


def failed(group: str, error: BaseException) -> Outcome:
    """The outcome of a case that raised."""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, gd.ModelError):
        return Outcome(group, REFUSED, note=text)
    if isinstance(error, gd.SimulationError):
        return Outcome(group, STOPPED if error.result is not None else RAW, note=text)
    if isinstance(error, gd.SimulationInterrupted):
        return Outcome(group, LONG, note=text)
    innermost = traceback.extract_tb(error.__traceback__)[-1].filename
    if isinstance(error, TypeError) and not innermost.startswith(PACKAGE):  # Python's own: a wrong keyword, say
        return Outcome(group, REFUSED, note=text)
    frames = traceback.format_tb(error.__traceback__)
    return Outcome(group, RAW, note=text + "\n" + "".join(frames[-2:]))
