"""Contact over surfaces: the contract of real joints, closed forms of a ball in a socket, agreement with gd.Dry."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import gudgeon as gd
from conserved import drift, momenta
from gudgeon import laws
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.nurbs import Surface
from real_joints import BALL, COULOMB, ball_in_socket, two_bodies
from reference_surface_contact import exact_force, limit_force, surface_contact

R, r = 0.010, 0.0099  # socket and ball [m]
C = R - r
AT = (0.13, -0.18, 0.34)  # the joint of `two_bodies`
LOSSY = laws.HuntCrossley(stiffness=2e12, damping=1.0, exponent=1.0)  # p = k δ (1 + 3/2 c δ̇) [N/m³, s/m]
EXPLICIT = gd.Explicit(rtol=1e-9, atol=1e-12)
IMPLICIT = gd.Implicit(rtol=1e-8, atol=1e-11)
every_solver = pytest.mark.parametrize("solver", [EXPLICIT, IMPLICIT], ids=["Explicit", "Implicit"])


def spheres(socket_body: str, ball_body: str, at=(0, 0, 0), *, grid=(32, 16), reference="socket") -> gd.Interface:
    """A ball in a socket, the grid on one of the two."""
    socket, ball = (Surface.sphere(radius).moved(translation=at) for radius in (R, r))
    if reference == "socket":
        return gd.Interface(
            reference=(socket_body, socket), corresponding=(ball_body, ball), reference_side=-1, grid=grid
        )
    return gd.Interface(
        reference=(ball_body, ball), corresponding=(socket_body, socket), corresponding_side=-1, grid=grid
    )


MODELS = {
    "frictionless": gd.SurfaceContact(spheres("one", "two", AT), LOSSY),
    "Coulomb": gd.SurfaceContact(spheres("one", "two", AT), LOSSY, friction=COULOMB),
    "grid on the ball": gd.SurfaceContact(spheres("one", "two", AT, reference="ball"), LOSSY, friction=COULOMB),
    "ball on the parent": gd.SurfaceContact(spheres("two", "one", AT), LOSSY, friction=COULOMB),
    "restitution": gd.SurfaceContact(
        spheres("one", "two", AT), laws.LankaraniNikravesh(stiffness=2e12, restitution=0.6, exponent=1.0)
    ),
}
every_model = pytest.mark.parametrize("name", MODELS)


@cache
def run(name: str, solver: gd.Explicit | gd.Implicit, coordinates: str) -> gd.Result:
    """4 ms of two bodies that collide in their joint, rub and part."""
    return gd.simulate(two_bodies(MODELS[name]), 4e-3, solver=solver, sample=2e-5, coordinates=coordinates)


@every_model
@every_solver
def test_action_equals_reaction(name, solver, coordinates):
    result = run(name, solver, coordinates)
    assert len(result.events) >= 1
    linear, angular = momenta(result)
    tight = 1e-12 if solver is EXPLICIT else 1e-9
    assert drift(linear) < tight * np.abs(linear).max()
    assert drift(angular) < tight * np.abs(angular).max()


@every_model
@every_solver
def test_energy_balance(name, solver, coordinates):
    """What mechanical energy is missing is what the joint says it has dissipated, and that never shrinks."""
    data = run(name, solver, coordinates).data
    energy, lost = data.mechanical_energy.values, data.dissipated_energy.sel(joint="J").values
    assert energy[0] - energy == pytest.approx(lost, abs=(2e-6 if solver is EXPLICIT else 2e-5) * energy[0])
    assert lost[-1] > 0.01 * energy[0]
    assert data.power_dissipated.values.min() >= -1e-9 * data.power_dissipated.values.max()
    assert np.diff(lost).min() >= -1e-12 * lost[-1]
    assert data.stored_energy.values.min() >= 0.0


@every_model
def test_compiled_equals_python(name, coordinates):
    """Every number of the joint at samples in contact and out of it, against sums over all points in NumPy."""
    result = run(name, EXPLICIT, coordinates)
    data, events = result.data.sel(joint="J"), result.events
    on = data.contact.values == 1.0
    tried = [*np.flatnonzero(on)[:: max(1, on.sum() // 6)], *np.flatnonzero(~on)[:3]]
    for s in tried:
        t = float(data.time[s])
        now = events[(events.begin <= t) & ~(events.end < t)]
        speed = max(float(now.impact_speed.sum()), MODELS[name].smallest_impact_speed)
        at = surface_contact(result.system, "J", result.state(int(s)), speed)
        assert float(data.penetration[s]) == pytest.approx(at.penetration, abs=1e-14)
        if not on[s]:
            assert at.penetration <= 1e-14 and not data.reaction_force[s].values.any()
            continue
        scale = at.normal_force
        assert data.reaction_force[s].values == pytest.approx(at.force, abs=1e-8 * scale)
        assert data.reaction_torque[s].values == pytest.approx(at.torque, abs=1e-8 * scale * R)
        assert data.friction_force[s].values == pytest.approx(at.friction, abs=1e-8 * scale)
        assert float(data.normal_force[s]) == pytest.approx(at.normal_force, rel=1e-8)
        assert float(data.power_dissipated[s]) == pytest.approx(at.power, abs=1e-7 * scale)
        assert float(data.stored_energy[s]) == pytest.approx(at.stored, rel=1e-7)
        assert float(data.contact_area[s]) == pytest.approx(at.area, rel=1e-9)
        assert float(data.contact_pressure[s]) == pytest.approx(at.pressure, rel=1e-7)
    assert np.isnan(data.sliding_velocity).all() and np.isnan(data.film_force).all()


def test_solvers_agree(coordinates):
    """Three integrators, one motion; positions to 2e-4 of the clearance."""
    base = run("Coulomb", EXPLICIT, coordinates)
    sundials = gd.simulate(two_bodies(MODELS["Coulomb"]), 4e-3, solver=gd.Sundials(rtol=1e-9, atol=1e-12), sample=2e-5)
    for other in (run("Coulomb", IMPLICIT, coordinates), sundials, run("Coulomb", EXPLICIT, "absolute")):
        assert other.data.position.values == pytest.approx(base.data.position.values, abs=2e-4 * C)
        assert other.events.begin.values == pytest.approx(base.events.begin.values, abs=5e-7)
        assert float(other.data.dissipated_energy[-1, 0]) == pytest.approx(
            float(base.data.dissipated_energy[-1, 0]), rel=2e-4
        )


def static_force(e: float, direction, *, grid, reference="socket", stiffness=1e12) -> np.ndarray:
    """Force on a ball held e off the centre of its socket."""
    touch = spheres("ground", "ball", grid=grid, reference=reference)
    model = gd.SurfaceContact(touch, laws.Hertz(stiffness=stiffness, exponent=1.0))
    offset = e * np.array(direction) / np.linalg.norm(direction)
    result = gd.simulate(ball_in_socket(model, offset=offset), 1e-9, sample=np.array([0.0]), solver=gd.Explicit())
    return result.data.reaction_force.values[0, 0]


@pytest.mark.parametrize("reference", ["socket", "ball"])
def test_force_of_a_ball_in_its_socket(reference):
    """p = k δ: the resultant is the integral over the lens; to 1e-3 with 160×80 points, along the eccentricity."""
    direction = np.array([0.3, -0.5, 0.8])
    for e in (1.02 * C, 1.1 * C, 1.5 * C):
        force = static_force(e, direction, grid=(160, 80), reference=reference)
        along = -force @ direction / np.linalg.norm(direction)
        assert along == pytest.approx(exact_force(1e12, R, r, e, reference), rel=0.02 if e < 1.05 * C else 3e-3)
        assert np.linalg.norm(force) == pytest.approx(along, rel=1e-4)


def test_closed_form_is_the_limit_of_small_clearance():
    """F = π k R² (e − c)² (2e + c)/(3 e²): what is left of the exact integral as c/R → 0 falls as c/R."""
    left = []
    for clearance in (1e-4, 1e-5, 1e-6):
        e = 1.3 * clearance
        exact = exact_force(1e12, R, R - clearance, e)
        left.append(abs(exact / limit_force(1e12, R, clearance, e) - 1.0))
    assert left[0] < 0.02 and left[2] < 2e-4
    assert left[0] / left[1] == pytest.approx(10.0, rel=0.1)


def test_force_converges_with_the_grid():
    """Order two in the distance of points: the touching area ends within cells. Averaged over directions."""
    e, exact = 1.2 * C, exact_force(1e12, R, r, 1.2 * C)
    rng = np.random.default_rng(1)
    directions = rng.normal(size=(6, 3))
    errors = []
    for n in (24, 48, 96):
        found = [np.linalg.norm(static_force(e, d, grid=(2 * n, n))) / exact - 1.0 for d in directions]
        errors.append(np.sqrt(np.mean(np.square(found))))
    assert errors[2] < 2e-3
    assert np.polyfit(np.log([24, 48, 96]), np.log(errors), 1)[0] < -1.5


def dry_law(k: float, damping: float = 0.0):
    """The resultant of p = k δ (1 + c δ̇) on spheres as a law of gd.Dry; to second order in e/R, by Gauss' rule."""

    def contact(delta, ddelta):
        e = C + delta
        bow = e * e / (2.0 * r)  # δ(μ) = e μ − c − bow (1 − μ²)
        edge = 2.0 * (C + bow) / (e + math.sqrt(e * e + 4.0 * bow * (C + bow)))
        middle, half = 0.5 * (1.0 + edge), 0.5 * (1.0 - edge)
        total = 0.0
        for x, w in ((-0.9061798459386640, 0.2369268850561891), (-0.5384693101056831, 0.4786286704993665),
                     (0.0, 0.5688888888888889), (0.5384693101056831, 0.4786286704993665),
                     (0.9061798459386640, 0.2369268850561891)):  # fmt: skip
            mu = middle + half * x
            slope = mu - e * (1.0 - mu * mu) / r
            depth = e * mu - C - bow * (1.0 - mu * mu)
            total += w * half * depth * slope * (1.0 + damping * slope * ddelta)
        return 2.0 * math.pi * k * R * R * total

    return contact


