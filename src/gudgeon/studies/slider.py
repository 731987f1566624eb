"""The study of docs/sliders.md: a flexible slider in a guide with play, its two examples, and what the paper observes.

`run_slider_study` simulates the stick-slip oscillator (25 elements, and rigid) and the slider-crank (4 and 8 elements,
and rigid) and states every observation with the number behind it. Nodes have the paper's numbers, which count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.simulate import simulate
from gudgeon.errors import ModelError
from gudgeon.examples.sliders import slider_crank_flexible_slider, stick_slip_oscillator
from gudgeon.results.result import Result
from gudgeon.solvers.time_stepping import TimeStepping
from gudgeon.studies.spherical_joint import Claim

PERIOD = 12.0  # of the crank's moment [s]
SHORTEST = 8 * PERIOD  # until the motion has settled, with two periods more [s]
AT_REST = 1e-9  # sliding velocity that is rounding: the point sticks [m/s]
LANDED = 1.0  # when the slider, dropped at the start, lies on its guide [s]
START = 13.0  # how long the start lasts, while the slider knocks against its guide; it is run with finer steps [s]


@dataclass(frozen=True)
class SliderStudy:
    """Results by the name of the slider, and the paper's observations."""

    oscillator: dict[str, Result]  # "flexible", "rigid"; 40 s
    crank: dict[str, Result]  # "4 elements", "8 elements", "rigid"
    start: Result  # the first seconds of the slider-crank with 4 elements, every step of 2.5e-4 s a sample
    claims: tuple[Claim, ...]

    @property
    def last_period(self) -> float:
        """When the last period of the slider-crank begins; from there on every step is a sample [s]."""
        return float(self.crank["rigid"].data.time[-1]) - PERIOD


def run_slider_study(duration: float = 200.0, *, step: float = 2e-3) -> SliderStudy:
    """Simulate everything, the slider-crank for `duration` [s]; the oscillator always for 40 s, in steps of step/2.

    >>> from gudgeon.studies.slider import run_slider_study
    >>> [claim.holds for claim in run_slider_study().claims]  # doctest: +SKIP
    [True, True, True, True, True, True, True, True, True, True, True]
    """
    if not duration >= SHORTEST:
        raise ModelError(
            f"run_slider_study: duration is {duration:g} s; the slider-crank settles within 72 s: give at least "
            f"{SHORTEST:g} s (the paper: 200 s)"
        )
    fine = np.arange(round((duration - PERIOD) / step), round(duration / step) + 1) * step
    times = np.concatenate([np.arange(round((duration - PERIOD) * 100)) / 100, np.minimum(fine, duration)])
    solver = TimeStepping(step=step)
    systems = {
        "4 elements": slider_crank_flexible_slider(4),
        "8 elements": slider_crank_flexible_slider(8),
        "rigid": slider_crank_flexible_slider(slider="rigid"),
    }
    crank = {name: simulate(system, duration, solver=solver, sample=times) for name, system in systems.items()}
    half = TimeStepping(step=0.5 * step)
    oscillator = {
        name: simulate(stick_slip_oscillator(name), 40.0, solver=half, sample=step) for name in ("flexible", "rigid")
    }
    start = simulate(systems["4 elements"], START, solver=TimeStepping(step=2.5e-4), sample=2.5e-4)
    settled = min(100.0, duration - 2.0 * PERIOD)  # from when on the slider-crank counts as settled
    claims = oscillator_claims(oscillator["flexible"]) + crank_claims(crank, start, settled)
    return SliderStudy(oscillator, crank, start, claims)


def of_node(result: Result, variable: str, *nodes: int) -> np.ndarray:
    """A variable of the guide at surface nodes with these numbers of the paper (time, node)."""
    points = [f"guide:{node - 1}" for node in nodes]
    return result.data[variable].sel(surface_point=points).values


def friction_sum(result: Result) -> np.ndarray:
    """The sum of the friction forces on the slider (time,) [N]."""
    return result.data.guide_friction_force.sum("surface_point").values


