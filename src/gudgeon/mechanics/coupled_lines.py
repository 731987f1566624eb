"""Lines of `Model.compliant` of efforts on sums of joint coordinates (kernels/elements/coupled.py)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gudgeon.couplings import Flank
from gudgeon.curve_joint import CurveJoint
from gudgeon.joints import Along
from gudgeon.kernels.dynamics import arrays
from gudgeon.laws.base import ContactLaw
from gudgeon.mechanics.coordinates import Measures
from gudgeon.mechanics.turns import Turns, coupled_angle
from gudgeon.models.dry import Contact
from gudgeon.stops import Stop
from gudgeon.system import System

SLOWEST = 1e-4  # δ̇⁽⁻⁾ of a flank is not taken below this [rad/s or m/s]
LEAST_WAY = 1e-3  # by which solvers judge the deflection of a coupling without backlash [rad or m]


class CoupledLine(NamedTuple):
    """One such effort."""

    owner: str  # how messages call it
    joint: str  # of the first coordinate
    part: str  # what of it touches
    coordinates: tuple[tuple[str, str], ...]  # joint and coordinate, one or two
    ratios: tuple[float, ...]
    turns: tuple[str, ...]  # names of counted angles, "" where there is none
    period: float  # 0: none
    flank: Flank
    way: float  # by which solvers judge it [rad or m]
    slowest: float  # smallest δ̇⁽⁻⁾
    stiffness: float = 0.0  # of a spring
    damping: float = 0.0
    faster: float = 1.0  # rate of a way along a curve, at most, of the speed of the point beside it

    @property
    def law(self) -> tuple[Contact, type] | None:
        """The law of a flank."""
        return None if self.flank.law is None else (self.flank.law, ContactLaw)


def coupled_lines(system: System) -> list[CoupledLine]:
    """Those of elastic couplings, then those of stops of ways along curves."""
    found = []
    for name, coupling in system.couplings.items():
        pairs = system.coupled(name)
        unit, ratio = coupling.unit, coupling.ratio
        for flank in coupling.flanks():
            found.append(
                CoupledLine(
                    owner=f"{type(coupling).__name__} {name!r}",
                    joint=pairs[0][0],
                    part=f"{name} {flank.name}",
                    coordinates=pairs,
                    ratios=(unit * ratio.first, unit * ratio.second),
                    turns=tuple(coupled_angle(name, place) for place in range(2)),
                    period=abs(unit) * ratio.period,
                    flank=flank,
                    way=max(coupling.backlash, LEAST_WAY),
                    slowest=SLOWEST,
                    stiffness=coupling.stiffness or 0.0,
                    damping=coupling.damping,
                )
            )
    for name, stop in system.loads.items():
        if isinstance(stop, Stop) and is_on_curve(system, stop):
            pair = (stop.joint, system.coordinate(f"Stop {name!r}", stop.joint, stop.coordinate))
            for side, limit in stop.limits.items():
                sign = 1.0 if side == "upper" else -1.0
                flank = Flank(side, sign, limit, stop.contact)
                rest = ((1.0,), ("",), 0.0, flank, stop.way, stop.smallest_impact_speed)
                curve = system.joints[stop.joint]
                assert isinstance(curve, CurveJoint)
                label = f"{name} {side}"
                found.append(CoupledLine(f"Stop {name!r}", stop.joint, label, (pair,), *rest, faster=curve.fastest_way))
    return found


def is_on_curve(system: System, stop: Stop) -> bool:
    """Whether a stop ends the way along a curve."""
    name = system.coordinate("Stop", stop.joint, stop.coordinate)
    return any(isinstance(free, Along) and free.name == name for free in system.joints[stop.joint].blocks().free)


def write_coupled(
    each: CoupledLine, line: np.ndarray, vector: np.ndarray, measures: Measures, turns: Turns | None, *, row: bool
) -> None:
    """Everything but the law; a nonsmooth step has a `row` for the effort."""
    from gudgeon.kernels.elements.table import ELEMENTS

    ELEMENTS[arrays.COUPLED].declare(line, arrays.COUPLED)
    line[arrays.UNKNOWNS], line[arrays.BRISTLE] = int(row), -1
    line[arrays.ALWAYS_ACTS] = each.flank.side == 0.0
    line[arrays.COUPLED_MEASURE : arrays.COUPLED_MEASURE + 2] = -1
    line[arrays.STOP_TURN : arrays.STOP_TURN + 2] = -1
    for place, (joint, coordinate) in enumerate(each.coordinates):
        line[arrays.COUPLED_MEASURE + place] = measures.index(joint, coordinate)
        vector[arrays.SUM_RATIO + place] = each.ratios[place]
        if turns is not None and each.turns[place]:
            line[arrays.STOP_TURN + place] = turns.of_load(each.turns[place])
    vector[arrays.FREE_PATH] = vector[arrays.SOCKET_RADIUS] = vector[arrays.CLEARANCE] = np.inf
    vector[arrays.STOP_SIDE], vector[arrays.STOP_AT] = each.flank.side, each.flank.at
    vector[arrays.SUM_STIFFNESS], vector[arrays.SUM_DAMPING] = each.stiffness, each.damping
    vector[arrays.SUM_PERIOD] = each.period
    vector[arrays.SUM_TURNS : arrays.SUM_TURNS + 2] = _turns_of_a_period(each)
    vector[arrays.BALL_RADIUS] = each.way
    vector[arrays.SWING] = each.faster**2
    if each.flank.side:
        vector[arrays.CLEARANCE], vector[arrays.SMALLEST_IMPACT] = each.way, each.slowest
    else:
        line[arrays.GAP_FUNCTION] = 0


def _turns_of_a_period(each: CoupledLine) -> tuple[int, int]:
    """Whole turns of the two angles that change the sum by its period."""
    if not each.period:
        return 0, 0
    counts = [round(2.0 * np.pi * ratio / each.period) for ratio in each.ratios]
    angles = [coordinate.startswith("angle") for _, coordinate in each.coordinates]
    if not all(angles):  # the sum of a rack or screw has the period of its one angle
        place = angles.index(True)
        return (counts[0], 0) if place == 0 else (0, counts[1])
    a, b = counts
    old, new = (1, 0, a), (0, 1, b)  # Euclid: x a + y b = remainder
    while new[2]:
        q = old[2] // new[2]
        old, new = new, tuple(o - q * n for o, n in zip(old, new, strict=True))
    return old[0] * old[2], old[1] * old[2]  # the divisor is ±1
