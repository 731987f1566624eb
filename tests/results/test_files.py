"""Files of results: written whole or not at all, read only if whole, refused in one sentence."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import gudgeon as gd
from gudgeon.files.disk import SEAL

FULL_DISK = """
import os, resource, sys
import gudgeon as gd

result = gd.load("large.nc")
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))  # [bytes]: the disk takes no more
try:
    result.save("run.nc")
except gd.FileError as error:
    print(type(error.errno).__name__, error)
print(len(result.data.time), "samples alive")
"""


@pytest.fixture(scope="module")
def result() -> gd.Result:
    return gd.simulate(gd.examples.spatial_four_bar(), 0.1, sample=1e-3)


@pytest.fixture(scope="module")
def short() -> gd.Result:
    return gd.simulate(gd.examples.spatial_four_bar(), 0.01)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files there")
def test_a_full_disk_ends_neither_the_process_nor_the_old_file(result, short, tmp_path):
    result.save(tmp_path / "large.nc")
    old = short.save(tmp_path / "run.nc").read_bytes()
    command = [sys.executable, "-c", FULL_DISK]
    environment = os.environ | {"PYTHONPATH": str(Path(gd.__file__).parent.parent)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "int save: 'run.nc' cannot be written: File too large; it takes" in done.stdout
    assert "free some space, or choose another disk" in done.stdout
    assert "101 samples alive" in done.stdout
    assert sorted(os.listdir(tmp_path)) == ["large.nc", "run.nc"]
    assert (tmp_path / "run.nc").read_bytes() == old


def test_a_folder_instead_of_a_file(result, tmp_path):
    with pytest.raises(gd.FileError, match=r"save: '.*' is a folder; give the name of a file"):
        result.save(tmp_path)
    assert not os.listdir(tmp_path)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no /proc")
def test_a_folder_that_takes_no_files(result):
    with pytest.raises(gd.FileError, match=r"save: '/proc/run.nc' cannot be written: .*; choose a folder that you can"):
        result.save("/proc/run.nc")


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(result, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(gd.FileError, match=r"save: '.*run.nc' cannot be written: Permission denied; choose a folder"):
        result.save(tmp_path / "run.nc")


def test_errors_of_files_are_those_of_the_system_too(result, tmp_path):
    with pytest.raises(OSError, match="there is no folder") as caught:
        result.save(tmp_path / "runs" / "run.nc")
    assert caught.value.errno == errno.ENOENT
    again = pickle.loads(pickle.dumps(caught.value))  # on its way from another process
    assert isinstance(again, gd.FileError) and again.errno == errno.ENOENT and str(again) == str(caught.value)
    with pytest.raises(OSError, match="there is no file"):
        gd.load(tmp_path / "run.nc")


@pytest.mark.parametrize(
    ("name", "instead"),
    [("run.csv", r"result\.to_csv\('run\.csv'\) writes a table"), ("run.MAT", "result.data is an xarray Dataset")],
)
def test_a_name_that_promises_another_format(result, tmp_path, name, instead):
    with pytest.raises(gd.ModelError, match=rf"save: '{name}' would hold netCDF; give a name .* \.nc \({instead}"):
        result.save(tmp_path / name)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("name", ["run", "run.nc", "run.h5", "clearance_0.05"])
def test_other_names_are_the_users_choice(short, tmp_path, name):
    assert gd.load(short.save(tmp_path / name)).data.identical(short.data)


def test_a_flipped_bit_anywhere_is_noticed(short, tmp_path):
    content = short.save(tmp_path / "run.nc").read_bytes()
    random = np.random.default_rng(3)
    end = len(content) - len(SEAL) - 32
    for place in [*random.integers(0, end, 60), end + len(SEAL), len(content) - 1]:
        flipped = bytearray(content)
        flipped[place] ^= 1 << int(random.integers(8))
        (tmp_path / "flipped.nc").write_bytes(flipped)
        with pytest.raises(gd.FileError, match=r"load: '.*flipped\.nc' is damaged: its content is not what was saved"):
            gd.load(tmp_path / "flipped.nc")


def test_a_damaged_file_without_digest_is_refused_too(short, tmp_path):
    """As written by earlier versions: h5py then raises whatever it stumbles over."""
    content = short.save(tmp_path / "run.nc").read_bytes()[: -len(SEAL) - 32]
    (tmp_path / "early.nc").write_bytes(content)
    assert gd.load(tmp_path / "early.nc").data.identical(short.data)
    for signature in (b"OHDR", b"FRHP"):  # of the blocks in which HDF5 keeps names and places
        (tmp_path / "damaged.nc").write_bytes(content.replace(signature, b"XXXX"))
        with pytest.raises(gd.FileError, match=r"load: '.*damaged\.nc' is not a netCDF file, or is damaged"):
            gd.load(tmp_path / "damaged.nc")


def test_a_file_changed_by_another_program_is_read(short, tmp_path):
    path = short.save(tmp_path / "run.nc")
    with h5py.File(path, "r+") as file:
        file.attrs["comment"] = "by hand"
    assert gd.load(path).data.attrs["comment"] == "by hand"
