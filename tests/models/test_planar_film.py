"""The planar film of a journal: the spatial one in the plane, in fewer unknowns."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon.kernels.dynamics.arrays import UNKNOWNS
from gudgeon.mechanics.equations import equations_of_motion
from journal_element import OneElement
from lubricated_cranks import FINITE, SHORT, TURN, crank
from mistakes import refuses

PLAY = 1e-3  # [m]
KINDS = {"short": 1.0, "finite": 0.7, "long": 5.0}  # length [m]
SIDES = {
    kind: [
        OneElement(
            gd.LubricatedJournal(
                bore_radius=0.5,
                pin_radius=0.5 - PLAY,
                length=length,
                viscosity=2e-9,
                film=kind,
                smallest_film=2e-5,
                planar=planar,
            )
        )
        for planar in (True, False)
    ]
    for kind, length in KINDS.items()
}
# oil and, where it is thinner than 0.4 mm of 0.5, contact and friction: touches at every stroke
TOUCHING = replace(
    SHORT,
    viscosity=0.05,
    smallest_film=4e-4,
    contact=lambda delta, ddelta: 1e9 * delta * (1.0 + 0.05 * ddelta),
    friction=gd.laws.Coulomb(coefficient=0.2, velocity_tolerance=0.05),
)
ROUGH = gd.laws.GreenwoodTripp(radius=0.01, clearance=2e-4, roughness=1.2e-5, modulus=1.1e9)
ASPERITIES = replace(FINITE, viscosity=0.02, smallest_film=ROUGH.onset, contact=ROUGH)
MODELS = {"short": SHORT, "finite": FINITE, "contact": TOUCHING, "Greenwood and Tripp": ASPERITIES}
FINE = {"rtol": 1e-9, "atol": 1e-12}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_its_wrench_is_that_of_the_spatial_film(kind):
    """Force, torque about the pin's centre, power and gap, to rounding; beyond the wall and in turned axes too."""
    random = np.random.default_rng(11)
    for n in range(60):
        axes, angle = Rotation.random(random_state=n).as_matrix(), random.uniform(0.0, 2.0 * np.pi)
        d = PLAY * random.uniform(0.0, 1.6) * np.array([np.cos(angle), np.sin(angle), 0.0])
        motion = d, (*random.normal(size=2), 0.0), (0.0, 0.0, 100.0 * random.normal())
        (force, torque, power), (other, moment, lost) = (element.wrench(*motion, axes=axes) for element in SIDES[kind])
        size = np.linalg.norm(other)
        assert force == pytest.approx(other, abs=1e-12 * size)
        assert torque == pytest.approx(moment, abs=1e-12 * (np.linalg.norm(moment) + size * KINDS[kind]))
        assert power == pytest.approx(lost, rel=1e-12)
        assert power >= 0.0
        depths = [element.depth(*motion, axes=axes) for element in SIDES[kind]]
        assert depths[0] == pytest.approx(depths[1], rel=1e-9)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_slopes(kind):
    """Derivatives of the force are those of the spatial film by displacement and velocity, which are tested there."""
    random = np.random.default_rng(3)
    for n in range(12):
        d = np.array([*(random.normal(size=2) * PLAY * (0.4 if n % 4 else 0.9)), 0.0])
        motion = d, (*random.normal(size=2), 0.0), (0.0, 0.0, 50.0 * random.normal())
        axes = Rotation.random(random_state=n).as_matrix()
        planar, spatial = (element.slopes(*motion, axes=axes) for element in SIDES[kind])
        in_plane = axes @ np.diag((1.0, 1.0, 0.0)) @ axes.T
        for one, other in zip(planar, spatial, strict=True):
            expected = in_plane @ other[:3, :3] @ in_plane
            assert one[:3, :3] == pytest.approx(expected, abs=1e-11 * np.abs(expected).max())


def unknowns(system: gd.System) -> list[int]:
    return equations_of_motion(system).model.compliant[:, UNKNOWNS].tolist()


