"""Where the journals of a store are."""

from __future__ import annotations

from pathlib import Path

JOURNAL = ".journal"  # the folder of all of them, in the store
SUFFIX = ".log"


def journals(folder: Path) -> list[Path]:
    """The journals of all processes, in any state."""
    return sorted(folder.glob(f"*{SUFFIX}"))
