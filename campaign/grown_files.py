"""Model files of entries at random, of every type and field, most of the right kind: as model_files.py."""

from __future__ import annotations

from files.grown import grown
from model_files import judged
from outcome import Outcome


def case(seed: int) -> Outcome:
    """One file."""
    return judged("model files grown at random", grown(seed))
