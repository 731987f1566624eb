"""What a simulation returns: names, dimensions, units, files, pictures."""

from __future__ import annotations

import io
import math
import os
import pickle
import re
import stat
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import xarray as xr

import gudgeon as gd

BY_BODY, BY_JOINT = ("time", "body", "axis"), ("time", "joint", "axis")
VARIABLES = {
    "position": (BY_BODY, "m"),
    "orientation": (("time", "body", "quaternion"), "1"),
    "velocity": (BY_BODY, "m/s"),
    "angular_velocity": (BY_BODY, "rad/s"),
    "acceleration": (BY_BODY, "m/s^2"),
    "angular_acceleration": (BY_BODY, "rad/s^2"),
    "reaction_force": (BY_JOINT, "N"),
    "reaction_torque": (BY_JOINT, "N*m"),
    "joint_position": (("time", "coordinate"), "rad, m or 1"),
    "joint_velocity": (("time", "rate"), "rad/s or m/s"),
    "joint_acceleration": (("time", "rate"), "rad/s^2 or m/s^2"),
    "drive_effort": (("time", "drive"), "N*m or N"),
    "drive_power": (("time", "drive"), "W"),
    "kinetic_energy": (("time",), "J"),
    "potential_energy": (("time",), "J"),
    "mechanical_energy": (("time",), "J"),
    "constraint_residual": (("time",), "m or rad"),
}


def crane(**changes: Any) -> gd.System:
    """A driven arm with a load on a ball joint."""
    parts: dict[str, Any] = {
        "name": "crane",
        "bodies": {
            "arm": gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0)),
            "Last ä": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01), position=(1, 0, -0.3)),
        },
        "joints": {
            "tower": gd.Revolute("ground", "arm", at=(0, 0, 0)),
            "hook": gd.Spherical("arm", "Last ä", at=(1, 0, 0)),
        },
        "drives": {"motor": gd.Drive("tower", "sin(6*t)")},
    }
    return gd.System(**{**parts, **changes})


WATCH = {"through": gd.Crossing(joint="tower"), "high": gd.Crossing(body="Last ä", along=(0, 0, 1), value=-0.29)}


@pytest.fixture(scope="module")
def result() -> gd.Result:
    return gd.simulate(crane(), 2.0, sample=0.02, crossings=WATCH)


@pytest.fixture(scope="module")
def single() -> gd.Result:
    """No joints, no drives, no crossings."""
    return gd.simulate(gd.System(bodies={"stone": gd.Body(mass=1.0, inertia=(1, 1, 1))}), 1.0, sample=0.5)


@pytest.fixture(scope="module")
def nothing() -> gd.Result:
    """A run that failed before its first sample."""
    force = gd.Force("stone", ("sqrt(0.3 - t)", 0, 0))
    system = gd.System(bodies={"stone": gd.Body(mass=1.0, inertia=(1, 1, 1))}, loads={"push": force})
    with pytest.raises(gd.SimulationError) as caught:
        gd.simulate(system, 1.0, sample=[0.9])
    assert caught.value.result is not None
    return caught.value.result


# --- data ---------------------------------------------------------------------------------------------------


def test_every_variable_has_dimensions_units_and_a_long_name(result):
    assert set(result.data.data_vars) == set(VARIABLES)
    for name, (dims, units) in VARIABLES.items():
        variable = result.data[name]
        assert variable.dims == dims, name
        assert variable.attrs["units"] == units, name
        assert variable.attrs["long_name"], name
        assert variable.dtype == float and np.all(np.isfinite(variable)), name


