"""A box in a square guide: pressures over polygons against closed forms and NumPy, energy, the plane, jamming."""

from __future__ import annotations

import ctypes
import pickle
from dataclasses import replace
from functools import cache
from math import pi
from typing import Any

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon import laws
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.dynamics.motion import right_hand_side
from gudgeon.mechanics.equations import equations_of_motion
from reference_walls import wrench_of_box

LENGTH, WIDTH, HEIGHT, PLAY = 0.05, 0.02, 0.03, 1e-3  # [m]
K = 2e9  # stiffness per area [N/m³]
ELASTIC = laws.Hertz(stiffness=K, exponent=1.0)
UP = (0.0, 0.0, 1.0)
MASS = 0.3  # [kg]
UNIT = gd.Material(name="unit", youngs_modulus=2.0, poissons_ratio=0.0)  # E* = 1 Pa
STILL = (0.0, 0.0, 0.0)


def guided(model: Any, *, at=STILL, turn=STILL, velocity=STILL, spin=STILL, **more: Any) -> gd.System:
    """A box in a guide along x, in the pose `at` turned by the rotation vector `turn`."""
    q = Rotation.from_rotvec(turn).as_quat()
    start = gd.BodyState(position=at, orientation=(q[3], *q[:3]), velocity=velocity, angular_velocity=spin)
    return gd.System(
        gravity=more.pop("gravity", STILL),
        bodies={"box": gd.Body(mass=MASS, inertia=(4e-5, 7e-5, 8e-5))},
        joints={"J": gd.Prismatic("ground", "box", at=STILL, axis=(1, 0, 0), model=model)},
        start={"box": start},
        **more,
    )


def box(**changes: Any) -> gd.DryBox:
    return gd.DryBox(
        **{"length": LENGTH, "width": WIDTH, "height": HEIGHT, "clearance": PLAY, "contact": ELASTIC, "up": UP}
        | changes
    )


def told(system: gd.System) -> gd.Result:
    """What the joint does at the start."""
    return gd.simulate(system, 1e-9, solver=gd.Explicit(), sample=1e-9)


def at_start(system: gd.System) -> Any:
    return told(system).data.isel(time=0).sel(joint="J")


# ------------------------------------------------------------------------------------------------------- closed forms
def test_pressed_evenly():
    """F = k A δ in the middle of the wall, over all of it."""
    deep = 5e-5
    data = at_start(guided(box(), at=(0.2, 0.0, -PLAY - deep)))
    force = K * LENGTH * WIDTH * deep
    assert data.reaction_force.values == pytest.approx((0.0, 0.0, force), rel=1e-12, abs=1e-12 * force)
    assert data.reaction_torque.values == pytest.approx(0.0, abs=1e-13 * force)
    lower = data.sel(part="J:lower wall")
    assert float(lower.touching_area) == pytest.approx(LENGTH * WIDTH, rel=1e-12)
    assert float(lower.peak_pressure) == pytest.approx(K * deep, rel=1e-10)
    assert float(data.stored_energy) == pytest.approx(0.5 * force * deep, rel=1e-11)
    assert float(data.sel(part="J:upper wall").contact_force) == 0.0


def test_wedge():
    """One edge pressed in by δ: ℓ = δ/tan ψ of the length touches, F = ½ k w δ ℓ/cos ψ, a third of ℓ from the edge."""
    psi, deep = 4e-3, 6e-5
    drop = PLAY + deep - 0.5 * LENGTH * np.sin(psi) + 0.5 * HEIGHT * (1.0 - np.cos(psi))
    data = at_start(guided(box(), at=(0.0, 0.0, -drop), turn=(0.0, psi, 0.0)))  # the front goes down
    touched = deep / np.sin(psi)
    lower = data.sel(part="J:lower wall")
    assert float(data.penetration) == pytest.approx(deep, rel=1e-10)
    assert float(lower.contact_force) == pytest.approx(0.5 * K * WIDTH * deep * touched, rel=1e-10)
    assert float(lower.touching_area) == pytest.approx(WIDTH * touched, rel=1e-10)
    assert float(lower.pressure_centre_along) == pytest.approx(0.5 * LENGTH - touched / 3.0, rel=1e-10)


