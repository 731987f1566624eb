"""Statistics of impacts and of the modes of a joint with clearance: free flight, impact, permanent contact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.errors import ModelError, did_you_mean
from gudgeon.quantities import Time
from gudgeon.responses.series import positive
from gudgeon.results.result import Result

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class ImpactStatistics:
    """How a joint with clearance behaves: contacts, and the parts of the time that its modes take."""

    joint: str
    duration: float  # looked at [s]
    begin: np.ndarray  # of every contact [s]
    length: np.ndarray  # how long it lasted [s]; until the end of the run if it outlasts it
    impact_speed: np.ndarray  # [m/s]
    peak_force: np.ndarray  # [N]
    energy_lost: np.ndarray  # [J]
    is_impact: np.ndarray  # shorter than `longest_impact`

    @property
    def impact_count(self) -> int:
        """How many contacts are impacts."""
        return int(self.is_impact.sum())

    @property
    def impact_rate(self) -> float:
        """Impacts per second [1/s]."""
        return self.impact_count / self.duration

    @property
    def modes(self) -> dict[str, float]:
        """The parts of the time in free flight, in impacts and in permanent contact; together 1."""
        impact = float(self.length[self.is_impact].sum()) / self.duration
        permanent = float(self.length[~self.is_impact].sum()) / self.duration
        return {"free flight": 1.0 - impact - permanent, "impact": impact, "permanent contact": permanent}

    def table(self) -> pd.DataFrame:
        """Mean, median, 95 % quantile and largest of speed, force, energy and length of the impacts.

        >>> import gudgeon as gd
        >>> result = gd.simulate(gd.examples.spatial_four_bar("dry"), 0.1)
        >>> list(gd.impact_statistics(result, "C").table().columns)
        ['mean', 'median', '95 %', 'largest']
        """
        import pandas as pd

        rows = {}
        for name in ("impact_speed", "peak_force", "energy_lost", "length"):
            values = getattr(self, name)[self.is_impact]
            values = values[np.isfinite(values)]
            few = values if len(values) else np.array([np.nan])
            rows[name] = [few.mean(), np.median(few), np.quantile(few, 0.95), few.max()]
        return pd.DataFrame.from_dict(rows, orient="index", columns=["mean", "median", "95 %", "largest"])

    def plot(self) -> Figure:
        """The modes, and histograms of speeds and of peak forces."""
        from gudgeon.view.responses import impacts

        chosen = self.is_impact
        return impacts(self.joint, self.modes, self.impact_speed[chosen], self.peak_force[chosen], self.impact_rate)


def impact_statistics(
    result: Result, joint: str | None = None, *, begin: Time = 0.0, longest_impact: Time = 1e-3
) -> ImpactStatistics:
    """Statistics of the contacts of a joint from the time `begin` on, or from the begin of a run that begins later.

    A contact that ends within `longest_impact` [s] is an impact, a longer one permanent contact (the modes of Flores,
    Ambrósio, Claro, Lankarani, *Kinematics and dynamics of multibody systems with imperfect joints*, 2008). `joint` may
    be left out where one joint has contacts. Where a joint has several contact points their times add up.

    >>> import gudgeon as gd
    >>> found = gd.impact_statistics(gd.simulate(gd.examples.spatial_four_bar("dry"), 0.1))
    >>> round(sum(found.modes.values()), 9)
    1.0
    """
    positive("impact_statistics", "longest_impact", longest_impact)
    events = result.events
    known = sorted(map(str, set(events.joint)))
    if joint is None and len(known) != 1:
        raise ModelError(f"impact_statistics: contacts are in {', '.join(known) or 'no joint'}; give joint=")
    name = known[0] if joint is None else joint
    if name not in known and (result.system is None or name not in result.system.joints):
        raise ModelError(f"impact_statistics: no joint {name!r}; {did_you_mean(name, known)}")
    end = float(result.stats["end_time"])
    begin = max(begin, float(result.stats.get("begin_time", 0.0))) if begin >= 0.0 else begin
    if not 0.0 <= begin < end:
        raise ModelError(f"impact_statistics: begin is {begin:g} s; the run ends at {end:g} s")
    chosen = events[(events.joint == name) & ~(events.end <= begin)]
    first = np.maximum(chosen.begin.to_numpy(float), begin)
    last = np.where(np.isnan(chosen.end.to_numpy(float)), end, chosen.end.to_numpy(float))
    return ImpactStatistics(
        name,
        end - begin,
        first,
        last - first,
        chosen.impact_speed.to_numpy(float),
        chosen.peak_force.to_numpy(float),
        chosen.energy_lost.to_numpy(float),
        (last - first) <= longest_impact,
    )