def test_the_law_for_dry_is_the_exact_integral():
    law = dry_law(1e12)
    for e in (1.001 * C, 1.1 * C, 2 * C):
        assert law(e - C, 0.0) == pytest.approx(exact_force(1e12, R, r, e), rel=1e-5)


@pytest.mark.parametrize("damping", [0.0, 5.0])
def test_agrees_with_dry(damping):
    """A ball thrown into its socket: the same impacts, and the same orbit to a fraction of the clearance.

    The law of gd.Dry is the resultant of the pressure, so what differs is the quadrature: less with a finer grid.
    """
    k = 1e12
    law = laws.HuntCrossley(stiffness=k, damping=2.0 * damping / 3.0, exponent=1.0)
    free = {"velocity": (0.02, 0.013, -0.017), "gravity": (0, 0, -9.81)}
    dry = gd.Dry(socket_radius=R, ball_radius=r, contact=dry_law(k, damping))
    right = gd.simulate(ball_in_socket(dry, **free), 0.012, sample=1e-4, solver=EXPLICIT)
    assert len(right.events) >= 2
    apart, speeds, peaks = [], [], []
    for grid in ((48, 24), (96, 48)):
        model = gd.SurfaceContact(spheres("ground", "ball", grid=grid), law)
        mine = gd.simulate(ball_in_socket(model, **free), 0.012, sample=1e-4)
        assert len(mine.events) == len(right.events)
        apart.append(np.abs(mine.data.position.values - right.data.position.values).max() / C)
        speeds.append(np.abs(mine.events.impact_speed / right.events.impact_speed - 1.0).max())
        ended = right.events.end.notna()  # the last contact outlasts the run, and its peak may be still to come
        peaks.append(np.abs(mine.events.peak_force / right.events.peak_force - 1.0)[ended].max())
        if damping:
            lost = [float(x.data.dissipated_energy[-1, 0]) for x in (mine, right)]
            assert lost[0] == pytest.approx(lost[1], rel=0.05)
    assert apart[1] < 0.02 and speeds[1] < 0.02 and peaks[1] < 0.02
    assert apart[1] < apart[0]


