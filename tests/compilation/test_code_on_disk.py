"""Where compiled code is kept: read-only folders are read, others are passed over, at the end with a note."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import numba
import pytest
from numba.core import config

from gudgeon import code_on_disk
from gudgeon.code_digest import digest
from gudgeon.code_on_disk import CodeCache

KERNEL = "def multiple(x):\n    return {factor} * x\n"


class Machine:
    """A folder with a kernel, a home and a folder for temporary files; each `run` is as in a new process."""

    def __init__(self, root: Path, monkeypatch, capsys):
        self.source, self.home, self.temporary, self.given = (
            root / name for name in ("source", "home", "tmp", "given")
        )
        self._patch, self._said = monkeypatch, capsys
        for folder in (self.source, self.home, self.temporary):
            folder.mkdir()
        self.write(2)
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setattr(code_on_disk, "TEMPORARY", self.temporary / "gudgeon-me")
        self.name_folder("")

    def name_folder(self, given: Path | str) -> None:
        self._patch.setattr(config, "CACHE_DIR", str(given))

    def write(self, factor: int) -> None:
        (self.source / "kernel.py").write_text(KERNEL.format(factor=factor))

    def run(self, argument: float = 21) -> tuple[float, int, str]:
        """The kernel's answer, how often it was read from disk, and what was said."""
        self._patch.setattr(code_on_disk, "_refused", {})
        self._patch.setattr(code_on_disk, "_noted", set())
        path = self.source / "kernel.py"
        names: dict[str, object] = {"__name__": "kernel"}
        exec(compile(path.read_text(), str(path), "exec"), names)
        kernel = numba.njit()(names["multiple"])
        kernel._cache = CodeCache(kernel.py_func, "multiple", digest(path.read_bytes()))
        answer = kernel(argument)
        return answer, sum(kernel._cache_hits.values()), self._said.readouterr().err

    def close(self, *folders: Path) -> None:
        """A file where a folder should be: nobody can write there, root neither."""
        for folder in folders:
            folder.mkdir(exist_ok=True)
            folder.rmdir()
            folder.write_text("no folder")


@pytest.fixture
def machine(tmp_path, monkeypatch, capsys) -> Machine:
    return Machine(tmp_path, monkeypatch, capsys)


def test_beside_the_source_and_found_again(machine):
    assert machine.run() == (42, 0, "")
    assert machine.run() == (42, 1, "")
    assert len(list((machine.source / "__pycache__").iterdir())) == 2
    assert not list(machine.home.iterdir()) and not list(machine.temporary.iterdir())


def test_changed_sources_are_never_answered_by_old_code_and_replace_it(machine):
    assert machine.run() == (42, 0, "")
    old = (machine.source / "kernel.py").stat()
    machine.write(3)
    os.utime(machine.source / "kernel.py", (old.st_atime, old.st_mtime))  # same date, same size
    assert machine.run() == (63, 0, "")
    assert len(list((machine.source / "__pycache__").iterdir())) == 2


def test_code_older_than_its_source_is_used_if_that_has_not_changed(machine):
    """As after copying, installing or checking out, which give sources new dates."""
    assert machine.run() == (42, 0, "")
    for path in (machine.source / "__pycache__").iterdir():
        os.utime(path, (1000, 1000))
    assert machine.run() == (42, 1, "")


def test_damaged_files_are_as_good_as_none(machine):
    assert machine.run() == (42, 0, "")
    for path in (machine.source / "__pycache__").glob("*.nbi"):
        path.write_bytes(path.read_bytes()[:100])
    assert machine.run() == (42, 0, "")
    assert machine.run() == (42, 1, "")


def test_code_in_a_folder_that_cannot_be_written_is_read(machine):
    """What an administrator has compiled serves everybody."""
    assert machine.run() == (42, 0, "")
    (machine.source / "__pycache__").rename(machine.source / "made")
    (machine.source / "__pycache__").symlink_to(machine.source / "made")
    machine.close(machine.home)
    (machine.source / "made").chmod(0o500)
    assert machine.run() == (42, 1, "")


def test_the_users_folder_where_the_source_cannot_have_one(machine):
    machine.close(machine.source / "__pycache__")
    assert machine.run() == (42, 0, "")
    assert machine.run() == (42, 1, "")
    assert [path.name for path in machine.home.iterdir()] == [".cache"]


def test_a_temporary_folder_where_there_is_no_home_either(machine):
    machine.close(machine.source / "__pycache__", machine.home)
    answer, hits, said = machine.run()
    assert (answer, hits) == (42, 0)
    (folder,) = machine.temporary.iterdir()
    assert said.count("\n") == 1
    assert f"it is kept in {folder}; set NUMBA_CACHE_DIR to a folder that you can write" in said
    assert str(machine.source) in said and str(machine.home) in said
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert machine.run() == (42, 1, "")


def test_a_temporary_folder_that_others_may_write_is_not_trusted(machine):
    machine.close(machine.source / "__pycache__", machine.home)
    machine.run()
    (folder,) = machine.temporary.iterdir()
    folder.chmod(0o777)
    cached = {str(path) for path in folder.rglob("*.nb?")}
    answer, hits, said = machine.run()
    assert (answer, hits) == (42, 0)
    assert cached == {str(path) for path in folder.rglob("*.nb?")}
    assert "another user has made or may write it" in said and "it is compiled again at every start" in said


def test_the_folder_that_the_user_names(machine):
    machine.name_folder(machine.given)
    assert machine.run() == (42, 0, "")
    assert machine.run() == (42, 1, "")
    assert not (machine.source / "__pycache__").exists()


def test_code_of_the_package_is_found_before_that_in_the_named_folder(machine):
    assert machine.run() == (42, 0, "")
    machine.name_folder(machine.given)
    assert machine.run() == (42, 1, "")
    assert not machine.given.exists()


def test_processes_that_compile_for_other_types_at_once_do_not_mix_them_up(machine):
    """The name of the file tells the types, whoever comes first."""

    def written(first: float, second: float) -> set[str]:
        for argument in (first, second):
            assert machine.run(argument) == (2 * argument, 0, "")
        names = {path.name for path in (machine.source / "__pycache__").glob("*.nbc")}
        shutil.rmtree(machine.source / "__pycache__")
        return names

    names = written(21, 2.5)
    assert len(names) == 2
    assert written(2.5, 21) == names
    machine.run(2.5)
    assert len(names & {path.name for path in (machine.source / "__pycache__").glob("*.nbc")}) == 1


def test_a_full_disk_is_no_error(machine, monkeypatch):
    def full(self, key, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(code_on_disk._Files, "save", full)
    answer, hits, said = machine.run()
    assert (answer, hits) == (42, 0)
    assert "(No space left on device)" in said and "it is compiled again at every start" in said


def test_a_digest_tells_where_one_part_ends():
    assert digest(b"ab", b"c") != digest(b"a", b"bc")
