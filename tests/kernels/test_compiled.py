"""What the compiled code of a kernel comes from: a change anywhere gives it another name on disk, a date does not."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType

import numba
import pytest

from gudgeon.errors import ModelError
from gudgeon.kernels.compiled import PACKAGE, SHARED, _imported_by, sources_of

FILES = [  # of kernels
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if re.search(r"^from gudgeon\.kernels\.compiled import(.|\n)*^@", path.read_text(encoding="utf-8"), re.MULTILINE)
]
CALLS = {  # file → what it imports
    "kernels/one.py": "from gudgeon.kernels.two import f\n",
    "kernels/two.py": "from gudgeon.fem.kernels import g\n",
    "kernels/apart.py": "import math\n",
    "fem/kernels.py": "",
}


@pytest.fixture
def package(tmp_path) -> Path:
    """A package with kernels that call others."""
    for name, text in {**CALLS, **dict.fromkeys(SHARED, "")}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def digests(package: Path) -> dict[str, bytes]:
    sources_of.cache_clear()
    return {name: sources_of(package / name, package) for name in CALLS if (package / name).exists()}


def changed(package: Path, name: str) -> set[str]:
    """Whose digests change with a file."""
    before = digests(package)
    (package / name).write_text((package / name).read_text() + "x = 2\n")
    after = digests(package)
    return {each for each in CALLS if after[each] != before[each]}


@pytest.fixture(autouse=True)
def forget():
    yield
    sources_of.cache_clear()


def test_dates_do_not_matter(package):
    before = digests(package)
    for path in package.rglob("*.py"):
        os.utime(path, (1000, 1000))
    assert digests(package) == before


def test_a_source_has_changed(package):
    """Its own kernels and all that call them, however far, are compiled again; others are not."""
    assert changed(package, "fem/kernels.py") == {"kernels/one.py", "kernels/two.py", "fem/kernels.py"}
    assert changed(package, "kernels/two.py") == {"kernels/one.py", "kernels/two.py"}
    assert changed(package, "kernels/apart.py") == {"kernels/apart.py"}


def test_how_all_are_compiled_has_changed(package):
    for name in SHARED:
        assert changed(package, name) == set(CALLS)


def test_text_that_moves_to_another_file_is_a_change(package):
    (package / "kernels" / "two.py").write_text("x = 1\n")
    before = digests(package)
    (package / "kernels" / "two.py").rename(package / "kernels" / "three.py")
    (package / "kernels" / "one.py").write_text("from gudgeon.kernels.three import f\n")
    assert digests(package)["kernels/one.py"] != before["kernels/one.py"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_import_of_a_kernel_is_seen(path):
    """Against Python's own reading of the file: imports of any form, over several lines or within functions."""
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level and node.module, f"{path}: write imports with the full name"
            imported |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
    files = {PACKAGE.parent / f"{name.replace('.', '/')}.py" for name in imported if name.startswith("gudgeon.")}
    assert {file for file in files if file.is_file()} <= set(_imported_by(path, PACKAGE))


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


def test_builds_are_told_apart_and_live_side_by_side(built):
    """Each is kept under names which the other neither reads nor deletes as its own older versions."""
    from gudgeon.kernels.motion import right_hand_side

    normal, strict, unset = built("0"), built("1"), built("")
    path = PACKAGE / "kernels" / "motion.py"
    assert normal.sources_of(path) == unset.sources_of(path) != strict.sources_of(path)
    caches = [module._cache_of(right_hand_side.py_func) for module in (normal, strict)]
    files = [Path(cache._files[cache._beside]._index_path).name for cache in caches]
    for own in (0, 1):
        assert fnmatch(files[own], caches[own]._versions)
        assert not fnmatch(files[1 - own], caches[own]._versions)


def test_another_word_for_the_build_is_refused(built):
    with pytest.raises(ModelError, match=r"GUDGEON_STRICT is 'yes'; set it to 1 for the strict build, or to 0"):
        built("yes")
