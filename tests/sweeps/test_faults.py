"""What goes wrong in long studies, done for real: processes killed, Ctrl-C, two at once, a full disk, another study."""

import errno
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.sweeps.journal import Journal, records
from gudgeon.sweeps.member import DONE, Outcome
from gudgeon.sweeps.places import JOURNAL, journals
from gudgeon.sweeps.zarr_files import TEXT, chunk_shape, decoded, encoded
from sweeps.killing import alive, committed, processes_of, same, started, wait_for
from sweeps.pendulums import MASS, all_of, lowest, pendulum

linux = pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")


@pytest.fixture(scope="module")
def whole(pool):
    """The study of the other tests, uninterrupted."""
    return gd.sweep(pendulum(), {MASS: [1.0 + k for k in range(24)]}, 0.05, executor=pool, reduce=all_of)


@linux
def test_a_study_killed_again_and_again_ends_complete(tmp_path, whole):
    store = tmp_path / "study.zarr"
    kept: set[int] = set()
    for least in (4, 10, 16):  # more of it: `make campaign`
        study = started(store, 24, 0.05)
        wait_for(lambda least=least, kept=kept: len(kept | committed(store)) >= least)
        family = processes_of(store)
        study.kill()
        study.communicate()
        here = committed(store)
        status = gd.open_study(store).status.values
        assert set(np.flatnonzero(status == DONE)) >= kept | here  # no finished run is lost
        kept |= here
        wait_for(lambda family=family: not any(map(alive, family)), 60.0)  # and no process is left
        assert len(family) >= 3
    study = started(store, 24, 0.05)
    told, said = study.communicate(timeout=600)
    assert "done 24" in told, said
    assert same(gd.open_study(store), whole)
    assert not committed(store)


@linux
def test_ctrl_c_ends_a_study_and_keeps_what_is_finished(tmp_path):
    store = tmp_path / "study.zarr"
    study = started(store, 24, 0.1)
    wait_for(lambda: len(committed(store)) >= 3)
    family = processes_of(store)
    os.kill(study.pid, signal.SIGINT)
    told, said = study.communicate(timeout=300)
    assert study.returncode == 130, said
    found = re.search(r"interrupted with (\d+): sweep: interrupted; (\d+) of 24 runs are kept", told)
    assert found is not None and found[1] == found[2] and 3 <= int(found[1]) < 24
    assert int((gd.open_study(store).status == DONE).sum()) == int(found[1])
    assert not any(map(alive, family))


@linux
def test_two_processes_work_on_one_study(tmp_path, whole):
    store = tmp_path / "study.zarr"
    both = [started(store, 24, 0.05) for _ in range(2)]
    for study in both:
        told, said = study.communicate(timeout=600)
        assert "done 24" in told, said
    assert same(gd.open_study(store), whole)
    assert not journals(store / JOURNAL)


def kill_once(result):
    flag = Path(os.environ["GUDGEON_TEST_FLAG"]) / f"{result.system.bodies['bob'].mass:g}"
    if result.system.bodies["bob"].mass == 3.0 or (result.system.bodies["bob"].mass == 2.0 and not flag.exists()):
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return lowest(result)


@linux
def test_a_killed_worker_is_replaced_and_its_run_tried_once_more(tmp_path, monkeypatch):
    monkeypatch.setenv("GUDGEON_TEST_FLAG", str(tmp_path))
    masses = [1.0, 2.0, 3.0, 4.0, 5.0]
    data = gd.sweep(pendulum(), {MASS: masses}, 0.05, executor=2, reduce=kill_once, progress=False)
    assert data.status.values.tolist() == [1, 1, 2, 1, 1]
    assert str(data.error.sel(mass=3.0).item()) == "its process was ended by SIGKILL, twice"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"duration": 0.2}, "duration is 0.1 in the store and 0.2 here"),
        ({"system": pendulum(gravity=1.62)}, "system.gravity is not given in the store and [0.0, 0.0, -1.62] here"),
        ({"parameters": {MASS: [1.0, 2.0]}}, "parameters.mass.values is [1.0] in the store and [1.0, 2.0] here"),
        ({"sample": 0.01}, "sample is None in the store and 0.01 here"),
        ({"reduce": None}, "reduce.name is 'lowest' in the store and 'summary' here"),
        ({"solver": gd.Explicit(rtol=1e-9)}, "solver is 'auto' in the store and not given here"),
    ],
)
def test_the_store_of_another_study_is_refused_with_the_difference(tmp_path, pool, change, said):
    given = {"system": pendulum(), "parameters": {MASS: [1.0]}, "duration": 0.1, "reduce": lowest}
    store = tmp_path / "study.zarr"
    first = gd.sweep(**given, executor=pool, store=store)
    with pytest.raises(gd.ModelError) as caught:
        gd.sweep(**{**given, **change}, executor=pool, store=store)
    assert "is the store of another study" in str(caught.value) and said in str(caught.value)
    assert gd.open_study(store).identical(first)


def much(result):
    return {"noise": np.full(50_000, result.system.bodies["bob"].mass)}


@linux
def test_a_full_disk_stops_the_study_and_keeps_what_is_finished(tmp_path, pool):
    """A disk of 4 MB takes some of 30 runs of 0.4 MB each; with more room the study goes on."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        store = disk / "study.zarr"
        study = {"system": pendulum(), "parameters": {MASS: [1.0 + k for k in range(30)]}, "duration": 0.01}
        with pytest.raises(
            gd.FileError, match=r"No space left on device; \d+ runs are kept: free some space"
        ) as caught:
            gd.sweep(**study, executor=pool, store=store, reduce=much)
        assert caught.value.errno == errno.ENOSPC
        kept = int(re.search(r"(\d+) runs are kept", str(caught.value))[1])
        assert 0 < kept < 30
        subprocess.run(["mount", "-o", "remount,size=40m", str(disk)], check=True)
        assert int((gd.open_study(store).status == DONE).sum()) == kept
        data = gd.sweep(**study, executor=pool, store=store, reduce=much)
        assert np.all(data.status == DONE) and np.array_equal(data.noise[:, -1], data.mass)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def outcome(run, size=10):
    return Outcome(run=run, status=DONE, variables={"x": np.arange(size) + float(run)})


def test_half_a_record_is_no_record(tmp_path):
    """Cut anywhere, a journal has exactly the records that are whole."""
    journal = Journal(tmp_path)
    ends = []
    for k in range(3):
        journal.append([outcome(k)])
        ends.append(journal.size)
    journal.close(remove=False)
    content = journal.path.read_bytes()
    cut = tmp_path / "cut.log"
    for place in range(0, len(content) + 1, 7):
        cut.write_bytes(content[:place])
        assert [each.run for _, each in records(cut)] == [k for k in range(3) if ends[k] <= place]
    for place in range(ends[0], ends[1], 5):
        cut.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert [each.run for _, each in records(cut)] == [0]
    (_, first), *_ = records(journal.path)
    assert np.array_equal(first.variables["x"], np.arange(10.0))


def test_chunks_of_texts_and_numbers_come_back():
    texts = np.array([["", "größer"], ["a\nb", "x" * 300]], dtype=object)
    assert np.array_equal(decoded(encoded(texts, TEXT), TEXT, (2, 2)), texts)
    numbers = np.array([np.nan, -0.0, 1e300])
    assert decoded(encoded(numbers, "<f8"), "<f8", (3,)).tobytes() == numbers.tobytes()
    assert chunk_shape("<f8", (7, 1000), (200_001,)) == (1, 2, 200_001)
