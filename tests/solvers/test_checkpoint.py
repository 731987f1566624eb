"""A run that is kept on the disk goes on, wherever its process died, as if it had not: all of it, to the last bit."""

from __future__ import annotations

import errno
import os
import shutil

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.solvers import kept_run, run
from mistakes import refuses
from real_joints import RADII, ball_in_socket
from test_state import CASES, WATCH

DEATHS = 3  # of every case


class Death(Exception):
    """A process that dies: nobody tidies up."""


@pytest.fixture
def step_by_step(monkeypatch):
    """Compiled code returns to Python after every step, so that a run can die anywhere; it is kept now and then."""
    random = np.random.default_rng(1)
    monkeypatch.setattr(run, "FIRST_BUDGET", 1)
    monkeypatch.setattr(run, "SECONDS_PER_CALL", 1e-9)
    monkeypatch.setattr(kept_run.Keeper, "is_due", lambda self: random.uniform() < 0.1)
    monkeypatch.setattr(os, "fsync", lambda handle: None)  # the process dies, not the machine


@pytest.fixture
def checkpoint(tmp_path) -> gd.Checkpoint:
    return gd.Checkpoint(tmp_path / "run.checkpoint", every=1e-9)


def dying_at(fraction: float):
    def progress(done: float) -> None:
        if done >= fraction:
            raise Death

    return progress


def assert_same(one: gd.Result, other: gd.Result) -> None:
    assert np.array_equal(one.states, other.states)
    assert one.data.identical(other.data)
    assert one.events.equals(other.events)
    assert one.crossings.equals(other.crossings)
    assert one.state() == other.state()
    first, second = one.state().memory, other.state().memory
    assert (first.key, first.time) == (second.key, second.time)
    for name, array in first.arrays.items():
        assert np.array_equal(array, second.arrays[name], equal_nan=True), name
    for name in ("steps", "rejections", "evaluations", "end", "end_time"):
        assert one.stats[name] == other.stats[name], name


@pytest.mark.parametrize("case", CASES)
def test_a_run_that_dies_anywhere_goes_on_to_the_last_bit(case, checkpoint, step_by_step):
    system, duration, solver, coordinates = CASES[case]
    options = {"sample": duration / 32, "solver": solver, "coordinates": coordinates}
    whole = gd.simulate(system, duration, **options)
    for fraction in np.sort(np.random.default_rng(list(CASES).index(case)).uniform(0.05, 0.9, DEATHS)):
        with pytest.raises(Death):
            gd.simulate(system, duration, checkpoint=checkpoint, progress=dying_at(fraction), **options)
        assert checkpoint.time <= (fraction + 0.2) * duration
    again = gd.simulate(system, duration, checkpoint=checkpoint, **options)
    assert_same(again, whole)
    assert len(again.stats["resumed_at"]) == DEATHS and again.stats["resumed_at"][-1] > 0.0


def test_crossings_and_a_run_that_itself_goes_on(checkpoint, step_by_step):
    """A run from the state of another one, with crossings, killed twice."""
    system, duration, solver, _ = CASES["dry"]
    options = {"sample": duration / 64, "solver": solver, "crossings": WATCH}
    start = gd.simulate(system, 0.3 * duration, **options).state()
    whole = gd.simulate(system, duration, start=start, **options)
    for fraction in (0.3, 0.7):
        with pytest.raises(Death):
            gd.simulate(system, duration, start=start, checkpoint=checkpoint, progress=dying_at(fraction), **options)
    assert_same(gd.simulate(system, duration, start=start, checkpoint=checkpoint, **options), whole)


def test_more_contacts_than_there_is_room_for_at_first(checkpoint, step_by_step):
    """The table of contacts grows while a run lasts; that of the run which goes on has to be as large."""
    elastic = gd.Dry(**RADII, contact=gd.laws.Hertz(stiffness=1e10))
    system, duration = ball_in_socket(elastic, velocity=(0.1, 0, 0)), 0.2
    whole = gd.simulate(system, duration)
    assert len(whole.events) > 64
    with pytest.raises(Death):
        gd.simulate(system, duration, checkpoint=checkpoint, progress=dying_at(0.95))
    assert_same(gd.simulate(system, duration, checkpoint=checkpoint), whole)