def oscillator_claims(result: Result) -> tuple[Claim, ...]:
    """What the paper says of figures 7 to 11."""
    data = result.data
    time = data.time.values
    landed, step = time > LANDED, float(time[1] - time[0])
    velocity = data.node_velocity.sel(node=[f"slider:{node - 1}" for node in (1, 6, 31, 36)]).values[landed]
    along, across = np.abs(velocity[:, :, 0]).max(), np.abs(velocity[:, :, 1]).max()
    left, right = velocity[:, 0, 1], velocity[:, 1, 1]
    fast = np.maximum(np.abs(left), np.abs(right)) > 1e-4
    opposite = left * right < 0.0
    sliding, normal = np.abs(data.guide_sliding_velocity.values), data.guide_normal_force.values
    sticking = ((normal > 0.0) & (sliding < AT_REST)).any(axis=1)
    spells = int(np.sum(np.diff(sticking.astype(int)) == 1))
    corners = of_node(result, "guide_normal_force", 1, 31, 6, 36)
    products = corners[:, 0] * corners[:, 1], corners[:, 2] * corners[:, 3]
    upper = (corners[:, 0] > 0.0).sum() * step, (corners[:, 2] > 0.0).sum() * step
    inner = of_node(result, "guide_gap", 2, 3, 4, 5).min()
    return (
        Claim(
            "oscillator: the slider sticks and slips (figure 7)",
            spells > 4 and 5.0 < sticking.sum() * step < 20.0,
            f"some node rests for {sticking.sum() * step:.2f} s of 40 s, in {spells} spells; "
            f"otherwise up to {along:.3f} m/s",
        ),
        Claim(
            "oscillator: velocities across the guide are much smaller than along it (figure 8)",
            bool(across < 0.02 * along),
            f"corners up to {across:.4f} m/s across, {along:.4f} m/s along, after the drop at the start",
        ),
        Claim(
            "oscillator: nodes 1 and 6 move across the guide with opposite signs (figure 8)",
            bool(opposite[fast].all()),
            f"always where one of them is faster than 1e-4 m/s; at any speed in {100 * opposite.mean():.0f} % of "
            f"{len(opposite)} samples",
        ),
        Claim(
            "oscillator: nodes 2 to 5 never touch (figure 10)",
            bool(inner > 0.0),
            f"they stay at least {1e3 * inner:.2f} mm away; the corners 1 and 6 touch for {upper[0]:.2f} s and "
            f"{upper[1]:.2f} s of 40 s",
        ),
        Claim(
            "oscillator: corner forces are complementary, F_1N·F_31N = 0 and F_6N·F_36N = 0 (figure 11)",
            bool(max(products[0].max(), products[1].max()) == 0.0 and min(upper) > 1.0),
            f"largest products {products[0].max():g} and {products[1].max():g} N² over {len(time)} samples",
        ),
    )