def test_two_unknowns_a_film_and_two_a_land():
    assert unknowns(crank(replace(SHORT, planar=True))) == [2]
    assert unknowns(crank(replace(TOUCHING, planar=True))) == [2, 2]
    assert unknowns(crank(SHORT)) == [6]


def lying(system: gd.System) -> gd.System:
    """The same, a quarter turn about x further; inertias are alike about y and z."""

    def turned(v):
        return (v[0], -v[2], v[1])

    return system.replace(
        bodies={name: replace(body, position=turned(body.position)) for name, body in system.bodies.items()},
        joints={
            name: replace(joint, at=turned(joint.at), axis=turned(joint.axis)) for name, joint in system.joints.items()
        },
        start={
            name: replace(
                state,
                position=turned(state.position),
                velocity=turned(state.velocity),
                angular_velocity=turned(state.angular_velocity),
            )
            for name, state in system.start.items()
        },
    )


MOTION = ("position", "velocity", "angular_velocity")
PUSH = ("reaction_force", "reaction_torque")
OF_FILM = ("minimum_film", "eccentricity_ratio", "film_load", "friction_torque", "power_lost")


def compared(one: gd.Result, other: gd.Result, within: float, forces: float) -> None:
    """Motions and the energy lost, then forces and all outputs of the film, of two runs; parts of the largest value."""

    def near(name, found, expected, part):
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=part * np.abs(expected).max(), err_msg=name)

    for name in (*MOTION, *PUSH):
        near(name, one.data[name].values, other.data[name].values, within if name in MOTION else forces)
    near("lost", *(run.data.dissipated_energy.sel(joint="pin").values for run in (one, other)), within)
    for name in OF_FILM:
        near(name, *(run.data[name].sel(part="pin:film").values for run in (one, other)), forces)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_in_the_plane_the_spatial_film_is_the_planar_one(name):
    """Half a revolution at 5000 rpm, to the tolerance of the solver; where they touch, begin and end are the same."""
    model = MODELS[name]
    runs = [
        gd.simulate(crank(replace(model, planar=planar)), 0.5 * TURN, sample=TURN / 100, solver=gd.Implicit(**FINE))
        for planar in (True, False)
    ]
    compared(*runs, 1e-6, 2e-5)
    begins = [run.events.begin.values for run in runs]
    assert (len(begins[0]) > 0) is (name in ("contact", "Greenwood and Tripp"))
    assert begins[0] == pytest.approx(begins[1], abs=1e-8)


@pytest.mark.parametrize(
    "solver", [gd.Explicit(**FINE), gd.Sundials(rtol=1e-10, atol=1e-13)], ids=lambda x: type(x).__name__
)
@pytest.mark.parametrize("name", ["short", "contact"])
def test_solvers_agree(name, solver):
    """A fifth of a revolution; Implicit solves for the force, the others ask the law."""
    system, times = crank(replace(MODELS[name], planar=True)), np.linspace(0.0, 0.2 * TURN, 21)
    implicit, other = (
        gd.simulate(system, times[-1], sample=times, solver=each) for each in (gd.Implicit(**FINE), solver)
    )
    compared(other, implicit, 1e-6, 1e-4)


@pytest.mark.parametrize("name", ["short", "contact"])
def test_time_stepping(name):
    """As near to the exact motion as with the spatial film, and ever nearer with smaller steps."""
    exact = gd.simulate(crank(MODELS[name]), 0.1 * TURN, sample=0.1 * TURN, solver=gd.Implicit(**FINE))

    def error(step, *, planar):
        system = crank(replace(MODELS[name], planar=planar))
        run = gd.simulate(system, 0.1 * TURN, sample=0.1 * TURN, solver=gd.TimeStepping(step=step))
        return np.abs(run.data.velocity.values[-1] - exact.data.velocity.values[-1]).max()

    coarse, fine, spatial = error(4e-6, planar=True), error(2e-6, planar=True), error(2e-6, planar=False)
    assert fine < 0.5 * coarse
    assert fine < 1.1 * spatial