def test_ctrl_c_keeps_the_last_step(tmp_path, step_by_step):
    """Also where no checkpoint is due; and the file of what was computed is there."""
    system, checkpoint = gd.examples.spatial_four_bar(), gd.Checkpoint(tmp_path / "run", every=1e6)

    def interrupted(done: float) -> None:
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(gd.SimulationInterrupted) as stop:
        gd.simulate(system, 1.0, sample=0.01, checkpoint=checkpoint, progress=interrupted)
    assert checkpoint.time == stop.value.result.stats["end_time"] > 0.5
    assert_same(gd.simulate(system, 1.0, sample=0.01, checkpoint=checkpoint), gd.simulate(system, 1.0, sample=0.01))


def test_what_is_new_is_appended(checkpoint, monkeypatch, step_by_step):
    """Every sample goes to the disk once: what is written grows with the run, not with its square."""
    written = []
    append = kept_run.Keeper._append
    monkeypatch.setattr(
        kept_run.Keeper, "_append", lambda self, content: (written.append(len(content)), append(self, content))[1]
    )
    result = gd.simulate(gd.examples.spatial_four_bar(), 10.0, sample=1e-3, checkpoint=checkpoint)
    assert len(written) > 10
    empty = written[0]
    assert sum(size - empty for size in written) < 1.1 * result.states.nbytes
    assert os.path.getsize(checkpoint.path / "samples") == sum(written)


def test_a_run_that_is_not_kept_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gd.simulate(gd.examples.spatial_four_bar(), 0.1)
    assert not os.listdir(tmp_path)


