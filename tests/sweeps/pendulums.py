"""A mechanism that runs in milliseconds, and what studies of it keep."""

from __future__ import annotations  # so that no module is read for a type

import time

import numpy as np

import gudgeon as gd

MASS = "bodies.bob.mass"
LENGTHS = "bodies.bob.position[2]"


def pendulum(length: float = 1.0, mass: float = 1.0, gravity: float = 9.81) -> gd.System:
    """A bob on a rod without weight, held level: period 2π√(L/g)·1.18034… from there."""
    bob = gd.Body(mass=mass, inertia=(1e-9, 1e-9, 1e-9), position=(length, 0, 0))
    return gd.System(
        name="pendulum",
        gravity=(0, 0, -gravity),
        bodies={"bob": bob},
        joints={"pivot": gd.Revolute("ground", "bob", at=(0, 0, 0), axis=(0, 1, 0))},
    )


def lowest(result: gd.Result) -> dict:
    """The largest speed and the height of the bob at the end."""
    speed = np.linalg.norm(result.states[:, 7:10], axis=1)  # position, quaternion, velocity: no dataset is needed
    return {"fastest": speed.max(), "height": result.states[-1, 2]}


def all_of(result: gd.Result) -> dict:
    """The same, and all states."""
    return {**lowest(result), "states": result.states}


def slow(result: gd.Result) -> dict:
    """The same, after a while."""
    time.sleep(0.3)
    return lowest(result)
