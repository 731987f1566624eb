"""Ideal pins at nodes of flexible bodies, with every solver and in both coordinates."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest

import gudgeon as gd
from flexible_plates import CLAMPED, DAMPING, MODEL, TIP, K, M, arm, at, clamped, frequencies, plate

SMOOTH = {"Explicit": gd.Explicit(), "Implicit": gd.Implicit(), "Sundials": gd.Sundials(rtol=1e-9, atol=1e-12)}
COORDINATES = ("absolute", "relative")
END = 0.1  # [s]


@cache
def moved(solver: str, coordinates: str, links: int = 2) -> gd.Result:
    chosen = SMOOTH[solver] if solver in SMOOTH else gd.TimeStepping(step=float(solver))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the plate turns by more than its linear elements allow
        return gd.simulate(arm(links), END, solver=chosen, coordinates=coordinates, sample=END)


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("solver", SMOOTH)
def test_solvers_agree(solver, coordinates):
    data, other = moved(solver, coordinates).data, moved("Explicit", "absolute").data
    for name, within in (("joint_position", 1e-7), ("joint_velocity", 1e-5), ("node_displacement", 1e-8)):
        assert data[name].values == pytest.approx(other[name].values, abs=within)
    assert data.reaction_force.values == pytest.approx(other.reaction_force.values, abs=1e-4)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_time_stepping_is_of_second_order(coordinates):
    true = moved("Explicit", "absolute").data
    errors, forces = [], []
    for step in ("1e-3", "5e-4", "2.5e-4"):
        data = moved(step, coordinates).data
        errors.append(float(np.abs(data.joint_position - true.joint_position).values[-1].max()))
        forces.append(float(np.abs(data.reaction_force - true.reaction_force).sel(joint="pin").values[-1].max()))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 1.7), (errors, orders)
    assert np.all(np.log2(np.array(forces[:-1]) / forces[1:]) > 0.7), forces  # means over half a step: order one


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("solver", SMOOTH)
def test_a_mode_of_the_clamped_plate_vibrates_at_its_frequency(solver, coordinates):
    """u(t) = φ e^(−ζωt) (cos ω_d t + ζω/ω_d sin ω_d t)."""
    omega = frequencies(K, M, CLAMPED)[0]
    left = np.ix_(CLAMPED, CLAMPED)
    shape = np.zeros(MODEL.unknown_count)
    shape[CLAMPED] = np.linalg.svd(K[left] - omega**2 * M[left])[2][-1]
    shape *= 1e-3 / np.abs(shape).max()
    ratio = 0.5 * (DAMPING.mass / omega + DAMPING.stiffness * omega)
    damped, decay = omega * np.sqrt(1.0 - ratio**2), ratio * omega
    first = gd.simulate(clamped(), 1e-9, solver=SMOOTH[solver], coordinates=coordinates, sample=1e-9).state()
    start = gd.State(time=0.0, bodies=first.bodies, nodes=(*shape, *np.zeros_like(shape)))
    end = 1.7 * 2.0 * np.pi / omega
    found = gd.simulate(clamped(), end, start=start, solver=SMOOTH[solver], coordinates=coordinates, sample=end)
    wanted = shape * np.exp(-decay * end) * (np.cos(damped * end) + decay / damped * np.sin(damped * end))
    assert found.data.node_displacement.values[-1].reshape(-1) == pytest.approx(wanted, abs=1e-6 * 1e-3)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_energy_without_damping_is_kept(coordinates):
    system = arm(2).replace(
        bodies={
            **arm(2).bodies,
            "plate": gd.FlexibleBody(
                mesh=MODEL.mesh, material=MODEL.material, position=arm(2).bodies["plate"].position
            ),
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        result = gd.simulate(system, END, solver=gd.Explicit(rtol=1e-9, atol=1e-12), coordinates=coordinates)
    energy = result.data.mechanical_energy.values
    assert np.ptp(result.data.kinetic_energy.values) > 0.1
    assert np.ptp(energy) < 1e-7 * np.ptp(result.data.kinetic_energy.values)


def test_a_reaction_is_that_on_the_child():
    here, there = (
        gd.simulate(clamped(gravity=9.81, swapped=swapped), 0.01, solver=gd.Explicit(), sample=0.01).data.reaction_force
        for swapped in (False, True)
    )
    assert np.abs(here).max() > 0.1
    assert here.values == pytest.approx(-there.values, rel=1e-9, abs=1e-9)


def twice_pinned() -> gd.System:
    """Two levers pinned to one node."""
    x, y, _ = at(TIP)
    levers = {
        name: gd.Body(mass=0.2, inertia=(1e-3, 1e-3, 1e-3), position=(x + 0.1, y + side, 0))
        for name, side in (("one", 0.1), ("two", -0.1))
    }
    joints = {f"hinge {name}": gd.Revolute("ground", name, at=body.position) for name, body in levers.items()}
    joints |= {f"pin {name}": gd.Revolute(name, "plate", at=at(TIP)) for name in levers}
    return gd.System(bodies={"plate": plate(), **levers}, joints=joints, gravity=(0, -9.81, 0))


def test_two_pins_at_one_node(coordinates):
    """Both hold: the node cannot move, as the levers point in two directions."""
    result = gd.simulate(twice_pinned(), 0.02, solver=gd.Explicit(), sample=0.02)
    assert result.stats["coordinates"] == coordinates
    assert np.abs(result.data.node_displacement.sel(node=f"plate:{TIP}")).max() < 1e-9
    assert np.abs(result.data.node_displacement).max() > 1e-4


def test_a_pin_at_a_node_is_no_cut():
    with pytest.raises(gd.ModelError, match="Revolute 'pin' cannot be cut: it holds nodes of a flexible body"):
        gd.simulate(arm(1), 0.01, coordinates=gd.Relative(cuts=("pin",)))


def test_velocities_that_a_pin_does_not_allow_are_told():
    """A lever that is struck by a plate at rest, without restitution: momentum about the hinge is kept."""
    x, y, _ = at(TIP)
    lever = gd.Body(mass=0.2, inertia=(1, 1, 4e-3), position=(x + 0.25, y, 0), angular_velocity=(0, 0, 1.0))
    system = gd.System(
        bodies={"plate": plate(), "lever": lever},
        joints={
            "hinge": gd.Revolute("ground", "lever", at=(x + 0.25, y, 0)),
            "pin": gd.Revolute("plate", "lever", at=at(TIP)),
        },
        gravity=(0, 0, 0),
    )
    with pytest.warns(UserWarning, match="angular_velocity .* Revolute 'pin' does not allow it"):
        start = gd.simulate(system, 1e-6, solver=gd.Explicit(), sample=1e-6).data
    struck = MODEL.node_masses[TIP] * 0.25**2
    assert float(start.angular_velocity.sel(body="lever", time=0.0)[2]) == pytest.approx(
        4e-3 / (4e-3 + struck), rel=1e-9
    )