def full_disk(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("function", ["write", "fsync"])
def test_a_disk_that_fills_up_is_a_warning_and_harms_nothing(function, checkpoint, monkeypatch, step_by_step):
    """The run goes on; what was kept before can be gone on from, and so can it when there is room again."""
    system = gd.examples.spatial_four_bar("dry")
    whole = gd.simulate(system, 0.2)
    with pytest.raises(Death):
        gd.simulate(system, 0.2, checkpoint=checkpoint, progress=dying_at(0.3))
    time, kept = checkpoint.time, (checkpoint.path / "samples").read_bytes()

    def fills_up(done: float) -> None:
        if done > 0.4:
            monkeypatch.setattr(kept_run.os, function, full_disk)
        if done > 0.6:
            raise Death

    told = r"Checkpoint: '.*samples' cannot be written: No space left on device\. The run goes on; what is kept is that"
    with pytest.warns(UserWarning, match=told) as warned, pytest.raises(Death):
        gd.simulate(system, 0.2, checkpoint=checkpoint, progress=fills_up)
    monkeypatch.undo()
    assert len(warned) == 1
    assert checkpoint.time > time
    assert (checkpoint.path / "samples").read_bytes().startswith(kept)
    assert_same(gd.simulate(system, 0.2, checkpoint=checkpoint), whole)


def test_a_state_cut_off_by_a_crash_is_not_read(checkpoint, step_by_step):
    """Samples beyond the last state, whole or torn, do not count: what comes then is written over them."""
    system = gd.examples.spatial_four_bar("dry")
    with pytest.raises(Death):
        gd.simulate(system, 0.2, checkpoint=checkpoint, progress=dying_at(0.5))
    (checkpoint.path / "state1x2.part").write_bytes(b"half")  # of a state that was being written
    for torn in (b"GC1\n", os.urandom(5000)):
        with open(checkpoint.path / "samples", "ab") as file:
            file.write(torn)
        shutil.copytree(checkpoint.path, copy := checkpoint.path.with_name(f"copy {len(torn)}"))
        again = gd.simulate(system, 0.2, checkpoint=gd.Checkpoint(copy))
        assert_same(again, gd.simulate(system, 0.2))
        assert sorted(os.listdir(copy)) == ["lock", "samples", "state"]


@pytest.mark.parametrize("name", ["state", "samples"])
def test_a_damaged_checkpoint_is_refused(name, checkpoint, step_by_step):
    system = gd.examples.spatial_four_bar("dry")
    with pytest.raises(Death):
        gd.simulate(system, 0.2, checkpoint=checkpoint, progress=dying_at(0.5))
    content = (checkpoint.path / name).read_bytes()
    random = np.random.default_rng(5)
    changed = [content[: len(content) // 2], b"", b"x"]
    for place in random.integers(0, len(content), 10):
        flipped = bytearray(content)
        flipped[place] ^= 1 << int(random.integers(8))
        changed.append(bytes(flipped))
    for each in changed:
        (checkpoint.path / name).write_bytes(each)
        with pytest.raises(gd.FileError, match=r"Checkpoint: .* is damaged"):
            gd.simulate(system, 0.2, checkpoint=checkpoint)
    (checkpoint.path / name).unlink()
    if name == "samples":
        with pytest.raises(gd.FileError, match=r"Checkpoint: there is no file '.*samples'"):
            gd.simulate(system, 0.2, checkpoint=checkpoint)


def test_another_run_is_refused_with_what_differs(checkpoint, step_by_step):
    system = gd.examples.spatial_four_bar()
    with pytest.raises(Death):
        gd.simulate(system, 1.0, checkpoint=checkpoint, progress=dying_at(0.5))
    kept = (checkpoint.path / "state").read_bytes()
    options = {"checkpoint": checkpoint}
    for different, call in {
        "the system differs": lambda: gd.simulate(system.replace(gravity=(0, 0, -1.62)), 1.0, **options),
        "the solver differs": lambda: gd.simulate(system, 1.0, solver=gd.Explicit(rtol=1e-9), **options),
        "the duration and the samples differ": lambda: gd.simulate(system, 2.0, **options),
        "the samples differs": lambda: gd.simulate(system, 1.0, sample=0.1, **options),
        "crossings differs": lambda: gd.simulate(system, 1.0, crossings=WATCH, **options),
        "coordinates and the start differ": lambda: gd.simulate(system, 1.0, coordinates="relative", **options),
    }.items():
        with refuses(
            f"Checkpoint: '…' keeps another run, cut at t = …: {different}; give another folder, or remove it"
        ):
            call()
    assert (checkpoint.path / "state").read_bytes() == kept


def test_one_process_at_a_time(checkpoint, step_by_step):
    def another(done: float) -> None:
        with refuses("Checkpoint: another process is at work on '…'; wait for it, or give another folder"):
            gd.simulate(gd.examples.spatial_four_bar(), 1.0, checkpoint=checkpoint)
        raise Death

    with pytest.raises(Death):
        gd.simulate(gd.examples.spatial_four_bar(), 1.0, checkpoint=checkpoint, progress=another)


def test_what_is_refused(tmp_path):
    system = gd.examples.spatial_four_bar()
    with refuses("simulate: checkpoint: Sundials keeps the history of its steps to itself, …"):
        gd.simulate(system, 1.0, solver=gd.Sundials(), checkpoint=gd.Checkpoint(tmp_path / "run"))
    with refuses("simulate: checkpoint is 'run'; give gd.Checkpoint('run.checkpoint', every=10)"):
        gd.simulate(system, 1.0, checkpoint="run")
    with refuses("Checkpoint: every is 0 s; give a positive number of seconds, such as 10"):
        gd.Checkpoint("run", every=0)
    with refuses("Checkpoint: path is 3; give the name of a folder"):
        gd.Checkpoint(3)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    other = "Checkpoint: the folder '…' has other files in it ('thesis.tex'); give one of its own"
    with refuses(other):
        gd.simulate(system, 1.0, checkpoint=gd.Checkpoint(tmp_path / "mine"))
    assert os.listdir(tmp_path / "mine") == ["thesis.tex"]
    with refuses(other):
        gd.Checkpoint(tmp_path / "mine").remove()
    (tmp_path / "file").write_text("")
    with refuses("Checkpoint: the folder '…' cannot be made: File exists; choose another one"):
        gd.simulate(system, 1.0, checkpoint=gd.Checkpoint(tmp_path / "file"))


def test_removed_when_it_is_no_longer_needed(checkpoint):
    result = gd.simulate(gd.examples.spatial_four_bar(), 0.1, checkpoint=checkpoint)
    assert checkpoint.time is not None and "resumed_at" not in result.stats
    checkpoint.remove()
    assert checkpoint.time is None and not checkpoint.path.exists()
    checkpoint.remove()
