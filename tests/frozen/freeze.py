"""Write strict.json and normal.json anew: python tests/frozen/freeze.py

    python tests/frozen/freeze.py --here      only add the bits of these libraries, where all tests of numbers pass

Only after a change that is meant to change results, and with a word in the commit on which and why. How far the numbers
of the normal build may move is measured: by the strict build, which differs in rounding alone, and by tolerances of the
solvers that differ by 1e-12, since rounding decides whether a step is taken that is just good enough. A run is compared
to ten times that, and to 1e-9 at the least: at its end, and before at the last sample to which 1e-9 holds.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

TESTS = Path(__file__).parent.parent
sys.path[0] = str(TESTS)

from frozen.record import NORMAL, RTOL, STRICT, contacts, digests, machine, motion, rounding, scales  # noqa: E402
from frozen.runs import RUNS, SAMPLES  # noqa: E402

MARGIN = 10.0
SHAKEN = (1e-12, -1e-12, 3e-12)  # changes of tolerances
MOST_CONTACTS = 12  # kept of a run


def main(*, here: bool) -> None:
    with TemporaryDirectory() as folder:
        strict = _run_build("1", Path(folder) / "1.pickle")
        bits = {rounding(): {name: runs[0]["digests"] for name, runs in strict.items()}}
        if here:
            _write(STRICT, json.loads(STRICT.read_text(encoding="utf-8")) | bits)
            return
        normal = _run_build("0", Path(folder) / "0.pickle")
    _write(STRICT, bits)
    numbers = {name: _numbers(normal[name], strict[name], RUNS[name].duration) for name in RUNS}
    _write(NORMAL, {"machine": machine(), "runs": numbers})


def _run_build(build: str, out: Path) -> dict[str, Any]:
    """All runs in one of the two builds, in a process of its own."""
    environment = os.environ | {"GUDGEON_STRICT": build}
    subprocess.run([sys.executable, __file__, str(out)], env=environment, check=True)
    return pickle.loads(out.read_bytes())


def _run_all(out: Path) -> None:
    """Every run, in the normal build once more with each shaken tolerance."""
    made: dict[str, list[Any]] = {}
    shaken = () if os.environ["GUDGEON_STRICT"] == "1" else SHAKEN
    for name, run in RUNS.items():
        began = time.perf_counter()
        results = [run.result()]
        if getattr(run.solver, "rtol", None):
            results += [replace(run, solver=_shaken(run.solver, change)).result() for change in shaken]
        made[name] = [{"digests": digests(r), "motion": motion(r), "contacts": contacts(r)} for r in results]
        print(f"{time.perf_counter() - began:6.2f} s {len(results[0].events):4} contacts  {name}", flush=True)
    out.write_bytes(pickle.dumps(made))


def _shaken(solver: Any, change: float) -> Any:
    return replace(solver, rtol=solver.rtol * (1.0 + change))


def _numbers(runs: list[Any], strict: list[Any], duration: float) -> dict[str, Any]:
    """What the normal build must meet, and to what."""
    run, others = runs[0], [*strict, *runs[1:]]
    scale, apart = scales(run["motion"]), np.zeros(SAMPLES)
    for name, values in run["motion"].items():
        for other in others:
            apart = np.maximum(apart, np.abs(values - other["motion"][name]).max(axis=1) / scale[name])
    within = np.maximum(RTOL, MARGIN * np.maximum.accumulate(apart))
    limits = within[-1] * np.array([duration, scale["velocity"]])
    kept: list[list[float]] = []
    for k, line in enumerate(run["contacts"][:MOST_CONTACTS]):
        again = [other["contacts"][k] for other in others if len(other["contacts"]) > k]
        if len(again) < len(others) or any(np.any(MARGIN * np.abs(line - x) > limits) for x in again):
            break
        kept.append([_short(x) for x in line])
    tight = int(np.flatnonzero(within <= RTOL)[-1])
    return {
        "scale": {name: _short(scale[name]) for name in run["motion"]},
        "within": _short(within[-1]),
        "motion": {
            str(sample): {name: [_short(x) for x in values[sample]] for name, values in run["motion"].items()}
            for sample in sorted({tight, SAMPLES - 1} - {0})
        },
        "contacts": kept,
    }


def _short(x: float) -> float:
    return float(f"{x:.13g}")


def _write(path: Path, content: dict[str, Any]) -> None:
    """One run a line."""
    parts = [
        f"{_json(key)}: {_listed(value) if isinstance(value, dict) else _json(value)}" for key, value in content.items()
    ]
    path.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


def _listed(runs: dict[str, Any]) -> str:
    lines = ",\n".join(f"{_json(name)}: {_json(run)}" for name, run in runs.items())
    return f"{{\n{lines}\n}}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    if sys.argv[1:] in ([], ["--here"]):
        main(here=len(sys.argv) > 1)
    else:
        _run_all(Path(sys.argv[1]))