def test_corner():
    """A corner pressed in by δ, slopes α and β of the two edges: a triangle, F = k δ³/(6 α β)."""
    turn = Rotation.from_rotvec((3e-3, 4e-3, 0.0))
    a, b = -turn.as_matrix()[2, :2]  # how depth at the lower wall grows along x and y
    deep = 2e-5
    corner = np.array((np.sign(a) * LENGTH, np.sign(b) * WIDTH, -HEIGHT)) / 2.0
    drop = PLAY + 0.5 * HEIGHT + deep + (turn.as_matrix() @ corner)[2]
    data = at_start(guided(box(), at=(0.0, 0.0, -drop), turn=turn.as_rotvec()))
    assert deep / abs(a) < LENGTH and deep / abs(b) < WIDTH
    force = K * deep**3 / (6.0 * abs(a * b))
    assert float(data.sel(part="J:lower wall").contact_force) == pytest.approx(force, rel=1e-10)
    assert float(data.sel(part="J:lower wall").touching_area) == pytest.approx(deep**2 / (2.0 * abs(a * b)), rel=1e-10)


# ----------------------------------------------------------------------------------------------- against plain NumPy
def motions(face: float, crossed: float, twisted: float) -> dict[str, Any]:
    """Position, turn, velocity and spin of a box whose walls have faces of this length [m]."""
    return {
        "one wall": ((0.005, 0.0, -PLAY - 3e-5), (1e-4, 4e-4, 2e-4), (0.3, 0.02, -0.05), (0.1, -0.2, 0.3)),
        "two walls": ((0.0, 0.95 * PLAY, -0.98 * PLAY), (2e-3, 2.5e-3, -4e-3), (0.3, 0.1, -0.05), (0.5, 0.6, -0.2)),
        "crossed": ((0.0, 1e-4, 0.0), (5e-4, 2.0 * (PLAY + crossed) / face, 3e-3), (-0.2, 0.0, 0.005), (0.3, 1.0, 0.4)),
        "reaching out": ((0.025, 1e-4, -PLAY - 3e-5), (1e-3, 1e-3, 2e-3), (0.3, 0.02, -0.05), (0.1, -0.2, 0.3)),
        "twisted": ((0.0, 0.0, 0.0), (twisted, 1e-3, 5e-4), (0.2, 0.01, 0.0), (1.5, 0.2, 0.1)),
    }


