"""A mechanism to make mistakes with, and how they must be refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

import gudgeon as gd

ROUND = (1.0, 1.0, 1.0)  # inertia of a ball [kg·m²]


def body(**changes: Any) -> gd.Body:
    return gd.Body(**{"mass": 1.0, "inertia": ROUND, **changes})


def slider_crank(**changes: Any) -> gd.System:
    """A crank on a pin, a slider on a guide, a rod on a ball, a shaft in a sleeve; nothing closes."""
    parts: dict[str, Any] = {
        "bodies": {"crank": body(), "slider": body(), "rod": body(), "shaft": body()},
        "joints": {
            "pin": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "guide": gd.Prismatic("ground", "slider", at=(0, 0, 0)),
            "ball": gd.Spherical("ground", "rod", at=(0, 0, 0)),
            "sleeve": gd.Cylindrical("ground", "shaft", at=(0, 0, 0)),
        },
    }
    return gd.System(**{**parts, **changes})


def simulate(**changes: Any) -> gd.Result:
    return gd.simulate(**{"system": slider_crank(), "duration": 0.1, **changes})


def refuses(wording: str):
    """`wording` is literal text, … standing for anything."""
    return pytest.raises(gd.ModelError, match="^" + re.escape(wording).replace("…", ".*"))


JOINTS = (gd.Rigid, gd.Revolute, gd.Prismatic, gd.Cylindrical, gd.Universal, gd.Spherical, gd.UniversalPrismatic)