def test_three_unknowns_elsewhere():
    """Where the plane is not the world's xy the force has three components, and the motion is the same."""
    upright = crank(replace(TOUCHING, planar=True))
    assert unknowns(lying(upright)) == [3, 3]
    runs = [
        gd.simulate(system, 0.3 * TURN, sample=TURN / 50, solver=gd.Implicit(**FINE))
        for system in (upright, lying(upright))
    ]
    lost = [run.data.dissipated_energy.sel(joint="pin").values for run in runs]
    assert lost[0] == pytest.approx(lost[1], rel=1e-6, abs=1e-8)
    force = [run.data.reaction_force.sel(joint="pin").values for run in runs]
    np.testing.assert_allclose(force[0][:, :2], force[1][:, ::2], atol=1e-6 * np.abs(force[0]).max())


@pytest.mark.parametrize(
    ("solver", "within"),
    [(gd.Implicit(**FINE), 1e-6), (gd.Explicit(**FINE), 1e-6), (gd.TimeStepping(step=1e-5), 1e-5)],
    ids=lambda x: "" if isinstance(x, float) else type(x).__name__,
)
def test_petroff_brakes_a_rotor(solver, within):
    """ω = ω₀ exp(−2π μ R³ L t/(c I)) of a centred pin on an ideal hinge; the rate is 251 1/s here.

    The step of TimeStepping is of second order: (251 · 1e-5)² = 6e-6 of a time constant.
    """
    model = gd.LubricatedJournal(bore_radius=0.01, pin_radius=0.0099, length=0.02, viscosity=0.2, planar=True)
    inertia = 1e-6
    rotor = gd.Body(mass=0.02, inertia=(1e-6, 1e-6, inertia), angular_velocity=(0, 0, 100.0))
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={"rotor": rotor},
        joints={
            "hinge": gd.Revolute("ground", "rotor", at=(0, 0, 0)),
            "oil": gd.Cylindrical("ground", "rotor", at=(0, 0, 0), model=model),
        },
    )
    rate = 2.0 * np.pi * 0.2 * 0.01**3 * 0.02 / (1e-4 * inertia)
    data = gd.simulate(system, 0.01, sample=1e-3, solver=solver).data
    expected = 100.0 * np.exp(-rate * data.time.values)
    assert data.angular_velocity.sel(body="rotor", axis="z").values == pytest.approx(expected, rel=within)
    torque = data.friction_torque.sel(part="oil:film").values
    assert torque == pytest.approx(-rate * inertia * expected, rel=within)
    lost = data.dissipated_energy.sel(joint="oil").values
    assert lost == pytest.approx(0.5 * inertia * (100.0**2 - expected**2), rel=10.0 * within, abs=1e-12)


def pushed_rod(model) -> gd.System:
    """A rod on a hinge whose other end is a pin in an oiled bore of the ground, under gravity."""
    rod = gd.Body(mass=0.3, inertia=(1e-4, 4e-4, 4e-4), position=(0.05, 0, 0))
    return gd.System(
        bodies={"rod": rod},
        gravity=(0, -9.81, 0),
        joints={
            "hinge": gd.Revolute("ground", "rod", at=(0, 0, 0)),
            "pin": gd.Cylindrical("ground", "rod", at=(0.1, 0, 0), model=model),
        },
    )


def test_equilibrium_and_small_motions():
    """The contact holds the rod where the moments balance; small motions are those with the spatial film."""
    model = gd.LubricatedJournal(
        bore_radius=0.01,
        pin_radius=0.0099,
        length=0.02,
        viscosity=0.05,
        smallest_film=1e-5,
        contact=gd.laws.pin_in_bore(radius=0.01, clearance=1e-4, materials="steel"),
    )
    rest = [gd.equilibrium(pushed_rod(replace(model, planar=planar))) for planar in (True, False)]
    sag = [found.system.start["rod"].position[1] for found in rest]
    assert sag[0] == pytest.approx(sag[1], rel=1e-9)
    assert sag[0] == pytest.approx(-0.5 * 9e-5, rel=1e-2)  # the pin at e = c − h_r, twice as far from the hinge
    small = [gd.linearize(found) for found in rest]
    for name in ("stiffness", "damping"):
        one, other = (getattr(each, name) for each in small)
        assert one == pytest.approx(other, rel=1e-6)