SHORT = 0.03  # guide [m]
SINGLE = ("one wall", "reaching out")
ROLES = {"box": {"guide_length": 0.07}, "guide": {"guide_length": SHORT}}
MOTIONS = {"box": motions(LENGTH, 8e-5, 0.0727), "guide": motions(SHORT, 3e-5, 0.069)}
LAWS = {
    "linear": (laws.HuntCrossley(stiffness=K, damping=0.5, exponent=1.0), 1e-9),
    "power 3/2": (laws.Flores(stiffness=3e11, restitution=0.6), 1e-6),
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("motion", MOTIONS["box"])
def test_quadrature(motion, law, role):
    """Force, torque, power and energy; friction, which is no polynomial, to 1e-3 of the force."""
    at, turn, velocity, spin = MOTIONS[role][motion]
    contact, within = LAWS[law]
    model = box(contact=contact, **ROLES[role])
    for friction in (None, laws.Coulomb(coefficient=0.3, velocity_tolerance=0.05)):
        system = guided(replace(model, friction=friction), at=at, turn=turn, velocity=velocity, spin=spin)
        if friction is not None:
            within = 1e-3
        result = told_anyway(system)
        speeds = dict(zip(result.events.contact, result.events.impact_speed, strict=True))
        data, expected = result.data.isel(time=0).sel(joint="J"), wrench_of_box(system, result.state(0), UP, speeds)
        assert sum(force > 0.0 for force in expected.normal.values()) >= (1 if motion in SINGLE else 2)
        size = sum(expected.normal.values())
        assert data.reaction_force.values == pytest.approx(expected.force, abs=within * size)
        assert data.reaction_torque.values == pytest.approx(expected.torque, abs=within * size * 0.5 * LENGTH)
        assert float(data.power_dissipated) == pytest.approx(expected.power, rel=max(within, 1e-7))
        assert float(data.stored_energy) == pytest.approx(expected.stored, rel=1e-6)
        for wall, force in expected.normal.items():
            assert float(data.sel(part=f"J:{wall}").contact_force) == pytest.approx(force, abs=max(within, 1e-9) * size)


def told_anyway(system: gd.System) -> gd.Result:
    return gd.simulate(system, 1e-9, solver=gd.Explicit(), sample=[0.0, 1e-9])


@pytest.mark.parametrize("law", [ELASTIC, laws.Hertz(stiffness=3e11)], ids=["linear", "power 3/2"])
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("motion", MOTIONS["box"])
def test_the_force_is_the_gradient_of_an_energy(motion, role, law):
    """−∇U by displacements of the joint's point and turns about it, by differences of the energy that is told."""
    at, turn = (np.array(x) for x in MOTIONS[role][motion][:2])
    model = box(contact=law, **ROLES[role])

    def energy(shift, angle):
        moved = Rotation.from_rotvec(angle) * Rotation.from_rotvec(turn)
        return float(at_start(guided(model, at=at + shift, turn=moved.as_rotvec())).stored_energy)

    data, found = at_start(guided(model, at=at, turn=turn)), []
    for c, h in [(c, 2e-8) for c in range(3)] + [(c, 2e-7) for c in range(3)]:
        step = h * np.eye(3)[c]
        pair = [(s * step, STILL) if h < 1e-7 else (STILL, s * step) for s in (1.0, -1.0)]
        found.append(-(energy(*pair[0]) - energy(*pair[1])) / (2.0 * h))
    size = float(np.linalg.norm(data.contact_force.values))
    assert data.reaction_force.values == pytest.approx(np.array(found[:3]), abs=1e-6 * size)
    assert data.reaction_torque.values == pytest.approx(np.array(found[3:]), abs=1e-6 * size * 0.5 * LENGTH)


# ------------------------------------------------------------------------------------------------------------ slopes
def compiled(function: Any, *arguments: Any) -> None:
    """Call a kernel by its address."""
    types = [ctypes.c_int64] * len(arguments)
    ctypes.CFUNCTYPE(None, *types)(function.address)(*arguments)


@pytest.mark.parametrize("motion", MOTIONS["box"])
def test_slopes(motion):
    """∂(force, torque)/∂(displacement, turn) and by their rates, against central differences of the force."""
    from gudgeon.kernels.elements.wall import force_of_wall
    from gudgeon.kernels.elements.wall_slopes import slopes_of_wall

    at, turn, velocity, _ = MOTIONS["box"][motion]
    model = box(
        contact=laws.HuntCrossley(stiffness=K, damping=0.5, exponent=1.0),
        friction=laws.Threlfall(coefficient=0.3, velocity_tolerance=0.5),
    )
    made = equations_of_motion(guided(model, at=at, turn=turn, velocity=velocity))
    y = made.stated_state()
    m, w, rate = made.model, made.work, np.zeros_like(y)
    w.contact[:, arrays.MODE], w.contact[:, arrays.IMPACT_SPEED] = arrays.TOUCHING, 0.05
    right_hand_side(m, w, 0.0, y, rate)
    trial = len(m.compliant)
    touched = 0
    for k in range(trial):
        w.local[trial] = w.local[k]

        def wrench(k=k):
            compiled(force_of_wall, m.address, w.address, k, trial, trial)
            return w.force[trial, :6].copy()

        size = np.linalg.norm(wrench()[:3])
        touched += size > 0.0
        found = np.zeros((2, 6, 6))
        compiled(slopes_of_wall, m.address, w.address, k, trial, *(a.ctypes.data for a in found))
        columns = [(arrays.ECCENTRICITY, arrays.TURN), (arrays.RATE_OF, arrays.OMEGA_BALL)]
        for which, (shift, spin) in enumerate(columns):
            for c in range(6):
                column, h = (shift + c, 1e-9) if c < 3 else (spin + c - 3, 1e-7)
                h *= 1e3 if which else 1.0
                kept, sides = w.local[trial, column], []
                for sign in (1.0, -1.0):
                    w.local[trial, column] = kept + sign * h
                    sides.append(wrench())
                w.local[trial, column] = kept
                slope = (sides[0] - sides[1]) / (2.0 * h)
                unit = np.array([1.0] * 3 + [0.02] * 3) * (1.0 if c < 3 else 0.02)
                scale = np.abs(found[which, :, :3]).max()
                assert found[which, :, c] / unit == pytest.approx(slope / unit, abs=1e-4 * scale)
    assert touched >= (1 if motion in SINGLE else 2)


# --------------------------------------------------------------------------------------------- agreement in the plane
def in_guide(height_law: Any) -> gd.System:
    """The same block between the two walls of a Guide."""
    system = guided(gd.Ideal(), at=(0.0, 0.0, 0.2 * PLAY), velocity=(0.4, 0.0, 0.05), gravity=(0.0, 0.0, -9.81))
    joint = gd.Guide("ground", "box", at=STILL, axis=(1, 0, 0), normal=UP, model=height_law)
    return system.replace(joints={"J": joint})


def test_a_block_that_does_not_tilt_moves_as_in_a_guide():
    """Two corners of half the stiffness are the face: the same contacts at the same instants, the same motion."""
    corners = gd.RigidSlider(
        length=LENGTH,
        height=HEIGHT,
        clearance=PLAY,
        contact=laws.Hertz(stiffness=0.5 * K * LENGTH * WIDTH, exponent=1.0),
    )
    planar = in_guide(corners)
    solver, times = gd.Explicit(rtol=1e-11, atol=1e-14), np.linspace(0.0, 0.15, 16)
    spatial = planar.replace(joints={"J": gd.Prismatic("ground", "box", at=STILL, axis=(1, 0, 0), model=box())})
    one, other = (gd.simulate(system, 0.15, solver=solver, sample=times) for system in (planar, spatial))
    assert one.data.position.values == pytest.approx(other.data.position.values, abs=1e-9)
    touches = one.events[one.events.contact.str.endswith("left")]
    assert len(other.events) == len(touches) >= 4
    assert other.events.begin.values == pytest.approx(touches.begin.values, abs=1e-9)
    assert other.events.impact_speed.values == pytest.approx(touches.impact_speed.values, rel=1e-6)


def test_corners_are_three_times_as_stiff_in_tilt():
    """Pressed by F on the lower wall: heave √(kA/m) in both; tilt √((kA L²/12 − F h/2)/J) of a face, whose force acts
    h/2 below the centre; corners have k A L²/4.
    """
    press = {"press": gd.Force("box", (0.0, 0.0, -150.0))}
    corners = gd.RigidSlider(
        length=LENGTH,
        height=HEIGHT,
        clearance=PLAY,
        contact=laws.Hertz(stiffness=0.5 * K * LENGTH * WIDTH, exponent=1.0),
    )
    planar = in_guide(corners).replace(loads=press, start={})
    spatial = guided(box(), loads=press).replace(start={})
    stiffness, inertia = K * LENGTH * WIDTH, 7e-5
    heave = np.sqrt(stiffness / MASS) / (2.0 * pi)
    for system, factor in ((planar, 3.0), (spatial, 1.0)):
        found = gd.linearize(gd.equilibrium(system).system).natural_frequencies
        tilt = np.sqrt((factor * stiffness * LENGTH**2 / 12.0 - 150.0 * HEIGHT / 2.0) / inertia) / (2.0 * pi)
        for expected in (heave, tilt):
            assert np.abs(found / expected - 1.0).min() < 1e-4


# --------------------------------------------------------------------------------------------------- runs and solvers
@cache
def rattling(name: str) -> gd.Result:
    """A box thrown into a corner of its guide, turning."""
    soft = laws.HuntCrossley(stiffness=K, damping=0.3, exponent=1.0)
    model = box(contact=soft, friction=laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-2), clearance=1e-4)
    system = guided(model, velocity=(0.3, 0.05, 0.0), spin=(0.5, 1.0, 1.0), gravity=(0.0, 0.0, -9.81))
    solver = {
        "Explicit": gd.Explicit(rtol=1e-10, atol=1e-13),
        "Implicit": gd.Implicit(rtol=1e-9, atol=1e-12),
        "Sundials": gd.Sundials(rtol=1e-10, atol=1e-13),
        "TimeStepping": gd.TimeStepping(step=2e-6),
    }[name]
    return gd.simulate(system, 0.02, solver=solver, sample=1e-3)


