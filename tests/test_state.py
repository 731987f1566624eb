"""A run cut anywhere goes on as if it had not been cut: to the last bit with its own solver, else in physics."""

from __future__ import annotations

import dataclasses
from importlib.metadata import version

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.nurbs import Surface
from gudgeon.solvers.state_key import state_key
from mistakes import refuses
from real_joints import EVERY_MODEL, LOSSY, RADII, ball_in_socket, two_bodies

CUTS = 12  # of every case
EXPLICIT, IMPLICIT = gd.Explicit(), gd.Implicit()


def crank_on_bushings() -> gd.System:
    """A driven crank and a torsion spring, on bushings of other joints than balls."""
    soft = gd.Bushing(stiffness=1e5, damping=20.0, tilt_stiffness=30.0, tilt_damping=0.01)
    return gd.System(
        bodies={
            "crank": gd.Body(mass=0.2, inertia=(1e-4, 2e-4, 2e-4), position=(0.05, 0, 0)),
            "bar": gd.Body(mass=0.1, inertia=(1e-4, 1e-4, 1e-5), position=(0.1, 0, 0.05)),
        },
        joints={
            "pin": gd.Revolute("ground", "crank", at=(0, 0, 0), axis=(0, 1, 0), model=soft),
            "hook": gd.Universal("crank", "bar", at=(0.1, 0, 0), model=soft),
        },
        loads={
            "spring": gd.JointSpring("pin", stiffness=0.5, damping=1e-3),
            "push": gd.Force("bar", (0.0, "0.3*sin(40*t)", 0.0)),
        },
    )


def ball_of_surfaces() -> gd.System:
    """Two bodies that collide in a ball joint of two surfaces, whose law has a memory."""
    socket, ball = (Surface.sphere(radius).moved(translation=(0.13, -0.18, 0.34)) for radius in RADII.values())
    film = gd.Interface(reference=("one", socket), corresponding=("two", ball), reference_side=-1, grid=(16, 8))
    law = gd.laws.LankaraniNikravesh(stiffness=2e12, restitution=0.6, exponent=1.0)
    return two_bodies(gd.SurfaceContact(film, law))


def dropped_slider() -> gd.System:
    """A rigid slider that falls onto its guide and bounces, turning."""
    law = gd.laws.Flores(stiffness=1e6, restitution=0.6)
    slider = gd.RigidSlider(length=0.5, height=0.3, clearance=2e-3, contact=law)
    block = gd.Body(mass=1.0, inertia=(0.01, 0.03, 0.03), angular_velocity=(0, 0, 0.02))
    guide = gd.Guide("ground", "block", at=(0, 0, 0), model=slider)
    return gd.System(gravity=(0, -9.81, 0), bodies={"block": block}, joints={"guide": guide})


def masses_on_springs() -> gd.System:
    """A row of masses on springs from soft to stiff: Implicit solves for some of them, in some steps."""
    places = [0.5 * (1 + k) for k in range(3)]
    springs = {
        f"spring {k}": gd.SpringDamper(
            f"mass {k - 1}" if k else "ground",
            f"mass {k}",
            stiffness=10.0 ** (2 + 3 * k),
            damping=5.0 * 10**k,
            length=0.5,
        )
        for k in range(3)
    }
    return gd.System(
        gravity=(0, 0, 0),
        bodies={
            f"mass {k}": gd.Body(mass=1.0, inertia=(1, 1, 1), position=(x, 0, 0), velocity=(0.1 * k, 0, 0))
            for k, x in enumerate(places)
        },
        joints={
            f"rail {k}": gd.Prismatic("ground", f"mass {k}", at=(x, 0, 0), axis=(1, 0, 0)) for k, x in enumerate(places)
        },
        loads=springs | {"pull": gd.Force("mass 2", ("2*sin(3*t) - 4*'mass 0.vx'", 0, 0))},
    )


