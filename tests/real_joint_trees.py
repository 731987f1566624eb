"""Trees of bodies in real joints of many kinds, with hinges between some of them."""

from __future__ import annotations

import dataclasses

import numpy as np

import gudgeon as gd
from random_mechanisms import random_body, unit
from real_joints import EVERY_MODEL


def slowly(body: gd.Body) -> gd.Body:
    """The same body with a tenth of its velocities."""
    assert body.velocity is not None
    assert body.angular_velocity is not None
    slow = {name: 0.1 * np.array(getattr(body, name)) for name in ("velocity", "angular_velocity")}
    return dataclasses.replace(body, **slow)


def real_joint_tree(seed: int, count: int = 9, models: tuple[str, ...] = tuple(EVERY_MODEL)) -> gd.System:
    """Bodies that hang on one of those before or on the ground, every third by a hinge; one joint closes a loop."""
    rng = np.random.default_rng(seed)
    bodies = {f"b{k}": slowly(random_body(rng)) for k in range(count)}
    joints: dict[str, gd.Revolute | gd.Spherical] = {}
    for k in range(count):
        parent = "ground" if k == 0 or rng.random() < 0.1 else f"b{rng.integers(max(0, k - 3), k)}"
        if k % 3 == 2:
            joints[f"j{k}"] = gd.Revolute(parent, f"b{k}", at=rng.uniform(-0.6, 0.6, 3), axis=unit(rng))
        else:
            model = EVERY_MODEL[models[rng.integers(len(models))]]
            joints[f"j{k}"] = gd.Spherical(parent, f"b{k}", at=rng.uniform(-0.6, 0.6, 3), model=model)
    joints["closing"] = gd.Spherical("b1", f"b{count - 1}", at=(0.1, 0.2, 0.3), model=EVERY_MODEL["bushing"])
    return gd.System(name="tree", bodies=bodies, joints=joints)
