"""Rules common to the models with a ball in a socket."""

from __future__ import annotations

from typing import Any

from gudgeon.checks import choice, number
from gudgeon.errors import ModelError


def check_radii(model: Any, owner: str) -> None:
    """The radii as floats: positive, the ball smaller than the socket."""
    for field in ("socket_radius", "ball_radius"):
        radius = number(owner, field, getattr(model, field))
        if radius <= 0.0:
            raise ModelError(f"{owner}: {field} is {radius:g} m; a radius must be positive")
        object.__setattr__(model, field, radius)
    if model.ball_radius >= model.socket_radius:
        raise ModelError(
            f"{owner}: ball_radius is {model.ball_radius:g} m, socket_radius {model.socket_radius:g} m; "
            "the ball must be smaller than its socket (use gd.Ideal() for a joint without clearance)"
        )


def check_ball_side(model: Any, owner: str) -> None:
    """`ball_on` names a side of the joint."""
    choice(owner, "ball_on", model.ball_on, ("child", "parent"))