FOUR_BAR = gd.examples.spatial_four_bar
CASES = {
    "ideal": (FOUR_BAR(), 0.25, EXPLICIT, "absolute"),
    "ideal, relative": (FOUR_BAR(), 0.25, EXPLICIT, "relative"),
    "ideal, coarse": (FOUR_BAR(), 0.25, gd.Explicit(rtol=1e-6), "absolute"),
    "dry": (FOUR_BAR("dry"), 0.0625, IMPLICIT, "absolute"),
    "dry, relative": (FOUR_BAR("dry"), 0.0625, IMPLICIT, "relative"),
    "dry, Explicit": (FOUR_BAR("frictionless"), 0.0625, gd.Explicit(rtol=1e-6), "absolute"),
    "lubricated": (FOUR_BAR("lubricated"), 0.25, gd.Implicit(stages=5), "absolute"),
    "bushing": (FOUR_BAR("bushing"), 0.25, IMPLICIT, "absolute"),
    "bushings of other joints": (crank_on_bushings(), 0.125, IMPLICIT, "absolute"),
    "bushings, relative": (crank_on_bushings(), 0.125, EXPLICIT, "relative"),
    "LuGre": (two_bodies(EVERY_MODEL["LuGre"]), 0.03125, IMPLICIT, "absolute"),
    "film and contact": (two_bodies(EVERY_MODEL["lubricated, contact"]), 0.03125, IMPLICIT, "absolute"),
    "surfaces": (ball_of_surfaces(), 2.0**-9, IMPLICIT, "absolute"),
    "guide, Explicit": (dropped_slider(), 0.125, EXPLICIT, "absolute"),
    "6×6": (two_bodies(EVERY_MODEL["bushing 6×6"]), 0.0625, EXPLICIT, "absolute"),
    "dry, time stepping": (FOUR_BAR("dry"), 0.03125, gd.TimeStepping(step=2.0**-10, rtol=1e-4), "absolute"),
    "hard slider": (gd.examples.slider_crank_hard_contact(), 0.0625, gd.TimeStepping(step=2.0**-13), "absolute"),
    "hard slider, adaptive": (
        gd.examples.slider_crank_hard_contact(),
        0.25,
        gd.TimeStepping(step=2.0**-8, rtol=1e-4),
        "absolute",
    ),
    "rigid slider": (
        gd.examples.stick_slip_oscillator("rigid"),
        0.125,
        gd.TimeStepping(step=2.0**-10, rtol=1e-4),
        "absolute",
    ),
    "flexible slider": (
        gd.examples.slider_crank_flexible_slider(4),
        0.125,
        gd.TimeStepping(step=2.0**-8, rtol=1e-3),
        "absolute",
    ),
    "stiff loads": (masses_on_springs(), 0.5, IMPLICIT, "absolute"),
    "stiff loads, relative": (masses_on_springs(), 0.5, IMPLICIT, "relative"),
}
WATCH = {"up": gd.Crossing(joint="A", value=0.1)}


def same_bits(whole: gd.Result, rest: gd.Result, cut: float) -> None:
    later = whole.data.time.values >= cut
    assert np.array_equal(whole.data.time.values[later], rest.data.time.values)
    assert np.array_equal(whole.states[later], rest.states)
    first, second = (result.events.drop(columns=["joint", "contact"]).values for result in (whole, rest))
    first = first[~(first[:, 1] <= cut)]
    assert np.array_equal(first, second, equal_nan=True)


@pytest.mark.parametrize("case", CASES)
def test_a_run_cut_anywhere_goes_on_to_the_last_bit(case):
    """Against a run that knows nothing of the cut; over 200 cuts, at times that binary fractions hold."""
    system, duration, solver, coordinates = CASES[case]
    options = {"solver": solver, "coordinates": coordinates}
    times = np.linspace(0.0, duration, 33)
    whole = gd.simulate(system, duration, sample=times, **options)
    random = np.random.default_rng(list(CASES).index(case))
    for cut in random.integers(40, 1020, CUTS) * (duration / 1024.0):
        part = gd.simulate(system, cut, sample=np.append(times[times < cut], cut), **options)
        state = part.state()
        assert state.time == cut
        assert state.memory is not None
        rest = gd.simulate(system, duration - cut, sample=times[times >= cut], start=state, **options)
        same_bits(whole, rest, cut)