def test_four_bar_agrees_with_dry(coordinates):
    """In a mechanism with loops, surfaces in the frames of their bodies: the first impacts of the paper's joint C."""
    k = 2e12
    four_bar = gd.examples.spatial_four_bar()
    touch = gd.Interface(
        reference=("coupler", Surface.sphere(R).moved(translation=(0, -0.061, 0))),
        corresponding=("rocker", Surface.sphere(r).moved(translation=(0, -0.037, 0))),
        reference_side=-1,
        frame="body",
        grid=(96, 48),
    )
    model = gd.SurfaceContact(touch, laws.Hertz(stiffness=k, exponent=1.0))
    dry = gd.Dry(socket_radius=R, ball_radius=r, contact=dry_law(k))
    right = gd.simulate(four_bar.with_model(C=dry), 0.015, sample=1e-4)
    mine = gd.simulate(four_bar.with_model(C=model), 0.015, sample=1e-4)
    assert len(right.events) >= 2
    assert mine.events.begin.values[:2] == pytest.approx(right.events.begin.values[:2], abs=2e-5)
    assert mine.events.impact_speed.values[:2] == pytest.approx(right.events.impact_speed.values[:2], rel=0.08)
    assert mine.events.peak_force.values[0] == pytest.approx(right.events.peak_force.values[0], rel=0.05)
    assert mine.data.position.values == pytest.approx(right.data.position.values, abs=0.05 * C)
    energy = mine.data.mechanical_energy.values
    assert energy == pytest.approx(energy[0], abs=1e-6)


