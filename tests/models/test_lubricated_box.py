"""A box in a guide full of oil, in mechanisms: it sinks, slides, settles and touches as Reynolds' equation says."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon import laws
from reference_pad import pad_wrench

SIZE: dict[str, Any] = {"length": 0.05, "width": 0.02, "height": 0.03}  # [m]
PLAY, OIL, MASS = 5e-5, 0.05, 0.3  # [m], [Pa·s], [kg]
STILL = (0.0, 0.0, 0.0)
BOX = gd.LubricatedBox(**SIZE, clearance=PLAY, viscosity=OIL, up=(0, 1, 0))
ROUGH = laws.HuntCrossley(stiffness=1e12, damping=0.1, exponent=1.0)  # pressure [Pa]


def guided(model: Any = BOX, *, gravity=STILL, loads=None, mass: float = MASS, turn=STILL, **moves: Any) -> gd.System:
    """A box in a guide along x; up is y."""
    q = Rotation.from_rotvec(turn).as_quat()
    start = gd.BodyState(**{"position": STILL, "orientation": (q[3], *q[:3])} | moves)
    return gd.System(
        gravity=gravity,
        bodies={"box": gd.Body(mass=mass, inertia=(4e-5, 7e-5, 8e-5))},
        joints={"J": gd.Prismatic("ground", "box", at=STILL, axis=(1, 0, 0), model=model)},
        loads=loads or {},
        start={"box": start},
    )


def test_a_box_sinks(coordinates):
    """m g = μ L B³ f V/h³ between film and weight: from h = c to h₁ in ½ μ L B³ f (h₁⁻² − c⁻²)/(m g); then it stops.

    f is that of the series of a squeezed rectangle; inertia is nothing here, the upper film breaks.
    """
    thin, L, B = 1e-5, SIZE["length"], SIZE["width"]
    oil = 0.002
    model = gd.LubricatedBox(**SIZE, clearance=PLAY, viscosity=oil, up=(0, 1, 0), smallest_film=thin)
    with pytest.raises(
        gd.SimulationError, match="the film of Prismatic 'J' is thinner than smallest_film = 1e-05 m"
    ) as told:
        gd.simulate(guided(model, gravity=(0, -9.81, 0)), 3.0, coordinates=coordinates, sample=1e-2)
    odd = np.arange(1, 200, 2)
    f = 1.0 - 192.0 * B / (np.pi**5 * L) * np.sum(np.tanh(0.5 * np.pi * odd * L / B) / odd**5)
    time = 0.5 * oil * L * B**3 * f * (thin**-2 - PLAY**-2) / (MASS * 9.81)
    assert told.value.time == pytest.approx(time, rel=2e-3)
    data = told.value.result.data
    lower = data.film_load.sel(part="J:lower film").values
    assert lower[2:-1] == pytest.approx(MASS * 9.81, rel=1e-3)
    assert data.film_load.sel(part="J:upper film").values[2:] == pytest.approx(0.0, abs=1e-9)
    assert float(data.minimum_film.sel(part="J:lower film")[-1]) == pytest.approx(thin, rel=0.02)


def test_a_centred_box_is_braked(coordinates):
    """v = v₀ exp(−t Σ μ A/(h m)): the four films sheared."""
    area = 2.0 * SIZE["length"] * (SIZE["width"] + SIZE["height"])
    rate = OIL * area / (PLAY * MASS)
    result = gd.simulate(guided(velocity=(0.4, 0.0, 0.0)), 0.05, coordinates=coordinates, sample=0.01)
    speed = result.data.velocity.sel(body="box", axis="x").values
    assert speed == pytest.approx(0.4 * np.exp(-rate * result.data.time.values), rel=1e-6)
    lost = result.data.dissipated_energy.sel(joint="J").values
    assert lost == pytest.approx(0.5 * MASS * (0.4**2 - speed**2), rel=1e-6, abs=1e-12)
    assert float(result.data.film_friction.sel(part="J:left film")[0]) == pytest.approx(
        OIL * 0.4 * SIZE["length"] * SIZE["height"] / PLAY, rel=1e-9
    )


def test_what_a_tilted_box_feels():
    """A box askew that slides and turns: what its lower and its upper film do is what finite elements say, 1 %."""
    turn, at = np.array([2e-4, 0.0, -8e-4]), np.array([0.0, -1e-5, 0.0])
    v, w = np.array([0.5, -2e-4, 0.0]), np.array([0.01, 0.0, 0.005])
    result = gd.simulate(guided(turn=turn, position=at, velocity=v, angular_velocity=w), 1e-9, sample=1e-9)
    data, R = result.data.isel(time=0), Rotation.from_rotvec(turn)
    for name, side in (("upper", 1.0), ("lower", -1.0)):
        arm = R.apply((0.0, side * 0.5 * SIZE["height"], 0.0))
        gap = PLAY + 0.5 * SIZE["height"] - side * (at + arm)[1]
        flip = (
            Rotation.from_rotvec((np.pi, 0, 0)) if side < 0.0 else Rotation.identity()
        )  # the lower wall is above, too
        force, torque = pad_wrench(
            (0.5 * SIZE["length"], 0.5 * SIZE["width"]),
            gap,
            tuple((flip * R * flip.inv()).as_rotvec()),
            flip.apply(v + np.cross(w, arm)),
            flip.apply(w),
            OIL,
            cells=40,
        )
        film = data.sel(part=f"J:{name} film")
        assert float(film.film_load) == pytest.approx(-force[1], rel=0.01)
        assert float(film.film_friction) == pytest.approx(np.hypot(force[0], force[2]), rel=0.01)
        assert float(film.pressure_centre_along) == pytest.approx(torque[2] / force[1], abs=0.01 * SIZE["length"])
        slope = np.linalg.norm(R.as_matrix()[1, [0, 2]])
        assert float(film.tilt) == pytest.approx(slope, rel=1e-6)
        assert float(film.power_lost) > 0.0


def test_a_box_carries_a_load_on_its_wedge():
    """Driven along its guide under a weight off the middle it tilts and rides on its film, and stays there.

    Load, centre of pressure and friction of the two films are those of finite elements at the pose that was found.
    """
    speed, weight, lever = 0.6, 40.0, -0.004  # [m/s], [N], [m]
    loads = {"weight": gd.Force("box", (0, -weight, 0), at=(lever, 0, 0))}
    system = guided(loads=loads, velocity=(speed, 0, 0), mass=20.0)
    result = gd.simulate(system, 0.3, sample=0.01)
    data = result.data.isel(time=-1)
    load = data.film_load.sel(part="J:lower film").item() - data.film_load.sel(part="J:upper film").item()
    assert load == pytest.approx(weight, rel=1e-3)
    assert data.minimum_film.sel(part="J:lower film").item() > 2e-6
    state = result.state()["box"]
    R = Rotation.from_quat(np.roll(state.orientation, -1))
    flip = Rotation.from_rotvec((np.pi, 0, 0))
    arm = R.apply((0.0, -0.5 * SIZE["height"], 0.0))
    gap = PLAY + 0.5 * SIZE["height"] + (np.array(state.position) + arm)[1]
    v, w = np.array(state.velocity), np.array(state.angular_velocity)
    force, _ = pad_wrench(
        (0.5 * SIZE["length"], 0.5 * SIZE["width"]),
        gap,
        tuple((flip * R * flip.inv()).as_rotvec()),
        flip.apply(v + np.cross(w, arm)),
        flip.apply(w),
        OIL,
        cells=48,
    )
    assert data.film_load.sel(part="J:lower film").item() == pytest.approx(-force[1], rel=0.01)


def test_contact_carries_what_the_film_leaves(coordinates):
    """At rest the wall carries the weight alone: p A = k δ A, from the gap h_r on."""
    thin = 4e-6
    model = gd.LubricatedBox(**SIZE, clearance=PLAY, viscosity=1e-4, up=(0, 1, 0), smallest_film=thin, contact=ROUGH)
    result = gd.simulate(guided(model, gravity=(0, -9.81, 0)), 1.0, coordinates=coordinates, sample=0.1)
    data = result.data.isel(time=-1)
    weight, area = MASS * 9.81, SIZE["length"] * SIZE["width"]
    assert data.contact_force.sel(part="J:lower wall").item() == pytest.approx(weight, rel=1e-3)
    depth = weight / (1e12 * area)
    assert data.minimum_film.sel(part="J:lower film").item() == pytest.approx(thin - depth, abs=1e-9)
    assert set(result.events.contact) == {"lower wall"}
    energy = result.data.mechanical_energy.values
    lost = result.data.dissipated_energy.sel(joint="J").values
    assert energy + lost == pytest.approx(energy[0], abs=1e-6 * lost[-1])


def test_at_rest_a_contact_is_an_equilibrium():
    model = gd.LubricatedBox(**SIZE, clearance=PLAY, viscosity=1e-3, up=(0, 1, 0), smallest_film=4e-6, contact=ROUGH)
    found = gd.equilibrium(guided(model, gravity=(0, -9.81, 0)))
    height = found.state["box"].position[1]
    assert height == pytest.approx(-(PLAY - 4e-6) - MASS * 9.81 / (1e12 * SIZE["length"] * SIZE["width"]), rel=1e-6)


def test_vanishing_play_is_the_ideal_joint():
    """A pendulum on a slide: motion and reactions become those of gd.Ideal as the play does."""

    def slide(model) -> gd.System:
        return gd.System(
            bodies={
                "box": gd.Body(mass=0.5, inertia=(1e-4, 2e-4, 2e-4)),
                "bob": gd.Body(mass=0.2, inertia=(1e-5, 1e-5, 1e-5), position=(0.06, -0.08, 0.0)),
            },
            joints={
                "J": gd.Prismatic("ground", "box", at=STILL, axis=(1, 0, 0), model=model),
                "pin": gd.Revolute("box", "bob", at=STILL, axis=(0, 0, 1)),
            },
            gravity=(0, -9.81, 0),
        )

    after = slice(1, None)  # at the start the film is at rest and carries nothing
    ideal = gd.simulate(slide(gd.Ideal()), 0.1, sample=0.02).data.isel(time=after)
    errors = []
    for play in (4e-5, 2e-5):
        # drag goes as μ/c, the resistance to squeezing as μ/c³
        model = gd.LubricatedBox(**SIZE, clearance=play, viscosity=6e4 * play**2, up=(0, 1, 0))
        data = gd.simulate(slide(model), 0.1, sample=0.02).data.isel(time=after)
        place, force = (
            np.abs(data[name].sel(axis="y", **of) - ideal[name].sel(axis="y", **of)).max().item()
            for name, of in (("position", {"body": "bob"}), ("reaction_force", {"joint": "J"}))
        )
        errors.append((place, force))
    assert errors[1] == pytest.approx([0.5 * error for error in errors[0]], rel=0.2)
    assert errors[1][1] < 0.01 * np.abs(ideal.reaction_force.sel(joint="J", axis="y")).max().item()


# ------------------------------------------------------------------------------------------------- description
def test_in_one_line():
    model = gd.Lubricated.box(
        length=0.05,
        width=0.02,
        height=0.02,
        fit="H8/e8",
        oil="ISO VG 46",
        temperature=60,
        roughness=(4e-7, 2e-7),
        materials=("bronze", "steel"),
        friction=0.1,
    )
    assert model.clearance == pytest.approx(36.5e-6)
    assert model.viscosity == pytest.approx(gd.oils.viscosity("ISO VG 46", 60))
    assert model.smallest_film == pytest.approx(gd.roughness.smallest_film(4e-7, 2e-7))
    assert model.contact.stiffness == pytest.approx(
        laws.flat_pad(length=0.05, width=0.02, materials=("bronze", "steel"))
    )
    for words in ("20 mm H8/e8: clearance on each side 36.5 µm", "ISO VG 46 at 60 °C", "bronze guide", "friction 0.1"):
        assert words in model.note
    wide = gd.Lubricated.box(length=0.05, width=0.06, height=0.02, fit="H8/e8", viscosity=0.1)
    assert wide.side_clearance == pytest.approx(gd.fits.radial_clearance("H8/e8", 0.06).mean)
    assert gd.Lubricated.box(length=0.05, width=0.06, height=0.02, clearance=1e-5, viscosity=0.1).clearance == 1e-5


def test_models_are_data(tmp_path):
    assert pickle.loads(pickle.dumps(BOX)) == BOX
    system = guided(gd.LubricatedBox(**SIZE, clearance=PLAY, viscosity=OIL, smallest_film=1e-6, contact=ROUGH))
    result = gd.simulate(system, 1e-6, sample=1e-6)
    assert gd.load(result.save(tmp_path / "run.nc")).system == system


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"viscosity": 0.0}, "LubricatedBox: viscosity is 0 Pa·s; it must be positive"),
        ({"length": -1.0}, "LubricatedBox: length is -1 m; it must be positive"),
        ({"clearance": 0.0}, "LubricatedBox: clearance is 0 m; it must be positive (use gd.Ideal()"),
        ({"clearance": 0.011}, "LubricatedBox: clearance is 0.011 m, the box is 0.02 m thick"),
        ({"smallest_film": 5e-5}, "LubricatedBox: smallest_film is 5e-05 m; it must lie below the clearance (5e-05 m)"),
        ({"pads_on": "floor"}, "LubricatedBox: pads_on is 'floor'; give 'box' or 'guide'"),
        ({"length": 0.5}, "LubricatedBox: length over width is 25; the table of films under flat pads goes from 1/16"),
        ({"friction": laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)}, "friction is given without contact"),
        ({"contact": 1e9}, "LubricatedBox: contact is 1000000000.0; give a ContactLaw of gd.laws"),
    ],
)
def test_mistakes(changes, says):
    with pytest.raises(gd.ModelError) as told:
        gd.LubricatedBox(**SIZE | {"clearance": PLAY, "viscosity": OIL} | changes)
    assert says in str(told.value)


def test_mistakes_at_a_joint():
    with pytest.raises(gd.ModelError, match="LubricatedBox is a model of Prismatic, and in a plane of Guide"):
        gd.Revolute("ground", "box", at=STILL, model=BOX)
    with pytest.raises(gd.ModelError, match="up of its LubricatedBox and axis enclose 0 degrees"):
        gd.Prismatic("ground", "box", at=STILL, axis=(0, 1, 0), model=BOX)
    with pytest.raises(gd.ModelError, match="it starts with its lower film"):
        gd.simulate(guided(position=(0.0, -1.1 * PLAY, 0.0)), 1e-6)
    with pytest.raises(gd.ModelError, match=r"Lubricated\.box: friction is given, but nothing touches"):
        gd.Lubricated.box(length=0.05, width=0.02, height=0.02, clearance=1e-5, viscosity=0.1, friction=0.1)
