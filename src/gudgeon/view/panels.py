"""The panels of an overview: each draws one quantity over time, the last one the paths of balls in their clearance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.units import unit_of
from gudgeon.view.choice import own_coordinates

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from gudgeon.view.choice import Choice

LINE = {"linewidth": 1.2}
SMALLEST_RESIDUAL = 1e-17  # drawn, on a logarithmic axis
MICRO = 1e6  # µm in a metre
MOST_SEARCHED = 50_000  # points up to which a place for the legend is looked for


@dataclass(frozen=True)
class Shown:
    """What a panel draws from."""

    data: xr.Dataset
    events: pd.DataFrame
    choice: Choice

    @property
    def time(self) -> np.ndarray:
        """Of the samples [s]."""
        return self.data.time.values

    def length_of(self, variable: str, kind: str, name: str) -> np.ndarray:
        """The length of a vector of one body or joint, over time."""
        return np.linalg.norm(self.data[variable].sel({kind: name}).values, axis=1)

    def coordinates(self, kind: str) -> list[str]:
        """The angles or displacements shown."""
        return own_coordinates(self.data, self.choice.moved, kind)

    def efforts(self, unit: str) -> list[str]:
        """The drives shown whose effort has this unit."""
        names = [str(name) for name in self.data.drive.values] if self.choice.drives else []
        return [name for name in self.choice.drives if unit_of(self.data, "drive_effort", (names.index(name),)) == unit]

    def has(self, variable: str) -> list[str]:
        """The real joints shown that have a value of this variable."""
        if variable not in self.data or not len(self.time):
            return []
        return [name for name in self.choice.real if np.isfinite(self.data[variable].sel(joint=name).values).any()]

    def balls(self) -> dict[str, float]:
        """The balls in sockets among them, with the way they are free to go [m]; surfaces of any shape have none."""
        found = {}
        for name in self.has("penetration"):
            of_joint = self.data.sel(joint=name)
            free = (of_joint.eccentricity_length - of_joint.penetration).values
            if free[0] > 0.0 and np.ptp(free) < 1e-6 * free[0]:
                found[name] = float(free[0])
        return found


Panel = Callable[[Any, Shown], None]


def panels_of(shown: Shown) -> tuple[list[Panel], list[Panel]]:
    """The panels over time that have something to show, and those over space."""
    found: list[tuple[Any, Panel]] = [
        (True, distance),
        (True, speed),
        (True, angular_speed),
        (shown.coordinates("angle"), angles),
        (shown.coordinates("displacement"), displacements),
        (shown.efforts("N*m"), torques_of_drives),
        (shown.efforts("N"), forces_of_drives),
        (shown.choice.joints, joint_forces),
        (shown.has("penetration"), gaps),
        (set(shown.choice.real) - set(shown.has("penetration")), eccentricities),
        (shown.has("film_force"), film_forces),
        (shown.has("normal_force"), normal_forces),
        (shown.choice.points, guide_gaps),
        (shown.choice.points, guide_forces),
        (True, energy),
        (shown.data.constraint_residual.values.any(), residual),
    ]
    return [panel for wanted, panel in found if wanted], [orbits] if shown.balls() else []


def distance(axes: Any, shown: Shown) -> None:
    """How far each body is from where it started."""
    for name in shown.choice.bodies:
        p = shown.data.position.sel(body=name).values
        axes.plot(shown.time, np.linalg.norm(p - p[:1], axis=1), label=name, **LINE)
    _label(axes, "bodies: way from the start", "distance [m]")


def speed(axes: Any, shown: Shown) -> None:
    """Speed of each body's centre of mass."""
    for name in shown.choice.bodies:
        axes.plot(shown.time, shown.length_of("velocity", "body", name), **LINE)
    _label(axes, "bodies: speed", "speed [m/s]", legend=False)


def angular_speed(axes: Any, shown: Shown) -> None:
    """Angular speed of each body."""
    for name in shown.choice.bodies:
        axes.plot(shown.time, shown.length_of("angular_velocity", "body", name), **LINE)
    _label(axes, "bodies: angular speed", "angular speed [rad/s]", legend=False)


def angles(axes: Any, shown: Shown) -> None:
    """Angles of joints, turns counted."""
    for name in shown.coordinates("angle"):
        axes.plot(shown.time, shown.data.joint_position.sel(coordinate=name), label=name, **LINE)
    _label(axes, "joints: angles", "angle [rad]")


def displacements(axes: Any, shown: Shown) -> None:
    """Displacements of joints."""
    for name in shown.coordinates("displacement"):
        axes.plot(shown.time, shown.data.joint_position.sel(coordinate=name), label=name, **LINE)
    _label(axes, "joints: displacements", "displacement [m]")


def torques_of_drives(axes: Any, shown: Shown) -> None:
    """Efforts of drives that turn."""
    _efforts(axes, shown, "N*m", "drives: torque", "torque [N·m]")


def forces_of_drives(axes: Any, shown: Shown) -> None:
    """Efforts of drives that push."""
    _efforts(axes, shown, "N", "drives: force", "force [N]")


def _efforts(axes: Any, shown: Shown, unit: str, title: str, label: str) -> None:
    for name in shown.efforts(unit):
        axes.plot(shown.time, shown.data.drive_effort.sel(drive=name), label=name, **LINE)
    _label(axes, title, label)


def joint_forces(axes: Any, shown: Shown) -> None:
    """Force in each joint at the samples."""
    for name in shown.choice.joints:
        axes.plot(shown.time, shown.length_of("reaction_force", "joint", name), label=name, **LINE)
    _label(axes, "joints: force at the samples", "force [N]")


