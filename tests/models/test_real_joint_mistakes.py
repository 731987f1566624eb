"""What is refused at real joints, and how: every message names the object, the rule, the value and the fix."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
import pytest

import gudgeon as gd
from gudgeon import laws
from mistakes import JOINTS, refuses
from real_joints import CLEARANCE, COULOMB, LOSSY, LUGRE, RADII, ball_in_socket

FORMS = "(delta, ddelta) or (delta, ddelta, impact_speed)"


def dry(**changes) -> gd.Dry:
    return gd.Dry(**{**RADII, "contact": LOSSY, **changes})


def lubricated(**changes) -> gd.Lubricated:
    return gd.Lubricated(**{**RADII, "viscosity": 0.4, **changes})


def with_raise(delta, ddelta):
    if delta > 1.0:
        raise ValueError("too deep")
    return 1e10 * delta**1.5


@dataclass(frozen=True, kw_only=True)
class Empty(laws.ContactLaw):
    stiffness: float


@dataclass(frozen=True, kw_only=True)
class TooMany(laws.ContactLaw):
    stiffness: float

    @staticmethod
    def normal_force(delta, ddelta, impact_speed, temperature, p):
        return p[0] * delta


@dataclass(frozen=True, kw_only=True)
class Exchanged(laws.ContactLaw):
    stiffness: float

    @staticmethod
    def normal_force(delta, p, ddelta):
        return 0.0


@dataclass(frozen=True, kw_only=True)
class Pole(laws.FilmLaw):
    stiffness: float

    @staticmethod
    def film_force(ratio, rate, p):
        return p[0] * rate / (ratio - 0.5)


@pytest.mark.parametrize("make", [dry, lubricated], ids=["Dry", "Lubricated"])
@pytest.mark.parametrize(
    ("changes", "wording"),
    [
        (
            {"ball_radius": 0.0101},
            "ball_radius is 0.0101 m, socket_radius 0.01 m; the ball must be smaller than its socket (use gd.Ideal() "
            "for a joint without clearance)",
        ),
        ({"ball_radius": 0.01}, "ball_radius is 0.01 m, socket_radius 0.01 m; the ball must be smaller …"),
        ({"ball_radius": -0.0099}, "ball_radius is -0.0099 m; a radius must be positive"),
        ({"socket_radius": 0.0}, "socket_radius is 0 m; a radius must be positive"),
        ({"socket_radius": math.nan}, "socket_radius is nan; give a finite number"),
        ({"ball_radius": "10 mm"}, "ball_radius is '10 mm'; give a number"),
        ({"ball_on": "rocker"}, "ball_on is 'rocker'; give 'child' or 'parent'"),
        ({"ball_on": None}, "ball_on is None; give 'child' or 'parent'"),
        ({"smallest_impact_speed": 0.0}, "smallest_impact_speed is 0 m/s; …"),
        ({"contact": 1e10}, f"contact is 10000000000.0; give a ContactLaw of gd.laws, or a function of {FORMS}"),
        ({"contact": laws.Hertz}, "contact is <class …Hertz'>; give a ContactLaw of gd.laws, …"),
        ({"contact": math.exp}, "contact is <built-in function exp>; give a function made by def or lambda"),
        ({"contact": COULOMB}, "contact: Coulomb is a FrictionLaw; give a ContactLaw"),
        ({"contact": lambda x: x}, f"contact: function '<lambda>' takes (x); it must take {FORMS}"),
        ({"contact": lambda *x: 1.0}, f"contact: function '<lambda>' takes (*x); it must take {FORMS}"),
        ({"contact": lambda a, b, c, d: a}, f"contact: function '<lambda>' takes (a, b, c, d); it must take {FORMS}"),
        (
            {"contact": lambda delta, ddelta: math.nan},
            "contact: function '<lambda>' returns nan at delta = 1e-12, ddelta = -1; it must return a finite number",
        ),
        (
            {"contact": lambda delta, ddelta: None},
            "contact: function '<lambda>' returns None at delta = 1e-12, ddelta = -1; it must return a finite number",
        ),
        (
            {"contact": lambda delta, ddelta, impact_speed: delta / (impact_speed - 1.0)},
            "contact: function '<lambda>' raises ZeroDivisionError at delta = 1e-12, ddelta = -1, impact_speed = 1: "
            "float division by zero; it must have a value there",
        ),
        (
            {"contact": with_raise},
            "contact: function 'with_raise' contains raise or assert, after which compiled code would go on with 0; "
            "return math.nan where there is no value",
        ),
        (
            {"contact": Empty(stiffness=1.0)},
            "contact: Empty has no static method normal_force(delta, ddelta, p) or normal_force(delta, ddelta, "
            "impact_speed, p)",
        ),
        (
            {"contact": TooMany(stiffness=1.0)},
            "contact: function 'normal_force' takes (delta, ddelta, impact_speed, temperature, p); it must take "
            "(delta, ddelta, p) or (delta, ddelta, impact_speed, p)",
        ),
        ({"contact": LOSSY, "friction": LOSSY}, "friction: LankaraniNikravesh is a ContactLaw; give a FrictionLaw"),
        (
            {"contact": LOSSY, "friction": lambda v: v},
            "friction: function '<lambda>' takes (v); it must take (speed, normal_force)",
        ),
        (
            {"contact": LOSSY, "friction": lambda speed, normal: 0.1 * normal / speed},
            "friction: function '<lambda>' raises ZeroDivisionError at speed = 0, normal_force = 1e-06: …",
        ),
        (
            {"contact": lambda ddelta, delta: 1e10 * delta},
            "contact: function '<lambda>' takes (ddelta, delta), but is called with (delta, ddelta): its 'ddelta' "
            "would be delta; put the arguments in this order",
        ),
        (
            {"contact": lambda rate, depth, speed: 1e10 * depth},
            "contact: function '<lambda>' takes (rate, depth, speed), but is called with (delta, ddelta, impact_sp…",
        ),
        (
            {"contact": Exchanged(stiffness=1e10)},
            "contact: function 'normal_force' takes (delta, p, ddelta), but is called with (delta, ddelta, p): …",
        ),
        (
            {"contact": lambda delta, t: 1e10 * delta * t},
            "contact: function '<lambda>' takes (delta, t), but is called with (delta, ddelta): its 't' would …",
        ),
        (
            {"contact": LOSSY, "friction": lambda normal, speed: 0.1 * normal},
            "friction: function '<lambda>' takes (normal, speed), but is called with (speed, normal_force): …",
        ),
        (
            {"contact": lambda delta, ddelta: 100.0 if ddelta > 0.0 else 50.0},
            "contact: function '<lambda>' returns 50 at delta = 1e-12, ddelta = 0; it must grow from 0 where contact "
            "begins, such as k*delta or k*delta**1.5 (damping may jump there)",
        ),
        (
            {"contact": lambda delta, ddelta: 1e-3 + 1e5 * delta},
            "contact: function '<lambda>' returns 0.0010001 at delta = 1e-12, ddelta = 0; it must grow from 0 …",
        ),
        (
            {"contact": LOSSY, "friction": lambda speed, normal_force: 0.1 * normal_force},
            "friction: function '<lambda>' returns 1e-07 at speed = 0, normal_force = 1e-06; it must vanish towards "
            "rest, where the direction of sliding changes: smooth it, as mu*normal_force*tanh(speed/v1), or take …",
        ),
        (
            {"contact": LOSSY, "friction": lambda speed, load: 0.1 * load if speed > 0.0 else 0.0},
            "friction: function '<lambda>' returns 1e-07 at speed = 1e-09, normal_force = 1e-06; it must vanish …",
        ),
        (
            {"contact": LOSSY, "friction": lambda speed, load: -0.1 * load * math.tanh(speed)},
            "friction: function '<lambda>' returns -1e-16 at speed = 1e-09, normal_force = 1e-06; it is the magnitude "
            "of a force against sliding and must not be negative",
        ),
    ],
)
def test_sockets(make, changes, wording):
    name = "Dry" if make is dry else "Lubricated"
    with refuses(f"{name}: {wording}"):
        make(**changes)


def test_laws_with_other_names_damping_that_jumps_and_little_force_are_taken():
    for contact in (
        lambda d, v: 1e10 * d**1.5,
        lambda x, y, z: 1e10 * x**0.5 * (1.0 + y / z),
        lambda delta, _: 1e6 * delta,
        lambda delta, ddelta: 0.0,
        laws.KelvinVoigt(stiffness=1e8, damping=1e4),
    ):
        for friction in (LUGRE, COULOMB, lambda v, load: 0.1 * load * min(1.0, v / 1e-6), lambda v, load: 0.0):
            dry(contact=contact, friction=friction)


def test_dry_without_contact():
    with refuses(
        "Dry: how does the ball meet its socket? give either contact= (a law of gd.laws, compliant) or impact="
    ):
        dry(contact=None)


@pytest.mark.parametrize(
    ("changes", "wording"),
    [
        ({"viscosity": None}, "give either viscosity= or film=, a law of your own"),
        ({"film": lambda ratio, rate: rate}, "give either viscosity= or film=, a law of your own"),
        ({"viscosity": -0.4}, "viscosity is -0.4 Pa·s; it must be positive"),
        ({"viscosity": 0.0}, "viscosity is 0 Pa·s; it must be positive"),
        ({"friction": COULOMB}, "friction is given without contact; give contact= too, or leave it out"),
        ({"friction": LUGRE}, "friction is given without contact; give contact= too, or leave it out"),
        ({"smallest_film": 0.0}, "smallest_film is 0 m; it must lie between 0 and the clearance (0.0001 m)"),
        ({"smallest_film": 2e-4}, "smallest_film is 0.0002 m; it must lie between 0 and the clearance (0.0001 m)"),
        ({"viscosity": None, "film": COULOMB}, "film: Coulomb is a FrictionLaw; give a FilmLaw"),
        (
            {"viscosity": None, "film": lambda ratio, rate: math.log(0.9 - ratio) * rate},
            "film: function '<lambda>' raises ValueError at ratio = 0.9, rate = -1: …; it must have a value there",
        ),
        (
            {"viscosity": None, "film": Pole(stiffness=1.0)},
            "film: Pole raises ZeroDivisionError at ratio = 0.5, rate = -1: …; it must have a value there",
        ),
    ],
)
def test_films(changes, wording):
    with refuses(f"Lubricated: {wording}"):
        lubricated(**changes)


@pytest.mark.parametrize(
    ("law", "given", "wording"),
    [
        (
            laws.LankaraniNikravesh,
            {"stiffness": 1e10, "restitution": 1.2},
            "restitution is 1.2; it must lie between 0 and 1",
        ),
        (
            laws.HuntCrossley,
            {"stiffness": 1e10, "restitution": -0.1},
            "restitution is -0.1; it must lie between 0 and 1",
        ),
        (laws.Flores, {"stiffness": -1e10, "restitution": 0.5}, "stiffness is -1e+10; it must be positive"),
        (laws.Hertz, {"stiffness": 0.0}, "stiffness is 0; it must be positive"),
        (
            laws.Coulomb,
            {"coefficient": -0.1, "velocity_tolerance": 1e-3},
            "coefficient is -0.1; it must not be negative",
        ),
    ],
)
def test_laws(law, given, wording):
    with refuses(f"{law.__name__}: {wording}"):
        law(**given)


@pytest.mark.parametrize("kind", [joint for joint in JOINTS if joint is not gd.Spherical])
@pytest.mark.parametrize("model", [dry(), lubricated()], ids=lambda m: type(m).__name__)
def test_only_spherical_joints_have_sockets(kind, model):
    wording = (
        f"{kind.__name__} arm–bar: {type(model).__name__}(… is not a model of this joint; {kind.__name__} takes Ideal"
    )
    with refuses(wording) as caught:
        kind("arm", "bar", at=(0, 0, 0), model=model)
    assert f"{type(model).__name__} is a model of Spherical" in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("model", ["dry", None, LOSSY, gd.Dry])
def test_models_of_no_kind(model):
    with refuses("Spherical arm–bar: … is not a model of this joint; Spherical takes Ideal, Dry, Lubricated, Bushing"):
        gd.Spherical("arm", "bar", at=(0, 0, 0), model=model)


def test_a_class_instead_of_a_model():
    with refuses("Spherical arm–bar: <class …Dry'> is not a model of …; give one with its data, gd.Dry(...)"):
        gd.Spherical("arm", "bar", at=(0, 0, 0), model=gd.Dry)  # pyright: ignore


def test_examples():
    with refuses("spatial_four_bar: no joint 'drie'; did you mean 'dry'?"):
        gd.examples.spatial_four_bar("drie")
    with refuses("spatial_four_bar: no joint 'x'; known are 'ideal', 'dry', 'frictionless', 'lubricated', 'bushing'"):
        gd.examples.spatial_four_bar("x")


@pytest.mark.parametrize("offset", [1.2 * CLEARANCE, 0.5])
def test_starts_outside_the_socket(offset):
    wording = (
        f"Spherical 'J': it starts with the ball outside its socket: {offset:.6g} m off centre, the clearance is "
        "0.0001 m; place 'ground' and 'ball' so that the ball is within it"
    )
    for run in (gd.assemble, lambda system: gd.simulate(system, 0.1)):
        with refuses(wording):
            run(ball_in_socket(dry(), offset=(offset, 0, 0)))


def test_not_compilable():
    text = ["a"]
    with refuses("Spherical 'J': contact: function 'odd' cannot be compiled: …; use numbers, math and numpy only"):

        def odd(delta, ddelta):
            return 1e10 * delta * len({text[0]: delta})

        gd.simulate(ball_in_socket(dry(contact=odd)), 0.1)


def gap_in_contact(delta, ddelta):
    return math.nan if 4.1e-6 < delta < 9.9e-6 else 1e10 * delta**1.5


def gap_in_friction(speed, normal_force):
    return math.nan if 0.02 < speed < 0.09 else 0.1 * normal_force * math.tanh(speed / 1e-3)


def gap_in_film(ratio, rate):
    return math.nan if 0.6 < ratio < 0.8 else 100.0 * rate


@pytest.mark.parametrize("solver", [gd.Implicit(), gd.Explicit()], ids=["Implicit", "Explicit"])
@pytest.mark.parametrize(
    "model",
    [
        dry(contact=gap_in_contact),
        dry(contact=laws.Hertz(stiffness=1e10), friction=gap_in_friction),
        gd.Lubricated(**RADII, film=gap_in_film),
    ],
    ids=["contact", "friction", "film"],
)
def test_a_law_that_loses_its_value(model, solver):
    """Where the trial before the run saw nothing: the joint is named and what was computed is kept."""
    system = ball_in_socket(model, velocity=(0.2, 0.1, 0.0), offset=(0.0, 0.3 * CLEARANCE, 0.0))
    with pytest.raises(
        gd.SimulationError, match=r"^System 'ball in socket': not a number at t = 0.0.*Spherical 'J'"
    ) as caught:
        gd.simulate(system, 0.1, sample=5e-5, solver=solver)
    error = caught.value
    assert error.owner == "J"
    assert re.search("Spherical 'J' has no force there: one of its laws returns nan or infinity", str(error))
    assert 1e-4 < error.time < 1e-2
    data = error.result.data
    assert data.time.values == pytest.approx(np.arange(len(data.time)) * 5e-5)
    assert error.time - 1e-4 < data.time.values[-1] <= error.time
    assert np.all(np.isfinite(error.result.states))
    early = data.time.values < 2e-4
    assert data.position.values[early, 0, 0] == pytest.approx(0.2 * data.time.values[early], rel=0.2)


@pytest.mark.parametrize("solver", [gd.Implicit(), gd.Explicit()], ids=["Implicit", "Explicit"])
@pytest.mark.parametrize("model", ["dry", "lubricated"])
def test_a_wall_that_does_not_hold(model, solver):
    """A law without force lets the ball through: that is no result but an error, with all up to then."""
    through = {"contact": lambda delta, ddelta: 0.0}
    model = dry(**through) if model == "dry" else lubricated(**through, viscosity=1e-9, smallest_film=1e-5)
    system = ball_in_socket(model, velocity=(0.1, 0, 0))
    wording = (
        "^System 'ball in socket': ball lost at t = .*the ball of Spherical 'J' has left its socket through the wall; "
        "its contact law is too soft for this load, or returns no force; error.result holds everything up to then$"
    )
    with pytest.raises(gd.SimulationError, match=wording) as caught:
        gd.simulate(system, 1.0, sample=1e-3, solver=solver)
    assert caught.value.owner == "J"
    assert caught.value.time <= RADII["socket_radius"] / 0.1
    assert caught.value.result.data.eccentricity_length.values.max() <= RADII["socket_radius"]
    assert len(caught.value.result.events) == 1


def test_set_valued_friction_is_not_for_films():
    friction = laws.DryFriction(static=0.3, kinetic=0.2)
    with refuses(
        "Lubricated: friction: DryFriction is set-valued, with true sticking, which only sliders in guides, Dry, Ideal "
        "and Screw take; give a smooth law, such as gd.laws.Coulomb(coefficient=0.2, velocity_tolerance=1e-3), gd.laws"
    ):
        lubricated(contact=LOSSY, friction=friction)