def crank_claims(crank: dict[str, Result], start: Result, settled: float) -> tuple[Claim, ...]:
    """What the paper says of figures 13 to 17."""
    flexible = crank["4 elements"]
    time = flexible.data.time.values
    late = time >= settled
    angle = {name: result.data.joint_position.sel(coordinate="O.angle").values for name, result in crank.items()}
    limits = {name: (values[late].min(), values[late].max()) for name, values in angle.items()}
    swing = limits["4 elements"][1] - limits["4 elements"][0]
    last = time >= time[-1] - PERIOD - 1e-9
    now, before = (
        np.interp(time[last] - shift, time, angle["4 elements"])[::5] for shift in (0.0, PERIOD)
    )  # interpolated where samples are 0.01 s apart
    half = np.interp(time[last] - 0.5 * PERIOD, time, angle["4 elements"])[::5]
    sticking = (
        (flexible.data.guide_normal_force.values[last] > 0.0)
        & (np.abs(flexible.data.guide_sliding_velocity.values[last]) < AT_REST)
    ).any(axis=1)
    upper = {
        name: time[(result.data.guide_normal_force.values[:, result.data.surface.values == "upper"] > 0.0).any(axis=1)]
        for name, result in crank.items()
    }
    peak = {name: float(np.abs(friction_sum(result)[last]).max()) for name, result in crank.items()}
    node = of_node(flexible, "guide_friction_force", 8)[last, 0]
    rests = np.abs(of_node(flexible, "guide_sliding_velocity", 8)[last, 0]) < AT_REST
    breaks = np.flatnonzero(rests[:-1] & ~rests[1:])
    near = np.unique((breaks[:, None] + (-1, 0, 1)).clip(0, len(node) - 2))  # a force is that of its sample's step
    jump = int(near[np.argmax(np.abs(node[near]) - np.abs(node[near + 1]) - (node[near] * node[near + 1] <= 0.0))])
    ratio = node[jump + 1] / node[jump]
    gap = np.abs(flexible.data.pin_gap.values[: np.flatnonzero(last)[0], 0]).max()  # 0.01 s apart
    fine = np.abs(start.data.pin_gap.values[:, 0])
    sampled = fine[:: round(0.01 / (start.data.time.values[1] - start.data.time.values[0]))].max()
    above = (fine.max(axis=1) > 8e-4).sum() * float(start.data.time.values[1])
    seconds = {name: result.stats["seconds_computing"] for name, result in crank.items()}
    apart = max(abs(a - b) for a, b in zip(limits["4 elements"], limits["8 elements"], strict=True))
    return (
        Claim(
            f"slider-crank: periodic stick-slip with the drive's period of {PERIOD:g} s (figure 13)",
            bool(np.abs(now - before).max() < 1e-4 * swing and np.abs(now - half).max() > 0.1 * swing)
            and 0.0 < sticking.mean() < 1.0,
            f"crank between {limits['4 elements'][0]:.5f} and {limits['4 elements'][1]:.5f} rad, "
            f"{np.abs(now - before).max():.0e} rad from one period to the next; some node rests for "
            f"{PERIOD * sticking.mean():.2f} s of each",
        ),
        Claim(
            "slider-crank: 4 elements are enough (figures 13 and 14)",
            bool(apart < 1e-3),
            f"with 8 the crank's range differs by {apart:.1e} rad; {seconds['4 elements']:.2f} s and "
            f"{seconds['8 elements']:.2f} s of computing (paper: 155 s and 415 s)",
        ),
        Claim(
            "slider-crank: the largest static friction is lower than for a rigid slider (figure 14)",
            max(peak["4 elements"], peak["8 elements"]) < 0.95 * peak["rigid"],
            ", ".join(f"{value:.3f} N ({name})" for name, value in peak.items()),
        ),
        Claim(
            "slider-crank: only the lower surface touches once the motion is settled (figure 15)",
            all(times[-1] < 0.5 * settled for times in upper.values()),
            "last touch of the upper surface: "
            + ", ".join(f"{times[-1]:.2f} s ({name})" for name, times in upper.items()),
        ),
        Claim(
            "slider-crank: friction of lower nodes jumps from stick to slip (figure 16)",
            bool(abs(ratio - 0.75) < 0.01),
            f"node 8 from {node[jump]:.3f} to {node[jump + 1]:.3f} N within a step, by the factor {ratio:.3f}; the "
            "coefficients are 0.04 and 0.03",
        ),
        Claim(
            "slider-crank: the pin's gap, sampled every 0.01 s, stays below 8e-4 m (figure 17)",
            bool(sampled < 8e-4 and gap < 8e-4),
            f"{max(sampled, gap):.2e} m; between the samples it peaks at {fine.max():.2e} m at t = "
            f"{start.data.time.values[fine.max(axis=1).argmax()]:.3f} s and is above 8e-4 m for {1e3 * above:.1f} ms",
        ),
    )