def test_coordinates(result):
    data = result.data
    sizes = {"time": 101, "body": 2, "axis": 3, "quaternion": 4, "joint": 2, "drive": 1, "coordinate": 5, "rate": 4}
    assert dict(data.sizes) == sizes
    assert data.time.values == pytest.approx(np.linspace(0, 2, 101), abs=1e-15)
    assert data.time.attrs["units"] == "s"
    assert data.body.values.tolist() == ["arm", "Last ä"]
    assert data.joint.values.tolist() == ["tower", "hook"]
    assert data.drive.values.tolist() == ["motor"]
    assert data.coordinate.values.tolist() == ["tower.angle", "hook.e0", "hook.e1", "hook.e2", "hook.e3"]
    assert data.rate.values.tolist() == ["tower.angle", "hook.x", "hook.y", "hook.z"]
    assert data.axis.values.tolist() == ["x", "y", "z"]
    assert data.quaternion.values.tolist() == ["e0", "e1", "e2", "e3"]
    assert data.attrs["system"] == "crane"


def test_units_of_coordinates_and_drives(result):
    data = result.data
    assert data.coordinate_unit.values.tolist() == ["rad", "1", "1", "1", "1"]
    assert data.rate_unit.values.tolist() == ["rad/s"] * 4
    assert data.drive_unit.values.tolist() == ["N*m"]
    lift = gd.System(
        bodies={"car": gd.Body(mass=1.0, inertia=(1, 1, 1))},
        joints={"shaft": gd.Prismatic("ground", "car", at=(0, 0, 0), axis=(0, 0, 1))},
        drives={"winch": gd.Drive("shaft", "t")},
    )
    data = gd.simulate(lift, 0.1).data
    units = [str(data[f"{name}_unit"].values[0]) for name in ("coordinate", "rate", "drive")]
    assert units == ["m", "m/s", "N"]


def test_a_result_without_joints_and_drives(single):
    """A dimension of length 0 would make the outer product of all, which to_dataframe is, empty."""
    assert dict(single.data.sizes) == {"time": 3, "body": 1, "axis": 3, "quaternion": 4}
    assert not {"reaction_force", "joint_position", "joint_velocity", "drive_effort"} & set(single.data)
    assert len(single.data.to_dataframe()) == 3 * 1 * 3 * 4
    for name in ("body", "axis", "quaternion"):
        assert single.data[name].dtype.kind == "U", name
    fallen = single.data.position.sel(body="stone", axis="z").values
    assert fallen == pytest.approx([0, -9.81 / 8, -9.81 / 2], abs=1e-9)


def test_values_fit_together(result):
    data = result.data
    assert np.linalg.norm(data.orientation, axis=-1) == pytest.approx(1.0, abs=1e-14)
    assert data.mechanical_energy.values == pytest.approx(data.kinetic_energy.values + data.potential_energy.values)
    load = data.sel(body="Last ä")
    pull = data.reaction_force.sel(joint="hook").values
    assert pull == pytest.approx(load.acceleration.values + np.array([0, 0, 9.81]), abs=1e-9)  # 1 kg
    assert np.abs(data.reaction_torque.sel(joint="hook")).max() < 1e-9
    arm = data.sel(body="arm")
    turning = np.cross(arm.angular_velocity.values, arm.position.values)
    assert turning == pytest.approx(arm.velocity.values, abs=1e-7)


def test_data_is_computed_when_first_asked_for(monkeypatch):
    import gudgeon.results.result as module

    calls, original = [], module.dataset

    def counted(*arguments):
        calls.append(1)
        return original(*arguments)

    monkeypatch.setattr(module, "dataset", counted)
    result = gd.simulate(crane(), 0.1)
    assert (repr(result), len(result.crossings), calls) == (repr(result), 0, [])
    assert result.data is result.data
    assert calls == [1]


def test_states_are_the_raw_numbers(result):
    n = result.data.sizes["body"]
    assert result.states.shape == (101, 13 * n)
    poses = result.states[:, : 7 * n].reshape(-1, n, 7)
    assert np.array_equal(poses[..., :3], result.data.position.values)
    assert np.array_equal(result.states[:, 7 * n :].reshape(-1, n, 6)[..., 3:], result.data.angular_velocity.values)


