"""Contacts of sliders in `result.events`; forces of guides depend on (t, y) and the contacts begun, and on no more."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gudgeon as gd
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.fem import Material, Mesh, Rayleigh
from gudgeon.mechanics.equations import equations_of_motion

HEIGHT, GRAVITY, MASS, RESTITUTION = 0.05, 9.81, 2.0, 0.5  # of the drop [m]
FALL = float(np.sqrt(2.0 * HEIGHT / GRAVITY))  # [s]
FLORES = gd.laws.Flores(stiffness=1e7, restitution=0.6)


def dropped(height: float = HEIGHT, **law) -> gd.System:
    """A slider that falls flat onto the lower surface of its guide, from the middle of it."""
    model = gd.RigidSlider(length=0.4, height=0.2, clearance=height, **law)
    return gd.System(
        name="dropped slider",
        gravity=(0.0, -GRAVITY, 0.0),
        bodies={"slider": gd.Body(mass=MASS, inertia=(0.01, 0.03, 0.04))},
        joints={"guide": gd.Guide("ground", "slider", at=(0.0, 0.0, 0.0), model=model)},
    )


@pytest.mark.parametrize("impact", [gd.Newton(restitution_normal=RESTITUTION), RESTITUTION], ids=["Newton", "Stronge"])
def test_impacts_of_a_hard_slider(impact, tmp_path):
    """Impact n after T (1 + 2 (e + … + eⁿ⁻¹)), with eⁿ⁻¹ g T; each corner takes half of m (1 + e) v and its energy."""
    result = gd.simulate(dropped(impact=impact), 0.3, solver=gd.TimeStepping(step=1e-3), sample=0.3)
    events = result.events[result.events.contact == "lower left"].iloc[:5]
    assert set(result.events.contact) == {"lower left", "lower right"}
    assert set(result.events.joint) == {"guide"}
    n = np.arange(5)
    times = FALL * (1.0 + 2.0 * np.array([sum(RESTITUTION**k for k in range(1, i + 1)) for i in n]))
    speeds = RESTITUTION**n * GRAVITY * FALL
    assert events.begin.values == pytest.approx(times, abs=1e-6)
    assert np.array_equal(events.begin.values, events.end.values)
    assert events.impact_speed.values == pytest.approx(speeds, rel=1e-4)
    assert events.impulse.values == pytest.approx(0.5 * MASS * (1.0 + RESTITUTION) * speeds, rel=1e-4)
    assert events.energy_lost.values == pytest.approx(0.25 * MASS * (1.0 - RESTITUTION**2) * speeds**2, rel=1e-4)
    assert events.peak_force.isna().all()
    again = gd.load(result.save(tmp_path / "run.nc"))
    assert again.events.equals(result.events)


def test_at_rest_a_hard_slider_keeps_one_contact_a_corner():
    """It falls dead: each lower corner has one contact that outlasts the run, with half of m g t in all."""
    result = gd.simulate(dropped(impact=0.0), 0.3, solver=gd.TimeStepping(step=1e-3), sample=0.3)
    events = result.events
    assert len(events) == 2 and events.end.isna().all()
    assert events.begin.values == pytest.approx([FALL] * 2, abs=1e-6)
    assert events.impulse.values == pytest.approx([0.5 * MASS * GRAVITY * 0.3] * 2, rel=1e-6)
    assert events.energy_lost.sum() == pytest.approx(MASS * GRAVITY * HEIGHT, rel=1e-4)


def test_files_of_earlier_versions_have_balls_only(tmp_path):
    import xarray as xr

    path = gd.simulate(gd.examples.spatial_four_bar("dry"), 0.01, solver=gd.TimeStepping(step=1e-6)).save(
        tmp_path / "new.nc"
    )
    with xr.open_dataset(path, engine="h5netcdf", phony_dims="sort") as opened:
        old = opened.load().drop_vars(["event_contact", "event_impulse"])
    old.to_netcdf(tmp_path / "old.nc", engine="h5netcdf")
    events = gd.load(tmp_path / "old.nc").events
    assert len(events) > 0 and set(events.contact) == {"ball"} and events.impulse.isna().all()


# ------------------------------------------------------------------------------- laws that remember how a contact began
def rebound(height: float) -> tuple[float, float, float, float]:
    """By SciPy: m v' = 2 law(δ, δ̇, v₀) − m g. Duration of the first contact, speed after it, peak of a corner, v₀."""
    began = float(np.sqrt(2.0 * GRAVITY * height))

    def rates(t, state):
        depth, rate = state
        force = FLORES.normal_force(depth, rate, began, FLORES.parameters) if depth > 0.0 else 0.0
        return [rate, GRAVITY - 2.0 * max(force, 0.0) / MASS]

    def leaves(t, state):
        return state[0]

    leaves.terminal, leaves.direction = True, -1
    run = solve_ivp(rates, (0.0, 0.1), [0.0, began], events=leaves, rtol=1e-10, atol=1e-14)
    forces = [0.5 * MASS * (GRAVITY - rates(0.0, state)[1]) for state in run.y.T]
    return float(run.t_events[0][0]), -float(run.y_events[0][0][1]), max(forces), began


