"""Energy that the joints lose in every cycle of a drive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.quantities import Time
from gudgeon.responses.strobe import Strobe
from gudgeon.results.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class CycleLosses:
    """What was dissipated in every cycle, by joint."""

    begin: np.ndarray  # of every cycle [s]
    lost: np.ndarray  # (cycle, joint) [J]
    joints: tuple[str, ...]

    @property
    def total(self) -> np.ndarray:
        """Of all joints, cycle by cycle [J]."""
        return self.lost.sum(axis=1)

    def plot(self) -> Figure:
        """Bars for every cycle, joints stacked."""
        from gudgeon.view.responses import cycles

        return cycles(self.begin, self.lost, self.joints)


def energy_per_cycle(result: Result, *, period: Time, skip: int = 0) -> CycleLosses:
    """The energy that joints dissipate in every whole cycle of `period` seconds.

    >>> import gudgeon as gd
    >>> result = gd.simulate(gd.examples.spatial_four_bar("dry"), 0.1, sample=0.01)
    >>> gd.energy_per_cycle(result, period=0.05).lost.shape
    (2, 1)
    """
    if "dissipated_energy" not in result.data:
        raise ModelError("energy_per_cycle: no joint of this mechanism dissipates energy; give one a real model")
    energy = result.data.dissipated_energy.transpose(..., "time")
    joints = tuple(str(name) for name in energy.joint.values)
    real = [k for k in range(len(joints)) if np.any(np.isfinite(energy.values[k]))]
    strobe = Strobe(period=period, outputs=("dissipated_energy",), skip=skip)
    times, values = strobe.points(energy.time.values, energy.values[real])
    if len(times) < 2:
        raise ModelError("energy_per_cycle: the run has no whole cycle; give a longer one or a smaller skip=")
    return CycleLosses(times[:-1], np.diff(values, axis=1).T, tuple(joints[k] for k in real))
