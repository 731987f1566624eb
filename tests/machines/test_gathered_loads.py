"""Many stiff loads on a body in Implicit: one force and one torque, whatever their number and wherever they lead."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.kernels.dynamics import arrays
from gudgeon.mechanics.equations import equations_of_motion
from gudgeon.rotations import rotation_matrix

OMEGA, AMPLITUDE = 3.0, 0.01  # [rad/s], [m]


def followed(stiffness, damping):
    """Complex amplitude of ẍ = −k (x − a sin ωt) − d ẋ, of 1 kg."""
    return stiffness * AMPLITUDE / (stiffness - OMEGA**2 + 1j * damping * OMEGA)


def shaken(stiffness, count):
    """A free body of 1 kg held along x by `count` springs around x, half of them described from the other end."""
    damping, springs = 2.0 * np.sqrt(stiffness), {}
    X = followed(stiffness, damping)
    for k in range(count):
        a = 2.0 * np.pi * k / count
        y, z = float(np.cos(a)), float(np.sin(a))
        there, here = ("ground", (-1.0, y, z)), ("mass", (0.0, y, z))
        (first, at_first), (second, at_second) = (there, here) if k % 2 else (here, there)
        springs[f"s{k}"] = gd.SpringDamper(
            first,
            second,
            at_first=at_first,
            at_second=at_second,
            stiffness=stiffness / count,
            damping=damping / count,
            length=f"1 + {AMPLITUDE}*sin({OMEGA}*t)",
        )
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"mass": gd.Body(mass=1.0, inertia=(1, 1, 1))},
        loads=springs,
        start={
            "mass": gd.BodyState(position=(X.imag, 0, 0), orientation=(1, 0, 0, 0), velocity=(OMEGA * X.real, 0, 0))
        },
    )


@pytest.mark.parametrize("count", [5, 12])
def test_steps_do_not_feel_how_many_stiff_springs_hold_a_body(count, coordinates):
    steps = []
    for stiffness in (1e4, 1e6, 1e8):
        system = shaken(stiffness, count)
        result = gd.simulate(system, 2.0, sample=0.05, solver=gd.Implicit(rtol=1e-7), coordinates=coordinates)
        X = followed(stiffness, 2.0 * np.sqrt(stiffness))
        wanted = (X * np.exp(1j * OMEGA * result.data.time.values)).imag
        place = result.data.position.sel(body="mass").values
        assert np.abs(place - np.outer(wanted, (1, 0, 0))).max() < 1e-7
        steps.append(result.stats["steps"] + result.stats["rejections"])
    assert max(steps) < 120, steps


def held(stiffness):
    """Two free bodies, six springs, a force and a torque between them and on one of them; nothing else pushes."""
    rng, springs = np.random.default_rng(5), {}
    for k in range(6):
        near, far = rng.uniform(-0.1, 0.1, 3), rng.uniform(-0.1, 0.1, 3)
        ends = ("a", "b") if k % 2 else ("b", "a")
        length = float(np.linalg.norm((0.5, 0, 0) + (far - near if k % 2 else near - far)))
        springs[f"s{k}"] = gd.SpringDamper(
            *ends, at_first=near, at_second=far, stiffness=stiffness, damping=0.05 * stiffness, length=length
        )
    return gd.System(
        gravity=(0, 0, 0),
        bodies={
            "a": gd.Body(mass=1.0, inertia=(0.02, 0.03, 0.04), velocity=(0.1, 0.2, 0), angular_velocity=(1, 2, 0)),
            "b": gd.Body(mass=2.0, inertia=(0.05, 0.04, 0.06), position=(0.5, 0, 0), angular_velocity=(1, 2, 0)),
        },
        loads=springs,
    )


def test_two_bodies_tied_together_keep_their_momenta(coordinates):
    system = held(1e6)
    result = gd.simulate(system, 1.0, sample=0.1, solver=gd.Implicit(rtol=1e-8), coordinates=coordinates)
    momentum = sum(body.mass * result.data.velocity.sel(body=name).values for name, body in system.bodies.items())
    assert momentum == pytest.approx(np.broadcast_to(momentum[0], momentum.shape), abs=1e-9)
    spin = np.zeros_like(momentum)
    for name, body in system.bodies.items():
        R = rotation_matrix(result.data.orientation.sel(body=name).values)
        omega = result.data.angular_velocity.sel(body=name).values
        spin += np.einsum("tij,jk,tlk,tl->ti", R, np.array(body.inertia), R, omega)
        spin += body.mass * np.cross(result.data.position.sel(body=name), result.data.velocity.sel(body=name))
    assert spin == pytest.approx(np.broadcast_to(spin[0], spin.shape), abs=1e-6 * np.abs(spin).max())
    assert result.stats["steps"] < 1000  # of a time constant of microseconds


def test_it_agrees_with_the_explicit_solver(coordinates):
    """Signals in forces and torques beside springs, all between the body and the ground."""
    pulls = {
        f"f{k}": gd.Force("mass", (f"-40*mass.x - {4 + k}*mass.vx", 0, "-30*mass.z"), at=(0, 0.1 * k, 0))
        for k in range(4)
    }
    turns = {f"t{k}": gd.Torque("mass", (0, "-3*mass.wy", f"-{1 + k}*mass.wz")) for k in range(2)}
    system = shaken(2e3, 6)
    system = system.replace(loads={**system.loads, **pulls, **turns}, gravity=(0, 0, -9.81))
    runs = [
        gd.simulate(system, 0.5, sample=0.05, solver=solver, coordinates=coordinates)
        for solver in (gd.Implicit(rtol=1e-9, atol=1e-12), gd.Explicit(rtol=1e-11, atol=1e-13))
    ]
    apart = np.abs(runs[0].data.position - runs[1].data.position).max()
    assert apart < 1e-8
    assert np.abs(runs[0].data.orientation - runs[1].data.orientation).max() < 1e-8


def test_a_run_that_is_cut_goes_on_to_the_bit(coordinates):
    system, solver = held(1e5), gd.Implicit(rtol=1e-7)
    whole = gd.simulate(system, 0.3, sample=0.1, solver=solver, coordinates=coordinates)
    part = gd.simulate(system, 0.137, sample=0.1, solver=solver, coordinates=coordinates)
    rest = gd.simulate(
        system, 0.3 - 0.137, sample=[0.2, 0.3], solver=solver, coordinates=coordinates, start=part.state()
    )
    assert np.array_equal(rest.states[-1], whole.states[-1])


def test_few_loads_are_lines_of_their_own():
    for count, lines in ((4, [3] * 4), (5, [arrays.WRENCH])):
        assert equations_of_motion(shaken(1e4, count)).model.effort[:, arrays.EFFORTS].tolist() == lines


def star(stiffness, count, damping):
    """A free body tied by one spring each to `count` others, half of them described from the other end."""
    rng, bodies, springs = np.random.default_rng(3), {}, {}
    bodies["hub"] = gd.Body(
        mass=2.0, inertia=(0.5, 0.6, 0.7), velocity=(0.1, 0, 0.05), angular_velocity=(0.2, 0.1, 0.3)
    )
    for k, way in enumerate(rng.normal(size=(count, 3))):
        way = way / np.linalg.norm(way)
        ends = [("hub", 0.2 * way), (f"b{k}", np.zeros(3))][:: 1 - 2 * (k % 2)]
        bodies[f"b{k}"] = gd.Body(
            mass=1.0, inertia=(0.01, 0.01, 0.01), position=1.2 * way, velocity=0.05 * rng.normal(size=3)
        )
        springs[f"s{k}"] = gd.SpringDamper(
            ends[0][0],
            ends[1][0],
            at_first=ends[0][1],
            at_second=ends[1][1],
            stiffness=stiffness,
            damping=damping,
            length=f"1 + {AMPLITUDE}*sin({OMEGA}*t)",
        )
    return gd.System(gravity=(0, 0, 0), bodies=bodies, loads=springs)


def lengths(result, count):
    """Of all springs of a star, sample by sample."""
    R, place = rotation_matrix(result.data.orientation.sel(body="hub").values), result.data.position
    ways = np.random.default_rng(3).normal(size=(count, 3))
    eyes = [place.sel(body="hub").values + R @ (0.2 * way / np.linalg.norm(way)) for way in ways]
    return np.array([np.linalg.norm(place.sel(body=f"b{k}") - eye, axis=1) for k, eye in enumerate(eyes)])


@pytest.mark.parametrize("count", [5, 12])
def test_steps_do_not_feel_how_stiffly_a_body_is_tied_to_many_others(count, coordinates):
    """Springs have the length they want, but for the lag d L̇/k of their dampers and mass · acceleration / k."""
    steps = []
    for stiffness in (1e4, 1e6, 1e8):
        system = star(stiffness, count, 2.0 * np.sqrt(stiffness))
        solver = gd.Implicit(rtol=1e-7)
        result = gd.simulate(system, 1.0, sample=0.1, solver=solver, coordinates=coordinates)
        turn = OMEGA * result.data.time.values
        wanted = 1.0 + AMPLITUDE * (np.sin(turn) - 2.0 / np.sqrt(stiffness) * OMEGA * np.cos(turn))
        assert np.abs(lengths(result, count) - wanted)[:, 3:].max() < 5e-7 + 1.5 / stiffness
        momentum = sum(b.mass * result.data.velocity.sel(body=name).values for name, b in system.bodies.items())
        assert momentum == pytest.approx(np.broadcast_to(momentum[0], momentum.shape), abs=1e-6)
        steps.append(result.stats["steps"] + result.stats["rejections"])
    assert max(steps) < 200, steps


def test_a_body_tied_to_many_others_agrees_with_the_explicit_solver(coordinates):
    system = star(1e5, 7, 300.0)
    runs = [
        gd.simulate(system, 0.3, sample=0.05, solver=solver, coordinates=coordinates)
        for solver in (gd.Implicit(rtol=1e-9, atol=1e-12), gd.Explicit(rtol=1e-11, atol=1e-13))
    ]
    assert np.abs(runs[0].data.position - runs[1].data.position).max() < 1e-8
    assert np.abs(runs[0].data.orientation - runs[1].data.orientation).max() < 1e-8


def test_soft_loads_on_a_body_are_left_to_the_sweeps_until_these_fail():
    """They are many unknowns: steps as if nothing could be solved for, and none is."""
    soft = gd.simulate(star(30.0, 12, 0.1), 0.5, solver=gd.Implicit(rtol=1e-6)).state().memory.arrays["work.solved"]
    assert (soft == arrays.IDLE).all()
    stiff = gd.simulate(star(1e8, 12, 2e4), 0.5, solver=gd.Implicit(rtol=1e-6)).state().memory.arrays["work.solved"]
    assert (stiff == arrays.SOLVED).all()


def test_two_bodies_on_many_springs_each_and_a_real_joint_between(coordinates):
    """Wrenches beside the force of a bushing and a load that is a line of its own; cut and continued to the bit."""
    system = star(1e5, 6, 400.0)
    system = system.replace(
        joints={
            "rubber": gd.Spherical("b0", "b1", at=(0.3, 0.3, 0.3), model=gd.Bushing(stiffness=1e4, damping=30.0)),
        },
        loads={**system.loads, "tie": gd.SpringDamper("b2", "b3", stiffness=1e5, damping=100.0, length=1.0)},
    )
    solver = gd.Implicit(rtol=1e-8, atol=1e-11)
    whole = gd.simulate(system, 0.2, sample=0.05, solver=solver, coordinates=coordinates)
    other = gd.simulate(system, 0.2, sample=0.05, solver=gd.Explicit(rtol=1e-10, atol=1e-12), coordinates=coordinates)
    assert np.abs(whole.data.position - other.data.position).max() < 1e-7
    part = gd.simulate(system, 0.083, sample=0.05, solver=solver, coordinates=coordinates)
    rest = gd.simulate(
        system, 0.2 - 0.083, sample=[0.15, 0.2], solver=solver, coordinates=coordinates, start=part.state()
    )
    assert np.array_equal(rest.states[-1], whole.states[-1])
