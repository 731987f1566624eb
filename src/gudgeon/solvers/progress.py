"""A line on the terminal for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

QUIET_SECONDS = 1.0
REFRESH_SECONDS = 0.1
WIDTH = 24  # of the bar [letters]


class Progress:
    """Shows how far a run is. `show`: True, False, None (only on a terminal), or a function of the fraction done."""

    def __init__(self, title: str, show: bool | Callable[[float], None] | None = None):
        self._title = title
        self._call = show if callable(show) else None
        self._draws = show is True or (show is None and sys.stderr.isatty())
        self._began = self._drawn = time.monotonic()
        self.first = 0.0  # fraction that was done when it began: a run may go on
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
        print(f"\r{self.line(fraction, elapsed)}\033[K", end="", file=sys.stderr, flush=True)

    def line(self, fraction: float, elapsed: float) -> str:
        """The line that is shown, `elapsed` seconds after the begin.

        >>> Progress("four-bar").line(0.25, 30.0)
        'four-bar ██████··················  25 %  1:30 left'
        """
        bar = "█" * int(WIDTH * fraction) + "·" * (WIDTH - int(WIDTH * fraction))
        here = fraction - self.first
        left = f"  {shown_seconds(elapsed * (1.0 - fraction) / here)} left" if here > 0.0 else ""
        return f"{self._title} {bar} {100 * fraction:3.0f} %{left}"

    def close(self) -> None:
        """Clear the line."""
        if self._visible:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._visible = False


def shown_seconds(seconds: float) -> str:
    """A time as a clock shows it.

    >>> shown_seconds(7.6), shown_seconds(3725)
    ('0:08', '1:02:05')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
