"""Kinematics of fully driven mechanisms: closed forms, agreement with simulations, singular positions, mistakes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from closed_forms import (
    OUT,
    SPEED,
    FourBar,
    L,
    R,
    hooke,
    hooke_motion,
    slider_crank,
    slider_crank_motion,
    turn_about_z,
)
from gudgeon.analysis.driven_motion.factors import ClusterFactors, Factors
from gudgeon.analysis.driven_motion.instant import Mechanism
from gudgeon.mechanics.equations import equations_of_motion
from mechanisms import path, path_acceleration, path_rate, wheel
from mistakes import refuses

GRASHOF = FourBar(a=1.0, b=3.0, c=2.5, d=3.2)  # 1 + 3.2 < 3 + 2.5: the crank turns fully
SHORT = FourBar(a=1.5, b=1.0, c=1.2, d=2.0)  # the crank does not
PARALLELOGRAM = FourBar()
QUARTER = math.pi / 2


# closed forms


def test_slider_crank_in_closed_form():
    times = np.linspace(0.0, 2.0, 81)
    result = gd.kinematics(slider_crank(), 2.0, sample=times)
    exact, data = slider_crank_motion(times), result.data
    slider = {name: data[name].sel(body="slider", axis="x").values for name in ("position", "velocity", "acceleration")}
    assert slider["position"] == pytest.approx(exact.x, abs=1e-13)
    assert slider["velocity"] == pytest.approx(exact.dx, abs=1e-12)
    assert slider["acceleration"] == pytest.approx(exact.ddx, abs=1e-11)
    assert turn_about_z(data, "crank") == pytest.approx(exact.a, abs=1e-12)
    assert data["drive_effort"].sel(drive="motor").values == pytest.approx(exact.torque, abs=1e-11)
    assert data["reaction_force"].sel(joint="guide", axis="y").values == pytest.approx(exact.guide, abs=1e-11)
    assert data["kinetic_energy"].values == pytest.approx(exact.kinetic, abs=1e-12)
    assert data["constraint_residual"].values.max() < 1e-13
    assert len(result.singularities) == 0
    assert (result.stats["solver"], result.stats["end"], result.stats["degrees_of_freedom"]) == (
        "kinematics",
        "done",
        0,
    )


def test_four_bar_by_freudenstein():
    times = np.linspace(0.0, 7.0, 71)  # [s] more than one turn
    data = gd.kinematics(GRASHOF.system(0.3), 7.0, sample=times).data
    psi, slope, curve = GRASHOF.rocker(0.3 + times)
    assert turn_about_z(data, "rocker") == pytest.approx(psi - psi[0], abs=1e-12)
    assert data["angular_velocity"].sel(body="rocker", axis="z").values == pytest.approx(slope, abs=1e-12)
    assert data["angular_acceleration"].sel(body="rocker", axis="z").values == pytest.approx(curve, abs=1e-11)


def test_hooke_joint_in_closed_form():
    times = np.linspace(0.0, 4.0, 81)  # [s] 8 rad
    data = gd.kinematics(hooke(), 4.0, sample=times).data
    _, speed, acceleration = hooke_motion(SPEED * times)
    assert data["angular_velocity"].sel(body="out").values == pytest.approx(np.outer(speed, OUT), abs=1e-13)
    found = data["angular_acceleration"].sel(body="out").values
    assert found == pytest.approx(np.outer(acceleration, OUT), abs=1e-12)


def test_samples_do_not_depend_on_each_other():
    """Steps are chosen by the mechanism: one sample after many turns is as exact as a thousand on the way."""
    fast = slider_crank(drives={"motor": gd.Drive("pivot", "20*pi*t")})
    few, many = gd.kinematics(fast, 1.0, sample=[0.123, 0.777]), gd.kinematics(fast, 1.0, sample=[0.1, 0.123, 0.777])
    angle = 20 * math.pi * np.array([0.123, 0.777])
    x = R * np.cos(angle) + np.sqrt(L**2 - (R * np.sin(angle)) ** 2)
    assert few.data["position"].sel(body="slider", axis="x").values == pytest.approx(x, abs=1e-12)
    assert many.states[1:] == pytest.approx(few.states, abs=1e-12)


def test_samples_need_no_singular_values(monkeypatch):
    """Singular values cost ten times the rest of a sample: as many are computed for 200 samples as for 2."""
    counts = []

    def counted(function):
        def call(*arguments, **options):
            counts[-1] += 1
            return function(*arguments, **options)

        return call

    for name in ("svd", "eigvalsh"):  # near singular positions, and far from them
        monkeypatch.setattr(np.linalg, name, counted(getattr(np.linalg, name)))
    for sample in (1.0, 0.01):
        counts.append(0)
        result = gd.kinematics(GRASHOF.system(0.3), 2.0, sample=sample)
        assert np.all(np.isfinite(result.data["drive_effort"]))
    assert 0 < counts[0] == counts[1]


def test_the_inverse_bounds_the_smallest_singular_value():
    random = np.random.default_rng(3)
    for rows, unknowns in ((6, 6), (30, 24), (90, 78)):
        matrix = random.standard_normal((rows, unknowns))
        matrix[:, -1] = matrix[:, 0] + random.uniform(1e-6, 1.0) * matrix[:, -1]
        factors = Factors(matrix[None])
        exact = np.linalg.svd(matrix, compute_uv=False)[-1]
        assert factors.sigma == pytest.approx([exact], rel=1e-12)
        assert exact / np.sqrt(unknowns) <= factors.least_sigma[0] * (1 + 1e-9) <= exact * (1 + 2e-9)
        right = matrix @ random.standard_normal(unknowns)
        assert matrix @ factors.solve(right[None])[0] == pytest.approx(right, abs=1e-9)
    singular = Factors(np.diag([1.0, 0.0])[None])
    assert (singular.sigma[0], singular.least_sigma[0]) == (0.0, 0.0)
    assert singular.solve(np.array([[2.0, 0.0]]))[0] == pytest.approx([2.0, 0.0])


# the same as a simulation


def loaded_slider_crank() -> gd.System:
    loads = {
        "wind": gd.Force("rod", ("2*sin(3*t)", 1.0, 0.5)),
        "gas": gd.SpringDamper("ground", "slider", at_first=(1, 0, 0), stiffness=20.0, damping=3.0, length=0.3),
        "torsion": gd.JointSpring("pivot", stiffness=0.5, damping=0.1, rest=0.2),
    }
    return slider_crank(loads=loads)


def crane() -> gd.System:
    """A turning and lifting column, an arm that nods on it, and a load on a Hooke joint held by two drives."""
    small = {"mass": 1.0, "inertia": (0.02, 0.03, 0.04)}
    return gd.System(
        name="crane",
        bodies={
            "column": gd.Body(**small, position=(0, 0, 0.5)),
            "arm": gd.Body(**small, position=(0.5, 0, 1)),
            "load": gd.Body(**small, position=(1, 0, 0.7)),
        },
        joints={
            "base": gd.Cylindrical("ground", "column", at=(0, 0, 0), axis=(0, 0, 1)),
            "nod": gd.Revolute("column", "arm", at=(0, 0, 1), axis=(0, 1, 0)),
            "hook": gd.Universal("arm", "load", at=(1, 0, 1), axis_parent=(1, 0, 0), axis_child=(0, 1, 0)),
        },
        drives={
            "turn": gd.Drive("base", "0.8*sin(2*t)", coordinate="angle"),
            "lift": gd.Drive("base", "0.2*t**2", coordinate="displacement"),
            "nod": gd.Drive("nod", path, rate=path_rate, acceleration=path_acceleration),
            "sway": gd.Drive("hook", "0.3*sin(4*t)", coordinate="angle_parent"),
            "swing": gd.Drive("hook", "0.2*sin(3*t)", coordinate="angle_child"),
        },
    )


@pytest.mark.parametrize("make", [crane, loaded_slider_crank, lambda: GRASHOF.system(0.3)])
def test_clusters_solve_for_all_bodies(make):
    """Φ_q x = b of the whole mechanism, though every cluster is solved on its own; several states at once."""
    result = gd.kinematics(make(), 0.6, sample=0.3)
    mechanism, times, states = Mechanism(equations_of_motion(make())), result.data.time.values, result.states
    at = mechanism.rows(times, states)
    x = np.random.default_rng(2).standard_normal((3, 6 * mechanism.body_count))
    right = at.times_jacobian(mechanism.layout, x)
    mechanism.rows(times[:1], states[:1])
    assert right[0] == pytest.approx(mechanism.equations.jacobian() @ x[0], abs=1e-12)
    assert ClusterFactors(at, mechanism.layout).solve(right)[0] == pytest.approx(x, abs=1e-9)


def spatial_four_bar() -> gd.System:
    """No redundant rows: the coupler's spin taken by a Hooke joint."""
    system = gd.examples.spatial_four_bar()
    ball = system.joints["C"]
    hook = gd.Universal("coupler", "rocker", at_parent=ball.at_parent, at_child=ball.at_child, at=ball.at)
    return system.replace(joints={**system.joints, "C": hook}, drives={"motor": gd.Drive("A", "5*t + 2*t**2")})


