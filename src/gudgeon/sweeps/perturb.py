"""Ensembles: the same mechanism, started many times next to itself.

Where contact makes a motion chaotic, one run means nothing and the band of an ensemble is the result. Each member's
start is the assembled one with random changes: positions by `relative` times the size of the mechanism, orientations
by `relative` radians, velocities by `relative` times a speed of it, √(g · size) or the largest stated; then it is
assembled again, so that every joint is closed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gudgeon.bodies import BodyState
from gudgeon.checks import number
from gudgeon.errors import ModelError
from gudgeon.orientations import ScalarFirst
from gudgeon.rotations import unit
from gudgeon.sweeps.samples import MOST_SAMPLES
from gudgeon.system import System

MEMBER = "member"  # the dimension of an ensemble


@dataclass(frozen=True, kw_only=True)
class Ensemble:
    """Perturbed copies of a mechanism, as `gd.perturb` makes them; `gd.sweep` takes it in place of a System.

    Member 0 is the mechanism itself.

    >>> import gudgeon as gd
    >>> ensemble = gd.perturb(gd.examples.spatial_four_bar("dry"), relative=1e-9, count=4)
    >>> [member.name for member in ensemble][:1], len(ensemble)
    (['spatial four-bar'], 4)
    """

    system: System
    relative: float  # [-]
    count: int
    seed: int

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[System]:
        return (perturbed(self.system, self.relative, self.seed, k) for k in range(self.count))


def perturb(system: System, *, relative: float = 1e-9, count: int = 64, seed: int = 0) -> Ensemble:
    """`count` copies of `system` that start `relative` apart; the first one is the system itself.

    relative   of the size of the mechanism, of a radian, of its speed [-]
    seed       the same seed gives the same members, whoever runs them

    >>> import gudgeon as gd
    >>> ensemble = gd.perturb(gd.examples.spatial_four_bar(), count=3)
    >>> len(ensemble)  # gd.sweep(ensemble, {}, 2.0) runs it
    3
    """
    if not isinstance(system, System):
        raise ModelError(f"perturb: {type(system).__name__} given; give a gd.System")
    size = number("perturb", "relative", relative)
    if not 0.0 < size < 1.0:
        raise ModelError(f"perturb: relative is {size:g}; give a number above 0 and well below 1, such as 1e-9")
    for what, value, least in (("count", count, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise ModelError(f"perturb: {what} is {value!r}; give a whole number, at least {least}")
    if count > MOST_SAMPLES:
        raise ModelError(f"perturb: count is {count}; at most {MOST_SAMPLES:,} make a study")
    return Ensemble(system=system, relative=size, count=int(count), seed=int(seed))


def perturbed(system: System, relative: float, seed: int, member: int) -> System:
    """One member of an ensemble."""
    from gudgeon.analysis.assemble import assemble_equations
    from gudgeon.mechanics.equations import equations_of_motion

    if member == 0:
        return system
    start = assemble_equations(equations_of_motion(system)).system.start
    random = np.random.default_rng([seed, member])
    places = [state.position for state in start.values()]
    points = [*places, *(joint.at for joint in system.joints.values() if joint.at is not None)]
    size = float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0  # [m]
    speeds = [np.sqrt(np.linalg.norm(system.gravity) * size), *(np.linalg.norm(at.velocity) for at in start.values())]
    speed = float(max(speeds)) or size  # [m/s]
    moved = {name: _moved(state, relative, size, speed, random) for name, state in start.items()}
    with warnings.catch_warnings():  # that what is stated does not fit the joints is the point
        warnings.simplefilter("ignore", UserWarning)
        return system.replace(start=assemble_equations(equations_of_motion(system.replace(start=moved))).system.start)


def _moved(state: BodyState, relative: float, size: float, speed: float, random: np.random.Generator) -> BodyState:
    r, turn, v, w = (relative * random.uniform(-1.0, 1.0, 3) for _ in range(4))
    q = np.array(state.orientation)
    half = 0.5 * turn
    turned = q + np.array([-half @ q[1:], *(q[0] * half + np.cross(half, q[1:]))])
    return BodyState(
        position=tuple(np.array(state.position) + size * r),
        orientation=ScalarFirst(unit(turned)),
        velocity=tuple(np.array(state.velocity) + speed * v),
        angular_velocity=tuple(np.array(state.angular_velocity) + speed / size * w),
    )
