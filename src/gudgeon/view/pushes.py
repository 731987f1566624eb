"""Where the force in a joint is largest, in its picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.view.colours import FORCE

LENGTH = 0.42  # of the arrow


def mark_push(axes: Any, at: np.ndarray, push: np.ndarray) -> None:
    """A dot, and an arrow along the force (2) if there is one."""
    axes.plot(*at, "o", color=FORCE, markersize=4, zorder=4)
    if np.linalg.norm(push) > 0.0:
        axes.annotate(
            "",
            at + LENGTH * push / np.linalg.norm(push),
            at,
            arrowprops={"arrowstyle": "-|>", "color": FORCE, "lw": 1.6, "shrinkA": 0, "shrinkB": 0},
            zorder=5,
        )
