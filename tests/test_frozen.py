"""Frozen runs: numbers in every build, bits in the strict build with the libraries they were made with (see frozen/).

A change that is not meant to change results keeps both: GUDGEON_STRICT=1 python -m pytest tests/test_frozen.py; on a
processor for which OpenBLAS has other kernels with OPENBLAS_CORETYPE=Haswell or SkylakeX besides.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from frozen.record import NORMAL, RTOL, STRICT, contacts, digests, machine, motion, rounding
from frozen.runs import RUNS, SAMPLES

BITS: dict[str, Any] = json.loads(STRICT.read_text(encoding="utf-8"))
NUMBERS: dict[str, Any] = json.loads(NORMAL.read_text(encoding="utf-8"))
every_run = pytest.mark.parametrize("name", RUNS)
LIBERTY = 1.0 if NUMBERS["machine"] == machine() else 1e3  # other processors round otherwise in more places


@cache
def run(name: str) -> gd.Result:
    return RUNS[name].result()


def test_every_run_is_frozen():
    assert list(RUNS) == list(NUMBERS["runs"])
    assert all(list(RUNS) == list(bits) for bits in BITS.values())


@every_run
def test_numbers(name):
    """Motion of all bodies at the end to what rounding allows, and to 1e-9 at the last sample where it allows that.

    Where they were kept; on another machine to a thousand times that.
    """
    kept, result = NUMBERS["runs"][name], run(name)
    scale, within, found = kept["scale"], LIBERTY * kept["within"], motion(result)
    for sample, parts in kept["motion"].items():
        rtol = within if int(sample) == SAMPLES - 1 else LIBERTY * RTOL
        for part, expected in parts.items():
            assert found[part][int(sample)] == pytest.approx(expected, rel=0.0, abs=rtol * scale[part]), part
    begun, expected = contacts(result)[: len(kept["contacts"])], np.reshape(kept["contacts"], (-1, 2))
    assert begun[:, 0] == pytest.approx(expected[:, 0], rel=0.0, abs=within * RUNS[name].duration)
    assert begun[:, 1] == pytest.approx(expected[:, 1], rel=0.0, abs=within * scale["velocity"])


@pytest.mark.skipif(os.environ.get("GUDGEON_STRICT") != "1", reason="bits are those of the strict build")
@pytest.mark.skipif(rounding() not in BITS, reason=f"bits were kept with {'; '.join(BITS)}")
@every_run
def test_bits(name):
    """All that is kept: states, outputs, contacts, steps."""
    found, kept = digests(run(name)), BITS[rounding()][name]
    assert "contacts" in kept
    assert {part: found[part] for part in kept} == kept
