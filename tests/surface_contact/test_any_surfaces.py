"""The compiled sums over free-form surfaces: against NumPy along random walks, derivatives against differences."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gudgeon as gd
from gudgeon import laws
from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.elements.surfaces import LEAST_GAP, PUSH, SLOPES
from gudgeon.kernels.outputs.joint_outputs import eccentricities
from gudgeon.mechanics.equations import Equations, equations_of_motion
from gudgeon.nurbs import Surface, Trim
from gudgeon.surface_contact.kernels.forces import surfaces
from reference_surface_contact import surface_contact

sys.path.append(str(Path(__file__).parents[1] / "nurbs"))
from random_surfaces import free_form

COULOMB = laws.Coulomb(coefficient=0.2, velocity_tolerance=1e-2)
LAW = laws.HuntCrossley(stiffness=1e9, damping=0.3, exponent=1.2)
BODY = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))


def answer(equations: Equations, k: int, task: int, impact_speed: float = 1.0) -> np.ndarray:
    """What the surfaces of joint k answer (kernels/elements/surfaces.py) in the motion held in `work.local`."""
    out, motion = np.zeros(arrays.FORCE_COLUMNS), equations.work.local[k]
    table = int(equations.model.compliant[k, arrays.SURFACE_TABLE])
    surfaces.ctypes(table, task, impact_speed, motion.ctypes.data, out.ctypes.data, 0)
    return out


def two_sheets(below: Surface, above: Surface, grid, *, contact=LAW, friction=COULOMB, swapped=False) -> gd.System:
    """Two bodies whose sheets face each other, the grid on the lower one."""
    touch = gd.Interface(reference=("low", below), corresponding=("high", above.reversed()), grid=grid)
    names = ("high", "low") if swapped else ("low", "high")
    joint = gd.Free(*names, at=(0.02, 0.01, 0.0), model=gd.SurfaceContact(touch, contact, friction=friction))
    return gd.System(gravity=(0, 0, 0), bodies={"low": BODY, "high": BODY}, joints={"J": joint})


def put(equations: Equations, low: gd.BodyState, high: gd.BodyState) -> None:
    """The motion of the joint in a state of both bodies."""
    poses = [np.concatenate([b.position, b.orientation]) for b in (low, high)]
    rates = [np.concatenate([b.velocity, b.angular_velocity]) for b in (low, high)]
    y = np.concatenate([*poses, *rates, np.zeros(equations.state_size - 26)])
    eccentricities(equations.model, equations.work, y, np.zeros((1, 3)))


def somewhere(rng: np.random.Generator, place, tilt: float) -> gd.BodyState:
    q = np.array([1.0, *rng.normal(size=3) * tilt])
    return gd.BodyState(
        position=place,
        orientation=q / np.linalg.norm(q),
        velocity=rng.normal(size=3) * 0.1,
        angular_velocity=rng.normal(size=3),
    )


@settings(max_examples=12)
@given(seed=st.integers(0, 1000), swapped=st.booleans())
def test_compiled_equals_python_along_a_walk(seed, swapped):
    """Force, torque, power and least gap of wavy sheets that come and go: nothing remembered is wrong."""
    below, above = (free_form(seed + k, roughness=0.04, size=0.05) for k in (0, 5000))
    system = two_sheets(below, above, (14, 12), swapped=swapped)
    equations = equations_of_motion(system)
    rng = np.random.default_rng(seed)
    place = np.array([0.0, 0.0, 4e-3])
    touched = 0
    for _ in range(25):
        place = place + rng.normal(size=3) * rng.choice([1e-5, 3e-4, 2e-3])
        place[2] = min(max(place[2], -1e-3), 6e-3)
        low, high = somewhere(rng, (0, 0, 0), 0.3), somewhere(rng, (0, 0, 0), 0.02)
        turned = gd.BodyState(position=place, orientation=high.orientation, velocity=high.velocity)
        low = gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0), angular_velocity=low.angular_velocity)
        put(equations, low, turned)
        right = surface_contact(system, "J", {"low": low, "high": turned}, 1.0)
        force, gap = answer(equations, 0, PUSH), answer(equations, 0, LEAST_GAP)[0]
        if not np.isfinite(right.penetration):
            continue
        assert gap == pytest.approx(-right.penetration, abs=1e-14)
        touched += right.penetration > 0.0
        scale = max(right.normal_force, 1e-12)
        assert force[:3] == pytest.approx(right.force, abs=1e-9 * scale)
        assert force[3:6] == pytest.approx(right.torque, abs=1e-9 * scale * 0.1)
        assert force[arrays.NORMAL] == pytest.approx(right.normal_force, abs=1e-9 * scale)
        assert force[arrays.POWER] == pytest.approx(right.power, abs=1e-9 * scale)
    assert touched >= 3


def slopes(equations: Equations) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives by displacement and turn of the ball, and by their rates."""
    by_position, by_velocity = np.zeros((6, 6)), np.zeros((6, 6))
    table, motion = int(equations.model.compliant[0, arrays.SURFACE_TABLE]), equations.work.local[0]
    surfaces.ctypes(table, SLOPES, 1.0, motion.ctypes.data, by_position.ctypes.data, by_velocity.ctypes.data)
    return by_position, by_velocity


