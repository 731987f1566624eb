"""A line on the terminal for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

QUIET_SECONDS = 1.0
REFRESH_SECONDS = 0.1


class Progress:
    """Shows how far a run is. `show`: True, False, None (only on a terminal), or a function of the fraction done."""

    def __init__(self, title: str, show: bool | Callable[[float], None] | None = None):
        self._title = title
        self._call = show if callable(show) else None
        self._draws = show is True or (show is None and sys.stderr.isatty())
        self._began = self._drawn = time.monotonic()
        self._visible = False

    def update(self, fraction: float) -> None:
        """Report the fraction done, 0 to 1."""
        if self._call is not None:
            self._call(float(fraction))
        now = time.monotonic()
        elapsed = now - self._began
        if not self._draws or elapsed < QUIET_SECONDS or now - self._drawn < REFRESH_SECONDS:
            return
        self._drawn, self._visible = now, True
        bar = "█" * int(24 * fraction) + "·" * (24 - int(24 * fraction))
        left = elapsed * (1.0 - fraction) / fraction if fraction > 0.0 else float("nan")
        print(
            f"\r{self._title} {bar} {100 * fraction:3.0f} %  {left:4.0f} s left ",
            end="",
            file=sys.stderr,
            flush=True,
        )

    def close(self) -> None:
        """Clear the line."""
        if self._visible:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._visible = False
