"""Markers as points and axes of joints and loads, and tables that shake what hangs on them."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import gudgeon as gd

SIDEWAYS = Rotation.from_rotvec((-math.pi / 2, 0, 0))  # z along y
ARM = {"mass": 1.0, "inertia": (0.02, 0.03, 0.04)}
COORDINATES = pytest.mark.parametrize("coordinates", ["absolute", "relative"])


def double_pendulum(*, marked: bool, **more) -> gd.System:
    """Described by names, or by numbers."""
    markers = {
        "foot": gd.Marker("ground", at=(0.1, 0, 0.2), orientation=SIDEWAYS),
        "elbow": gd.Marker("upper", at=(0.3, 0, 0), orientation=SIDEWAYS),
        "tip": gd.Marker("lower", at=(0.2, 0, 0.05)),
        "nail": gd.Marker("ground", at=(1.0, 0, -1.0)),
    }
    if marked:
        joints = {
            "A": gd.Revolute("ground", "upper", at="foot", axis="foot"),
            "B": gd.Revolute("upper", "lower", at="elbow", axis="elbow"),
        }
        loads = {
            "rubber": gd.SpringDamper("nail", "tip", stiffness=30.0, length=0.2),
            "wind": gd.Force("tip", (1.0, 0, "0.5*sin(3*t)")),
            "push": gd.Force("upper", (0, 0, 2.0), at="elbow"),
        }
    else:
        joints = {
            "A": gd.Revolute("ground", "upper", at=(0.1, 0, 0.2), axis=(0, 1, 0)),
            "B": gd.Revolute("upper", "lower", at=(0.7, 0, 0.2), axis=(0, 1, 0)),
        }
        loads = {
            "rubber": gd.SpringDamper(
                "ground", "lower", at_first=(1, 0, -1), at_second=(0.2, 0, 0.05), stiffness=30.0, length=0.2
            ),
            "wind": gd.Force("lower", (1.0, 0, "0.5*sin(3*t)"), at=(0.2, 0, 0.05)),
            "push": gd.Force("upper", (0, 0, 2.0), at=(0.3, 0, 0)),
        }
    bodies = {"upper": gd.Body(position=(0.4, 0, 0.2), **ARM), "lower": gd.Body(position=(1.0, 0, 0.2), **ARM)}
    return gd.System(**{"bodies": bodies, "joints": joints, "loads": loads, "markers": markers} | more)


@COORDINATES
def test_names_are_the_numbers_that_they_stand_for(coordinates):
    one, two = (
        gd.simulate(double_pendulum(marked=marked), 1.0, coordinates=coordinates, sample=0.1).data
        for marked in (True, False)
    )
    assert one.position.values == pytest.approx(two.position.values, abs=1e-9)
    assert one.load_power.values == pytest.approx(two.load_power.values, abs=1e-7)


def test_names_are_kept(tmp_path):
    """In files, pickles and changed copies: a marker that is moved takes its joints along."""
    system = double_pendulum(marked=True)
    again = gd.load_system(system.save(tmp_path / "arm.yaml"))
    assert again == system and "at: elbow" in (tmp_path / "arm.yaml").read_text()
    assert pickle.loads(pickle.dumps(system)) == system
    moved = system.replace(markers={**system.markers, "tip": gd.Marker("lower", at=(0.1, 0, 0))})
    assert moved.loads["wind"].at == (0.1, 0.0, 0.0) and system.loads["wind"].at == (0.2, 0.0, 0.05)


def test_mistakes():
    good = double_pendulum(marked=True)
    for changes, says in (
        (
            {"joints": {**good.joints, "B": gd.Revolute("upper", "lower", at="elbo")}},
            "Revolute 'B': at: no marker 'elbo'; did you mean 'elbow'?",
        ),
        (
            {"joints": {**good.joints, "B": gd.Revolute("upper", "lower", at="nail")}},
            "Revolute 'B': at is the marker 'nail', which is on 'ground'; give one on 'upper' or 'lower'",
        ),
        (
            {"loads": {"push": gd.Force("upper", (0, 0, 1), at="tip")}},
            "Force 'push': at is the marker 'tip', which is on 'lower'; give one on 'upper'",
        ),
        (
            {"loads": {"wind": gd.Force("tip", (0, 0, 1), at=(1, 0, 0))}},
            "Force 'wind': both body='tip', a marker, and at say where; give one of the two",
        ),
        ({"markers": {}}, "no marker"),
    ):
        with pytest.raises(gd.ModelError) as error:
            good.replace(**changes)
        assert says in str(error.value)


@COORDINATES
@pytest.mark.parametrize(
    "solver", [gd.Explicit(), gd.Implicit(), gd.TimeStepping(step=1e-3)], ids=lambda s: type(s).__name__
)
def test_a_pendulum_on_a_shaking_table(coordinates, solver):
    """(J + m l²) θ̈ = −m l ((g + z̈) sin θ + ẍ cos θ): the table is heavy or light, a drive moves it all the same."""
    system = gd.System(
        bodies={
            "table": gd.Body(mass=5.0, inertia=(1, 1, 1)),
            "bob": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0, 0, -0.4), angular_velocity=(0, 0, 0)),
        },
        joints={
            "table": gd.Translational("ground", "table", at=(0, 0, 0)),
            "pivot": gd.Revolute("table", "bob", at=(0, 0, 0), axis=(0, 1, 0)),
        },
        drives={
            "x": gd.Drive("table", "0.02*(1 - cos(9*t))", coordinate="displacement_x"),
            "y": gd.Drive("table", 0.0, coordinate="displacement_y"),
            "z": gd.Drive("table", "0.01*sin(20*t)", coordinate="displacement_z"),
        },
    )
    data = gd.simulate(system, 1.0, solver=solver, coordinates=coordinates, sample=0.1).data

    def rates(t, y):
        shake, lift = 0.02 * 81 * math.cos(9 * t), -0.01 * 400 * math.sin(20 * t)
        return [y[1], -0.4 * ((9.81 + lift) * math.sin(y[0]) - shake * math.cos(y[0])) / (0.01 + 0.16)]

    found = solve_ivp(rates, (0, 1), [0, 0], t_eval=data.time.values, rtol=1e-10, atol=1e-12).y[0]
    angle = data.joint_position.sel(coordinate="pivot.angle").values
    tolerance = 2e-4 if isinstance(solver, gd.TimeStepping) else 1e-7
    assert np.abs(angle).max() > 0.05
    assert angle == pytest.approx(found, abs=tolerance)
