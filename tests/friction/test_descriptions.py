"""Descriptions of friction in ideal joints: files, results on disk, restarts to the bit, processes, mistakes."""

import pickle

import numpy as np
import pytest

import gudgeon as gd
from friction.rubbing_mechanisms import KINDS, SMOOTH, block, four_bar, jack, one_joint, rotor, slider_crank

DRY = gd.laws.DryFriction(static=0.3, kinetic=0.2)
LUGRE = gd.laws.LuGre(kinetic=0.2, static=0.25, stribeck_speed=0.01, bristle_stiffness=1e4, bristle_damping=1.0)


@pytest.mark.parametrize("law", [SMOOTH, DRY, LUGRE])
@pytest.mark.parametrize("kind", KINDS)
def test_files(tmp_path, kind, law):
    system = one_joint(kind, law)
    assert gd.load_system(system.save(tmp_path / "one.yaml")) == system
    assert gd.load_system(system.save(tmp_path / "one.json")) == system
    assert pickle.loads(pickle.dumps(system)) == system


def test_a_file_with_units(tmp_path):
    text = """
gudgeon: 1
bodies:
  wheel: {mass: 2 kg, inertia: [0.02, 0.02, 0.02], angular_velocity: [0, 50, 0]}
  nut: {mass: 10, inertia: [0.1, 0.1, 0.1]}
joints:
  shaft:
    type: Revolute
    parent: ground
    child: wheel
    at: [0, 0, 0]
    axis: [0, 1, 0]
    model: {type: Ideal, friction: {type: Coulomb, coefficient: 0.1, velocity_tolerance: 1 mm/s}, radius: 10 mm}
  nut: {type: Prismatic, parent: ground, child: nut, at: [0, 0, 0], axis: [0, 1, 0]}
couplings:
  thread:
    type: Screw
    joint: shaft
    nut: nut
    lead: 5 mm
    radius: 9 mm
    thread_angle: 30 deg
    friction: {type: DryFriction, static: 0.1}
"""
    path = tmp_path / "file.yaml"
    starter = tmp_path / "starter.yaml"
    rotor(SMOOTH).save(starter)
    head = starter.read_text(encoding="utf-8").splitlines()[0]
    path.write_text(text if head.startswith("gudgeon") else text.replace("gudgeon: 1\n", ""), encoding="utf-8")
    system = gd.load_system(path)
    assert system.joints["shaft"].model == gd.Ideal(
        friction=gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3), radius=0.01
    )
    thread = system.couplings["thread"]
    assert (thread.lead, thread.radius) == pytest.approx((5e-3, 9e-3)) and thread.thread_angle == pytest.approx(
        np.pi / 6
    )
    assert thread.friction == gd.laws.DryFriction(static=0.1)