def test_bits_differ_without_the_solvers_memory():
    """So that the test above can fail: the physics alone goes on within the tolerance."""
    system, duration, solver, _ = CASES["ideal"]
    whole = gd.simulate(system, duration, sample=np.array([duration]), solver=solver)
    state = gd.simulate(system, 0.1, solver=solver).state()
    rest = gd.simulate(system, duration - 0.1, sample=np.array([duration]), solver=solver, start=state)
    forgot = dataclasses.replace(state, memory=None)
    physics = gd.simulate(system, duration - 0.1, sample=np.array([duration]), solver=solver, start=forgot)
    assert np.array_equal(whole.states, rest.states)
    assert not np.array_equal(whole.states, physics.states)
    assert physics.states == pytest.approx(whole.states, abs=1e-6)


def test_a_run_cut_into_many_parts():
    """Each part goes on from the one before; joint coordinates and energies are those of the whole run as well.

    But for samples within the last step of a part, which its end has cut short.
    """
    system, duration, solver, _ = CASES["dry"]
    times = np.linspace(0.0, duration, 33)
    options = {"solver": solver, "crossings": WATCH}
    whole = gd.simulate(system, duration, sample=times, **options)
    state, crossed, compared = None, [], 0
    for first, last in zip(times[:-1:4], times[4::4], strict=True):
        grid = times[(times >= first) & (times <= last)]
        part = gd.simulate(system, last - first, sample=grid, start=state, **options)
        state = part.state()
        own, of_whole = grid <= state.memory.time, (times >= first) & (times <= state.memory.time)
        assert np.array_equal(part.states[own], whole.states[of_whole])
        for name in ("joint_position", "dissipated_energy", "mechanical_energy", "contact"):
            assert np.array_equal(part.data[name].values[own], whole.data[name].values[of_whole], equal_nan=True), name
        crossed += part.crossings.time.tolist()
        compared += np.count_nonzero(own)
    assert compared > 20
    assert crossed == pytest.approx(whole.crossings.time.values, abs=1e-12)


def test_a_file_goes_on_to_the_last_bit(tmp_path):
    system, duration, solver, _ = CASES["dry"]
    times = np.linspace(0.0, duration, 33)
    whole = gd.simulate(system, duration, sample=times, solver=solver)
    cut = float(times[13])
    part = gd.simulate(system, cut, sample=times[:14], solver=solver)
    loaded = gd.load(part.save(tmp_path / "part.nc"))
    assert loaded.state() == part.state()
    rest = gd.simulate(system, duration - cut, sample=times[13:], solver=solver, start=loaded.state())
    same_bits(whole, rest, cut)
    again = gd.load(rest.save(tmp_path / "rest.nc"))
    assert again.state() == rest.state()
    assert "state_memory" not in again.data


def bounce(solver, cut: float | None, with_memory: bool = True) -> float:
    """The speed with which a ball leaves its wall, thrown at it with 0.1 m/s; cut within the contact or not."""
    system = ball_in_socket(gd.Dry(**RADII, contact=LOSSY), velocity=(0.1, 0, 0))
    first = gd.simulate(system, 0.002, sample=1e-5, solver=gd.Implicit())
    if cut is None:
        return float(first.data.velocity.values[-1, 0, 0])
    begin, end = first.events.loc[0, ["begin", "end"]]
    part = gd.simulate(system, begin + cut * (end - begin), solver=gd.Implicit())
    state = part.state()
    assert list(state.contacts) == ["J"]
    assert state.contacts["J"].impact_speed == pytest.approx(0.1, rel=1e-6)
    if with_memory:
        rest = gd.simulate(system, 0.001, solver=solver, start=state)
        event = rest.events.iloc[0]
        assert event.begin == pytest.approx(begin, abs=1e-12)
        assert event.impact_speed == pytest.approx(0.1, rel=1e-6)
        assert event.energy_lost == pytest.approx(first.events.energy_lost[0], rel=1e-4)
    else:
        rest = gd.simulate(system.replace(start=state), 0.001, solver=solver)
    return float(rest.data.velocity.values[-1, 0, 0])


