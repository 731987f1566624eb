"""Results that other programs changed, or made: read if they are still results, refused with what is wrong if not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli import main
from gudgeon.results import foreign_files


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> Path:
    system = gd.examples.spatial_four_bar("dry")
    return gd.simulate(system, 0.02, sample=1e-3).save(tmp_path_factory.mktemp("runs") / "run.nc")


def replaced(name: str, value) -> Callable[[h5py.File], None]:
    def change(file: h5py.File) -> None:
        del file[name]
        file[name] = value

    return change


def written(name: str, value) -> Callable[[h5py.File], None]:
    def change(file: h5py.File) -> None:
        file[name][...] = value

    return change


def without(name: str) -> Callable[[h5py.File], None]:
    return lambda file: file.__delitem__(name)


CHANGES = {
    "without orientations": (without("orientation"), "it has no orientation"),
    "without energies": (without("mechanical_energy"), "it has no mechanical_energy"),
    "without units of coordinates": (without("coordinate_unit"), "it has no coordinate_unit"),
    "without names of bodies": (without("body"), "is damaged"),
    "texts for numbers": (replaced("contact", np.array([b"x"] * 3)), "contact is of the type"),
    "events of another length": (replaced("event_contact", np.array([b"x"] * 3)), "events are of different lengths"),
    "times that are none": (written("time", np.nan), "its times do not increase"),
    "times backwards": (written("time", np.arange(21.0)[::-1]), "its times do not increase"),
    "other dimensions": (replaced("position", np.zeros((3, 3))), "position has the dimensions"),
    "a group": (lambda file: file.create_group("more"), "'more' is a group or a link; a result has neither"),
    "statistics of nothing": (lambda file: file.attrs.__setitem__("stats", "{}"), "its statistics do not tell"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_no_result_any_more_is_refused(change, saved, tmp_path):
    act, words = CHANGES[change]
    path = Path(shutil.copy(saved, tmp_path / "run.nc"))
    with h5py.File(path, "r+") as file:
        act(file)
    with pytest.raises(gd.FileError, match=words):
        gd.load(path)


def test_positions_that_are_none_are_not_drawn(saved, tmp_path):
    path = Path(shutil.copy(saved, tmp_path / "run.nc"))
    with h5py.File(path, "r+") as file:
        file["position"][3] = np.inf
    with pytest.raises(gd.ModelError, match=r"view: the run 'x' has positions that are no numbers"):
        gd.view({"x": gd.load(path)}, tmp_path / "run.html")


def test_a_result_that_was_compressed_is_read(saved, tmp_path):
    """Twentyfold is more than numbers of a motion give."""
    with xr.open_dataset(saved, engine="h5netcdf") as data:
        numbers = [name for name, variable in data.variables.items() if variable.dtype.kind == "f" and variable.ndim]
        data.to_netcdf(tmp_path / "small.nc", engine="h5netcdf", encoding={n: {"zlib": True} for n in numbers})
    assert gd.load(tmp_path / "small.nc").data.identical(gd.load(saved).data)


def test_a_result_larger_than_the_memory_is_not_tried(saved, monkeypatch):
    monkeypatch.setattr(foreign_files, "memory", lambda: 1e4)
    with pytest.raises(gd.FileError, match="this machine 1e-05 GB of memory"):
        gd.load(saved)


def test_what_nobody_thought_of_is_one_line(saved, monkeypatch):
    """A command never ends with a traceback because of a file."""
    monkeypatch.setattr("gudgeon.results.table.flat_table", lambda data: data["nothing"])
    told = CliRunner().invoke(main, ["export", str(saved), "--csv"])
    assert told.exit_code == 1
    assert "run.nc is not a result as gudgeon writes it (KeyError: " in told.stderr