RUNS = {
    "smooth, Explicit": (slider_crank(SMOOTH), gd.Explicit()),
    "smooth, Implicit": (slider_crank(SMOOTH), gd.Implicit()),
    "bristles, Implicit": (slider_crank(LUGRE), gd.Implicit()),
    "sticking": (slider_crank(DRY, spin=3.0), gd.TimeStepping(step=1e-3)),
    "a thread": (jack(DRY, 0.15, torque=0.1), gd.TimeStepping(step=1e-3)),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_that_is_cut_goes_on_to_the_bit(coordinates, name):
    system, solver = RUNS[name]
    whole = gd.simulate(system, 0.2, solver=solver, sample=0.02)
    first = gd.simulate(system, 0.1, solver=solver, sample=0.02)
    second = gd.simulate(system, 0.1, solver=solver, sample=np.arange(0.1, 0.21, 0.02), start=first.state())
    a, b = whole.data.position.values[-1], second.data.position.values[-1]
    assert np.array_equal(a, b)
    for variable in ("dissipated_energy", "friction_effort", "friction_load"):
        assert np.array_equal(whole.data[variable].values[-1], second.data[variable].values[-1], equal_nan=True)


def test_results_on_disk(tmp_path):
    result = gd.simulate(slider_crank(DRY, spin=3.0), 0.1, solver=gd.TimeStepping(step=1e-3), sample=0.01)
    again = gd.load(result.save(tmp_path / "run.nc"))
    assert again.data.equals(result.data) and again.system == result.system
    assert pickle.loads(pickle.dumps(result)).data.equals(result.data)
    names = result.data.rubbing_coordinate.values.tolist()
    assert names == ["main.angle", "big end.displacement", "big end.angle", "pin.x", "pin.y", "pin.z",
                     "bore.displacement", "bore.angle"]  # fmt: skip
    assert result.data.rubbing_unit.values.tolist() == ["N*m", "N", "N*m", "N*m", "N*m", "N*m", "N", "N*m"]
    assert result.data.rubbing.values.tolist() == ["main", "big end", "pin", "bore"]
    power = result.data.friction_power.sum("rubbing").values
    assert result.data.power_dissipated.sum("joint").values == pytest.approx(power)


def test_power_is_effort_times_rate():
    result = gd.simulate(slider_crank(SMOOTH), 0.1, solver=gd.Implicit(), sample=0.01)
    data = result.data
    for rub, coordinates in (
        ("main", ["main.angle"]),
        ("pin", ["pin.x", "pin.y", "pin.z"]),
        ("bore", ["bore.displacement", "bore.angle"]),
    ):
        power = sum(
            -data.friction_effort.sel(rubbing_coordinate=name).values * data.joint_velocity.sel(rate=name).values
            for name in coordinates
        )
        assert data.friction_power.sel(rubbing=rub).values == pytest.approx(power, rel=1e-6, abs=1e-9)


def test_a_law_of_ones_own():
    def rubber(speed, normal_force):
        return 0.3 * normal_force * speed / (speed + 0.01)

    system = rotor(rubber, spin=50.0)
    data = gd.simulate(system, 0.5, sample=0.1).data
    assert np.isnan(data.sticking.values).all()
    assert data.friction_effort.values[0, 0] == pytest.approx(-0.01 * rubber(0.5, 2.0 * 9.81), rel=1e-9)


def test_the_solver_chosen():
    assert gd.simulate(block(SMOOTH), 1e-3).stats["solver"] == "Implicit"
    assert gd.simulate(block(DRY), 1e-3).stats["solver"] == "TimeStepping"
    assert gd.simulate(jack(DRY, 0.1), 1e-3).stats["solver"] == "TimeStepping"
    with pytest.raises(gd.ModelError, match="Prismatic 'guide': its friction is set-valued, which Implicit cannot"):
        gd.simulate(block(DRY), 1e-3, solver=gd.Implicit())
    with pytest.raises(gd.ModelError, match="Screw 'thread': its friction is set-valued, which Explicit cannot"):
        gd.simulate(jack(DRY, 0.1), 1e-3, solver=gd.Explicit())


@pytest.mark.parametrize(
    ("make", "wording"),
    [
        (lambda: gd.Ideal(radius=0.01), "Ideal: radius is given without friction=, for which alone it matters"),
        (lambda: gd.Ideal(friction=SMOOTH, radius=-1.0), "Ideal: radius is -1 m; it must be positive"),
        (lambda: gd.Ideal(friction=0.1), "Ideal: friction is 0.1; give a FrictionLaw of gd.laws"),
        (lambda: gd.Ideal(friction=SMOOTH, bearing_on="both"), "Ideal: bearing_on is 'both'"),
        (
            lambda: gd.Revolute("a", "b", at=(0, 0, 0), model=gd.Ideal(friction=SMOOTH)),
            "Revolute a–b: Ideal(friction=...) needs radius= [m], the radius of the bearing, or of the ball",
        ),
        (
            lambda: gd.Prismatic("a", "b", at=(0, 0, 0), model=gd.Ideal(friction=SMOOTH, radius=0.1)),
            "Prismatic a–b: radius of its Ideal(friction=...) means nothing to a Prismatic, which knows length, width",
        ),
        (
            lambda: gd.Rigid("a", "b", at=(0, 0, 0), model=gd.Ideal(friction=SMOOTH)),
            "Rigid a–b: Ideal(friction=...) is for Revolute, Prismatic, Guide, Cylindrical, Spherical, Universal",
        ),
        (
            lambda: gd.Revolute("a", "b", at=(0, 0, 0), model=gd.Ideal(friction=SMOOTH, radius=1, bearing_on="parent")),
            "Revolute a–b: bearing_on of its Ideal(friction=...) is for joints that slide",
        ),
    ],
)
def test_mistakes(make, wording):
    with pytest.raises(gd.ModelError) as caught:
        make()
    assert wording in str(caught.value)


def test_what_is_shown():
    assert repr(gd.Ideal()) == "Ideal()"
    assert (
        repr(gd.Ideal(friction=DRY, radius=0.01)) == "Ideal(friction=DryFriction(static=0.3, kinetic=0.2), radius=0.01)"
    )
    system = four_bar(gd.Ideal(friction=SMOOTH, radius=0.01))
    assert "A (Revolute, friction)" in repr(system)


def test_the_viewer_takes_it(tmp_path):
    result = gd.simulate(slider_crank(SMOOTH), 0.05, sample=0.01)
    assert result.view(tmp_path / "run.html").exists()