def test_what_is_remembered_does_not_matter():
    """The same state asked after different histories gives the same force and gap, to rounding."""
    from gudgeon.kernels.contact.gaps import depths_at
    from gudgeon.kernels.dynamics.arrays import MODE, TOUCHING
    from gudgeon.kernels.dynamics.motion import right_hand_side

    system = two_bodies(MODELS["Coulomb"])
    rng = np.random.default_rng(5)

    def asked(equations, state):
        depth = np.zeros((1, 2))
        depths_at(equations.model, equations.work, state, depth)
        equations.work.contact[0, MODE] = TOUCHING
        right_hand_side(equations.model, equations.work, 0.0, state, np.zeros_like(state))
        return equations.work.force[0, [0, 1, 2, 3, 4, 5, 9, 10]].copy(), depth[0]

    one = equations_of_motion(system)
    base = one.stated_state()
    states = []
    for _ in range(60):
        state = base.copy()
        state[:3] += rng.normal(size=3) * 0.6 * C
        state[3:7] += rng.normal(size=4) * rng.choice([1e-4, 1e-2, 1.0])
        shift = 0.5 * C * rng.normal(size=3)
        state[3:7] /= np.linalg.norm(state[3:7])
        arm = np.array(AT) - (0.1, -0.2, 0.3)
        from reference_joints import rotation

        other = np.array(AT) - (0.18, -0.17, 0.35)
        state[7:10] = state[:3] + rotation(state[3:7]) @ arm - rotation(state[10:14]) @ other + shift + 0.9 * C
        states.append(state)
    first = [asked(one, state) for state in states]
    assert sum(f[0].any() for f in first) > 20
    order = rng.permutation(len(states))
    again = {int(k): asked(one, states[k]) for k in order}  # another history
    for k, (force, gap) in enumerate(first):
        fresh = asked(equations_of_motion(system), states[k])  # none at all
        for other in (again[k], fresh):
            assert other[0] == pytest.approx(force, rel=1e-9, abs=1e-9 * np.abs(force).max() + 1e-15)
            assert other[1] == pytest.approx(gap, abs=1e-15, rel=1e-9)


def test_equilibrium_and_small_vibrations():
    """The ball sinks until the integral of the pressure carries it, and vibrates there with √(F'(e)/m)."""
    k, mass = 2e10, 0.2
    model = gd.SurfaceContact(spheres("ground", "ball", grid=(96, 48)), laws.KelvinVoigt(stiffness=k, damping=1e6))
    down = np.array([0.6, -0.5, -0.62]) / np.linalg.norm([0.6, -0.5, -0.62])  # not to a pole of the grid
    found = gd.equilibrium(ball_in_socket(model, gravity=9.81 * down, offset=C * down))
    depth = float(down @ found.system.start["ball"].position)
    assert exact_force(k, R, r, depth) == pytest.approx(mass * 9.81, rel=0.03)
    slope = (exact_force(k, R, r, 1.0001 * depth) - exact_force(k, R, r, 0.9999 * depth)) / (2e-4 * depth)
    modes = gd.linearize(found)
    assert modes.natural_frequencies.max() == pytest.approx(np.sqrt(slope / mass) / (2 * np.pi), rel=0.03)
    assert modes.damping_ratios.max() > 0.0


