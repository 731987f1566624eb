"""How far a study is: a line on a terminal, the same line in a notebook, or a function of yours."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from gudgeon.solvers.progress import shown_seconds

QUIET_SECONDS = 1.0
REFRESH_SECONDS = 0.2
WIDTH = 24  # of the bar [letters]


class StudyProgress:
    """Shows runs done, failed and the time left. `show`: True, False, None (terminals, notebooks), or a function."""

    def __init__(self, title: str, count: int, done: int, show: bool | Callable[[float], None] | None = None):
        self._title, self.count, self._before = title, count, done
        self._call = show if callable(show) else None
        self._display = _notebook() if show is None or show is True else None
        self._draws = show is True or (show is None and (sys.stderr.isatty() or self._display is not None))
        self._began = self._drawn = time.monotonic()
        self._handle: Any = None
        self._visible = False

    def update(self, done: int, failed: int) -> None:
        """Report how many runs are finished, failed ones among them."""
        if self._call is not None:
            self._call(done / self.count)
        now = time.monotonic()
        if not self._draws or now - self._began < QUIET_SECONDS or now - self._drawn < REFRESH_SECONDS:
            return
        self._drawn, self._visible = now, True
        line = self.line(done, failed, now - self._began)
        if self._display is None:
            print(f"\r{line} \033[K", end="", file=sys.stderr, flush=True)
        elif self._handle is None:
            self._handle = self._display({"text/plain": line}, raw=True, display_id=True)
        else:
            self._handle.update({"text/plain": line}, raw=True)

    def line(self, done: int, failed: int, elapsed: float) -> str:
        """The line that is shown, `elapsed` seconds after the begin.

        >>> StudyProgress("clearance", 40, 0, False).line(10, 1, 30.0)
        'clearance ██████·················· 10 of 40 runs, 1 failed, 1:30 left'
        """
        fraction = done / self.count
        bar = "█" * int(WIDTH * fraction) + "·" * (WIDTH - int(WIDTH * fraction))
        here = done - self._before
        left = "" if here <= 0 else f", {shown_seconds(elapsed * (self.count - done) / here)} left"
        return f"{self._title} {bar} {done} of {self.count} runs{f', {failed} failed' if failed else ''}{left}"

    def close(self) -> None:
        """Clear the line of a terminal."""
        if self._visible and self._display is None:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        self._visible = False


def _notebook() -> Any:
    """The function that displays in a notebook; None elsewhere."""
    if "IPython" not in sys.modules:
        return None
    from IPython import get_ipython  # type: ignore[import-not-found]
    from IPython.display import display  # type: ignore[import-not-found]

    shell = get_ipython()
    return display if shell is not None and type(shell).__name__ == "ZMQInteractiveShell" else None
