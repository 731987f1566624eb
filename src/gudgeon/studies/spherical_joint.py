"""The study of Silva, Marques, Silva, Flores: one four-bar, five models of its spherical joint, and what they claim.

`run_study` simulates the five cases and, for the two dry ones, ensembles of runs that start with the crank turning by
some micro-radians per second: where such runs part, a single run means nothing and only their band does.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from gudgeon.analysis.simulate import simulate
from gudgeon.examples.four_bar import SPHERICAL_JOINTS, spatial_four_bar
from gudgeon.rotations import conjugate, turned
from gudgeon.system import System

PUSH = 1e-6  # how fast the crank of the first perturbed run turns at the start [rad/s]


@dataclass(frozen=True)
class Case:
    """What the study keeps of one run, for the rocker and the joint C."""

    time: np.ndarray  # [s]
    position: np.ndarray  # (time, 3) of the rocker's centre of mass [m]
    velocity: np.ndarray  # (time, 3) [m/s]
    acceleration: np.ndarray  # (time, 3) [m/s²]
    energy_lost: np.ndarray  # mechanical energy since the start [J]
    joint_force: np.ndarray  # length of the force in C [N]
    path: np.ndarray  # (time, 3) ball's centre in the socket, socket's axes [m]; zeros for the ideal joint
    events: Any  # table of contacts
    stats: dict[str, Any]


@dataclass(frozen=True)
class Ensemble:
    """Perturbed runs of one case."""

    time: np.ndarray  # [s]
    position: np.ndarray  # (run, time) x of the rocker's centre of mass [m]
    energy_lost: np.ndarray  # (run, time) [J]

    def spread(self) -> np.ndarray:
        """The standard deviation of the position over the runs [m]."""
        return self.position.std(axis=0)


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, whether it holds here, and the numbers behind it."""

    statement: str
    holds: bool
    numbers: str


@dataclass(frozen=True)
class Study:
    """The five cases, the ensembles of the dry ones, and the paper's claims."""

    cases: dict[str, Case]
    ensembles: dict[str, Ensemble]
    claims: tuple[Claim, ...]


def run_study(duration: float = 2.0, *, sample: float = 2e-5, runs: int = 8) -> Study:
    """Simulate everything: `runs` perturbed runs per ensemble, samples every `sample` seconds (table 3: 1e-5)."""
    cases = {joint: run_case(joint, duration, sample) for joint in SPHERICAL_JOINTS}
    ensembles = {joint: run_ensemble(joint, duration, runs) for joint in ("frictionless", "dry")}
    return Study(cases, ensembles, claims(cases, ensembles))


def run_case(joint: str, duration: float, sample: float) -> Case:
    """One case of the study."""
    result = simulate(spatial_four_bar(joint), duration, sample=sample)
    data = result.data
    rocker = data.sel(body="rocker")
    energy = data.mechanical_energy.values
    path = np.zeros((len(energy), 3))
    if "eccentricity" in data:
        socket = data.orientation.sel(body="coupler").values
        path = turned(conjugate(socket), data.eccentricity.sel(joint="C").values)
    return Case(
        time=data.time.values,
        position=rocker.position.values,
        velocity=rocker.velocity.values,
        acceleration=rocker.acceleration.values,
        energy_lost=energy[0] - energy,
        joint_force=np.linalg.norm(data.reaction_force.sel(joint="C").values, axis=1),
        path=path,
        events=result.events,
        stats=result.stats,
    )


def run_ensemble(joint: str, duration: float, runs: int) -> Ensemble:
    """Runs of one case whose starts differ by next to nothing."""
    times = np.linspace(0.0, duration, 401)
    position, lost = [], []
    for k in range(1, runs + 1):
        data = simulate(_pushed(spatial_four_bar(joint), PUSH * k), duration, sample=times).data
        position.append(data.position.sel(body="rocker", axis="x").values)
        lost.append(data.mechanical_energy.values[0] - data.mechanical_energy.values)
    return Ensemble(times, np.array(position), np.array(lost))


def _pushed(system: System, rate: float) -> System:
    """The same mechanism with its crank turning at the start."""
    crank = dataclasses.replace(system.bodies["crank"], angular_velocity=(rate, 0.0, 0.0))
    return system.replace(bodies={**system.bodies, "crank": crank})


def claims(cases: dict[str, Case], ensembles: dict[str, Ensemble]) -> tuple[Claim, ...]:
    """The paper's statements about figure 2, each with its numbers."""
    lost = {joint: float(case.energy_lost[-1]) for joint, case in cases.items()}
    lost["frictionless"] = float(ensembles["frictionless"].energy_lost[:, -1].mean())
    lost["dry"] = float(ensembles["dry"].energy_lost[:, -1].mean())
    acceleration = {joint: float(np.linalg.norm(case.acceleration, axis=1).max()) for joint, case in cases.items()}
    usual = {joint: float(np.sqrt((case.acceleration**2).sum(axis=1).mean())) for joint, case in cases.items()}
    speed = {joint: float(np.linalg.norm(case.velocity, axis=1).max()) for joint, case in cases.items()}
    ideal = cases["ideal"]
    stroke = float(np.linalg.norm(np.ptp(ideal.position, axis=0)))
    away = {
        joint: float(np.linalg.norm(case.position - ideal.position, axis=1).max() / stroke)
        for joint, case in cases.items()
    }
    order = ("dry", "frictionless", "lubricated", "bushing")
    spread = {joint: float(ensemble.spread()[-1]) for joint, ensemble in ensembles.items()}
    others = [joint for joint in cases if joint not in ("ideal", "bushing")]
    return (
        Claim(
            "energy lost: friction > frictionless > lubricated > bushing > ideal = 0",
            all(lost[a] > lost[b] for a, b in pairwise(order)) and lost["bushing"] > 100.0 * abs(lost["ideal"]),
            ", ".join(f"{joint} {1e3 * lost[joint]:.4g} mJ" for joint in (*order, "ideal")),
        ),
        Claim(
            "the frictionless joint gives the largest accelerations (root mean square)",
            usual["frictionless"] == max(usual.values()),
            ", ".join(
                f"{joint} {usual[joint]:.3g} m/s² (peak {acceleration[joint]:.3g} m/s², {speed[joint]:.3g} m/s)"
                for joint in cases
            ),
        ),
        Claim(
            "the ideal joint gives significantly lower accelerations than joints with clearance",
            all(acceleration[joint] > 1.5 * acceleration["ideal"] for joint in others),
            ", ".join(f"{joint} {acceleration[joint] / acceleration['ideal']:.3g} times ideal" for joint in others),
        ),
        Claim(
            "friction makes the motion less chaotic",
            spread["dry"] < 1e-3 * spread["frictionless"],
            f"runs that start {PUSH:g} rad/s apart end {1e3 * spread['frictionless']:.3g} mm apart without friction, "
            f"{1e3 * spread['dry']:.3g} mm with it",
        ),
        Claim(
            "the bushing follows the ideal joint",
            away["bushing"] < 0.01 and away["bushing"] == min(away[joint] for joint in order),
            ", ".join(f"{joint} {100 * away[joint]:.3g} % of the stroke away" for joint in order),
        ),
    )
