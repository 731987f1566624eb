"""A dry gudgeon pin in motion: impacts, settled motion and losses of the reference slider-cranks.

References: an integration of its own with Dormand–Prince 5(4) and located events (see their entries `verified`).
"""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws
from journal_cranks import (
    CASES,
    LENGTH,
    LOSS,
    MODULUS,
    REVOLUTION,
    ball_as_pin,
    journal,
    lost,
    planar_states,
    slider_crank,
)

PERIODIC = CASES["planar_slider_crank_periodic: conformal line, c 0.5 mm, mu 0.1"]["reference"]
EXACT = gd.Explicit(rtol=1e-12, atol=1e-15)
WIDE = 5e-4  # clearance of the planar cases [m]
STORED = laws.PinInBore(modulus=MODULUS, clearance=WIDE, loss=LOSS)
RATTLING = {
    "planar_slider_crank: LN c=0.5 mm mu=0.03": (0.03, ball_as_pin(WIDE)),
    "planar_slider_crank: LN c=0.5 mm mu=0.1": (0.1, ball_as_pin(WIDE)),
    "planar_slider_crank: conformal line c=0.5 mm mu=0.03": (0.03, STORED),
}


@pytest.mark.parametrize("name", RATTLING)
def test_impacts_in_the_plane(name):
    """Every converged contact begins within 1e-8 s, its peak force is met to 0.2 %, and what it loses."""
    reference = CASES[name]["reference"]
    contacts = np.array(reference["contacts"])
    mu, law = RATTLING[name]
    run = gd.simulate(
        slider_crank(journal(WIDE, mu, law, planar=True)),
        2.0 * REVOLUTION,
        solver=EXACT,
        sample=0.5 * REVOLUTION,
    )
    events = run.events[: len(contacts)]
    assert set(events.contact) == {"land"}
    assert events.begin.values == pytest.approx(contacts[:, 0], abs=1e-8)
    assert events.impact_speed.values == pytest.approx(contacts[:, 2], rel=1e-4)
    assert events.peak_force.values == pytest.approx(contacts[:, 4], rel=2e-3)
    ended = np.isfinite(events.end.values)
    assert events.end.values[ended] == pytest.approx(contacts[ended, 1], abs=2e-8)
    assert events.energy_lost.values[ended] == pytest.approx(contacts[ended, 5], rel=1e-3)


@pytest.mark.parametrize("solver", [gd.Explicit(rtol=1e-9, atol=1e-12), gd.Implicit(rtol=1e-9, atol=1e-12)])
def test_the_first_revolution(solver):
    """3.9523957 J are lost in it, to 1e-6."""
    run = gd.simulate(slider_crank(journal(WIDE, 0.1, planar=True)), REVOLUTION, solver=solver, sample=REVOLUTION)
    assert lost(run)[-1] == pytest.approx(PERIODIC["lost_in_first_rev"][-1], rel=1e-6)


def test_the_settled_motion(coordinates):
    """Periodic after 40 revolutions: 3.03734791 J per revolution to 1e-6, forces, accelerations and the state."""
    system = slider_crank(journal(WIDE, 0.1, planar=True))
    times = REVOLUTION * np.concatenate([[0.0], 39.0 + np.linspace(0.0, 1.0, 12001)])
    run = gd.simulate(system, 40.0 * REVOLUTION, solver=gd.Explicit(rtol=1e-9, atol=1e-12), sample=times)
    data = run.data.isel(time=slice(1, None))
    assert lost(run)[-1] - lost(run)[1] == pytest.approx(PERIODIC["energy_lost_per_rev"], rel=1e-6)
    state = np.array(PERIODIC["state_at_theta_0"])
    assert planar_states(run)[-1] == pytest.approx(state, rel=1e-5, abs=1e-6)
    assert float(data.normal_force.sel(joint="gudgeon").max()) == pytest.approx(PERIODIC["max_normal_force"], rel=2e-4)
    largest = float(np.abs(data.acceleration.sel(body="slider", axis="x")).max())
    assert largest == pytest.approx(PERIODIC["max_slider_acceleration"], rel=2e-4)


def test_the_energy_balance_of_a_revolution():
    """What the motor gives is in the bodies, in the bore, or lost: to 1e-6 J."""
    system = slider_crank(journal(WIDE, 0.1, planar=True))
    times = np.linspace(0.0, REVOLUTION, 6001)
    data = gd.simulate(system, REVOLUTION, solver=gd.Explicit(rtol=1e-10, atol=1e-13), sample=times).data
    stored, power = (
        data.mechanical_energy.values,
        data.drive_effort.sel(drive="motor").values * 2.0 * np.pi / REVOLUTION,
    )
    # the torque jumps where contacts begin: between two samples only what the bodies gain is known exactly
    touching = data.contact.sel(joint="gudgeon").values > 0.0
    steady = slice(int(np.flatnonzero(~touching).max()) + 20, None)
    work = np.sum((0.5 * (power[1:] + power[:-1]) * np.diff(times))[steady])
    missing = stored[steady][-1] - stored[steady][0] + lost_in(data, steady)
    assert work == pytest.approx(missing, abs=2e-5 * float(lost_in(data, slice(None))) + 2e-5)


def lost_in(data, part) -> float:
    energy = data.dissipated_energy.sel(joint="gudgeon").values[part]
    return float(energy[-1] - energy[0])