def gaps(axes: Any, shown: Shown) -> None:
    """Penetration of ball and socket; below zero their gap."""
    for name in shown.has("penetration"):
        axes.plot(shown.time, MICRO * shown.data.penetration.sel(joint=name), label=name, **LINE)
    axes.axhline(0.0, color="gray", linewidth=0.8)
    _label(axes, "real joints: penetration, below 0: gap", "penetration [µm]")


def eccentricities(axes: Any, shown: Shown) -> None:
    """How far a bushing is pushed off its centre."""
    for name in shown.choice.real:
        if name not in shown.has("penetration"):
            axes.plot(shown.time, MICRO * shown.data.eccentricity_length.sel(joint=name), label=name, **LINE)
    _label(axes, "real joints: way off the centre", "eccentricity [µm]")


def film_forces(axes: Any, shown: Shown) -> None:
    """Forces of films, positive towards the centre of the socket."""
    for name in shown.has("film_force"):
        axes.plot(shown.time, shown.data.film_force.sel(joint=name), label=name, **LINE)
    _label(axes, "real joints: force of the film, above 0: pushes", "film force [N]")


def normal_forces(axes: Any, shown: Shown) -> None:
    """Normal forces at the samples, and the largest of every contact, which may lie between two of them."""
    for place, name in enumerate(shown.has("normal_force")):
        axes.plot(shown.time, shown.data.normal_force.sel(joint=name), label=name, color=f"C{place}", **LINE)
        _peaks(axes, shown, [name], f"C{place}")
    _label(axes, "real joints: normal force (dots: peak of each contact)", "normal force [N]")


def guide_gaps(axes: Any, shown: Shown) -> None:
    """Gaps between slider and guide."""
    for name in shown.choice.points:
        axes.plot(shown.time, MICRO * shown.data.guide_gap.sel(surface_point=name), label=name, **LINE)
    axes.axhline(0.0, color="gray", linewidth=0.8)
    _label(axes, "sliders: gap to the guide", "gap [µm]")


def guide_forces(axes: Any, shown: Shown) -> None:
    """Normal forces of the guide."""
    for name in shown.choice.points:
        axes.plot(shown.time, shown.data.guide_normal_force.sel(surface_point=name), label=name, **LINE)
    _peaks(axes, shown, [name for name in set(shown.events["joint"]) if name not in shown.choice.real], "black")
    _label(axes, "sliders: normal force", "normal force [N]", legend=False)


def _peaks(axes: Any, shown: Shown, joints: list[str], color: str) -> None:
    """A dot for the largest force of every contact, in the middle of its time."""
    table = shown.events[shown.events["joint"].isin(joints) & np.isfinite(shown.events["peak_force"])]
    if len(table):
        middle = 0.5 * (table.begin + table.end.fillna(table.begin))
        axes.plot(middle, table.peak_force, ".", color=color, markersize=5)


def energy(axes: Any, shown: Shown) -> None:
    """Kinetic and potential energy, their sum, and what the real joints have lost."""
    data, zero = shown.data, shown.data.potential_energy.values[:1].sum()
    axes.plot(shown.time, data.kinetic_energy, label="kinetic", **LINE)
    axes.plot(shown.time, data.potential_energy - zero, label="potential, from the start", **LINE)
    axes.plot(shown.time, data.mechanical_energy - zero, label="sum", color="black", **LINE)
    if "dissipated_energy" in data:
        lost = np.nansum(data.dissipated_energy.values, axis=1)
        axes.plot(shown.time, lost, label="lost in real joints", color="tab:red", linestyle="--", **LINE)
    _label(axes, "energy", "energy [J]")


def residual(axes: Any, shown: Shown) -> None:
    """The largest constraint residual."""
    values = np.maximum(shown.data.constraint_residual.values, SMALLEST_RESIDUAL)
    axes.semilogy(shown.time, values, color="black", **LINE)
    _label(axes, "how far ideal joints are open", "constraint residual [m, rad]", legend=False)


def orbits(axes: Any, shown: Shown) -> None:
    """The centre of each ball in its clearance, in the two directions of its parent in which it moves most."""
    turn = np.linspace(0.0, 2.0 * np.pi, 200)
    axes.plot(np.cos(turn), np.sin(turn), color="gray", linewidth=0.8)
    for place, (name, clearance) in enumerate(shown.balls().items()):
        off = shown.data.joint_position.sel(coordinate=[f"{name}.{c}" for c in ("dx", "dy", "dz")]).values
        one, two = sorted(np.argsort(-np.ptp(off, axis=0))[:2])
        label = f"{name}: {'xyz'[one]} to the right, {'xyz'[two]} up, parent's axes"
        axes.plot(*(off[:, [one, two]] / clearance).T, color=f"C{place}", linewidth=0.6, label=label)
    axes.set_aspect("equal")
    axes.set_ylim(top=1.6)  # room for the names
    _label(axes, "real joints: path of the ball in its clearance", "eccentricity / clearance [-]")
    axes.set_xlabel("eccentricity / clearance [-]")


def _label(axes: Any, title: str, label: str, legend: bool = True) -> None:
    axes.set_title(title, loc="left", fontsize="medium")
    axes.set_ylabel(label)
    names = axes.get_legend_handles_labels()[1]
    points = sum(len(line.get_xdata()) for line in axes.lines)
    if legend and names:
        place = "best" if points < MOST_SEARCHED else "upper right"
        axes.legend(fontsize="small", ncols=1 if len(names) <= 4 else 2, loc=place)
