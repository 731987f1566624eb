"""What the compiled code of a kernel comes from: a change anywhere gives it another name on disk, a date does not."""

from __future__ import annotations

import importlib.util
import os
import re
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType

import numba
import pytest

from gudgeon.errors import ModelError
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


@pytest.fixture
def built(monkeypatch):
    """The module of the decorators, as a process with this GUDGEON_STRICT has it."""

    def build(strict: str) -> ModuleType:
        monkeypatch.setenv("GUDGEON_STRICT", strict)
        spec = importlib.util.spec_from_file_location("decorators", PACKAGE / "kernels" / "compiled.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return build


def multiplied_and_added(x, y, z):
    return x * y + z


def test_the_strict_build_rounds_every_product(built):
    """(1 + ε)(1 − ε) − 1 with ε = 2⁻³⁰ is −ε²; the product alone rounds to 1."""
    small = 2.0**-30
    answers = {}
    for strict in ("0", "1"):
        kernel = numba.njit(**built(strict).OPTIONS)(multiplied_and_added)
        answers[strict] = kernel(1.0 + small, 1.0 - small, -1.0)
    assert answers["1"] == 0.0
    assert answers["0"] in (0.0, -(small**2))  # 0 where the processor has no such operation


@pytest.mark.parametrize("folder", FOLDERS)
def test_builds_are_told_apart_and_live_side_by_side(built, folder):
    """Each is kept under names which the other neither reads nor deletes as its own older versions."""
    from gudgeon.kernels.motion import right_hand_side

    normal, strict = built("0"), built("1")
    assert normal.sources_of(folder) == built("").sources_of(folder) != strict.sources_of(folder)
    caches = [module._cache_of(right_hand_side.py_func) for module in (normal, strict)]
    files = [Path(cache._files[cache._beside]._index_path).name for cache in caches]
    for own in (0, 1):
        assert fnmatch(files[own], caches[own]._versions)
        assert not fnmatch(files[1 - own], caches[own]._versions)


def test_another_word_for_the_build_is_refused(built):
    with pytest.raises(ModelError, match=r"GUDGEON_STRICT is 'yes'; set it to 1 for the strict build, or to 0"):
        built("yes")