@pytest.mark.parametrize(
    "solver", [gd.Explicit(rtol=1e-9, atol=1e-12), gd.Sundials(rtol=1e-9, atol=1e-12)], ids=["Explicit", "Sundials"]
)
def test_another_solver_takes_over_a_contact_with_its_memory(solver):
    """The law's damping goes with δ̇⁽⁻⁾: bodies alone forget it."""
    expected = bounce(solver, None)
    assert bounce(solver, 0.3) == pytest.approx(expected, rel=1e-5)
    assert abs(bounce(solver, 0.3, with_memory=False) - expected) > 1e-2 * abs(expected)


OF_GUIDES = {
    "Implicit": gd.Implicit(rtol=1e-9),
    "Explicit": gd.Explicit(rtol=1e-9),
    "TimeStepping": gd.TimeStepping(step=5e-6),
}


def fallen_block() -> gd.System:
    """A block that falls onto the lower wall of its guide with 0.2 m/s, and bounces."""
    law = gd.laws.Flores(stiffness=1e8, restitution=0.7)
    slider = gd.RigidSlider(length=0.5, height=0.3, clearance=2e-3, contact=law)
    block = gd.Body(mass=1.0, inertia=(0.01, 0.03, 0.03))
    guide = gd.Guide("ground", "block", at=(0, 0, 0), model=slider)
    return gd.System(gravity=(0, -9.81, 0), bodies={"block": block}, joints={"guide": guide})


@pytest.mark.parametrize("second", OF_GUIDES)
@pytest.mark.parametrize("first", OF_GUIDES)
def test_a_contact_in_a_guide_goes_on_with_any_solver(first, second):
    """Whether its forces are those of elements or of rows that a step solves for: one memory of δ̇⁽⁻⁾, begin, loss."""
    system = fallen_block()
    whole = gd.simulate(system, 0.04, solver=OF_GUIDES["Implicit"])
    begin, end = whole.events.loc[0, ["begin", "end"]]
    state = gd.simulate(system, begin + 0.3 * (end - begin), solver=OF_GUIDES[first]).state()
    assert list(state.contacts) == ["guide:lower left", "guide:lower right"]
    rest = gd.simulate(system, 0.04 - state.time, start=state, solver=OF_GUIDES[second])
    for (_, event), expected in zip(rest.events.iterrows(), whole.events.itertuples(), strict=True):
        assert (event.joint, event.contact) == (expected.joint, expected.contact)
        assert (event.begin, event.end) == pytest.approx((expected.begin, expected.end), abs=5e-6)  # a step
        assert event.impact_speed == pytest.approx(expected.impact_speed, rel=2e-4)
        assert event.energy_lost == pytest.approx(expected.energy_lost, rel=2e-4)
        assert event.peak_force == pytest.approx(expected.peak_force, rel=2e-4)
    assert rest.data.velocity.values[-1, 0, 1] == pytest.approx(whole.data.velocity.values[-1, 0, 1], rel=2e-4)


@pytest.mark.parametrize(
    "solver",
    [gd.Sundials(rtol=1e-10, atol=1e-12), gd.Explicit(rtol=1e-10, atol=1e-12), gd.TimeStepping(step=2e-4, rtol=1e-6)],
    ids=["Sundials", "Explicit", "TimeStepping"],
)
def test_another_solver_goes_on_with_loads_that_depend_on_time(solver):
    system = crank_on_bushings()
    times = np.linspace(0.0, 0.2, 11)
    whole = gd.simulate(system, 0.2, sample=times, solver=gd.Implicit(rtol=1e-10, atol=1e-12))
    part = gd.simulate(system, 0.08, sample=times[:5], solver=gd.Implicit(rtol=1e-10, atol=1e-12))
    rest = gd.simulate(system, 0.12, sample=times[4:], solver=solver, start=part.state())
    near = 1e-5 if isinstance(solver, gd.TimeStepping) else 1e-7
    assert rest.data.position.values == pytest.approx(whole.data.position.values[4:], abs=near)
    lost, expected = rest.data.dissipated_energy.values, whole.data.dissipated_energy.values[4:]
    assert lost[0] == pytest.approx(expected[0], rel=1e-6)
    if not isinstance(solver, gd.TimeStepping):  # whose quadrature of the power is of first order
        assert lost == pytest.approx(expected, rel=1e-3)
    middle = gd.simulate(system, 0.12, sample=times[4:], solver=solver, start=whole.state(4))
    assert middle.data.position.values == pytest.approx(whole.data.position.values[4:], abs=near)


