"""Mechanisms with lubricated journals: motions computed elsewhere, solvers, limits, what ends a run."""

import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gudgeon as gd
import references
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.kernels.dynamics.motion import right_hand_side
from gudgeon.mechanics.equations import equations_of_motion
from lubricated_cranks import FINITE, SHORT, SPEED, TILTED, TURN, crank

CASES = {case["name"]: case for case in references.load("journal_films")["cases"]}
PLANAR = {
    "short": (SHORT, "planar_slider_crank_film: short film, L 20 mm, c 0.5 mm, 0.4 Pa s", 1e-5, 1e-5, 1e-4),
    "finite": (
        FINITE,
        "planar_slider_crank_film: finite film L/D 2 (Flores 2009: L 40 mm, c 0.2 mm, 0.4 Pa s)",
        1e-2,  # energy
        3e-3,  # ε, absolute
        1e-3,  # force
    ),
}
FINE = gd.Implicit(rtol=1e-8, atol=1e-10)
SAMPLES = 400  # per revolution


@cache
def turned(kind: str, coordinates: str, revolutions: int = 4) -> gd.Result:
    return gd.simulate(
        crank(PLANAR[kind][0]), revolutions * TURN, solver=FINE, sample=TURN / SAMPLES, coordinates=coordinates
    )


@pytest.mark.parametrize("kind", sorted(PLANAR))
def test_a_slider_crank_in_the_plane(kind, coordinates):
    """Energy per revolution, largest ε and force, state; another program, Radau of SciPy, in other coordinates."""
    _, name, energy, ratio, force = PLANAR[kind]
    data = turned(kind, coordinates).data.sel(part="pin:film")
    lost = np.diff(data.dissipated_energy.sel(joint="pin").values[::SAMPLES])
    for revolution, expected in enumerate(CASES[name]["reference"][:4]):
        there = slice(revolution * SAMPLES, (revolution + 1) * SAMPLES + 1)
        assert lost[revolution] == pytest.approx(expected["lost"], rel=energy)
        assert data.eccentricity_ratio.values[there].max() == pytest.approx(expected["eps_max"], abs=ratio)
        if revolution:  # the first begins with a peak between two samples
            assert data.film_load.values[there].max() == pytest.approx(expected["force_max"], rel=force)
        state = expected["state"]  # rod's angle and rate, slider's place and speed
        now = data.isel(time=(revolution + 1) * SAMPLES)
        scale = 10.0 * energy
        assert float(now.position.sel(body="slider", axis="x")) == pytest.approx(state[1], rel=1e-2 * scale)
        assert float(now.angular_velocity.sel(body="rod", axis="z")) == pytest.approx(state[2], rel=scale)
    assert data.minimum_film.values.min() > 0.0


def test_powers_add_up(coordinates):
    """What the film takes, over time, is the energy dissipated, and what the drive brings in a periodic motion."""
    data = turned("short", coordinates).data
    power = data.power_lost.sel(part="pin:film").values
    assert power.min() >= 0.0
    lost = data.dissipated_energy.sel(joint="pin").values
    third = slice(2 * SAMPLES, 3 * SAMPLES + 1)
    time = data.time.values[third]
    taken = lost[3 * SAMPLES] - lost[2 * SAMPLES]
    assert np.trapezoid(power[third], time) == pytest.approx(taken, rel=1e-4)
    assert SPEED * np.trapezoid(data.drive_effort.values[third, 0], time) == pytest.approx(taken, rel=1e-4)


def test_solvers_agree(coordinates):
    """Explicit, implicit and CVODE, first half revolution, to 1e-6 of the stroke; `auto` takes the implicit one."""
    system, times = crank(SHORT), np.linspace(0.0, 0.5 * TURN, 21)
    chosen = gd.simulate(system, 0.5 * TURN, sample=times)
    assert chosen.stats["solver"] == "Implicit"
    runs = [
        gd.simulate(system, 0.5 * TURN, solver=solver, sample=times).data.position.sel(body="slider").values
        for solver in (gd.Explicit(rtol=1e-9, atol=1e-12), FINE, gd.Sundials(rtol=1e-9, atol=1e-12))
    ]
    for run in runs[1:]:
        assert np.abs(run - runs[0]).max() < 1e-7 * 0.1


