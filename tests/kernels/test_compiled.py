"""The guard against stale compiled code: what is thrown away when a source changes, and what stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gudgeon.kernels.compiled import FOLDERS, SHARED, drop_stale_code


@pytest.fixture
def package(tmp_path) -> Path:
    """A package with a source and a compiled file in every folder, compiled after."""
    for folder in FOLDERS:
        (tmp_path / folder / "__pycache__").mkdir(parents=True)
        write(tmp_path / folder / "some.py", 1000)
        for ending in ("nbi", "nbc"):
            write(tmp_path / folder / "__pycache__" / f"some.{ending}", 2000)
    for name in SHARED:
        write(tmp_path / name, 1000)
    return tmp_path


def write(path: Path, time: float) -> None:
    path.write_text("")
    os.utime(path, (time, time))


def kept(package: Path) -> set[str]:
    return {folder for folder in FOLDERS if len(list((package / folder / "__pycache__").glob("*.nb?"))) == 2}


def test_nothing_has_changed(package):
    drop_stale_code(package)
    assert kept(package) == set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_source_has_changed(package, folder):
    write(package / folder / "some.py", 3000)
    drop_stale_code(package)
    depends = {name for name, called in FOLDERS.items() if name == folder or folder in called}
    assert kept(package) == set(FOLDERS) - depends


def test_how_all_are_compiled_has_changed(package):
    write(package / SHARED[0], 3000)
    drop_stale_code(package)
    assert kept(package) == set()


def test_every_folder_of_kernels_is_guarded():
    import gudgeon

    root = Path(gudgeon.__file__).parent
    for path in root.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if any(sign in text for sign in ("gudgeon.kernels.compiled import", "numba.njit", "@njit", "@cfunc")):
            assert path.parent.relative_to(root).as_posix() in FOLDERS, f"{path} has kernels outside guarded folders"
