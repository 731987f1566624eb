"""The picture of the study: figure 2 of the paper, and what it does not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.studies.spherical_joint import Study

COLOR = {
    "ideal": "black",
    "dry": "tab:red",
    "frictionless": "tab:orange",
    "lubricated": "tab:blue",
    "bushing": "tab:green",
}
NAME = {"dry": "dry, with friction", "frictionless": "dry, frictionless"}
CLEARANCE = 1e-4  # of joint C [m]


def draw_study(study: Study) -> Figure:
    """Eight panels: motion and energy as in the paper, then the joint from inside."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14, 12), layout="constrained")
    figure.suptitle("One four-bar, five models of its spherical joint C", fontsize=15)
    panels = figure.subplots(4, 2)
    for axes in panels.flat:
        axes.grid(alpha=0.3)
        axes.set_xlabel("time [s]")
    motion(study, panels[0, 0], panels[0, 1], panels[1, 0])
    energy(study, panels[1, 1])
    path(study, panels[2, 0])
    force(study, panels[2, 1])
    impacts(study, panels[3, 0])
    spread(study, panels[3, 1])
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


def motion(study: Study, position, velocity, acceleration) -> None:
    """Rocker position, speed and acceleration, panels a to c."""
    band = study.ensembles["frictionless"]
    low, high = 1e3 * band.position.min(axis=0), 1e3 * band.position.max(axis=0)
    position.fill_between(
        band.time,
        low,
        high,
        color=COLOR["frictionless"],
        alpha=0.25,
        linewidth=0,
        label=f"band of {len(band.position)} frictionless runs",
    )
    for joint in ("frictionless", "dry", "lubricated", "bushing", "ideal"):
        case, style = study.cases[joint], {"color": COLOR[joint], "label": NAME.get(joint, joint), "linewidth": 1.2}
        if joint == "ideal":
            style |= {"linestyle": "--"}
        every = slice(None, None, max(1, len(case.time) // 4000))
        position.plot(case.time[every], 1e3 * case.position[every, 0], **style)
        velocity.plot(case.time[every], np.linalg.norm(case.velocity[every], axis=1), **style)
        acceleration.semilogy(*envelope(case.time, np.linalg.norm(case.acceleration, axis=1)), **style)
    position.set_ylabel("x of the rocker [mm]")
    velocity.set_ylabel("speed of the rocker [m/s]")
    acceleration.set_ylabel("acceleration of the rocker [m/s²],\nlargest in each millisecond")
    acceleration.set_ylim(bottom=0.1)
    for axes, letter, what in (
        (position, "a", "position"),
        (velocity, "b", "velocity"),
        (acceleration, "c", "acceleration"),
    ):
        axes.set_title(f"{letter}) {what}", loc="left", fontsize="medium")


def energy(study: Study, axes) -> None:
    """Mechanical energy, panel d."""
    axes.set_title("d) mechanical energy, from its start", loc="left", fontsize="medium")
    band = study.ensembles["frictionless"].energy_lost
    axes.fill_between(
        study.ensembles["frictionless"].time,
        -1e3 * band.max(axis=0),
        -1e3 * band.min(axis=0),
        color=COLOR["frictionless"],
        alpha=0.25,
        linewidth=0,
    )
    for joint, case in study.cases.items():
        every = slice(None, None, max(1, len(case.time) // 4000))
        axes.plot(case.time[every], -1e3 * case.energy_lost[every], color=COLOR[joint], linewidth=1.2)
    axes.set_ylabel("mechanical energy [mJ]")


def path(study: Study, axes) -> None:
    """The ball's centre in the socket, seen along the coupler."""
    axes.set_title("e) path of the ball's centre in the socket, along the coupler", loc="left", fontsize="medium")
    angle = np.linspace(0.0, 2.0 * np.pi, 200)
    axes.plot(np.cos(angle), np.sin(angle), color="gray", linewidth=0.8)
    for joint in ("frictionless", "dry", "lubricated"):
        case = study.cases[joint]
        every = slice(None, None, max(1, len(case.time) // 20_000))
        across = case.path[every][:, [0, 2]] / CLEARANCE
        axes.plot(across[:, 0], across[:, 1], color=COLOR[joint], linewidth=0.5, alpha=0.8)
    axes.set_aspect("equal")
    axes.set_xlabel("eccentricity / clearance")
    axes.set_ylabel("eccentricity / clearance")


def force(study: Study, axes) -> None:
    """Force in the joint."""
    axes.set_title("f) force in joint C, largest in each millisecond", loc="left", fontsize="medium")
    for joint in ("frictionless", "dry", "lubricated", "bushing", "ideal"):
        case = study.cases[joint]
        style = "--" if joint == "ideal" else "-"
        axes.semilogy(*envelope(case.time, case.joint_force), style, color=COLOR[joint], linewidth=1.0)
    axes.set_ylim(bottom=1e-2)
    axes.set_ylabel("force [N]")


def impacts(study: Study, axes) -> None:
    """Contact events."""
    axes.set_title("g) impacts: speed at each onset of contact", loc="left", fontsize="medium")
    for joint in ("frictionless", "dry"):
        events = study.cases[joint].events
        axes.semilogy(events.begin, 1e3 * events.impact_speed, ".", markersize=3, color=COLOR[joint])
        axes.annotate(
            f"{len(events)} contacts, {NAME[joint]}",
            (0.98, 0.92 if joint == "frictionless" else 0.82),
            xycoords="axes fraction",
            ha="right",
            color=COLOR[joint],
        )
    axes.set_xlim(study.cases["dry"].time[[0, -1]])
    axes.set_ylabel("impact speed [mm/s]")


def spread(study: Study, axes) -> None:
    """How runs part that start next to each other."""
    axes.set_title("h) how far runs part that start micro-radians per second apart", loc="left", fontsize="medium")
    for joint, ensemble in study.ensembles.items():
        axes.semilogy(ensemble.time[1:], 1e3 * np.maximum(ensemble.spread()[1:], 1e-12), color=COLOR[joint])
    axes.set_ylabel("standard deviation of x [mm]")


def envelope(time: np.ndarray, values: np.ndarray, width: float = 1e-3) -> tuple[np.ndarray, np.ndarray]:
    """The largest value in each interval of this width [s]: what a line drawn through all samples would show."""
    step = max(1, round(width / (time[1] - time[0]))) if len(time) > 1 else 1
    count = len(values) // step
    if count < 2:
        return time, values
    return time[: count * step : step], values[: count * step].reshape(count, step).max(axis=1)
