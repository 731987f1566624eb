"""Equilibrium and small motions of flexible bodies, against matrices that gudgeon.fem assembles."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from flexible_plates import CLAMPED, DAMPING, EDGE, MODEL, TIP, K, M, arm, at, clamped, frequencies, held, plate
from mistakes import refuses

GRAVITY = 9.81  # [m/s²]
ABOVE = 2 * TIP + 1  # the unknown of the tip across the plate


def angular_frequencies(found: gd.Linearization) -> np.ndarray:
    return np.sort(found.undamped_frequencies) * 2.0 * np.pi


def test_a_free_plate_has_the_modes_of_its_finite_elements():
    found = gd.linearize(gd.System(bodies={"plate": plate()}, gravity=(0, 0, 0)))
    modes = MODEL.modes(MODEL.unknown_count, rigid=True)
    assert found.freedoms == MODEL.unknown_count
    assert angular_frequencies(found) == pytest.approx(modes.angular_frequency, rel=1e-9, abs=1e-3)


@pytest.mark.parametrize("swapped", [False, True])
def test_an_edge_of_ideal_pins_is_clamped(swapped):
    found = gd.linearize(clamped(swapped=swapped))
    omega = frequencies(K, M, CLAMPED)
    assert angular_frequencies(found) == pytest.approx(omega, rel=1e-10)
    ratios = 0.5 * (DAMPING.mass / omega + DAMPING.stiffness * omega)  # Rayleigh
    light = ratios < 1.0
    assert np.sort(found.damping_ratios[: light.sum()]) == pytest.approx(np.sort(ratios[light]), rel=1e-7)


def test_the_shape_of_a_mode_is_that_of_the_finite_elements():
    found = gd.linearize(clamped())
    fixed = type(MODEL)(mesh=MODEL.mesh, material=MODEL.material, fixed=dict.fromkeys(EDGE, "xy"))
    shape, ours = fixed.modes(1).shape[0], np.real(found.node_shapes.values[0])
    assert ours / np.abs(ours).max() == pytest.approx(shape / shape.flat[np.argmax(np.abs(shape))], abs=1e-6)
    share = MODEL.node_masses / MODEL.total_mass
    assert found.mode_shapes.values[0, 0, :2] == pytest.approx(share @ found.node_shapes.values[0], abs=1e-12)


def test_pins_of_springs_add_their_stiffness():
    springs = np.zeros_like(K)
    for node in EDGE:
        springs[[2 * node, 2 * node + 1], [2 * node, 2 * node + 1]] = 3e4
    found = gd.linearize(clamped(gd.PenaltyPin(stiffness=3e4)))
    assert angular_frequencies(found) == pytest.approx(frequencies(K + springs, M, held()), rel=1e-7)


def test_a_sliding_mass_pinned_to_a_node():
    """The mass moves with the node along the guide, and holds it across."""
    mass, stiffness = 0.3, 800.0
    system = gd.System(
        bodies={"plate": plate(), "mass": gd.Body(mass=mass, inertia=(1, 1, 1), position=at(TIP))},
        joints={
            "slide": gd.Prismatic("ground", "mass", at=at(TIP), axis=(0, 1, 0)),
            "pin": gd.Revolute("mass", "plate", at=at(TIP)),
        },
        loads={"spring": gd.JointSpring("slide", stiffness=stiffness)},
        gravity=(0, 0, 0),
    )
    heavier, stiffer = M.copy(), K.copy()
    heavier[ABOVE, ABOVE] += mass
    stiffer[ABOVE, ABOVE] += stiffness
    wanted = frequencies(stiffer, heavier, held(2 * TIP))
    assert angular_frequencies(gd.linearize(system)) == pytest.approx(wanted, rel=1e-9, abs=1e-3)


def test_a_lever_pinned_to_a_node():
    """A lever of length r turns by u/r: its inertia and spring act on the node with 1/r²."""
    r, inertia, stiffness = 0.25, 4e-3, 6.0
    x, y, _ = at(TIP)
    system = gd.System(
        bodies={"plate": plate(), "lever": gd.Body(mass=0.2, inertia=(1, 1, inertia), position=(x + r, y, 0))},
        joints={
            "hinge": gd.Revolute("ground", "lever", at=(x + r, y, 0)),
            "pin": gd.Revolute("plate", "lever", at=at(TIP)),
        },
        loads={"spring": gd.JointSpring("hinge", stiffness=stiffness)},
        gravity=(0, 0, 0),
    )
    heavier, stiffer = M.copy(), K.copy()
    heavier[ABOVE, ABOVE] += inertia / r**2
    stiffer[ABOVE, ABOVE] += stiffness / r**2
    wanted = frequencies(stiffer, heavier, held(2 * TIP))
    assert angular_frequencies(gd.linearize(system)) == pytest.approx(wanted, rel=1e-9, abs=1e-3)


@pytest.mark.parametrize("find", ["stable", "nearest"])
def test_a_clamped_plate_sags_as_statics_tell(find):
    system = clamped(gravity=GRAVITY)
    found = gd.equilibrium(system, find=find)
    weight = np.tile((0.0, -GRAVITY), MODEL.mesh.node_count) * np.diag(M)
    sag = np.zeros(MODEL.unknown_count)
    sag[CLAMPED] = np.linalg.solve(K[np.ix_(CLAMPED, CLAMPED)], weight[CLAMPED])
    assert found.stable and not found.neutral_freedoms
    assert found.state.nodes == pytest.approx([*sag, *np.zeros(len(sag))], abs=1e-12 * np.abs(sag).max())
    assert angular_frequencies(gd.linearize(found)) == pytest.approx(frequencies(K, M, CLAMPED), rel=1e-10)
    rests = gd.simulate(system, 0.01, start=found.state, solver=gd.Explicit(), sample=0.01)
    assert np.abs(rests.data.node_velocity.values[-1]).max() < 1e-12 * GRAVITY
    lifted = rests.data.reaction_force.values[-1, :, 1].sum()  # of the ground on the plate, which is the child
    assert lifted == pytest.approx(MODEL.total_mass * GRAVITY, rel=1e-9)


def test_a_flexible_slider_rests_on_the_springs_of_its_wall():
    """Linear contact: each node of the lower surface on a spring, with the wall half the play below."""
    stiffness, play = 1e5, 1e-3
    model = gd.FlexibleSlider(clearance=play, contact=gd.laws.KelvinVoigt(stiffness=stiffness, damping=1.0))
    system = gd.System(
        bodies={"plate": plate()},
        joints={"guide": gd.Guide("ground", "plate", at=(0, 0, 0), axis=(1, 0, 0), normal=(0, 1, 0), model=model)},
        loads={"stay": gd.SpringDamper("ground", "plate", at_first=(0.5, 0, 0), stiffness=40.0, length=0.5)},
        gravity=(0, -GRAVITY, 0),
    )
    found = gd.equilibrium(system)
    displacement = np.array(found.state.nodes[: MODEL.unknown_count]).reshape(-1, 2)
    lower = MODEL.mesh.surface("lower")
    pressed = stiffness * -(displacement[lower, 1] + play)
    assert found.stable and np.all(pressed > 0.0)
    assert pressed.sum() == pytest.approx(MODEL.total_mass * GRAVITY, rel=1e-9)
    springs = np.zeros_like(K)
    springs[2 * lower + 1, 2 * lower + 1] = stiffness
    left = K @ displacement.reshape(-1) + np.diag(M) * np.tile((0.0, GRAVITY), len(displacement))
    left[2 * lower + 1] -= pressed
    assert np.abs(left).max() < 1e-8
    stiff = np.sort(angular_frequencies(gd.linearize(found)))[-3:]
    assert stiff == pytest.approx(frequencies(K + springs, M, held())[-3:], rel=1e-4)


def test_about_a_state_of_a_run():
    result = gd.simulate(clamped(gravity=GRAVITY), 0.004, solver=gd.Explicit(), coordinates="relative", sample=0.004)
    found = gd.linearize(result)
    assert angular_frequencies(found) == pytest.approx(frequencies(K, M, CLAMPED), rel=1e-10)
    moving = result.data.velocity.values[-1, 0, :2]
    rates = dict(zip(found.coordinates, found.rates, strict=True))
    assert rates["plate.y"] == pytest.approx(moving[1], rel=1e-9)


def test_chosen_coordinates_of_nodes():
    names = tuple(f"plate:{d // 2}.{'xy'[d % 2]}" for d in CLAMPED)
    found = gd.linearize(clamped(), coordinates=names)
    assert found.units == ("m",) * len(names)
    assert found.mass == pytest.approx(M[np.ix_(CLAMPED, CLAMPED)], abs=1e-9)
    assert found.stiffness == pytest.approx(K[np.ix_(CLAMPED, CLAMPED)], abs=1e-6 * np.abs(K).max())
    damped = DAMPING.mass * M + DAMPING.stiffness * K
    assert found.damping == pytest.approx(damped[np.ix_(CLAMPED, CLAMPED)], abs=1e-6 * np.abs(damped).max())


def driven_arm() -> gd.System:
    """Two links that swing a plate about, which a spring ties to the first of them."""
    swung = arm(2)
    tie = gd.SpringDamper("link 0", "plate", at_first=(0, 0.1, 0), stiffness=40.0, damping=0.3, length=0.2)
    return swung.replace(
        loads={**swung.loads, "tie": tie, "push": gd.Force("plate", ("sin(30*t)", 0, 0))},
        drives={"swing": gd.Drive("hinge 0", "0.3*sin(5*t)")},
    )


@pytest.mark.parametrize(
    ("solver", "exact"),
    [
        (gd.Explicit(rtol=1e-9, atol=1e-12), 1e-12),
        (gd.Implicit(rtol=1e-9, atol=1e-12), 1e-8),
        (gd.TimeStepping(step=1e-3), 1e-5),
    ],
    ids=["Explicit", "Implicit", "TimeStepping"],
)
@pytest.mark.parametrize("coordinates", ["absolute", "relative"])
def test_inverse_dynamics_of_a_run_with_a_plate(solver, exact, coordinates):
    """The drive's effort comes back, the hinge without one needs none, reactions are those of the run."""
    system = driven_arm()
    run = gd.simulate(system, 0.3, sample=0.02, solver=solver, coordinates=coordinates)
    needed, data = gd.inverse_dynamics(system, run), run.data
    effort, largest = needed.effort.sel(actuator="hinge 0").values, np.abs(data.drive_effort.values).max()
    assert effort == pytest.approx(data.drive_effort.values[:, 0], abs=exact * largest)
    assert np.abs(needed.effort.sel(actuator="hinge 1").values).max() < exact * largest < 1e-4
    assert needed.reaction_force.values == pytest.approx(data.reaction_force.values, abs=50.0 * exact * largest)
    assert np.abs(needed.residual.values).max() < exact * largest


def test_what_inverse_dynamics_asks_of_a_plate():
    system = driven_arm()
    run = gd.simulate(system, 0.02, sample=0.01)
    with refuses(
        "inverse_dynamics: System 'arm' has the flexible body 'plate', and how that deforms depends on forces"
    ):
        gd.inverse_dynamics(system, {"hinge 0": "t", "hinge 1": "t"}, duration=0.1)
    with refuses("inverse_dynamics, actuators: 'pin' holds a flexible body; name a joint between rigid ones"):
        gd.inverse_dynamics(system, run, actuators=("pin",))
    with refuses("… and the Dataset has no node_velocity of all its nodes; give the Result of a simulation of it"):
        gd.inverse_dynamics(system, run.data.drop_vars("node_velocity"))
    with refuses(
        "inverse_dynamics: Revolute 'pin' holds a flexible body, whose force …; give the Result of a simulation"
    ):
        gd.inverse_dynamics(system, run.data.drop_vars("reaction_torque"))
