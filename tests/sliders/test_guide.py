"""Guides with play: frames, moving guides, balance of momentum, limits, laws of the user."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.fem import Material, Mesh, Rayleigh

LENGTH, HEIGHT, CLEARANCE = 0.5, 0.3, 2.5e-3  # [m]
CONTACT = gd.laws.KelvinVoigt(stiffness=1e5, damping=1e2)
FRICTION = gd.laws.DryFriction(static=0.25, kinetic=0.2)
LUMPED = (LENGTH**2 + HEIGHT**2) / 4.0  # inertia of 1 kg in its four corners [kg·m²]
PLATE = (0.5 * LUMPED, 0.5 * LUMPED, LUMPED)
SLIDERS = ("hard", "compliant", "flexible")


def slider(kind: str, youngs_modulus: float = 1e5, **changes: Any) -> Any:
    common = {"clearance": CLEARANCE, "friction": FRICTION}
    if kind == "flexible":
        return gd.FlexibleSlider(
            mesh=Mesh.rectangle(LENGTH, HEIGHT, 1, 1),
            material=Material(youngs_modulus=youngs_modulus, poissons_ratio=0.3, density=1.0 / (LENGTH * HEIGHT)),
            damping=Rayleigh(stiffness=1e-3),
            **{**common, "contact": CONTACT, **changes},
        )
    met = {"impact": gd.Newton(restitution_normal=0.3)} if kind == "hard" else {"contact": CONTACT}
    return gd.RigidSlider(length=LENGTH, height=HEIGHT, **{**common, **met, **changes})


def rattling(model: Any, **changes: Any) -> gd.System:
    """A slider pushed about at a corner."""
    parts: dict[str, Any] = {
        "gravity": (0.0, -9.81, 0.0),
        "bodies": {"slider": gd.Body(mass=1.0, inertia=PLATE, velocity=(1.0, 0.0, 0.0))},
        "joints": {"guide": gd.Guide("ground", "slider", at=(0.0, 0.0, 0.0), model=model)},
        "loads": {"push": gd.Force("slider", ("3*sin(8*t)", "12*cos(5*t)", 0.0), at=(0.25, 0.15, 0.0))},
    }
    return gd.System(**{**parts, **changes})


@lru_cache
def motion(system: gd.System, step: float = 1e-3, duration: float = 1.0) -> gd.Result:
    return gd.simulate(system, duration, solver=gd.TimeStepping(step=step), sample=0.05)


def coordinates_of(data: Any) -> np.ndarray:
    """Angle, displacement and lift of the slider in its guide."""
    names = ["guide.angle", "guide.displacement", "guide.lift"]
    return data.joint_position.sel(coordinate=names).values


def coordinates(result: gd.Result) -> np.ndarray:
    """The same of a result."""
    return coordinates_of(result.data)


# ------------------------------------------------------------------------------------------------------------- limits
def test_a_stiff_flexible_slider_is_a_rigid_one():
    """One element, so that its nodes are the corners; the difference goes as 1/E.

    With one coefficient of friction: how two corners of a rigid slider share what holds them is not determined. What is
    left in the end is where friction acts, on the nodes or at the guide's surface, a penetration apart.
    """
    friction = gd.laws.DryFriction(static=0.2)
    pushed = {"loads": {"push": gd.Force("slider", ("3*sin(8*t)", "2*cos(5*t)", 0.0), at=(0.25, 0.15, 0.0))}}
    rigid = coordinates(motion(rattling(slider("compliant", friction=friction), **pushed)))
    assert np.ptp(rigid, axis=0).min() > 5e-4  # it tilts, slides and knocks
    differences = []
    for modulus in (1e5, 1e7, 1e9):
        soft = coordinates(motion(rattling(slider("flexible", modulus, friction=friction), **pushed)))
        differences.append(np.abs(soft - rigid)[:, 1:].max())
    assert differences[2] < 1e-5
    assert differences[1] < 0.1 * differences[0]
    assert differences[2] < 0.6 * differences[1]


def test_a_stiff_contact_is_a_hard_one():
    """A block that slides and stops under friction: penetration goes as 1/k, the motion differs by as much."""
    lying = {"bodies": {"slider": gd.Body(mass=1.0, inertia=PLATE, position=(0, -CLEARANCE, 0), velocity=(1, 0, 0))}}
    lying["joints"] = {}
    hard = rattling(slider("hard"), **{**lying, "joints": {"guide": centred(slider("hard"))}, "loads": {}})
    at_rest = motion(hard).data.position.sel(body="slider", axis="x").values[-1]
    assert at_rest == pytest.approx(0.5 / (0.2 * 9.81), abs=1e-5)  # v²/(2 μ g)
    for stiffness in (1e5, 1e7):
        law = gd.laws.KelvinVoigt(stiffness=stiffness, damping=1e-3 * stiffness)
        soft = slider("compliant", contact=law)
        result = motion(rattling(soft, **{**lying, "joints": {"guide": centred(soft)}, "loads": {}}))
        depth = -result.data.guide_gap.sel(surface_point="guide:lower left").values[-1]
        assert depth == pytest.approx(0.5 * 9.81 / stiffness, rel=1e-3)
        assert result.data.position.sel(body="slider", axis="x").values[-1] == pytest.approx(
            at_rest, abs=1e2 / stiffness
        )


def centred(model: Any) -> gd.Guide:
    """A guide whose centre line goes through the origin, wherever the slider is."""
    return gd.Guide("ground", "slider", at_parent=(0.0, 0.0, 0.0), at_child=(0.0, 0.0, 0.0), model=model)


def test_without_play_it_is_a_prismatic_joint():
    pushed = {"loads": {"push": gd.Force("slider", ("3*sin(8*t)", 0.0, 0.0))}}
    guide = rattling(gd.Ideal(), **pushed)
    prismatic = guide.replace(joints={"guide": gd.Prismatic("ground", "slider", at=(0, 0, 0), axis=(1, 0, 0))})
    one, other = (gd.simulate(system, 1.0, sample=0.1).data for system in (guide, prismatic))
    assert one.position.values == pytest.approx(other.position.values, abs=1e-12)
    assert one.sizes["coordinate"] == 1


# ------------------------------------------------------------------------------------------------------------- frames
@pytest.mark.parametrize("kind", SLIDERS)
def test_turned_in_space(kind):
    """The whole system turned by 120° about (1, 1, 1): x → y → z → x."""
    flat = motion(rattling(slider(kind)))
    model = slider(kind)
    turned = gd.System(
        gravity=(0.0, 0.0, -9.81),
        bodies={
            "slider": gd.Body(mass=1.0, inertia=PLATE, orientation=(0.5, 0.5, 0.5, 0.5), velocity=(0.0, 1.0, 0.0)),
        },
        joints={"guide": gd.Guide("ground", "slider", at=(0, 0, 0), axis=(0, 1, 0), normal=(0, 0, 1), model=model)},
        loads={"push": gd.Force("slider", (0.0, "3*sin(8*t)", "12*cos(5*t)"), at=(0.25, 0.15, 0.0))},
    )
    result = motion(turned)
    within = 1e-5 if kind == "hard" else 1e-9  # impacts blow up rounding
    assert coordinates(result) == pytest.approx(coordinates(flat), abs=within)
    assert result.data.guide_gap.values == pytest.approx(flat.data.guide_gap.values, abs=within)


@pytest.mark.parametrize("kind", ["hard", "compliant"])  # the mesh of a flexible one has its y axis along the normal
def test_upside_down(kind):
    """With axis and normal reversed the surface points exchange their names, nothing else."""
    flat = motion(rattling(slider(kind)))
    guide = gd.Guide("ground", "slider", at=(0, 0, 0), axis=(-1, 0, 0), normal=(0, -1, 0), model=slider(kind))
    result = motion(rattling(slider(kind), joints={"guide": guide}))
    assert result.data.position.values == pytest.approx(flat.data.position.values, abs=1e-9)
    there, here = ("guide:upper left", "guide:lower right")
    assert result.data.guide_gap.sel(surface_point=there).values == pytest.approx(
        flat.data.guide_gap.sel(surface_point=here).values, abs=1e-9
    )


@pytest.mark.parametrize("slider_hangs", [True, False], ids=["slider hangs", "guide hangs"])
def test_relative_coordinates(slider_hangs):
    """A guide on a pendulum and a slider in it, or the slider on the pendulum and the guide about it.

    Steps of both coordinates differ by their errors, of second order, of first where a corner begins to touch.
    """
    carrier, rider = ("rod", "block") if slider_hangs else ("block", "rod")
    model = slider("compliant", friction=gd.laws.DryFriction(static=0.0))
    system = gd.System(
        gravity=(2.0, -9.81, 0.0),
        bodies={carrier: gd.Body(mass=2.0, inertia=PLATE), rider: gd.Body(mass=1.0, inertia=PLATE)},
        joints={
            "hinge": gd.Revolute("ground", carrier, at=(0.0, 0.5, 0.0)),
            "guide": gd.Guide("rod", "block", at=(0.0, 0.0, 0.0), model=model),
        },
    )
    apart = []
    for step in (4e-4, 1e-4):
        runs = [
            gd.simulate(system, 0.4, solver=gd.TimeStepping(step=step), coordinates=each, sample=0.1).data
            for each in ("absolute", "relative")
        ]
        apart.append(np.abs(runs[0].position.values - runs[1].position.values).max())
        assert coordinates_of(runs[1]) == pytest.approx(coordinates_of(runs[0]), abs=1e-5)
    assert apart[1] < 1e-6 and np.log2(apart[0] / apart[1]) / 2.0 > 1.2


@pytest.mark.parametrize("kind", SLIDERS)
def test_a_guide_that_moves_steadily(kind):
    """Galilei: in a guide that drifts at 2 m/s everything is as in one at rest, but 2 m/s faster."""
    still = motion(rattling(slider(kind)))
    moving = rattling(
        slider(kind),
        bodies={
            "slider": gd.Body(mass=1.0, inertia=PLATE, velocity=(3.0, 0.0, 0.0)),
            "carriage": gd.Body(mass=5.0, inertia=(1.0, 1.0, 1.0), velocity=(2.0, 0.0, 0.0)),
        },
        joints={
            "guide": gd.Guide("carriage", "slider", at=(0.0, 0.0, 0.0), model=slider(kind)),
            "rail": gd.Prismatic("ground", "carriage", at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)),
        },
        drives={"motor": gd.Drive("rail", "2*t")},
    )
    result = motion(moving)
    within = 1e-5 if kind == "hard" else 1e-8
    assert coordinates(result) == pytest.approx(coordinates(still), abs=within)
    x = result.data.position.sel(axis="x")
    assert (x.sel(body="slider") - x.sel(body="carriage")).values == pytest.approx(
        still.data.position.sel(body="slider", axis="x").values, abs=within
    )


# ----------------------------------------------------------------------------------------------------------- momentum
@pytest.mark.parametrize("kind", SLIDERS)
def test_momentum_of_guide_and_slider(kind):
    """Two bodies alone in space: contacts, impacts and friction act equally and oppositely."""
    motor = (1.0, 0.3, 0.0)
    system = gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={
            "carriage": gd.Body(mass=3.0, inertia=(0.2, 0.2, 0.4)),
            "slider": gd.Body(mass=1.0, inertia=PLATE, velocity=motor, angular_velocity=(0.0, 0.0, 0.2)),
        },
        joints={"guide": gd.Guide("carriage", "slider", at=(0.0, 0.0, 0.0), model=slider(kind))},
    )
    result = gd.simulate(system, 0.1, solver=gd.TimeStepping(step=2e-4), sample=1e-3)
    data = result.data
    mass = np.array([3.0, 1.0])
    linear = np.einsum("b,tbx->tx", mass, data.velocity.values)
    assert np.abs(data.velocity.sel(body="carriage").values).max() > 0.05  # it was knocked about
    assert linear == pytest.approx(np.tile(motor, (len(linear), 1)), abs=1e-10)
    if kind != "flexible":  # small rotations in a frame that does not turn do not carry angular momentum exactly
        angular = np.cross(data.position.values, data.velocity.values)[:, :, 2] @ mass
        spin = data.angular_velocity.sel(axis="z").values @ np.array([0.4, LUMPED])
        assert angular + spin == pytest.approx(0.2 * LUMPED, abs=2e-4)
    assert np.diff(data.kinetic_energy.values).max() < 1e-4


# --------------------------------------------------------------------------------------------------- laws of the user
@dataclass(frozen=True, kw_only=True)
class SpringAndDamper(gd.laws.ContactLaw):
    """Kelvin and Voigt's law as a user would write it."""

    stiffness: float  # [N/m]
    damping: float  # [N·s/m]

    @staticmethod
    def normal_force(delta, ddelta, p):
        force = p[0] * delta + p[1] * ddelta
        return force if delta > 0.0 and force > 0.0 else 0.0