@pytest.mark.parametrize("sample", [-1, 0, 7])
def test_state(result, sample):
    state = result.state(sample)
    assert list(state) == ["arm", "Last ä"]
    at = result.data.isel(time=sample)
    for name, body in state.items():
        assert isinstance(body, gd.BodyState)
        for field in ("position", "velocity", "angular_velocity"):
            assert getattr(body, field) == tuple(at[field].sel(body=name).values.tolist())
        assert body.orientation == pytest.approx(at.orientation.sel(body=name).values, abs=1e-15)
    assert crane(start=state).start == state
    assert result.state() == result.state(-1)


def test_state_of_a_sample_that_is_not_there(result, nothing):
    with pytest.raises(gd.ModelError, match=r"state: .*500.*101 samples"):
        result.state(500)
    with pytest.raises(gd.ModelError, match=r"state: .*0 samples"):
        nothing.state()


def test_crossings_table(result):
    table = result.crossings
    assert list(table.columns) == ["crossing", "time"]
    through = table[table["crossing"] == "through"]["time"].to_numpy()
    assert through == pytest.approx(np.pi / 6 * np.arange(1, 4), abs=1e-6)
    assert table["time"].is_monotonic_increasing


def test_repr(result, single):
    assert re.fullmatch(r"<gudgeon\.Result 'crane': done at t = 2 s, \d+ steps, [0-9.e-]+ s computing>", repr(result))
    assert "'mechanism': done at t = 1 s" in repr(single)
    stopped = gd.simulate(crane(), 2.0, crossings={"through": gd.Crossing(joint="tower", stop=True)})
    assert "'crane': stopped at t = 0.523599 s" in repr(stopped)


def test_pickle(result):
    again = pickle.loads(pickle.dumps(result))
    assert again.data.identical(result.data)
    assert again.stats == result.stats and again.crossings.equals(result.crossings)


# --- files --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(result, tmp_path_factory) -> Path:
    before = result.data.copy(deep=True)
    path = result.save(tmp_path_factory.mktemp("saved") / "run.nc")
    assert result.data.identical(before)  # saving leaves it as it was
    return path


@pytest.mark.parametrize("which", ["result", "single", "nothing"])
def test_save_and_load(which, request, tmp_path):
    original = request.getfixturevalue(which)
    path = tmp_path / "run.nc"
    assert original.save(str(path)) == path
    again = gd.load(str(path))
    assert again.data.identical(original.data)
    for name in original.data.coords:
        assert again.data[name].dtype == original.data[name].dtype, name
    assert again.stats == original.stats
    assert again.crossings.equals(original.crossings)
    assert repr(again) == repr(original)
    if len(original.data.time):
        assert again.state() == original.state()
    assert os.listdir(tmp_path) == ["run.nc"]


def test_a_loaded_result_can_be_saved_again_and_continued(result, saved, tmp_path):
    again = gd.load(gd.load(saved).save(tmp_path / "again.nc"))
    assert again.data.identical(result.data) and again.crossings.equals(result.crossings)
    assert again.stats == result.stats
    assert gd.simulate(crane(drives={}, start=again.state()), 0.1).stats["end"] == "done"
    with pytest.raises(gd.ModelError, match=r"Result: raw states are not kept in files; use \.data"):
        _ = again.states


def test_other_tools_read_the_file(saved):
    with xr.open_dataset(saved) as opened:
        assert opened.position.attrs["units"] == "m"
        assert opened.time.dtype == float  # not decoded as a date
    with h5py.File(saved) as file:
        assert file["velocity"].shape == (101, 2, 3)


def test_file_may_be_read_as_the_umask_says(saved):
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(saved.stat().st_mode) == 0o666 & ~mask


def test_save_into_a_folder_that_is_not_there(result, tmp_path):
    with pytest.raises(gd.ModelError, match=f"save: there is no folder '{re.escape(str(tmp_path / 'runs'))}'"):
        result.save(tmp_path / "runs" / "run.nc")


