"""A run that may take some seconds and is then interrupted, as a user would with Ctrl-C."""

from __future__ import annotations

import time
from typing import Any

import gudgeon as gd

SECONDS = 5.0


def simulate(system: gd.System, duration: Any, **options: Any) -> gd.Result:
    """`gd.simulate`, interrupted some seconds after it has begun to compute."""
    began: list[float] = []

    def watch(fraction: float) -> None:
        began.append(time.monotonic())
        if began[-1] > began[0] + SECONDS:
            raise KeyboardInterrupt

    return gd.simulate(system, duration, **{"progress": watch, **options})
