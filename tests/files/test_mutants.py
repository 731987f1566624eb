"""Whatever is changed in a model file: it is read, or refused by a ModelError with a place."""

from __future__ import annotations

import pytest
from mutants import mutants

import gudgeon as gd


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_mutants_are_read_or_refused_with_a_place(tmp_path):
    path = tmp_path / "model.yaml"
    refused = 0
    for text in mutants(200, seed=4):
        path.write_text(text)
        try:
            gd.load_system(path)
        except gd.ModelError as error:
            assert str(error).startswith("model.yaml:")
            refused += 1
    assert refused > 100