def test_load_of_nothing(tmp_path):
    with pytest.raises(gd.ModelError, match=r"load: there is no file '.*run\.nc'"):
        gd.load(tmp_path / "run.nc")
    with pytest.raises(gd.ModelError, match=r"load: .* is a folder; give the name of a file"):
        gd.load(tmp_path)


@pytest.mark.parametrize("content", [b"", b"garbage", b"CDF\x01 an older netCDF"])
def test_load_of_garbage(content, tmp_path):
    path = tmp_path / "garbage.nc"
    path.write_bytes(content)
    with pytest.raises(gd.ModelError, match=r"load: '.*garbage\.nc' is not a netCDF"):
        gd.load(path)


def test_load_of_half_a_file(saved, tmp_path):
    path = tmp_path / "half.nc"
    path.write_bytes(saved.read_bytes()[:20000])
    with pytest.raises(gd.ModelError, match=r"load: '.*half\.nc' is not a netCDF file"):
        gd.load(path)


def test_load_of_files_of_others(tmp_path):
    path = tmp_path / "weather.nc"
    xr.Dataset({"rain": ("day", [1.0, 2.0])}, attrs={"format": "weather"}).to_netcdf(path, engine="h5netcdf")
    with pytest.raises(gd.ModelError, match=r"load: '.*weather\.nc' is not a gudgeon result"):
        gd.load(path)
    with h5py.File(tmp_path / "plain.h5", "w") as file:
        file["numbers"] = [1, 2, 3]
    with pytest.raises(gd.ModelError, match=r"load: '.*plain\.h5' is not a (gudgeon result|netCDF file)"):
        gd.load(tmp_path / "plain.h5")


# --- pictures -----------------------------------------------------------------------------------------------


def labels(figure) -> str:
    return " ".join(axes.get_ylabel() for axes in figure.axes)


def test_plot(result):
    figure = result.plot()
    assert figure.get_suptitle() == "crane"
    for axes in figure.axes:
        assert re.fullmatch(r".+ \[.+\]", axes.get_ylabel()), axes.get_ylabel()
        assert axes.lines
    for unit in ("[m]", "[m/s]", "[rad/s]", "[rad]", "[N·m]", "[N]", "[J]"):
        assert unit in labels(figure)
    assert sum(axes.get_xlabel() == "time [s]" for axes in figure.axes) == 2  # the lowest of two columns
    named = {text.get_text() for axes in figure.axes if axes.get_legend() for text in axes.get_legend().get_texts()}
    assert {"arm", "Last ä", "tower", "hook", "tower.angle", "motor", "kinetic"} <= named
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=40)
    assert picture.getvalue().startswith(b"\x89PNG")


def test_plot_draws_the_numbers(result):
    speed = next(axes for axes in result.plot(["arm"]).axes if axes.get_ylabel() == "speed [m/s]")
    (line,) = speed.lines
    assert line.get_xdata() == pytest.approx(result.data.time.values)
    assert line.get_ydata() == pytest.approx(np.linalg.norm(result.data.velocity.sel(body="arm").values, axis=1))


def test_plot_of_chosen_bodies(result):
    assert [len(axes.lines) for axes in result.plot(["arm"]).axes[:3]] == [1, 1, 1]
    with pytest.raises(gd.ModelError, match=r"plot: no body 'arn'; did you mean 'arm'\?"):
        result.plot(["arn"])


@pytest.mark.parametrize("which", ["single", "nothing"])
def test_plot_of_little(which, request):
    figure = request.getfixturevalue(which).plot()
    assert "[m/s]" in labels(figure)
    assert all(math.isfinite(limit) for axes in figure.axes for limit in (*axes.get_xlim(), *axes.get_ylim()))


def test_plot_of_a_loaded_result(saved):
    assert labels(gd.load(saved).plot()).count("[") == 8
