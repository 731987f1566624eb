"""The frozen runs: name → mechanism, duration, solver, coordinates. Names say all but the options.

Short runs, 50 samples each. How much rounding matters to each is measured by freeze.py and kept in normal.json
(`within`): it decides on steps, and contacts of a frictionless ball multiply it at every impact.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

import gudgeon as gd
from benchmarks.test_andrews_squeezer import squeezer
from benchmarks.test_bricard import bricard
from benchmarks.test_car_axis import car_axis
from benchmarks.test_double_pendulum import double_pendulum
from benchmarks.test_flyball_governor import governor
from benchmarks.test_heavy_top import top
from benchmarks.test_n_four_bar import n_four_bar
from closed_forms import hooke, slider_crank
from frozen import systems
from mechanisms import double_pendulum as pinned_pendulum
from real_joints import EVERY_MODEL, two_bodies
from sliding_blocks import SLIDERS, block_on_belt, block_on_spring

SAMPLES = 50
EXPLICIT, IMPLICIT = gd.Explicit(), gd.Implicit()
SUNDIALS = gd.Sundials(rtol=1e-9, atol=1e-12)
CONTROLLED = gd.TimeStepping()
STICKS = gd.laws.DryFriction(static=0.20, kinetic=0.15)


@dataclass(frozen=True)
class Run:
    """One run."""

    system: Callable[[], gd.System]
    duration: float  # [s]
    solver: gd.Explicit | gd.Implicit | gd.Sundials | gd.TimeStepping
    coordinates: str = "absolute"
    options: dict[str, Any] = field(default_factory=dict)  # further ones of gd.simulate

    def result(self) -> gd.Result:
        """Run it; what it warns of is the business of other tests."""
        times = np.linspace(0.0, self.duration, SAMPLES)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return gd.simulate(
                self.system(),
                self.duration,
                solver=self.solver,
                coordinates=self.coordinates,
                sample=times,
                progress=False,
                **self.options,
            )


def _steps(step: float) -> gd.TimeStepping:
    return gd.TimeStepping(step=step)


def _called(solver: Any) -> str:
    stages = f" {solver.stages}" if getattr(solver, "stages", 3) != 3 else ""
    controlled = ", controlled" if isinstance(solver, gd.TimeStepping) and solver.rtol else ""
    return f"{type(solver).__name__}{stages}{controlled}"


RUNS: dict[str, Run] = {}


def _add(
    name: str, system: Callable[[], gd.System], duration: float, *solvers: Any, both=False, **options: Any
) -> None:
    """Freeze a mechanism under these solvers, in absolute or in both coordinates."""
    for solver in solvers:
        for each in ("absolute", "relative") if both else ("absolute",):
            RUNS[f"{name}, {_called(solver)}, {each}"] = Run(system, duration, solver, each, options)


# ideal joints: the published mechanisms, loops, drives, every type of joint and load
four_bar, crank = gd.examples.spatial_four_bar, gd.examples.slider_crank_flexible_slider
_add("four-bar", four_bar, 0.3, EXPLICIT, both=True)
_add("squeezer", squeezer, 0.01, EXPLICIT, both=True)
_add("Bricard", bricard, 0.3, EXPLICIT, both=True)
_add("car axis", car_axis, 0.3, EXPLICIT, both=True)
_add("governor", governor, 0.2, EXPLICIT, both=True)
_add("heavy top", partial(top, spin=150.0, precession=2.0), 0.2, EXPLICIT, both=True)
_add("3 four-bars", partial(n_four_bar, 3), 0.3, EXPLICIT, both=True)
_add("Hooke's joint", hooke, 0.3, EXPLICIT, both=True)
_add("driven slider-crank", slider_crank, 0.3, EXPLICIT, SUNDIALS, both=True)
_add("driven slider-crank", slider_crank, 0.3, _steps(2e-3))
_add("slider-crank at 5000 rpm", partial(systems.engine_slider_crank, gd.Ideal(), 5000), 0.024, EXPLICIT)
_add("every joint", systems.every_joint, 0.3, EXPLICIT, SUNDIALS, both=True)
_add("every joint", systems.every_joint, 0.1, IMPLICIT, both=True)
_add("every joint", systems.every_joint, 0.1, _steps(1e-3))
_add("double pendulum, projected", double_pendulum, 0.3, EXPLICIT, stabilization=gd.Projection())
_add("double pendulum, Baumgarte", double_pendulum, 0.3, EXPLICIT, stabilization=gd.Baumgarte(alpha=10.0, beta=10.0))

# real spherical joints: in the published four-bar, between two free bodies, in a chain
for joint in ("dry", "frictionless", "lubricated", "bushing"):
    _add(f"four-bar, {joint}", partial(four_bar, joint), 0.03, IMPLICIT, both=True)
    _add(f"four-bar, {joint}", partial(four_bar, joint), 0.02, _steps(2e-5))
_add("four-bar, dry", partial(four_bar, "dry"), 0.02, EXPLICIT, SUNDIALS)
LOW = {"low": gd.Crossing(body="rocker", along=(0, 0, 1), value=0.0326)}
_add("four-bar, dry, crossings", partial(four_bar, "dry"), 0.02, EXPLICIT, IMPLICIT, crossings=LOW)
for name, model in EVERY_MODEL.items():
    _add(name, partial(two_bodies, model), 0.003, EXPLICIT, IMPLICIT, both=True)
    if name != "LuGre":
        _add(name, partial(two_bodies, model), 0.002, _steps(2e-6))
for name in ("Coulomb", "LuGre", "lubricated, contact", "bushing 6×6"):
    _add(name, partial(two_bodies, EVERY_MODEL[name]), 0.003, gd.Implicit(stages=5), gd.Implicit(stages=7))
    _add(name, partial(two_bodies, EVERY_MODEL[name]), 0.002, SUNDIALS, both=True)
_add("chain of real joints", systems.chain_of_real_joints, 0.02, IMPLICIT, both=True)
_add("chain of real joints", systems.chain_of_real_joints, 0.01, EXPLICIT, _steps(2e-6))
_add("engine on mounts", systems.engine_mounts, 0.2, EXPLICIT, IMPLICIT, both=True)
FILM = gd.Lubricated(socket_radius=0.01005, ball_radius=0.010, viscosity=0.4)
_add("oil in a slider-crank", partial(systems.engine_slider_crank, FILM, 3000), 0.01, IMPLICIT, both=True)

# surfaces
BOUNCING = partial(systems.ball_of_surfaces, restitution=True, ball_on="one")
_add("ball of surfaces", systems.ball_of_surfaces, 0.001, IMPLICIT, both=True)
_add("ball of surfaces", systems.ball_of_surfaces, 0.001, EXPLICIT, SUNDIALS)
_add("ball of surfaces, restitution", BOUNCING, 0.002, IMPLICIT)
_add("journal of surfaces", partial(systems.journal_of_surfaces, driven=False), 0.005, IMPLICIT, both=True)
_add("driven journal of surfaces", partial(systems.journal_of_surfaces, driven=True), 0.005, IMPLICIT, EXPLICIT)
_add("ball on a plane", systems.ball_on_plane, 0.001, IMPLICIT)

# guides: soft, hard and flexible sliders, pins of springs, flexible bodies
for kind in ("flexible", "rigid", "hard", "ideal"):
    _add(f"oscillator, {kind}", partial(gd.examples.stick_slip_oscillator, slider=kind), 0.3, _steps(2e-3))
    _add(f"slider-crank, {kind}", partial(crank, slider=kind), 0.3, _steps(2e-3), CONTROLLED)
    _add(f"slider-crank, {kind}, ideal pin", partial(crank, 8, slider=kind, pin="ideal"), 0.3, _steps(2e-3))
_add("slider-crank, flexible", crank, 0.1, gd.Explicit(rtol=1e-6, atol=1e-8), gd.Sundials(rtol=1e-6, atol=1e-8))
_add("hard slider-crank", gd.examples.slider_crank_hard_contact, 0.05, _steps(1e-4), CONTROLLED)
for law in (gd.Newton, gd.Stronge, gd.Poisson):
    hard = partial(systems.sliding_plate, "rigid", impact=law(restitution_normal=0.4), friction=STICKS)
    _add(f"thrown slider, {law.__name__}", hard, 0.2, _steps(1e-3))
for kind in SLIDERS:
    on_spring = partial(block_on_spring, kind, x=0.05, v=0.3, stiffness=100.0, friction=STICKS)
    _add(f"block on a spring, {kind}", on_spring, 0.3, _steps(1e-3))
    on_belt = partial(block_on_belt, kind, speed=0.2, stiffness=100.0, friction=STICKS)
    _add(f"block on a belt, {kind}", on_belt, 0.2, _steps(1e-3))
for kind, contact in (("rigid", systems.LOSSY_CORNER), ("flexible", systems.SOFT_CORNER)):
    soft = partial(systems.sliding_plate, kind, contact=contact)
    _add(f"thrown slider, {kind}", soft, 0.05, EXPLICIT, SUNDIALS, _steps(1e-4))
_add("slider on a swing", systems.slider_on_moving_guide, 0.1, EXPLICIT, _steps(1e-4))
SPRINGS = partial(pinned_pendulum, gd.PenaltyPin(stiffness=1e5))
_add("pin of springs", SPRINGS, 0.1, EXPLICIT, SUNDIALS, _steps(1e-3))
_add("flexible plate", systems.flexible_plate, 0.1, EXPLICIT, SUNDIALS, _steps(1e-3))
