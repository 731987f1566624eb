"""How much memory there is: what cannot fit is refused before it is tried."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from functools import cache


@cache
def memory() -> float:
    """What a process may use [bytes]: of the machine, and of the container it runs in; infinite if nobody tells."""
    found = [math.inf]
    with suppress(AttributeError, OSError, ValueError):
        found.append(float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")))
    with suppress(OSError, ValueError), open("/sys/fs/cgroup/memory.max", encoding="ascii") as file:
        found.append(float(file.read()))  # "max" is no number: no limit
    return min(found)