def test_in_the_plane_the_spatial_journal_is_the_planar_one():
    """The same motion, whether a joint of six unknowns does it or one of three; also with collars, and split lands."""
    planar = gd.simulate(slider_crank(journal(WIDE, 0.1, planar=True)), 0.3 * REVOLUTION, solver=EXACT, sample=1e-5)
    halves = {"length": None, "lands": ((-0.01, 0.0), (0.0, 0.01))}
    models = {
        "row": journal(WIDE, 0.1),
        "collars": journal(WIDE, 0.1, axial_play=1e-4, collar_radius=0.014),
        "halves": gd.DryJournal(**{**_fields(journal(WIDE, 0.1)), **halves}),
    }
    for name, model in models.items():
        run = gd.simulate(slider_crank(model), 0.3 * REVOLUTION, solver=EXACT, sample=1e-5)
        count = 2 if name == "halves" else 1
        begins = run.events.begin.values[::count]
        assert begins == pytest.approx(planar.events.begin.values, abs=2e-9)
        assert planar_states(run) == pytest.approx(planar_states(planar), rel=1e-6, abs=1e-6)
        assert lost(run) == pytest.approx(lost(planar), rel=1e-6)
        force = run.data.reaction_force.sel(joint="gudgeon").values
        assert force == pytest.approx(planar.data.reaction_force.sel(joint="gudgeon").values, rel=1e-4, abs=2.0)


def _fields(model: gd.DryJournal) -> dict:
    return {name: getattr(model, name) for name in ("bore_radius", "pin_radius", "contact", "friction")}


def test_crossed_edges_in_space():
    """A pin askew by 6 mrad in 0.05 mm always touches, with one edge or both; settled after 14 revolutions."""
    reference = CASES["spatial_slider_crank: crossed edges, dry"]["reference"]
    model = journal(5e-5, 0.05, axial_play=1e-4, collar_radius=0.014, pin_tilt=(0.0, 0.006))
    times = np.concatenate([np.linspace(0, 1, 1201), 13.0 + np.linspace(0.0, 1.0, 1201)]) * REVOLUTION
    run = gd.simulate(
        slider_crank(model, spatial=True),
        14.0 * REVOLUTION,
        solver=gd.Explicit(rtol=1e-8, atol=1e-11),
        sample=times,
    )
    land = run.data.sel(part="gudgeon:land")
    first, last = slice(0, 1201), slice(1201, None)
    energy = lost(run)
    assert energy[1200] - energy[0] == pytest.approx(reference["rev1"]["lost"], rel=1e-3)
    assert energy[-1] - energy[1201] == pytest.approx(reference["last_rev"]["lost"][0], rel=1e-3)
    meaning = land.contact_mode.attrs["flag_meanings"].split()
    assert {meaning[int(mode)] for mode in land.contact_mode.values[last]} == {"edge", "crossed"}
    assert land.tilt.values[last].max() == pytest.approx(reference["last_rev"]["max_tilt"], rel=1e-3)
    force = np.linalg.norm(run.data.reaction_force.sel(joint="gudgeon").values, axis=1)
    assert force[last].max() == pytest.approx(reference["last_rev"]["max_contact_force"], rel=0.01)
    torque = np.linalg.norm(run.data.reaction_torque.sel(joint="gudgeon").values, axis=1)
    assert torque[last].max() == pytest.approx(reference["last_rev"]["max_moment_about_Pj"], rel=0.01)
    deepest = np.maximum(land.depth_lower.values, land.depth_upper.values)
    assert deepest[last].max() == pytest.approx(reference["last_rev"]["max_depth"], rel=0.01)
    assert force[first].max() == pytest.approx(reference["rev1"]["max_contact_force"], rel=0.01)
    assert set(run.events.contact) <= {"land", "lower collar", "upper collar"}


def test_rattling_in_space():
    """Impacts of a tilted pin that slides along its axis begin within 1e-7 s, and push as hard to 1 %."""
    reference = CASES["spatial_slider_crank: rattling in space, mu 0.2, c 0.1, no collars"]["reference"]
    contacts = np.array(reference["contacts"])
    model = journal(1e-4, 0.2, pin_tilt=(0.0, 0.004))
    system = slider_crank(model, spatial=True, gudgeon=gd.Cylindrical)
    run = gd.simulate(system, 1.2e-3, solver=EXACT, sample=5e-8)
    events = run.events[: len(contacts)]
    assert events.begin.values == pytest.approx(contacts[:, 0], abs=1e-7)
    assert events.end.values == pytest.approx(contacts[:, 1], abs=1e-7)
    force = np.linalg.norm(run.data.reaction_force.sel(joint="gudgeon").values, axis=1)
    times = run.data.time.values
    peaks = [force[(times >= begin) & (times <= end)].max() for begin, end, _ in contacts]
    assert peaks == pytest.approx(contacts[:, 2], rel=0.01)


def test_statistics_of_rattling():
    """Chaotic motion: the mean loss per revolution lies within four standard errors of 720 reference revolutions."""
    reference = CASES["planar_slider_crank: LN c=0.5 mm mu=0.03"]["reference"]["statistics"]
    mean, error = reference["energy_lost_per_rev"]
    system = slider_crank(journal(WIDE, 0.03, ball_as_pin(WIDE), planar=True))
    count, settling = 110, 10
    times = REVOLUTION * np.arange(count + 1)
    run = gd.simulate(system, times[-1], solver=gd.Explicit(rtol=1e-6, atol=1e-9), sample=times)
    losses = np.diff(lost(run))[settling:]
    spread = losses.std() / np.sqrt(len(losses))
    assert abs(losses.mean() - mean) < 4.0 * np.hypot(error, spread)
    assert spread < 0.02 * mean
    begun = (run.events.begin.values > settling * REVOLUTION).sum() / len(losses)
    contacts, of_contacts = reference["contacts_begun_per_rev"]
    assert abs(begun - contacts) < 4.0 * of_contacts * np.sqrt(1.0 + 720 / len(losses))
    assert LENGTH == 0.020