def test_surfaces_hold_what_an_ideal_joint_leaves_free():
    """A ball that a spring pulls along the axis of a Prismatic rests in its socket in the direction of all forces."""
    model = gd.SurfaceContact(spheres("ground", "ball", grid=(96, 48)), laws.KelvinVoigt(stiffness=2e10, damping=1e6))
    spring, rest, down = 2e3, 1e-3, np.array([0.0, -0.5, -0.8])
    axle = gd.Prismatic("ground", "ball", at=(0, 0, 0), axis=(1, 0, 0), model=model)
    system = gd.System(
        gravity=down,
        bodies={"ball": gd.Body(**BALL)},
        joints={"axle": axle},
        loads={"spring": gd.JointSpring("axle", stiffness=spring, rest=rest)},
    )
    e = np.array(gd.equilibrium(system).system.start["ball"].position)
    force = BALL["mass"] * down + np.array([spring * (rest - e[0]), 0.0, 0.0])
    assert np.linalg.norm(e) > C
    assert e / np.linalg.norm(e) == pytest.approx(force / np.linalg.norm(force), abs=0.02)


def test_journal():
    """A pin in a bore, held by nothing but its surfaces, sinks to the depth whose pressure carries its weight.

    Long cylinders, p = k δ: F/L = 2 k R e ∫ (cos θ − c/e) cos θ dθ from 0 to θ₀ = acos(c/e), for e ≪ R.
    """
    length, k, mass, g = 0.02, 4e11, 0.05, 9.81
    touch = gd.Interface(
        reference=("ground", Surface.cylinder(R, -0.5 * length, 0.5 * length)),
        corresponding=("pin", Surface.cylinder(R - 1e-5, -length, length)),
        reference_side=-1,
        grid=(400, 8),
    )
    model = gd.SurfaceContact(touch, laws.KelvinVoigt(stiffness=k, damping=3e9))
    system = gd.System(
        gravity=(0, -g, 0),
        bodies={"pin": gd.Body(mass=mass, inertia=(2e-6, 2e-6, 1e-6))},
        joints={"J": gd.Cylindrical("ground", "pin", at=(0, 0, 0), axis=(0, 0, 1), model=model)},
        start={"pin": gd.BodyState(position=(0, -1e-5, 0), orientation=(1, 0, 0, 0))},
    )
    data = gd.simulate(system, 0.1).data
    depth = -float(data.position.sel(axis="y")[-1, 0])
    angle = math.acos(1e-5 / depth)
    carried = 2 * k * R * length * (depth * 0.5 * (angle + math.sin(angle) * math.cos(angle)) - 1e-5 * math.sin(angle))
    assert carried == pytest.approx(mass * g, rel=5e-3)
    assert data.reaction_force.values[-1, 0] == pytest.approx([0, mass * g, 0], abs=1e-3 * mass * g)
    assert float(data.contact_area[-1, 0]) == pytest.approx(2 * R * angle * length, rel=0.05)
    assert np.abs(data.velocity.values[-1]).max() < 1e-6


