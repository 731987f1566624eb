"""Files that mean harm are refused: in one line, for the right reason, within five seconds and a gigabyte."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import CASES
from hostile_judge import BYTES, SECONDS

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits are set and measured as on Linux")


@pytest.fixture(scope="module")
def judged() -> dict[str, dict]:
    judge = Path(__file__).with_name("hostile_judge.py")
    done = subprocess.run([sys.executable, judge], capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return {each["name"]: each for each in told}


def test_there_are_fifty():
    assert len(CASES) > 50


@pytest.mark.parametrize("name", CASES)
def test_is_refused(name, judged):
    if "STEP" in name and importlib.util.find_spec("OCP") is None:
        pytest.skip("STEP files need gudgeon[cad]")
    told, words = judged[name], CASES[name][1]
    assert not told["failed"], told["failed"]
    assert told["exit"] == 1
    assert told["said"].startswith("gudgeon: ") and told["said"].count("\n") == 1 and len(told["said"]) < 1000
    assert words in told["said"]
    assert told["cpu"] < SECONDS
    assert told["memory"] < BYTES
    assert not told["executed"]
