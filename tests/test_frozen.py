"""Frozen runs: numbers in every build, bits in the strict build on the machine where they were made (see frozen/).

A change that is not meant to change results keeps both: GUDGEON_STRICT=1 python -m pytest tests/test_frozen.py
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

import pytest

import gudgeon as gd
from frozen.record import STRICT, digests, machine
from frozen.runs import RUNS

BITS: dict[str, Any] = json.loads(STRICT.read_text(encoding="utf-8"))
every_run = pytest.mark.parametrize("name", RUNS)


@cache
def run(name: str) -> gd.Result:
    return RUNS[name].result()


def test_every_run_is_frozen():
    assert list(BITS["runs"]) == list(RUNS)


@pytest.mark.skipif(os.environ.get("GUDGEON_STRICT") != "1", reason="bits are those of the strict build")
@pytest.mark.skipif(BITS["machine"] != machine(), reason=f"bits were kept on {BITS['machine']}")
@every_run
def test_bits(name):
    assert digests(run(name)) == BITS["runs"][name]