def plain_law(delta, ddelta):
    return max(1e5 * delta + 1e2 * ddelta, 0.0)


@pytest.mark.parametrize("kind", ["compliant", "flexible"])
@pytest.mark.parametrize("law", [SpringAndDamper(stiffness=1e5, damping=1e2), plain_law], ids=["class", "function"])
def test_a_law_of_the_user(kind, law):
    ours, theirs = motion(rattling(slider(kind))), motion(rattling(slider(kind, contact=law)))
    assert coordinates(theirs) == pytest.approx(coordinates(ours), abs=1e-9)
    assert theirs.data.guide_normal_force.values == pytest.approx(ours.data.guide_normal_force.values, abs=1e-4)
    assert ours.data.guide_normal_force.values.max() > 1.0


@pytest.mark.parametrize("kind", ["compliant", "flexible"])
def test_a_law_with_the_speed_of_the_impact(kind):
    """Lankarani and Nikravesh's law in a guide: it starts every contact with the speed of that contact."""
    law = gd.laws.LankaraniNikravesh(stiffness=1e6, restitution=0.5, exponent=1.5)
    system = rattling(slider(kind, contact=law, friction=None))
    options = {"sample": 0.005}
    exact = gd.simulate(system, 0.2, solver=gd.Explicit(rtol=1e-10, atol=1e-13, max_step=1e-4), **options)
    stepped = gd.simulate(system, 0.2, solver=gd.TimeStepping(step=1e-5), **options)
    assert (exact.data.guide_normal_force.values > 0.0).any(axis=1).sum() > 3
    assert coordinates(stepped) == pytest.approx(coordinates(exact), abs=2e-5)
