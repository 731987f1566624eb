"""What the compiled code of a kernel comes from: a change anywhere gives it another name on disk, a date does not."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from gudgeon.kernels.compiled import FOLDERS, PACKAGE, SHARED, sources_of


@pytest.fixture
def package(tmp_path) -> Path:
    """A package with a source in every folder."""
    for folder in FOLDERS:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "some.py").write_text("x = 1\n")
    for name in SHARED:
        (tmp_path / name).write_text("y = 1\n")
    return tmp_path


def digests(package: Path) -> dict[str, bytes]:
    sources_of.cache_clear()
    return {folder: sources_of(folder, package) for folder in FOLDERS}


@pytest.fixture(autouse=True)
def forget():
    yield
    sources_of.cache_clear()


def test_dates_do_not_matter(package):
    before = digests(package)
    for path in package.rglob("*.py"):
        os.utime(path, (1000, 1000))
    assert digests(package) == before


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_source_has_changed(package, folder):
    before = digests(package)
    (package / folder / "some.py").write_text("x = 2\n")
    after = digests(package)
    depends = {name for name, called in FOLDERS.items() if name == folder or folder in called}
    assert {name for name in FOLDERS if after[name] != before[name]} == depends


def test_how_all_are_compiled_has_changed(package):
    before = digests(package)
    (package / SHARED[0]).write_text("y = 2\n")
    after = digests(package)
    assert all(after[name] != before[name] for name in FOLDERS)


def test_text_that_moves_to_another_file_is_a_change(package):
    (package / "fem" / "other.py").write_text("")
    before = digests(package)
    (package / "fem" / "some.py").rename(package / "fem" / "third.py")
    assert digests(package)["fem"] != before["fem"]


def test_every_folder_of_kernels_is_known():
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "gudgeon.kernels.compiled import" in text or re.search(r"^@(numba\.)?n?jit\b", text, re.MULTILINE):
            assert path.parent.relative_to(PACKAGE).as_posix() in FOLDERS, f"{path} has kernels in an unknown folder"


def test_no_kernel_uses_the_cache_of_numba():
    """It reads stale code: it looks at a kernel's own file only."""
    for path in PACKAGE.rglob("*.py"):
        assert "cache=True" not in path.read_text(encoding="utf-8"), path
