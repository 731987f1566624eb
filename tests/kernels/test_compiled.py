"""What the compiled code of a kernel comes from: a change anywhere gives it another name on disk, a date does not."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType

import numba
import pytest

from gudgeon.errors import ModelError
from gudgeon.kernels.build.compiled import PACKAGE, SHARED, _is_file, _source, sources_of

FILES = {  # a chain of imports in their several forms, and a file beside it
    "kernels/first.py": "from gudgeon.kernels.second import f\n",
    "kernels/second.py": "from gudgeon.kernels import third as t\n",
    "kernels/third.py": "from gudgeon.fem.kernels import (\n    g,\n)\n",
    "kernels/beside.py": "from gudgeon.errors import ModelError\n",
    "fem/kernels.py": "import numpy\n",
}
BEHIND = {  # what each depends on, itself included
    "kernels/first.py": {"kernels/first.py", "kernels/second.py", "kernels/third.py", "fem/kernels.py"},
    "kernels/second.py": {"kernels/second.py", "kernels/third.py", "fem/kernels.py"},
    "kernels/third.py": {"kernels/third.py", "fem/kernels.py"},
    "kernels/beside.py": {"kernels/beside.py"},
    "fem/kernels.py": {"fem/kernels.py"},
}


@pytest.fixture
def package(tmp_path) -> Path:
    """A package of kernels that import each other."""
    for name in (*FILES, *SHARED):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(FILES.get(name, "y = 1\n"))
    (tmp_path / "errors.py").write_text("")
    return tmp_path


def forget_files() -> None:
    for each in (sources_of, _source, _is_file):
        each.cache_clear()


def digests(package: Path) -> dict[str, bytes]:
    forget_files()
    return {name: sources_of(package / name, package) for name in FILES}


@pytest.fixture(autouse=True)
def forget():
    yield
    forget_files()


def test_dates_do_not_matter(package):
    before = digests(package)
    for path in package.rglob("*.py"):
        os.utime(path, (1000, 1000))
    assert digests(package) == before


@pytest.mark.parametrize("changed", FILES)
def test_what_imports_a_changed_source_has_changed_and_nothing_else(package, changed):
    before = digests(package)
    (package / changed).write_text(FILES[changed] + "x = 2\n")
    after = digests(package)
    assert {name for name in FILES if after[name] != before[name]} == {n for n in FILES if changed in BEHIND[n]}


def test_what_is_no_kernel_does_not_matter(package):
    before = digests(package)
    (package / "errors.py").write_text("x = 2\n")
    assert digests(package) == before


@pytest.mark.parametrize("name", SHARED)
def test_how_all_are_compiled_has_changed(package, name):
    before = digests(package)
    (package / name).write_text("y = 2\n")
    after = digests(package)
    assert all(after[name] != before[name] for name in FILES)


def test_text_that_moves_to_another_file_is_a_change(package):
    before = digests(package)["kernels/second.py"]
    (package / "kernels/fourth.py").write_text((package / "kernels/third.py").read_text())
    (package / "kernels/second.py").write_text("from gudgeon.kernels import fourth as t\n")
    assert digests(package)["kernels/second.py"] != before


def test_kernels_import_compiled_code_from_files_of_kernels_only():
    """So that the digest sees it: every file of kernels has the word in its path."""
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if re.search(r"^@(_?compiled|entrance|addressed|called|inlined|(numba\.)?n?jit)\b", text, re.MULTILINE):
            assert "kernels" in path.relative_to(PACKAGE).as_posix(), f"{path} has kernels under another name"


def test_no_kernel_uses_the_cache_of_numba():
    """It reads stale code: it looks at a kernel's own file only."""
    for path in PACKAGE.rglob("*.py"):
        assert "cache=True" not in path.read_text(encoding="utf-8"), path


@pytest.fixture
def built(monkeypatch):
    """The module of the decorators, as a process with this GUDGEON_STRICT has it."""

    def build(strict: str) -> ModuleType:
        monkeypatch.setenv("GUDGEON_STRICT", strict)
        monkeypatch.setitem(sys.modules, "gudgeon.code_digest", fresh("gudgeon.code_digest", "code_digest.py"))
        return fresh("decorators", "kernels/build/compiled.py")

    def fresh(name: str, path: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, PACKAGE / path)
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


def test_builds_are_told_apart_and_live_side_by_side(built):
    """Each is kept under names which the other neither reads nor deletes as its own older versions."""
    from gudgeon.kernels.dynamics.motion import right_hand_side

    normal, strict = built("0"), built("1")
    path = PACKAGE / "kernels" / "dynamics" / "motion.py"
    assert normal.sources_of(path) == built("").sources_of(path) != strict.sources_of(path)
    caches = [module._cache_of(right_hand_side.py_func) for module in (normal, strict)]
    files = [Path(cache._files[cache._beside]._index_path).name for cache in caches]
    for own in (0, 1):
        assert fnmatch(files[own], caches[own]._versions)
        assert not fnmatch(files[1 - own], caches[own]._versions)


def test_another_word_for_the_build_is_refused(built):
    with pytest.raises(ModelError, match=r"GUDGEON_STRICT is 'yes'; set it to 1 for the strict build, or to 0"):
        built("yes")