@pytest.mark.parametrize("system", [loaded_slider_crank(), crane(), spatial_four_bar()], ids=lambda s: s.name)
def test_kinematics_equals_simulation(system):
    solver = gd.Explicit(rtol=1e-11, atol=1e-12)
    simulated = gd.simulate(system, 0.6, solver=solver, stabilization=gd.Projection(), sample=0.03)
    computed = gd.kinematics(system, 0.6, sample=0.03)
    assert set(computed.data.variables) == set(simulated.data.variables)
    for name, expected in simulated.data.data_vars.items():
        if name != "constraint_residual":
            found = computed.data[name]
            assert found.dims == expected.dims and found.attrs == expected.attrs
            size = max(1.0, float(np.abs(expected).max()))
            same = np.minimum(np.abs(found - expected), np.abs(found + expected) if name == "orientation" else np.inf)
            assert float(same.max()) < 1e-8 * size, name
    assert len(simulated.singularities) == 0
    assert list(simulated.singularities.columns) == ["time", "kind", "singular_value", "owners"]


def test_springs_count_turns():
    loads = {"spring": gd.JointSpring("axle", stiffness=2.0)}
    system = wheel(loads=loads, drives={"motor": gd.Drive("axle", "10*t")})
    data = gd.kinematics(system, 3.0, sample=1.0).data  # samples more than a turn apart
    assert data["drive_effort"].values[:, 0] == pytest.approx([0, 20, 40, 60], abs=1e-9)
    assert data["potential_energy"].values == pytest.approx([0, 100, 400, 900], abs=1e-9)