def test_a_driven_journal_climbs_to_the_angle_of_friction():
    """Pressure and friction together carry the weight: the pin rests at tan φ = μ, against its direction of rolling."""
    length, mu, mass = 0.02, 0.1, 0.05
    touch = gd.Interface(
        reference=("ground", Surface.cylinder(R, -0.5 * length, 0.5 * length)),
        corresponding=("pin", Surface.cylinder(r, -length, length)),
        reference_side=-1,
        grid=(128, 2),
    )
    model = gd.SurfaceContact(
        touch,
        laws.KelvinVoigt(stiffness=2e9, damping=1e7),
        friction=laws.Coulomb(coefficient=mu, velocity_tolerance=1e-2),
    )
    system = gd.System(
        gravity=(0, -9.81, 0),
        bodies={"pin": gd.Body(mass=mass, inertia=(2e-6, 2e-6, 1e-6))},
        joints={"J": gd.Revolute("ground", "pin", at=(0, 0, 0), axis=(0, 0, 1), model=model)},
        drives={"motor": gd.Drive("J", "30*t")},
        start={"pin": gd.BodyState(position=(0, -C, 0), orientation=(1, 0, 0, 0))},
    )
    data = gd.simulate(system, 0.15, solver=gd.Implicit(rtol=1e-6, atol=1e-9)).data
    x, y, _ = data.position.values[-20:, 0].mean(axis=0)
    assert math.atan2(-x, -y) == pytest.approx(math.atan(mu), rel=0.05)
    effort = float(data.drive_effort[-20:, 0].mean())
    assert effort == pytest.approx(mu / math.hypot(1.0, mu) * mass * 9.81 * R, rel=0.05)
    torque = data.reaction_torque.sel(axis="z").values[-20:, 0].mean()
    assert torque == pytest.approx(-effort, rel=0.02)
    turned, turning = data.joint_position.sel(coordinate="J.angle"), data.joint_velocity.sel(rate="J.angle")
    missed = np.abs(turned - 30.0 * data.time)  # over most of a turn
    assert float((missed - data.constraint_residual).max()) < 1e-12 and float(missed.max()) < 1e-4
    assert turning.values == pytest.approx(data.angular_velocity.sel(body="pin", axis="z").values, abs=1e-12)
    assert data.joint_position.sel(coordinate=["J.dx", "J.dy"]).values == pytest.approx(data.position.values[:, 0, :2])
    some = data.isel(time=slice(-10, None))
    needed = gd.inverse_dynamics(system, some)
    assert needed.actuator.values.tolist() == ["J"]
    assert needed.effort.values == pytest.approx(some.drive_effort.values, rel=1e-6)


def test_a_block_slides_on_the_ground():
    """A plate thrown along the floor stops after v²/(2 μ g), upright; the floor carries its weight."""
    mass, mu, v = 0.1, 0.3, 0.05
    floor = Surface.plane(origin=(-0.05, -0.05, 0), edge1=(0.1, 0, 0), edge2=(0, 0.1, 0))
    below = Surface.plane(origin=(-0.01, -0.01, 0), edge1=(0.02, 0, 0), edge2=(0, 0.02, 0)).reversed()
    touch = gd.Interface(reference=("plate", below), corresponding=("ground", floor), grid=(6, 6))
    k = 1e9  # [N/m³], 4e5 N/m in all
    model = gd.SurfaceContact(
        touch,
        laws.KelvinVoigt(stiffness=k, damping=2e6),
        friction=laws.Coulomb(coefficient=mu, velocity_tolerance=1e-5),
    )
    system = gd.System(
        bodies={"plate": gd.Body(mass=mass, inertia=(1e-5, 1e-5, 1e-5))},
        joints={"J": gd.Free("ground", "plate", at=(0, 0, 0), model=model)},
    )

    def at(height: float) -> gd.System:
        place = gd.BodyState(position=(0, 0, height), orientation=(1, 0, 0, 0), velocity=(v, 0, 0))
        return system.replace(start={"plate": place})

    with pytest.raises(gd.ModelError, match=r"Free 'J': it starts with its surfaces 0.001 m inside each other"):
        gd.simulate(at(-1e-3), 1e-3)
    data = gd.simulate(at(-mass * 9.81 / (k * 4e-4)), 0.03, sample=1e-3).data
    assert float(data.position.sel(axis="x")[-1, 0]) == pytest.approx(v * v / (2 * mu * 9.81), rel=0.01)
    assert float(data.reaction_force.sel(axis="z")[-1, 0]) == pytest.approx(mass * 9.81, rel=1e-3)
    assert float(data.contact_area[-1, 0]) == pytest.approx(4e-4, rel=1e-6)
    assert float(data.dissipated_energy[-1, 0]) == pytest.approx(0.5 * mass * v * v, rel=0.01)
