"""Whatever a file holds (bytes, words of YAML, data, entries at random): it is read, or refused at a place."""

from __future__ import annotations

import re
import warnings

import pytest
from grown import grown
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gudgeon as gd
from gudgeon.files.yaml_text import written_json, written_yaml

WORDS = (
    "bodies",
    "joints",
    "bob",
    "mass",
    "type",
    "Dry",
    "1",
    "-",
    ":",
    " ",
    "\n",
    "\n  ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#",
)
WORDS += (
    "'",
    '"',
    "&a ",
    "*a",
    "!!str ",
    "|",
    ">",
    "? ",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "\t",
    "1e3",
    "9 mm",
    "<<",
    "é",
)
QUICK = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec="utf-8"), max_size=8)
SECTIONS = st.sampled_from(["bodies", "joints", "loads", "drives", "run", "models", "start", "signals", "x"])
DATA = st.dictionaries(
    SECTIONS,
    st.recursive(VALUES, lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=3), x, max_size=3)),
)


def read_or_refused(path) -> bool:
    """Whether it is read; what is refused has a place."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            gd.load_system(path)
        return True
    except gd.ModelError as error:
        assert re.match(r"model\.(yaml|json)(:\d+( .*)?|: byte \d+ is not UTF-8)", str(error), re.DOTALL), str(error)
        assert len(str(error)) < 2000
        return False


@QUICK
@given(st.binary(max_size=60))
def test_bytes(tmp_path, content):
    (tmp_path / "model.yaml").write_bytes(content)
    assert not read_or_refused(tmp_path / "model.yaml")


@QUICK
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_words(tmp_path, words):
    (tmp_path / "model.yaml").write_text("".join(words), encoding="utf-8")
    read_or_refused(tmp_path / "model.yaml")


@QUICK
@given(DATA, st.booleans())
def test_data(tmp_path, data, as_json):
    path = tmp_path / f"model.{'json' if as_json else 'yaml'}"
    path.write_text(written_json(data) if as_json else written_yaml(data), encoding="utf-8")
    read_or_refused(path)


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_entries_of_the_right_kind(tmp_path, first):
    """Some are sound: those are written and read again to the same."""
    sound, path = 0, tmp_path / "model.yaml"
    for seed in range(first, first + 100):
        path.write_text(grown(seed), encoding="utf-8")
        if read_or_refused(path):
            system = gd.load_system(path)
            assert gd.load_system(system.save(tmp_path / "again.yaml")) == system
            sound += 1
    assert 0 < sound < 50
