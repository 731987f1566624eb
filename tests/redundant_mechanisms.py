"""Mechanisms whose joints have more rows than they need: plane loops in space, Bricard's linkage."""

from __future__ import annotations

import numpy as np

import gudgeon as gd

Y = (0.0, 1.0, 0.0)
CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1]], dtype=float)
CRANK, ROD = 0.1, 0.35  # [m]


def rod(start, end, mass=1.0, **motion):
    """A square bar between two points."""
    start, end = np.array(start), np.array(end)
    along = (end - start) / np.linalg.norm(end - start)
    length, side = np.linalg.norm(end - start), 0.04
    inertia = mass / 12.0 * ((length**2 + side**2) * np.eye(3) - (length**2 - side**2) * np.outer(along, along))
    return gd.Body(mass=mass, inertia=inertia, position=(start + end) / 2.0, **motion)


def four_bar(b=gd.Revolute, c=gd.Revolute, coupler_mass=1.0):
    """A plane four-bar in space, turning; joints B and C are of the given types, all others revolute about y."""
    points = {"A": (0.0, 0.0, 0.0), "B": (0.0, 0.0, 0.2), "C": (0.5, 0.0, 0.4), "D": (0.4, 0.0, 0.0)}
    axis = {gd.Revolute: {"axis": Y}, gd.Cylindrical: {"axis": Y}, gd.Spherical: {}}
    bodies = {
        "crank": rod(points["A"], points["B"], angular_velocity=(0.0, 5.0, 0.0)),
        "coupler": rod(points["B"], points["C"], coupler_mass),
        "rocker": rod(points["C"], points["D"]),
    }
    ends = {
        "A": (gd.Revolute, "ground", "crank"),
        "B": (b, "crank", "coupler"),
        "C": (c, "coupler", "rocker"),
        "D": (gd.Revolute, "ground", "rocker"),
    }
    joints = {name: kind(i, j, at=points[name], **axis[kind]) for name, (kind, i, j) in ends.items()}
    return gd.System(bodies=bodies, joints=joints)


def bricard():
    """Six revolutes along a closed path of cube edges, each across its two edges: Bricard's trihedral linkage."""
    axes = [np.cross(CUBE[k] - CUBE[k - 1], CUBE[(k + 1) % 6] - CUBE[k]) for k in range(6)]
    names = ["ground", *(f"b{k}" for k in range(1, 6))]
    bodies = {
        name: rod(CUBE[k], CUBE[(k + 1) % 6], angular_velocity=2.0 * axes[1] if k == 1 else None)
        for k, name in enumerate(names)
        if k
    }
    joints = {
        f"j{k}": gd.Revolute(names[k - 1], names[k], at=CUBE[k], axis=axes[k])
        if k
        else gd.Revolute(names[5], "ground", at=CUBE[0], axis=axes[0])
        for k in range(6)
    }
    return gd.System(bodies=bodies, joints=joints)


def slider_crank(angle=0.7, *, speed=None, drive=None, link=ROD):
    """Crank from the origin in the plane y = 0, rod to a slider on the x axis; all joints plane ones (redundant)."""
    pin = CRANK * np.array([np.cos(angle), 0.0, np.sin(angle)])
    end = np.array([pin[0] + np.sqrt(ROD**2 - pin[2] ** 2), 0.0, 0.0])
    spin = None if speed is None else (0.0, -speed, 0.0)
    bodies = {
        "crank": rod((0, 0, 0), pin, angular_velocity=spin),
        "rod": rod(pin, end),
        "slider": gd.Body(mass=0.5, inertia=(1e-3, 1e-3, 1e-3), position=end),
    }
    half = 0.5 * (end - pin)
    joints = {
        "main": gd.Revolute("ground", "crank", at=(0, 0, 0), axis=-np.array(Y)),
        "pin": gd.Revolute("crank", "rod", at_parent=0.5 * pin, at_child=-half * link / ROD, axis=Y),
        "wrist": gd.Revolute("rod", "slider", at_parent=half * link / ROD, at_child=(0, 0, 0), axis=Y),
        "guide": gd.Prismatic("ground", "slider", at=end, axis=(1, 0, 0)),
    }
    drives = {} if drive is None else {"motor": gd.Drive("main", drive)}
    return gd.System(bodies=bodies, joints=joints, drives=drives)