def test_vanishing_clearance_is_the_ideal_joint(coordinates):
    """Motion deviates by less than the clearance, reactions are those of the ideal pin; μ/c, the friction, is small."""
    times = np.linspace(0.0, TURN, 41)
    ideal = gd.simulate(crank(gd.Ideal(), pin=gd.Revolute), TURN, sample=times, solver=gd.Explicit(rtol=1e-10)).data
    largest = np.abs(ideal.reaction_force.sel(joint="pin")).max().item()
    for clearance in (2e-5, 2e-6):
        model = replace(FINITE, pin_radius=0.01 - clearance, viscosity=500.0 * clearance)
        data = gd.simulate(crank(model), TURN, sample=times, solver=FINE).data
        moved = np.abs(data.position.sel(body="slider") - ideal.position.sel(body="slider")).max().item()
        force = np.abs(data.reaction_force.sel(joint="pin") - ideal.reaction_force.sel(joint="pin"))[4:].max().item()
        assert moved < 0.5 * clearance
        assert force < 3e-4 * largest


def test_turning_together_gives_no_force():
    """Two bodies that turn and fly as one, the pin eccentric and tilted, feel nothing."""
    pin = gd.Body(mass=0.3, inertia=(1e-4, 1e-4, 2e-4), position=(0.1, 0.2, 0.3))
    rod = gd.Body(mass=0.5, inertia=(2e-4, 3e-4, 4e-4), position=(0.08, 0.15, 0.32))
    spin, fly = np.array([30.0, -20.0, 400.0]), np.array([1.0, 2.0, -0.5])
    moved = np.array([3e-5, -2e-5, 1e-4])
    half = 0.5 * 8e-4
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"rod": rod, "pin": pin},
        joints={
            "J": gd.Cylindrical("rod", "pin", at=(0.1, 0.2, 0.3), axis=(1, 2, 2), model=replace(FINITE, length=0.02))
        },
        start={
            "rod": gd.BodyState(position=rod.position, orientation=(1, 0, 0, 0), velocity=fly, angular_velocity=spin),
            "pin": gd.BodyState(
                position=pin.position + moved,
                orientation=(np.cos(half), np.sin(half), 0, 0),
                velocity=fly + np.cross(spin, np.array(pin.position) + moved - rod.position),
                angular_velocity=spin,
            ),
        },
    )
    equations = equations_of_motion(system)
    y = assemble_equations(equations).state
    right_hand_side(equations.model, equations.work, 0.0, y, np.zeros_like(y))
    felt = np.abs(equations.work.force[0, :6]).max()
    y[14:20] += 1e-3  # the rod's velocities: now it does
    right_hand_side(equations.model, equations.work, 0.0, y, np.zeros_like(y))
    assert felt < 1e-9 * np.abs(equations.work.force[0, :6]).max()


def test_a_tilted_pin_in_space(coordinates):
    """Film, contact, collars, friction of a pin askew by 2 mrad: energy, tilt to 1e-3, forces 1 %, contact 5 %."""
    expected = CASES["spatial_slider_crank: short film, tilted pin"]["reference"]
    system = crank(TILTED, pin=gd.Revolute, big_end=gd.Spherical)
    result = gd.simulate(system, 5.0 * TURN, solver=FINE, sample=TURN / 500)
    lost = np.diff(result.data.dissipated_energy.sel(joint="pin").values[::500])
    assert lost[0] == pytest.approx(expected["rev1"]["lost"], rel=1e-3)
    assert lost[4] == pytest.approx(expected["mean_lost_per_rev"][0], rel=1e-3)
    touches = result.events.iloc[: len(expected["contacts"])]
    assert set(touches.contact) == {"lower collar"}
    for (begin, end, peak), event in zip(expected["contacts"], touches.itertuples(), strict=True):
        assert (event.begin, event.end) == pytest.approx((begin, end), abs=5e-6)
        assert event.peak_force == pytest.approx(peak, rel=0.01)
    last, maximum = result.data.isel(time=slice(2000, None)), expected["last_rev"]
    assert last.tilt.sel(part="pin:film").max().item() == pytest.approx(maximum["max_tilt"], rel=1e-3)
    force = np.linalg.norm(last.reaction_force.sel(joint="pin").values, axis=1).max()
    assert force == pytest.approx(maximum["max_total_force"], rel=0.01)
    peaks = result.events.peak_force[result.events.begin > 4.0 * TURN]
    assert peaks.max() == pytest.approx(maximum["max_contact_force"], rel=0.05)


