"""Results as flat tables, CSV files and MAT-files."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.io import loadmat

import gudgeon as gd
import sliders_in_guides
from gudgeon.nurbs import Surface


def lift(**changes: Any) -> gd.System:
    """A driven arm and a driven car, and a film that is watched."""
    underside = Surface.plane(origin=(0, 0, 0.1)).reversed()
    film = gd.Interface(reference=("ground", Surface.plane()), corresponding=("car", underside), grid=(4, 3))
    parts: dict[str, Any] = {
        "bodies": {
            "arm": gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0)),
            "car": gd.Body(mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.1)),
        },
        "joints": {
            "tower": gd.Revolute("ground", "arm", at=(0, 0, 0)),
            "shaft": gd.Prismatic("ground", "car", at=(0, 0, 0), axis=(0, 0, 1)),
        },
        "drives": {"motor": gd.Drive("tower", "sin(6*t)"), "winch": gd.Drive("shaft", "0.5*t**2")},
        "interfaces": {"film": film},
    }
    return gd.System(**{**parts, **changes})


@pytest.fixture(scope="module")
def lifted() -> gd.Result:
    return gd.simulate(lift(), 0.2, sample=0.1)


@pytest.fixture(scope="module")
def dry() -> gd.Result:
    return gd.simulate(gd.examples.spatial_four_bar("dry"), 0.03, sample=0.01)


def test_columns_are_named_by_owner_quantity_component_and_unit(lifted):
    table, data = lifted.table(), lifted.data
    assert table.index.name == "time [s]" and table.index.to_numpy() == pytest.approx([0.0, 0.1, 0.2])
    for column, values in {
        "car.position.z [m]": data.position.sel(body="car", axis="z"),
        "arm.orientation.e0 [1]": data.orientation.sel(body="arm", quaternion="e0"),
        "arm.angular_acceleration.z [rad/s^2]": data.angular_acceleration.sel(body="arm", axis="z"),
        "tower.reaction_force.x [N]": data.reaction_force.sel(joint="tower", axis="x"),
        "tower.angle [rad]": data.joint_position.sel(coordinate="tower.angle"),
        "tower.angle.velocity [rad/s]": data.joint_velocity.sel(rate="tower.angle"),
        "shaft.displacement [m]": data.joint_position.sel(coordinate="shaft.displacement"),
        "shaft.displacement.acceleration [m/s^2]": data.joint_acceleration.sel(rate="shaft.displacement"),
        "motor.drive_effort [N*m]": data.drive_effort.sel(drive="motor"),
        "winch.drive_effort [N]": data.drive_effort.sel(drive="winch"),
        "kinetic_energy [J]": data.kinetic_energy,
        "film.minimum_gap [m]": data["film.minimum_gap"],
    }.items():
        assert np.array_equal(table[column], values.values), column
    assert table.columns.is_unique
    assert not [name for name in table.columns if name.startswith("film.gap")]  # a field over a grid


def test_everything_over_time_is_in_the_table(lifted):
    """Per body six vectors, one a quaternion; per joint two vectors, three motions; per drive two; the film's minimum."""
    per_body, per_joint = 3 + 4 + 3 + 3 + 3 + 3, 3 + 3 + 1 + 1 + 1
    assert len(lifted.table().columns) == 2 * per_body + 2 * per_joint + 2 * 2 + 4 + (1 + 2 + 3)


def test_what_a_joint_does_not_have_is_left_out(dry):
    columns = dry.table().columns
    assert "C.penetration [m]" in columns and "C.normal_force [N]" in columns
    assert not [name for name in columns if name.startswith("B.") and "penetration" in name]
    assert not dry.table().isna().all().any()


def test_sliders_are_in_the_table():
    slider = gd.simulate(sliders_in_guides.system(), 0.01, sample=0.005)
    table = slider.table()
    assert np.isfinite(table.to_numpy()).any()
    forces = [name for name in table.columns if name.endswith(".guide_normal_force [N]")]
    assert len(forces) == slider.data.sizes["surface_point"]


def test_csv_reads_back_as_it_was(dry, tmp_path):
    path = dry.to_csv(str(tmp_path / "run.csv"))
    again = pd.read_csv(path, index_col=0, float_precision="round_trip")
    pd.testing.assert_frame_equal(again, dry.table(), check_exact=True)
    assert len(again) == 4
    assert os.listdir(tmp_path) == ["run.csv"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_the_first_export_that_comes_to_mind_has_rows(tmp_path):
    """Without drives: a dimension of length 0 made it empty."""
    result = gd.simulate(gd.examples.spatial_four_bar(), 0.02, sample=0.01)
    result.data.to_dataframe().to_csv(tmp_path / "run.csv")
    assert len(pd.read_csv(tmp_path / "run.csv")) == int(np.prod(list(result.data.sizes.values()))) > 0


def test_mat_file(lifted, dry, tmp_path):
    run: Any = loadmat(lifted.to_mat(tmp_path / "run.mat"), simplify_cells=True)
    assert run["position"] == pytest.approx(lifted.data.position.values, abs=0)
    assert list(run["body"]) == ["arm", "car"] and list(run["drive_unit"]) == ["N*m", "N"]
    assert run["units"]["velocity"] == "m/s" and run["units"]["time"] == "s"
    assert run["film_minimum_gap"] == pytest.approx(lifted.data["film.minimum_gap"].values, abs=0)
    assert run["system"] == lifted.system.name
    raw = loadmat(dry.to_mat(tmp_path / "dry.mat"))
    assert raw["time"].shape == (4, 1)  # a column, as MATLAB plots them
    events: Any = loadmat(tmp_path / "dry.mat", simplify_cells=True)["events"]
    assert np.atleast_1d(events["peak_force"]) == pytest.approx(dry.events.peak_force.values)
    assert np.atleast_1d(events["joint"]).tolist() == dry.events.joint.tolist()


@pytest.mark.parametrize("write", ["to_csv", "to_mat"])
def test_a_folder_that_is_not_there(write, lifted, tmp_path):
    with pytest.raises(gd.ModelError, match=f"{write}: there is no folder"):
        getattr(lifted, write)(tmp_path / "runs" / "run")


def test_a_failed_write_keeps_the_old_file(lifted, tmp_path, monkeypatch):
    path = lifted.to_csv(tmp_path / "run.csv")
    before = path.read_bytes()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gudgeon.files.disk.os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        lifted.to_csv(Path(path))
    monkeypatch.undo()
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["run.csv"]
