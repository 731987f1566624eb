"""A file of a run keeps the System: the run goes on from the file alone, or the file says why it cannot."""

from __future__ import annotations

import h5py
import numpy as np
import pytest

import gudgeon as gd


@pytest.fixture(scope="module")
def dry() -> gd.Result:
    return gd.simulate(gd.examples.spatial_four_bar("dry"), 0.02, sample=0.01)


def test_the_run_goes_on_from_the_file_alone_to_the_last_bit(dry, tmp_path):
    loaded = gd.load(dry.save(tmp_path / "run.nc"))
    assert loaded.system == dry.system and loaded.data.identical(dry.data)
    rest = gd.simulate(loaded.system, 0.02, start=loaded.state(), sample=0.01)
    whole = gd.simulate(dry.system, 0.04, sample=0.01)
    assert np.array_equal(rest.states[-1], whole.states[-1])


def test_a_loaded_result_saves_its_system_again(dry, tmp_path):
    loaded = gd.load(dry.save(tmp_path / "run.nc"))
    assert gd.load(loaded.save(tmp_path / "again.nc")).system == dry.system


def push(t):
    return 2.0 * t


def test_a_system_with_a_python_function_is_left_out_and_the_file_says_why(tmp_path):
    system = gd.examples.spatial_four_bar().replace(loads={"push": gd.Force("rocker", (0, push, 0))})
    result = gd.simulate(system, 0.01, sample=0.01)
    loaded = gd.load(result.save(tmp_path / "run.nc"))
    assert loaded.system is None
    assert "loads.push.vector.1: push is a Python function" in loaded.data.attrs["system_not_kept"]
    assert loaded.state() == result.state()


def test_a_mesh_of_any_size_fits(tmp_path):
    """HDF5 keeps attributes up to 64 kB only."""
    from gudgeon.fem import Material, Mesh

    rubber = Material(youngs_modulus=1e6, poissons_ratio=0.3, density=1000.0)
    plate = gd.FlexibleBody(mesh=Mesh.rectangle(0.4, 0.2, 60, 40), material=rubber)
    system = gd.System(bodies={"plate": plate, "bob": gd.Body(mass=1.0, inertia=(1, 1, 1))})
    result = gd.simulate(gd.System(bodies={"bob": gd.Body(mass=1.0, inertia=(1, 1, 1))}), 0.1, sample=0.1)
    result.system = system
    assert gd.load(result.save(tmp_path / "run.nc")).system == system


def test_a_system_of_another_version_is_left_out_with_a_warning(dry, tmp_path):
    path = dry.save(tmp_path / "run.nc")
    with h5py.File(path, "r+") as file:
        text = file["system_description"][()].decode()
        file["system_description"][()] = text.replace("socket_radius", "cup_radius")
    with pytest.warns(UserWarning, match=r"joints.C.model.cup_radius: Dry has no field 'cup_radius'; did you mean"):
        assert gd.load(path).system is None
