"""Studies in processes of their own, to be killed: what is committed, who is still there, whether two are the same."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from gudgeon.sweeps.journal import records
from gudgeon.sweeps.places import JOURNAL, journals

KILLABLE = Path(__file__).with_name("killable.py")


def started(store: Path, runs: int, seconds: float, executor: str = "2", before: tuple = ()) -> subprocess.Popen:
    """A study of so many runs that take so many seconds each, by so many processes."""
    command = [*before, sys.executable, str(KILLABLE), str(store), str(runs), str(seconds), executor]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background ignore Ctrl-C
    )


def committed(store: Path) -> set[int]:
    """The runs that are in the journals of a store, without touching it."""
    return {outcome.run for path in journals(store / JOURNAL) for _, outcome in records(path)}


def wait_for(condition, seconds=300.0):
    """Until it holds; an AssertionError after so many seconds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.02)


def processes_of(store: Path) -> list[int]:
    """Processes that have to do with a store, by their command lines, and all that came of them."""
    children: dict[int, list[int]] = {}
    named = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        parent = int(stat.rpartition(")")[2].split()[1])
        children.setdefault(parent, []).append(int(folder.name))
        if str(store).encode() in command:
            named.append(int(folder.name))
    found = []
    while named:
        pid = named.pop()
        found.append(pid)
        named += children.get(pid, [])
    return found


def state(pid: int) -> str:
    """R, S, … of a process, Z of one that ended and that nobody asked for, or nothing."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and that nobody asked for does not."""
    return state(pid) not in ("", "Z")


def same(one, two) -> bool:
    """Whether two studies have the same numbers, to the bit; not how long their runs took."""
    names = [name for name in one.data_vars if name != "seconds"]
    return all(np.array_equal(one[name], two[name], equal_nan=one[name].dtype.kind == "f") for name in names)