def test_refused_where_nothing_holds_the_plane():
    body = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    system = gd.System(
        bodies={"pin": body},
        joints={"J": gd.Revolute("ground", "pin", at=(0, 0, 0), model=replace(SHORT, planar=True))},
    )
    with refuses("Revolute 'J': its journal is planar, but no other joint keeps 'pin' in the plane of 'ground'"):
        gd.simulate(system, 1e-3)
    with refuses("LubricatedJournal: planar=True and pin_tilt are given"):
        replace(SHORT, planar=True, pin_tilt=(0.0, 1e-3))


def test_one_line_and_files(tmp_path):
    """`Lubricated.journal` makes it; a model file keeps it."""
    model = gd.Lubricated.journal(
        fit="H8/e8", diameter=0.02, length=0.02, oil="ISO VG 46", temperature=60, planar=True, roughness=(4e-7, 4e-7)
    )
    system = crank(model)
    assert unknowns(system) == [2, 2]
    system.save(tmp_path / "crank.yaml")
    assert gd.load_system(tmp_path / "crank.yaml") == system


LIGHT = 1e-7  # of the carriages that move along x only, beside 0.5 kg: so much of momentum is theirs [kg]


def flying(model) -> gd.System:
    """Two bodies that fly and turn in the plane, kept there by carriages, one with the bore, the other with the pin."""
    joints: dict[str, gd.Joint] = {}
    bodies, start = {}, {}
    inertia = (1e-4, 1e-4, 2e-4)
    for name, at, velocity, spin in (("bore", 0.0, (0.2, -0.1, 0), 30.0), ("pin", 6e-5, (-0.3, 0.2, 0), -250.0)):
        place = (at, 0.5 * at, 0.0)
        bodies[f"{name} rail"] = gd.Body(mass=LIGHT, inertia=(LIGHT, LIGHT, LIGHT))
        bodies[f"{name} cart"] = gd.Body(mass=0.2, inertia=(1e-3, 1e-3, 1e-3))
        bodies[name] = gd.Body(mass=0.3, inertia=inertia)
        joints[f"{name} x"] = gd.Prismatic("ground", f"{name} rail", at=(0, 0, 0), axis=(1, 0, 0))
        joints[f"{name} y"] = gd.Prismatic(f"{name} rail", f"{name} cart", at=(0, 0, 0), axis=(0, 1, 0))
        joints[f"{name} turn"] = gd.Revolute(f"{name} cart", name, at=(0, 0, 0))
        for part, p, v, w in (
            (f"{name} rail", (at, 0, 0), (velocity[0], 0, 0), 0.0),
            (f"{name} cart", place, velocity, 0.0),
            (name, place, velocity, spin),
        ):
            start[part] = gd.BodyState(position=p, orientation=(1, 0, 0, 0), velocity=v, angular_velocity=(0, 0, w))
    joints["pin"] = gd.Cylindrical("bore", "pin", at=(0, 0, 0), model=replace(model, planar=True))
    return gd.System(gravity=(0, 0, 0), bodies=bodies, joints=joints, start=start)