# singular positions


def test_parallelogram_branches_when_flat():
    """Flat at φ = π and 2π; the smooth motion keeps the coupler parallel (any textbook: change points)."""
    result = gd.kinematics(PARALLELOGRAM.system(QUARTER), 2 * math.pi, sample=math.pi / 20)
    table, data = result.singularities, result.data
    assert table.time.values == pytest.approx([QUARTER, 3 * QUARTER], abs=1e-10)
    assert table.kind.tolist() == ["branching", "branching"]
    assert table.singular_value.max() < 1e-12
    assert set(table.owners[0]) == {"A", "B", "C", "D"}
    # samples 10 and 30 are exactly flat: motion known by continuity, forces not
    assert np.abs(turn_about_z(data, "coupler")).max() < 1e-12
    assert turn_about_z(data, "rocker") == pytest.approx(data.time.values, abs=1e-12)
    assert np.abs(data["angular_velocity"].sel(body="coupler")).max() < 1e-9
    assert data["angular_velocity"].sel(body="rocker", axis="z").values == pytest.approx(1.0, abs=1e-9)
    assert np.abs(data["angular_acceleration"]).max() < 1e-6
    lost = np.flatnonzero(np.isnan(data["drive_effort"].values[:, 0]))
    assert lost.tolist() == [10, 30]
    assert np.isnan(data["reaction_force"].values[10]).all()
    # the weights of all bars at their rates: crank and rocker half, coupler in full
    regular = np.setdiff1d(np.arange(41), lost)
    expected = 9.81 * (0.5 * 1.0 + 2.0 + 0.5 * 1.5) * np.cos(QUARTER + data.time.values)
    assert data["drive_effort"].values[regular, 0] == pytest.approx(expected[regular], abs=1e-9)


