"""Run seeded cases in processes of their own, so that a hang or a crash is an outcome like any other."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from outcome import CRASH, HANG, Outcome

HERE = Path(__file__).parent
SECONDS = 120.0  # a case that takes longer hangs


def run_all(part: str, seeds: Iterable[int], processes: int, done: Callable[[int, Outcome], None]) -> None:
    """Run the cases `part`.case(seed); `done` hears of each outcome."""
    waiting, lock = list(reversed(list(seeds))), threading.Lock()

    def work() -> None:
        child: Child | None = None
        while True:
            with lock:
                if not waiting:
                    break
                seed = waiting.pop()
            child = child or Child(part)
            outcome = child.case(seed)
            if outcome.end in (HANG, CRASH):
                child = None
            with lock:
                done(seed, outcome)
        if child is not None:
            child.close()

    threads = [threading.Thread(target=work) for _ in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Child:
    """A process that answers seeds with outcomes, a line each."""

    def __init__(self, part: str):
        command = [sys.executable, str(HERE / "isolated.py"), part]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=HERE
        )

    def case(self, seed: int) -> Outcome:
        """The outcome of one case."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        alarm = threading.Timer(SECONDS, self._process.kill)
        began = time.monotonic()
        alarm.start()
        try:
            stdin.write(f"{seed}\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            alarm.cancel()
        if line:
            return Outcome(**json.loads(line) | {"seconds": time.monotonic() - began})
        self._process.wait()
        if time.monotonic() - began >= SECONDS:
            return Outcome("", HANG, note=f"no answer within {SECONDS:g} s")
        return Outcome("", CRASH, note=f"the process ended with code {self._process.returncode}")

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def _serve(part: str) -> None:
    import importlib
    import os
    import warnings

    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what cases print must not be taken for an answer
    case = importlib.import_module(part).case
    for line in sys.stdin:
        answers.write(json.dumps(vars(case(int(line)))) + "\n")
        answers.flush()


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]
    _serve(sys.argv[1])