@pytest.mark.parametrize(
    ("solver", "within"),
    [(gd.Implicit(**FINE), 2e-6), (gd.Explicit(**FINE), 2e-6), (gd.TimeStepping(step=1e-6), 2e-5)],
    ids=lambda x: "" if isinstance(x, float) else type(x).__name__,
)
@pytest.mark.parametrize("name", ["short", "contact"])
def test_action_equals_reaction(name, solver, within):
    """Momentum, angular momentum about z and energy of two bodies that only their film and contact touch."""
    system = flying(MODELS[name])
    data = gd.simulate(system, 4e-3, sample=1e-4, solver=solver).data
    mass = np.array([system.bodies[body].mass for body in data.body.values])
    p, v = data.position.values[:, :, :2], data.velocity.values[:, :, :2]
    linear = np.einsum("b,tbc->tc", mass, v)
    spin = np.array([system.bodies[body].inertia[2][2] for body in data.body.values])
    turning = data.angular_velocity.sel(axis="z").values @ spin
    angular = turning + (p[:, :, 0] * v[:, :, 1] - p[:, :, 1] * v[:, :, 0]) @ mass
    size = (mass[:, None] * np.abs(v[0])).sum()
    assert np.abs(linear - linear[0]).max() < within * size
    assert np.abs(angular - angular[0]).max() < within * np.abs(spin * data.angular_velocity.values[0, :, 2]).sum()
    lost = data.dissipated_energy.sel(joint="pin").values
    kept = data.mechanical_energy.values
    assert kept[0] - kept == pytest.approx(lost, abs=within * kept[0])
    assert lost[-1] > 0.01 * kept[0]


def test_a_run_that_is_cut_goes_on():
    """From the state in the middle: where the whole run ends."""
    system, half = crank(replace(TOUCHING, planar=True)), 0.15 * TURN
    solver = gd.Implicit(**FINE)
    whole = gd.simulate(system, 2.0 * half, sample=half, solver=solver).data
    first = gd.simulate(system, half, sample=half, solver=solver)
    second = gd.simulate(system, half, start=first.state(), sample=half, solver=solver).data
    for name in MOTION:
        expected = whole[name].values[-1]
        assert second[name].values[-1] == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())


def test_results_are_kept_and_drawn(tmp_path):
    result = gd.simulate(crank(replace(SHORT, planar=True)), 0.1 * TURN, sample=TURN / 200)
    again = gd.load(result.save(tmp_path / "run.nc"))
    assert again.data.equals(result.data) and again.system == result.system
    titles = [axes.get_title(loc="left") for axes in again.plot_joint("pin").axes]
    assert "thinnest film" in titles
    result.view(tmp_path / "run.html")
    assert (tmp_path / "run.html").stat().st_size > 0


@pytest.mark.parametrize("lands", [((-0.01, 0.01),), ((0.01, 0.03),)], ids=["about the point", "aside"])
def test_a_couple_that_stops_a_light_body_at_once_is_solved_for(lands):
    """2π μ R³ L/(c I) = 2.5e6 1/s: six unknowns, steps of the motion and not of the couple, and the same moments."""
    model = gd.LubricatedJournal(bore_radius=0.01, pin_radius=0.0099, lands=lands, viscosity=0.2, planar=True)
    light = (1e-10, 1e-10, 1e-10)
    push = gd.Force("rotor", (0.0, -1.0, 0.0))
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={
            "carriage": gd.Body(mass=0.1, inertia=(1e-5, 1e-5, 1e-5)),
            "rotor": gd.Body(mass=0.02, inertia=light, angular_velocity=(0, 0, 100.0)),
        },
        joints={
            "rail": gd.Prismatic("ground", "carriage", at=(0, 0, 0), axis=(0, 1, 0)),
            "hinge": gd.Revolute("carriage", "rotor", at=(0, 0, 0)),
            "oil": gd.Cylindrical("ground", "rotor", at=(0, 0, 0), model=model),
        },
        loads={"push": push},
    )
    assert unknowns(system) == [6]
    result = gd.simulate(system, 0.01, sample=1e-3, solver=gd.Implicit())
    assert result.stats["steps"] < 1000  # a rate of 2.5e6 1/s over 0.01 s would take some 1e4
    assert np.abs(result.data.angular_velocity.sel(body="rotor").values[-1]).max() < 1e-6
    force, torque = (result.data[name].sel(joint="oil").values[-1] for name in ("reaction_force", "reaction_torque"))
    middle = 0.5 * sum(lands[0])
    assert force[1] == pytest.approx(1.0, rel=1e-2)  # it sinks slowly
    assert torque[:2] == pytest.approx((-middle * force[1], middle * force[0]), abs=1e-6)
