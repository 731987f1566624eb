"""Published numbers and closed forms, one file each with its source."""

import json
from pathlib import Path


def load(name: str) -> dict:
    """Return the content of a reference file."""
    return json.loads((Path(__file__).parent / f"{name}.json").read_text())