def test_lands_have_films_of_their_own():
    """Two lands of a hinge: the film of each at its place; a rod that tilts is held by both."""
    model = gd.LubricatedJournal(
        bore_radius=0.01, pin_radius=0.0099, lands=((-0.03, -0.01), (0.01, 0.03)), viscosity=0.05
    )
    body = gd.Body(mass=0.2, inertia=(1e-4, 1e-4, 1e-4), angular_velocity=(1.0, 0.0, 0.0))
    system = gd.System(
        gravity=(0, 0, 0), bodies={"pin": body}, joints={"J": gd.Revolute("ground", "pin", at=(0, 0, 0), model=model)}
    )
    started = system.replace(
        start={"pin": gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0), angular_velocity=(1.0, 0.0, 0.0))}
    )
    data = gd.simulate(started, 1e-6, sample=1e-6).data
    assert list(data.part.values) == ["J:film", "J:film 2"]
    strength = 0.05 * 0.01 * 0.02**3 / 1e-12 * np.pi / 2.0  # of a centred short film
    force = data.film_load.values[0]
    assert force[0] == pytest.approx(force[1], rel=1e-9)
    assert 0.5 < force[0] / (strength * 0.02) < 1.0  # 20 mm from the point about which it turns
    torque = data.reaction_torque.sel(joint="J").values[0]
    assert torque[0] == pytest.approx(-2.0 * 0.02 * force[0], rel=0.05)


def test_the_pin_may_belong_to_the_parent():
    """Which body is called the parent changes nothing."""
    one, other = crank(SHORT), crank(replace(SHORT, pin_on="parent"))
    joint = other.joints["pin"]
    other = other.replace(joints={**other.joints, "pin": replace(joint, parent="slider", child="rod")})
    places = [gd.simulate(s, 0.2 * TURN, sample=0.2 * TURN, solver=FINE).data.position.values[-1] for s in (one, other)]
    assert places[1] == pytest.approx(places[0], abs=1e-12)


def heavy(model) -> gd.System:
    """A weight on a pin that does not turn."""
    return gd.System(
        gravity=(0, -9.81, 0),
        bodies={"weight": gd.Body(mass=50.0, inertia=(0.1, 0.1, 0.1))},
        joints={"J": gd.Revolute("ground", "weight", at=(0, 0, 0), model=model)},
    )


def test_a_film_that_closes_ends_the_run(coordinates):
    """With the joint, the rule and the fix; a time before, squeezed by a load, it sinks as Reynolds' equation says."""
    model = gd.LubricatedJournal(
        bore_radius=0.02, pin_radius=0.0199, length=0.02, viscosity=0.01, film="short", smallest_film=1e-5
    )
    with pytest.raises(
        gd.SimulationError, match="the film of Revolute 'J' is thinner than smallest_film = 1e-05 m"
    ) as told:
        gd.simulate(heavy(model), 10.0, sample=1e-3)
    assert "give contact=" in str(told.value)
    data = told.value.result.data
    assert data.minimum_film.values[-2, 0] == pytest.approx(1e-5, rel=0.3)
    # m g = (μ R L³/c³) J_v(ε) c ε̇: time from ε = 0 to 0.9 by quadrature, inertia is nothing here
    from gudgeon.films.short_film import short_film

    eps = np.linspace(0.0, 0.9, 2001)
    strength = 0.01 * 0.02 * 0.02**3 / (1e-4) ** 3
    time = np.trapezoid(strength * short_film(eps, 0.0 * eps)[0] * 1e-4, eps) / (50.0 * 9.81)
    assert told.value.time == pytest.approx(time, rel=0.02)


def test_rough_contact_carries_what_the_film_leaves(coordinates):
    """At rest Greenwood and Tripp's asperities carry the weight alone."""
    law = gd.laws.GreenwoodTripp(radius=0.02, clearance=1e-4, roughness=1e-6, modulus=1.1e11)
    model = gd.LubricatedJournal(
        bore_radius=0.02,
        pin_radius=0.0199,
        length=0.02,
        viscosity=0.002,
        smallest_film=law.onset,
        contact=law,
    )
    data = gd.simulate(heavy(model), 0.5, sample=0.05).data.isel(time=-1)
    assert data.contact_force.sel(part="J:land").item() == pytest.approx(50.0 * 9.81, rel=0.01)
    gap = data.minimum_film.sel(part="J:film").item()
    assert law.line_force(law.onset - gap, 0.0, law.parameters) * 0.02 == pytest.approx(50.0 * 9.81, rel=0.01)


def test_models_are_data():
    assert pickle.loads(pickle.dumps(FINITE)) == FINITE
    assert "viscosity=0.4" in repr(FINITE)