@pytest.mark.parametrize(
    ("solver", "motion", "energy"), [("Implicit", 1e-6, 1e-8), ("Sundials", 1e-5, 1e-8), ("TimeStepping", 5e-3, 2e-5)]
)
def test_solvers_agree(solver, motion, energy):
    one, other = rattling("Explicit"), rattling(solver)
    assert len(one.events) == len(other.events) > 5
    assert set(one.events.contact) > {"lower wall"}
    for name in ("velocity", "angular_velocity"):
        size = np.abs(one.data[name].values).max()
        assert other.data[name].values == pytest.approx(one.data[name].values, abs=motion * size)
    assert other.events.begin.values == pytest.approx(one.events.begin.values, abs=1e-2 * motion)
    total = other.data.mechanical_energy.values
    taken = other.data.dissipated_energy.sel(joint="J").values
    assert total + taken == pytest.approx(total[0], abs=energy * float(other.data.kinetic_energy[0]))
    assert other.events.energy_lost.sum() == pytest.approx(taken[-1], rel=1e-9)


def test_without_play_it_is_ideal():
    """A box on its wall, pushed and turned: off the ideal one by its play, with the reactions of the ideal one."""
    load = {"push": gd.Force("box", (0.0, 2.0, -30.0), at=(0.01, 0.0, 0.0))}
    ideal = gd.simulate(guided(gd.Ideal(), loads=load, velocity=(0.5, 0.0, 0.0)), 0.05, sample=0.05).data
    stiff = laws.KelvinVoigt(stiffness=1e14, damping=1e10)
    found = []
    for play in (1e-4, 1e-5):
        model = box(clearance=play, contact=stiff)
        data = gd.simulate(
            guided(model, loads=load, velocity=(0.5, 0.0, 0.0)), 0.05, solver=gd.Implicit(), sample=0.05
        ).data
        found.append(np.linalg.norm((data.position - ideal.position).values[-1]))
        assert data.reaction_force.values[-1, 0] == pytest.approx(ideal.reaction_force.values[-1, 0], abs=2e-3 * 30.0)
        assert data.reaction_torque.values[-1, 0] == pytest.approx(
            ideal.reaction_torque.values[-1, 0], abs=2e-3 * 30.0 * LENGTH
        )
    assert found == pytest.approx([np.sqrt(2.0) * 1e-4, np.sqrt(2.0) * 1e-5], rel=1e-2)