def differences(equations: Equations, first: int, second: int, small: float) -> np.ndarray:
    """The same by central differences of force and torque in two triples of the joint's motion."""
    out = np.zeros((6, 6))
    local = equations.work.local
    for c in range(6):
        column = first + c if c < 3 else second + c - 3
        kept = local[0, column]
        both = []
        for sign in (1.0, -1.0):
            local[0, column] = kept + sign * small
            both.append(answer(equations, 0, PUSH)[:6])
        local[0, column] = kept
        out[:, c] = (both[0] - both[1]) / (2.0 * small)
    return out


def test_stiffness_of_a_plate():
    """p = k δ on a rectangle a × b: ∂F_z/∂z = −k a b, ∂τ_x/∂θ_x = −k a b³/12 about its middle; exact."""
    a, b, k = 0.04, 0.02, 1e9
    plate = Surface.plane(edge1=(a, 0, 0), edge2=(0, b, 0))
    floor = Surface.plane(origin=(-0.1, -0.1, 0), edge1=(0.3, 0, 0), edge2=(0, 0.3, 0))
    equations = equations_of_motion(
        two_sheets(plate, floor, (8, 6), contact=laws.Hertz(stiffness=k, exponent=1.0), friction=None)
    )
    still = gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0))
    put(equations, still, gd.BodyState(position=(0, 0, -1e-5), orientation=(1, 0, 0, 0)))
    by_position, by_velocity = slopes(equations)
    expected = -k * a * b * np.diag([0, 0, 1, b * b / 12, a * a / 12, 0])
    assert by_position == pytest.approx(expected, abs=1e-9 * k * a * b)
    assert not by_velocity.any()


@pytest.mark.parametrize("swapped", [False, True])
def test_slopes_are_those_of_the_force(swapped):
    """By velocities to differences; by positions without how points move over the waves, which is small."""
    below, above = free_form(3, roughness=0.02, size=0.05), free_form(8, roughness=0.02, size=0.05)
    equations = equations_of_motion(two_sheets(below, above, (24, 24), swapped=swapped))
    rng = np.random.default_rng(1)
    high = somewhere(rng, (1e-3, -5e-4, 0.0), 0.01)
    put(equations, somewhere(rng, (0, 0, 0), 0.0), high)
    assert answer(equations, 0, PUSH)[arrays.NORMAL] > 0.0
    by_position, by_velocity = slopes(equations)
    right = differences(equations, arrays.RATE_OF, arrays.OMEGA_BALL, 1e-6)
    assert by_velocity == pytest.approx(right, abs=1e-4 * np.abs(right).max())
    right = differences(equations, arrays.ECCENTRICITY, arrays.TURN, 1e-9)
    assert by_position == pytest.approx(right, abs=0.05 * np.abs(right).max())


@pytest.mark.parametrize("side", ["reference", "corresponding"])
def test_a_hole_carries_nothing(side):
    """A plate on a floor, a quarter of one of the two cut out: three quarters of the force, and its torque."""
    a, k, depth = 0.04, 1e9, 1e-5
    quarter = Trim(inner=[[(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5)]])
    plate = floor = Surface.plane(edge1=(a, 0, 0), edge2=(0, a, 0))
    if side == "reference":
        plate = plate.trimmed(quarter)
    else:  # turned over, the floor's first parameter runs the other way
        floor = floor.trimmed(quarter)
    law = laws.Hertz(stiffness=k, exponent=1.0)
    equations = equations_of_motion(two_sheets(plate, floor, (8, 8), contact=law, friction=None))
    still = gd.BodyState(position=(0, 0, 0), orientation=(1, 0, 0, 0))
    put(equations, still, gd.BodyState(position=(0, 0, -depth), orientation=(1, 0, 0, 0)))
    force = answer(equations, 0, PUSH)
    whole = k * depth * a * a
    assert force[:3] == pytest.approx([0, 0, 0.75 * whole], abs=1e-9 * whole)
    missing = 0.25 * whole  # acts at a quarter of the edges, torque about (0.02, 0.01)
    middle = np.cross([0.5 * a - 0.02, 0.5 * a - 0.01, 0], [0, 0, whole])
    assert force[3:6] == pytest.approx(
        middle - np.cross([0.25 * a - 0.02, 0.25 * a - 0.01, 0], [0, 0, missing]), abs=1e-6 * whole
    )
