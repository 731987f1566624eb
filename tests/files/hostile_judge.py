"""Try hostile files, each in a process of its own with limits; tells in JSON what each did: a line for every case.

    python hostile_judge.py [name of a case ...]

The parent imports what the commands need, so that a case costs its own time and memory only. A case may take five
seconds of the processor and of the clock, and of memory one gigabyte, all libraries included.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

from typer.testing import CliRunner

SECONDS, BYTES = 5.0, 1_000_000_000
CLOCK = 60.0  # a machine may be busy: what hangs is ended then


def preload() -> None:
    """Everything that commands import, and one command of each kind."""
    import h5netcdf  # noqa: F401
    import pint  # noqa: F401
    import xarray  # noqa: F401

    import gudgeon.sweeps.described_study
    import gudgeon.sweeps.missing_runs
    import gudgeon.sweeps.study_file
    import gudgeon.view.page.page
    import gudgeon.view.report.report  # noqa: F401
    from gudgeon.cli import main

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        CliRunner().invoke(main, ["new"])
        CliRunner().invoke(main, ["run", "pendulum.yaml", "--duration", "1e-3", "-q"])
        CliRunner().invoke(main, ["export", "pendulum.nc", "--csv", "-q"])
        os.chdir("/")


def size() -> int:
    """Of this process's address space [bytes]."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def tried(name: str) -> dict:
    """What a hostile file does, told by the parent."""
    from files.hostile import CASES, special

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        arguments = CASES[name][0](Path(folder))
        special(name, Path(folder))
        read, write = os.pipe()
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            os.close(read)
            _child(arguments, write)
        os.close(write)
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, CLOCK)
        with open(read, "rb") as answers:
            answer = answers.read()
        _, status, usage = os.wait4(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        told = json.loads(answer) if answer else {"exit": None, "said": "", "failed": f"ended with status {status}"}
        executed = (Path(folder) / "executed").exists()
        os.chdir("/")
    seconds = {"cpu": usage.ru_utime + usage.ru_stime, "clock": time.monotonic() - began}
    return {"name": name, **told, **seconds, "memory": usage.ru_maxrss * 1024, "executed": executed}


def _child(arguments: list[str], write: int) -> None:
    """Run the command within its limits and tell; never returns."""
    from gudgeon.cli import main

    told: dict = {"exit": None, "said": "", "failed": ""}
    try:
        resource.setrlimit(resource.RLIMIT_AS, (size() + BYTES,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS) + 1,) * 2)
        result = CliRunner().invoke(main, arguments)
        told["exit"], told["said"] = result.exit_code, result.stderr
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            told["failed"] = repr(result.exception)[:500]
    except BaseException as error:
        told["failed"] = repr(error)[:500]
    finally:
        os.write(write, json.dumps(told).encode())
        os._exit(0)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from files.hostile import CASES

    preload()
    for case in sys.argv[1:] or CASES:
        print(json.dumps(tried(case)), flush=True)