def test_turns_are_counted_on():
    """A wheel that has turned ten times goes on from there, in both coordinates."""
    wheel = gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.2), angular_velocity=(0, 0, 50))
    system = gd.System(
        gravity=(0, 0, 0), bodies={"wheel": wheel}, joints={"axle": gd.Revolute("ground", "wheel", at=(0, 0, 0))}
    )
    for coordinates in ("absolute", "relative"):
        state = gd.simulate(system, 1.0, sample=0.01, coordinates=coordinates).state()
        for options in ({}, {"solver": gd.Explicit(rtol=1e-10)}):
            rest = gd.simulate(system, 1.0, sample=0.01, coordinates=coordinates, start=state, **options).data
            angle = rest.joint_position.sel(coordinate="axle.angle").values
            assert angle == pytest.approx(50.0 * rest.time.values, abs=1e-6)


def test_a_key_is_of_the_system_and_the_solver_but_not_of_the_start():
    system = FOUR_BAR("dry")
    key = state_key(system, IMPLICIT)
    assert state_key(FOUR_BAR("dry"), IMPLICIT) == key
    assert state_key(system.replace(start=gd.assemble(system).system.start), IMPLICIT) == key
    assert state_key(system.replace(gravity=(0, 0, -9.8)), IMPLICIT) != key
    assert state_key(FOUR_BAR("frictionless"), IMPLICIT) != key
    assert state_key(system, gd.Implicit(rtol=1e-9)) != key


def test_a_key_is_of_the_code_that_steps():
    """Other kernels round otherwise: all their files are in it."""
    from gudgeon import kernels
    from gudgeon.solvers import state_key as module

    assert len(module.kernel_files()) > 50
    assert {path.name for path in module.kernel_files()} >= {"dop853.py", "radau.py", "bushing.py"}
    assert all(str(path).startswith(kernels.__path__[0]) for path in module.kernel_files())


def test_a_key_is_of_the_build_and_of_numba_though_neither_is_imported_for_it():
    import numba

    from gudgeon.code_digest import _numba_version, digest
    from gudgeon.kernels.build.compiled import BUILD
    from gudgeon.solvers.state_key import kernel_files, kernels_key

    assert kernels_key() == digest(BUILD.encode(), *(file.read_bytes() for file in kernel_files()))
    assert _numba_version() == numba.__version__ == version("numba")


def test_a_changed_system_goes_on_from_the_physics():
    """The solver's memory of another mechanism is dropped: gravity is gone from the cut on."""
    system = FOUR_BAR()
    state = gd.simulate(system, 0.1, solver=EXPLICIT).state()
    rest = gd.simulate(system.replace(gravity=(0, 0, 0)), 0.1, solver=EXPLICIT, start=state)
    energy = rest.data.kinetic_energy.values
    assert energy == pytest.approx(energy[0], rel=1e-6)
    assert np.abs(rest.states[0, :13] - gd.simulate(system, 0.1, solver=EXPLICIT).states[-1, :13]).max() < 1e-9


def test_what_is_refused():
    system = FOUR_BAR()
    state = gd.simulate(system, 0.01, sample=0.01).state()
    with refuses("simulate: start is dict; give result.state(), or start bodies with system.replace(start=...)"):
        gd.simulate(system, 0.1, start=dict(state))
    other = gd.System(bodies={"crank": system.bodies["crank"]})
    with refuses("simulate: start has the body 'coupler'; …"):
        gd.simulate(other, 0.1, start=state)
    more = system.replace(bodies={**system.bodies, "more": gd.Body(mass=1.0, inertia=(1, 1, 1))})
    with refuses("simulate: start has no body 'more', which the system has; give a state of this system"):
        gd.simulate(more, 0.1, start=state)
    with refuses("simulate: sample times run from 0 to 0.02 s; they must increase and lie between 0.01 and 0.11 s"):
        gd.simulate(system, 0.1, start=state, sample=np.array([0.0, 0.02]))