def test_singular_positions_do_not_depend_on_samples(tmp_path):
    system = PARALLELOGRAM.system(1.0)
    result = gd.kinematics(system, 4.0, sample=4.0)
    assert result.singularities.time.values == pytest.approx([math.pi - 1], abs=1e-10)
    again = gd.load(result.save(tmp_path / "parallelogram.nc"))
    assert again.singularities.equals(result.singularities)
    assert again.singularities.owners[0] == result.singularities.owners[0]
    at_the_end = gd.kinematics(PARALLELOGRAM.system(QUARTER), QUARTER, sample=QUARTER / 4)
    assert at_the_end.singularities.time.values == pytest.approx([QUARTER], abs=1e-9)
    assert np.abs(turn_about_z(at_the_end.data, "coupler")).max() < 1e-11


@pytest.mark.parametrize("seed", range(4))
def test_no_singular_position_is_missed(seed):
    """Any start, speed and to-and-fro: flat whenever the crank angle passes a multiple of π."""
    random = np.random.default_rng(seed)
    start, swing, rate = random.uniform(0.2, 2.9), random.uniform(2.0, 6.0), random.uniform(0.5, 3.0)
    result = gd.kinematics(PARALLELOGRAM.system(start, f"{swing}*sin({rate}*t)"), 4.0, sample=4.0)
    times = np.linspace(0.0, 4.0, 400_001)
    half_turns = np.floor((start + swing * np.sin(rate * times)) / math.pi)
    assert result.singularities.time.values == pytest.approx(times[1:][np.diff(half_turns) != 0], abs=2e-5)
    assert np.abs(turn_about_z(result.data, "coupler")).max() < 1e-9


def test_parallelogram_that_touches_flat_and_returns():
    result = gd.kinematics(PARALLELOGRAM.system(QUARTER, "pi/2*sin(t)"), 3.0, sample=0.1)
    assert result.singularities.time.values == pytest.approx([QUARTER], abs=1e-3)
    assert np.abs(turn_about_z(result.data, "coupler")).max() < 1e-7


@pytest.mark.parametrize("longer", [1e-3, 1e-6])
def test_branches_close_by_are_told_apart(longer):
    """A rocker slightly longer than the crank: it never gets flat, and C stays on its side of BD (Grashof)."""
    linkage = FourBar(c=1.0 + longer)
    result = gd.kinematics(linkage.system(QUARTER), 2 * math.pi, sample=0.05)
    assert len(result.singularities) == 0
    psi, _, _ = linkage.rocker(QUARTER + result.data.time.values)
    assert turn_about_z(result.data, "rocker") == pytest.approx(psi - psi[0], abs=1e-9)


@pytest.mark.parametrize("longer", [1e-2, 1e-6])
def test_a_small_gap_locks(longer):
    """A coupler slightly too long: locked where |BD| = b − c (law of cosines)."""
    linkage = FourBar(b=2.0 + longer)
    with pytest.raises(gd.SimulationError, match="it locks at t = 4") as caught:
        gd.kinematics(linkage.system(QUARTER), 2 * math.pi, sample=0.05)
    angle = 2 * math.pi - math.acos((1 + 4 - (1 + longer) ** 2) / 4)
    assert caught.value.time == pytest.approx(angle - QUARTER, abs=1e-9)


def pushed_slider(angle: float, value: str) -> gd.System:
    """The slider-crank at a crank angle, driven at its slider: `value` is its x [m]."""
    system = gd.assemble(slider_crank(drives={"motor": gd.Drive("pivot", angle)})).system
    return system.replace(drives={"ram": gd.Drive("guide", f"{value} - {R + L}")})


def slider_x(angle: float) -> float:
    return R * math.cos(angle) + math.sqrt(L**2 - (R * math.sin(angle)) ** 2)


@pytest.mark.parametrize("speed", [0.1, -0.1])
def test_slider_locks_at_dead_centre(speed):
    system = pushed_slider(1.0, f"{slider_x(1.0)!r} + {speed}*t")
    with pytest.raises(gd.SimulationError) as caught:
        gd.kinematics(system, 5.0, sample=0.01)
    dead_centre = R + L if speed > 0 else L - R
    error, result = caught.value, caught.value.result
    assert error.time == pytest.approx((dead_centre - slider_x(1.0)) / speed, abs=1e-10)
    assert error.owner == "ram"
    assert str(error).startswith(
        f"System 'driven slider-crank': it locks at t = {error.time:.9g} s, where Drive 'ram' cannot move it further: "
        "no velocities satisfy all joints and drives (smallest singular value"
    )
    assert str(error).endswith("; error.result holds everything up to then")
    assert result is not None
    assert result.data.time.values == pytest.approx(np.arange(0, error.time, 0.01), abs=1e-12)
    x = slider_x(1.0) + speed * result.data.time.values
    assert result.data["position"].sel(body="slider", axis="x").values == pytest.approx(x, abs=1e-12)
    # law of cosines for the crank
    angle = np.arccos((x**2 + R**2 - L**2) / (2 * R * x))
    assert 1.0 + turn_about_z(result.data, "crank") - turn_about_z(result.data, "crank")[0] == pytest.approx(
        angle, abs=1e-11
    )
    assert result.stats["end"] == "locked"
    table = result.singularities
    assert (table.kind.tolist(), table.time.tolist()) == (["locked"], [error.time])
    assert table.singular_value[0] < 1e-5
    assert set(table.owners[0]) == {"ram", "wrist pin", "crank pin", "pivot"}