@pytest.mark.parametrize(
    ("solver", "within"),
    [
        (gd.Explicit(rtol=1e-9, atol=1e-12), 1e-4),
        (gd.Sundials(rtol=1e-9, atol=1e-12), 1e-4),
        (gd.TimeStepping(step=5e-6), 1e-2),
    ],
    ids=["Explicit", "Sundials", "TimeStepping"],
)
def test_restitution_of_a_soft_slider(solver, within):
    """One bounce of a law with δ̇⁽⁻⁾, against an independent integration."""
    height = 2e-3
    duration, speed, peak, began = rebound(height)
    fall = float(np.sqrt(2.0 * height / GRAVITY))
    apex = fall + duration + speed / GRAVITY
    result = gd.simulate(dropped(height, contact=FLORES), apex, solver=solver, sample=[0.0, apex])
    events = result.events
    assert sorted(events.contact) == ["lower left", "lower right"]
    assert events.begin.values == pytest.approx([fall] * 2, abs=1e-5)
    assert (events.end - events.begin).values == pytest.approx([duration] * 2, rel=within, abs=1e-5)
    assert events.impact_speed.values == pytest.approx([began] * 2, rel=within)
    lift = float(result.data.joint_position.sel(coordinate="guide.lift")[-1]) + height
    assert lift == pytest.approx(0.5 * speed**2 / GRAVITY, rel=3.0 * within)
    assert events.peak_force.values == pytest.approx([peak] * 2, rel=0.02)
    if isinstance(solver, gd.TimeStepping):
        assert events.energy_lost.sum() == pytest.approx(0.5 * MASS * (began**2 - speed**2), rel=0.02)
        assert events.impulse.sum() == pytest.approx(MASS * (began + speed + GRAVITY * duration), rel=0.01)


def test_reported_forces_do_not_depend_on_the_samples():
    system, solver = dropped(2e-3, contact=FLORES), gd.Explicit(rtol=1e-8, atol=1e-11)
    fall = float(np.sqrt(2.0 * 2e-3 / GRAVITY))
    times = fall + np.linspace(2e-4, 2e-3, 7)
    few = gd.simulate(system, times[-1], solver=solver, sample=times).data.guide_normal_force.values
    many = gd.simulate(system, times[-1], solver=solver, sample=np.union1d(times, np.linspace(0.0, times[-1], 333)))
    assert few.max() > 10.0
    assert np.array_equal(few, many.data.guide_normal_force.sel(time=times).values)


def flexible() -> gd.System:
    plate = gd.FlexibleSlider(
        mesh=Mesh.rectangle(0.4, 0.2, 2, 1),
        material=Material(youngs_modulus=1e6, poissons_ratio=0.3, density=MASS / 0.08),
        damping=Rayleigh(stiffness=1e-3),
        clearance=2e-3,
        contact=FLORES,
        friction=gd.laws.DryFriction(static=0.2),
    )
    return dropped(2e-3, contact=FLORES).with_model(guide=plate)


@pytest.mark.parametrize("system", [dropped(2e-3, contact=FLORES), flexible()], ids=["rigid", "flexible"])
def test_the_right_hand_side_is_a_function(system):
    """States above and within the wall in any order, again and again: the very same accelerations."""
    from gudgeon.kernels.dynamics.arrays import MODE, TOUCHING
    from gudgeon.kernels.dynamics.motion import right_hand_side

    equations = equations_of_motion(system)
    start = assemble_equations(equations).state
    equations.work.contact[:, MODE] = TOUCHING
    random = np.random.default_rng(3)
    states = start + random.uniform(-3e-3, 3e-3, (20, len(start)))
    rate, known = np.zeros_like(start), {}
    for k in random.permutation(np.repeat(np.arange(20), 5)):
        right_hand_side(equations.model, equations.work, 0.0, states[k], rate)
        assert np.array_equal(known.setdefault(k, rate.copy()), rate)
    assert max(np.abs(each).max() for each in known.values()) > 1e3  # some do touch