@pytest.mark.parametrize("share", [0.5, 0.8, 1.25])
def test_a_drawer_jams(share):
    """Pulled at the lever a beside its axis a drawer tilts and touches at two ends, N = P a/L each; it moves with

    m ẍ = P (1 − 2 μ a/L)        and locks itself where a > L/(2 μ), however hard it is pulled.
    """
    mu, pull, tolerance = 0.4, 20.0, 1e-4
    lever = share * LENGTH / (2.0 * mu)
    hard = laws.KelvinVoigt(stiffness=1e13, damping=1e9)
    model = box(contact=hard, clearance=2e-5, friction=laws.Threlfall(coefficient=mu, velocity_tolerance=tolerance))
    system = guided(model, loads={"pull": gd.Force("box", (pull, 0.0, 0.0), at=(0.0, 0.0, lever))})
    data = gd.simulate(system, 0.1, solver=gd.Implicit(), sample=0.01).data
    upper, lower = (data.sel(part=f"J:{wall} wall").isel(time=-1) for wall in ("upper", "lower"))
    span = abs(float(upper.pressure_centre_along - lower.pressure_centre_along))
    assert 0.95 * LENGTH < span < LENGTH
    assert float(upper.contact_force) == pytest.approx(pull * lever / span, rel=1e-3)
    speed = float(data.velocity.values[-1, 0, 0])
    if share < 1.0:
        gained = speed - float(data.velocity.values[5, 0, 0])
        assert gained == pytest.approx(0.05 * pull / MASS * (1.0 - 2.0 * mu * lever / span), rel=5e-3)
    else:
        assert 0.0 <= speed < tolerance


# --------------------------------------------------------------------------------------------------------- the rest
def test_flat_pad():
    """Averages of Timoshenko & Goodier's table (art. 139), and the double integral of 1/r by quadrature."""
    for ratio, mean in ((1.0, 0.95), (2.0, 0.92), (5.0, 0.82), (10.0, 0.71)):
        length, width = ratio, 1.0
        k = laws.flat_pad(length=length, width=width, materials=UNIT)
        assert 1.0 / (k * np.sqrt(length * width)) == pytest.approx(mean, abs=0.005)
    a, b = 0.03, 0.02
    # pairs of points of a rectangle that are (x, y) apart: (a − x)(b − y), four times
    influence = 4.0 * dblquad(lambda y, x: (a - x) * (b - y) / np.hypot(x, y), 0.0, a, 0.0, b)[0]
    k = laws.flat_pad(length=a, width=b, materials=UNIT)
    assert k == pytest.approx(pi * a * b / influence, rel=1e-6)


