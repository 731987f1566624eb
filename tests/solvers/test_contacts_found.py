"""No contact is stepped over, however long the steps are: first contacts of motions that are known exactly."""

from math import asin, cos, pi, sin, sqrt

import numpy as np
import pytest

import gudgeon as gd
from known_passes import PASSES, begin_of_contact, first_contact

SOLVERS = {
    "Explicit": gd.Explicit,
    "Implicit": gd.Implicit,
    "Adams": lambda **options: gd.Sundials(method="Adams", **options),
    "BDF": lambda **options: gd.Sundials(method="BDF", **options),
}
LENGTH = 0.5  # of the arm [m]


def arm(rate: float, **parts) -> gd.System:
    """An arm that turns for ever about z."""
    body = gd.Body(
        mass=1.0,
        inertia=(0.01, 0.03, 0.03),
        position=(0.25, 0.0, 0.0),
        velocity=(0.0, 0.25 * rate, 0.0),
        angular_velocity=(0.0, 0.0, rate),
    )
    hinge = gd.Revolute("ground", "arm", at=(0, 0, 0), axis=(0, 0, 1))
    joints = {"hinge": hinge} | parts.pop("joints", {})
    return gd.System(gravity=(0, 0, 0), bodies={"arm": body}, joints=joints, **parts)


@pytest.mark.filterwarnings("ignore:Sundials. with rtol", "ignore:.*is open by")
@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("solver", SOLVERS)
def test_first_contacts_are_where_exact_motions_have_them(name, solver):
    rng = np.random.default_rng(7)
    met = 0
    for k in range(8):
        drawn = PASSES[name](rng)
        rtol = float(10.0 ** rng.uniform(-9.0, -3.0))
        begun = begin_of_contact(
            drawn,
            gd.simulate,
            solver=SOLVERS[solver](rtol=rtol, atol=1e-2 * rtol),
            coordinates=("absolute", "relative")[k % 2],
        )
        early, late = first_contact(drawn, rtol)
        assert early <= begun <= late or (begun == late == np.inf), (k, begun, early, late)
        met += begun < np.inf
    assert met >= 2  # most do meet


@pytest.mark.parametrize("duration", [6.0, 9.0, 60.0])
def test_a_post_is_hit_by_steps_of_several_radians(duration, coordinates):
    """The way to contact of two balls of radius r: the chord between their centres is 2 r."""
    angle, radius = 5.4, 0.03
    post = gd.Sphere(radius=radius, position=(LENGTH * cos(angle), LENGTH * sin(angle), 0.0))
    ball = gd.Sphere(radius=radius, position=(0.25, 0.0, 0.0))
    model = gd.DryTouch(contact=gd.laws.HuntCrossley(stiffness=1e6, damping=0.3))
    system = arm(1.0, joints={"post": gd.Meeting("ground", "arm", shapes=(post, ball), model=model)})
    events = gd.simulate(system, duration).events
    assert events.begin.iloc[0] == pytest.approx(angle - 2.0 * asin(radius / LENGTH), abs=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_switch_on_an_expression_sees_a_short_visit(solver, coordinates):
    """The tip is within r of a place of its circle while the angle is within 2 asin(r/2L) of it."""
    for angle, rate, radius, turns in ((5.4, 1.0, 0.01, 3.0), (2.0, -20.0, 0.003, 1.0), (4.0, 7.0, 0.02, 9.0)):
        x, y = LENGTH * cos(angle), LENGTH * sin(angle)
        near = gd.Switch(when=f"sqrt((tip.x - {x!r})**2 + (tip.y - {y!r})**2)", below=radius)
        system = arm(rate, markers={"tip": gd.Marker("arm", at=(0.25, 0.0, 0.0))}, switches={"near": near})
        found = gd.simulate(system, turns * 2 * pi / abs(rate), solver=SOLVERS[solver](rtol=1e-8)).switches
        way = (angle if rate > 0.0 else 2.0 * pi - angle) - 2.0 * asin(0.5 * radius / LENGTH)
        assert found.time.iloc[0] == pytest.approx(way / abs(rate), rel=3e-6)


def test_both_crossings_of_a_short_visit_are_found(coordinates):
    """Once in a turn the tip is beyond x = 0.4999 m, for 2 acos(0.9998) rad: less than a look of any step."""
    system = arm(1.0)
    beyond = gd.Crossing(body="arm", at=(0.25, 0.0, 0.0), along=(1, 0, 0), value=0.4999)
    crossings = gd.simulate(system, 8 * pi + 1.0, crossings={"beyond": beyond}).crossings
    half = 2.0 * asin(sqrt(0.5 * (1.0 - 0.4999 / LENGTH)))
    expected = [half] + [t for turn in range(1, 5) for t in (2 * pi * turn - half, 2 * pi * turn + half)]
    assert crossings.time.to_numpy() == pytest.approx(np.array(expected), abs=2e-5)