def test_slider_driven_as_by_a_crank_passes_its_dead_centres():
    """The two ways on, back or through, cross there; the crank goes on turning."""
    value = f"{R}*cos(1 + t) + sqrt({L}**2 - ({R}*sin(1 + t))**2)"
    result = gd.kinematics(pushed_slider(1.0, value), 6.0, sample=0.05)
    assert result.singularities.time.values == pytest.approx([math.pi - 1, 2 * math.pi - 1], abs=1e-6)
    assert result.singularities.kind.tolist() == ["branching", "branching"]
    assert result.data["angular_velocity"].sel(body="crank", axis="z").values == pytest.approx(1.0, abs=1e-7)


def test_a_drive_out_of_reach():
    """A crank that cannot turn fully stops where coupler and rocker are stretched (law of cosines)."""
    with pytest.raises(gd.SimulationError, match=r"it locks at t = 0\.8335.*Drive 'motor'") as caught:
        gd.kinematics(SHORT.system(0.5), 3.0, sample=0.1)
    reach = math.acos((1.5**2 + 2.0**2 - (1.0 + 1.2) ** 2) / (2 * 1.5 * 2.0))
    assert caught.value.time == pytest.approx(reach - 0.5, abs=1e-10)
    assert caught.value.result is not None
    assert caught.value.result.data.sizes["time"] == 9


# failures on the way


def step_at_half(t):
    return 0.0 if t < 0.5 else 0.3


def nothing_after_half(t):
    return 0.1 * t if t < 0.5 else math.nan


def zero(t):
    return 0.0


def tenth(t):
    return 0.1


@pytest.mark.parametrize(
    ("drive", "wording"),
    [
        (
            gd.Drive("axle", step_at_half, rate=zero, acceleration=zero),
            "jumps by 0.3 (m or rad) at t = 0.5 s; its value",
        ),
        (gd.Drive("axle", nothing_after_half, rate=tenth, acceleration=zero), "is not a number at t = 0.5 s; it must"),
        (gd.Drive("axle", "sqrt(0.25 - t)"), "is not a number at t = 0.25 s; it must stay finite"),
    ],
    ids=["jump", "nan", "expression"],
)
def test_drives_that_end(drive, wording):
    with pytest.raises(gd.SimulationError) as caught:
        gd.kinematics(wheel(drives={"motor": drive}), 1.0, sample=0.1)
    assert str(caught.value).startswith(f"System 'wheel': Drive 'motor' {wording}")
    assert caught.value.owner == "motor"
    assert caught.value.result is not None
    assert caught.value.result.data.time.values[-1] == pytest.approx(caught.value.time, abs=0.11)


def test_drives_that_contradict_each_other():
    two = {"first": gd.Drive("A", "t"), "second": gd.Drive("D", "t + t**4")}
    with pytest.raises(
        gd.SimulationError, match=r"no position or velocity satisfies all joints and drives after t = 0\.0"
    ):
        gd.kinematics(PARALLELOGRAM.system(QUARTER, drives=two), 1.0)
    two["second"] = gd.Drive("D", "t")
    result = gd.kinematics(PARALLELOGRAM.system(QUARTER, drives=two), 2.0, sample=0.5)  # one more than needed
    assert len(result.singularities) == 0  # the second drive decides where the first does not


def test_interrupted():
    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(gd.SimulationInterrupted, match="interrupted at t = ") as caught:
        gd.kinematics(slider_crank(), 2.0, sample=0.1, progress=stop)
    assert caught.value.result is not None
    x = caught.value.result.data["position"].sel(body="slider", axis="x").values
    assert 10 <= len(x) < 20
    assert x == pytest.approx(slider_crank_motion(0.1 * np.arange(len(x))).x, abs=1e-12)