def test_steel_where_nothing_is_said():
    walls = {part.name: part.contact for part in box(contact=None).elements(guided(box()).joints["J"])}
    for name, width in (("upper wall", WIDTH), ("left wall", HEIGHT)):
        assert walls[name].stiffness == laws.flat_pad(length=LENGTH, width=width, materials="steel")


def test_pickles_and_copies():
    system = guided(box(friction=laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)))
    assert pickle.loads(pickle.dumps(system)) == system


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"length": 0.0}, "DryBox: length is 0 m; it must be positive"),
        (
            {"clearance": -1e-4},
            "DryBox: clearance is -0.0001 m; it must be positive (use gd.Ideal() for a joint without",
        ),
        (
            {"clearance": 0.012},
            "DryBox: clearance is 0.012 m, the box is 0.02 m thick; the clearance is that on each side",
        ),
        ({"side_clearance": 0}, "DryBox: side_clearance is 0 m; it must be positive"),
        ({"guide_length": "long"}, "DryBox: guide_length is 'long'; give a number"),
        ({"contact": 1e9}, "DryBox: contact is 1000000000.0; give a ContactLaw of gd.laws, or a function of"),
        ({"friction": 0.1}, "DryBox: friction is 0.1; give a FrictionLaw of gd.laws"),
        (
            {"friction": laws.DryFriction(static=0.2, kinetic=0.1)},
            "DryBox: friction: DryFriction is set-valued, with true sticking",
        ),
        (
            {
                "friction": laws.LuGre(
                    kinetic=0.1,
                    static=0.15,
                    stribeck_speed=0.01,
                    bristle_stiffness=2e4,
                    bristle_damping=20.0,
                    viscous=0.05,
                )
            },
            "DryBox: friction is LuGre, whose bristles would be a state of every point",
        ),
        ({"smallest_impact_speed": 0.0}, "DryBox: smallest_impact_speed is 0 m/s; it must be positive"),
    ],
)
def test_mistakes(wrong, says):
    with pytest.raises(gd.ModelError) as mistake:
        box(**wrong)
    assert says in str(mistake.value)


def test_mistakes_at_a_joint():
    for make, says in (
        (
            lambda: gd.Prismatic("ground", "box", at=STILL, axis=(1, 0, 0), model=box(up=(1, 0, 1))),
            "Prismatic ground–box: up of its DryBox and axis enclose 45 degrees; the upper wall must be across",
        ),
        (
            lambda: gd.Guide("ground", "box", at=STILL, model=box()),
            "Guide ground–box: DryBox(...) is not a model of this joint; Guide takes Ideal, RigidSlider, "
            "FlexibleSlider, LubricatedBox, Bushing, ForceModel. DryBox is a model of Prismatic; a Guide, in a plane, "
            "takes gd.RigidSlider",
        ),
        (
            lambda: gd.simulate(guided(box(), at=(0.0, 0.0, -1.6 * PLAY)), 0.1),
            "Prismatic 'J': it starts with its lower wall 0.0006 m within the other surface, the clearance is 0.001 m; "
            "place 'ground' and 'box' so that they are within the play",
        ),
    ):
        with pytest.raises(gd.ModelError) as mistake:
            make()
        assert says in str(mistake.value)


def test_a_box_leaves_its_guide():
    """On the lower wall it slides out, tips over the end and flies: energy stays, and the last contact has an end."""
    soft = laws.HuntCrossley(stiffness=K, damping=0.3, exponent=1.0)
    model = box(contact=soft, guide_length=0.06)
    system = guided(model, at=(0.0, 0.0, -PLAY), velocity=(0.5, 0.0, 0.0), gravity=(0.0, 0.0, -9.81))
    result = gd.simulate(system, 0.2, solver=gd.Explicit(rtol=1e-9, atol=1e-12), sample=0.01)
    data, events = result.data, result.events
    assert np.isfinite(events.end).all() and 0.04 < events.end.max() < 0.2
    assert float(data.position[-1, 0, 0]) > 0.08 and np.abs(data.angular_velocity[-1]).max() > 0.1
    taken = data.dissipated_energy.sel(joint="J").values
    total = data.mechanical_energy.values
    assert total + taken == pytest.approx(total[0], abs=1e-8 * float(data.kinetic_energy[0]))
