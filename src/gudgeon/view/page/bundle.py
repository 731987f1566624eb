"""The viewer's script and style sheet, which are built when gudgeon is installed; where they are not, why."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gudgeon.errors import FileError

FOLDER = Path(__file__).parent
SCRIPT, STYLE, REASON = "viewer.js", "viewer.css", "viewer_not_built.txt"
FIX = (
    "with network access, install again: pip install --force-reinstall --no-deps gudgeon (in a clone: "
    "pip install --no-deps --editable .)"
)


def is_built() -> bool:
    """Whether pages can move."""
    return (FOLDER / SCRIPT).is_file() and (FOLDER / STYLE).is_file()


@cache
def bundle() -> tuple[str, str]:
    """Script and style sheet."""
    if not is_built():
        reason = FOLDER / REASON
        why = f" ({reason.read_text(encoding='utf-8').strip()})" if reason.is_file() else ""
        raise FileError(f"view: the viewer was not built when gudgeon was installed{why}; {FIX}")
    script, style = ((FOLDER / name).read_text(encoding="utf-8") for name in (SCRIPT, STYLE))
    return script.replace("</script", "<\\/script"), style.replace("</style", "<\\/style")
