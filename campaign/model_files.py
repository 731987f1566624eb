"""Model files with random changes: each is read, then written and read again to the same System, or refused at a place.

Everything else is red: another exception, a message without file and line, a System that changes on its way.
"""

from __future__ import annotations

import re
import tempfile
import warnings
from pathlib import Path

import gudgeon as gd
from files.mutants import mutants
from outcome import REFUSED, RIGHT, WRONG, Outcome, failed


def case(seed: int) -> Outcome:
    """One file."""
    (text,) = mutants(1, seed)
    return judged("model files with random changes", text)


def judged(group: str, text: str) -> Outcome:
    """What becomes of a file of this text."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.yaml"
        path.write_text(text, encoding="utf-8")
        try:
            system = gd.load_system(path)
            same = gd.load_system(system.save(path)) == system
        except gd.ModelError as error:
            is_placed = re.match(r"model\.yaml:\d+( .*)?: ", str(error))
            return Outcome(group, REFUSED if is_placed else WRONG, note=str(error))
        except Exception as error:
            return failed(group, error)
    return Outcome(group, RIGHT if same else WRONG, note="" if same else "another System after writing and reading")
