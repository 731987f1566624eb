"""Write strict.json and normal.json anew: python tests/frozen/freeze.py

Only after a change that is meant to change results, and with a word in the commit on which and why. Both builds run
everything; that they differ in rounding alone shows how far a run can be compared in the normal build: up to the sample
at which they have parted by 1e-11, a hundredth of what the test allows.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

TESTS = Path(__file__).parent.parent
sys.path[0] = str(TESTS)

from frozen.record import NORMAL, RTOL, STRICT, contacts, digests, machine, motion  # noqa: E402
from frozen.runs import RUNS, SAMPLES  # noqa: E402

PARTED = 0.01 * RTOL  # the two builds, so far that a run is not compared any longer
MOST_CONTACTS = 12  # kept of a run


def main() -> None:
    with TemporaryDirectory() as folder:
        strict, normal = (_run_build(build, Path(folder) / f"{build}.pickle") for build in ("1", "0"))
    kept = {name: run["digests"] for name, run in strict.items()}
    _write(STRICT, {"machine": machine(), "runs": kept})
    numbers = {name: _comparable(normal[name], strict[name], RUNS[name].duration) for name in RUNS}
    _write(NORMAL, {"runs": numbers})
    for name, run in numbers.items():
        if run["until"] < SAMPLES - 1:
            print(f"compared up to sample {run['until']} of {SAMPLES - 1}: {name}")


def _run_build(build: str, out: Path) -> dict[str, Any]:
    """All runs in one of the two builds, in a process of its own."""
    environment = os.environ | {"GUDGEON_STRICT": build}
    subprocess.run([sys.executable, __file__, str(out)], env=environment, check=True)
    return pickle.loads(out.read_bytes())


def _run_all(out: Path) -> None:
    made: dict[str, Any] = {}
    for name, run in RUNS.items():
        began = time.perf_counter()
        result = run.result()
        made[name] = {"digests": digests(result), "motion": motion(result), "contacts": contacts(result)}
        seconds = time.perf_counter() - began
        print(
            f"{seconds:6.2f} s {result.stats['steps']!s:>7} steps {len(result.events):4} contacts  {name}", flush=True
        )
    out.write_bytes(pickle.dumps(made))


def _comparable(run: dict[str, Any], other: dict[str, Any], duration: float) -> dict[str, Any]:
    """What the normal build must meet: the motion at the last sample before two builds part, and contacts till then."""
    scale = {name: float(np.abs(values).max()) for name, values in run["motion"].items()}
    apart = np.zeros(SAMPLES)
    for name, values in run["motion"].items():
        apart = np.maximum(apart, np.abs(values - other["motion"][name]).max(axis=1) / (scale[name] or 1.0))
    parted = np.flatnonzero(apart > PARTED)
    until = int(parted[0]) - 1 if len(parted) else SAMPLES - 1
    end = duration * until / (SAMPLES - 1)
    limits = PARTED * np.array([duration, scale["velocity"]])
    kept: list[list[float]] = []
    for line, again in zip(run["contacts"], other["contacts"], strict=False):
        if line[0] >= end or np.any(np.abs(line - again) > limits) or len(kept) == MOST_CONTACTS:
            break
        kept.append([_short(x) for x in line])
    return {
        "until": until,
        "motion": {name: [_short(x) for x in values[until]] for name, values in run["motion"].items()},
        "scale": {name: _short(x) for name, x in scale.items()},
        "contacts": kept,
    }


def _short(x: float) -> float:
    return float(f"{x:.13g}")


def _write(path: Path, content: dict[str, Any]) -> None:
    """One run a line."""
    runs = content.pop("runs")
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    listed = ",\n".join(f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(run)}" for name, run in runs.items())
    path.write_text("{" + ",\n".join([*lines, f'"runs": {{\n{listed}\n}}']) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _run_all(Path(sys.argv[1]))
    else:
        main()
