"""The wear of one cycle of a mechanism whose joints are worn so far: a run, and what it rubs away."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from scipy.linalg import block_diag

from gudgeon.analysis.simulate import simulate
from gudgeon.wearing.frozen import Frozen, Reachable, chosen
from gudgeon.wearing.pressed import Pressed, trapezium, worn_volumes

if TYPE_CHECKING:
    from gudgeon.results.result import Result
    from gudgeon.system import System

SAMPLES = 2000  # of a cycle, at first
FINER = 4  # times more of them, where the worn volume is not resolved
MOST_FINER = 3  # times that they are made more
RESOLVED = 0.25  # of the tolerance


class Wearing(Protocol):
    """A joint whose surfaces wear: their coefficients, areas, and what touches in a run."""

    name: str

    @property
    def surfaces(self) -> tuple[str, ...]:
        """The names of its surfaces."""
        ...

    @property
    def start(self) -> list[np.ndarray]:
        """Coefficients of what is worn away at the start, surface by surface [m]."""
        ...

    @property
    def areas(self) -> list[np.ndarray]:
        """The areas that belong to them [m²]."""
        ...

    def variables(self, surface: int, worn: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
        """Worn depths (jump, coefficient) of a surface as variables of a dataset, and their coordinates."""
        ...

    def recalled(self, surface: int, values: np.ndarray) -> np.ndarray:
        """Coefficients of a row of such a variable."""
        ...

    def worn(self, system: System, depths: list[np.ndarray]) -> System:
        """The system worn by these."""
        ...

    @property
    def scale(self) -> float:
        """A length that worn depths are small against where nothing has changed much yet [m]."""
        ...

    def pressed(self, result: Result) -> Pressed:
        """What touched during a run."""
        ...

    def reachable(self, result: Result, samples: np.ndarray, depths: list[np.ndarray]) -> Reachable:
        """What may touch at some samples of a run, whose surfaces were worn by `depths`."""
        ...


@dataclass(frozen=True, eq=False)
class Told:
    """What a run says besides its wear."""

    result: Result
    volumes: dict[str, list[float]]  # worn away in a cycle, by joint, surface by surface [m³]
    work: dict[str, float]  # ∫∫ p |v_t| dA dt of a cycle [N·m]
    pressed_depth: float  # mean elastic depth where it rubs [m]
    peak_force: dict[str, float]  # largest normal force [N]
    peak_pressure: dict[str, float]  # [Pa]


class Rate:
    """The wear of a cycle at the depths of a run, and at others under its loads."""

    def __init__(self, at: np.ndarray, depth: np.ndarray, frozen: list[Frozen], areas: list[np.ndarray], told: Told):
        self.depth, self.told = depth, told  # g [m], all coefficients of all surfaces
        self._at, self._frozen, self._areas = at, frozen, areas
        ends = np.cumsum([0, *map(len, areas)])
        self._own = [slice(a, b) for a, b in pairwise(ends.tolist())]
        self._missed = depth - self._quasi(at)

    def _quasi(self, depths: np.ndarray) -> np.ndarray:
        worn = depths - self._at
        parts = zip(self._frozen, self._own, self._areas, strict=True)
        return np.concatenate([frozen.volumes(worn[own]) / areas for frozen, own, areas in parts])

    def under_loads(self, depths: np.ndarray) -> np.ndarray:
        """The wear of a cycle at other depths [m]."""
        return np.maximum(self._quasi(depths) + self._missed, 0.0)

    def change(self, depths: np.ndarray) -> np.ndarray:
        """How that changes with them [-]."""
        worn = depths - self._at
        parts = zip(self._frozen, self._own, self._areas, strict=True)
        found: Any = block_diag(*[frozen.change(worn[own]) / areas[:, None] for frozen, own, areas in parts])
        return found


@dataclass(eq=False)
class Cycles:
    """Runs `settle` + `average` cycles and takes the mean wear of the latter."""

    system: System
    joints: Sequence[Wearing]
    coefficients: dict[str, tuple[float, ...]]  # k of every surface [1/Pa]
    cycle: float  # [s]
    settle: int
    average: int
    sample: float | None  # [s]; None: as fine as the worn volume needs
    tolerance: float
    settings: dict[str, Any] = field(default_factory=dict)  # arguments of simulate
    runs: int = 0
    count: int = SAMPLES  # of samples in a cycle

    def __post_init__(self):
        if self.sample is not None:
            self.count = max(2, round(self.cycle / self.sample))
        self.count += self.count % 2

    def split(self, depths: np.ndarray) -> dict[str, list[np.ndarray]]:
        """Coefficients joint by joint, surface by surface."""
        parts = iter(self.blocks())
        return {joint.name: [depths[next(parts)[0]] for _ in joint.surfaces] for joint in self.joints}

    def blocks(self) -> list[tuple[slice, np.ndarray]]:
        """Where every surface is among all coefficients, and its areas."""
        areas = [each for joint in self.joints for each in joint.areas]
        ends = np.cumsum([0, *map(len, areas)]).tolist()
        return [(slice(a, b), each) for (a, b), each in zip(pairwise(ends), areas, strict=True)]

    def areas(self) -> np.ndarray:
        """(surfaces, coefficients) of all of them: areas of its own coefficients, else 0 [m²]."""
        blocks = self.blocks()
        out = np.zeros((len(blocks), blocks[-1][0].stop))
        for k, (own, areas) in enumerate(blocks):
            out[k, own] = areas
        return out

    @property
    def start(self) -> np.ndarray:
        """All coefficients at the start."""
        return np.concatenate([w for joint in self.joints for w in joint.start])

    @property
    def scale(self) -> float:
        """A length that worn depths are small against where nothing has changed much yet [m]."""
        return min(joint.scale for joint in self.joints)

    def worn(self, depths: np.ndarray) -> System:
        """The system worn so far."""
        system, parts = self.system, self.split(depths)
        for joint in self.joints:
            system = joint.worn(system, parts[joint.name])
        return system

    def __call__(self, depths: np.ndarray) -> Rate:
        """The wear of a cycle of the mechanism that is worn by these depths."""
        system = self.worn(depths)
        result, pressed, missed = self._run(system)
        for _ in range(MOST_FINER):
            if missed <= RESOLVED * self.tolerance or self.sample is not None:
                break
            self.count *= FINER
            result, pressed, missed = self._run(system)
        if missed > self.tolerance:
            warnings.warn(
                f"wear: {self.count} samples of a cycle tell the worn volume within {100 * missed:.2g} % only; give a "
                "smaller sample=",
                UserWarning,
                stacklevel=4,
            )
        depth, frozen, areas = [], [], []
        volumes, work = {}, {}
        for joint, each in zip(self.joints, pressed, strict=True):
            k, own = self.coefficients[joint.name], np.concatenate(joint.areas)
            found = worn_volumes(each, k)
            volumes[joint.name] = [float(v.sum()) / self.average for v in found]
            work[joint.name] = float(each.rubbed.sum()) / self.average
            depth.append(np.concatenate(found) / own / self.average)
            areas.append(own)
            samples, shares = chosen(each)
            near = joint.reachable(result, samples, self.split(depths)[joint.name])
            frozen.append(Frozen(each, samples, shares / self.average, near, k))
        return Rate(depths, np.concatenate(depth), frozen, areas, self._told(result, pressed, volumes, work))

    def _run(self, system: System) -> tuple[Result, list[Pressed], float]:
        """A run, what touched in it, and which part of the worn volume its samples may miss."""
        begin = self.settle * self.cycle
        times = np.linspace(begin, begin + self.average * self.cycle, self.average * self.count + 1)
        result = simulate(system, times[-1], sample=times, progress=False, **self.settings)
        self.runs += 1
        pressed = [joint.pressed(result) for joint in self.joints]
        return result, pressed, max(_unresolved(each, result) for each in pressed)

    def _told(self, result: Result, pressed: list[Pressed], volumes: Any, work: Any) -> Told:
        names = [joint.name for joint in self.joints]
        return Told(
            result,
            volumes,
            work,
            max(each.mean_depth for each in pressed),
            {name: each.peak_force for name, each in zip(names, pressed, strict=True)},
            {name: float(each.pressure.max(initial=0.0)) for name, each in zip(names, pressed, strict=True)},
        )


def _unresolved(pressed: Pressed, result: Result) -> float:
    """How much of the worn volume every second sample would miss."""
    assert result._source is not None
    times = result._source[1].times
    power = np.bincount(pressed.sample, pressed.pressure * pressed.speed * pressed.area, len(times))
    fine, coarse = float(trapezium(times) @ power), float(trapezium(times[::2]) @ power[::2])
    return abs(fine - coarse) / fine if fine > 0.0 else 0.0