# mistakes


def kinematics(system: Any = None, duration: Any = 1.0, **options: Any) -> gd.Result:
    return gd.kinematics(slider_crank() if system is None else system, duration, **options)


def doubled(t):
    return 2.0 * t


def slow(t):
    return t


MISTAKES = {
    "no drive": (
        lambda: kinematics(slider_crank(drives={})),
        "kinematics: 'driven slider-crank' has 1 degree of freedom left that no drive moves; drive 'pivot', "
        "'crank pin' or 'wrist pin' as well, or use gd.simulate",
    ),
    "two freedoms": (
        lambda: kinematics(crane().replace(drives={name: crane().drives[name] for name in ("turn", "sway", "swing")})),
        "kinematics: 'crane' has 2 degrees of freedom left that no drive moves; drive, for instance, "
        "'base.displacement' and 'nod' as well, or use gd.simulate",
    ),
    "a spin": (
        lambda: kinematics(gd.examples.spatial_four_bar().replace(drives={"motor": gd.Drive("A", "t")})),
        "kinematics: 'spatial four-bar' has 1 degree of freedom left that no drive moves; it moves no joint "
        "coordinate: the rotations of Spherical 'B' have none; look for a body that spins about itself, make it a "
        "gd.Universal or gd.Revolute, or use gd.simulate",
    ),
    "a body without joints": (
        lambda: kinematics(slider_crank().replace(bodies={**slider_crank().bodies, "bird": gd.Body(1.0, (1, 1, 1))})),
        "kinematics: 'driven slider-crank' has 6 degrees of freedom left that no drive moves; they move no joint "
        "coordinate: no joint holds body 'bird'",
    ),
    "a real joint": (
        lambda: kinematics(gd.examples.spatial_four_bar("dry")),
        "kinematics: Spherical 'C' is a real joint (Dry), which acts by forces and leaves its bodies free, so drives "
        "cannot prescribe the motion; use system.with_model(C=gd.Ideal()), or gd.simulate",
    ),
    "singular start": (
        lambda: kinematics(slider_crank(drives={"ram": gd.Drive("guide", "0.05*cos(t) - 0.05")})),
        "kinematics: 'driven slider-crank' starts in a singular position, where its drives do not determine the motion "
        "(dependent rows of …'ram'…); start the drives a little beside it",
    ),
    "locked start": (
        lambda: kinematics(slider_crank(drives={"ram": gd.Drive("guide", "-0.1*t")})),
        "…: no velocities satisfy all joints and drives; this one misses its own by …",
    ),
    "wrong rate": (
        lambda: kinematics(wheel(drives={"motor": gd.Drive("axle", slow, rate=doubled, acceleration="2")})),
        "Drive 'motor': rate is not the derivative of value: at t = 0.995… s it is 1.99…, the slope of value is 1",
    ),
    "wrong acceleration": (
        lambda: kinematics(wheel(drives={"motor": gd.Drive("axle", path, rate=path_rate, acceleration="0")})),
        "Drive 'motor': acceleration is not the derivative of rate: at t = …",
    ),
    "not a system": (
        lambda: kinematics(gd.assemble(slider_crank())),
        "kinematics: Assembly given; give a gd.System (an Assembly has .system)",
    ),
    "no time": (
        lambda: kinematics(duration=0.0),
        "kinematics: duration is 0 s; give a positive number of seconds",
    ),
    "sample": (
        lambda: kinematics(sample=2.0),
        "kinematics: sample is 2 s; give an interval above 0 and up to the duration (1 s)",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake):
    run, wording = MISTAKES[mistake]
    with refuses(wording):
        run()


def test_names_that_are_no_identifiers():
    joint = gd.Spherical("ground", "bob", at=(0, 0, 0), model=gd.Bushing(stiffness=1e3, damping_time=1e-3))
    system = gd.System(bodies={"bob": gd.Body(mass=1.0, inertia=(1, 1, 1))}, joints={"ball 1": joint})
    with refuses("kinematics: Spherical 'ball 1' is a real joint (Bushing), …with_model(**{'ball 1': gd.Ideal()}), or"):
        gd.kinematics(system, 1.0)
